//! Settings: nations and closed ground that are made of data alone.

use std::collections::BTreeMap;

use musterd_dice::{Block, Seed};
use musterd_engine::files::RuleFiles;
use musterd_engine::{Awaiting, Fold, Match, Ruleset};
use musterd_lga::model::{Date, Season, Side};
use musterd_lga::{Lga, shipped};

use crate::common::{Loose, soak};

const SETTING: &str = "settings/two-crowns.yaml";

/// The samples of the guide with the nations of another setting.
fn invented() -> RuleFiles {
    let sample = |path: &str| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/lga/samples/");
        std::fs::read_to_string(format!("{root}{path}")).unwrap()
    };
    let map = sample("maps/lombardy.yaml");
    let (before, after) = map.split_once("\nhomes:\n").unwrap();
    let (_, cities) = after.split_once("\ncities:\n").unwrap();
    let map = format!("setting: two-crowns\n{before}\ncities:\n{cities}");
    let scenario = sample("scenarios/lodi-1796.yaml");
    let scenario = scenario.replace("nation: french", "nation: aurelia");
    let scenario = scenario.replace("nation: austria", "nation: morven").replace("Austrians", "Morvenics");
    let mut files = shipped("austrian-1805").unwrap();
    // They stand there from the start, so that a muster tells of it.
    let setting = sample(SETTING).replace("hungry_in: [Lombardy]", "hungry_in: [Piedmont]");
    files.0.insert(SETTING.to_owned(), setting);
    files.0.insert("maps/lombardy.yaml".to_owned(), map);
    files.0.insert("scenario.yaml".to_owned(), scenario);
    files
}

#[test]
fn nations_that_never_were_fight_a_war_of_their_own() {
    let load = || Lga::from_files(&invented(), &[]).unwrap();
    let (rules, mut table) = (load(), Match::new(load()));
    let mut state = rules.found();
    let mut dice = Loose(Seed::unrelated(soak::seed_bytes(1)));
    let mut told = String::new();
    for t in 1.. {
        let mut blocks = BTreeMap::new();
        match table.awaiting() {
            Awaiting::Over { .. } => break,
            Awaiting::Founding => {}
            Awaiting::Orders { .. } => {
                for spec in table.seats() {
                    let orders = table.play(&spec.seat, "planner", 1);
                    blocks.insert(spec.seat.clone(), Block::canonical(&orders));
                }
            }
        }
        let adjudication = table.adjudicate(t, &blocks, &mut dice);
        for event in &adjudication.events {
            rules.apply(&mut state, &serde_json::from_value(event.clone()).unwrap());
            assert_eq!(state.faults(&rules), Vec::<String>::new(), "t={t} after {event}");
        }
        told.push_str(&serde_json::to_string(&adjudication.events).unwrap());
        table.adopt(&adjudication.events).unwrap();
        for spec in table.seats() {
            let brief = table.brief(&spec.seat);
            told.push_str(&musterd_report::text::sections(&brief));
            told.push_str(table.published(&spec.seat).get());
        }
    }
    assert!(told.contains("Aurelian in Piedmont"), "the muster takes hunger into account");
    assert!(told.contains(r#""aurelia":"#) && told.contains("Morvenic infantry"));
    for real in ["France", "Austria", "Britain", "austria"] {
        assert!(
            !told.contains(real),
            "{real} is no nation of this war: {}",
            &told[told.find(real).unwrap().saturating_sub(300)..][..600]
        );
    }
}

#[test]
fn closed_ground_is_refused_in_the_words_of_the_setting() {
    let rules = Lga::from_files(&invented(), &[]).unwrap();
    let seat = "french".parse().unwrap();
    let view = musterd_lga::view::View { phasing: Some(Side::French), ..rules.view(&rules.found(), &seat) };
    assert_eq!(view.date, Date { season: Season::Spring, year: 1796 });
    let reading = rules.read_orders(&view, "MOVE 1 TO Brescia");
    let texts: Vec<&str> = reading.remarks.iter().map(|remark| remark.text.as_str()).collect();
    assert!(
        texts.iter().any(|text| text.contains("the Aurelians have sworn not to enter Venice")),
        "{texts:?}"
    );
    assert!(rules.read_orders(&view, "AID Morven 2").has_errors(), "no nation of this setting gives aid");
}

#[test]
fn a_game_founded_before_there_were_settings_has_the_first() {
    let mut files = shipped("russian-1812").unwrap();
    let now = Lga::from_files(&files, &[]).unwrap();
    files.0.remove("settings/napoleonic.yaml").unwrap();
    let nations = "nations:\n  russia: {country: Russia, capitals: [Moscow]}\n";
    let numbers =
        files.0["ruleset.yaml"].replace("  hungry: -1\n", "  french_abroad: -1\n  abroad: [Prussia]\n");
    files.0.insert("ruleset.yaml".to_owned(), format!("{numbers}{nations}"));
    let then = Lga::from_files(&files, &[]).unwrap();
    let traits = |rules: &Lga, word: &str| {
        let nation = musterd_lga::model::Nation::of(word).unwrap();
        let of = rules.setting.of(nation);
        (
            of.name.clone(),
            of.capitals.clone(),
            of.hungry_in.iter().map(|country| country.value.clone()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(traits(&then, "austria"), traits(&now, "austria"));
    assert_eq!(traits(&then, "russia").1, ["Moscow"], "as its own numbers say");
    assert_eq!(traits(&then, "french").2, ["Prussia"]);
}

#[test]
fn faults_of_a_setting_are_told_with_their_places() {
    let mut files = invented();
    let text =
        files.0[SETTING].replace("letter: M", "letter: U").replace("builds: any-city", "builds: anycity");
    let text = text.replace("[morven]", "[morvan]").replace("closed: [Venice], ", "");
    files.0.insert(SETTING.to_owned(), text);
    let expected = [
        "settings/two-crowns.yaml:12:105: `anycity` is no place to build; did you mean `any-city`?",
        "settings/two-crowns.yaml:12:3: Morven can't have this letter: Aurelia has it already",
        "settings/two-crowns.yaml:15:5: a zone has either `closed` or `confined`: write one of them",
        "settings/two-crowns.yaml:16:16: `morvan` is no nation; did you mean `morven`?",
    ];
    let errors = Lga::from_files(&files, &[]).unwrap_err().to_string();
    assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
    files.0.remove(SETTING);
    let missing = Lga::from_files(&files, &[]).unwrap_err().to_string();
    assert!(missing.starts_with("maps/lombardy.yaml:1:10: there is no setting `two-crowns`"), "{missing}");
}

#[test]
fn twins_among_the_nations_of_a_setting_are_told_apart_or_refused() {
    let faults = |from: &str, to: &str| {
        let mut files = invented();
        let text = files.0[SETTING].replace(from, to);
        assert_ne!(text, files.0[SETTING]);
        files.0.insert(SETTING.to_owned(), text);
        Lga::from_files(&files, &[]).unwrap_err().to_string()
    };
    let told = faults("name: Morven,", "name: Aurelia,");
    let expected = "settings/two-crowns.yaml:12:3: another nation is called Aurelia already: give this one another name\n";
    assert!(told.starts_with(expected), "{told}");
    let told = faults("name: Aurelia\n", "name: Morven\n");
    assert!(
        told.contains(":3:3: `Morven` is the word for another nation: give this one another name"),
        "{told}"
    );
    let told = faults("leads: french", "leads: french\n    supplies: false");
    let reason = "only the capitals of Aurelia supply the side that it leads: leave out `supplies: false`";
    assert!(told.contains(reason), "{told}");
}

#[test]
fn a_nation_may_have_any_name_and_is_given_aid_by_it() {
    for (name, written, seat) in [
        ("Ö", "Morven", "morven"),
        ("Õs Új", "Morven", "morven"),
        ("Morven", "Morvens", "morven"),
        ("Great Morven", "morven", "greatmorven"),
        ("Ab", "Morven", "ab"),
    ] {
        let mut files = invented();
        let text = files.0[SETTING].replace("name: Morven,", &format!("name: {name}, aids: true,"));
        files.0.insert(SETTING.to_owned(), text);
        let seats = [format!("allied.{seat}").parse().unwrap(), "french".parse().unwrap()];
        let rules = Lga::from_files(&files, &seats).unwrap();
        let state = rules.found();
        let view = musterd_lga::view::View { phasing: Some(Side::Allied), ..rules.view(&state, &seats[0]) };
        let remarks = rules.read_orders(&view, &format!("AID {written} 2")).remarks;
        assert!(!remarks.iter().any(|remark| remark.text.contains("no nation")), "{name}: {remarks:?}");
        let verbs = |seat| {
            let view = musterd_lga::view::View { phasing: Some(Side::Allied), ..rules.view(&state, seat) };
            rules.offered(&view).iter().any(|order| format!("{order:?}").contains("AID"))
        };
        assert!(verbs(&seats[0]) && !verbs(&seats[1]), "only who can give aid is told of AID");
    }
}

#[test]
fn more_zones_than_can_be_numbered_are_refused() {
    let zone = "  - {nations: [aurelia], closed: [Venice], because: they have sworn it}\n";
    let with = |zones: usize| {
        let mut files = invented();
        let text = format!("{}{}", files.0[SETTING], zone.repeat(zones));
        files.0.insert(SETTING.to_owned(), text);
        Lga::from_files(&files, &[]).map(|_| ())
    };
    with(253).unwrap();
    let told = with(254).unwrap_err().to_string();
    assert!(
        told.ends_with("a setting has 255 zones at most: join those that close the same ground"),
        "{told}"
    );
}

#[test]
fn a_misspelt_country_of_a_setting_is_warned_of_at_its_place() {
    let mut files = invented();
    let text = files.0[SETTING].replace("closed: [Venice]", "closed: [Venise]");
    files.0.insert(SETTING.to_owned(), text);
    let found = Lga::examine(&files, "maps/lombardy.yaml");
    let warnings: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    let expected = "settings/two-crowns.yaml:15:35: the map has no country `Venise`; did you mean `Venice`?";
    assert_eq!(warnings, [expected]);
}

/// The special rules in a scenario's chart, a line each.
fn special_rules(rules: &Lga) -> String {
    let special = rules.chart(false).sections.into_iter().find(|section| section.title == "Special rules");
    format!("{:?}", special.unwrap().parts)
}

#[test]
fn a_chart_says_what_the_setting_closes_and_allows_to_whom_where_it_matters() {
    let of = |scenario: &str| special_rules(&Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap());
    let (spain, russia, austria) = (of("spanish-1808"), of("russian-1812"), of("austrian-1805"));
    let militia = "Spanish militia may not leave Spain and Portugal.";
    let hinterland = "French units may not enter Russian Hinterland.";
    for (text, in_spain, in_russia) in [
        (militia, true, false),
        (hinterland, false, true),
        ("Spanish units need no line of supply.", true, false),
        ("Russian units need no line of supply in Russian Hinterland.", false, true),
        ("French units can't live off Russia: -1 at the muster there.", false, true),
        ("French units can't live off Spain and Portugal: -1 at the muster there.", true, false),
        ("No line of supply begins at Madrid.", true, false),
        ("Spain builds in any city of Spain that its side holds.", true, false),
        ("Gibraltar 0110 belongs to Britain and stands on the soil of Spain", true, false),
    ] {
        assert_eq!((spain.contains(text), russia.contains(text)), (in_spain, in_russia), "{text}");
    }
    assert!(!austria.contains(hinterland) && !austria.contains("Spanish"), "{austria}");
    let invented = special_rules(&Lga::from_files(&invented(), &[]).unwrap());
    assert!(invented.contains("Aurelian units may not enter Venice."), "{invented}");
}

/// What `HELP ORDERS` shows can be sent as it stands, where it isn't said that it can't be carried out now.
#[test]
fn examples_can_be_carried_out_now() {
    for scenario in ["austrian-1805", "spanish-1808", "russian-1812"] {
        let rules = Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap();
        for spec in rules.seats() {
            for phasing in [Side::French, Side::Allied] {
                let view = rules.view(&rules.found(), &spec.seat);
                let view = musterd_lga::view::View { phasing: Some(phasing), ..view };
                for one in rules.offered(&view) {
                    let cannot = one.does.contains("as things stand nothing of yours can");
                    for line in &one.lines {
                        let is_reaction = ["REINFORCE", "WITHDRAW"].iter().any(|word| line.starts_with(word))
                            || line.starts_with("TOP") && line.contains("WHEN");
                        let set = if is_reaction { format!("STANDING\n{line}") } else { line.to_string() };
                        let read = rules.read_orders(&view, &set);
                        assert_eq!(read.has_errors(), cannot, "{scenario}, {}: {line}: {read:?}", spec.seat);
                        let on_own =
                            line.strip_prefix("ATTACK ").and_then(|rest| rest.get(..4)?.parse().ok());
                        assert!(on_own.is_none_or(|at| !view.stacks.contains_key(&at)), "{line}");
                    }
                }
            }
        }
    }
}

/// The examples of `HELP ORDERS` and the hints of lines that lack something, as the first side is answered, with its view.
fn examples(rules: &Lga) -> (Vec<String>, Vec<String>, musterd_lga::view::View) {
    let seat = "french".parse().unwrap();
    let view = musterd_lga::view::View { phasing: Some(Side::French), ..rules.view(&rules.found(), &seat) };
    let lines = rules.offered(&view).into_iter().flat_map(|one| one.lines).map(Into::into).collect();
    let lacking = "MOVE 1\nMOVE 1 TO\nMOVE ALL AT\nATTACK\nATTACK 1 2 3\nIF\nIF 0101 EMPTY\nAID\nAID 3\nMOVE 1 9999\nMOVE 1 TO Zzyzx\n\
                   REINFORCE 1 TO\nREINFORCE 1 TO 0101 WHEN";
    let hints =
        rules.read_orders(&view, lacking).remarks.into_iter().filter_map(|remark| remark.hint).collect();
    (lines, hints, view)
}

#[test]
fn examples_are_of_the_cities_hexes_and_nations_of_the_game() {
    let shipped_rules = |scenario: &str| Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap();
    let (lines, hints, _) = examples(&shipped_rules("austrian-1805"));
    assert!(lines.iter().any(|line| line.starts_with("MOVE ALL AT ")), "{lines:?}");
    assert!(hints.iter().any(|hint| hint == "for example 1507 or Ulm"), "{hints:?}");
    for rules in [Lga::from_files(&invented(), &[]).unwrap(), shipped_rules("spanish-1808")] {
        let (lines, hints, view) = examples(&rules);
        for text in lines.iter().chain(&hints) {
            for strange in ["Ulm", "Munich", "Vienna", "Austria", "1507", "1406", "1405"] {
                assert!(!text.contains(strange), "{strange}: {text}");
            }
        }
        assert!(hints.iter().any(|hint| hint.starts_with("for example IF ")), "{hints:?}");
        // A player who writes the examples as they are names no place that there isn't.
        for line in lines {
            for remark in rules.read_orders(&view, &line).remarks {
                let strange =
                    ["no city", "no hex", "no nation", "not in play", "is closed", "out of this scenario"];
                assert!(!strange.iter().any(|words| remark.text.contains(words)), "{line}: {remark:?}");
            }
        }
    }
}
