//! The terms of a game: the settings outside its rules about time and players. Every game has its own terms, fixed when it is founded; the GM may
//! change them in play, and the journal records the change.

use musterd_dice::Word;
use serde::{Deserialize, Serialize};

/// How a window's deadline is computed. Every value is in the words of `musterd new --deadline`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DeadlinePolicy {
    /// No deadline: a turn runs when all are ready, or when the GM says so.
    None,
    /// A number of minutes after the window opened.
    After {
        /// Minutes.
        minutes: u32,
        /// Days of the week on which no window closes, ISO numbers (Monday 1): a deadline on such a day is moved to the same time of the next other
        /// day.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        not_on: Vec<i8>,
        /// IANA name of the zone of those days; the host's own if `None`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        zone: Option<String>,
    },
    /// The first of these weekdays and times that is at least `at_least_hours` after the window opened.
    Weekly {
        /// Days of the week, ISO numbers (Monday 1).
        days: Vec<i8>,
        /// Hour of the day, 0 to 23, local.
        hour: i8,
        /// Minute of the hour.
        minute: i8,
        /// IANA name of the time zone.
        zone: String,
        /// The shortest time that the window is open, in hours.
        at_least_hours: u32,
    },
}

/// Which letters between players the host forwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PressPolicy {
    /// No letters.
    None,
    /// Letters to seats of the writer's own side.
    #[default]
    Side,
    /// Letters to any seat.
    All,
}

impl PressPolicy {
    /// Whether it is the value of charters that don't have this field.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// The terms about time and players besides deadlines and letters. Times are in minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// How long the turn waits after a deadline for missing orders; it runs at once if no orders are missing.
    pub grace: u32,
    /// How long before a deadline a seat with missing orders is reminded, once; `None` for no reminder.
    pub remind: Option<u32>,
    /// What happens to seats with missing orders when deadline and grace are over.
    pub missing: Missing,
    /// How many missing seats a turn may run with; any number if `None`. With more missing seats the turn is held back.
    pub most_missing: Option<u32>,
    /// How long a turn is held back before the GM has to decide, or for an excused seat.
    pub hold: u32,
    /// How many missed turns a player of a seat is excused: such a turn is held back once instead of running at once, and counts as missed nowhere.
    #[serde(skip_serializing_if = "is_zero")]
    pub excused: u32,
    /// Which seats have to be `READY` for a turn to run before its deadline.
    pub early: Early,
    /// How long a turn waits when all are ready, so that a mail can still stop it. The wait applies only if people are among those who are ready. The
    /// turn runs at once if `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<u32>,
    /// How far the players may move the deadline of one turn in total, by vote and by absences.
    pub extension: u32,
    /// The least time for the open turn that a new player of a seat gets, if the seat must order in it.
    pub newcomer: u32,
    /// How long the GM has to look at a turn before its dispatches are sent without approval; they are sent at once if `None`.
    pub approval: Option<u32>,
    /// How many adjudications later than the players observers see the game.
    pub observers_lag: u32,
    /// Who may watch the game: anybody, whoever the GM admits, or nobody.
    #[serde(skip_serializing_if = "Observers::is_usual")]
    pub observers: Observers,
    /// Whether letters may hide their sender.
    pub anonymous: bool,
    /// When secrets, orders and dice become public.
    #[serde(skip_serializing_if = "Reveal::is_usual")]
    pub reveal: Reveal,
    /// Whether every dispatch contains its seat's own dice with the proof that they are the committed ones. The place of these dice among the others
    /// roughly tells how many dice were thrown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub proofs: bool,
    /// How many hexes a courier rides from one adjudication to the next, if letters go by courier; letters arrive at once if `None`.
    pub couriers: Option<u32>,
}

impl Default for Terms {
    /// The values for terms that a journal doesn't have: those of the first games. They never change, so no game's terms change with the program.
    fn default() -> Self {
        Self {
            grace: 0,
            remind: Some(24 * 60),
            missing: Missing::Standing,
            most_missing: None,
            hold: 3 * 24 * 60,
            excused: 0,
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
    /// The terms of a new game, unless others are given.
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

    /// Whether they are the terms of charters that don't have this field.
    pub(crate) fn are_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// Whether it is the value of terms that don't have this field.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What happens to a seat whose orders are missing when its time is over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Missing {
    /// The turn waits for the seat: it is held back, then the GM decides.
    Hold,
    /// The turn runs; the seat's units follow their standing orders and defaults.
    #[default]
    Standing,
    /// The turn runs; the computer gives the seat's orders this once.
    Computer {
        /// Its level by name.
        skill: Word,
    },
    /// The GM is asked, and the turn waits for the answer.
    Gm,
}

/// Which seats have to be ready for a turn to run before its deadline.
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
    /// Anybody who asks may watch.
    #[default]
    Open,
    /// The GM admits observers; nobody may watch a game without a GM.
    Ask,
    /// Nobody may watch.
    None,
}

impl Observers {
    /// Whether it is the value of terms that don't have this field.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// When the secret of an adjudication becomes public, and with it every order and die of this adjudication and of all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reveal {
    /// When the game is over.
    #[default]
    End,
    /// With the dispatches of the adjudication itself, or of a later one. Void adjudications are not counted.
    Lag {
        /// How many adjudications later; 0 stands for its own dispatches.
        turns: u32,
    },
}

impl Reveal {
    /// Whether it is the value of terms that don't have this field.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}
