//! One audit file in several places: the host's own, and those that came with mails.

use std::collections::BTreeMap;

use serde::Serialize;

use super::evidence::AuditText;
use musterd_dice::audit::{AuditFile, LogLine, Step, Turn};

/// A file that says nothing but what the main one says; one that is older reaches less far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SameFile {
    /// Where it lies.
    pub path: String,
    /// Whether it was attached to a mail.
    pub attached: bool,
    /// How many log entries it has.
    pub entries: usize,
}

impl SameFile {
    pub(super) fn of(file: &AuditText, entries: usize) -> Self {
        Self { path: file.path.clone(), attached: file.attached, entries }
    }
}

/// In what a file of the same game differs from the one that reaches furthest, if it does: the first thing of it that both must have. A
/// turn may have been revealed since, or run again.
pub(super) fn differs(whole: &AuditFile, other: &AuditFile) -> Option<String> {
    let log = whole.log.iter().map(Some).chain(std::iter::repeat(None));
    if let Some(index) = other.log.iter().zip(log).position(|(line, known)| Some(line) != known) {
        return Some(format!("entry {index} of the log"));
    }
    let closed = other.log.iter().filter(|line| line.kind == "close").count();
    let mut reruns: BTreeMap<u32, usize> = BTreeMap::new();
    for t in other.log.iter().filter(|line| line.kind == "rerun").filter_map(t_of) {
        *reruns.entry(t).or_default() += 1;
    }
    let turns = whole.turns.iter().map(Some).chain(std::iter::repeat(None));
    let same = |turn: &Turn, known: &Turn| {
        *turn == Turn { t: known.t, ..Turn::default() }
            || is_grown(turn, known) && turn.reruns.len() == reruns.get(&turn.t).copied().unwrap_or(0)
    };
    let other_turn =
        other.turns.iter().zip(turns).find(|(turn, known)| !known.is_some_and(|known| same(turn, known)));
    if let Some((turn, _)) = other_turn {
        return Some(format!("t {}", turn.t));
    }
    if other.turns.len() != closed {
        return Some("the number of turns".to_owned());
    }
    let fits = |(index, head): &(u64, musterd_dice::Digest)| {
        let line = usize::try_from(*index).ok().and_then(|index| whole.log.get(index));
        line.is_some_and(|line| line.hash == head.to_string())
    };
    if !other.witness.iter().all(fits) {
        return Some("the heads that somebody was shown".to_owned());
    }
    match (&whole.replay, &other.replay) {
        (Some(known), Some(replay)) => {
            let rules = known.ruleset == replay.ruleset
                && known.version == replay.version
                && known.founding == replay.founding;
            (!rules || !is_grown_replay(&known.steps, &replay.steps, other))
                .then(|| "what plays the game again".to_owned())
        }
        _ => None,
    }
}

/// Whether a turn is the one that is known, or that one before it ran again.
fn is_grown(turn: &Turn, known: &Turn) -> bool {
    let Turn { t, secret, orders, beacon, rolls, result, reruns, told } = turn;
    (t, secret, orders, beacon, rolls, result)
        == (&known.t, &known.secret, &known.orders, &known.beacon, &known.rolls, &known.result)
        && known.reruns.starts_with(reruns)
        && known.told.starts_with(told)
}

/// Whether the known steps are those of a file, with others behind its end and those of turns that it doesn't reveal.
fn is_grown_replay(known: &[Step], steps: &[Step], file: &AuditFile) -> bool {
    let revealed = file.turns.iter().filter(|turn| turn.secret.is_some()).map(|turn| turn.t).max();
    let mut steps = steps.iter().peekable();
    for step in known {
        if steps.next_if(|other| *other == step).is_none() {
            let line = usize::try_from(step.entry).ok().and_then(|entry| file.log.get(entry));
            // Secrets are revealed in order, so what is not revealed is behind all that is.
            if line.is_some_and(|line| t_of(line).is_none_or(|t| Some(t) <= revealed)) {
                return false;
            }
        }
    }
    steps.next().is_none()
}

/// The adjudication that an entry of the log is of: its first field.
fn t_of(line: &LogLine) -> Option<u32> {
    line.body.split(' ').next()?.parse().ok()
}
