//! Every command by mail, once, over Dovecot and Postfix: players', strangers' and the GM's.

use musterd::desk::mail::verbs;
use musterd::letter::Letter;

use crate::season::{Daemon, Player, body, data_directory};
use crate::servers::MailServers;

const HOST: &str = "umpire-real@localhost";

/// Each command stands in the answer as it was written.
pub(crate) fn answers_all(answer: &Letter, commands: &[&str]) {
    for command in commands {
        assert!(body(answer).contains(&format!("> {command}\n")), "{command}:\n{}", body(answer));
    }
}

/// The lines that a mail asks to send back.
pub(crate) fn to_confirm(mail: &Letter) -> String {
    body(mail)
        .lines()
        .filter(|line| line.trim_start().starts_with("CONFIRM "))
        .map(str::trim)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn every_command_works_by_mail_over_real_servers() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    data_directory(&servers, dir.path(), "umpire-real");
    let config = dir.path().join("musterd.yaml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}founders: [founder-real@localhost]\n")).unwrap();
    let daemon = Daemon::start(dir.path());
    let found = [
        "new",
        "austrian-1805",
        "--id",
        "real",
        "--start",
        "now",
        "--gm",
        "gm-real@localhost",
        "--anonymous",
    ];
    let seats =
        ["--seat", "french=anna-real@localhost", "--seat", "allied=ben-real@localhost", "--press", "all"];
    daemon.command(&[&found[..], &seats].concat());
    let [mut anna, mut ben, mut gm, mut guest] = ["anna-real", "ben-real", "gm-real", "guest-real"]
        .map(|user| Player::new(&servers, user, dir.path()));

    // The players.
    let dispatch = anna.wait_for(&["Summer 1805"], &daemon);
    let bens = ben.wait_for(&["Summer 1805"], &daemon);
    anna.answer(
        &dispatch,
        "PRESS ANONYMOUS TO ALL\nUlm falls.\nEND PRESS\nBEGIN ORDERS\nMOVE 1 TO Wurzburg\nEND ORDERS",
    );
    anna.wait_for(&["1 order for Summer 1805"], &daemon);
    anna.wait_for(&["your letter was sent on"], &daemon);
    let letter = ben.wait_for(&["Letter from an unknown hand"], &daemon);
    assert!(body(&letter).contains("| Ulm falls."), "{}", body(&letter));
    let commands = [
        "STATUS",
        "LIST",
        "HELP press",
        "HELP absent",
        "SCENARIO",
        "RULES",
        "RULES 12",
        "MAP",
        "REPORT",
        "HISTORY",
        "LUCK",
        "PREVIEW",
        "WITHDRAW ORDERS",
        "ABSENT UNTIL 2099-01-10",
        "BACK",
        "EXTEND 2d",
        "DRAW",
        "DRAW NO",
        "ZONE America/New_York",
        "ADDRESS ADD anna-office@localhost",
    ];
    anna.answer(&dispatch, &commands.join("\n"));
    let answer = anna.wait_for(&["your 20 commands"], &daemon);
    assert!(!answer.subject.contains("[ERRORS]"), "{}", body(&answer));
    answers_all(&answer, &commands);
    anna.answer(
        &dispatch,
        "TRY\nPRESS TO gm\nMay I?\nEND PRESS\nBEGIN ORDERS\nMOVE 1 TO Wurzburg\nEND ORDERS",
    );
    let tried = anna.wait_for(&["your command"], &daemon);
    assert!(body(&tried).contains("This set was only tried"), "{}", body(&tried));
    anna.wait_for(&["your letter was sent on"], &daemon);
    let questions = ["ODDS MOVE 1 TO Wurzburg", "REACH 1"];
    anna.answer(&dispatch, &questions.join("\n"));
    let answer = anna.wait_for(&["your 2 commands"], &daemon);
    assert!(!answer.subject.contains("[ERRORS]"), "{}", body(&answer));
    answers_all(&answer, &questions);
    let mut office = Player::new(&servers, "anna-office", dir.path());
    let code = office.wait_for(&["[real]"], &daemon);
    office.write(code.reply_to.first().map_or(HOST, String::as_str), "office", &to_confirm(&code));
    office.wait_for(&["your command"], &daemon);
    anna.answer(&dispatch, "ADDRESS DROP anna-office@localhost\nMAIL BRIEF CALENDAR OFF\nNEW SECRET");
    anna.wait_for(&["your 3 commands"], &daemon);

    // The GM.
    let welcome = gm.wait_for(&["[real]", "GM"], &daemon);
    let deed = |gm: &mut Player<'_>, lines: &str, subject: &str| {
        gm.answer(&welcome, lines);
        let answer = gm.wait_for(&[subject], &daemon);
        assert!(!answer.subject.contains("[ERRORS]"), "{lines}: {}", body(&answer));
        answers_all(&answer, &lines.lines().collect::<Vec<_>>());
        answer
    };
    deed(
        &mut gm,
        "STATUS\nHELP\nPAUSE\nRESUME\nEXTEND 2 2d BECAUSE of the holidays\nDEADLINE 2 2099-01-10 20:00",
        "your 6 commands",
    );
    let letter = gm.wait_for(&["a letter from the French commander"], &daemon);
    assert!(body(&letter).contains("May I?"), "{}", body(&letter));
    gm.answer(&welcome, "PRESS TO french\nYou may.\nEND PRESS");
    gm.wait_for(&["your command"], &daemon);
    let letter = anna.wait_for(&["a letter from the GM"], &daemon);
    assert!(body(&letter).contains("You may."), "{}", body(&letter));
    deed(
        &mut gm,
        "OVERVIEW\nREPORT french\nHISTORY french\nJOURNAL\nAUDIT\nLUCK\nHEALTH\nHELP amend",
        "your 8 commands",
    );
    deed(&mut gm, "RULES 12\nSCENARIO", "your 2 commands");
    deed(&mut gm, "AMEND 2 POINTS french 9 BECAUSE of a slip CONFIRM", "your command");
    deed(&mut gm, "TERMS --approval 24h --excused 1", "your command");
    let _ida = Player::new(&servers, "ida-real", dir.path());
    deed(&mut gm, "ADDRESS ADD ida-real@localhost referee CONFIRM", "your command");
    gm.answer(
        &welcome,
        "NARRATE 2\nIt rained all summer.\nEND NARRATE\nBROADCAST\nGood luck to all.\nEND BROADCAST",
    );
    gm.wait_for(&["your 2 commands"], &daemon);
    let told = ben.wait_for(&["the GM"], &daemon);
    assert!(body(&told).contains("Good luck to all."), "{}", body(&told));
    deed(&mut gm, "PROCESS 2 CONFIRM", "your command");
    deed(&mut gm, "RERUN 2 AMEND POINTS french 8 CONFIRM\nDRAFT 2", "your 2 commands");
    deed(&mut gm, "APPROVE 2", "your command");
    // The position amended was sent out once more before that.
    let after = (0..4)
        .map(|_| ben.wait_for(&["Summer 1805"], &daemon))
        .find(|mail| body(mail).contains("It rained all summer."));
    assert!(after.is_some());
    deed(&mut gm, "ROLLBACK 2 CONFIRM\nTERMS --approval none", "your 2 commands");

    // Strangers, and who gives up.
    for command in ["STANDBY real allied", "OBSERVE real"] {
        guest.write(HOST, &command.replace(' ', "-"), command);
        let code = guest.wait_for(&["your command"], &daemon);
        guest.write(HOST, &format!("c-{}", command.replace(' ', "-")), &to_confirm(&code));
        guest.wait_for(&["your command"], &daemon);
    }
    ben.answer(&bens, "RESIGN");
    let code = ben.wait_for(&["your command"], &daemon);
    ben.answer(&bens, &to_confirm(&code));
    ben.wait_for(&["your command"], &daemon);
    let offer = guest.wait_for(&["a seat is free"], &daemon);
    guest.write(HOST, "takes", &to_confirm(&offer));
    guest.wait_for(&["[real] Welcome"], &daemon);
    guest.write(HOST, "leaves", "LEAVE real");
    guest.wait_for(&["your command"], &daemon);
    deed(&mut gm, "EJECT allied CONFIRM\nADMIT guest-real@localhost", "your 2 commands");
    guest.wait_for(&["you are admitted again"], &daemon);
    let mut other = Player::new(&servers, "other-real", dir.path());
    other.write(HOST, "joins", "JOIN real PREFER french, allied");
    let code = other.wait_for(&["your command"], &daemon);
    other.write(HOST, "joined", &to_confirm(&code));
    other.wait_for(&["[real] Welcome"], &daemon);
    deed(&mut gm, "REPLACE allied computer CONFIRM", "your command");
    deed(&mut gm, "END 4 A draw by agreement CONFIRM", "your command");
    deed(&mut gm, "ARCHIVE CONFIRM", "your command");

    // A game that is founded by mail.
    let mut founder = Player::new(&servers, "founder-real", dir.path());
    founder.write(HOST, "scenarios", "SCENARIOS lga");
    assert!(body(&founder.wait_for(&["your command"], &daemon)).contains("lga/austrian-1805"));
    let seats = "--seat french=other-real@localhost\n--seat allied=computer";
    founder.write(HOST, "create", &format!("CREATE lga/austrian-1805 mailed\n{seats}\nEND CREATE"));
    let code = founder.wait_for(&["your command"], &daemon);
    founder.write(HOST, "founds", &to_confirm(&code));
    let welcome = founder.wait_for(&["[mailed] you are the GM"], &daemon);
    other.wait_for(&["[mailed]"], &daemon);
    for line in ["CANCEL 1 CONFIRM", "ARCHIVE CONFIRM"] {
        founder.answer(&welcome, line);
        let answer = founder.wait_for(&["[mailed] your command"], &daemon);
        assert!(!answer.subject.contains("[ERRORS]"), "{line}: {}", body(&answer));
    }
    other.wait_for(&["[mailed] the game is over"], &daemon);
    daemon.stop();
}

/// The mail that founds a game of a scenario that is attached to it.
fn with_scenario(text: &str, file: &str) -> String {
    let scenario = std::fs::read_to_string("games/dog/scenarios/training.yaml").unwrap();
    format!(
        "From: founder-rest@localhost\r\nTo: umpire-rest@localhost\r\nSubject: a battle of mine\r\nMessage-ID: <brought.founder-rest>\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=cut\r\n\r\n--cut\r\nContent-Type: text/plain\r\n\r\n{text}\r\n\
         --cut\r\nContent-Type: application/yaml\r\nContent-Disposition: attachment; filename={file}\r\n\r\n{}\r\n--cut--\r\n",
        scenario.replace('\n', "\r\n")
    )
}

#[test]
fn the_rarer_commands_work_by_mail_over_real_servers() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    data_directory(&servers, dir.path(), "umpire-rest");
    let config = dir.path().join("musterd.yaml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}founders: [founder-rest@localhost]\n")).unwrap();
    let daemon = Daemon::start(dir.path());
    let [mut rhea, mut bert, mut vera, mut gm, mut guest, mut founder] =
        ["rhea-rest", "bert-rest", "vera-rest", "gm-rest", "guest-rest", "founder-rest"]
            .map(|user| Player::new(&servers, user, dir.path()));
    let host = "umpire-rest@localhost";
    let seats = ["--seat", "red=rhea-rest@localhost", "--seat", "blue=bert-rest@localhost"];
    let found = ["new", "dog/training", "--id", "rest", "--gm", "gm-rest@localhost"];
    daemon.command(&[&found[..], &seats].concat());

    // An invitation is declined, and the seat goes to somebody else.
    let invited = bert.wait_for(&["[rest]"], &daemon);
    bert.answer(&invited, "DECLINE");
    bert.wait_for(&["[rest] your command"], &daemon);
    let welcome = gm.wait_for(&["[rest] you are the GM"], &daemon);
    let deed = |gm: &mut Player<'_>, line: &str| {
        gm.answer(&welcome, line);
        let answer = gm.wait_for(&["your command"], &daemon);
        assert!(!answer.subject.contains("[ERRORS]"), "{line}: {}", body(&answer));
    };
    deed(&mut gm, "REPLACE blue vera-rest@localhost CONFIRM");
    for player in [&mut rhea, &mut vera] {
        let invited = player.wait_for(&["[rest]"], &daemon);
        player.answer(&invited, "JOIN");
    }

    // A roll of the first turn is thrown again, as all agree.
    rhea.wait_for(&["[rest]", "orders by"], &daemon);
    vera.wait_for(&["[rest]", "orders by"], &daemon);
    let label = "1/initiative/throw/r/0";
    deed(&mut gm, &format!("REROLL {label} CONFIRM"));
    for player in [&mut rhea, &mut vera] {
        let asked = player.wait_for(&["a roll may be thrown again"], &daemon);
        player.answer(&asked, &format!("CONSENT {label} grey rain"));
        player.wait_for(&["[rest] your command"], &daemon);
    }
    let again = rhea.wait_for(&["[rest]", "orders by"], &daemon);
    deed(&mut gm, "REVEAL 1 CONFIRM");

    // Who asks to watch is refused, and witnesses the dice.
    guest.write(host, "watches", "OBSERVE rest");
    let code = guest.wait_for(&["your command"], &daemon);
    guest.write(host, "watches-c", &to_confirm(&code));
    guest.wait_for(&["your command"], &daemon);
    deed(&mut gm, "REFUSE guest-rest@localhost");
    guest.wait_for(&["[rest]"], &daemon);
    guest.write(host, "witness", "WITNESS rest");
    let code = guest.wait_for(&["your command"], &daemon);
    guest.write(host, "witness-c", &to_confirm(&code));
    guest.wait_for(&["your command"], &daemon);

    rhea.answer(&again, "MAIL TEXT\nHELP BATTLE\nAHEAD");
    let answer = rhea.wait_for(&["[rest]", "your 3 commands"], &daemon);
    answers_all(&answer, &["MAIL TEXT", "HELP BATTLE", "AHEAD"]);
    rhea.answer(&again, "BEGIN ORDERS\nREADY UNTIL CONTACT\nEND ORDERS");
    let receipt = rhea.wait_for(&["[rest]", "for "], &daemon);
    assert!(body(&receipt).contains("until something is in reach"), "{}", body(&receipt));

    // A scenario of one's own comes with the mail that founds its game.
    let create = "CREATE my-training.yaml brought\r\n--seat red=founder-rest@localhost\r\n--seat blue=computer\r\nEND CREATE";
    founder.send(host, &with_scenario(create, "my-training.yaml"));
    let code = founder.wait_for(&["your command"], &daemon);
    assert!(body(&code).contains("Your file my-training.yaml is"), "{}", body(&code));
    founder.write(host, "brought-c", &to_confirm(&code));
    founder.wait_for(&["[brought] you are the GM"], &daemon);
    daemon.stop();
}

#[test]
fn no_command_is_left_out_over_real_servers() {
    let mails = [include_str!("real_commands.rs"), include_str!("whole_games.rs"), include_str!("season.rs")]
        .concat();
    let said =
        |word: &str| mails.replace("\\n", " ").split(|c: char| !c.is_alphanumeric()).any(|one| one == word);
    let missing: Vec<&str> = verbs().map(|verb| verb.word).filter(|word| !said(word)).collect();
    assert_eq!(missing, [""; 0]);
}
