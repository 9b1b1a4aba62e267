//! The files: shipped battles, what can be chosen of them, and what authors are told of mistakes.

use std::collections::BTreeSet;

use musterd_engine::Ruleset;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_sa::battle::Battle;
use musterd_sa::model::{Class, Side, UnitType};
use musterd_sa::{SHIPPED, Sa, shipped};

use crate::common::marked::{Case, every_fault_is_told};

/// The names of the shipped files of a folder.
fn files(folder: &str) -> Vec<&'static str> {
    let name = |path: &'static str| path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".yaml");
    SHIPPED.iter().filter_map(|(path, _)| name(path)).collect()
}

/// A shipped battle with these options.
fn with(battle: &str, options: &str) -> Result<Sa, DataErrors> {
    let mut files: RuleFiles = shipped(battle).unwrap();
    if !options.is_empty() {
        files.0.insert("options.yaml".to_owned(), options.replace(", ", "\n"));
    }
    Sa::from_files(&files, &[])
}

#[track_caller]
fn loaded(battle: &str, options: &str) -> Sa {
    with(battle, options).unwrap_or_else(|errors| panic!("{battle}, {options}:\n{errors}"))
}

/// Every unit stands where it may, alone, unless it comes later or is a likeness that is yet to be made.
#[track_caller]
fn stands(rules: &Sa, said: &str) {
    let battle = rules.battle();
    let mut taken = BTreeSet::new();
    for spec in battle.units.iter().filter(|spec| spec.arrives.is_none()) {
        let Some(hex) = spec.at else {
            assert!(spec.likeness, "{said}: {} stands nowhere", spec.name);
            continue;
        };
        let cost = rules.numbers().cost(spec.kind, battle.field.terrain(hex));
        assert!(cost.is_some() && taken.insert(hex), "{said}: {} in {hex}", spec.name);
    }
}

/// The least distance between enemies.
fn apart(battle: &Battle) -> u32 {
    let of = |side| battle.units.iter().filter(move |spec| spec.id.side == side).filter_map(|spec| spec.at);
    of(Side::A).flat_map(|a| of(Side::B).map(move |b| a.distance(b))).min().unwrap()
}

#[test]
fn in_every_shipped_battle_all_stand_where_they_may_a_march_apart() {
    assert_eq!(files("scenarios").len(), 9);
    for name in files("scenarios") {
        let rules = loaded(name, "");
        stands(&rules, name);
        let found = Sa::examine(&shipped(name).unwrap(), &format!("scenarios/{name}.yaml")).warnings;
        assert!(found.iter().all(|doubt| doubt.reason.contains("(SA-6)")), "{found:?}");
        assert!((3..=10).contains(&apart(rules.battle())), "{name}: {}", apart(rules.battle()));
    }
}

#[test]
fn any_army_fights_on_any_field() {
    let (armies, fields, scenarios) = (files("armies"), files("fields"), files("scenarios"));
    for (number, army) in armies.iter().enumerate() {
        for (turn, field) in fields.iter().enumerate() {
            let scenario = scenarios[(number + turn) % scenarios.len()];
            let other = armies[(number * 7 + turn) % armies.len()];
            let options = format!("army_a: {army}, army_b: {other}, field: {field}");
            let rules = loaded(scenario, &options);
            stands(&rules, &options);
            assert!(apart(rules.battle()) >= 3, "{scenario}, {options}");
            assert!(rules.battle().hunt.is_none(), "a wizard's hunt is his own army's");
            let names = Side::ALL.map(|side| &rules.battle().army(side).name);
            assert_ne!(names[0], names[1], "{options}");
        }
    }
}

#[test]
fn special_rules_of_units_hold_for_the_sides_own_army_alone() {
    let of = |options: &str| {
        let rules = loaded("manzikert", options);
        let special = |spec: &&musterd_sa::battle::Spec| spec.waits.is_some() || spec.deserts.is_some();
        rules.battle().units.iter().filter(special).count()
    };
    assert_eq!((of(""), of("army_b: hardrada"), of("army_a: romanos"), of("field: pinarus")), (4, 4, 0, 4));
    // Who comes later comes over the middle of his own edge on a field that is not his own.
    let arrival = |options: &str| {
        let rules = loaded("stamford", options);
        rules.battle().units.iter().find_map(|spec| spec.arrives).map(|one| (one.point, one.at.to_string()))
    };
    assert_eq!(arrival(""), Some((60, "1201".to_owned())));
    assert_eq!(arrival("field: crown-ridge"), Some((60, "1501".to_owned())));
    assert_eq!(arrival("army_b: philip"), None);
}

#[test]
fn armies_that_play_the_computer_can_be_raised_and_reinforced() {
    let first = |options: &str| {
        let rules = loaded("stamford", options);
        let of = |name: &str| {
            let spec = rules.battle().units.iter().find(|spec| spec.name.starts_with(name)).unwrap();
            (spec.class, spec.men)
        };
        [of("Royal"), of("Great Fyrd"), of("Tostig")]
    };
    // A stays A (SA-29).
    let normal = [(Class::A, 920), (Class::D, 1090), (Class::C, 700)];
    assert_eq!(first("size_a: normal"), normal);
    assert_eq!(first("size_a: raised"), [normal[0], (Class::C, 1090), normal[2]]);
    assert_eq!(first("size_a: raised-quarter"), [(Class::A, 1150), (Class::C, 1363), normal[2]]);
    assert_eq!(first("size_b: raised-double"), [normal[0], normal[1], (Class::B, 1400)]);
    // Halves are rounded up (SA-37).
    let mut files = shipped("mill").unwrap();
    for text in files.0.values_mut() {
        *text = text.replace("men: 480", "men: 482");
    }
    files.0.insert("options.yaml".to_owned(), "size_a: raised-quarter\n".to_owned());
    let rules = Sa::from_files(&files, &[]).unwrap();
    assert!(rules.battle().units.iter().any(|spec| spec.men == 603));
}

#[test]
fn the_atari_edition_knows_no_medium_cavalry_and_calls_the_zorgs_orcs() {
    let rules = loaded("manzikert", "edition: atari");
    assert!(rules.battle().units.iter().all(|spec| spec.kind != UnitType::Mc));
    assert!(rules.battle().situation.contains("medium cavalry"));
    let rules = loaded("ambush", "edition: atari");
    assert_eq!(rules.battle().title, "Ambush of the Zorgs (Orcs)");
    assert!(!rules.battle().situation.contains("medium cavalry"));
    let army = rules.battle().army(Side::B);
    assert_eq!(
        (army.name.as_str(), army.commanders[0].title.as_str()),
        ("the Zorg (Orc) horde", "the Zorg (Orc) warlord")
    );
    assert_eq!(loaded("ambush", "").battle().title, "Ambush of the Zorgs");
    let chart = |options| format!("{:?}", loaded("beasts", options).chart(false));
    assert!(chart("edition: atari").contains("+1 in melee against Zorg (Orc)"));
    assert_eq!(
        chart("edition: atari").matches("Zorg ").count(),
        chart("edition: atari").matches("Zorg (Orc)").count()
    );
}

#[test]
fn the_wizards_likenesses_are_like_him_and_stand_there_if_they_are_placed() {
    let likenesses = |options: &str| {
        let rules = loaded("ormolu", options);
        let battle = rules.battle();
        let hunt = battle.hunt.unwrap();
        let wizard = battle.spec(hunt.wizard);
        let all: Vec<_> = battle.units.iter().filter(|spec| spec.likeness).collect();
        for spec in &all {
            let same = (spec.kind, spec.men, spec.casts, spec.class)
                == (wizard.kind, wizard.men, true, wizard.class);
            assert!(same && battle.commander(&"ormolu".parse().unwrap()).unwrap().units.contains(&spec.id));
        }
        let placed = all.iter().filter(|spec| spec.at.is_some()).count();
        (all.len(), placed, hunt.decides)
    };
    assert_eq!(likenesses(""), (5, 1, true));
    assert_eq!(likenesses("wizard: placed, hunt: off"), (5, 5, false));
    assert_eq!(likenesses("wizard: placed, field: steppe"), (5, 5, true));
    let casts = loaded("ormolu", "").battle().units.iter().filter(|spec| spec.casts).count();
    assert_eq!(casts, 11 + 5, "all searchers, and of his army he alone (SA-38)");
}

#[test]
fn contingents_have_commanders_where_a_game_is_founded_with_them() {
    let seats = |options: &str| {
        let rules = loaded("beasts", options);
        let of = |side: Side| {
            let army = rules.battle().army(side);
            let units: Vec<usize> = army.commanders.iter().map(|one| one.units.len()).collect();
            assert_eq!(units.iter().sum::<usize>(), army.units.1 - army.units.0);
            units
        };
        [of(Side::A), of(Side::B)]
    };
    assert_eq!(seats(""), [vec![17], vec![19]]);
    assert_eq!(seats("commands: contingents"), [vec![9, 8], vec![14, 5]]);
    assert_eq!(seats("commands: contingents, army_b: philip"), [vec![9, 8], vec![18]]);
}

/// A seat that goes with the scenario's own army is asked for: the choice is told as the reason, not the scenario.
#[test]
fn an_army_that_is_chosen_has_no_contingents() {
    let mut files = shipped("issus").unwrap();
    files.0.insert("options.yaml".to_owned(), "commands: contingents\narmy_a: zorgs\n".to_owned());
    let seats = ["macedon", "parmenion", "persia", "nabarzanes"].map(|seat| seat.parse().unwrap());
    let told = Sa::from_files(&files, &seats).unwrap_err().to_string();
    assert!(told.starts_with("options.yaml") && told.contains("no seat `parmenion`"), "{told}");
}

#[test]
fn a_file_that_there_is_not_can_not_be_chosen() {
    let said = |options: &str| with("mill", options).unwrap_err().to_string();
    assert!(said("army_a: romano").ends_with("did you mean `romanos`?"), "{}", said("army_a: romano"));
    assert!(said("field: nowhere-at-all").contains("there are crown-ridge, derwent"));
}

#[test]
fn the_line_is_drawn_up_with_foot_in_the_middle_and_horse_on_the_wings() {
    let rules = loaded("kingdoms", "");
    let battle = rules.battle();
    for side in Side::ALL {
        let columns = |wanted: fn(UnitType) -> bool| {
            let own = battle.units.iter().filter(move |spec| spec.id.side == side && wanted(spec.kind));
            own.map(|spec| spec.at.unwrap().col).collect::<BTreeSet<u8>>()
        };
        let (foot, horse) = (columns(|kind| kind == UnitType::Hi), columns(UnitType::is_cavalry));
        let (first, last) = (foot.first().unwrap(), foot.last().unwrap());
        assert!(horse.iter().all(|col| col < first || col > last), "{side:?}: {foot:?} {horse:?}");
        assert!(horse.first() < Some(first) && horse.last() > Some(last), "both wings: {horse:?}");
    }
}

#[test]
fn the_chart_of_a_battle_has_both_orders_of_battle_and_what_is_special() {
    let rules = loaded("stamford", "");
    let page = musterd_report::text::sections(&rules.chart(true));
    for told in [
        "Great Fyrd",
        "A1-3",
        "onto the field at time-point 60 in 1201.",
        "english, Harold Godwinson",
        "g LHI  light-heavy",
    ] {
        assert!(page.contains(told), "{told}:\n{page}");
    }
    let rules = loaded("ormolu", "");
    let page = musterd_report::text::sections(&rules.chart(false));
    assert!(page.contains("likenesses of himself") && page.contains("only Ormolu the Wizard can"), "{page}");
    assert!(!page.contains("Wizard 2"), "a likeness is told of by its rule alone");
}

/// A number that an author wrote belongs to the name: headings leave out only those that tell units of one name apart.
#[test]
fn a_number_in_a_name_stays_in_headings() {
    let mut files = shipped("mill").unwrap();
    let army = files.0.get_mut(ARMY).unwrap();
    *army = army.replacen("name: Northwold Spears", "name: Cohort 10", 1);
    let rules = Sa::from_files(&files, &[]).unwrap();
    let page = musterd_report::text::sections(&rules.chart(false));
    assert!(page.contains("Cohort 10 (Northwold)"), "{page}");
}

#[test]
fn a_name_speaks_of_a_tribe_only_where_a_word_of_it_begins_so() {
    let page = |name: &str| {
        let mut files = shipped("mill").unwrap();
        let army = files.0.get_mut(ARMY).unwrap();
        *army = army.replacen("name: Northwold Spears", &format!("name: {name}"), 1);
        let rules = Sa::from_files(&files, &[]).unwrap();
        musterd_report::text::sections(&rules.chart(false))
    };
    assert!(page("Unnorthwold Spears").contains("(Northwold)"));
    assert!(!page("Old-Northwoldian Spears").contains("(Northwold)"));
}

const BATTLE: &str = "scenario.yaml";
const ARMY: &str = "armies/northwold-company.yaml";
const FIELD: &str = "fields/mill.yaml";

#[test]
fn every_fault_of_a_battle_is_told_at_once_and_nothing_that_follows_from_another() {
    let cases: &[Case] = &[
        (
            "names of files, seats, edges",
            &[
                (BATTLE, "field: mill", "field: ¦mil"),
                (BATTLE, "seat: reaches", "seat: ¦northwold"),
                (BATTLE, "home: north\n", "home: ¦south\n"),
                (BATTLE, "kind: introductory", "kind: ¦introductry"),
            ],
            &[
                "`introductry` is no kind of scenario; did you mean `introductory`?",
                "there is no file `mil` in `fields`; did you mean `mill`?",
                "two commanders have the seat `northwold`",
                "both sides have the same edge behind them",
            ],
        ),
        (
            "where units stand",
            &[(
                BATTLE,
                "    area: [\"0402-1504\"]",
                "    area: [\"0402-1504\", ¦\"1999\"]\n    at:\n      Reaches Pikes: [\"0704\", ¦\"0704\", ¦\"0804\"]\n      ¦Reaches Pikemen: [\"0904\"]\n      Windseekers: [¦\"9904\"]",
            )],
            &[
                "1999 is off the field, which has 18 columns and 13 rows",
                "B1 and B2 both stand in 0704: a hex holds one unit",
                "there are 3 hexes for `Reaches Pikes`, and 2 of them: leave some out",
                "`Reaches Pikemen` is no unit of this army; did you mean `Reaches Pikes`?",
                "9904 is off the field, which has 18 columns and 13 rows",
            ],
        ),
        (
            "where likenesses stand",
            &[(
                BATTLE,
                "field: mill\n",
                "field: mill\nhunt: {wizard: Lockwood Horse, likenesses: [\"0705\", ¦\"0705\", ¦\"1999\"]}\n",
            )],
            &[
                "somebody else stands in 0705: a hex holds one unit",
                "1999 is off the field, which has 18 columns and 13 rows",
            ],
        ),
        (
            "forbidden ground",
            &[
                (FIELD, "\"Fff..............f\"", "\"Fff^.............f\""),
                (
                    BATTLE,
                    "    area: [\"0402-1504\"]",
                    "    at: {Lockwood Horse: [¦\"0402\"], Reaches Foot: [\"0502\"]}",
                ),
            ],
            &["Lockwood Horse can't stand in 0402: heavy cavalry can't enter mountain"],
        ),
        (
            "arms that nobody bears",
            &[
                (ARMY, "type: HI, class: B, melee: lspear", "type: HI, class: ¦E, melee: ¦lance"),
                (ARMY, "melee: twohand, shield: false", "melee: twohand, shield: ¦true"),
                (ARMY, "type: HC, class: B, melee: lance", "type: HC, class: B, melee: ¦pike"),
                (ARMY, "id: northwold-company", "id: ¦northwold"),
                (BATTLE, "    area: [\"0409-1512\"]", "    at: {¦Northwold Axe: [\"0610\"]}"),
            ],
            &[
                "`id` is `northwold`, and the file's name is `northwold-company`: make them one",
                "`E` is no training class; write A, B, C, D",
                "heavy infantry bears no lance (SA-5): it can have pike, long spear, javelin, two-handed weapon, sword",
                "two hands hold no shield besides a two-handed weapon: write false (SA-39)",
                "heavy cavalry bears no pike (SA-5): it can have lance, javelin, sword",
                "`Northwold Axe` is no unit of this army; did you mean `Northwold Axes`?",
            ],
        ),
        (
            "contingents and special rules",
            &[(
                BATTLE,
                "    area: [\"0409-1512\"]",
                "    contingents:\n      - {seat: ¦The Horse, name: the horse, units: [Northwold Lancers, ¦Northwold Scout]}\n      - {seat: foot, name: the foot, units: ¦[]}\n    waits: {¦Nobody: 5}\n    deserts: {1: {point: 5, most: ¦7}}\n    arrives: {Northwold Spears 2: {point: 9, at: ¦\"0000\"}}",
            )],
            &[
                "`The Horse` can't be a seat: write small letters, digits, - and .",
                "`Northwold Scout` is no unit of this army; did you mean `Northwold Scouts`?",
                "a contingent has units: name one",
                "`Nobody` is no unit of this army; there are Northwold Spears, Northwold Axes, Northwold Archers, Northwold Lancers, Northwold Scouts",
                "`7` is no number of a die; write a number from 1 to 6",
                "`0000` is not a hex: write four digits, column then row, such as 1204",
            ],
        ),
        (
            "an area that is too small",
            &[(BATTLE, "area: [\"0409-1512\"]", "area: ¦[\"0909-1009\"]")],
            &["there is no room for A3 (Northwold Axes), nor for any behind it: make the area larger"],
        ),
        (
            "one bad sign hides no hex that is off the field",
            &[
                (FIELD, "\"Fff..............f\"", "\"Fff..............¦x\""),
                (BATTLE, "area: [\"0409-1512\"]", "area: [¦\"9909-1012\"]"),
            ],
            &[
                "`x` is no ground: write . clear, f light woods, F heavy woods, n low hills, N high hills, ^ mountain, ~ water, H bridge",
                "9909 is off the field, which has 18 columns and 13 rows",
            ],
        ),
        (
            "what would never be",
            &[
                (
                    BATTLE,
                    "    area: [\"0409-1512\"]",
                    "    area: [\"0409-1512\"]\n    casters: [¦Northwold Axes]\n    at: {Northwold Scouts: [\"0610\"]}\n    arrives:\n      ¦Northwold Scouts: {point: 20, at: \"0612\"}\n      ¦Northwold Lancers: {point: 998, at: ¦\"0402\"}\n    waits: {¦Northwold Axes: 997}\n    deserts: {¦Northwold Scouts: {point: 9, most: 2}, ¦Northwold Axes: {point: 996, most: 2}}",
                ),
                (FIELD, "\"Fff..............f\"", "\"Fff^.............f\""),
                (
                    BATTLE,
                    "field: mill\n",
                    "field: mill\nhunt: {wizard: Lockwood Horse, leaves: ¦144, likenesses: ¦[]}\n",
                ),
            ],
            &[
                "night falls at time-point 144: after 144 he could never leave",
                "a hunt has likenesses: name a hex for each",
                "nobody casts a spell here: this side has no spell points, `magic`",
                "Northwold Scouts is in 0610 from the start: it can't come later, too",
                "time-point 998 is after nightfall, 144: it would never come",
                "Northwold Lancers can't stand in 0402: heavy cavalry can't enter mountain",
                "time-point 997 is after nightfall, 144: it would never move",
                "Northwold Scouts comes at time-point 20: it can't desert before",
                "time-point 996 is after nightfall, 144: it would never be asked",
            ],
        ),
        (
            "too many of a row, two contingents of one name",
            &[
                (ARMY, "{count: 2, name: Northwold Spears", "{count: ¦70, name: Northwold Spears"),
                (
                    BATTLE,
                    "    area: [\"0409-1512\"]",
                    "    contingents:\n      - {seat: horse, name: the wing, units: [Northwold Lancers]}\n      - {seat: foot, name: ¦the wing, units: [Northwold Scouts]}",
                ),
            ],
            &[
                "`70` is no number of units; write a number from 1 to 60",
                "two contingents are called `the wing`",
            ],
        ),
        (
            "names that orders read as something else, casters that are none",
            &[
                (ARMY, "name: Northwold Axes", "name: ¦Rest"),
                (ARMY, "name: Northwold Lancers", "name: ¦B1"),
                (FIELD, "The Rise", "¦NE"),
                (FIELD, "The Copse", "¦\"0303\""),
                (FIELD, "The Mill", "¦B5"),
                (
                    BATTLE,
                    "    area: [\"0409-1512\"]",
                    "    area: [\"0409-1512\"]\n    magic: 9\n    casters: ¦[]",
                ),
            ],
            &[
                "orders read `Rest` as other units: call these otherwise",
                "orders read `B1` as other units: call these otherwise",
                "orders read `NE` as a direction: call the place otherwise",
                "orders read `0303` as another hex: call the place otherwise",
                "orders read `B5` as a unit: call the place otherwise",
                "name a unit that casts spells, or leave `casters` out: then every unit may (SA-38)",
            ],
        ),
        (
            "directions in words, and one place under two spellings",
            &[
                (FIELD, "The Rise", "¦North-East"),
                (FIELD, "The Copse", "Die Mühle"),
                (FIELD, "The Mill", "¦Die Muhle"),
            ],
            &[
                "orders read `North-East` as a direction: call the place otherwise",
                "`Die Muhle` is the name of two hexes",
            ],
        ),
        (
            "nothing follows from a number that can't be read",
            &[
                (
                    BATTLE,
                    "field: mill\n",
                    "field: mill\nnightfall: ¦never\nhunt: {wizard: Lockwood Horse, leaves: 995, likenesses: [\"0705\"]}\n",
                ),
                (
                    BATTLE,
                    "    area: [\"0409-1512\"]",
                    "    area: [\"0409-1512\"]\n    magic: ¦much\n    casters: [Northwold Axes]\n    arrives:\n      Northwold Scouts: {point: 20, at: \"0612\"}\n    waits: {Northwold Axes: 997}\n    deserts: {Northwold Scouts: {point: ¦soon, most: 2}}",
                ),
            ],
            &[
                "`never` is no time-point; write a number from 12 to 999",
                "`much` is no number of spell points; write a number from 0 to 999",
                "`soon` is no time-point; write a number from 1 to 999",
            ],
        ),
        (
            "sides, units and hunts that are none",
            &[
                (ARMY, "units:\n", "units: ¦[]\n¦others:\n"),
                (BATTLE, "field: mill\n", "field: mill\nhunt: {wizard: ¦[], likenesses: []}\n"),
            ],
            &[
                "this army has no units: add one",
                "an army has no key `others`; the keys are id, title, units",
                "a wizard is a text, not a list",
            ],
        ),
    ];
    let files = shipped("mill").unwrap();
    let examined = |files: &RuleFiles| {
        let found = Sa::examine(files, BATTLE);
        let mut own = found.errors.iter().filter(|fault| fault.file == BATTLE);
        assert!(own.by_ref().is_sorted_by_key(|fault| fault.at), "not by lines: {:?}", found.errors);
        found
    };
    every_fault_is_told(&files, examined, cases);
}

#[test]
fn charts_with_faults_are_told_of_and_the_shipped_ones_stand_in() {
    const RULES: &str = "ruleset.yaml";
    let cases: &[Case] = &[
        (
            "charts",
            &[
                (RULES, "  HI:  [12, 18, 24, 12, 24, 30]", "  HI:  ¦[12, 18, 24, 12, 24]"),
                (RULES, "sword:    [2, 2, 3", "sword:    [¦two, 2, 3"),
                (RULES, "{morale: 5, sooner: 1}", "{morale: 5, ¦soner: 1}"),
                (BATTLE, "field: mill", "field: ¦mil"),
            ],
            &[
                "`HI` has 5 entries: write 6",
                "`two` is no number for `sword`; write a number from -20 to 200",
                "a tribe has no key `soner`; did you mean `sooner`?",
                "there is no file `mil` in `fields`; did you mean `mill`?",
            ],
        ),
        (
            "clear ground is everybody's",
            &[(RULES, "  LC:  [4,", "  LC:  ¦[XX,")],
            &["LC can't be barred from clear ground: write its time-points"],
        ),
    ];
    every_fault_is_told(&shipped("mill").unwrap(), |files| Sa::examine(files, BATTLE), cases);
}

#[test]
fn a_battle_that_is_not_called_as_its_file_is_doubted() {
    let doubts = Sa::examine(&shipped("mill").unwrap(), "scenarios/mine.yaml").warnings;
    let said: Vec<String> = doubts.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        ["scenarios/mine.yaml:2:5: the id is `mill`, but the file is mine.yaml: the commands call it mine"]
    );
}

#[test]
fn a_near_miss_of_a_tribe_is_doubted() {
    let mut files = shipped("ambush").unwrap();
    let army = files.0.get_mut("armies/zorgs.yaml").unwrap();
    *army = army.replacen("tribe: Zorg,", "tribe: Zorgs,", 1);
    let doubts = Sa::examine(&files, "armies/zorgs.yaml").warnings;
    let said: Vec<String> = doubts.iter().map(|doubt| doubt.reason.clone()).collect();
    assert_eq!(said, ["the charts name no tribe `Zorgs`; did you mean `Zorg`?"], "{said:?}");
}

#[test]
fn what_can_be_but_is_hardly_meant_is_doubted() {
    let doubts = |of: &str, file: &str, text: &str, instead: &str| {
        let mut files = shipped(of).unwrap();
        let changed = files.0.get_mut(file).unwrap();
        assert!(changed.contains(text), "{file}");
        *changed = changed.replacen(text, instead, 1);
        let found = Sa::examine(&files, BATTLE);
        assert_eq!(found.errors, Vec::new());
        let doubts = found.warnings.into_iter().map(|doubt| doubt.reason);
        doubts.filter(|reason| !reason.contains("(SA-6)")).collect::<Vec<_>>()
    };
    assert_eq!(
        doubts("ormolu", BATTLE, "  cost: 3\n", "  cost: 31\n"),
        ["the wizard can make none of these: a likeness costs 31 spell points, and his side has 30"]
    );
    assert_eq!(
        doubts("ormolu", BATTLE, "units: [Hozgit Infantry,", "units: [Hozgit Infantry, Hozgit Infantry 2,"),
        ["Hozgit Infantry 2 is named twice in Hozgit and Valkyries"]
    );
    assert_eq!(
        doubts("mill", ARMY, "name: Northwold Axes", "name: Northwold Spears"),
        ["two rows are called `Northwold Spears`: their units are numbered as of one"]
    );
}

#[test]
fn doubts_are_told_in_the_order_of_lines() {
    let mut files = shipped("ormolu").unwrap();
    let battle = files.0.get_mut(BATTLE).unwrap();
    *battle = battle.replacen("  cost: 3\n", "  cost: 31\n", 1).replacen(
        "units: [Hozgit Infantry,",
        "units: [Hozgit Infantry, Hozgit Infantry 2,",
        1,
    );
    let doubts = Sa::examine(&files, BATTLE).warnings;
    let lines: Vec<usize> =
        doubts.iter().filter(|doubt| doubt.file == BATTLE).map(|doubt| doubt.at.line).collect();
    assert!(lines.len() == 2 && lines.is_sorted(), "{doubts:?}");
}

#[test]
fn the_sample_of_the_guide_is_a_battle_without_a_doubt() {
    let mut files = RuleFiles::of(&SHIPPED);
    let text = include_str!("../../docs/sa/samples/scenarios/toll.yaml");
    files.0.insert(BATTLE.to_owned(), text.to_owned());
    let found = Sa::examine(&files, BATTLE);
    assert_eq!((found.errors, found.warnings), (Vec::new(), Vec::new()));
    stands(&Sa::from_files(&files, &[]).unwrap(), "the sample");
}
