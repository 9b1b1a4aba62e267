//! One store of what witnesses say of a game. A claim is what somebody says about one subject; two claims about one subject contradict each
//! other, and a log holds a claim or denies it (`Book::has`).
//!
//! The store has room for so many claims of each kind, so a mailbox full of forged mails takes no more memory than one full of true ones.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use musterd_dice::{Digest, Seat};

use super::said::Close;

/// The most claims of one kind; a campaign of 1,000 turns has some thousands.
pub(super) const MOST: usize = 100_000;
/// The most claims about closes, levels or beacons.
const MOST_OF_TURNS: usize = 20_000;
/// The least digest, and so the first of a subject.
const LEAST: Digest = Digest::new([0; 32]);

/// What is said, about what: the claims about one subject follow each other in this order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Claim {
    /// The hash of a log entry.
    Head(u64, Digest),
    /// The anchor of the host's secrets.
    Anchor(Digest),
    /// What the dice of an adjudication were bound to.
    Close(Close),
    /// What the public beacon gave for an adjudication.
    Beacon(u32, Digest),
    /// The level of an adjudication's dice.
    Level(u32, String),
    /// That a mail brought the close of an adjudication, with this root; whether a server says when it came, or the mail's `Date`, or nobody.
    Told { t: u32, root: Digest, by_server: bool, dated: bool },
    /// That the log ended with this entry when a mail was written.
    Written(u64),
    /// The key of the host's signatures, as OpenSSH writes it.
    Key(String),
    /// The address that the host writes from.
    Address(String),
    /// That a seat was asked for its orders for an adjudication, with the report of what was before.
    Report(Seat, u32),
    /// That a seat was written to when the log ended with this entry, but for the last word to somebody who plays it no more.
    WrittenTo(Seat, u64),
    /// That somebody was told then that the seat is his, or no more.
    HandedOver(Seat, u64),
}

/// The kind of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClaimKind {
    Head,
    Anchor,
    Close,
    Beacon,
    Level,
    Told,
    Written,
    Key,
    Address,
    Report,
    WrittenTo,
    HandedOver,
}

/// How much a claim weighs: of several witnesses that claim the same, the one with most weight is kept, and the first of those.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Words that a mail quotes.
    Quoted,
    /// The words of the host's own mail.
    Own,
    /// Words that bear the host's signature: in its own mail, or only in quotations.
    Signed { own: bool },
    /// The earlier, the more it weighs: Unix seconds.
    Early(Reverse<i64>),
    /// The later, the more it weighs: Unix seconds.
    Late(i64),
}

/// A claim's witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held<W> {
    pub(super) by: W,
    pub(super) weight: Weight,
    /// How many different claims came before.
    number: usize,
}

/// A claim with its witness.
pub(super) type Said<'a, W> = (&'a Claim, &'a Held<W>);

/// How many claims of a kind are kept.
struct Room {
    /// In all.
    most: usize,
    /// About one subject: two that differ are enough to show that they do.
    each: usize,
    /// Whether it is told when there were more.
    told: bool,
}

/// What was claimed of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claims<W> {
    held: BTreeMap<Claim, Held<W>>,
    /// How many different claims there are of each kind.
    of_kind: BTreeMap<ClaimKind, usize>,
}

impl Claim {
    /// The least claim about the same subject.
    fn least(&self) -> Self {
        match self {
            Self::Head(index, _) => Self::Head(*index, LEAST),
            Self::Anchor(_) => Self::Anchor(LEAST),
            Self::Close(close) => Self::close_of(close.t),
            Self::Beacon(t, _) => Self::Beacon(*t, LEAST),
            Self::Level(t, _) => Self::Level(*t, String::new()),
            Self::Told { t, .. } => Self::told_of(*t),
            Self::Key(_) => Self::Key(String::new()),
            Self::Address(_) => Self::Address(String::new()),
            Self::Written(_) | Self::Report(..) | Self::WrittenTo(..) | Self::HandedOver(..) => self.clone(),
        }
    }

    /// The least claim about a close.
    pub(super) const fn close_of(t: u32) -> Self {
        Self::Close(Close { t, leaves: BTreeMap::new(), root: LEAST })
    }

    /// The least claim about when a close was told.
    pub(super) const fn told_of(t: u32) -> Self {
        Self::Told { t, root: LEAST, by_server: false, dated: false }
    }

    const fn kind(&self) -> ClaimKind {
        match self {
            Self::Head(..) => ClaimKind::Head,
            Self::Anchor(_) => ClaimKind::Anchor,
            Self::Close(_) => ClaimKind::Close,
            Self::Beacon(..) => ClaimKind::Beacon,
            Self::Level(..) => ClaimKind::Level,
            Self::Told { .. } => ClaimKind::Told,
            Self::Written(_) => ClaimKind::Written,
            Self::Key(_) => ClaimKind::Key,
            Self::Address(_) => ClaimKind::Address,
            Self::Report(..) => ClaimKind::Report,
            Self::WrittenTo(..) => ClaimKind::WrittenTo,
            Self::HandedOver(..) => ClaimKind::HandedOver,
        }
    }

    /// Whether of several claims about one subject the first that came is told first; else it is the least.
    const fn is_in_order_of_coming(&self) -> bool {
        !matches!(self, Self::Head(..) | Self::Anchor(_))
    }

    /// Whether every copy of a mail makes it, and not only the first: one may have come another way, or with more attached.
    pub(super) const fn is_of_each_copy(&self) -> bool {
        matches!(self, Self::Told { .. } | Self::Key(_))
    }
}

impl ClaimKind {
    const fn room(self) -> Room {
        match self {
            Self::Head | Self::Written => Room { most: MOST, each: MOST, told: true },
            Self::Close | Self::Beacon | Self::Level => Room { most: MOST_OF_TURNS, each: 2, told: true },
            // That one adjudication has different closes is a finding of its own.
            Self::Told => Room { most: 2 * MOST_OF_TURNS, each: 4, told: false },
            Self::Key | Self::Address => Room { most: 2, each: 2, told: false },
            Self::Anchor | Self::Report | Self::WrittenTo | Self::HandedOver => {
                Room { most: MOST, each: MOST, told: false }
            }
        }
    }
}

impl Weight {
    /// Whether it stands only in quotations.
    pub(super) const fn is_quoted(self) -> bool {
        matches!(self, Self::Quoted | Self::Signed { own: false })
    }

    pub(super) const fn is_signed(self) -> bool {
        matches!(self, Self::Signed { .. })
    }

    /// The time that it weighs by.
    pub(super) const fn at(self) -> Option<i64> {
        match self {
            Self::Early(Reverse(at)) | Self::Late(at) => Some(at),
            Self::Quoted | Self::Own | Self::Signed { .. } => None,
        }
    }
}

impl<W> Default for Claims<W> {
    fn default() -> Self {
        Self { held: BTreeMap::new(), of_kind: BTreeMap::new() }
    }
}

impl<W: Clone> Claims<W> {
    /// Takes what a witness claims; says whether there was room for it.
    pub(super) fn add(&mut self, claim: Claim, weight: Weight, by: &W) -> bool {
        if let Some(held) = self.held.get_mut(&claim) {
            if held.weight < weight {
                (held.by, held.weight) = (by.clone(), weight);
            }
            return true;
        }
        let (kind, room) = (claim.kind(), claim.kind().room());
        let number = self.count(kind);
        if room.each < room.most && self.about(claim.least()).take(room.each).count() == room.each {
            return true;
        }
        if number >= room.most {
            return !room.told;
        }
        self.of_kind.insert(kind, number + 1);
        self.held.insert(claim, Held { by: by.clone(), weight, number });
        true
    }

    /// Notes that a head bears the host's signature, if it is claimed.
    pub(super) fn sign(&mut self, index: u64, head: Digest) {
        if let Some(held) = self.held.get_mut(&Claim::Head(index, head)) {
            held.weight = Weight::Signed { own: !held.weight.is_quoted() };
        }
    }

    /// How many different claims there are of a kind.
    pub(super) fn count(&self, kind: ClaimKind) -> usize {
        self.of_kind.get(&kind).copied().unwrap_or(0)
    }

    /// Every head, by entry and hash.
    pub(super) fn heads(&self) -> impl Iterator<Item = Said<'_, W>> {
        self.held.range(..Claim::Anchor(LEAST))
    }

    /// Those from this one on.
    pub(super) fn from(&self, least: Claim) -> impl Iterator<Item = Said<'_, W>> {
        self.held.range(least..)
    }

    /// Those about the subject of which this is the least claim.
    fn about(&self, least: Claim) -> impl Iterator<Item = Said<'_, W>> {
        self.held.range(least.clone()..).take_while(move |(claim, _)| claim.least() == least)
    }

    /// What is claimed about each subject: the weightiest first.
    pub(super) fn by_subject(&self) -> impl Iterator<Item = Vec<Said<'_, W>>> {
        let mut all = self.held.iter().peekable();
        std::iter::from_fn(move || {
            let first = all.next()?;
            let least = first.0.least();
            let mut said = vec![first];
            while let Some(next) = all.next_if(|(claim, _)| claim.least() == least) {
                said.push(next);
            }
            said.sort_by_key(|(claim, held)| {
                (Reverse(held.weight), if claim.is_in_order_of_coming() { held.number } else { 0 })
            });
            Some(said)
        })
    }

    /// The head that is shown last, and who shows it.
    pub(super) fn last_head(&self) -> Option<(u64, &W)> {
        match self.held.range(..Claim::Anchor(LEAST)).next_back()? {
            (&Claim::Head(index, _), _) => self.head(index, None).map(|(_, by)| (index, by)),
            _ => None,
        }
    }

    /// The head that is shown of an entry, and by whom: this one, if it is shown at all.
    pub(super) fn head(&self, index: u64, like: Option<Digest>) -> Option<(Digest, &W)> {
        let alike = like.map(|head| Claim::Head(index, head));
        let alike = alike.and_then(|claim| self.held.get_key_value(&claim));
        let (claim, held) = alike.or_else(|| self.about(Claim::Head(index, LEAST)).next())?;
        match claim {
            Claim::Head(_, head) => Some((*head, &held.by)),
            _ => None,
        }
    }

    /// Every anchor, and who shows it.
    pub(super) fn anchors(&self) -> impl Iterator<Item = (Digest, &W)> {
        self.from(Claim::Anchor(LEAST)).map_while(|(claim, held)| match claim {
            Claim::Anchor(anchor) => Some((*anchor, &held.by)),
            _ => None,
        })
    }

    /// Every close, by adjudication, and of one in the order in which they came.
    pub(super) fn closes(&self) -> Vec<(&Close, &W)> {
        let closes = self.from(Claim::close_of(0)).map_while(|(claim, held)| match claim {
            Claim::Close(close) => Some((close, held)),
            _ => None,
        });
        let mut closes: Vec<_> = closes.collect();
        closes.sort_by_key(|(close, held)| (close.t, held.number));
        closes.into_iter().map(|(close, held)| (close, &held.by)).collect()
    }

    /// The log entries within these bounds that claims of a kind name.
    pub(super) fn entries(
        &self,
        claim: impl Fn(u64) -> Claim,
        within: RangeInclusive<u64>,
    ) -> impl DoubleEndedIterator<Item = u64> {
        let held = self.held.range(claim(*within.start())..=claim(*within.end()));
        held.filter_map(|(claim, _)| match claim {
            Claim::Written(index) | Claim::WrittenTo(_, index) | Claim::HandedOver(_, index) => Some(*index),
            _ => None,
        })
    }

    /// The adjudications that each seat was sent the reports before.
    pub(super) fn reports(&self) -> BTreeMap<&Seat, BTreeSet<u32>> {
        let mut reports: BTreeMap<&Seat, BTreeSet<u32>> = BTreeMap::new();
        for claim in self.held.keys() {
            if let Claim::Report(seat, t) = claim {
                reports.entry(seat).or_default().insert(*t);
            }
        }
        reports
    }

    /// What levels are claimed for an adjudication.
    pub(super) fn levels(&self, t: u32) -> Vec<(&str, &W)> {
        let mut levels: Vec<_> = self.about(Claim::Level(t, String::new())).collect();
        levels.sort_by_key(|(_, held)| held.number);
        let level = levels.into_iter().filter_map(|(claim, held)| match claim {
            Claim::Level(_, level) => Some((level.as_str(), &held.by)),
            _ => None,
        });
        level.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(index: u64, n: u32) -> Claim {
        Claim::Head(index, Digest::of(&n.to_be_bytes()))
    }

    #[test]
    fn of_those_who_claim_the_same_the_weightiest_is_kept_and_of_these_the_first() {
        let mut claims = Claims::default();
        for (by, weight) in [(1, Weight::Quoted), (2, Weight::Own), (3, Weight::Own), (4, Weight::Quoted)] {
            assert!(claims.add(head(7, 0), weight, &by));
        }
        let told = Claim::told_of(3);
        for (by, at) in [(1, 20), (2, 10), (3, 10), (4, 30)] {
            assert!(claims.add(told.clone(), Weight::Early(Reverse(at)), &by));
        }
        let by: Vec<(i32, Option<i64>)> =
            claims.by_subject().flatten().map(|(_, held)| (held.by, held.weight.at())).collect();
        assert_eq!(by, [(2, None), (2, Some(10))]);
    }

    #[test]
    fn what_is_signed_comes_first_of_what_is_claimed_of_one_subject() {
        let mut claims = Claims::default();
        let all = [
            (head(1, 0), Weight::Own),
            (head(1, 1), Weight::Quoted),
            (head(2, 2), Weight::Quoted),
            (head(1, 3), Weight::Own),
        ];
        for (claim, weight) in &all {
            assert!(claims.add(claim.clone(), *weight, &()));
        }
        claims.sign(1, Digest::of(&1_u32.to_be_bytes()));
        let [one, two] = &*claims.by_subject().collect::<Vec<_>>() else { panic!("two entries") };
        assert_eq!((one.len(), two.len()), (3, 1));
        assert_eq!(*one[0].0, all[1].0);
        assert!(one[0].1.weight.is_signed() && one[0].1.weight.is_quoted());
    }

    #[test]
    fn there_is_room_for_so_many_claims_of_a_kind() {
        let mut claims = Claims::default();
        let all = MOST as u64;
        assert!((0..all).all(|index| claims.add(head(index, 0), Weight::Own, &())));
        assert!(!claims.add(head(all, 0), Weight::Own, &()) && claims.add(head(0, 0), Weight::Own, &()));
        let levels = ["L0", "L1", "L2"].map(|level| Claim::Level(1, level.to_owned()));
        assert!(levels.iter().rev().all(|level| claims.add(level.clone(), Weight::Own, &())));
        assert_eq!(claims.levels(1).iter().map(|(level, ())| *level).collect::<Vec<_>>(), ["L2", "L1"]);
    }
}
