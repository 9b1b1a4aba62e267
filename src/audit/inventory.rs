//! What there is to judge a game by, in words: files, copies of them, mails, proofs of dice that are still hidden.

use std::collections::{BTreeMap, BTreeSet};

use super::case::Case;
use super::place::short;
use super::proven::Proven;
use super::signatures::Signatures;
use super::sources::{ReadPath, ReadPathKind};
use super::tellings::ToldMails;

use musterd_dice::Seat;
use musterd_engine::briefing::{Fact, Item};
use musterd_report::text::listed;
use musterd_text::nouns::{count, counted};

/// What each path that was given is, and what is in it.
pub(super) fn sources(sources: &[ReadPath]) -> Vec<Item> {
    sources.iter().map(source).collect()
}

fn source(source: &ReadPath) -> Item {
    let ReadPath { kind, mails, of_hosts, files, proofs, passed_over, .. } = source;
    let some = |n: u64, one, many| (n > 0).then(|| counted(n, one, many));
    let is_json = matches!(kind, ReadPathKind::AuditFile | ReadPathKind::Proofs);
    let mails = match kind {
        _ if is_json || *kind == ReadPathKind::Unknown => None,
        ReadPathKind::Mail => Some(if *of_hosts == 1 { "a host's" } else { "not a host's" }.to_owned()),
        _ if *mails == 0 => Some("no mail".to_owned()),
        _ => Some(format!("{}, {of_hosts} of them a host's", count(*mails, "mail"))),
    };
    let files = [some(*files, "audit file", "audit files"), some(*proofs, "proof of dice", "proofs of dice")];
    let files: Vec<String> = files.into_iter().flatten().filter(|_| !is_json).collect();
    let files = (!files.is_empty()).then(|| listed(&files));
    let passed = some(*passed_over, "other file passed over", "other files passed over");
    let inside: Vec<String> = mails.into_iter().chain(files).chain(passed).collect();
    let with = if inside.is_empty() { String::new() } else { format!(": {}", inside.join("; ")) };
    Item::of(format!("{}, {}{with}", short(&source.path), kind.in_words()))
}

pub(super) fn facts(case: &Case) -> Vec<Fact> {
    let mut facts = Vec::new();
    for file in &case.files {
        let examination = &file.examination;
        let revealed = examination.turns.iter().filter(|turn| turn.level.is_some()).count();
        let closed = examination.turns.iter().filter(|turn| turn.closed).count();
        let dice: usize = examination.turns.iter().map(|turn| turn.dice).sum();
        let revealed = match revealed {
            0 => "none of them revealed".to_owned(),
            n => format!("{n} of them revealed, with {}", counted(dice, "die", "dice")),
        };
        let entries = counted(examination.entries, "log entry", "log entries");
        let closed = count(closed, "adjudication");
        facts.push(Fact::of("Audit file", format!("{}: {entries}; {closed}, {revealed}", short(&file.path))));
    }
    if !case.copies.is_empty() {
        facts.push(Fact::of("The same", copies(case)));
    }
    if case.files.is_empty() {
        facts.push(Fact::of("Audit file", "none".to_owned()));
    }
    let mails = match case.mails_of_host + case.mails_of_players {
        0 => "none".to_owned(),
        _ => format!(
            "{} of the host's and {} of players'; they show {} of the log, {} and {}",
            case.mails_of_host,
            case.mails_of_players,
            count(case.heads, "head"),
            count(case.closes, "close"),
            count(case.receipts, "receipt"),
        ),
    };
    facts.push(Fact::of("Mails", mails));
    facts.extend(told(&case.told).map(|text| Fact::of("What was told", text)));
    facts.extend(signatures(&case.signatures).map(|text| Fact::of("Signatures", text)));
    facts
}

/// How much of what mails tell was compared with what the log binds.
fn told(told: &ToldMails) -> Option<String> {
    let ToldMails { bound, mails, texts, pages, data, waiting, newer, cut } = *told;
    let marked = format!(
        "{} of the host's {} it between marks",
        count(mails, "mail"),
        if mails == 1 { "tells" } else { "tell" }
    );
    let parts = match bound {
        None if mails == 0 => return None,
        None => vec![format!(
            "{marked}; without an audit file a mail's text, page and data are compared with each other alone"
        )],
        Some(0) => vec![
            "this log doesn't bind what its host told: its host's mails could say anything of the dice"
                .to_owned(),
        ],
        Some(bound) => vec![
            format!("bound by {}", counted(bound, "log entry", "log entries")),
            format!(
                "{marked}; compared with what is bound: {}, {}, {} of data",
                count(texts, "text"),
                count(pages, "page"),
                count(data, "file"),
            ),
        ],
    };
    let rest = [
        (waiting, "tells of what is not revealed yet", "tell of what is not revealed yet"),
        (newer, "is newer than the file", "are newer than the file"),
        (
            cut,
            "lacks its middle, and its text is not compared",
            "lack their middle, and their texts are not compared",
        ),
    ];
    let rest = rest
        .into_iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| format!("{} {}", count(n, "mail"), if n == 1 { one } else { many }));
    Some(parts.into_iter().chain(rest).collect::<Vec<_>>().join("; "))
}

/// What came of the host's signatures, where mails bring some.
fn signatures(signatures: &Signatures) -> Option<String> {
    let Signatures { brought, good, named_in, .. } = signatures;
    let brings =
        format!("{} {} one", count(*brought, "mail"), if *brought == 1 { "brings" } else { "bring" });
    match (brought, named_in) {
        (0, _) => None,
        (_, None) => Some(format!("{brings}; nothing here names the host's key, so none was checked")),
        (_, Some(place)) => Some(format!(
            "{brings}; {good} {} the host's, by the key that is named in {}. Each is of the two chain lines, and of nothing above them",
            if *good == 1 { "is" } else { "are" },
            place
        )),
    }
}

/// Where the same file lies again.
fn copies(case: &Case) -> String {
    let attached = case.copies.iter().filter(|copy| copy.attached).count();
    let others = case.copies.len() - attached;
    let others = (others > 0).then(|| count(others, "other file"));
    let attached = (attached > 0).then(|| count(attached, "mail"));
    let places: Vec<String> = attached.into_iter().chain(others).collect();
    let entries = case.main_file().map_or(0, |file| file.examination.entries);
    let reach = match case.copies.iter().map(|copy| copy.entries).min() {
        Some(least) if least < entries => ", as far as each reaches",
        _ => "",
    };
    format!("the same log and the same dice are in {}{reach}", listed(&places))
}

/// What the proofs of each seat show: a line a seat.
pub(super) fn proofs(case: &Case) -> Vec<Fact> {
    let mut of_seat: BTreeMap<&Seat, Vec<&Proven>> = BTreeMap::new();
    case.proofs.iter().for_each(|proven| of_seat.entry(&proven.seat).or_default().push(proven));
    of_seat.into_iter().map(|(seat, proofs)| Fact::of(seat.as_str(), of_seat_in_words(&proofs))).collect()
}

fn of_seat_in_words(proofs: &[&Proven]) -> String {
    let (forged, good): (Vec<&Proven>, Vec<&Proven>) = proofs.iter().partition(|proven| proven.is_forged());
    // A turn that ran again is proved again.
    let rolls: BTreeMap<u32, usize> = good.iter().map(|proven| (proven.t, proven.rolls)).collect();
    let proved = count(rolls.values().sum::<usize>(), "own roll");
    let verb = if rolls.len() == 1 { "proves" } else { "prove" };
    let mut told = vec![format!("{} {verb} {proved}", counted(rolls.len(), "dispatch", "dispatches"))];
    let thrown: BTreeSet<u32> = good.iter().filter(|proven| proven.thrown).map(|proven| proven.t).collect();
    if !thrown.is_empty() {
        let them =
            if thrown.len() == rolls.len() { "all".to_owned() } else { format!("{} of them", thrown.len()) };
        told.push(format!("{them} were thrown again with the secrets and fell the same"));
    }
    if !forged.is_empty() {
        told.push(format!("{} WRONG", counted(forged.len(), "file of proofs is", "files of proofs are")));
    }
    told.join("; ")
}

/// Of each seat, the adjudications whose proofs stand on a log that nothing else here shows.
pub(super) fn unwitnessed(case: &Case) -> BTreeMap<&Seat, BTreeSet<u32>> {
    let mut alone: BTreeMap<&Seat, BTreeSet<u32>> = BTreeMap::new();
    for proven in case.proofs.iter().filter(|proven| proven.compared == 0 && !proven.is_forged()) {
        alone.entry(&proven.seat).or_default().insert(proven.t);
    }
    alone
}
