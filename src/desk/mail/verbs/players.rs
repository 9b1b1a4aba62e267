//! The commands of players and of anybody.

use jiff::civil::Time;

use super::act::{Ahead, Creation, DrawVote, MailChoice, OpenCommand, SeatCommand, Span};
use super::slip::{Slip, Wanted};
use super::verb::{
    CONFIRM, Code,
    Reads::{Anybody, AnybodyOptions, Seat},
    Verb,
};
use super::words::{
    ADDRESS, DAY, GAME, Read, SPAN, TURN, day, ended, is, named, none, only_named, option_in, question,
    seats, small, span, time, which, word,
};
use musterd_dice::GameId;

pub(super) static VERBS: &[Verb] = &[
    Verb::new("STATUS", Anybody(|rest| none(rest, OpenCommand::Status)))
        .help(&[("STATUS", "where your games stand, and what is owed")])
        .topics(&["commands", "seats"])
        .only_asks(),
    Verb::new("HELP", Anybody(help))
        .form("HELP, or HELP and a topic")
        .help(&[
            ("HELP, HELP topic", "help: orders, commands, seats, press, dice, gm"),
            (
                "HELP BATTLE, HELP BATTLE alpha",
                "the armies and the field, before you choose a side, where the rules show them to everybody",
            ),
        ])
        .topics(&["commands", "seats"])
        .only_asks(),
    Verb::new("SCENARIO", Anybody(scenario))
        .form("SCENARIO, or SCENARIO and a game: SCENARIO alpha")
        .help(&[(
            "SCENARIO, SCENARIO alpha",
            "what the game is about, who plays, and what was chosen for it",
        )])
        .topics(&["commands", "seats"])
        .only_asks()
        .shared(),
    Verb::new("RULES", Anybody(|rest| question(rest).map(OpenCommand::Rules)))
        .form("RULES, or RULES and a number or words: RULES 12, RULES retreat")
        .help(&[(
            "RULES, RULES 12, RULES retreat",
            "how the game's manual is read: all subjects; rulings by number or word",
        )])
        .topics(&["commands", "seats"])
        .only_asks()
        .shared(),
    Verb::new("LIST", Anybody(|rest| none(rest, OpenCommand::List)))
        .help(&[("LIST", "the games with free seats")])
        .only_asks(),
    Verb::new(
        "JOIN",
        Anybody(join),
    )
    .form("JOIN and a game, with a seat or without: JOIN alpha french; or JOIN alpha PREFER french austrian")
    .help(&[
        ("JOIN alpha, JOIN alpha french", "takes a free seat"),
        ("JOIN alpha PREFER french austrian", "takes the first of these seats that is free"),
    ])
    .code(Code::Mailed)
    .shared(),
    Verb::new(
        "STANDBY",
        Anybody(|rest| game_and_seat(rest).map(|(game, seat)| OpenCommand::Standby { game, seat })),
    )
    .form("STANDBY and a game, with a seat or without: STANDBY alpha")
    .help(&[("STANDBY alpha, STANDBY alpha french", "you are asked when a seat falls free")])
    .code(Code::Mailed),
    Verb::new("OBSERVE", Anybody(|rest| game(rest).map(OpenCommand::Observe)))
        .form("OBSERVE and a game: OBSERVE alpha")
        .help(&[(
            "OBSERVE alpha",
            "you watch, some turns behind the players; in most games its GM is asked first",
        )])
        .code(Code::Mailed),
    Verb::new("WITNESS", Anybody(|rest| game(rest).map(OpenCommand::Witness)))
        .form("WITNESS and a game: WITNESS alpha")
        .help(&[(
            "WITNESS alpha",
            "you are a witness of the dice, and see nothing else: a short mail a turn, to be kept",
        )])
        .code(Code::Mailed),
    Verb::new("LEAVE", Anybody(|rest| game(rest).map(OpenCommand::Leave)))
        .form("LEAVE and a game: LEAVE alpha")
        .help(&[("LEAVE alpha", "you neither watch, witness nor wait any more")]),
    Verb::new("CONFIRM", Anybody(confirm))
        .form("CONFIRM and the code that you were sent")
        .help(&[(
            "CONFIRM and the code",
            "confirms what a mail of the host asked you to confirm; this line may stand below other \
             words too, but not in a quotation",
        )]),
    Verb::new("SCENARIOS", Anybody(scenarios))
        .form("SCENARIOS, or SCENARIOS and a system: SCENARIOS lga")
        .help(&[("SCENARIOS, SCENARIOS lga", "what can be played here, with seats and options")])
        .only_asks(),
    Verb::new("CREATE", AnybodyOptions("END CREATE", create))
        .form(
            "CREATE, a scenario as SCENARIOS lists it, the new game's name and options: CREATE SYSTEM/SCENARIO spring \
             --seat red=anna@example.org --seat blue=computer",
        )
        .help(&[(
            "CREATE system/scenario name, options, END CREATE",
            "founds a game, if this host lets you; the options are those of musterd new, as --seat red=computer, and \
             files of your own are attached",
        )])
        .code(Code::Mailed),
    Verb::new("REPORT", Seat(report))
        .form("REPORT, or REPORT and a turn: REPORT 4")
        .help(&[("REPORT, REPORT 4", "your last dispatch once more; that of turn 4, by number or name")])
        .only_asks(),
    Verb::new("HISTORY", Seat(|rest| none(rest, SeatCommand::History)))
        .help(&[("HISTORY", "the course of the game, as you know it")])
        .only_asks(),
    Verb::new("LUCK", Seat(|rest| none(rest, SeatCommand::Luck)))
        .help(&[("LUCK", "how the dice have treated you")])
        .only_asks(),
    Verb::new("PREVIEW", Seat(|rest| none(rest, SeatCommand::Preview)))
        .help(&[("PREVIEW", "what your orders would do")])
        .only_asks(),
    Verb::new("MAP", Seat(|rest| none(rest, SeatCommand::Map)))
        .help(&[("MAP", "your maps, as you know the position now")])
        .only_asks()
        .shared(),
    Verb::new("TRY", Seat(|rest| none(rest, SeatCommand::Try)))
        .help(&[("TRY", "the orders below it are read and answered as by a receipt, and don't count")])
        .only_asks(),
    Verb::new("AHEAD", Seat(|rest| ahead(rest).map(SeatCommand::Ahead)))
        .form("AHEAD, with a later turn by its number or name or without: AHEAD 7; or AHEAD NOTHING")
        .help(&[
            (
                "AHEAD, AHEAD 7",
                "the orders below it are kept for your next turn after the open one, or for that turn, and said back when it comes",
            ),
            ("AHEAD NOTHING", "what is kept so is forgotten"),
        ]),
    Verb::new("ODDS", Seat(order))
        .form("ODDS and an order of the game, as you would send it")
        .help(&[("ODDS and an order", "what this one order would come to, with its odds; it isn't given")])
        .only_asks(),
    Verb::new("REACH", Seat(|rest| Ok(SeatCommand::Reach(rest.join(" ")))))
        .form("REACH and a unit, as your orders name it: REACH 3")
        .help(&[("REACH 3", "where a unit gets in its coming move, with a map")])
        .only_asks(),
    Verb::new("WITHDRAW", Seat(|rest| only_word(rest, &["ORDERS"], SeatCommand::WithdrawOrders)))
        .form("WITHDRAW ORDERS")
        .help(&[("WITHDRAW ORDERS", "takes back your orders for the open turn")])
        .shared(),
    Verb::new("ABSENT", Seat(absent))
        .form("ABSENT UNTIL 2026-12-10, or ABSENT 2026-12-01 TO 2026-12-10")
        .help(&[("ABSENT UNTIL 2026-12-10", "you are away; also ABSENT 2026-12-01 TO 2026-12-10")])
        .waits(),
    Verb::new("BACK", Seat(|rest| none(rest, SeatCommand::Back)))
        .help(&[("BACK", "you are here again")])
        .shared(),
    Verb::new("EXTEND", Seat(|rest| extend(rest).map(SeatCommand::Extend)))
        .form("EXTEND 2d, or EXTEND UNTIL 2026-12-10 20:00")
        .help(&[(
            "EXTEND 2d",
            "asks for more time, and a majority decides; also EXTEND UNTIL 2026-12-10 20:00",
        )])
        .waits(),
    Verb::new("DRAW", Seat(draw)).form("DRAW, or DRAW NO").help(&[(
        "DRAW, DRAW NO",
        "agrees to end the game as a draw, until the turn runs; takes that back. It ends once all agree, and nobody is told who does",
    )]),
    Verb::new("ZONE", Seat(zone))
        .form("ZONE Europe/Vienna")
        .help(&[("ZONE Europe/Vienna", "tells you times on this clock")]),
    Verb::new("MAIL", Seat(|rest| mail(rest).map(SeatCommand::Mail)))
        .form("MAIL with TEXT, HTML, BRIEF, FULL, or PICTURES, DATA or CALENDAR with ON or OFF: MAIL DATA OFF")
        .help(&[
            ("MAIL", "tells what the mails to you bring"),
            ("MAIL TEXT, MAIL HTML", "text alone; pages beside it"),
            ("MAIL PICTURES OFF, MAIL PICTURES ON", "pages without drawings; with them"),
            ("MAIL DATA OFF, MAIL CALENDAR OFF", "no data for programs; no deadlines for a calendar; ON brings them"),
            (
                "MAIL BRIEF, MAIL FULL",
                "dispatches without form, drawings, data and proofs, the text as it is; with them",
            ),
        ])
        .shared(),
    Verb::new("ADDRESS", Seat(address))
        .form("ADDRESS ADD anna@example.org, or ADDRESS DROP anna@example.org")
        .help(&[
            ("ADDRESS ADD me@x.org", "you write from, and are found at, one more address"),
            ("ADDRESS DROP me@x.org", "one address less"),
        ])
        .code(Code::Mailed),
    Verb::new("NEW", Seat(|rest| only_word(rest, &["SECRET"], SeatCommand::NewSecret)))
        .form("NEW SECRET")
        .help(&[("NEW SECRET", "a new secret for your seat; the old one is void")])
        .shared(),
    Verb::new("CONSENT", Seat(consent))
        .form(
            "CONSENT and the roll that you were told, with words of your own or without: CONSENT LABEL \
             grey rain",
        )
        .help(&[(
            "CONSENT and a roll's label",
            "agrees to throw that roll again, when the GM has proposed it; words behind it enter the dice",
        )]),
    Verb::new("RESIGN", Seat(|rest| none(rest, SeatCommand::Resign)))
        .help(&[("RESIGN", "gives your seat up; it is answered with a code that you send back")])
        .topics(&["commands", "seats"])
        .code(Code::Mailed)
        .waits()
        .shared(),
    // The same command before the game has begun, under the word that suits an invitation.
    Verb::new("DECLINE", Seat(|rest| none(rest, SeatCommand::Decline)))
        .help(&[(
            "DECLINE",
            "the same before the game has begun; without a code where you have not accepted the seat",
        )])
        .code(Code::Mailed),
];

fn only_word(rest: &[&str], word: &'static [&'static str], command: SeatCommand) -> Read<SeatCommand> {
    which(rest, 0, word)?;
    ended(rest, 1).map(|()| command)
}

fn order(rest: &[&str]) -> Read<SeatCommand> {
    word(rest, 0, Wanted::A("an order of the game"))?;
    Ok(SeatCommand::Odds(rest.join(" ")))
}

fn game(rest: &[&str]) -> Read<GameId> {
    only_named(rest, GAME)
}

fn game_and_seat(rest: &[&str]) -> Read<(GameId, Option<musterd_dice::Seat>)> {
    let game = named(rest, 0, GAME)?;
    let seat = if rest.len() > 1 { Some(named(rest, 1, Wanted::Seat)?) } else { None };
    ended(rest, 2).map(|()| (game, seat))
}

fn join(rest: &[&str]) -> Read<OpenCommand> {
    if is(rest, 1, "PREFER") {
        return Ok(OpenCommand::Prefer { game: named(rest, 0, GAME)?, seats: seats(rest, 2)? });
    }
    game_and_seat(rest).map(|(game, seat)| OpenCommand::Join { game, seat })
}

fn confirm(rest: &[&str]) -> Read<OpenCommand> {
    let code = word(rest, 0, Wanted::A("the code that you were sent"))?;
    ended(rest, 1).map(|()| OpenCommand::Confirm(code.to_owned()))
}

fn consent(rest: &[&str]) -> Read<SeatCommand> {
    let label = named(rest, 0, Wanted::A("the label of the roll, as you were told it,"))?;
    Ok(SeatCommand::Consent(label, rest[1..].join(" ")))
}

fn zone(rest: &[&str]) -> Read<SeatCommand> {
    let zone = word(rest, 0, Wanted::A("a time zone such as Europe/Vienna"))?;
    ended(rest, 1).map(|()| SeatCommand::Zone(zone.to_owned()))
}

fn address(rest: &[&str]) -> Read<SeatCommand> {
    let what = which(rest, 0, &["ADD", "DROP"])?;
    let address = small(rest, 1, ADDRESS)?;
    ended(rest, 2)?;
    Ok(if what == "ADD" { SeatCommand::AddAddress(address) } else { SeatCommand::DropAddress(address) })
}

fn scenario(rest: &[&str]) -> Read<OpenCommand> {
    match rest {
        [] => Ok(OpenCommand::Scenario(None)),
        rest => game(rest).map(|game| OpenCommand::Scenario(Some(game))),
    }
}

fn scenarios(rest: &[&str]) -> Read<OpenCommand> {
    ended(rest, 1)?;
    Ok(OpenCommand::Scenarios(rest.first().map(|system| system.to_ascii_lowercase())))
}

const SCENARIO: Wanted = Wanted::A("a scenario as SCENARIOS lists it, or the name of a file of yours,");
const NEW_GAME: Wanted = Wanted::A("a name for the new game, of small letters, digits and hyphens,");
const OPTION: Wanted = Wanted::A("an option such as --seat red=computer");

/// The words before the options, and the options. A scenario is a system with a name, or a file: `create havoc there` is no command.
fn create(rest: &[&str]) -> Read<OpenCommand> {
    let scenario = word(rest, 0, SCENARIO)?;
    if !(scenario.contains(['/', '.', '-']) || scenario.contains(|c: char| c.is_ascii_digit())) {
        return Err(Slip::wrong(0, SCENARIO));
    }
    if rest.get(1).is_some_and(|word| option_in(word).is_some()) {
        return Err(Slip::wrong(1, NEW_GAME));
    }
    let game = named(rest, 1, NEW_GAME)?;
    let options = &rest[2..];
    if options.first().is_some_and(|word| option_in(word).is_none()) {
        return Err(Slip::wrong(2, OPTION));
    }
    Ok(OpenCommand::Create(Creation { scenario: scenario.to_owned(), game, options: options.join(" ") }))
}

/// The topic of `HELP` that a game has or has not, as its rules are.
const BATTLE: &str = "BATTLE";

fn help(rest: &[&str]) -> Read<OpenCommand> {
    match rest {
        [] => Ok(OpenCommand::Help(None)),
        [topic, rest @ ..] if topic.eq_ignore_ascii_case("RULES") => {
            question(rest).map(OpenCommand::Rules).map_err(|slip| slip.after(1))
        }
        [topic, rest @ ..] if topic.eq_ignore_ascii_case(BATTLE) => {
            let asked = if rest.is_empty() { None } else { Some(game(rest).map_err(|slip| slip.after(1))?) };
            Ok(OpenCommand::OrderOfBattle(asked))
        }
        [topic, ..] => {
            ended(rest, 1)?;
            Ok(OpenCommand::Help(Some(topic.to_ascii_lowercase())))
        }
    }
}

fn report(rest: &[&str]) -> Read<SeatCommand> {
    let Some(turn) = rest.first() else { return Ok(SeatCommand::Report(None)) };
    if !turn.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return Err(Slip::wrong(0, TURN));
    }
    ended(rest, 1)?;
    Ok(SeatCommand::Report(Some(turn.to_ascii_lowercase())))
}

/// `UNTIL` a day, or a day `TO` another.
fn absent(rest: &[&str]) -> Read<SeatCommand> {
    if is(rest, 0, "UNTIL") || is(rest, 0, "TO") {
        let until = day(rest, 1, DAY)?;
        return ended(rest, 2).map(|()| SeatCommand::Absent { from: None, until });
    }
    let at = usize::from(is(rest, 0, "FROM"));
    let wanted = if at == 0 { Wanted::A("UNTIL and a day, or the first day (2026-12-01),") } else { DAY };
    let from = day(rest, at, wanted)?;
    which(rest, at + 1, &["TO", "UNTIL"])?;
    let until = day(rest, at + 2, DAY)?;
    ended(rest, at + 3).map(|()| SeatCommand::Absent { from: Some(from), until })
}

/// What can be chosen of mails.
const CHOICES: [&str; 7] = ["TEXT", "HTML", "BRIEF", "FULL", "PICTURES", "DATA", "CALENDAR"];

fn mail(rest: &[&str]) -> Read<Vec<MailChoice>> {
    let mut choices = Vec::new();
    let mut place = 0;
    while place < rest.len() {
        let choice = which(rest, place, &CHOICES)?;
        place += 1;
        choices.push(match choice {
            "TEXT" => MailChoice::Html(false),
            "HTML" => MailChoice::Html(true),
            "BRIEF" => MailChoice::Full(false),
            "FULL" => MailChoice::Full(true),
            choice => {
                let on = which(rest, place, &["ON", "OFF"])? == "ON";
                place += 1;
                match choice {
                    "PICTURES" => MailChoice::Pictures(on),
                    "DATA" => MailChoice::Data(on),
                    _ => MailChoice::Calendar(on),
                }
            }
        });
    }
    Ok(choices)
}

fn ahead(rest: &[&str]) -> Read<Ahead> {
    let Some(turn) = rest.first() else { return Ok(Ahead::Next) };
    ended(rest, 1)?;
    Ok(if is(rest, 0, "NOTHING") { Ahead::Nothing } else { Ahead::Turn(turn.to_ascii_lowercase()) })
}

fn draw(rest: &[&str]) -> Read<SeatCommand> {
    if rest.is_empty() {
        return Ok(SeatCommand::Draw(DrawVote::Agree));
    }
    let vote = match which(rest, 0, &["NO", CONFIRM])? {
        CONFIRM => DrawVote::AgreeAlone,
        _ => DrawVote::Refuse,
    };
    ended(rest, 1).map(|()| SeatCommand::Draw(vote))
}

fn extend(rest: &[&str]) -> Read<Span> {
    if is(rest, 0, "UNTIL") {
        let day = day(rest, 1, DAY)?;
        let time = if rest.len() > 2 { time(rest, 2)? } else { Time::MIN };
        return ended(rest, 3).map(|()| Span::Until(day.to_datetime(time)));
    }
    let minutes = span(rest, 0, SPAN)?;
    ended(rest, 1).map(|()| Span::Minutes(minutes))
}
