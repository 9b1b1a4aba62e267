//! What a seat can check about its own dice before they are revealed (dice.md, "Selective proof").

use super::campaign::Campaign;
use musterd_dice::audit::Proofs;
use musterd_dice::{Digest, Seat, SecretChain, roll_leaves};

impl Campaign {
    /// The leaves of the last adjudication's rolls, in the order of the tree. All seats' proofs are made from them. Empty if nothing ran.
    pub fn leaves_of_rolls(&self, secrets: &SecretChain) -> Vec<Digest> {
        let last = self.last().and_then(|last| Some((last, secrets.secret(last.t)?)));
        last.map_or_else(Vec::new, |(last, secret)| {
            roll_leaves(&secret, &self.charter().game, last.t, &last.rolls)
        })
    }

    /// A seat's own rolls in the last adjudication, with the proof that they are the committed ones. `None` if nothing ran, if the number of rolls is
    /// a secret of the game, or if the adjudication is revealed, so that everybody can check it. `leaves` are [`Self::leaves_of_rolls`].
    pub fn proofs(&self, secrets: &SecretChain, leaves: &[Digest], seat: &Seat) -> Option<Proofs> {
        let last = self.last().filter(|_| self.game().withholds_proofs().is_none())?;
        let secret = secrets.secret(last.t).filter(|_| self.revealed() < last.t)?;
        let tail = self.tail();
        let own = |label: &_| self.game().shows_roll(label, seat);
        let game = &self.charter().game;
        let rolls = Proofs::tree(&secret, game, last.t, leaves, &last.rolls, &own);
        Some(Proofs {
            protocol: Proofs::PROTOCOL.to_owned(),
            game: game.clone(),
            t: last.t,
            seat: seat.clone(),
            from: tail.from,
            before: tail.before?,
            entries: tail.lines.clone(),
            rolls,
        })
    }
}
