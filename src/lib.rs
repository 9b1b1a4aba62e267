//! `musterd`: a play-by-email adjudicator for old wargames, with dice that anybody can audit.
//!
//! The program: its command line, and the list of the rulesets that it plays. Everything else is a crate of its own under `src/`, given
//! here under one name; see `ARCHITECTURE.md`.

pub mod cli;
pub mod rulesets;

pub use musterd_audit as audit;
pub use musterd_daemon as daemon;
pub use musterd_desk as desk;
pub use musterd_dice as dice;
pub use musterd_disk::{self as disk, fault};
pub use musterd_engine::{self as engine, hex};
pub use musterd_letter as letter;
pub use musterd_post as post;
pub use musterd_report as report;
pub use musterd_store as store;

/// The rulesets, one crate each.
pub mod rules {
    #[cfg(feature = "acw")]
    pub use musterd_acw as acw;
    #[cfg(feature = "dog")]
    pub use musterd_dog as dog;
    #[cfg(feature = "lga")]
    pub use musterd_lga as lga;
    #[cfg(feature = "sa")]
    pub use musterd_sa as sa;
}
