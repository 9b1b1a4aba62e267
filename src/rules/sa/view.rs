//! What a commander knows of the battle: made by `fog.rs` and by nobody else.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::Seat;
use serde::Serialize;

use crate::data::Sa;
use crate::event::Outcome;
use crate::model::{Side, UnitId};
use crate::order::{Charge, Taste};
use crate::state::{Noticed, Phase, Position, Standing};

/// What a commander knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct View {
    /// The commander's seat.
    pub seat: Seat,
    /// His side; `None` for a seat that has none.
    pub side: Option<Side>,
    /// The units under him.
    pub own: BTreeSet<UnitId>,
    /// What is waited for.
    pub phase: Phase,
    /// The last time-point of the mail turn that was played.
    pub paused: u16,
    /// What everybody sees.
    pub position: Position,
    /// What his side's units were told: all of them, as commanders of one side speak with each other.
    pub charges: BTreeMap<UnitId, Charge>,
    /// What has happened to them since they acted last: everybody saw it, but only their orders ask for it.
    #[serde(skip)]
    pub(crate) noticed: BTreeMap<UnitId, Noticed>,
    /// Which of the likenesses is the wizard, for his side, and for all once the battle is over.
    pub real: Option<UnitId>,
    /// How the reports are to be.
    pub taste: Taste,
    /// The course of the battle.
    pub course: Vec<Standing>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

impl View {
    /// The wizard and his likenesses on the field, as they look.
    pub fn likenesses(&self, rules: &Sa) -> Vec<UnitId> {
        let specs = rules.battle().units.iter().zip(&self.position.units);
        specs.filter(|(spec, unit)| spec.likeness && unit.at.is_some()).map(|(spec, _)| spec.id).collect()
    }

    /// Whether orders are given now by this seat.
    pub fn orders_now(&self) -> bool {
        match self.phase {
            Phase::Initial(Some(side)) => self.side == Some(side),
            Phase::Initial(None) | Phase::Battle => self.side.is_some(),
            Phase::Unfounded | Phase::Over => false,
        }
    }
}
