//! One audit file in several places: the host's own, and those that came with mails.

use serde::Serialize;

use super::evidence::AuditText;
use crate::dice::audit::{AuditFile, Turn};

/// A file that says nothing but what the main one says; one that is older reaches less far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Copy {
    /// Where it lies.
    pub path: String,
    /// Whether it was attached to a mail.
    pub attached: bool,
    /// How many log entries it has.
    pub entries: usize,
}

impl Copy {
    pub(super) fn of(file: &AuditText, entries: usize) -> Self {
        Self { path: file.path.clone(), attached: file.attached, entries }
    }
}

/// In what a file of the same game differs from the one that reaches furthest, if it does: the first thing of it.
pub(super) fn differs(whole: &AuditFile, other: &AuditFile) -> Option<String> {
    let log = whole.log.iter().map(Some).chain(std::iter::repeat(None));
    if let Some(index) = other.log.iter().zip(log).position(|(line, known)| Some(line) != known) {
        return Some(format!("entry {index} of the log"));
    }
    let closed = other.log.iter().filter(|line| line.kind == "close").count();
    let turns = whole.turns.iter().map(Some).chain(std::iter::repeat(None));
    // A turn may have been revealed since.
    let same = |turn: &Turn, known: &Turn| turn == known || *turn == Turn { t: known.t, ..Turn::default() };
    let other_turn =
        other.turns.iter().zip(turns).find(|(turn, known)| !known.is_some_and(|known| same(turn, known)));
    if let Some((turn, _)) = other_turn {
        return Some(format!("t {}", turn.t));
    }
    if other.turns.len() != closed {
        return Some("the number of turns".to_owned());
    }
    let fits = |(index, head): &(u64, crate::dice::Digest)| {
        let line = usize::try_from(*index).ok().and_then(|index| whole.log.get(index));
        line.is_some_and(|line| line.hash == head.to_string())
    };
    if !other.witness.iter().all(fits) {
        return Some("the heads that somebody was shown".to_owned());
    }
    match (&whole.replay, &other.replay) {
        (Some(whole), Some(other)) => {
            let rules = whole.ruleset == other.ruleset
                && whole.version == other.version
                && whole.founding == other.founding;
            let same = rules && whole.steps.starts_with(&other.steps);
            (!same).then(|| "what plays the game again".to_owned())
        }
        _ => None,
    }
}
