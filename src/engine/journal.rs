//! The journal of a game: causes and resulting events, in order. Everything else is a fold over it.

mod amendment;
mod letter;
mod log;
mod received;
mod reroll;
mod told;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Skill;
use super::files::RuleFiles;
use super::terms::{DeadlinePolicy, PressPolicy, Terms};
pub use amendment::Amendment;
pub use letter::{Carriage, Letter, Seal};
use musterd_dice::{Beacon, BeaconPolicy, Block, Digest, GameId, HostKey, Label, Roll, Seat, Word};
pub use received::{Received, Verdict};
pub use reroll::Reroll;
pub use told::{Matter, Told};

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When the host took note of it: unix seconds.
    pub at: i64,
    /// What happened.
    pub cause: Cause,
}

/// Something that happened to a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cause {
    /// The game was set up. Always first, once.
    Founded {
        /// What the game is and who plays.
        charter: Box<Charter>,
        /// s_0 of the secret chain.
        anchor: Digest,
    },
    /// A window for orders opened.
    Opened {
        /// The adjudication that these orders are for, from 1.
        t: u32,
        /// Its name in the log: `1805-summer-french`.
        name: Word,
        /// Unix seconds; none while the game waits without a deadline.
        deadline: Option<i64>,
        /// The orders of computer players, fixed before anybody else's arrive.
        sealed: Vec<Sealed>,
    },
    /// A mail for the game arrived.
    Received(Received),
    /// The deadline was moved, or all were ready.
    Rescheduled {
        /// The open adjudication.
        t: u32,
        /// The new deadline, unix seconds.
        deadline: i64,
        /// Why: `ready`, `gm`, `vote`; `recall` for when the turn runs unless a mail stops it, which leaves the window its deadline, and
        /// `recalled` for the end of such a wait.
        reason: String,
    },
    /// The window closed.
    Closed {
        /// The adjudication that now runs.
        t: u32,
        /// Every slot's leaf, sorted by slot.
        leaves: BTreeMap<Seat, Digest>,
        /// What the dice are bound to.
        root: Digest,
    },
    /// The public beacon gave the value that the dice of a closed adjudication wait for.
    Beacon {
        /// Which.
        t: u32,
        /// The value.
        beacon: Beacon,
    },
    /// The adjudication ran.
    Adjudicated {
        /// Which.
        t: u32,
        /// Resulting events in canonical form.
        events: Vec<Value>,
        /// The dice, sorted by label.
        rolls: Vec<Roll>,
        /// Merkle root over the rolls.
        rolls_root: Digest,
        /// Commitment to the events.
        result_commit: Digest,
    },
    /// A player's letter was passed on.
    Pressed(Letter),
    /// A letter that was sealed until an instant is opened.
    Unsealed {
        /// The open adjudication.
        t: u32,
        /// The commitment to the letter, as the log has it.
        commit: Digest,
    },
    /// The computer gave the orders of a seat that had sent none: [`Missing::Computer`](super::terms::Missing).
    StoodIn {
        /// The open adjudication.
        t: u32,
        /// For whom.
        seat: Seat,
        /// The orders.
        block: Block,
        /// Their leaf.
        leaf: Digest,
    },
    /// Something beside the rules was settled: who plays, when, on what terms.
    Arranged(Arrangement),
    /// The GM changed the position by hand.
    Amended(Amendment),
    /// The adjudication that ran last ran again, with the same orders and the same seed, from a position that the GM amended.
    /// Its events take the place of the earlier ones, and of amendments made since.
    Rerun {
        /// Which.
        t: u32,
        /// Which rerun of it, from 1.
        k: u32,
        /// What was changed before it.
        amendment: Amendment,
        /// Resulting events in canonical form.
        events: Vec<Value>,
        /// The dice, sorted by label.
        rolls: Vec<Roll>,
        /// Merkle root over the rolls.
        rolls_root: Digest,
        /// Commitment to the events.
        result_commit: Digest,
    },
    /// A roll of the adjudication that ran last was thrown again, with everybody's consent.
    Rerolled(Box<Reroll>),
    /// Adjudications became void, with all amendments since the first of them ran. Play goes on from the position before them.
    RolledBack {
        /// The last void one: the open one, or the one that ran last.
        t: u32,
        /// The first void one.
        back: u32,
        /// The reason for the public log, one line.
        reason: String,
    },
    /// Players, or the GM, were told something about a deadline. Nothing of it is in the public log.
    Told(Told),
    /// Those who watch were shown an adjudication. Nothing of it is in the public log.
    Observed {
        /// Which.
        t: u32,
    },
    /// The GM stepped in.
    Intervened {
        /// The open adjudication.
        t: u32,
        /// What was done and why, one line.
        text: String,
    },
    /// Something else worth fixing in time, one line.
    Noted {
        /// What.
        text: String,
    },
    /// The game ended.
    Ended {
        /// How, a line a side.
        results: Vec<String>,
    },
}

/// Something settled beside the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrangement {
    /// The adjudication that was open, or comes next.
    pub t: u32,
    /// Who settled it.
    pub by: Author,
    /// What.
    pub change: Change,
    /// The same for the public log, with the reason: one line, without addresses and without anything hidden.
    pub text: String,
}

/// Who settled something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Author {
    /// The GM, by mail or command.
    Gm,
    /// The player of a seat.
    Seat {
        /// Which.
        seat: Seat,
    },
    /// The host by itself, as the terms of the game say; or for somebody who has no seat.
    Host,
}

/// What was settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// Somebody else plays a seat from now on, or nobody.
    Seated {
        /// Which.
        seat: Seat,
        /// Who.
        player: Player,
    },
    /// The player of a seat has other addresses.
    Addresses {
        /// Which seat.
        seat: Seat,
        /// Registered addresses, the first of which is written to.
        addresses: Vec<String>,
    },
    /// A seat has a new secret.
    Secret {
        /// Whose.
        seat: Seat,
        /// The how-manieth it is: the first one is 0.
        issue: u32,
    },
    /// A seat is told times in another zone.
    Zone {
        /// Whose.
        seat: Seat,
        /// Its IANA name.
        zone: String,
    },
    /// A player will be away. Takes the place of what the seat said before.
    Absent {
        /// Which seat's.
        seat: Seat,
        /// From when, unix seconds.
        from: i64,
        /// Until when, unix seconds; not after `from` where the player is back.
        until: i64,
    },
    /// A player asks for more time for the open window.
    Voted {
        /// Which seat's.
        seat: Seat,
        /// The deadline asked for, unix seconds.
        until: i64,
    },
    /// A player who was ready is so no more, by a mail that is no set of orders: it stopped a turn that was about to run.
    Unready {
        /// Which seat's.
        seat: Seat,
    },
    /// The game stands still.
    Paused,
    /// It goes on.
    Resumed,
    /// Other terms.
    Terms {
        /// Deadlines from the next window on.
        deadlines: DeadlinePolicy,
        /// Which letters are passed on.
        press: PressPolicy,
        /// The rest.
        terms: Box<Terms>,
    },
    /// The GM has other addresses.
    Gm {
        /// Which.
        addresses: Vec<String>,
    },
    /// Somebody would take a seat that falls free, or would no longer.
    Standby {
        /// Who.
        address: String,
        /// Which seat; any if none.
        seat: Option<Seat>,
        /// Whether they are on the list now.
        listed: bool,
    },
    /// Somebody watches the game, or no longer.
    Observer {
        /// Who.
        address: String,
        /// Whether they are on the list now.
        listed: bool,
    },
    /// Somebody asks to watch the game, or was refused.
    Applied {
        /// Who.
        address: String,
        /// Whether the GM has refused it.
        refused: bool,
    },
    /// Somebody is a witness of the log, or no longer.
    Witness {
        /// Who.
        address: String,
        /// Whether they are on the list now.
        listed: bool,
    },
    /// A mail to an address of a seat's player came back, or the relay refused it.
    Undelivered {
        /// Which seat.
        seat: Seat,
        /// Which of its addresses.
        address: String,
        /// The status code of RFC 3463, or a word for none.
        status: String,
        /// Whether that says that the address is no good; `false` for what may mend.
        permanent: bool,
    },
    /// Such an address is good again: a mail came from it, or its player says so.
    Reached {
        /// Which seat.
        seat: Seat,
        /// Which of its addresses.
        address: String,
    },
    /// Somebody may take no seat of the game, nor wait for one, nor watch; or may again. A seat that the GM gives them ends it too.
    Barred {
        /// Every address of theirs that was registered.
        addresses: Vec<String>,
        /// Whether they are barred now.
        barred: bool,
    },
    /// Everybody is asked whether a roll of the turn that ran last may be thrown again.
    RerollAsked {
        /// Its label.
        label: Label,
    },
    /// A player consents to that.
    Consented {
        /// Which seat's.
        seat: Seat,
        /// The consent, as the dice will be bound to it.
        block: Block,
    },
    /// The GM's words to all, at once.
    Broadcast {
        /// What they say: lines ended by LF.
        text: String,
    },
    /// The GM's words for the next dispatch.
    Narrated {
        /// For these seats; for all if none.
        to: BTreeSet<Seat>,
        /// What they say: lines ended by LF.
        text: String,
    },
    /// An adjudication is revealed, and with it all before: from here on their orders and dice are public.
    Revealed {
        /// The last of them.
        upto: u32,
        /// Its secret, from which the earlier ones follow.
        secret: Digest,
    },
    /// The GM has looked at the turn that ran last, or the time for that is over: its dispatches go out.
    Released,
}

/// What a game is founded on, and who plays it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Charter {
    /// The game's name.
    pub game: GameId,
    /// Which ruleset.
    pub ruleset: String,
    /// Which version of its verbs.
    pub rules_version: u32,
    /// The scenario's name on the command line.
    pub scenario: String,
    /// The rules, maps and scenario, whole.
    pub files: RuleFiles,
    /// Who sits where. Every seat of the game.
    pub players: BTreeMap<Seat, Player>,
    /// Addresses of the GM.
    pub gm: Vec<String>,
    /// How deadlines are made.
    pub deadlines: DeadlinePolicy,
    /// Length N of the secret chain.
    pub chain_length: u32,
    /// Which public beacon the dice wait for, if any. It never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beacon: Option<BeaconPolicy>,
    /// The key that signs the chain lines of its mails, if they are signed. It never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_key: Option<HostKey>,
    /// Which letters are passed on. Charters from before there were any say nothing.
    #[serde(default, skip_serializing_if = "PressPolicy::is_usual")]
    pub press: PressPolicy,
    /// What else is laid down about time and players.
    #[serde(default, skip_serializing_if = "Terms::are_usual")]
    pub terms: Terms,
}

/// Who plays a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// A person, by mail.
    Mail {
        /// Registered addresses, the first of which is written to.
        addresses: Vec<String>,
    },
    /// The computer.
    Computer {
        /// How well it plays.
        skill: Skill,
    },
    /// Nobody: the seat is free.
    Open,
}

/// Orders fixed at the opening of a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// Whose.
    pub seat: Seat,
    /// The leaf that the log shows.
    pub leaf: Digest,
    /// The orders.
    pub block: Block,
}

impl Player {
    /// What the public log says of a seat that is played so from here on, with the occasion: `seat french house: …`. Who checks
    /// the log learns from it whose orders must be sealed.
    #[must_use]
    pub fn in_log(&self, seat: &Seat, occasion: &str) -> String {
        let whose = match self {
            Self::Mail { .. } => "player",
            Self::Computer { .. } => "house",
            Self::Open => "open",
        };
        format!("seat {seat} {whose}: {occasion}")
    }
}

impl Charter {
    /// The seats played by the host's computer, sorted.
    pub fn house(&self) -> impl Iterator<Item = &Seat> {
        self.players.iter().filter(|(_, p)| matches!(p, Player::Computer { .. })).map(|(seat, _)| seat)
    }
}
