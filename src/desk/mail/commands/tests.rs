use super::*;
use crate::mail::{Creation, SeatCommand, Span};

fn only(line: &str) -> Option<Result<Command, CommandFault>> {
    let (given, _) = take_commands(line);
    given.into_iter().next().map(|given| given.command)
}

#[test]
fn commands_stand_first_and_leave_the_orders_alone() {
    let text = "# key: alpha french 0123456789abcdef\n\nstatus\nABSENT UNTIL 2026-12-10\n\nBEGIN ORDERS\nMOVE 1 TO Ulm\n\
                STATUS\nEND ORDERS\n";
    let (given, rest) = take_commands(text);
    let commands: Vec<_> = given.into_iter().map(|given| given.command.unwrap()).collect();
    let until = "2026-12-10".parse().unwrap();
    assert_eq!(
        commands,
        [Command::Open(OpenCommand::Status), Command::Seat(SeatCommand::Absent { from: None, until })]
    );
    assert_eq!(
        rest,
        "# key: alpha french 0123456789abcdef\n\n\n\n\nBEGIN ORDERS\nMOVE 1 TO Ulm\nSTATUS\nEND ORDERS\n"
    );
}

#[test]
fn letters_that_only_look_latin_are_read_but_in_addresses() {
    assert_eq!(only("SТАТUS"), Some(Ok(Command::Open(OpenCommand::Status))));
    assert_eq!(
        only("АDDRЕSS ADD а@b.example"),
        Some(Ok(Command::Seat(SeatCommand::AddAddress("а@b.example".to_owned()))))
    );
    assert_eq!(only("Привет"), None);
}

#[test]
fn a_letter_asks_for_nothing() {
    for prose in [
        "Help me, please!\nSTATUS\n",
        "Report from the front: all is lost.\n",
        "Back home now.\n",
        "withdraw 9 to Milan\n",
        "extend the line\n",
        "> STATUS\n",
        "",
    ] {
        let (given, rest) = take_commands(prose);
        assert!(given.is_empty(), "{prose}: {given:?}");
        assert_eq!(rest, prose);
    }
}

#[test]
fn a_command_with_a_slip_says_how_it_is_written() {
    for slip in ["EXTEND two days", "ABSENT next week", "EXTEND 0d", "ZONE", "ADDRESS anna@example.org"] {
        assert!(matches!(only(slip), Some(Err(CommandFault::Form(_)))), "{slip}");
    }
}

#[test]
fn an_order_of_the_rules_is_no_command() {
    assert_eq!(only("WITHDRAW ORDERS"), Some(Ok(Command::Seat(SeatCommand::WithdrawOrders))));
    // In capitals the line could be either; it is left to the rules.
    assert_eq!(only("WITHDRAW 9 TO Milan WHEN 9 MORALE <= 1"), None);
    assert_eq!(only("JOIN"), None);
}

#[test]
fn a_line_of_a_shared_word_that_is_no_order_is_a_command_with_a_slip() {
    let is_order = |line: &str| line.contains("Milan");
    let text = "MAP north\nWITHDRAW ORDER\nSTATUS\nWITHDRAW 9 TO Milan\nMAP\n";
    let TakenCommands { given, rest, is_doubtful } = take_commands_beside(text, &is_order);
    let lines: Vec<(&str, bool)> = given.iter().map(|one| (one.line.as_str(), one.command.is_ok())).collect();
    assert_eq!(lines, [("MAP north", false), ("WITHDRAW ORDER", false), ("STATUS", true)]);
    assert_eq!(rest, "\n\n\nWITHDRAW 9 TO Milan\nMAP\n");
    assert!(is_doubtful, "it may be one, but for its game");
    // In small letters it is prose.
    let TakenCommands { given, is_doubtful, .. } = take_commands_beside("Map of the north\n", &|_| false);
    assert!(given.is_empty() && !is_doubtful);
}

#[test]
fn spans_and_days_are_read() {
    assert_eq!(only("Extend 36h"), Some(Ok(Command::Seat(SeatCommand::Extend(Span::Minutes(36 * 60))))));
    let until = "2026-12-10T20:30".parse().unwrap();
    assert_eq!(
        only("EXTEND UNTIL 2026-12-10 20:30"),
        Some(Ok(Command::Seat(SeatCommand::Extend(Span::Until(until)))))
    );
    let (from, until) = ("2026-12-01".parse().unwrap(), "2026-12-10".parse().unwrap());
    for line in ["ABSENT 2026-12-01 TO 2026-12-10", "absent from 2026-12-01 until 2026-12-10"] {
        assert_eq!(only(line), Some(Ok(Command::Seat(SeatCommand::Absent { from: Some(from), until }))));
    }
}

#[test]
fn more_commands_than_a_mail_may_bring_are_said_to_be_too_many() {
    let (given, _) = take_commands(&"STATUS\n".repeat(MOST + 2));
    let many = given.iter().filter(|given| given.command == Err(CommandFault::TooMany)).count();
    assert_eq!((given.len(), many), (MOST + 2, 2));
}

const CODE: &str = "CONFIRM alpha.k7q2mz4t9hwxp3cd";

#[test]
fn a_code_counts_wherever_it_is_written() {
    for text in [
        format!("Hi,\n\n{CODE}\n\nBob\n"),
        format!("Yes please!\n*{CODE}*\n"),
        format!("> the question\n\n{}.\n> more of it\n", CODE.to_lowercase()),
    ] {
        let (given, rest) = take_codes(&text);
        assert!(
            matches!(&given[..], [Given { command: Ok(Command::Open(OpenCommand::Confirm(_))), .. }]),
            "{text}: {given:?}"
        );
        assert!(
            !rest.to_lowercase().contains("confirm") && rest.lines().count() == text.lines().count(),
            "{rest}"
        );
    }
}

#[test]
fn a_code_that_is_quoted_or_none_confirms_nothing() {
    let rule = "=".repeat(78);
    for text in [
        format!("Yes please!\n\n> {CODE}\n"),
        format!("Yes please!\n\n-----Original Message-----\n{CODE}\n"),
        format!("I am away.\n\nYour command\n{rule}\n{CODE}\n"),
        "Hello,\nConfirm receipt\nCONFIRM alpha.short\n".to_owned(),
    ] {
        let (given, rest) = take_codes(&text);
        assert_eq!((given.as_slice(), rest), (&[][..], text));
    }
}

#[test]
fn a_command_in_a_place_where_it_is_not_read_is_found() {
    let below = |line: &str| Some(Misplaced::Below(line.to_owned()));
    assert_eq!(misplaced_command("Hello,\n\nLIST\n\nBen\n"), below("LIST"));
    assert_eq!(misplaced_command("Hello,\n\njoin beta allied.\n"), below("join beta allied."));
    assert_eq!(misplaced_command(&format!("Yes please!\n\n> {CODE}\n")), Some(Misplaced::Quoted));
    assert_eq!(misplaced_command("Hello,\nhelp me, please\n> LIST\n"), None);
}

fn created(text: &str) -> (Creation, String) {
    let (mut given, rest) = take_commands(text);
    assert_eq!(given.len(), 1, "{text}: {given:?}");
    match given.remove(0).command {
        Ok(Command::Open(OpenCommand::Create(creation))) => (creation, rest.trim().to_owned()),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_founding_has_its_options_behind_it_or_below_it() {
    let wanted = Creation {
        scenario: "toy/ridge".to_owned(),
        game: "spring".parse().unwrap(),
        options: "--seat french=anna@example.org --seat allied=computer --deadline sat 20:00 Europe/Vienna"
            .to_owned(),
    };
    for text in [
        "CREATE toy/ridge spring --seat french=anna@example.org --seat allied=computer --deadline sat 20:00 Europe/Vienna\n",
        "Create toy/ridge Spring\n--seat french=anna@example.org\n--seat allied=computer\n--deadline sat 20:00 Europe/Vienna\n",
        // Broken by a mail program.
        "CREATE toy/ridge spring --seat french=anna@example.org --seat\nallied=computer --deadline sat 20:00 Europe/Vienna\n",
        // With its end, lines may be broken anywhere.
        "CREATE toy/ridge spring\n--seat french=anna@example.org\n\n--seat allied=computer\n--deadline sat\n20:00 Europe/Vienna\nend create\n",
    ] {
        for behind in ["", "\n-- \nAnna\n", "\nThanks!\n"] {
            let (creation, rest) = created(&format!("{text}{behind}"));
            assert_eq!(
                creation.options.split_whitespace().collect::<Vec<_>>().join(" "),
                wanted.options,
                "{text}"
            );
            assert_eq!((creation.scenario, creation.game), (wanted.scenario.clone(), wanted.game.clone()));
            assert_eq!(rest, behind.trim());
        }
    }
    // Other commands may stand below, and a founding without options is one.
    let (given, _) = take_commands("CREATE scenario.yaml spring\nEND CREATE\nSTATUS\n");
    assert_eq!(given.len(), 2);
    let long = format!("CREATE toy/ridge spring {}", "--seat french=anna@example.org,".repeat(20));
    assert!(created(&long).0.options.len() > 500);
}

#[test]
fn more_options_than_are_read_found_nothing_and_are_said_to_be() {
    let seats = "--seat french=anna@example.org\n".repeat(300);
    let lines = "--grace 12h\n".repeat(MOST_OPTION_LINES + 1);
    let line = seats.replace('\n', " ");
    for text in [
        format!("CREATE toy/ridge spring\n{seats}END CREATE\n"),
        format!("CREATE toy/ridge spring\n{line}\nEND CREATE\n"),
        format!("CREATE toy/ridge spring\n{lines}"),
        format!("CREATE toy/ridge spring {line}\n"),
    ] {
        let (given, _) = take_commands(&text);
        assert_eq!(given[0].command, Err(CommandFault::TooLong("END CREATE")), "{text}");
        assert!(given[0].line.starts_with("CREATE toy/ridge spring") && given[0].line.len() < 400);
    }
    assert!(take_commands(&format!("Create a diversion {line}")).0.is_empty());
}

#[test]
fn a_letter_founds_nothing() {
    for prose in ["Create a diversion\n", "create havoc there!\n", "Create lga/x spring for us\n"] {
        assert!(take_commands(prose).0.is_empty(), "{prose}");
    }
    for slip in ["CREATE", "CREATE toy/ridge", "CREATE spring summer", "CREATE toy/ridge spring now"] {
        assert!(matches!(only(slip), Some(Err(CommandFault::Form(_)))), "{slip}");
    }
}

#[test]
fn a_misspelt_command_is_one_with_a_slip_where_the_rest_fits_it() {
    let text = "TYR\nAHAED\nextned 2d\nABSNET UNTIL 2026-12-10\nSTATUS\n\nMOVE 3 TO Brussels\n";
    let TakenCommands { given, rest, .. } = take_commands_beside(text, &|line| line.starts_with("MOVE"));
    let meant = given.iter().map(|one| (one.verb.word, one.command.is_ok())).collect::<Vec<_>>();
    assert_eq!(
        meant,
        [("TRY", false), ("AHEAD", false), ("EXTEND", false), ("ABSENT", false), ("STATUS", true)]
    );
    assert_eq!(rest.trim(), "MOVE 3 TO Brussels");
    let slip = given[0].command.as_ref().unwrap_err().unreadable().unwrap();
    assert_eq!((slip.span, slip.hint(&[]).contains("did you mean TRY?")), ((0, 3), true));
    for slip in [
        "ABSNT\n",
        "ABSNT UNTIL tomorow\n",
        "exted 2 days\n",
        "CRAETE toy/ridge spring --seat red=anna@example.org --seat blue=computer\n",
        "craete toy/ridge spring --seat red=anna@example.org\n",
    ] {
        let given = take_commands_beside(slip, &|_| false).given;
        assert_eq!(given.len(), 1, "{slip}");
        assert!(given[0].command.as_ref().unwrap_err().unreadable().unwrap().is_of_first_word(), "{slip}");
    }
    for (line, hint) in
        [("tyr", "TRY"), ("drw no", "DRAW"), ("Hlep orders", "HELP"), ("extend two dys", "EXTEND 2d")]
    {
        assert!(perhaps_command(line).unwrap().hint(&[]).contains(hint), "{line}");
    }
    // An order of the rules is none, nor is what says nothing that the command could.
    assert!(take_commands_beside("DRAWN\n", &|_| true).given.is_empty());
    for prose in [
        "HLEP me out of this mess, please\n",
        "lost\n",
        "LAST TURN WAS GOOD\n",
        "NOTE: all is well\n",
        "Each unit holds its ground\n",
        "Each of us would like to play\n",
        "Odd that you left Ulm\n",
        "One moment\n",
        "Joint attack\n",
        "Rule of thumb\n",
        "Held Ulm\n",
        "Head north\n",
        "EACH UNIT HOLDS ITS GROUND\n",
    ] {
        assert!(take_commands_beside(prose, &|_| false).given.is_empty(), "{prose}");
    }
}

#[test]
fn a_slip_in_small_letters_is_prose_unless_it_is_short_and_has_a_number() {
    let given = take_commands_beside("EXTEND soon\nMAIL txet\n", &|_| false).given;
    assert_eq!(given.iter().map(|one| one.command.is_err()).collect::<Vec<_>>(), [true, true]);
    for slip in ["extend 2 dys\n", "absent until 2026-13-01\n", "extend until 30.2.\n"] {
        let given = take_commands_beside(slip, &|_| false).given;
        assert!(given.iter().all(|one| one.command.is_err()) && given.len() == 1, "{slip}");
    }
    for prose in [
        "Absent friends were missed\n",
        "Draw on the left\n",
        "Mail next week\n",
        "mail txet\n",
        "Report 3 is missing\n",
        "Extend your line by 2 hexes\n",
    ] {
        assert!(take_commands_beside(prose, &|_| false).given.is_empty(), "{prose}");
    }
}
