//! A line of a table's umpire: a throw, or a change of what the table keeps.

use super::throw::Throw;
use super::unit::KeptUnit;
use crate::model::UnitId;
use crate::numbers::Numbers;

/// A line, as understood against what the table keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A throw.
    Throw(Named),
    /// A unit is written down, changed by hand or struck off.
    Unit {
        /// The unit.
        id: UnitId,
        /// The unit after the line; `None` if it is struck off.
        unit: Option<KeptUnit>,
        /// What the line says of it.
        said: String,
    },
    /// The next round begins, or the one with this number.
    Round(Option<u32>),
    /// A phase begins.
    Phase(String),
    /// The armies' order, as the umpire says it.
    Order(Vec<String>),
    /// The words of a side for the dice; `None` for a table that does without.
    Words(Option<(String, String)>),
    /// A note for the record.
    Note(String),
    /// The last line that can be taken back is void.
    Undo,
}

/// A throw, with the units of the table that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The throw, with the fighters of the units.
    pub throw: Throw,
    /// The unit that strikes, shoots or searches.
    pub by: Option<UnitId>,
    /// The unit that is struck, or hidden.
    pub on: Option<UnitId>,
}

impl Named {
    /// Whether it names a unit of the table.
    pub const fn names_units(&self) -> bool {
        self.by.is_some() || self.on.is_some()
    }
}

impl Line {
    /// The line as it is put on record: read against the same table it means the same.
    pub fn text(&self, numbers: &Numbers) -> String {
        let quoted = |names: &[String]| names.iter().map(|name| format!(" \"{name}\"")).collect::<String>();
        match self {
            Self::Throw(Named { throw, by, on }) => throw.line_of(numbers, *by, *on),
            Self::Unit { id, said, .. } => format!("unit {id} {said}"),
            Self::Round(None) => "round".to_owned(),
            Self::Round(Some(number)) => format!("round {number}"),
            Self::Phase(phase) => format!("phase {phase}"),
            Self::Order(armies) => format!("order{}", quoted(armies)),
            Self::Words(None) => "words none".to_owned(),
            Self::Words(Some((side, words))) => format!("words \"{side}\" {words}"),
            Self::Note(text) => format!("note {text}"),
            Self::Undo => "undo".to_owned(),
        }
    }
}
