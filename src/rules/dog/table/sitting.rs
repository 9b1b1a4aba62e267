//! One sitting at a table: the rules by which a line becomes an event.

use std::collections::BTreeSet;

use serde::Serialize;

use super::event::{Event, ThrownStrike, Toll};
use super::house::{FILE, House};
use super::read;
use super::throw::{Blow, OPEN, Striker, Struck, Throw};
use crate::model::Sort;
use crate::numbers::Numbers;
use crate::odds::Fighters;
use crate::scores;
use crate::switches::Switches;
use musterd_dice::Seat;
use musterd_engine::briefing::Briefing;
use musterd_engine::files::DataErrors;
use musterd_engine::orders::{Likeness, Placed, Reading, Recap, Remark, Understood};
use musterd_engine::{Awaiting, Fold, Founding, Input, LabelStem, Level, Ruleset, Scribe, SeatSpec};

/// The seat whose orders are what is thrown for.
pub const UMPIRE: &str = "umpire";
/// The seat of everybody else: their words enter the dice.
pub const PLAYERS: &str = "players";

/// The rules of one sitting.
#[derive(Debug, Clone)]
pub struct Sitting {
    numbers: Numbers,
    house: House,
    switches: Switches,
    pub(super) seats: Vec<SeatSpec>,
}

impl Sitting {
    /// The numbers of the rules.
    #[must_use]
    pub const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// How the table plays.
    #[must_use]
    pub const fn house(&self) -> &House {
        &self.house
    }

    /// The optional rules.
    #[must_use]
    pub const fn switches(&self) -> Switches {
        self.switches
    }

    /// Whether a throw makes sense at this table.
    ///
    /// # Errors
    /// Why not, in words.
    pub fn allows(&self, throw: &Throw) -> Result<(), String> {
        let Throw::Volley { by: Striker::Fighters(by), hexes: Some(hexes), .. } = throw else {
            return Ok(());
        };
        let reach = |sort: &Sort| {
            scores::distance(&self.numbers, sort).map_or(0, |arm| scores::reach(self.house.scale, arm))
        };
        match by.sorts.iter().map(reach).max() {
            Some(most) if most < *hexes => {
                Err(format!("they shoot {most} hexes at most on the {} scale, not {hexes}", self.house.scale))
            }
            _ => Ok(()),
        }
    }

    /// The force of an attack, a retaliation or a volley.
    fn force(&self, by: &Striker, what: Force) -> u32 {
        let fighters = match by {
            Striker::Force(force) => return *force,
            Striker::Fighters(fighters) => fighters,
        };
        let Fighters { sorts, ground } = fighters;
        match what {
            Force::Attack => scores::attack_force(&self.numbers, sorts, *ground),
            Force::Defence => scores::defence_force(&self.numbers, self.switches, sorts, *ground),
            Force::Volley { hexes } => {
                let shots = vec![1; sorts.len()];
                scores::volley_force(&self.numbers, self.house.scale, sorts, &shots, hexes)
            }
        }
    }

    fn toll(&self, on: &Struck, damage: u32) -> Toll {
        match on {
            Struck::Fighters(Fighters { sorts, .. }) => {
                let (killed, hp) = scores::deaths(&self.numbers, sorts, damage);
                let left = sorts.iter().zip(&killed).map(|(sort, dead)| sort.fighters - dead).collect();
                Toll { killed, hp, left }
            }
            Struck::Bodies { fighters, hp } => {
                let dead = u16::try_from(damage / (*hp).max(1)).map_or(*fighters, |dead| dead.min(*fighters));
                Toll { killed: vec![dead], hp: u32::from(dead) * hp, left: vec![fighters - dead] }
            }
        }
    }

    /// Throws for a strike. `party` is the label of who strikes.
    fn strike(
        &self,
        scribe: &mut Scribe<'_, Self>,
        kind: &'static str,
        party: char,
        force: u32,
        on: Option<&Struck>,
    ) -> ThrownStrike {
        let die = scribe.die(&LabelStem::of("combat", kind, &party), 6);
        let damage = scores::damage(self.switches, force, die);
        ThrownStrike { force, die, damage, toll: on.map(|on| self.toll(on, damage)) }
    }

    fn throw(&self, scribe: &mut Scribe<'_, Self>, throw: &Throw) {
        let event = match throw {
            Throw::Strike { way, by, on } => {
                let (kind, what) = match way {
                    Blow::Retaliation => ("retaliation", Force::Defence),
                    Blow::Attack | Blow::Exchange => ("attack", Force::Attack),
                };
                let strike = self.strike(scribe, kind, 'a', self.force(by, what), on.as_ref());
                let answer = match (way, by, on) {
                    (Blow::Exchange, Striker::Fighters(by), Some(Struck::Fighters(on))) => {
                        let force = self.force(&Striker::Fighters(on.clone()), Force::Defence);
                        let back = Struck::Fighters(by.clone());
                        // Who has no defence doesn't retaliate: the yarzz.
                        (force > 0).then(|| self.strike(scribe, "retaliation", 'b', force, Some(&back)))
                    }
                    _ => None,
                };
                Event::Struck { strike, answer }
            }
            Throw::Volley { by, on, hexes } => {
                let force = self.force(by, Force::Volley { hexes: hexes.unwrap_or(1) });
                Event::Struck { strike: self.strike(scribe, "volley", 'a', force, on.as_ref()), answer: None }
            }
            Throw::Search { hidden, searcher } => {
                let factor = scores::hide_factor(&self.numbers, self.house.scale, &hidden.sorts);
                let own = scores::visibility(&self.numbers, None, hidden.ground);
                let seen = scores::visibility(&self.numbers, searcher.as_deref(), hidden.ground);
                let visibility = seen.min(own);
                let chance = scores::chance_to_find(factor, visibility);
                let die = scribe.die(&LabelStem::of("search", "hidden", &'a'), 6);
                let found = i64::from(die) <= i64::from(chance);
                Event::Searched { factor, visibility, chance, die, found }
            }
            Throw::Initiative { armies } => Self::initiative(scribe, armies),
        };
        scribe.record(event);
    }

    /// A die each, ties again (ruling DOG-22).
    fn initiative(scribe: &mut Scribe<'_, Self>, armies: &[String]) -> Event {
        let mut throws: Vec<Vec<u32>> = vec![Vec::new(); armies.len()];
        let mut tied: Vec<usize> = (0..armies.len()).collect();
        while !tied.is_empty() {
            for (&place, letter) in tied.iter().zip(tied.iter().map(|place| lettered(*place))) {
                throws[place].push(scribe.die(&LabelStem::of("initiative", "throw", &letter), 6));
            }
            tied = (0..armies.len())
                .filter(|a| (0..armies.len()).any(|b| *a != b && throws[*a] == throws[b]))
                .collect();
        }
        let mut order: Vec<usize> = (0..armies.len()).collect();
        order.sort_by(|a, b| throws[*b].cmp(&throws[*a]));
        let throws = armies.iter().cloned().zip(throws).collect();
        Event::Ordered { throws, order: order.into_iter().map(|place| armies[place].clone()).collect() }
    }
}

/// What a force is for.
#[derive(Clone, Copy)]
enum Force {
    Attack,
    Defence,
    Volley { hexes: u32 },
}

/// The letter of an army by its place in the line, which has 26 at most.
fn lettered(place: usize) -> char {
    u8::try_from(place).map_or('z', |place| char::from(b'a' + place.min(25)))
}

/// How many throws there were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ThrowCount {
    /// So many.
    pub thrown: u32,
}

impl Fold for Sitting {
    type State = ThrowCount;
    type Event = Event;

    fn apply(&self, state: &mut ThrowCount, _: &Event) {
        state.thrown += 1;
    }
}

impl Ruleset for Sitting {
    const ID: &'static str = "dog-table";
    const NAME: &'static str = "Death or Glory at the table";
    const RULES_VERSION: u32 = 1;

    const LEVELS: &'static [Level<()>] =
        &[Level { name: "cautious", about: "orders nothing: it stands for the dice", skill: () }];

    type Skill = ();
    type Order = Throw;
    type Sight = Event;
    type View = ThrowCount;

    fn load(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        let files = founding.files();
        let numbers = Numbers::load(files)?;
        let house: House = files.yaml(FILE)?;
        let switches = house.switches()?;
        #[expect(clippy::expect_used, reason = "constants in the alphabet of seats")]
        let spec = |seat: &str, title: &str| SeatSpec {
            seat: seat.parse().expect("a seat"),
            title: title.to_owned(),
            side: "the table".to_owned(),
        };
        let seats = vec![spec(UMPIRE, "the umpire"), spec(PLAYERS, "the players")];
        Ok(Self { numbers, house, switches, seats })
    }

    fn title(&self) -> String {
        self.house.title.clone()
    }

    fn situation(&self) -> String {
        format!("Dice at a table of Death or Glory, {} scale.", self.house.scale)
    }

    fn seats(&self) -> &[SeatSpec] {
        &self.seats
    }

    fn found(&self) -> ThrowCount {
        ThrowCount { thrown: 0 }
    }

    fn awaiting(&self, state: &ThrowCount) -> Awaiting {
        let number = state.thrown + 1;
        let [must, may] = [0, 1].map(|place: usize| vec![self.seats[place].seat.clone()]);
        Awaiting::orders(&format!("throw-{number}"), format!("Throw {number}"), must).allowing(may)
    }

    fn view(&self, state: &ThrowCount, _: &Seat) -> ThrowCount {
        *state
    }

    fn witness(&self, _: &ThrowCount, event: &Event, _: &Seat) -> Option<Event> {
        Some(event.clone())
    }

    fn shows_roll(&self, _: &str, _: &str, _: &str, _: &Seat) -> bool {
        true
    }

    fn read_orders(&self, _: &ThrowCount, text: &str) -> Reading<Throw> {
        let mut reading = Reading::default();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let read = read::read(&self.numbers, text, OPEN);
            match read.and_then(|throw| self.allows(&throw).map(|()| throw)) {
                Ok(order) => reading.orders.push(Placed { line, order }),
                Err(reason) => reading.remarks.push(Remark::error(line, reason)),
            }
        }
        reading
    }

    fn likeness(&self, _: &str) -> Likeness {
        Likeness::Prose
    }

    fn read_back(&self, view: &ThrowCount, text: &str) -> (Reading<Throw>, Recap) {
        let reading = self.read_orders(view, text);
        let understood = |placed: &Placed<Throw>| Understood {
            line: placed.line,
            order: placed.order.line(&self.numbers),
            effect: String::new(),
        };
        let recap = Recap {
            orders: reading.orders.iter().map(understood).collect(),
            defaults: Vec::new(),
            ahead: Vec::new(),
        };
        (reading, recap)
    }

    fn step(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Throw>) {
        let umpire = input.orders.get(&self.seats[0].seat);
        match umpire.and_then(|reading| reading.orders.first()) {
            Some(placed) => self.throw(scribe, &placed.order),
            None => scribe.record(Event::Nothing),
        }
    }

    fn brief(&self, _: &ThrowCount, _: &[Event]) -> Briefing {
        Briefing { title: self.title(), ..Briefing::default() }
    }

    fn shown(&self, view: &ThrowCount, sights: &[Event], _: &BTreeSet<String>) -> Briefing {
        self.brief(view, sights)
    }

    fn form(&self, _: &ThrowCount) -> Vec<String> {
        Vec::new()
    }

    fn play(&self, _: &ThrowCount, (): (), _: u64) -> String {
        String::new()
    }
}
