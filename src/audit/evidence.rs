//! What was read, by game: audit files, proofs, and what mails say. Bounded: a mailbox full of forged mails takes no more memory than one
//! full of true ones.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::{Claim, MOST, Weight};
use super::mail::Testimony;
use super::mails::{MOST_BYTES, Mails};
use super::witness::MailRef;
use musterd_dice::{Digest, GameId, Seat};

/// The most bytes of audit files that are kept, as much as the largest one may have.
const MOST_FILE_BYTES: usize = 1 << 30;
/// The most audit files.
const MOST_FILES: usize = 10_000;
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
    /// How many bytes of audit files are kept.
    file_bytes: usize,
    /// How many bytes of proofs are kept.
    proof_bytes: usize,
    pub(super) games: BTreeMap<GameId, Mails>,
    /// Whether there was more than is kept.
    pub(super) overfull: bool,
}

impl Evidence {
    /// Takes an audit file.
    pub fn take_file(&mut self, file: AuditText) {
        self.file_bytes = self.file_bytes.saturating_add(file.text.len());
        // The first one is as large as it may be to be read at all.
        if !self.files.is_empty() && (self.file_bytes > MOST_FILE_BYTES || self.files.len() >= MOST_FILES) {
            self.overfull = true;
            return;
        }
        self.files.push(file);
    }

    /// Takes a file of proofs.
    pub fn take_proofs(&mut self, file: AuditText) {
        let digest = Digest::of(file.text.as_bytes());
        if let Some(known) = self.known_proofs.get(&digest).and_then(|at| self.proofs.get_mut(*at)) {
            known.sent_to.extend(file.sent_to);
            return;
        }
        self.proof_bytes += file.text.len();
        if self.proof_bytes > MOST_BYTES || self.proofs.len() >= MOST {
            self.overfull = true;
            return;
        }
        self.known_proofs.insert(digest, self.proofs.len());
        self.proofs.push(file);
    }

    /// Takes a mail; says whether the host wrote it, and for which game it is, if for any.
    pub(super) fn take_mail(&mut self, mail: MailRef, testimony: Testimony) -> Option<bool> {
        let game = testimony.game.clone()?;
        if !self.has_room_for(&game) {
            self.overfull = true;
            return None;
        }
        let is_hosts = testimony.is_hosts;
        // A mail may quote another game's.
        for head in &testimony.heads {
            if self.has_room_for(&head.witness.game) {
                let mails = self.games.entry(head.witness.game.clone()).or_default();
                let weight = if head.quoted || !is_hosts { Weight::Quoted } else { Weight::Own };
                let claim = Claim::Head(head.witness.index, head.witness.head);
                self.overfull |= !mails.claims.add(claim, weight, &mail);
            }
        }
        let mails = self.games.entry(game).or_default();
        self.overfull |= !mails.take(mail, testimony);
        Some(is_hosts)
    }

    fn has_room_for(&self, game: &GameId) -> bool {
        self.games.len() < MOST_GAMES || self.games.contains_key(game)
    }
}
