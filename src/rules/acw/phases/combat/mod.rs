//! Combat: whom each brigade is to fight, and the fight (manual, "Combat" and "Cohesion").

mod aim;
mod checks;
mod fight;
mod flight;
mod leaders;
mod loss;

pub(super) use aim::aim;
pub(super) use fight::fight;
pub(super) use flight::hq_way;
