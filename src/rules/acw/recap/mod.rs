//! What a receipt says of a set of orders: each in full words, with what it comes to as far as its commander can know.

mod deeds;
mod fight;

pub(crate) use deeds::{leg, way};

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::orders::{Placed, Reading, Recap, Remark, Understood};
use musterd_kit::set::Remarks;
use musterd_report::text::sentence;
use musterd_text::nouns::counted;

use crate::commanders;
use crate::data::Acw;
use crate::going;
use crate::law;
use crate::model::{BrigadeId, Echelon, HqId, ObjectiveId, Profile, UnitId};
use crate::numbers::Mover;
use crate::order::{Act, Command, Goal, Order, When};
use crate::read::{deed, names, read_orders};
use crate::state::{Hq, Presence};
use crate::view::{FoeKind, View};
use crate::words;

/// What the headquarters of a corps does that is to go somewhere (ACW-78).
pub(crate) const GOES_OVER: &str = "it goes over to the brigade of its own that is nearest to that";

/// Units of a line that are told of one by one.
const FEW: usize = 3;

/// Reads orders, and says what they come to. Everything comes from the view.
pub(crate) fn read_back(rules: &Acw, view: &View, text: &str) -> (Reading<Order>, Recap) {
    let mut reading = read_orders(rules, view, text);
    if !view.orders_now() {
        return (reading, Recap::default());
    }
    let teller = Teller { rules, view };
    let recap = Recap {
        orders: teller.orders(&reading.orders),
        defaults: teller.defaults(&reading.orders),
        ahead: teller.ahead(&reading.orders),
    };
    reading.remarks = teller.doubts(&reading.orders).finish_with(reading.remarks);
    (reading, recap)
}

/// Where a march ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// At its goal.
    There,
    /// Next to it, where it goes to its headquarters (ACW-71).
    Beside,
}

pub(super) struct Teller<'a> {
    rules: &'a Acw,
    view: &'a View,
}

impl Teller<'_> {
    /// A line each, whomever it is for.
    fn orders(&self, orders: &[Placed<Order>]) -> Vec<Understood> {
        let lines = orders.chunk_by(|one, next| one.line == next.line && alike(&one.order, &next.order));
        let told = lines.map(|line| {
            let all: Vec<&Order> = line.iter().map(|placed| &placed.order).collect();
            Understood { line: line[0].line, order: sentence(&self.order(&all)), effect: self.effect(&all) }
        });
        told.collect()
    }

    fn order(&self, line: &[&Order]) -> String {
        let battle = self.rules.battle();
        let units: Vec<UnitId> = line.iter().filter_map(|order| order.unit()).collect();
        let who = names(battle, &units);
        match line[0] {
            Order::Goal(Goal::Stand) => "your headquarters stays where it is".to_owned(),
            Order::Goal(goal) => format!("your headquarters goes to {}", words::goal(battle, *goal)),
            Order::Profile(profile) => format!("you lead as a {} commander", profile.words()),
            Order::Command(_, command) => format!("{who}: {}", words::command(battle, *command)),
            Order::Brigade(_, act) => format!("{who}: {}", deed(self.rules, *act)),
            Order::If(_, when, act) => {
                let when = if *when == When::Engaged { "engaged" } else { "shaken" };
                format!("{who}, once {when} in a later hour: {}", deed(self.rules, *act))
            }
            Order::StopOnContact(true) => {
                "your hours end once an enemy comes within two hexes of a brigade of yours".to_owned()
            }
            Order::StopOnContact(false) => "your hours go on whoever comes near".to_owned(),
            Order::Resign => "you resign".to_owned(),
        }
    }

    fn effect(&self, line: &[&Order]) -> String {
        let each = |say: &dyn Fn(&Order) -> Option<String>| {
            let told = line.iter().filter_map(|order| Some((order.unit()?, say(order)?)));
            self.grouped(told.collect())
        };
        match line[0] {
            Order::Goal(goal) => self.journey(*goal),
            Order::Profile(profile) => danger(*profile).to_owned(),
            Order::Command(..) => each(&|order| match order {
                Order::Command(id, command) => Some(self.begins(*id, *command)),
                _ => None,
            }),
            Order::Brigade(..) => each(&|order| match order {
                Order::Brigade(id, act) => self.comes_to(*id, *act),
                _ => None,
            }),
            Order::Resign => {
                let winner = self.view.side.map(|side| self.rules.battle().army(side.other()).name.clone());
                winner.map_or_else(String::new, |name| format!("{name} wins at the end of this turn"))
            }
            Order::If(..) | Order::StopOnContact(_) => String::new(),
        }
    }

    /// What is said of several units: each text once, with whom it is of where not all are meant.
    fn grouped(&self, told: Vec<(UnitId, String)>) -> String {
        let all = told.len();
        let mut groups: Vec<(String, Vec<UnitId>)> = Vec::new();
        for (unit, text) in told {
            match groups.iter_mut().find(|(known, _)| *known == text) {
                Some((_, units)) => units.push(unit),
                None => groups.push((text, vec![unit])),
            }
        }
        let battle = self.rules.battle();
        let more = groups.len().saturating_sub(FEW * 2);
        let said = groups.iter().take(FEW * 2).map(|(text, units)| match units.len() == all {
            true => text.clone(),
            false => format!("{}: {text}", names(battle, units)),
        });
        let mut said: Vec<String> = said.collect();
        said.extend((more > 0).then(|| format!("and {more} more")));
        said.join("; ")
    }

    /// What the way of a commander's headquarters costs.
    fn journey(&self, goal: Goal) -> String {
        let (battle, view) = (self.rules.battle(), self.view);
        let Some(at) = view.hq.and_then(|id| view.hq(id).at) else { return String::new() };
        let to = match goal {
            Goal::Objective(id) => Some(battle.objective(id).hex),
            Goal::Hex(hex) => Some(hex),
            Goal::Corps(id) => view.hq(id).at,
            Goal::Stand => None,
        };
        let mut said = Vec::new();
        let here = to.unwrap_or(at);
        if let Some(to) = to {
            said.push(match at.distance(to) {
                0 => "it is there".to_owned(),
                _ if view.hq.is_some_and(HqId::is_army) => {
                    let allowance = going::hq_allowance(self.rules, view.turn);
                    self.march_to((Mover::Headquarters, allowance), at, (to, End::There))
                }
                distance => format!("{} away: {GOES_OVER}", counted(distance, "hex", "hexes")),
            });
            if at != to && !self.rules.has_radio() {
                said.push("while it moves its staff counts 1 less for communication".to_owned());
            }
        }
        if matches!(goal, Goal::Corps(_)) {
            said.push("next to its headquarters you command its divisions yourself".to_owned());
        }
        let near = |foe: &crate::view::Foe| {
            matches!(foe.kind, FoeKind::Brigade(_)) && foe.at.distance(here) <= law::PERSONAL
        };
        if view.foes_seen().any(near) && !self.rules.has_radio() {
            said.push("enemies within four hexes of there take 2 off its staff".to_owned());
        }
        said.join("; ")
    }

    /// How likely a headquarters is to begin a command, and how far it has to go.
    fn begins(&self, id: HqId, command: Command) -> String {
        let (battle, hq) = (self.rules.battle(), self.view.hq(id));
        if hq.command == command {
            return match hq.pending {
                Some(other) => {
                    format!("it goes on with this command, and {} is dropped", words::command(battle, other))
                }
                None => goes_on(hq).to_owned(),
            };
        }
        let touch = if hq.in_touch || self.rules.has_radio() { "in" } else { "out of" };
        let mut said = vec![format!("{touch} communication")];
        if battle.hq(id).echelon == Echelon::Corps {
            said.extend(self.passes_on(id));
        } else {
            let chance = self.chance(id);
            let again = hq.pending == Some(command);
            said.push(match (chance, hq.tried) {
                (Some(chance), false) if chance >= 10 => "it begins at once".to_owned(),
                (Some(chance), false) => {
                    format!("it begins with this turn in {chance} of 10 cases, else it tries again")
                }
                (Some(chance), true) => {
                    let what = if again { "it was told so and has thrown" } else { "it has thrown" };
                    format!("{what} in this turn: it tries in the next, and begins in {chance} of 10 cases")
                }
                (None, _) => {
                    "when it begins hangs on a new commander whose leadership isn't known".to_owned()
                }
            });
            let by = law::obeys(battle, id, self.view.direct);
            said.extend((by != id).then(|| format!("the leadership of {} counts", words::hq(battle, by))));
        }
        if hq.guns.is_some() {
            said.push("until it begins it marches to the sound of the guns".to_owned());
        }
        said.extend(self.march(id, command));
        said.join("; ")
    }

    /// In how many of ten cases a headquarters begins a command: by a random number of 0 to 9, at most the leadership that counts (ACW-39, ACW-73). None where
    /// that isn't known.
    fn chance(&self, id: HqId) -> Option<i32> {
        let by = self.view.hq(law::obeys(self.rules.battle(), id, self.view.direct));
        by.leader.is_none().then(|| (by.leadership + 1).clamp(0, 10))
    }

    /// A corps begins what it is told, and its brigades with it; its divisions throw (ACW-73).
    fn passes_on(&self, corps: HqId) -> Vec<String> {
        let battle = self.rules.battle();
        let brigades = battle.brigades_under(corps).any(|spec| self.view.brigade(spec.id).is_fielded());
        let with = if brigades { ", and the brigades directly under it with it" } else { "" };
        let mut said = vec![format!("it begins at once{with}")];
        let divisions: Vec<HqId> =
            battle.hqs_under(corps).map(|spec| spec.id).filter(|id| self.view.hq(*id).at.is_some()).collect();
        let Some(first) = divisions.first() else { return said };
        said.push(match (law::obeys(battle, *first, self.view.direct) == corps, self.chance(*first)) {
            (true, Some(chance)) => format!(
                "each of its divisions that has to change its command throws against the leadership of the corps and begins in {chance} of 10 cases, \
                 else it tries again"
            ),
            (true, None) => "when its divisions begin hangs on a new commander whose leadership isn't known".to_owned(),
            (false, _) => {
                let is_yours = self.view.direct == Some(corps);
                let who = if is_yours { "you direct them" } else { "its commander directs them" };
                format!("each of its divisions that has to change its command throws against its own leadership: {who}")
            }
        });
        said
    }

    /// The distances of a line of march.
    fn march(&self, id: HqId, command: Command) -> Vec<String> {
        let (battle, view) = (self.rules.battle(), self.view);
        let Some(objective) = command.objective() else { return Vec::new() };
        let hex = |id: ObjectiveId| battle.objective(id).hex;
        let via = match command {
            Command::Offensive { via, .. } => via,
            _ => None,
        };
        let mut said = Vec::new();
        if let Some(at) = view.hq(id).at {
            let far = |distance: u32| counted(distance, "hex", "hexes");
            said.push(match via {
                Some(via) => format!(
                    "{} to {} and {} on to {}",
                    far(at.distance(hex(via))),
                    battle.objective(via).name,
                    far(hex(via).distance(hex(objective))),
                    battle.objective(objective).name
                ),
                None => {
                    format!("{} to {}", far(at.distance(hex(objective))), battle.objective(objective).name)
                }
            });
        }
        let (first, last) = battle.objective(objective).turns;
        let name = &battle.objective(objective).name;
        if first > view.until {
            said.push(format!("{name} counts from turn {first} on"));
        } else if last < view.turn {
            said.push(format!("{name} has counted for the last time, but for the end"));
        }
        said
    }

    /// Doubts that the reader has not: orders that come to nothing as things stand.
    fn doubts(&self, orders: &[Placed<Order>]) -> Remarks {
        let mut doubts = Remarks::default();
        let leaves: BTreeSet<BrigadeId> = orders
            .iter()
            .filter_map(|placed| match placed.order {
                Order::Brigade(id, act) if moves(act) => Some(id),
                _ => None,
            })
            .collect();
        for placed in orders {
            let Order::Brigade(id, act) = placed.order else { continue };
            let text = self.doubt(id, act, &leaves);
            text.into_iter().for_each(|text| doubts.push(Remark::futile(placed.line, text)));
        }
        doubts
    }

    fn doubt(&self, id: BrigadeId, act: Act, leaves: &BTreeSet<BrigadeId>) -> Option<String> {
        let (battle, view) = (self.rules.battle(), self.view);
        let who = words::brigade(battle, id);
        match act {
            Act::March(None) if self.destination(id, act).is_none() => {
                let over = words::hq(battle, battle.brigade(id).over);
                Some(format!("{who} has nowhere to go: {over} has no objective."))
            }
            Act::Deploy(way) => {
                let to = view.brigade(id).at?.step(way)?;
                let (other, brigade) = view.own_brigades().find(|(_, one)| one.at == Some(to))?;
                let stays = !leaves.contains(&other) && !moves(brigade.act);
                stays.then(|| {
                    format!("{} stands in {to}: {who} stays where it is.", words::brigade(battle, other))
                })
            }
            _ => None,
        }
    }

    /// Where a brigade marches by its order.
    fn destination(&self, id: BrigadeId, act: Act) -> Option<musterd_engine::hex::Hex> {
        let battle = self.rules.battle();
        commanders::goal_told(battle, self.view.hq(battle.brigade(id).over), self.view.brigade(id), act)
    }

    /// What units without an order do, one line a kind.
    fn defaults(&self, orders: &[Placed<Order>]) -> Vec<String> {
        let (battle, view) = (self.rules.battle(), self.view);
        let told: BTreeSet<UnitId> = orders
            .iter()
            .filter(|placed| !matches!(placed.order, Order::If(..)))
            .filter_map(|placed| placed.order.unit())
            .collect();
        let mut lines = Vec::new();
        let kept = view.own_hqs().filter(|(id, _)| view.can_command(*id) && !id.is_army());
        let kept = kept.filter(|(id, _)| !told.contains(&UnitId::Hq(*id)));
        let kept =
            kept.map(|(id, hq)| format!("{} {}", words::hq(battle, id), words::command(battle, hq.command)));
        let kept: Vec<String> = kept.collect();
        if !kept.is_empty() {
            lines.push(format!("Commands stand: {}.", kept.join("; ")));
        }
        let mut groups: BTreeMap<(bool, String), Vec<UnitId>> = BTreeMap::new();
        for (id, brigade) in view.own_brigades() {
            let unit = UnitId::Brigade(id);
            let mine = Some(battle.leader_of(unit).hq) == view.hq;
            if brigade.presence != Presence::Fielded || told.contains(&unit) || !mine {
                continue;
            }
            let does = if brigade.surprised { "surprised".to_owned() } else { deed(self.rules, brigade.act) };
            groups.entry((brigade.engaged().is_none(), does)).or_default().push(unit);
        }
        let numbers =
            |units: &[UnitId]| units.iter().copied().map(words::number).collect::<Vec<_>>().join(", ");
        let said = |free: bool| {
            let of = groups.iter().filter(|((is_free, _), _)| *is_free == free);
            let of: Vec<String> =
                of.map(|((_, does), units)| format!("{does}: {}", numbers(units))).collect();
            (!of.is_empty()).then(|| of.join("; "))
        };
        lines.extend(said(false).map(|text| format!("Engaged, as their commanders chose: {text}.")));
        lines.extend(said(true).map(|text| format!("As their commanders chose: {text}.")));
        lines
    }

    /// What is unknown, the hours to come, who comes.
    fn ahead(&self, orders: &[Placed<Order>]) -> Vec<String> {
        let (battle, view) = (self.rules.battle(), self.view);
        let mut lines = Vec::new();
        if view.foes_seen().next().is_some() {
            lines.push(
                "What the enemy does in this turn isn't known, nor his strength: figures are of your brigades as they stand."
                    .to_owned(),
            );
        } else {
            lines.push("No enemy is in sight: where he is isn't known.".to_owned());
        }
        lines.extend(self.hours());
        let due =
            view.own_brigades().filter(|(_, one)| one.presence == Presence::Awaited).filter_map(|(id, _)| {
                let start = battle.brigade(id).start;
                let soon = (view.turn + 1..=view.until + 1).contains(&start.turn);
                soon.then(|| format!("{} in {}", words::brigade(battle, id), words::place(battle, start.at)))
            });
        let due: Vec<String> = due.collect();
        if !due.is_empty() {
            lines.push(format!("Next to come: {}.", due.join(", ")));
        }
        let marches =
            |placed: &Placed<Order>| matches!(placed.order, Order::Brigade(_, act) if act.is_column());
        lines.extend(
            orders
                .iter()
                .any(marches)
                .then(|| "Marches are told as if nobody were in the way, and but for bad luck.".to_owned()),
        );
        let resigns = orders.iter().any(|placed| placed.order == Order::Resign);
        let last = view.until >= battle.last_turn();
        lines.extend((last || resigns).then(|| "The battle ends with this turn.".to_owned()));
        lines
    }

    /// What the hours of the mail turn are like.
    fn hours(&self) -> Vec<String> {
        let (battle, view) = (self.rules.battle(), self.view);
        let hours: Vec<&crate::battle::Hour> =
            (view.turn..=view.until).map(|turn| battle.hour(turn)).collect();
        let like = |hour: &&crate::battle::Hour| (hour.light, hour.weather, hour.still);
        let runs = hours.chunk_by(|one, next| like(one) == like(next));
        let told = runs.map(|run| {
            let clock = match run {
                [one] => words::clock(one.hour),
                [first, .., last] => format!("{} to {}", words::clock(first.hour), words::clock(last.hour)),
                [] => String::new(),
            };
            let still = if run[0].still { ", nobody moves or fights" } else { "" };
            format!("{clock} {}, {}{still}", run[0].light.words(), run[0].weather.words())
        });
        let told: Vec<String> = told.collect();
        vec![format!("{}.", told.join("; "))]
    }
}

/// What a headquarters does that is told what it does already: at its goal it goes by enemies within hearing (ACW-39).
const fn goes_on(hq: &Hq) -> &'static str {
    match (hq.command, hq.guns) {
        (_, Some(_)) => {
            "it has this command, and marches to the sound of the guns until it sees and hears no enemy within five hexes"
        }
        (Command::Offensive { .. }, None) if hq.arrived => {
            "it has this command, and is there: it holds until it sees or hears an enemy within five hexes, and then marches against him"
        }
        _ => "it has this command, and goes on with it",
    }
}

/// Whether two orders of a line are one order to several units.
fn alike(one: &Order, other: &Order) -> bool {
    match (one, other) {
        (Order::Command(_, one), Order::Command(_, other)) => one == other,
        (Order::Brigade(_, one), Order::Brigade(_, other)) => one == other,
        (Order::If(_, one, act), Order::If(_, other, deed)) => (one, act) == (other, deed),
        _ => false,
    }
}

/// Whether a brigade with this order leaves its hex if it can.
const fn moves(act: Act) -> bool {
    matches!(act, Act::March(_) | Act::Deploy(_) | Act::Regroup | Act::Withdraw | Act::Advance | Act::Assault)
}

/// What a profile brings, and what it may cost (Menu 6; ACW-7, ACW-23, ACW-40).
const fn danger(profile: Profile) -> &'static str {
    match profile {
        Profile::Heroic => {
            "brigades that assault within three hexes of you hit harder, by up to half, and hold better (3 in their checks); your staff counts 3 less; \
             you are hit in 8 of 100 such turns"
        }
        Profile::Bold => {
            "brigades under attack within four hexes of you hit harder by a tenth, and hold better (2 in their checks); your staff counts 1 less; you \
             are hit in 2 of 100 such turns"
        }
        Profile::Sensible => {
            "brigades within four hexes of you hold a little better (1 in their checks); you are hit in 2 of 1000 turns near the fight"
        }
        Profile::Cautious => "you are in no danger, and steady nobody",
    }
}
