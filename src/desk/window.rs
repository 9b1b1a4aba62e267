//! What is known of the open window, and of the adjudication that ran last.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::life::Narration;
use musterd_dice::{Assurance, Beacon, Block, Digest, Roll, Seat, Word};
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
    /// When it closes, if ever by itself.
    pub deadline: Option<i64>,
    /// Computer players' orders, fixed at the opening.
    pub sealed: BTreeMap<Seat, Sealed>,
    /// The orders that count so far: each seat's last accepted set.
    pub accepted: BTreeMap<Seat, Accepted>,
    /// The seats whose orders are the computer's, because they sent none.
    pub stood_in: BTreeSet<Seat>,
    /// The seats that sent a mail since their orders were accepted which may hold others, and of which nothing was read.
    pub unread: BTreeSet<Seat>,
}

/// The words for a refused mail that may have held orders.
const MAY_BE_ORDERS: [&str; 3] = ["unread", "unreadable", "too-large"];

/// A seat's orders as they stand.
#[derive(Debug, Clone)]
pub struct Accepted {
    /// The orders.
    pub block: Block,
    /// What they say to the host.
    pub sheet: Sheet,
    /// Their leaf.
    pub leaf: Digest,
    /// What they read as, once somebody has asked: the position stays as it is while a window is open.
    pub(super) read: OnceCell<Arc<ReadBack>>,
}

/// Orders as a receipt answers them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadBack {
    /// Each order as understood.
    pub recap: Recap,
    /// What is wrong or doubtful, or was asked.
    pub remarks: Vec<Remark>,
}

/// What is known of the adjudication that ran last.
#[derive(Debug, Clone)]
pub struct Adjudicated {
    /// Which.
    pub t: u32,
    /// Its name in the log.
    pub name: Word,
    /// How far its dice can be trusted.
    pub assurance: Assurance,
    /// Every slot's leaf, for the mail that announces the close.
    pub leaves: BTreeMap<Seat, Digest>,
    /// What the public beacon gave, where its dice waited for one.
    pub beacon: Option<Beacon>,
    /// Its dice, sorted by label, as they fell when it ran last.
    pub rolls: Vec<Roll>,
    /// When it ran, unix seconds.
    pub at: i64,
    /// The seats that had to order for it and did not; the value says whether the computer ordered for them.
    pub missing: BTreeMap<Seat, bool>,
    /// What the GM had to say before it ran.
    pub narration: Vec<Narration>,
}

impl Window {
    /// Takes a seat's orders in place of those before.
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

    /// A seat takes its orders back, or those that the computer gave for it.
    pub(super) fn take_back(&mut self, seat: &Seat) {
        self.accepted.remove(seat);
        self.stood_in.remove(seat);
    }

    /// What would be adjudicated if the window closed now: accepted orders, and the sealed ones of computer players,
    /// whose mail may still be on its way.
    #[must_use]
    pub fn blocks(&self) -> BTreeMap<Seat, Block> {
        let sealed = self.sealed.values().map(|s| (s.seat.clone(), s.block.clone()));
        let accepted = self.accepted.iter().map(|(seat, a)| (seat.clone(), a.block.clone()));
        accepted.chain(sealed).collect()
    }
}
