//! The units that a computer leader hires: a front of the best foot, shooters behind it, as far as money, pride and room allow.

use crate::battle::Works;
use crate::data::Dog;
use crate::model::{Sort, TroopId, UnitId};
use crate::order::Record;
use crate::roster::Roster;
use crate::scores;
use crate::view::View;

/// The most units that are hired: nobody wants to order more than this by mail.
const MOST_UNITS: u8 = 12;

/// Unit records for an army's money, in the order in which they are hired. Within the rules, and always the same.
pub(crate) fn levy(rules: &Dog, view: &View) -> Vec<Record> {
    let numbers = rules.numbers();
    let scale = rules.battle().scale;
    let fits_ground = rules.policies().hires_for_field_as_it_is;
    let mut known = view.clone();
    if !fits_ground {
        known = View { waiting: Vec::new(), again: false, works: Works::default(), ..known };
        known.own.clear();
        known.others.clear();
    }
    let Some(mut roster) = Roster::of(rules, &known) else { return Vec::new() };
    let army = roster.army;
    let used = |number: u8| {
        let id = UnitId::new(army.letter, number);
        army.units.iter().any(|unit| unit.id == id) || known.own.contains_key(&id)
    };
    let mut numbers_left = (1..=UnitId::MOST).filter(|number| !used(*number));
    let own = army.units.iter().flat_map(|unit| &unit.sorts);
    let mut pride = u64::from(army.leadership).saturating_sub(scores::ego(numbers, own));
    let mut records = Vec::new();
    // Money and pride are divided evenly among the units that are still to come.
    for place in 0..MOST_UNITS {
        let (Some(money), Some(number)) = (roster.money(), numbers_left.next()) else { break };
        let left = u64::from(MOST_UNITS - place);
        let (purse, share) = (money.div_ceil(left), pride.div_ceil(left));
        let worth = |troop: &TroopId| {
            let sort = Sort::of(*troop, 1);
            let each = (scores::hire(numbers, [&sort]).max(1), scores::ego(numbers, [&sort]).max(1));
            let most =
                u64::from(scores::capacity(numbers, scale, &sort)).min(purse / each.0).min(share / each.1);
            let fighters = u16::try_from(most).unwrap_or(u16::MAX);
            let kind = numbers.troop(*troop);
            let shoots =
                kind.distance.map_or(0, |distance| u64::from(distance.power * u32::from(distance.shots)) / 4);
            // Every third unit shoots, if anybody does.
            let skill = if place % 3 == 2 { shoots } else { u64::from(kind.attack + kind.defence) };
            let strength = u64::from(fighters) * u64::from(kind.hp) * (skill + 1);
            (strength, fighters)
        };
        let best = army
            .hires
            .iter()
            .filter(|troop| scores::sense(numbers, &Sort::of(**troop, 1)).is_ok())
            .filter(|troop| !fits_ground || roster.room_for(&[Sort::of(**troop, 1)]).is_some())
            .max_by_key(|troop| (worth(troop).0, std::cmp::Reverse(**troop)));
        let Some(troop) = best else { break };
        let (_, fighters) = worth(troop);
        if fighters == 0 {
            continue;
        }
        let sorts = vec![Sort::of(*troop, fighters)];
        let record = Record { sorts, ..Record::of(UnitId::new(army.letter, number)) };
        if roster.take(&record).is_ok() {
            pride = pride.saturating_sub(scores::ego(numbers, &record.sorts));
            records.push(record);
        }
    }
    records
}
