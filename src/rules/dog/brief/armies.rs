//! The units: own units in full, allies and enemies as they are seen.

use super::super::battle::Army;
use super::super::data::Dog;
use super::super::form::hired;
use super::super::model::{Sort, TroopId, UnitId, Waiting};
use super::super::numbers::Elite;
use super::super::order::Record;
use super::super::roster::Roster;
use super::super::scores;
use super::super::view::{Count, OwnUnit, SeenUnit, View, Wait};
use super::super::words;

use musterd_engine::briefing::{Part, Table};
use musterd_kit::lists::{joined, listed};

/// Own units.
pub(super) fn own(rules: &Dog, view: &View) -> Vec<Part> {
    let captions = "Scores are a fighter's where it stands now: with its terrain, its walls, its rank.";
    vec![Part::Table(in_full(rules, view)), Part::text(captions)]
}

/// The leader's units with everything about them.
pub(super) fn in_full(rules: &Dog, view: &View) -> Table {
    let numbers = rules.numbers();
    let mut table = Table::new(&["Unit", "Who", ">Att", "Shots", ">Def", ">HP", ">Move", "Where", "Notes"]);
    for (id, unit) in &view.own {
        for (place, sort) in unit.sorts.iter().enumerate() {
            let ground = super::super::known::ground(rules, view, unit.at, unit.aboard);
            let left = unit.shots.get(place).copied().unwrap_or(0);
            let distance = scores::distance(numbers, sort);
            let distance =
                distance.map_or_else(String::new, |arm| format!("{left}x{}:{}", arm.power, arm.range));
            let first = unit.first.get(place).copied().unwrap_or(sort.fighters);
            let who = match first > sort.fighters {
                true => format!("{}/{first} {}", sort.fighters, words::sort_name(numbers, sort)),
                false => words::counted(numbers, sort),
            };
            let lead = place == 0;
            table.row([
                if lead { id.to_string() } else { String::new() },
                who,
                scores::attack(numbers, sort, ground).to_string(),
                distance,
                scores::defence(numbers, rules.battle().switches, sort, ground).to_string(),
                scores::hp(numbers, sort).to_string(),
                numbers.troop(sort.troop).moves.to_string(),
                if lead { rules.place(unit.at) } else { String::new() },
                if lead { notes(unit) } else { String::new() },
            ]);
        }
    }
    table
}

fn notes(unit: &OwnUnit) -> String {
    let notes = [
        (!unit.name.is_empty()).then(|| unit.name.clone()),
        unit.captive.map(|captor| format!("prisoner of {captor}")),
        unit.hidden.then(|| "hidden".to_owned()),
        unit.aboard.then(|| "aboard".to_owned()),
        unit.guards.then(|| "guards prisoners".to_owned()),
        unit.pursues.map(|prey| format!("hunts {prey}")),
        unit.saved.map(|(hex, saved)| format!("{} saved for {hex}", words::halves(saved))),
        (unit.swimming > 0).then(|| format!("swims, round {}", unit.swimming)),
    ];
    joined(notes.into_iter().flatten(), ", ")
}

/// What the leader has to record: units to be placed, money to be spent.
pub(super) fn records(rules: &Dog, view: &View) -> Vec<Part> {
    let Some(roster) = Roster::of(rules, view) else { return Vec::new() };
    let (army, numbers) = (roster.army, rules.numbers());
    let (fixed, open) = roster.clone().settled();
    let hire = open.example();
    let mut parts = Vec::new();
    if view.again {
        parts.push(Part::text(
            "Some of your units were to stand where another army's are: place them anew. A hex that you leave open is chosen for you.",
        ));
    } else {
        let placed = |unit: &Waiting| format!("Place your units: `UNIT {} AT {}`", unit.unit.number, unit.at);
        let hired = |record: &Record| format!("Hire units and place them: `{}`", hired(rules, record));
        let sample = fixed.first().map(placed).or_else(|| hire.as_ref().map(hired));
        parts.extend(sample.map(|sample| {
            Part::text(format!("{sample}, with HIDDEN behind it for one that is to lie in wait."))
        }));
    }
    parts.push(Part::text(format!("They may start in {}.", army.starts_in(&rules.battle().field))));
    if let Some(money) = roster.money() {
        parts.push(Part::text(format!(
            "You have {money} to hire units with, and a leadership of {}: more ego than that, and some disobey.{}",
            view.leadership,
            match hire.filter(|_| !fixed.is_empty()) {
                Some(record) => format!(" Write `{}`.", hired(rules, &record)),
                None => String::new(),
            }
        )));
        parts.extend(terms_of_hire(rules, army).map(|terms| Part::text(&terms)));
        let lists = roster.lists();
        if !lists.is_empty() {
            let each = lists.iter().map(|list| format!("`HIRE {}` {}", list.id, list.in_short(numbers)));
            parts.push(Part::text(format!("Armies ready made: {}.", joined(each, "; "))));
        }
        parts.push(Part::Table(for_hire(rules, army)));
    }
    if !fixed.is_empty() {
        let mut table = Table::new(&["Unit", "Who", ">Ego", "Where, unless you say"]);
        for unit in &fixed {
            let ego = scores::ego(numbers, &unit.sorts);
            let hidden = if unit.hidden { ", hidden" } else { "" };
            table.row([
                unit.unit.to_string(),
                words::fighters(numbers, &unit.sorts),
                ego.to_string(),
                format!("{}{hidden}", rules.place(unit.at)),
            ]);
        }
        parts.push(Part::Table(table));
    }
    parts
}

/// The types that an army may hire, each with what it costs and scores: nine columns, which a telephone has room for.
fn for_hire(rules: &Dog, army: &Army) -> Table {
    let numbers = rules.numbers();
    let mut table =
        Table::new(&["Code", "For hire", ">Hire", ">Ego", ">Most", ">Att/Def/HP", "Shots", ">Move", ">Size"]);
    for troop in &army.hires {
        let kind = numbers.troop(*troop);
        let one = Sort { size: Some(kind.size.least), ..Sort::of(*troop, 1) };
        table.row([
            kind.code.clone(),
            kind.name.clone(),
            kind.hire.to_string(),
            kind.ego.to_string(),
            scores::capacity(numbers, rules.battle().scale, &one).to_string(),
            format!("{}/{}/{}", kind.attack, kind.defence, kind.hp),
            kind.distance.map_or_else(String::new, |arm| arm.to_string()),
            kind.moves.to_string(),
            scores::sizes(kind),
        ]);
    }
    table
}

/// Other options for hire: elite troops and their price, and peoples; `None` if there are only plain types.
pub(crate) fn terms_of_hire(rules: &Dog, army: &Army) -> Option<String> {
    let elite = army.elite.then(|| {
        let Elite { hire, ego, .. } = rules.numbers().elite;
        format!("Elite troops too (`ELITE`), at {hire} times the hire and {ego} times the ego.")
    });
    let kinds = army.hires.iter().map(|troop| rules.numbers().troop(*troop));
    let free: Vec<&str> = kinds.filter(|kind| kind.any_people).map(|kind| kind.name.as_str()).collect();
    let for_all = (!army.peoples.is_empty()).then(|| format!("{} for all", listed(&army.peoples)));
    let for_some = (!free.is_empty()).then(|| format!("any for {}", listed(free)));
    let peoples = joined(for_all.into_iter().chain(for_some), "; ");
    let peoples = (!peoples.is_empty()).then(|| format!("Peoples (`PEOPLE`): {peoples}."));
    let terms = joined(elite.into_iter().chain(peoples), " ");
    (!terms.is_empty()).then_some(terms)
}

/// Allies' units, if there are allies.
pub(super) fn allies(rules: &Dog, view: &View) -> Option<Vec<Part>> {
    let table = seen(rules, view, true);
    (!table.rows.is_empty()).then(|| vec![Part::Table(table)])
}

/// Enemies in sight, and those who have hidden as they were last seen.
pub(super) fn enemies(rules: &Dog, view: &View) -> Vec<Part> {
    let table = seen(rules, view, false);
    let mut parts = if table.rows.is_empty() {
        let hidden = if view.wait == Wait::Over { "" } else { " That doesn't mean that there is none." };
        vec![Part::text(format!("No enemy is in sight.{hidden}"))]
    } else {
        let others = match view.counted.is_empty() {
            true => "others are guessed",
            false => {
                "of others an earlier count stands with its round while it holds, and the rest are guessed"
            }
        };
        let caption = format!("Who stands next to a unit of yours is counted; {others}.");
        vec![Part::Table(table), Part::text(caption)]
    };
    if !view.remembered.is_empty() {
        let mut table = Table::new(&["Unit", "Who", ">How many", "Where", "Round"]);
        for (id, seen) in &view.remembered {
            table.row(seen_row(rules, *id, &seen.unit, seen.unit.count, seen.round.to_string()));
        }
        parts.extend([Part::text("Out of sight; as last seen:"), Part::Table(table)]);
    }
    parts
}

fn seen(rules: &Dog, view: &View, friends: bool) -> Table {
    let mut table = Table::new(&["Unit", "Who", ">How many", "Where", "Notes"]);
    let allied = |unit: &SeenUnit| view.army.is_some_and(|army| rules.battle().allied(army, unit.army));
    for army in rules.battle().armies() {
        let mut units =
            view.others.iter().filter(|(_, u)| u.army == army.id && allied(u) == friends).peekable();
        if units.peek().is_some() {
            table.group(&army.name);
        }
        for (id, unit) in units {
            let notes = [
                (!unit.name.is_empty()).then(|| unit.name.clone()),
                unit.captive.map(|captor| format!("prisoner of {captor}")),
                unit.hidden.then(|| "hidden".to_owned()),
                unit.aboard.then(|| "aboard".to_owned()),
                view.counted.get(id).map(|counted| format!("counted in round {}", counted.round)),
            ];
            let notes = joined(notes.into_iter().flatten(), ", ");
            table.row(seen_row(rules, *id, unit, view.count(*id, unit), notes));
        }
    }
    table
}

/// A unit of somebody else's, with a note.
fn seen_row(rules: &Dog, id: UnitId, unit: &SeenUnit, count: Count, note: String) -> [String; 5] {
    let kind = |(troop, elite): &(TroopId, bool)| {
        format!("{}{}", if *elite { "elite " } else { "" }, rules.numbers().troop(*troop).name)
    };
    let kinds = listed(unit.kinds.iter().map(kind));
    let count = match count {
        Count::Exactly(count) => count.to_string(),
        Count::About(least, most) => format!("{least}-{most}"),
    };
    [id.to_string(), kinds, count, rules.place(unit.at), note]
}
