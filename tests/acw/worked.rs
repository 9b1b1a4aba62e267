//! The worked example of the player's guide (`docs/acw/players-guide.md`) is fought here; its figures are those of the fight.

use musterd_acw::drill;
use musterd_acw::event::{Change, CheckResult, Factor, Part, Shot};
use musterd_acw::model::{HqId, Side, UnitId};
use musterd_acw::order::Act;

use crate::acw_arena;
use crate::combat::{checks, shots};
use crate::fixture::{Stage, a, b, dice, hex};

const GUIDE: &str = include_str!("../../docs/acw/players-guide.md");

/// Quarters as the guide writes them: `12.75`, `-0.5`.
fn quarters(value: i32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let rest = ["", ".25", ".5", ".75"][value.unsigned_abs() as usize % 4];
    format!("{sign}{}{rest}", value.unsigned_abs() / 4)
}

/// The figures of a shot in the order of the guide's table: small arms with their sum, guns with theirs.
fn figures(shot: &Shot) -> Vec<String> {
    let guns = shot.fire.iter().position(|part| part.0 == Factor::Batteries).unwrap();
    let worn = shot.fire.iter().position(|part| part.0 == Factor::Worn).unwrap_or(shot.fire.len());
    let (arms, guns) = (&shot.fire[..guns], &shot.fire[guns..worn]);
    let sum = |parts: &[Part]| parts.iter().map(|part| part.1).sum::<i32>();
    let of = |parts: &[Part], factor: Factor| {
        quarters(parts.iter().find(|part| part.0 == factor).map_or(0, |part| part.1))
    };
    let cover = |part: &&Part| matches!(part.0, Factor::OwnCover | Factor::Cover);
    let mut told: Vec<String> =
        [Factor::Strength, Factor::Leadership, Factor::SmallArms, Factor::OwnCover, Factor::Cover]
            .map(|factor| of(arms, factor))
            .into();
    told.push(quarters(sum(arms)));
    told.push(of(guns, Factor::Batteries));
    told.push(of(guns, Factor::Leadership));
    told.push(format!("{} + {}", of(guns, Factor::Rate), of(guns, Factor::Effectiveness)));
    told.push(quarters(guns.iter().filter(cover).map(|part| part.1).sum()));
    told.push(quarters(sum(guns)));
    told.push(shot.value.to_string());
    told
}

/// A column of the guide's table.
fn column(place: usize) -> Vec<String> {
    let rows = GUIDE.lines().skip_while(|line| !line.starts_with("| Hale fires |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('|').nth(place).unwrap().trim().replace("**", "")).collect()
}

/// The guide says this, whatever the ends of its lines.
fn assert_told(sentence: &str) {
    let guide = GUIDE.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(guide.contains(sentence), "the guide doesn't say: {sentence}");
}

/// Hale, the Union's first brigade, and Maddox, the Confederacy's, on both sides of Mill Bridge.
fn at_the_bridge() -> Stage {
    let mut stage = Stage::playing(acw_arena::rules("kellys-mill", ""));
    for (id, at) in [(a(1), "0806"), (b(1), "0807")] {
        stage.change(Change::Place(UnitId::Brigade(id), hex(at)));
    }
    stage.aim_calmly();
    for id in [a(1), b(1)] {
        stage.act(id, Act::Skirmish);
    }
    stage
}

#[test]
fn the_worked_example_of_the_guide_is_true() {
    let mut stage = at_the_bridge();
    let mut fallen = dice(
        &[("fire/hit/b1", &[0]), ("fire/hit/a1", &[1])],
        &[("fire/order/a1", 3), ("fire/order/b1", 0), ("fire/vulnerable", 1), ("check", 0), ("leader", 99)],
    );
    let events = stage.run(&mut fallen, drill::fight);
    let [hale, maddox] = shots(&events)[..] else { panic!("{events:?}") };
    assert_eq!([hale.attacker, maddox.attacker], [a(1), b(1)]);
    assert_eq!(column(2), figures(hale));
    assert_eq!(column(4), figures(maddox));
    let against = |shot: &Shot| (shot.value, shot.vulnerability, shot.value - shot.vulnerability);
    let (value, vulnerability, rest) = against(hale);
    assert_told(&format!(
        "{value} less {vulnerability} is {rest}: **one hit**, 3 percent of 1,900 men, **{} men**",
        hale.lost
    ));
    assert_eq!((hale.hits, maddox.hits, hale.cohesion_lost), (1, 1, 1));
    let (value, vulnerability, rest) = against(maddox);
    assert_told(&format!("Now Maddox, with 1,843 men, answers with {value}."));
    assert_told(&format!("6, 6 and a die of 1: {vulnerability}. That is {rest}, one hit as well."));
    assert_eq!(maddox.men, (1843, 1900));

    // Had Maddox fired first.
    let mut fallen = dice(
        &[("fire/hit/a1", &[1, 1])],
        &[
            ("fire/order/b1", 3),
            ("fire/order/a1", 0),
            ("fire/hit/b1", 1),
            ("fire/vulnerable", 1),
            ("check", 7),
            ("leader", 99),
        ],
    );
    let other = at_the_bridge().run(&mut fallen, drill::fight);
    let maddox = shots(&other)[0];
    assert_eq!((maddox.attacker, maddox.hits), (b(1), 2));
    let whole: i32 = maddox.fire.iter().map(|part| part.1).sum();
    assert_told(&format!(
        "{}, so {} against {}, and **two hits**",
        quarters(whole),
        maddox.value,
        maddox.vulnerability
    ));

    // The check: all but its random number.
    let check = checks(&events).into_iter().find(|check| check.brigade == b(1)).unwrap();
    assert_told(&format!("four hexes behind in 0711: {}, and a random number of 0 to 7", check.total));
    assert_eq!(CheckResult::of(check.total), CheckResult::Retreats);
    assert_told("With 0 he retreats, with 1 and more he holds.");
    assert_eq!(CheckResult::of(check.total + 1), CheckResult::Holds);
    assert_eq!(stage.hq(HqId::army(Side::B)).at, Some(hex("0711")));
}
