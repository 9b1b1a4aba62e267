//! What was read, by game: audit files, proofs, and what mails say. Bounded: a mailbox full of forged mails takes no more memory than one
//! full of true ones.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::{Claim, Weight};
use super::mail::Mail;
use super::mails::Mails;
use musterd_dice::{Digest, GameId, Seat};

/// The most bytes of audit files that are kept of those attached to mails, and as many of the others: as much as the largest one may have, with its path.
const MOST_FILE_BYTES: usize = (1 << 30) + (1 << 20);
/// The most audit files that were attached to mails.
const MOST_ATTACHED: usize = 10_000;
/// The most bytes of proofs.
const MOST_PROOF_BYTES: usize = 64 << 20;
/// The most files of proofs that were attached to mails.
const MOST_PROOFS: usize = 100_000;
/// What each file costs besides its text and its path, in bytes.
const EACH: usize = 256;
/// The most games that are looked at in one go.
const MOST_GAMES: usize = 1000;

/// An audit file, or a file of proofs, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditText {
    /// Where it lies: a file, or its name and the mail to which it was attached.
    pub path: String,
    /// Whether it was attached to a mail.
    pub attached: bool,
    /// Whose dispatches it came with.
    pub sent_to: BTreeSet<Seat>,
    /// The whole of it.
    pub text: String,
}

/// Files of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Texts {
    pub(super) all: Vec<AuditText>,
    /// How many bytes of those that were attached to mails, and of those that were not: mails take no room from what somebody names.
    attached_bytes: usize,
    named_bytes: usize,
    attached: usize,
}

impl Texts {
    /// Takes a file, if there is room for it: so many bytes of what was attached to mails, as many of what was not, and so many attached files are
    /// kept. Says whether there was.
    fn take(&mut self, file: AuditText, most_bytes: usize, most_attached: usize) -> bool {
        let kept = if file.attached { &mut self.attached_bytes } else { &mut self.named_bytes };
        let bytes = *kept + file.text.len() + file.path.len() + EACH;
        let room = bytes <= most_bytes && (!file.attached || self.attached < most_attached);
        if room {
            *kept = bytes;
            self.attached += usize::from(file.attached);
            self.all.push(file);
        }
        room
    }
}

/// Everything that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    pub(super) files: Texts,
    /// Files of proofs, each once.
    pub(super) proofs: Texts,
    /// By which a second copy of proofs is known, with its place among them.
    known_proofs: BTreeMap<Digest, usize>,
    pub(super) games: BTreeMap<GameId, Mails>,
    /// Whether there was more than is kept.
    pub(super) overfull: bool,
}

impl Evidence {
    /// Takes an audit file.
    pub fn take_file(&mut self, file: AuditText) {
        self.overfull |= !self.files.take(file, MOST_FILE_BYTES, MOST_ATTACHED);
    }

    /// Takes a file of proofs.
    pub fn take_proofs(&mut self, file: AuditText) {
        let digest = Digest::of(file.text.as_bytes());
        if let Some(known) = self.known_proofs.get(&digest).and_then(|at| self.proofs.all.get_mut(*at)) {
            known.sent_to.extend(file.sent_to);
        } else if self.proofs.take(file, MOST_PROOF_BYTES, MOST_PROOFS) {
            self.known_proofs.insert(digest, self.proofs.all.len() - 1);
        } else {
            self.overfull = true;
        }
    }

    /// Takes a mail; says whether the host of a game wrote it.
    pub(super) fn take_mail(&mut self, mail: Mail) -> bool {
        let (Some(game), is_hosts) = (mail.game.clone(), mail.is_hosts) else { return false };
        if self.mails_of(&game).is_none() {
            return false;
        }
        // A mail may quote another game's.
        for head in &mail.heads {
            let weight = if head.quoted || !is_hosts { Weight::QUOTED } else { Weight::STATED };
            let claim = Claim::of(&head.lines);
            let mails = self.mails_of(head.lines.game());
            let room = mails.is_some_and(|mails| mails.claims.add(claim, weight, &mail.at));
            self.overfull |= !room;
        }
        let room = self.mails_of(&game).is_some_and(|mails| mails.take(mail));
        self.overfull |= !room;
        is_hosts
    }

    /// The mails of a game, if there is room for those of another.
    fn mails_of(&mut self, game: &GameId) -> Option<&mut Mails> {
        if self.games.len() >= MOST_GAMES && !self.games.contains_key(game) {
            self.overfull = true;
            return None;
        }
        Some(self.games.entry(game.clone()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> AuditText {
        AuditText { path: "x".to_owned(), attached: true, sent_to: BTreeSet::new(), text: text.to_owned() }
    }

    #[test]
    fn proofs_take_no_room_from_audit_files() {
        let mut evidence = Evidence::default();
        evidence.take_proofs(file("proofs"));
        evidence.take_proofs(file("proofs"));
        assert_eq!((evidence.proofs.all.len(), evidence.files.attached_bytes), (1, 0));
        // The largest file is as large as may be read, whatever was read before.
        assert!(MOST_FILE_BYTES >= crate::sources::LARGEST_FILE as usize + EACH);
        evidence.take_file(file("audit file"));
        assert_eq!((evidence.files.all.len(), evidence.overfull), (1, false));
    }

    #[test]
    fn there_is_room_for_so_many_files_and_for_so_many_bytes() {
        let mut texts = Texts::default();
        assert!(texts.take(file("a"), MOST_FILE_BYTES, 2) && texts.take(file("b"), MOST_FILE_BYTES, 2));
        assert!(!texts.take(file("c"), MOST_FILE_BYTES, 2));
        let most = texts.attached_bytes + "xd".len() + EACH;
        assert!(!texts.take(file("de"), most, 9) && texts.take(file("d"), most, 9));
        // What somebody names has room of its own.
        let named = |text: &str| AuditText { attached: false, ..file(text) };
        assert!(texts.take(named("e"), most, 2) && texts.take(named("f"), most, 2));
        let most = texts.named_bytes + "xd".len() + EACH;
        assert!(!texts.take(named("de"), most, 9) && texts.take(named("d"), most, 9));
    }
}
