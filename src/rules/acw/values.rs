//! The values of combat: fire, vulnerability, hits, order of fire, cohesion checks (manual, "The Fire Value", "Cohesion"). Pure: dice are given.
//!
//! Inside all is exact; parts are told in quarters, each so that the sum so far is right when rounded down.

use crate::data::Acw;
use crate::event::{CheckResult, Factor, Part};
use crate::law;
use crate::model::{Arm, BrigadeId, Light, Profile, Weather, strength};
use crate::numbers::{Gun, Losses, Numbers, SmallArms};
use crate::order::Act;
use crate::state::Brigade;

/// How near the army's commander has to be to lead an assault, and to steady others (ACW-7, ACW-40).
pub const HEROIC_REACH: u32 = 3;
/// The same for a commander who is bold or sensible.
pub const BOLD_REACH: u32 = 4;
/// How far small arms reach that are firearms (ACW-47).
pub const MUSKET_REACH: u32 = 2;

/// A brigade as it counts in a fight.
#[derive(Debug, Clone, Copy)]
pub struct Fighter<'a> {
    /// Its type.
    pub arm: Arm,
    /// Its men.
    pub men: u32,
    /// Its guns.
    pub guns: u32,
    /// Its regiments.
    pub regiments: i32,
    /// Its small arms.
    pub small_arms: Option<&'a SmallArms>,
    /// What its guns are.
    pub gun: Option<&'a Gun>,
    /// Its experience.
    pub experience: i32,
    /// Its commander's leadership.
    pub leadership: i32,
    /// Its cohesion.
    pub cohesion: i32,
    /// Its order.
    pub act: Act,
    /// Whether it is surprised.
    pub surprised: bool,
    /// Whether it is in its camp.
    pub encamped: bool,
    /// Whether it moved in the last turn.
    pub moved: bool,
    /// The cover of its hex.
    pub cover: i32,
    /// The value of the works that it stands in.
    pub works: i32,
}

/// A value with what it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// Its parts, in quarters, in the manual's order.
    pub parts: Vec<Part>,
    /// The sum, rounded down.
    pub total: i32,
}

/// What a brigade fires with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weapons {
    /// Everything: the values of small arms and of guns are added (ACW-6).
    All,
    /// Its small arms alone.
    SmallArms,
    /// Its guns alone.
    Guns,
}

/// What the army's commander gives to a shot (Menu 6, ACW-40).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lead {
    /// Nothing.
    None,
    /// A tenth more: he is bold, and the brigade targeted.
    Bold,
    /// So many tenths more, by a random number of 0 to 5: he leads the assault.
    Heroic(u32),
}

/// A shot before it falls.
#[derive(Debug, Clone, Copy)]
pub struct Volley<'a> {
    /// Who fires, or charges.
    pub firer: &'a Fighter<'a>,
    /// At whom.
    pub target: &'a Fighter<'a>,
    /// How far that is, in hexes.
    pub distance: u32,
    /// Whether it is night, or the weather is bad.
    pub hindered: bool,
    /// With what.
    pub weapons: Weapons,
    /// What the army's commander gives.
    pub lead: Lead,
}

/// Whether weather or light hinder fire: rain, snow, heavy fog, night (ACW-60).
pub const fn is_hindered(weather: Weather, light: Light) -> bool {
    weather.is_bad() || matches!(light, Light::Night)
}

impl<'a> Fighter<'a> {
    /// A brigade where it stands; off the map it has no cover.
    pub fn of(rules: &'a Acw, id: BrigadeId, brigade: &Brigade) -> Self {
        let battle = rules.battle();
        let spec = battle.brigade(id);
        let cover = |at| rules.numbers().terrain(battle.map.ground(at)).cover;
        Self {
            arm: spec.arm,
            men: brigade.men,
            guns: brigade.guns,
            regiments: spec.regiments,
            small_arms: spec.arms.as_ref(),
            gun: spec.guns.as_ref().map(|(_, gun)| gun),
            experience: spec.experience,
            leadership: brigade.leadership,
            cohesion: brigade.cohesion,
            act: brigade.act,
            surprised: brigade.surprised,
            encamped: brigade.encamped,
            moved: brigade.moved,
            cover: brigade.at.map_or(0, cover),
            works: law::works(battle, brigade).into(),
        }
    }

    /// Its strength points (ACW-50).
    pub fn strength(&self) -> i32 {
        strength(self.men)
    }

    /// The order by which it fights: cavalry that withdraws fights as if it skirmished; a surprised brigade has none.
    pub fn stance(&self) -> Option<Act> {
        match self.act {
            _ if self.surprised => None,
            Act::Withdraw if self.arm == Arm::Cavalry => Some(Act::Skirmish),
            act => Some(act),
        }
    }

    fn assaults(&self) -> bool {
        self.stance() == Some(Act::Assault)
    }

    /// Whether its small arms are no firearms.
    pub fn has_blades(&self) -> bool {
        self.small_arms.is_some_and(|arms| arms.range == 0)
    }

    /// Whether its assault is a charge: cavalry's, and that of brigades without firearms.
    pub fn charges(&self) -> bool {
        self.assaults() && self.arm != Arm::Artillery && (self.arm == Arm::Cavalry || self.has_blades())
    }

    /// How far it can fire: artillery as its guns do, others two hexes (ACW-47, ACW-62).
    pub fn reach(&self) -> u32 {
        match (self.arm, self.gun) {
            (Arm::Artillery, gun) => gun.filter(|_| self.guns > 0).map_or(0, |gun| gun.range),
            _ if self.has_blades() => 1,
            _ => MUSKET_REACH,
        }
    }

    /// Whether its guns can fire so far: not where they moved, unless they are cavalry's, and not where they are surprised (ACW-57).
    pub fn guns_fire(&self, distance: u32) -> bool {
        let ready = !self.surprised && (!self.moved || self.arm == Arm::Cavalry);
        self.guns > 0 && ready && self.gun.is_some_and(|gun| distance <= gun.range)
    }
}

/// Parts of a whole that all steps of a fire value come out in exactly: a quarter of quarters for the distance, quarters for cohesion, a half for the weather,
/// tenths for the commander.
const FINE: i64 = 4 * 4 * 4 * 2 * 10;
/// A quarter.
const QUARTER: i64 = FINE / 4;

/// A sum in the making.
#[derive(Default)]
struct Sum {
    parts: Vec<Part>,
    value: i64,
}

impl Sum {
    /// The value in quarters, rounded down.
    #[expect(clippy::expect_used, reason = "files bound what is summed")]
    fn quarters(&self) -> i32 {
        i32::try_from(self.value.div_euclid(QUARTER)).expect("a sum of a few ratings")
    }

    /// Changes the value, and tells the change as a part, unless there is none. A random number is always told.
    fn set(&mut self, factor: Factor, value: i64) {
        let before = self.quarters();
        let changes = self.value != value || factor == Factor::Chance;
        self.value = value;
        if changes {
            self.parts.push(Part(factor, self.quarters() - before));
        }
    }

    fn add_quarters(&mut self, factor: Factor, quarters: i32) {
        self.set(factor, self.value + i64::from(quarters) * QUARTER);
    }

    fn add(&mut self, factor: Factor, whole: i32) {
        self.add_quarters(factor, 4 * whole);
    }

    /// Adds what a rating has above 4.
    fn add_above_4(&mut self, factor: Factor, rating: i32) {
        self.add(factor, (rating - 4).max(0));
    }

    /// What is below 0 counts 0 (ACW-3).
    fn lift(&mut self) {
        self.set(Factor::Least, self.value.max(0));
    }

    fn cap(&mut self, most: i32) {
        self.set(Factor::Cap, self.value.min(i64::from(most) * FINE));
    }

    /// Leaves a fraction of the value.
    fn leave(&mut self, factor: Factor, of: i64, parts: i64) {
        self.set(factor, self.value * of / parts);
    }

    /// Puts another sum behind this one.
    fn join(&mut self, other: Self) {
        self.value += other.value;
        self.parts.extend(other.parts);
    }

    fn done(self) -> Value {
        let total = self.quarters().div_euclid(4);
        Value { parts: self.parts, total }
    }
}

/// The fire value of a shot (manual, "The Fire Value"; ACW-3 to ACW-6).
pub fn fire(volley: &Volley<'_>) -> Value {
    let Volley { firer, distance, weapons, .. } = volley;
    let is_battery = firer.arm == Arm::Artillery;
    let mut sum = Sum::default();
    if !is_battery && *weapons != Weapons::Guns {
        sum.join(if firer.charges() { charge(volley) } else { musketry(volley) });
    }
    if *weapons != Weapons::SmallArms && firer.guns_fire(*distance) {
        sum.join(gunnery(volley));
    }
    cap(volley, &mut sum);
    if !is_battery && *weapons != Weapons::Guns && *distance > 1 {
        sum.leave(Factor::Far, 1, 4);
    }
    if firer.charges() && *weapons != Weapons::Guns && volley.hindered {
        sum.leave(Factor::Weather, 1, 2);
    }
    let left = match firer.cohesion {
        ..=1 => 0,
        2 | 3 => 2,
        4 | 5 => 3,
        6.. => 4,
    };
    sum.leave(Factor::Worn, left, 4);
    match volley.lead {
        Lead::None => {}
        Lead::Bold => sum.leave(Factor::Bold, 11, 10),
        Lead::Heroic(tenths) => sum.leave(Factor::Heroic, 10 + i64::from(tenths), 10),
    }
    sum.done()
}

/// The most that the state of the firer, weather and light allow (ACW-3).
fn cap(volley: &Volley<'_>, sum: &mut Sum) {
    let firer = volley.firer;
    let is_battery = firer.arm == Arm::Artillery;
    if firer.charges() && volley.weapons != Weapons::Guns {
        return;
    }
    let caps = [
        (firer.surprised && !is_battery).then_some(2),
        (firer.stance() == Some(Act::Withdraw)).then_some(8),
        (firer.has_blades() && volley.weapons != Weapons::Guns).then_some(2),
        volley.hindered.then_some(6),
    ];
    if let Some(most) = caps.into_iter().flatten().min() {
        sum.cap(most);
    }
}

/// Infantry, mounted infantry, and cavalry that doesn't charge.
fn musketry(volley: &Volley<'_>) -> Sum {
    let firer = volley.firer;
    let points = firer.strength();
    // Halves and quarters are kept (ACW-5).
    let graded = 4 * points.min(8) + 2 * (points - 8).clamp(0, 8) + (points - 16).max(0);
    let mut sum = Sum::default();
    sum.add_quarters(Factor::Strength, graded);
    sum.add_above_4(Factor::Experience, firer.experience);
    sum.add_above_4(Factor::Leadership, firer.leadership);
    sum.add_above_4(Factor::Regiments, firer.regiments);
    let (fire, melee) = firer.small_arms.map_or((0, 0), |arms| (arms.fire, arms.melee));
    sum.add(Factor::SmallArms, fire);
    if firer.assaults() {
        sum.add(Factor::Melee, 2 * melee);
    }
    shelter(volley, &mut sum);
    sum.lift();
    sum
}

/// Guns: an artillery brigade's, or those of another brigade.
fn gunnery(volley: &Volley<'_>) -> Sum {
    let firer = volley.firer;
    let mut sum = Sum::default();
    let Some(gun) = firer.gun else { return sum };
    // A point for two guns, half a point for an odd one (ACW-50).
    sum.add_quarters(Factor::Batteries, i32::try_from(2 * firer.guns).unwrap_or(i32::MAX));
    sum.add_above_4(Factor::Experience, firer.experience);
    sum.add_above_4(Factor::Leadership, firer.leadership);
    sum.add(Factor::Rate, gun.rate);
    if volley.distance <= 1 {
        sum.add(Factor::Effectiveness, gun.effectiveness);
    } else {
        sum.add(Factor::Penetration, gun.penetration);
        let between = i32::try_from(volley.distance - 1).unwrap_or(i32::MAX);
        sum.add(Factor::Distance, -2 * between);
    }
    shelter(volley, &mut sum);
    sum.lift();
    sum
}

/// What ground and works take off fire.
fn shelter(volley: &Volley<'_>, sum: &mut Sum) {
    let Volley { firer, target, .. } = volley;
    if firer.works == 0 {
        sum.add_quarters(Factor::OwnCover, -2 * firer.cover);
    }
    spared(target, (1, 2), sum);
}

/// What the target's hex takes off: so many times its cover, or so many times its works. A target that assaults has left both (ACW-4, ACW-60).
fn spared(target: &Fighter<'_>, (cover, works): (i32, i32), sum: &mut Sum) {
    if target.assaults() {
        return;
    }
    if target.works == 0 {
        sum.add(Factor::Cover, -cover * target.cover);
    }
    sum.add(Factor::Works, -works * target.works);
}

/// A charge: of cavalry, or of a brigade without firearms.
fn charge(volley: &Volley<'_>) -> Sum {
    let firer = volley.firer;
    let mut sum = Sum::default();
    sum.add(Factor::Strength, firer.strength());
    sum.add_above_4(Factor::Experience, firer.experience);
    sum.add_above_4(Factor::Leadership, firer.leadership);
    sum.add_above_4(Factor::Regiments, firer.regiments);
    sum.add(Factor::Melee, 2 * firer.small_arms.map_or(0, |arms| arms.melee));
    spared(volley.target, (2, 3), &mut sum);
    sum.lift();
    sum
}

/// The vulnerability of a target, with a random number of 0 to 3 (manual, "Cohesion", step one).
pub fn vulnerability(target: &Fighter<'_>, chance: u32) -> Value {
    let mut sum = Sum::default();
    sum.add(Factor::Cohesion, target.cohesion);
    sum.add(Factor::Quality, (target.leadership + target.experience) / 2);
    let kind = match target.arm {
        _ if target.surprised || target.act == Act::Reserve => 0,
        Arm::Artillery => 8,
        Arm::Infantry => 6,
        Arm::MountedInfantry | Arm::Cavalry => 4,
    };
    sum.add(Factor::Kind, kind);
    let size = match target.strength() {
        ..=4 => 0,
        5..=8 => 1,
        9..=16 => 3,
        17.. => 6,
    };
    sum.add(Factor::Size, size);
    sum.add(Factor::Chance, whole(chance));
    sum.done()
}

/// The hits of a shot (step two, Table 2): a value of 0 scores none (ACW-51).
pub fn hits(numbers: &Numbers, value: i32, vulnerability: i32) -> u32 {
    if value <= 0 { 0 } else { numbers.hits_of(value - vulnerability) }
}

/// How a hit costs cohesion: the sides of the die of which one face does (ACW-2).
pub fn nerve(target: &Fighter<'_>) -> u32 {
    match target.stance() {
        _ if target.encamped => 1,
        Some(Act::Withdraw) => 4,
        _ => 2,
    }
}

/// The men and guns that a shot costs its target (ACW-51).
pub fn losses(losses: &Losses, target: &Fighter<'_>, hits: u32) -> (u32, u32) {
    let men = (hits * target.men * losses.hundredths / 100).max(hits * losses.least);
    (men.min(target.men), (hits / losses.hits_a_gun).min(target.guns))
}

/// In which turn of a fight a brigade fires; those of the first fire first (manual, "Sequence of Attack"). `None` if it can't fire.
pub fn category(fighter: &Fighter<'_>) -> Option<u8> {
    let is_battery = fighter.arm == Arm::Artillery;
    match fighter {
        one if is_battery && (one.surprised || one.moved) => None,
        one if one.surprised => Some(3),
        one if !is_battery && (one.charges() || one.has_blades()) => Some(4),
        one if one.moved => Some(2),
        _ => Some(1),
    }
}

/// When a brigade fires within its category, in halves: the highest first; with a random number of 0 to 3 (manual, "Sequence of Attack"). Guns that stand
/// count as skirmishing (ACW-64).
pub fn precedence(fighter: &Fighter<'_>, chance: u32) -> i32 {
    let kind = if fighter.arm == Arm::Artillery { 4 } else { 0 };
    let order = match fighter.stance() {
        Some(Act::Skirmish | Act::Stand) => 6,
        Some(Act::Assault | Act::Advance) => 2,
        _ => 0,
    };
    2 * (fighter.cohesion + kind + order + whole(chance)) + fighter.leadership + fighter.experience
}

/// What a cohesion check is about besides the brigade itself.
#[derive(Debug, Clone, Copy)]
pub struct Stress {
    /// Whether all fire came from the front.
    pub frontal: bool,
    /// Friendly brigades within three hexes less enemies within two (ACW-16).
    pub confidence: i32,
    /// How the army's commander leads who is in range (ACW-7, ACW-40).
    pub leader: Option<Profile>,
    /// What happened near it in the last turn (ACW-15).
    pub before: i32,
    /// A random number of 0 to 7.
    pub chance: u32,
}

/// A cohesion check (step three).
pub fn check(fighter: &Fighter<'_>, stress: &Stress) -> (Value, CheckResult) {
    let mut sum = Sum::default();
    sum.add(Factor::Cohesion, fighter.cohesion);
    sum.add(Factor::Quality, (fighter.leadership + fighter.experience) / 2);
    sum.add(Factor::OwnWorks, fighter.works);
    sum.add(Factor::Front, if stress.frontal { 4 } else { 0 });
    sum.add(Factor::Confidence, stress.confidence);
    let leader = match stress.leader {
        Some(Profile::Heroic) => 3,
        Some(Profile::Bold) => 2,
        Some(Profile::Sensible) => 1,
        Some(Profile::Cautious) | None => 0,
    };
    sum.add(Factor::Command, leader);
    let order = match fighter.stance() {
        Some(Act::Assault) => 2,
        Some(Act::Withdraw) => -2,
        _ => 0,
    };
    sum.add(Factor::Order, order);
    sum.add(Factor::Before, stress.before.max(-7));
    sum.add(Factor::Chance, whole(stress.chance));
    let value = sum.done();
    let result = CheckResult::of(value.total);
    (value, result)
}

#[expect(clippy::expect_used, reason = "the rules throw no die of so many sides")]
fn whole(chance: u32) -> i32 {
    i32::try_from(chance).expect("a random number")
}
