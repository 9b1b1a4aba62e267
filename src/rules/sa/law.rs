//! The law: what a unit may do, by what everybody sees, and what a fight and a check are made of. Phases, receipts, odds and commanders all ask here.
//! Nothing here throws a die.

use musterd_engine::hex::Hex;

use crate::battle::{Hunt, Spec};
use crate::data::Sa;
use crate::event::{Blow, Check, Factors, Nerve, Refusal};
use crate::model::{Class, Kind, Missile, NEAR, Side, Spell, Terrain, UnitId, Way};
use crate::options::Penalty;
use crate::state::{Fate, Last, Position};

/// How long a unit halts, in time-points.
pub const HALT: u16 = 20;
/// How long a fight takes its attacker, in time-points (SA-34).
pub const FIGHT: u16 = 12;
/// How long Courage lasts: through this many time-points after the cast (SA-46).
pub const COURAGE: u16 = 35;
/// The faces of an average die.
pub const AVERAGE: [u32; 6] = [2, 3, 3, 4, 4, 5];

/// Whether a unit may be moved this way, and at what cost.
///
/// # Errors
/// Why not.
pub fn step(rules: &Sa, position: &Position, place: usize, way: Way) -> Result<(Hex, u16), Refusal> {
    let field = &rules.battle().field;
    let at = position.units[place].at.ok_or(Refusal::NotFielded)?;
    let to = field.step(at, way.0).ok_or(Refusal::OffField)?;
    let spec = &rules.battle().units[place];
    if let Some(point) = spec.waits.filter(|point| position.point < *point) {
        return Err(Refusal::NotBefore(point));
    }
    if rules.numbers().cost(spec.kind, field.terrain(to)).is_none() {
        return Err(Refusal::Prohibited(to));
    }
    if let Some(other) = position.unit_at(rules, to) {
        return Err(Refusal::Occupied(rules.battle().units[other].id));
    }
    Ok((to, delay(rules, position, place, to)))
}

/// Whether a unit may stand in a hex before the battle. Whoever of its side stands there changes places with it.
///
/// # Errors
/// Why not.
pub fn deploy(rules: &Sa, position: &Position, place: usize, at: Hex) -> Result<(), Refusal> {
    let battle = rules.battle();
    let from = position.units[place].at.ok_or(Refusal::NotFielded)?;
    let spec = &battle.units[place];
    if !battle.army(spec.id.side).zone.contains(&at) {
        return Err(Refusal::NotInZone(at));
    }
    let enters = |spec: &Spec, hex: Hex| {
        let cost = rules.numbers().cost(spec.kind, battle.field.terrain(hex));
        cost.map(|_| ()).ok_or(Refusal::Prohibited(hex))
    };
    enters(spec, at)?;
    match position.unit_at(rules, at).map(|other| &battle.units[other]) {
        Some(other) if other.id.side != spec.id.side => Err(Refusal::Occupied(other.id)),
        Some(other) => enters(other, from),
        None => Ok(()),
    }
}

/// The enemy of this number, if it is on the field.
///
/// # Errors
/// It is a friend, or not there.
pub fn foe(rules: &Sa, position: &Position, place: usize, id: UnitId) -> Result<usize, Refusal> {
    if rules.battle().units[place].id.side == id.side {
        return Err(Refusal::Friend(id));
    }
    let foe = rules.battle().index(id).filter(|foe| position.units[*foe].at.is_some());
    foe.ok_or(Refusal::Gone(id))
}

/// The enemy in a hex.
///
/// # Errors
/// Nobody stands there, or a friend.
pub fn foe_at(rules: &Sa, position: &Position, place: usize, hex: Hex) -> Result<usize, Refusal> {
    let there = position.unit_at(rules, hex).ok_or(Refusal::Nobody(Some(hex)))?;
    foe(rules, position, place, rules.battle().units[there].id)
}

/// The enemy whom a unit attacks this way.
///
/// # Errors
/// Why it can't.
pub fn strike(rules: &Sa, position: &Position, place: usize, way: Way) -> Result<usize, Refusal> {
    let at = position.units[place].at.ok_or(Refusal::NotFielded)?;
    let hex = rules.battle().field.step(at, way.0).ok_or(Refusal::OffField)?;
    foe_at(rules, position, place, hex)
}

/// The time-points that a unit takes to enter such ground without spells, by its chart and its tribe (SA-33): at least one; `None` if it may not.
#[must_use]
pub fn pace(rules: &Sa, spec: &Spec, terrain: Terrain) -> Option<u16> {
    let chart = rules.numbers().cost(spec.kind, terrain)?;
    Some(chart.saturating_sub(spec.gifts.sooner).max(1))
}

/// The time-point at which a unit acts next that does nothing else now (SA-24).
#[must_use]
pub fn after_hold(rules: &Sa, position: &Position, place: usize) -> u16 {
    position.point + rules.numbers().clear(rules.battle().units[place].kind)
}

/// Whether units of a type may enter a hex, and nobody stands there.
#[must_use]
pub fn is_free(rules: &Sa, position: &Position, kind: Kind, hex: Hex) -> bool {
    let enters = rules.numbers().cost(kind, rules.battle().field.terrain(hex)).is_some();
    enters && position.unit_at(rules, hex).is_none()
}

/// The time-points that a unit takes to enter a hex: its chart, its tribe (SA-33) and Haste (SA-25). A hex that it can't enter costs as clear ground.
#[must_use]
pub fn delay(rules: &Sa, position: &Position, place: usize, to: Hex) -> u16 {
    let spec = &rules.battle().units[place];
    let chart = pace(rules, spec, rules.battle().field.terrain(to));
    let chart = chart.unwrap_or_else(|| rules.numbers().clear(spec.kind));
    let haste = position.units[place].spell(Spell::Haste, position.point);
    let haste = u16::try_from(haste.saturating_mul(2)).unwrap_or(u16::MAX);
    chart.saturating_sub(haste).max(1)
}

/// How far a missile flies, in hexes.
#[must_use]
pub fn range(rules: &Sa, missile: Missile) -> u32 {
    rules.numbers().ranges[&missile]
}

/// Whether a unit may fire at another.
///
/// # Errors
/// Why not.
pub fn fire(rules: &Sa, position: &Position, place: usize, target: usize) -> Result<(), Refusal> {
    let specs = &rules.battle().units;
    let at = position.units[place].at.ok_or(Refusal::NotFielded)?;
    let to = position.units[target].at.ok_or(Refusal::Gone(specs[target].id))?;
    if specs[place].id.side == specs[target].id.side {
        return Err(Refusal::Friend(specs[target].id));
    }
    let missile = specs[place].missile.ok_or(Refusal::NoMissiles)?;
    let (distance, range) = (at.distance(to), range(rules, missile));
    if distance > range {
        return Err(Refusal::OutOfRange(distance, range));
    }
    match blocked(rules, position, at, to) {
        Some(hex) => Err(Refusal::NoSight(hex)),
        None => Ok(()),
    }
}

/// Whether a unit that is fired at from another's hex fires back: a weapon that flies so far is enough (SA-34).
#[must_use]
pub fn answers(rules: &Sa, position: &Position, place: usize, firer: usize) -> bool {
    let missile = rules.battle().units[place].missile;
    let ends = position.units[place].at.zip(position.units[firer].at);
    missile.zip(ends).is_some_and(|(missile, (from, to))| from.distance(to) <= range(rules, missile))
}

/// The hex that blocks the line of sight between two hexes (SA-26); `None` if it is open. A line along a side between two hexes is blocked where both
/// are; the first of them is named.
#[must_use]
pub fn blocked(rules: &Sa, position: &Position, from: Hex, to: Hex) -> Option<Hex> {
    let field = &rules.battle().field;
    let high = field.terrain(from).is_high();
    let blocks = |hex: &Hex| match field.terrain(*hex) {
        terrain if high => terrain.is_high(),
        terrain => !terrain.is_open() || position.unit_at(rules, *hex).is_some(),
    };
    let flanks = |(one, other): &(Hex, Option<Hex>)| blocks(one) && other.as_ref().is_none_or(blocks);
    between(from, to).find(flanks).map(|(first, _)| first)
}

/// The hexes on the line between the middles of two hexes, without these: for each step one hex, or two where the line runs along the side
/// between them.
pub fn between(from: Hex, to: Hex) -> impl Iterator<Item = (Hex, Option<Hex>)> {
    let (a, b) = (cube(from), cube(to));
    let steps = i64::from(from.distance(to));
    let at = move |step: i64, nudge: i64| {
        // The point is kept as a fraction over `steps`, with a nudge far smaller than any of its parts.
        const FINE: i64 = 1_000;
        let part = |i: usize| (a[i] * (steps - step) + b[i] * step) * FINE;
        let nudged = [part(0) + nudge, part(1) + 2 * nudge, part(2) - 3 * nudge];
        rounded(nudged, steps * FINE)
    };
    (1..steps).filter_map(move |step| match (at(step, 1), at(step, -1)) {
        (Some(one), Some(other)) if one != other => Some((one.min(other), Some(one.max(other)))),
        (one, other) => one.or(other).map(|hex| (hex, None)),
    })
}

/// A hex in cube coordinates.
fn cube(hex: Hex) -> [i64; 3] {
    let (col, row) = (i64::from(hex.col), i64::from(hex.row));
    let q = col - (row - 1).div_euclid(2);
    [q, row, -q - row]
}

/// The hex whose middle is nearest to a point, whose coordinates are so many parts of a whole.
fn rounded(parts: [i64; 3], whole: i64) -> Option<Hex> {
    let near = parts.map(|part| (part + whole / 2).div_euclid(whole));
    let off = [0, 1, 2].map(|i: usize| (near[i] * whole - parts[i]).abs());
    let mut cube = near;
    let worst = (0..3).max_by_key(|i| off[*i])?;
    cube[worst] = -(near[(worst + 1) % 3] + near[(worst + 2) % 3]);
    let (q, row) = (cube[0], cube[1]);
    let col = q + (row - 1).div_euclid(2);
    Some(Hex::new(u8::try_from(col).ok()?, u8::try_from(row).ok()?))
}

/// What a unit's melee against another is made of, without the dice. `attacks` if it is the attacker.
#[must_use]
pub fn melee(rules: &Sa, position: &Position, place: usize, foe: usize, attacks: bool) -> Factors {
    let (own, other) = (&rules.battle().units[place], &rules.battle().units[foe]);
    let field = &rules.battle().field;
    let hindrance = |of: usize| position.units[of].at.map_or(0, |at| field.terrain(at).hindrance());
    let terrain = match rules.choices().terrain {
        Penalty::Opponent => hindrance(foe),
        Penalty::Own => hindrance(place),
        Penalty::Attacker if attacks => hindrance(foe),
        Penalty::Attacker => 0,
    };
    Factors {
        weapon: rules.numbers().melee(own.kind, own.weapon, other.kind),
        attack: i32::from(attacks),
        shieldless: shieldless(other),
        tribe: own.gifts.combat + own.gifts.against.get(&other.tribe).copied().unwrap_or(0),
        daunted: -other.gifts.daunts,
        terrain: -terrain,
        ..spells(position, place, foe)
    }
}

/// What a unit's fire at another is made of, without the die. `moved` if the target's last order was a move.
#[must_use]
pub fn volley(rules: &Sa, position: &Position, place: usize, foe: usize, moved: bool) -> Factors {
    let (own, other) = (&rules.battle().units[place], &rules.battle().units[foe]);
    let field = &rules.battle().field;
    let weapon = own.missile.map_or(0, |missile| rules.numbers().fire[&missile][other.kind as usize]);
    let bow = if own.missile == Some(Missile::Bow) { own.gifts.bow } else { 0 };
    Factors {
        weapon,
        shieldless: shieldless(other),
        tribe: own.gifts.combat + bow,
        moved: -i32::from(moved),
        terrain: -position.units[foe].at.map_or(0, |at| field.terrain(at).shelter()),
        ..spells(position, place, foe)
    }
}

/// Whether a unit counts as one that moved last, for whoever fires at it (SA-27, SA-47).
#[must_use]
pub fn moved_last(position: &Position, place: usize) -> bool {
    position.units[place].last == Last::Moved
}

/// What missing shields cost a unit: SA-7.
const fn shieldless(spec: &Spec) -> i32 {
    match (spec.shield, spec.kind.needs_shields()) {
        (true, _) => 0,
        (false, true) => 2,
        (false, false) => 1,
    }
}

fn spells(position: &Position, place: usize, foe: usize) -> Factors {
    let points =
        |of: usize, spell| i32::try_from(position.units[of].spell(spell, position.point)).unwrap_or(i32::MAX);
    Factors { blade: points(place, Spell::Blade), shield: -points(foe, Spell::Shield), ..Factors::default() }
}

/// What an average die shows, by the face of a plain one.
#[must_use]
pub fn average(die: u32) -> u32 {
    AVERAGE[(die as usize - 1).min(5)]
}

/// The random factor of fire by a die of three: -1, 0 or +1 (SA-10).
#[must_use]
pub const fn scatter(die: u32) -> i32 {
    die as i32 - 2
}

/// The random factor of a melee by two average dice, given as the faces of plain ones (SA-10).
#[must_use]
pub fn random(class: Class, dice: [u32; 2]) -> i32 {
    let thrown = average(dice[0]) as i32 - average(dice[1]) as i32;
    match class {
        Class::A | Class::B => thrown.max(-1),
        Class::C => thrown,
        Class::D => thrown.min(1),
    }
}

/// The percentage of an inflicting unit's own men that a combat total costs the other (SA-1).
#[must_use]
pub const fn casualties(total: i32) -> u32 {
    let percent = match total {
        i32::MIN..=-2 => 1,
        -1 => 2,
        0 => 3,
        1..=5 => 2 + 2 * total,
        23.. => 100,
        _ => 15 + 5 * (total - 6),
    };
    percent.unsigned_abs()
}

/// The men that fall to a unit of so many at a percentage (SA-2), no more than there are.
#[must_use]
pub fn fallen(men: u32, percent: u32, of: u32) -> u32 {
    let hundredths = u64::from(men) * u64::from(percent);
    u32::try_from((hundredths + 50) / 100).unwrap_or(u32::MAX).min(of)
}

/// Whether who did this much harm and took that much has won (SA-4): at least a twentieth of the enemy's men, and a tenth more than the own loss.
#[must_use]
pub fn wins(killed: u32, of: u32, lost: u32) -> bool {
    u64::from(killed) * 20 >= u64::from(of) && u64::from(killed) * 10 >= u64::from(lost) * 11 && killed > lost
}

/// Who has won a fight: nobody in rout (SA-19).
#[must_use]
pub fn winner(rules: &Sa, position: &Position, blows: [&Blow; 2]) -> Option<UnitId> {
    let steady = |id: UnitId| rules.battle().index(id).is_some_and(|place| !position.units[place].routing);
    let [one, other] = blows;
    let won = |own: &Blow, foe: &Blow| steady(own.unit) && wins(foe.lost, foe.men, own.lost);
    match () {
        () if won(one, other) => Some(one.unit),
        () if won(other, one) => Some(other.unit),
        () => None,
    }
}

/// A unit's morale check with these three average dice (SA-9, SA-11 to SA-13).
#[must_use]
pub fn check(rules: &Sa, position: &Position, place: usize, dice: [u32; 3]) -> Check {
    let unit = &position.units[place];
    let check = Check {
        dice,
        close: close(rules, position, place),
        dead: -tenths_lost(rules, position, place),
        battles: unit.battles,
        routs: unit.routs,
        fear: fear(rules, position, place),
        courage: i32::try_from(unit.spell(Spell::Courage, position.point)).unwrap_or(i32::MAX),
        result: Nerve::Orders,
    };
    Check { result: nerve(rules, rules.battle().units[place].class, check.total()), ..check }
}

/// The result of a morale check (SA-11).
#[must_use]
pub fn nerve(rules: &Sa, class: Class, total: i32) -> Nerve {
    let training = rules.numbers().training(class);
    match total {
        total if total >= training.orders => Nerve::Orders,
        total if total >= training.halts => Nerve::Halt,
        _ => Nerve::Rout,
    }
}

/// Friends less enemies near a unit, those in rout and itself left out (SA-12).
#[must_use]
pub fn close(rules: &Sa, position: &Position, place: usize) -> i32 {
    let Some(at) = position.units[place].at else { return 0 };
    let side = rules.battle().units[place].id.side;
    let near = |(other, unit): (usize, &crate::state::Unit)| {
        let there = unit.at.is_some_and(|hex| hex.distance(at) <= NEAR);
        match other != place && !unit.routing && there {
            true if rules.battle().units[other].id.side == side => 1,
            true => -1,
            false => 0,
        }
    };
    position.units.iter().enumerate().map(near).sum()
}

/// What demons take from a unit's check: once, however many are near (SA-9).
#[must_use]
pub fn fear(rules: &Sa, position: &Position, place: usize) -> i32 {
    let Some(at) = position.units[place].at else { return 0 };
    let side = rules.battle().units[place].id.side;
    let near = |(other, unit): (usize, &crate::state::Unit)| {
        let spec = &rules.battle().units[other];
        let there = spec.id.side != side && spec.gifts.fear > 0;
        (there && unit.at.is_some_and(|hex| hex.distance(at) <= NEAR)).then_some(spec.gifts.fear)
    };
    -position.units.iter().enumerate().filter_map(near).max().unwrap_or(0)
}

/// Full tenths of its men that a unit has lost (SA-13).
#[must_use]
pub fn tenths_lost(rules: &Sa, position: &Position, place: usize) -> i32 {
    let first = u64::from(rules.battle().units[place].men.max(1));
    let lost = first.saturating_sub(u64::from(position.units[place].men));
    i32::try_from(lost * 10 / first).unwrap_or(10)
}

/// The enemies of a unit on the field, each with its place in lists and its distance.
pub fn enemies<'a>(
    rules: &'a Sa,
    position: &'a Position,
    place: usize,
) -> impl Iterator<Item = (usize, u32)> + 'a {
    let spec = &rules.battle().units[place];
    let (from, to) = rules.battle().army(spec.id.side.other()).units;
    let at = position.units[place].at;
    (from..to).filter_map(move |foe| Some((foe, position.units[foe].at?.distance(at?))))
}

/// The nearest enemy on the field: of several the first by number.
#[must_use]
pub fn nearest(rules: &Sa, position: &Position, place: usize) -> Option<(usize, u32)> {
    enemies(rules, position, place).min_by_key(|(_, distance)| *distance)
}

/// How far the nearest enemy would be from a hex; [`u32::MAX`] if there is none.
#[must_use]
pub fn clearance(rules: &Sa, position: &Position, place: usize, hex: Hex) -> u32 {
    let (from, to) = rules.battle().army(rules.battle().units[place].id.side.other()).units;
    let foes = position.units[from..to].iter().filter_map(|foe| foe.at);
    foes.map(|at| at.distance(hex)).min().unwrap_or(u32::MAX)
}

/// The step by which a unit gets away from all enemies: to the neighbouring hex that is farthest from the nearest of them, then nearest to its own
/// edge, then by direction. No hex that is nearer to an enemy than its own is a way out (SA-18, SA-37).
#[must_use]
pub fn flight(rules: &Sa, position: &Position, place: usize) -> Option<(Way, Hex)> {
    let field = &rules.battle().field;
    let spec = &rules.battle().units[place];
    let at = position.units[place].at?;
    let home = rules.battle().army(spec.id.side).home;
    let open = |way: Way| {
        let to = field.step(at, way.0)?;
        let free = is_free(rules, position, spec.kind, to);
        free.then(|| (way, to, clearance(rules, position, place, to)))
    };
    let best = Way::ALL.into_iter().filter_map(open);
    let best = best.min_by_key(|(_, to, clear)| (std::cmp::Reverse(*clear), field.from(*to, home)));
    let (way, to, clear) = best?;
    (clear >= clearance(rules, position, place, at)).then_some((way, to))
}

/// Whether a unit is what it seems: no likeness of a wizard who stands elsewhere. `real` is the wizard who is real.
#[must_use]
pub fn is_real(rules: &Sa, real: Option<UnitId>, place: usize) -> bool {
    let spec = &rules.battle().units[place];
    !spec.likeness || real.is_none_or(|real| real == spec.id)
}

/// The likeness that a wizard makes in the hex this way, and that hex (SA-32, SA-44).
///
/// # Errors
/// Why he can't.
pub fn liken(
    rules: &Sa,
    position: &Position,
    real: Option<UnitId>,
    place: usize,
    way: Way,
) -> Result<(usize, Hex), Refusal> {
    let hunt = wizard(rules, place).filter(|_| is_real(rules, real, place)).ok_or(Refusal::NoWizard)?;
    let spare = |(spec, unit): (&Spec, &crate::state::Unit)| spec.likeness && unit.fate == Fate::Coming;
    let likeness = rules.battle().units.iter().zip(&position.units).position(spare);
    let likeness = likeness.ok_or(Refusal::NoLikeness)?;
    let left = position.magic[hunt.side.index()];
    if hunt.cost > left {
        return Err(Refusal::NoPoints(left));
    }
    let at = position.units[place].at.ok_or(Refusal::NotFielded)?;
    let kind = rules.battle().units[place].kind;
    let free = |to: &Hex| is_free(rules, position, kind, *to);
    let to = rules.battle().field.step(at, way.0).filter(free).ok_or(Refusal::NoRoom)?;
    Ok((likeness, to))
}

/// Whether a unit may leave the field of its own will: the wizard, and whoever looks like him, over his own edge, after a time-point (SA-32).
///
/// # Errors
/// Why not.
pub fn leave(rules: &Sa, position: &Position, place: usize) -> Result<(), Refusal> {
    let hunt = wizard(rules, place).ok_or(Refusal::NoWizard)?;
    let home = rules.battle().army(hunt.side).home;
    let at_edge = position.units[place].at.is_some_and(|at| rules.battle().field.is_at(at, home));
    let may = at_edge && position.point > hunt.leaves;
    may.then_some(()).ok_or(Refusal::NoLeave(hunt.leaves))
}

/// The hunt, if a unit is the wizard or looks like him.
fn wizard(rules: &Sa, place: usize) -> Option<Hunt> {
    rules.battle().hunt.filter(|_| rules.battle().units[place].likeness)
}

/// What a side has left, in hundredths of a light infantryman of class C: men on the field and not in rout, by type and class (SA-21, SA-49).
#[must_use]
pub fn left(rules: &Sa, position: &Position, real: Option<UnitId>, side: Side) -> u64 {
    let (from, to) = rules.battle().army(side).units;
    let numbers = rules.numbers();
    let counts = |place: &usize| position.units[*place].is_steady() && is_real(rules, real, *place);
    let worth = |place: usize| {
        let spec = &rules.battle().units[place];
        let weight = numbers.weights[&spec.kind] * numbers.training(spec.class).weight;
        u64::from(position.units[place].men) * u64::from(weight)
    };
    (from..to).filter(counts).map(worth).sum::<u64>() / 4
}

/// By how many percent the stronger of two exceeds the weaker, rounded down (SA-21); 100 if nothing is left of the weaker.
#[must_use]
pub fn margin(left: [u64; 2]) -> u64 {
    let (weaker, stronger) = (left[0].min(left[1]), left[0].max(left[1]));
    match weaker {
        0 if stronger == 0 => 0,
        0 => 100,
        _ => (stronger - weaker) * 100 / weaker,
    }
}

/// Whether a unit may cast a spell with so many points.
///
/// # Errors
/// Why not.
pub fn cast(rules: &Sa, position: &Position, id: UnitId, points: u32) -> Result<(), Refusal> {
    if !rules.battle().spec(id).casts {
        return Err(Refusal::NoCaster);
    }
    match rules.choices().cap {
        Some(cap) if points > cap => return Err(Refusal::OverCap(cap)),
        _ => {}
    }
    let left = position.magic[id.side.index()];
    if points == 0 || points > left { Err(Refusal::NoPoints(left)) } else { Ok(()) }
}
