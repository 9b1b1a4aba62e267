//! A battle of The Shattered Alliance on real mail servers: the built daemon on Dovecot and Postfix over TLS, two commanders with mail programs of
//! their own, from the invitation to the final report.

use crate::season::{Daemon, Player, body, data_directory};
use crate::servers::MailServers;

#[test]
fn a_battle_is_fought_to_its_end_over_dovecot_and_postfix() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    data_directory(&servers, dir.path(), "umpire-mill");
    let daemon = Daemon::start(dir.path());
    let seats = ["--seat", "northwold=anna-mill@localhost", "--seat", "reaches=ben-mill@localhost"];
    let options = ["--option", "block=36", "--option", "initial=together"];
    let new = ["new", "sa/mill", "--id", "mill", "--recall", "none"];
    daemon.command(&[&new[..], &options, &seats].concat());

    let mut anna = Player::new(&servers, "anna-mill", dir.path());
    let mut ben = Player::new(&servers, "ben-mill", dir.path());
    for player in [&mut anna, &mut ben] {
        let invitation = player.wait_for(&["[mill]"], &daemon);
        assert!(body(&invitation).contains("Harrow Brook"), "{}", body(&invitation));
        player.answer(&invitation, "BEGIN ORDERS\nJOIN\nsalt: a mill and a brook\nEND ORDERS");
        player.wait_for(&["confirmed"], &daemon);
    }

    // The initial move: a unit that is misnamed is said at once, and the set is sent again.
    let first = anna.wait_for(&["nitial move", "orders by"], &daemon);
    anna.answer(&first, "MOVE Northwold Spers TO 0907\nMOVE 2 NE");
    let receipt = anna.wait_for(&["[ERRORS]"], &daemon);
    assert!(body(&receipt).contains("Spers"), "{}", body(&receipt));
    anna.answer(&receipt, "BEGIN ORDERS\nMOVE 1 TO 0907\nMOVE 2 NE\nREADY\nsalt: sails\nEND ORDERS");
    let receipt = anna.wait_for(&["2 orders for Initial move"], &daemon);
    assert!(!receipt.subject.contains("[ERRORS]"), "{}", body(&receipt));
    let first = ben.wait_for(&["nitial move", "orders by"], &daemon);
    ben.answer(&first, "BEGIN ORDERS\nADVANCE ALL TO 0906\nREADY\nsalt: grain\nEND ORDERS");

    // Four mail turns make the day; army morale may end it before. Nobody waits for a deadline.
    let mut last = String::new();
    for _ in 0..5 {
        let mails = [&mut anna, &mut ben].map(|player| player.wait_for(&["[mill] The Mill at"], &daemon));
        body(&mails[0]).clone_into(&mut last);
        if !mails[0].subject.contains("orders by") {
            break;
        }
        for (player, mail) in [&anna, &ben].into_iter().zip(&mails) {
            player.answer(mail, "BEGIN ORDERS\nCHARGE ALL\nREADY\nsalt: bread\nEND ORDERS");
        }
    }
    assert!(last.contains("victory") || last.contains("draw"), "{last}");
    let verified =
        daemon.command(&["audit", "mill", "--out", dir.path().join("mill.json").to_str().unwrap()]);
    assert!(verified.status.success());
    daemon.command(&["verify", dir.path().join("mill.json").to_str().unwrap(), "--replay"]);
    let status = String::from_utf8(daemon.command(&["status", "mill"]).stdout).unwrap();
    assert!(status.contains(" 0 failed"), "{status}");
    daemon.stop();
}
