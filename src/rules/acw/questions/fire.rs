//! A shot.

use musterd_dice::odds::Distribution;
use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind};
use musterd_kit::odds::{Answer as Odds, Chances};
use musterd_text::nouns::count;

use super::unit::{UNITS, numbers, read};
use crate::numbers::Numbers;
use crate::values::{self, Fighter, Lead, Volley, Weapons};
use crate::words;

/// A shot, volley or charge.
pub(super) const FIRE: Call = Call {
    name: "fire",
    about: "A shot, a volley or a charge: hits, what they cost, and whether cohesion is lost",
    examples: &[
        "musterd odds acw fire 1800 infantry rifle-musket at 2400 infantry in woods",
        "musterd odds acw fire 3000 infantry assault at 1500 infantry works 2",
        "musterd odds acw fire 300 artillery 12 napoleon at 1800 infantry --hexes 3",
    ],
    notes: &[UNITS],
    args: &[&[
        Arg::words("words", "BRIGADES", "The brigade that fires, AT the other"),
        Arg::option("hexes", "N", Kind::Number(1, 20), "How far they stand apart").default("1"),
        Arg::flag("hindered", "It is night, or it rains or snows, or there is heavy fog"),
        Arg::option(
            "led",
            "HOW",
            Kind::Word(&[
                ("no", "by nobody near"),
                ("bold", "the army's commander is bold, and near"),
                ("heroic", "he is heroic, and near; it counts for assaults"),
            ]),
            "How the army's commander leads it",
        )
        .default("no"),
    ]],
    run: fire,
};

fn fire(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let numbers = numbers(at)?;
    let text = given.all("words").join(" ").to_lowercase();
    let said: Vec<&str> = text.split_whitespace().collect();
    let Some(middle) = said.iter().position(|word| *word == "at") else {
        return Err("say who fires at whom: 1800 infantry at 2400 infantry in woods".into());
    };
    let (first, second) = (read(&numbers, &said[..middle])?, read(&numbers, &said[middle + 1..])?);
    let (firer, target) = (first.fighter(), second.fighter());
    let distance = given.value("hexes").unwrap_or(1);
    if values::category(&firer).is_none() {
        return Err("guns that moved or are surprised can't fire".into());
    }
    if distance > firer.reach() {
        let reach = firer.reach();
        return Err(format!(
            "it fires no farther than {}",
            musterd_text::nouns::counted(reach, "hex", "hexes")
        )
        .into());
    }
    let led = given.text("led").unwrap_or("no");
    let volley = |tenths: u32| Volley {
        firer: &firer,
        target: &target,
        distance,
        hindered: given.has("hindered"),
        weapons: Weapons::All,
        lead: match led {
            "bold" => Lead::Bold,
            "heroic" => Lead::Heroic(tenths),
            _ => Lead::None,
        },
    };
    // A heroic commander's tenths are a random number of 0 to 5.
    let values = match led {
        "heroic" => Distribution::certain(0).throw(6, |_| Some(|face| values::fire(&volley(face - 1)).total)),
        _ => Distribution::certain(values::fire(&volley(0)).total),
    };
    let hits = hits(&numbers, &values, &target);
    let value = values::fire(&volley(0));
    let facts = vec![
        Fact::of("First", first.told()),
        Fact::of("Second", second.told()),
        Fact::of("Fire value", format!("{} ({})", value.total, words::parts(&value.parts))),
        Fact::of("Vulnerability", {
            let [least, most] = [0, 3].map(|chance| values::vulnerability(&target, chance).total);
            format!("{least} to {most}")
        }),
    ];
    Ok(answer(&numbers, &target, facts, &hits).into())
}

/// The hits: the vulnerability has a random number of 0 to 3.
fn hits(numbers: &Numbers, values: &Distribution<i32>, target: &Fighter<'_>) -> Distribution<u32> {
    let vulnerability = Distribution::certain(0)
        .throw(4, |_| Some(|face: u32| values::vulnerability(target, face - 1).total));
    values.and(&vulnerability, |value, vulnerability| values::hits(numbers, *value, *vulnerability))
}

fn answer(numbers: &Numbers, target: &Fighter<'_>, given: Vec<Fact>, hits: &Distribution<u32>) -> Odds {
    let most = hits.outcomes().max().copied().unwrap_or(0);
    let sides = values::nerve(target);
    // Each hit costs a point of cohesion in one of so many cases.
    let mut lost = hits.map(|hits| (*hits, 0_u32));
    for number in 0..most {
        lost = lost.throw(sides, |(hits, lost)| {
            let (hits, lost) = (*hits, *lost);
            (number < hits).then_some(move |face| (hits, lost + u32::from(face == 1)))
        });
    }
    let left = u32::try_from(target.cohesion.max(0)).unwrap_or(0);
    let cohesion = lost.map(|(_, lost)| (*lost).min(left));
    let men = |hits: &u32| values::losses(&numbers.losses, target, *hits);
    let fallen = hits.map(men);
    let words = |(men, guns): &(u32, u32)| match guns {
        0 => format!("{men} men"),
        guns => format!("{men} men, {}", count(*guns, "gun")),
    };
    let chances = vec![
        Chances::of("Hits", hits, |hits| count(*hits, "hit")),
        Chances::of("What falls", &fallen, words),
        Chances::of("Cohesion lost", &cohesion, u32::to_string),
    ];
    let expected = vec![
        ("hits".to_owned(), hits.expected(|hits| *hits)),
        ("men lost".to_owned(), fallen.expected(|(men, _)| *men)),
        ("cohesion lost".to_owned(), cohesion.expected(|lost| *lost)),
    ];
    Odds { question: "fire", given, chances, expected }
}
