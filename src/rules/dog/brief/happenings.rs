//! What happened since the last report: moves, strikes with their dice, results of orders.

use super::super::data::Dog;
use super::super::event::{Seen, Silence, Stance, StanceReason, Stop};
use super::super::model::{ArmyId, UnitId};
use super::super::sight::{Named, SeenStrike, Sight};
use super::super::words;
use musterd_engine::briefing::Part;
use musterd_engine::hex::Hex;
use musterd_kit::tell::{Account, March};
use musterd_report::text::sentence;

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
        let by: Vec<String> = by.iter().map(ToString::to_string).collect();
        let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
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
    fn say(&mut self, text: impl Into<String>) {
        self.item(text, Vec::new());
    }

    /// An item is a sentence.
    fn item(&mut self, text: impl Into<String>, details: Vec<String>) {
        self.account.tell(sentence(&text.into()), details);
    }

    fn tell(&mut self, sight: &Sight) {
        match sight {
            Sight::Moved { unit, from, to } => {
                if !self.account.is_marching(unit) {
                    self.account.halt();
                }
                self.account.step(unit, *from, *to);
            }
            Sight::SetUpBegan => self.say("The leaders fill in their unit records."),
            Sight::Clashed { at, units } => self.clashed(*at, units),
            Sight::Displaced { unit, from, to } => self.displaced(*unit, *from, *to),
            Sight::Searched { unit, at, die, chance, found } => {
                self.searched(unit, *at, die.zip(*chance), *found);
            }
            Sight::Revealed { unit, because: Seen::Found, .. } if self.found == Some(unit.id) => {}
            Sight::Revealed { unit, at, because } => {
                if let Some(why) = why_seen(*because) {
                    self.say(format!("{} is seen in {}{why}.", unit.called(), self.rules.place(*at)));
                }
            }
            Sight::Hid { unit, at } => {
                self.say(format!("{} hides in {}.", unit.called(), self.rules.place(*at)))
            }
            Sight::Vanished { unit, at } => {
                self.say(format!(
                    "{} is out of sight: last seen in {}.",
                    unit.called(),
                    self.rules.place(*at)
                ));
            }
            Sight::InitiativeThrown { throws, order } => self.initiative(throws, order),
            Sight::RoundBegan { round, order } => {
                self.say(format!("Round {round} begins: {}.", self.rules.names(order)));
            }
            Sight::ObedienceTested { unit, die, limit, obeys } => {
                let text = if *obeys { "obeys" } else { "disobeys: it stands in defence" };
                self.item(
                    format!("{} {text}.", unit.called()),
                    vec![format!("d100: {die}, disobeys at {limit} or less")],
                );
            }
            Sight::Saved { unit, toward, points, cost } => self.saved(unit, *toward, *points, *cost),
            Sight::Stopped { unit, at, because } => self.stopped(unit, *at, because),
            Sight::Split { unit, part, at, fighters } => {
                let some = fighters.map_or_else(|| "Some".to_owned(), |fighters| fighters.to_string());
                self.say(format!("{some} of {} stay in {} as {part}.", unit.called(), self.rules.place(*at)));
            }
            Sight::Dismounted { unit, part, at } => {
                self.say(format!(
                    "The crew of {} goes on foot in {} as {part}.",
                    unit.called(),
                    self.rules.place(*at)
                ));
            }
            Sight::Boarded { unit, at } => {
                self.say(format!("{} goes aboard in {}.", unit.called(), self.rules.place(*at)));
            }
            Sight::Landed { unit, to } => {
                self.say(format!("{} lands in {}.", unit.called(), self.rules.place(*to)));
            }
            Sight::StruckFleeing { strike } => self.struck_fleeing(strike),
            Sight::Stood { unit, stance, because } => self.stood(unit, *stance, *because),
            Sight::Exchanged { strike, answer, silent } => self.exchanged(strike, answer.as_ref(), *silent),
            Sight::Shot { strike, hexes } => self.shot(strike, *hexes),
            Sight::Surrendered { unit, to, loot } => {
                let details = loot.map(|loot| format!("loot {loot}")).into_iter().collect();
                self.item(format!("{} surrenders to {}.", unit.called(), to.called()), details);
            }
            Sight::Freed { unit, at } => {
                self.say(format!("{} is free again in {}.", unit.called(), self.rules.place(*at)));
            }
            Sight::Drowned { unit, at, dead } => {
                let some = dead.map_or_else(|| "some".to_owned(), |dead| dead.to_string());
                self.say(format!("{} in {}: {some} drown.", unit.called(), self.rules.place(*at)));
            }
            Sight::NotDone { order, reason, .. } => {
                self.item(format!("Not done: {order}."), vec![reason.clone()]);
            }
            Sight::RoundEnded { .. } | Sight::Ended { .. } => self.account.halt(),
            Sight::Amended { text } => self.say(format!("The GM: {text}")),
        }
    }

    /// Units of several armies were to stand in one hex.
    fn clashed(&mut self, at: Hex, units: &[UnitId]) {
        let units = list(units);
        self.say(format!(
            "{units} can't stand in {}: another army's unit was to stand there too.",
            self.rules.place(at)
        ));
    }

    /// A unit stands elsewhere than it was to stand.
    fn displaced(&mut self, unit: UnitId, from: Hex, to: Option<Hex>) {
        let from = self.rules.place(from);
        let instead = match to {
            Some(to) => format!("it stands in {}", self.rules.place(to)),
            None => "no hex is left for it, and it stays off the field unless the GM brings it in".to_owned(),
        };
        self.say(format!("{unit} can't stand in {from}, where somebody stands: {instead}."));
    }

    /// The armies threw for their order.
    fn initiative(&mut self, throws: &[(ArmyId, Vec<u32>)], order: &[ArmyId]) {
        let army = |id| self.rules.battle().army(id).name.as_str();
        let each = throws.iter().map(|(id, dice)| {
            let dice: Vec<String> = dice.iter().map(ToString::to_string).collect();
            format!("{} {}", army(*id), dice.join(" and again "))
        });
        let details = vec![each.collect::<Vec<_>>().join(", ")];
        self.item(format!("The order of the armies is thrown for: {}.", self.rules.names(order)), details);
    }

    /// A unit saves its points for a hex.
    fn saved(&mut self, unit: &Named, toward: Hex, points: u16, cost: u16) {
        self.say(format!(
            "{} saves {} of the {} points that {} takes.",
            unit.called(),
            words::halves(points),
            words::halves(cost),
            self.rules.place(toward)
        ));
    }

    /// A march ended early.
    fn stopped(&mut self, unit: &Named, at: Hex, because: &Stop) {
        let because = self.why_stopped(because);
        if self.account.is_marching(unit) {
            self.account.march(unit).details = format!(", and stops: {because}");
            return self.account.halt();
        }
        self.say(format!("{} stops in {}: {because}.", unit.called(), self.rules.place(at)));
    }

    /// A unit was struck at its back.
    fn struck_fleeing(&mut self, strike: &SeenStrike) {
        let text =
            format!("{} strikes at the back of {}, who flees.", strike.by.called(), strike.on.called());
        self.item(text, vec![blow(strike)]);
    }

    /// A melee attack, and what came back.
    fn exchanged(&mut self, strike: &SeenStrike, answer: Option<&SeenStrike>, silent: Option<Silence>) {
        let text = format!(
            "{} in {} attacks {} in {}.",
            strike.by.called(),
            strike.from,
            strike.on.called(),
            self.rules.place(strike.at)
        );
        let mut details = vec![blow(strike)];
        details.extend(answer.map(|answer| format!("{} retaliates: {}", answer.by.id, blow(answer))));
        details.extend(
            silent.map(|silent| format!("{} does not retaliate: {}", strike.on.id, why_silent(silent))),
        );
        self.item(text, details);
    }

    /// A volley.
    fn shot(&mut self, strike: &SeenStrike, hexes: u32) {
        let text = format!(
            "{} in {} shoots at {} in {}, {hexes} {} away.",
            strike.by.called(),
            strike.from,
            strike.on.called(),
            self.rules.place(strike.at),
            if hexes == 1 { "hex" } else { "hexes" }
        );
        self.item(text, vec![blow(strike)]);
    }

    /// Somebody looked for a hidden unit; with the die and the chance where they may be told.
    fn searched(&mut self, unit: &Named, at: Hex, throw: Option<(u32, i32)>, found: bool) {
        self.found = found.then_some(unit.id);
        let text = match found {
            true => format!("{} is found in {}.", unit.called(), self.rules.place(at)),
            false => {
                format!("{} lies hidden in {} and is not found.", unit.called(), self.rules.place(at))
            }
        };
        let details = throw.map(|(die, chance)| format!("die {die}: {}", words::found(chance)));
        self.item(text, details.into_iter().collect());
    }

    fn stood(&mut self, unit: &Named, stance: Stance, because: StanceReason) {
        let text = match (because, stance) {
            // Ordered and usual stances need no mention.
            (StanceReason::Ordered | StanceReason::Unordered, _) => return,
            (StanceReason::Attacked, Stance::Defence) => "gives up its attack and defends itself".to_owned(),
            (StanceReason::Attacked, Stance::Attack(target)) => format!("turns on {target}, who attacks it"),
            (StanceReason::Disobeyed, _) => return,
            (StanceReason::Pursuing, Stance::Attack(prey)) => format!("hunts {prey}"),
            (StanceReason::Pursuing, Stance::Defence) => "defends itself".to_owned(),
            (StanceReason::Guarding, _) => "guards its prisoners".to_owned(),
        };
        self.say(format!("{} {text}.", unit.called()));
    }

    fn why_stopped(&self, stop: &Stop) -> String {
        match stop {
            Stop::Points => "its points are spent".to_owned(),
            Stop::Taken { hex } => format!("{} is taken", self.rules.place(*hex)),
            Stop::Ambush { unit, hex } => format!("{unit} lay hidden in {}", self.rules.place(*hex)),
            Stop::Engaged { by } => {
                format!("to go on is to leave {}, and it was not to flee", list(by))
            }
            Stop::Barred { hex, reason } => format!("it can't enter {}: {reason}", self.rules.place(*hex)),
            Stop::NoWay { hex } => format!("there is no way to {}", self.rules.place(*hex)),
        }
    }
}

fn list(units: &[UnitId]) -> String {
    musterd_report::text::listed(&units.iter().map(ToString::to_string).collect::<Vec<_>>())
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
