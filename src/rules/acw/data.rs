//! The data of one battle: tables, scenario and map, loaded together and checked.

use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::{Founding, SeatSpec};

use crate::battle::Battle;
use crate::found::Going;
use crate::model::Side;
use crate::numbers::{self, Numbers};
use crate::options::Choices;

/// The rules and the battle of one game of Decisive Battles of the American Civil War.
#[derive(Debug, Clone)]
pub struct Acw {
    numbers: Numbers,
    battle: Battle,
    choices: Choices,
    seats: Vec<SeatSpec>,
    going: Going,
}

/// The files that the program ships, by path under `games/acw/`.
pub const SHIPPED: &[(&str, &str)] = &[
    (numbers::FILE, numbers::SHIPPED),
    ("maps/antietam.yaml", include_str!("../../../games/acw/maps/antietam.yaml")),
    ("maps/bull-run.yaml", include_str!("../../../games/acw/maps/bull-run.yaml")),
    ("maps/chancellorsville.yaml", include_str!("../../../games/acw/maps/chancellorsville.yaml")),
    ("maps/fredericksburg.yaml", include_str!("../../../games/acw/maps/fredericksburg.yaml")),
    ("maps/kellys-mill.yaml", include_str!("../../../games/acw/maps/kellys-mill.yaml")),
    ("maps/second-manassas.yaml", include_str!("../../../games/acw/maps/second-manassas.yaml")),
    ("maps/shiloh.yaml", include_str!("../../../games/acw/maps/shiloh.yaml")),
    ("scenarios/antietam.yaml", include_str!("../../../games/acw/scenarios/antietam.yaml")),
    ("scenarios/bull-run.yaml", include_str!("../../../games/acw/scenarios/bull-run.yaml")),
    ("scenarios/chancellorsville.yaml", include_str!("../../../games/acw/scenarios/chancellorsville.yaml")),
    (
        "scenarios/fredericksburg-assault.yaml",
        include_str!("../../../games/acw/scenarios/fredericksburg-assault.yaml"),
    ),
    ("scenarios/fredericksburg.yaml", include_str!("../../../games/acw/scenarios/fredericksburg.yaml")),
    ("scenarios/kellys-mill.yaml", include_str!("../../../games/acw/scenarios/kellys-mill.yaml")),
    ("scenarios/second-manassas.yaml", include_str!("../../../games/acw/scenarios/second-manassas.yaml")),
    ("scenarios/shiloh.yaml", include_str!("../../../games/acw/scenarios/shiloh.yaml")),
];

/// The files for founding a game of a shipped battle.
pub fn shipped(battle: &str) -> Option<RuleFiles> {
    RuleFiles::of_scenario(SHIPPED, battle)
}

impl Acw {
    /// Reads and checks the data of a battle.
    pub(crate) fn read(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        let choices = Choices::of(founding);
        let (numbers, battle) = crate::files::load(founding, &choices)?;
        let rules = Self::of(numbers, battle, choices);
        founding.each(&rules.seats, "each commander has one seat")?;
        Ok(rules)
    }

    /// The rules of a battle.
    pub fn of(numbers: Numbers, battle: Battle, choices: Choices) -> Self {
        let of = |side: Side| {
            let army = battle.army(side);
            let spec = |one: &crate::battle::Commander| SeatSpec {
                seat: one.seat.clone(),
                title: one.title.clone(),
                side: army.name.clone(),
            };
            army.commanders.iter().map(spec).collect::<Vec<_>>()
        };
        let seats: Vec<SeatSpec> = Side::ALL.into_iter().flat_map(of).collect();
        let going = Going::of(&battle);
        Self { numbers, battle, choices, seats, going }
    }

    /// The tables.
    pub const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The battle.
    pub const fn battle(&self) -> &Battle {
        &self.battle
    }

    /// What was chosen at the founding.
    pub const fn choices(&self) -> &Choices {
        &self.choices
    }

    /// The ways to the objectives.
    pub(crate) const fn going(&self) -> &Going {
        &self.going
    }

    /// The commanders' seats: those of side A first.
    pub fn seat_specs(&self) -> &[SeatSpec] {
        &self.seats
    }

    /// Whether all can always be ordered (ACW-38).
    pub fn has_radio(&self) -> bool {
        self.choices.radio.unwrap_or(self.battle.radio)
    }

    /// Whether commanders know of their own armies only what is reported (ACW-86), which nobody asks where everybody is always in communication.
    pub(crate) fn has_despatches(&self) -> bool {
        self.choices.despatches && !self.has_radio()
    }

    /// Whether all enemies are seen.
    pub fn is_exposed(&self) -> bool {
        self.choices.exposed.unwrap_or(self.battle.exposed)
    }
}
