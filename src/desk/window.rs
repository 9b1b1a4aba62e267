//! The open window, and the adjudication that ran last.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::life::Narration;
use musterd_dice::{Assurance, Beacon, Block, Digest, LineEdit, Roll, Seat, Word};
use musterd_engine::journal::Sealed;
use musterd_engine::orders::{Recap, Remark};
use musterd_engine::sheet::Sheet;

/// The time in which orders for one adjudication are taken.
#[derive(Debug, Clone)]
pub struct Window {
    /// The adjudication.
    pub t: u32,
    /// Its name in the log.
    pub name: Word,
    /// When it opened, unix seconds.
    pub opened: i64,
    /// When it closes; `None` if it has no deadline.
    pub deadline: Option<i64>,
    /// Computer players' orders, fixed at the opening.
    pub sealed: BTreeMap<Seat, Sealed>,
    /// The orders that count so far: each seat's last accepted set.
    pub accepted: BTreeMap<Seat, Accepted>,
    /// The seats whose orders the computer gave because they sent none.
    pub stood_in: BTreeSet<Seat>,
    /// The seats that sent a mail after their orders were accepted which may hold other orders and could not be read.
    pub unread: BTreeSet<Seat>,
}

/// The reasons of refused mails that may have held orders.
const MAY_BE_ORDERS: [&str; 3] = ["unread", "unreadable", "too-large"];

/// A seat's present orders.
#[derive(Debug, Clone)]
pub struct Accepted {
    /// The orders.
    pub block: Block,
    /// Their lines for the host.
    pub sheet: Sheet,
    /// Their leaf.
    pub leaf: Digest,
    /// Their reading, cached: the position stays the same while a window is open.
    pub(super) read: OnceCell<Arc<ReadBack>>,
}

/// Orders as a receipt shows them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadBack {
    /// The orders as understood.
    pub recap: Recap,
    /// Errors, warnings, and answers to questions.
    pub remarks: Vec<Remark>,
}

/// The adjudication that ran last.
#[derive(Debug, Clone)]
pub struct Adjudicated {
    /// Its number.
    pub t: u32,
    /// Its name in the log.
    pub name: Word,
    /// How far its dice can be trusted.
    pub assurance: Assurance,
    /// Every slot's leaf, for the mail that announces the close.
    pub leaves: BTreeMap<Seat, Digest>,
    /// The value of the public beacon, if its dice waited for one.
    pub beacon: Option<Beacon>,
    /// Its dice, sorted by label, as they fell when it ran last.
    pub rolls: Vec<Roll>,
    /// When it ran, unix seconds.
    pub at: i64,
    /// The seats that had to order for it and did not; the value says whether the computer ordered for them.
    pub missing: BTreeMap<Seat, bool>,
    /// The GM's words before it ran.
    pub narration: Vec<Narration>,
    /// The GM's changes of what seats are told of it, in the order in which they were made.
    pub edits: Vec<LineEdit>,
}

impl Window {
    /// Replaces a seat's orders.
    pub(super) fn take(&mut self, seat: &Seat, block: &Block, leaf: &Digest) {
        let accepted = Accepted {
            block: block.clone(),
            sheet: Sheet::of(block.as_str()),
            leaf: *leaf,
            read: OnceCell::new(),
        };
        self.accepted.insert(seat.clone(), accepted);
        self.stood_in.remove(seat);
        self.unread.remove(seat);
    }

    /// A seat's mail was refused.
    pub(super) fn refuse(&mut self, seat: &Seat, reason: &Word) {
        if MAY_BE_ORDERS.contains(&reason.as_str()) {
            self.unread.insert(seat.clone());
        }
    }

    /// Removes a seat's orders, or those that the computer gave for it.
    pub(super) fn take_back(&mut self, seat: &Seat) {
        self.accepted.remove(seat);
        self.stood_in.remove(seat);
    }

    /// The blocks that would be adjudicated if the window closed now: accepted orders, and the sealed ones of computer players, whose mail may still
    /// be on its way.
    pub fn blocks(&self) -> BTreeMap<Seat, Block> {
        let sealed = self.sealed.values().map(|s| (s.seat.clone(), s.block.clone()));
        let accepted = self.accepted.iter().map(|(seat, a)| (seat.clone(), a.block.clone()));
        accepted.chain(sealed).collect()
    }
}
