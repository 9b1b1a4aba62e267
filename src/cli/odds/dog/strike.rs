use clap::Args;

use super::asked::{Asked, fact};
use crate::cli::dog::FIGHTERS;
use crate::cli::odds::answer::{Answer, Chances};
use musterd_daemon::HostError;
use musterd_dice::odds::Distribution;
use musterd_dog::battle::Switches;
use musterd_dog::model::Scale;
use musterd_dog::numbers::Numbers;
use musterd_dog::odds;
use musterd_dog::scores;
use musterd_dog::table::throw::{Striker, Struck, Throw, striker, struck};
use musterd_engine::briefing::Fact;

/// A strike of close combat: hit points and fighters that it takes
#[derive(Debug, Args)]
#[command(
    after_help = format!("Examples:\n  musterd odds dog strike 18 heavy infantry at 40 orcs\n  musterd odds dog strike 72 at 40 of 3 hp\n\n{FIGHTERS}")
)]
pub(super) struct Strike {
    #[command(flatten)]
    asked: Asked,
    /// As a retaliation: by the defence score
    #[arg(long)]
    retaliation: bool,
}

/// A volley of those who shoot
#[derive(Debug, Args)]
#[command(after_help = format!("Example:\n  musterd odds dog shoot 20 elven archers at 12 orcs\n\n{FIGHTERS}"))]
pub(super) struct Shoot {
    #[command(flatten)]
    asked: Asked,
}

impl Strike {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let verb = if self.retaliation { "retaliate" } else { "strike" };
        let throw = self.asked.throw(numbers, verb)?;
        let doubts = self.asked.doubts(numbers, &throw);
        let Throw::Strike { by, on, .. } = throw else {
            return Err(HostError::usage("this is no strike"));
        };
        let switches = self.asked.switches();
        let force = match (&by, self.retaliation) {
            (Striker::Force(force), _) => *force,
            (Striker::Fighters(f), false) => scores::attack_force(numbers, &f.sorts, f.ground),
            (Striker::Fighters(f), true) => scores::defence_force(numbers, switches, &f.sorts, f.ground),
        };
        Ok(answer("strike", numbers, switches, &by, on.as_ref(), (force, doubts)))
    }
}

impl Shoot {
    pub(super) fn answer(&self, numbers: &Numbers) -> Result<Answer, HostError> {
        let throw = self.asked.throw(numbers, "shoot")?;
        let doubts = self.asked.doubts(numbers, &throw);
        let Throw::Volley { by, on, hexes } = throw else {
            return Err(HostError::usage("this is no volley"));
        };
        let force = match &by {
            Striker::Force(force) => *force,
            Striker::Fighters(f) => {
                let shots = vec![1; f.sorts.len()];
                scores::volley_force(numbers, Scale::Tactical, &f.sorts, &shots, hexes.unwrap_or(1))
            }
        };
        if force == 0 {
            return Err(HostError::usage("they don't shoot so far"));
        }
        Ok(answer("shoot", numbers, self.asked.switches(), &by, on.as_ref(), (force, doubts)))
    }
}

fn answer(
    question: &'static str,
    numbers: &Numbers,
    switches: Switches,
    by: &Striker,
    on: Option<&Struck>,
    (force, doubts): (u32, Vec<Fact>),
) -> Answer {
    let mut given = vec![fact("Who", striker(numbers, by))];
    given.extend(on.map(|on| fact("At", struck(numbers, on))));
    given.push(fact("Force", format!("{force}; a tenth, rounded up, is {}", force.div_ceil(10))));
    given.extend(doubts);
    let damage =
        Distribution::certain(0).throw(6, |_: &u32| Some(|die: u32| scores::damage(switches, force, die)));
    let mut chances = vec![Chances::of("Hit points of the strike", &damage, u32::to_string)];
    let mut expected = vec![("hit points of the strike".to_owned(), damage.expected(|hp| *hp))];
    let toll = match on {
        None => None,
        Some(Struck::Fighters(f)) => {
            let toll = odds::strike(numbers, switches, force, &f.sorts);
            let all: u32 = f.sorts.iter().map(|sort| u32::from(sort.fighters)).sum();
            Some((toll.map(|toll| (u32::from(toll.killed), toll.hp)), all))
        }
        Some(Struck::Bodies { fighters, hp }) => {
            let all = u32::from(*fighters);
            let toll = damage.map(|damage| {
                let dead = (damage / hp).min(all);
                (dead, dead * hp)
            });
            Some((toll, all))
        }
    };
    if let Some((toll, all)) = toll {
        let word = |(killed, hp): &(u32, u32)| format!("{killed} of {all}, {hp} hit points");
        chances.push(Chances::of("Fallen", &toll, word));
        expected.push(("fallen".to_owned(), toll.expected(|(killed, _)| *killed)));
        expected.push(("hit points lost".to_owned(), toll.expected(|(_, hp)| *hp)));
    }
    Answer { question, given, chances, expected }
}
