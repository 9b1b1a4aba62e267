//! The order language: what is written is read back, and the guide says what the table of forms says.

use musterd_dice::{Seat, Stream};
use musterd_dog::model::{People, Sort, TroopId, UnitId};
use musterd_dog::order::{Arm, March, Order, Record, Way};
use musterd_dog::read::{understood, uses, written};
use musterd_dog::view::{LastSeen, View};
use musterd_dog::{Dog, shipped};
use musterd_engine::briefing::Part;
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::{Likeness, Remark, Weight};
use musterd_engine::{Input, Ruleset, Scribe};

use crate::common::Loose;
use crate::common::forms::says_forms;
use crate::dog_arena::BATTLES;

#[test]
fn the_guides_have_every_order_and_change_as_the_forms_say() {
    says_forms("docs/dog/orders.md", "<!-- orders before the battle -->", &uses(true));
    says_forms("docs/dog/orders.md", "<!-- orders in a round -->", &uses(false));
    says_forms("docs/dog/gm-guide.md", "<!-- changes -->", &musterd_dog::amend::uses());
}

#[test]
fn every_example_looks_like_an_order() {
    let rules = battle("training");
    for one in [true, false].into_iter().flat_map(uses) {
        for line in &one.lines {
            assert_eq!(rules.likeness(line), Likeness::Order, "{line}");
        }
    }
}

/// What `HELP ORDERS` shows can be sent as it stands: it names what its reader has, sees and may hire.
#[test]
fn help_takes_its_examples_from_the_battle() {
    for name in BATTLES {
        let rules = battle(name);
        let mut state = rules.found();
        let mut dice = Loose::numbered(1);
        let mut scribe = Scribe::new(&rules, state, 1, &mut dice);
        rules.step(&mut scribe, &Input { orders: [].into() });
        state = scribe.state().clone();
        let before = rules.battle().armies().iter().map(|army| rules.view(&state, &army.seat));
        for view in before.chain(first_round(&rules)) {
            for line in rules.offered(&view).into_iter().flat_map(|one| one.lines) {
                let read = understood(&rules, &view, &line);
                let unseen = view.others.is_empty();
                assert!(read.is_ok() || unseen, "{name}, {:?}: {line}: {read:?}", view.wait);
            }
        }
    }
    let rules = battle("training");
    let view = &first_round(&rules)[0];
    let (id, unit) = view.own.first_key_value().unwrap();
    let all: Vec<_> = rules.offered(view).into_iter().flat_map(|one| one.lines).collect();
    let line = all.iter().find(|line| line.starts_with("MOVE")).unwrap();
    let read = understood(&rules, view, line).unwrap();
    let [Order::March(march)] = read.as_slice() else { panic!("{line}: {read:?}") };
    assert!(march.unit == *id && march.way.end().unwrap().distance(unit.at) == 1, "{march:?}");
}

/// Nine columns are what a page has room for on a telephone of 390 pixels.
#[test]
fn the_table_for_hiring_fits_a_telephone() {
    let mut tables = 0;
    for name in BATTLES {
        let rules = battle(name);
        for army in rules.battle().armies() {
            let mut dice = Loose::numbered(1);
            let mut scribe = Scribe::new(&rules, rules.found(), 1, &mut dice);
            rules.step(&mut scribe, &Input { orders: [].into() });
            let brief = rules.brief(&rules.view(scribe.state(), &army.seat), &[]);
            for part in brief.sections.iter().flat_map(|section| &section.parts) {
                if let Part::Table(table) = part
                    && table.columns.iter().any(|column| column.title == "For hire")
                {
                    assert!(table.columns.len() <= 9, "{name}: {:?}", table.columns);
                    tables += 1;
                }
            }
        }
    }
    assert!(tables > 0);
}

/// Orders about boats are offered where there are boats, and those that nobody can carry out say so.
#[test]
fn help_offers_boats_where_there_are_some() {
    let mut seen = [false, false];
    let mut afloat = shipped("training").unwrap();
    let text = afloat.0["scenario.yaml"].replacen("field:\n", "field:\n  boats: [\"0101\"]\n", 1);
    let water = text.find("rows:").map(|rows| rows + text[rows..].find('.').unwrap()).unwrap();
    afloat.0.insert("scenario.yaml".to_owned(), text[..water].to_owned() + "~" + &text[water + 1..]);
    let afloat = Dog::from_files(&afloat, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let all = BATTLES.iter().map(|name| (*name, battle(name)));
    for (name, rules) in all.chain([("the training ground with a boat", afloat)]) {
        for view in first_round(&rules) {
            let boats = !view.boats.is_empty() || view.own.values().any(|unit| unit.aboard);
            seen[usize::from(boats)] = true;
            let offered = rules.offered(&view);
            let of = |word: &str| offered.iter().find(|one| one.begins_with(word));
            assert_eq!((of("LAND").is_some(), of("BOARD").is_some()), (boats, boats), "{name}");
            let not_now =
                |word: &str| of(word).is_some_and(|one| one.does.contains("as things stand nothing"));
            assert_eq!(not_now("LAND"), boats && !view.own.values().any(|unit| unit.aboard), "{name}");
            let shoots = view.own.values().any(|unit| unit.shots.iter().any(|left| *left > 0));
            assert_eq!(not_now("SHOOT"), !shoots, "{name}");
        }
    }
    assert_eq!(seen, [true, true], "battles with boats and without");
}

#[test]
fn a_misspelt_code_of_troops_is_guessed() {
    let rules = battle("training");
    let army = &rules.battle().armies()[0];
    let view = rules.view(&rules.found(), &army.seat);
    for (written, hint) in [
        ("IL", "did you mean LI (light infantry)"),
        ("HJ", "did you mean HC (heavy cavalry) or HI (heavy infantry)"),
        ("ZZ", "write a name or code of table 1"),
    ] {
        let refused = understood(&rules, &view, &format!("UNIT 1 18 {written} AT 0405")).unwrap_err();
        assert!(refused.hint.as_deref().unwrap_or_default().starts_with(hint), "{written}: {refused:?}");
    }
}

#[test]
fn an_enemy_out_of_sight_who_is_named_is_told_with_where_he_was_last_seen() {
    let rules = battle("millers-ford");
    let mut view = first_round(&rules).remove(0);
    let own = *view.own.keys().next().unwrap();
    let (foe, unit) = view.others.pop_first().unwrap();
    let (at, name) = (unit.at, unit.name.clone());
    let told = |view: &View, target: &str| {
        let remarks = rules.read_orders(view, &format!("SURRENDER {own} TO {target}")).remarks;
        remarks.into_iter().map(|remark| remark.text).collect::<Vec<_>>()
    };
    let label = foe.to_string();
    assert_eq!(told(&view, &label), [format!("You see no enemy `{label}`.")]);
    view.remembered.insert(foe, LastSeen { unit, round: 2 });
    let said = format!("{label} is out of sight: it was last seen in {at} in round 2.");
    for target in [&label, &name] {
        assert_eq!(told(&view, target), [said.as_str()], "{target}");
    }
}

#[test]
fn an_own_unit_in_the_place_of_a_target_is_warned_of() {
    let several = |view: &View| view.own.len() > 1 && !view.others.is_empty();
    let (rules, views) = BATTLES
        .iter()
        .map(|name| battle(name))
        .map(|rules| (first_round(&rules), rules))
        .find(|(views, _)| several(&views[0]))
        .map(|(views, rules)| (rules, views))
        .unwrap();
    let view = &views[0];
    let letter = view.own.keys().next().unwrap().army;
    let numbers: Vec<u8> = view.own.keys().map(|id| id.number).collect();
    let [a, b, ..] = numbers.as_slice() else { panic!("{numbers:?}") };
    let warned = |line: &str| -> Vec<Remark> {
        let read = rules.read_orders(view, line);
        assert_eq!(read.orders.len(), 2, "{line}: both have the order");
        read.remarks
    };
    for verb in ["ATTACK", "SHOOT"] {
        let warnings = warned(&format!("# a comment\n{verb} {a} {letter}{b}"));
        let [one] = warnings.as_slice() else { panic!("{warnings:?}") };
        let start = format!("{verb} {a} ").len();
        assert_eq!((one.line, one.span, one.weight), (2, Some((start, 2)), Weight::Warning));
        let what = verb.to_ascii_lowercase();
        let says = format!("{letter}{b} is your own unit and no target, so this orders both to {what}.");
        assert_eq!(one.text, says);
        let hint = one.hint.as_deref().unwrap();
        assert!(hint.contains("with commas"), "{hint}");
        assert!(hint.contains(&format!("{verb} {a} ")), "an enemy is named: {hint}");
        for plain in [
            format!("{verb} {a} {b}"),
            format!("{verb} {a}, {letter}{b}"),
            format!("{verb} {a} AND {letter}{b}"),
        ] {
            assert_eq!(warned(&plain), [], "{plain}");
        }
    }
    assert_eq!(warned(&format!("DEFEND {a} {letter}{b}")), [], "nobody is aimed at");
}

fn battle(name: &str) -> Dog {
    Dog::from_files(&shipped(name).unwrap(), &[]).unwrap()
}

/// The position when the first round begins, as every leader sees it.
pub(crate) fn first_round(rules: &Dog) -> Vec<View> {
    let mut state = rules.found();
    let mut dice = Loose::numbered(1);
    for t in 1..=3 {
        if rules.battle().armies().iter().all(|army| !rules.view(&state, &army.seat).own.is_empty()) {
            break;
        }
        let orders = |seat: &Seat| {
            let view = rules.view(&state, seat);
            rules.read_orders(&view, &rules.play(&view, musterd_dog::Skill::Cautious, 1))
        };
        let seats = rules.battle().armies().iter().map(|army| army.seat.clone());
        let orders = seats.map(|seat| (seat.clone(), orders(&seat))).collect();
        let mut scribe = Scribe::new(rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders });
        state = scribe.state().clone();
        let _ = scribe.finish();
    }
    rules.battle().armies().iter().map(|army| rules.view(&state, &army.seat)).collect()
}

struct Chance(Stream);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0.die(u32::try_from(most).unwrap()) as usize - 1
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn maybe<T>(&mut self, value: T) -> Option<T> {
        (self.below(2) == 0).then_some(value)
    }
}

/// Any order that a line can give.
fn any_order(rules: &Dog, view: &View, foes: &[UnitId], chance: &mut Chance) -> Order {
    let own: Vec<UnitId> = view.own.keys().copied().collect();
    let unit = chance.one(&own);
    let from = view.own[&unit].at;
    let hexes: Vec<Hex> = rules.battle().field.hexes().collect();
    let hex = chance.one(&hexes);
    let foe = chance.one(foes);
    let target = chance.maybe(foe);
    match chance.below(12) {
        0 => {
            let steps = chance.below(4) + 2;
            let mut by = vec![from];
            for _ in 0..steps {
                let here = by[by.len() - 1];
                let next: Vec<Hex> = Direction::ALL
                    .into_iter()
                    .filter_map(|to| here.step(to))
                    .filter(|hex| rules.battle().field.has(*hex))
                    .collect();
                by.push(chance.one(&next));
            }
            let way = Way::By(by[1..].to_vec());
            Order::March(March { unit, way, leave: chance.maybe(7), flee: chance.below(2) == 0 })
        }
        1 => Order::March(March {
            unit,
            way: Way::To(hex),
            leave: chance.maybe(3),
            flee: chance.below(2) == 0,
        }),
        2 => Order::Hide { unit },
        3 => Order::Board { unit, boat: chance.maybe(hex) },
        4 => Order::Land { unit, to: hex },
        5 => Order::Dismount { unit, to: chance.maybe(hex) },
        6 => Order::Strike { unit, arm: Arm::Melee, target },
        7 => Order::Strike { unit, arm: Arm::Volley, target },
        8 => Order::Defend { unit },
        9 => Order::IfAttacked { unit: chance.maybe(unit), keep: chance.below(2) == 0 },
        10 => Order::Surrender { unit, to: foe },
        _ => Order::Record(any_record(rules, unit.army, hex, chance)),
    }
}

fn any_record(rules: &Dog, army: char, hex: Hex, chance: &mut Chance) -> Record {
    let troops: Vec<TroopId> = rules.numbers().troops().map(|(id, _)| id).collect();
    let sorts = (0..chance.below(3)).map(|_| Sort {
        troop: chance.one(&troops),
        elite: chance.below(3) == 0,
        people: chance.maybe(()).map(|()| chance.one(&People::ALL)),
        crew: chance.maybe(()).map(|()| chance.one(&troops)),
        size: chance.maybe(5),
        fighters: u16::try_from(chance.below(500)).unwrap(),
    });
    Record {
        sorts: sorts.collect(),
        unit: UnitId::new(army, u8::try_from(chance.below(98) + 1).unwrap()),
        name: chance.maybe("The 3 at Ulm".to_owned()),
        at: chance.maybe(hex),
        hidden: chance.below(2) == 0,
    }
}

#[test]
fn whatever_is_written_is_read_back() {
    let mut views = 0;
    for (name, number) in BATTLES.into_iter().zip(0..) {
        let rules = battle(name);
        let Loose(seed) = Loose::numbered(number);
        let mut chance = Chance(Stream::new(&seed, &"1/test/written/x/0".parse().unwrap()));
        for view in first_round(&rules) {
            // All of them are known to everybody, so that every order can name one.
            let foes: Vec<UnitId> = view
                .others
                .keys()
                .copied()
                .filter(|id| view.own.keys().all(|own| rules.battle().hostile(*own, *id)))
                .collect();
            if foes.is_empty() || view.own.is_empty() {
                continue;
            }
            views += 1;
            for _ in 0..400 {
                let order = any_order(&rules, &view, &foes, &mut chance);
                let line = written(&rules, &order);
                let read = understood(&rules, &view, &line)
                    .unwrap_or_else(|fault| panic!("{name}: {line}: {fault:?}"));
                assert_eq!(read, [order], "{name}: {line}");
            }
        }
    }
    assert!(views > 10, "{views}");
}

#[test]
fn a_set_is_read_to_its_end_however_many_mistakes_it_has() {
    for (version, is_read) in [(1, false), (2, true)] {
        let rules = Dog::of_version(version, &shipped("training").unwrap(), &[]).unwrap();
        let view = first_round(&rules).swap_remove(0);
        let read = rules.read_orders(&view, &format!("{}DEFEND 1", "MOVE nobody\n".repeat(120)));
        assert_eq!(!read.orders.is_empty(), is_read, "version {version}");
        assert!(read.remarks.len() <= 101, "version {version}");
    }
}
