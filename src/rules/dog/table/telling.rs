//! What came of a line in words: the calculation, the dead, the numbers for the ledgers, the units as they are now.

use super::before::unit_in_words;
use super::read::{Misread, read};
use super::throw::{Blow, Striker, Struck, Throw, struck};
use super::{Booked, Event, Sitting, ThrownStrike, Toll};
use crate::model::{Ground, Scale, Sort};
use crate::numbers::Numbers;
use crate::odds::Fighters;
use crate::scores;
use crate::switches::Switches;
use crate::words;
use musterd_engine::briefing::{Fact, Part, Section};
use musterd_kit::lists::{joined, listed};

/// What came of a line, under the line.
///
/// # Errors
/// The line is none of this table's.
pub fn told(rules: &Sitting, line: &str, event: &Event) -> Result<Section, Misread> {
    let mut facts = match event {
        Event::Kept { .. } => Vec::new(),
        Event::Turned { round, phase, order } => turned(*round, phase, order),
        Event::Ordered { throws, order } if throws.is_empty() => vec![Fact::of("Order", order.join(", "))],
        Event::Said { side: Some(side), words } => vec![Fact::of("Words", format!("{side}: {words}"))],
        Event::Said { side: None, .. } => {
            vec![Fact::of("Words", "none: the dice follow from the secret and the lines alone")]
        }
        Event::Noted { text } => vec![Fact::of("Note", text.clone())],
        Event::Voided { t } => {
            vec![Fact::of(
                "Void",
                format!(
                    "line {t}: the table is as it was before it; dice that it threw are not thrown again"
                ),
            )]
        }
        Event::Struck { .. } | Event::Searched { .. } | Event::Ordered { .. } | Event::Nothing => {
            let said = event.of().unwrap_or(line);
            let throw = read(&rules.numbers, said, Ground::OPEN)?;
            let mut facts = thrown(rules, &throw, event);
            facts.extend(rules.doubts(&throw).into_iter().map(|doubt| Fact::of("But", doubt)));
            facts
        }
    };
    facts.extend(event.booked().into_iter().flat_map(|booked| now(rules, booked)));
    Ok(Section { title: line.to_owned(), parts: vec![Part::Facts { facts }] })
}

/// The units that a line changed, as they are after it.
fn now(rules: &Sitting, booked: &Booked) -> Vec<Fact> {
    let state = |unit: &Option<_>| {
        unit.as_ref().map_or_else(
            || "gone: the table keeps it no longer".to_owned(),
            |unit| unit_in_words(rules, unit),
        )
    };
    booked.units.iter().map(|(id, unit)| Fact::of(id.to_string(), state(unit))).collect()
}

fn turned(round: u32, phase: &str, order: &[String]) -> Vec<Fact> {
    let mut facts = vec![Fact::of("Round", round.to_string())];
    facts.extend((!phase.is_empty()).then(|| Fact::of("Phase", phase)));
    facts.extend((!order.is_empty()).then(|| Fact::of("Order", order.join(", "))));
    facts
}

/// The result of a throw.
fn thrown(rules: &Sitting, throw: &Throw, event: &Event) -> Vec<Fact> {
    match (throw, event) {
        (Throw::Strike { way, by, on }, Event::Struck { strike, answer, .. }) => {
            let defends = *way == Blow::Retaliation;
            let mut facts = blow(rules, by, on.as_ref(), strike, if defends { "defence" } else { "attack" });
            match (answer, by, on) {
                (Some(answer), Striker::Fighters(us), Some(Struck::Fighters(them))) => {
                    let (by, on) = (Striker::Fighters(them.clone()), Struck::Fighters(us.clone()));
                    facts.push(Fact::of(
                        "Retaliation",
                        struck(&rules.numbers, &Struck::Fighters(them.clone())),
                    ));
                    facts.extend(blow(rules, &by, Some(&on), answer, "defence"));
                }
                (None, ..) if *way == Blow::Exchange => {
                    facts.push(Fact::of("Retaliation", "none: they have no defence"));
                }
                _ => {}
            }
            facts
        }
        (Throw::Volley { by, on, .. }, Event::Struck { strike, .. }) => {
            blow(rules, by, on.as_ref(), strike, "shooting power")
        }
        (Throw::Search { .. }, Event::Searched { factor, visibility, chance, die, found, .. }) => {
            let sum = format!("{factor} for how full the unit is, less {visibility} for the ground");
            let least = if factor - visibility < 1 { "; 1 at least" } else { "" };
            vec![
                Fact::of("Chance", format!("{sum}{least}: found by {chance} or less")),
                Fact::of("Die", die.to_string()),
                Fact::of("Result", if *found { "found" } else { "not found: it stays hidden" }),
            ]
        }
        (Throw::Initiative { .. }, Event::Ordered { throws, order }) => {
            let dice = |(army, own): &(String, Vec<u32>)| Fact::of(army, joined(own, ", then "));
            let mut facts: Vec<Fact> = throws.iter().map(dice).collect();
            facts.push(Fact::of("Order", order.join(", ")));
            facts
        }
        _ => vec![Fact::of("Result", "nothing: the line says nothing that can be thrown for")],
    }
}

impl Sitting {
    /// Doubts about a throw: things that the rules would not allow on a field at this table's scale.
    pub fn doubts(&self, throw: &Throw) -> Vec<String> {
        doubts(&self.numbers, self.switches, Some(self.house.scale), throw)
    }
}

/// What the rules would not allow on a field: units too large for the scale, fighters on ground that they can't enter. A table may have its
/// reasons, so it is said and thrown for all the same. Where no scale is known, units are told that are too large for a tactical one.
pub fn doubts(numbers: &Numbers, switches: Switches, scale: Option<Scale>, throw: &Throw) -> Vec<String> {
    let parties: Vec<&Fighters> = match throw {
        Throw::Strike { by, on, .. } | Throw::Volley { by, on, .. } => {
            let by = if let Striker::Fighters(fighters) = by { Some(fighters) } else { None };
            let on = if let Some(Struck::Fighters(fighters)) = on { Some(fighters) } else { None };
            by.into_iter().chain(on).collect()
        }
        Throw::Search { hidden, .. } => vec![hidden],
        Throw::Initiative { .. } => Vec::new(),
    };
    let of = |party: &Fighters| -> Vec<String> {
        let fits = |scale| scores::fits(numbers, scale, &party.sorts);
        let size = match scale {
            Some(scale) => fits(scale).err(),
            None => fits(Scale::Strategic).err().or_else(|| {
                fits(Scale::Tactical).err().map(|_| "one unit on the strategic scale alone".to_owned())
            }),
        };
        let ground = scores::enters(numbers, switches, &party.sorts, party.ground).err();
        let who = words::fighters(numbers, &party.sorts);
        size.into_iter().chain(ground).map(|doubt| format!("{who}: {doubt}")).collect()
    };
    parties.into_iter().flat_map(of).collect()
}

fn blow(rules: &Sitting, by: &Striker, on: Option<&Struck>, strike: &ThrownStrike, score: &str) -> Vec<Fact> {
    let tenth = strike.force.div_ceil(10);
    let force = match by {
        Striker::Force(force) => format!("{force}; a tenth, rounded up, is {tenth}"),
        Striker::Fighters(fighters) => {
            let each = |sort: &Sort| {
                let numbers = &rules.numbers;
                let own = match score {
                    "attack" => scores::attack(numbers, sort, fighters.ground),
                    "defence" => scores::defence(numbers, rules.switches, sort, fighters.ground),
                    _ => scores::distance(numbers, sort).map_or(0, |arm| arm.power),
                };
                format!("{} x {own}", sort.fighters)
            };
            let sum = joined(fighters.sorts.iter().map(each), " + ");
            format!("{sum} = {} by {score}; a tenth, rounded up, is {tenth}", strike.force)
        }
    };
    let quality = strike.die.div_ceil(2);
    let name = match quality {
        1 => "bad",
        2 => "medium",
        _ => "good",
    };
    let product = (3 + quality) * tenth;
    let capped =
        if strike.damage < product { format!(", and {} at most", strike.damage) } else { String::new() };
    let mut facts = vec![
        Fact::of("Force", force),
        Fact::of(
            "Die",
            format!("{}, a {name} strike: (3 + {quality}) x {tenth} = {product}{capped}", strike.die),
        ),
    ];
    match (on, &strike.toll) {
        (Some(on), Some(toll)) => facts.push(Fact::of("Result", fell(rules, on, toll, strike.damage))),
        _ => facts.push(Fact::of("Result", format!("{} hit points", strike.damage))),
    }
    facts
}

/// The dead and the survivors, in words.
fn fell(rules: &Sitting, on: &Struck, toll: &Toll, damage: u32) -> String {
    let of = match on {
        Struck::Fighters(fighters) => {
            let fallen = fighters
                .sorts
                .iter()
                .zip(&toll.killed)
                .map(|(sort, killed)| format!("{killed} of {}", words::counted(&rules.numbers, sort)));
            listed(fallen)
        }
        Struck::Bodies { fighters, .. } => format!("{} of {fighters}", toll.killed.iter().sum::<u16>()),
    };
    let left: u32 = toll.left.iter().map(|left| u32::from(*left)).sum();
    let wasted = match damage.saturating_sub(toll.hp) {
        0 => String::new(),
        rest => format!(" ({rest} of {damage} to no effect)"),
    };
    let left = if left == 0 { "nobody is left".to_owned() } else { format!("{left} left") };
    let fall = if toll.killed.iter().sum::<u16>() == 1 { "falls" } else { "fall" };
    format!("{of} {fall}: {} hit points lost{wasted}; {left}", toll.hp)
}
