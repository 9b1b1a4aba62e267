//! The law: what a unit may do, by what everybody sees, and what a fight and a check are made of. Phases, receipts, odds and commanders all ask here.
//! Nothing here throws a die.

use musterd_engine::hex::Hex;

use crate::battle::{Hunt, Spec};
use crate::data::Sa;
use crate::event::{Blow, Check, Factors, Nerve, Refusal};
use crate::model::{Class, Missile, NEAR, Side, Spell, Terrain, UnitId, UnitType, Way};
use crate::options::Penalty;
use crate::state::{Fate, Last, Position, Unit};

/// How long a unit halts, in time-points.
pub const HALT: u16 = 20;
/// How long a fight takes its attacker, in time-points (SA-34).
pub const FIGHT: u16 = 12;
/// How long Courage lasts: through this many time-points after the cast (SA-46).
pub const COURAGE: u16 = 35;
/// The faces of an average die.
pub const AVERAGE: [u32; 6] = [2, 3, 3, 4, 4, 5];

/// Whether a unit may be moved this way: where that leads, and at what cost.
///
/// # Errors
/// Why not.
pub fn step(rules: &Sa, position: &Position, place: usize, way: Way) -> Result<(Hex, u16), Refusal> {
    match rules.battle().units[place].waits.filter(|point| position.point < *point) {
        Some(point) => Err(Refusal::NotBefore(point)),
        None => enter(rules, position, place, way),
    }
}

/// The hex this way, if the unit can enter it, and the time-points that it takes (SA-22, SA-25).
fn enter(rules: &Sa, position: &Position, place: usize, way: Way) -> Result<(Hex, u16), Refusal> {
    let (battle, unit) = (rules.battle(), &position.units[place]);
    let to = battle.field.step(unit.at.ok_or(Refusal::NotFielded)?, way.0).ok_or(Refusal::OffField)?;
    let pace = pace(rules, &battle.units[place], battle.field.terrain(to)).ok_or(Refusal::Prohibited(to))?;
    if let Some(other) = position.unit_at(rules, to) {
        return Err(Refusal::Occupied(battle.units[other].id));
    }
    let haste = unit.spell(Spell::Haste, position.point).saturating_mul(2);
    Ok((to, pace.saturating_sub(u16::try_from(haste).unwrap_or(u16::MAX)).max(1)))
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
    let foe = rules.battle().place(id);
    position.units[foe].at.map(|_| foe).ok_or(Refusal::Gone(id))
}

/// The enemy in a hex.
///
/// # Errors
/// Nobody stands there, or a friend.
pub fn foe_at(rules: &Sa, position: &Position, place: usize, hex: Hex) -> Result<usize, Refusal> {
    let there = position.unit_at(rules, hex).ok_or(Refusal::Nobody(hex))?;
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
pub fn pace(rules: &Sa, spec: &Spec, terrain: Terrain) -> Option<u16> {
    let chart = rules.numbers().cost(spec.kind, terrain)?;
    Some(chart.saturating_sub(spec.gifts.sooner).max(1))
}

/// The hexes that a unit goes at most from the first to the last time-point of a block. Haste may make one step as quick as a time-point.
///
/// # Panics
/// The unit enters no terrain.
pub fn most_steps(rules: &Sa, spec: &Spec, (first, last): (u16, u16)) -> u32 {
    let paces = Terrain::ALL.into_iter().filter_map(|terrain| pace(rules, spec, terrain));
    let Some(least) = paces.min() else { unreachable!("{} enters no terrain", spec.id) };
    u32::from((last + 1 - first).div_ceil(least)) + 1
}

/// The time-point at which a unit acts next that does nothing else now (SA-24).
pub fn after_hold(rules: &Sa, position: &Position, place: usize) -> u16 {
    position.point + rules.numbers().clear(rules.battle().units[place].kind)
}

/// Whether units of a type may enter a hex, and nobody stands there.
pub fn is_free(rules: &Sa, position: &Position, kind: UnitType, hex: Hex) -> bool {
    let enters = rules.numbers().cost(kind, rules.battle().field.terrain(hex)).is_some();
    enters && position.unit_at(rules, hex).is_none()
}

/// How far a missile flies, in hexes.
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
pub fn answers(rules: &Sa, position: &Position, place: usize, firer: usize) -> bool {
    let missile = rules.battle().units[place].missile;
    let ends = position.units[place].at.zip(position.units[firer].at);
    missile.zip(ends).is_some_and(|(missile, (from, to))| from.distance(to) <= range(rules, missile))
}

/// The hex that blocks the line of sight between two hexes (SA-26); `None` if it is open. A line along a side between two hexes is blocked where both
/// are; the first of them is named.
pub fn blocked(rules: &Sa, position: &Position, from: Hex, to: Hex) -> Option<Hex> {
    let field = &rules.battle().field;
    let high = field.terrain(from).is_high();
    let blocks = |hex: &Hex| match field.terrain(*hex) {
        terrain if high => terrain.is_high(),
        terrain => !terrain.is_open() || position.unit_at(rules, *hex).is_some(),
    };
    let flanks = |(one, other): &(Hex, Option<Hex>)| blocks(one) && other.as_ref().is_none_or(blocks);
    from.line(to).find(flanks).map(|(first, _)| first)
}

/// What a unit's melee against another is made of, without the dice. `attacks` if it is the attacker.
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
    let points = |of: usize, spell| factor(position.units[of].spell(spell, position.point));
    Factors { blade: points(place, Spell::Blade), shield: -points(foe, Spell::Shield), ..Factors::default() }
}

/// What the points of a spell count in a total.
#[expect(clippy::expect_used, reason = "no side has more than a thousand spell points")]
fn factor(points: u32) -> i32 {
    i32::try_from(points).expect("points of a side")
}

/// What an average die shows, by the face of a plain one.
pub fn average(die: u32) -> u32 {
    AVERAGE[die as usize - 1]
}

/// The random factor of fire by a die of three: -1, 0 or +1 (SA-10).
pub const fn scatter(die: u32) -> i32 {
    die as i32 - 2
}

/// The random factor of a melee by two average dice, given as the faces of plain ones (SA-10).
pub fn random(class: Class, dice: [u32; 2]) -> i32 {
    let thrown = average(dice[0]) as i32 - average(dice[1]) as i32;
    match class {
        Class::A | Class::B => thrown.max(-1),
        Class::C => thrown,
        Class::D => thrown.min(1),
    }
}

/// The percentage of an inflicting unit's own men that a combat total costs the other (SA-1).
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
pub fn fallen(men: u32, percent: u32, of: u32) -> u32 {
    let hundredths = u64::from(men) * u64::from(percent);
    u32::try_from((hundredths + 50) / 100).unwrap_or(u32::MAX).min(of)
}

/// Whether who did this much harm and took that much has won (SA-4): at least a twentieth of the enemy's men, and a tenth more than the own loss.
pub fn wins(killed: u32, of: u32, lost: u32) -> bool {
    u64::from(killed) * 20 >= u64::from(of) && u64::from(killed) * 10 >= u64::from(lost) * 11 && killed > lost
}

/// The men of so many that a unit fells with a combat total (SA-1, SA-2).
pub fn felled(men: u32, total: i32, of: u32) -> u32 {
    fallen(men, casualties(total), of)
}

/// Which of two wins a fight, by the men and the losses of both: nobody in rout (SA-4, SA-19).
pub fn decided(men: [u32; 2], lost: [u32; 2], routing: [bool; 2]) -> Option<usize> {
    let won = |own: &usize| {
        let foe = 1 - own;
        !routing[*own] && wins(lost[foe], men[foe], lost[*own])
    };
    [0, 1].into_iter().find(won)
}

/// Who has won a fight.
pub fn winner(rules: &Sa, position: &Position, blows: [&Blow; 2]) -> Option<UnitId> {
    let routing = blows.map(|blow| position.units[rules.battle().place(blow.unit)].routing);
    decided(blows.map(|blow| blow.men), blows.map(|blow| blow.lost), routing).map(|own| blows[own].unit)
}

/// Whether a unit routs that has lost so many melees in a row (SA-17).
pub fn breaks(rules: &Sa, position: &Position, place: usize, losing: u8) -> bool {
    !position.units[place].routing
        && losing >= rules.numbers().training(rules.battle().units[place].class).losses
}

/// A unit's morale check with these three average dice (SA-9, SA-11 to SA-13).
pub fn check(rules: &Sa, position: &Position, place: usize, dice: [u32; 3]) -> Check {
    let unit = &position.units[place];
    let check = Check {
        dice,
        close: close(rules, position, place),
        dead: -tenths_lost(rules, position, place),
        battles: unit.battles,
        routs: unit.routs,
        fear: fear(rules, position, place),
        courage: factor(unit.spell(Spell::Courage, position.point)),
        result: Nerve::Orders,
    };
    Check { result: nerve(rules, rules.battle().units[place].class, check.total()), ..check }
}

/// The result of a morale check (SA-11).
pub fn nerve(rules: &Sa, class: Class, total: i32) -> Nerve {
    let training = rules.numbers().training(class);
    match total {
        total if total >= training.orders => Nerve::Orders,
        total if total >= training.halts => Nerve::Halt,
        _ => Nerve::Rout,
    }
}

/// The units near a hex, one left out.
fn near(position: &Position, place: usize, at: Hex) -> impl Iterator<Item = (usize, &Unit)> {
    let is_near = move |hex: Hex| hex.distance(at) <= NEAR;
    let others = position.fielded().filter(move |(other, _, hex)| *other != place && is_near(*hex));
    others.map(|(other, unit, _)| (other, unit))
}

/// Friends less enemies near a unit, those in rout and itself left out (SA-12).
pub fn close(rules: &Sa, position: &Position, place: usize) -> i32 {
    position.units[place].at.map_or(0, |at| close_at(rules, position, place, at))
}

/// The same if the unit stood in this hex.
pub fn close_at(rules: &Sa, position: &Position, place: usize, at: Hex) -> i32 {
    let side = |place: usize| rules.battle().units[place].id.side;
    let steady = near(position, place, at).filter(|(_, unit)| !unit.routing);
    steady.map(|(other, _)| if side(other) == side(place) { 1 } else { -1 }).sum()
}

/// What demons take from a unit's check: once, however many are near (SA-9).
pub fn fear(rules: &Sa, position: &Position, place: usize) -> i32 {
    let specs = &rules.battle().units;
    let Some(at) = position.units[place].at else { return 0 };
    let others = near(position, place, at).map(|(other, _)| &specs[other]);
    let foes = others.filter(|spec| spec.id.side != specs[place].id.side);
    -foes.map(|spec| spec.gifts.fear).fold(0, i32::max)
}

/// Full tenths of its men that a unit has lost (SA-13).
pub fn tenths_lost(rules: &Sa, position: &Position, place: usize) -> i32 {
    let first = u64::from(rules.battle().units[place].men);
    debug_assert!(first > 0, "a unit begins with men");
    // A GM may give a unit more men than it began with.
    let lost = first.saturating_sub(u64::from(position.units[place].men));
    (lost * 10 / first) as i32
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
pub fn nearest(rules: &Sa, position: &Position, place: usize) -> Option<(usize, u32)> {
    enemies(rules, position, place).min_by_key(|(_, distance)| *distance)
}

/// How far the nearest enemy would be from a hex; [`u32::MAX`] if there is none.
pub fn clearance(rules: &Sa, position: &Position, place: usize, hex: Hex) -> u32 {
    let (from, to) = rules.battle().army(rules.battle().units[place].id.side.other()).units;
    let foes = position.units[from..to].iter().filter_map(|foe| foe.at);
    foes.map(|at| at.distance(hex)).min().unwrap_or(u32::MAX)
}

/// The step by which a unit gets away from all enemies, and the time-points that it takes: to the neighbouring hex that is farthest from the nearest of
/// them, then nearest to its own edge, then by direction. No hex that is nearer to an enemy than its own is a way out (SA-18, SA-37, SA-56).
pub fn flight(rules: &Sa, position: &Position, place: usize) -> Option<(Way, Hex, u16)> {
    let home = rules.battle().army(rules.battle().units[place].id.side).home;
    let clear = |hex: Hex| clearance(rules, position, place, hex);
    let now = clear(position.units[place].at?);
    let open = |way: Way| enter(rules, position, place, way).ok().map(|(to, delay)| (way, to, delay));
    let ways = Way::ALL.into_iter().filter_map(open).map(|step| (clear(step.1), step));
    let out = ways.filter(|(clear, _)| *clear >= now);
    let from_home = |hex: Hex| rules.battle().field.from(hex, home);
    out.min_by_key(|(clear, (_, to, _))| (std::cmp::Reverse(*clear), from_home(*to))).map(|(_, step)| step)
}

/// Whether a unit is what it seems: no likeness of a wizard who stands elsewhere. `real` is the wizard who is real.
pub fn is_real(rules: &Sa, real: Option<UnitId>, place: usize) -> bool {
    let spec = &rules.battle().units[place];
    !spec.likeness || real.is_none_or(|real| real == spec.id)
}

/// The likenesses that leave the field with a unit: all of them with the real wizard, with anybody else none (SA-32).
pub fn followers(rules: &Sa, position: &Position, real: Option<UnitId>, place: usize) -> Vec<(UnitId, Hex)> {
    let specs = &rules.battle().units;
    if !specs[place].likeness || !is_real(rules, real, place) {
        return Vec::new();
    }
    let others = position.fielded().filter(|(other, ..)| *other != place && specs[*other].likeness);
    others.map(|(other, _, at)| (specs[other].id, at)).collect()
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
    let likeness = likeness(rules, position, real, place)?;
    let (to, _) = enter(rules, position, place, way)?;
    Ok((likeness, to))
}

/// The likeness that a wizard makes next, wherever he stands.
///
/// # Errors
/// Why he can make none any more: it stands for the rest of the battle.
pub fn likeness(
    rules: &Sa,
    position: &Position,
    real: Option<UnitId>,
    place: usize,
) -> Result<usize, Refusal> {
    let hunt = wizard(rules, place)?;
    if !is_real(rules, real, place) {
        return Err(Refusal::Unreal);
    }
    let spare = |(spec, unit): (&Spec, &Unit)| spec.likeness && unit.fate == Fate::Coming;
    let likeness = rules.battle().units.iter().zip(&position.units).position(spare);
    let likeness = likeness.ok_or(Refusal::NoLikeness)?;
    let left = position.magic[hunt.side.index()];
    if hunt.cost > left { Err(Refusal::NoPoints(left)) } else { Ok(likeness) }
}

/// Whether a unit may leave the field of its own will: the wizard, and whoever looks like him, over his own edge, after a time-point (SA-32).
///
/// # Errors
/// Why not.
pub fn leave(rules: &Sa, position: &Position, place: usize) -> Result<(), Refusal> {
    let hunt = wizard(rules, place)?;
    let home = rules.battle().army(hunt.side).home;
    let at = position.units[place].at.ok_or(Refusal::NotFielded)?;
    match rules.battle().field.is_at(at, home) {
        _ if position.point <= hunt.leaves => Err(Refusal::TooEarly(hunt.leaves)),
        false => Err(Refusal::NotAtEdge),
        true => Ok(()),
    }
}

/// The hunt, if a unit is the wizard or looks like him.
///
/// # Errors
/// It does not.
pub fn wizard(rules: &Sa, place: usize) -> Result<Hunt, Refusal> {
    rules.battle().hunt.filter(|_| rules.battle().units[place].likeness).ok_or(Refusal::NoWizard)
}

/// The weight of a man of a unit, by its type and class: four times as many hundredths as [`left`] counts.
pub fn weight(rules: &Sa, spec: &Spec) -> u32 {
    rules.numbers().weights[&spec.kind] * rules.numbers().training(spec.class).weight
}

/// What a side has left, in hundredths of a light infantryman of class C: men on the field and not in rout, by type and class (SA-21, SA-49).
pub fn left(rules: &Sa, position: &Position, real: Option<UnitId>, side: Side) -> u64 {
    let (from, to) = rules.battle().army(side).units;
    let counts = |place: &usize| position.units[*place].is_steady() && is_real(rules, real, *place);
    let worth = |place: usize| {
        u64::from(position.units[place].men) * u64::from(weight(rules, &rules.battle().units[place]))
    };
    (from..to).filter(counts).map(worth).sum::<u64>() / 4
}

/// By how many percent the stronger of two exceeds the weaker, rounded down (SA-21); 100 if nothing is left of the weaker.
pub fn margin(left: [u64; 2]) -> u64 {
    let (weaker, stronger) = (left[0].min(left[1]), left[0].max(left[1]));
    match weaker {
        0 if stronger == 0 => 0,
        0 => 100,
        _ => (stronger - weaker) * 100 / weaker,
    }
}

/// Whether a unit may cast a spell with so many points. `real` is the wizard who is real, as far as it is known.
///
/// # Errors
/// Why not: it stands for the rest of the battle.
pub fn cast(
    rules: &Sa,
    position: &Position,
    real: Option<UnitId>,
    place: usize,
    points: u32,
) -> Result<(), Refusal> {
    let spec = &rules.battle().units[place];
    if !spec.casts {
        return Err(Refusal::NoCaster);
    }
    if !is_real(rules, real, place) {
        return Err(Refusal::Unreal);
    }
    match rules.choices().cap {
        Some(cap) if points > cap => return Err(Refusal::OverCap(cap)),
        _ => {}
    }
    let left = position.magic[spec.id.side.index()];
    if points > left { Err(Refusal::NoPoints(left)) } else { Ok(()) }
}
