//! Hire lists: armies for a budget in files of their own, given by a battle file or hired by mail.

use std::collections::BTreeMap;

use musterd::engine::files::RuleFiles;
use musterd::engine::orders::Weight;
use musterd::engine::{Input, Ruleset, Scribe};
use musterd::rules::dog::battle::hire::HireList;
use musterd::rules::dog::model::Scale;
use musterd::rules::dog::numbers::Numbers;
use musterd::rules::dog::{Dog, SHIPPED, State, shipped};

use crate::common::Loose;

fn rules(battle: &str) -> Dog {
    Dog::from_files(&shipped(battle).unwrap(), &[]).unwrap()
}

/// A battle before its unit records, its file changed before.
fn founded(battle: &str, changes: &[(&str, &str)]) -> Result<(Dog, State), String> {
    let mut files = shipped(battle).unwrap();
    let text = files.0.get_mut("scenario.yaml").unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        *text = text.replacen(from, to, 1);
    }
    let rules = Dog::from_files(&files, &[]).map_err(|errors| errors.to_string())?;
    let state = stepped(&rules, &rules.found(), &BTreeMap::new());
    Ok((rules, state))
}

fn stepped(rules: &Dog, state: &State, orders: &BTreeMap<&str, &str>) -> State {
    let reading = |(seat, text): (&&str, &&str)| {
        let seat = seat.parse().unwrap();
        let reading = rules.read_orders(&rules.view(state, &seat), text);
        (seat, reading)
    };
    let mut dice = Loose::numbered(1);
    let mut scribe = Scribe::new(rules, state.clone(), 1, &mut dice);
    rules.step(&mut scribe, &Input { orders: orders.iter().map(reading).collect() });
    scribe.state().clone()
}

/// What is said of a seat's unit records: errors, and its briefing as text.
fn read_by(rules: &Dog, state: &State, seat: &str, text: &str) -> Vec<String> {
    let reading = rules.read_orders(&rules.view(state, &seat.parse().unwrap()), text);
    let errors = reading.remarks.iter().filter(|remark| remark.weight == Weight::Error);
    errors.map(|remark| remark.text.clone()).collect()
}

/// Its units as `C1 20 at 0501`.
fn units(rules: &Dog, state: &State, seat: &str) -> Vec<String> {
    let view = rules.view(state, &seat.parse().unwrap());
    let unit = view.own.iter().map(|(id, unit)| {
        format!(
            "{id} {} {} at {}",
            unit.name,
            unit.sorts.iter().map(|sort| sort.fighters).sum::<u16>(),
            unit.at
        )
    });
    unit.collect()
}

#[test]
fn there_are_lists_for_every_scale_and_none_costs_more_than_its_budget() {
    let rules = rules("training");
    for scale in Scale::ALL {
        assert!(rules.lists().values().any(|list| list.scale == scale), "{scale}");
    }
    for list in rules.lists().values() {
        let (price, ego) = (list.price(rules.numbers()), list.ego(rules.numbers()));
        assert!(
            price <= list.budget.into() && price * 10 >= u64::from(list.budget) * 9,
            "{}: {price}",
            list.id
        );
        assert!(ego <= list.leadership.into(), "{}: {ego}", list.id);
    }
    let listed = musterd::rulesets::desk().stores();
    assert_eq!(listed.len(), rules.lists().len());
    let legion = listed.iter().find(|(id, _)| id == "dog/hire/legion-500").unwrap();
    assert_eq!(legion.1, "A legion (tactical; 9 units for 500, ego 610)");
}

#[test]
fn a_list_that_does_not_keep_to_its_word_is_told_where() {
    let files = SHIPPED.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let mut files = RuleFiles(files.collect());
    let numbers = Numbers::load(&files).unwrap();
    let mut fault = |from: &str, to: &str| {
        let text = files.0["hire/raid-200.yaml"].replacen(from, to, 1);
        files.0.insert("hire/own.yaml".to_owned(), text.replacen("id: raid-200", "id: own", 1));
        HireList::load(&files, &numbers).1["own"].to_string()
    };
    assert!(
        fault("budget: 200", "budget: 150").contains("hire/own.yaml:5:9: its hire is 197, more than the 150")
    );
    assert!(fault("leadership: 260", "leadership: 99").contains("6:13: its ego is 248, more than the 99"));
    assert!(fault("fighters: 20}", "fighters: 21}").contains("20 light infantry at most"));
    assert!(fault("type: pikemen", "type: pikes").contains("`pikes` is no type of troops"));
    assert!(fault("id: raid-200", "id: raids").contains("2:5: its `id` has to be `own`"));
}

#[test]
fn a_battle_file_gives_an_army_a_list_and_its_leader_places_it() {
    let swords =
        "units:\n      - {id: 1, name: First Swords, type: light infantry, fighters: 19, at: \"0301\"}";
    let (rules, state) = founded("training", &[(swords, "hire: watch-100")]).unwrap();
    let placed = stepped(&rules, &state, &BTreeMap::from([("red", "UNIT 4 AT 0601\nUNIT 2 AT 0101 HIDDEN")]));
    assert_eq!(
        units(&rules, &placed, "red"),
        [
            "R1 Gate Pikes 12 at 0201",
            "R2 Long Lane Bows 10 at 0101",
            "R3 Market Swords 12 at 0301",
            "R4 Reeve's Riders 6 at 0601",
        ]
    );
    let wrong = founded("training", &[(swords, "hire: watch")]).err().unwrap();
    assert!(wrong.contains("there is no hire list `watch`; there are company-300"), "{wrong}");
    let large = founded("training", &[(swords, "hire: host-2000")]).err().unwrap();
    assert!(large.contains("host-2000 is for strategic battles, and this one is tactical"), "{large}");
}

#[test]
fn every_line_that_the_form_gives_for_unit_records_can_be_sent() {
    let mut hired = 0;
    for (battle, _) in SHIPPED
        .iter()
        .filter_map(|(path, text)| Some((path.strip_prefix("scenarios/")?.strip_suffix(".yaml")?, text)))
    {
        let (rules, state) = founded(battle, &[]).unwrap();
        for seat in rules.battle().armies().iter().map(|army| army.seat.to_string()) {
            let form = rules.form(&rules.view(&state, &seat.parse().unwrap()));
            let with = |start: &str| {
                let lines = form.iter().filter_map(|line| line.strip_prefix("# "));
                lines.filter(|line| line.starts_with(start)).collect::<Vec<_>>()
            };
            let placed = with("UNIT ").join("\n");
            assert_eq!(read_by(&rules, &state, &seat, &placed), Vec::<String>::new(), "{battle}: {placed}");
            // What the report shows of how records are written can be sent as well.
            let brief = rules.brief(&rules.view(&state, &seat.parse().unwrap()), &[]);
            let brief = serde_json::to_string(&brief).unwrap();
            for sample in brief.split('`').filter(|quoted| quoted.starts_with("UNIT ")) {
                assert_eq!(
                    read_by(&rules, &state, &seat, sample),
                    Vec::<String>::new(),
                    "{battle}: {sample}"
                );
            }
            for list in with("HIRE ") {
                assert_eq!(read_by(&rules, &state, &seat, list), Vec::<String>::new(), "{battle}");
                hired += 1;
            }
        }
    }
    assert!(hired > 0, "no battle offers a list");
}

#[test]
fn the_example_of_the_form_is_of_an_own_zone_and_money_and_of_a_number_that_is_free() {
    let poor = &[("budget: 325", "budget: 3"), ("hires: [A, LC, HC, K, LI, P, HI, PE]", "hires: [K, PE]")];
    for changes in [&[][..], poor] {
        let (rules, state) = founded("ashland-wells", changes).unwrap();
        let form = rules.form(&rules.view(&state, &"captain".parse().unwrap()));
        let example = form.iter().find_map(|line| line.strip_prefix("# UNIT 1 ")).unwrap();
        assert!(example.ends_with("peasants AT 0301"), "{example}");
        let line = format!("UNIT 1 {example}");
        assert_eq!(read_by(&rules, &state, "captain", &line), Vec::<String>::new());
    }
}

#[test]
fn a_leader_is_told_where_he_may_start_and_who_else_is_for_hire() {
    let (rules, state) = founded("ashland-wells", &[]).unwrap();
    let told = |seat: &str| {
        let view = rules.view(&state, &seat.parse().unwrap());
        serde_json::to_string(&rules.brief(&view, &[])).unwrap()
    };
    let (captain, khan) = (told("captain"), told("khan"));
    assert!(captain.contains("They may start in 0301 to 1202."), "{captain}");
    assert!(captain.contains("`HIRE company-300` "), "{captain}");
    assert!(!captain.contains("`HIRE legion-500`"), "more than the money");
    assert!(khan.contains("Elite troops too (`ELITE`), at 3 times the hire and 3 times the ego."), "{khan}");
    assert!(khan.contains("Peoples (`PEOPLE`): desert for all; any for barbarians and nomads."), "{khan}");
    assert_eq!(
        read_by(&rules, &state, "khan", "UNIT 1 5 goblins AT 1310"),
        ["The Horde may not start in 1310: in 0310 to 1211."]
    );
    let chart = serde_json::to_string(&rules.chart(false)).unwrap();
    assert!(chart.contains("0310 to 1211") && chart.contains("3 times the hire"), "{chart}");
}

#[test]
fn a_leader_hires_a_list_by_mail_and_places_what_he_likes() {
    let (rules, state) = founded("ashland-wells", &[]).unwrap();
    let read = |text: &str| {
        let (reading, recap) = rules.read_back(&rules.view(&state, &"captain".parse().unwrap()), text);
        let errors = reading.remarks.iter().filter(|remark| remark.weight == Weight::Error);
        let told = recap.orders.iter().map(|order| format!("{}: {}", order.order, order.effect));
        (
            errors.map(|remark| remark.text.clone()).collect::<Vec<_>>(),
            told.collect::<Vec<_>>(),
            recap.defaults,
        )
    };
    let orders = "HIRE company-300\nUNIT 5 AT 0302\nUNIT 9 7 archers AT 0402";
    let (errors, told, defaults) = read(orders);
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(told[0], "C1 \"The Line\" 20 heavy infantry: costs 80, ego 100, maintenance 60");
    assert_eq!(defaults[0], "21 of your money is left.");
    assert_eq!(defaults.len(), 6, "five stand where there is room: {defaults:?}");
    let ready = stepped(&rules, &state, &BTreeMap::from([("captain", orders)]));
    let stand = units(&rules, &ready, "captain");
    assert_eq!(stand.len(), 7);
    assert!(stand.contains(&"C5 Right Wing 10 at 0302".to_owned()), "{stand:?}");
    let (errors, ..) = read("UNIT 1 100 peasants AT 0302\nHIRE company-300 FROM 11");
    assert!(
        errors.iter().any(|error| error.contains("100 peasants") || error.contains("room for 100")),
        "{errors:?}"
    );
    let (errors, told, _) =
        read("UNIT 1 20 knights AT 0302\nUNIT 2 10 knights AT 0402\nHIRE company-300 FROM 11");
    assert!(
        errors.iter().all(|error| error.contains("of 325 are left") || error.contains("room")),
        "{errors:?}"
    );
    assert!(told.iter().any(|line| line.starts_with("C11 \"The Line\"")), "{told:?}");
    let (errors, ..) = read("HIRE legions");
    assert_eq!(errors, ["`legions` is no hire list."]);
    let (errors, ..) = read("HIRE elders-300");
    assert!(errors[0].contains("are for hire here"), "{errors:?}");
    let name = "The Third Cohort of the Northern Marches";
    assert_eq!(name.len(), 40);
    assert_eq!(read(&format!("UNIT 1 5 archers AT 0302 NAME \"{name}\"")).0, Vec::<String>::new());
    let (errors, ..) = read(&format!("UNIT 1 5 archers AT 0302 \"{name}s\""));
    assert_eq!(errors, ["A unit's name has 40 characters at most."]);
    let (errors, ..) = read("UNIT 1 5 archers\nUNIT 1 5 archers AT 0302");
    assert_eq!(errors, ["C1 is hired already: give its place only, such as UNIT C1 AT 0301."]);
}
