//! One store of what witnesses say of a game. A claim gives a subject a value; two values of one subject contradict each other, and a log
//! holds a claim or denies it (`Book::has`).
//!
//! The store has room for so many claims, so a mailbox full of forged mails takes no more memory than one full of true ones.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::place::MailRef;
use super::said::Close;
use musterd_dice::{Digest, Seat};

/// The most claims about heads; a campaign of 1,000 turns has some thousands.
const MOST_HEADS: usize = 100_000;
/// The most about all else: a mail brings several.
const MOST_OTHERS: usize = 500_000;

/// What a claim is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    /// The hash of a log entry.
    Head(u64),
    /// The anchor of the host's secrets.
    Anchor,
    /// What the dice of an adjudication were bound to.
    Close(u32),
    /// What the public beacon gave for an adjudication.
    Beacon(u32),
    /// The level of an adjudication's dice.
    Level(u32),
    /// How a mail brought the close of an adjudication.
    Told(u32),
    /// That the log ended with this entry when a mail was written.
    Written(u64),
    /// The key of the host's signatures, as OpenSSH writes it.
    Key,
    /// The address that the host writes from.
    Address,
    /// That a seat was asked for its orders for an adjudication, with the report of what was before.
    Report(Seat, u32),
    /// That a seat was written to when the log ended with this entry, but for the last word to somebody who plays it no more.
    WrittenTo(Seat, u64),
    /// That somebody was told then that the seat is his, or no more.
    HandedOver(Seat, u64),
}

/// What a claim says of its subject.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// No more than the subject.
    Itself,
    Digest(Digest),
    Close(Close),
    /// The root; whether a server says when the mail came, or its `Date`, or nobody.
    Told {
        root: Digest,
        by_server: bool,
        dated: bool,
    },
    Text(String),
}

/// A value that is claimed of a subject: the claims about one subject follow each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    pub(super) subject: Subject,
    pub(super) value: Value,
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
pub(super) struct Held {
    pub(super) by: MailRef,
    pub(super) weight: Weight,
    /// How many different claims came before.
    number: usize,
}

/// A claim with its witness.
pub(super) type Said<'a> = (&'a Claim, &'a Held);

/// What was claimed of one game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Claims {
    held: BTreeMap<Claim, Held>,
    /// How many of them are heads.
    heads: usize,
}

impl Subject {
    pub(super) const fn is_head(&self) -> bool {
        matches!(self, Self::Head(_))
    }

    /// How many values of it are kept, where not all are: two that differ are enough to show that they do. That one adjudication has
    /// different closes is a finding of its own.
    const fn most_values(&self) -> Option<usize> {
        match self {
            Self::Close(_) | Self::Beacon(_) | Self::Level(_) | Self::Key | Self::Address => Some(2),
            Self::Told(_) => Some(4),
            _ => None,
        }
    }

    pub(super) const fn is(self, value: Value) -> Claim {
        Claim { subject: self, value }
    }
}

impl Value {
    /// The digest by which it is held against a log.
    pub(super) const fn digest(&self) -> Option<Digest> {
        match self {
            Self::Digest(digest) => Some(*digest),
            Self::Close(close) => Some(close.root),
            Self::Told { root, .. } => Some(*root),
            Self::Itself | Self::Text(_) => None,
        }
    }
}

impl Claim {
    pub(super) const fn head(index: u64, head: Digest) -> Self {
        Subject::Head(index).is(Value::Digest(head))
    }

    /// Whether every copy of a mail makes it, and not only the first: one may have come another way, or with more attached.
    pub(super) const fn is_of_each_copy(&self) -> bool {
        matches!(self.subject, Subject::Told(_) | Subject::Key)
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

impl Claims {
    /// Takes what a witness claims; says whether there was room for it.
    pub(super) fn add(&mut self, claim: Claim, weight: Weight, by: &MailRef) -> bool {
        if let Some(held) = self.held.get_mut(&claim) {
            if held.weight < weight {
                (held.by, held.weight) = (by.clone(), weight);
            }
            return true;
        }
        if claim.subject.most_values().is_some_and(|most| self.about(claim.subject.clone()).count() >= most) {
            return true;
        }
        let is_head = claim.subject.is_head();
        let others = self.held.len() - self.heads;
        let room = if is_head { self.heads < MOST_HEADS } else { others < MOST_OTHERS };
        if room {
            self.heads += usize::from(is_head);
            let number = self.held.len();
            self.held.insert(claim, Held { by: by.clone(), weight, number });
        }
        room
    }

    /// Notes that a head bears the host's signature, if it is claimed.
    pub(super) fn sign(&mut self, index: u64, head: Digest) {
        if let Some(held) = self.held.get_mut(&Claim::head(index, head)) {
            held.weight = Weight::Signed { own: !held.weight.is_quoted() };
        }
    }

    /// How many different heads are shown.
    pub(super) const fn count_heads(&self) -> usize {
        self.heads
    }

    /// Every head, by entry and hash.
    pub(super) fn heads(&self) -> impl Iterator<Item = Said<'_>> {
        // A head is the least of all subjects.
        self.held.iter().take(self.heads)
    }

    /// Those from this subject on.
    pub(super) fn from(&self, subject: Subject) -> impl Iterator<Item = Said<'_>> {
        self.held.range(subject.is(Value::Itself)..)
    }

    /// What is claimed of a subject, by value.
    pub(super) fn about(&self, subject: Subject) -> impl Iterator<Item = Said<'_>> {
        self.from(subject.clone()).take_while(move |(claim, _)| claim.subject == subject)
    }

    /// What is claimed of each subject: the weightiest first, and of these the first that came; of heads and anchors the least.
    pub(super) fn by_subject(&self) -> Vec<Vec<Said<'_>>> {
        let all: Vec<Said<'_>> = self.held.iter().collect();
        let of_each = all.chunk_by(|(one, _), (other, _)| one.subject == other.subject).map(|said| {
            let mut said = said.to_vec();
            said.sort_by_key(|(claim, held)| match claim.subject {
                Subject::Head(_) | Subject::Anchor => (Reverse(held.weight), 0),
                _ => (Reverse(held.weight), held.number),
            });
            said
        });
        of_each.collect()
    }

    /// The head that is shown last, and who shows it.
    pub(super) fn last_head(&self) -> Option<(u64, &MailRef)> {
        let (last, _) = self.held.range(..Subject::Anchor.is(Value::Itself)).next_back()?;
        let Subject::Head(index) = last.subject else { return None };
        self.head(index, None).map(|(_, by)| (index, by))
    }

    /// The head that is shown of an entry, and by whom: this one, if it is shown at all.
    pub(super) fn head(&self, index: u64, like: Option<Digest>) -> Option<(Digest, &MailRef)> {
        let alike = like.and_then(|head| self.held.get_key_value(&Claim::head(index, head)));
        let (claim, held) = alike.or_else(|| self.about(Subject::Head(index)).next())?;
        Some((claim.value.digest()?, &held.by))
    }

    /// Every anchor, and who shows it.
    pub(super) fn anchors(&self) -> impl Iterator<Item = (Digest, &MailRef)> {
        self.about(Subject::Anchor).filter_map(|(claim, held)| Some((claim.value.digest()?, &held.by)))
    }

    /// Every close with its adjudication, and of one in the order in which they came.
    pub(super) fn closes(&self) -> Vec<(u32, &Close, &MailRef)> {
        let closes = self.from(Subject::Close(0)).map_while(|(claim, held)| match claim {
            Claim { subject: Subject::Close(t), value: Value::Close(close) } => Some((*t, close, held)),
            _ => None,
        });
        let mut closes: Vec<_> = closes.collect();
        closes.sort_by_key(|(t, _, held)| (*t, held.number));
        closes.into_iter().map(|(t, close, held)| (t, close, &held.by)).collect()
    }

    /// The log entries within these bounds that claims of a kind name.
    pub(super) fn entries(
        &self,
        subject: impl Fn(u64) -> Subject,
        within: RangeInclusive<u64>,
    ) -> impl DoubleEndedIterator<Item = u64> {
        let bounds = subject(*within.start()).is(Value::Itself)..=subject(*within.end()).is(Value::Itself);
        self.held.range(bounds).filter_map(|(claim, _)| match claim.subject {
            Subject::WrittenTo(_, index) | Subject::HandedOver(_, index) => Some(index),
            _ => None,
        })
    }

    /// The adjudications that each seat was sent the reports before.
    pub(super) fn reports(&self) -> BTreeMap<&Seat, BTreeSet<u32>> {
        let mut reports: BTreeMap<&Seat, BTreeSet<u32>> = BTreeMap::new();
        for claim in self.held.keys() {
            if let Subject::Report(seat, t) = &claim.subject {
                reports.entry(seat).or_default().insert(*t);
            }
        }
        reports
    }

    /// The texts that are claimed of a subject, in the order in which they came.
    pub(super) fn texts(&self, subject: Subject) -> Vec<(&str, &MailRef)> {
        let mut all: Vec<_> = self.about(subject).collect();
        all.sort_by_key(|(_, held)| held.number);
        let texts = all.into_iter().filter_map(|(claim, held)| match &claim.value {
            Value::Text(text) => Some((text.as_str(), &held.by)),
            _ => None,
        });
        texts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(n: u32) -> Digest {
        Digest::of(&n.to_be_bytes())
    }

    fn mail(number: u64) -> MailRef {
        MailRef { path: "red.mbox".to_owned(), number: Some(number), subject: String::new() }
    }

    #[test]
    fn of_those_who_claim_the_same_the_weightiest_is_kept_and_of_these_the_first() {
        let mut claims = Claims::default();
        for (by, weight) in [(1, Weight::Quoted), (2, Weight::Own), (3, Weight::Own), (4, Weight::Quoted)] {
            assert!(claims.add(Claim::head(7, digest(0)), weight, &mail(by)));
        }
        let told = Subject::Told(3).is(Value::Told { root: digest(0), by_server: false, dated: false });
        for (by, at) in [(1, 20), (2, 10), (3, 10), (4, 30)] {
            assert!(claims.add(told.clone(), Weight::Early(Reverse(at)), &mail(by)));
        }
        let by: Vec<(Option<u64>, Option<i64>)> =
            claims.by_subject().concat().iter().map(|(_, held)| (held.by.number, held.weight.at())).collect();
        assert_eq!(by, [(Some(2), None), (Some(2), Some(10))]);
    }

    #[test]
    fn what_is_signed_comes_first_of_what_is_claimed_of_one_subject() {
        let mut claims = Claims::default();
        let all = [
            (Claim::head(1, digest(0)), Weight::Own),
            (Claim::head(1, digest(1)), Weight::Quoted),
            (Claim::head(2, digest(2)), Weight::Quoted),
            (Claim::head(1, digest(3)), Weight::Own),
        ];
        for (claim, weight) in &all {
            assert!(claims.add(claim.clone(), *weight, &mail(1)));
        }
        claims.sign(1, digest(1));
        let [one, two] = &*claims.by_subject() else { panic!("two entries") };
        assert_eq!((one.len(), two.len()), (3, 1));
        assert_eq!(*one[0].0, all[1].0);
        assert!(one[0].1.weight.is_signed() && one[0].1.weight.is_quoted());
    }

    #[test]
    fn there_is_room_for_so_many_claims_of_a_kind() {
        let mut claims = Claims::default();
        let all = MOST_HEADS as u64;
        let mut add = |claim| claims.add(claim, Weight::Own, &mail(1));
        assert!((0..all).all(|index| add(Claim::head(index, digest(0)))));
        assert!(!add(Claim::head(all, digest(0))) && add(Claim::head(0, digest(0))));
        let level = |level: &str| Subject::Level(1).is(Value::Text(level.to_owned()));
        assert!(["L2", "L1", "L0"].into_iter().all(|name| add(level(name))));
        let levels = claims.texts(Subject::Level(1));
        assert_eq!(levels.iter().map(|(level, _)| *level).collect::<Vec<_>>(), ["L2", "L1"]);
        assert_eq!(claims.heads().count(), MOST_HEADS);
    }
}
