//! What sides may know in La Grande Armée, told from the manual (3.5, 3.6, 5.66) and the rulings alone (docs/rulings/lga.md: LGA-66, 71, 72, 74
//! to 76): of an enemy's stack the top unit and, unless that is cavalry, how many; no garrison, nothing of morale and fatigue but in
//! combat, and nothing of a turn before its first attack.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use musterd::dice::Seat;
use musterd::engine::{Fold, Ruleset};
use musterd::hex::Hex;
use musterd::rules::lga::amend::Change;
use musterd::rules::lga::event::Event;
use musterd::rules::lga::model::{Arm, Date, Nation, Side, UnitId};
use musterd::rules::lga::order::{Reaction, Standing, Trigger};
use musterd::rules::lga::view::View;
use musterd::rules::lga::{Lga, State, shipped};

use super::fog::{Oracle, compare, holds};
use super::letters_mutation::Chance;
use super::lga_arena;
use crate::common::soak;

struct LgaOracle;

#[derive(Clone, Debug)]
struct Unit {
    at: Option<Hex>,
    garrison: bool,
    morale: i8,
    fatigue: u8,
    supplied: bool,
}

impl Unit {
    const IN_POOL: Self = Self { at: None, garrison: false, morale: 0, fatigue: 0, supplied: true };
}

/// What was done in the campaign, and which sides know of it; when it is over everybody does.
type Deed = (Vec<Side>, String);

#[derive(Clone, Debug)]
struct Truth {
    date: Date,
    turn: u32,
    phasing: Side,
    fought: bool,
    over: bool,
    units: BTreeMap<UnitId, Unit>,
    stacks: BTreeMap<Hex, Vec<UnitId>>,
    control: BTreeMap<Hex, Side>,
    points: BTreeMap<Nation, i32>,
    victory: BTreeMap<Side, i32>,
    standing: BTreeMap<Seat, String>,
    deeds: Vec<Deed>,
    end: String,
}

impl Truth {
    fn unit(&mut self, id: UnitId) -> &mut Unit {
        self.units.get_mut(&id).unwrap()
    }

    fn lift(&mut self, id: UnitId) {
        if let Some(hex) = self.unit(id).at.take() {
            self.stacks.get_mut(&hex).unwrap().retain(|other| *other != id);
        }
        self.stacks.retain(|_, stack| !stack.is_empty());
    }

    fn top(&mut self, id: UnitId, hex: Hex) {
        self.lift(id);
        self.unit(id).at = Some(hex);
        self.stacks.entry(hex).or_default().insert(0, id);
    }

    fn shift(&mut self, id: UnitId, hex: Hex) {
        self.top(id, hex);
        self.unit(id).garrison = false;
    }

    fn destroy(&mut self, id: UnitId) {
        self.lift(id);
        *self.unit(id) = Unit::IN_POOL;
    }

    fn is_of(&self, rules: &Lga, hex: Hex, side: Side) -> bool {
        self.stacks.get(&hex).into_iter().flatten().any(|id| rules.scenario.unit(*id).side == side)
    }

    /// Whether a side has a zone over a hex (manual 3.2): units on land have, garrisons and headquarters don't.
    fn has_zone(&self, rules: &Lga, hex: Hex, side: Side) -> bool {
        let exerts = |id: &UnitId| {
            let spec = rules.scenario.unit(*id);
            spec.side == side && spec.kind.arm != Arm::Hq && !self.units[id].garrison
        };
        let strong = |hex: Hex| self.stacks.get(&hex).is_some_and(|stack| stack.iter().any(exerts));
        let in_play = |hex: &Hex| rules.scenario.in_play(*hex);
        in_play(&hex) && rules.map.neighbours(hex).filter(in_play).any(strong)
    }

    /// Whether a side may see who goes into or out of a hex: in its own turn, and once it was attacked where it stands or has a zone, or
    /// next to that.
    fn watches(&self, rules: &Lga, hex: Hex, side: Side) -> bool {
        let guards = |hex: Hex| self.is_of(rules, hex, side) || self.has_zone(rules, hex, side);
        self.phasing == side || self.fought && (guards(hex) || rules.map.neighbours(hex).any(guards))
    }

    fn amend(&mut self, change: &Change) {
        match *change {
            Change::Morale { unit, morale } => self.unit(unit).morale = morale,
            Change::Fatigue { unit, fatigue } => self.unit(unit).fatigue = fatigue,
            Change::Placed { unit, at, morale, .. } => {
                if self.unit(unit).at.is_none() {
                    *self.unit(unit) = Unit { morale, ..Unit::IN_POOL };
                }
                self.shift(unit, at);
            }
            Change::Topped { unit } => {
                if let Some(at) = self.unit(unit).at {
                    self.top(unit, at);
                }
            }
            Change::Pooled { unit } => self.destroy(unit),
            Change::Garrison { unit, garrison } => self.unit(unit).garrison = garrison,
            Change::Supplied { unit, supplied } => self.unit(unit).supplied = supplied,
            Change::Points { nation, points } => drop(self.points.insert(nation, points)),
            Change::Victory { side, points } => drop(self.victory.insert(side, points)),
            Change::Control { at, side } => drop(self.control.insert(at, side)),
            Change::Moves { .. } | Change::Rallied { .. } => {}
        }
    }

    /// A stack of the enemy's as it is seen: the top unit but the garrison, and how many unless cavalry screens them.
    fn seen(&self, rules: &Lga, stack: &[UnitId]) -> Option<String> {
        let shown: Vec<UnitId> = stack.iter().copied().filter(|id| !self.units[id].garrison).collect();
        let kind = |id: &UnitId| rules.scenario.unit(*id).kind;
        let units: Vec<UnitId> = shown.iter().copied().filter(|id| kind(id).arm != Arm::Hq).collect();
        let counted = if units.is_empty() { shown } else { units };
        let top = counted.first()?;
        let many = if kind(top).arm == Arm::Cavalry { "some".to_owned() } else { counted.len().to_string() };
        Some(format!("{top} of {many}"))
    }
}

impl Oracle for LgaOracle {
    type Rules = Lga;
    type Truth = Truth;

    fn at_start(rules: &Lga) -> Truth {
        let scenario = &rules.scenario;
        let mut truth = Truth {
            date: scenario.start,
            turn: 1,
            phasing: scenario.sides[0].side,
            fought: false,
            over: false,
            units: scenario.units.iter().map(|spec| (spec.id, Unit::IN_POOL)).collect(),
            stacks: BTreeMap::new(),
            control: scenario.control.clone(),
            points: scenario.nations().collect(),
            victory: BTreeMap::new(),
            standing: BTreeMap::new(),
            deeds: Vec::new(),
            end: String::new(),
        };
        for spec in &scenario.units {
            let Some(start) = spec.start else { continue };
            let (at, garrison) = (Some(start.hex), start.garrison);
            let (morale, fatigue) = (start.morale, start.fatigue);
            *truth.unit(spec.id) = Unit { at, garrison, morale, fatigue, supplied: true };
            truth.stacks.entry(start.hex).or_default().push(spec.id);
        }
        truth
    }

    fn happen(rules: &Lga, truth: &mut Truth, event: &Event) {
        let spec = |id: UnitId| rules.scenario.unit(id);
        let text = format!("{} {} {event:?}", truth.date, truth.phasing);
        match event {
            Event::TurnBegan { date, turn, side } => {
                (truth.date, truth.turn, truth.phasing, truth.fought) = (*date, *turn, *side, false);
                for unit in rules.scenario.units.iter().filter(|unit| unit.side == *side) {
                    (truth.unit(unit.id).fatigue, truth.unit(unit.id).supplied) = (0, true);
                }
            }
            Event::Recalled { unit, to } => truth.shift(*unit, *to),
            Event::Counted { side, points, .. } => {
                truth.victory.insert(*side, *points);
                let fielded = truth.units.iter().filter(|(id, unit)| {
                    unit.at.is_some() && spec(**id).side == *side && spec(**id).kind.arm != Arm::Hq
                });
                let morale: Vec<i8> = fielded.map(|(_, unit)| unit.morale).collect();
                let all: i32 = morale.iter().map(|morale| i32::from(*morale)).sum();
                truth.deeds.push((vec![*side], format!("{text} {} {all}", morale.len())));
                truth.deeds.push((vec![Side::French, Side::Allied, Side::Neutral], text));
            }
            Event::Allocated { nation, now, .. } => drop(truth.points.insert(*nation, *now)),
            Event::OutOfSupply { unit, .. } => truth.unit(*unit).supplied = false,
            Event::Mustered { unit, morale, destroyed, .. }
            | Event::Besieged { unit, morale, destroyed, .. } => {
                truth.unit(*unit).morale = *morale;
                if *destroyed {
                    truth.deeds.push((vec![spec(*unit).side], text));
                    truth.destroy(*unit);
                }
            }
            Event::StandingFiled { seat, file } => {
                truth.standing.insert(seat.clone(), format!("{file:?}"));
            }
            Event::Aided { to, points } => {
                *truth.points.entry(Nation::of("britain").unwrap()).or_default() -= i32::from(*points);
                *truth.points.entry(*to).or_default() += i32::from(*points);
            }
            Event::Built { unit, at, cost, morale } => {
                *truth.points.entry(spec(*unit).nation).or_default() -= i32::from(*cost);
                *truth.unit(*unit) = Unit { morale: *morale, ..Unit::IN_POOL };
                truth.top(*unit, *at);
            }
            Event::Rallied { unit, morale, cost } => {
                *truth.points.entry(spec(*unit).nation).or_default() -= i32::from(*cost);
                truth.unit(*unit).morale = *morale;
            }
            Event::Moved { unit, to, captured, .. } => {
                truth.shift(*unit, *to);
                if *captured {
                    let before = truth.control.insert(*to, spec(*unit).side);
                    let taken = format!("{} {} takes {to} of {before:?}", truth.date, truth.phasing);
                    truth.deeds.push((vec![Side::French, Side::Allied, Side::Neutral], taken));
                }
            }
            Event::LongMarch { unit, fatigue, .. } => truth.unit(*unit).fatigue = *fatigue,
            Event::Attacked { attacker, defender, result, .. } => {
                truth.fought = true;
                truth.deeds.push((vec![spec(*attacker).side, spec(*defender).side], text));
                for (id, loss, destroyed) in [
                    (*attacker, result.attacker_loss, result.attacker_destroyed),
                    (*defender, result.defender_loss, result.defender_destroyed),
                ] {
                    let unit = truth.unit(id);
                    (unit.fatigue, unit.morale) = (unit.fatigue.saturating_add(1), unit.morale - loss);
                    if destroyed {
                        truth.destroy(id);
                    }
                }
            }
            Event::Garrisoned { unit, .. } => truth.unit(*unit).garrison = true,
            Event::Topped { unit, at, .. } => truth.top(*unit, *at),
            Event::Reinforced { unit, to, arrived: true, .. } => truth.shift(*unit, *to),
            Event::Withdrew { unit, to, loss, destroyed, .. } => {
                truth.shift(*unit, *to);
                truth.unit(*unit).morale -= loss;
                if *destroyed {
                    truth.deeds.push((vec![spec(*unit).side], text));
                    truth.destroy(*unit);
                }
            }
            Event::Starved { unit, .. } => {
                truth.deeds.push((vec![spec(*unit).side], text));
                truth.destroy(*unit);
            }
            Event::Amended { change } => truth.amend(change),
            Event::Ended { .. } => (truth.over, truth.end) = (true, text),
            Event::Fogged { .. }
            | Event::GarrisonFound { .. }
            | Event::MoveEnded { .. }
            | Event::Reinforced { .. }
            | Event::NotDone { .. } => {}
        }
    }

    fn known(rules: &Lga, truth: &Truth, seat: &Seat) -> String {
        let side = rules.command(seat).unwrap().side;
        let Truth { date, turn, phasing, over, points, victory, end, .. } = truth;
        let at_first = &rules.scenario.control;
        let control: Vec<_> =
            truth.control.iter().filter(|(hex, side)| at_first.get(hex) != Some(*side)).collect();
        let mut known = format!("{date} {turn} {phasing} {over} {end}\n{control:?}\n{points:?} {victory:?}");
        for (id, unit) in truth.units.iter().filter(|(id, _)| rules.scenario.unit(**id).side == side) {
            write!(known, "\n{id} {unit:?}").unwrap();
        }
        for (hex, stack) in &truth.stacks {
            if rules.scenario.unit(stack[0]).side == side {
                write!(known, "\n{hex} {stack:?}").unwrap();
            } else if let Some(seen) = truth.seen(rules, stack) {
                write!(known, "\n{hex} {seen}").unwrap();
            }
        }
        for (_, deed) in truth.deeds.iter().filter(|(sides, _)| *over || sides.contains(&side)) {
            write!(known, "\n{deed}").unwrap();
        }
        write!(known, "\n{:?}", truth.standing.get(seat)).unwrap();
        known
    }

    fn learnt(rules: &Lga, before: &Truth, event: &Event, seat: &Seat) -> Option<String> {
        let side = rules.command(seat)?.side;
        let own = |unit: &UnitId| rules.scenario.unit(*unit).side == side;
        let near = |hex: &Hex| before.watches(rules, *hex, side);
        let whole = || format!("{event:?}");
        match event {
            Event::TurnBegan { .. }
            | Event::Recalled { .. }
            | Event::Counted { .. }
            | Event::Allocated { .. }
            | Event::Aided { .. }
            | Event::Ended { .. } => Some(whole()),
            Event::OutOfSupply { unit, .. }
            | Event::Mustered { unit, .. }
            | Event::Built { unit, .. }
            | Event::Rallied { unit, .. }
            | Event::Fogged { unit, .. }
            | Event::LongMarch { unit, .. }
            | Event::Garrisoned { unit, .. }
            | Event::Topped { unit, because: Some(_), .. }
            | Event::Starved { unit, .. }
            | Event::Besieged { unit, .. } => own(unit).then(whole),
            Event::StandingFiled { seat: of, .. } => (of == seat).then(whole),
            Event::Moved { unit, from, to, captured, .. } => {
                (own(unit) || near(to)).then(|| format!("{unit} goes {from} {to} {captured}"))
            }
            Event::Attacked { attacker, defender, .. } => (own(attacker) || own(defender)).then(whole),
            Event::Topped { because: None, .. } | Event::MoveEnded { .. } | Event::GarrisonFound { .. } => {
                None
            }
            Event::Reinforced { unit, from, to, arrived, .. } => match own(unit) {
                true => Some(whole()),
                false => (*arrived && near(to)).then(|| format!("{unit} comes {from} {to}")),
            },
            Event::Withdrew { unit, from, to, .. } => match own(unit) {
                true => Some(whole()),
                false => near(from).then(|| format!("{unit} withdraws {from} {to}")),
            },
            Event::NotDone { seat: of, line, order, .. } => (of == seat).then(|| format!("{line} {order}")),
            Event::Amended { change } => match of_unit(change) {
                Some(unit) if !own(&unit) => {
                    let mut after = before.clone();
                    after.amend(change);
                    let seen = Self::known(rules, before, seat) != Self::known(rules, &after, seat);
                    seen.then(|| "something".to_owned())
                }
                _ => Some(whole()),
            },
        }
    }

    fn reason(event: &Event) -> String {
        match event {
            Event::NotDone { reason, .. } => reason.clone(),
            _ => String::new(),
        }
    }

    fn change(rules: &Lga, truth: &Truth, chance: &mut Chance) -> Vec<Event> {
        let on_map: Vec<UnitId> =
            truth.units.keys().copied().filter(|id| truth.units[id].at.is_some()).collect();
        if truth.over || on_map.is_empty() {
            return Vec::new();
        }
        let unit = *chance.pick(&on_map);
        let spec = rules.scenario.unit(unit);
        let at = truth.units[&unit].at.unwrap();
        let most = rules.stats(spec.kind).max_morale;
        let morale = i8::try_from(1 + chance.below(usize::try_from(most.max(1)).unwrap())).unwrap().min(most);
        let nearby: Vec<Hex> = rules.map.neighbours(at).collect();
        let friends: Vec<Hex> =
            truth.stacks.keys().copied().filter(|hex| truth.is_of(rules, *hex, spec.side)).collect();
        let city = rules.map.area(at).is_some_and(|area| area.city.is_some());
        let garrisons: Vec<UnitId> = on_map.iter().copied().filter(|id| truth.units[id].garrison).collect();
        let change = match chance.below(11) {
            0 | 1 => Change::Morale { unit, morale },
            2 => Change::Fatigue { unit, fatigue: u8::try_from(chance.below(4)).unwrap() },
            3 => Change::Moves { unit, left: u8::try_from(chance.below(2)).unwrap() },
            4 => Change::Topped { unit },
            5 => Change::Supplied { unit, supplied: chance.below(2) == 0 },
            6 if city && spec.kind.arm.can_garrison() => {
                Change::Garrison { unit, garrison: !truth.units[&unit].garrison }
            }
            7 => {
                // Somebody out of the pool, or from elsewhere, under those who stand somewhere.
                let pool = rules.scenario.units.iter().filter(|other| other.side == spec.side);
                let mover = *chance.pick(&pool.map(|spec| spec.id).collect::<Vec<_>>());
                let (to, left) = (*chance.pick(&friends), rules.stats(spec.kind).moves.min(1));
                let top = truth.stacks[&to][0];
                let changes =
                    [Change::Placed { unit: mover, at: to, morale: 1, left }, Change::Topped { unit: top }];
                return changes.map(|change| Event::Amended { change }).to_vec();
            }
            8 => Change::Pooled { unit },
            9 | 10 if !garrisons.is_empty() => {
                // Somebody out of the pool is the garrison instead.
                let old = *chance.pick(&garrisons);
                let (side, at) = (rules.scenario.unit(old).side, truth.units[&old].at.unwrap());
                let fresh = rules.scenario.units.iter().filter(|other| {
                    other.side == side && other.kind.arm.can_garrison() && truth.units[&other.id].at.is_none()
                });
                let fresh: Vec<UnitId> = fresh.map(|spec| spec.id).collect();
                let (Some(unit), top) = (fresh.first().copied(), truth.stacks[&at][0]) else {
                    return Vec::new();
                };
                let mut changes = vec![
                    Change::Pooled { unit: old },
                    Change::Placed { unit, at, morale: 1, left: 1 },
                    Change::Garrison { unit, garrison: true },
                ];
                changes.extend((top != old).then_some(Change::Topped { unit: top }));
                return changes.into_iter().map(|change| Event::Amended { change }).collect();
            }
            _ => {
                let seats: Vec<&Seat> = rules.seats().iter().map(|spec| &spec.seat).collect();
                let to = *chance.pick(&nearby);
                let standing = Standing {
                    line: format!("WITHDRAW {unit} TO {to} WHEN {unit} ATTACKED"),
                    reaction: Reaction::Withdraw { unit, to },
                    when: Trigger::UnitAttacked { unit },
                };
                let own =
                    rules.seat_of(spec.nation).map_or_else(|| seats[0].clone(), |spec| spec.seat.clone());
                return vec![Event::StandingFiled { seat: own, file: vec![standing] }];
            }
        };
        vec![Event::Amended { change }]
    }

    fn is_sound(rules: &Lga, state: &State) -> bool {
        state.faults(rules).is_empty()
    }

    fn anything(rules: &Lga, view: &View, chance: &mut Chance) -> String {
        let own: Vec<UnitId> = view.own.keys().copied().collect();
        let enemies: Vec<Hex> = view.enemies.keys().copied().collect();
        let cities: Vec<Hex> = rules.map.cities().map(|(hex, _)| hex).collect();
        let names: Vec<&str> = rules.scenario.units.iter().map(|spec| spec.name.as_str()).collect();
        let mut text = String::new();
        for id in &own {
            if chance.below(3) > 0 {
                continue;
            }
            let near: Vec<Hex> = rules.map.neighbours(view.own[id].hex).collect();
            let to = match chance.below(4) {
                0 if !enemies.is_empty() => *chance.pick(&enemies),
                1 => *chance.pick(&cities),
                _ if near.is_empty() => *chance.pick(&cities),
                _ => *chance.pick(&near),
            };
            let line = match chance.below(8) {
                0..=2 => format!("MOVE {id} TO {to}"),
                3 | 4 => format!("ATTACK {id} {to}"),
                5 => format!("ATTACK {id} {}", chance.pick(&names)),
                6 => format!("RALLY {id}"),
                _ => format!("GARRISON {id}"),
            };
            writeln!(text, "{line}").unwrap();
        }
        text
    }
}

fn of_unit(change: &Change) -> Option<UnitId> {
    match change {
        Change::Morale { unit, .. }
        | Change::Fatigue { unit, .. }
        | Change::Moves { unit, .. }
        | Change::Placed { unit, .. }
        | Change::Topped { unit }
        | Change::Pooled { unit }
        | Change::Garrison { unit, .. }
        | Change::Supplied { unit, .. }
        | Change::Rallied { unit, .. } => Some(*unit),
        Change::Points { .. } | Change::Victory { .. } | Change::Control { .. } => None,
    }
}

fn rules(scenario: &str, seats: &[&str]) -> Lga {
    let seats: Vec<Seat> = seats.iter().map(|seat| seat.parse().unwrap()).collect();
    Lga::from_files(&shipped(scenario).unwrap(), &seats).unwrap()
}

#[test]
fn a_side_learns_nothing_that_is_hidden_from_it() {
    for scenario in ["austrian-1805", "waterloo-1815"] {
        holds::<LgaOracle>(&lga_arena::rules(scenario), soak::seeds(1..2), 7, [40, 120, 8, 2]);
    }
}

#[test]
fn seats_of_a_shared_side_learn_nothing_that_is_hidden_from_them() {
    let rules = rules("austrian-1805", &["french", "allied.austria", "allied.russia-britain"]);
    holds::<LgaOracle>(&rules, soak::seeds(3..4), 6, [60, 200, 8, 2]);
}

/// Morale and fatigue at the start, who is the garrison, and who is below the top are the enemy's own.
#[test]
fn a_campaign_that_was_founded_on_other_hidden_facts_looks_the_same() {
    let files = shipped("austrian-1805").unwrap();
    let load = |changes: &[(&str, &str)]| {
        let mut files = files.clone();
        let text = files.0.get_mut("scenario.yaml").unwrap();
        for (old, new) in changes {
            assert!(text.contains(old), "no `{old}`");
            *text = text.replace(old, new);
        }
        Lga::from_files(&files, &[]).unwrap()
    };
    let twins = [
        (
            "{name: Mack 2, type: militia, at: \"1507\", garrison: true}",
            "{name: Mack 2, type: militia, at: \"1507\", garrison: true, morale: 1}",
        ),
        (
            "{name: Italy 4, type: militia, at: \"1410\"}",
            "{name: Italy 4, type: militia, at: \"1410\", morale: 1, fatigue: 1}",
        ),
        (
            "{name: VI Ney, type: infantry, at: \"1203\", garrison: true}",
            "{name: VI Ney, type: infantry, at: \"1203\", garrison: true, morale: 1}",
        ),
    ];
    let (plain, mut turns) = (load(&[]), 0);
    for (seed, change) in soak::seeds(0..6).zip(twins.iter().cycle()) {
        let other = load(std::slice::from_ref(change));
        turns += compare::<LgaOracle>(&plain, &other, seed, 4).unwrap_or_else(|leak| panic!("{leak}")).turns;
    }
    assert!(soak::is_enough(turns > 12), "{turns} turns were alike");
}

/// What is folded here is the position that the rules have: otherwise what follows from it means little.
#[test]
fn the_oracle_follows_the_campaign() {
    let rules = lga_arena::rules("austrian-1805");
    let entries = super::contract::played::<super::contract::LgaSpecimen>(1, 99);
    let (mut state, mut truth, mut events) = (rules.found(), LgaOracle::at_start(&rules), 0);
    for entry in entries {
        let musterd::engine::journal::Cause::Adjudicated { events: all, .. } = entry.cause else { continue };
        for event in all {
            let event: Event = serde_json::from_value(event).unwrap();
            rules.apply(&mut state, &event);
            LgaOracle::happen(&rules, &mut truth, &event);
            events += 1;
        }
        for spec in rules.seats() {
            let view = rules.view(&state, &spec.seat);
            let fielded = truth
                .units
                .iter()
                .filter(|(id, unit)| unit.at.is_some() && rules.scenario.unit(**id).side == view.side);
            let told: Vec<_> = fielded
                .map(|(id, unit)| {
                    (*id, unit.at.unwrap(), unit.garrison, unit.morale, unit.fatigue, unit.supplied)
                })
                .collect();
            let is: Vec<_> = view
                .own
                .values()
                .map(|unit| (unit.id, unit.hex, unit.garrison, unit.morale, unit.fatigue, unit.supplied))
                .collect();
            assert_eq!(told, is, "{}", truth.date);
            assert_eq!(view.control, truth.control);
            assert_eq!(view.points.iter().collect::<BTreeMap<_, _>>(), truth.points);
        }
    }
    assert!(events > 300, "{events} events");
}
