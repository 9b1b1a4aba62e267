//! What is wrong with a file, gathered: of each kind so many are told, and the rest counted, so that no forger can fill the memory.

use std::collections::BTreeMap;

use super::finding::{Fault, Finding, Place};

/// How many findings of one kind are told of an adjudication, and how many of the rest of the file.
pub(super) const MOST_TOLD: usize = 20;

/// Findings as they come.
#[derive(Debug, Default)]
pub(super) struct Findings {
    told: Vec<Finding>,
    /// How many there are of each kind, by adjudication.
    counts: BTreeMap<(Option<u32>, &'static str), usize>,
}

impl Findings {
    pub(super) fn push(&mut self, finding: Finding) {
        let count = self.counts.entry((group(&finding), finding.fault.code())).or_default();
        *count += 1;
        if *count <= MOST_TOLD || finding.fault.is_open() {
            self.told.push(finding);
        }
    }

    /// What is told, in the order of the file, with how much is not.
    pub(super) fn in_order(mut self) -> Vec<Finding> {
        let opens =
            |code: &str| [Fault::Unrevealed, Fault::NothingClosed].iter().any(|open| open.code() == code);
        let more = self.counts.into_iter().filter(|((_, code), count)| *count > MOST_TOLD && !opens(code));
        self.told.extend(more.map(|((t, code), count)| {
            Fault::More { code, count: count - MOST_TOLD }.at(t.map_or(Place::File, Place::Turn))
        }));
        self.told.sort_by_key(|finding| finding.place);
        self.told
    }
}

/// The adjudication that a finding is counted with. One that the log never closed is none: a file may name as many as it likes.
const fn group(finding: &Finding) -> Option<u32> {
    match (finding.place, &finding.fault) {
        (_, Fault::TurnNotClosed) => None,
        (Place::Turn(t) | Place::Rerun(t, _), _) => Some(t),
        (Place::File | Place::Log(_) | Place::Witness(_), _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_kind_so_many_are_told_and_the_rest_counted() {
        let mut findings = Findings::default();
        for index in 0..50 {
            findings.push(Fault::Malformed("x".to_owned()).at(Place::Log(index)));
            findings.push(Fault::TurnNotClosed.at(Place::Turn(u32::try_from(index).unwrap())));
            findings.push(Fault::Unrevealed.at(Place::Turn(7)));
            findings.push(Fault::OtherResult.at(Place::Turn(8)));
        }
        findings.push(Fault::OtherResult.at(Place::Turn(9)));
        let told = findings.in_order();
        let count = |code: &str| told.iter().filter(|finding| finding.fault.code() == code).count();
        let counted = ["malformed", "turn-not-closed", "unrevealed", "other-result", "more"].map(count);
        assert_eq!(counted, [20, 20, 50, 21, 3]);
        assert!(told.contains(&Fault::More { code: "malformed", count: 30 }.at(Place::File)));
        assert!(told.contains(&Fault::More { code: "other-result", count: 30 }.at(Place::Turn(8))));
    }
}
