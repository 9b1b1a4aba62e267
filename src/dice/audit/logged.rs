//! What a log says of one adjudication.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::examined::{Examined, PublicValue};
use crate::hash::Digest;
use crate::ids::Seat;
use crate::label::Label;
use crate::told::ToldNote;

/// What the log says of one adjudication.
#[derive(Debug, Default)]
pub(super) struct Logged {
    pub(super) name: String,
    /// The index of its `open`.
    pub(super) opened: u64,
    /// The adjudication that ran last before it, of which a roll may be thrown again.
    pub(super) ran_before: Option<u32>,
    /// The seats that had to be sealed, in order.
    pub(super) house: Rc<BTreeSet<Seat>>,
    pub(super) seals: BTreeMap<Seat, Digest>,
    /// The sealed seats that no player has taken over since.
    pub(super) bound: BTreeSet<Seat>,
    /// The seats for which the host gave orders after the opening, as a stand-in for their players.
    pub(super) stood_in: BTreeSet<Seat>,
    /// The seats of which orders were accepted after the opening while the host played them, or nobody did.
    pub(super) taken_over: BTreeSet<Seat>,
    /// The seats whose last accepted mail took their orders back.
    pub(super) taken_back: BTreeSet<Seat>,
    /// The leaf of each seat's last accepted mail, or of its seal.
    pub(super) accepted: BTreeMap<Seat, Digest>,
    pub(super) deadline: Option<u64>,
    /// The root that it closed with.
    pub(super) close: Option<Digest>,
    /// What the log says that the public beacon gave.
    pub(super) beacon: Option<String>,
    /// The same, where it is of the round that was due.
    pub(super) public: Option<PublicValue>,
    /// What was committed to: root of the rolls, result.
    pub(super) rolls: Option<(Digest, Digest)>,
    pub(super) reruns: Vec<(Digest, Digest)>,
    pub(super) reroll: Option<Label>,
    /// Whether the game was over when it had run.
    pub(super) over: bool,
    /// Whether it opened behind such an end, as only a re-roll may.
    pub(super) behind_the_end: bool,
    pub(super) void: bool,
    /// What seats were told of it, each by the index of its entry.
    pub(super) told: BTreeMap<u64, ToldNote>,
}

impl Logged {
    pub(super) fn outcome(&self, t: u32) -> Examined {
        Examined {
            t,
            name: self.name.clone(),
            closed: self.close.is_some(),
            void: self.void,
            level: None,
            salted: BTreeSet::new(),
            beacon: None,
            rolls: 0,
            dice: 0,
            told: self.told.len(),
        }
    }

    /// The seats whose orders are the host's: those that it played at the opening, and those that it ordered for since.
    pub(super) fn by_house(&self) -> BTreeSet<Seat> {
        self.house.iter().chain(&self.stood_in).chain(&self.taken_over).cloned().collect()
    }

    /// The seats whose orders at the close are those that were sealed at the opening.
    pub(super) fn sealed(&self) -> BTreeSet<Seat> {
        let stood = self.seals.iter().filter(|(seat, leaf)| self.accepted.get(*seat) == Some(*leaf));
        stood.map(|(seat, _)| seat.clone()).collect()
    }

    /// Whether a seat has orders so far: sealed, or accepted and not taken back.
    pub(super) fn has_orders(&self, seat: &Seat) -> bool {
        self.accepted.contains_key(seat) && !self.taken_back.contains(seat)
    }

    pub(super) const fn is_open(&self) -> bool {
        self.close.is_none() && !self.void
    }

    pub(super) const fn is_closed(&self) -> bool {
        self.close.is_some() && self.rolls.is_none() && !self.void
    }

    pub(super) const fn has_run(&self) -> bool {
        self.rolls.is_some() && !self.void
    }
}
