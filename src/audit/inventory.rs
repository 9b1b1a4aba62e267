//! What there is to judge a game by, in words: files, copies of them, mails, proofs of dice that are still hidden.

use std::collections::{BTreeMap, BTreeSet};

use super::case::Case;
use super::place::short;
use super::proven::Proven;
use super::signatures::Signatures;
use super::sources::{Source, SourceKind};
use super::wording::{count, fact};
use musterd_dice::Seat;
use musterd_engine::briefing::{Fact, Item};
use musterd_report::text::listed;

/// What each path that was given is, and what is in it.
pub(super) fn sources(sources: &[Source]) -> Vec<Item> {
    let told = sources.iter().map(|source| {
        let some = |n: u64, one, many| (n > 0).then(|| count(n, one, many));
        let mails = match source.kind {
            SourceKind::AuditFile | SourceKind::Proofs | SourceKind::Unknown => None,
            SourceKind::Mail => {
                Some(if source.of_hosts == 1 { "a host's" } else { "not a host's" }.to_owned())
            }
            _ if source.mails == 0 => Some("no mail".to_owned()),
            _ => Some(format!(
                "{}, {} of them a host's",
                count(source.mails, "mail", "mails"),
                source.of_hosts
            )),
        };
        let files = match source.kind {
            SourceKind::AuditFile | SourceKind::Proofs => [None, None],
            _ => [
                some(source.files, "audit file", "audit files"),
                some(source.proofs, "proof of dice", "proofs of dice"),
            ],
        };
        let files: Vec<String> = files.into_iter().flatten().collect();
        let files = (!files.is_empty()).then(|| listed(&files));
        let passed = some(source.passed_over, "other file passed over", "other files passed over");
        let inside: Vec<String> = mails.into_iter().chain(files).chain(passed).collect();
        let with = if inside.is_empty() { String::new() } else { format!(": {}", inside.join("; ")) };
        let text = format!("{}, {}{with}", short(&source.path), source.kind.in_words());
        Item { text, details: Vec::new() }
    });
    told.collect()
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
            n => format!("{n} of them revealed, with {}", count(dice, "die", "dice")),
        };
        let entries = count(examination.entries, "log entry", "log entries");
        let closed = count(closed, "adjudication", "adjudications");
        facts.push(fact("Audit file", format!("{}: {entries}; {closed}, {revealed}", short(&file.path))));
    }
    if !case.copies.is_empty() {
        facts.push(fact("The same", copies(case)));
    }
    if case.files.is_empty() {
        facts.push(fact("Audit file", "none".to_owned()));
    }
    let mails = match case.mails_of_host + case.mails_of_players {
        0 => "none".to_owned(),
        _ => format!(
            "{} of the host's and {} of players'; they show {} of the log, {} and {}",
            case.mails_of_host,
            case.mails_of_players,
            count(case.heads, "head", "heads"),
            count(case.closes, "close", "closes"),
            count(case.receipts, "receipt", "receipts"),
        ),
    };
    facts.push(fact("Mails", mails));
    facts.extend(signatures(&case.signatures).map(|text| fact("Signatures", text)));
    facts
}

/// What came of the host's signatures, where mails bring some.
fn signatures(signatures: &Signatures) -> Option<String> {
    let Signatures { brought, good, named_in, .. } = signatures;
    let brings = format!(
        "{} {} one",
        count(*brought, "mail", "mails"),
        if *brought == 1 { "brings" } else { "bring" }
    );
    match (brought, named_in) {
        (0, _) => None,
        (_, None) => Some(format!("{brings}; nothing here names the host's key, so none was checked")),
        (_, Some(place)) => Some(format!(
            "{brings}; {good} {} the host's, by the key that is named in {}. Each is of the two chain lines, and of nothing above them",
            if *good == 1 { "is" } else { "are" },
            short(place)
        )),
    }
}

/// Where the same file lies again.
fn copies(case: &Case) -> String {
    let attached = case.copies.iter().filter(|copy| copy.attached).count();
    let others = case.copies.len() - attached;
    let places: Vec<String> = [(attached, "mail", "mails"), (others, "other file", "other files")]
        .into_iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| count(n, one, many))
        .collect();
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
    of_seat.into_iter().map(|(seat, proofs)| fact(seat.as_str(), of_seat_in_words(&proofs))).collect()
}

fn of_seat_in_words(proofs: &[&Proven]) -> String {
    let (forged, good): (Vec<&Proven>, Vec<&Proven>) = proofs.iter().partition(|proven| proven.is_forged());
    // A turn that ran again is proved again.
    let rolls: BTreeMap<u32, usize> = good.iter().map(|proven| (proven.t, proven.rolls)).collect();
    let proved = count(rolls.values().sum::<usize>(), "own roll", "own rolls");
    let verb = if rolls.len() == 1 { "proves" } else { "prove" };
    let mut told = vec![format!("{} {verb} {proved}", count(rolls.len(), "dispatch", "dispatches"))];
    let thrown =
        good.iter().filter(|proven| proven.thrown).map(|proven| proven.t).collect::<BTreeSet<_>>().len();
    if thrown > 0 {
        told.push(match thrown == rolls.len() {
            true => "all were thrown again with the secrets and fell the same".to_owned(),
            false => format!("{thrown} of them were thrown again with the secrets and fell the same"),
        });
    }
    if !forged.is_empty() {
        told.push(format!("{} WRONG", count(forged.len(), "file of proofs is", "files of proofs are")));
    }
    told.join("; ")
}

/// Of each seat, the adjudications whose proofs stand on a log that nothing else here shows.
pub(super) fn unwitnessed(case: &Case) -> BTreeMap<&Seat, Vec<u32>> {
    let mut alone: BTreeMap<&Seat, BTreeSet<u32>> = BTreeMap::new();
    for proven in case.proofs.iter().filter(|proven| proven.compared == 0 && !proven.is_forged()) {
        alone.entry(&proven.seat).or_default().insert(proven.t);
    }
    alone.into_iter().map(|(seat, turns)| (seat, turns.into_iter().collect())).collect()
}
