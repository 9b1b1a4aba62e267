//! Melees and fire.

use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind};
use musterd_kit::odds::{Answer as Odds, Chances};
use musterd_text::nouns::{count, counted};

use super::unit::{ASKED, UNITS, met};
use crate::data::Sa;
use crate::event::Factors;
use crate::law;
use crate::model::Terrain;
use crate::odds::{self, Fighter};
use crate::state::Position;
use crate::words::men;

/// A melee.
pub(super) const MELEE: Call = Call {
    name: "melee",
    about: "A melee: what both lose, who wins, and whether who loses routs",
    examples: &[
        "musterd odds sa melee 1000 B EHC lance at 1000 C HI pike",
        "musterd odds sa melee 600 A HC lance at 800 D MI sword shieldless lost 0",
    ],
    notes: &[UNITS],
    args: &[ASKED],
    run: melee,
};

fn melee(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let (rules, position) = met(given, at, 1)?;
    let factors =
        [law::melee(&rules, &position, 0, 1, true), law::melee(&rules, &position, 1, 0, false)].map(Some);
    let sides = odds::melee(&rules, &position, 0, 1);
    Ok(answer("melee", &rules, &position, (sides, factors), true))
}

/// Fire.
pub(super) const FIRE: Call = Call {
    name: "fire",
    about: "Fire at a unit, which answers if its missiles fly so far: what both lose, and who wins",
    examples: &[
        "musterd odds sa fire 400 C LI bow at 800 D MI sword shieldless",
        "musterd odds sa fire 500 B LMI sling at 300 C LC bow moved --hexes 2",
    ],
    notes: &[UNITS],
    args: &[
        ASKED,
        &[Arg::option("hexes", "N", Kind::Number(1, 12), "How far they stand apart").default("1")],
    ],
    run: fire,
};

fn fire(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let hexes = given.value("hexes").unwrap_or(1);
    let (rules, position) = met(given, at, hexes)?;
    match rules.battle().units[0].missile {
        None => return Err("say what the first unit shoots with: javelins, slings or bow".into()),
        Some(missile) if law::range(&rules, missile) < u32::from(hexes) => {
            let range = counted(law::range(&rules, missile), "hex", "hexes");
            return Err(format!("{} fly no farther than {range}", missile.words()).into());
        }
        Some(_) => {}
    }
    let sides = odds::fire(&rules, &position, 0, 1);
    let factors = [(0, 1), (1, 0)].map(|(own, foe): (usize, usize)| {
        let moved = law::moved_last(&position, foe);
        sides[own].total.map(|_| law::volley(&rules, &position, own, foe, moved))
    });
    Ok(answer("fire", &rules, &position, (sides, factors), false))
}

/// How the two are called.
const NAMES: [&str; 2] = ["the first", "the second"];

fn answer(
    question: &'static str,
    rules: &Sa,
    position: &Position,
    (sides, factors): ([Fighter; 2], [Option<Factors>; 2]),
    melee: bool,
) -> Answer {
    let odds = odds::fight(&sides);
    let mut given = Vec::new();
    for (place, title) in ["First", "Second"].into_iter().enumerate() {
        given.push(Fact::of(title, unit(rules, position, place)));
        let sum = |factors: Factors| {
            let (weapon, tactical) = (factors.weapon, factors.tactical());
            format!("WF {weapon}, TF {tactical:+}: {} before the dice", factors.total())
        };
        given.push(Fact::of(
            format!("{title}'s factors"),
            factors[place].map_or_else(|| "it does not answer".to_owned(), sum),
        ));
    }
    let won = odds.map(|course| course.won.map_or(2, |side| side));
    let mut chances = vec![Chances::of("Who wins", &won, |side| match NAMES.get(*side) {
        Some(name) => format!("{name} wins"),
        None => "drawn".to_owned(),
    })];
    for (place, name) in NAMES.into_iter().enumerate() {
        if melee && odds::breaks(rules, position, place) {
            let routs = odds.map(|course| course.won != Some(1 - place));
            chances.push(Chances::of(format!("Whether {name} routs by its losses"), &routs, |stands| {
                if *stands { "it stands" } else { "it routs" }.to_owned()
            }));
        }
        let lost = odds.map(|course| course.lost[place]);
        chances.push(Chances::of(format!("Lost by {name}"), &lost, |lost| men(*lost)));
    }
    let lost = |place: usize| odds.expected(|course| course.lost[place]);
    let expected = [0, 1].map(|place| (format!("men lost by {}", NAMES[place]), lost(place)));
    Odds { question, given, chances, expected: expected.into() }.into()
}

/// A unit in words.
fn unit(rules: &Sa, position: &Position, place: usize) -> String {
    let (spec, unit) = (&rules.battle().units[place], &position.units[place]);
    let mut said = vec![
        format!("{}, class {} {}", men(unit.men), spec.class.word(), spec.kind.words()),
        spec.weapon.words().to_owned(),
    ];
    said.extend(spec.missile.map(|missile| missile.words().to_owned()));
    if !spec.tribe.is_empty() {
        said.push(spec.tribe.clone());
    }
    if !spec.shield {
        said.push("no shields".to_owned());
    }
    if let Some(at) = unit.at {
        said.push(stands(rules.battle().field.terrain(at)));
    }
    if unit.losing > 0 {
        said.push(format!("{} lost in a row", count(unit.losing, "melee")));
    }
    if unit.routing {
        said.push("in rout".to_owned());
    }
    said.join(", ")
}

/// Where a unit stands: `in light woods`.
fn stands(ground: Terrain) -> String {
    let words = ground.words();
    match ground {
        Terrain::Clear => format!("on {words} ground"),
        Terrain::LightWoods | Terrain::HeavyWoods | Terrain::Water => format!("in {words}"),
        Terrain::LowHills | Terrain::HighHills => format!("on {words}"),
        Terrain::Mountain | Terrain::Bridge => format!("on a {words}"),
    }
}
