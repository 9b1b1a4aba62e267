//! GMs whose mail comes back.

use std::collections::{BTreeMap, BTreeSet};

use crate::books::bookkeeper::Books;
use crate::packet_id::PacketId;
use musterd_desk::GM;
use musterd_dice::GameId;
use musterd_store::{Attempt, StoreError, Tried};

/// The addresses to which the last mail to a GM that was settled did not arrive, by game: read from the ledger once, and kept since.
#[derive(Debug, Default)]
pub(crate) struct FailingGms(BTreeMap<GameId, BTreeSet<String>>);

impl FailingGms {
    /// The addresses that fail, by game.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&GameId, &BTreeSet<String>)> {
        self.0.iter()
    }

    /// Reads from the ledger how it stands with the GMs of these games.
    ///
    /// # Errors
    /// The store.
    pub(crate) fn read<'a>(
        books: &Books,
        games: impl Iterator<Item = &'a GameId>,
    ) -> Result<Self, StoreError> {
        let mut settled = Vec::new();
        for game in games {
            for line in books.ledger_of(&format!("{game}/{GM}/"))? {
                let Some(attempt) = line.last else { continue };
                let at = match &attempt {
                    Attempt::Sent { at, .. } | Attempt::Refused { at, .. } => *at,
                    _ => continue,
                };
                settled.push((at, Tried { packet: line.packet, recipient: line.recipient, attempt }));
            }
        }
        settled.sort_by_key(|(at, tried)| (*at, matches!(tried.attempt, Attempt::Refused { .. })));
        let mut failing = Self::default();
        settled.iter().for_each(|(_, tried)| failing.note(tried));
        Ok(failing)
    }

    /// Takes note of what became of a mail.
    pub(crate) fn note(&mut self, Tried { packet, recipient, attempt }: &Tried) {
        let packet = PacketId(packet);
        let Some(game) = packet.game().filter(|_| packet.is_to_gm()) else { return };
        match attempt {
            Attempt::Refused { .. } => {
                _ = self.0.entry(game).or_default().insert(recipient.to_ascii_lowercase());
            }
            Attempt::Sent { .. } => {
                if let Some(failing) = self.0.get_mut(&game) {
                    failing.remove(&recipient.to_ascii_lowercase());
                }
            }
            _ => {}
        }
    }
}
