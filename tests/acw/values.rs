//! The values of combat, worked by hand: fire, vulnerability, hits and losses, order of fire, cohesion checks.

use musterd_acw::event::{CheckResult, Factor, Part};
use musterd_acw::model::{Arm, Light, Profile, Weather};
use musterd_acw::numbers::{Gun, Numbers, SmallArms};
use musterd_acw::order::Act;
use musterd_acw::values::{
    Fighter, Lead, Stress, Volley, Weapons, category, check, fire, hits, is_hindered, losses, nerve,
    precedence, vulnerability,
};

/// The tables that cases take arms and guns from.
struct Arsenal(Numbers);

impl Arsenal {
    fn shipped() -> Self {
        Self(Numbers::shipped())
    }

    fn arms(&self, word: &str) -> Option<&SmallArms> {
        Some(&self.0.small_arms[word])
    }

    fn gun(&self, word: &str) -> Option<&Gun> {
        Some(&self.0.guns[word])
    }

    /// 1,800 infantry with rifle muskets in the open, fresh, of experience and leadership 5, with four regiments: they skirmish.
    fn infantry(&self) -> Fighter<'_> {
        Fighter {
            arm: Arm::Infantry,
            men: 1800,
            guns: 0,
            regiments: 4,
            small_arms: self.arms("rifle-musket"),
            gun: None,
            experience: 5,
            leadership: 5,
            cohesion: 6,
            act: Act::Skirmish,
            surprised: false,
            encamped: false,
            moved: false,
            cover: 0,
            works: 0,
        }
    }

    /// The same with six Napoleons.
    fn with_guns(&self) -> Fighter<'_> {
        Fighter { guns: 6, gun: self.gun("napoleon"), ..self.infantry() }
    }

    /// Twelve 3-inch rifles with 300 men.
    fn battery(&self) -> Fighter<'_> {
        Fighter {
            arm: Arm::Artillery,
            men: 300,
            guns: 12,
            regiments: 0,
            small_arms: None,
            gun: self.gun("3in-rifle"),
            ..self.infantry()
        }
    }

    /// 1,200 cavalry with sabres and pistols that charge.
    fn cavalry(&self) -> Fighter<'_> {
        Fighter {
            arm: Arm::Cavalry,
            men: 1200,
            small_arms: self.arms("sabre-pistol"),
            act: Act::Assault,
            ..self.infantry()
        }
    }
}

fn volley<'a>(firer: &'a Fighter<'a>, target: &'a Fighter<'a>) -> Volley<'a> {
    Volley { firer, target, distance: 1, hindered: false, weapons: Weapons::All, lead: Lead::None }
}

/// The total of a shot at a neighbour.
fn value(firer: &Fighter<'_>, target: &Fighter<'_>) -> i32 {
    fire(&volley(firer, target)).total
}

/// ACW-5, ACW-50.
#[test]
fn strength_counts_whole_then_by_halves_then_by_quarters() {
    let arsenal = Arsenal::shipped();
    let target = arsenal.infantry();
    // Muskets 4, experience and leadership 1 each: 6 beside the strength.
    for (men, value) in [
        (849, 8 + 6),
        (850, 8 + 6),   // 9 points: 8.5
        (1649, 12 + 6), // 16 points: 8 + 4
        (2449, 14 + 6), // 24 points: 8 + 4 + 2
        (2449 + 100, 14 + 6),
        (2850, 15 + 6), // 29 points: 15.25
        (49, 1 + 6),    // at least a point
    ] {
        let firer = Fighter { men, ..arsenal.infantry() };
        assert_eq!(self::value(&firer, &target), value, "{men}");
    }
    // The fraction is kept until the end: 13 points are 10.5, and half a point of cover makes 10 of it.
    let firer = Fighter { men: 1300, cover: 1, ..arsenal.infantry() };
    let fired = fire(&volley(&firer, &target));
    assert_eq!(fired.total, 16);
    assert_eq!(fired.parts[0], Part(Factor::Strength, 42));
}

#[test]
fn quality_counts_above_four_alone() {
    let arsenal = Arsenal::shipped();
    let target = arsenal.infantry();
    let plain = Fighter { experience: 4, leadership: 2, regiments: 3, men: 800, ..arsenal.infantry() };
    assert_eq!(value(&plain, &target), 8 + 4);
    let able = Fighter { experience: 9, leadership: 6, regiments: 7, ..plain };
    assert_eq!(value(&able, &target), 8 + 5 + 2 + 3 + 4);
}

#[test]
fn an_assault_adds_twice_the_melee_value() {
    let arsenal = Arsenal::shipped();
    let target = arsenal.infantry();
    let firer = Fighter { act: Act::Assault, ..arsenal.infantry() };
    // 12.5 of strength, 2, 4, and twice 3.
    assert_eq!(value(&firer, &target), 24);
}

/// ACW-4, ACW-60.
#[test]
fn cover_and_works_shelter_both() {
    let arsenal = Arsenal::shipped();
    let firer = arsenal.infantry();
    // 18.5 in the open.
    let of = |cover, works, act| Fighter { cover, works, act, ..arsenal.infantry() };
    let at = |target: &Fighter<'_>| value(&firer, target);
    assert_eq!(at(&of(3, 0, Act::Skirmish)), 15);
    // Works spare the cover: twice 2 instead.
    assert_eq!(at(&of(3, 2, Act::Skirmish)), 14);
    // Who assaults has neither.
    assert_eq!(at(&of(3, 2, Act::Assault)), 18);
    // The firer's own cover counts half, unless it stands in works.
    let target = arsenal.infantry();
    assert_eq!(value(&of(3, 0, Act::Skirmish), &target), 17);
    assert_eq!(value(&of(3, 1, Act::Skirmish), &target), 18);
}

/// ACW-6.
#[test]
fn guns_are_added_to_their_brigades_value() {
    let arsenal = Arsenal::shipped();
    let (firer, target) = (arsenal.with_guns(), arsenal.infantry());
    // 18.5; and 3 for six guns, 1 and 1, rate 3, effectiveness 8: 16.
    assert_eq!(value(&firer, &target), 34);
    let told = |weapons| fire(&Volley { weapons, ..volley(&firer, &target) }).total;
    // As a second shot each is rounded down by itself.
    assert_eq!((told(Weapons::SmallArms), told(Weapons::Guns)), (18, 16));
    // An odd gun is half a point.
    let odd = Fighter { guns: 7, ..firer };
    assert_eq!(value(&odd, &target), 35);
    // Guns that moved are silent, but those of cavalry.
    assert_eq!(value(&Fighter { moved: true, ..firer }, &target), 18);
    let horse = Fighter { arm: Arm::Cavalry, moved: true, ..firer };
    assert_eq!(value(&horse, &target), 34);
}

/// ACW-3.
#[test]
fn a_part_below_nothing_counts_nothing() {
    let arsenal = Arsenal::shipped();
    let target = Fighter { works: 3, ..arsenal.infantry() };
    // A point of strength and nothing else against twice 3: no less than nothing.
    let weak = Fighter {
        men: 100,
        experience: 1,
        leadership: 1,
        small_arms: arsenal.arms("smoothbore"),
        guns: 6,
        gun: arsenal.gun("napoleon"),
        ..arsenal.infantry()
    };
    let fired = fire(&volley(&weak, &target));
    // 1 + 2 - 6 is lifted by 3; the guns bring 3 + 3 + 8 - 6.
    assert_eq!(fired.parts[3], Part(Factor::Least, 12));
    assert_eq!(fired.total, 8);
}

/// ACW-34, ACW-62.
#[test]
fn artillery_fires_far_by_penetration_and_near_by_effectiveness() {
    let arsenal = Arsenal::shipped();
    let (battery, target) = (arsenal.battery(), Fighter { cover: 1, ..arsenal.infantry() });
    let at = |distance| fire(&Volley { distance, ..volley(&battery, &target) }).total;
    // 6 for twelve guns, 1 and 1, rate 3, less cover 1: 10. Effectiveness 4; or penetration 6, less 2 for each hex between.
    assert_eq!([1, 2, 3, 5].map(at), [14, 14, 12, 8]);
    assert_eq!((battery.reach(), arsenal.infantry().reach()), (5, 2));
}

/// ACW-3, ACW-18.
#[test]
fn at_two_hexes_a_quarter_of_the_whole_is_left() {
    let arsenal = Arsenal::shipped();
    let (firer, target) = (arsenal.with_guns(), arsenal.infantry());
    let fired = fire(&Volley { distance: 2, ..volley(&firer, &target) });
    // 18.5, and guns 3 + 2 + 3 + penetration 5 - 2: 11. A quarter of 29.5 is 7.375.
    assert_eq!(fired.total, 7);
    assert_eq!(fired.parts.last(), Some(&Part(Factor::Far, 29 - 118)));
    // A second shot of guns is whole: it is reckoned as artillery's.
    let guns = Volley { distance: 2, weapons: Weapons::Guns, ..volley(&firer, &target) };
    assert_eq!(fire(&guns).total, 11);
    // Howitzers of range 2 reach no farther.
    let howitzers = Fighter { arm: Arm::Artillery, gun: arsenal.gun("12pdr-howitzer"), ..firer };
    assert_eq!(howitzers.reach(), 2);
    assert_eq!(fire(&Volley { distance: 3, ..volley(&howitzers, &target) }).total, 0);
}

/// ACW-3.
#[test]
fn caps_cut_the_sum_before_the_rest() {
    let arsenal = Arsenal::shipped();
    let target = arsenal.infantry();
    let capped = |firer: Fighter<'_>| value(&firer, &target);
    let base = arsenal.infantry();
    assert_eq!(capped(Fighter { surprised: true, ..base }), 2);
    assert_eq!(capped(Fighter { act: Act::Withdraw, ..base }), 8);
    // Cavalry that withdraws fights as if it skirmished: 12, and muskets 4, 1 and 1.
    assert_eq!(capped(Fighter { act: Act::Withdraw, arm: Arm::Cavalry, men: 1600, ..base }), 18);
    assert_eq!(capped(Fighter { small_arms: arsenal.arms("spear"), ..base }), 2);
    let at_night = Volley { hindered: true, ..volley(&base, &target) };
    assert_eq!(fire(&at_night).total, 6);
    // The least of several counts; then the distance: a quarter of 2 is nothing.
    let late = Fighter { surprised: true, ..base };
    assert_eq!(fire(&Volley { hindered: true, ..volley(&late, &target) }).total, 2);
    assert_eq!(fire(&Volley { distance: 2, ..volley(&late, &target) }).total, 0);
    // Artillery: 6 by night, 8 where it withdraws.
    let battery = arsenal.battery();
    assert_eq!(fire(&Volley { hindered: true, ..volley(&battery, &target) }).total, 6);
    assert_eq!(capped(Fighter { act: Act::Withdraw, ..battery }), 8);
}

/// ACW-60.
#[test]
fn night_rain_snow_and_heavy_fog_hinder_but_no_drizzle() {
    let hindering = |weather| is_hindered(weather, Light::Day);
    assert!([Weather::Rain, Weather::Snow, Weather::HeavyFog].into_iter().all(hindering));
    let other = [Weather::Clear, Weather::Overcast, Weather::Drizzle, Weather::LightFog];
    assert!(!other.into_iter().any(hindering));
    let lit = [Light::Dawn, Light::Day, Light::Dusk, Light::Night].map(|l| is_hindered(Weather::Clear, l));
    assert_eq!(lit, [false, false, false, true]);
}

/// ACW-4, ACW-60.
#[test]
fn a_charge_counts_all_strength_and_twice_the_cover() {
    let arsenal = Arsenal::shipped();
    let (horse, target) = (arsenal.cavalry(), Fighter { cover: 3, ..arsenal.infantry() });
    // 12, 1 and 1, twice melee 4, less twice 3: no small arms' fire.
    assert_eq!(value(&horse, &target), 16);
    // Works instead of cover: three times 2. Who assaults has neither.
    assert_eq!(value(&horse, &Fighter { works: 2, ..target }), 16);
    assert_eq!(value(&horse, &Fighter { works: 2, act: Act::Assault, ..target }), 22);
    // No cap by night, but a half of all.
    assert_eq!(fire(&Volley { hindered: true, ..volley(&horse, &target) }).total, 8);
    // Its own cover is nothing to it; its guns add: 2, 1 and 1, rate 3, effectiveness 8, less cover 3.
    let mounted = Fighter { cover: 4, guns: 4, gun: arsenal.gun("napoleon"), ..horse };
    assert_eq!(value(&Fighter { guns: 0, ..mounted }, &target), 16);
    assert_eq!(value(&mounted, &target), 16 + 15 - 2 - 3);
    // Infantry with spears charges too, mounted infantry doesn't.
    let impi = Fighter { arm: Arm::Infantry, small_arms: arsenal.arms("spear"), ..horse };
    assert_eq!(value(&impi, &target), 12 + 2 + 10 - 6);
    let riders = Fighter { arm: Arm::MountedInfantry, ..horse };
    assert_eq!(value(&riders, &target), 10 + 2 + 1 + 8 - 3);
}

#[test]
fn low_cohesion_takes_from_the_whole() {
    let arsenal = Arsenal::shipped();
    let target = arsenal.infantry();
    let worn = |cohesion| value(&Fighter { cohesion, ..arsenal.infantry() }, &target);
    // Of 18.5: all, three quarters, a half, nothing.
    assert_eq!([7, 6, 5, 4, 3, 2, 1].map(worn), [18, 18, 13, 13, 9, 9, 0]);
    // It is reckoned behind the cap: 3 quarters of 8.
    let going = Fighter { cohesion: 4, act: Act::Withdraw, ..arsenal.infantry() };
    assert_eq!(value(&going, &target), 6);
}

/// ACW-3, ACW-40.
#[test]
fn the_commander_adds_last() {
    let arsenal = Arsenal::shipped();
    let (firer, target) = (arsenal.infantry(), arsenal.infantry());
    let with = |lead| fire(&Volley { lead, ..volley(&firer, &target) }).total;
    // 18.5: a tenth more is 20.35; half as much again 27.75.
    let leads = [Lead::None, Lead::Bold, Lead::Heroic(0), Lead::Heroic(3), Lead::Heroic(5)];
    assert_eq!(leads.map(with), [18, 20, 18, 24, 27]);
    // Behind the cap as well: 8 and a tenth.
    let going = Fighter { act: Act::Withdraw, ..firer };
    let bold = Volley { lead: Lead::Heroic(5), ..volley(&going, &target) };
    assert_eq!(fire(&bold).total, 12);
}

#[test]
fn parts_add_up_to_the_total() {
    let arsenal = Arsenal::shipped();
    let target = Fighter { cover: 1, ..arsenal.infantry() };
    for (men, cohesion, distance, cover) in
        (1..40).flat_map(|n| (1..8).flat_map(move |c| [(n * 70, c, 1, 3), (n * 90, c, 2, 1)]))
    {
        let firer = Fighter { men, cohesion, cover, ..arsenal.with_guns() };
        let fired = fire(&Volley { distance, lead: Lead::Heroic(men % 6), ..volley(&firer, &target) });
        let quarters: i32 = fired.parts.iter().map(|part| part.1).sum();
        assert_eq!(quarters.div_euclid(4), fired.total, "{fired:?}");
    }
}

/// ACW-50.
#[test]
fn vulnerability_is_cohesion_quality_type_and_size() {
    let arsenal = Arsenal::shipped();
    let base = arsenal.infantry();
    let of = |target: Fighter<'_>| vulnerability(&target, 0).total;
    // 6, half of ten, 6, 6.
    assert_eq!((of(base), vulnerability(&base, 3).total), (23, 26));
    // Half of nine is four.
    assert_eq!(of(Fighter { leadership: 4, ..base }), 22);
    let sizes = [449, 450, 849, 850, 1649, 1650].map(|men| of(Fighter { men, ..base }) - 17);
    assert_eq!(sizes, [0, 1, 1, 3, 3, 6]);
    let kinds = [Arm::Artillery, Arm::Infantry, Arm::MountedInfantry, Arm::Cavalry];
    assert_eq!(kinds.map(|arm| of(Fighter { arm, ..base }) - 17), [8, 6, 4, 4]);
    assert_eq!(of(Fighter { surprised: true, ..base }), 17);
    assert_eq!(of(Fighter { act: Act::Reserve, ..base }), 17);
}

/// ACW-35, ACW-51.
#[test]
fn hits_follow_table_2_and_cost_men_and_guns() {
    let arsenal = Arsenal::shipped();
    let numbers = &arsenal.0;
    let by = |difference: i32| hits(numbers, 40 + difference, 40);
    let table = [-13, -12, -4, -3, 2, 3, 6, 7, 11, 15, 19, 22, 23, 50].map(by);
    assert_eq!(table, [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 8, 8]);
    // A value of 0 does nothing, whatever the table says.
    assert_eq!((hits(numbers, 0, 5), hits(numbers, 1, 5)), (0, 1));
    let of = |men, guns, hits| {
        let target = Fighter { men, guns, ..arsenal.with_guns() };
        losses(&numbers.losses, &target, hits)
    };
    // 3 % a hit, rounded down, at least ten men a hit, no more than there are; a gun for four hits of a shot.
    assert_eq!(of(1850, 6, 3), (166, 0));
    assert_eq!(of(1850, 6, 4), (222, 1));
    assert_eq!(of(1850, 1, 8), (444, 1));
    assert_eq!(of(200, 6, 2), (20, 0));
    assert_eq!(of(15, 0, 2), (15, 0));
    assert_eq!(of(1850, 6, 0), (0, 0));
}

/// ACW-2.
#[test]
fn a_hit_costs_cohesion_by_order_and_camp() {
    let arsenal = Arsenal::shipped();
    let base = arsenal.infantry();
    assert_eq!(nerve(&base), 2);
    assert_eq!(nerve(&Fighter { act: Act::Withdraw, ..base }), 4);
    assert_eq!(nerve(&Fighter { act: Act::Withdraw, arm: Arm::Cavalry, ..base }), 2);
    assert_eq!(nerve(&Fighter { encamped: true, act: Act::Withdraw, ..base }), 1);
}

/// ACW-17, ACW-57.
#[test]
fn four_categories_fire_one_after_the_other() {
    let arsenal = Arsenal::shipped();
    let (foot, guns, horse) = (arsenal.infantry(), arsenal.battery(), arsenal.cavalry());
    assert_eq!(category(&foot), Some(1));
    assert_eq!(category(&guns), Some(1));
    assert_eq!(category(&Fighter { act: Act::Skirmish, ..horse }), Some(1));
    assert_eq!(category(&Fighter { moved: true, ..foot }), Some(2));
    assert_eq!(category(&Fighter { act: Act::Withdraw, ..foot }), Some(1));
    assert_eq!(category(&Fighter { act: Act::Withdraw, moved: true, ..foot }), Some(2));
    assert_eq!(category(&Fighter { surprised: true, ..foot }), Some(3));
    assert_eq!(category(&Fighter { act: Act::Skirmish, surprised: true, ..horse }), Some(3));
    assert_eq!(category(&horse), Some(4));
    assert_eq!(category(&Fighter { moved: true, ..horse }), Some(4));
    assert_eq!(category(&Fighter { small_arms: arsenal.arms("spear"), ..foot }), Some(4));
    // Artillery neither after a move nor surprised.
    assert_eq!(category(&Fighter { moved: true, ..guns }), None);
    assert_eq!(category(&Fighter { surprised: true, ..guns }), None);
}

/// ACW-50.
#[test]
fn within_a_category_the_steady_fire_first() {
    let arsenal = Arsenal::shipped();
    let base = arsenal.infantry();
    // In halves: cohesion 6, the order, a half each of 5 and 5.
    let of = |act| precedence(&Fighter { act, ..base }, 0);
    assert_eq!(of(Act::Skirmish), 12 + 12 + 10);
    assert_eq!((of(Act::Assault), of(Act::Advance), of(Act::Withdraw)), (26, 26, 22));
    // Halves of ratings are kept; a random number counts whole.
    assert_eq!(precedence(&Fighter { leadership: 4, ..base }, 3), 12 + 12 + 9 + 6);
    // Cavalry that withdraws counts as skirmishing; artillery has 4 more, and guns that stand count as skirmishing.
    assert_eq!(precedence(&Fighter { act: Act::Withdraw, ..arsenal.cavalry() }, 0), 34);
    assert_eq!(precedence(&Fighter { act: Act::Stand, ..arsenal.battery() }, 0), 42);
    assert_eq!(precedence(&Fighter { surprised: true, ..base }, 0), 22);
}

/// A check of a fresh brigade in the open, fired at from the front, with nobody near but its enemy.
fn stress() -> Stress {
    Stress { frontal: true, confidence: -1, leader: None, before: 0, chance: 0 }
}

/// ACW-10, ACW-15, ACW-40.
#[test]
fn a_cohesion_check_adds_up() {
    let arsenal = Arsenal::shipped();
    let base = arsenal.infantry();
    let of = |fighter: Fighter<'_>, stress: Stress| check(&fighter, &stress).0.total;
    // 6, 5, 4, -1.
    assert_eq!(of(base, stress()), 14);
    assert_eq!(of(base, Stress { chance: 7, ..stress() }), 21);
    assert_eq!(of(base, Stress { frontal: false, ..stress() }), 10);
    assert_eq!(of(Fighter { works: 2, ..base }, stress()), 16);
    assert_eq!(of(Fighter { act: Act::Assault, ..base }, stress()), 16);
    assert_eq!(of(Fighter { act: Act::Withdraw, ..base }, stress()), 12);
    assert_eq!(of(Fighter { act: Act::Withdraw, arm: Arm::Cavalry, ..base }, stress()), 14);
    assert_eq!(of(Fighter { leadership: 4, ..base }, stress()), 13);
    let led = |profile| of(base, Stress { leader: Some(profile), ..stress() }) - 14;
    assert_eq!(Profile::ALL.map(led), [3, 2, 1, 0]);
    // The last turn takes 7 at most, and gives without limit.
    let after = |before| of(base, Stress { before, ..stress() }) - 14;
    assert_eq!([-3, -7, -20, 12].map(after), [-3, -7, -7, 12]);
}

/// ACW-1, ACW-10.
#[test]
fn a_check_has_four_results() {
    let arsenal = Arsenal::shipped();
    let base = arsenal.infantry();
    let at = |total: i32| {
        let (value, result) = check(&base, &Stress { confidence: total - 15, ..stress() });
        assert_eq!(value.total, total);
        result
    };
    use CheckResult::{Broken, Holds, Retreats, Shattered};
    assert_eq!([-5, 0, 6].map(at), [Broken; 3]);
    assert_eq!([7, 10].map(at), [Shattered; 2]);
    assert_eq!([11, 15].map(at), [Retreats; 2]);
    assert_eq!([16, 30].map(at), [Holds; 2]);
}
