//! What happened since the last report: moves, strikes with their dice, results of orders.

use super::super::data::Dog;
use super::super::event::{Seen, Silence, Stance, StanceReason, Stop};
use super::super::model::UnitId;
use super::super::sight::{Named, SeenStrike, Sight};
use super::super::words;
use musterd_engine::briefing::Part;
use musterd_engine::hex::Hex;
use musterd_kit::lists::{joined, listed};
use musterd_kit::tell::{Account, March};
use musterd_report::text::sentence;
use musterd_text::nouns::counted;

/// The story of the sights, a list of items in their order.
pub(super) fn parts(rules: &Dog, sights: &[Sight]) -> Vec<Part> {
    let mut story = Story { rules, account: Account::new(|march| in_words(rules, march)), found: None };
    for sight in sights {
        story.tell(sight);
    }
    story.account.part(false).into_iter().collect()
}

/// `E1 (heavy infantry) moves from 0103 to 0305 by 0104, 0204, and stops: its points are spent.` The details are what ended the march.
fn in_words(rules: &Dog, march: &March<Named, String>) -> String {
    let place = |hex| rules.place(hex);
    let way = march.way().map_or_else(String::new, |(from, by, to)| {
        let by = if by.is_empty() { String::new() } else { format!(" by {}", joined(by, ", ")) };
        format!(" from {} to {}{by}", place(from), place(to))
    });
    sentence(&format!("{} moves{way}{}.", march.who.called(), march.details))
}

struct Story<'a> {
    rules: &'a Dog,
    account: Account<'a, Named, String>,
    /// A unit of one's own side whose discovery was just told.
    found: Option<UnitId>,
}

impl Story<'_> {
    fn tell(&mut self, sight: &Sight) {
        match sight {
            Sight::Moved { unit, from, to } => {
                if !self.account.is_marching(unit) {
                    self.account.halt();
                }
                self.account.step(unit, *from, *to);
            }
            Sight::Stopped { unit, because, .. } if self.account.is_marching(unit) => {
                self.account.march(unit).details = format!(", and stops: {}", self.why_stopped(because));
                self.account.halt();
            }
            Sight::RoundEnded { .. } | Sight::Ended { .. } => self.account.halt(),
            _ => {
                if let Some((text, details)) = self.item(sight) {
                    self.account.tell(sentence(&text), details);
                }
                if let Sight::Searched { unit, found, .. } = sight {
                    self.found = found.then_some(unit.id);
                }
            }
        }
    }

    /// A sentence, and how it came to what it tells; `None` of what needs no mention.
    fn item(&self, sight: &Sight) -> Option<(String, Vec<String>)> {
        let place = |hex: &Hex| self.rules.place(*hex);
        let mut details = Vec::new();
        let text = match sight {
            Sight::SetUpBegan => "The leaders fill in their unit records.".to_owned(),
            Sight::Clashed { at, units } => format!(
                "{} can't stand in {}: another army's unit was to stand there too.",
                listed(units),
                place(at)
            ),
            Sight::Displaced { unit, from, to } => {
                let instead = match to {
                    Some(to) => format!("it stands in {}", place(to)),
                    None => "no hex is left for it, and it stays off the field unless the GM brings it in"
                        .to_owned(),
                };
                format!("{unit} can't stand in {}, where somebody stands: {instead}.", place(from))
            }
            Sight::Searched { unit, at, die, chance, found } => {
                let throw = die.zip(*chance);
                details.extend(throw.map(|(die, chance)| format!("die {die}: {}", words::found(chance))));
                match found {
                    true => format!("{} is found in {}.", unit.called(), place(at)),
                    false => format!("{} lies hidden in {} and is not found.", unit.called(), place(at)),
                }
            }
            Sight::Revealed { unit, because: Seen::Found, .. } if self.found == Some(unit.id) => return None,
            Sight::Revealed { unit, at, because } => {
                format!("{} is seen in {}{}.", unit.called(), place(at), why_seen(*because)?)
            }
            Sight::Hid { unit, at } => format!("{} hides in {}.", unit.called(), place(at)),
            Sight::Vanished { unit, at } => {
                format!("{} is out of sight: last seen in {}.", unit.called(), place(at))
            }
            Sight::InitiativeThrown { throws, order } => {
                let army = |id| self.rules.battle().army(id).name.as_str();
                let each =
                    throws.iter().map(|(id, dice)| format!("{} {}", army(*id), joined(dice, " and again ")));
                details.push(joined(each, ", "));
                format!("The order of the armies is thrown for: {}.", self.rules.names(order))
            }
            Sight::RoundBegan { round, order } => {
                format!("Round {round} begins: {}.", self.rules.names(order))
            }
            Sight::ObedienceTested { unit, die, limit, obeys } => {
                details.push(format!("d100: {die}, disobeys at {limit} or less"));
                let what = if *obeys { "obeys" } else { "disobeys: it stands in defence" };
                format!("{} {what}.", unit.called())
            }
            Sight::NotDone { order, reason, .. } => {
                details.push(reason.clone());
                format!("Not done: {order}.")
            }
            Sight::Amended { text } => format!("The GM: {text}"),
            Sight::Moved { .. } | Sight::RoundEnded { .. } | Sight::Ended { .. } => return None,
            deed => return self.deed(deed),
        };
        Some((text, details))
    }

    /// The same of what a unit did or suffered in a round.
    fn deed(&self, sight: &Sight) -> Option<(String, Vec<String>)> {
        let place = |hex: &Hex| self.rules.place(*hex);
        let called = |strike: &SeenStrike| (strike.by.called(), strike.on.called());
        let mut details = Vec::new();
        let text = match sight {
            Sight::Saved { unit, toward, points, cost } => {
                let (points, cost) = (words::halves(*points), words::halves(*cost));
                format!("{} saves {points} of the {cost} points that {} takes.", unit.called(), place(toward))
            }
            Sight::Stopped { unit, at, because } => {
                format!("{} stops in {}: {}.", unit.called(), place(at), self.why_stopped(because))
            }
            Sight::Split { unit, part, at, fighters } => {
                let some = fighters.map_or_else(|| "Some".to_owned(), |fighters| fighters.to_string());
                format!("{some} of {} stay in {} as {part}.", unit.called(), place(at))
            }
            Sight::Dismounted { unit, part, at } => {
                format!("The crew of {} goes on foot in {} as {part}.", unit.called(), place(at))
            }
            Sight::Boarded { unit, at } => format!("{} goes aboard in {}.", unit.called(), place(at)),
            Sight::Landed { unit, to } => format!("{} lands in {}.", unit.called(), place(to)),
            Sight::StruckFleeing { strike } => {
                details.push(blow(strike));
                let (by, on) = called(strike);
                format!("{by} strikes at the back of {on}, who flees.")
            }
            Sight::Stood { unit, stance, because } => {
                format!("{} {}.", unit.called(), stood(*stance, *because)?)
            }
            Sight::Exchanged { strike, answer, silent } => {
                details.push(blow(strike));
                let answer = answer.as_ref();
                details.extend(answer.map(|answer| format!("{} retaliates: {}", answer.by.id, blow(answer))));
                let why = silent.map(why_silent);
                details.extend(why.map(|why| format!("{} does not retaliate: {why}", strike.on.id)));
                let (by, on) = called(strike);
                format!("{by} in {} attacks {on} in {}.", strike.from, place(&strike.at))
            }
            Sight::Shot { strike, hexes } => {
                details.push(blow(strike));
                let ((by, on), far) = (called(strike), counted(*hexes, "hex", "hexes"));
                format!("{by} in {} shoots at {on} in {}, {far} away.", strike.from, place(&strike.at))
            }
            Sight::Surrendered { unit, to, loot } => {
                details.extend(loot.map(|loot| format!("loot {loot}")));
                format!("{} surrenders to {}.", unit.called(), to.called())
            }
            Sight::Freed { unit, at } => format!("{} is free again in {}.", unit.called(), place(at)),
            Sight::Drowned { unit, at, dead } => {
                let some = dead.map_or_else(|| "some".to_owned(), |dead| dead.to_string());
                format!("{} in {}: {some} drown.", unit.called(), place(at))
            }
            _ => return None,
        };
        Some((text, details))
    }

    fn why_stopped(&self, stop: &Stop) -> String {
        match stop {
            Stop::Points => "its points are spent".to_owned(),
            Stop::Taken { hex } => format!("{} is taken", self.rules.place(*hex)),
            Stop::Ambush { unit, hex } => format!("{unit} lay hidden in {}", self.rules.place(*hex)),
            Stop::Engaged { by } => format!("to go on is to leave {}, and it was not to flee", listed(by)),
            Stop::Barred { hex, reason } => format!("it can't enter {}: {reason}", self.rules.place(*hex)),
            Stop::NoWay { hex } => format!("there is no way to {}", self.rules.place(*hex)),
        }
    }
}

/// How a unit stands. Ordered and usual stances need no mention, nor those of who disobeys, which is told before.
fn stood(stance: Stance, because: StanceReason) -> Option<String> {
    Some(match (because, stance) {
        (StanceReason::Ordered | StanceReason::Unordered | StanceReason::Disobeyed, _) => return None,
        (StanceReason::Attacked, Stance::Defence) => "gives up its attack and defends itself".to_owned(),
        (StanceReason::Attacked, Stance::Attack(target)) => format!("turns on {target}, who attacks it"),
        (StanceReason::Pursuing, Stance::Attack(prey)) => format!("hunts {prey}"),
        (StanceReason::Pursuing, Stance::Defence) => "defends itself".to_owned(),
        (StanceReason::Guarding, _) => "guards its prisoners".to_owned(),
    })
}

/// Force, die, damage, deaths of a strike, as far as they are seen.
fn blow(strike: &SeenStrike) -> String {
    let fallen = match (strike.killed, strike.destroyed) {
        (_, true) => "nobody is left".to_owned(),
        (Some(0), _) => "nobody falls".to_owned(),
        (Some(1), _) => "1 falls".to_owned(),
        (Some(killed), _) => format!("{killed} fall"),
        (None, _) => "too far away to count the dead".to_owned(),
    };
    let Some(sum) = strike.sum else { return fallen };
    let left = sum.left.filter(|_| !strike.destroyed);
    let left = left.map_or_else(String::new, |left| format!(", {left} left"));
    match (sum.force, sum.die, sum.damage) {
        (Some(force), Some(die), Some(damage)) => format!(
            "force {force}, die {die}: {} x {} = {damage} damage, {fallen}{left}",
            3 + die.div_ceil(2),
            force.div_ceil(10)
        ),
        _ => format!("{fallen}{left}"),
    }
}

/// Why a unit is seen, unless the next sentences tell it.
const fn why_seen(because: Seen) -> Option<&'static str> {
    match because {
        Seen::Found => Some(": it was found"),
        Seen::Moved => Some(", on the move"),
        Seen::Surrendered => Some(": it gives up"),
        Seen::Struck => None,
        Seen::Met => Some(": somebody came upon it"),
    }
}

const fn why_silent(silent: Silence) -> &'static str {
    match silent {
        Silence::Elsewhere => "it attacks somebody else",
        Silence::Once => "it has retaliated once",
        Silence::Defenceless => "it has no defence",
    }
}
