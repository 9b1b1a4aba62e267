//! Battles of the American Civil War on real mail servers: the built daemon on Dovecot and Postfix over TLS, two commanders with mail programs of their own,
//! from the invitation to the final report.

use crate::season::{Daemon, Player, body, data_directory};
use crate::servers::MailServers;

/// A battle by mail.
struct Battle {
    scenario: &'static str,
    title: &'static str,
    game: &'static str,
    /// The names of the players' mailboxes.
    players: [&'static str; 2],
    /// The seats with what each of them orders first: a line that is refused, and one that is carried out.
    seats: [(&'static str, &'static str, &'static str); 2],
    /// Hours of a mail turn.
    block: u16,
}

const BULL_RUN: Battle = Battle {
    scenario: "acw/bull-run",
    title: "First Bull Run",
    game: "bull",
    players: ["anna-bull", "ben-bull"],
    seats: [
        (
            "union",
            "COMMAND Huntr OFFENSIVE Stone House",
            "COMMAND H3 OFFENSIVE VIA Sudley Ford TO Henry Hill",
        ),
        ("confederate", "PROFILE BRAVE", "COMMAND H2 DEFENSIVE Henry Hill"),
    ],
    block: 3,
};

const SHILOH: Battle = Battle {
    scenario: "acw/shiloh",
    title: "Shiloh",
    game: "shiloh",
    players: ["anna-shiloh", "ben-shiloh"],
    seats: [
        ("union", "COMMAND H99 RESERVE", "ROSTER"),
        ("confederate", "ARMY MOVE Nowhere", "ARMY MOVE STAND"),
    ],
    block: 6,
};

#[test]
fn bull_run_is_fought_to_its_end_over_dovecot_and_postfix() {
    fought(&BULL_RUN);
}

#[test]
fn shiloh_is_fought_to_its_end_over_dovecot_and_postfix() {
    fought(&SHILOH);
}

fn fought(battle: &Battle) {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    let game = battle.game;
    data_directory(&servers, dir.path(), &format!("umpire-{game}"));
    let daemon = Daemon::start(dir.path());
    let seat = |place: usize| format!("{}={}@localhost", battle.seats[place].0, battle.players[place]);
    let (first, second, block) = (seat(0), seat(1), format!("block={}", battle.block));
    let new = ["new", battle.scenario, "--id", game, "--recall", "none", "--option", &block];
    daemon.command(&[&new[..], &["--seat", &first, "--seat", &second]].concat());

    let mut players = battle.players.map(|name| Player::new(&servers, name, dir.path()));
    for player in &mut players {
        let invitation = player.wait_for(&[&format!("[{game}]")], &daemon);
        assert!(body(&invitation).contains(battle.title), "{}", body(&invitation));
        player.answer(&invitation, "BEGIN ORDERS\nJOIN\nsalt: a drum and a river\nEND ORDERS");
        player.wait_for(&["confirmed"], &daemon);
    }

    // What is wrong is said at once, and the set is sent again.
    for (player, (_, wrong, right)) in players.iter_mut().zip(battle.seats) {
        let dispatch = player.wait_for(&[battle.title, "orders by"], &daemon);
        assert!(body(&dispatch).contains("WHOM YOU CAN ORDER"), "{}", body(&dispatch));
        player.answer(&dispatch, &format!("BEGIN ORDERS\n{wrong}\nEND ORDERS"));
        let receipt = player.wait_for(&["[ERRORS]"], &daemon);
        assert!(body(&receipt).contains(wrong), "{}", body(&receipt));
        player.answer(&receipt, &format!("BEGIN ORDERS\n{right}\nREADY\nsalt: drums\nEND ORDERS"));
        let receipt = player.wait_for(&["order", " for "], &daemon);
        assert!(!receipt.subject.contains("[ERRORS]"), "{}", body(&receipt));
    }

    // Every mail turn ends once both are ready: nobody waits for a deadline.
    let mut last = String::new();
    for turn in 0.. {
        assert!(turn < 40, "the battle comes to no end:\n{last}");
        let subject = format!("[{game}] {} - ", battle.title);
        let mails = [0, 1].map(|place| players[place].wait_for(&[&subject], &daemon));
        body(&mails[0]).clone_into(&mut last);
        if !mails[0].subject.contains("orders by") {
            break;
        }
        for (player, mail) in players.iter().zip(&mails) {
            player.answer(mail, "BEGIN ORDERS\nREADY\nsalt: powder\nEND ORDERS");
        }
    }
    assert!(last.contains("THE END") && last.contains("men lost"), "{last}");
    let file = dir.path().join("audit.json");
    let file = file.to_str().unwrap();
    daemon.command(&["audit", game, "--out", file]);
    let verified = String::from_utf8(daemon.command(&["verify", file, "--replay"]).stdout).unwrap();
    assert!(verified.contains("just this game"), "{verified}");
    let status = String::from_utf8(daemon.command(&["status", game]).stdout).unwrap();
    assert!(status.contains(" 0 failed"), "{status}");
    daemon.stop();
}
