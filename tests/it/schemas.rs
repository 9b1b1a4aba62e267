//! The published forms hold: what dispatches bring as data is what `docs/schema` says.

use std::fs;
use std::path::Path;

use boon::{Compiler, SchemaIndex, Schemas};
use musterd::daemon::{NewGame, Reply, Request, Shape};
use musterd::dice::Seat;
use musterd::engine::journal::{Cause, Entry};
use serde_json::Value;

use super::contract::{AcwSpecimen, DogSpecimen, LgaSpecimen, SaSpecimen, SharedSpecimen, camp_of, played};
use super::proofs::begun;
use super::support::Camp;

/// A form and its validator.
struct Form {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Form {
    fn of(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/schema/{name}.json"));
        Self::compiled(&fs::read_to_string(path).unwrap())
    }

    /// The form of a file that authors write.
    fn of_files(name: &str) -> Self {
        let desk = musterd::rulesets::desk();
        let format = desk.schemas().find(|format| format.name == name).unwrap();
        Self::compiled(&desk.schema(format.name).unwrap())
    }

    fn compiled(form: &str) -> Self {
        let form: Value = serde_json::from_str(form).unwrap();
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("form.json", form).unwrap();
        let index = compiler.compile("form.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    #[track_caller]
    fn holds_for(&self, data: &Value) {
        if let Err(error) = self.schemas.validate(data, self.index) {
            panic!("{error:#}\n{data:#}");
        }
    }

    fn fails_for(&self, data: &Value) -> bool {
        self.schemas.validate(data, self.index).is_err()
    }
}

fn data_of(host: &mut musterd::daemon::Host, game: &str, seat: &Seat) -> Value {
    let game = game.parse().unwrap();
    let request = Request::Report { game, seat: seat.clone(), turn: None, shape: Shape::Data };
    let Reply::Report { text, .. } = host.execute(request).unwrap() else { panic!() };
    serde_json::from_str(&text).unwrap()
}

fn seats_of(entries: &[Entry]) -> Vec<Seat> {
    let Cause::Founded { charter, .. } = &entries[0].cause else { panic!("no founding") };
    charter.players.keys().cloned().collect()
}

#[test]
fn the_first_dispatch_of_every_scenario_has_the_published_form() {
    let dispatch = Form::of("dispatch");
    let views = ["lga", "dog", "sa", "acw"].map(|ruleset| (ruleset, Form::of(&format!("{ruleset}-view"))));
    let camp = Camp::new();
    let mut host = camp.open();
    for (n, listing) in musterd::rulesets::desk().scenarios().into_iter().enumerate() {
        let view = views.iter().find(|(ruleset, _)| listing.id.split('/').next() == Some(ruleset));
        let (_, view) = view.expect("every ruleset publishes the form of its view");
        let new = NewGame {
            templates: std::collections::BTreeMap::new(),
            scenario: listing.id.clone(),
            id: format!("g{n}").parse().unwrap(),
            seats: listing.seats.iter().map(|seat| (seat.clone(), "computer".to_owned())).collect(),
            gm: Vec::new(),
            witnesses: Vec::new(),
            deadline: None,
            start_now: true,
            press: Default::default(),
            terms: Default::default(),
            beacon: None,
            missing: None,
            options: std::collections::BTreeMap::new(),
        };
        host.execute(Request::found(new)).unwrap();
        for seat in &listing.seats {
            let data = data_of(&mut host, &format!("g{n}"), seat);
            dispatch.holds_for(&data);
            view.holds_for(&data["view"]);
            assert_eq!(data["scenario"], listing.id.as_str());
        }
    }
}

#[test]
fn every_dispatch_of_a_campaign_has_the_published_form_and_the_last_one_too() {
    let [dispatch, lga, dog, sa, acw] =
        ["dispatch", "lga-view", "dog-view", "sa-view", "acw-view"].map(Form::of);
    for steps in [2, 3, 4, u32::MAX] {
        for (entries, view) in [
            (played::<LgaSpecimen>(1, steps), &lga),
            (played::<SharedSpecimen>(2, steps), &lga),
            (played::<DogSpecimen>(3, steps), &dog),
            (played::<SaSpecimen>(4, steps), &sa),
            (played::<AcwSpecimen>(5, steps), &acw),
        ] {
            let camp = camp_of(&entries);
            let mut host = camp.open();
            for seat in seats_of(&entries) {
                let data = data_of(&mut host, "alpha", &seat);
                dispatch.holds_for(&data);
                view.holds_for(&data["view"]);
                let over = steps == u32::MAX;
                assert_eq!(
                    (data["window"].is_null(), data["results"] != Value::Array(Vec::new())),
                    (over, over)
                );
                let form = data["form"].as_array().unwrap();
                assert_eq!(form.first().is_some_and(|line| line == "BEGIN ORDERS"), !over);
            }
        }
    }
}

#[test]
fn what_is_not_of_the_published_form_is_seen_not_to_be() {
    let (dispatch, view) = (Form::of("dispatch"), Form::of("lga-view"));
    let entries = played::<LgaSpecimen>(1, 2);
    let data = data_of(&mut camp_of(&entries).open(), "alpha", &"french".parse().unwrap());
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut broken = data.clone();
        change(&mut broken);
        broken
    };
    for change in [
        &(|data: &mut Value| data["schema"] = "musterd/dispatch/2".into()) as &dyn Fn(&mut Value),
        &|data| data["chain"]["head"] = "abc".into(),
        &|data| data["window"]["part"] = "moving".into(),
        &|data| data["sections"][0]["parts"][0]["kind"] = "map".into(),
        &|data| _ = data.as_object_mut().unwrap().remove("view"),
    ] {
        assert!(dispatch.fails_for(&broken(change)));
    }
    let broken = broken(&|data| data["view"]["stacks"][0]["hex"] = "Ulm".into());
    assert!(view.fails_for(&broken["view"]));
}

#[test]
fn the_proofs_that_come_with_a_dispatch_have_the_published_form() {
    let form = Form::of("proofs");
    let data: Value = serde_json::from_str(&begun().1).unwrap();
    form.holds_for(&data);
    for change in [
        &(|data: &mut Value| data["protocol"] = "pbemdice/1".into()) as &dyn Fn(&mut Value),
        &|data| data["before"] = "abc".into(),
        &|data| data["entries"][0]["hash"] = 1.into(),
        &|data| data["rolls"] = serde_json::json!([data["rolls"]]),
        &|data| data["rolls"] = serde_json::json!({ "roll": ["1/x", 1, 6], "blind": data["before"] }),
    ] {
        let mut broken = data.clone();
        change(&mut broken);
        assert!(form.fails_for(&broken), "{broken:#}");
    }
}

#[test]
fn the_command_prints_every_published_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let printed =
            std::process::Command::new(env!("CARGO_BIN_EXE_musterd")).args(["schema", name]).output();
        let printed: Value = serde_json::from_slice(&printed.unwrap().stdout).unwrap();
        assert_eq!(
            printed,
            serde_json::from_str::<Value>(&fs::read_to_string(&path).unwrap()).unwrap(),
            "{name}"
        );
    }
}

/// A shipped file as an editor reads it.
fn shipped(path: &str) -> (String, Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(path);
    let text = fs::read_to_string(path).unwrap();
    let data = serde_yaml::from_str(&text).unwrap();
    (text, data)
}

const FORMS: [(&str, &str); 14] = [
    ("lga-scenario", "lga/scenarios"),
    ("lga-map", "lga/maps"),
    ("lga-setting", "lga/settings"),
    ("lga-rules", "lga/ruleset.yaml"),
    ("dog-battle", "dog/scenarios"),
    ("dog-hire", "dog/hire"),
    ("dog-rules", "dog/ruleset.yaml"),
    ("sa-scenario", "sa/scenarios"),
    ("sa-army", "sa/armies"),
    ("sa-field", "sa/fields"),
    ("sa-rules", "sa/ruleset.yaml"),
    ("acw-scenario", "acw/scenarios"),
    ("acw-map", "acw/maps"),
    ("acw-rules", "acw/ruleset.yaml"),
];

#[test]
fn every_shipped_file_has_its_form() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    for (form, place) in FORMS {
        let form = Form::of_files(form);
        let mut files = vec![place.to_owned()];
        if games.join(place).is_dir() {
            let names = fs::read_dir(games.join(place)).unwrap().map(|file| file.unwrap().file_name());
            files = names.map(|name| format!("{place}/{}", name.to_str().unwrap())).collect();
        }
        assert!(!files.is_empty());
        files.iter().for_each(|file| form.holds_for(&shipped(file).1));
    }
}

#[test]
fn a_form_without_its_game_is_that_of_any_game() {
    let print = |name: &str| {
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_musterd"))
            .args(["schema", name])
            .output()
            .unwrap();
        (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap())
    };
    for (name, files) in [
        (
            "scenario",
            ["lga/scenarios/austrian-1805.yaml", "sa/scenarios/mill.yaml", "acw/scenarios/bull-run.yaml"]
                .as_slice(),
        ),
        ("map", ["lga/maps/europe.yaml", "acw/maps/bull-run.yaml"].as_slice()),
    ] {
        let form = Form::compiled(&print(name).0);
        for file in files {
            let (_, mut data) = shipped(file);
            form.holds_for(&data);
            data["no-such-key"] = Value::Bool(true);
            assert!(form.fails_for(&data), "{file}");
        }
    }
    assert_eq!(print("hire"), print("dog-hire"));
    assert!(print("batle").1.contains("did you mean `battle`?"), "{}", print("batle").1);
}

#[test]
fn a_terrain_of_the_authors_own_is_of_the_form() {
    const OWN: &str = "  marsh-lake: {sign: w, cost: 8, defence: 1, visibility: 2, home: water, native_attack: 2, water: true, \
        bars_heavy: false, bars_big: true, relief: false, fortifications: false, colour: \"#a0b8c0\"}\n";
    let (text, _) = shipped("dog/ruleset.yaml");
    let text = text.replacen("\nterrain:\n", &format!("\nterrain:\n{OWN}"), 1);
    let data: Value = serde_yaml::from_str(&text).unwrap();
    assert_eq!(data["terrain"]["marsh-lake"]["water"], true);
    Form::of_files("dog-rules").holds_for(&data);
}

#[test]
fn the_form_of_a_file_says_what_its_keys_mean() {
    let desk = musterd::rulesets::desk();
    let map = desk.schemas().find(|format| format.name == "lga-map").unwrap();
    let form: Value = serde_json::from_str(&desk.schema(map.name).unwrap()).unwrap();
    let port = &form["properties"]["cities"]["items"]["properties"]["port"];
    assert!(port["description"].as_str().unwrap().contains("source of supply"), "{port}");
    let printed =
        std::process::Command::new(env!("CARGO_BIN_EXE_musterd")).args(["schema", map.name]).output();
    assert_eq!(serde_json::from_slice::<Value>(&printed.unwrap().stdout).unwrap(), form);
    // What only one ruleset has needs no name of the ruleset.
    let printed = |name: &str| {
        let output =
            std::process::Command::new(env!("CARGO_BIN_EXE_musterd")).args(["schema", name]).output();
        output.unwrap().stdout
    };
    assert_eq!(printed("hire"), printed("dog-hire"));
}

/// A form, a file of it, and mistakes: what stands in the file, and what is written in its place.
type Mistakes = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Holds for each file with each mistake how many faults the check tells, and whether the form refuses it.
#[track_caller]
fn judged(all: &[Mistakes], is_right: impl Fn(usize, bool) -> bool) {
    let mut strange = Vec::new();
    for (form, file, mistakes) in all {
        let form = Form::of_files(form);
        let (text, _) = shipped(file);
        let (ruleset, path) = file.split_once('/').unwrap();
        for (right, wrong) in *mistakes {
            assert!(text.contains(right), "{file} has no {right}");
            let text = text.replacen(right, wrong, 1);
            let mut desk = musterd::rulesets::desk();
            desk.shelve(ruleset, path, text.clone()).unwrap();
            let faults = desk.examine(ruleset, path).unwrap().errors.len();
            let refused = serde_yaml::from_str(&text).map_or(true, |data| form.fails_for(&data));
            if !is_right(faults, refused) {
                let form = if refused { "refuses" } else { "takes" };
                strange
                    .push(format!("{file}: {wrong:?}: the check tells {faults} faults, the form {form} it"));
            }
        }
    }
    assert!(strange.is_empty(), "{}", strange.join("\n"));
}

const SCENARIO: (&str, &str) = ("lga-scenario", "lga/scenarios/austrian-1805.yaml");
const MAP: (&str, &str) = ("lga-map", "lga/maps/europe.yaml");
const SETTING: (&str, &str) = ("lga-setting", "lga/settings/napoleonic.yaml");
const NUMBERS: (&str, &str) = ("lga-rules", "lga/ruleset.yaml");
const BATTLE: (&str, &str) = ("dog-battle", "dog/scenarios/reed-causeway.yaml");
const HIRE: (&str, &str) = ("dog-hire", "dog/hire/watch-100.yaml");
const TABLE: (&str, &str) = ("dog-rules", "dog/ruleset.yaml");
const MEETING: (&str, &str) = ("sa-scenario", "sa/scenarios/manzikert.yaml");
const ARMY: (&str, &str) = ("sa-army", "sa/armies/romanos.yaml");
const FIELD: (&str, &str) = ("sa-field", "sa/fields/steppe.yaml");
const CHARTS: (&str, &str) = ("sa-rules", "sa/ruleset.yaml");
const CAMPAIGN: (&str, &str) = ("acw-scenario", "acw/scenarios/bull-run.yaml");
const SHEET: (&str, &str) = ("acw-map", "acw/maps/bull-run.yaml");
const TABLES: (&str, &str) = ("acw-rules", "acw/ruleset.yaml");

/// What the check refuses by what stands in one place, the form refuses too.
#[test]
fn a_mistake_of_shape_is_none_of_the_form() {
    let mistakes: [Mistakes; 14] = [
        (
            SCENARIO.0,
            SCENARIO.1,
            &[
                ("title:", "titel:"),
                ("title: ", "title: ''\n# "),
                ("id: austrian-1805", "id: Austrian"),
                ("map: europe\n", ""),
                ("season: summer", "season: sumer"),
                ("year: 1805", "year: 1605"),
                ("type: infantry", "type: Infantry"),
                ("year: 1805", "year: \"1805\""),
                ("type: infantry", "type: infntry"),
                ("modifier: 2", "modifier: 4"),
                (", modifier: 2}", "}"),
                ("type: infantry,", "type: infantry, modifier: 1,"),
                ("type: infantry,", "type: cavalry, garrison: true,"),
                ("at: \"", "at: \"1"),
                ("points: ", "points: -"),
                ("nation: austria", "nation: 7"),
                ("garrison: true", "garrison: maybe"),
                ("side: allied", "side: french"),
                ("sides:\n", "first: neutral\nsides:\n"),
                ("sides:\n", "sides: []\nothers:\n"),
                ("control:\n  - \"", "control:\n  - \"X"),
            ],
        ),
        (
            MAP.0,
            MAP.1,
            &[
                ("rank: capital", "rank: huge"),
                ("1307-1407", "1307_1407"),
                ("1307-1407", "1300-1407"),
                ("port: true", "port: 1"),
                ("  F: France", "  Fr: France"),
                ("name: Europe\n", ""),
                ("hex: \"1001\", ", ""),
                ("terrain:\n  - \"", "terrain:\n  - \"x"),
                ("name: Paris", "name: \"1805\""),
                ("name: Paris", "name: 1805"),
            ],
        ),
        (
            SETTING.0,
            SETTING.1,
            &[
                ("allotted: all", "allotted: al"),
                ("sails: true", "sail: true"),
                ("  french:", "  French:"),
                ("letter: F", "letter: f"),
                ("leads: french", "leads: french\n    supplies: false"),
                ("closed: [Russian Hinterland], ", ""),
                ("closed: [Russian Hinterland], ", "closed: [], "),
                ("closed: [Russian Hinterland], ", "closed: [Spain], confined: [France], "),
            ],
        ),
        (
            NUMBERS.0,
            NUMBERS.1,
            &[
                ("A3", "X3"),
                ("[4, 3, 2, 1]", "[4, 3, 2]"),
                ("cost: 9", "cost: 99"),
                ("winter: -2", "winter: cold"),
                ("  hq: {cost: 5, moves: 7, morale: 0}\n", ""),
            ],
        ),
        (
            BATTLE.0,
            BATTLE.1,
            &[
                ("scale: tactical", "scale: tactic"),
                ("rounds: 10", "rounds: 0"),
                ("rounds: 10", "holders: nobody"),
                ("fighters: 18", "fighters: 999"),
                ("fighters: 18", "size: 1"),
                ("fighters: 18", "mixed: [{type: LI, fighters: 1}]"),
                ("hidden: true", "hiden: true"),
                ("\"0404-0706\"", "\"0404-070\""),
                ("letter: P", "letter: PP"),
                ("letter: P", "letter: p"),
                ("seat: ", "seat: The "),
                ("leadership: 500\n", "\n"),
                ("    units:\n", "    units: []\nothers:\n"),
                ("type: ", "type: x"),
                ("rows:\n    - \"", "rows:\n    - \"? "),
                ("rows:\n    - \"", "rows:\n    - \"~h "),
            ],
        ),
        (
            HIRE.0,
            HIRE.1,
            &[
                ("type: pikemen", "type: pikmen"),
                ("fighters: 12", "mixed: []"),
                ("budget: 100", "budget: 0"),
                ("units:", "army:"),
            ],
        ),
        (
            TABLE.0,
            TABLE.1,
            &[
                ("10x3:5", "10x3"),
                ("hp: 2", "hp: 0"),
                ("size: 5 to 50", "size: 5 upto 50"),
                ("  sand: {", "  Sand: {"),
                ("  road: {", "  way: {"),
                ("home: desert", "water: often"),
                ("home: desert", "colour: sandy"),
                ("home: desert", "wet: true"),
                ("castle: 6, ", ""),
            ],
        ),
        (
            MEETING.0,
            MEETING.1,
            &[
                ("kind: historical", "kind: history"),
                ("field: steppe", "feld: steppe"),
                ("home: south", "home: down"),
                ("Reserve of Doukas: 72", "Reserve of Doukas: soon"),
                ("most: 2", "most: 7"),
                ("\"0815-2516\"", "\"0815-251\""),
                ("    army: romanos\n", ""),
                ("army: romanos", "army: [{name: Nobody}]"),
                ("sides:\n", "sides: []\nothers:\n"),
                ("title: ", "title: ''\n# "),
            ],
        ),
        (
            ARMY.0,
            ARMY.1,
            &[
                ("type: EHC", "type: XHC"),
                ("class: B", "class: E"),
                ("type: EHC, class: B, melee: lance", "type: EHC, class: B, melee: pike"),
                ("melee: lspear", "melee: lance"),
                ("melee: twohand, shield: false", "melee: twohand, shield: true"),
                ("men: ", "men: -"),
                ("count: 2", "count: 61"),
                (", shield: true", ""),
                ("missile: bow", "missile: arrows"),
                ("units:\n", "units: []\nothers:\n"),
            ],
        ),
        (
            FIELD.0,
            FIELD.1,
            &[
                ("rows:\n  - \"", "rows:\n  - \"?"),
                ("title: ", "titel: "),
                ("\"1601\": ", "\"160\": "),
                ("places:", "places: []\nothers:"),
            ],
        ),
        (
            CHARTS.0,
            CHARTS.1,
            &[
                ("[12, 18, 24, 12, 24, 30]", "[12, 18, 24, 12, 24]"),
                ("XX, XX]", "X, XX]"),
                ("  MC:  [6", "  MX:  [6"),
                ("lance:    [4", "lance:    [four"),
                ("losses: 4", "losses: 0"),
                ("{bow: 1}", "{bows: 1}"),
                ("bow: 3}", "bow: 0}"),
            ],
        ),
        (
            CAMPAIGN.0,
            CAMPAIGN.1,
            &[
                ("kind: historical", "kind: history"),
                ("map: bull-run", "mop: bull-run"),
                ("date: 1861-07-21", "date: 21 July"),
                ("date: 1861-07-21", "date: 1861-+7-21"),
                ("date: 1861-07-21", "date: 2861-07-21"),
                ("from: 5", "from: 24"),
                ("is: clear", "is: sunny"),
                ("turns: [1, 16], a:", "turns: [1], a:"),
                ("held: b", "held: c"),
                ("leadership: 4", "leadership: 10"),
                ("rear: east", "rear: left"),
                ("rear: east", "rear: east\n    look: {colour: blue}"),
                ("rear: east", "rear: east\n    look: {letters: \"#ffffff\"}"),
                ("rear: east", "rear: east\n    look: {cavalry: {symbol: c}}"),
                ("type: infantry", "look: {}, type: infantry"),
                ("\"0501-3202\"", "\"0501-320\""),
                ("arms: smoothbore", "arms: muskets"),
                (", arms: smoothbore", ""),
                ("gun: mixed", "gun: cannon"),
                (", gun: mixed", ""),
                ("type: artillery, men: 300,", "type: artillery, men: 300, arms: carbine,"),
                ("type: cavalry", "type: horse"),
                ("men: 2100", "men: 0"),
                ("facing: w", "facing: west"),
                ("arrives: {turn: 9, at: \"1829\"}, ", ""),
                ("arrives: {turn: 9, ", "arrives: {"),
                ("name: Sherman", "name: Sherman and all his men"),
                ("sides:\n", "sides: []\nothers:\n"),
                ("title: ", "title: ''\n# "),
            ],
        ),
        (
            SHEET.0,
            SHEET.1,
            &[
                ("rows:\n  - \".", "rows:\n  - \"?"),
                ("metres: 450", "metres: far"),
                ("kind: rail", "kind: canal"),
                ("kind: river, bank: left", "kind: river, bank: north"),
                ("kind: river, ", "kind: lake, "),
                ("kind: ford", "kind: ferry"),
                ("[\"0605\", \"0604\"]", "[\"0605\"]"),
                ("\"1830\": 2", "\"1830\": 4"),
                ("path: [\"1901\"", "path: [\"190\""),
                ("path: [\"0103\", \"0503\"]", "path: [\"0103\"]"),
            ],
        ),
        (
            TABLES.0,
            TABLES.1,
            &[
                ("base: 15", "base: 16"),
                ("hits: 8}", "hits: 0}"),
                ("sign: v", "sign: vv"),
                ("cover: 2", "cover: -2"),
                ("range: 2}", "range: 3}"),
                ("road: 1", "road: 0"),
                ("  cavalry: {points", "  horse: {points"),
                ("overcast: 4", "clouds: 4"),
                ("water: true", "water: deep"),
            ],
        ),
    ];
    judged(&mistakes, |faults, refused| faults > 0 && refused);
}

/// What hangs together between places a form can't say, nor what stands in another file: only the check knows it.
#[test]
fn what_hangs_together_is_known_to_the_check_alone() {
    let mistakes: [Mistakes; 12] = [
        (
            SCENARIO.0,
            SCENARIO.1,
            &[
                ("map: europe", "map: asia"),
                ("nation: austria", "nation: zanzibar"),
                ("strategic-victory: 20", "strategic-victory: 18"),
                ("end: {season: ", "end: {year: 1799, season: spring}\n# {season: "),
                ("at: \"", "at: \"9999\"}\n# \""),
            ],
        ),
        (MAP.0, MAP.1, &[("1307-1407", "1307-1907"), ("  F: France\n", ""), ("name: Paris", "name: London")]),
        (SETTING.0, SETTING.1, &[("letter: S", "letter: F"), ("[spain]", "[zanzibar]")]),
        (BATTLE.0, BATTLE.1, &[("fighters: 18", "fighters: 180"), ("\"0404-0706\"", "\"0404-9999\"")]),
        (HIRE.0, HIRE.1, &[("id: watch-100", "id: watch"), ("budget: 100", "budget: 10")]),
        (TABLE.0, TABLE.1, &[("crew: [A, LI]", "crew: [A, ZZ]"), ("size: 5 to 50", "size: 50 to 5")]),
        (
            MEETING.0,
            MEETING.1,
            &[
                ("field: steppe", "field: step"),
                ("army: romanos", "army: romano"),
                ("home: south", "home: north"),
                ("seat: seljuks", "seat: byzantium"),
                ("\"0815-2516\"", "\"0815-9916\""),
                ("units: [Turcomans]", "units: [Turkomans]"),
                ("[\"1520\", \"1720\"]", "[\"1520\", \"1520\"]"),
            ],
        ),
        (ARMY.0, ARMY.1, &[("id: romanos", "id: romanus")]),
        (FIELD.0, FIELD.1, &[("rows:\n  - \"", "rows:\n  - \".")]),
        (CHARTS.0, CHARTS.1, &[("  LC:  [4", "  LC:  [XX")]),
        (
            CAMPAIGN.0,
            CAMPAIGN.1,
            &[
                ("map: bull-run", "map: bull"),
                ("date: 1861-07-21, from", "date: 1861-02-30, from"),
                ("from: 5", "from: 21"),
                ("turns: [1, 16], is", "turns: [1, 17], is"),
                ("name: Stone House", "name: Stone Bridge"),
                ("seat: confederate", "seat: union"),
                ("letter: C", "letter: U"),
                ("name: Sherman", "name: Schenck"),
                ("offensive: [Stone Bridge]", "offensive: [Stone Brigade]"),
                ("at: \"1709\"", "at: \"3309\""),
                ("turn: 9, at", "turn: 17, at"),
            ],
        ),
        (SHEET.0, SHEET.1, &[("id: bull-run", "id: bull"), ("\"0605\", \"0604\"", "\"0605\", \"0603\"")]),
    ];
    judged(&mistakes, |faults, refused| faults > 0 && !refused);
}

/// YAML takes some texts for numbers: both take them for the texts that they are.
#[test]
fn a_number_where_a_text_is_wanted_is_a_text() {
    let files: [Mistakes; 4] = [
        (SCENARIO.0, SCENARIO.1, &[("title: ", "title: 1805\n# "), ("id: austrian-1805", "id: 1805")]),
        (MAP.0, MAP.1, &[("name: Europe", "name: 1805"), ("hex: \"1001\"", "hex: 1001")]),
        (BATTLE.0, BATTLE.1, &[("title: ", "title: 3.5\n# ")]),
        (HIRE.0, HIRE.1, &[("title: ", "title: 100\n# "), ("type: pikemen", "type: PIKEMAN")]),
    ];
    judged(&files, |faults, refused| faults == 0 && !refused);
}

/// A host that has other troops and other signs is not told that they are mistakes.
#[test]
fn a_form_knows_the_numbers_that_a_host_has() {
    let mut desk = musterd::rulesets::desk();
    let (text, _) = shipped("dog/ruleset.yaml");
    let text = text.replacen("name: pikemen", "name: halberdiers", 1);
    desk.shelve("dog", "ruleset.yaml", text).unwrap();
    let form = Form::compiled(&desk.schema("dog-hire").unwrap());
    let (list, _) = shipped(HIRE.1);
    let data = |list: &str| serde_yaml::from_str(list).unwrap();
    assert!(form.fails_for(&data(&list)));
    form.holds_for(&data(&list.replace("pikemen", "Halberdiers")));
}

/// Nor one that has other types of unit and terrains.
#[test]
fn a_form_knows_the_types_and_terrains_that_a_host_has() {
    let mut desk = musterd::rulesets::desk();
    let (text, _) = shipped(NUMBERS.1);
    let text = text.replacen(
        "  hq: {",
        "  lancers: {like: cavalry, cost: 8, moves: 8, morale: 4}\n  marshal: {like: hq, cost: 6, moves: 9, morale: 0}\n  hq: {",
        1,
    );
    let text = format!("{text}\nterrains:\n  hills: {{like: forest, sign: h, moves: 2}}\n");
    desk.shelve("lga", "ruleset.yaml", text.clone()).unwrap();
    Form::of_files(NUMBERS.0).holds_for(&serde_yaml::from_str(&text).unwrap());
    let judge = |(form, file): (&str, &str), changes: &[(&str, &str, bool)]| {
        let (known, usual) = (Form::compiled(&desk.schema(form).unwrap()), Form::of_files(form));
        for (right, other, takes) in changes {
            let text = shipped(file).0;
            assert!(text.contains(right), "{file} has no {right}");
            let data = serde_yaml::from_str(&text.replacen(right, other, 1)).unwrap();
            assert_eq!((!known.fails_for(&data), usual.fails_for(&data)), (*takes, true), "{other}");
        }
    };
    judge(
        SCENARIO,
        &[
            ("type: infantry,", "type: lancers,", true),
            ("type: infantry,", "type: lancers, garrison: true,", false),
            ("type: infantry,", "type: lancers, modifier: 1,", false),
            ("type: infantry,", "type: marshal,", false),
            ("type: infantry,", "type: marshal, modifier: 1,", true),
        ],
    );
    judge(
        MAP,
        &[
            ("terrain:\n  - \"~", "terrain:\n  - \"h", true),
            ("terrain:\n  - \"~", "terrain:\n  - \"x", false),
        ],
    );
}

/// The page that authors copy from: `^[RB][1-9][0-9]?$`.
#[test]
fn the_example_game_reads_units_as_its_schema_has_them() {
    let reads = |text: &str| musterd_ford::battle::UnitId::try_from(text.to_owned()).is_ok();
    assert!(["R1", "B10", "R99"].into_iter().all(reads));
    for text in ["r1", "R0", "R01", "R+1", "R100", "R300", "R", "G1", ""] {
        assert!(!reads(text), "{text}");
    }
}
