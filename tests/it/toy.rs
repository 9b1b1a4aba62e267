//! The Ridge: a toy ruleset that shares nothing with the real ones. Both sides bid hidden coins at once, dice decide, and an
//! umpire upholds or voids the outcome before the next round. It proves that the engine knows no game.

use std::collections::{BTreeMap, BTreeSet};

use musterd::dice::odds::Distribution;
use musterd::dice::statistics::Trial;
use musterd::engine::briefing::{Briefing, Fact, Item, Map, Part, Scale, Section, Tile};
use musterd::engine::calls::{Answer, Arg, Call, Calls, Kind, read_as};
use musterd::engine::files::DataErrors;
use musterd::engine::founding::GameOption;
use musterd::engine::hex::Hex;
use musterd::engine::orders::{Likeness, OrderUse, Placed, Reading, Recap, Remark, Understood};
use musterd::engine::palette::{Ground, Palette};
use musterd::engine::{
    Awaiting, Fold, Founding, GameId, Input, LabelStem, Level, PublishedFormat, Ruleset, Scribe, Seat,
    SeatSpec,
};
use musterd_kit::odds::{Answer as Odds, Chances};
use musterd_kit::palette::HILLS;
use musterd_kit::set;
use serde::{Deserialize, Serialize};

use super::leaks::Leak;

/// The files of the toy, as they would lie under `games/toy/`.
pub(crate) const FILES: &[(&str, &str)] =
    &[("scenarios/ridge.yaml", "title: The Ridge\nrounds: 3\ncoins: 6\nhouse_dice: 6\n")];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    title: String,
    rounds: u32,
    coins: u32,
    house_dice: u32,
    /// What sides have besides, each without the other's knowledge.
    #[serde(default)]
    pub(crate) chests: BTreeMap<Seat, u32>,
}

pub(crate) struct Toy {
    pub(crate) scenario: Scenario,
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
    pub(crate) purse: BTreeMap<Seat, u32>,
    won: BTreeMap<Seat, u32>,
    /// Who leads the clash that the umpire is to rule on.
    leader: Option<Seat>,
    pub(crate) bids: BTreeMap<Seat, u32>,
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
            let face = scribe.die(&LabelStem::of("ridge", "clash", side), 6);
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
    table.iter().map(|(side, n)| Fact::of(side.to_string(), format!("{n} {what}"))).collect()
}

/// The ridge above the plain, and whose forces lead on it.
fn map(view: &View) -> Map {
    let forces = view.leader.as_ref().map_or(String::new(), Seat::to_string);
    let own = view.leader.as_ref() == Some(&view.seat);
    let ridge = Tile { ground: HILLS.sign, name: "Ridge".to_owned(), forces, own, ..Tile::default() };
    let plain = Tile { ground: Ground::CLEAR.sign, ..Tile::default() };
    Map::of(&PALETTE, Scale::Theatre, [(Hex::new(1, 1), ridge), (Hex::new(1, 2), plain)].into())
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

/// How the map of the ridge looks.
const PALETTE: Palette = Palette { grounds: &[Ground::CLEAR, HILLS.called("the ridge")], ..Palette::PLAIN };

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
                (state.leader, state.wait) = (leader.clone(), Wait::Ruling);
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
    const ODDS: Calls = Calls::of("The odds of The Ridge", &[CLASH]);
    const CALLS: Calls = Calls::of("What became of games of The Ridge", &[WON]);
    const PALETTE: &'static Palette = &PALETTE;
    const SCHEMAS: &'static [PublishedFormat] =
        &[PublishedFormat::of("toy-view", "what a seat of The Ridge knows", |_| {
            r#"{"type": "object"}"#.to_owned()
        })];
    const OPTIONS: &'static [GameOption] = &[GameOption::words(
        "purses",
        "what each side begins with",
        &[("plain", "as the scenario has it"), ("full", "twice that")],
    )];

    const LEVELS: &'static [Level<u64>] =
        &[Level::of("timid", "bids two coins at most", 2), Level::of("bold", "bids four coins at most", 4)];

    type Skill = u64;
    type Order = Order;
    type Sight = String;
    type View = View;

    fn load(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        let mut scenario: Scenario = founding.files().yaml("scenario.yaml")?;
        if founding.option("purses") == "full" {
            scenario.coins *= 2;
        }
        let spec = |name| SeatSpec::of(seat(name), format!("the {name} player"), name);
        let seats = ["red", "blue", "umpire"].map(spec).to_vec();
        founding.only(&seats)?;
        Ok(Self { scenario, seats, leak: Leak::Nothing })
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
        match state.wait {
            Wait::Founding => Awaiting::Founding,
            Wait::Bids => {
                let title = format!("Round {round}, both bid{}", self.leak.count(state));
                Awaiting::orders(&format!("round-{round}"), title, self.sides().cloned().collect())
            }
            Wait::Ruling => {
                let title = format!("Round {round}, the umpire rules");
                Awaiting::orders(&format!("ruling-{round}"), title, vec![seat("umpire")])
            }
            Wait::Over => Awaiting::Over {
                results: state.won.iter().map(|(side, won)| format!("{side}: {won} rounds won")).collect(),
            },
        }
    }

    fn view(&self, state: &State, to: &Seat) -> View {
        let own = |side: &Seat| side == to || to.as_str() == "umpire" || self.leak.shows(state, to, side);
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
        if let Some(leaked) = self.leak.sight(before, event, to) {
            return Some(leaked);
        }
        match event {
            Event::Paid { side, coins } => own(side).then(|| format!("{side} gets {coins} coins")),
            Event::Bid { side, coins } => own(side).then(|| format!("{side} bids {coins}")),
            Event::Clashed { leader: Some(side), .. } => Some(format!("{side} takes the ridge")),
            Event::Clashed { leader: None, .. } => Some("nobody takes the ridge".to_owned()),
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
        set::read(text, |line, _| {
            let words = line.to_ascii_lowercase();
            let order = match words.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["bid", coins] if view.bidding => match coins.parse::<u32>() {
                    Ok(coins) if coins <= view.purses[&view.seat] => Ok(Order::Bid(coins)),
                    Ok(_) => Err(format!("you have {} coins", view.purses[&view.seat])),
                    Err(_) => Err(format!("a bid is a number of coins{}", self.leaked(Leak::Receipt))),
                },
                ["uphold"] if view.ruling => Ok(Order::Uphold),
                ["void"] if view.ruling => Ok(Order::Void),
                ["bid", _] | ["uphold"] | ["void"] => Err("that is not yours to order now".to_owned()),
                _ => Err("this is no order: write BID and a number".to_owned()),
            };
            order.map(Some).map_err(|why| Remark::error(0, why))
        })
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

    fn contact(&self, view: &View) -> Option<String> {
        view.ruling.then(|| "a clash".to_owned())
    }

    fn offered(&self, view: &View) -> Vec<OrderUse> {
        let bid = view.bidding.then(|| OrderUse::of(&["BID 3"], "bids three coins for the ridge"));
        let rule = || OrderUse::of(&["UPHOLD", "VOID"], "lets the clash stand, or makes it nothing");
        bid.or_else(|| view.ruling.then(rule)).into_iter().collect()
    }

    fn read_back(&self, view: &View, text: &str) -> (Reading<Order>, Recap) {
        let reading = self.read_orders(view, text);
        let said = |placed: &Placed<Order>| {
            let (order, effect) = match placed.order {
                Order::Bid(coins) => {
                    (format!("Bid {coins}"), format!("{} coins stay", view.purses[&view.seat] - coins))
                }
                Order::Uphold => ("Uphold".to_owned(), String::new()),
                Order::Void => ("Void".to_owned(), String::new()),
            };
            Understood { line: placed.line, order, effect }
        };
        let orders: Vec<_> = reading.orders.iter().map(said).collect();
        let defaults = orders.is_empty().then(|| "no bid: 0 coins".to_owned()).into_iter().collect();
        (reading, Recap { orders, defaults, ahead: Vec::new() })
    }

    fn step(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Order>) {
        match scribe.state().wait {
            Wait::Founding => {
                for side in self.sides() {
                    let extra = scribe.die(&LabelStem::of("ridge", "purse", side), self.scenario.house_dice);
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
            at_end: Vec::new(),
            sections: vec![
                Section::of("What happened", vec![Part::Items { numbered: true, items }]),
                Section::of("The ridge", vec![Part::Map(map(view))]),
                Section::of("Coins", vec![Part::Facts { facts: facts(&view.purses, "coins") }]),
            ],
        }
    }

    fn shown(&self, view: &View, sights: &[String], _: &BTreeSet<String>) -> Briefing {
        self.brief(view, sights)
    }

    fn form(&self, view: &View) -> Vec<String> {
        let bid = || format!("# BID 3{}", self.leaked(Leak::Form));
        vec![if view.ruling { "# UPHOLD or VOID".to_owned() } else { bid() }]
    }

    fn play(&self, view: &View, most: u64, seed: u64) -> String {
        match (view.bidding, view.ruling) {
            (true, _) => format!("BID {}\n", (seed % 5).min(view.purses[&view.seat].into()).min(most)),
            (_, true) => if seed % 4 == 3 { "VOID\n" } else { "UPHOLD\n" }.to_owned(),
            _ => String::new(),
        }
    }
}
