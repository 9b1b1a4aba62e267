//! The ways to a battle's objectives, kept once they are found.

use std::sync::{Arc, OnceLock};

use musterd_kit::way::Ways;

use crate::battle::Battle;

/// Movement points from each hex to a goal, by the cheapest way in column.
pub(crate) type Field = Ways<u16>;

/// The types of unit that march, each with a field of its own.
pub(crate) const MOVERS: usize = 5;

/// The ways to the objectives of a battle. They never change, and are found when somebody first goes there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Going {
    pub(crate) fields: Vec<OnceLock<Arc<Field>>>,
}

impl Going {
    pub(crate) fn of(battle: &Battle) -> Self {
        Self { fields: vec![OnceLock::new(); battle.objectives.len() * MOVERS] }
    }
}
