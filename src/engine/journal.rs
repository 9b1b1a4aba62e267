//! The journal of a game: causes and the resulting events, in order. The state of the game is a fold over it.

mod amendment;
mod letter;
mod log;
mod received;
mod reroll;
mod telling;
mod told;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::files::RuleFiles;
use super::terms::{DeadlinePolicy, PressPolicy, Terms};
pub use amendment::Amendment;
pub use letter::{Carriage, PressLetter, Seal};
use musterd_dice::{
    Beacon, BeaconPolicy, BeaconValue, Block, Digest, GameId, HostKey, Label, LineEdit, Roll, Seat, Word,
};
pub use received::{Received, Verdict};
pub use reroll::Reroll;
pub use telling::Telling;
pub use told::{Matter, Told};

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When the host recorded it: unix seconds.
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
        /// The rules, the scenario and the players.
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
        /// The deadline in unix seconds; `None` if the game waits without a deadline.
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
        /// The reason: `ready`, `gm`, `vote`; `recall` if the turn runs at this time unless a mail stops it (the window keeps its own deadline),
        /// and `recalled` if that wait is over.
        reason: String,
    },
    /// The window closed.
    Closed {
        /// The adjudication that runs now.
        t: u32,
        /// The leaf of every slot, sorted by slot.
        leaves: BTreeMap<Seat, Digest>,
        /// The root over the leaves, to which the dice are bound.
        root: Digest,
    },
    /// The public beacon gave the value that the dice of a closed adjudication were waiting for.
    Beacon {
        /// The adjudication.
        t: u32,
        /// The round, and the hash of its value.
        beacon: Beacon,
        /// The value itself. Journals written before this field existed don't have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<BeaconValue>,
    },
    /// The adjudication ran.
    Adjudicated {
        /// The adjudication.
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
    /// A player's letter was forwarded.
    Pressed(PressLetter),
    /// A letter that had been sealed until a certain time was opened.
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
        /// The seat.
        seat: Seat,
        /// The orders.
        block: Block,
        /// Their leaf.
        leaf: Digest,
    },
    /// Something outside the rules was settled: players, times, terms.
    Arranged(Arrangement),
    /// The GM changed the position by hand.
    Amended(Amendment),
    /// The adjudication that ran last ran again, with the same orders and the same seed, from a position that the GM amended. Its events replace the
    /// earlier ones, and the amendments made since.
    Rerun {
        /// The adjudication.
        t: u32,
        /// The number of this rerun of it, from 1.
        k: u32,
        /// The change that was made before it.
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
    /// A roll of the adjudication that ran last was thrown again, with the consent of all.
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
    /// Players, or the GM, were told something about a deadline. The public log says nothing of it.
    Told(Told),
    /// A seat was told of an adjudication, or how its orders were understood.
    Reported(Box<Telling>),
    /// Observers were sent an adjudication. The public log says nothing of it.
    Observed {
        /// The adjudication.
        t: u32,
    },
    /// The GM stepped in.
    Intervened {
        /// The open adjudication.
        t: u32,
        /// What the GM did, and why: one line.
        text: String,
    },
    /// A remark that is recorded with its time, one line.
    Noted {
        /// The remark.
        text: String,
    },
    /// The game ended.
    Ended {
        /// The result of the game, one line for each side.
        results: Vec<String>,
    },
}

/// A decision outside the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrangement {
    /// The open adjudication, or the next one if none is open.
    pub t: u32,
    /// Who decided.
    pub by: Author,
    /// The decision.
    pub change: Change,
    /// The decision in words for the public log, with the reason: one line, without addresses and without anything hidden.
    pub text: String,
}

/// The author of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Author {
    /// The GM, by mail or command.
    Gm,
    /// The player of a seat.
    Seat {
        /// The seat.
        seat: Seat,
    },
    /// The host by itself, following the terms of the game; or on behalf of somebody who has no seat.
    Host,
}

/// The kinds of decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// Another player takes a seat from now on, or the seat falls free.
    Seated {
        /// The seat.
        seat: Seat,
        /// The new player.
        player: Player,
    },
    /// The player of a seat has other addresses.
    Addresses {
        /// The seat.
        seat: Seat,
        /// Registered addresses; mail goes to the first.
        addresses: Vec<String>,
    },
    /// A seat has a new secret.
    Secret {
        /// The seat.
        seat: Seat,
        /// The number of the secret; the seat's first secret has number 0.
        issue: u32,
    },
    /// A seat is given times in another time zone.
    Zone {
        /// The seat.
        seat: Seat,
        /// The zone's IANA name.
        zone: String,
    },
    /// A player will be away. This replaces what the seat said before.
    Absent {
        /// The seat.
        seat: Seat,
        /// The beginning of the absence, unix seconds.
        from: i64,
        /// The end of the absence, unix seconds; not after `from` if the player is back.
        until: i64,
    },
    /// A player asks for more time for the open window.
    Voted {
        /// The seat.
        seat: Seat,
        /// The deadline asked for, unix seconds.
        until: i64,
    },
    /// A player who was ready is no longer: a mail without orders stopped a turn that was about to run.
    Unready {
        /// The seat.
        seat: Seat,
    },
    /// The game is paused.
    Paused,
    /// The game is resumed.
    Resumed,
    /// The terms of the game change.
    Terms {
        /// The deadlines from the next window on.
        deadlines: DeadlinePolicy,
        /// Which letters are forwarded.
        press: PressPolicy,
        /// The other terms.
        terms: Box<Terms>,
    },
    /// The GM has other addresses, or an address another part in leading the game.
    Gm {
        /// The addresses.
        addresses: Vec<String>,
        /// The parts of those that aren't owners, in small letters. Journals written before this field existed have owners only.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        roles: BTreeMap<String, GmRole>,
    },
    /// Somebody offers to take a seat that falls free, or withdraws the offer.
    Standby {
        /// The address of this person.
        address: String,
        /// The seat; any seat if `None`.
        seat: Option<Seat>,
        /// Whether the person is on the list now.
        listed: bool,
    },
    /// Somebody watches the game, or stops watching.
    Observer {
        /// The address of this person.
        address: String,
        /// Whether the person is on the list now.
        listed: bool,
    },
    /// Somebody asks to watch the game, or the GM refused it.
    Applied {
        /// The address of this person.
        address: String,
        /// Whether the GM has refused it.
        refused: bool,
    },
    /// Somebody becomes a witness of the log, or is one no longer.
    Witness {
        /// The address of this person.
        address: String,
        /// Whether the person is on the list now.
        listed: bool,
    },
    /// A mail to an address of a seat's player came back, or the relay refused it.
    Undelivered {
        /// The seat.
        seat: Seat,
        /// The address.
        address: String,
        /// The status code of RFC 3463, or a word if there is none.
        status: String,
        /// Whether the status says that the address is no good; `false` if mail to it may work again.
        permanent: bool,
    },
    /// An address that mail had come back from is good again: a mail came from it, or its player says so.
    Reached {
        /// The seat.
        seat: Seat,
        /// The address.
        address: String,
    },
    /// Somebody may take no seat of the game, nor wait for one, nor watch; or may do so again. Giving them a seat ends it too.
    Barred {
        /// Every address of this person that was registered.
        addresses: Vec<String>,
        /// Whether the person is barred now.
        barred: bool,
    },
    /// Everybody is asked whether a roll of the turn that ran last may be thrown again.
    RerollAsked {
        /// The label of the roll.
        label: Label,
    },
    /// A player consents to a roll being thrown again.
    Consented {
        /// The seat.
        seat: Seat,
        /// The consent, as the dice will be bound to it.
        block: Block,
    },
    /// A message of the GM to all players, sent at once.
    Broadcast {
        /// The message: lines ended by LF.
        text: String,
    },
    /// A player's letter to the GM. The public log says only that there was one.
    ToGm {
        /// The writer.
        from: Seat,
        /// The letter: lines ended by LF.
        text: String,
    },
    /// A letter of the GM to players. The public log says only that there was one.
    FromGm {
        /// Its readers.
        to: BTreeSet<Seat>,
        /// The letter: lines ended by LF.
        text: String,
    },
    /// A player who is ready until contact has nothing in reach: the open turn needs no mail of his.
    GoesOn {
        /// The seat.
        seat: Seat,
    },
    /// The position was changed so that a player who went on without a mail has something in reach: the open turn waits for him again.
    Asked {
        /// The seat.
        seat: Seat,
    },
    /// A player leaves orders for a later turn, in the place of those that were left before.
    Ahead {
        /// The seat.
        seat: Seat,
        /// What is left; nothing if it is taken back.
        left: Option<Left>,
    },
    /// A game that is over is archived: hosts no longer open it by themselves.
    Archived,
    /// The GM looked at a seat's orders for the open turn.
    Looked {
        /// The seat.
        seat: Seat,
    },
    /// A message of the GM for the next dispatch.
    Narrated {
        /// The seats that get it; all seats if empty.
        to: BTreeSet<Seat>,
        /// The message: lines ended by LF.
        text: String,
    },
    /// The GM changed a line of a dispatch that waits.
    Edited {
        /// The change.
        edit: LineEdit,
    },
    /// An adjudication is revealed, and all before it: from now on their orders and dice are public.
    Revealed {
        /// The last revealed adjudication.
        upto: u32,
        /// The secret of that adjudication. The earlier secrets can be computed from it.
        secret: Digest,
    },
    /// The GM has approved the turn that ran last, or the time for that is over: its dispatches are sent.
    Released,
    /// The game ended otherwise than by its rules: its players or its GM decided so. An open window or a closed turn never runs.
    Ended {
        /// The result of the game, one line for each side or one for all.
        results: Vec<String>,
    },
    /// A player wants other mails.
    Preferences {
        /// The seat.
        seat: Seat,
        /// What the player wants from now on.
        preferences: Preferences,
    },
    /// A player agrees that the game ends as a draw, or takes that back.
    Draw {
        /// The seat.
        seat: Seat,
        /// Whether the player agrees now.
        agrees: bool,
    },
}

impl Cause {
    /// The result of the game if it ends with this cause: by its rules, or because its players or its GM decided so.
    #[must_use]
    pub fn results(&self) -> Option<&[String]> {
        match self {
            Self::Ended { results }
            | Self::Arranged(Arrangement { change: Change::Ended { results }, .. }) => Some(results),
            _ => None,
        }
    }
}

/// Orders that are left for a later turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// The adjudication that was open.
    pub from: u32,
    /// The number or the name of the one that they are for; the next one in which the seat has to order if `None`.
    pub turn: Option<String>,
    /// The orders.
    pub block: Block,
    /// The host's name for the mail.
    pub mail: String,
    /// When it arrived, unix seconds.
    pub arrived: i64,
}

/// The part of one address of the GM's in leading a game; each may do what those below it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GmRole {
    /// Reads everything, and changes nothing.
    Reader,
    /// Runs the game, but settles neither its terms nor who plays or leads it.
    Referee,
    /// Does everything.
    #[default]
    Owner,
}

impl GmRole {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::Reader, Self::Referee, Self::Owner];

    /// Its word in commands.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Referee => "referee",
            Self::Owner => "owner",
        }
    }
}

/// What the mails to a seat bring. The text is always there: it tells everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Preferences {
    /// Whether mails are sent as pages too.
    pub html: bool,
    /// Whether the pages have drawings: maps and bars.
    pub pictures: bool,
    /// Whether a report comes as data too.
    pub data: bool,
    /// Whether deadlines come as entries for a calendar.
    pub calendar: bool,
    /// Whether dispatches are full: brief ones have no order form as a file, no drawings, no data and no proofs of dice.
    pub full: bool,
}

impl Default for Preferences {
    /// Everything that the host sends.
    fn default() -> Self {
        Self { html: true, pictures: true, data: true, calendar: true, full: true }
    }
}

/// The rules and the players that a game is founded on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Charter {
    /// The game's name.
    pub game: GameId,
    /// The ruleset.
    pub ruleset: String,
    /// The version of the rules.
    pub rules_version: u32,
    /// The scenario's name on the command line.
    pub scenario: String,
    /// The rules, maps and scenario, in full.
    pub files: RuleFiles,
    /// The player of each seat of the game.
    pub players: BTreeMap<Seat, Player>,
    /// Addresses of the GM.
    pub gm: Vec<String>,
    /// How deadlines are computed.
    pub deadlines: DeadlinePolicy,
    /// Length N of the secret chain.
    pub chain_length: u32,
    /// The public beacon that the dice wait for, if any. It never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beacon: Option<BeaconPolicy>,
    /// The key that signs the chain lines of the game's mails, if they are signed. It never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_key: Option<HostKey>,
    /// Which letters are forwarded. Charters written before this field existed don't have it.
    #[serde(default, skip_serializing_if = "PressPolicy::is_usual")]
    pub press: PressPolicy,
    /// The other terms about time and players.
    #[serde(default, skip_serializing_if = "Terms::are_usual")]
    pub terms: Terms,
    /// Templates of the game's own for its mails, by file. They are words around what the game tells, and no part of its rules.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub templates: BTreeMap<String, String>,
}

impl Charter {
    /// The ruleset, and the version of it that the game is played by.
    #[must_use]
    pub fn rules(&self) -> (&str, u32) {
        (&self.ruleset, self.rules_version)
    }
}

/// The player of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// A person, by mail.
    Mail {
        /// Registered addresses; mail goes to the first.
        addresses: Vec<String>,
    },
    /// The computer.
    Computer {
        /// Its level by name.
        skill: Word,
    },
    /// Nobody: the seat is free.
    Open,
}

/// Orders that are fixed when a window opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// The seat.
    pub seat: Seat,
    /// The leaf that the log shows.
    pub leaf: Digest,
    /// The orders.
    pub block: Block,
}

impl Player {
    /// The registered addresses, in order; none where no person plays.
    #[must_use]
    pub fn addresses(&self) -> &[String] {
        match self {
            Self::Mail { addresses } => addresses,
            Self::Computer { .. } | Self::Open => &[],
        }
    }

    /// The public log's note about a seat that is played in this way from here on: `seat french house: …`, with the occasion. An auditor of the log
    /// learns from it which seats' orders must be sealed.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn anew(change: &Change) -> String {
        serde_json::to_string(change).unwrap()
    }

    #[test]
    fn changes_that_older_programs_wrote_are_read_as_they_were() {
        let written = r#"{"change":"gm","addresses":["gm@example.org"]}"#;
        let change: Change = serde_json::from_str(written).unwrap();
        let Change::Gm { roles, .. } = &change else { panic!("{change:?}") };
        assert!(roles.is_empty(), "all are owners");
        assert_eq!(anew(&change), written);
        let written = serde_json::to_value(Terms::default()).unwrap();
        assert!(written.get("excused").is_none(), "{written}");
    }

    #[test]
    fn both_ends_of_a_game_have_results() {
        let results = vec!["red 1".to_owned()];
        let change = Change::Ended { results: results.clone() };
        let text = String::new();
        let decided = Cause::Arranged(Arrangement { t: 1, by: Author::Gm, change, text });
        for cause in [decided, Cause::Ended { results: results.clone() }] {
            assert_eq!(cause.results(), Some(results.as_slice()));
        }
        assert_eq!(Cause::Noted { text: "ended".to_owned() }.results(), None);
    }
}
