//! The data of one battle: numbers and battle file, loaded together and checked.

use super::battle::hire::HireLists;
use super::battle::{Army, Battle};
use super::model::ArmyId;
use super::numbers::Numbers;
use super::policies::Policies;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::hex::Hex;
use musterd_engine::{Founding, Seat, SeatSpec};
use musterd_kit::lists::joined;

/// The rules and the battle of one game of Death or Glory.
#[derive(Debug, Clone)]
pub struct Dog {
    numbers: Numbers,
    battle: Battle,
    lists: HireLists,
    policies: Policies,
    seats: Vec<SeatSpec>,
}

/// The files that the program ships, by path under `games/dog/`.
pub const SHIPPED: [(&str, &str); 20] = [
    ("ruleset.yaml", include_str!("../../../games/dog/ruleset.yaml")),
    ("hire/watch-100.yaml", include_str!("../../../games/dog/hire/watch-100.yaml")),
    ("hire/raid-200.yaml", include_str!("../../../games/dog/hire/raid-200.yaml")),
    ("hire/company-300.yaml", include_str!("../../../games/dog/hire/company-300.yaml")),
    ("hire/elders-300.yaml", include_str!("../../../games/dog/hire/elders-300.yaml")),
    ("hire/horde-400.yaml", include_str!("../../../games/dog/hire/horde-400.yaml")),
    ("hire/legion-500.yaml", include_str!("../../../games/dog/hire/legion-500.yaml")),
    ("hire/menagerie-500.yaml", include_str!("../../../games/dog/hire/menagerie-500.yaml")),
    ("hire/host-2000.yaml", include_str!("../../../games/dog/hire/host-2000.yaml")),
    ("hire/horde-2000.yaml", include_str!("../../../games/dog/hire/horde-2000.yaml")),
    ("hire/heroes-100.yaml", include_str!("../../../games/dog/hire/heroes-100.yaml")),
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

/// The files for founding a game of a shipped battle.
pub fn shipped(battle: &str) -> Option<RuleFiles> {
    RuleFiles::of_scenario(&SHIPPED, battle)
}

impl Dog {
    /// Reads and checks the data of a battle. Each army has one leader.
    pub(super) fn read(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        let files = founding.files();
        let numbers = Numbers::load(files)?;
        let (battle, lists) = Battle::with_lists(files, &numbers)?;
        let spec = |army: &Army| SeatSpec {
            seat: army.seat.clone(),
            title: army.leader.clone(),
            side: army.alliance.clone(),
        };
        let specs: Vec<SeatSpec> = battle.armies().iter().map(spec).collect();
        founding.each(&specs, "each army has one leader")?;
        let policies = Policies::of(founding.version());
        Ok(Self { numbers, battle, lists, policies, seats: specs })
    }

    /// What the version of the rules does that the game was founded with.
    pub(super) const fn policies(&self) -> Policies {
        self.policies
    }

    /// The numbers of the rules.
    pub const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Armies that can be hired whole.
    pub const fn lists(&self) -> &HireLists {
        &self.lists
    }

    /// The battle.
    pub const fn battle(&self) -> &Battle {
        &self.battle
    }

    /// A hex as a report writes it: `0304`, or `0304 Daerquwa`.
    pub fn place(&self, hex: Hex) -> String {
        self.battle.field.place(hex)
    }

    /// Armies by name, in this order.
    pub(super) fn names(&self, order: &[ArmyId]) -> String {
        joined(order.iter().map(|army| &self.battle.army(*army).name), ", then ")
    }

    /// The leaders' seats, in the order of the battle file.
    pub fn seat_specs(&self) -> &[SeatSpec] {
        &self.seats
    }

    /// The army that a seat leads.
    pub fn led_by(&self, seat: &Seat) -> Option<ArmyId> {
        self.battle.led_by(seat).map(|army| army.id)
    }
}
