//! What leaves a position: the only file that makes views and sights.
//!
//! With despatches a view holds units as they reported last. A sight tells what happened to a unit even so, since it is made before it is known whether that
//! will be reported: `brief/story.rs` leaves out those of units that haven't reported since, by `View::heard` and `Sight::own`. Nothing else tells of units by sights.
//!
//! A commander knows his own army, or with despatches what it reported last; of the enemy the units that are sighted or that pickets have met, by type and
//! looks, and where others were seen last. Who controls which hex, the objectives and the points are known to all.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::Seat;
use musterd_engine::hex::Hex;
use musterd_kit::learnt;

use crate::battle::Battle;
use crate::data::Acw;
use crate::event::{Check, Event, Shot, Touch};
use crate::law;
use crate::model::{BrigadeId, HqId, Side, UnitId};
use crate::order::{Command, Goal};
use crate::sight::{Enemy, Figures, SeenShot, Sight, Who};
use crate::state::{Brigade, Hq, Memory, Phase, State};
use crate::view::{Foe, FoeKind, Seen, Standings, View};
use crate::words;

/// The leadership that a successor is shown with, whatever it is (Menu 7: his side isn't told).
pub(crate) const UNKNOWN_LEADERSHIP: i32 = 4;

/// What one seat knows of the position.
pub(crate) fn view(rules: &Acw, state: &State, to: &Seat) -> View {
    known(rules, state, to, hears(rules, state))
}

/// The army of one seat as it is, also where its commander hears by despatches: for the GM.
pub(crate) fn whole(rules: &Acw, state: &State, to: &Seat) -> View {
    known(rules, state, to, false)
}

/// Whether commanders know of their own armies only what is reported. When the battle is over everything is told.
fn hears(rules: &Acw, state: &State) -> bool {
    rules.has_despatches() && state.phase != Phase::Over
}

/// What one seat knows, with despatches or without.
fn known(rules: &Acw, state: &State, to: &Seat, hears: bool) -> View {
    let battle = rules.battle();
    let commander = battle.commander(to);
    let side = commander.map(|(side, _)| side);
    let hq = commander.map(|(_, one)| one.hq);
    let units = |side: Side| {
        let brigades = state.brigades_of(side).map(|(id, _)| UnitId::Brigade(id));
        brigades.chain(state.hqs_of(side).map(|(id, _)| UnitId::Hq(id))).collect::<Vec<_>>()
    };
    let heard = hq.filter(|_| hears).map_or_else(BTreeMap::new, |hq| heard(battle, state, hq));
    let told = as_told(state, &heard);
    let (mut orderable, mut refused) = (BTreeSet::new(), BTreeMap::new());
    if let Some(hq) = hq.filter(|_| state.phase == Phase::Battle) {
        for unit in units(hq.side) {
            // As he knows them: why he can't order a unit that he doesn't hear of would tell where it is (ACW-86).
            match law::reach(rules, &told, hq, unit) {
                Ok(()) => {
                    orderable.insert(unit);
                }
                Err(why) => {
                    refused.insert(unit, why);
                }
            }
        }
    }
    let standing = |one: &crate::state::Standing| Standings {
        turn: one.turn,
        earned: one.earned,
        lost: if hears { None } else { Some(side.map_or(0, |side| one.lost[side.index()])) },
        holders: one.holders.clone(),
    };
    let own_hq = |hq: &Hq| Hq { leadership: shown_leadership(hq), despatch: None, ..hq.clone() };
    let mut now = if hears { told.standing(battle, [0, 0]) } else { told.reckoned(battle) };
    if let Some(side) = side.filter(|_| hears) {
        now.lost[side.other().index()] = 0;
    }
    View {
        seat: to.clone(),
        side,
        hq,
        phase: state.phase,
        turn: state.turn,
        until: if state.turn == 0 { 0 } else { rules.block_from(state.turn) },
        brigades: side.map_or_else(Vec::new, |side| {
            let own = told.brigades[side.index()].iter();
            own.map(|brigade| Brigade { despatch: None, ..brigade.clone() }).collect()
        }),
        hqs: side.map_or_else(Vec::new, |side| told.hqs[side.index()].iter().map(own_hq).collect()),
        chief: side.map(|side| state.chiefs[side.index()]),
        orderable,
        refused,
        direct: side.and_then(|side| law::direct(&told, side)),
        foes: side.map_or_else(Vec::new, |side| foes(rules, &told, side)),
        struck: side
            .filter(|_| !hears)
            .map_or_else(BTreeMap::new, |side| state.eyes[side.index()].struck.clone()),
        hears,
        heard,
        control: state.control.clone(),
        holdings: state.holdings.clone(),
        now,
        course: state.course.iter().map(standing).collect(),
        ifs: state
            .ifs
            .iter()
            .filter(|(id, _)| Some(id.side) == side && hq.is_some_and(|hq| leads(rules, hq, **id)))
            .map(|(id, ifs)| (*id, ifs.clone()))
            .collect(),
        outcome: state.outcome.clone(),
    }
}

/// Whether the seat at this headquarters is the one that orders a brigade.
fn leads(rules: &Acw, hq: HqId, brigade: BrigadeId) -> bool {
    rules.battle().leader_of(UnitId::Brigade(brigade)).hq == hq
}

const fn shown_leadership(hq: &Hq) -> i32 {
    match hq.leader {
        Some(_) => UNKNOWN_LEADERSHIP,
        None => hq.leadership,
    }
}

/// With despatches: the units of which nothing was heard this turn, and when they were heard of last (ACW-86). A commander knows his own headquarters and
/// the brigade that he is with.
#[expect(clippy::expect_used, reason = "whoever comes onto the map reports")]
fn heard(battle: &Battle, state: &State, seat: HqId) -> BTreeMap<UnitId, u16> {
    let with = state.hq(seat).with;
    let brigades = state
        .fielded(seat.side)
        .filter(|(id, ..)| !law::reports(battle, state, UnitId::Brigade(*id)) && Some(*id) != with);
    let brigades = brigades.map(|(id, one, _)| {
        let despatch = one.despatch.as_ref().expect("a brigade reports as it comes onto the map");
        (UnitId::Brigade(id), despatch.turn)
    });
    let is_silent = |id: HqId| !law::reports(battle, state, UnitId::Hq(id)) && id != seat;
    let hqs = state.hqs_of(seat.side).filter(|(id, hq)| hq.at.is_some() && is_silent(*id));
    let hqs = hqs.map(|(id, hq)| {
        let despatch = hq.despatch.as_ref().expect("a headquarters reports as it comes onto the map");
        (UnitId::Hq(id), despatch.turn)
    });
    brigades.chain(hqs).collect()
}

/// The position with the units that are not heard of as they were when they reported last. They were in communication then; they aren't now.
fn as_told<'s>(state: &'s State, heard: &BTreeMap<UnitId, u16>) -> Cow<'s, State> {
    let mut told = Cow::Borrowed(state);
    for unit in heard.keys() {
        match unit {
            UnitId::Brigade(id) => {
                let known = state.brigade(*id).despatch.as_ref().map(|despatch| despatch.unit.clone());
                let one = told.to_mut().brigade_mut(*id);
                *one = Brigade { in_touch: false, ..known.unwrap_or_else(|| one.clone()) };
            }
            UnitId::Hq(id) => {
                let known = state.hq(*id).despatch.as_ref().map(|despatch| despatch.unit.clone());
                let one = told.to_mut().hq_mut(*id);
                *one = Hq { in_touch: false, ..known.unwrap_or_else(|| one.clone()) };
            }
        }
    }
    told
}

/// The enemies that a side sees or remembers, by hex.
fn foes(rules: &Acw, state: &State, side: Side) -> Vec<Foe> {
    let eyes = &state.eyes[side.index()];
    let battle = rules.battle();
    let kind = |unit: UnitId| match unit {
        UnitId::Brigade(id) => FoeKind::Brigade(battle.brigade(id).arm),
        UnitId::Hq(id) => FoeKind::Hq(battle.hq(id).echelon),
    };
    let foe = |unit: UnitId, seen: Seen, memory: &Memory| {
        let Memory { at, formation, shaken, .. } = *memory;
        Foe { at, kind: kind(unit), formation, shaken, seen }
    };
    let enemy = side.other();
    let brigades = state.fielded(enemy).map(|(id, ..)| UnitId::Brigade(id));
    let hqs = state.hqs_of(enemy).filter(|(_, hq)| hq.at.is_some()).map(|(id, _)| UnitId::Hq(id));
    let units: Vec<UnitId> = brigades.chain(hqs).collect();
    let mut found: Vec<Foe> = Vec::new();
    for unit in units {
        let seen = if eyes.sighted.contains(&unit) || rules.is_exposed() {
            Some(Seen::Sighted)
        } else {
            eyes.picketed.contains(&unit).then_some(Seen::Picketed)
        };
        match (seen, law::looks(battle, state, unit), eyes.memory.get(&unit)) {
            (Some(seen), Some(now), _) => found.push(foe(unit, seen, &now)),
            (None, _, Some(memory)) => found.push(foe(unit, Seen::Remembered(memory.turn), memory)),
            _ => {}
        }
    }
    // Where something stands in plain sight nobody who was there before is shown.
    let occupied: BTreeSet<Hex> = found.iter().filter(|foe| foe.is_seen()).map(|foe| foe.at).collect();
    let own: BTreeSet<Hex> = state.fielded(side).map(|(_, _, at)| at).collect();
    found.retain(|foe| foe.is_seen() || !(occupied.contains(&foe.at) || own.contains(&foe.at)));
    found.sort_unstable();
    found
}

/// A side that looks at the position before an event.
struct Eye<'a> {
    rules: &'a Acw,
    before: &'a State,
    side: Side,
}

impl Eye<'_> {
    fn is_own(&self, unit: UnitId) -> bool {
        unit.side() == self.side
    }

    /// Whether a unit is his own, or seen.
    fn sees(&self, unit: UnitId) -> bool {
        self.is_own(unit) || self.rules.is_exposed() || self.before.eyes[self.side.index()].sees(unit)
    }

    /// A unit as he knows it, in a hex.
    fn who(&self, unit: UnitId, at: Hex) -> Who {
        let battle = self.rules.battle();
        match unit {
            UnitId::Brigade(id) if self.is_own(unit) => Who::Own(id),
            UnitId::Hq(id) if self.is_own(unit) => Who::OwnHq(id),
            UnitId::Brigade(id) => {
                let formation = Some(self.before.brigade(id).formation);
                Who::Enemy(Enemy { kind: FoeKind::Brigade(battle.brigade(id).arm), at, formation })
            }
            UnitId::Hq(id) => {
                Who::Enemy(Enemy { kind: FoeKind::Hq(battle.hq(id).echelon), at, formation: None })
            }
        }
    }

    fn named(&self, unit: UnitId) -> Option<Who> {
        self.sees(unit).then_some(())?;
        Some(self.who(unit, self.before.at(unit)?))
    }

    /// A brigade that is his own or seen, as he knows it in a hex.
    fn seen(&self, id: BrigadeId, at: Hex) -> Option<Who> {
        let unit = UnitId::Brigade(id);
        self.sees(unit).then(|| self.who(unit, at))
    }

    fn own(&self, id: BrigadeId) -> Option<BrigadeId> {
        (id.side == self.side).then_some(id)
    }

    fn own_hq(&self, id: HqId) -> Option<HqId> {
        (id.side == self.side).then_some(id)
    }

    /// A fight that he takes part in.
    fn shot(&self, shot: &Shot) -> Option<Sight> {
        let [attacker, target] = [shot.attacker, shot.target].map(UnitId::Brigade);
        if !self.is_own(attacker) && !self.is_own(target) {
            return None;
        }
        Some(Sight::Fired(Box::new(SeenShot {
            attacker: self.who(attacker, shot.from),
            target: self.who(target, shot.at),
            shot: Figures::of(shot),
        })))
    }

    fn check(&self, check: &Check) -> Option<Sight> {
        let id = check.brigade;
        if id.side == self.side {
            return Some(Sight::Checked {
                brigade: id,
                parts: check.parts.clone(),
                total: check.total,
                result: check.result,
            });
        }
        None
    }
}

/// What one seat learns of an event that is about to happen.
pub(crate) fn witness(rules: &Acw, before: &State, event: &Event, to: &Seat) -> Option<Sight> {
    let side = rules.battle().side_of(to)?;
    let eye = Eye { rules, before, side };
    learnt!(event: Event => Sight {
        Founded {};
        Began { turn };
        Bound { hq = eye.own_hq(*hq)?, goal };
        Profiled { profile, fallback } of { side } if *side == eye.side;
        Commanded { hq = eye.own_hq(*hq)?, command };
        // How able a successor is isn't told, and the die would tell it.
        Obeyed {
            hq = eye.own_hq(*hq)?, by, command, die = before.hq(*by).leader.is_none().then_some(*die), begins
        };
        // It sets out.
        Heard { hq = eye.own_hq(*hq)? } of { at } if at.is_some() && before.hq(*hq).guns.is_none();
        Reached { hq = eye.own_hq(*hq)?, objective };
        Told { brigade = eye.own(*brigade)?, act, when };
        Set { brigade = eye.own(*brigade)?, act };
        Joined { hq = eye.own_hq(*hq)?, brigade };
        Startled { brigade = eye.own(*brigade)?, die, against, surprised };
        Shattered { ; who = eye.named(UnitId::Brigade(*brigade))? } of { brigade };
        Retreated { from, flees; who = eye.seen(*brigade, *from)?, to = way.last().copied() } of { brigade, way };
        Cornered { brigade = eye.own(*brigade)?, cohesion };
        Destroyed { at, how; who = eye.seen(*brigade, *at)? } of { brigade };
        LeaderHit { unit, fate, leadership = brigade_leadership(*unit, *leadership), second } if eye.is_own(*unit);
        Moved { from, to; who = eye.who(*unit, *from) } of { unit } if eye.sees(*unit);
        Stopped { unit, why } if eye.is_own(*unit);
        Controlled { side, hexes };
        Rallied { brigade = eye.own(*brigade)?, die, most, recovers };
        Dug { brigade = eye.own(*brigade)?, works } if *works > before.brigade(*brigade).works;
        WorksLost { brigade = eye.own(*brigade)? };
        Scored { objective, side, points };
        Taken { objective, side };
        Resigned { side };
        Ended { outcome };
    } else {
        Event::Arrived { brigade, at } => {
            eye.own(*brigade).map(|id| Sight::Arrived { unit: UnitId::Brigade(id), at: *at })
        }
        Event::HqArrived { hq, at } => {
            eye.own_hq(*hq).map(|hq| Sight::Arrived { unit: UnitId::Hq(hq), at: *at })
        }
        Event::Communicated { side: of, checks } => {
            let failed = || checks.iter().filter(|check| !check.is_made()).copied().collect::<Vec<Touch>>();
            (*of == side).then(|| Sight::OutOfTouch { checks: failed(), all: checks.len() })
        }
        Event::Targeted { brigade: id, target, astray, .. } => {
            let id = eye.own(*id)?;
            let (unit, at) = (*target)?;
            Some(Sight::Targeted { brigade: id, target: eye.who(unit, at), astray: *astray })
        }
        Event::Fired(shot) => eye.shot(shot),
        Event::HqFired { brigade: id, hq, from, to } => {
            let (firer, fled) = (UnitId::Brigade(*id), UnitId::Hq(*hq));
            let firer_at = before.brigade(*id).at?;
            Some(Sight::HqFired {
                by: eye.who(firer, firer_at),
                hq: eye.who(fled, *from),
                to: eye.own_hq(*hq).map(|_| *to),
            })
        }
        Event::Checked(check) => eye.check(check),
        Event::Picketed { by, unit } => {
            let at = before.at(*unit)?;
            // Seen already: nothing new.
            let is_new = *by == side && !eye.sees(*unit);
            is_new.then(|| Sight::Found { enemy: eye.who(*unit, at), pickets: true })
        }
        Event::Sighted { by, units } => sighted(&eye, *by, units),
        Event::Amended { change } => amended(&eye, change),
        Event::Formed { .. }
        | Event::Faced { .. }
        | Event::Passed { .. }
        | Event::Left { .. }
        | Event::Closed
        | Event::Stood { .. } => None,
    })
}

/// Of a brigade's deputy the leadership is told; of a headquarters' successor it isn't (Menu 7).
const fn brigade_leadership(unit: UnitId, leadership: i32) -> Option<i32> {
    match unit {
        UnitId::Brigade(_) => Some(leadership),
        UnitId::Hq(_) => None,
    }
}

fn sighted(eye: &Eye<'_>, by: Side, units: &[UnitId]) -> Option<Sight> {
    if by != eye.side || eye.rules.is_exposed() {
        return None;
    }
    let at = |unit: &UnitId| eye.before.at(*unit).map(|at| eye.who(*unit, at));
    let found = units.iter().filter(|unit| !eye.sees(**unit)).filter_map(at).collect::<Vec<_>>();
    (!found.is_empty()).then_some(Sight::Sighted { enemies: found })
}

/// What a commander learns of a GM's change: what it changes of his own, and of what all know.
fn amended(eye: &Eye<'_>, change: &crate::event::Change) -> Option<Sight> {
    use crate::event::Change;
    let told = match change {
        Change::Men(id, _)
        | Change::Guns(id, _)
        | Change::Cohesion(id, _)
        | Change::Shattered(id, _)
        | Change::Works(id, _)
        | Change::Removed(id) => id.side == eye.side,
        Change::Leadership(unit, _) | Change::Place(unit, _) | Change::Touch(unit, _) => eye.is_own(*unit),
        Change::Staff(id, _) | Change::Command(id, _) => id.side == eye.side,
        Change::Control(..) | Change::Earned(..) => true,
    };
    told.then(|| Sight::Amended { change: change.clone() })
}

/// What a seat's formations are to do for longer than a mail turn, in words.
pub(crate) fn filed(rules: &Acw, event: &Event) -> Option<(Seat, Vec<String>)> {
    let Event::Stood { seat, goal, commands, objectives } = event else { return None };
    let battle = rules.battle();
    let mut words: Vec<String> = Vec::new();
    if *goal != Goal::Stand {
        words.push(format!("the commander goes to {}", words::goal(battle, *goal)));
    }
    let is_busy = |(_, command): &&(HqId, Command)| *command != Command::Reserve;
    for (hq, command) in commands.iter().filter(is_busy) {
        words.push(format!("{}: {}", battle.hq(*hq).name, words::command(battle, *command)));
    }
    for (brigade, objective) in objectives {
        words.push(format!("{} to {}", battle.brigade(*brigade).name, battle.objective(*objective).name));
    }
    Some((seat.clone(), words))
}

/// Whether a roll is the seat's own: it is thrown for a unit of its side, or at one. Subjects hold the ids of these units.
pub(crate) fn shows_roll(rules: &Acw, phase: &str, subject: &str, to: &Seat) -> bool {
    let Some(side) = rules.battle().side_of(to) else { return false };
    let own = side.letter().to_ascii_lowercase();
    // Sight is thrown for every pair within reach: the number of throws would tell of hidden enemies.
    phase != "sight" && subject.split('-').any(|id| id.starts_with(own))
}

/// His units that the enemy doesn't see, each with its place.
pub(crate) fn concealed(rules: &Acw, view: &View) -> BTreeSet<String> {
    // A commander doesn't know what the enemy sees: all of his units may be hidden.
    let battle = rules.battle();
    let hidden = |(id, brigade): (BrigadeId, &Brigade)| {
        brigade.at.map(|at| format!("{} {at}", battle.brigade(id).name))
    };
    view.own_brigades().filter_map(hidden).collect()
}
