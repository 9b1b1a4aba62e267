//! A battle that was read and checked: its armies, their leaders and units, what they may hire.

use super::field::Field;
use crate::model::{ArmyId, People, Scale, Sort, TroopId, UnitId};
use crate::switches::Switches;
use musterd_dice::Seat;
use musterd_engine::hex::{Hex, HexSet};

/// A battle, checked.
#[derive(Debug, Clone)]
pub struct Battle {
    /// Its name on the command line: `daerquwa`.
    pub id: String,
    /// Its title: `The Battle of Daerquwa`.
    pub title: String,
    /// The situation, a few sentences.
    pub situation: String,
    /// The name of the time: `Morning, 14 Leafmonth`; may be empty.
    pub date: String,
    /// How large units are.
    pub scale: Scale,
    /// Whether moves are mailed first and combat orders after them, or both together.
    pub by_phase: bool,
    /// The last round; `None` if the battle goes on until one side is left.
    pub rounds: Option<u16>,
    /// The winner if the last round ends with several sides on the field; `None` for a draw.
    pub holders: Option<String>,
    /// The optional rules.
    pub switches: Switches,
    /// The field.
    pub field: Field,
    pub(super) armies: Vec<Army>,
}

impl Battle {
    /// The armies, in the order of the file.
    pub fn armies(&self) -> &[Army] {
        &self.armies
    }

    /// An army.
    ///
    /// # Panics
    /// For an id that is not of this battle.
    pub fn army(&self, id: ArmyId) -> &Army {
        &self.armies[usize::from(id.0)]
    }

    /// The army that a seat leads.
    pub fn led_by(&self, seat: &Seat) -> Option<&Army> {
        self.armies.iter().find(|army| army.seat == *seat)
    }

    /// The army whose units have this letter.
    pub fn lettered(&self, letter: char) -> Option<&Army> {
        self.armies.iter().find(|army| army.letter == letter)
    }

    /// The army of a unit; `None` of a unit that is nobody's in this battle.
    pub fn army_of(&self, unit: UnitId) -> Option<ArmyId> {
        self.lettered(unit.army).map(|army| army.id)
    }

    /// Whether two armies fight for one alliance.
    pub fn allied(&self, a: ArmyId, b: ArmyId) -> bool {
        a == b || self.army(a).alliance == self.army(b).alliance
    }

    /// Whether units are enemies; units of no army of this battle are nobody's.
    pub fn hostile(&self, a: UnitId, b: UnitId) -> bool {
        self.army_of(a).zip(self.army_of(b)).is_some_and(|(a, b)| !self.allied(a, b))
    }

    /// The alliances, each once, in the order of the file.
    pub fn alliances(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for army in &self.armies {
            if !found.contains(&army.alliance.as_str()) {
                found.push(&army.alliance);
            }
        }
        found
    }

    /// Whether leaders have to mail unit records before the battle: some unit has no place yet, or money is to be spent.
    pub fn is_set_up_by_mail(&self) -> bool {
        self.armies.iter().any(Army::owes_records)
    }
}

/// An army and its leader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Army {
    /// Its place in the file.
    pub id: ArmyId,
    /// Its leader's seat: `emperor`.
    pub seat: Seat,
    /// The letter of its units.
    pub letter: char,
    /// Its name: `Thunder Legions`.
    pub name: String,
    /// How its leader is addressed: `the Legate of the Thunder Legions`.
    pub leader: String,
    /// The alliance that it fights in; armies of one alliance are friends (ruling DOG-31).
    pub alliance: String,
    /// Its leader's leadership.
    pub leadership: u32,
    /// Where its units may stand at the start; the whole field if the file doesn't say.
    pub zone: HexSet,
    /// Money to hire units with; `None` if the file lists them.
    pub budget: Option<u32>,
    /// What the money can hire, in the order of table 1.
    pub hires: Vec<TroopId>,
    /// Whether elite troops can be hired.
    pub elite: bool,
    /// Peoples that may be chosen for any of its units (ruling DOG-6).
    pub peoples: Vec<People>,
    /// Its fixed units, by number.
    pub units: Vec<UnitSpec>,
}

/// A unit of a battle file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitSpec {
    /// Its letter and number.
    pub id: UnitId,
    /// Its name, if it has one: `Third Legion`.
    pub name: String,
    /// Who is in it; one sort unless the scale is strategic.
    pub sorts: Vec<Sort>,
    /// Where it starts; `None` if its leader chooses.
    pub at: Option<Hex>,
    /// Whether it starts hidden.
    pub hidden: bool,
}

impl Army {
    /// Whether its leader has to mail unit records.
    pub fn owes_records(&self) -> bool {
        self.budget.is_some() || self.units.iter().any(|unit| unit.at.is_none())
    }
}
