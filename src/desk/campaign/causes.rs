//! Makes the causes for a campaign's journal: they are decided here, and folded by the code that commits them.

use std::collections::BTreeMap;

use super::super::press::{self, Unsent};
use super::{Campaign, CampaignError};
use crate::mail::Press;
use musterd_dice::{
    Block, Digest, Seat, SecretChain, Streams, Word, leaf, orders_root, press_commit, result_commit,
    rolls_root, seed,
};
use musterd_engine::journal::{Cause, Charter, Player, PressLetter, Received, Sealed, Verdict};
use musterd_engine::{Awaiting, digest_of};

impl Campaign {
    /// The founding of the game, for its journal's first entry.
    pub fn founding(charter: Charter, secrets: &SecretChain) -> Cause {
        Cause::Founded { charter: Box::new(charter), anchor: secrets.anchor() }
    }

    /// The opening of the next window, with the computer players' orders sealed; or the end of the game.
    ///
    /// # Errors
    /// The secret chain is used up.
    pub fn opening(&self, secrets: &SecretChain, deadline: Option<i64>) -> Result<Cause, CampaignError> {
        let t = self.next_t();
        let name = match self.game.awaiting() {
            Awaiting::Founding => founding_name(),
            Awaiting::Orders { name, .. } => name.clone(),
            Awaiting::Over { results } => return Ok(Cause::Ended { results: results.clone() }),
        };
        let secret = secrets.secret(t).ok_or(CampaignError::NoSecret(t))?;
        let sealed = self.charter.players.iter().filter_map(|(seat, player)| {
            let Player::Computer { skill } = player else { return None };
            let lines = match self.game.awaiting() {
                Awaiting::Founding => "JOIN\n".to_owned(),
                // The computer's choices have nothing to do with the dice: they use an unrelated seed, the same on every machine.
                _ => format!("{}\nREADY\n", self.game.play(seat, skill.as_str(), u64::from(t)).trim_end()),
            };
            let block = Block::canonical(&lines);
            let leaf = leaf(&secret, &self.charter.game, t, seat, Some(&block));
            Some(Sealed { seat: seat.clone(), leaf, block })
        });
        Ok(Cause::Opened { t, name, deadline, sealed: sealed.collect() })
    }

    /// The acceptance of a block as its seat's orders for the open window.
    ///
    /// # Errors
    /// No window is open, or the secret chain is used up.
    pub fn acceptance(
        &self,
        secrets: &SecretChain,
        seat: &Seat,
        block: Block,
        mail: &str,
        arrived: i64,
    ) -> Result<Cause, CampaignError> {
        let t = self.window.as_ref().ok_or(CampaignError::NotOpen)?.t;
        let secret = secrets.secret(t).ok_or(CampaignError::NoSecret(t))?;
        let leaf = leaf(&secret, &self.charter.game, t, seat, Some(&block));
        Ok(Cause::Received(Received {
            t,
            seat: Some(seat.clone()),
            mail: mail.to_owned(),
            arrived,
            verdict: Verdict::Accepted { block, leaf },
        }))
    }

    /// The forwarding of a player's letter, or why it is not forwarded. `zone` is the writer's.
    ///
    /// # Errors
    /// The secret chain is used up.
    pub fn pressing(
        &self,
        secrets: &SecretChain,
        from: &Seat,
        given: &Press,
        mail: &str,
        arrived: i64,
        zone: &str,
    ) -> Result<Result<Cause, Unsent>, CampaignError> {
        let Some(window) = &self.window else {
            return Ok(Err(match (self.awaited(), self.draft()) {
                (Some(_), _) => Unsent::Closed,
                (None, Some(_)) => Unsent::BetweenTurns,
                (None, None) => Unsent::Over,
            }));
        };
        let fit = press::accepted(&self.charter, &*self.game, from, given, (window.t, arrived), zone);
        let (to, text, carriage) = match fit {
            Ok(fit) => fit,
            Err(unsent) => return Ok(Err(unsent)),
        };
        let t = window.t;
        let secret = secrets.secret(t).ok_or(CampaignError::NoSecret(t))?;
        let commit = press_commit(&secret, &self.charter.game, t, self.letters.written(), from, &to, &text);
        let (from, mail, anonymous) = (from.clone(), mail.to_owned(), given.anonymous);
        Ok(Ok(Cause::Pressed(PressLetter { t, from, to, mail, arrived, text, commit, anonymous, carriage })))
    }

    /// The close of the open window: every slot's leaf, and the root that binds the dice.
    ///
    /// # Errors
    /// No window is open, or the secret chain is used up.
    pub fn closing(&self, secrets: &SecretChain) -> Result<Cause, CampaignError> {
        let window = self.window.as_ref().ok_or(CampaignError::NotOpen)?;
        let t = window.t;
        let secret = secrets.secret(t).ok_or(CampaignError::NoSecret(t))?;
        let blocks = window.blocks();
        let slot = |seat: &Seat| leaf(&secret, &self.charter.game, t, seat, blocks.get(seat));
        let leaves: BTreeMap<Seat, Digest> =
            self.charter.players.keys().map(|seat| (seat.clone(), slot(seat))).collect();
        let root = orders_root(&self.charter.game, t, &leaves);
        Ok(Cause::Closed { t, leaves, root })
    }

    /// The adjudication of the window that has just closed.
    ///
    /// # Errors
    /// No window was closed, or its beacon has not come; the secret chain is used up; or the ruleset misused the dice.
    pub fn adjudication(&self, secrets: &SecretChain) -> Result<Cause, CampaignError> {
        let closed = self.closed.as_ref().ok_or(CampaignError::NotOpen)?;
        let t = closed.t;
        if self.awaited().is_some() {
            return Err(CampaignError::NoBeacon(t));
        }
        let secret = secrets.secret(t).ok_or(CampaignError::NoSecret(t))?;
        let game = &self.charter.game;
        let root = orders_root(game, t, &closed.leaves);
        let mut dice = Streams::new(seed(&secret, game, t, &root, &closed.beacon_bytes()));
        let outcome = self.game.adjudicate(t, &closed.blocks, &mut dice);
        self.letters.throw(t, &mut dice);
        let rolls = dice.into_rolls()?;
        Ok(Cause::Adjudicated {
            t,
            rolls_root: rolls_root(&secret, game, t, &rolls),
            result_commit: result_commit(&secret, game, t, &digest_of(&outcome.events)),
            rolls,
            events: outcome.events,
        })
    }
}

/// The name of the first adjudication in the log.
fn founding_name() -> Word {
    #[expect(clippy::expect_used, reason = "a constant in the alphabet of words")]
    "founding".parse().expect("a word")
}
