//! Marches on the plan: the way, how far the unit gets, the cost (manual 5.61 to 5.63).

use std::fmt::Write as _;

use super::{About, Doubt, Halted, Hinge, Outlook, Piece, Plan, Unsure};
use crate::foe::last_garrison;
use crate::known::Known;
use crate::model::{Arm, UnitId};
use crate::needs::{Inactive, can_act};
use crate::order::Path;
use crate::path::Toll;
use crate::tables::march as table;
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::joined;

const MILLION: u64 = 1_000_000;

/// The result of following a way.
struct Walk {
    /// The hexes entered.
    hexes: Vec<Hex>,
    /// Moves left at its end.
    left: u8,
    /// Moves spent by marching.
    marched: u8,
    /// The chance, in a million, that fog of war hinders none of its steps (manual 5.63).
    clear: u64,
    /// Why it ends before the path does.
    stopped: Option<String>,
    /// Whether it may lead farther than expected.
    open: bool,
}

impl Walk {
    /// Whether not even its first step can be paid.
    const fn lacks_moves(&self) -> bool {
        self.hexes.is_empty() && self.stopped.is_some() && !self.open
    }

    /// The chance that fog of war hinders one of its steps, in hundredths.
    const fn fog(&self) -> u32 {
        ((MILLION - self.clear + MILLION / 200) / (MILLION / 100)) as u32
    }
}

/// A march that gets a unit to its goal in this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// The goal.
    pub at: Hex,
    /// The moves that it takes.
    pub moves: u8,
    /// The chance that fog of war hinders the march, in hundredths (manual 5.63).
    pub fog: u32,
    /// Whether it is a long march, which may tire the unit (ruling LGA-26).
    pub is_long: bool,
    /// Whether it passes a city in which an enemy was last seen that may still be its garrison.
    pub may_halt: bool,
}

impl Plan<'_> {
    /// Every hex to which `MOVE` gets a unit from where it stands, as the seat knows the ground: as [`Plan::carry_out`] plays each of these marches.
    ///
    /// # Errors
    /// Why the unit can't march at all.
    pub fn arrivals(&self, unit: UnitId) -> Result<Vec<Arrival>, Doubt> {
        let piece = self.free(unit)?;
        self.able(&piece)?;
        let arrival = |at: Hex| {
            let way = self.way_to(self.known, &piece, at).ok()?;
            let walk = self.walk(self.known, &piece, &way);
            (walk.hexes.last() == Some(&at)).then(|| Arrival {
                at,
                moves: piece.left - walk.left,
                fog: walk.fog(),
                is_long: self.is_long(&piece, &walk),
                may_halt: self.halted_by_garrison(&piece, &walk.hexes).is_some(),
            })
        };
        Ok(self.rules.map.hexes().filter_map(arrival).collect())
    }

    /// Whether a march makes the unit's march of this season a long one.
    fn is_long(&self, piece: &Piece, walk: &Walk) -> bool {
        table::is_long(piece.kind.arm, piece.marched + walk.marched, self.rules.stats(piece.kind).moves)
    }

    /// A march, as far as the moves and the enemies in sight allow.
    pub(super) fn march(&mut self, unit: UnitId, path: &Path) -> Result<Outlook, Doubt> {
        let piece = self.free(unit)?;
        self.able(&piece)?;
        let mut doubts = Vec::new();
        let moveless = || Doubt::objection(About::Unit, format!("{} has no move left.", self.name(unit)));
        // From sea to sea is free (ruling LGA-29).
        if piece.left == 0 && !self.rules.map.is_sea(piece.hex) {
            doubts.push(self.unless_unsure(&piece, moveless())?);
        }
        let mut barred = false;
        let (way, goal) = match self.way(self.known, &piece, path) {
            Ok(way) => {
                let goal = way.last().copied().unwrap_or(piece.hex);
                if let (Path::To(goal), true) = (path, way.is_empty()) {
                    let unless = if self.may_clear() { " unless one opens" } else { "" };
                    let text =
                        format!("Enemies in sight bar every way to {}: it stays{unless}.", self.place(*goal));
                    doubts.push(Doubt::warning(About::Goal, text));
                    barred = true;
                }
                (way, goal)
            }
            Err(objection) => {
                self.ever_possible(&piece, path)?;
                doubts.push(self.unless_unsure(&piece, objection)?);
                (Vec::new(), piece.hex)
            }
        };
        let goal = if let Path::To(hex) = path { *hex } else { goal };
        let walk = self.walk(self.known, &piece, &way);
        if piece.left == 0 && walk.lacks_moves() && self.rules.map.is_sea(piece.hex) {
            doubts.push(self.unless_unsure(&piece, moveless())?);
        }
        let fight = self.opened(&piece, path, &walk);
        let order = self.said(|| {
            let (unit, from, to) = (self.name(unit), self.place(piece.hex), self.place(goal));
            joined(["Move ", &unit, " from ", &from, " to ", &to])
        });
        if let Some(why) = &walk.stopped {
            let end = walk.hexes.last().map_or(piece.hex, |hex| *hex);
            let far = if walk.hexes.is_empty() {
                "It stays where it is".to_owned()
            } else {
                format!("It gets to {}", self.place(end))
            };
            let unless = if fight.is_some() { " unless the attacks before it clear the way" } else { "" };
            doubts.push(Doubt::warning(About::Goal, format!("{far}{unless}: {why}.")));
        }
        let garrison = self.halted_by_garrison(&piece, &walk.hexes);
        let halted = piece.halted.or_else(|| {
            let (halted, doubt) = garrison?;
            doubts.push(doubt);
            Some(halted)
        });
        let effect = self.said(|| self.costs(&piece, &walk));
        let hex = walk.hexes.last().copied().unwrap_or(piece.hex);
        let garrison = piece.garrison && hex == piece.hex;
        if piece.garrison && !garrison && self.rules.map.city_at(piece.hex).is_some() {
            let text = format!("{} is left without its garrison.", self.place(piece.hex));
            doubts.push(Doubt::note(About::Unit, text));
        }
        let marched = piece.marched + walk.marched;
        let barred = (walk.open || barred) && self.may_clear();
        // A fight is a greater uncertainty than a condition.
        let way = barred.then_some(Unsure { line: self.line, by: Hinge::Way });
        let outright = piece.unsure.filter(|unsure| unsure.by != Hinge::Condition);
        let unsure = outright.or(fight).or(way).or(piece.unsure);
        let stirred = piece.stirred || !walk.hexes.is_empty();
        if piece.kind.arm != Arm::Hq {
            self.taken.extend(walk.hexes);
        }
        let left = walk.left;
        self.pieces.insert(unit, Piece { hex, garrison, left, marched, stirred, unsure, halted, ..piece });
        Ok(Outlook { effect, doubts, ..Outlook::of(order) })
    }

    /// A doubt about a headquarters that has marched: alone on ground that isn't its side's it captures nothing (ruling LGA-16) and has no line of
    /// supply. `None` if a fight decides how far it gets, or if an ally may have taken the ground.
    pub fn stranded(&self, hq: UnitId) -> Option<Doubt> {
        let piece = self.pieces.get(&hq).filter(|piece| piece.kind.arm == Arm::Hq)?;
        let hangs_on_a_fight = piece.unsure.is_some_and(|unsure| unsure.by != Hinge::Condition);
        if hangs_on_a_fight || self.ally_acts_before() {
            return None;
        }
        let controller = self.view.control.get(&piece.hex)?;
        let provided = self.takes(piece.hex)
            || self.rules.setting.of(piece.nation).needs_no_line(&self.rules.map, piece.hex);
        if *controller == self.view.side || provided {
            return None;
        }
        let (name, place) = (self.name(hq), self.place(piece.hex));
        let text = format!(
            "{name} will be alone at {place}, which isn't ours: a headquarters takes no ground, so it has no supply there."
        );
        Some(Doubt::warning(About::Unit, text).hint("move a unit in with it, or stop it behind your own"))
    }

    /// The first city on a march that an enemy out of sight may garrison, as he was last seen or met there, with a warning: the march would end before it.
    fn halted_by_garrison(&self, piece: &Piece, way: &[Hex]) -> Option<(Halted, Doubt)> {
        let (step, city, seen) =
            way.iter().enumerate().find_map(|(step, city)| Some((step, city, self.garrison_seen(*city)?)))?;
        let at = step.checked_sub(1).and_then(|before| way.get(before)).copied().unwrap_or(piece.hex);
        let unless = match self.met.contains_key(city) {
            true => ", unless the attacks before it have removed the garrison",
            false => "",
        };
        let (unit, end) = (self.name(piece.id), self.place(at));
        let text = format!("{seen}, the march of {unit} ends before it, at {end}{unless}.");
        Some((Halted { line: self.line, city: *city, at }, Doubt::warning(About::Goal, text)))
    }

    /// What is known of the garrison that a city may have, up to the condition under which it stops a march.
    fn garrison_seen(&self, city: Hex) -> Option<String> {
        let place = || self.place(city);
        if let Some((enemy, seen)) = last_garrison(self.rules, self.view, city) {
            let enemy = &self.rules.scenario.unit(enemy).name;
            return Some(match seen.glimpse.garrison {
                true => format!(
                    "{enemy} was last seen at {} as its garrison: if the garrison still stands",
                    place()
                ),
                false => format!("{enemy} was last seen at {} and may be its garrison: if it is", place()),
            });
        }
        let turn = self.view.garrisons.get(&city)?;
        Some(format!(
            "A march met a garrison at {} in {}, {}: if it still stands",
            place(),
            turn.date,
            turn.side
        ))
    }

    /// Whether an enemy in sight may be gone before the line is carried out: by an earlier attack, even one on a garrison out of sight, because from
    /// the first attack on standing orders move other units too (manual 5.66); or by an ally.
    pub(super) fn may_clear(&self) -> bool {
        self.fights || self.ally_acts_before()
    }

    /// Whether an ally has moved and fought before the seat does (ruling LGA-73).
    fn ally_acts_before(&self) -> bool {
        let mut earlier = self.rules.seat_specs().iter().take_while(|spec| spec.seat != self.view.seat);
        let ally = |seat| self.rules.command(seat).is_some_and(|command| command.side == self.view.side);
        earlier.any(|spec| ally(&spec.seat))
    }

    /// The reason why a march may end otherwise than `walk`: the last attack before it, if the march would go farther or have more moves left without
    /// the enemies attacked by then.
    fn opened(&self, piece: &Piece, path: &Path, walk: &Walk) -> Option<Unsure> {
        let line = *self.attacked.values().max()?;
        let cleared = self.known.without(self.view, |hex| self.attacked.contains_key(&hex));
        let way = self.way(&cleared, piece, path).ok()?;
        let then = self.walk(&cleared, piece, &way);
        let differs = (then.hexes.last(), then.left) != (walk.hexes.last(), walk.left);
        differs.then_some(Unsure { line, by: Hinge::Fight })
    }

    /// Refuses units that can't act at all this season (rulings LGA-35 and LGA-41).
    pub(super) fn able(&self, piece: &Piece) -> Result<(), Doubt> {
        let name = || self.name(piece.id);
        can_act(self.rules, piece.id, piece.supplied, self.view.date).map_err(|why| {
            let text = match why {
                Inactive::Unsupplied => {
                    format!("{} is out of supply: it can't move or attack this season.", name())
                }
                Inactive::CalledAway => format!("{} may not leave {}.", name(), self.place(piece.hex)),
            };
            Doubt::objection(About::Unit, text)
        })
    }

    /// The hexes of a path from where the unit will be.
    fn way(&self, known: &Known<'_>, piece: &Piece, path: &Path) -> Result<Vec<Hex>, Doubt> {
        match path {
            Path::To(goal) => self.way_to(known, piece, *goal),
            Path::Hexes(hexes) => {
                let mut here = piece.hex;
                for &next in hexes {
                    self.next_to(piece, here, next)?;
                    here = next;
                }
                Ok(hexes.clone())
            }
            Path::Directions(directions) => {
                let mut way: Vec<Hex> = Vec::new();
                for direction in directions {
                    let here = way.last().copied().unwrap_or(piece.hex);
                    let next = here.step(*direction).filter(|&hex| self.rules.map.area(hex).is_some());
                    let Some(next) = next else {
                        let text =
                            format!("{} of {} the map ends.", side_of_map(*direction), self.place(here));
                        return Err(Doubt::objection(About::Goal, text));
                    };
                    self.next_to(piece, here, next)?;
                    way.push(next);
                }
                Ok(way)
            }
        }
    }

    /// Refuses a path that is impossible wherever the unit will be: no earlier line can change that.
    fn ever_possible(&self, piece: &Piece, path: &Path) -> Result<(), Doubt> {
        match path {
            Path::To(goal) => self.may_enter(piece, *goal),
            Path::Hexes(hexes) => {
                hexes.iter().try_for_each(|&hex| self.may_enter(piece, hex))?;
                let mut steps = hexes.iter().zip(hexes.iter().skip(1));
                steps.try_for_each(|(&from, &to)| self.next_to(piece, from, to))
            }
            Path::Directions(_) => Ok(()),
        }
    }

    /// Refuses a hex that is closed to the unit, enemies apart.
    fn may_enter(&self, piece: &Piece, hex: Hex) -> Result<(), Doubt> {
        match self.known.closed(piece.traveller(), hex) {
            Some(why) => Err(Doubt::objection(
                About::Goal,
                format!("{} is closed: {}.", self.place(hex), self.rules.refusal(why)),
            )),
            None => Ok(()),
        }
    }

    /// The way to a goal; empty if only enemies in sight bar it, because they may be gone when the order is carried out.
    fn way_to(&self, known: &Known<'_>, piece: &Piece, goal: Hex) -> Result<Vec<Hex>, Doubt> {
        let who = piece.traveller();
        self.may_enter(piece, goal)?;
        if goal == piece.hex {
            let text = format!("{} is at {} already.", self.name(piece.id), self.place(goal));
            return Err(Doubt::objection(About::Goal, text));
        }
        if let Some(way) = known.way(who, piece.hex, goal) {
            return Ok(way);
        }
        match known.way_past_enemies(who, piece.hex, goal) {
            Some(_) => Ok(Vec::new()),
            None => {
                let text = format!("There is no way from {} to {}.", self.place(piece.hex), self.place(goal));
                Err(Doubt::objection(About::Goal, text))
            }
        }
    }

    /// Refuses a step that the map forbids.
    fn next_to(&self, piece: &Piece, from: Hex, to: Hex) -> Result<(), Doubt> {
        let object = |text: String| Err(Doubt::objection(About::Goal, text));
        if self.rules.map.blocked(from, to) {
            return object(format!("Nothing passes between {} and {}.", self.place(from), self.place(to)));
        }
        self.may_enter(piece, to)?;
        if !self.rules.map.touch(from, to) {
            let text = format!("{} is not next to {}.", self.place(to), self.place(from));
            return Err(
                Doubt::objection(About::Goal, text).hint(format!("MOVE {} TO {to} finds the way", piece.id))
            );
        }
        Ok(())
    }

    /// Goes along a way that the map allows.
    fn walk(&self, known: &Known<'_>, piece: &Piece, way: &[Hex]) -> Walk {
        let mut walk = Walk {
            hexes: Vec::new(),
            left: piece.left,
            marched: 0,
            clear: MILLION,
            stopped: None,
            open: false,
        };
        let mut here = piece.hex;
        for &next in way {
            if known.held(next) {
                walk.stopped =
                    Some(format!("an enemy is seen at {}, and MOVE never attacks", self.place(next)));
                // The enemy may be beaten or gone by then.
                walk.open = true;
                break;
            }
            let toll = known.toll(piece.traveller(), here, next, None);
            let Some(left) = toll.and_then(|toll| toll.paid_from(walk.left)) else {
                let needed = match toll {
                    Some(Toll::Moves(moves)) => format!("{} costs {moves}", self.place(next)),
                    Some(Toll::Rest) | None => format!("{} takes a move at least", self.place(next)),
                };
                walk.stopped = Some(match walk.left {
                    0 => format!("no move is left and {needed}"),
                    1 => format!("1 move is left and {needed}"),
                    left => format!("{left} moves are left and {needed}"),
                });
                break;
            };
            if let Some(Toll::Moves(moves)) = toll {
                walk.marched += moves;
            }
            if table::rolls_for_fog(piece.kind.arm, left, self.rules.map.is_sea(next)) {
                let risk = table::fog_risk(self.rules.numbers.fog, left);
                walk.clear = walk.clear * u64::from(table::FOG_SIDES - risk) / u64::from(table::FOG_SIDES);
            }
            walk.left = left;
            walk.hexes.push(next);
            here = next;
        }
        walk
    }

    /// `by 1304, 1405, Ulm 1507: 3 of 5 moves; 14% fog`.
    fn costs(&self, piece: &Piece, walk: &Walk) -> String {
        if walk.hexes.is_empty() {
            return String::new();
        }
        let mut text = String::with_capacity(120);
        text.push_str("by ");
        for (n, hex) in walk.hexes.iter().enumerate() {
            text.push_str(if n > 0 { ", " } else { "" });
            text.push_str(&self.place(*hex));
        }
        // Writing to a `String` never fails.
        let _ = write!(text, ": {} of {} moves", piece.left - walk.left, piece.left);
        if walk.clear < MILLION {
            let _ = write!(text, "; {}% risk of fog", walk.fog());
        }
        if self.is_long(piece, walk) {
            text.push_str("; a long march");
        }
        text
    }
}

const fn side_of_map(direction: Direction) -> &'static str {
    match direction {
        Direction::East => "East",
        Direction::West => "West",
        Direction::NorthEast => "North east",
        Direction::NorthWest => "North west",
        Direction::SouthEast => "South east",
        Direction::SouthWest => "South west",
    }
}
