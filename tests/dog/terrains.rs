//! Terrains of an author's own, from `ruleset.yaml`.

use std::collections::BTreeMap;

use musterd_dog::battle::Ground;
use musterd_dog::model::{Relief, Terrain};
use musterd_dog::next::{Wishes, next};
use musterd_dog::numbers::Numbers;
use musterd_dog::scores;
use musterd_dog::view::View;
use musterd_dog::{Dog, SHIPPED, Skill, State};
use musterd_engine::briefing::{Briefing, Part};
use musterd_engine::files::RuleFiles;
use musterd_engine::{Awaiting, Fold, Input, Ruleset, Scribe};
use musterd_report::html;

use crate::common::Loose;
use crate::common::pages::page;

/// The line of `ruleset.yaml` behind which an author writes his terrains.
const LAST: &str = "  water: {sign: \"~\", cost: 10, defence: 1, visibility: 1, home: water}\n";
const OWN: &str = "\
    \x20 lava: {sign: \"&\", cost: 12, defence: 1, visibility: 1, colour: \"#d9532c\", fortifications: false}\n\
    \x20 reeds: {sign: \"r\", cost: 4, defence: 4, visibility: 3, home: swamp, native_attack: 2, bars_big: true}\n\
    \x20 quicksand: {sign: \"Q\", cost: 6, defence: 2, visibility: 1, bars_heavy: true}\n\
    \x20 marsh-lake: {sign: \"w\", cost: 4, defence: 1, visibility: 2, water: true}\n";

/// The rows of the battle.
const ROWS: [&str; 4] = [
    "    - \".  r  &  rh .  .\"",
    "    - \"w  w  w  .  .  .\"",
    "    - \"w  w  w  .  Q  .\"",
    "    - \"w  w  w  .  .  .\"",
];

/// A lake with a boat and a bridge on it, reeds and lava beside it.
const BATTLE: &str = "id: vent\ntitle: The Vent\nsituation: Fire and water.\nscale: tactical\nrounds: 5\nfield:\n  rows:\n\
    \x20   - \".  r  &  rh .  .\"\n\
    \x20   - \"w  w  w  .  .  .\"\n\
    \x20   - \"w  w  w  .  Q  .\"\n\
    \x20   - \"w  w  w  .  .  .\"\n\
    \x20 bridges: [\"0302\"]\n  boats: [\"0104\"]\n\
    armies:\n\
    \x20 - {seat: red, letter: R, name: Reds, leadership: 900, units: [{id: 1, type: LI, fighters: 10, at: \"0101\"}, {id: 2, type: LI, fighters: 12, at: \"0203\"}, {id: 3, type: L, fighters: 12, at: \"0103\"}]}\n\
    \x20 - {seat: blue, letter: B, name: Blues, leadership: 900, units: [{id: 1, type: LI, fighters: 10, at: \"0604\"}]}\n";

fn files(numbers: &str, battle: &str) -> RuleFiles {
    RuleFiles::of(&[("ruleset.yaml", numbers), ("scenario.yaml", battle)])
}

fn own_numbers() -> String {
    let text = SHIPPED[0].1.replacen(LAST, &format!("{LAST}{OWN}"), 1);
    assert_ne!(text, SHIPPED[0].1);
    text
}

fn vent() -> Dog {
    Dog::from_files(&files(&own_numbers(), BATTLE), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn step(rules: &Dog, state: &State, orders: &[(&str, &str)]) -> State {
    let reading = |(seat, text): &(&str, &str)| {
        let seat = seat.parse().unwrap();
        let reading = rules.read_orders(&rules.view(state, &seat), text);
        assert_eq!(reading.remarks, [], "{text}");
        (seat, reading)
    };
    let orders: BTreeMap<_, _> = orders.iter().map(reading).collect();
    let mut dice = Loose::numbered(1);
    let mut scribe = Scribe::new(rules, state.clone(), 1, &mut dice);
    rules.step(&mut scribe, &Input { orders });
    scribe.state().clone()
}

fn red(rules: &Dog, state: &State) -> View {
    rules.view(state, &"red".parse().unwrap())
}

/// Where a unit of the reds is, and how many they are.
fn unit(rules: &Dog, state: &State, id: &str) -> (String, u16) {
    let view = red(rules, state);
    let unit = &view.own[&id.parse().unwrap()];
    (unit.at.to_string(), unit.sorts.iter().map(|sort| sort.fighters).sum())
}

fn drawing(briefing: &Briefing) -> String {
    let parts = briefing.sections.iter().flat_map(|section| &section.parts);
    html::drawing(parts.filter_map(|part| if let Part::Map(map) = part { Some(("", map)) } else { None }))
}

#[test]
fn units_march_into_added_terrains_and_drown_in_added_waters() {
    let rules = vent();
    let mut state = step(&rules, &rules.found(), &[]);
    // Light infantry has two points a round. Reeds cost two, lava six: it gets ready for three rounds (DOG-13).
    let orders = ["MOVE R1 TO 0201", "MOVE R1 TO 0301", "MOVE R1 TO 0301", "MOVE R1 TO 0301"];
    let mut places = Vec::new();
    let mut swimmers = Vec::new();
    for orders in orders {
        state = step(&rules, &state, &[("red", orders)]);
        places.push(unit(&rules, &state, "R1").0);
        swimmers.push((unit(&rules, &state, "R2").1, unit(&rules, &state, "R3").1));
    }
    assert_eq!(places, ["0201", "0201", "0201", "0301"]);
    // R2 has water all around and drowns after three rounds (DOG-24); R3 are lizardmen, who swim.
    assert_eq!(swimmers, [(12, 12), (12, 12), (12, 12), (9, 12)]);
}

#[test]
fn boats_and_bridges_belong_to_added_waters() {
    let rules = vent();
    let founded = step(&rules, &rules.found(), &[]);
    let aboard = step(&rules, &founded, &[("red", "MOVE R3 TO 0102\nBOARD R2 TO 0104")]);
    assert_eq!(unit(&rules, &aboard, "R2").0, "0104");
    let sailed = step(&rules, &aboard, &[("red", "MOVE R2 TO 0304")]);
    assert_eq!(unit(&rules, &sailed, "R2").0, "0304");
    let dry = BATTLE.replacen("boats: [\"0104\"]", "boats: [\"0301\"]", 1);
    let error = Dog::from_files(&files(&own_numbers(), &dry), &[]).unwrap_err().to_string();
    assert!(error.contains("a boat lies in water, and 0301 is land"), "{error}");
    for (change, event) in [("BOAT 0303 YES", true), ("BRIDGE 0203 YES", true), ("BOAT 0301 YES", false)] {
        assert_eq!(rules.amend(&founded, change).is_ok(), event, "{change}");
    }
}

#[test]
fn an_added_terrain_defends_hides_and_bars_as_its_keys_say() {
    let rules = vent();
    let (numbers, switches) = (rules.numbers(), rules.battle().switches);
    let on = |word: &str| Ground { terrain: Terrain::of(word).unwrap(), relief: Relief::Plains, walls: None };
    let sorts = |code: &str| {
        let fighters = musterd_dog::table::read::fighters(numbers, &format!("1 {code}"), on("clear"));
        fighters.unwrap().sorts
    };
    let score = |code: &str, word: &str| {
        let sorts = sorts(code);
        let attack = scores::attack(numbers, &sorts[0], on(word));
        (attack, scores::defence(numbers, switches, &sorts[0], on(word)))
    };
    // Light infantry has 3 and 2, lizardmen 3 and 3: they are at home in reeds and fight twice as well there.
    assert_eq!((score("LI", "reeds"), score("L", "reeds")), ((3, 4), (6, 6)));
    assert_eq!((score("LI", "lava"), score("L", "marsh-lake")), ((3, 1), (3, 1)));
    let sight = |code: &str, word: &str| scores::visibility(numbers, Some(&sorts(code)), on(word));
    assert_eq!((sight("LI", "reeds"), sight("L", "reeds"), sight("LI", "lava")), (3, 1, 1));
    assert_eq!(scores::visibility_to_natives(numbers, on("reeds")), 1);
    let refused = |code: &str, word: &str| scores::enters(numbers, switches, &sorts(code), on(word)).err();
    assert_eq!(refused("HI", "marsh-lake").unwrap(), "heavy infantry would sink (manual 3.1, DOG-24)");
    assert_eq!(refused("OG", "quicksand").unwrap(), "ogres are too heavy for quicksand (manual 3.1, DOG-25)");
    assert_eq!(
        refused("BE", "reeds").unwrap(),
        "battle elephants are too big for reeds (manual 3.1, DOG-25)"
    );
    assert_eq!(
        [refused("OG", "marsh-lake"), refused("BE", "lava"), refused("OG", "reeds")],
        [None, None, None]
    );
    let cover = |word: &str| numbers.cover(Terrain::of(word).unwrap());
    let has = |word: &str| (cover(word).has_relief(), cover(word).is_constructable());
    assert_eq!(
        [has("lava"), has("reeds"), has("quicksand"), has("marsh-lake")],
        [(true, false), (true, false), (false, false), (false, false)]
    );
}

#[test]
fn added_terrains_are_on_maps_in_legends_in_data_and_in_the_gms_help() {
    let rules = vent();
    let founded = step(&rules, &rules.found(), &[]);
    let briefing = rules.brief(&red(&rules, &founded), &[]);
    let text = page(&briefing);
    for sign in ["& lava", "r reeds", "Q quicksand", "w marsh-lake"] {
        assert!(text.lines().any(|line| line.ends_with(sign)), "{sign}: {text}");
    }
    assert!(text.contains("|& & &|"), "{text}");
    assert!(text.contains("Both terrain and relief: 0401 reeds, hills."), "{text}");
    for (_, map) in briefing.maps() {
        assert_eq!(map.unknown_signs(), Vec::<char>::new());
        assert!(map.is_water('w') && !map.is_water('&'));
    }
    let svg = drawing(&briefing);
    for drawn in [">lava</text>", ">marsh-lake</text>", "fill=\"#d9532c\""] {
        assert!(svg.contains(drawn), "{drawn}: {svg}");
    }
    let help = rules.amendments().into_iter().find(|one| one.begins_with("GROUND")).unwrap();
    assert!(help.does.ends_with("swamp, water, lava, reeds, quicksand, marsh-lake"), "{}", help.does);

    let mut state = founded.clone();
    for event in rules.amend(&founded, "GROUND 0601 Lava mountains; GROUND 0602 marsh-lake").unwrap() {
        rules.apply(&mut state, &event);
    }
    let data: serde_json::Value = serde_json::from_str(rules.published(&red(&rules, &state)).get()).unwrap();
    let lava = serde_json::json!({ "terrain": "lava", "relief": "mountains" });
    let lake = serde_json::json!({ "terrain": "marsh-lake", "relief": "plains" });
    assert_eq!((&data["changed"]["0601"], &data["changed"]["0602"]), (&lava, &lake));
    for (change, why) in [
        ("GROUND 0601 marsh-lake hills", "marsh-lake has no hills (DOG-37)"),
        ("GROUND 0601 lava castle", "lava has no castle (DOG-37)"),
        (
            "GROUND 0601 larva",
            "`larva` is no terrain: clear, bushes, forest, road, sand, snow, swamp, water, lava,",
        ),
    ] {
        let remark = rules.amend(&founded, change).unwrap_err();
        assert!(remark.text.contains(why), "{}", remark.text);
    }
}

#[test]
fn computer_leaders_fight_on_added_terrains_and_the_next_battle_has_them() {
    let rules = vent();
    let mut state = step(&rules, &rules.found(), &[]);
    for seed in 0..10 {
        if let Awaiting::Over { .. } = rules.awaiting(&state) {
            break;
        }
        let orders = [("red", Skill::Planner), ("blue", Skill::Cautious)].map(|(seat, skill)| {
            (seat, rules.play(&rules.view(&state, &seat.parse().unwrap()), skill, seed))
        });
        state = step(&rules, &state, &orders.each_ref().map(|(seat, text)| (*seat, text.as_str())));
    }
    let seats = rules.seats().iter().map(|spec| spec.seat.clone());
    let views: BTreeMap<_, _> = seats.map(|seat| (seat.clone(), rules.view(&state, &seat))).collect();
    let wishes = Wishes {
        id: "second".to_owned(),
        title: None,
        money: views.keys().map(|seat| (seat.clone(), 100)).collect(),
        without: std::collections::BTreeSet::new(),
    };
    let (text, _) = next(&rules, &views, &BTreeMap::new(), None, &wishes).unwrap();
    let second =
        Dog::from_files(&files(&own_numbers(), &text), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    for hex in rules.battle().field.hexes() {
        assert_eq!(second.battle().field.ground(hex), rules.battle().field.ground(hex), "{hex}");
    }
}

/// The words of those at a table: a name of the file goes before another word for a shipped terrain.
#[test]
fn a_table_knows_added_terrains() {
    use musterd_dog::table::read::ground;
    let lake = OWN.replace("marsh-lake", "lake");
    let text = SHIPPED[0].1.replacen(LAST, &format!("{LAST}{lake}"), 1);
    let with = |text: &str| Numbers::load(&files(text, "")).unwrap();
    let word = |text: &str, words: &str| ground(&with(text), words).map(|ground| ground.terrain.to_string());
    assert_eq!(word(&text, "lava").as_deref(), Ok("lava"));
    assert_eq!(
        (word(&text, "lake").as_deref(), word(SHIPPED[0].1, "lake").as_deref()),
        (Ok("lake"), Ok("water"))
    );
    assert_eq!(word(&text, "woods").as_deref(), Ok("forest"));
    let unknown = word(SHIPPED[0].1, "lava").unwrap_err();
    assert_eq!(
        unknown,
        "`lava` is no ground: write clear, bushes, forest, road, sand, snow, swamp, water, hills, mountains, earthwork, castle, stronghold"
    );
}

/// Errors and warnings of `musterd scenario check`.
fn examined(numbers: &str) -> (Vec<String>, Vec<String>) {
    let found = Dog::examine(&files(numbers, BATTLE), "ruleset.yaml");
    let told = |list: &[musterd_engine::files::DataError]| list.iter().map(ToString::to_string).collect();
    (told(&found.errors), told(&found.warnings))
}

#[test]
fn the_check_of_a_ruleset_tells_mistakes_of_its_terrains() {
    assert_eq!(examined(&own_numbers()), (vec![], vec![]));
    let errors = |from: &str, to: &str| {
        let text = own_numbers();
        assert!(text.contains(from), "{from}");
        examined(&text.replacen(from, to, 1)).0.join("\n")
    };
    for (from, to, expected) in [
        (
            "  lava: {sign: \"&\"",
            "  lava: {sign: \"~\"",
            ":3: the sign `~` of `lava` stands for `water` too: choose another",
        ),
        (
            "  reeds: {sign: \"r\"",
            "  reeds: {sign: \"&\"",
            ":3: the sign `&` of `reeds` stands for `lava` too: choose another",
        ),
        (
            "  lava: {sign: \"&\"",
            "  lava: {sign: \"^\"",
            "`^` can't be the sign of `lava`: maps need n F ^ H o @ # | + for other things",
        ),
        ("  lava: {sign: \"&\"", "  lava: {sign: \"é\"", "`é` can't be the sign of `lava`"),
        ("  clear: {", "  plain: {", "`terrain` has no line for clear: add one"),
        ("  road: {", "  path: {", "`terrain` has no line for road: add one"),
        ("  lava: {", "  hills: {", "`hills` is a relief or a fortification: give the terrain another name"),
        (
            "  lava: {",
            "  lav4: {",
            "`lav4` is no word for a terrain: write 2 to 16 small letters, with dashes between them if you like",
        ),
        ("  lava: {", "  Lava: {", "`Lava` is no word for a terrain; did you mean `lava`?"),
        ("#d9532c", "red", "`red` is no colour: write # and six hexadecimal digits"),
        ("water: true", "water: often", "`water` is true or false, not `often`"),
        ("water: true", "wet: true", "a terrain has no key `wet`"),
        (
            "visibility: 1}\n  bushes",
            "visibility: 1, water: true}\n  bushes",
            "`clear` is the ground of bridges, boats and walls",
        ),
    ] {
        let found = errors(from, to);
        assert!(found.contains(expected), "{to}: {found}");
    }
    // A misspelt name is a terrain of its own: the check asks.
    let (errors, warnings) = examined(&SHIPPED[0].1.replacen("  bushes: {", "  bushs: {", 1));
    assert_eq!((errors, warnings.len()), (vec![], 1));
    assert!(
        warnings[0].contains("`bushs` is read as a terrain of your own; did you mean `bushes`?"),
        "{warnings:?}"
    );
}

#[test]
fn the_check_of_a_battle_lists_the_signs_that_there_are() {
    let battle = BATTLE.replacen(".  r  &", ".  x  &", 1);
    let found = Dog::examine(&files(&own_numbers(), &battle), "vent.yaml");
    let errors: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
    let expected = "vent.yaml:8:11: `x` is no hex: write the sign of a terrain (. clear, , bushes, f forest, = road, : sand, * snow, \
        % swamp, ~ water, & lava, r reeds, Q quicksand, w marsh-lake)";
    assert!(errors.len() == 1 && errors[0].starts_with(expected), "{errors:?}");
}

/// Games were founded with files in which terrains have other signs, stand in another order, or share a sign: the first of the manual's list has it.
#[test]
fn an_older_file_reads_as_it_did() {
    let swapped =
        SHIPPED[0].1.replacen("sign: \":\"", "sign: \"S\"", 1).replacen("sign: \"f\"", "sign: \":\"", 1);
    let rows = ROWS.join("\n").replace("rh", ":h").replace('r', "S").replace('&', ":");
    let battle = BATTLE.replacen(&ROWS.join("\n"), &rows.replace('Q', "%").replace('w', "~"), 1);
    let rules = Dog::from_files(&files(&swapped, &battle), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let word = |hex: &str| rules.battle().field.ground(hex.parse().unwrap()).unwrap().terrain.to_string();
    assert_eq!(["0201", "0301", "0401"].map(word), ["sand", "forest", "forest"]);
    // Maps show the manual's terrains by the signs of the palette, whatever the files call them.
    let founded = step(&rules, &rules.found(), &[]);
    let text = page(&rules.brief(&red(&rules, &founded), &[]));
    for sign in [": sand", "f forest", "F wooded heights"] {
        assert!(text.lines().any(|line| line.ends_with(sign)), "{sign}: {text}");
    }
    let line = |word: &str| {
        let lines = SHIPPED[0].1.lines().filter(|line| line.starts_with(&format!("  {word}: {{sign")));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let (bushes, water) = (line("bushes"), line("water"));
    let shared = SHIPPED[0].1.replacen(&bushes, "", 1).replacen(&water, &format!("{water}{bushes}"), 1);
    let shared = shared.replacen("sign: \",\"", "sign: \"~\"", 1);
    let numbers = Numbers::load(&files(&shared, "")).unwrap();
    let first =
        numbers.terrains().find(|(_, cover)| cover.sign == '~').map(|(terrain, _)| terrain.to_string());
    assert_eq!(first.as_deref(), Some("bushes"));
    let (errors, warnings) = examined(&shared);
    assert_eq!((errors, warnings.len()), (vec![], 1));
    assert!(warnings[0].contains("the sign `~` of `water` stands for `bushes` too"), "{warnings:?}");
}

/// On maps of letters each water has its own sign, and what the file makes water is drawn as water.
#[test]
fn waters_are_told_from_each_other() {
    let briefing_of = |rules: &Dog| rules.brief(&red(rules, &step(rules, &rules.found(), &[])), &[]);
    let is_water = |briefing: &Briefing, sign: char| {
        let mut parts = briefing.sections.iter().flat_map(|section| &section.parts);
        parts.any(|part| matches!(part, Part::Map(map) if map.is_water(sign)))
    };
    let vent = briefing_of(&vent());
    let text = page(&vent);
    assert!(text.contains("w w w") && !text.contains("~ ~ ~"), "{text}");
    let swamp = "swamp: {sign: \"%\", ";
    let numbers = own_numbers().replacen(swamp, &format!("{swamp}water: true, "), 1);
    let rules = Dog::from_files(&files(&numbers, BATTLE), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(is_water(&briefing_of(&rules), '%') && !is_water(&vent, '%'));
}
