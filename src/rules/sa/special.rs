//! The special rules of a battle, for rule books and dispatches: what its tribes, units and wizard may do that others may not.
//!
//! All of it is public (SA-32): a file's treachery and late arrivals are rules that both sides play by, and which of the likenesses is real is
//! no part of them.

use musterd_engine::briefing::{Item, Part, Section};
use musterd_report::text::{listed, sentence};

use crate::battle::{Arrival, Battle, Desertion, Spec};
use crate::data::Sa;
use crate::model::{NEAR, Side};
use crate::numbers::Gifts;

/// The special rules; `None` if there are none.
pub(crate) fn section(rules: &Sa) -> Option<Section> {
    let items: Vec<Item> = special(rules).into_iter().map(Item::of).collect();
    (!items.is_empty()).then(|| Section::of("Special rules", vec![Part::Items { numbered: false, items }]))
}

/// Whether a unit is one that the battle begins with: no likeness that a wizard is yet to make.
pub(crate) fn is_told(battle: &Battle, spec: &Spec) -> bool {
    !spec.likeness || battle.hunt.is_some_and(|hunt| hunt.wizard == spec.id)
}

/// What is special: of tribes, of units, of the wizard; a sentence each.
fn special(rules: &Sa) -> Vec<String> {
    let battle = rules.battle();
    let mut said = Vec::new();
    let fights = |tribe: &str| battle.units.iter().any(|spec| spec.tribe == tribe);
    for (tribe, gifts) in &rules.numbers().tribes {
        let words = gifts_in_words(gifts, fights);
        if !words.is_empty() && fights(tribe) {
            said.push(format!("{tribe}: {words}."));
        }
    }
    for side in Side::ALL {
        let (from, to) = battle.army(side).units;
        let units = battle.units[from..to].iter().filter(|spec| is_told(battle, spec));
        if battle.army(side).magic > 0 && units.clone().any(|spec| !spec.casts) {
            let mut casters: Vec<String> = Vec::new();
            for spec in units.clone().filter(|spec| spec.casts) {
                if !casters.contains(&spec.row) {
                    casters.push(spec.row.clone());
                }
            }
            let name = sentence(&battle.army(side).name);
            said.push(format!("{name}: only {} can cast spells.", listed(&casters)));
        }
        said.extend(of_units(&units.collect::<Vec<_>>()));
    }
    if let Some(hunt) = battle.hunt {
        let likenesses = battle.units.iter().filter(|spec| spec.likeness).count() - 1;
        let made = match rules.choices().placed {
            true => format!("{likenesses} likenesses of him stand on the field from the start"),
            false => {
                format!("he can make {likenesses} likenesses of himself for {} spell points each", hunt.cost)
            }
        };
        let name = &battle.spec(hunt.wizard).row;
        let ends = match hunt.decides {
            true => {
                let leaves = match hunt.leaves < battle.nightfall {
                    true => format!("leaves over his own edge after time-point {}, ", hunt.leaves),
                    false => String::new(),
                };
                format!(
                    "His death wins the battle for his enemies; he wins it if he {leaves}lives at nightfall, or sees them retreat."
                )
            }
            false => "Neither his death nor his escape ends the battle.".to_owned(),
        };
        said.push(format!("{name}: {made}, and only his own side knows which is real. {ends}"));
    }
    said
}

/// What is special of units by name: those alike in one sentence.
fn of_units(units: &[&Spec]) -> Vec<String> {
    let is_alike = |one: &&Spec, other: &&Spec| {
        let of = |spec: &Spec| (spec.arrives, spec.waits, spec.deserts);
        one.row == other.row && of(one) == of(other)
    };
    let told = |alike: &[&Spec]| {
        let (first, last) = (alike.first()?, alike.last()?);
        let comes =
            |arrival: Arrival| format!("onto the field at time-point {} in {}", arrival.point, arrival.at);
        let waits = |point: u16| format!("no move before time-point {point}");
        let deserts = |desertion: Desertion| {
            let each = if alike.len() == 1 { "" } else { " for each" };
            format!("a die{each} at time-point {}: on {} or less it deserts", desertion.point, desertion.most)
        };
        let said = [first.arrives.map(comes), first.waits.map(waits), first.deserts.map(deserts)];
        let said: Vec<String> = said.into_iter().flatten().collect();
        let name = format!("{} {}", span(first, last), first.row);
        (!said.is_empty()).then(|| format!("{name}: {}.", said.join("; ")))
    };
    units.chunk_by(is_alike).filter_map(told).collect()
}

/// `A3`, or `A3-5` of several.
pub(crate) fn span(first: &Spec, last: &Spec) -> String {
    if first.id == last.id { first.id.to_string() } else { format!("{}-{}", first.id, last.id.number) }
}

/// What a tribe's gifts are, of those that can count where these tribes fight.
fn gifts_in_words(gifts: &Gifts, fights: impl Fn(&str) -> bool) -> String {
    let usual = Gifts::NONE.morale;
    let worth = format!("a unit is worth {} in army morale (others {usual})", gifts.morale);
    let mut said: Vec<String> = (gifts.morale != usual).then_some(worth).into_iter().collect();
    let mut say = |number: i32, words: &str| {
        if number != 0 {
            said.push(format!("{number:+} {words}"));
        }
    };
    let points = if gifts.sooner == 1 { "time-point on moves" } else { "time-points on moves" };
    say(-i32::from(gifts.sooner), points);
    say(gifts.bow, "when it fires bows");
    say(gifts.combat, "in all combat");
    say(-gifts.daunts, "to whoever fights it hand to hand");
    say(-gifts.fear, &format!("on morale checks of enemies within {NEAR} hexes"));
    for (tribe, number) in gifts.against.iter().filter(|(tribe, _)| fights(tribe)) {
        say(*number, &format!("in melee against {tribe}"));
    }
    said.join(", ")
}
