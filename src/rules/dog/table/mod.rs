//! Dice for a table: single throws, each an adjudication of its own, bound to a line that says what the dice are thrown for.
//!
//! A sitting at a table is a dice game without a battle. The umpire's line is its only order, and the players' words for the dice are the only
//! answer. What the table keeps, its units above all, follows from its lines: a line that throws nothing is an adjudication too. So its journal, its audit file and its replay have the same form as those of any other game.

pub mod before;
mod event;
mod house;
pub mod keep;
pub mod line;
pub mod read;
mod sitting;
pub mod telling;
pub mod throw;
pub mod unit;

pub use before::{Before, before};
pub use event::{Booked, Event, ThrownStrike, Toll};
pub use house::{FILE, House, founding};
pub use sitting::{PLAYERS, Sitting, UMPIRE};

#[cfg(test)]
mod tests;
