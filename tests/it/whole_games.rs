//! A game of each system by mail alone, from its founding to the archive, over Dovecot and Postfix: nobody touches the host's command line.

use musterd::letter::Letter;

use crate::real_commands::{answers_all, to_confirm};
use crate::season::{Daemon, Player, body, data_directory};
use crate::servers::MailServers;

/// A game, with what its players and its GM write.
struct Game {
    id: &'static str,
    scenario: &'static str,
    seats: [&'static str; 2],
    /// The mailboxes of the host, the founder, who leads the game, and the players.
    host: &'static str,
    founder: &'static str,
    players: [&'static str; 2],
    /// An order of the first seat's, and the name of a unit of its.
    order: &'static str,
    unit: &'static str,
    /// What the GM changes.
    amendment: &'static str,
}

#[cfg(feature = "lga")]
#[test]
fn a_campaign_of_la_grande_armee_is_founded_played_led_and_archived_by_mail() {
    played(&Game {
        id: "wide",
        scenario: "lga/austrian-1805",
        seats: ["french", "allied"],
        host: "umpire-wide",
        founder: "cara-wide",
        players: ["anna-wide", "ben-wide"],
        order: "MOVE 1 TO Wurzburg",
        unit: "1",
        amendment: "POINTS french 9",
    });
}

#[cfg(feature = "dog")]
#[test]
fn a_battle_of_death_or_glory_is_founded_played_led_and_archived_by_mail() {
    played(&Game {
        id: "yard",
        scenario: "dog/training",
        seats: ["red", "blue"],
        host: "umpire-yard",
        founder: "cara-yard",
        players: ["anna-yard", "ben-yard"],
        order: "MOVE 1 TO 0302",
        unit: "1",
        amendment: "UNIT R1 FIGHTERS 18",
    });
}

#[cfg(feature = "sa")]
#[test]
fn a_battle_of_the_shattered_alliance_is_founded_played_led_and_archived_by_mail() {
    played(&Game {
        id: "brook",
        scenario: "sa/mill",
        seats: ["northwold", "reaches"],
        host: "umpire-brook",
        founder: "cara-brook",
        players: ["anna-brook", "ben-brook"],
        order: "MOVE 1 TO 0907",
        unit: "1",
        amendment: "UNIT A1 MEN 250",
    });
}

#[cfg(feature = "acw")]
#[test]
fn a_battle_of_the_civil_war_is_founded_played_led_and_archived_by_mail() {
    played(&Game {
        id: "kelly",
        scenario: "acw/kellys-mill",
        seats: ["union", "confederate"],
        host: "umpire-kelly",
        founder: "cara-kelly",
        players: ["anna-kelly", "ben-kelly"],
        order: "ARMY MOVE STAND",
        unit: "Hale",
        amendment: "BRIGADE A1 MEN 1850",
    });
}

/// A block with one order.
fn block(order: &str) -> String {
    format!("BEGIN ORDERS\n{order}\nEND ORDERS")
}

/// Sends commands to the host, and returns the answer, in which each stands and none is wrong.
fn asked(player: &mut Player<'_>, to: &Letter, lines: &[&str], daemon: &Daemon) -> Letter {
    player.answer(to, &lines.join("\n"));
    // What is too large for one mail comes in several.
    let is_begun = |answer: &Letter| body(answer).contains(&format!("> {}", lines[0]));
    let mut answer = player.wait_for(&[" command"], daemon);
    while !is_begun(&answer) {
        answer = player.wait_for(&[" command"], daemon);
    }
    assert!(!answer.subject.contains("[ERRORS]"), "{lines:?}: {}", body(&answer));
    let commands: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| line.chars().all(|c| !c.is_lowercase() || line.contains(' ')))
        .collect();
    answers_all(&answer, &commands);
    answer
}

fn played(game: &Game) {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    data_directory(&servers, dir.path(), game.host);
    let config = dir.path().join("musterd.yaml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}founders: [{}@localhost]\n", game.founder)).unwrap();
    let daemon = Daemon::start(dir.path());
    let host = format!("{}@localhost", game.host);
    let [mut gm, mut anna, mut ben] =
        [game.founder, game.players[0], game.players[1]].map(|user| Player::new(&servers, user, dir.path()));
    let [first, second] = game.seats;

    // The founding.
    let (system, _) = game.scenario.split_once('/').unwrap();
    gm.write(&host, "what", &format!("SCENARIOS {system}"));
    let all = gm.wait_for(&["your command"], &daemon);
    assert!(body(&all).contains(game.scenario), "{}", body(&all));
    let seats = format!(
        "--seat {first}={}@localhost\n--seat {second}={}@localhost",
        game.players[0], game.players[1]
    );
    gm.write(
        &host,
        "create",
        &format!("CREATE {} {}\n{seats}\n--press all --recall none\nEND CREATE", game.scenario, game.id),
    );
    let code = gm.wait_for(&["your command"], &daemon);
    assert!(!code.subject.contains("[ERRORS]"), "{}", body(&code));
    gm.write(&host, "yes", &to_confirm(&code));
    gm.wait_for(&["your command"], &daemon);
    let welcome = gm.wait_for(&["you are the GM"], &daemon);
    for player in [&mut anna, &mut ben] {
        let invitation = player.wait_for(&[&format!("[{}]", game.id)], &daemon);
        player.answer(&invitation, "HELP\nSCENARIO\nRULES");
        let answer = player.wait_for(&["your 3 commands"], &daemon);
        assert!(!answer.subject.contains("[ERRORS]"), "{}", body(&answer));
        player.answer(&invitation, "BEGIN ORDERS\nJOIN\nsalt: a lark and a lantern\nEND ORDERS");
        player.wait_for(&["confirmed"], &daemon);
    }

    // What players ask, and what they say.
    let dispatch = anna.wait_for(&["orders by"], &daemon);
    let bens = ben.wait_for(&["orders by"], &daemon);
    anna.answer(&dispatch, &format!("PRESS TO gm\nMay I?\nEND PRESS\n{}", block(game.order)));
    anna.wait_for(&["1 order for"], &daemon);
    anna.wait_for(&["your letter was sent on"], &daemon);
    let letter = gm.wait_for(&["a letter from"], &daemon);
    assert!(body(&letter).contains("May I?"), "{}", body(&letter));
    let (odds, reach) = (format!("ODDS {}", game.order), format!("REACH {}", game.unit));
    let questions =
        ["STATUS", "LIST", "HELP ORDERS", "SCENARIO", "RULES 1", "MAP", "REPORT", "HISTORY", "LUCK"];
    asked(&mut anna, &dispatch, &questions, &daemon);
    let questions =
        ["PREVIEW", &odds, &reach, "MAIL", "EXTEND 2d", "ABSENT UNTIL 2099-01-10", "BACK", "DRAW", "DRAW NO"];
    asked(&mut anna, &dispatch, &questions, &daemon);
    for (aside, said) in [("TRY", "was only tried"), ("AHEAD", "are kept for your next turn")] {
        anna.answer(&dispatch, &format!("{aside}\n{}", block(game.order)));
        let answer = anna.wait_for(&["your command"], &daemon);
        let text = body(&answer).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(said) && !answer.subject.contains("[ERRORS]"), "{}", body(&answer));
    }
    asked(&mut anna, &dispatch, &["AHEAD NOTHING"], &daemon);
    ben.answer(&bens, &block("READY"));
    ben.wait_for(&["orders for"], &daemon);

    // What the GM sees, says and changes.
    let names = ["REPORT", "HISTORY", "ORDERS"].map(|what| format!("{what} {first}"));
    let sees =
        ["STATUS", "HELP", "OVERVIEW", &names[0], &names[1], &names[2], "JOURNAL", "AUDIT", "LUCK", "HEALTH"];
    asked(&mut gm, &welcome, &sees, &daemon);
    gm.answer(&welcome, &format!("PRESS TO {first}\nYou may.\nEND PRESS"));
    gm.wait_for(&["your command"], &daemon);
    assert!(body(&anna.wait_for(&["a letter from the GM"], &daemon)).contains("You may."));
    asked(
        &mut gm,
        &welcome,
        &["PAUSE", "RESUME", "EXTEND 2 2d BECAUSE of a feast", "TERMS --approval 24h"],
        &daemon,
    );
    let amend = format!("AMEND 2 {} BECAUSE of a slip CONFIRM", game.amendment);
    asked(&mut gm, &welcome, &[&amend], &daemon);
    gm.answer(&welcome, "NARRATE 2\nIt rained.\nEND NARRATE\nBROADCAST\nGood luck.\nEND BROADCAST");
    gm.wait_for(&["your 2 commands"], &daemon);
    assert!(body(&ben.wait_for(&["a word from the GM"], &daemon)).contains("Good luck."));

    // A turn runs; he looks at its dispatches, changes them, and sends them.
    asked(&mut gm, &welcome, &["PROCESS 2 CONFIRM"], &daemon);
    gm.wait_for(&["waits for your approval"], &daemon);
    let rerun = format!("RERUN 2 AMEND {} CONFIRM", game.amendment);
    asked(&mut gm, &welcome, &[&rerun, "DRAFT 2"], &daemon);
    let add = format!(
        "ADD 2 {second} 1: A rider came by.\nREWORD 2 {second} 2: Little is known of it.\nSTRIKE 2 {first} 1\nRESTORE 2 {first} 1"
    );
    gm.answer(&welcome, &add);
    let answer = gm.wait_for(&["your 4 commands"], &daemon);
    assert!(!answer.subject.contains("[ERRORS]"), "{}", body(&answer));
    asked(&mut gm, &welcome, &["APPROVE 2"], &daemon);
    let told =
        (0..4).map(|_| ben.wait_for(&["orders by"], &daemon)).find(|mail| body(mail).contains("It rained."));
    let told = told.expect("a dispatch with the GM's words");
    assert!(body(&told).contains("GM: A rider came by."), "{}", body(&told));
    asked(&mut gm, &welcome, &["ROLLBACK 2 CONFIRM", "TERMS --approval none"], &daemon);

    // The end.
    let secret = format!("SECRET {second}");
    asked(&mut gm, &welcome, &[&secret, "END 4 A draw by agreement CONFIRM", "ARCHIVE CONFIRM"], &daemon);
    for player in [&mut anna, &mut ben] {
        while !body(&player.wait_for(&[&format!("[{}]", game.id)], &daemon)).contains("A draw by agreement") {
        }
    }
    let file = dir.path().join("whole.json");
    daemon.command(&["audit", game.id, "--out", file.to_str().unwrap()]);
    daemon.command(&["verify", file.to_str().unwrap(), "--replay"]);
    daemon.stop();
}
