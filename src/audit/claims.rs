//! One store of what witnesses say of a game. A claim gives a subject a value; two values of one subject contradict each other, and a log
//! holds a claim or denies it (`Book::has`).
//!
//! The store has room for so many claims of each kind, so one kind drives out no other, and a mailbox full of forged mails takes no more memory than one full of true ones.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::place::MailRef;
use super::said::Close;
use musterd_dice::{ChainLines, Digest};

/// The most claims of one kind: a campaign of 1,000 turns has some thousands of heads.
const MOST: usize = 100_000;
/// The most of a kind of which an adjudication has one.
const MOST_OF_TURNS: usize = 20_000;
/// How many kinds of subjects there are.
const KINDS: usize = 8;

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
    /// The key of the host's signatures, as OpenSSH writes it.
    Key,
    /// The address that the host writes from.
    Address,
    /// The hash of an entry, of which is shown only which adjudication was open then.
    Open(u32),
}

/// What a claim says of its subject.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Digest(Digest),
    Close(Close),
    Text(String),
}

/// A value that is claimed of a subject: the claims about one subject follow each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    pub(super) subject: Subject,
    pub(super) value: Value,
}

/// How much a claim weighs: of several mails that claim the same, the one with most weight is kept, and the first of those.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Weight {
    /// Whether the words bear the host's signature.
    pub(super) signed: bool,
    /// Whether they are the words of the host's own mail, and not only quoted.
    pub(super) stated: bool,
}

/// The mail that makes a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Testimony {
    pub(super) by: MailRef,
    pub(super) weight: Weight,
    /// How many different claims came before.
    number: usize,
}

/// A claim with the mail that makes it.
pub(super) type Said<'a> = (&'a Claim, &'a Testimony);

/// What was claimed of one game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Claims {
    held: BTreeMap<Claim, Testimony>,
    /// How many there are of each kind.
    of_kind: [usize; KINDS],
}

impl Subject {
    pub(super) const fn is_head(self) -> bool {
        matches!(self, Self::Head(_))
    }

    /// The number of its kind, how many claims of that kind are kept, and how many values of one subject where not all are: two that differ
    /// are enough to show that they do. That one adjudication has different closes is a finding of its own.
    const fn room(self) -> (usize, usize, usize) {
        match self {
            Self::Head(_) => (0, MOST, MOST),
            Self::Anchor => (1, MOST, MOST),
            Self::Close(_) => (2, MOST_OF_TURNS, 2),
            Self::Beacon(_) => (3, MOST_OF_TURNS, 2),
            Self::Level(_) => (4, MOST_OF_TURNS, 2),
            Self::Key => (5, MOST, 2),
            Self::Address => (6, MOST, 2),
            Self::Open(_) => (7, MOST, MOST),
        }
    }

    pub(super) const fn is(self, value: Value) -> Claim {
        Claim { subject: self, value }
    }
}

impl Value {
    /// The least of all.
    const LEAST: Self = Self::Digest(Digest::new([0; 32]));

    /// The digest by which it is held against a log.
    pub(super) const fn digest(&self) -> Option<Digest> {
        match self {
            Self::Digest(digest) => Some(*digest),
            Self::Close(close) => Some(close.root),
            Self::Text(_) => None,
        }
    }
}

impl Claim {
    pub(super) const fn head(index: u64, head: Digest) -> Self {
        Subject::Head(index).is(Value::Digest(head))
    }

    /// What chain lines claim.
    pub(super) const fn of(lines: &ChainLines) -> Self {
        match lines {
            ChainLines::Numbered(witness) => Self::head(witness.index, witness.head),
            ChainLines::Open(open) => Subject::Open(open.t).is(Value::Digest(open.head)),
        }
    }
}

impl Weight {
    pub(super) const QUOTED: Self = Self { signed: false, stated: false };
    pub(super) const STATED: Self = Self { signed: false, stated: true };
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
        let (kind, most, each) = claim.subject.room();
        if each < most && self.about(claim.subject).count() >= each {
            return true;
        }
        let room = self.of_kind[kind] < most;
        if room {
            self.of_kind[kind] += 1;
            let number = self.held.len();
            self.held.insert(claim, Testimony { by: by.clone(), weight, number });
        }
        room
    }

    /// Notes that a head bears the host's signature, if it is claimed.
    pub(super) fn sign(&mut self, head: &Claim) {
        if let Some(held) = self.held.get_mut(head) {
            held.weight.signed = true;
        }
    }

    /// How many different heads are shown.
    pub(super) const fn count_heads(&self) -> usize {
        self.of_kind[Subject::Head(0).room().0] + self.of_kind[Subject::Open(0).room().0]
    }

    /// Every head that is shown without its number, by adjudication and hash.
    pub(super) fn open_heads(&self) -> impl Iterator<Item = Said<'_>> {
        // It is the greatest of all subjects.
        self.held.range(Subject::Open(0).is(Value::LEAST)..)
    }

    /// Every head with its number, by entry and hash.
    pub(super) fn heads(&self) -> impl DoubleEndedIterator<Item = Said<'_>> {
        // A head is the least of all subjects.
        self.held.range(..Subject::Anchor.is(Value::LEAST))
    }

    /// What is claimed of a subject, by value.
    pub(super) fn about(&self, subject: Subject) -> impl Iterator<Item = Said<'_>> {
        let from = self.held.range(subject.is(Value::LEAST)..);
        from.take_while(move |(claim, _)| claim.subject == subject)
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
        let (last, _) = self.heads().next_back()?;
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
        let closes = self.held.range(Subject::Close(0).is(Value::LEAST)..);
        let closes = closes.map_while(|(claim, held)| match claim {
            Claim { subject: Subject::Close(t), value: Value::Close(close) } => Some((*t, close, held)),
            _ => None,
        });
        let mut closes: Vec<_> = closes.collect();
        closes.sort_by_key(|(t, _, held)| (*t, held.number));
        closes.into_iter().map(|(t, close, held)| (t, close, &held.by)).collect()
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
        for (by, weight) in
            [(1, Weight::QUOTED), (2, Weight::STATED), (3, Weight::STATED), (4, Weight::QUOTED)]
        {
            assert!(claims.add(Claim::head(7, digest(0)), weight, &mail(by)));
        }
        let by: Vec<Option<u64>> = claims.heads().map(|(_, held)| held.by.number).collect();
        assert_eq!(by, [Some(2)]);
    }

    #[test]
    fn what_is_signed_comes_first_of_what_is_claimed_of_one_subject() {
        let mut claims = Claims::default();
        let all = [
            (Claim::head(1, digest(0)), Weight::STATED),
            (Claim::head(1, digest(1)), Weight::QUOTED),
            (Claim::head(2, digest(2)), Weight::QUOTED),
            (Claim::head(1, digest(3)), Weight::STATED),
        ];
        for (claim, weight) in &all {
            assert!(claims.add(claim.clone(), *weight, &mail(1)));
        }
        claims.sign(&Claim::head(1, digest(1)));
        let [one, two] = &*claims.by_subject() else { panic!("two entries") };
        assert_eq!((one.len(), two.len()), (3, 1));
        assert_eq!(*one[0].0, all[1].0);
        assert!(one[0].1.weight.signed && !one[0].1.weight.stated);
    }

    #[test]
    fn there_is_room_for_so_many_claims_of_a_kind() {
        let mut claims = Claims::default();
        let all = MOST as u64;
        let mut add = |claim| claims.add(claim, Weight::STATED, &mail(1));
        assert!((0..all).all(|index| add(Claim::head(index, digest(0)))));
        assert!(!add(Claim::head(all, digest(0))) && add(Claim::head(0, digest(0))));
        let level = |level: &str| Subject::Level(1).is(Value::Text(level.to_owned()));
        assert!(["L2", "L1", "L0"].into_iter().all(|name| add(level(name))));
        let levels = claims.texts(Subject::Level(1));
        assert_eq!(levels.iter().map(|(level, _)| *level).collect::<Vec<_>>(), ["L2", "L1"]);
        assert_eq!((claims.heads().count(), claims.count_heads()), (MOST, MOST));
    }

    #[test]
    fn a_flood_of_closes_drives_out_nothing_but_closes() {
        let mut claims = Claims::default();
        let mut add = |claim| claims.add(claim, Weight::STATED, &mail(1));
        let close =
            |t| Subject::Close(t).is(Value::Close(Close { leaves: BTreeMap::new(), root: digest(t) }));
        let most = MOST_OF_TURNS as u32;
        assert!((0..most).all(|t| add(close(t))) && (most..2 * most).all(|t| !add(close(t))));
        let value = || Value::Digest(digest(0));
        assert!([Subject::Anchor, Subject::Beacon(1)].into_iter().all(|subject| add(subject.is(value()))));
        assert!(add(Claim::head(1, digest(0))) && add(Subject::Level(1).is(Value::Text("L2".to_owned()))));
        assert_eq!((claims.anchors().count(), claims.closes().len()), (1, MOST_OF_TURNS));
    }
}
