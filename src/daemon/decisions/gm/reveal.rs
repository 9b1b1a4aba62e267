//! What is revealed before the end of a game: by its terms, or because the GM decides so.

use super::GmOrder;
use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::response::{Responded, done, undone, undone_at};
use musterd_desk::campaign::CampaignError;
use musterd_desk::reveal::revealed;
use musterd_engine::journal::{Author, Change};
use musterd_engine::terms::Reveal;

impl Sitting<'_> {
    /// Journals what the terms reveal now, if they do; the dispatches that follow tell it.
    pub(crate) fn reveal_by_terms(&mut self) -> Result<bool, HostError> {
        // Only then is the whole journal needed.
        if self.campaign().charter().terms.reveal == Reveal::End {
            return Ok(false);
        }
        let entries = self.entries()?;
        let Some(upto) = self.campaign().to_reveal(&entries) else { return Ok(false) };
        let (change, text) = self.revelation(upto)?;
        self.arrange(Author::Host, change, text)?;
        tracing::info!(game = %self.game, upto, "revealed");
        Ok(true)
    }

    /// The change that reveals everything up to an adjudication, and what the log says of it.
    fn revelation(&mut self, upto: u32) -> Result<(Change, String), HostError> {
        let secret = self
            .chain()?
            .secret(upto)
            .ok_or_else(|| HostError::campaign(&self.game, CampaignError::NoSecret(upto)))?;
        let secret = secret.reveal();
        Ok((Change::Revealed { upto, secret }, format!("reveal {upto} {secret}")))
    }
}

impl GmOrder<'_, '_> {
    /// `REVEAL turn`: the turns up to this one become public.
    pub(super) fn reveal(&mut self, turn: &str) -> Responded {
        let game = self.game.clone();
        let entries = self.entries()?;
        let campaign = self.campaign();
        if campaign.results().is_some() {
            return undone("The game is over: all of it is revealed.");
        }
        let told = campaign.ran().iter().filter(|(t, _)| campaign.draft().is_none_or(|draft| draft.t != **t));
        let named = told.rev().find(|(t, name)| turn == t.to_string() || turn == name.as_str());
        let Some((&upto, name)) = named else {
            return undone_at(turn, format!("No turn {turn} has run, been told of, and counts."));
        };
        let name = name.clone();
        let (known, most) = (revealed(&entries), campaign.may_be_revealed(&entries));
        if upto <= known {
            return undone_at(turn, format!("Turns up to {known} are revealed already."));
        }
        if upto > most {
            let which = match most {
                0 => "Nothing can be revealed now.".to_owned(),
                most => format!("Turns up to {most} can be revealed."),
            };
            return undone_at(
                turn,
                format!(
                    "Standing orders that were given in turn {} are still in force, and its orders would show them. {which}",
                    most + 1
                ),
            );
        }
        if !self.confirmed {
            return self.ask(vec![
                format!(
                    "Everything up to turn {upto} ({name}) would become public: the secrets of all these turns, every order and every die. Who \
                     works it out knows where all forces stood after it, the hidden ones too, and who wrote letters without a name."
                ),
                "All players are told. It can't be taken back.".to_owned(),
            ]);
        }
        let (change, text) = self.revelation(upto)?;
        self.settle(change, text)?;
        let paragraphs = [
            format!("The GM has revealed all turns up to {upto}{}", self.told()),
            "REPORT brings the audit file with their orders and dice; your next dispatch has their secret."
                .to_owned(),
        ];
        self.tell_all(&format!("turns up to {upto} are revealed"), &paragraphs)?;
        done(format!(
            "Turns up to {upto} are revealed. All were told; `musterd audit {game}` writes the audit file."
        ))
    }
}
