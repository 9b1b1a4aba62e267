//! One strike, or one volley.

use super::asked::{ASKED, Asked, FIGHTERS};
use crate::model::Scale;
use crate::odds;
use crate::scores;
use crate::table::throw::{Striker, Struck, Throw, striker, struck};
use musterd_dice::odds::Distribution;
use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation};
use musterd_kit::odds::{Answer as Odds, Chances};

/// A strike.
pub(super) const STRIKE: Call = Call {
    name: "strike",
    about: "A strike of close combat: hit points and fighters that it takes",
    examples: &[
        "musterd odds dog strike 18 heavy infantry at 40 orcs",
        "musterd odds dog strike 72 at 40 of 3 hp",
    ],
    notes: &[FIGHTERS],
    args: &[ASKED, &[Arg::flag("retaliation", "As a retaliation: by the defence score")]],
    run: strike,
};

fn strike(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let asked = Asked::new(given, at)?;
    let retaliation = given.has("retaliation");
    let throw = asked.throw(if retaliation { "retaliate" } else { "strike" })?;
    let doubts = asked.doubts(&throw);
    let Throw::Strike { by, on, .. } = throw else {
        return Err("this is no strike".into());
    };
    let numbers = &asked.numbers;
    let force = match (&by, retaliation) {
        (Striker::Force(force), _) => *force,
        (Striker::Fighters(f), false) => scores::attack_force(numbers, &f.sorts, f.ground),
        (Striker::Fighters(f), true) => scores::defence_force(numbers, asked.switches, &f.sorts, f.ground),
    };
    Ok(answer("strike", &asked, &by, on.as_ref(), (force, doubts)))
}

/// A volley.
pub(super) const SHOOT: Call = Call {
    name: "shoot",
    about: "A volley of those who shoot",
    examples: &["musterd odds dog shoot 20 elven archers at 12 orcs"],
    notes: &[FIGHTERS],
    args: &[ASKED],
    run: shoot,
};

fn shoot(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let asked = Asked::new(given, at)?;
    let throw = asked.throw("shoot")?;
    let doubts = asked.doubts(&throw);
    let Throw::Volley { by, on, hexes } = throw else {
        return Err("this is no volley".into());
    };
    let force = match &by {
        Striker::Force(force) => *force,
        Striker::Fighters(f) => {
            let shots = vec![1; f.sorts.len()];
            scores::volley_force(&asked.numbers, Scale::Tactical, &f.sorts, &shots, hexes.unwrap_or(1))
        }
    };
    if force == 0 {
        return Err("they don't shoot so far".into());
    }
    Ok(answer("shoot", &asked, &by, on.as_ref(), (force, doubts)))
}

fn answer(
    question: &'static str,
    asked: &Asked<'_>,
    by: &Striker,
    on: Option<&Struck>,
    (force, doubts): (u32, Vec<Fact>),
) -> Answer {
    let Asked { numbers, switches, .. } = asked;
    let switches = *switches;
    let mut given = vec![Fact::of("Who", striker(numbers, by))];
    given.extend(on.map(|on| Fact::of("At", struck(numbers, on))));
    given.push(Fact::of("Force", format!("{force}; a tenth, rounded up, is {}", force.div_ceil(10))));
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
    Odds { question, given, chances, expected }.into()
}
