//! The values of the public beacon that a file shows (dice.md, "Levels"): each has the hash that the log notes, and is signed where the
//! beacon's key is known.

use std::collections::BTreeMap;

use super::examined::{BeaconProof, PublicValue};
use super::file::{MOST_SIGNATURES, Turn};
use super::finding::Fault;
use super::logged::Logged;
use crate::beacon::{BeaconPolicy, BeaconValue};
use crate::drand::ValueProof;

/// What is examined of the values over a whole file.
pub(super) struct Beacons<'a> {
    policy: Option<&'a BeaconPolicy>,
    /// The first adjudication that shows one. Files of before showed none; since then every one does.
    first: Option<u32>,
    /// How many signatures are still checked.
    left: u32,
}

impl<'a> Beacons<'a> {
    pub(super) fn of(policy: Option<&'a BeaconPolicy>, turns: &BTreeMap<u32, Turn>) -> Self {
        let mut shown = turns.values().filter(|turn| turn.beacon_value.is_some());
        Self { policy, first: shown.next().map(|turn| turn.t), left: MOST_SIGNATURES }
    }

    /// What the beacon gave for an adjudication, and whether that is proved; none where the log notes none of the round that was due, or the
    /// value shown is not the beacon's.
    pub(super) fn examine(
        &mut self,
        turn: &Turn,
        logged: &Logged,
        mut wrong: impl FnMut(Fault),
    ) -> Option<PublicValue> {
        let noted = logged.beacon.as_deref().unwrap_or_default();
        let Some(shown) = &turn.beacon_value else {
            if !noted.is_empty() && self.first.is_some_and(|first| first < turn.t) {
                wrong(Fault::BeaconValueMissing);
            }
            return logged.public.clone();
        };
        let value: Option<BeaconValue> = shown.parse().ok();
        let Some(value) = value.filter(|value| noted.ends_with(&value.digest().to_string())) else {
            wrong(Fault::WrongBeaconValue { noted: noted.chars().take(120).collect() });
            return None;
        };
        let public = logged.public.clone()?;
        let (name, round) = (&public.beacon.name, public.beacon.round);
        let proof = match self.proof_of(round, &value) {
            Some(ValueProof::Signed) => BeaconProof::Signed,
            Some(ValueProof::NoKey) => BeaconProof::NoKey,
            Some(ValueProof::NotBuilt) | None => BeaconProof::NotChecked,
            Some(ValueProof::NotSigned) => {
                wrong(Fault::BeaconNotSigned { name: name.to_string(), round });
                return None;
            }
        };
        Some(PublicValue { proof, ..public })
    }

    /// Whether the beacon published it; none where enough signatures were checked.
    fn proof_of(&mut self, round: u64, value: &BeaconValue) -> Option<ValueProof> {
        self.left = self.left.checked_sub(1)?;
        Some(self.policy?.proof_of(round, value))
    }
}
