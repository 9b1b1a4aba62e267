//! The data of one battle: charts, scenario, armies and field, loaded together and checked.

use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::founding::OPTIONS_FILE;
use musterd_engine::{Founding, SeatSpec};

use crate::battle::{Army, Battle, Commander};
use crate::numbers::{self, Numbers};
use crate::options::Choices;

/// The rules and the battle of one game of The Shattered Alliance.
#[derive(Debug, Clone)]
pub struct Sa {
    numbers: Numbers,
    battle: Battle,
    choices: Choices,
    seats: Vec<SeatSpec>,
}

/// The files that the program ships, by path under `games/sa/`.
pub const SHIPPED: [(&str, &str); 37] = [
    (numbers::FILE, numbers::SHIPPED),
    ("armies/alexander.yaml", include_str!("../../../games/sa/armies/alexander.yaml")),
    ("armies/alp-arslan.yaml", include_str!("../../../games/sa/armies/alp-arslan.yaml")),
    ("armies/beasts.yaml", include_str!("../../../games/sa/armies/beasts.yaml")),
    ("armies/darius.yaml", include_str!("../../../games/sa/armies/darius.yaml")),
    ("armies/far-reaches.yaml", include_str!("../../../games/sa/armies/far-reaches.yaml")),
    ("armies/flamininus.yaml", include_str!("../../../games/sa/armies/flamininus.yaml")),
    ("armies/hardrada.yaml", include_str!("../../../games/sa/armies/hardrada.yaml")),
    ("armies/harold.yaml", include_str!("../../../games/sa/armies/harold.yaml")),
    ("armies/men.yaml", include_str!("../../../games/sa/armies/men.yaml")),
    ("armies/northwold-company.yaml", include_str!("../../../games/sa/armies/northwold-company.yaml")),
    ("armies/northwold.yaml", include_str!("../../../games/sa/armies/northwold.yaml")),
    ("armies/ormolu.yaml", include_str!("../../../games/sa/armies/ormolu.yaml")),
    ("armies/philip.yaml", include_str!("../../../games/sa/armies/philip.yaml")),
    ("armies/reaches-company.yaml", include_str!("../../../games/sa/armies/reaches-company.yaml")),
    ("armies/romanos.yaml", include_str!("../../../games/sa/armies/romanos.yaml")),
    ("armies/searchers.yaml", include_str!("../../../games/sa/armies/searchers.yaml")),
    ("armies/valkyries.yaml", include_str!("../../../games/sa/armies/valkyries.yaml")),
    ("armies/zorgs.yaml", include_str!("../../../games/sa/armies/zorgs.yaml")),
    ("fields/crown-ridge.yaml", include_str!("../../../games/sa/fields/crown-ridge.yaml")),
    ("fields/derwent.yaml", include_str!("../../../games/sa/fields/derwent.yaml")),
    ("fields/dogs-heads.yaml", include_str!("../../../games/sa/fields/dogs-heads.yaml")),
    ("fields/festival-meadow.yaml", include_str!("../../../games/sa/fields/festival-meadow.yaml")),
    ("fields/mens-crest.yaml", include_str!("../../../games/sa/fields/mens-crest.yaml")),
    ("fields/mill.yaml", include_str!("../../../games/sa/fields/mill.yaml")),
    ("fields/pinarus.yaml", include_str!("../../../games/sa/fields/pinarus.yaml")),
    ("fields/steppe.yaml", include_str!("../../../games/sa/fields/steppe.yaml")),
    ("fields/wizards-glade.yaml", include_str!("../../../games/sa/fields/wizards-glade.yaml")),
    ("scenarios/ambush.yaml", include_str!("../../../games/sa/scenarios/ambush.yaml")),
    ("scenarios/beasts.yaml", include_str!("../../../games/sa/scenarios/beasts.yaml")),
    ("scenarios/cynoscephalae.yaml", include_str!("../../../games/sa/scenarios/cynoscephalae.yaml")),
    ("scenarios/issus.yaml", include_str!("../../../games/sa/scenarios/issus.yaml")),
    ("scenarios/kingdoms.yaml", include_str!("../../../games/sa/scenarios/kingdoms.yaml")),
    ("scenarios/manzikert.yaml", include_str!("../../../games/sa/scenarios/manzikert.yaml")),
    ("scenarios/ormolu.yaml", include_str!("../../../games/sa/scenarios/ormolu.yaml")),
    ("scenarios/stamford.yaml", include_str!("../../../games/sa/scenarios/stamford.yaml")),
    ("scenarios/mill.yaml", include_str!("../../../games/sa/scenarios/mill.yaml")),
];

/// The files for founding a game of a shipped battle.
pub fn shipped(battle: &str) -> Option<RuleFiles> {
    RuleFiles::of_scenario(&SHIPPED, battle)
}

/// Of a seat that isn't there: an army that was chosen has no contingents, which is no fault of the scenario.
fn without_contingents(founding: &Founding<'_>, choices: &Choices, errors: DataErrors) -> DataErrors {
    let is_foreign = ["army_a", "army_b"].into_iter().any(|name| founding.file(name).is_some());
    if !choices.contingents || !is_foreign {
        return errors;
    }
    let told = |error: DataError| {
        let reason =
            format!("{}; an army in the place of the scenario's own has no contingents", error.reason);
        DataError { file: OPTIONS_FILE.to_owned(), reason, ..error }
    };
    DataErrors(errors.0.into_iter().map(told).collect())
}

impl Sa {
    /// Reads and checks the data of a battle.
    pub(crate) fn read(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        let choices = Choices::of(founding);
        let (numbers, battle) = crate::files::load(founding, &choices)?;
        let spec = |army: &Army, commander: &Commander| SeatSpec {
            seat: commander.seat.clone(),
            title: commander.title.clone(),
            side: army.name.clone(),
        };
        let of = |army: &Army| army.commanders.iter().map(|one| spec(army, one)).collect::<Vec<_>>();
        let seats: Vec<SeatSpec> = battle.sides.iter().flat_map(of).collect();
        let each = founding.each(&seats, "each commander has one seat");
        each.map_err(|errors| without_contingents(founding, &choices, errors))?;
        Ok(Self { numbers, battle, choices, seats })
    }

    /// The rules of a meeting without seats, for questions outside a game.
    pub(crate) const fn between(numbers: Numbers, battle: Battle, choices: Choices) -> Self {
        Self { numbers, battle, choices, seats: Vec::new() }
    }

    /// The charts.
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

    /// The commanders' seats: those of side A first.
    pub fn seat_specs(&self) -> &[SeatSpec] {
        &self.seats
    }
}
