//! The commands of the host: what the command line asks of it, directly or through the control socket.

mod status;

use serde::{Deserialize, Serialize};

use crate::HostError;
use crate::books::batch::Batch;
use crate::decisions::founding::NewGame;
use crate::decisions::gm::GmAnswer;
use crate::decisions::sitting::Sitting;
use crate::decisions::snapshot::Snapshot;
use crate::games::Games;
use crate::health::vitals::Vitals;
use crate::mails::enclosures::Shape;
use musterd_desk::audit::{assurances, audit_file};
use musterd_desk::mail::{self, LineKind};
use musterd_desk::order_mail::OrderMail;
use musterd_desk::reveal::revealed;
use musterd_dice::audit::AuditFile;
use musterd_dice::{Assurance, Block, GameId, Seat};
use musterd_engine::journal::{Cause, Entry};

pub use status::{DiceStatus, GameStatus, SeatStatus, StatusFilter};

/// A command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase")]
pub enum Request {
    /// Found a game.
    New(Box<NewGame>),
    /// Where games stand: one, or all.
    Status {
        /// Which.
        game: Option<GameId>,
    },
    /// Where some of the games stand.
    Find(StatusFilter),
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
        /// How it is shown.
        #[serde(default)]
        shape: Shape,
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
    /// The audit file.
    Audit {
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
    /// The key that signs chain lines.
    Key,
    /// How the daemon is.
    Vitals,
    /// What a backup made now has to hold.
    Snapshot,
}

impl Request {
    /// A wish for a game.
    pub fn found(new: NewGame) -> Self {
        Self::New(Box::new(new))
    }

    /// The game in which it changes something.
    pub(crate) fn changes(&self) -> Option<&GameId> {
        match self {
            Self::New(new) => Some(&new.id),
            Self::Resolve { game, .. } | Self::Gm { game, .. } => Some(game),
            Self::Status { .. }
            | Self::Find(_)
            | Self::Check { .. }
            | Self::Report { .. }
            | Self::History { .. }
            | Self::Journal { .. }
            | Self::Audit { .. }
            | Self::Key
            | Self::Vitals
            | Self::Snapshot => None,
        }
    }
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
        /// What was asked for: its text, or another shape of it.
        text: String,
    },
    /// The turn has run, or is closed and runs by a public beacon.
    Resolved {
        /// Which adjudication.
        t: u32,
        /// Whether it has run.
        ran: bool,
        /// What is open now, or waited for, in words.
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
    /// The key that signs chain lines.
    Key {
        /// The line by which ssh-keygen knows it.
        allowed_signer: String,
    },
    /// The audit file, with what is revealed now.
    Audit {
        /// It.
        file: AuditFile,
        /// How far the dice of each adjudication can be trusted, of those too that are not revealed.
        assurances: Vec<(u32, Assurance)>,
    },
    /// How the daemon is.
    Vitals(Box<Vitals>),
    /// What a backup made now has to hold.
    Snapshot(Snapshot),
}

impl Games {
    /// The audit file, with what is revealed now.
    pub(crate) fn audit(&mut self, game: &GameId) -> Result<Reply, HostError> {
        self.campaign(game)?;
        let (entries, secrets) = (self.books.entries(game)?, self.chain(game)?);
        let whole = audit_file(&entries, &secrets, u32::MAX);
        let assurances =
            assurances(&whole).map_err(|error| HostError::usage(format!("`{game}`: {error}")))?;
        let file = match revealed(&entries) {
            u32::MAX => whole,
            upto => audit_file(&entries, &secrets, upto),
        };
        Ok(Reply::Audit { file, assurances })
    }

    /// The journal.
    pub(crate) fn journal(&mut self, game: &GameId) -> Result<Reply, HostError> {
        self.campaign(game)?;
        Ok(Reply::Journal { entries: self.books.entries(game)? })
    }

    /// Where all games stand.
    pub(crate) fn status_of_all(&mut self) -> Result<Reply, HostError> {
        let people = self.attendances()?;
        let mut games = Vec::new();
        for game in self.current() {
            games.push(self.status_with(&game, &people)?);
            self.trim();
        }
        games.extend(self.games_set_aside().into_iter().map(GameStatus::set_aside));
        Ok(Reply::Status { games })
    }

    /// Exactly what the receipt would say, on a copy of the campaign.
    pub(crate) fn check(&mut self, game: &GameId, seat: &Seat, text: &str) -> Result<Reply, HostError> {
        self.seated(game, seat)?;
        let (_, text) = mail::take_press(text);
        let found = mail::find_orders("", Some(&text), "", &|_| LineKind::Order);
        let block = found.orders.block().cloned().unwrap_or_else(|| Block::canonical(&text));
        let campaign = self.campaign(game)?;
        let Some(window) = campaign.window() else {
            return Err(HostError::usage(format!("`{game}` takes no orders now: {}", campaign.waits_for())));
        };
        let previous = window.accepted.get(seat).cloned();
        let chain = self.chain(game)?;
        let at = self.now();
        let campaign = self.campaign(game)?;
        let cause = campaign.acceptance(&chain, seat, block.clone(), "check", at);
        let cause = cause.map_err(|e| HostError::campaign(game, e))?;
        // The copy is thrown away: the next look folds the journal again.
        campaign.apply(&Entry { at, cause }).map_err(|e| HostError::campaign(game, e))?;
        let reply = OrderMail::bare(block);
        let receipt =
            self.about(game, |clerk| clerk.receipt_text(seat, &reply, (previous.as_ref(), None), None));
        self.evict(game);
        let (message, errors) = receipt?.ok_or_else(|| HostError::usage("the game takes no orders now"))?;
        Ok(Reply::Check { text: format!("Subject: {}\n\n{}", message.subject, message.body), errors })
    }

    pub(crate) fn seated(&mut self, game: &GameId, seat: &Seat) -> Result<(), HostError> {
        let players = &self.campaign(game)?.charter().players;
        if players.contains_key(seat) {
            return Ok(());
        }
        let all: Vec<&str> = players.keys().map(Seat::as_str).collect();
        Err(HostError::usage(format!("`{game}` has no seat `{seat}`; its seats are {}", all.join(", "))))
    }

    pub(crate) fn history(&mut self, game: &GameId, seat: &Seat) -> Result<Reply, HostError> {
        self.seated(game, seat)?;
        let message = self.about(game, |clerk| clerk.history(seat))?;
        Ok(Reply::Report { subject: message.subject, text: message.body })
    }

    /// The steps by which the open turn runs now, if it is the one named; and its number.
    pub(crate) fn resolve(&mut self, game: &GameId, turn: &str) -> Result<(u32, Batch), HostError> {
        let campaign = self.campaign(game)?;
        let Some(window) = campaign.window() else {
            return Err(HostError::usage(format!(
                "`{game}` has nothing to resolve: {}",
                campaign.waits_for()
            )));
        };
        let (t, name) = (window.t, window.name.to_string());
        if turn != t.to_string() && turn != name {
            return Err(HostError::usage(format!(
                "the open turn of `{game}` is {t} ({name}), not {turn}: nothing was done"
            )));
        }
        let mut batch = Batch::default();
        let mut at = Sitting::begin(self, game, &mut batch)?;
        let text = format!("resolved by command before its deadline: {name}");
        at.play(Cause::Intervened { t, text })?;
        at.close();
        Sitting::run_now(self, game, "gm", &mut batch)?;
        Ok((t, batch))
    }

    /// What is told of a turn that was run so.
    pub(crate) fn resolved(&mut self, game: &GameId, t: u32) -> Result<Reply, HostError> {
        let campaign = self.campaign(game)?;
        let ran = campaign.awaited().is_none();
        let next = if ran { campaign.wait_title() } else { campaign.waits_for() };
        Ok(Reply::Resolved { t, ran, next })
    }
}
