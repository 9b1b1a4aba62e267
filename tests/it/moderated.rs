//! A battle of Death or Glory that a game master moderates, over Dovecot and Postfix: he sees every round before its leaders do,
//! amends, reveals, narrates and releases.

use crate::season::{Daemon, Player, body, data_directory};
use crate::servers::MailServers;

const ROUNDS: usize = 4;

#[test]
fn four_rounds_are_moderated_over_real_servers() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    data_directory(&servers, dir.path(), "umpire-moderated");
    let daemon = Daemon::start(dir.path());
    let founded =
        ["new", "daerquwa", "--id", "stand", "--start", "now", "--approval", "7d", "--recall", "none"];
    let people = [
        "--gm",
        "gm-moderated@localhost",
        "--seat",
        "emperor=anna-moderated@localhost",
        "--seat",
        "king=ben-moderated@localhost",
        "--seat",
        "queen=cleo-moderated@localhost",
    ];
    daemon.command(&[&founded[..], &people].concat());
    let [mut gm, mut anna, mut ben, mut cleo] =
        ["gm-moderated", "anna-moderated", "ben-moderated", "cleo-moderated"]
            .map(|user| Player::new(&servers, user, dir.path()));
    let welcome = gm.wait_for(&["you are the GM"], &daemon);
    let deed = |gm: &mut Player<'_>, lines: &str| {
        gm.answer(&welcome, lines);
        let answer = gm.wait_for(&["your "], &daemon);
        assert!(!answer.subject.contains("[ERRORS]"), "{lines}: {}", body(&answer));
        body(&answer).to_owned()
    };

    // Before the first round: elves are hidden well, and nobody has read anything yet.
    let waits = gm.wait_for(&["waits for your approval"], &daemon);
    assert!(body(&waits).contains("Turn 1 (founding)"), "{}", body(&waits));
    deed(&mut gm, "AMEND 1 UNIT Q4 HIDDEN YES BECAUSE they came by night CONFIRM");
    deed(&mut gm, "NARRATE 1 TO emperor\nThe forest is very quiet.\nEND NARRATE");
    deed(&mut gm, "APPROVE 1");

    let orders = [
        "MOVE 1 0509\nMOVE 8 TO 0509\nIF ATTACKED DEFEND",
        "MOVE 1 TO 0508\nSHOOT 8",
        "MOVE 2 TO 0609\nATTACK 1",
        "DEFEND 1, 2\nATTACK 3",
    ];
    for round in 1..=ROUNDS {
        let subject = format!("round {round} - orders by");
        let dispatch = anna.wait_for(&[&subject], &daemon);
        let report = body(&dispatch);
        let (_, seen) = report.split_once("THE ENEMY AS SEEN").unwrap();
        match round {
            1 => {
                assert!(report.contains("The GM: The forest is very quiet."), "{report}");
                assert!(!seen.contains("Q4 "), "what the GM hid is not told:\n{report}");
            }
            2 => {
                assert!(!report.contains("forest is very quiet"), "his words are of one report:\n{report}");
                assert!(report.contains("E1 (elite heavy infantry): 15 fighters."), "amended:\n{report}");
                assert!(!seen.contains("Q4 "), "{report}");
            }
            3 => assert!(seen.contains("Q4 "), "what the GM revealed is seen:\n{report}"),
            _ => {}
        }
        let salt = format!("salt: {round} legions\nREADY\nEND ORDERS");
        anna.answer(&dispatch, &format!("BEGIN ORDERS\n{}\n{salt}", orders[round - 1]));
        anna.wait_for(&[&format!("for Round {round}")], &daemon);
        for (player, unseen) in [(&mut ben, "very quiet"), (&mut cleo, "very quiet")] {
            let theirs = player.wait_for(&[&subject], &daemon);
            assert!(!body(&theirs).contains(unseen), "words to one side are for it alone");
            player.answer(&theirs, &format!("BEGIN ORDERS\nIF ATTACKED DEFEND\n{salt}"));
            player.wait_for(&[&format!("for Round {round}")], &daemon);
        }

        let t = round + 1;
        let waits = gm.wait_for(&["waits for your approval"], &daemon);
        assert!(body(&waits).contains(&format!("Turn {t} (round-{round})")), "{}", body(&waits));
        match round {
            1 => _ = deed(&mut gm, "AMEND 2 UNIT E1 FIGHTERS 15 BECAUSE of the marsh fever CONFIRM"),
            2 => _ = deed(&mut gm, "AMEND 3 UNIT Q4 HIDDEN NO BECAUSE a horn was blown CONFIRM"),
            3 => {
                let draft = deed(&mut gm, "DRAFT 4 WITH AMEND RULE E1 STAYS");
                assert!(draft.contains("nothing was done"), "{draft}");
                deed(&mut gm, "AMEND 4 RULE E1 STAYS BECAUSE the road is blocked CONFIRM");
            }
            _ => _ = deed(&mut gm, "NARRATE 5\nNight falls over Daerquwa.\nEND NARRATE"),
        }
        deed(&mut gm, &format!("APPROVE {t}"));
    }
    for player in [&mut anna, &mut ben, &mut cleo] {
        let last = player.wait_for(&["round 5 - orders by"], &daemon);
        assert!(body(&last).contains("The GM: Night falls over Daerquwa."), "{}", body(&last));
    }
    let journal = String::from_utf8(daemon.command(&["journal", "stand"]).stdout).unwrap();
    for deed in ["marsh fever", "a horn was blown", "the road is blocked", "Night falls over Daerquwa."] {
        assert!(journal.contains(deed), "{deed}:\n{journal}");
    }
    daemon.stop();
}
