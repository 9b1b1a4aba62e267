//! Morale checks.

use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind};
use musterd_kit::odds::{Answer as Odds, Chances};

use super::unit::bare;
use crate::event::Nerve;
use crate::law::HALT;
use crate::model::Class;
use crate::odds;

const SMALL: Kind = Kind::Number(-99, 99);

/// A check.
pub(super) const MORALE: Call = Call {
    name: "morale",
    about: "A morale check: whether a unit takes orders, halts or routs",
    examples: &["musterd odds sa morale --class B --close -2 --lost 25 --battles -1"],
    notes: &[],
    args: &[&[
        Arg::option(
            "class",
            "CLASS",
            Kind::Word(&[("A", "the best"), ("B", ""), ("C", ""), ("D", "the worst")]),
            "Its training class",
        )
        .required(),
        Arg::option("close", "N", SMALL, "Friends less enemies within three hexes, without those in rout")
            .default("0"),
        Arg::option("lost", "PERCENT", Kind::Number(0, 100), "The men that it has lost, in percent")
            .default("0"),
        Arg::option("battles", "N", SMALL, "BS: battles won less battles lost").default("0"),
        Arg::option("routs", "N", SMALL, "RS: routs seen, of enemies less of friends").default("0"),
        Arg::option("courage", "N", Kind::Number(0, 99), "Points of Courage on it").default("0"),
        Arg::flag("demons", "Demons are within three hexes"),
    ]],
    run: morale,
};

fn morale(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let rules = bare(at)?;
    let number = |name| given.value::<i32>(name).ok_or_else(|| format!("say a number: --{name}"));
    let letter = given.text("class");
    let class = Class::ALL.into_iter().find(|class| letter == Some(class.word()));
    let class = class.ok_or("a class is A, B, C or D")?;
    let fear = match given.has("demons") {
        true => rules.numbers().tribes.values().map(|gifts| gifts.fear).filter(|fear| *fear > 0).max(),
        false => Some(0),
    };
    let fear = fear.ok_or("by these charts no tribe is feared: leave --demons out")?;
    let parts = [
        ("Close", number("close")?),
        ("Dead", -number("lost")? / 10),
        ("BS", number("battles")?),
        ("RS", number("routs")?),
        ("Demons", -fear),
        ("Courage", number("courage")?),
    ];
    let modifiers: i32 = parts.iter().map(|(_, part)| part).sum();
    let counted = parts.iter().filter(|(_, part)| *part != 0);
    let counted: Vec<String> = counted.map(|(name, part)| format!("{name} {part:+}")).collect();
    let mut told = vec![Fact::of("Class", class.word())];
    told.push(Fact::of(
        "Added to the dice",
        format!("{modifiers:+} {}", counted.join(", ")).trim().to_owned(),
    ));
    let odds = odds::check(&rules, class, modifiers);
    let result = |nerve: &Nerve| match nerve {
        Nerve::Rout => "it routs".to_owned(),
        Nerve::Halt => format!("it halts for {HALT} time-points"),
        Nerve::Orders => "it takes orders".to_owned(),
    };
    let chances = vec![
        Chances::of("Result", &odds.map(|(_, nerve)| *nerve), result),
        Chances::of("Total", &odds.map(|(total, _)| *total), i32::to_string),
    ];
    Ok(Odds { question: "morale", given: told, chances, expected: Vec::new() }.into())
}
