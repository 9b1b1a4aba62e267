//! Reads an army: its rows become units with names and numbers.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::alike::{meant, names};
use musterd_engine::yaml::{Reader, short};
use musterd_kit::data::{At, whole};

use super::declared::Row;
use crate::battle::Spec;
use crate::model::{ALL, REST, Side, UnitId, UnitType};
use crate::numbers::{Gifts, Numbers};
use crate::options::{Edition, Size};

/// An army as read.
#[derive(Default)]
pub(super) struct Roster {
    /// Its units by their numbers.
    pub(super) units: Vec<Spec>,
    /// Whether all its units are known.
    pub(super) known: bool,
    /// Whether at least the names of all are.
    names_known: bool,
    /// Whether it has units that the edition counts as other than they are (SA-6).
    pub(super) mapped: bool,
}

/// Reads the units of a side, and notes the faults.
pub(super) fn read(
    reader: &mut Reader,
    rows: &At<Vec<At<Row>>>,
    numbers: &Numbers,
    (side, size, edition): (Side, Size, Edition),
) -> Roster {
    let before = reader.errors.len();
    let lines = || rows.value.iter().filter(|row| row.known().is_some()).map(|row| &row.value);
    let known = rows.known().is_some() && whole(&rows.value);
    let names_known = known && lines().all(|row| row.name.known().is_some());
    let mut roster = Roster { known, names_known, ..Roster::default() };
    let many: u32 = lines().map(|row| u32::from(row.count)).sum();
    if roster.known && many == 0 {
        reader.fault(rows.at, "this army has no units: add one");
    }
    if many > u32::from(UnitId::MOST) {
        reader.fault(rows.at, format!("this army has {many} units: it can have {}", UnitId::MOST));
    }
    let mut called: BTreeMap<&str, u32> = BTreeMap::new();
    for row in lines() {
        *called.entry(&row.name.value).or_default() += u32::from(row.count);
    }
    if let Some(row) = lines().find(|row| row.kind.known() == Some(&UnitType::Mc)) {
        let reason = "medium cavalry (MC) fights as heavy cavalry in the Atari edition (SA-6)";
        reader.doubt(row.kind.at, reason);
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for name in lines().map(|row| &row.name).filter(|name| name.known().is_some()) {
        let text = name.value.as_str();
        if !seen.insert(text) {
            let reason = format!("two rows are called `{}`: their units are numbered as of one", short(text));
            reader.doubt(name.at, reason);
        }
        let everybody = [ALL, REST].concat().iter().any(|word| text.eq_ignore_ascii_case(word));
        if everybody || text.parse::<UnitId>().is_ok() {
            let reason = format!("orders read `{}` as other units: call these otherwise", short(text));
            reader.fault(name.at, reason);
        }
    }
    let mut numbered: BTreeMap<&str, u32> = BTreeMap::new();
    for row in lines() {
        check(reader, row, numbers);
        roster.mapped |= edition.counts(row.kind.value) != row.kind.value;
        for _ in 0..row.count {
            let name = row.name.value.as_str();
            let of_name = numbered.entry(name).or_default();
            *of_name += 1;
            let alone = called.get(name) == Some(&1);
            let name = if alone { name.to_owned() } else { format!("{name} {of_name}") };
            if let Some(id) = UnitId::listed(side, roster.units.len()) {
                roster.units.push(unit(row, id, name, numbers, size, edition));
            }
        }
    }
    roster.known &= reader.errors.len() == before;
    roster
}

/// Notes what units of a row can't have.
fn check(reader: &mut Reader, row: &Row, numbers: &Numbers) {
    if let (Some(kind), Some(weapon)) = (row.kind.known(), row.melee.known()) {
        let borne = numbers.weapons(*kind);
        if !borne.contains_key(weapon) {
            let borne: Vec<&str> = borne.keys().map(|weapon| weapon.words()).collect();
            let reason = format!(
                "{} bears no {} (SA-5): it can have {}",
                kind.words(),
                weapon.words(),
                borne.join(", ")
            );
            reader.fault(row.melee.at, reason);
        }
    }
    if row.melee.known().is_some_and(|weapon| weapon.takes_both_hands()) && row.shield.known() == Some(&true)
    {
        reader.fault(
            row.shield.at,
            "two hands hold no shield besides a two-handed weapon: write false (SA-39)",
        );
    }
    // The charts name tribes with gifts, and those against whom others have some.
    let charted = || {
        let foes = numbers.tribes.values().flat_map(|gifts| gifts.against.keys());
        numbers.tribes.keys().chain(foes).map(String::as_str)
    };
    if let Some(tribe) = row.tribe.known().filter(|tribe| charted().all(|known| known != *tribe))
        && let Some(near) = meant(tribe, charted())
    {
        let reason = format!("the charts name no tribe `{}`; did you mean `{near}`?", short(tribe));
        reader.doubt(row.tribe.at, reason);
    }
}

fn unit(row: &Row, id: UnitId, name: String, numbers: &Numbers, size: Size, edition: Edition) -> Spec {
    Spec {
        id,
        name,
        row: row.name.value.clone(),
        tribe: row.tribe.value.clone(),
        gifts: numbers.tribes.get(&row.tribe.value).cloned().unwrap_or(Gifts::NONE),
        kind: edition.counts(row.kind.value),
        class: size.class(row.class),
        weapon: row.melee.value,
        missile: row.missile,
        shield: row.shield.value,
        men: size.men(row.men),
        at: None,
        casts: true,
        arrives: None,
        waits: None,
        deserts: None,
        likeness: false,
    }
}

impl Roster {
    /// The places of the units that a file names: all of a row by its name, one by its own name or its number. That there are none is noted.
    pub(super) fn named(&self, reader: &mut Reader, name: &At<String>) -> Vec<usize> {
        let Some(text) = name.known() else { return Vec::new() };
        let same = |other: &str| other.eq_ignore_ascii_case(text);
        let is_meant = |place: &usize| {
            let spec = &self.units[*place];
            same(&spec.row) || same(&spec.name) || text.parse() == Ok(spec.id.number)
        };
        let found: Vec<usize> = (0..self.units.len()).filter(is_meant).collect();
        if found.is_empty() && self.names_known {
            let mut rows: Vec<&str> = self.units.iter().map(|spec| spec.row.as_str()).collect();
            rows.dedup();
            let known = names(text, rows.into_iter());
            reader.fault(name.at, format!("`{}` is no unit of this army; {known}", short(text)));
        }
        found
    }
}
