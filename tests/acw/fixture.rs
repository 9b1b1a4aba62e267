//! Small battles made in code, and parts of their turns with dice that fall as a case says.
#![allow(dead_code, reason = "each test binary uses some of it")]

use std::collections::BTreeMap;

use musterd_acw::battle::{Army, Battle, BrigadeSpec, Commander, Hour, HqSpec, Map, Setting, Start};
use musterd_acw::event::{Change, Event};
use musterd_acw::model::{
    Arm, Branch, BrigadeId, Echelon, Edge, HqId, Light, Profile, Side, UnitId, Weather,
};
use musterd_acw::numbers::{Ground, Gun, Numbers, SmallArms};
use musterd_acw::options::Choices;
use musterd_acw::order::{Act, Command, Order};
use musterd_acw::view::View;
use musterd_acw::{Acw, Brigade, Hq, State, drill};
use musterd_dice::{Label, Roller, Seat};
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Placed, Reading};
use musterd_engine::{Fold, Input, Ruleset, Scribe};

use crate::common::script::Script;

/// The ground of a kind.
pub(crate) fn ground(numbers: &Numbers, name: &str) -> Ground {
    numbers.grounds().find(|(_, other, _)| *other == name).unwrap_or_else(|| panic!("no {name}")).0
}

/// A hex by its four digits.
pub(crate) fn hex(text: &str) -> Hex {
    text.parse().unwrap()
}

/// Brigades of the two sides by their numbers.
pub(crate) const fn a(number: u8) -> BrigadeId {
    BrigadeId::new(Side::A, number)
}

pub(crate) const fn b(number: u8) -> BrigadeId {
    BrigadeId::new(Side::B, number)
}

/// A battle in the making.
pub(crate) struct Field {
    pub(crate) numbers: Numbers,
    pub(crate) battle: Battle,
    pub(crate) choices: Choices,
}

impl Field {
    /// Twenty by twenty hexes of one kind of ground, thirty clear hours of daylight, an army on either side: A's edge is in the west, B's in the east, and
    /// their headquarters are in the corners there.
    pub(crate) fn of(name: &str) -> Self {
        let numbers = Numbers::shipped();
        let mut map = Map::of(20, 20, ground(&numbers, name));
        map.title = "A field".to_owned();
        let hour = |hour: u8| Hour {
            day: "1 May 1862".to_owned(),
            hour: hour % 24,
            light: Light::Day,
            weather: Weather::Clear,
            still: false,
        };
        let battle = Battle {
            title: "A field".to_owned(),
            setting: Setting::Own,
            date: "1 May 1862".to_owned(),
            situation: "Two armies meet.".to_owned(),
            sources: String::new(),
            map,
            hours: (6..36).map(hour).collect(),
            objectives: Vec::new(),
            radio: false,
            exposed: true,
            armies: [army(Side::A), army(Side::B)],
        };
        Self { numbers, battle, choices: Choices::USUAL }
    }

    /// A typical brigade: 1,800 infantry of experience 5 under leadership 5, four regiments with rifle muskets, no guns; changed as a case wants.
    pub(crate) fn add(&mut self, side: Side, at: &str, change: impl FnOnce(&mut BrigadeSpec)) -> BrigadeId {
        let army = &mut self.battle.armies[side.index()];
        let id = BrigadeId::new(side, u8::try_from(army.brigades.len() + 1).unwrap());
        let mut spec = BrigadeSpec {
            id,
            name: format!("Brigade {id}"),
            unit: String::new(),
            commander: format!("Colonel {id}"),
            arm: Arm::Infantry,
            men: 1800,
            regiments: 4,
            arms: Some(self.numbers.small_arms["rifle-musket"].clone()),
            guns: None,
            experience: 5,
            leadership: 5,
            look: None,
            over: HqId::army(side),
            start: Start { turn: 0, at: hex(at) },
            facing: None,
            column: false,
            cohesion: 6,
            encamped: false,
            shattered: false,
            works: 0,
            objective: None,
        };
        change(&mut spec);
        army.brigades.push(spec);
        id
    }

    /// A division headquarters under the army, standing with the first of its brigades that comes.
    pub(crate) fn division(&mut self, side: Side) -> HqId {
        let army = &mut self.battle.armies[side.index()];
        let id = HqId { side, number: u8::try_from(army.hqs.len() + 1).unwrap() };
        army.hqs.push(hq(id, Echelon::Division));
        id
    }

    pub(crate) fn army(&mut self, side: Side) -> &mut Army {
        &mut self.battle.armies[side.index()]
    }

    /// The army's headquarters stands there.
    pub(crate) fn hq_at(&mut self, side: Side, at: &str) {
        self.army(side).hqs[0].start = Some(Start { turn: 0, at: hex(at) });
    }

    pub(crate) fn put(&mut self, at: &str, name: &str) {
        let ground = ground(&self.numbers, name);
        self.battle.map.put(hex(at), ground);
    }

    pub(crate) fn arms(&self, word: &str) -> Option<SmallArms> {
        Some(self.numbers.small_arms[word].clone())
    }

    pub(crate) fn guns(&self, number: u32, word: &str) -> Option<(u32, Gun)> {
        Some((number, self.numbers.guns[word].clone()))
    }

    /// All turns have this weather and light.
    pub(crate) fn under(&mut self, weather: Weather, light: Light) {
        for hour in &mut self.battle.hours {
            (hour.weather, hour.light) = (weather, light);
        }
    }

    pub(crate) fn rules(self) -> Acw {
        Acw::of(self.numbers, self.battle, self.choices)
    }
}

fn hq(id: HqId, echelon: Echelon) -> HqSpec {
    let is_army = echelon == Echelon::Army;
    let corner = if id.side == Side::A { "0101" } else { "2020" };
    HqSpec {
        id,
        name: format!("Headquarters {id}"),
        echelon,
        branch: Branch::Infantry,
        commander: format!("General {id}"),
        leadership: 5,
        staff: 5,
        look: None,
        over: (!is_army).then_some(HqId::army(id.side)),
        command: Command::Reserve,
        start: is_army.then(|| Start { turn: 0, at: hex(corner) }),
    }
}

fn army(side: Side) -> Army {
    let id = HqId::army(side);
    let (name, seat) = if side == Side::A { ("the Union", "union") } else { ("the Confederacy", "south") };
    Army {
        name: name.to_owned(),
        letter: if side == Side::A { 'U' } else { 'C' },
        army: format!("Army {}", side.letter()),
        looks: [None, None, None, None],
        rear: if side == Side::A { Edge::West } else { Edge::East },
        entrench: false,
        resolve: 5,
        limited: None,
        advice: String::new(),
        second: None,
        hqs: vec![hq(id, Echelon::Army)],
        brigades: Vec::new(),
        commanders: vec![Commander {
            seat: Seat::try_from(seat.to_owned()).unwrap(),
            title: format!("General {}", side.letter()),
            hq: id,
        }],
        ground: Vec::new(),
    }
}

/// Dice that fall as written, as random numbers from 0: `("fire/hit/b1", &[0, 1])`; and others by how their labels begin.
pub(crate) fn dice(exact: &[(&str, &[u32])], others: &[(&str, u32)]) -> Script {
    let faces = |numbers: &[u32]| numbers.iter().map(|number| number + 1).collect();
    let exact = exact.iter().map(|(stem, numbers)| ((*stem).to_owned(), faces(numbers)));
    let others = others.iter().map(|(stem, number)| ((*stem).to_owned(), number + 1));
    Script::new(exact.collect(), others.collect())
}

/// A battle in play.
pub(crate) struct Stage {
    pub(crate) rules: Acw,
    pub(crate) state: State,
    t: u32,
}

impl Stage {
    /// The first turn has begun.
    pub(crate) fn of(field: Field) -> Self {
        Self::playing(field.rules())
    }

    /// The same of a battle from files.
    pub(crate) fn playing(rules: Acw) -> Self {
        let state = rules.found();
        let mut stage = Self { rules, state, t: 1 };
        stage.apply(&Event::Founded);
        stage.apply(&Event::Began { turn: 1 });
        stage
    }

    pub(crate) fn apply(&mut self, event: &Event) {
        self.rules.apply(&mut self.state, event);
    }

    pub(crate) fn change(&mut self, change: Change) {
        self.apply(&Event::Amended { change });
    }

    /// A brigade has this order.
    pub(crate) fn act(&mut self, brigade: BrigadeId, act: Act) {
        self.apply(&Event::Told { brigade, act, when: None });
    }

    /// The army's commander leads so.
    pub(crate) fn profile(&mut self, side: Side, profile: Profile) {
        self.apply(&Event::Profiled { side, profile, fallback: false });
    }

    /// A brigade has moved in this turn: into the hex next to it, and back.
    pub(crate) fn stir(&mut self, id: BrigadeId) {
        let at = self.brigade(id).at.unwrap();
        for (from, to) in [(at, Hex::new(20, 1)), (Hex::new(20, 1), at)] {
            self.apply(&Event::Moved { unit: UnitId::Brigade(id), from, to });
        }
    }

    /// The next turn begins.
    pub(crate) fn next(&mut self) {
        let turn = self.view(Side::A).turn + 1;
        self.apply(&Event::Began { turn });
    }

    /// Runs a part of a turn, and gives its events.
    pub(crate) fn run(
        &mut self,
        dice: &mut dyn Roller,
        part: impl FnOnce(&Acw, &mut Scribe<'_, Acw>),
    ) -> Vec<Event> {
        let mut scribe = Scribe::new(&self.rules, self.state.clone(), self.t, dice);
        self.t += 1;
        part(&self.rules, &mut scribe);
        let (state, events) = scribe.finish_by_line();
        self.state = state;
        events.into_iter().flat_map(|(_, events)| events).collect()
    }

    /// A mail turn with the orders of one seat.
    pub(crate) fn order(&mut self, dice: &mut dyn Roller, seat: &Seat, orders: Vec<Order>) -> Vec<Event> {
        let placed = orders.into_iter().zip(1..).map(|(order, line)| Placed { line, order });
        let reading = Reading { orders: placed.collect(), remarks: Vec::new() };
        let input = Input { orders: [(seat.clone(), reading)].into() };
        self.run(dice, |rules, scribe| rules.step(scribe, &input))
    }

    /// Targets are chosen, with no die left over or missing.
    pub(crate) fn aim(&mut self, mut dice: Script) -> Vec<Event> {
        let events = self.run(&mut dice, drill::aim);
        assert_eq!(dice.faults(), [""; 0]);
        events
    }

    /// Targets are chosen by the order of preference, and nobody is surprised.
    pub(crate) fn aim_calmly(&mut self) -> Vec<Event> {
        self.run(&mut Calm::but(&[]), drill::aim)
    }

    /// The fights of the turn with dice that fall calmly but for those written.
    pub(crate) fn fight(&mut self, mut calm: Calm) -> Vec<Event> {
        let events = self.run(&mut calm, drill::fight);
        assert!(calm.numbers.is_empty(), "dice are left over: {:?}", calm.numbers);
        events
    }

    /// The fights of the turn, with no die left over or missing.
    pub(crate) fn fight_strictly(&mut self, mut dice: Script) -> Vec<Event> {
        let events = self.run(&mut dice, drill::fight);
        assert_eq!(dice.faults(), [""; 0]);
        events
    }

    pub(crate) fn view(&self, side: Side) -> View {
        let army = self.rules.battle().army(side);
        self.rules.view(&self.state, &army.commanders[0].seat)
    }

    /// A brigade as it is.
    pub(crate) fn brigade(&self, id: BrigadeId) -> Brigade {
        self.view(id.side).brigade(id).clone()
    }

    pub(crate) fn hq(&self, id: HqId) -> Hq {
        self.view(id.side).hq(id).clone()
    }
}

/// Dice of a quiet day: hits cost no cohesion, no leader falls, all hold, nobody errs; all others are 0. Some fall as written, by their labels.
pub(crate) struct Calm {
    numbers: BTreeMap<String, Vec<u32>>,
    /// These fall so if they are thrown.
    loose: BTreeMap<String, u32>,
    /// Labels that begin so are not to be thrown.
    never: Option<&'static str>,
}

impl Calm {
    /// Random numbers by label: `("fire/hit/b1", &[0, 1])`.
    pub(crate) fn but(numbers: &[(&str, &[u32])]) -> Self {
        let owned = |(stem, numbers): &(&str, &[u32])| ((*stem).to_owned(), numbers.to_vec());
        let numbers = numbers.iter().filter(|(_, numbers)| !numbers.is_empty()).map(owned).collect();
        Self { numbers, loose: BTreeMap::new(), never: None }
    }

    /// One number more, if it is thrown.
    pub(crate) fn loosely(mut self, stem: &str, number: u32) -> Self {
        self.loose.insert(stem.to_owned(), number);
        self
    }

    pub(crate) fn without(mut self, start: &'static str) -> Self {
        self.never = Some(start);
        self
    }
}

impl Roller for Calm {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        assert_eq!(count, 1, "{label}: the rules throw one die at a time");
        let stem = label.as_str().split_once('/').unwrap().1.rsplit_once('/').unwrap().0.to_owned();
        assert!(self.never.is_none_or(|start| !stem.starts_with(start)), "{stem}");
        let written = self.numbers.get_mut(&stem).map(|numbers| numbers.remove(0));
        self.numbers.retain(|_, numbers| !numbers.is_empty());
        let calm = match stem.split_once('/').unwrap() {
            ("fire", rest) if rest.starts_with("hit") => 1,
            ("check", _) => 7,
            ("leader", rest) if !rest.starts_with("fate") => sides - 1,
            ("aim", rest) if rest.starts_with("stray") => 9,
            _ => 0,
        };
        let number = written.or(self.loose.get(&stem).copied()).unwrap_or(calm);
        assert!(number < sides, "{stem}: {number} of {sides}");
        vec![number + 1]
    }
}
