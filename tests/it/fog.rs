//! What is hidden, by a second reading of the rules: an oracle for each ruleset folds the events into a position of its own, and says what a
//! seat may know of it and learn of an event. It never asks the view under test. Where two games look alike to a seat by the oracle, every byte
//! that the seat gets must be alike: of positions that differ in what is hidden, of events that differ so, of turns with other orders of others,
//! and of games that were founded on other hidden facts.

use musterd::dice::Seat;
use musterd::engine::{Awaiting, Fold, Input, Ruleset, Scribe};
use musterd::report::text::sections;
use serde_json::{Map, Value};

use super::letters_mutation::Chance;
use crate::common::{Loose, soak};

type Event<O> = <<O as Oracle>::Rules as Fold>::Event;
type View<O> = <<O as Oracle>::Rules as Ruleset>::View;
type Sight<O> = <<O as Oracle>::Rules as Ruleset>::Sight;
type State<O> = <<O as Oracle>::Rules as Fold>::State;

/// What seats may know in games by some rules.
pub(crate) trait Oracle: Sized {
    /// The rules under test.
    type Rules: Ruleset;
    /// The true position, as far as anybody may know of it: made of the founding and of events.
    type Truth: Clone;

    /// The position before the founding adjudication.
    fn at_start(rules: &Self::Rules) -> Self::Truth;

    /// Makes an event so.
    fn happen(rules: &Self::Rules, truth: &mut Self::Truth, event: &Event<Self>);

    /// Everything of the position that a seat may know.
    fn known(rules: &Self::Rules, truth: &Self::Truth, seat: &Seat) -> String;

    /// What a seat may learn of an event that is about to happen; none where it is told nothing.
    fn learnt(rules: &Self::Rules, before: &Self::Truth, event: &Event<Self>, seat: &Seat) -> Option<String>;

    /// Why something of its own came to nothing, as a seat is told. That is to follow from what it sees besides: two games that look alike
    /// give the same reasons, though `learnt` leaves them out.
    fn reason(_: &Event<Self>) -> String {
        String::new()
    }

    /// A change of anything by the GM's hand, hidden from whomever: empty where chance finds none.
    fn change(rules: &Self::Rules, truth: &Self::Truth, chance: &mut Chance) -> Vec<Event<Self>>;

    /// Whether the rules can go on from a position.
    fn is_sound(_: &Self::Rules, _: &State<Self>) -> bool {
        true
    }

    /// Orders as somebody gives them who tries everything, about what he can't see too.
    fn anything(rules: &Self::Rules, view: &View<Self>, chance: &mut Chance) -> String;
}

/// How much was compared: a property that compares nothing proves nothing.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// Positions with something changed that a seat can't see.
    pub(crate) positions: usize,
    /// Events that differ in what a seat can't see.
    pub(crate) events: usize,
    /// Adjudications after which two games looked alike.
    pub(crate) turns: usize,
    /// Of these, those in which something else happened all the same.
    pub(crate) unlike: usize,
}

/// A game in play, with what the oracle makes of it.
struct Board<'a, O: Oracle> {
    rules: &'a O::Rules,
    state: State<O>,
    truth: O::Truth,
}

impl<O: Oracle> Clone for Board<'_, O> {
    fn clone(&self) -> Self {
        Self { rules: self.rules, state: self.state.clone(), truth: self.truth.clone() }
    }
}

impl<'a, O: Oracle> Board<'a, O> {
    fn new(rules: &'a O::Rules) -> Self {
        Self { rules, state: rules.found(), truth: O::at_start(rules) }
    }

    fn happen(&mut self, event: &Event<O>) {
        O::happen(self.rules, &mut self.truth, event);
        self.rules.apply(&mut self.state, event);
    }

    fn known(&self, seat: &Seat) -> String {
        O::known(self.rules, &self.truth, seat)
    }

    fn learnt(&self, event: &Event<O>, seat: &Seat) -> Option<String> {
        O::learnt(self.rules, &self.truth, event, seat)
    }

    fn witness(&self, event: &Event<O>, seat: &Seat) -> Option<Sight<O>> {
        self.rules.witness(&self.state, event, seat)
    }

    /// All that goes out to everybody or to this seat, as documents: what lies behind them knows no rules.
    fn told(&self, seat: &Seat, sights: &[Sight<O>], orders: &str) -> Vec<String> {
        let (rules, view) = (self.rules, self.rules.view(&self.state, seat));
        let brief = rules.brief(&view, sights);
        let (_, recap) = rules.read_back(&view, orders);
        vec![
            format!("{} {} {:?}", rules.title(), rules.situation(), rules.awaiting(&self.state)),
            sections(&brief),
            format!("{brief:?}"),
            format!("{:?}", rules.history(&view)),
            rules.published(&view).get().to_owned(),
            rules.form(&view).join("\n"),
            format!("{:?}", rules.read_orders(&view, orders)),
            format!("{recap:?}"),
            format!("{view:?}"),
        ]
    }

    /// Whether a seat may learn that something changes: what it knew of it before may not hold any more then.
    fn tells(&self, change: &[Event<O>], seat: &Seat) -> bool {
        let mut before = self.clone();
        change.iter().any(|event| {
            let learnt = before.learnt(event, seat).is_some();
            before.happen(event);
            learnt
        })
    }

    /// Changes something, if chance finds a change that leaves a position to go on from.
    fn changed(&self, chance: &mut Chance) -> Option<(Self, Vec<Event<O>>)> {
        let change = O::change(self.rules, &self.truth, chance);
        let mut other = self.clone();
        change.iter().for_each(|event| other.happen(event));
        (!change.is_empty() && O::is_sound(self.rules, &other.state)).then_some((other, change))
    }

    /// Runs the rules; changes nothing. `dice` is their number.
    fn adjudicate(&self, t: u32, orders: &[(Seat, String)], dice: u32) -> Vec<Event<O>> {
        let read = |(seat, text): &(Seat, String)| {
            let view = self.rules.view(&self.state, seat);
            (seat.clone(), self.rules.read_orders(&view, text))
        };
        let mut dice = Loose::numbered(dice);
        let mut scribe = Scribe::new(self.rules, self.state.clone(), t, &mut dice);
        self.rules.step(&mut scribe, &Input { orders: orders.iter().map(read).collect() });
        scribe.finish()
    }

    /// Makes events so: what the seat may learn of each, and what it is told.
    fn play(&mut self, events: &[Event<O>], seat: &Seat) -> Result<Vec<(String, Sight<O>)>, String> {
        let mut all = Vec::new();
        for event in events {
            match (self.learnt(event, seat), self.witness(event, seat)) {
                (Some(learnt), Some(sight)) => all.push((learnt, sight)),
                (None, None) => {}
                (learnt, sight) => {
                    return Err(format!("{seat} may learn {learnt:?} and is told {sight:?} of {event:?}"));
                }
            }
            self.happen(event);
        }
        Ok(all)
    }
}

/// Plays the game of a seed twice side by side for each seat, with something else hidden from it, and holds against each other all that
/// the seat gets. `other` is the same game, or one with other hidden founding facts. The error says what leaks, and how to see it again.
pub(crate) fn compare<O: Oracle>(
    rules: &O::Rules,
    other: &O::Rules,
    seed: u64,
    steps: u32,
) -> Result<Compared, String> {
    let mut compared = Compared::default();
    for spec in rules.seats() {
        let again =
            |why: String| format!("{}, seat {}, seed {seed}, {steps} steps: {why}", rules.title(), spec.seat);
        side_by_side::<O>(rules, other, &spec.seat, seed, steps, &mut compared).map_err(again)?;
    }
    Ok(compared)
}

fn side_by_side<O: Oracle>(
    rules: &O::Rules,
    other: &O::Rules,
    seat: &Seat,
    seed: u64,
    steps: u32,
    compared: &mut Compared,
) -> Result<(), String> {
    let mut chance = Chance::new(seed);
    let dice = u32::try_from(seed % 1_000_000).unwrap();
    let (mut one, mut two) = (Board::<O>::new(rules), Board::<O>::new(other));
    let same = std::ptr::eq(rules, other);
    let mut past: Vec<Value> = Vec::new();
    for t in 1..=steps {
        if matches!(rules.awaiting(&one.state), Awaiting::Over { .. }) {
            break;
        }
        let orders = orders_of(&one, seat, seed, t, &mut chance);
        let first = one.adjudicate(t, &orders, dice);
        if same {
            let mut before = one.clone();
            for event in &first {
                probe(&before, event, &past, &mut chance, compared)?;
                before.happen(event);
            }
            past.extend(first.iter().map(|event| serde_json::to_value(event).unwrap()));
        }
        let mut after = one.clone();
        let told = after.play(&first, seat)?;
        let mut alike = None;
        for n in 0..if same { TWINS } else { 1 } {
            let mut twin = if n > 0 { one.clone() } else { two.clone() };
            let mut others = orders.clone();
            if same {
                twin = hide_something(twin, seat, &mut chance);
            }
            if same && n == 0 && chance.below(2) == 0 {
                others = orders_of(&twin, seat, seed + 1, t, &mut chance);
                others.retain(|(of, _)| of != seat);
                others.extend(orders.iter().filter(|(of, _)| of == seat).cloned());
            }
            let second = twin.adjudicate(t, &others, dice);
            if holds_together(&after, &told, &mut twin, &second, seat, &mut chance)
                .map_err(|why| format!("t {t}: {why}"))?
            {
                compared.turns += 1;
                compared.unlike += usize::from(first != second);
                alike = Some(twin);
            }
        }
        one = after;
        two = match alike {
            Some(twin) => twin,
            None if same => one.clone(),
            None => break,
        };
    }
    Ok(())
}

/// Games that are compared with each turn.
const TWINS: usize = 2;

/// Plays a turn of a twin, and holds all that the seat gets against what it gets in the game itself. Whether they look alike to the seat to the
/// end of the turn; an error if not all bytes do that should.
fn holds_together<O: Oracle>(
    after: &Board<'_, O>,
    told: &[(String, Sight<O>)],
    twin: &mut Board<'_, O>,
    events: &[Event<O>],
    seat: &Seat,
    chance: &mut Chance,
) -> Result<bool, String> {
    let tale = twin.play(events, seat)?;
    for ((learnt, sight), (_, odd)) in told.iter().zip(&tale).take_while(|(a, b)| a.0 == b.0) {
        if sight != odd {
            return Err(format!("{learnt} is told as {sight:?} and as {odd:?}"));
        }
    }
    let alike = told.len() == tale.len() && told.iter().zip(&tale).all(|(a, b)| a.0 == b.0);
    if !alike || after.known(seat) != twin.known(seat) {
        return Ok(false);
    }
    let sights =
        |told: &[(String, Sight<O>)]| told.iter().map(|(_, sight)| sight.clone()).collect::<Vec<_>>();
    let orders = O::anything(after.rules, &after.rules.view(&after.state, seat), chance);
    let (told, tale) = (after.told(seat, &sights(told), &orders), twin.told(seat, &sights(&tale), &orders));
    match told.iter().zip(&tale).find(|(one, two)| one != two) {
        Some((one, two)) => Err(difference(one, two)),
        None => Ok(true),
    }
}

/// The game after a change or two that the seat can't see and is not told of, where chance finds one.
fn hide_something<'a, O: Oracle>(mut board: Board<'a, O>, seat: &Seat, chance: &mut Chance) -> Board<'a, O> {
    let known = board.known(seat);
    for _ in 0..6 {
        match board.changed(chance) {
            Some((other, change)) if other.known(seat) == known && !board.tells(&change, seat) => {
                board = other;
            }
            _ => {}
        }
    }
    board
}

/// Orders for everybody: the seat's own as likely anything as sense.
fn orders_of<O: Oracle>(
    board: &Board<'_, O>,
    seat: &Seat,
    seed: u64,
    t: u32,
    chance: &mut Chance,
) -> Vec<(Seat, String)> {
    let order = |spec: &musterd::engine::SeatSpec| {
        let view = board.rules.view(&board.state, &spec.seat);
        let level = &O::Rules::LEVELS[(seed as usize + 1) % O::Rules::LEVELS.len()];
        let mut text = board.rules.play(&view, level.skill, seed + u64::from(t));
        if chance.below(if spec.seat == *seat { 2 } else { 4 }) == 0 {
            text = format!("{}\n{text}", O::anything(board.rules, &view, chance));
        }
        (spec.seat.clone(), text)
    };
    match board.rules.awaiting(&board.state) {
        Awaiting::Orders { .. } => board.rules.seats().iter().map(order).collect(),
        _ => Vec::new(),
    }
}

/// Before an event: changes what lies about, and the event itself, and asks what every seat is told.
fn probe<O: Oracle>(
    board: &Board<'_, O>,
    event: &Event<O>,
    past: &[Value],
    chance: &mut Chance,
    compared: &mut Compared,
) -> Result<(), String> {
    if chance.below(6) == 0
        && let Some((other, change)) = board.changed(chance)
    {
        for spec in board.rules.seats() {
            let seat = &spec.seat;
            if let [change] = &change[..] {
                let (learnt, sight) = (board.learnt(change, seat), board.witness(change, seat));
                if learnt.is_some() != sight.is_some() {
                    return Err(format!("{seat} may learn {learnt:?} and is told {sight:?} of {change:?}"));
                }
            }
            if board.known(seat) != other.known(seat) || board.tells(&change, seat) {
                continue;
            }
            compared.positions += 1;
            let (told, tale) = (board.told_briefly(seat), other.told_briefly(seat));
            if told != tale {
                return Err(format!("{seat} sees {change:?}: {}", difference(&told, &tale)));
            }
            let (seen, sight) = (board.witness(event, seat), other.witness(event, seat));
            if board.learnt(event, seat) == other.learnt(event, seat) && seen != sight {
                return Err(format!("{seat} is told of {event:?} {seen:?}, and after {change:?} {sight:?}"));
            }
        }
    }
    for _ in 0..3 {
        // Of an event as it is, or with a field as it might be; and one with another field so.
        let base = mutated::<O>(event, past, chance).filter(|_| chance.below(2) == 0);
        let base = base.as_ref().unwrap_or(event);
        if let Some(other) = mutated::<O>(base, past, chance) {
            compared.events += tell_alike(board, base, &other)?;
        }
    }
    Ok(())
}

/// Asks of two events for every seat that may learn the same of both, and says how many these are.
fn tell_alike<O: Oracle>(board: &Board<'_, O>, one: &Event<O>, two: &Event<O>) -> Result<usize, String> {
    let mut compared = 0;
    for spec in board.rules.seats() {
        let seat = &spec.seat;
        if board.learnt(one, seat) == board.learnt(two, seat) && O::reason(one) == O::reason(two) {
            compared += 1;
            let (seen, sight) = (board.witness(one, seat), board.witness(two, seat));
            if seen != sight {
                return Err(format!("{seat} is told {seen:?} of {one:?}, and {sight:?} of {two:?}"));
            }
        }
    }
    Ok(compared)
}

impl<O: Oracle> Board<'_, O> {
    /// What everything is made of that a seat gets, by the same rules.
    fn told_briefly(&self, seat: &Seat) -> String {
        format!("{:?}\n{:?}", self.rules.awaiting(&self.state), self.rules.view(&self.state, seat))
    }
}

/// An event with one field as an event of its kind had it before, or with the opposite in it.
fn mutated<O: Oracle>(event: &Event<O>, past: &[Value], chance: &mut Chance) -> Option<Event<O>> {
    let value = serde_json::to_value(event).unwrap();
    let kind = kind_of(&value)?;
    let alike: Vec<&Value> = past.iter().filter(|other| kind_of(other) == Some(kind)).collect();
    if alike.is_empty() {
        return None;
    }
    let mut changed = value.clone();
    let other = *chance.pick(&alike);
    swap_a_field(&mut changed, other, chance);
    (changed != value).then(|| serde_json::from_value(changed).ok()).flatten()
}

/// The name of an event's kind: of either way to tag it.
fn kind_of(event: &Value) -> Option<&str> {
    let fields = event.as_object()?;
    fields.get("event").and_then(Value::as_str).or_else(|| fields.keys().next().map(String::as_str))
}

fn swap_a_field(into: &mut Value, from: &Value, chance: &mut Chance) {
    let (Some(fields), Some(others)) = (into.as_object_mut(), from.as_object()) else { return };
    let shared: Vec<String> = shared_keys(fields, others);
    if shared.is_empty() {
        return;
    }
    let (key, whole) = (chance.pick(&shared), chance.below(3) == 0);
    match (fields.get_mut(key), others.get(key)) {
        (Some(Value::Bool(is)), _) => *is = !*is,
        (Some(inner @ Value::Object(_)), Some(other @ Value::Object(_))) if !whole => {
            swap_a_field(inner, other, chance);
        }
        (Some(field), Some(other)) => field.clone_from(other),
        _ => {}
    }
}

fn shared_keys(fields: &Map<String, Value>, others: &Map<String, Value>) -> Vec<String> {
    fields.keys().filter(|key| *key != "event" && others.contains_key(*key)).cloned().collect()
}

/// Where two texts part.
fn difference(one: &str, two: &str) -> String {
    let at = one.bytes().zip(two.bytes()).position(|(a, b)| a != b).unwrap_or(one.len().min(two.len()));
    let around = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(80)..text.len().min(at + 80)]).into_owned()
    };
    format!("`{}` or `{}`", around(one), around(two))
}

/// A property held for several seeds, with as much compared as it takes to mean something. What fails is told with its seed.
pub(crate) fn holds<O: Oracle>(rules: &O::Rules, seeds: std::ops::Range<u64>, steps: u32, least: [usize; 4]) {
    let mut all = [0; 4];
    for seed in seeds {
        let Compared { positions, events, turns, unlike } =
            compare::<O>(rules, rules, seed, steps).unwrap_or_else(|leak| panic!("{leak}"));
        for (sum, part) in all.iter_mut().zip([positions, events, turns, unlike]) {
            *sum += part;
        }
    }
    eprintln!("{}: compared {all:?}", rules.title());
    let enough = all.iter().zip(least).all(|(got, least)| *got >= least);
    assert!(soak::is_enough(enough), "{all:?} compared, of {least:?}");
}
