//! One sitting at a table: the rules by which a line becomes an event.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Booked, Event, ThrownStrike};
use super::house::{FILE, House};
use super::keep::{SittingState, SittingView, Tabletop};
use super::line::{Line, Named};
use super::read::{self, Misread};
use super::throw::{Blow, Striker, Struck, Throw};
use super::unit::KeptUnit;
use crate::initiative;
use crate::model::{Ground, Sort, UnitId};
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
    /// The numbers of the rules.
    pub(crate) numbers: Numbers,
    /// How the table plays.
    pub(crate) house: House,
    /// The optional rules.
    pub(super) switches: Switches,
    /// Whether the table keeps units and more: not by version 1 of its rules, which knew throws alone.
    pub(crate) keeps: bool,
    pub(super) seats: Vec<SeatSpec>,
}

impl Sitting {
    /// Reads a line against what the table keeps. `usual` is the ground of those of whom no ground is said.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&self, view: &SittingView, text: &str, usual: Ground) -> Result<Line, Misread> {
        let line = if self.keeps {
            read::line(&self.numbers, view, text, usual)?
        } else {
            let throw = read::read(&self.numbers, text, usual)?;
            Line::Throw(Named { throw, by: None, on: None })
        };
        let refusal = match &line {
            Line::Throw(named) => self.allows(&named.throw).err(),
            Line::Words(Some((side, _))) => view.table.refuses_words_of(side),
            _ => None,
        };
        match refusal {
            Some(reason) => Err(Misread { reason, span: (0, text.chars().count()) }),
            None => Ok(line),
        }
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

    /// How hard hidden fighters are to find: the factor, the visibility, and the faces that find them (ruling DOG-23).
    pub(super) fn search(&self, hidden: &Fighters, searcher: Option<&[Sort]>) -> (i32, i32, i32) {
        let factor = scores::hide_factor(&self.numbers, self.house.scale, &hidden.sorts);
        let own = scores::visibility(&self.numbers, None, hidden.ground);
        let seen = scores::visibility(&self.numbers, searcher, hidden.ground);
        let visibility = seen.min(own);
        (factor, visibility, scores::chance_to_find(factor, visibility))
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
        ThrownStrike { force, die, damage, toll: on.map(|on| on.toll(&self.numbers, damage)) }
    }

    fn throw(&self, scribe: &mut Scribe<'_, Self>, named: &Named) {
        let mut event = match &named.throw {
            Throw::Strike { way, by, on } => {
                let kind = if *way == Blow::Retaliation { "retaliation" } else { "attack" };
                let strike =
                    self.strike(scribe, kind, 'a', by.force(&self.numbers, self.switches, *way), on.as_ref());
                let answer = match (way, by, on) {
                    (Blow::Exchange, Striker::Fighters(by), Some(Struck::Fighters(on))) => {
                        let force = Striker::Fighters(on.clone()).force(
                            &self.numbers,
                            self.switches,
                            Blow::Retaliation,
                        );
                        let back = Struck::Fighters(by.clone());
                        // Who has no defence doesn't retaliate: the yarzz.
                        (force > 0).then(|| self.strike(scribe, "retaliation", 'b', force, Some(&back)))
                    }
                    _ => None,
                };
                Event::Struck { strike, answer, booked: Booked::default() }
            }
            Throw::Volley { by, on, hexes } => {
                let force = by.volley(&self.numbers, self.house.scale, *hexes);
                let strike = self.strike(scribe, "volley", 'a', force, on.as_ref());
                Event::Struck { strike, answer: None, booked: Booked::default() }
            }
            Throw::Search { hidden, searcher } => {
                let (factor, visibility, chance) = self.search(hidden, searcher.as_deref());
                let die = scribe.die(&LabelStem::of("search", "hidden", &'a'), 6);
                let found = i64::from(die) <= i64::from(chance);
                Event::Searched { factor, visibility, chance, die, found, booked: Booked::default() }
            }
            Throw::Initiative { armies } => Self::initiative(scribe, armies),
        };
        self.book(&scribe.state().view().table, named, &mut event);
        scribe.record(event);
    }

    /// Notes in the event of a throw what becomes of the units that it names.
    fn book(&self, table: &Tabletop, named: &Named, event: &mut Event) {
        if !named.names_units() {
            return;
        }
        let kept = |id: Option<UnitId>| id.and_then(|id| Some((id, table.units.get(&id)?.clone())));
        let (mut by, mut on) = (kept(named.by), kept(named.on));
        let booked = match event {
            Event::Struck { strike, answer, booked } => {
                if let Some((_, unit)) = &mut by {
                    self.act(&named.throw, unit);
                    answer
                        .iter()
                        .filter_map(|answer| answer.toll.as_ref())
                        .for_each(|toll| unit.lose(&toll.killed));
                }
                if let Some((_, unit)) = &mut on {
                    unit.hidden = false;
                    strike.toll.iter().for_each(|toll| unit.lose(&toll.killed));
                }
                booked
            }
            Event::Searched { found, booked, .. } => {
                if let Some((_, unit)) = &mut on {
                    unit.hidden &= !*found;
                }
                booked
            }
            _ => return,
        };
        let changed = |(id, unit): &(UnitId, KeptUnit)| table.units.get(id) != Some(unit);
        let units = by.into_iter().chain(on).filter(changed).map(|(id, unit)| (id, Some(unit)));
        *booked = Booked { of: Some(named.throw.line(&self.numbers)), units: units.collect() };
    }

    /// What striking or shooting does to who does it: it is seen (ruling DOG-23), and a volley spends a shot of everybody who reaches so far (DOG-14).
    fn act(&self, throw: &Throw, unit: &mut KeptUnit) {
        unit.hidden = false;
        match throw {
            Throw::Strike { way: Blow::Retaliation, .. } => {}
            Throw::Volley { hexes, .. } => {
                unit.acted = true;
                let hexes = hexes.unwrap_or(1);
                unit.shots =
                    scores::shots_left(&self.numbers, self.house.scale, &unit.sorts, &unit.shots, hexes);
            }
            _ => unit.acted = true,
        }
    }

    /// What comes of a line without a throw.
    fn change(table: &Tabletop, line: &Line, last: Option<u32>) -> Event {
        match line {
            Line::Throw(_) => Event::Nothing,
            Line::Unit { id, unit, .. } => {
                Event::Kept { booked: Booked { of: None, units: BTreeMap::from([(*id, unit.clone())]) } }
            }
            Line::Round(number) => {
                let round = number.unwrap_or(table.round.saturating_add(1));
                let mut order = table.order.clone();
                // In each round the first becomes the last (ruling DOG-22).
                if table.round > 0 && round == table.round.saturating_add(1) && !order.is_empty() {
                    order.rotate_left(1);
                }
                Event::Turned { round, phase: String::new(), order }
            }
            Line::Phase(phase) => {
                Event::Turned { round: table.round, phase: phase.clone(), order: table.order.clone() }
            }
            Line::Order(order) => Event::Ordered { throws: Vec::new(), order: order.clone() },
            Line::Words(Some((side, words))) => {
                Event::Said { side: Some(side.clone()), words: words.clone() }
            }
            Line::Words(None) => Event::Said { side: None, words: String::new() },
            Line::Note(text) => Event::Noted { text: text.clone() },
            Line::Undo => last.map_or(Event::Nothing, |t| Event::Voided { t }),
        }
    }

    /// A die each, ties again (ruling DOG-22).
    fn initiative(scribe: &mut Scribe<'_, Self>, armies: &[String]) -> Event {
        let (throws, order) = initiative::thrown(armies.len(), |place| {
            // An army is labelled by its place in the line, which has 26 at most.
            let letter = ('a'..='z').nth(place).unwrap_or('z');
            scribe.die(&LabelStem::of("initiative", "throw", &letter), 6)
        });
        let throws = armies.iter().cloned().zip(throws).collect();
        Event::Ordered { throws, order: order.into_iter().map(|place| armies[place].clone()).collect() }
    }
}

impl Fold for Sitting {
    type State = SittingState;
    type Event = Event;

    fn apply(&self, state: &mut SittingState, event: &Event) {
        state.take(event);
    }
}

impl Ruleset for Sitting {
    const ID: &'static str = "dog-table";
    const NAME: &'static str = "Death or Glory at the table";
    const RULES_VERSION: u32 = 2;

    const LEVELS: &'static [Level<()>] =
        &[Level::of("cautious", "orders nothing: it stands for the dice", ())];

    type Skill = ();
    type Order = Line;
    type Sight = Event;
    type View = SittingView;

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
        Ok(Self { numbers, house, switches, keeps: founding.version() > 1, seats })
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

    fn found(&self) -> SittingState {
        SittingState::default()
    }

    fn awaiting(&self, state: &SittingState) -> Awaiting {
        let number = state.thrown() + 1;
        let [must, may] = [0, 1].map(|place: usize| vec![self.seats[place].seat.clone()]);
        Awaiting::orders(&format!("throw-{number}"), format!("Throw {number}"), must).allowing(may)
    }

    fn view(&self, state: &SittingState, _: &Seat) -> SittingView {
        state.view()
    }

    fn witness(&self, _: &SittingState, event: &Event, _: &Seat) -> Option<Event> {
        Some(event.clone())
    }

    fn shows_roll(&self, _: &str, _: &str, _: &str, _: &Seat) -> bool {
        true
    }

    fn read_orders(&self, view: &SittingView, text: &str) -> Reading<Line> {
        let mut reading = Reading::default();
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            match self.read(view, text, Ground::OPEN) {
                Ok(order) => reading.orders.push(Placed { line, order }),
                Err(Misread { reason, span: (at, length) }) => {
                    reading.remarks.push(Remark::error(line, reason).at(at, length));
                }
            }
        }
        reading
    }

    fn likeness(&self, _: &str) -> Likeness {
        Likeness::Prose
    }

    fn read_back(&self, view: &SittingView, text: &str) -> (Reading<Line>, Recap) {
        let reading = self.read_orders(view, text);
        let understood = |placed: &Placed<Line>| Understood {
            line: placed.line,
            order: placed.order.text(&self.numbers),
            effect: String::new(),
        };
        let orders = reading.orders.iter().map(understood).collect();
        (reading, Recap { orders, ..Recap::default() })
    }

    fn step(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Line>) {
        let umpire = input.orders.get(&self.seats[0].seat);
        match umpire.and_then(|reading| reading.orders.first()).map(|placed| &placed.order) {
            Some(Line::Throw(named)) => self.throw(scribe, named),
            Some(line) => {
                let view = scribe.state().view();
                scribe.record(Self::change(&view.table, line, view.last));
            }
            None => scribe.record(Event::Nothing),
        }
    }

    fn brief(&self, _: &SittingView, _: &[Event]) -> Briefing {
        Briefing { title: self.title(), ..Briefing::default() }
    }

    fn shown(&self, view: &SittingView, sights: &[Event], _: &BTreeSet<String>) -> Briefing {
        self.brief(view, sights)
    }

    fn form(&self, _: &SittingView) -> Vec<String> {
        Vec::new()
    }

    fn play(&self, _: &SittingView, (): (), _: u64) -> String {
        String::new()
    }
}
