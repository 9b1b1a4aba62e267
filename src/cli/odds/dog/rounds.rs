use clap::Args;

use super::asked::{Asked, fact};
use crate::cli::dog::FIGHTERS;
use crate::cli::odds::answer::{Answer, Chances};
use musterd_daemon::HostError;
use musterd_dice::odds::Distribution;
use musterd_dog::numbers::Numbers;
use musterd_dog::odds::{Course, Duel, Fighters};
use musterd_dog::table::throw::{Striker, Struck, Throw, party};
use musterd_engine::briefing::Fact;
use musterd_text::nouns::count;

/// The most rounds. A fight that isn't over by then is shown as undecided.
const MOST_ROUNDS: u16 = 60;
/// The most lines for the number of those who are left.
const MOST_LINES: u32 = 24;

/// An attack and the retaliation, at the same time
#[derive(Debug, Args)]
#[command(
    after_help = format!("Example:\n  musterd odds dog exchange 18 heavy infantry at 20 pikemen in forest\n\n{FIGHTERS}")
)]
pub(super) struct Exchange {
    #[command(flatten)]
    asked: Asked,
}

/// Round after round, until a side is beaten
#[derive(Debug, Args)]
#[command(
    after_help = format!("Examples:\n  musterd odds dog rounds 20 knights at 20 pikemen\n  musterd odds dog rounds 20 HI at 20 DG --both --rounds 3\n  musterd odds dog rounds 9 trolls at 20 orcs --breaks-at 50\n\n{FIGHTERS}")
)]
pub(super) struct Rounds {
    #[command(flatten)]
    asked: Asked,
    /// Rounds at most [default: until a side is beaten]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=60))]
    rounds: Option<u16>,
    /// Both sides attack; else the second one defends itself
    #[arg(long)]
    both: bool,
    /// A side is beaten once it has lost so much of its fighters, in percent
    #[arg(long, value_name = "PERCENT", default_value = "100", value_parser = clap::value_parser!(u8).range(1..=100))]
    breaks_at: u8,
}

impl Exchange {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let ([ours, theirs], given) = sides(&self.asked, numbers)?;
        let duel = self.asked.duel(numbers, [&ours, &theirs], false, 100);
        let odds = duel.round(duel.start(), 1);
        let expected = lost(&duel, &odds);
        Ok(Answer { question: "exchange", given, chances: remaining(&duel, &odds), expected })
    }
}

impl Rounds {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let ([ours, theirs], mut given) = sides(&self.asked, numbers)?;
        let duel = self.asked.duel(numbers, [&ours, &theirs], self.both, self.breaks_at);
        let mut odds = duel.start();
        let mut fought = 0;
        for number in 1..=self.rounds.unwrap_or(MOST_ROUNDS) {
            if odds.outcomes().all(|course| course.ended.is_some() || duel.is_stuck(course)) {
                break;
            }
            odds = duel.round(odds, number);
            fought = number;
        }
        given.push(fact("Combat", if self.both { "both attack" } else { "the second defends itself" }));
        if self.breaks_at < 100 {
            given.push(fact("Beaten", format!("who has lost {} in a hundred", self.breaks_at)));
        }
        let end = |course: &Course| match (
            duel.is_beaten(0, &course.left[0]),
            duel.is_beaten(1, &course.left[1]),
        ) {
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
        Ok(Answer { question: "rounds", given, chances, expected: lost(&duel, &odds) })
    }
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

impl Asked {
    fn duel<'a>(
        &self,
        numbers: &'a Numbers,
        sides: [&'a Fighters; 2],
        both: bool,
        breaks_at: u8,
    ) -> Duel<'a> {
        Duel { numbers, switches: self.switches(), sides, both, breaks_at }
    }
}

/// The two sides, and the facts about them.
fn sides(asked: &Asked, numbers: &Numbers) -> Result<([Fighters; 2], Vec<Fact>), HostError> {
    let throw = asked.throw(numbers, "exchange")?;
    let doubts = asked.doubts(numbers, &throw);
    match throw {
        Throw::Strike { by: Striker::Fighters(by), on: Some(Struck::Fighters(on)), .. } => {
            let mut given = vec![fact("First", party(numbers, &by)), fact("Second", party(numbers, &on))];
            given.extend(doubts);
            Ok(([by, on], given))
        }
        _ => Err(HostError::usage("say who fights whom: 18 heavy infantry at 40 orcs")),
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

fn lost(duel: &Duel<'_>, odds: &Distribution<Course>) -> Vec<(String, musterd_dice::odds::Exact)> {
    let lost = |side: usize| {
        odds.expected(|course| {
            let sorts = duel.sides[side].sorts.iter().zip(&course.left[side]);
            sorts.map(|(sort, left)| u32::from(sort.fighters - left)).sum()
        })
    };
    vec![("lost by the first side".to_owned(), lost(0)), ("lost by the second side".to_owned(), lost(1))]
}
