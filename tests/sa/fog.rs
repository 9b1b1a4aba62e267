//! What one side can't know changes nothing that it is sent: pairs of battles of The Shattered Alliance that differ in it alone, which of the likenesses
//! is the wizard or what the other side's units were told, are played with the same dice, and all that leaves them is compared.

use std::collections::BTreeMap;

use musterd_dice::Seat;
use musterd_engine::founding::OPTIONS_FILE;
use musterd_engine::orders::{Placed, Reading};
use musterd_engine::{Fold, Input, Ruleset, Scribe};
use musterd_sa::event::Event;
use musterd_sa::model::{Side, UnitId, Way};
use musterd_sa::order::{Act, Charge, Order, Stance, Task, Trigger};
use musterd_sa::read::written;
use musterd_sa::sight::Sight;
use musterd_sa::view::View;
use musterd_sa::{Sa, Skill, State, shipped};

use crate::battles::{self, Fancy, act, wild};
use crate::common::{Loose, soak};

/// Orders, as a step takes them.
type Orders = BTreeMap<Seat, Reading<Order>>;

/// A shipped battle with these options.
fn founded(name: &str, options: &str) -> Sa {
    let mut files = shipped(name).unwrap();
    files.0.insert(OPTIONS_FILE.to_owned(), options.to_owned());
    Sa::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{name}: {errors}"))
}

/// Attacks, shots and marches of the first unit of a seat: at every enemy who may be a wizard, and at some others.
fn attempts(rules: &Sa, view: &View) -> String {
    const OTHERS: usize = 3;
    let units = view.position.fielded().map(|(place, _, at)| (rules.battle().units[place].id, at));
    let foes = units.filter(|(id, _)| Some(id.side) != view.side);
    let (likenesses, others): (Vec<_>, Vec<_>) = foes.partition(|(id, _)| rules.battle().spec(*id).likeness);
    let foes = likenesses.into_iter().chain(others.into_iter().take(OTHERS));
    let deeds = |foe, at| [Act::Attack(foe), Act::Fire(foe), Act::To(at), Act::FireAt(at)];
    let acts = foes.flat_map(|(foe, at)| deeds(foe, at)).map(Task::plain);
    let orders = acts.flat_map(|task| {
        let order = |unit: &UnitId| Order::Do { units: vec![*unit], tasks: vec![task] };
        view.own.first().map(order)
    });
    orders.flat_map(|order| written(&order)).collect::<Vec<_>>().join("\n")
}

/// All that a seat is sent in a position, part by part.
fn sent(rules: &Sa, state: &State, seat: &Seat, sights: &[Sight]) -> Vec<(&'static str, String)> {
    let view = rules.view(state, seat);
    let receipts = |text: &str| format!("{:#?}", rules.read_back(&view, text));
    let mut parts = vec![
        ("waiting", format!("{:?}", rules.awaiting(state))),
        ("view", serde_json::to_string(&view).unwrap()),
        ("sights", serde_json::to_string(sights).unwrap()),
        ("data", rules.published(&view).get().to_owned()),
        ("report", format!("{:#?}", rules.brief(&view, sights))),
        ("history", format!("{:#?}", rules.history(&view))),
        ("form", rules.form(&view).join("\n")),
        ("help", format!("{:#?}", rules.offered(&view))),
    ];
    if view.orders_now() {
        parts.push(("receipts", receipts(&attempts(rules, &view))));
        for skill in [Skill::Beginning, Skill::Advanced] {
            parts.push(("computer", rules.play(&view, skill, 1)));
        }
    }
    parts
}

/// What observers are shown of a seat's report.
fn shown(rules: &Sa, state: &State, seat: &Seat, sights: &[Sight]) -> String {
    format!("{:#?}", rules.shown(&rules.view(state, seat), sights, &Default::default()))
}

/// A battle as it goes on.
#[derive(Clone)]
struct Course {
    state: State,
    /// What each seat has seen since the last mail turn.
    sights: BTreeMap<Seat, Vec<Sight>>,
}

impl Course {
    /// Founded, and played up to a mail turn by these orders.
    fn begun(rules: &Sa, dice: &mut Loose, until: u32, mut order: impl FnMut(&View) -> String) -> Self {
        let mut course = Self { state: rules.found(), sights: BTreeMap::new() };
        for t in 1..=until {
            let orders = rules.seats().iter().map(|spec| {
                let view = rules.view(&course.state, &spec.seat);
                (spec.seat.clone(), rules.read_orders(&view, &order(&view)))
            });
            let orders = orders.collect();
            assert!(course.play(rules, dice, t, &orders, |_| false), "the battle has begun");
        }
        course
    }

    /// One mail turn; `false` if an event that shows what is hidden ended it.
    fn play(
        &mut self,
        rules: &Sa,
        dice: &mut Loose,
        t: u32,
        orders: &Orders,
        shows: impl Fn(&Event) -> bool,
    ) -> bool {
        self.sights.clear();
        let mut scribe = Scribe::new(rules, self.state.clone(), t, dice);
        rules.step(&mut scribe, &Input { orders: orders.clone() });
        for event in scribe.finish() {
            if shows(&event) {
                return false;
            }
            for spec in rules.seats() {
                let seen = rules.witness(&self.state, &event, &spec.seat);
                self.sights.entry(spec.seat.clone()).or_default().extend(seen);
            }
            rules.apply(&mut self.state, &event);
        }
        true
    }

    fn sights(&self, seat: &Seat) -> &[Sight] {
        self.sights.get(seat).map_or(&[], Vec::as_slice)
    }
}

/// Two battles that differ only in what a side keeps to itself.
struct Pair<'a> {
    rules: &'a Sa,
    /// Whose secret it is.
    keeper: Side,
    courses: [Course; 2],
}

impl Pair<'_> {
    /// Fails if anybody but the keeper is sent a byte that differs, or anybody at all is shown one as an observer.
    fn compare(&self, what: &str) {
        let [one, other] = &self.courses;
        for spec in self.rules.seats() {
            let seat = &spec.seat;
            let show = |course: &Course| shown(self.rules, &course.state, seat, course.sights(seat));
            assert_eq!(show(one), show(other), "{what}: observers of {seat}");
            if self.rules.battle().side_of(seat) == Some(self.keeper) {
                continue;
            }
            let [one, other] =
                [one, other].map(|course| sent(self.rules, &course.state, seat, course.sights(seat)));
            for (part, same) in one.iter().zip(&other) {
                assert_eq!(part, same, "{what}: {seat}");
            }
            assert_eq!(one.len(), other.len(), "{what}: {seat}");
        }
    }

    /// Plays a mail turn with the same orders in both, or with orders of its own in each; whether nothing showed what is hidden.
    fn play(&mut self, seed: u32, t: u32, orders: [&Orders; 2], shows: impl Fn(&Event) -> bool) -> bool {
        let rules = self.rules;
        let go = |(course, orders): (&mut Course, &Orders)| {
            course.play(rules, &mut Loose::numbered(seed), t, orders, &shows)
        };
        let went: Vec<bool> = self.courses.iter_mut().zip(orders).map(go).collect();
        assert_eq!(went[0], went[1], "{seed}, {t}: it shows in one of the two");
        went[0]
    }
}

/// Whether an event shows who of the likenesses is the wizard, or that somebody isn't: one is struck or strikes, casts or is gone.
fn shows_wizard(rules: &Sa, event: &Event) -> bool {
    let likeness = |id: &UnitId| rules.battle().spec(*id).likeness;
    match event {
        Event::Fought { attacker, defender, .. } | Event::Fired { attacker, defender, .. } => {
            likeness(&attacker.unit) || likeness(&defender.unit)
        }
        Event::Cast { unit, .. }
        | Event::Likened { unit, .. }
        | Event::Vanished { unit, .. }
        | Event::Left { unit, .. } => likeness(unit),
        Event::Ended { .. } => true,
        _ => false,
    }
}

/// Orders of somebody who tries everything that the language has words for: reports and forms say it again.
fn spoken(fancy: &mut Fancy, rules: &Sa, view: &View) -> Reading<Order> {
    let mut reading = wild(fancy, rules, view);
    for placed in &mut reading.orders {
        if let Order::Do { tasks, .. } = &mut placed.order {
            for task in tasks.iter_mut().filter(|task| !matches!(task.act, Act::Cast(..))) {
                task.when = None;
            }
        }
    }
    reading
}

/// The same without what tells who is real: nobody who could be the wizard casts or leaves.
fn reticent(fancy: &mut Fancy, rules: &Sa, view: &View) -> Reading<Order> {
    let mut blind = view.clone();
    blind.real = None;
    let mut reading = spoken(fancy, rules, &blind);
    for placed in &mut reading.orders {
        if let Order::Do { tasks, .. } = &mut placed.order {
            tasks.retain(|task| !matches!(task.act, Act::Cast(..) | Act::Liken(_) | Act::Leave));
        }
    }
    reading
}

/// Plays two battles with other wizards, as long as nothing shows who he is; how many mail turns. The hunters are commanders who try everything, or the computer.
fn hunt(rules: &Sa, seed: u32, begun: &Course, last: u32) -> u32 {
    let likenesses = rules.view(&begun.state, &rules.seats()[0].seat).likenesses(rules);
    let [one, .., other] = likenesses.as_slice() else { return 0 };
    let keeper = rules.battle().hunt.unwrap().side;
    let courses = [one, other].map(|real| {
        let mut course = begun.clone();
        let change = rules.amend(&course.state, &format!("WIZARD {real}")).unwrap();
        change.iter().for_each(|event| rules.apply(&mut course.state, event));
        // Spells that are still to be cast would show who casts.
        for unit in &likenesses {
            rules.apply(&mut course.state, &Event::Told { unit: *unit, charge: Charge::default() });
        }
        course
    });
    let mut pair = Pair { rules, keeper, courses };
    let mut fancy = Fancy::new(seed ^ 0xf06);
    pair.compare(&format!("{seed}, begun"));
    for t in last + 1..last + 20 {
        let view = |seat: &Seat| rules.view(&pair.courses[0].state, seat);
        let plays = seed.is_multiple_of(2);
        let orders: Orders = rules
            .seats()
            .iter()
            .map(|spec| {
                let view = view(&spec.seat);
                let reading = match plays && view.side != Some(keeper) {
                    true => rules.read_orders(&view, &rules.play(&view, Skill::Advanced, seed.into())),
                    false => reticent(&mut fancy, rules, &view),
                };
                (spec.seat.clone(), reading)
            })
            .collect();
        let hidden = pair.play(seed, t, [&orders; 2], |event| shows_wizard(rules, event));
        let sights = |course: &Course, seat: &Seat| serde_json::to_string(course.sights(seat)).unwrap();
        for spec in rules.seats().iter().filter(|spec| rules.battle().side_of(&spec.seat) != Some(keeper)) {
            let [one, other] = pair.courses.each_ref().map(|course| sights(course, &spec.seat));
            assert_eq!(one, other, "{seed}, {t}: {}", spec.seat);
        }
        if !hidden {
            return t - last;
        }
        pair.compare(&format!("{seed}, {t}"));
    }
    20
}

/// Which of the likenesses is the wizard changes nothing that the hunters are sent, until one of them does or suffers what shows it.
#[test]
fn hunters_learn_who_the_wizard_is_by_what_he_does_alone() {
    let (mut compared, mut turns) = (0, 0);
    let mut count = |played: u32| {
        compared += u32::from(played > 0);
        turns += played;
    };
    for seed in (0..80).map(soak::seed) {
        let rules = battles::rules(&battles::battle(seed), "wizard: placed\n");
        let begun = Course::begun(&rules, &mut Loose::numbered(seed), 1, |_| String::new());
        if rules.battle().hunt.is_some() {
            count(hunt(&rules, seed, &begun, 1));
        }
    }
    for seed in (0..6).map(soak::seed) {
        let commands = ["armies", "contingents"][seed as usize / 2 % 2];
        let rules = founded("ormolu", &format!("wizard: placed\ncommands: {commands}\n"));
        let begun = Course::begun(&rules, &mut Loose::numbered(seed), 3, |_| String::new());
        count(hunt(&rules, seed, &begun, 3));
        // He makes his first likeness in the initial move, this way or that, and one more by either of the two.
        let rules = founded("ormolu", &format!("commands: {commands}\n"));
        let wizard = rules.battle().hunt.unwrap().wizard;
        let ways = |unit: u8| Way::ALL.map(|way| format!("REPLICATE {unit} {}", way.number())).join("\n");
        let made = |view: &View| match view.side {
            Some(side) if side == wizard.side => ways(wizard.number),
            _ => String::new(),
        };
        let begun = Course::begun(&rules, &mut Loose::numbered(seed), 3 + seed % 3, made);
        count(hunt(&rules, seed, &begun, 3 + seed % 3));
    }
    assert!(soak::is_enough(compared > 25 && turns > 80), "{compared} battles, {turns} mail turns");
}

/// What the other side's units were told: something else for each of them.
fn told_else(fancy: &mut Fancy, rules: &Sa, course: &Course, keeper: Side) -> Course {
    let mut course = course.clone();
    let stances = [Stance::Hold, Stance::Charge, Stance::Skirmish, Stance::Avoid, Stance::Advance(None)];
    for spec in rules.battle().units.iter().filter(|spec| spec.id.side == keeper) {
        let tasks = (0..fancy.below(4)).map(|_| Task::plain(act(fancy, rules))).collect();
        let triggers = vec![(fancy.of(&Trigger::ALL), fancy.of(&stances))];
        let charge = Charge { tasks, stance: fancy.of(&stances), triggers };
        rules.apply(&mut course.state, &Event::Told { unit: spec.id, charge });
    }
    course
}

/// Orders by which all units of a seat hold until night, and would do something else behind that.
fn behind(fancy: &mut Fancy, rules: &Sa, view: &View) -> Reading<Order> {
    let nightfall = rules.battle().nightfall;
    let order = |unit: &UnitId| {
        let tasks = [Act::Until(nightfall), act(fancy, rules), act(fancy, rules)].map(Task::plain).to_vec();
        Order::Do { units: vec![*unit], tasks }
    };
    let orders = view.own.iter().map(order).collect::<Vec<_>>();
    let placed = (1..).zip(orders).map(|(line, order)| Placed { line, order }).collect();
    Reading { orders: placed, remarks: Vec::new() }
}

/// What a side's units were told is its own as long as they don't do it: nothing that the other side is sent tells of it.
#[test]
fn orders_that_are_not_carried_out_yet_are_their_own_sides() {
    let mut turns = 0;
    for (seed, name) in (0..6).map(soak::seed).zip(["ormolu", "ambush"].iter().cycle()) {
        let commands = ["armies", "contingents"][seed as usize % 2];
        let keeper = Side::ALL[seed as usize / 2 % 2];
        let rules = founded(name, &format!("initial: together\ncommands: {commands}\n"));
        let begun = Course::begun(&rules, &mut Loose::numbered(seed), 1, |_| String::new());
        let mut pair = Pair { rules: &rules, keeper, courses: [begun.clone(), begun] };
        let mut fancy = Fancy::new(seed ^ 0xf0a);
        for t in 2..10 {
            let mut orders = [Orders::new(), Orders::new()];
            for spec in rules.seats() {
                let view = rules.view(&pair.courses[0].state, &spec.seat);
                if view.side == Some(keeper) {
                    for own in &mut orders {
                        own.insert(spec.seat.clone(), behind(&mut fancy, &rules, &view));
                    }
                } else {
                    let reading = spoken(&mut fancy, &rules, &view);
                    for own in &mut orders {
                        own.insert(spec.seat.clone(), reading.clone());
                    }
                }
            }
            let over = |event: &Event| matches!(event, Event::Ended { .. });
            if !pair.play(seed, t, [&orders[0], &orders[1]], over) {
                break;
            }
            pair.compare(&format!("{seed} {name}, {t}"));
            // In the same position anything else that they might have been told.
            let first = pair.courses[0].clone();
            let other = told_else(&mut fancy, &rules, &first, keeper);
            Pair { rules: &rules, keeper, courses: [first, other] }.compare(&format!("{seed} {name}, else"));
            turns += 1;
        }
    }
    assert!(soak::is_enough(turns > 30), "{turns} mail turns");
}
