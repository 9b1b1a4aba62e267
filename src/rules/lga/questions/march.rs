//! How far a unit comes.

use super::unit::{UNITS, Unit, numbers, unit};
use crate::odds;
use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind};
use musterd_kit::odds::{Answer as Odds, Chances};

/// A march.
pub(super) const MARCH: Call = Call {
    name: "march",
    about: "A march: how far a unit comes in the fog of war, and what a long march does to it",
    examples: &["musterd odds lga march --unit infantry:3:f1 --way 1,1,2 --winter"],
    notes: &[
        "The way is what each hex costs: 1 for clear ground and cities, 2 for forest, mountains and marsh, 1 more to leave an enemy zone.",
        UNITS,
    ],
    args: &[&[
        unit("unit", "The unit").required(),
        Arg::option("way", "MOVES", Kind::Number(0, 255), "Moves that each hex of the way costs")
            .listed()
            .required(),
        Arg::option(
            "marched",
            "N",
            Kind::Number(0, 255),
            "Moves that it has spent on the march this season already",
        )
        .default("0"),
        Arg::flag("winter", "It is winter"),
    ]],
    run: march,
};

fn march(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let numbers = &numbers(at)?;
    let (winter, way) = (given.has("winter"), given.values::<u8>("way"));
    let marched = given.value("marched").unwrap_or_default();
    let unit = given.value::<Unit>("unit").ok_or("which unit?")?.of(numbers)?;
    let moves = numbers.units.stats(unit.kind).moves;
    let Some(left) = moves.checked_sub(marched) else {
        return Err(format!("{} has only {moves} moves a season", unit.kind).into());
    };
    let hexes = way.len();
    let costs: Vec<String> = way.iter().map(u8::to_string).collect();
    let march = odds::March { kind: unit.kind, fatigue: unit.fighter.fatigue, left, marched, winter, way };
    let halts = march.halts(numbers);
    let season = if winter { ", in winter" } else { "" };
    let given = vec![
        Fact::of("Unit", format!("{}, {left} of {moves} moves left", unit.named())),
        Fact::of("Way", format!("{} moves{season}", costs.join(" + "))),
    ];
    let entered = Chances::of("Hexes entered", &halts.map(|halt| halt.entered), |entered| match *entered {
        all if all == hexes => format!("all {all}"),
        some => format!("{some} of {hexes}"),
    });
    let spare = Chances::of("Moves left", &halts.map(|halt| halt.left), u8::to_string);
    let fatigue = Chances::of("Fatigue", &halts.map(|halt| halt.fatigue), u8::to_string);
    Ok(Odds { question: "march", given, chances: vec![entered, spare, fatigue], expected: Vec::new() }.into())
}
