//! One strike, or one volley.

use super::asked::{ASKED, Asked, FIGHTERS};
use crate::model::Scale;
use crate::scores;
use crate::table::throw::{Blow, Striker, Struck, Throw, striker, struck};
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
    let way = if retaliation { Blow::Retaliation } else { Blow::Attack };
    let force = by.force(&asked.numbers, asked.switches, way);
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
    let force = by.volley(&asked.numbers, Scale::Tactical, hexes);
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
    if let Some(on) = on {
        let none = on.toll(numbers, 0);
        let all: u32 = none.left.iter().map(|left| u32::from(*left)).sum();
        let toll = damage.map(|damage| {
            let toll = on.toll(numbers, *damage);
            (toll.killed.iter().map(|dead| u32::from(*dead)).sum::<u32>(), toll.hp)
        });
        let word = |(killed, hp): &(u32, u32)| format!("{killed} of {all}, {hp} hit points");
        chances.push(Chances::of("Fallen", &toll, word));
        expected.push(("fallen".to_owned(), toll.expected(|(killed, _)| *killed)));
        expected.push(("hit points lost".to_owned(), toll.expected(|(_, hp)| *hp)));
    }
    Odds { question, given, chances, expected }.into()
}
