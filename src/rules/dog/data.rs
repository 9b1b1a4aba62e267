//! The data of one battle: numbers and battle file, loaded together and checked.

use super::battle::{Army, Battle};
use super::model::ArmyId;
use super::numbers::Numbers;
use crate::engine::files::{DataErrors, RuleFiles};
use crate::engine::{Seat, SeatSpec};

/// The rules and the battle of one game of Death or Glory.
#[derive(Debug, Clone)]
pub struct Dog {
    numbers: Numbers,
    battle: Battle,
    seats: Vec<SeatSpec>,
}

/// The files that the program ships, by path under `games/dog/`.
pub const SHIPPED: [(&str, &str); 10] = [
    ("ruleset.yaml", include_str!("../../../games/dog/ruleset.yaml")),
    ("scenarios/training.yaml", include_str!("../../../games/dog/scenarios/training.yaml")),
    ("scenarios/millers-ford.yaml", include_str!("../../../games/dog/scenarios/millers-ford.yaml")),
    ("scenarios/reed-causeway.yaml", include_str!("../../../games/dog/scenarios/reed-causeway.yaml")),
    ("scenarios/frost-saddle.yaml", include_str!("../../../games/dog/scenarios/frost-saddle.yaml")),
    ("scenarios/three-banners.yaml", include_str!("../../../games/dog/scenarios/three-banners.yaml")),
    ("scenarios/daerquwa.yaml", include_str!("../../../games/dog/scenarios/daerquwa.yaml")),
    ("scenarios/ashland-wells.yaml", include_str!("../../../games/dog/scenarios/ashland-wells.yaml")),
    ("scenarios/six-at-the-bridge.yaml", include_str!("../../../games/dog/scenarios/six-at-the-bridge.yaml")),
    ("scenarios/doru-siege.yaml", include_str!("../../../games/dog/scenarios/doru-siege.yaml")),
];

/// The files to found a game of a shipped battle on.
#[must_use]
pub fn shipped(battle: &str) -> Option<RuleFiles> {
    let wanted = format!("scenarios/{battle}.yaml");
    let named = |(path, text): &(&str, &str)| match *path {
        path if path == wanted => Some((super::battle::FILE.to_owned(), (*text).to_owned())),
        path if path.starts_with("scenarios/") => None,
        path => Some((path.to_owned(), (*text).to_owned())),
    };
    let files: std::collections::BTreeMap<_, _> = SHIPPED.iter().filter_map(named).collect();
    files.contains_key(super::battle::FILE).then_some(RuleFiles(files))
}

impl Dog {
    /// Reads and checks the data of a battle with these seats; an empty list asks for the battle's own.
    ///
    /// # Errors
    /// Everything wrong with the files, or a choice of seats that is not the battle's: each army has one leader.
    pub fn from_files(files: &RuleFiles, seats: &[Seat]) -> Result<Self, DataErrors> {
        let numbers = Numbers::load(files)?;
        let battle = Battle::load(files, &numbers)?;
        let spec = |army: &Army| SeatSpec {
            seat: army.seat.clone(),
            title: army.leader.clone(),
            side: army.alliance.clone(),
        };
        let specs: Vec<SeatSpec> = battle.armies().iter().map(spec).collect();
        let own = |seat: &Seat| specs.iter().any(|spec| spec.seat == *seat);
        if !seats.is_empty() && (seats.len() != specs.len() || !seats.iter().all(own)) {
            let names: Vec<&str> = specs.iter().map(|spec| spec.seat.as_str()).collect();
            let reason = format!("each army has one leader: the seats are {}", names.join(", "));
            return Err(DataErrors::one(super::battle::FILE, 0, reason));
        }
        Ok(Self { numbers, battle, seats: specs })
    }

    /// The numbers of the rules.
    #[must_use]
    pub const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The battle.
    #[must_use]
    pub const fn battle(&self) -> &Battle {
        &self.battle
    }

    /// The leaders' seats, in the order of the battle file.
    #[must_use]
    pub fn seat_specs(&self) -> &[SeatSpec] {
        &self.seats
    }

    /// The army that a seat leads.
    #[must_use]
    pub fn led_by(&self, seat: &Seat) -> Option<ArmyId> {
        self.battle.led_by(seat).map(|army| army.id)
    }
}
