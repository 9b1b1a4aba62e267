//! How far units get, by what their commander sees: the answer to `REACH 3`. It goes by the ways and the points of receipts.

use musterd_engine::briefing::{Briefing, Fact};
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::Remark;
use musterd_kit::reach::{self, Goal, Manner, Reach};
use musterd_text::nouns::{count, counted};

use crate::battle::Battle;
use crate::brief;
use crate::commanders;
use crate::data::Acw;
use crate::going::{self, Allowance};
use crate::law;
use crate::model::{BrigadeId, Echelon, Formation, HqId, UnitId};
use crate::numbers::Mover;
use crate::order::{self, Act};
use crate::read;
use crate::recap;
use crate::state::Brigade;
use crate::view::View;
use crate::words;

/// The reach of the units that a text names.
///
/// # Errors
/// It names no unit of the commander's that is on the map, or nobody moves now.
pub(crate) fn reach(rules: &Acw, view: &View, text: &str) -> Result<Briefing, Remark> {
    if !view.orders_now() {
        return Err(Remark::error(0, "There is no battle now in which you order units: nobody moves."));
    }
    let survey = Survey { rules, view };
    let mut reaches = Vec::new();
    for (unit, (start, length)) in read::asked(rules, view, text)? {
        let at = match unit {
            UnitId::Brigade(id) => view.brigade(id).at,
            UnitId::Hq(id) => view.hq(id).at,
        };
        let Some(at) = at else {
            let name = words::unit(rules.battle(), unit);
            return Err(Remark::error(0, format!("{name} is not on the map.")).at(start, length));
        };
        reaches.push(match unit {
            UnitId::Brigade(id) => survey.brigade(id, view.brigade(id), at),
            UnitId::Hq(id) => survey.hq(id, at),
        });
    }
    let when = words::hours(rules.battle(), view.turn, view.until);
    Ok(reach::answer(brief::head(rules, view, Vec::new()), &when, reaches))
}

struct Survey<'a> {
    rules: &'a Acw,
    view: &'a View,
}

/// How a march goes on over several hours.
struct Course {
    /// Where it is when orders are given again.
    soon: Hex,
    /// Movement points spent until then.
    spent: u16,
    /// The hours that it takes; none if it never gets there.
    hours: Option<u16>,
}

impl Survey<'_> {
    const fn battle(&self) -> &Battle {
        self.rules.battle()
    }

    /// Whether nobody moves until orders are given again.
    fn is_still(&self) -> bool {
        (self.view.turn..=self.view.until).all(|turn| self.battle().hour(turn).still)
    }

    /// The first turn in which units move, if there is one before orders are given again.
    fn moving(&self) -> u16 {
        let mut turns = self.view.turn..=self.view.until;
        turns.find(|turn| !self.battle().hour(*turn).still).unwrap_or(self.view.turn)
    }

    /// What a unit may spend, an hour if it is asked for several.
    fn in_words(&self, one: Allowance) -> String {
        let hour = if self.view.until > self.view.turn { " an hour" } else { "" };
        format!("{} movement points{hour}, {} at most", one.points, hexes(one.hexes))
    }

    fn brigade(&self, id: BrigadeId, brigade: &Brigade, at: Hex) -> Reach {
        let place = |hex: Hex| words::place(self.battle(), hex);
        let allowed = |how| going::allowance_in(self.rules, self.moving(), (id, brigade), how);
        let (column, line) = (allowed(Formation::Column), allowed(Formation::Line));
        let mut reach = Reach {
            unit: words::brigade(self.battle(), id),
            at: place(at),
            facts: vec![
                Fact::of("In column", self.in_words(column)),
                Fact::of("In line", self.in_words(line)),
            ],
            ..Reach::default()
        };
        let mut marked = vec![];
        if let Some(why) = self.view.refused.get(&UnitId::Brigade(id)) {
            reach.ends.push(format!("You can't order it now: {why}."));
        } else if brigade.engaged().is_some() {
            reach.ends.push("It is engaged with an enemy: ADVANCE, ASSAULT and WITHDRAW move it.".to_owned());
        } else if brigade.surprised {
            reach.ends.push("It is surprised, and stays where it is.".to_owned());
        } else {
            self.marches(id, brigade, at, (&mut reach, &mut marked));
            let goals = self.deployments(id, brigade, at, line);
            marked.extend(goals.iter().map(|goal| goal.hex));
            reach.manners.push(Manner { order: format!("DEPLOY {}", id.number), counted: ">points", goals });
        }
        self.finish(reach, at, &marked)
    }

    /// The marches in column that it can be ordered to make.
    fn marches(
        &self,
        id: BrigadeId,
        brigade: &Brigade,
        at: Hex,
        (reach, marked): (&mut Reach, &mut Vec<Hex>),
    ) {
        let (battle, number) = (self.battle(), id.number);
        let may = |act: Act| law::act(self.rules, (id, brigade), &self.view.hqs, act).is_ok();
        let over = self.view.hq(battle.brigade(id).over);
        let going = |act: Act| {
            let goal = commanders::goal_told(battle, over, brigade, act)?;
            Some((act, self.named(goal), goal))
        };
        let all = battle.objectives().map(|(to, _)| Act::March(Some(to))).filter(|act| may(*act));
        let independent: Vec<_> = all.filter_map(going).collect();
        let mut manners = Vec::new();
        if !independent.is_empty() {
            manners.push((format!("COLUMN {number} TO"), independent));
        }
        for (act, order) in [(Act::March(None), "COLUMN"), (Act::Regroup, "REGROUP")] {
            if may(act) {
                manners.push((format!("{order} {number}"), going(act).into_iter().collect()));
            }
        }
        for (order, goals) in manners {
            let mut told = Vec::new();
            for (act, name, hex) in goals {
                if self.is_there(act, at, hex) {
                    continue;
                }
                let Some(course) = self.course((id, brigade), (at, hex), act) else {
                    reach.ends.push(format!("No way in column leads to {name} {hex}."));
                    continue;
                };
                marked.extend((course.soon != at).then_some(course.soon));
                let far = match self.is_there(act, course.soon, hex) {
                    _ if course.soon == hex => String::new(),
                    true => format!("as far as {}, next to it", words::place(battle, course.soon)),
                    false => format!("this turn as far as {}", words::place(battle, course.soon)),
                };
                match course.hours {
                    Some(hours) => told.push(goal(hours, count(hours, "hour"), &name, hex, far)),
                    None => reach.ends.push(format!(
                        "Toward {name} {hex} an enemy or the end of the battle stops it; {far}."
                    )),
                }
            }
            reach.manners.push(Manner { order, counted: "in", goals: told });
        }
    }

    /// How a goal is called, without its hex.
    fn named(&self, hex: Hex) -> String {
        let battle = self.battle();
        let objective = battle.objectives().find(|(_, one)| one.hex == hex).map(|(_, one)| one.name.clone());
        let hq =
            || self.view.own_hqs().find(|(_, hq)| hq.at == Some(hex)).map(|(id, _)| words::hq(battle, id));
        objective.or_else(hq).or_else(|| battle.map.places.get(&hex).cloned()).unwrap_or_default()
    }

    /// Whether a march ends here: at its goal, or next to it if that is its headquarters (ACW-71).
    fn is_there(&self, act: Act, here: Hex, goal: Hex) -> bool {
        here.distance(goal) <= u32::from(act == Act::Regroup)
    }

    /// How a march goes, hour by hour; `None` if no way leads there.
    fn course(&self, (id, brigade): (BrigadeId, &Brigade), (at, to): (Hex, Hex), act: Act) -> Option<Course> {
        let mover = Mover::from(self.battle().brigade(id).arm);
        let mut way = recap::way(self.rules, self.view, mover, at, to)?;
        if act == Act::Regroup {
            way.pop();
        }
        let allowance = |turn| going::allowance_in(self.rules, turn, (id, brigade), Formation::Column);
        Some(self.played(mover, allowance, at, &way))
    }

    /// A way gone hour by hour, to the end of the battle.
    fn played(&self, mover: Mover, allowance: impl Fn(u16) -> Allowance, at: Hex, way: &[Hex]) -> Course {
        let (rules, view) = (self.rules, self.view);
        let (mut here, mut gone) = (at, 0);
        let mut course = Course { soon: at, spent: 0, hours: None };
        for turn in view.turn..=self.battle().last_turn() {
            let mut stopped = false;
            if !self.battle().hour(turn).still {
                let leg = recap::leg(rules, view, (mover, allowance(turn)), here, &way[gone..]);
                (here, stopped) = (leg.at, leg.stopped);
                gone += usize::from(leg.hexes);
                if turn <= view.until {
                    (course.soon, course.spent) = (here, course.spent + leg.spent);
                }
            }
            if gone == way.len() {
                course.hours = Some(turn - view.turn + 1);
                break;
            }
            if stopped {
                break;
            }
        }
        course
    }

    /// The hexes into which it can deploy.
    fn deployments(&self, id: BrigadeId, brigade: &Brigade, at: Hex, line: Allowance) -> Vec<Goal> {
        let (rules, map) = (self.rules, &self.battle().map);
        let how = (Mover::from(self.battle().brigade(id).arm), Formation::Line);
        let goals = Direction::ALL.into_iter().filter_map(|way| {
            law::act(rules, (id, brigade), &self.view.hqs, Act::Deploy(way)).ok()?;
            let (to, cost) = going::step(rules, how, at, way)?;
            let friend = self.view.own_brigades().any(|(_, other)| other.at == Some(to));
            let ground = rules.numbers().ground_name(map.ground(to));
            let note = if friend { format!("{ground}, a friend stands there") } else { ground.to_owned() };
            (cost <= line.points).then(|| goal(cost, cost.to_string(), way.abbreviation(), to, note))
        });
        if self.is_still() { Vec::new() } else { goals.collect() }
    }

    fn hq(&self, id: HqId, at: Hex) -> Reach {
        let mut reach = Reach {
            unit: words::hq(self.battle(), id),
            at: words::place(self.battle(), at),
            ..Reach::default()
        };
        let mut goals = Vec::new();
        if self.view.hq == Some(id) && id.is_army() {
            let allowance = going::hq_allowance(self.rules, self.moving());
            reach.facts.push(Fact::of("Moves", self.in_words(allowance)));
            goals = self.rides(id, at);
            reach
                .ends
                .push("A headquarters does not enter ground that the enemy controls (ACW-43).".to_owned());
        } else if self.view.hq == Some(id) {
            reach.ends.push(format!("ARMY MOVE TO a place moves it: {} (ACW-78).", recap::GOES_OVER));
        } else if self.battle().hq(id).echelon == Echelon::Army {
            reach.ends.push("The army's commander moves it.".to_owned());
        } else {
            reach.ends.push("It goes with its brigades: COMMAND says where to.".to_owned());
        }
        let marked: Vec<Hex> = goals.iter().map(|goal| goal.hex).collect();
        if !reach.facts.is_empty() {
            reach.manners.push(Manner { order: "ARMY MOVE TO".to_owned(), counted: ">points", goals });
        }
        self.finish(reach, at, &marked)
    }

    /// The hexes to which an army's headquarters gets in this turn.
    fn rides(&self, id: HqId, at: Hex) -> Vec<Goal> {
        let (rules, view) = (self.rules, self.view);
        let far = going::most_hexes(rules, Mover::Headquarters, view.turn..=view.until);
        let near = self.battle().map.within(at, far).filter(|hex| *hex != at);
        let goals = near.filter_map(|hex| {
            law::goal(rules, &view.control, id.side, order::Goal::Hex(hex)).ok()?;
            let way = recap::way(rules, view, Mover::Headquarters, at, hex)?;
            let allowance = |turn| going::hq_allowance(rules, turn);
            let course = self.played(Mover::Headquarters, allowance, at, &way);
            let name = self.battle().map.places.get(&hex).map_or("", String::as_str);
            let spent = course.spent;
            (course.soon == hex).then(|| goal(spent, spent.to_string(), name, hex, String::new()))
        });
        goals.collect()
    }

    /// What hinders it, and the map.
    fn finish(&self, mut reach: Reach, at: Hex, marked: &[Hex]) -> Reach {
        if self.is_still() {
            reach.ends.push("Nobody moves in this turn.".to_owned());
        }
        let passed = |hex: &Hex| *hex == at || marked.contains(hex);
        let foes = self.view.foes_seen().filter(|foe| foe.at.around().any(|hex| passed(&hex)));
        let foes: Vec<String> = foes.map(|foe| words::place(self.battle(), foe.at)).collect();
        if !foes.is_empty() {
            reach.ends.push(format!(
                "Enemies seen next to its way: {}; a column stops beside them.",
                foes.join(", ")
            ));
        }
        reach.ends.push("Told as if no friend were in the way, and but for bad luck.".to_owned());
        let whole = (Hex::new(1, 1), self.battle().map.last());
        let goals = marked.iter().copied();
        reach.map = Some(reach::map(at, goals, whole, |scale, part| {
            brief::with_units(self.rules, self.view, scale, part)
        }));
        reach
    }
}

fn hexes(number: u16) -> String {
    counted(number, "hex", "hexes")
}

/// A goal called by a name and its hex.
fn goal(cost: u16, told: String, name: &str, hex: Hex, note: String) -> Goal {
    let place = if name.is_empty() { hex.to_string() } else { format!("{name} {hex}") };
    Goal { cost: cost.into(), told, hex, place, note }
}
