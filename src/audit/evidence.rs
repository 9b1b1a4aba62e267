//! What was read, by game: audit files, proofs, and what mails say. Bounded: a mailbox full of forged mails takes no more memory than one
//! full of true ones.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::{Claim, Weight};
use super::mail::Mail;
use super::mails::Mails;
use musterd_dice::{Digest, GameId, Seat};

/// The most bytes of audit files and proofs that are kept, as much as the largest file may have.
const MOST_BYTES: usize = 1 << 30;
/// What each costs besides its text and its path, in bytes.
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

/// Everything that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    pub(super) files: Vec<AuditText>,
    /// Files of proofs, each once.
    pub(super) proofs: Vec<AuditText>,
    /// By which a second copy of proofs is known, with its place among them.
    known_proofs: BTreeMap<Digest, usize>,
    /// How many bytes of both are kept.
    bytes: usize,
    pub(super) games: BTreeMap<GameId, Mails>,
    /// Whether there was more than is kept.
    pub(super) overfull: bool,
}

impl Evidence {
    /// Takes an audit file.
    pub fn take_file(&mut self, file: AuditText) {
        if self.has_room_for(&file) {
            self.files.push(file);
        }
    }

    /// Takes a file of proofs.
    pub fn take_proofs(&mut self, file: AuditText) {
        let digest = Digest::of(file.text.as_bytes());
        if let Some(known) = self.known_proofs.get(&digest).and_then(|at| self.proofs.get_mut(*at)) {
            known.sent_to.extend(file.sent_to);
        } else if self.has_room_for(&file) {
            self.known_proofs.insert(digest, self.proofs.len());
            self.proofs.push(file);
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
            let claim = Claim::head(head.witness.index, head.witness.head);
            let mails = self.mails_of(&head.witness.game);
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

    fn has_room_for(&mut self, file: &AuditText) -> bool {
        let bytes = self.bytes + file.text.len() + file.path.len() + EACH;
        // The first one is as large as it may be to be read at all.
        let room = bytes <= MOST_BYTES || self.bytes == 0;
        if room {
            self.bytes = bytes;
        }
        self.overfull |= !room;
        room
    }
}
