//! A battle: the field, the armies, the scale and the switches, from `games/dog/scenarios/*.yaml`.

mod file;
pub mod hire;
pub mod zone;

use std::collections::{BTreeMap, BTreeSet};

use super::model::{ArmyId, Fortification, People, Relief, Scale, Sort, Terrain, TroopId, UnitId};
use super::numbers::Numbers;
use musterd_dice::Seat;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::hex::{Hex, HexSet};

pub(super) use file::Draft;
use hire::HireLists;

/// The file that a game's battle is in, whatever it was called before.
pub const FILE: &str = "scenario.yaml";

/// A battle, checked.
#[derive(Debug, Clone)]
pub struct Battle {
    /// Its name on the command line: `daerquwa`.
    pub id: String,
    /// Its title: `The Battle of Daerquwa`.
    pub title: String,
    /// The situation, a few sentences.
    pub situation: String,
    /// What the time is called: `Morning, 14 Leafmonth`; may be empty.
    pub date: String,
    /// How large units are.
    pub scale: Scale,
    /// Whether moves are mailed first and combat orders after them, or both together.
    pub by_phase: bool,
    /// The last round; none where it is fought until one side is left.
    pub rounds: Option<u16>,
    /// Who wins if the last round ends with several sides on the field; nobody where none is named.
    pub holders: Option<String>,
    /// The optional rules.
    pub switches: Switches,
    /// The field.
    pub field: Field,
    armies: Vec<Army>,
}

/// The optional rules, each by the ruling that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// Few fighters can't strike for more than six tenths of their force (ruling DOG-5).
    pub tiny_strikes: bool,
    /// Pterodactyls and wyverns fly over everything (ruling DOG-25).
    pub fliers: bool,
    /// Outnumbered barbarians flee, and those who can't don't surrender (ruling DOG-29).
    pub barbarian_flight: bool,
    /// Walls don't help nomads (ruling DOG-29).
    pub nomad_unease: bool,
    /// Dwarven guards obey whatever their leader's pride (ruling DOG-29).
    pub guard_loyalty: bool,
}

impl Switches {
    /// How battle files write them, in the order of the fields.
    pub const WORDS: [&str; 5] =
        ["tiny_strikes", "fliers", "barbarian_flight", "nomad_unease", "guard_loyalty"];

    /// What they are where a battle file is silent.
    pub const USUAL: Self = Self {
        tiny_strikes: false,
        fliers: true,
        barbarian_flight: false,
        nomad_unease: false,
        guard_loyalty: false,
    };

    /// Each with its name.
    #[must_use]
    pub const fn named(self) -> [(&'static str, bool); 5] {
        let values =
            [self.tiny_strikes, self.fliers, self.barbarian_flight, self.nomad_unease, self.guard_loyalty];
        let mut named = [("", false); 5];
        let mut i = 0;
        while i < 5 {
            named[i] = (Self::WORDS[i], values[i]);
            i += 1;
        }
        named
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
    /// What its leader is addressed as: `the Legate of the Thunder Legions`.
    pub leader: String,
    /// The alliance that it fights in; armies of one alliance are friends (ruling DOG-31).
    pub alliance: String,
    /// Its leader's leadership.
    pub leadership: u32,
    /// Where its units may stand at the start; all of the field where the file doesn't say.
    pub zone: HexSet,
    /// Money to hire units with; none where the file lists them.
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
    /// Where it starts; none where its leader chooses.
    pub at: Option<Hex>,
    /// Whether it starts hidden.
    pub hidden: bool,
}

/// A hex of the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Ground {
    /// What it is covered with.
    pub terrain: Terrain,
    /// How high it is.
    pub relief: Relief,
    /// What is built on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<Fortification>,
}

/// The field. What is on it at the start: the GM may change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Hexes in a row.
    pub columns: u8,
    /// Rows.
    pub rows: u8,
    ground: Vec<Ground>,
    /// Names of hexes.
    pub places: BTreeMap<Hex, String>,
    /// Hexes over water that a bridge crosses (ruling DOG-35).
    pub bridges: BTreeSet<Hex>,
    /// Hex sides with a bridge, lower hex first (ruling DOG-35).
    pub crossings: BTreeSet<(Hex, Hex)>,
    /// Where boats lie, in order (ruling DOG-35).
    pub boats: Vec<Hex>,
}

impl Field {
    /// What a hex is; none off the field.
    #[must_use]
    pub fn ground(&self, hex: Hex) -> Option<Ground> {
        let inside = (1..=self.columns).contains(&hex.col) && (1..=self.rows).contains(&hex.row);
        let index = (usize::from(hex.row).checked_sub(1)?) * usize::from(self.columns)
            + usize::from(hex.col).checked_sub(1)?;
        self.ground.get(index).copied().filter(|_| inside)
    }

    /// Whether the hex is on the field.
    #[must_use]
    pub fn has(&self, hex: Hex) -> bool {
        self.ground(hex).is_some()
    }

    /// The hexes around one that are on the field.
    pub fn around(&self, hex: Hex) -> impl Iterator<Item = Hex> + '_ {
        hex.around().filter(|hex| self.has(*hex))
    }

    /// Every hex, as a map is read.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + use<> {
        let columns = self.columns;
        (1..=self.rows).flat_map(move |row| (1..=columns).map(move |col| Hex::new(col, row)))
    }

    /// The hex with this name, in any case.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Hex> {
        self.places.iter().find(|(_, own)| own.eq_ignore_ascii_case(name)).map(|(hex, _)| *hex)
    }

    /// A hex as a report writes it: `0304`, or `0304 Daerquwa`.
    #[must_use]
    pub fn place(&self, hex: Hex) -> String {
        self.places.get(&hex).map_or_else(|| hex.to_string(), |name| format!("{hex} {name}"))
    }
}

impl Battle {
    /// Reads and checks `scenario.yaml`.
    ///
    /// # Errors
    /// Everything that is wrong with it, with line and column.
    pub fn load(files: &RuleFiles, numbers: &Numbers) -> Result<Self, DataErrors> {
        Ok(Self::with_lists(files, numbers)?.0)
    }

    /// The same with the hire lists beside it.
    ///
    /// # Errors
    /// Everything that is wrong with the battle, and with the lists that it names.
    pub fn with_lists(files: &RuleFiles, numbers: &Numbers) -> Result<(Self, HireLists), DataErrors> {
        let (draft, lists) = Draft::with_lists(files, numbers)?;
        if draft.errors.is_empty() { Ok((draft.battle, lists)) } else { Err(DataErrors(draft.errors)) }
    }

    /// The armies, in the order of the file.
    #[must_use]
    pub fn armies(&self) -> &[Army] {
        &self.armies
    }

    /// An army.
    ///
    /// # Panics
    /// For an id that is not of this battle.
    #[must_use]
    pub fn army(&self, id: ArmyId) -> &Army {
        &self.armies[usize::from(id.0)]
    }

    /// The army that a seat leads.
    #[must_use]
    pub fn led_by(&self, seat: &Seat) -> Option<&Army> {
        self.armies.iter().find(|army| army.seat == *seat)
    }

    /// The army whose units have this letter.
    #[must_use]
    pub fn lettered(&self, letter: char) -> Option<&Army> {
        self.armies.iter().find(|army| army.letter == letter)
    }

    /// Whether two armies fight for one alliance.
    #[must_use]
    pub fn allied(&self, a: ArmyId, b: ArmyId) -> bool {
        a == b || self.army(a).alliance == self.army(b).alliance
    }

    /// Whether units are enemies; units of no army of this battle are nobody's.
    #[must_use]
    pub fn hostile(&self, a: UnitId, b: UnitId) -> bool {
        match (self.lettered(a.army), self.lettered(b.army)) {
            (Some(a), Some(b)) => a.alliance != b.alliance,
            _ => false,
        }
    }

    /// The alliances, each once, in the order of the file.
    #[must_use]
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
    #[must_use]
    pub fn is_set_up_by_mail(&self) -> bool {
        self.armies.iter().any(Army::owes_records)
    }
}

impl Army {
    /// Whether its leader has to mail unit records.
    #[must_use]
    pub fn owes_records(&self) -> bool {
        self.budget.is_some() || self.units.iter().any(|unit| unit.at.is_none())
    }
}
