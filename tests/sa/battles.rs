//! Random battles of The Shattered Alliance between random armies on random fields, played to their end by commanders who try everything: after
//! every event units, men and army morale must hang together, and nobody may learn what is hidden.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use musterd_dice::{Seat, Stream};
use musterd_engine::files::RuleFiles;
use musterd_engine::founding::OPTIONS_FILE;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Placed, Reading};
use musterd_engine::{Awaiting, Fold, Input, Ruleset, Scribe};
use musterd_sa::event::{Blow, Cause, Ending, Event};
use musterd_sa::model::{Missile, Side, Spell, UnitId, Way};
use musterd_sa::order::{Act, Order, Stance, Task, Trigger};
use musterd_sa::read::written;
use musterd_sa::view::View;
use musterd_sa::{Position, SHIPPED, Sa, State, deed, law};

use crate::common::{Loose, soak};

/// Adjudications at most: a battle has a nightfall.
const MOST_STEPS: u32 = 80;

/// Numbers from a seed, for making things up.
pub(super) struct Fancy(Stream);

impl Fancy {
    pub(super) fn new(seed: u32) -> Self {
        let Loose(seed) = Loose::numbered(seed);
        Self(Stream::new(&seed, &"1/test/fancy/x/0".parse().unwrap()))
    }

    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.0.die(n) - 1
    }

    pub(super) fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(u32::try_from(list.len()).unwrap()) as usize]
    }

    pub(super) fn chance(&mut self, one_in: u32) -> bool {
        self.below(one_in) == 0
    }

    fn hex(&mut self, (columns, rows): (u32, u32)) -> Hex {
        let number = |n: u32| u8::try_from(n).unwrap();
        Hex::new(number(1 + self.below(columns)), number(1 + self.below(rows)))
    }
}

const FOOT: [&str; 5] = ["HI", "LHI", "MI", "LMI", "LI"];
const HORSE: [&str; 4] = ["EHC", "HC", "MC", "LC"];
const TRIBES: [&str; 9] =
    ["Northwold", "Valkyrie", "Unicorn", "Elf", "Centaur", "Dwarf", "Zorg", "Demon", "Lizardman"];

/// A scenario file: any ground, any troops, arrivals, deserters, and in some a wizard.
pub(super) fn battle(seed: u32) -> String {
    let mut fancy = Fancy::new(seed);
    let (columns, rows) = (6 + fancy.below(8), 7 + fancy.below(7));
    let mut text = format!("id: random\ntitle: Random {seed}\nsituation: A random field.\n");
    writeln!(text, "nightfall: {}\nfield:\n  rows:", fancy.of(&[24, 48, 96, 144])).unwrap();
    let grounds = ['.', '.', '.', '.', 'f', 'F', 'n', 'N', '^', '~', 'H'];
    for row in 1..=rows {
        let mut line = String::new();
        for _ in 1..=columns {
            // Armies start on plain ground.
            let edge = row <= 2 || row > rows - 2;
            let sign = fancy.of(&grounds);
            line.push(if edge { '.' } else { sign });
        }
        writeln!(text, "    - \"{line}\"").unwrap();
    }
    let hunted = fancy.chance(4);
    text.push_str("sides:\n");
    for (letter, home, front) in [("a", "south", rows - 1), ("b", "north", 1)] {
        writeln!(text, "  - seat: side-{letter}\n    name: Side {letter}\n    home: {home}").unwrap();
        let magic = fancy.of(&[0, 3, 12, 30]);
        writeln!(text, "    magic: {magic}").unwrap();
        writeln!(text, "    zone: [\"01{front:02}-{columns:02}{:02}\"]", front + 1).unwrap();
        text.push_str("    army:\n");
        let mut lines = ["arrives", "deserts", "waits", "at"].map(|key| format!("    {key}:\n"));
        let mut free: Vec<(u32, u32)> =
            (1..=columns).flat_map(|col| [(col, front), (col, front + 1)]).collect();
        for number in 1..=3 + fancy.below(9) {
            let place = fancy.below(u32::try_from(free.len()).unwrap()) as usize;
            let (col, row) = free.swap_remove(place);
            let wizard = hunted && letter == "b" && number == 1;
            let name = if wizard { "Wizard".to_owned() } else { format!("Unit {number}") };
            let (kind, weapon) = match fancy.chance(2) || wizard {
                true => (fancy.of(&HORSE), fancy.of(&["lance", "javelin", "sword"])),
                false => (fancy.of(&FOOT), fancy.of(&["pike", "lspear", "javelin", "twohand", "sword"])),
            };
            let shield = weapon != "twohand" && fancy.chance(2);
            let (tribe, class) = (fancy.of(&TRIBES), fancy.of(&["A", "B", "C", "D"]));
            write!(
                text,
                "      - {{name: {name}, tribe: {tribe}, type: {kind}, class: {class}, melee: {weapon}, "
            )
            .unwrap();
            write!(text, "shield: {shield}, men: {}", fancy.of(&[1, 12, 100, 450, 900, 2500])).unwrap();
            if fancy.chance(2) {
                write!(text, ", missile: {}", fancy.of(&["javelin", "rocks", "bow"])).unwrap();
            }
            text.push_str("}\n");
            if !wizard && fancy.chance(10) {
                let point = 1 + fancy.below(20);
                writeln!(lines[0], "      {name}: {{point: {point}, at: \"{col:02}{row:02}\"}}").unwrap();
                continue;
            }
            if !wizard && fancy.chance(10) {
                writeln!(lines[1], "      {name}: {{point: {}, most: 3}}", 1 + fancy.below(20)).unwrap();
                writeln!(lines[2], "      {name}: 15").unwrap();
            }
            writeln!(lines[3], "      {name}: [\"{col:02}{row:02}\"]").unwrap();
        }
        let hexes: Vec<String> =
            free.iter().take(3).map(|(col, row)| format!("\"{col:02}{row:02}\"")).collect();
        lines.iter().filter(|lines| lines.lines().count() > 1).for_each(|lines| text.push_str(lines));
        if hunted && letter == "b" {
            text.push_str(if magic > 0 { "    casters: [Wizard]\n" } else { "" });
            let hunt =
                format!("hunt: {{wizard: Wizard, leaves: 20, cost: 2, likenesses: [{}]}}", hexes.join(", "));
            writeln!(text, "{hunt}").unwrap();
        }
    }
    text
}

/// The options of a game.
fn options(seed: u32) -> String {
    let mut fancy = Fancy::new(seed ^ 0x0f);
    let block = 4 + fancy.below(33);
    let mut text = format!("block: {block}\n");
    for (option, values) in [
        ("edition", &["apple", "atari"][..]),
        ("initial", &["turns", "together"]),
        ("terrain_penalty", &["opponent", "self", "attacker"]),
        ("spell_cap", &["1", "3", "none"]),
        ("wizard", &["casts", "placed"]),
        ("hunt", &["on", "off"]),
        ("size_a", &["normal", "raised-double"]),
    ] {
        writeln!(text, "{option}: {}", fancy.of(values)).unwrap();
    }
    text
}

pub(super) fn rules(scenario: &str, options: &str) -> Sa {
    let shared = SHIPPED.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
    let files = shared.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let own = [("scenario.yaml", scenario), (OPTIONS_FILE, options)];
    let files = files.chain(own.map(|(path, text)| (path.to_owned(), text.to_owned()))).collect();
    Sa::from_files(&RuleFiles(files), &[]).unwrap_or_else(|errors| panic!("{errors}\n{scenario}\n{options}"))
}

/// Anything that a unit can be told to do.
pub(super) fn act(fancy: &mut Fancy, rules: &Sa) -> Act {
    let field = &rules.battle().field;
    let hex = fancy.hex((field.columns.into(), field.rows.into()));
    let foe = fancy.of(&rules.battle().units.iter().map(|spec| spec.id).collect::<Vec<_>>());
    let way = fancy.of(&Way::ALL);
    match fancy.below(20) {
        0 | 1 => Act::Move(way),
        2 => Act::Again,
        3..=5 => Act::To(hex),
        6 => Act::Hold,
        7 => Act::Until(u16::try_from(fancy.below(60)).unwrap()),
        8 => Act::Contact,
        9 => Act::Strike(way),
        10..=13 => Act::Attack(foe),
        14 | 15 => Act::Fire(foe),
        16 => Act::FireAt(hex),
        17 => Act::Cast(fancy.of(&Spell::ALL), fancy.below(5)),
        18 => Act::Liken(way),
        _ => Act::Leave,
    }
}

fn stance(fancy: &mut Fancy, rules: &Sa) -> Stance {
    let field = &rules.battle().field;
    let hex = fancy.hex((field.columns.into(), field.rows.into()));
    fancy.of(&[
        Stance::Advance(None),
        Stance::Advance(Some(hex)),
        Stance::Hold,
        Stance::Skirmish,
        Stance::Charge,
        Stance::Charge,
        Stance::Charge,
        Stance::Charge,
        Stance::Avoid,
    ])
}

/// Orders of somebody who tries everything.
pub(super) fn wild(fancy: &mut Fancy, rules: &Sa, view: &View) -> Reading<Order> {
    let mut orders = Vec::new();
    // The engine takes whatever there is; the language has fewer things to say, and its reader keeps what the commander can mean.
    let spoken = fancy.chance(2);
    for id in &view.own {
        let units = vec![*id];
        let when = fancy.chance(4).then(|| fancy.of(&Trigger::ALL));
        if view.real == Some(*id) && fancy.chance(2) {
            let tasks = vec![Task::plain(Act::Liken(fancy.of(&Way::ALL)))];
            orders.push(Order::Do { units, tasks });
            continue;
        }
        match fancy.below(8) {
            0..=2 => {
                let task = |act| match act {
                    Act::Cast(spell, points) => Task::cast(spell, points, when),
                    act => Task::plain(act),
                };
                let tasks = (0..1 + fancy.below(4)).map(|_| task(act(fancy, rules))).collect();
                orders.push(Order::Do { units, tasks });
            }
            3 | 4 => orders.push(Order::Stance { units, stance: stance(fancy, rules) }),
            5 => {
                let stance = (!fancy.chance(4)).then(|| stance(fancy, rules));
                orders.push(Order::On { units, trigger: fancy.of(&Trigger::ALL), stance });
            }
            6 if fancy.chance(4) => orders.push(Order::Clear { units }),
            _ => {
                let field = &rules.battle().field;
                let at = fancy.hex((field.columns.into(), field.rows.into()));
                orders.push(Order::Deploy { unit: *id, at });
            }
        }
    }
    orders.push(Order::Detail(fancy.chance(2)));
    if spoken {
        let mut lines: Vec<String> = orders.iter().flat_map(written).collect();
        let cut = fancy.below(u32::try_from(lines.len()).unwrap()) as usize;
        let word = lines[cut].split(' ').next().unwrap_or_default().to_owned();
        lines.push(format!("{word} 1 99 B77 WHEN"));
        return rules.read_orders(view, &lines.join("\n"));
    }
    let placed = (1..).zip(orders).map(|(line, order)| Placed { line, order }).collect();
    Reading { orders: placed, remarks: Vec::new() }
}

/// What came to pass.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    events: usize,
    fights: usize,
    volleys: usize,
    answers: usize,
    routs: usize,
    losses: usize,
    rallies: usize,
    likenesses: usize,
    vanished: usize,
    spells: usize,
    triggers: usize,
    retreats: usize,
    hunts: usize,
}

impl Count {
    fn note(&mut self, event: &Event) {
        self.events += 1;
        match event {
            Event::Fought { .. } => self.fights += 1,
            Event::Fired { answered, .. } => {
                self.volleys += 1;
                self.answers += usize::from(*answered);
            }
            Event::Routed { cause, .. } => {
                self.routs += 1;
                self.losses += usize::from(*cause == Cause::Losses);
            }
            Event::Rallied { .. } => self.rallies += 1,
            Event::Likened { .. } => self.likenesses += 1,
            Event::Vanished { .. } => self.vanished += 1,
            Event::Cast { .. } => self.spells += 1,
            Event::Triggered { .. } => self.triggers += 1,
            Event::Ended { outcome } => match outcome.ending {
                Ending::Retreat(_) => self.retreats += 1,
                Ending::Nightfall => {}
                Ending::WizardDead | Ending::WizardRan | Ending::WizardGone | Ending::WizardLives => {
                    self.hunts += 1;
                }
            },
            _ => {}
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            events: self.events + other.events,
            fights: self.fights + other.fights,
            volleys: self.volleys + other.volleys,
            answers: self.answers + other.answers,
            routs: self.routs + other.routs,
            losses: self.losses + other.losses,
            rallies: self.rallies + other.rallies,
            likenesses: self.likenesses + other.likenesses,
            vanished: self.vanished + other.vanished,
            spells: self.spells + other.spells,
            triggers: self.triggers + other.triggers,
            retreats: self.retreats + other.retreats,
            hunts: self.hunts + other.hunts,
        }
    }
}

/// The unit whose time an event takes.
fn actor(event: &Event) -> Option<UnitId> {
    match event {
        Event::Moved { unit, .. }
        | Event::Held { unit, .. }
        | Event::Fled { unit, .. }
        | Event::Cornered { unit, .. }
        | Event::Cast { unit, .. }
        | Event::Likened { unit, .. } => Some(*unit),
        Event::Fought { attacker, .. } | Event::Fired { attacker, .. } => Some(attacker.unit),
        _ => None,
    }
}

/// A battle as all its seats see it.
struct Watch<'a> {
    rules: &'a Sa,
    seats: [Seat; 2],
    morale: i32,
    /// Who has acted at this time-point.
    acted: BTreeSet<UnitId>,
}

impl Watch<'_> {
    /// What must hold of an event, before it happens.
    fn before(&mut self, state: &State, event: &Event) {
        let views = self.seats.each_ref().map(|seat| self.rules.view(state, seat));
        let position = &views[0].position;
        if let Some(unit) = actor(event) {
            let place = self.rules.battle().index(unit).unwrap();
            assert!(position.units[place].at.is_some(), "{unit} is not on the field: {event:?}");
            assert!(position.units[place].next <= position.point, "{unit} is not due: {event:?}");
            assert!(self.acted.insert(unit), "{unit} acts twice at {}: {event:?}", position.point);
        }
        self.is_settled(position, event);
        self.is_lawful(position, event);
        match event {
            Event::Ticked { point } | Event::Paused { point } => {
                assert!((position.point..=self.rules.battle().nightfall).contains(point), "{event:?}");
                self.acted.clear();
            }
            Event::Skipped { unit, act, why } => {
                let place = self.rules.battle().index(*unit).unwrap();
                let real = views[unit.side.index()].real;
                let law = deed::by_order(self.rules, position, real, place, *act);
                assert_eq!(law.map(|_| ()), Err(*why), "{event:?}");
            }
            Event::Routed { unit, .. } => {
                let place = self.rules.battle().index(*unit).unwrap();
                assert!(position.units[place].is_steady(), "{unit} can't rout: {event:?}");
            }
            _ => {}
        }
        for (side, seat) in Side::ALL.into_iter().zip(&self.seats) {
            let told = serde_json::to_string(&self.rules.witness(state, event, seat)).unwrap();
            let hidden = ["told", "skipped", "waited", "done", "triggered"];
            let other = side.other().letter();
            let leak = hidden
                .iter()
                .any(|what| told.starts_with(&format!("{{\"seen\":{{\"{what}\":{{\"unit\":\"{other}")));
            let wizard = told.contains("\"real\":\"")
                && self.rules.battle().hunt.is_some_and(|hunt| hunt.side != side);
            assert!(!leak && !wizard, "{seat} is told {told}");
        }
    }

    /// Nothing happens on while a unit without men stands on the field or an army's morale is gone: units leave, or the battle ends.
    fn is_settled(&self, position: &Position, event: &Event) {
        if matches!(event, Event::Left { .. } | Event::Vanished { .. }) {
            return;
        }
        for (place, unit, at) in position.fielded() {
            let id = self.rules.battle().units[place].id;
            assert!(unit.men > 0, "{id} stands in {at} without men: {event:?}");
        }
        let is_gone = position.morale.iter().any(|morale| *morale <= 0);
        assert!(!is_gone || matches!(event, Event::Ended { .. }), "{:?}: {event:?}", position.morale);
    }

    /// Where units may move, fight, fire and cast, told again without the law that decided it.
    fn is_lawful(&self, position: &Position, event: &Event) {
        let place = |id: UnitId| self.rules.battle().index(id).unwrap();
        let at = |id: UnitId| position.units[place(id)].at.unwrap();
        let apart = |one: &Blow, other: &Blow| at(one.unit).distance(at(other.unit));
        let flies = |id: UnitId| match self.rules.battle().units[place(id)].missile {
            None => 0,
            Some(Missile::Javelin) => 1,
            Some(Missile::Rocks) => 2,
            Some(Missile::Bow) => 3,
        };
        let has = |side: Side, points: u32| points <= position.magic[side.index()];
        match event {
            Event::Moved { unit, to, .. } | Event::Fled { unit, to, .. } => {
                assert_eq!(at(*unit).distance(*to), 1, "{event:?}");
            }
            Event::Fought { attacker, defender, .. } => assert_eq!(apart(attacker, defender), 1, "{event:?}"),
            Event::Fired { attacker, defender, answered, .. } => {
                let apart = apart(attacker, defender);
                assert!((1..=flies(attacker.unit)).contains(&apart), "{event:?}");
                assert_eq!(*answered, apart <= flies(defender.unit), "{event:?}");
                let blocked = law::blocked(self.rules, position, at(attacker.unit), at(defender.unit));
                assert_eq!(blocked, None, "{event:?}");
            }
            Event::Cast { unit, points, .. } => {
                assert!(has(unit.side, *points), "{event:?}");
                assert!(self.rules.choices().cap.is_none_or(|cap| *points <= cap), "{event:?}");
            }
            Event::Likened { unit, points, .. } => assert!(has(unit.side, *points), "{event:?}"),
            _ => {}
        }
    }

    /// What must hold of a position after an event.
    fn after(&self, before: &View, state: &State, event: &Event) {
        let (battle, after) = (self.rules.battle(), self.rules.view(state, &self.seats[0]));
        let position = &after.position;
        let mut stands = BTreeMap::new();
        for (place, unit, at) in position.fielded() {
            let spec = &battle.units[place];
            assert!(self.rules.numbers().cost(spec.kind, battle.field.terrain(at)).is_some(), "{event:?}");
            assert_eq!(position.unit_at(self.rules, at), Some(place), "{event:?}");
            assert!(stands.insert(at, spec.id).is_none(), "two stand in {at}: {event:?}");
            assert!(unit.next <= position.point + 60, "{} waits too long: {event:?}", spec.id);
        }
        assert_eq!(position.board.iter().flatten().count(), stands.len(), "{event:?}");
        let grown = position.units.iter().zip(&before.position.units).any(|(own, was)| own.men > was.men);
        assert!(!grown || matches!(event, Event::Likened { .. }), "men grow: {event:?}");
        assert_eq!(position.morale.iter().sum::<i32>(), self.morale, "{event:?}");
        for side in Side::ALL {
            let spent = match event {
                Event::Cast { unit, points, .. } | Event::Likened { unit, points, .. }
                    if unit.side == side =>
                {
                    *points
                }
                _ => 0,
            };
            let had = before.position.magic[side.index()];
            assert_eq!(position.magic[side.index()] + spent, had, "{event:?}");
        }
    }
}

/// One battle.
fn play(seed: u32) -> Count {
    let (scenario, options) = (battle(seed), options(seed));
    let rules = rules(&scenario, &options);
    let mut fancy = Fancy::new(seed ^ 0x5eed);
    let mut dice = Loose::numbered(seed);
    let mut state = rules.found();
    let seats = ["side-a", "side-b"].map(|seat| seat.parse::<Seat>().unwrap());
    let morale = rules.view(&state, &seats[0]).position.morale.iter().sum();
    let mut watch = Watch { rules: &rules, seats, morale, acted: BTreeSet::new() };
    let mut count = Count::default();
    for t in 1..=MOST_STEPS {
        if let Awaiting::Over { results } = rules.awaiting(&state) {
            assert_eq!(results.len(), 3, "{seed}: {results:?}");
            let View { position, outcome, .. } = rules.view(&state, &watch.seats[0]);
            let (point, nightfall) = (position.point, rules.battle().nightfall);
            assert!(point <= nightfall, "{seed} went on after nightfall");
            let is_night = matches!(outcome.unwrap().ending, Ending::Nightfall | Ending::WizardLives);
            assert!(point == nightfall || !is_night, "{seed}: night fell at {point}");
            return count;
        }
        let orders = watch.seats.iter().filter(|_| !fancy.chance(5)).cloned().collect::<Vec<_>>();
        let orders: BTreeMap<Seat, Reading<Order>> = orders
            .into_iter()
            .map(|seat| {
                let reading = wild(&mut fancy, &rules, &rules.view(&state, &seat));
                (seat, reading)
            })
            .collect();
        let mut scribe = Scribe::new(&rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders });
        let written = watch.seats.each_ref().map(|seat| rules.view(scribe.state(), seat));
        for event in scribe.finish() {
            watch.before(&state, &event);
            let before = rules.view(&state, &watch.seats[0]);
            rules.apply(&mut state, &event);
            watch.after(&before, &state, &event);
            let stored = serde_json::to_string(&event).unwrap();
            assert_eq!(serde_json::from_str::<Event>(&stored).unwrap(), event, "{stored}");
            count.note(&event);
        }
        assert_eq!(watch.seats.each_ref().map(|seat| rules.view(&state, seat)), written, "{seed}, {t}");
        let is_gone = written[0].position.morale.iter().any(|morale| *morale <= 0);
        let is_over = matches!(rules.awaiting(&state), Awaiting::Over { .. });
        assert!(is_over || !is_gone, "{seed} goes on though {:?}", written[0].position.morale);
    }
    panic!("battle {seed} has no end\n{scenario}")
}

#[test]
fn a_thousand_random_battles_run_to_an_end_and_hang_together() {
    const THREADS: u32 = 2;
    let count = std::thread::scope(|scope| {
        let part = |thread| {
            move || {
                let seeds = (thread..1000).step_by(THREADS as usize).map(soak::seed);
                seeds.map(play).fold(Count::default(), Count::and)
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(part(thread))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Count>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).fold(Count::default(), Count::and)
    });
    let Count { events, fights, volleys, answers, routs, losses, rallies, .. } = count;
    assert!(
        soak::is_enough(events > 50_000 && fights > 2_000 && volleys > 2_000 && answers > 500),
        "{count:?}"
    );
    assert!(soak::is_enough(routs > 300 && losses > 200 && rallies > 50), "{count:?}");
    let Count { likenesses, vanished, spells, triggers, retreats, hunts, .. } = count;
    assert!(soak::is_enough(likenesses > 20 && vanished > 20 && spells > 100 && triggers > 100), "{count:?}");
    assert!(soak::is_enough(retreats > 70 && hunts > 50), "{count:?}");
}
