//! The terms of a game: what is laid down beside its rules about time and about players. Every game has its own, fixed at its
//! founding; the GM may change them in play, and the journal says so.

use serde::{Deserialize, Serialize};

use super::Skill;

/// How a window's deadline is found. Every value is in the words of `musterd new --deadline`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DeadlinePolicy {
    /// No deadline: a turn runs when all are ready, or when the GM says so.
    None,
    /// So many minutes after the window opened.
    After {
        /// Minutes.
        minutes: u32,
        /// Days of the week on which nothing closes, ISO numbers (Monday 1): a deadline on one of them comes at the same
        /// time of the next other day.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        not_on: Vec<i8>,
        /// IANA name of the zone in which those days are meant; the host's own if none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        zone: Option<String>,
    },
    /// The first such weekday and time at least `at_least_hours` after the window opened.
    Weekly {
        /// Days of the week, ISO numbers (Monday 1).
        days: Vec<i8>,
        /// Hour of the day, 0 to 23, local.
        hour: i8,
        /// Minute of the hour.
        minute: i8,
        /// IANA name of the time zone.
        zone: String,
        /// The window's least length, hours.
        at_least_hours: u32,
    },
}

/// Which letters between players the host passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PressPolicy {
    /// None.
    None,
    /// Those to seats of the writer's own side.
    #[default]
    Side,
    /// Any.
    All,
}

impl PressPolicy {
    /// Whether it is what a charter means that says nothing.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// What a game lays down about time and players besides its deadlines and letters. Spans are in minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// How long after a deadline the turn waits for orders that are missing; it runs at once when nobody's are.
    pub grace: u32,
    /// How long before a deadline a seat whose orders are missing is reminded, once; never if none.
    pub remind: Option<u32>,
    /// What happens to seats whose orders are missing when deadline and grace are over.
    pub missing: Missing,
    /// How many missing seats a turn may run with; any number if none. With more the turn is held back.
    pub most_missing: Option<u32>,
    /// How long a turn is held back before the GM has to decide.
    pub hold: u32,
    /// Who has to be `READY` for a turn to run before its deadline.
    pub early: Early,
    /// How long a turn that would run because all are ready waits first, where people are among them, so that a mail can still stop
    /// it; it runs at once if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<u32>,
    /// How far the players may move the deadline of one turn, by vote and by absences together.
    pub extension: u32,
    /// How long somebody has at least for the open turn who takes a seat that must order in it.
    pub newcomer: u32,
    /// How long the GM has to look at a turn before its dispatches go out by themselves; they go at once if none.
    pub approval: Option<u32>,
    /// How many adjudications observers see the game behind its players.
    pub observers_lag: u32,
    /// Whether anybody may watch the game, or whom the GM admits, or nobody.
    #[serde(skip_serializing_if = "Observers::is_usual")]
    pub observers: Observers,
    /// Whether letters may hide whose they are.
    pub anonymous: bool,
    /// When secrets, orders and dice become public.
    #[serde(skip_serializing_if = "Reveal::is_usual")]
    pub reveal: Reveal,
    /// Whether every dispatch brings its seat's own dice with the proof that they are the committed ones. Their place among the
    /// others tells something of how many dice fell.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub proofs: bool,
    /// Hexes that a courier rides from one adjudication to the next, where letters travel; they come at once if none.
    pub couriers: Option<u32>,
}

impl Default for Terms {
    /// What a journal means that says nothing of a term: the terms of the first games. They never change, so that no game's terms
    /// change with the program.
    fn default() -> Self {
        Self {
            grace: 0,
            remind: Some(24 * 60),
            missing: Missing::Standing,
            most_missing: None,
            hold: 3 * 24 * 60,
            early: Early::All,
            recall: None,
            extension: 14 * 24 * 60,
            newcomer: 0,
            approval: None,
            observers_lag: 2,
            observers: Observers::Open,
            anonymous: false,
            reveal: Reveal::End,
            proofs: false,
            couriers: None,
        }
    }
}

impl Terms {
    /// The terms of a new game where nothing else is laid down.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            recall: Some(15),
            newcomer: 24 * 60,
            observers_lag: 8,
            observers: Observers::Ask,
            proofs: true,
            ..Self::default()
        }
    }

    /// Whether they are what a charter means that says nothing.
    pub(crate) fn are_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// What happens to a seat whose orders are missing when its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Missing {
    /// The turn waits for it: it is held back, then the GM decides.
    Hold,
    /// The turn runs; its units follow their standing orders and defaults.
    #[default]
    Standing,
    /// The turn runs; the computer gives its orders for this once.
    Computer {
        /// How well it plays.
        skill: Skill,
    },
    /// The GM is asked, and the turn waits for the answer.
    Gm,
}

/// Who has to be ready for a turn to run before its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Early {
    /// Every seat that must or may order.
    #[default]
    All,
    /// Every seat that must order.
    Phasing,
    /// No turn runs before its deadline.
    Never,
}

/// Who may watch a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observers {
    /// Anybody who asks.
    #[default]
    Open,
    /// Whom the GM admits; nobody where there is no GM.
    Ask,
    /// Nobody.
    None,
}

impl Observers {
    /// Whether it is what terms mean that say nothing.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// When the secret of an adjudication becomes public, and with it every order and die of it and of all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reveal {
    /// When the game is over.
    #[default]
    End,
    /// With the dispatches of an adjudication, or of one that counts and comes later.
    Lag {
        /// How many adjudications later; at once if 0.
        turns: u32,
    },
}

impl Reveal {
    /// Whether it is what terms mean that say nothing.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}
