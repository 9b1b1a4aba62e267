//! A cohesion check.

use musterd_dice::odds::Distribution;
use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind};
use musterd_kit::meanings::{self, Meaning, words};
use musterd_kit::odds::{Answer as Odds, Chances};

use super::unit::{numbers, read};
use crate::event::CheckResult;
use crate::model::Profile;
use crate::order::Act;
use crate::values::{self, Stress};
use crate::words as said;

const RATING: Kind = Kind::Number(0, 9);
const SMALL: Kind = Kind::Number(-20, 20);
/// The orders that it can have.
const ORDERS: [Meaning<Act>; 5] = [
    ("skirmish", "", Act::Skirmish),
    ("assault", "", Act::Assault),
    ("advance", "", Act::Advance),
    ("withdraw", "", Act::Withdraw),
    ("stand", "or any order to manoeuvre", Act::Stand),
];
/// How the army's commander leads.
const LEADERS: [Meaning<Option<Profile>>; 4] = [
    ("no", "by nobody near", None),
    ("sensible", "", Some(Profile::Sensible)),
    ("bold", "", Some(Profile::Bold)),
    ("heroic", "", Some(Profile::Heroic)),
];

/// A check.
pub(super) const CHECK: Call = Call {
    name: "check",
    about: "A cohesion check: whether a brigade under fire holds, retreats, shatters or breaks",
    examples: &[
        "musterd odds acw check --cohesion 4 --confidence -1 --front",
        "musterd odds acw check --cohesion 3 --experience 6 --order withdraw",
    ],
    notes: &[
        "Above all it counts what is left of its cohesion after the fire, and a random number of 0 to 7.",
    ],
    args: &[&[
        Arg::option("cohesion", "N", Kind::Number(0, 7), "Its cohesion after the fire").default("6"),
        Arg::option("experience", "N", RATING, "Its experience").default("5"),
        Arg::option("leadership", "N", RATING, "Its commander's leadership").default("5"),
        Arg::option("works", "N", Kind::Number(0, 3), "The works that it stands in").default("0"),
        Arg::flag("front", "All fire came from the front"),
        Arg::option("confidence", "N", SMALL, "Friends within three hexes less enemies within two")
            .default("0"),
        Arg::option("before", "N", SMALL, "What happened near it in the last turn, -7 at least").default("0"),
        Arg::option("order", "ORDER", Kind::Word(&words(&ORDERS)), "Its order").default("skirmish"),
        Arg::option(
            "led",
            "HOW",
            Kind::Word(&words(&LEADERS)),
            "How the army's commander leads, if he is near",
        )
        .default("no"),
        Arg::flag("shattered", "It has shattered before"),
        Arg::flag("surprised", "It is surprised: its order counts nothing"),
    ]],
    run: check,
};

fn check(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let numbers = numbers(at)?;
    let figure = |name| given.value::<i32>(name).ok_or_else(|| format!("say a number: --{name}"));
    let mut asked = read(&numbers, &[])?;
    asked.cohesion = figure("cohesion")?;
    asked.experience = figure("experience")?;
    asked.leadership = figure("leadership")?;
    asked.works = figure("works")?;
    asked.shattered = given.has("shattered");
    asked.surprised = given.has("surprised");
    asked.act = meanings::asked(given, "order", &ORDERS);
    let leader = meanings::asked(given, "led", &LEADERS);
    let (confidence, before) = (figure("confidence")?, figure("before")?);
    let fighter = asked.fighter();
    let of = |chance: u32| {
        let stress = Stress { frontal: given.has("front"), confidence, leader, before, chance };
        values::check(&fighter, &stress)
    };
    let results = Distribution::certain((0, CheckResult::Holds)).throw(8, |_| {
        Some(|face: u32| {
            let (value, result) = of(face - 1);
            (value.total, result)
        })
    });
    let (value, _) = of(0);
    let told = vec![Fact::of(
        "Before the random number",
        format!("{} ({})", value.total, said::parts(&value.parts)),
    )];
    let chances = vec![
        Chances::of("Result", &results.map(|(_, result)| *result), |result| {
            outcome(*result, asked.shattered).to_owned()
        }),
        Chances::of("Total", &results.map(|(total, _)| *total), i32::to_string),
    ];
    Ok(Odds { question: "check", given: told, chances, expected: Vec::new() }.into())
}

/// What becomes of a brigade with a result.
const fn outcome(result: CheckResult, shattered: bool) -> &'static str {
    match (result, shattered) {
        (CheckResult::Broken, true) => "it is eliminated",
        (CheckResult::Broken | CheckResult::Shattered, false) => "it shatters and flees",
        (CheckResult::Shattered, true) => "it flees",
        (CheckResult::Retreats, _) => "it retreats a hex or two",
        (CheckResult::Holds, _) => "it holds",
    }
}
