//! A battle that was read and checked.

use super::army::Army;
use super::field::Field;
use crate::model::{ArmyId, Scale, UnitId};
use crate::switches::Switches;
use musterd_dice::Seat;

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
