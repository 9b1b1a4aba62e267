//! The proofs of seats' own dice among what was kept: each examined, and held against every log that is shown here.

use std::collections::BTreeMap;

use serde::Serialize;

use super::book::Book;
use super::claims::Claims;
use super::contradiction::Contradiction;
use super::evidence::AuditText;
use super::mail::GUEST;
use super::place::FileRef;
use musterd_desk::Game;
use musterd_dice::audit::{Finding, LogLine, NotAnAuditFile, Proofs, Proved, examine_proofs};
use musterd_dice::{Digest, Roll, Seat, SecretChain};

/// A file of proofs, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proven {
    /// Where it lies.
    pub path: String,
    /// Of which adjudication.
    pub t: u32,
    /// Whose dice.
    pub seat: Seat,
    /// How many rolls it shows.
    pub rolls: usize,
    /// How many entries of its log stand in an audit file or a mail too.
    pub compared: usize,
    /// Whether the dice were thrown again, by the secrets of an escrow.
    pub thrown: bool,
    /// What is wrong with it by itself.
    pub findings: Vec<Finding>,
    /// Whether its log is another than what it was compared with, or its dice are not the seat's own.
    pub contradicted: bool,
}

impl Proven {
    /// Whether anything is wrong with it.
    pub fn is_forged(&self) -> bool {
        self.contradicted || !self.findings.is_empty()
    }
}

/// What else shows the log: an audit file, mails, and proofs that were looked at before.
pub(super) struct Known<'a> {
    pub(super) book: Option<&'a Book>,
    pub(super) claims: &'a Claims,
    pub(super) secrets: Option<&'a SecretChain>,
    /// The rules, which say whose a roll is.
    pub(super) game: Option<&'a dyn Game>,
    /// Proofs that were looked at before, and hold.
    pub(super) proofs: BTreeMap<u64, (Digest, FileRef)>,
}

impl Known<'_> {
    /// Examines a file of proofs. What it is held against elsewhere comes with it.
    pub(super) fn examine(
        &mut self,
        file: &AuditText,
        proofs: &Proofs,
    ) -> Result<(Proven, Vec<Contradiction>), NotAnAuditFile> {
        let proved = examine_proofs(&file.text, &[], self.secrets)?;
        let (mut compared, mut contradictions) = (0, self.others(file, &proved));
        let heads = heads(proofs);
        for (index, head) in &heads {
            match self.of(*index, head) {
                Some((known, _, by_proofs)) if known == *head => compared += usize::from(!by_proofs),
                Some((known, place, _)) => {
                    contradictions.push(Contradiction::OtherProofs {
                        proofs: FileRef(file.path.clone()),
                        seat: proofs.seat.to_string(),
                        t: proofs.t,
                        index: *index,
                        shown: *head,
                        place,
                        known,
                    });
                    break;
                }
                None => {}
            }
        }
        if proved.findings.is_empty() && contradictions.is_empty() {
            for (index, head) in heads {
                self.proofs.entry(index).or_insert_with(|| (head, FileRef(file.path.clone())));
            }
        }
        let proven = Proven {
            path: file.path.clone(),
            t: proved.t,
            seat: proved.seat,
            rolls: proved.rolls.len(),
            compared,
            thrown: proved.thrown,
            findings: proved.findings,
            contradicted: !contradictions.is_empty(),
        };
        Ok((proven, contradictions))
    }

    /// Proofs that aren't of the seat's own dice, or were sent to somebody else.
    fn others(&self, file: &AuditText, proved: &Proved) -> Vec<Contradiction> {
        let (proofs, seat) = (|| FileRef(file.path.clone()), proved.seat.to_string());
        // Those who watch are told what every side is told.
        let sent_to = file.sent_to.iter().filter(|to| **to != proved.seat && !to.as_str().starts_with(GUEST));
        let to_another = sent_to.map(|to| Contradiction::OthersProofs {
            proofs: proofs(),
            seat: seat.clone(),
            sent_to: to.to_string(),
        });
        let is_others =
            |roll: &&Roll| self.game.is_some_and(|game| !game.shows_roll(&roll.label, &proved.seat));
        let roll = proved.rolls.iter().find(is_others).map(|roll| Contradiction::OthersRoll {
            proofs: proofs(),
            seat: seat.clone(),
            t: proved.t,
            label: roll.label.to_string(),
        });
        to_another.chain(roll).collect()
    }

    /// The hash of an entry elsewhere, and where: this one if it is shown at all. And whether only proofs show it.
    fn of(&self, index: u64, like: &Digest) -> Option<(Digest, FileRef, bool)> {
        let logged = self.book.and_then(|book| Some((book.head(index)?, book.path.clone())));
        let shown = || self.claims.head(index, Some(*like)).map(|(head, mail)| (head, mail.place()));
        let elsewhere = logged.or_else(shown).map(|(head, place)| (head, place, false));
        elsewhere.or_else(|| self.proofs.get(&index).map(|(head, place)| (*head, place.clone(), true)))
    }
}

/// The heads of the log that proofs show, as they say.
fn heads(proofs: &Proofs) -> Vec<(u64, Digest)> {
    let before = proofs.from.checked_sub(1).map(|index| (index, proofs.before));
    let shown = |(index, line): (u64, &LogLine)| Some((index, line.hash.parse().ok()?));
    before.into_iter().chain((proofs.from..).zip(&proofs.entries).filter_map(shown)).collect()
}
