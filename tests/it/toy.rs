//! The Ridge: a toy ruleset that shares nothing with the real ones. Both sides bid hidden coins at once, dice decide, and an
//! umpire upholds or voids the outcome before the next round. It proves that the engine knows no game.

use std::collections::{BTreeMap, BTreeSet};

use musterd::dice::odds::Distribution;
use musterd::dice::statistics::Trial;
use musterd::engine::briefing::{Briefing, Fact, Item, Part, Section};
use musterd::engine::calls::{Answer, Arg, Call, Calls, Kind, read_as};
use musterd::engine::files::DataErrors;
use musterd::engine::founding::{GameOption, Values};
use musterd::engine::orders::{Likeness, OrderUse, Placed, Reading, Recap, Remark, Understood};
use musterd::engine::{
    Awaiting, Fold, Founding, GameId, Input, LabelStem, Level, PublishedFormat, Ruleset, Scribe, Seat,
    SeatSpec,
};
use musterd_kit::odds::{Answer as Odds, Chances};
use serde::{Deserialize, Serialize};

use super::fog_toy::Leak;

/// The files of the toy, as they would lie under `games/toy/`.
pub(crate) const FILES: &[(&str, &str)] =
    &[("scenarios/ridge.yaml", "title: The Ridge\nrounds: 3\ncoins: 6\nhouse_dice: 6\n")];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    title: String,
    rounds: u32,
    coins: u32,
    house_dice: u32,
    /// What sides have besides, each without the other's knowledge.
    #[serde(default)]
    chests: BTreeMap<Seat, u32>,
}

pub(crate) struct Toy {
    scenario: Scenario,
    seats: Vec<SeatSpec>,
    /// What these rules tell that they must not.
    pub(crate) leak: Leak,
}

pub(crate) fn seat(name: &str) -> Seat {
    name.parse().unwrap()
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Wait {
    #[default]
    Founding,
    Bids,
    Ruling,
    Over,
}

#[derive(Clone, Default)]
pub(crate) struct State {
    wait: Wait,
    round: u32,
    purse: BTreeMap<Seat, u32>,
    won: BTreeMap<Seat, u32>,
    /// Who leads the clash that the umpire is to rule on.
    leader: Option<Seat>,
    bids: BTreeMap<Seat, u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Order {
    Bid(u32),
    Uphold,
    Void,
}

/// Everything that can happen, with its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    Paid { side: Seat, coins: u32 },
    Bid { side: Seat, coins: u32 },
    Clashed { leader: Option<Seat>, faces: BTreeMap<Seat, u32> },
    Ruled { upheld: bool },
    Amended { purse: bool, side: Seat, value: u32 },
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct View {
    seat: Seat,
    round: u32,
    bidding: bool,
    ruling: bool,
    /// The coins of every side whose purse this seat may see.
    purses: BTreeMap<Seat, u32>,
    won: BTreeMap<Seat, u32>,
    leader: Option<Seat>,
}

impl Toy {
    fn sides(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().map(|s| &s.seat).filter(|s| s.as_str() != "umpire")
    }

    fn stem(kind: &'static str, side: &Seat) -> LabelStem {
        LabelStem { phase: "ridge", kind, subject: side.to_string() }
    }

    /// A side that bids more than it has, or nothing at all, bids nothing.
    fn clash(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Order>) {
        let mut totals = Vec::new();
        let mut faces = BTreeMap::new();
        for side in self.sides() {
            let reading = input.orders.get(side);
            let bid = reading.and_then(|r| r.orders.first()).map(|placed| placed.order.clone());
            let Order::Bid(bid) = bid.unwrap_or(Order::Bid(0)) else { continue };
            let coins = bid.min(scribe.state().purse[side]);
            scribe.record(Event::Bid { side: side.clone(), coins });
            let face = scribe.die(&Self::stem("clash", side), 6);
            faces.insert(side.clone(), face);
            totals.push((coins + face, side.clone()));
        }
        totals.sort();
        let leader = match totals.as_slice() {
            [.., (second, _), (first, side)] if first > second => Some(side.clone()),
            _ => None,
        };
        scribe.record(Event::Clashed { leader, faces });
    }
}

fn facts(table: &BTreeMap<Seat, u32>, what: &str) -> Vec<Fact> {
    let fact = |(side, n): (&Seat, &u32)| Fact { label: side.to_string(), text: format!("{n} {what}") };
    table.iter().map(fact).collect()
}

const fn told(lines: &'static [&'static str], does: &'static str) -> OrderUse {
    OrderUse { lines, also: Vec::new(), does }
}

/// How often three coins win against two, and the like.
const CLASH: Call = Call {
    name: "clash",
    about: "A clash: how often so many coins win against so many",
    examples: &["musterd odds toy clash --own 3 --other 2"],
    notes: &[],
    args: &[&[COINS.required(), Arg { name: "other", ..COINS }]],
    run: |given, _| {
        let [own, other] = ["own", "other"].map(|name| given.value::<u32>(name).unwrap_or_default());
        let die = Distribution::certain(0).throw(6, |_: &u32| Some(|face: u32| face));
        let won = die.and(&die, |a, b| (own + a).cmp(&(other + b)));
        let chances = vec![Chances::of("The clash", &won, |won| format!("{won:?}"))];
        Ok(Odds { question: "clash", given: Vec::new(), chances, expected: Vec::new() }.into())
    },
};

const fn calls(about: &'static str, calls: &'static [Call]) -> Calls {
    Calls { about, examples: calls[0].examples, notes: &[], calls }
}

/// Coins that a side bids.
const COINS: Arg = Arg::option("own", "COINS", Kind::Number(0, 99), "Coins that are bid");

/// The rounds that were won in a game.
const WON: Call = Call {
    name: "won",
    about: "Tell how many rounds of a game were upheld",
    examples: &["musterd toy won alpha"],
    notes: &[],
    args: &[&[Arg::option("game", "GAME", Kind::Text(read_as::<GameId>), "The game").loose(1, 1)]],
    run: |given, at| {
        let game = at.game(&given.value("game").ok_or("which game?")?)?;
        let upheld = game.events.iter().filter(|event| event["ruled"]["upheld"] == true).count();
        Ok(Answer::new(format!("{upheld} upheld\n"), &upheld))
    },
};

impl Fold for Toy {
    type State = State;
    type Event = Event;

    fn apply(&self, state: &mut State, event: &Event) {
        match event {
            Event::Paid { side, coins } => {
                state.purse.insert(side.clone(), *coins);
                (state.wait, state.round) = (Wait::Bids, 1);
            }
            Event::Bid { side, coins } => {
                state.bids.insert(side.clone(), *coins);
                let purse = state.purse.entry(side.clone()).or_default();
                *purse = purse.saturating_sub(*coins);
            }
            Event::Clashed { leader, .. } => {
                state.leader.clone_from(leader);
                state.wait = Wait::Ruling;
            }
            Event::Amended { purse, side, value } => {
                let table = if *purse { &mut state.purse } else { &mut state.won };
                table.insert(side.clone(), *value);
            }
            Event::Ruled { upheld } => {
                if let Some(side) = state.leader.take().filter(|_| *upheld) {
                    *state.won.entry(side).or_default() += 1;
                }
                state.round += 1;
                state.wait = if state.round > self.scenario.rounds { Wait::Over } else { Wait::Bids };
            }
        }
    }
}

impl Ruleset for Toy {
    const ID: &'static str = "toy";
    const NAME: &'static str = "The Ridge";
    const RULES_VERSION: u32 = 1;
    const ODDS: Calls = calls("The odds of The Ridge", &[CLASH]);
    const CALLS: Calls = calls("What became of games of The Ridge", &[WON]);
    const SCHEMAS: &'static [PublishedFormat] = &[PublishedFormat {
        name: "toy-view",
        about: "what a seat of The Ridge knows",
        schema: || "{\"type\": \"object\"}".to_owned(),
    }];
    const OPTIONS: &'static [GameOption] = &[GameOption {
        name: "purses",
        about: "what each side begins with",
        values: Values::Words(&[("plain", "as the scenario has it"), ("full", "twice that")]),
        default: "plain",
    }];

    const LEVELS: &'static [Level<u32>] = &[
        Level { name: "timid", about: "bids two coins at most", skill: 2 },
        Level { name: "bold", about: "bids four coins at most", skill: 4 },
    ];

    type Skill = u32;
    type Order = Order;
    type Sight = String;
    type View = View;

    fn load(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        let seats = founding.seats();
        let mut scenario: Scenario = founding.files().yaml("scenario.yaml")?;
        if founding.option("purses") == "full" {
            scenario.coins *= 2;
        }
        let own = ["red", "blue", "umpire"];
        if let Some(odd) = seats.iter().find(|s| !own.contains(&s.as_str())) {
            return Err(DataErrors::one("scenario.yaml", 0, format!("no seat `{odd}`")));
        }
        let spec = |name: &str| SeatSpec {
            seat: seat(name),
            title: format!("the {name} player"),
            side: name.to_owned(),
        };
        Ok(Self { scenario, seats: own.map(spec).to_vec(), leak: Leak::Nothing })
    }

    fn title(&self) -> String {
        format!("{}, {} rounds", self.scenario.title, self.scenario.rounds)
    }

    fn situation(&self) -> String {
        "Two sides want one ridge.".to_owned()
    }

    fn seats(&self) -> &[SeatSpec] {
        &self.seats
    }

    fn found(&self) -> State {
        let none: BTreeMap<Seat, u32> = self.sides().map(|s| (s.clone(), 0)).collect();
        State { purse: none.clone(), won: none.clone(), bids: none, ..State::default() }
    }

    fn awaiting(&self, state: &State) -> Awaiting {
        let round = state.round;
        let orders = |name: String, title: String, must: Vec<Seat>| Awaiting::Orders {
            name: name.parse().unwrap(),
            title,
            must,
            may: Vec::new(),
        };
        match state.wait {
            Wait::Founding => Awaiting::Founding,
            Wait::Bids => orders(
                format!("round-{round}"),
                match state.purse.values().filter(|coins| **coins > 0).count() {
                    left if self.leak == Leak::Count => format!("Round {round}, {left} sides bid"),
                    _ => format!("Round {round}, both bid"),
                },
                self.sides().cloned().collect(),
            ),
            Wait::Ruling => orders(
                format!("ruling-{round}"),
                format!("Round {round}, the umpire rules"),
                vec![seat("umpire")],
            ),
            Wait::Over => Awaiting::Over {
                results: state.won.iter().map(|(side, won)| format!("{side}: {won} rounds won")).collect(),
            },
        }
    }

    fn view(&self, state: &State, to: &Seat) -> View {
        let more = |side: &Seat| state.purse.get(side) > state.purse.get(to) && state.purse.contains_key(to);
        let own =
            |side: &Seat| side == to || to.as_str() == "umpire" || self.leak == Leak::View && more(side);
        View {
            seat: to.clone(),
            round: state.round,
            bidding: state.wait == Wait::Bids && to.as_str() != "umpire",
            ruling: state.wait == Wait::Ruling && to.as_str() == "umpire",
            purses: state.purse.iter().filter(|(s, _)| own(s)).map(|(s, c)| (s.clone(), *c)).collect(),
            won: state.won.clone(),
            leader: state.leader.clone(),
        }
    }

    fn witness(&self, before: &State, event: &Event, to: &Seat) -> Option<String> {
        let own = |side: &Seat| side == to || to.as_str() == "umpire";
        match event {
            Event::Paid { side, coins } => own(side).then(|| format!("{side} gets {coins} coins")),
            Event::Bid { side, coins } => {
                let above =
                    self.leak == Leak::Overheard && before.purse.get(to).is_some_and(|own| coins > own);
                (own(side) || above).then(|| format!("{side} bids {coins}"))
            }
            Event::Clashed { leader: Some(side), .. } if self.leak == Leak::Strength => {
                Some(format!("{side} takes the ridge for {} coins", before.bids[side]))
            }
            Event::Clashed { leader: Some(side), .. } => Some(format!("{side} takes the ridge")),
            Event::Clashed { leader: None, .. } => Some("nobody takes the ridge".to_owned()),
            Event::Ruled { .. } if self.leak == Leak::Aside => {
                Some(format!("the umpire rules over {} coins", before.purse.values().sum::<u32>()))
            }
            Event::Ruled { upheld: true } => Some("the umpire upholds it".to_owned()),
            Event::Ruled { upheld: false } => Some("the umpire voids it".to_owned()),
            Event::Amended { purse: true, side, value } => {
                own(side).then(|| format!("the GM gives {side} {value} coins"))
            }
            Event::Amended { side, value, .. } => Some(format!("the GM counts {value} won for {side}")),
        }
    }

    fn shows_roll(&self, _: &str, kind: &str, subject: &str, to: &Seat) -> bool {
        kind == "purse" && (subject == to.as_str() || to.as_str() == "umpire")
    }

    fn read_orders(&self, view: &View, text: &str) -> Reading<Order> {
        let mut reading = Reading::default();
        for (line, words) in (1..).zip(text.lines()) {
            let words = words.split('#').next().unwrap_or_default().trim().to_ascii_lowercase();
            let order = match words.split_whitespace().collect::<Vec<_>>().as_slice() {
                [] => continue,
                ["bid", coins] if view.bidding => match coins.parse::<u32>() {
                    Ok(coins) if coins <= view.purses[&view.seat] => Ok(Order::Bid(coins)),
                    Ok(_) => Err(format!("you have {} coins", view.purses[&view.seat])),
                    Err(_) if self.leak == Leak::Receipt => {
                        Err(format!("a bid is a number of coins: {:?}", self.scenario.chests))
                    }
                    Err(_) => Err("a bid is a number of coins".to_owned()),
                },
                ["uphold"] if view.ruling => Ok(Order::Uphold),
                ["void"] if view.ruling => Ok(Order::Void),
                ["bid", _] | ["uphold"] | ["void"] => Err("that is not yours to order now".to_owned()),
                _ => Err("this is no order: write BID and a number".to_owned()),
            };
            match order {
                Ok(order) => reading.orders.push(Placed { line, order }),
                Err(why) => reading.remarks.push(Remark::error(line, why)),
            }
        }
        reading
    }

    fn likeness(&self, line: &str) -> Likeness {
        let lower = line.to_ascii_lowercase();
        match lower.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["bid" | "uphold" | "void", ..] => Likeness::Order,
            [word, coins] if strsim::osa_distance(word, "bid") == 1 && coins.parse::<u32>().is_ok() => {
                Likeness::Slip
            }
            words if words.contains(&"coins") => Likeness::Doubtful,
            _ => Likeness::Prose,
        }
    }

    fn offered(&self, view: &View) -> Vec<OrderUse> {
        match (view.bidding, view.ruling) {
            (true, _) => vec![told(&["BID 3"], "bids three coins for the ridge")],
            (_, true) => vec![told(&["UPHOLD"], "lets the clash stand"), told(&["VOID"], "makes it nothing")],
            _ => Vec::new(),
        }
    }

    fn read_back(&self, view: &View, text: &str) -> (Reading<Order>, Recap) {
        let reading = self.read_orders(view, text);
        let said = |placed: &Placed<Order>| {
            let (order, effect) = match placed.order {
                Order::Bid(coins) => {
                    let left = view.purses.get(&view.seat).map_or(0, |purse| purse.saturating_sub(coins));
                    (format!("Bid {coins}"), format!("{left} coins stay"))
                }
                Order::Uphold => ("Uphold".to_owned(), String::new()),
                Order::Void => ("Void".to_owned(), String::new()),
            };
            Understood { line: placed.line, order, effect }
        };
        let defaults =
            if reading.orders.is_empty() { vec!["no bid: 0 coins".to_owned()] } else { Vec::new() };
        let recap = Recap { orders: reading.orders.iter().map(said).collect(), defaults, ahead: Vec::new() };
        (reading, recap)
    }

    fn step(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Order>) {
        match scribe.state().wait {
            Wait::Founding => {
                for side in self.sides() {
                    let extra = scribe.die(&Self::stem("purse", side), self.scenario.house_dice);
                    let chest = self.scenario.chests.get(side).copied().unwrap_or(0);
                    let coins = self.scenario.coins + extra + chest;
                    scribe.record(Event::Paid { side: side.clone(), coins });
                }
            }
            Wait::Bids => self.clash(scribe, input),
            Wait::Ruling => {
                let void = |r: &Reading<Order>| r.orders.iter().any(|o| o.order == Order::Void);
                let upheld = !input.orders.get(&seat("umpire")).is_some_and(void);
                scribe.record(Event::Ruled { upheld });
            }
            Wait::Over => {}
        }
    }

    fn amend(&self, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
        let lower = text.to_ascii_lowercase();
        let change = |part: &str| -> Option<Event> {
            let [what @ ("purse" | "won"), side, value] = part.split_whitespace().collect::<Vec<_>>()[..]
            else {
                return None;
            };
            let side = side.parse().ok().filter(|side| state.purse.contains_key(side))?;
            Some(Event::Amended { purse: what == "purse", side, value: value.parse().ok()? })
        };
        let events: Option<Vec<Event>> = lower.split(';').map(change).collect();
        events.ok_or_else(|| Remark::error(1, "Write PURSE red 5 or WON red 1."))
    }

    fn trials(&self, events: &[Event]) -> Vec<Trial> {
        let high = |(side, face): (&Seat, &u32)| {
            let got = i32::try_from(*face).ok()?;
            Trial::graded(side, "clashes", &[1, 2, 3, 4, 5, 6], got)
        };
        let thrown = |event: &Event| match event {
            Event::Clashed { faces, .. } => faces.iter().filter_map(high).collect(),
            _ => Vec::new(),
        };
        events.iter().flat_map(thrown).collect()
    }

    fn brief(&self, view: &View, sights: &[String]) -> Briefing {
        let items = sights.iter().map(Item::of).collect();
        Briefing {
            title: self.title(),
            to: format!("the {} player", view.seat),
            date: format!("Round {}", view.round),
            subject: format!("Round {}", view.round),
            standing: facts(&view.won, "won"),
            sections: vec![
                Section::of("What happened", vec![Part::Items { numbered: true, items }]),
                Section::of("Coins", vec![Part::Facts { facts: facts(&view.purses, "coins") }]),
            ],
        }
    }

    fn shown(&self, view: &View, sights: &[String], _: &BTreeSet<String>) -> Briefing {
        self.brief(view, sights)
    }

    fn history(&self, view: &View) -> Briefing {
        self.brief(view, &[])
    }

    fn form(&self, view: &View) -> Vec<String> {
        match view.ruling {
            _ if self.leak == Leak::Form => vec![format!("# BID 3 of {:?}", self.scenario.chests)],
            true => vec!["# UPHOLD or VOID".to_owned()],
            false => vec!["# BID 3".to_owned()],
        }
    }

    fn play(&self, view: &View, most: u32, seed: u64) -> String {
        let purse = view.purses.get(&view.seat).copied().unwrap_or_default();
        match (view.bidding, view.ruling) {
            (true, _) => {
                format!("BID {}\n", u32::try_from(seed % 5).unwrap_or_default().min(purse).min(most))
            }
            (_, true) => if seed % 4 == 3 { "VOID\n" } else { "UPHOLD\n" }.to_owned(),
            _ => String::new(),
        }
    }
}
