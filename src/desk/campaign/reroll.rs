//! A roll of the turn that ran last, thrown again with the consent of all (dice.md, "Re-rolls"): who has to consent, and the effects. Nothing changes
//! until all have consented.

use std::collections::{BTreeMap, BTreeSet};

use super::{Adjudicated, Campaign, CampaignError};
use crate::desk::Desk;
use crate::life::ProposedReroll;
use crate::taken_back::Correction;
use musterd_dice::{
    Assurance, Block, Digest, Label, Rerolled, Seat, SecretChain, Word, leaf, orders_root, result_commit,
    rolls_root, seed,
};
use musterd_engine::digest_of;
use musterd_engine::journal::{Cause, Change, Entry, Player, Reroll, Sealed};

/// Why a roll can't be thrown again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoReroll {
    /// No turn has run, or the last turn was corrected since.
    #[error(
        "no turn has run, or the last one was corrected since: only a roll of a turn as it ran can be thrown again"
    )]
    Nothing,
    /// The turn has no such roll.
    #[error("turn {t} made no roll `{label}`; it made: {}", .made.join(", "))]
    NoSuchRoll {
        /// The turn that ran last.
        t: u32,
        /// The label that was asked for.
        label: String,
        /// The labels of the turn's rolls.
        made: Vec<String>,
    },
    /// The roll is for a courier's dangers.
    #[error("what befell a letter on its way is no part of the position, and stays as it fell")]
    Courier,
    /// A seat has nobody who can consent.
    #[error("nobody plays {0}, and every seat has to consent")]
    NobodyPlays(Seat),
    /// The game's dice wait for a beacon.
    #[error("in a game whose dice wait for a public beacon no roll is thrown again")]
    Beacon,
    /// The game ended while this adjudication was open.
    #[error("the game was ended while turn {0} was open, so no roll is thrown again any more")]
    Abandoned(u32),
    /// No person plays who could be asked.
    #[error("no person plays in this game who could consent")]
    NoPeople,
}

/// Why a consent isn't accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoConsent {
    /// No consent was asked for.
    #[error("nobody has asked to throw a roll again, or the time for that is over")]
    NothingAsked,
    /// The consent to another roll was asked for.
    #[error("the roll that is to be thrown again is {0}")]
    OtherRoll(Label),
}

impl Campaign {
    /// The label of a roll of the turn that ran last, if that can be thrown again. `entries` is the whole journal.
    ///
    /// # Errors
    /// It can't; the error says why.
    pub fn rollable(&self, entries: &[Entry], label: &str) -> Result<Label, NoReroll> {
        if self.charter.beacon.is_some() {
            return Err(NoReroll::Beacon);
        }
        if let Some(t) = self.abandoned {
            return Err(NoReroll::Abandoned(t));
        }
        let (at, t) = self.ran_last(entries).ok_or(NoReroll::Nothing)?;
        let Cause::Adjudicated { rolls, .. } = &entries[at].cause else { return Err(NoReroll::Nothing) };
        let Some(roll) = rolls.iter().find(|roll| roll.label.as_str() == label) else {
            let made = rolls.iter().map(|roll| roll.label.to_string()).collect();
            return Err(NoReroll::NoSuchRoll { t, label: label.to_owned(), made });
        };
        if label.split('/').nth(1) == Some("courier") {
            return Err(NoReroll::Courier);
        }
        let players = &self.charter.players;
        if let Some((seat, _)) = players.iter().find(|(_, player)| **player == Player::Open) {
            return Err(NoReroll::NobodyPlays(seat.clone()));
        }
        if !players.values().any(|player| matches!(player, Player::Mail { .. })) {
            return Err(NoReroll::NoPeople);
        }
        Ok(roll.label.clone())
    }

    /// The index in the journal and the number of the turn that ran last; `None` if its position was changed since, by hand or by another reroll.
    fn ran_last(&self, entries: &[Entry]) -> Option<(usize, u32)> {
        let last = self.last.as_ref()?.t;
        let at =
            entries.iter().rposition(|e| matches!(e.cause, Cause::Adjudicated { t, .. } if t == last))?;
        let changed = |entry: &Entry| {
            matches!(entry.cause, Cause::Amended(_) | Cause::Rerun { .. } | Cause::Rerolled(_))
        };
        (!entries[at..].iter().any(changed)).then_some((at, last))
    }

    /// The seats whose players have not consented yet, if they were asked.
    pub fn consents_missing(&self) -> Option<BTreeSet<Seat>> {
        let asked = self.life.reroll.as_ref()?;
        let people =
            self.charter.players.iter().filter(|(_, player)| !matches!(player, Player::Computer { .. }));
        Some(
            people
                .filter(|(seat, _)| !asked.consents.contains_key(*seat))
                .map(|(seat, _)| seat.clone())
                .collect(),
        )
    }

    /// A player's consent, with words for the dice, for the journal.
    ///
    /// # Errors
    /// The consent isn't accepted; the error says why.
    pub fn consenting(&self, seat: &Seat, label: &Label, salt: &str) -> Result<Change, NoConsent> {
        let asked = self.life.reroll.as_ref().ok_or(NoConsent::NothingAsked)?;
        if asked.label != *label {
            return Err(NoConsent::OtherRoll(asked.label.clone()));
        }
        Ok(Change::Consented { seat: seat.clone(), block: Block::consent(label, salt) })
    }

    /// The reroll and its effects on the turn, for the journal; `None` while a consent is missing. The open window has to be void when this is
    /// committed. `entries` is the whole journal.
    ///
    /// # Errors
    /// The journal is damaged, the secret chain is used up, or the ruleset misused the dice.
    pub fn rerolling(
        &self,
        desk: &Desk,
        entries: &[Entry],
        secrets: &SecretChain,
    ) -> Result<Option<Cause>, CampaignError> {
        if self.consents_missing().is_none_or(|missing| !missing.is_empty()) {
            return Ok(None);
        }
        let (Some(ProposedReroll { label, consents }), Some((at, of))) =
            (&self.life.reroll, self.ran_last(entries))
        else {
            return Ok(None);
        };
        let past = Self::fold(desk, &entries[..at])?;
        let Some(closed) = &past.closed else { return Ok(None) };
        let t = self.window.as_ref().map_or(self.next_t, |window| window.t + 1);
        let game = &self.charter.game;
        let secret = |t| secrets.secret(t).ok_or(CampaignError::NoSecret(t));
        let (before, anew) = (secret(of)?, secret(t)?);
        let sealed = |(seat, block): (&Seat, Block)| {
            let leaf = leaf(&anew, game, t, seat, Some(&block));
            Sealed { seat: seat.clone(), leaf, block }
        };
        let house: Vec<Sealed> =
            self.charter.house().map(|seat| sealed((seat, Block::consent(label, "")))).collect();
        let consents: Vec<Sealed> =
            consents.iter().map(|(seat, block)| sealed((seat, block.clone()))).collect();
        let root = orders_root(game, t, &leaves_of(&house, &consents));
        let seed_before = seed(&before, game, of, &orders_root(game, of, &closed.leaves), b"");
        let mut dice = Rerolled::new(label, seed_before, seed(&anew, game, t, &root, b""));
        let events = past.game.adjudicate(of, &closed.blocks, &mut dice).events;
        let rolls = dice.into_rolls()?;
        Ok(Some(Cause::Rerolled(Box::new(Reroll {
            t,
            name: name_of(of),
            of,
            label: label.clone(),
            house,
            consents,
            root,
            rolls_root: rolls_root(&anew, game, t, &rolls),
            result_commit: result_commit(&anew, game, t, &digest_of(&events)),
            rolls,
            events,
        }))))
    }

    /// Folds a reroll; `None` if it can't follow the entries before it.
    pub(super) fn rerolled(
        &mut self,
        at: i64,
        counts: bool,
        reroll: &Reroll,
    ) -> Result<Option<()>, CampaignError> {
        if self.window.is_some() || self.closed.is_some() || reroll.t != self.next_t {
            return Ok(None);
        }
        self.next_t = reroll.t + 1;
        self.life.stood_still = 0;
        self.life.reroll = None;
        let narration = std::mem::take(&mut self.life.narration);
        if counts {
            self.game.adopt(&reroll.events)?;
            // Both throws count: the first stays on record, and only its result is replaced.
            let thrown = self.last.iter().filter(|last| last.t == reroll.of).flat_map(|last| &last.rolls);
            thrown.chain(&reroll.rolls).for_each(|roll| self.dice.add(roll));
            let all = reroll.house.iter().chain(&reroll.consents);
            let blocks: BTreeMap<Seat, Block> = all.map(|s| (s.seat.clone(), s.block.clone())).collect();
            let house: BTreeSet<Seat> = reroll.house.iter().map(|sealed| sealed.seat.clone()).collect();
            self.correction = Some(Correction::Rerolled { of: reroll.of, label: reroll.label.clone() });
            self.last = Some(Adjudicated {
                t: reroll.t,
                name: reroll.name.clone(),
                assurance: Assurance::of(&house, &house, &blocks, b""),
                leaves: leaves_of(&reroll.house, &reroll.consents),
                beacon: None,
                rolls: reroll.rolls.clone(),
                at,
                missing: BTreeMap::new(),
                narration,
                edits: Vec::new(),
            });
        }
        Ok(Some(()))
    }
}

fn leaves_of(house: &[Sealed], consents: &[Sealed]) -> BTreeMap<Seat, Digest> {
    house.iter().chain(consents).map(|sealed| (sealed.seat.clone(), sealed.leaf)).collect()
}

/// The name in the log of the adjudication that throws a roll of `of` again.
fn name_of(of: u32) -> Word {
    #[expect(clippy::expect_used, reason = "letters and digits are a word")]
    format!("reroll-of-{of}").parse().expect("a word")
}
