//! The next battle of a campaign, as a battle file: each army's survivors, their cost and income, and the leaders' new leadership (manual 2.1, 2.3,
//! 4.5).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::battle::zone::rectangles;
use super::battle::{Army, Battle, Ground};
use super::brief::leadership_sum;
use super::data::Dog;
use super::event::{Event, Reckoning};
use super::model::{Sort, UnitId, Waiting};
use super::scores;
use super::view::{OwnUnit, View};
use super::words::{self, behind};
use musterd_dice::Seat;
use musterd_engine::hex::Hex;
use musterd_kit::lists::joined;

/// The changes for the next battle.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// What the battle is called on the command line.
    pub id: String,
    /// Its title; from the last one's if none is given.
    pub title: Option<String>,
    /// Money that leaders have besides their loot.
    pub money: BTreeMap<Seat, u32>,
    /// Armies that fight no more.
    pub without: BTreeSet<Seat>,
}

/// The things that an army carries over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// The army's name.
    pub army: String,
    /// Its leader's seat.
    pub seat: Seat,
    /// The survivors.
    pub survivors: Vec<String>,
    /// The fighters who are lost as prisoners of the enemy (manual 4.5).
    pub prisoners: Vec<String>,
    /// The cost for the leader, as a calculation.
    pub leadership: String,
    /// Loot from prisoners, money besides, maintenance due.
    pub loot: u64,
    /// Money that its leader has besides.
    pub money: u64,
    /// Money of the last battle that was not spent on hire.
    pub unspent: u64,
    /// Maintenance of the survivors for a unit of time.
    pub maintenance: u64,
}

impl Carried {
    /// All money that there is before the maintenance is paid.
    pub const fn chest(&self) -> u64 {
        self.unspent + self.loot + self.money
    }

    /// Money left when the maintenance is paid.
    pub const fn left(&self) -> u64 {
        self.chest().saturating_sub(self.maintenance)
    }

    /// Maintenance that there is no money for.
    pub const fn owed(&self) -> u64 {
        self.maintenance.saturating_sub(self.chest())
    }
}

/// Money that leaders had to hire with and kept: their budgets less the hire of whom they raised, by the events of a battle.
pub fn unspent(rules: &Dog, events: &[Event]) -> BTreeMap<Seat, u64> {
    let left = |army: &Army| {
        let hired = events.iter().filter_map(|event| match event {
            Event::Raised(Waiting { unit, sorts, .. })
                if unit.army == army.letter && army.units.iter().all(|own| own.id != *unit) =>
            {
                Some(scores::hire(rules.numbers(), sorts))
            }
            _ => None,
        });
        let left = u64::from(army.budget?).saturating_sub(hired.sum());
        Some((army.seat.clone(), left))
    };
    rules.battle().armies().iter().filter_map(left).collect()
}

/// The next battle's file, and what each army carries into it. `unspent` is what [`unspent`] says of the battle.
///
/// # Errors
/// Why there is none, in words: the battle is not over, or an army has neither fighters nor money.
pub fn next(
    rules: &Dog,
    views: &BTreeMap<Seat, View>,
    unspent: &BTreeMap<Seat, u64>,
    on: Option<&Battle>,
    wishes: &Wishes,
) -> Result<(String, Vec<Carried>), String> {
    let battle = rules.battle();
    let known = |seat: &Seat| battle.led_by(seat).is_some();
    if let Some(odd) = wishes.money.keys().chain(&wishes.without).find(|seat| !known(seat)) {
        let seats = joined(battle.armies().iter().map(|army| &army.seat), ", ");
        return Err(format!("no army of this battle is led by `{odd}`; there are {seats}"));
    }
    let view = views.values().next().ok_or("this battle has no armies")?;
    let Some((winner, reckonings)) = &view.result else {
        return Err(format!("the battle is not over yet: it is in round {}", view.round));
    };
    let title = wishes.title.clone().unwrap_or_else(|| format!("After {}", battle.title));
    let outcome =
        winner.as_ref().map_or_else(|| "nobody had won".to_owned(), |winner| format!("{winner} had won"));
    let situation =
        format!("{} was over, and {outcome}. What was left of the armies met again.", battle.title);
    let mut file = format!("# Made of the battle {} as it ended: change what you like.\n", battle.id);
    line(&mut file, 0, "id", &quoted(&wishes.id));
    line(&mut file, 0, "title", &quoted(&title));
    line(&mut file, 0, "situation", &quoted(&situation));
    line(&mut file, 0, "scale", &battle.scale.to_string());
    if battle.by_phase {
        line(&mut file, 0, "orders", "by-phase");
    }
    let field = on.unwrap_or(battle);
    let armies: Vec<&Army> =
        battle.armies().iter().filter(|army| !wishes.without.contains(&army.seat)).collect();
    if let Some(rounds) = battle.rounds {
        line(&mut file, 0, "rounds", &rounds.to_string());
        let holders = battle.holders.iter().find(|name| armies.iter().any(|army| army.alliance == **name));
        if let Some(holders) = holders {
            line(&mut file, 0, "holders", &quoted(holders));
        }
    }
    file.push_str("switches:\n");
    for (name, on) in battle.switches.named() {
        line(&mut file, 1, name, if on { "true" } else { "false" });
    }
    write_field(&mut file, rules, field, view, on.is_none());
    file.push_str("armies:\n");
    let mut carried = Vec::new();
    for (place, army) in armies.into_iter().enumerate() {
        let view = views.get(&army.seat).ok_or_else(|| format!("nothing is known of {}", army.name))?;
        let reckoning = reckonings.iter().find(|reckoning| reckoning.army == army.id);
        let reckoning = reckoning.ok_or_else(|| format!("{} was not reckoned", army.name))?;
        let zone = match on {
            None => Some(&army.zone),
            Some(on) => on.armies().get(place).map(|army| &army.zone),
        };
        let survivors = survivors(rules, view);
        let mut summed = carry(rules, army, view, reckoning, &survivors, wishes);
        summed.unspent = unspent.get(&army.seat).copied().unwrap_or(0);
        if survivors.is_empty() && summed.left() == 0 {
            return Err(format!(
                "of {} nobody is left, and there is no money to hire anybody: give some (--money {}=100), or leave them out (--without {1})",
                army.name, army.seat
            ));
        }
        let zone = zone.map(|zone| field.field.hexes().filter(|hex| zone.contains(*hex)).collect::<Vec<_>>());
        write_army(
            &mut file,
            rules,
            army,
            reckoning,
            &summed,
            &survivors,
            zone.as_deref().unwrap_or_default(),
        );
        carried.push(summed);
    }
    Ok((file, carried))
}

/// A unit of the next battle.
struct Survivor {
    number: u8,
    name: String,
    sorts: Vec<Sort>,
}

/// The survivors of an army. A part that split off rejoins its unit if there is room, and gets a number of its own otherwise. Prisoners are lost
/// (manual 4.5).
fn survivors(rules: &Dog, view: &View) -> Vec<Survivor> {
    let mut kept: BTreeMap<u8, Survivor> = BTreeMap::new();
    let mut parts: Vec<(UnitId, &OwnUnit)> = Vec::new();
    for (id, unit) in view.free() {
        if id.part > 0 {
            parts.push((id, unit));
        } else {
            let (name, sorts) = (unit.name.clone(), unit.sorts.clone());
            kept.insert(id.number, Survivor { number: id.number, name, sorts });
        }
    }
    for (id, unit) in parts {
        let sorts = unit.sorts.clone();
        if let Some(origin) = kept.get_mut(&id.number)
            && let Some(whole) = together(rules, &origin.sorts, &sorts)
        {
            origin.sorts = whole;
            continue;
        }
        let taken =
            |number: &u8| kept.contains_key(number) || view.own.keys().any(|own| own.number == *number);
        // Its origin's number, if nobody has it any more.
        let own = Some(id.number).filter(|number| !kept.contains_key(number));
        let number = own.or_else(|| (1..=UnitId::MOST).find(|number| !taken(number)));
        if let Some(number) = number {
            kept.insert(number, Survivor { number, name: unit.name.clone(), sorts });
        }
    }
    kept.into_values().collect()
}

/// Two parts of a unit as one, if they are of the same sorts and have the room.
fn together(rules: &Dog, a: &[Sort], b: &[Sort]) -> Option<Vec<Sort>> {
    let mut whole = a.to_vec();
    for sort in b {
        let same = |other: &&mut Sort| {
            Sort { fighters: 0, ..(**other).clone() } == Sort { fighters: 0, ..sort.clone() }
        };
        let own = whole.iter_mut().find(same)?;
        own.fighters = own.fighters.checked_add(sort.fighters)?;
    }
    scores::fits(rules.numbers(), rules.battle().scale, &whole).is_ok().then_some(whole)
}

fn carry(
    rules: &Dog,
    army: &Army,
    view: &View,
    reckoning: &Reckoning,
    survivors: &[Survivor],
    wishes: &Wishes,
) -> Carried {
    let numbers = rules.numbers();
    let prisoners = view.own.iter().filter_map(|(id, unit)| {
        let captor = unit.captive?;
        Some(format!("{id}, {}, taken by {captor}", words::fighters(numbers, &unit.sorts)))
    });
    let unit = |unit: &Survivor| {
        format!("{}{}, {}", army.letter, unit.number, words::fighters(numbers, &unit.sorts))
    };
    let due = survivors.iter().flat_map(|unit| &unit.sorts);
    Carried {
        army: army.name.clone(),
        seat: army.seat.clone(),
        survivors: survivors.iter().map(unit).collect(),
        prisoners: prisoners.collect(),
        leadership: leadership_sum(rules, reckoning),
        loot: reckoning.loot,
        money: wishes.money.get(&army.seat).copied().unwrap_or(0).into(),
        unspent: 0,
        maintenance: scores::maintenance(numbers, due),
    }
}

fn write_army(
    file: &mut String,
    rules: &Dog,
    army: &Army,
    reckoning: &Reckoning,
    carried: &Carried,
    survivors: &[Survivor],
    zone: &[Hex],
) {
    let numbers = rules.numbers();
    // Writing to a `String` never fails.
    let _ = writeln!(file, "  - seat: {}", army.seat);
    line(file, 2, "letter", &army.letter.to_string());
    line(file, 2, "name", &quoted(&army.name));
    line(file, 2, "leader", &quoted(&army.leader));
    line(file, 2, "alliance", &quoted(&army.alliance));
    let _ = writeln!(file, "    # {}", carried.leadership);
    line(file, 2, "leadership", &reckoning.after.max(1).to_string());
    if !zone.is_empty() {
        let spans = rectangles(zone.iter().copied());
        write_list(file, 2, "zone", spans.into_iter().map(|(a, b)| format!("\"{a}-{b}\"")));
    }
    let Carried { loot, money, unspent, maintenance, .. } = carried;
    let _ = writeln!(
        file,
        "    # not spent {unspent}, loot {loot}, money besides {money}, maintenance due {maintenance}"
    );
    match carried.left() {
        0 => {
            if carried.owed() > 0 {
                let _ =
                    writeln!(file, "    # {} of it are owed: the GM says who is not paid", carried.owed());
            }
        }
        left => line(file, 2, "budget", &left.to_string()),
    }
    let hires = army.hires.iter().map(|troop| quoted(&numbers.troop(*troop).name));
    line(file, 2, "hires", &format!("[{}]", joined(hires, ", ")));
    line(file, 2, "elite", if army.elite { "true" } else { "false" });
    write_list(file, 2, "peoples", army.peoples.iter().map(ToString::to_string));
    for prisoner in &carried.prisoners {
        let _ = writeln!(file, "    # lost: {prisoner}");
    }
    if !survivors.is_empty() {
        file.push_str("    units:\n");
    }
    for unit in survivors {
        let name =
            if unit.name.is_empty() { String::new() } else { format!(", name: {}", quoted(&unit.name)) };
        let _ = match unit.sorts.as_slice() {
            [sort] => writeln!(file, "      - {{id: {}{name}, {}}}", unit.number, written(rules, sort)),
            sorts => {
                let each = joined(sorts.iter().map(|sort| format!("{{{}}}", written(rules, sort))), ", ");
                writeln!(file, "      - {{id: {}{name}, mixed: [{each}]}}", unit.number)
            }
        };
    }
}

/// A sort as a battle file writes it.
fn written(rules: &Dog, sort: &Sort) -> String {
    let numbers = rules.numbers();
    let troop = quoted(&numbers.troop(sort.troop).name);
    let elite = if sort.elite { ", elite: true" } else { "" };
    let crew = behind(", crew: ", sort.crew.map(|crew| quoted(&numbers.troop(crew).name)));
    let (people, size) = (behind(", people: ", sort.people), behind(", size: ", sort.size));
    format!("type: {troop}, fighters: {}{elite}{people}{crew}{size}", sort.fighters)
}

/// The field, with the changes of the battle if the next one is on the same field.
fn write_field(file: &mut String, rules: &Dog, battle: &Battle, view: &View, same: bool) {
    let numbers = rules.numbers();
    let field = &battle.field;
    let ground = |hex: Hex| {
        let changed = same.then(|| view.works.changed.get(&hex).copied()).flatten();
        changed.or_else(|| field.ground(hex))
    };
    file.push_str("field:\n  rows:\n");
    // Writing to a `String` never fails.
    for row in 1..=field.rows {
        let token = |ground: Ground| {
            format!("{}{:1}", numbers.cover(ground.terrain).sign, numbers.slope(ground.relief).sign.0)
        };
        let tokens = (1..=field.columns).filter_map(|col| ground(Hex::new(col, row))).map(token);
        let _ = writeln!(file, "    - {}", quoted(joined(tokens, " ").trim_end()));
    }
    let walls = field.hexes().filter_map(|hex| Some((hex, ground(hex)?.walls?.to_string())));
    write_map(file, "fortifications", walls);
    write_map(file, "places", field.places.iter().map(|(hex, name)| (*hex, quoted(name))));
    let bridges = if same { &view.works.bridges } else { &field.bridges };
    let hexes = bridges.iter().map(|hex| format!("\"{hex}\""));
    let crossings = if same { &view.works.crossings } else { &field.crossings };
    let sides = crossings.iter().map(|(a, b)| format!("\"{a}-{b}\""));
    write_list(file, 1, "bridges", hexes.chain(sides));
    let afloat: Vec<Hex> =
        if same { view.boats.iter().map(|(hex, _)| *hex).collect() } else { field.boats.clone() };
    // A boat on land has carried its men ashore: the GM puts it back into the water.
    let wet = |hex: &Hex| ground(*hex).is_some_and(|ground| numbers.cover(ground.terrain).is_water());
    let boats: BTreeSet<Hex> = afloat.into_iter().filter(wet).collect();
    write_list(file, 1, "boats", boats.iter().map(|hex| format!("\"{hex}\"")));
}

fn write_map(file: &mut String, key: &str, entries: impl Iterator<Item = (Hex, String)>) {
    let entries = joined(entries.map(|(hex, text)| format!("\"{hex}\": {text}")), ", ");
    if !entries.is_empty() {
        line(file, 1, key, &format!("{{{entries}}}"));
    }
}

fn write_list(file: &mut String, depth: usize, key: &str, entries: impl Iterator<Item = String>) {
    let entries = joined(entries, ", ");
    if !entries.is_empty() {
        line(file, depth, key, &format!("[{entries}]"));
    }
}

fn line(file: &mut String, depth: usize, key: &str, value: &str) {
    // Writing to a `String` never fails.
    let _ = writeln!(file, "{}{key}: {value}", "  ".repeat(depth));
}

/// A text in double quotes: what JSON writes, YAML reads.
fn quoted(text: &str) -> String {
    #[expect(clippy::expect_used, reason = "JSON has a form for every text")]
    serde_json::to_string(text).expect("a text")
}
