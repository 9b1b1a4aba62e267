//! Where games and their seats stand.

use serde::{Deserialize, Serialize};

use crate::HostError;
use crate::books::ledger::mails_of;
use crate::games::Games;
use crate::games::attendance::Attendances;
use musterd_desk::calendar;
use musterd_desk::campaign::Campaign;
use musterd_desk::life::Turns;
use musterd_desk::seats::Owed;
use musterd_dice::{Assurance, GameId, Seat};
use musterd_engine::journal::Player;

/// Where a game stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameStatus {
    /// Its name.
    pub game: GameId,
    /// Its scenario's title; empty where its journal can't be used.
    pub title: String,
    /// Why it can't go on, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<String>,
    /// The open adjudication, if any.
    pub t: Option<u32>,
    /// Its name in the log.
    pub name: Option<String>,
    /// What it waits for, in words.
    pub waits_for: String,
    /// Its deadline on the host's clock, in words.
    pub deadline: Option<String>,
    /// When the open turn runs because all are ready, unless a mail stops it, on the host's clock, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<String>,
    /// The deadline policy in words.
    pub policy: String,
    /// The dice of the adjudication that ran last.
    #[serde(default)]
    pub dice: Option<DiceStatus>,
    /// The last adjudication that is revealed; all before it are too.
    #[serde(default)]
    pub revealed: Option<u32>,
    /// How it ended, once it has.
    pub results: Vec<String>,
    /// Its seats.
    pub seats: Vec<SeatStatus>,
    /// What is well, but perhaps not meant so: whose mails stay on this machine, where nobody reads them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The addresses of those who watch.
    #[serde(default)]
    pub observers: Vec<String>,
    /// Those of people who ask the GM whether they may.
    #[serde(default)]
    pub applicants: Vec<String>,
}

impl GameStatus {
    /// Of a game whose journal can't be used nothing else is known.
    pub(super) fn set_aside((game, why): (GameId, String)) -> Self {
        Self {
            game,
            title: String::new(),
            aside: Some(why),
            t: None,
            name: None,
            waits_for: "its journal".to_owned(),
            deadline: None,
            runs: None,
            policy: String::new(),
            dice: None,
            revealed: None,
            results: Vec::new(),
            seats: Vec::new(),
            warnings: Vec::new(),
            observers: Vec::new(),
            applicants: Vec::new(),
        }
    }
}

/// How far the dice of an adjudication can be trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceStatus {
    /// Which.
    pub t: u32,
    /// Their level, and whose salts made it so.
    #[serde(flatten)]
    pub assurance: Assurance,
}

/// Where a seat stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatStatus {
    /// Which.
    pub seat: Seat,
    /// Who plays it.
    pub player: String,
    /// Its orders for the open turn: `none`, `received`, `ready`.
    pub orders: String,
    /// Whether the open turn waits for its orders.
    pub owes: bool,
    /// Mails to it: taken by the relay.
    pub sent: usize,
    /// Mails to it: waiting.
    pub waiting: usize,
    /// Mails to it: come back.
    pub bounced: usize,
    /// Mails to it: come back, refused or dropped.
    pub failed: usize,
    /// Mails from it: with orders that counted.
    pub accepted: u32,
    /// Mails from it: changed nothing.
    pub refused: u32,
    /// How reliably its player has ordered, over all games of this host that aren't archived; none of whoever was only invited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Turns>,
}

/// Which games are told of: those for which all holds that is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusFilter {
    /// The game has not ended.
    #[serde(default)]
    pub open: bool,
    /// Somebody has to see to the game within this number of seconds: the time moves it on then, or nothing but people can.
    #[serde(default)]
    pub due: Option<i64>,
    /// The game is in the archive; if not, it isn't.
    #[serde(default)]
    pub archived: bool,
    /// The game waits for its GM.
    #[serde(default)]
    pub waits_for_gm: bool,
    /// This is an address of the game's GM.
    #[serde(default)]
    pub gm: Option<String>,
}

impl StatusFilter {
    /// Whether a game is told of that can be looked at.
    fn allows(&self, campaign: &Campaign, is_aside: bool, now: i64) -> bool {
        let is_due = |within: i64| {
            let is_soon = campaign.moves_at().is_none_or(|at| at <= now.saturating_add(within));
            !campaign.is_over() && (is_aside || is_soon || campaign.waits_for_gm(now))
        };
        (!self.open || !campaign.is_over())
            && self.due.is_none_or(is_due)
            && (!self.waits_for_gm || campaign.waits_for_gm(now))
            && self.gm.as_ref().is_none_or(|gm| campaign.is_gms(gm))
    }

    /// Whether a game is told of whose journal can't be used: it may be open, and needs somebody.
    const fn allows_unknown(&self) -> bool {
        !self.waits_for_gm && self.gm.is_none() && !self.archived
    }
}

impl Games {
    /// Where the games stand that a filter allows; by deadline, if those are asked for that are due.
    pub(crate) fn status_of_some(&mut self, filter: &StatusFilter) -> Result<Vec<GameStatus>, HostError> {
        let now = self.now();
        let people = self.attendances()?;
        let mut found = Vec::new();
        let names = match filter.archived {
            true => self.names().into_iter().filter(|game| self.is_archived(game)).collect(),
            false => self.current(),
        };
        for game in names {
            let is_aside = self.aside().contains_key(&game);
            let (is_told, at) = match self.campaign(&game) {
                Ok(campaign) => (filter.allows(campaign, is_aside, now), campaign.moves_at()),
                Err(error) if error.is_of_one_game() => (filter.allows_unknown(), None),
                Err(error) => return Err(error),
            };
            if is_told {
                found.push((at, self.status_with(&game, &people)?));
            }
            self.trim();
        }
        let unknown = self.games_set_aside().into_iter().filter(|_| filter.allows_unknown());
        found.extend(unknown.map(|game| (None, GameStatus::set_aside(game))));
        if filter.due.is_some() {
            found.sort_by_key(|(at, _)| (at.is_none(), *at));
        }
        Ok(found.into_iter().map(|(_, status)| status).collect())
    }

    /// Where a game stands; of one that can't be looked at, why it can't.
    pub(crate) fn status(&mut self, game: &GameId) -> Result<GameStatus, HostError> {
        let people = self.attendances()?;
        self.status_with(game, &people)
    }

    pub(crate) fn status_with(
        &mut self,
        game: &GameId,
        people: &Attendances,
    ) -> Result<GameStatus, HostError> {
        if let Some(why) = self.books.set_aside(game) {
            return Ok(GameStatus::set_aside((game.clone(), why)));
        }
        match self.status_of(game, people) {
            Err(error) if self.knows(game) && error.is_of_one_game() => {
                let why = self.aside().get(game).cloned().unwrap_or_else(|| error.to_string());
                Ok(GameStatus::set_aside((game.clone(), why)))
            }
            told => told,
        }
    }

    fn status_of(&mut self, game: &GameId, people: &Attendances) -> Result<GameStatus, HostError> {
        let aside = self.aside().get(game).cloned();
        let ledger = self.books.ledger(Some(game))?;
        let zone = self.config.zone.clone();
        let campaign = self.campaign(game)?;
        let window = campaign.window();
        let zone = campaign.zone(None, &zone);
        // Who was only invited has not agreed to be known here.
        let has_joined = |seat: &Seat| {
            campaign.last().is_some() || window.is_some_and(|window| window.accepted.contains_key(seat))
        };
        let in_words = |at| calendar::zoned(at, zone).strftime("%a %-d %b %Y %H:%M %Z").to_string();
        let seat_status = |(seat, player): (&Seat, &Player)| {
            let mails = mails_of(&ledger, seat);
            let received = campaign.life().received.get(seat).copied().unwrap_or_default();
            SeatStatus {
                seat: seat.clone(),
                player: match player {
                    Player::Mail { .. } => campaign.addresses_in_words(seat),
                    Player::Computer { skill } => format!("computer ({skill})"),
                    Player::Open => "nobody".to_owned(),
                },
                orders: match window.and_then(|w| w.accepted.get(seat)) {
                    None => "none".to_owned(),
                    Some(_) if campaign.is_ready(seat) => "ready".to_owned(),
                    Some(_) => "received".to_owned(),
                },
                owes: campaign.owed(seat).is_some_and(|owed| owed == Owed::Missing),
                sent: mails.sent,
                waiting: mails.waiting,
                bounced: mails.bounced,
                failed: mails.bounced + mails.refused + mails.stale,
                accepted: received.accepted,
                refused: received.refused,
                turns: people.of(player.addresses()).filter(|_| has_joined(seat)),
            }
        };
        let mut status = GameStatus {
            game: game.clone(),
            title: campaign.game().title(),
            aside,
            t: window.map(|w| w.t),
            name: window.map(|w| w.name.to_string()),
            waits_for: campaign.waits_for(),
            deadline: window.and_then(|w| w.deadline).map(in_words),
            runs: campaign.runs_at().map(in_words),
            policy: calendar::in_words(&campaign.charter().deadlines),
            dice: campaign.last().map(|last| DiceStatus { t: last.t, assurance: last.assurance.clone() }),
            revealed: match campaign.revealed() {
                0 => None,
                u32::MAX => campaign.last().map(|last| last.t),
                upto => Some(upto),
            },
            results: campaign.results().unwrap_or_default().to_vec(),
            seats: campaign.charter().players.iter().map(seat_status).collect(),
            observers: campaign.life().observers.keys().cloned().collect(),
            applicants: campaign.life().asking().map(str::to_owned).collect(),
            warnings: Vec::new(),
        };
        status.warnings = self.game_stays_here(game)?;
        Ok(status)
    }
}
