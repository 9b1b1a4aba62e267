//! Games that can't go on, one or the other, while all others do: whose journal, secret or rules can't be used.

use std::collections::{BTreeMap, BTreeSet};

use crate::HostError;
use crate::books::batch::Batch;
use crate::games::Games;
use crate::health::vitals::Ailment;
use crate::inbox::held::mark;
use musterd_desk::mail::{self, Route};
use musterd_dice::GameId;
use musterd_letter::Letter;
use musterd_post::Pending;
use musterd_store::{HOST, Step, StoreError};

/// To how many mails to seats of a game that can't go on it is answered in a day that they wait.
const MOST_TOLD: u32 = 100;

impl Games {
    /// The games whose journals can't be used, and why.
    pub(crate) fn games_set_aside(&self) -> BTreeMap<GameId, String> {
        let why = |game: &GameId| Some((game.clone(), self.books.set_aside(game)?));
        self.docket().keys().filter_map(why).collect()
    }

    /// What was found when the store was opened: journals of games, and that of what is no game's.
    pub(crate) fn begin_set_aside(&mut self, found: BTreeMap<String, String>) {
        for (name, why) in found {
            match name.parse::<GameId>() {
                Ok(game) => {
                    tracing::error!(%game, why, "the journal of this game can't be used: it is set aside, the others go on");
                    self.set_game_aside(&game, &why);
                }
                Err(_) => {
                    tracing::error!(
                        why,
                        "mail that is no game's waits until that is mended and musterd started again"
                    );
                    let text = format!("{why}; mail that is no game's waits until then, all games go on");
                    self.ails(Ailment { about: "mail".to_owned(), text });
                }
            }
        }
    }

    /// Of a mail for several games that waited for one of them: leaves out the routes to those in which it has had its effect. Whether there
    /// were any.
    pub(crate) fn pass_over_decided(
        &self,
        mail: &str,
        games: &BTreeSet<GameId>,
        routes: &mut Vec<(GameId, Route)>,
    ) -> Result<bool, HostError> {
        if games.len() < 2 || self.held().has(mail) {
            return Ok(false);
        }
        let before = routes.len();
        for game in games {
            if self.books.seen(&mark(game, mail))? {
                routes.retain(|(other, _)| other != game);
            }
        }
        Ok(routes.len() < before)
    }

    /// The games whose part of a mail waits: those whose journal or secret can't be used, unless it is so with all of them. Then the mail waits
    /// like any other, and the first that is looked at says why.
    pub(crate) fn waiting_among(
        &mut self,
        games: &BTreeSet<GameId>,
        mail: &str,
    ) -> Result<BTreeSet<GameId>, HostError> {
        let mut waiting = BTreeSet::new();
        for game in games {
            if !self.can_go_on(game)? {
                waiting.insert(game.clone());
            }
        }
        if waiting.len() == games.len() {
            return Ok(BTreeSet::new());
        }
        for game in &waiting {
            tracing::error!(mail, %game, "this game can't go on: for it the mail waits in the spool, for others it counts");
        }
        Ok(waiting)
    }

    /// Whether a game's journal, secret and rules can be used.
    fn can_go_on(&mut self, game: &GameId) -> Result<bool, HostError> {
        match self.campaign(game).map(drop).and_then(|()| self.chain(game).map(drop)) {
            Ok(()) => Ok(true),
            Err(error) if error.is_of_one_game() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Tells the sender of a mail that it waits in the spool for the games of its that can't go on: once a mail, and once a day for each game.
    pub(crate) fn tell_it_waits(
        &mut self,
        mail: &Pending,
        letter: &Letter,
        batch: &mut Batch,
    ) -> Result<(), HostError> {
        let Some(from) = letter.author.as_ref().filter(|from| !self.is_own(from)) else { return Ok(()) };
        if letter.automatic.is_some() || self.held().has(&mail.name) {
            return Ok(());
        }
        // Whose addresses a game has nobody can know now; a seat's own is what its player writes to.
        let mut games: BTreeMap<GameId, bool> = BTreeMap::new();
        for route in mail::routes(letter, &self.mailroom().address) {
            let is_seats = route.seat.is_some() && route.token.is_some();
            if let Some(game) = route.game.filter(|game| self.knows(game)) {
                *games.entry(game).or_default() |= is_seats;
            }
        }
        for (game, is_seats) in games {
            let mut step = Step::default();
            if self.can_go_on(&game)?
                || !self.is_first(format!("{HOST}/waits/{game}/{}", mail.name), &mut step, batch)?
            {
                continue;
            }
            let packet = match self.mailroom().kept_for_later(from, &game, letter, self.now()) {
                Err(HostError::Compose(error)) => {
                    tracing::info!(from, %error, "this sender can't be answered");
                    continue;
                }
                other => other?,
            };
            if self.is_first(packet.id.clone(), &mut step, batch)? {
                let may = match is_seats {
                    true => self.is_among(MOST_TOLD, &format!("{HOST}/waits/{game}"), &mut step, batch)?,
                    false => self.may_answer_strangers(&mut step, batch)?,
                };
                if !may {
                    if is_seats {
                        tracing::warn!(from, %game, "too many were told today that a mail waits: this sender isn't");
                    }
                    continue;
                }
                step.packets.push(packet);
            }
            batch.steps.push(step);
        }
        Ok(())
    }

    /// Tells whoever changes something in a game whether its journal could be written.
    pub(crate) fn is_set_aside(&self, game: &GameId) -> Result<(), HostError> {
        match self.books.set_aside(game) {
            Some(why) => Err(StoreError::SetAside { game: game.to_string(), why }.into()),
            None => Ok(()),
        }
    }
}
