//! The commands of the host: what the command line asks of it, directly or through the control socket.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::HostError;
use super::config::check_address;
use super::gm::GmAnswer;
use super::host::{Batch, Host};
use super::ledger::tally;
use super::seats::players;
use crate::desk::DeskError;
use crate::desk::calendar;
use crate::desk::campaign::Campaign;
use crate::desk::order_mail::OrderMail;
use crate::desk::seats::Owed;
use crate::dice::{Block, GameId, Seat, SecretChain};
use crate::engine::journal::{Cause, Charter, Entry, Player};
use crate::engine::terms::{DeadlinePolicy, PressPolicy, Terms};
use crate::letter::{self, LineKind};
use crate::store::Step;

/// A command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase")]
pub enum Request {
    /// Found a game.
    New(NewGame),
    /// Where games stand: one, or all.
    Status {
        /// Which.
        game: Option<GameId>,
    },
    /// What a receipt would say.
    Check {
        /// Which game.
        game: GameId,
        /// Whose orders.
        seat: Seat,
        /// The orders.
        text: String,
    },
    /// A seat's report.
    Report {
        /// Which game.
        game: GameId,
        /// Whose.
        seat: Seat,
        /// After which adjudication: its number or its name; the last one if none.
        turn: Option<String>,
    },
    /// The history of a game as a seat knows it.
    History {
        /// Which game.
        game: GameId,
        /// Whose knowledge.
        seat: Seat,
    },
    /// Run a turn now.
    Resolve {
        /// Which game.
        game: GameId,
        /// The open adjudication, by number or name: a stale command must do no harm.
        turn: String,
    },
    /// The journal.
    Journal {
        /// Which game.
        game: GameId,
    },
    /// Commands of the GM's, as in a mail.
    Gm {
        /// Which game.
        game: GameId,
        /// The commands.
        text: String,
        /// Whether all of them are confirmed.
        yes: bool,
    },
}

/// What a new game needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGame {
    /// `lga/austrian-1805`, or the name alone.
    pub scenario: String,
    /// Its name.
    pub id: GameId,
    /// Who sits where: addresses, or `computer`, `computer:planner`.
    pub seats: BTreeMap<Seat, String>,
    /// The GM's addresses; the host's own if none.
    pub gm: Vec<String>,
    /// The deadline policy, as `--deadline` takes it.
    pub deadline: Option<String>,
    /// Begin at once, without waiting for the players: level L0.
    pub start_now: bool,
    /// Which letters between players are passed on.
    #[serde(default)]
    pub press: PressPolicy,
    /// What else is laid down about time and players.
    #[serde(default)]
    pub terms: Terms,
}

/// The answer to a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "lowercase")]
pub enum Reply {
    /// The game is founded.
    New {
        /// What to tell the GM, a line each.
        lines: Vec<String>,
    },
    /// Where games stand.
    Status {
        /// A game each.
        games: Vec<GameStatus>,
    },
    /// What the receipt would say.
    Check {
        /// Its text.
        text: String,
        /// Lines that would not be carried out.
        errors: usize,
    },
    /// A report.
    Report {
        /// Its subject.
        subject: String,
        /// Its text.
        text: String,
    },
    /// The turn has run.
    Resolved {
        /// The adjudication that ran.
        t: u32,
        /// What is open now, in words.
        next: String,
    },
    /// What came of the GM's commands.
    Gm {
        /// Of each.
        answers: Vec<GmAnswer>,
        /// The line from which on nothing was read.
        unread: Option<String>,
    },
    /// The journal, an entry each.
    Journal {
        /// The entries.
        entries: Vec<Entry>,
    },
}

/// Where a game stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameStatus {
    /// Its name.
    pub game: GameId,
    /// Its scenario's title.
    pub title: String,
    /// The open adjudication, if any.
    pub t: Option<u32>,
    /// Its name in the log.
    pub name: Option<String>,
    /// What it waits for, in words.
    pub waits_for: String,
    /// Its deadline on the host's clock, in words.
    pub deadline: Option<String>,
    /// The deadline policy in words.
    pub policy: String,
    /// How it ended, once it has.
    pub results: Vec<String>,
    /// Its seats.
    pub seats: Vec<SeatStatus>,
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
}

impl Host {
    /// Carries out a command.
    ///
    /// # Errors
    /// What is wrong with the request, or the machine.
    pub fn execute(&mut self, request: Request) -> Result<Reply, HostError> {
        let outcome = self.carry_out(request);
        if outcome.is_err() {
            self.evict_all();
        }
        self.trim();
        outcome
    }

    fn carry_out(&mut self, request: Request) -> Result<Reply, HostError> {
        match request {
            Request::New(new) => self.found(&new),
            Request::Status { game: Some(game) } => Ok(Reply::Status { games: vec![self.status(&game)?] }),
            Request::Status { game: None } => {
                let games = self.games();
                let status = |game| {
                    let status = self.status(game);
                    self.trim();
                    status
                };
                Ok(Reply::Status { games: games.iter().map(status).collect::<Result<_, _>>()? })
            }
            Request::Check { game, seat, text } => self.check(&game, &seat, &text),
            Request::Report { game, seat, turn } => self.report(&game, &seat, turn.as_deref()),
            Request::History { game, seat } => self.history(&game, &seat),
            Request::Resolve { game, turn } => self.resolve(&game, &turn),
            Request::Gm { game, text, yes } => self.command_gm(&game, &text, yes),
            Request::Journal { game } => {
                self.campaign(&game)?;
                Ok(Reply::Journal { entries: self.store.entries(&game)? })
            }
        }
    }

    fn found(&mut self, new: &NewGame) -> Result<Reply, HostError> {
        if self.knows(&new.id) {
            return Err(HostError::usage(format!(
                "there is already a game `{}`; choose another --id",
                new.id
            )));
        }
        let founding = self.desk.founding(&new.scenario)?;
        let players = players(&new.seats)?;
        for address in &new.gm {
            check_address(address).map_err(|e| HostError::usage(format!("--gm: {e}")))?;
        }
        let addresses = players.values().flat_map(|player| match player {
            Player::Mail { addresses } => addresses.as_slice(),
            Player::Computer { .. } | Player::Open => &[],
        });
        // Its own mail is never answered, so that nobody there could play.
        if let Some(own) = addresses.chain(&new.gm).find(|address| self.mailroom.address.is_own(address)) {
            return Err(HostError::usage(format!("`{own}` is this host's own address: write the person's")));
        }
        let seats: Vec<Seat> = players.keys().cloned().collect();
        let game = self.desk.open(&founding.ruleset, &founding.files, &seats).map_err(unseated)?;
        let wanted: Vec<&Seat> = game.seats().iter().map(|s| &s.seat).collect();
        if let Some(missing) = wanted.iter().find(|seat| !players.contains_key(**seat)) {
            return Err(HostError::usage(format!(
                "nobody sits at `{missing}`: give --seat {missing}=ADDRESS or --seat {missing}=computer"
            )));
        }
        let deadlines = match &new.deadline {
            Some(text) => calendar::parse(text).map_err(|e| HostError::usage(e.to_string()))?,
            None => DeadlinePolicy::After { minutes: 7 * 24 * 60, not_on: Vec::new(), zone: None },
        };
        let charter = Charter {
            game: new.id.clone(),
            ruleset: founding.ruleset,
            rules_version: founding.rules_version,
            scenario: founding.scenario,
            files: founding.files,
            players,
            gm: if new.gm.is_empty() { self.config.gm.clone() } else { new.gm.clone() },
            deadlines,
            chain_length: SecretChain::DEFAULT_LENGTH,
            press: new.press,
            terms: new.terms.clone(),
        };
        let cause = Campaign::founding(charter, self.vault.draft(&new.id)?);
        let entry = Entry { at: self.clock.now(), cause };
        let campaign = Campaign::fold(&self.desk, [&entry]).map_err(|e| super::host::fault(&new.id, e))?;
        self.admit_new(new.id.clone(), campaign, &entry);
        let step = Step { game: Some(new.id.clone()), entries: vec![entry], ..Step::default() };
        if let Err(error) = self.begin(new, step).and_then(|batch| self.commit(&batch)) {
            self.forget(&new.id);
            return Err(error);
        }
        self.vault.founded(&new.id)?;
        let campaign = self.campaign(&new.id)?;
        let mut lines = vec![
            format!("Game `{}`: {}.", new.id, campaign.game().title()),
            format!("Dice are committed to: s_0 = {}", campaign.anchor()),
        ];
        lines.push(if new.start_now {
            match campaign.draft() {
                Some(draft) => format!(
                    "Begun at once (dice of the founding: level L0). The first dispatches wait for the GM: APPROVE {} sends them.",
                    draft.t
                ),
                None => {
                    format!("Begun at once (dice of the founding: level L0). Open: {}.", campaign.wait_title())
                }
            }
        } else {
            "The invitations are in the outbox; the game is founded when every seat has confirmed with JOIN."
                .to_owned()
        });
        Ok(Reply::New { lines })
    }

    fn begin(&mut self, new: &NewGame, mut step: Step) -> Result<Batch, HostError> {
        self.open_window(&new.id, &mut step)?;
        step.packets = self.about(&new.id, |mailroom, about| {
            let mut packets = mailroom.invitations(about, new.start_now)?;
            packets.extend(mailroom.gm_welcome(about)?);
            if !new.start_now {
                packets.extend(mailroom.computer_orders(about)?);
            }
            Ok(packets)
        })?;
        let mut steps = vec![step];
        if new.start_now {
            steps.push(self.adjudicate(&new.id, Some("start-now"))?);
        }
        Ok(Batch { steps, ..Batch::default() })
    }

    pub(super) fn status(&mut self, game: &GameId) -> Result<GameStatus, HostError> {
        let ledger = self.store.ledger(Some(game))?;
        let zone = self.config.zone.clone();
        let campaign = self.campaign(game)?;
        let window = campaign.window();
        let zone = campaign.zone(None, &zone);
        let seat_status = |(seat, player): (&Seat, &Player)| {
            let mails = tally(&ledger, seat);
            let received = campaign.life().received.get(seat).copied().unwrap_or_default();
            SeatStatus {
                seat: seat.clone(),
                player: match player {
                    Player::Mail { .. } => campaign.addresses_in_words(seat),
                    Player::Computer { skill } => format!("computer ({skill:?})").to_lowercase(),
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
            }
        };
        Ok(GameStatus {
            game: game.clone(),
            title: campaign.game().title(),
            t: window.map(|w| w.t),
            name: window.map(|w| w.name.to_string()),
            waits_for: campaign.waits_for(),
            deadline: window
                .and_then(|w| w.deadline)
                .map(|at| calendar::zoned(at, zone).strftime("%a %-d %b %Y %H:%M %Z").to_string()),
            policy: calendar::in_words(&campaign.charter().deadlines),
            results: campaign.results().unwrap_or_default().to_vec(),
            seats: campaign.charter().players.iter().map(seat_status).collect(),
        })
    }

    /// Exactly what the receipt would say, on a copy of the campaign.
    fn check(&mut self, game: &GameId, seat: &Seat, text: &str) -> Result<Reply, HostError> {
        self.seated(game, seat)?;
        let (_, text) = letter::take_press(text);
        let found = letter::find_orders("", Some(&text), &|_| LineKind::Order);
        let block = found.orders.block().cloned().unwrap_or_else(|| Block::canonical(&text));
        let campaign = self.campaign(game)?;
        let Some(window) = campaign.window() else {
            return Err(HostError::usage(format!("`{game}` takes no orders now: {}", campaign.wait_title())));
        };
        let previous = window.accepted.get(seat).cloned();
        let chain = self.chain(game)?;
        let at = self.clock.now();
        let campaign = self.campaign(game)?;
        let cause = campaign.acceptance(&chain, seat, block.clone(), "check", at);
        let cause = cause.map_err(|e| super::host::fault(game, e))?;
        // The copy is thrown away: the next look folds the journal again.
        campaign.apply(&Entry { at, cause }).map_err(|e| super::host::fault(game, e))?;
        let reply = OrderMail::bare(block);
        let receipt = self
            .about(game, |mailroom, about| Ok(mailroom.receipt_text(about, seat, &reply, previous.as_ref())));
        self.evict(game);
        let (message, errors) = receipt?.ok_or_else(|| HostError::usage("the game takes no orders now"))?;
        Ok(Reply::Check { text: format!("Subject: {}\n\n{}", message.subject, message.body), errors })
    }

    fn seated(&mut self, game: &GameId, seat: &Seat) -> Result<(), HostError> {
        let players = &self.campaign(game)?.charter().players;
        if players.contains_key(seat) {
            return Ok(());
        }
        let all: Vec<&str> = players.keys().map(Seat::as_str).collect();
        Err(HostError::usage(format!("`{game}` has no seat `{seat}`; its seats are {}", all.join(", "))))
    }

    fn report(&mut self, game: &GameId, seat: &Seat, turn: Option<&str>) -> Result<Reply, HostError> {
        self.seated(game, seat)?;
        let message = match turn {
            None => self.about(game, |mailroom, about| Ok(mailroom.report(about, seat)))?,
            Some(turn) => {
                let entries = self.store.entries(game)?;
                let upto = after_turn(&entries, turn).ok_or_else(|| {
                    HostError::usage(format!("`{game}` has no adjudication `{turn}` behind it: give its number or its name, such as 3"))
                })?;
                let past =
                    Campaign::fold(&self.desk, &entries[..upto]).map_err(|e| super::host::fault(game, e))?;
                let present = self.replace(game, past)?;
                let message = self.about(game, |mailroom, about| Ok(mailroom.report(about, seat)));
                self.replace(game, present)?;
                message?
            }
        };
        let message =
            message.ok_or_else(|| HostError::usage(format!("there is nothing to report of `{game}` yet")))?;
        Ok(Reply::Report { subject: message.subject, text: message.body })
    }

    fn history(&mut self, game: &GameId, seat: &Seat) -> Result<Reply, HostError> {
        self.seated(game, seat)?;
        let message = self.about(game, |mailroom, about| Ok(mailroom.history(about, seat)))?;
        Ok(Reply::Report { subject: message.subject, text: message.body })
    }

    fn resolve(&mut self, game: &GameId, turn: &str) -> Result<Reply, HostError> {
        let campaign = self.campaign(game)?;
        let Some(window) = campaign.window() else {
            return Err(HostError::usage(format!(
                "`{game}` has nothing to resolve: {}",
                campaign.wait_title()
            )));
        };
        let (t, name) = (window.t, window.name.to_string());
        if turn != t.to_string() && turn != name {
            return Err(HostError::usage(format!(
                "the open turn of `{game}` is {t} ({name}), not {turn}: nothing was done"
            )));
        }
        let mut step = self.step(game)?;
        let text = format!("resolved by command before its deadline: {name}");
        self.play(game, &mut step, Cause::Intervened { t, text })?;
        let run = self.adjudicate(game, Some("gm"))?;
        self.commit(&Batch { steps: vec![step, run], ..Batch::default() })?;
        Ok(Reply::Resolved { t, next: self.campaign(game)?.wait_title() })
    }
}

/// What is wrong with the seats is a fault of the command, not of the game's files.
fn unseated(error: DeskError) -> HostError {
    match error {
        DeskError::Data(faults) if faults.0.iter().all(|fault| fault.file == "seats") => {
            let reasons: Vec<&str> = faults.0.iter().map(|fault| fault.reason.as_str()).collect();
            HostError::usage(format!("--seat: {}", reasons.join("; ")))
        }
        error => error.into(),
    }
}

/// How many entries tell of everything up to the adjudication `turn`, and the window that followed it.
pub(super) fn after_turn(entries: &[Entry], turn: &str) -> Option<usize> {
    let mut wanted: Option<u32> = turn.parse().ok();
    for (index, entry) in entries.iter().enumerate() {
        match &entry.cause {
            Cause::Opened { t, name, .. } if name.as_str() == turn => wanted = Some(*t),
            Cause::Adjudicated { t, .. } if Some(*t) == wanted => {
                return Some((index + 2).min(entries.len()));
            }
            _ => {}
        }
    }
    None
}
