//! Receipts: orders in words, the odds of what can be fought now, who acts when; and the example in the guide.

use std::fmt::Write as _;
use std::fs;

use musterd_engine::Ruleset;
use musterd_engine::founding::OPTIONS_FILE;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Recap, Weight};
use musterd_sa::model::{Side, UnitId};
use musterd_sa::odds;
use musterd_sa::order::Stance;
use musterd_sa::read::uses;
use musterd_sa::view::View;
use musterd_sa::{Sa, Skill, shipped};

use crate::common::forms::says_forms;
use crate::common::root;
use crate::orders::{after, battle, view_after};

const GUIDE: &str = "docs/sa/orders.md";

/// The table of orders in the guide, and a set with what its receipt says.
#[test]
fn the_guide_has_every_order_and_a_receipt() {
    says_forms(GUIDE, "<!-- orders -->", &uses());
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let text = fs::read_to_string(root().join(GUIDE)).unwrap();
    let set = block(&text, "<!-- set -->");
    let (reading, recap) = rules.read_back(&view, &set);
    let mut told = String::new();
    for remark in &reading.remarks {
        // A receipt calls both a warning.
        let weight = match remark.weight {
            Weight::Futile => Weight::Warning,
            weight => weight,
        };
        writeln!(told, "{:>3}  {weight:?}: {}", remark.line, remark.text).unwrap();
    }
    for understood in &recap.orders {
        writeln!(told, "{:>3}  {}", understood.line, understood.order).unwrap();
        if !understood.effect.is_empty() {
            writeln!(told, "     {}", understood.effect).unwrap();
        }
    }
    for line in recap.defaults.iter().chain(&recap.ahead) {
        writeln!(told, "  -  {line}").unwrap();
    }
    #[expect(clippy::disallowed_methods, reason = "asked for by whoever runs the tests")]
    if std::env::var("MUSTERD_REWRITE_DOCS").is_ok() {
        let (before, behind) = text.split_once("<!-- receipt -->").unwrap();
        let behind = behind.trim_start();
        let rest = behind.strip_prefix("```text\n").map_or(behind, |old| old.split_once("```\n").unwrap().1);
        let rest = rest.trim_start();
        let fresh = format!("{before}<!-- receipt -->\n\n```text\n{told}```\n\n{rest}");
        fs::write(root().join(GUIDE), fresh).unwrap();
    } else {
        assert_eq!(block(&text, "<!-- receipt -->"), told, "MUSTERD_REWRITE_DOCS=1 writes it");
    }
}

/// The text block behind a mark.
fn block(text: &str, mark: &str) -> String {
    let (_, behind) = text.split_once(mark).unwrap();
    let (_, behind) = behind.split_once("```text\n").unwrap_or(("", behind));
    behind.split_once("```\n").map_or("", |(block, _)| block).to_owned()
}

/// The second side's view of a battle, with one of its units next to an enemy and the others far away.
fn met(rules: &Sa) -> View {
    let mut view = view_after(rules, Side::A, 4);
    let at = |id: UnitId| rules.battle().index(id).unwrap();
    let foe = view.position.units[at(UnitId::new(Side::B, 1))].at.unwrap();
    let free = foe
        .around()
        .filter(|hex| rules.battle().field.has(*hex))
        .find(|hex| view.position.unit_at(rules, *hex).is_none());
    stand(rules, &mut view, UnitId::new(Side::A, 1), free.unwrap());
    view
}

/// Puts a unit elsewhere.
fn stand(rules: &Sa, view: &mut View, id: UnitId, to: Hex) {
    let field = &rules.battle().field;
    let place = rules.battle().index(id).unwrap();
    let slot = |hex: Hex| field.index(hex).unwrap();
    let from = view.position.units[place].at.replace(to).unwrap();
    view.position.board[slot(from)] = None;
    view.position.board[slot(to)] = Some(u8::try_from(place).unwrap());
}

fn recap(rules: &Sa, view: &View, set: &str) -> Recap {
    rules.read_back(view, set).1
}

#[test]
fn an_attack_that_can_be_fought_now_is_told_with_its_odds() {
    let rules = battle("mill");
    let view = met(&rules);
    let told = recap(&rules, &view, "ATTACK 1 B1\nATTACK 2 B1\nMOVE 3 E\nATTACK 3 B1");
    let effect = |order: usize| told.orders[order].effect.as_str();
    assert!(effect(1).ends_with("hexes away: its morale is checked before it strikes"), "{}", effect(1));
    assert_eq!(effect(3), "its morale is checked before it strikes");
    let pair = [Side::A, Side::B].map(|side| rules.battle().index(UnitId::new(side, 1)).unwrap());
    let fight = odds::fight(&odds::melee(&rules, &view.position, pair[0], pair[1]));
    let [wins, loses] = [0, 1].map(|side| fight.probability(|bout| bout.won == Some(side)).percent());
    let expected = format!("wins {wins}, loses {loses}; on average fells ");
    assert!(effect(0).starts_with(&expected), "{expected}: {}", effect(0));
    // One that moved last checks its morale first; the odds of the check are there too.
    let mut moved = view;
    let place = rules.battle().index(UnitId::new(Side::A, 1)).unwrap();
    let mut orders = |_, view: &View| rules.read_orders(view, "MOVE 1 NE");
    moved.position.units[place].last = after(&rules, 2, &mut orders, &moved.seat).position.units[place].last;
    let told = recap(&rules, &moved, "ATTACK 1 B1");
    assert!(told.orders[0].effect.contains("morale holds"), "{}", told.orders[0].effect);
}

/// A spell that the same queue casts before a fight counts in its odds, until one is fought.
#[test]
fn spells_cast_before_a_fight_count_in_its_odds() {
    let rules = battle("kingdoms");
    let mut view = met(&rules);
    let place = rules.battle().index(UnitId::new(Side::A, 1)).unwrap();
    view.position.units[place].last = musterd_sa::Unit::clone(
        &after(&rules, 4, &mut |_, view| rules.read_orders(view, "HOLD 1"), &view.seat).position.units[place],
    )
    .last;
    let effect = |set: &str, order: usize| recap(&rules, &view, set).orders[order].effect.clone();
    let plain = effect("HOLD 1\nATTACK 1 B1", 1);
    assert!(plain.starts_with("wins "), "{plain}");
    let blade = "CAST 1 BLADE 3\nATTACK 1 B1\nATTACK 1 B1";
    assert_ne!(effect(blade, 1), plain);
    assert_eq!(effect(blade, 2), plain, "it is spent");
    assert_eq!(effect("CAST 1 BLADE 3 WHEN FIRED AT\nATTACK 1 B1", 1), plain, "nobody knows when it is cast");
}

/// Where the morale of an army is gone, nobody acts any more.
#[test]
fn an_army_without_morale_is_foreseen_to_retreat() {
    let rules = battle("mill");
    let mut view = view_after(&rules, Side::A, 3);
    view.position.morale[1] = 0;
    let told = recap(&rules, &view, "MOVE 1 E");
    let [only] = told.ahead.as_slice() else { panic!("{told:#?}") };
    assert!(only.contains("it retreats before anybody acts, and the battle ends"), "{only}");
}

#[test]
fn a_receipt_tells_who_acts_when() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let told = recap(&rules, &view, "MOVE 1 1\nHOLD 2\nMOVE 5 1 1 1");
    let line = |name: &str| {
        told.ahead.iter().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{told:#?}"))
    };
    assert!(told.ahead[0].starts_with("Time-points 1 to 12"));
    assert!(line("(A1)").contains(": at 12 moves to "), "{told:#?}");
    assert!(line("(A5)").contains(": at 6, 12 moves to "), "{told:#?}");
    assert!(line("(A2)").contains(": at 12 holds."), "{told:#?}");
    assert!(told.ahead.iter().any(|line| line.starts_with("Army morale now: ")), "{told:#?}");
    let idle = ["Hold (stays): A3.", "Hold (stays, and fires at what comes into range): A4, A6."];
    assert_eq!(told.defaults, idle);
}

/// Units that do the same are told in one line, and of nobody nothing.
#[test]
fn those_who_do_the_same_are_told_together() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let told = recap(&rules, &view, "HOLD ALL");
    assert_eq!(told.ahead[1..3], ["A1, A2: at 12 holds.", "Northwold Axes (A3): at 10 holds."], "{told:#?}");
    let told = recap(&rules, &view, "DETAIL FULL");
    assert!(told.ahead[0].starts_with("Army morale now: "), "{told:#?}");
}

/// Whoever has no missiles, and the wizard and his likenesses whatever they have, fire at nobody unordered: so it is told.
#[test]
fn what_units_do_without_orders_is_told_of_each_as_it_is() {
    let mut files = shipped("ormolu").unwrap();
    files.0.insert(OPTIONS_FILE.to_owned(), "wizard: placed\n".to_owned());
    let rules = Sa::from_files(&files, &[]).unwrap();
    let mut view = view_after(&rules, Side::B, 4);
    let mut told = recap(&rules, &view, "DETAIL FULL").defaults;
    for id in &view.own {
        view.charges.entry(*id).or_default().stance = Stance::Skirmish;
    }
    told.extend(recap(&rules, &view, "DETAIL FULL").defaults);
    let expected = [
        "Hold (stays): B1, B2, B3, B4, B5, B6, B10, B11, B12, B13.",
        "Hold (stays, and fires at what comes into range): B7, B8, B9.",
        "Skirmish (fires at enemies next to it, and stays there): B7, B8, B9.",
        "Skirmish (keeps away from enemies): B2, B3, B4, B5, B6.",
        "Skirmish (keeps its distance): B1, B10, B11, B12, B13.",
    ];
    assert_eq!(told, expected);
}

/// Missiles that fly one hex keep nobody at a distance (SA-58).
#[test]
fn who_throws_javelins_is_told_to_stay_next_to_the_enemy() {
    let rules = battle("mill");
    let mut view = view_after(&rules, Side::A, 3);
    for id in view.own.iter().filter(|id| [4, 6].contains(&id.number)) {
        view.charges.entry(*id).or_default().stance = Stance::Skirmish;
    }
    let told = recap(&rules, &view, "DETAIL FULL").defaults;
    for line in [
        "Skirmish (fires at what is in range, and keeps its distance): A4.",
        "Skirmish (fires at enemies next to it, and stays there): A6.",
    ] {
        assert!(told.iter().any(|told| told == line), "{told:#?}");
    }
}

/// What several units can't do is told of them as several.
#[test]
fn a_warning_of_several_units_speaks_of_several() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let warned = |line: &str| rules.read_back(&view, line).0.remarks[0].text.clone();
    let one = "As things stand A1 can't repeat the last move: it has made no move that it could repeat.";
    let two =
        "As things stand A1, A2 can't repeat the last move: they have made no move that they could repeat.";
    assert_eq!([warned("AGAIN 1"), warned("AGAIN 1, 2")], [one, two]);
    let left_out = "Left out are A1, A2: they have no missiles.";
    assert_eq!(warned("FIRE 1, 2, 4 B1"), left_out);
}

#[test]
fn what_comes_to_nothing_as_things_stand_is_warned_of() {
    let rules = battle("mill");
    let mut view = view_after(&rules, Side::A, 3);
    stand(&rules, &mut view, UnitId::new(Side::A, 1), rules.battle().field.last());
    let (reading, _) = rules.read_back(&view, "MOVE 1 E");
    let [remark] = reading.remarks.as_slice() else { panic!("{reading:?}") };
    assert_eq!(remark.weight, Weight::Futile);
    assert_eq!(remark.text, "As things stand A1 can't move E: the field ends there.");
    assert_eq!(reading.orders.len(), 1, "it is an order all the same");
}

/// Lines that undo each other are all understood: the receipt tells which of them count.
#[test]
fn a_line_that_undoes_an_earlier_one_is_remarked_on() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let told = |set: &str| -> Vec<(usize, Weight, String)> {
        let remarks = rules.read_back(&view, set).0.remarks;
        remarks.into_iter().map(|one| (one.line, one.weight, one.text)).collect()
    };
    let warned = |line, text: &str| vec![(line, Weight::Warning, text.to_owned())];
    assert_eq!(
        told("HOLD 1\nON CONTACT ALL CHARGE\nON CONTACT ALL AVOID"),
        warned(3, "This replaces what line 2 says of A1, A2, A3, A4, A5, A6.")
    );
    assert_eq!(told("ON CONTACT 1 CHARGE\nON CONTACT 1 NOTHING").len(), 1);
    assert_eq!(told("STANCE 1 CHARGE\nAVOID 1"), warned(2, "This replaces what line 1 says of A1."));
    assert_eq!(
        told("HOLD 1\nATTACK 1 B1\nHOLD 2\nCANCEL 1"),
        [1, 2].map(|line| (4, Weight::Warning, format!("This takes back what line {line} gives A1 to do.")))
    );
    assert_eq!(
        told("HOLD 1 UNTIL 24\nHOLD 1, 2 UNTIL 20"),
        warned(2, "Line 1 has A1 hold until 24: after it this comes to nothing.")
    );
    // An exception is none, nor is what says the same or is of other units.
    assert_eq!(
        told("CHARGE ALL\nSKIRMISH 4"),
        [(2, Weight::Note, "This replaces what line 1 says of A4.".to_owned())]
    );
    for set in [
        "CHARGE 1\nCHARGE 1",
        "CHARGE 1\nAVOID 2\nON CONTACT 1 AVOID\nON FIRED AT 1 HOLD",
        "CANCEL 1\nHOLD 1 UNTIL 20\nHOLD 1 UNTIL 24",
    ] {
        assert_eq!(told(set), [], "{set}");
    }
}

#[test]
fn spells_are_counted() {
    let rules = battle("kingdoms");
    let view = view_after(&rules, Side::A, 3);
    let told = recap(&rules, &view, "CAST 1 BLADE 2\nCAST 2 COURAGE 3 WHEN ROUT NEAR");
    let effects: Vec<&str> = told.orders.iter().map(|order| order.effect.as_str()).collect();
    assert_eq!(effects, ["leaves 10 spell points of 12", "leaves 7 spell points of 12"]);
}

#[test]
fn likenesses_are_counted_and_who_is_real_is_left_open() {
    let rules = battle("ormolu");
    let view = view_after(&rules, Side::B, 4);
    let hunt = rules.battle().hunt.unwrap();
    let (has, wizard) = (view.position.magic[1], hunt.wizard);
    let told = recap(&rules, &view, "REPLICATE Ormolu E\nCAST 1 HASTE 1\nREPLICATE 1 W\nLEAVE 1");
    let effect = |order: usize| told.orders[order].effect.as_str();
    let left = format!("leaves {} spell points of {has}; a die decides in secret", has - hunt.cost);
    assert!(effect(0).starts_with(&left) && effect(0).contains(&format!("stays with {wizard}")), "{told:#?}");
    let left = has - hunt.cost - 1;
    assert_eq!(effect(1), format!("if it is the real one, leaves {left} spell points of {has}"));
    let left = left - hunt.cost;
    assert_eq!(effect(2), format!("if it is the real one, leaves {left} spell points of {has}"));
    assert_eq!(effect(3), format!("only from its own edge, after time-point {}", hunt.leaves));
    let line = told.ahead.iter().find(|line| line.contains("makes a likeness")).unwrap();
    assert!(line.ends_with("hangs on which of the two is the wizard."), "{told:#?}");
}

#[test]
fn who_leaves_too_early_is_warned_of_it_from_the_first_move_on() {
    let rules = battle("ormolu");
    let leaves = rules.battle().hunt.unwrap().leaves;
    for adjudications in [2, 4] {
        let view = view_after(&rules, Side::B, adjudications);
        let warned = |set: &str| {
            let remarks = rules.read_back(&view, set).0.remarks;
            remarks.iter().any(|one| {
                matches!(one.weight, Weight::Futile | Weight::Warning)
                    && one.text.contains(&format!("after time-point {leaves}"))
            })
        };
        assert!(warned("LEAVE 1") && warned("HOLD 1\nMOVE 1 E\nLEAVE 1"), "{adjudications}");
        assert!(!warned(&format!("HOLD 1 UNTIL {}\nLEAVE 1", leaves + 1)), "{adjudications}");
    }
}

/// A queue that stays with a likeness is shown in the form, with the reason why it can't be done.
#[test]
fn the_form_says_why_an_entry_is_a_comment() {
    let rules = battle("ormolu");
    let seat = rules.battle().army(Side::B).commanders[0].seat.clone();
    let mut orders = |t: u32, view: &View| match t {
        4 => rules.read_orders(view, "MOVE 1 E\nCAST 1 HASTE 1\nHOLD 1"),
        _ => musterd_engine::orders::Reading::default(),
    };
    let mut view = after(&rules, 4, &mut orders, &seat);
    view.real = Some(UnitId::new(Side::B, 2));
    let charge = view.charges.get_mut(&UnitId::new(Side::B, 1)).unwrap();
    charge.tasks = vec![musterd_sa::order::Task::plain(musterd_sa::order::Act::Cast(
        musterd_sa::model::Spell::Haste,
        1,
    ))];
    let form = rules.form(&view).join("\n");
    assert!(
        form.contains("\n# Not now: B1: it is a likeness, and only the real wizard can.\n# CAST B1 HASTE 1"),
        "{form}"
    );
}

/// The forecast ends at the first check that may fail, with its odds, and joins holds.
#[test]
fn a_forecast_ends_at_a_check() {
    let rules = battle("mill");
    let mut view = met(&rules);
    let place = rules.battle().index(UnitId::new(Side::A, 1)).unwrap();
    view.position.units[place].last = musterd_sa::Unit::clone(
        &after(&rules, 2, &mut |_, view| rules.read_orders(view, "MOVE 1 NE"), &view.seat).position.units
            [place],
    )
    .last;
    for routs in [-2, -5, -20] {
        view.position.units[place].routs = routs;
        let told = recap(&rules, &view, "ATTACK 1 B1\nHOLD 1\nATTACK 1 B1");
        let line = told.ahead.iter().find(|line| line.contains("(A1)")).unwrap();
        if routs == -20 {
            assert!(line.contains(" attacks if its morale holds: 0.0%, else it routs (100.0%)"), "{line}");
        } else {
            assert!(line.contains(" attacks ") && line.contains("(B1) if its morale holds: "), "{line}");
            assert!(line.contains("routs (") && !line.contains(" holds;"), "{line}");
            assert!(line.ends_with("; what follows hangs on the check."), "{line}");
        }
    }
    let told = recap(&rules, &view, "HOLD 5\nHOLD 5\nHOLD 5");
    let line = told.ahead.iter().find(|line| line.contains("(A5)")).unwrap();
    let (_, holds) = line.split_once("(A5): ").unwrap();
    assert!(holds.contains(" holds until ") && !holds.contains(','), "{line}");
}

/// What was seen since a unit acted is foreseen in its `ON` lines.
#[test]
fn what_happened_since_a_unit_acted_is_foreseen() {
    let rules = battle("kingdoms");
    let mut shot = None;
    for side in Side::ALL {
        let seat = rules.battle().army(side).commanders[0].seat.clone();
        for t in 6..14 {
            let mut orders = |t: u32, view: &View| {
                rules.read_orders(view, &rules.play(view, Skill::Beginning, u64::from(t)))
            };
            let view = after(&rules, t, &mut orders, &seat);
            let fired = |id: &&UnitId| {
                let set = format!("ON FIRED AT {0} AVOID\nHOLD {0} UNTIL {1}", id, view.paused + 12);
                let plain = format!("HOLD {0} UNTIL {1}", id, view.paused + 12);
                view.orders_now() && recap(&rules, &view, &set).ahead != recap(&rules, &view, &plain).ahead
            };
            shot = shot.or_else(|| view.own.iter().find(fired).copied());
        }
    }
    assert!(shot.is_some(), "nobody was fired at and foresees it");
}

/// Arrivals and desertions are told of those whom they concern, and not before the clock runs.
#[test]
fn what_comes_by_itself_is_told_of_those_who_are_there() {
    let mut seen = 0;
    for name in crate::orders::BATTLES {
        let rules = battle(name);
        for side in Side::ALL {
            let first = view_after(&rules, side, side.index() as u32 + 1);
            let told = recap(&rules, &first, "DETAIL FULL");
            let timed = |line: &String| line.contains(" deserts at ") || line.contains(", or next to it");
            assert!(!told.ahead.iter().any(timed), "{name}: {told:#?}");
            for t in 3..15 {
                let mut view = view_after(&rules, side, t);
                let comes = |line: &String| line.contains(", or next to it");
                if !recap(&rules, &view, "DETAIL FULL").ahead.iter().any(comes) {
                    continue;
                }
                let fielded = view.position.fielded().next().unwrap().1.fate;
                view.position.units.iter_mut().for_each(|unit| unit.fate = fielded);
                let told = recap(&rules, &view, "DETAIL FULL");
                assert!(!told.ahead.iter().any(comes), "{name}: {told:#?}");
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "nobody comes later");
}

#[test]
fn a_unit_that_may_desert_is_foreseen_to_go_on_unless_it_does() {
    let rules = battle("manzikert");
    let mut seen = 0;
    for spec in &rules.battle().units {
        let Some(desertion) = spec.deserts else { continue };
        for t in 3..12 {
            let view = view_after(&rules, spec.id.side, t);
            let (first, last) = rules.block_after(view.paused);
            let at = view.position.units[rules.battle().index(spec.id).unwrap()].at;
            if !(first..=last).contains(&desertion.point) || at.is_none() {
                continue;
            }
            let told = recap(&rules, &view, &format!("STANCE {} ADVANCE", spec.id.number));
            let of =
                told.ahead.iter().chain(&told.defaults).filter(|line| line.contains(&spec.id.to_string()));
            let of: Vec<&String> = of.collect();
            assert!(of.iter().any(|line| line.contains("unless it deserts")), "{told:#?}");
            assert!(!of.iter().any(|line| line.contains("unless morale breaks")), "{of:#?}");
            seen += 1;
        }
    }
    assert!(seen > 1, "{seen}");
}

/// The searchers are told of every likeness what they would be told of the wizard; his side knows whom it sends.
#[test]
fn a_receipt_tells_a_likeness_only_to_its_own_side() {
    let mut files = shipped("ormolu").unwrap();
    files.0.insert(OPTIONS_FILE.to_owned(), "wizard: placed\n".to_owned());
    let rules = Sa::from_files(&files, &[]).unwrap();
    let likenesses: Vec<UnitId> =
        rules.battle().units.iter().filter(|spec| spec.likeness).map(|spec| spec.id).collect();
    assert!(likenesses.len() > 2);
    let beside = |view: &mut View, one: UnitId, foe: UnitId| {
        let at = view.position.units[rules.battle().index(foe).unwrap()].at.unwrap();
        let field = &rules.battle().field;
        let free = |hex: &Hex| field.has(*hex) && view.position.unit_at(&rules, *hex).is_none();
        let free = at.around().find(free).unwrap();
        stand(&rules, view, one, free);
    };
    let searcher = UnitId::new(Side::A, 1);
    for likeness in &likenesses {
        let mut view = view_after(&rules, Side::A, 3);
        beside(&mut view, searcher, *likeness);
        let told = recap(&rules, &view, &format!("ATTACK 1 {likeness}"));
        assert!(told.orders[0].effect.starts_with("against the real one: wins "), "{told:#?}");
        let mut view = view_after(&rules, Side::B, 3);
        beside(&mut view, *likeness, searcher);
        let told = recap(&rules, &view, &format!("ATTACK {} A1", likeness.number));
        let fights = if view.real == Some(*likeness) { "wins " } else { "a likeness fights as one man" };
        assert!(told.orders[0].effect.starts_with(fights), "{told:#?}");
    }
}

/// Whoever plays, whatever stands: a receipt of the computer's own orders has no error, and says something of each order.
#[test]
fn the_computers_orders_are_understood_in_every_battle() {
    for name in crate::orders::BATTLES {
        let rules = battle(name);
        for side in Side::ALL {
            let seat = rules.battle().army(side).commanders[0].seat.clone();
            for adjudications in [side.index() as u32 + 1, 5, 9] {
                let view = after(
                    &rules,
                    adjudications,
                    &mut |t, view| rules.read_orders(view, &rules.play(view, Skill::Beginning, u64::from(t))),
                    &seat,
                );
                if !view.orders_now() {
                    continue;
                }
                let set = rules.play(&view, Skill::Beginning, 1);
                let (reading, recap) = rules.read_back(&view, &set);
                assert!(!reading.has_errors(), "{name}: {set}\n{reading:?}");
                assert_eq!(recap.orders.len(), reading.orders.len());
                let form = rules.form(&view).join("\n");
                assert!(!rules.read_orders(&view, &form).has_errors(), "{name}: {form}");
            }
        }
    }
}
