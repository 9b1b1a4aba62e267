//! What happened, hour by hour: fights in the order of fire, what became of those who were fired at, marches, what came into sight.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::briefing::{Item, Part};
use musterd_engine::hex::Hex;
use musterd_report::text::sentence;
use musterd_text::nouns::{count, counted};

use crate::data::Acw;
use crate::event::{CheckResult, Lost, Stop};
use crate::model::{BrigadeId, Fate, UnitId};
use crate::order::{Act, Goal};
use crate::sight::{Enemy, Figures, SeenShot, Sight, Who};
use crate::state::Phase;
use crate::view::{FoeKind, View};
use crate::words;

/// The account of a mail turn: hour by hour if it has several.
pub(super) struct Story {
    pub(super) hours: Vec<Hour>,
    /// Where there was fighting.
    pub(super) fought: BTreeSet<Hex>,
}

/// The account of an hour, or of a whole mail turn that has no more than one.
#[derive(Default)]
pub(super) struct Hour {
    /// The hour in words, where there are several.
    pub(super) heading: Option<String>,
    /// Fights and what came of them, in order.
    pub(super) fights: Vec<Item>,
    /// What headquarters did.
    pub(super) commands: Vec<Item>,
    /// Marches of his own units and of enemies in sight.
    marches: Vec<(Who, Hex, Hex, usize)>,
    /// Why units of his own stopped.
    stops: BTreeMap<UnitId, Stop>,
    /// Enemies that came into sight.
    pub(super) found: Vec<String>,
    /// Objectives, works, recoveries, leaders: whatever else.
    pub(super) others: Vec<Item>,
    /// Where there was fighting.
    fought: BTreeSet<Hex>,
    /// How much of the fighting there was: shots of his own, shots at him.
    shots: [usize; 2],
    /// Men of his own and of the enemy that fell in fights.
    fallen: [u32; 2],
    scored: BTreeMap<(u8, bool), u32>,
}

impl Story {
    /// The account of some sights. With despatches nothing is told of what units did since they were heard of last (ACW-86).
    pub(super) fn of(rules: &Acw, view: &View, sights: &[Sight]) -> Self {
        let teller = Teller { rules, view };
        let begins = |sight: &Sight| if let Sight::Began { turn } = sight { Some(*turn) } else { None };
        // The first sights are of the hour that had begun when the last report was written.
        let mut turn = sights.iter().find_map(begins).map_or(view.turn, |turn| turn.saturating_sub(1));
        // What is told behind the last of several hours is of the beginning of the next one.
        let over = view.phase == Phase::Over;
        let last = sights.iter().filter_map(begins).next_back();
        let last = last.filter(|last| last + u16::from(over) > turn + 1);
        let heading = |turn: u16| {
            let last = last?;
            let clock = words::clock(rules.battle().hour(turn).hour);
            let opens = turn == last && !over;
            Some(if opens { format!("{clock}, as it begins") } else { clock })
        };
        let mut hours = vec![Hour { heading: heading(turn), ..Hour::default() }];
        for sight in sights {
            if let Some(next) = begins(sight) {
                turn = next;
                hours.extend(last.map(|_| Hour { heading: heading(turn), ..Hour::default() }));
            }
            let is_told = |unit: &UnitId| view.heard.get(unit).is_none_or(|heard| turn < *heard);
            if let Some(hour) = hours.last_mut().filter(|_| sight.own().iter().all(is_told)) {
                hour.take(&teller, sight);
            }
        }
        let fought = hours.iter().flat_map(|hour| hour.fought.iter().copied()).collect();
        Self { hours, fought }
    }
}

impl Hour {
    fn take(&mut self, teller: &Teller<'_>, sight: &Sight) {
        let tell = |items: &mut Vec<Item>, text: String| items.push(Item::of(text));
        match sight {
            Sight::Fired(shot) => self.fired(teller, shot),
            Sight::HqFired { by, hq, to } => {
                let away = to.map_or_else(|| "gets away".to_owned(), |to| format!("gets away to {to}"));
                let text = format!("{} fires at {}, which {away}.", teller.subject(*by), teller.name(*hq));
                tell(&mut self.fights, text);
            }
            Sight::Checked { brigade, parts, total, result } => {
                let name = teller.brigade(*brigade);
                let details = vec![format!("{} = {total}: {}", words::parts(parts), band(*result))];
                self.fights.push(Item { text: format!("{name} {}.", outcome(*result)), details });
            }
            Sight::Shattered { who } => tell(&mut self.fights, format!("{} shatters.", teller.subject(*who))),
            Sight::Retreated { who, from, to, flees } => {
                let verb = if *flees { "flees" } else { "falls back" };
                let to = to.map_or_else(String::new, |to| format!(" to {to}"));
                self.fought.insert(*from);
                tell(&mut self.fights, format!("{} {verb} from {from}{to}.", teller.subject(*who)));
            }
            Sight::Cornered { brigade, cohesion } => {
                let name = teller.brigade(*brigade);
                tell(
                    &mut self.fights,
                    format!("{name} can't fall back, and is left with cohesion {cohesion}."),
                );
            }
            Sight::Destroyed { who, at, how } => {
                self.fought.insert(*at);
                let text = match how {
                    Lost::Removed => format!("{} is taken away by the GM.", teller.subject(*who)),
                    how => format!("{} is gone: {}.", teller.subject(*who), how.words()),
                };
                tell(&mut self.fights, text);
            }
            Sight::Startled { brigade, die, against, surprised } => {
                let name = teller.brigade(*brigade);
                let details = die.map_or_else(Vec::new, |die| {
                    vec![format!("random {die} of 0 to 15 against experience and leadership {against}")]
                });
                let text = if *surprised {
                    format!("{name} is SURPRISED by the enemy.")
                } else {
                    format!("{name} meets the enemy and deploys in time.")
                };
                self.others.push(Item { text, details });
            }
            Sight::LeaderHit { unit, fate, leadership, second } => {
                self.others.push(teller.leader(*unit, (*fate, *leadership, *second)));
            }
            Sight::Moved { who, from, to } => self.moved(*who, *from, *to),
            Sight::Stopped { unit, why } => {
                self.stops.insert(*unit, *why);
            }
            Sight::Found { enemy, .. } => self.found.push(teller.name(*enemy)),
            Sight::Sighted { enemies } => self.found.extend(enemies.iter().map(|one| teller.name(*one))),
            Sight::Scored { objective, side, points } => {
                *self.scored.entry((objective.0, Some(*side) == teller.view.side)).or_default() += points;
            }
            Sight::Rallied { .. } | Sight::Dug { .. } | Sight::WorksLost { .. } | Sight::Taken { .. } => {
                self.others.extend(teller.aside(sight));
            }
            sight => self.commanded(teller, sight),
        }
    }

    /// What headquarters were told and did, arrivals, and the GM's changes.
    fn commanded(&mut self, teller: &Teller<'_>, sight: &Sight) {
        let battle = teller.rules.battle();
        let hq = |id: &crate::model::HqId| words::hq(battle, *id);
        let text = match sight {
            Sight::Arrived { unit, at } => {
                format!("{} arrives at {}.", teller.unit(*unit), words::place(battle, *at))
            }
            Sight::Bound { hq: id, goal: Goal::Stand } => format!("{} stays where it is.", hq(id)),
            Sight::Bound { hq: id, goal } => format!("{} goes to {}.", hq(id), words::goal(battle, *goal)),
            Sight::Profiled { profile, fallback: false } => {
                format!("The army's commander is {}.", profile.words())
            }
            Sight::Profiled { profile, fallback: true } => {
                format!(
                    "Nobody near the army's commander is in the enemy's sights: he is {} again.",
                    profile.words()
                )
            }
            Sight::Commanded { hq: id, command } => {
                format!("{} is told: {}.", hq(id), words::command(battle, *command))
            }
            Sight::Obeyed { hq: id, by, command, die, begins } => {
                let command = words::command(battle, *command);
                let did = if *begins { "begins its command" } else { "does not begin its command yet" };
                let whose = if by == id {
                    "its leadership".to_owned()
                } else {
                    format!("the leadership of {}", hq(by))
                };
                let details =
                    die.map_or_else(Vec::new, |die| vec![format!("random {die} of 0 to 9, at most {whose}")]);
                self.commands.push(Item { text: format!("{} {did}: {command}.", hq(id)), details });
                return;
            }
            Sight::Heard { hq: id } => format!("{} marches to the sound of the guns.", hq(id)),
            Sight::Reached { hq: id, objective } => {
                format!("{} has come to {}.", hq(id), battle.objective(*objective).name)
            }
            Sight::Joined { hq: id, brigade } => {
                format!("{} goes with {} now.", hq(id), teller.unit(UnitId::Brigade(*brigade)))
            }
            Sight::Amended { .. } => "The GM has corrected the position.".to_owned(),
            Sight::Resigned { side } => format!("{} resigns.", sentence(&battle.army(*side).name)),
            _ => return,
        };
        self.commands.push(Item::of(text));
    }

    fn fired(&mut self, teller: &Teller<'_>, seen: &SeenShot) {
        let SeenShot { attacker, target, shot } = seen;
        self.fought.extend([shot.from, shot.at]);
        let is_own = matches!(attacker, Who::Own(_));
        self.shots[usize::from(!is_own)] += 1;
        self.fallen[usize::from(is_own)] += shot.lost;
        let how = match shot.act {
            _ if shot.guns_alone => "fires its guns at",
            Act::Assault => "assaults",
            _ if shot.from.distance(shot.at) > 1 => "fires from a distance at",
            _ => "fires at",
        };
        let text = format!(
            "{} ({} men) {how} {} ({} men): {}",
            teller.subject(*attacker),
            shot.men.0,
            teller.name(*target),
            shot.men.1,
            effect(shot)
        );
        let details = vec![
            format!("fire value {}: {}", shot.value, words::parts(&shot.fire)),
            format!("vulnerability {}: {}", shot.vulnerability, words::parts(&shot.target_parts)),
            format!("difference {}: {}", shot.value - shot.vulnerability, hits(shot)),
        ];
        self.fights.push(Item { text, details });
    }

    fn moved(&mut self, who: Who, from: Hex, to: Hex) {
        // One march of each unit, though others moved in between.
        let is_it = |(other, _, at, _): &&mut (Who, Hex, Hex, usize)| *at == from && same(*other, who);
        match self.marches.iter_mut().rev().find(is_it) {
            Some(march) => (march.2, march.3) = (to, march.3 + 1),
            None => self.marches.push((who, from, to, 1)),
        }
    }

    /// The marches: his own by brigade, then those of enemies in sight.
    pub(super) fn marches(&self, rules: &Acw, view: &View) -> Vec<Part> {
        let teller = Teller { rules, view };
        let march = |(who, from, to, steps): &(Who, Hex, Hex, usize)| {
            let stop = who.own().and_then(|unit| self.stops.get(&unit));
            let stop = stop.map_or("", |stop| stopped(*stop));
            let way = if from == to { format!("from {from} and back") } else { format!("{from} to {to}") };
            let hexes = counted(*steps, "hex", "hexes");
            format!("{} {way} ({hexes}){stop}", teller.short(*who))
        };
        let (own, seen): (Vec<_>, Vec<_>) = self.marches.iter().partition(|(who, ..)| who.own().is_some());
        let mut parts = Vec::new();
        let line = |label: &str, all: Vec<&(Who, Hex, Hex, usize)>| {
            let told: Vec<String> = all.into_iter().map(march).collect();
            Part::text(format!("{label}: {}.", told.join("; ")))
        };
        if !own.is_empty() {
            parts.push(line("Your units", own));
        }
        if !seen.is_empty() {
            parts.push(line("Enemies in sight", seen));
        }
        let stuck = |(unit, why): (&UnitId, &Stop)| {
            let moved = self.marches.iter().any(|(who, ..)| who.own() == Some(*unit));
            (!moved).then(|| format!("{}{}", teller.unit(*unit), stopped(*why)))
        };
        let stuck: Vec<String> = self.stops.iter().filter_map(stuck).collect();
        if !stuck.is_empty() {
            parts.push(Part::text(format!("Not moved: {}.", stuck.join("; "))));
        }
        parts
    }

    /// The hour in a sentence or two.
    pub(super) fn summary(&self) -> Option<String> {
        let [own, at] = self.shots;
        let [lost, inflicted] = self.fallen;
        if own + at == 0 {
            return None;
        }
        Some(format!(
            "Your brigades fired {}, and were fired at {}. They lost {} and the enemy before them {}.",
            times(own),
            times(at),
            counted(lost, "man", "men"),
            counted(inflicted, "man", "men"),
        ))
    }

    /// Points for objectives.
    pub(super) fn points(&self, rules: &Acw) -> Option<String> {
        let told = |own: bool| {
            let of = |((objective, mine), points): (&(u8, bool), &u32)| {
                let name = &rules.battle().objectives[usize::from(*objective)].name;
                (*mine == own && *points > 0).then(|| format!("{name} {points}"))
            };
            self.scored.iter().filter_map(of).collect::<Vec<_>>()
        };
        let (own, theirs) = (told(true), told(false));
        let list = |all: Vec<String>| if all.is_empty() { "nothing".to_owned() } else { all.join(", ") };
        (!own.is_empty() || !theirs.is_empty())
            .then(|| format!("Points for objectives: yours {}; the enemy's {}.", list(own), list(theirs)))
    }
}

fn times(number: usize) -> String {
    match number {
        0 => "not at all".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

fn same(a: Who, b: Who) -> bool {
    match (a, b) {
        (Who::Enemy(one), Who::Enemy(other)) => one.kind == other.kind,
        (a, b) => a == b,
    }
}

/// `3 hits, 186 men and 1 cohesion lost`.
fn effect(shot: &Figures) -> String {
    if shot.hits == 0 {
        return "no hits.".to_owned();
    }
    let mut lost = vec![counted(shot.lost, "man", "men")];
    if shot.guns_lost > 0 {
        lost.push(count(shot.guns_lost, "gun"));
    }
    if shot.cohesion_lost > 0 {
        lost.push(format!("{} cohesion", shot.cohesion_lost));
    }
    format!("{}, {} lost.", count(shot.hits, "hit"), musterd_report::text::listed(&lost))
}

fn hits(shot: &Figures) -> String {
    let dice: Vec<String> = shot.dice.iter().map(ToString::to_string).collect();
    match dice.as_slice() {
        [] => count(shot.hits, "hit"),
        _ => format!("{}; random {} (0 costs cohesion)", count(shot.hits, "hit"), dice.join(" ")),
    }
}

const fn outcome(result: CheckResult) -> &'static str {
    match result {
        CheckResult::Broken => "breaks",
        CheckResult::Shattered => "gives way and shatters",
        CheckResult::Retreats => "gives ground",
        CheckResult::Holds => "holds",
    }
}

const fn band(result: CheckResult) -> &'static str {
    match result {
        CheckResult::Broken => "6 or less",
        CheckResult::Shattered => "7 to 10",
        CheckResult::Retreats => "11 to 15",
        CheckResult::Holds => "16 or more",
    }
}

const fn stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::Enemy => ", stopped by the enemy",
        Stop::Friends => ", held up by friends",
        Stop::NoWay => ", finds no way",
        Stop::Territory => ", stops before enemy ground",
    }
}

/// Names units as the reader knows them.
struct Teller<'a> {
    rules: &'a Acw,
    view: &'a View,
}

impl Teller<'_> {
    /// Recoveries, works, objectives.
    fn aside(&self, sight: &Sight) -> Option<Item> {
        match sight {
            Sight::Rallied { brigade, die, most, recovers } => {
                let name = self.brigade(*brigade);
                let text = if *recovers {
                    format!("{name} recovers 1 cohesion.")
                } else {
                    format!("{name} does not recover.")
                };
                let details = vec![format!("random {die} of 0 to 9, at most {most}")];
                Some(Item { text, details })
            }
            Sight::Dug { brigade, works } => {
                Some(Item::of(format!("{} digs: works {works}.", self.brigade(*brigade))))
            }
            Sight::WorksLost { brigade } => {
                Some(Item::of(format!("{} leaves its works.", self.brigade(*brigade))))
            }
            Sight::Taken { objective, side } => {
                let battle = self.rules.battle();
                let (name, army) = (&battle.objective(*objective).name, &battle.army(*side).name);
                Some(Item::of(format!("{} takes {name}.", sentence(army))))
            }
            _ => None,
        }
    }

    fn brigade(&self, id: BrigadeId) -> String {
        self.rules.battle().brigade(id).name.clone()
    }

    fn unit(&self, unit: UnitId) -> String {
        match unit {
            UnitId::Brigade(id) => self.brigade(id),
            UnitId::Hq(id) => words::hq(self.rules.battle(), id),
        }
    }

    fn name(&self, who: Who) -> String {
        match who {
            Who::Own(id) => self.brigade(id),
            Who::OwnHq(id) => words::hq(self.rules.battle(), id),
            Who::Enemy(enemy) => enemy_name(enemy),
        }
    }

    fn subject(&self, who: Who) -> String {
        sentence(&self.name(who))
    }

    /// For lists: without an article.
    fn short(&self, who: Who) -> String {
        match who {
            Who::Enemy(enemy) => kind(enemy.kind).to_owned(),
            own => self.name(own),
        }
    }

    fn leader(&self, unit: UnitId, (fate, leadership, second): (Fate, Option<i32>, bool)) -> Item {
        let battle = self.rules.battle();
        let (who, of) = match unit {
            UnitId::Brigade(id) => {
                (battle.brigade(id).commander.clone(), format!("commander of {}", self.brigade(id)))
            }
            UnitId::Hq(id) if second => {
                let second =
                    battle.army(id.side).second.as_ref().map_or("His successor", |one| one.name.as_str());
                (second.to_owned(), "in command of the army".to_owned())
            }
            UnitId::Hq(id) => {
                (battle.hq(id).commander.clone(), format!("commander of {}", battle.hq(id).name))
            }
        };
        let text = format!("{who}, {of}, is {}.", fate.words());
        let details = match leadership {
            Some(leadership) => vec![format!("his deputy leads with {leadership}")],
            None => vec!["a new commander takes over".to_owned()],
        };
        Item { text, details }
    }
}

/// `an infantry brigade in line at 1204`.
pub(super) fn enemy_name(enemy: Enemy) -> String {
    let Enemy { kind: what, at, formation } = enemy;
    let formed = match (what, formation) {
        (FoeKind::Brigade(arm), Some(formation)) => format!(" {}", arm.formation(formation)),
        _ => String::new(),
    };
    let article = if kind(what).starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {}{formed} at {at}", kind(what))
}

/// What an enemy is.
pub(super) const fn kind(kind: FoeKind) -> &'static str {
    use crate::model::{Arm, Echelon};
    match kind {
        FoeKind::Brigade(Arm::Infantry) => "infantry brigade",
        FoeKind::Brigade(Arm::MountedInfantry) => "mounted infantry brigade",
        FoeKind::Brigade(Arm::Cavalry) => "cavalry brigade",
        FoeKind::Brigade(Arm::Artillery) => "artillery brigade",
        FoeKind::Hq(Echelon::Army) => "army headquarters",
        FoeKind::Hq(Echelon::Corps) => "corps headquarters",
        FoeKind::Hq(Echelon::Division) => "division headquarters",
    }
}
