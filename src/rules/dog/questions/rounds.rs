//! Exchanges: one, or round after round.

use super::asked::{ASKED, Asked, FIGHTERS};
use crate::odds::{Course, Duel, Fighters};
use crate::table::throw::{Striker, Struck, Throw, party};
use musterd_dice::odds::{Distribution, Exact};
use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind};
use musterd_kit::odds::{Answer as Odds, Chances};
use musterd_text::nouns::count;

/// The most rounds. A fight that isn't over by then is shown as undecided.
const MOST_ROUNDS: u16 = 60;
/// The most lines for the number of those who are left.
const MOST_LINES: u32 = 24;

/// An attack and the retaliation.
pub(super) const EXCHANGE: Call = Call {
    name: "exchange",
    about: "An attack and the retaliation, at the same time",
    examples: &["musterd odds dog exchange 18 heavy infantry at 20 pikemen in forest"],
    notes: &[FIGHTERS],
    args: &[ASKED],
    run: exchange,
};

fn exchange(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let asked = Asked::new(given, at)?;
    let ([ours, theirs], given) = sides(&asked)?;
    let duel = asked.duel([&ours, &theirs], false, 100);
    let odds = duel.round(duel.start(), 1);
    let expected = lost(&duel, &odds);
    Ok(Odds { question: "exchange", given, chances: remaining(&duel, &odds), expected }.into())
}

/// Round after round.
pub(super) const ROUNDS: Call = Call {
    name: "rounds",
    about: "Round after round, until a side is beaten",
    examples: &[
        "musterd odds dog rounds 20 knights at 20 pikemen",
        "musterd odds dog rounds 20 HI at 20 DG --both --rounds 3",
        "musterd odds dog rounds 9 trolls at 20 orcs --breaks-at 50",
    ],
    notes: &[FIGHTERS],
    args: &[
        ASKED,
        &[
            Arg::option(
                "rounds",
                "N",
                Kind::Number(1, MOST_ROUNDS as i64),
                "Rounds at most [default: until a side is beaten]",
            ),
            Arg::flag("both", "Both sides attack; else the second one defends itself"),
            Arg::option(
                "breaks-at",
                "PERCENT",
                Kind::Number(1, 100),
                "A side is beaten once it has lost so much of its fighters, in percent",
            )
            .default("100"),
        ],
    ],
    run: rounds,
};

fn rounds(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let asked = Asked::new(given, at)?;
    let ([ours, theirs], mut told) = sides(&asked)?;
    let (both, breaks_at) = (given.has("both"), given.value("breaks-at").unwrap_or(100));
    let duel = asked.duel([&ours, &theirs], both, breaks_at);
    let mut odds = duel.start();
    let mut fought = 0;
    for number in 1..=given.value("rounds").unwrap_or(MOST_ROUNDS) {
        if odds.outcomes().all(|course| course.ended.is_some() || duel.is_stuck(course)) {
            break;
        }
        odds = duel.round(odds, number);
        fought = number;
    }
    told.push(Fact::of("Combat", if both { "both attack" } else { "the second defends itself" }));
    if breaks_at < 100 {
        told.push(Fact::of("Beaten", format!("who has lost {breaks_at} in a hundred")));
    }
    let end = |course: &Course| match (duel.is_beaten(0, &course.left[0]), duel.is_beaten(1, &course.left[1]))
    {
        (true, true) => End::Both,
        (true, false) => End::First,
        (false, true) => End::Second,
        (false, false) if duel.is_stuck(course) => End::Stuck,
        (false, false) => End::Open,
    };
    let mut chances = vec![
        Chances::of("How it ends", &odds.map(end), |end| match end {
            End::Second => "the first side wins".to_owned(),
            End::First => "the second side wins".to_owned(),
            End::Both => "both are beaten".to_owned(),
            End::Stuck => "neither can hurt the other".to_owned(),
            End::Open => format!("not over after {}", count(fought, "round")),
        }),
        Chances::of(
            "Over after",
            &odds.map(|course| course.ended.map_or((1, 0), |n| (0, n))),
            |(open, n)| {
                if *open == 1 { "not over".to_owned() } else { count(*n, "round") }
            },
        ),
    ];
    chances.extend(remaining(&duel, &odds));
    Ok(Odds { question: "rounds", given: told, chances, expected: lost(&duel, &odds) }.into())
}

/// Who is beaten at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Second,
    First,
    Both,
    Stuck,
    Open,
}

impl Asked<'_> {
    fn duel<'a>(&'a self, sides: [&'a Fighters; 2], both: bool, breaks_at: u8) -> Duel<'a> {
        Duel { numbers: &self.numbers, switches: self.switches, sides, both, breaks_at }
    }
}

/// The two sides, and the facts about them.
fn sides(asked: &Asked<'_>) -> Result<([Fighters; 2], Vec<Fact>), CallError> {
    let throw = asked.throw("exchange")?;
    let doubts = asked.doubts(&throw);
    match throw {
        Throw::Strike { by: Striker::Fighters(by), on: Some(Struck::Fighters(on)), .. } => {
            let mut given = vec![
                Fact::of("First", party(&asked.numbers, &by)),
                Fact::of("Second", party(&asked.numbers, &on)),
            ];
            given.extend(doubts);
            Ok(([by, on], given))
        }
        _ => Err("say who fights whom: 18 heavy infantry at 40 orcs".into()),
    }
}

/// How many are left on either side: each number, or ranges if there are many numbers.
fn remaining(duel: &Duel<'_>, odds: &Distribution<Course>) -> Vec<Chances> {
    let side = |side: usize, name: &str| {
        let count = |course: &Course| course.left[side].iter().map(|left| u32::from(*left)).sum::<u32>();
        let all: u32 = duel.sides[side].sorts.iter().map(|sort| u32::from(sort.fighters)).sum();
        let wide = all.div_ceil(MOST_LINES).max(1);
        // Zero is a line of its own.
        let band = |course: &Course| count(course).div_ceil(wide);
        Chances::of(format!("Left of {all} on the {name} side"), &odds.map(band), |band| {
            match (*band, wide) {
                (0, _) => "nobody".to_owned(),
                (n, 1) => n.to_string(),
                (n, wide) => format!("{} to {}", (n - 1) * wide + 1, (n * wide).min(all)),
            }
        })
    };
    vec![side(0, "first"), side(1, "second")]
}

fn lost(duel: &Duel<'_>, odds: &Distribution<Course>) -> Vec<(String, Exact)> {
    let lost = |side: usize| {
        odds.expected(|course| {
            let sorts = duel.sides[side].sorts.iter().zip(&course.left[side]);
            sorts.map(|(sort, left)| u32::from(sort.fighters - left)).sum()
        })
    };
    vec![("lost by the first side".to_owned(), lost(0)), ("lost by the second side".to_owned(), lost(1))]
}
