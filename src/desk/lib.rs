//! The desk: one object-safe [`Game`] for all rulesets. The program adds its rulesets by [`Desk::with`]; the code above this layer doesn't know which
//! game it is running.

pub mod audit;
mod brought;
pub mod calendar;
pub mod campaign;
pub mod correction;
mod desk;
pub mod diagnosis;
mod game;
mod in_play;
mod kind;
pub mod letters;
pub mod life;
pub mod mail;
pub mod order_mail;
pub mod past;
pub mod press;
pub mod proofs;
mod public;
pub mod recall;
pub mod reveal;
pub mod rhythm;
pub mod seats;
mod shelf;
pub mod starter;
mod tail;
mod taken_back;
mod tellings;
pub mod terms;
pub mod timing;
mod window;

pub use brought::{Brought, Laid};
pub use desk::{Desk, DeskError, Listing, ScenarioFiles};
pub use game::Game;
pub use kind::{GM, gm_seat, is_gm};
