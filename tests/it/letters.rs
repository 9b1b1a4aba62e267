//! Letters: a corpus of mails in the style of every program that players use, each with what must be made of it; and
//! what holds of all bytes.
//!
//! `tests/letters/NAME.eml` is a mail, `NAME.expected` what [`summary`] says of it: sender, kind, route, where the orders
//! stood, and after an empty line the canonical block.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use musterd::dice::Block;
use musterd::letter::{
    Automatic, HostAddress, Letter, Limits, Orders, Source, Unreadable, find_orders, open, route,
};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters")
}

fn host() -> HostAddress {
    HostAddress::parse("musterd@play.example").unwrap()
}

/// The order lines of a toy game.
fn is_order(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    ["MOVE", "REST", "BUILD", "REACT"].contains(&word.as_str())
}

fn orders_of(letter: &Letter) -> Result<Orders, Unreadable> {
    let body = letter.body.clone()?;
    Ok(find_orders(&body.text, body.orders_attachment.as_deref(), &is_order))
}

fn automatic_name(automatic: Option<&Automatic>) -> String {
    let told = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    match automatic {
        None => "no".to_owned(),
        Some(Automatic::OwnMail) => "own mail".to_owned(),
        Some(Automatic::AutoSubmitted) => "auto-submitted".to_owned(),
        Some(Automatic::Vacation) => "vacation".to_owned(),
        Some(Automatic::List) => "list".to_owned(),
        Some(Automatic::NullSender) => "null sender".to_owned(),
        Some(Automatic::Bounce(bounces)) => {
            let one = |b: &musterd::letter::Bounce| {
                let lasting = if b.permanent { "permanent" } else { "transient" };
                format!("{} {} {lasting} {}", told(&b.recipient), told(&b.status), told(&b.original))
            };
            format!("bounce {}", bounces.iter().map(one).collect::<Vec<_>>().join("; "))
        }
    }
}

fn summary(letter: &Letter) -> String {
    let or_dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
    let found = route(letter, &host());
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
        Ok(Orders::Recognised { form_below: true, .. }) => "recognised, form below",
        Ok(Orders::Recognised { form_below: false, .. }) => "recognised",
        Ok(Orders::Unterminated(_)) => "unterminated",
        Ok(Orders::None) => "none",
    };
    writeln!(told, "orders: {place}").unwrap();
    if let Ok(orders) = orders_of(letter) {
        write!(told, "\n{}", orders.block().map_or("", Block::as_str)).unwrap();
    }
    told
}

#[test]
fn every_mail_of_the_corpus_is_understood() {
    let mut mails: Vec<PathBuf> = fs::read_dir(corpus())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "eml"))
        .collect();
    mails.sort();
    assert!(mails.len() >= 50, "the corpus is gone: {} mails", mails.len());
    let mut wrong = String::new();
    for path in mails {
        let letter = open(&fs::read(&path).unwrap(), &Limits::default());
        let expected = fs::read_to_string(path.with_extension("expected")).unwrap();
        let told = summary(&letter);
        if told != expected {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            write!(wrong, "=== {name}: expected\n{expected}--- got\n{told}--- of {letter:#?}\n").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
