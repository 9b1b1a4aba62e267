//! The files: shipped battles, and what authors are told of mistakes.

use musterd_engine::Ruleset;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_sa::{SHIPPED, Sa, shipped};

/// The names of the shipped battles.
fn battles() -> Vec<&'static str> {
    let name = |path: &'static str| path.strip_prefix("scenarios/")?.strip_suffix(".yaml");
    SHIPPED.iter().filter_map(|(path, _)| name(path)).collect()
}

fn with(battle: &str, options: &str) -> Result<Sa, DataErrors> {
    let mut files: RuleFiles = shipped(battle).unwrap();
    files.0.insert("options.yaml".to_owned(), options.to_owned());
    Sa::from_files(&files, &[])
}

#[test]
fn every_shipped_battle_can_be_played_and_every_unit_stands_where_it_may() {
    for name in battles() {
        let rules = with(name, "edition: apple\n").unwrap_or_else(|errors| panic!("{name}:\n{errors}"));
        let battle = rules.battle();
        let mut taken = std::collections::BTreeSet::new();
        for spec in battle.units.iter().filter(|spec| spec.arrives.is_none()) {
            let Some(hex) = spec.at else {
                assert!(spec.likeness, "{name}: {} stands nowhere", spec.name);
                continue;
            };
            let cost = rules.numbers().cost(spec.kind, battle.field.terrain(hex));
            assert!(cost.is_some() && taken.insert(hex), "{name}: {} in {hex}", spec.name);
        }
    }
}
