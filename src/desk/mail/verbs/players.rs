//! The commands of players and of anybody.

use jiff::civil::{Date, Time};

use super::act::{Ahead, Creation, DrawVote, MailChoice, OpenCommand, SeatCommand, Span};
use super::verb::{
    CONFIRM, Code,
    Reads::{Anybody, AnybodyOptions, Seat},
    Verb,
};
use super::words::{address, at, minutes, named, none, one};
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
    Verb::new("RULES", Anybody(rules))
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
    Verb::new("CONFIRM", Anybody(|rest| one(rest).map(OpenCommand::Confirm)))
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
    Verb::new("REACH", Seat(|rest| Some(SeatCommand::Reach(rest.join(" ")))))
        .form("REACH and a unit, as your orders name it: REACH 3")
        .help(&[("REACH 3", "where a unit gets in its coming move, with a map")])
        .only_asks(),
    Verb::new("WITHDRAW", Seat(|rest| only_word(rest, "ORDERS", SeatCommand::WithdrawOrders)))
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
    Verb::new("ZONE", Seat(|rest| one(rest).map(SeatCommand::Zone)))
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
    Verb::new("ADDRESS", Seat(|rest| address(rest, SeatCommand::AddAddress, SeatCommand::DropAddress)))
        .form("ADDRESS ADD anna@example.org, or ADDRESS DROP anna@example.org")
        .help(&[
            ("ADDRESS ADD me@x.org", "you write from, and are found at, one more address"),
            ("ADDRESS DROP me@x.org", "one address less"),
        ])
        .code(Code::Mailed),
    Verb::new("NEW", Seat(|rest| only_word(rest, "SECRET", SeatCommand::NewSecret)))
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
        .waits(),
    // The same command before the game has begun, under the word that suits an invitation.
    Verb::new("DECLINE", Seat(|rest| none(rest, SeatCommand::Decline)))
        .help(&[(
            "DECLINE",
            "the same before the game has begun; without a code where you have not accepted the seat",
        )])
        .code(Code::Mailed),
];

fn only_word(rest: &[&str], word: &str, command: SeatCommand) -> Option<SeatCommand> {
    matches!(rest, [only] if only.eq_ignore_ascii_case(word)).then_some(command)
}

fn order(rest: &[&str]) -> Option<SeatCommand> {
    (!rest.is_empty()).then(|| SeatCommand::Odds(rest.join(" ")))
}

fn game(rest: &[&str]) -> Option<GameId> {
    named(&one(rest)?)
}

fn game_and_seat(rest: &[&str]) -> Option<(GameId, Option<musterd_dice::Seat>)> {
    match rest {
        [game] => Some((named(game)?, None)),
        [game, seat] => Some((named(game)?, Some(named(seat)?))),
        _ => None,
    }
}

fn join(rest: &[&str]) -> Option<OpenCommand> {
    if let [game, prefer, seats @ ..] = rest
        && prefer.eq_ignore_ascii_case("PREFER")
        && !seats.is_empty()
    {
        return Some(OpenCommand::Prefer { game: named(game)?, seats: listed(seats)? });
    }
    game_and_seat(rest).map(|(game, seat)| OpenCommand::Join { game, seat })
}

/// Seats with commas or blanks between them.
fn listed(rest: &[&str]) -> Option<Vec<musterd_dice::Seat>> {
    let seats = rest.iter().flat_map(|seats| seats.split(',')).filter(|seat| !seat.is_empty());
    seats.map(named).collect()
}

fn consent(rest: &[&str]) -> Option<SeatCommand> {
    let (label, salt) = rest.split_first()?;
    Some(SeatCommand::Consent(named(label)?, salt.join(" ")))
}

fn scenario(rest: &[&str]) -> Option<OpenCommand> {
    match rest {
        [] => Some(OpenCommand::Scenario(None)),
        rest => game(rest).map(|game| OpenCommand::Scenario(Some(game))),
    }
}

fn scenarios(rest: &[&str]) -> Option<OpenCommand> {
    match rest {
        [] => Some(OpenCommand::Scenarios(None)),
        [system] => Some(OpenCommand::Scenarios(Some(system.to_ascii_lowercase()))),
        _ => None,
    }
}

/// The words before the options, and the options. A scenario is a system with a name, or a file: `create havoc there` is no command.
fn create(rest: &[&str]) -> Option<OpenCommand> {
    let [scenario, name, options @ ..] = rest else { return None };
    let is_named = scenario.contains(['/', '.', '-']) || scenario.contains(|c: char| c.is_ascii_digit());
    let begins = |word: &&str| word.starts_with("--") || word.starts_with(['\u{2013}', '\u{2014}']);
    let options_begin = options.first().is_none_or(begins);
    let game = named(name).filter(|_| is_named && options_begin)?;
    Some(OpenCommand::Create(Creation { scenario: (*scenario).to_owned(), game, options: options.join(" ") }))
}

/// More words are a sentence of a letter, and no question.
const MOST_WORDS: usize = 3;

fn rules(rest: &[&str]) -> Option<OpenCommand> {
    (rest.len() <= MOST_WORDS).then(|| OpenCommand::Rules(rest.join(" ")))
}

/// The topic of `HELP` that a game has or has not, as its rules are.
const BATTLE: &str = "BATTLE";

fn help(rest: &[&str]) -> Option<OpenCommand> {
    match rest {
        [] => Some(OpenCommand::Help(None)),
        [topic, rest @ ..] if topic.eq_ignore_ascii_case("RULES") => rules(rest),
        [topic] if topic.eq_ignore_ascii_case(BATTLE) => Some(OpenCommand::OrderOfBattle(None)),
        [topic, game] if topic.eq_ignore_ascii_case(BATTLE) => {
            Some(OpenCommand::OrderOfBattle(Some(named(game)?)))
        }
        [topic] => Some(OpenCommand::Help(Some(topic.to_ascii_lowercase()))),
        _ => None,
    }
}

fn report(rest: &[&str]) -> Option<SeatCommand> {
    match rest {
        [] => Some(SeatCommand::Report(None)),
        [turn] if turn.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') => {
            Some(SeatCommand::Report(Some(turn.to_ascii_lowercase())))
        }
        _ => None,
    }
}

fn absent(rest: &[&str]) -> Option<SeatCommand> {
    let is = |word: &str, other: &str| word.eq_ignore_ascii_case(other);
    let (from, until) = match rest {
        [until, day] if is(until, "UNTIL") || is(until, "TO") => (None, day),
        [from, to, until] if is(to, "TO") || is(to, "UNTIL") => (Some(from), until),
        [word, from, to, until] if is(word, "FROM") && (is(to, "TO") || is(to, "UNTIL")) => {
            (Some(from), until)
        }
        _ => return None,
    };
    let from = from.map(|day| day.parse()).transpose().ok()?;
    Some(SeatCommand::Absent { from, until: until.parse().ok()? })
}

fn mail(rest: &[&str]) -> Option<Vec<MailChoice>> {
    let (first, rest) = match rest {
        [] => return Some(Vec::new()),
        [first, rest @ ..] => (first.to_ascii_uppercase(), rest),
    };
    let on_or_off = || match rest.first()?.to_ascii_uppercase().as_str() {
        "ON" => Some(true),
        "OFF" => Some(false),
        _ => None,
    };
    let (choice, words) = match first.as_str() {
        "TEXT" => (MailChoice::Html(false), 0),
        "HTML" => (MailChoice::Html(true), 0),
        "BRIEF" => (MailChoice::Full(false), 0),
        "FULL" => (MailChoice::Full(true), 0),
        "PICTURES" => (MailChoice::Pictures(on_or_off()?), 1),
        "DATA" => (MailChoice::Data(on_or_off()?), 1),
        "CALENDAR" => (MailChoice::Calendar(on_or_off()?), 1),
        _ => return None,
    };
    let mut choices = vec![choice];
    choices.extend(mail(rest.get(words..)?)?);
    Some(choices)
}

fn ahead(rest: &[&str]) -> Option<Ahead> {
    match rest {
        [] => Some(Ahead::Next),
        [word] if word.eq_ignore_ascii_case("NOTHING") => Some(Ahead::Nothing),
        [turn] => Some(Ahead::Turn(turn.to_ascii_lowercase())),
        _ => None,
    }
}

fn draw(rest: &[&str]) -> Option<SeatCommand> {
    match rest {
        [] => Some(SeatCommand::Draw(DrawVote::Agree)),
        rest => only_word(rest, "NO", SeatCommand::Draw(DrawVote::Refuse))
            .or_else(|| only_word(rest, CONFIRM, SeatCommand::Draw(DrawVote::AgreeAlone))),
    }
}

fn extend(rest: &[&str]) -> Option<Span> {
    match rest {
        [until, day] if until.eq_ignore_ascii_case("UNTIL") => {
            Some(Span::Until(day.parse::<Date>().ok()?.to_datetime(Time::MIN)))
        }
        [until, day, time] if until.eq_ignore_ascii_case("UNTIL") => at(day, time).map(Span::Until),
        [span] => minutes(span).map(Span::Minutes),
        _ => None,
    }
}
