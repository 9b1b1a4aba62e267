//! The answers to `ROSTER` and `INFO`: what a commander knows of a hex, an objective, a unit of his own.

use musterd_engine::hex::{Direction, Hex};
use musterd_text::nouns::count;

use super::why::reason;
use crate::battle::HexSide;
use crate::data::Acw;
use crate::law;
use crate::model::{Arm, BrigadeId, Echelon, Formation, HqId, ObjectiveId, Side, UnitId, Water, compass};
use crate::order::Question;
use crate::state::{Brigade, Presence};
use crate::view::{Foe, FoeKind, Seen, View};
use crate::words;

/// The answer to a question, a paragraph a text.
pub(super) fn answer(rules: &Acw, view: &View, question: Question) -> Vec<String> {
    let teller = Teller { rules, view };
    match question {
        Question::Roster => teller.roster(),
        Question::Advice => vec![teller.advice()],
        Question::Hex(hex) => vec![teller.hex(hex)],
        Question::Objective(id) => vec![teller.objective(id)],
        Question::Unit(UnitId::Brigade(id)) => vec![teller.brigade(id)],
        Question::Unit(UnitId::Hq(id)) => vec![teller.hq(id)],
    }
}

struct Teller<'a> {
    rules: &'a Acw,
    view: &'a View,
}

impl Teller<'_> {
    /// The advice to his army.
    fn advice(&self) -> String {
        let advice = self.view.side.map(|side| self.rules.battle().army(side).advice.clone());
        advice
            .filter(|advice| !advice.is_empty())
            .unwrap_or_else(|| "This battle has no advice for you.".to_owned())
    }

    /// A paragraph for each headquarters with brigades, then those to come and those that are gone.
    fn roster(&self) -> Vec<String> {
        let battle = self.rules.battle();
        if self.view.side.is_none() {
            return vec!["You command no army.".to_owned()];
        }
        let mut told = Vec::new();
        for (hq, _) in self.view.own_hqs() {
            let under = battle.brigades_under(hq).map(|spec| spec.id);
            let fielded = under.filter(|id| self.view.brigade(*id).is_fielded());
            let brigades: Vec<String> = fielded.map(|id| self.in_short(id)).collect();
            if !brigades.is_empty() {
                told.push(format!("{}: {}.", words::hq(battle, hq), brigades.join("; ")));
            }
        }
        let absent = |says: &dyn Fn(BrigadeId, &Brigade) -> Option<String>| -> Vec<String> {
            self.view.own_brigades().filter_map(|(id, brigade)| says(id, brigade)).collect()
        };
        let coming = absent(&|id, brigade| {
            let comes = brigade.presence == Presence::Awaited;
            comes.then(|| format!("{}{}", words::brigade(battle, id), self.arrival(id)))
        });
        let gone = absent(&|id, brigade| match brigade.presence {
            Presence::Gone(how) => Some(format!("{}, {}", words::brigade(battle, id), how.words())),
            _ => None,
        });
        told.extend((!coming.is_empty()).then(|| format!("To come: {}.", coming.join("; "))));
        told.extend((!gone.is_empty()).then(|| format!("Gone: {}.", gone.join("; "))));
        told
    }

    /// `3 Keyes 2200 men, cohesion 6, in 1908`.
    fn in_short(&self, id: BrigadeId) -> String {
        let (battle, brigade) = (self.rules.battle(), self.view.brigade(id));
        let guns =
            if brigade.guns > 0 { format!(" and {}", count(brigade.guns, "gun")) } else { String::new() };
        let shattered = if brigade.shattered { " and shattered" } else { "" };
        let at = brigade.at.map_or_else(String::new, |at| format!(", in {at}"));
        let as_of = self.as_of(UnitId::Brigade(id));
        format!(
            "{} {} men{guns}, cohesion {}{shattered}{at}{as_of}",
            words::brigade(battle, id),
            brigade.men,
            brigade.cohesion
        )
    }

    /// When a unit was heard of last, where that is not now.
    fn as_of(&self, unit: UnitId) -> String {
        let told = |turn: &u16| format!(" ({})", words::as_of(self.rules.battle(), *turn));
        self.view.heard.get(&unit).map_or_else(String::new, told)
    }

    fn arrival(&self, id: BrigadeId) -> String {
        let battle = self.rules.battle();
        words::arrival(battle, battle.brigade(id).start).map_or_else(String::new, |comes| format!(" {comes}"))
    }

    fn hex(&self, hex: Hex) -> String {
        let (battle, map) = (self.rules.battle(), &self.rules.battle().map);
        let (ground, numbers) = (map.ground(hex), self.rules.numbers());
        let terrain = numbers.terrain(ground);
        let mut facts = vec![format!(
            "{}, cover {}, sight {}",
            numbers.ground_name(ground),
            terrain.cover,
            terrain.sight
        )];
        facts.push(self.costs(hex));
        facts.extend(self.sides(hex));
        facts.extend(map.forts.get(&hex).map(|works| format!("works of {works}")));
        facts.push(format!("controlled by {}", battle.army(self.view.controller(self.rules, hex)).name));
        facts.extend(battle.objectives().filter(|(_, one)| one.hex == hex).map(|(id, _)| self.points(id)));
        let own = self.view.own_brigades().filter(|(_, brigade)| brigade.at == Some(hex));
        facts.extend(own.map(|(id, _)| {
            format!("yours: {}{}", words::brigade(battle, id), self.as_of(UnitId::Brigade(id)))
        }));
        let hqs = self.view.own_hqs().filter(|(_, hq)| hq.at == Some(hex));
        facts.extend(hqs.map(|(id, _)| {
            format!("your headquarters {}{}", words::hq(battle, id), self.as_of(UnitId::Hq(id)))
        }));
        let foes = self.view.foes.iter().filter(|foe| foe.at == hex);
        facts.extend(foes.map(|foe| self.foe(foe)));
        format!("{}: {}.", words::place(battle, hex), facts.join("; "))
    }

    /// What it costs to enter a hex.
    fn costs(&self, hex: Hex) -> String {
        let numbers = self.rules.numbers();
        let terrain = numbers.terrain(self.rules.battle().map.ground(hex));
        let cost = |arm: Arm, formation| {
            terrain.cost(arm.into(), formation).map_or_else(|| "no".to_owned(), |points| points.to_string())
        };
        let (line, column) = (Formation::Line, Formation::Column);
        format!(
            "movement points: infantry {} in column and {} in line, cavalry {}, artillery {}; {} along a road in column",
            cost(Arm::Infantry, column),
            cost(Arm::Infantry, line),
            cost(Arm::Cavalry, column),
            cost(Arm::Artillery, column),
            numbers.road
        )
    }

    /// Roads, waters and crossings on the sides of a hex.
    fn sides(&self, hex: Hex) -> Vec<String> {
        let map = &self.rules.battle().map;
        let sides: Vec<(Direction, Hex, HexSide)> =
            map.around(hex).map(|(way, to)| (way, to, map.side(hex, way))).collect();
        let ways = |is: &dyn Fn(&HexSide) -> bool| -> Option<String> {
            let ways: Vec<&str> =
                sides.iter().filter(|(_, _, side)| is(side)).map(|(way, ..)| way.abbreviation()).collect();
            (!ways.is_empty()).then(|| ways.join(", "))
        };
        let mut told: Vec<String> = Vec::new();
        told.extend(ways(&|side| side.road && !side.rail).map(|ways| format!("road to {ways}")));
        told.extend(ways(&|side| side.rail).map(|ways| format!("railroad to {ways}")));
        told.extend(ways(&|side| side.water == Some(Water::Stream)).map(|ways| format!("stream on {ways}")));
        told.extend(ways(&|side| side.water == Some(Water::River)).map(|ways| format!("river on {ways}")));
        for (way, to, side) in &sides {
            let Some(crossing) = side.crossing else { continue };
            let ends = if hex < *to { (hex, *to) } else { (*to, hex) };
            let name = map.crossings.get(&ends).map_or_else(String::new, |name| format!(" ({name})"));
            told.push(format!("{}{name} to the {}", crossing.words(), compass(*way)));
        }
        told
    }

    fn foe(&self, foe: &Foe) -> String {
        let battle = self.rules.battle();
        let kind = match foe.kind {
            FoeKind::Brigade(arm) => match foe.formation {
                Some(formation) => format!("{} {}", arm.words(), arm.formation(formation)),
                None => arm.words().to_owned(),
            },
            FoeKind::Hq(echelon) => format!("headquarters of {}", with_article(echelon)),
        };
        let shaken = if foe.shaken { ", shaken" } else { "" };
        let seen = match foe.seen {
            Seen::Sighted => "",
            Seen::Picketed => ", met by pickets",
            Seen::Remembered(turn) => {
                return format!(
                    "enemy seen last at {}: {kind}{shaken}",
                    words::hour(battle.hour(turn.clamp(1, battle.last_turn())))
                );
            }
        };
        format!("enemy: {kind}{shaken}{seen}")
    }

    fn objective(&self, id: ObjectiveId) -> String {
        let battle = self.rules.battle();
        let objective = battle.objective(id);
        let held = battle.army(self.view.holdings[id.place()].holder);
        format!("{} {}: held by {}; {}.", objective.name, objective.hex, held.name, self.points(id))
    }

    /// What an objective is worth, when, and how long each side has held it.
    fn points(&self, id: ObjectiveId) -> String {
        let battle = self.rules.battle();
        let (objective, holding) = (battle.objective(id), self.view.holdings[id.place()]);
        let of = |side: Side| {
            let worth = objective.worth[side.index()];
            format!(
                "for {} {} a turn and {} at the end, held so far {}",
                battle.army(side).name,
                worth.turn,
                worth.end,
                count(holding.turns[side.index()], "turn")
            )
        };
        let (first, last) = objective.turns;
        let turns = if first == last { format!("turn {first}") } else { format!("turns {first} to {last}") };
        format!("points of {} in {turns}: {}", objective.name, Side::ALL.map(of).join("; "))
    }

    fn brigade(&self, id: BrigadeId) -> String {
        let (battle, brigade) = (self.rules.battle(), self.view.brigade(id));
        let spec = battle.brigade(id);
        let leader = match brigade.leader {
            Some(fate) => format!("a deputy ({} {})", spec.commander, fate.words()),
            None => spec.commander.clone(),
        };
        let mut facts = vec![format!("{} {}, under {leader}", spec.unit, spec.arm.words()).trim().to_owned()];
        match brigade.presence {
            Presence::Awaited => facts.push(format!("to come{}", self.arrival(id))),
            Presence::Gone(how) => facts.push(format!("gone: {}", how.words())),
            Presence::Fielded => {}
        }
        let guns = spec.guns.as_ref().map_or_else(String::new, |(first, gun)| {
            format!(", {} of {} ({})", brigade.guns, count(*first, "gun"), gun.name)
        });
        let arms = spec.arms.as_ref().map_or_else(String::new, |arms| format!(", armed with {}", arms.name));
        facts.push(format!(
            "{} of {} men in {}{arms}{guns}",
            brigade.men,
            spec.men,
            count_of(spec.regiments)
        ));
        facts.push(format!(
            "strength {}, experience {}, leadership {}, cohesion {}{}",
            brigade.strength(),
            spec.experience,
            brigade.leadership,
            brigade.cohesion,
            if brigade.shattered { ", shattered" } else { "" }
        ));
        if let Some(at) = brigade.at {
            facts.push(self.stands(brigade, spec.arm, at));
            facts.push(format!("order: {}", words::act(battle, brigade.act)));
            facts.extend(brigade.target.map(|target| {
                let engaged = if target.engaged { "engaged with" } else { "in range of it is" };
                format!("{engaged} the enemy in {}", target.at)
            }));
            facts.extend(brigade.surprised.then(|| "surprised".to_owned()));
        }
        facts.push(format!("under {}", words::hq(battle, spec.over)));
        facts.extend(brigade.objective.map(|to| format!("its objective is {}", battle.objective(to).name)));
        facts.extend(self.touch(UnitId::Brigade(id), brigade.in_touch, brigade.at));
        format!("{}{}: {}.", words::brigade(battle, id), self.as_of(UnitId::Brigade(id)), facts.join("; "))
    }

    /// Where and how a brigade stands.
    fn stands(&self, brigade: &Brigade, arm: Arm, at: Hex) -> String {
        let battle = self.rules.battle();
        let ground = self.rules.numbers().ground_name(battle.map.ground(at));
        let works = law::works(battle, brigade);
        let works = if works > 0 { format!(", in works of {works}") } else { String::new() };
        let camp = if brigade.encamped { ", in camp" } else { "" };
        format!(
            "in {} ({ground}), {}, facing {}{works}{camp}",
            words::place(battle, at),
            arm.formation(brigade.formation),
            compass(brigade.facing)
        )
    }

    /// Whether a unit is in communication, and can be ordered.
    fn touch(&self, unit: UnitId, in_touch: bool, at: Option<Hex>) -> Vec<String> {
        if at.is_none() {
            return Vec::new();
        }
        let touch = if in_touch { "in communication" } else { "out of communication" };
        let can = match self.view.refused.get(&unit) {
            None if self.view.orderable.contains(&unit) => "you can order it".to_owned(),
            None => return vec![touch.to_owned()],
            Some(why) => format!("you can't order it: {}", reason(why, false)),
        };
        vec![touch.to_owned(), can]
    }

    fn hq(&self, id: HqId) -> String {
        let (battle, hq) = (self.rules.battle(), self.view.hq(id));
        let spec = battle.hq(id);
        let leader = match hq.leader {
            Some(fate) => format!("a new commander ({} {})", spec.commander, fate.words()),
            None => format!("{}, leadership {}", spec.commander, hq.leadership),
        };
        let mut facts =
            vec![format!("{} headquarters under {leader}, staff {}", spec.echelon.words(), hq.staff)];
        facts.push(match (hq.at, hq.with) {
            (Some(at), Some(with)) => {
                format!("in {} with {}", words::place(battle, at), words::brigade(battle, with))
            }
            (Some(at), None) => format!("in {}", words::place(battle, at)),
            (None, _) => "not on the map".to_owned(),
        });
        let is_own = self.view.hq == Some(id);
        if is_own || spec.echelon == Echelon::Army {
            facts.extend(is_own.then(|| "your own headquarters".to_owned()));
            facts.push(format!("goes to {}", words::goal(battle, hq.goal)));
        }
        if spec.echelon != Echelon::Army {
            facts.push(format!("command: {}", words::command(battle, hq.command)));
            facts.extend(hq.pending.map(|next| format!("not begun: {}", words::command(battle, next))));
            let over = spec.over.map(|over| words::hq(battle, over));
            facts.extend(over.as_ref().map(|over| format!("under {over}")));
            if is_own {
                let touch = if hq.in_touch { "in communication" } else { "out of communication" };
                facts.extend(over.map(|over| format!("{touch} with {over}")));
            } else {
                facts.extend(self.touch(UnitId::Hq(id), hq.in_touch, hq.at));
            }
        }
        let under: Vec<String> =
            battle.brigades_under(id).map(|one| words::brigade(battle, one.id)).collect();
        let hqs: Vec<String> = battle.hqs_under(id).map(|one| words::hq(battle, one.id)).collect();
        let all = [hqs, under].concat();
        facts.extend((!all.is_empty()).then(|| format!("leads {}", all.join(", "))));
        format!("{}{}: {}.", words::hq(battle, id), self.as_of(UnitId::Hq(id)), facts.join("; "))
    }
}

fn count_of(regiments: i32) -> String {
    match regiments {
        ..=0 => "batteries".to_owned(),
        1 => "1 regiment".to_owned(),
        many => format!("{many} regiments"),
    }
}

fn with_article(echelon: Echelon) -> String {
    match echelon {
        Echelon::Army => "an army".to_owned(),
        other => format!("a {}", other.words()),
    }
}
