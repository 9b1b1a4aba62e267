//! What is made of a mail, in a few lines: sender, kind, routes, where the orders stood, what was not read, and after an empty line the
//! canonical block.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use musterd::desk::mail::{Found, HostAddress, LineKind, Orders, Source, UnreadIn, find_orders_in, routes};
use musterd::dice::Block;
use musterd::letter::{Automatic, Letter, Unreadable};

/// The order lines of the form in the dispatch that most of the mails answer.
pub(crate) const FORM: &str = "REACT 3 TO 1203\nREACT 4 TO 1204\n";

/// The folder of the own-written mails.
pub(crate) fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters")
}

pub(crate) fn host() -> HostAddress {
    HostAddress::parse("musterd@play.example").unwrap()
}

/// The order lines of a toy game.
pub(crate) fn kind(line: &str) -> LineKind {
    let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    match word.as_str() {
        "MOVE" | "REST" | "BUILD" | "REACT" => LineKind::Order,
        "READY" | "WAIT" => LineKind::Aside,
        "MVOE" | "SALT:" | "SEEN:" => LineKind::Beside,
        _ => LineKind::Prose,
    }
}

pub(crate) fn orders_of(letter: &Letter) -> Result<Orders, Unreadable> {
    Ok(found_in(letter)?.orders)
}

fn found_in(letter: &Letter) -> Result<Found, Unreadable> {
    Ok(find_orders_in(letter.body.as_ref().map_err(Clone::clone)?, FORM, &kind))
}

pub(crate) fn automatic_name(automatic: Option<&Automatic>) -> String {
    let told = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    match automatic {
        None => "no".to_owned(),
        Some(Automatic::OwnMail) => "own mail".to_owned(),
        Some(Automatic::AutoSubmitted) => "auto-submitted".to_owned(),
        Some(Automatic::Vacation) => "vacation".to_owned(),
        Some(Automatic::CalledAway) => "vacation by its subject".to_owned(),
        Some(Automatic::List) => "list".to_owned(),
        Some(Automatic::Suppressed) => "suppressed".to_owned(),
        Some(Automatic::CalendarReply) => "calendar reply".to_owned(),
        Some(Automatic::NullSender) => "null sender".to_owned(),
        Some(Automatic::Bounce(bounces)) => {
            let one = |b: &musterd::letter::Bounce| {
                let lasting = if b.permanent { "permanent" } else { "transient" };
                let late = if b.failed { "" } else { " late" };
                let proved = if b.proof.is_some() { " proved" } else { "" };
                let (recipient, status, original) = (told(&b.recipient), told(&b.status), told(&b.original));
                format!("{recipient} {status} {lasting}{late} {original}{proved}")
            };
            format!("bounce {}", bounces.iter().map(one).collect::<Vec<_>>().join("; "))
        }
    }
}

pub(crate) fn summary(letter: &Letter) -> String {
    let or_dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
    let found = routes(letter, &host()).remove(0);
    let mut told = format!("from: {}\n", or_dash(letter.from.first().map(String::as_str)));
    writeln!(told, "automatic: {}", automatic_name(letter.automatic.as_ref())).unwrap();
    let token = match found.token {
        Some(token) if token.reveal() == "k7q2mz4t9hwxp3cd" => "yes",
        Some(_) => "wrong",
        None => "no",
    };
    let game = or_dash(found.game.as_ref().map(musterd::dice::GameId::as_str));
    let seat = or_dash(found.seat.as_ref().map(musterd::dice::Seat::as_str));
    writeln!(told, "route: {game} {seat} {token}").unwrap();
    let place = match orders_of(letter) {
        Err(Unreadable::Empty) => "unreadable: empty",
        Err(Unreadable::Encrypted) => "unreadable: encrypted",
        Err(Unreadable::Damaged) => "unreadable: damaged",
        Err(Unreadable::TooLarge { .. }) => "unreadable: too large",
        Ok(Orders::Block { source: Source::Written, .. }) => "block written",
        Ok(Orders::Block { source: Source::Attached, .. }) => "block attached",
        Ok(Orders::Block { source: Source::Quoted, .. }) => "block quoted",
        Ok(Orders::Recognised(_)) => "recognised",
        Ok(Orders::Unterminated(_)) => "unterminated",
        Ok(Orders::Aside(_)) => "aside",
        Ok(Orders::Slips(_)) => "slips",
        Ok(Orders::None) => "none",
    };
    writeln!(told, "orders: {place}").unwrap();
    for part in found_in(letter).into_iter().flat_map(|found| found.unread) {
        // What is quoted is judged by the rules and the set that stands, which no mail tells.
        if part.place == UnreadIn::Quotation {
            continue;
        }
        // Which prose may be an order the rules of a game tell.
        if part.prose.is_empty() || !part.lines.is_empty() {
            writeln!(told, "not read: {} {:?}", part.place, part.lines).unwrap();
        }
    }
    if let Ok(orders) = orders_of(letter) {
        write!(told, "\n{}", orders.block().map_or("", Block::as_str)).unwrap();
    }
    told
}
