//! What commanders, observers and the GM read: golden pages, and what holds of every page.

use std::collections::BTreeSet;

use musterd_dice::Seat;
use musterd_engine::briefing::{Briefing, Part, Row};
use musterd_engine::founding::OPTIONS_FILE;
use musterd_engine::hex::Hex;
use musterd_engine::{Awaiting, Fold, Input, Ruleset, Scribe};
use musterd_sa::Sight;
use musterd_sa::event::Event;
use musterd_sa::model::Side;
use musterd_sa::view::View;
use musterd_sa::{SHIPPED, Sa, State, shipped};

use crate::common::Loose;
use crate::common::pages::{assert_fits, golden, page};

/// What a seat is told at the end of a mail turn.
struct Told {
    state: State,
    view: View,
    events: Vec<Event>,
    sights: Vec<Sight>,
    report: Briefing,
}

fn battle(name: &str) -> Sa {
    Sa::from_files(&shipped(name).unwrap(), &[]).unwrap_or_else(|errors| panic!("{name}: {errors}"))
}

fn seat_of(rules: &Sa, side: Side) -> Seat {
    rules.battle().army(side).commanders[0].seat.clone()
}

/// Plays a battle to its end, all units charging, with further orders of each side before the others; what a seat is told of it, mail turn by mail turn.
fn played(rules: &Sa, seat: &Seat, further: [&str; 2]) -> Vec<Told> {
    let mut state = rules.found();
    let mut dice = Loose::numbered(11);
    let mut all = Vec::new();
    for t in 1.. {
        let orders = rules.seats().iter().map(|spec| {
            let view = rules.view(&state, &spec.seat);
            let further = further[view.side.unwrap().index()];
            (spec.seat.clone(), rules.read_orders(&view, &format!("{further}\nCHARGE ALL")))
        });
        let orders = orders.collect();
        let mut scribe = Scribe::new(rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders });
        let mut sights = Vec::new();
        let events = scribe.finish();
        for event in &events {
            sights.extend(rules.witness(&state, event, seat));
            rules.apply(&mut state, event);
        }
        let view = rules.view(&state, seat);
        let report = rules.brief(&view, &sights);
        all.push(Told { state: state.clone(), view, events, sights, report });
        if matches!(rules.awaiting(&state), Awaiting::Over { .. }) {
            break;
        }
    }
    all
}

/// Who commands is told before the clock runs.
#[test]
fn the_first_dispatches_name_the_commanders() {
    let mut files = shipped("manzikert").unwrap();
    let mut commanders = |options: &str| {
        files.0.insert("options.yaml".to_owned(), options.to_owned());
        let rules = Sa::from_files(&files, &[]).unwrap();
        let told = played(&rules, &seat_of(&rules, Side::A), [""; 2]);
        let of = |told: &Told| told.report.standing.iter().find(|fact| fact.label == "Commanders").cloned();
        assert!(of(told.last().unwrap()).is_none());
        of(&told[0]).unwrap().text
    };
    assert_eq!(commanders("commands: armies\n"), "Romanos against Alp Arslan");
    assert_eq!(
        commanders("commands: contingents\n"),
        "Romanos and Nikephoros Bryennios against Alp Arslan and the emir of the Turcomans"
    );
}

#[test]
fn a_commanders_reports() {
    let rules = battle("mill");
    let told = played(&rules, &seat_of(&rules, Side::A), [""; 2]);
    golden("sa-opening", &page(&told[0].report));
    golden("sa-block", &page(&told[4].report));
    let end = told.last().unwrap();
    golden("sa-end", &page(&end.report));
    golden("sa-history", &page(&rules.history(&end.view)));
}

#[test]
fn every_page_of_every_battle_fits() {
    let names = SHIPPED.iter().filter_map(|(path, _)| path.strip_prefix("scenarios/")?.strip_suffix(".yaml"));
    // In the Atari edition the Zorgs have longer names.
    let orcs = ["ambush", "beasts"].map(|name| {
        let mut files = shipped(name).unwrap();
        files.0.insert(OPTIONS_FILE.to_owned(), "edition: atari\n".to_owned());
        Sa::from_files(&files, &[]).unwrap()
    });
    for rules in names.map(battle).chain(orcs) {
        for side in Side::ALL {
            let told = played(&rules, &seat_of(&rules, side), [""; 2]);
            for Told { state, view, sights, report, .. } in &told {
                let shown = rules.shown(view, sights, &Default::default());
                let overview = rules.overview(state).unwrap();
                for briefing in [report, &shown, &overview, &rules.history(view)] {
                    // A mail sets title and date on lines of their own.
                    let page = page(briefing);
                    page.lines().enumerate().filter(|(n, _)| *n != 1).for_each(|(_, line)| assert_fits(line));
                    for odd in [" 1 men", "There were one", "won 0", "lost 0 men", "The the", "the The"] {
                        assert!(!page.contains(odd), "{odd}: {page}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_brief_report_has_the_results_without_the_figures() {
    let rules = battle("mill");
    let seat = seat_of(&rules, Side::A);
    let [full, brief] = ["DETAIL FULL", "DETAIL BRIEF"].map(|taste| played(&rules, &seat, [taste, ""]));
    for (full, brief) in full.iter().zip(&brief) {
        assert_eq!(full.sights.len(), brief.sights.len(), "the same battle");
        let [full, brief] = [full, brief].map(|told| page(&told.report));
        assert_eq!(full.matches(" wins: ").count(), brief.matches(" wins: ").count());
        assert!(!brief.contains(" WF ") && !brief.contains(" Dice "), "{brief}");
    }
    assert!(full.iter().any(|told| page(&told.report).contains(" WF ")));
}

#[test]
fn a_map_that_is_asked_for_has_its_hex_in_the_middle() {
    let rules = battle("kingdoms");
    let told = played(&rules, &seat_of(&rules, Side::A), ["MAP TACTICAL 2818", ""]);
    let (title, map) = told[2].report.maps().last().unwrap();
    assert_eq!(title, "The map you asked for: columns 19 to 30, rows 12 to 20");
    assert!(map.tiles.contains_key(&Hex::new(28, 18)));
}

/// The map of the whole field has a frame around each part that another map shows.
#[test]
fn the_map_of_the_field_shows_what_the_larger_ones_show() {
    let rules = battle("kingdoms");
    for told in played(&rules, &seat_of(&rules, Side::A), ["MAP TACTICAL 2818", ""]) {
        let maps: Vec<_> = told.report.maps().map(|(_, map)| map).collect();
        let larger: Vec<_> = maps[1..].iter().map(|map| (map.first, map.last)).collect();
        assert_eq!(maps[0].frames, larger);
        for map in &maps[1..] {
            let across = map.last.col - map.first.col + 1;
            assert!(map.frames.is_empty() && across <= 12 && map.last.row - map.first.row < 9, "{map:?}");
        }
        let text = section(&told.report, "The field");
        let drawn = musterd_report::html::drawing(told.report.maps().take(1));
        assert_eq!(larger.is_empty(), !text.contains("[ ] shown larger"), "{text}");
        assert_eq!(larger.is_empty(), !drawn.contains(">shown larger<"), "{drawn}");
    }
}

/// A hex has room for the beginning of a name; all of them stand below the map of the field.
#[test]
fn places_are_named_on_maps_and_below_the_field() {
    let rules = battle("ambush");
    let report = &played(&rules, &seat_of(&rules, Side::A), ["MAP TACTICAL 1311", ""])[2].report;
    let names: BTreeSet<&str> =
        report.maps().flat_map(|(_, map)| map.tiles.values()).map(|tile| tile.name.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["", "Black", "Centaur", "Festival"]));
    let text = page(report);
    assert!(text.contains("Places: 1302 Centaur Camp, 1311 Festival Meadow, 0618 Black Copse."), "{text}");
}

/// Symbols of types of unit stand on tactical maps where they are asked for, and their legend explains each.
#[test]
fn unit_symbols_are_shown_on_request() {
    let rules = battle("mill");
    let seat = seat_of(&rules, Side::A);
    let [plain, with, off] = ["", "MAP SYMBOLS", "MAP SYMBOLS\nMAP SYMBOLS OFF"]
        .map(|taste| played(&rules, &seat, [taste, ""]).swap_remove(2).report);
    assert_eq!(page(&plain), page(&off));
    let symbols = |report: &Briefing| -> BTreeSet<char> {
        report.maps().skip(1).flat_map(|(_, map)| map.tiles.values()).filter_map(|tile| tile.city).collect()
    };
    assert_eq!(symbols(&plain), BTreeSet::new());
    assert_eq!(symbols(&with), BTreeSet::from(['K', 'L', 'g', 'h', 'l', 'm']));
    assert!(with.maps().all(|(_, map)| map.unknown_signs().is_empty()));
    let text = page(&with);
    let drawn = musterd_report::html::drawing(with.maps());
    for words in ["heavy infantry", "light-heavy infantry", "heavy cavalry", "light cavalry"] {
        assert!(text.contains(words) && drawn.contains(words), "{words}: {text}");
    }
    let author = rules.chart(true);
    assert_eq!(symbols(&author), symbols(&with), "whoever looks at a scenario sees them too");
    assert!(page(&author).contains("  g LHI  light-heavy infantry "), "{}", page(&author));
}

#[test]
fn who_of_the_likenesses_is_real_is_told_to_their_own_side_alone() {
    let rules = battle("ormolu");
    let further = ["", "REPLICATE 1 2"];
    let [searcher, wizard] = Side::ALL.map(|side| played(&rules, &seat_of(&rules, side), further));
    let twice = wizard.iter().position(|told| page(&told.report).contains("stands in two places")).unwrap();
    let own = page(&wizard[twice].report);
    assert_eq!((own.matches("(real)").count(), own.matches("(likeness)").count()), (1, 1), "{own}");
    let told = &wizard[twice];
    let shown = page(&rules.shown(&told.view, &told.sights, &Default::default()));
    for page in [shown, page(&searcher[twice].report)] {
        assert!(page.contains("stands in two places"), "{page}");
        assert!(!page.contains("real"), "{page}");
    }
    let end = page(&searcher.last().unwrap().report);
    assert!(end.contains("The real wizard was"), "{end}");
}

#[test]
fn orders_are_told_to_their_own_side_and_to_the_gm_alone() {
    let rules = battle("mill");
    let told = played(&rules, &seat_of(&rules, Side::B), ["ON CONTACT 1 AVOID", ""]);
    let Told { state, view, sights, report, .. } = &told[2];
    assert!(page(report).contains("STANCE CHARGE"));
    assert!(!page(report).contains("ON CONTACT AVOID"));
    assert!(!page(&rules.shown(view, sights, &Default::default())).contains("STANCE CHARGE"));
    let overview = page(&rules.overview(state).unwrap());
    let overview = overview.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(overview.contains("STANCE CHARGE; ON CONTACT AVOID"), "{overview}");
}

#[test]
fn the_summary_tells_who_broke_whom() {
    let rules = battle("kingdoms");
    let told = played(&rules, &seat_of(&rules, Side::A), [""; 2]);
    let summaries = told.iter().filter_map(|told| {
        let section = told.report.sections.iter().find(|section| section.title == "The battle")?;
        match section.parts.as_slice() {
            [Part::Text { text }] => Some(text.as_str()),
            _ => None,
        }
    });
    let all: Vec<&str> = summaries.collect();
    let text = all.join("\n");
    assert!(
        text.contains(" broke ") && text.contains(" destroyed ") && text.contains("gave way: "),
        "{text}"
    );
}

/// Who did the same at the same time is told of in one breath, and a single fight with its winner.
#[test]
fn the_summary_does_not_repeat_itself() {
    let told = |name: &str, further: [&str; 2]| {
        let rules = battle(name);
        let told = played(&rules, &seat_of(&rules, Side::A), further);
        let all = told.iter().map(|told| section(&told.report, "The battle"));
        all.flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let kingdoms = told("kingdoms", ["CAST 1, 2 BLADE 1", "CAST 1-4 COURAGE 1\nCAST 6 SHIELD 1"]);
    for sentence in [
        "Before the battle Knights of Northwold 1 (A1) and Knights of Northwold 2 (A2) cast Blade Enhancer.",
        "Before the battle B1, B2, B3 and B4 cast Courage; Hawks of Gavin 2 (B6) cast Shield.",
    ] {
        assert!(kingdoms.contains(sentence), "{kingdoms}");
    }
    let mill = told("mill", ["HOLD ALL\nFIRE 4 B4\nSTANCE ALL HOLD", "HOLD ALL"]);
    assert!(mill.contains("There was one "), "{mill}");
}

/// What may not become public while it stands: standing orders, and who of the likenesses is the wizard (SA-52, SA-58).
#[test]
fn standing_orders_and_the_wizard_are_filed_until_they_stand_no_more() {
    let mut files = shipped("ormolu").unwrap();
    files.0.insert("options.yaml".to_owned(), "wizard: placed\ninitial: together\n".to_owned());
    let rules = Sa::from_files(&files, &[]).unwrap();
    let wizard = seat_of(&rules, Side::B);
    let filed = |told: &Told| {
        let own = |event: &_| rules.filed(event).filter(|(seat, _)| *seat == wizard);
        told.events.iter().filter_map(own).next_back().map(|(_, standing)| standing)
    };
    let all = played(&rules, &wizard, ["HOLD ALL", "HOLD ALL\nMOVE 2 TO 1301"]);
    let real = all[0].view.real.unwrap();
    let secret = format!("the wizard is {real}");
    assert_eq!(filed(&all[0]), Some(vec![secret.clone()]), "from the founding on");
    let standing = filed(&all[1]).unwrap();
    assert!(standing.contains(&secret) && standing.contains(&"MOVE B2 TO 1301".to_owned()), "{standing:?}");
}

/// The lines of a section of a report, as a reader has them.
fn section(report: &Briefing, title: &str) -> String {
    let only = report.sections.iter().filter(|section| section.title == title).cloned().collect();
    page(&Briefing { sections: only, ..Briefing::default() })
}

/// The wizard is struck: the men of a likeness were nobody, in the summary as in the block above it.
#[test]
fn what_a_felled_likeness_lost_is_no_loss() {
    let mut files = shipped("ormolu").unwrap();
    files.0.insert("options.yaml".to_owned(), "wizard: placed\n".to_owned());
    let rules = Sa::from_files(&files, &[]).unwrap();
    let told = played(&rules, &seat_of(&rules, Side::A), [""; 2]);
    let mut felled = 0;
    for pair in told.windows(2) {
        let [before, after] = [&pair[0], &pair[1]].map(|told| &told.view.position.units);
        if after.iter().zip(before).all(|(unit, was)| unit.fate == was.fate) {
            continue;
        }
        let lost = |told: &Told| -> u32 {
            let units = rules.battle().units.iter().zip(&told.view.position.units);
            let real = rules.view(&told.state, &seat_of(&rules, Side::B)).real;
            let is_somebody = |spec: &musterd_sa::battle::Spec| !spec.likeness || real == Some(spec.id);
            let own = units.filter(|(spec, _)| spec.id.side == Side::B && is_somebody(spec));
            own.map(|(spec, unit)| if unit.at.is_some() { spec.men - unit.men } else { spec.men }).sum()
        };
        let gone = |event: &&Event| matches!(event, Event::Vanished { .. });
        let ran = pair[1].events.iter().any(|event| {
            matches!(event, Event::Left { how, .. } if *how != musterd_sa::event::Departure::Destroyed)
        });
        let vanished = pair[1].events.iter().filter(gone).count();
        if vanished == 0 || ran || pair[1].view.outcome.is_some() {
            continue;
        }
        felled += 1;
        let text = section(&pair[1].report, "The battle").split_whitespace().collect::<Vec<_>>().join(" ");
        let fell = lost(&pair[1]) - lost(&pair[0]);
        assert!(text.contains(&format!("lost {fell} m")), "{fell}: {text}");
    }
    assert!(felled > 0, "no likeness fell");
}

/// A row is named once among those that cast.
#[test]
fn casters_are_named_by_their_rows() {
    let mut files = shipped("ormolu").unwrap();
    let battle = files.0.get_mut("scenario.yaml").unwrap();
    *battle = battle.replacen("casters: [Ormolu the Wizard]", "casters: [1, 2, 3]", 1);
    let rules = Sa::from_files(&files, &[]).unwrap();
    let told = musterd_report::text::sections(&rules.chart(false));
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let only = "Ormolu: only Ormolu the Wizard and Demon Guard can cast spells.";
    assert!(told.contains(only), "{told}");
}

/// Every fight says where it was, also of units that were destroyed before they took a step, or were deployed anew.
#[test]
fn a_fight_is_told_with_its_place() {
    let changed = |one: usize, other: usize| {
        let rules = battle("kingdoms");
        let at = rules.battle().units[other].at.unwrap();
        format!("DEPLOY {} AT {at}", one + 1)
    };
    let mut routed = 0;
    for (name, further) in [("kingdoms", changed(0, 1).as_str()), ("mill", ""), ("beasts", "")] {
        let rules = battle(name);
        for told in played(&rules, &seat_of(&rules, Side::A), [further, ""]) {
            let text =
                section(&told.report, "What happened").split_whitespace().collect::<Vec<_>>().join(" ");
            let in_rout = ["which is in rout, and wins", "which is in rout and can't win", "who is in rout"];
            routed += usize::from(in_rout.iter().any(|words| text.contains(words)));
            for told in
                text.split(" - ").filter(|told| told.contains(" attacks ") || told.contains(" fires at "))
            {
                assert!(told.split(':').next().unwrap().contains(") in "), "{name}: {told}");
            }
        }
    }
    assert!(routed > 0, "nobody fought in rout");
}

#[test]
fn spell_points_are_told_where_there_are_some_by_now() {
    let rules = battle("mill");
    let mut state = played(&rules, &seat_of(&rules, Side::A), [""; 2])[2].state.clone();
    let change = rules.amend(&state, "MAGIC B 6").unwrap();
    change.iter().for_each(|event| rules.apply(&mut state, event));
    let report = rules.brief(&rules.view(&state, &seat_of(&rules, Side::A)), &[]);
    assert!(page(&report).contains("Spell points  Northwold 0, the Far Reaches 6"), "{}", page(&report));
}

/// A battle with another army or field isn't told as the scenario's.
#[test]
fn a_swapped_battle_says_who_meets_where() {
    let mut files = shipped("stamford").unwrap();
    let mut swapped = |options: &str| {
        files.0.insert("options.yaml".to_owned(), options.to_owned());
        Sa::from_files(&files, &[]).unwrap()
    };
    let own = swapped("block: 12\n");
    assert_eq!(own.title(), "Stamford Bridge, 1066 (the English against the Norse)");
    let both = swapped("army_b: alexander\nfield: steppe\n");
    let title =
        "Stamford Bridge, 1066: the English against Macedon (Alexander) at the steppe before Manzikert";
    assert_eq!(both.title(), title);
    assert_eq!(
        both.situation(),
        "A battle that never was: the English against Macedon (Alexander). The field is the steppe before Manzikert."
    );
    assert_eq!(both.chart(false).date, "");
    let army = swapped("army_a: searchers\n");
    assert_eq!(army.title(), "Stamford Bridge, 1066: the searchers against the Norse");
    assert!(
        army.situation().ends_with("The field is that of Stamford Bridge, 1066."),
        "{}",
        army.situation()
    );
}

/// The order of battle breaks no word but at a hyphen: all stand whole on the page.
#[test]
fn the_order_of_battle_breaks_no_word() {
    for name in crate::sa_arena::BATTLES {
        let chart = battle(name).chart(true);
        let text = page(&chart);
        let hyphen = |sign: char| sign == '-' || sign.is_whitespace();
        let whole: BTreeSet<&str> = text.split(hyphen).collect();
        let parts = chart.sections.iter().flat_map(|section| &section.parts);
        let tables = parts.filter_map(|part| match part {
            Part::Table(table) => Some(table),
            _ => None,
        });
        let cells = tables.flat_map(|table| &table.rows).flat_map(|row| match row {
            Row::Cells(cells) => cells.as_slice(),
            Row::Group(_) => &[],
        });
        for word in cells.flat_map(|cell| cell.split(hyphen)) {
            assert!(whole.contains(word), "{name}: `{word}` is broken\n{text}");
        }
    }
}

/// What is special of a battle is told while the initial moves are made, to both sides alike, and no more than a reader of its file knows.
#[test]
fn the_special_rules_come_with_the_first_dispatches() {
    let told = |name: &str| {
        let rules = battle(name);
        let sides = Side::ALL.map(|side| played(&rules, &seat_of(&rules, side), [""; 2]));
        let first = sides.each_ref().map(|told| section(&told[0].report, "Special rules"));
        assert_eq!(first[0], first[1], "{name}: both sides read the same");
        let chart = rules.chart(false);
        assert_eq!(first[0], section(&chart, "Special rules"), "{name}: as the rule book has it");
        let later = &sides[0][4].report;
        assert!(
            later.sections.iter().all(|section| section.title != "Special rules"),
            "{name}: once is enough"
        );
        first[0].split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let manzikert = told("manzikert");
    for rule in [
        "Reserve of Doukas: no move before time-point 72; a die for each at time-point 72: on 3 or less it deserts.",
        "Uz and Pecheneg: a die for each at time-point 36: on 2 or less it deserts.",
    ] {
        assert!(manzikert.contains(rule), "{manzikert}");
    }
    let kingdoms = told("kingdoms");
    assert!(kingdoms.contains("Valkyrie: ") && !kingdoms.contains("Zorg"), "no Zorg fights here: {kingdoms}");
    let ormolu = told("ormolu");
    assert!(ormolu.contains("likenesses of himself for"), "{ormolu}");
    assert!(
        !ormolu.contains("(real)") && ormolu.contains("only his own side knows which is real"),
        "{ormolu}"
    );
}
