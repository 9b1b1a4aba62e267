//! Unit records before the battle, checked in the order of the lines: money, room, places (manual 4.1). The reader of orders and the rules use the
//! same roster, so that a receipt shows what will count.

use std::collections::{BTreeMap, BTreeSet};

use super::battle::hire::HireList;
use super::battle::{Army, UnitSpec, Works};
use super::data::Dog;
use super::model::{Sort, UnitId, Waiting};
use super::order::Record;
use super::scores;
use super::view::View;
use musterd_engine::hex::Hex;

/// An army's unit records.
#[derive(Clone)]
pub(super) struct Roster<'a> {
    rules: &'a Dog,
    pub(super) army: &'a Army,
    /// What is known of the field before the records count.
    view: &'a View,
    /// Units that the records can only place: the battle file's, or those that clashed.
    fixed: BTreeMap<UnitId, Waiting>,
    /// Hexes where no more units can be put.
    taken: BTreeSet<Hex>,
    /// The recorded units, in order.
    recorded: Vec<Waiting>,
    /// Units that were hired without a place: they are among the fixed ones from then on.
    hired: BTreeSet<UnitId>,
    /// Money left; `None` if nothing is for hire.
    money: Option<u64>,
}

impl<'a> Roster<'a> {
    /// The roster of a leader's army, nothing recorded yet; `None` for a seat that leads none.
    pub(super) fn of(rules: &'a Dog, view: &'a View) -> Option<Self> {
        let army = rules.battle().army(view.army?);
        let listed = |spec: &UnitSpec| Waiting {
            unit: spec.id,
            name: spec.name.clone(),
            sorts: spec.sorts.clone(),
            at: spec.at.unwrap_or(NOWHERE),
            hidden: spec.hidden,
        };
        let fixed: Vec<Waiting> = match view.again {
            true => view.waiting.clone(),
            false => army.units.iter().filter(|spec| !view.own.contains_key(&spec.id)).map(listed).collect(),
        };
        Some(Self {
            rules,
            army,
            view,
            fixed: fixed.into_iter().map(|unit| (unit.unit, unit)).collect(),
            taken: view.taken(),
            recorded: Vec::new(),
            hired: BTreeSet::new(),
            money: army.budget.map(u64::from).filter(|_| !view.again),
        })
    }

    /// Money left to hire with; `None` if nothing is for hire.
    pub(super) const fn money(&self) -> Option<u64> {
        self.money
    }

    /// Whether the army has to hire and nobody was hired.
    pub(super) fn is_nobody(&self) -> bool {
        self.fixed.is_empty() && self.recorded.is_empty() && self.money.is_some()
    }

    /// Takes a record.
    ///
    /// # Errors
    /// Why it can't count, in words; nothing changes then.
    pub(super) fn take(&mut self, record: &Record) -> Result<(), String> {
        let id = record.unit;
        if self.recorded.iter().any(|unit| unit.unit == id) {
            return Err(format!("{id} has a record already: one is enough"));
        }
        let (name, sorts, hidden, price) = match self.fixed.get(&id) {
            Some(unit) => {
                if !record.sorts.is_empty() && (record.sorts != unit.sorts || self.hired.contains(&id)) {
                    let has =
                        if self.hired.contains(&id) { "is hired already" } else { "is as the battle has it" };
                    let at = self
                        .room_for(&unit.sorts)
                        .map_or_else(String::new, |at| format!(", such as UNIT {id} AT {at}"));
                    return Err(format!("{id} {has}: give its place only{at}"));
                }
                let hidden = record.hidden || (unit.hidden && record.at.is_none());
                (record.name.clone().unwrap_or_else(|| unit.name.clone()), unit.sorts.clone(), hidden, 0)
            }
            None => {
                let money =
                    self.money.ok_or_else(|| format!("{} has no unit {id} to place", self.army.name))?;
                if self.view.own.contains_key(&id) {
                    return Err(format!("{id} is on the field already: write another number"));
                }
                self.may_hire(&record.sorts)?;
                let price = scores::hire(self.rules.numbers(), &record.sorts);
                if price > money {
                    return Err(format!("it costs {price}, and {money} of {} are left", self.budget()));
                }
                let name = record.name.clone().unwrap_or_default();
                if record.at.is_none() {
                    // Its place may be told by a later record; else it is found when all others have theirs.
                    self.room_for(&record.sorts).ok_or("there is no room for it where the army may start")?;
                    self.money = Some(money - price);
                    self.hired.insert(id);
                    let (sorts, at, hidden) = (record.sorts.clone(), NOWHERE, record.hidden);
                    self.fixed.insert(id, Waiting { unit: id, name, sorts, at, hidden });
                    return Ok(());
                }
                (name, record.sorts.clone(), record.hidden, price)
            }
        };
        let wanted =
            record.at.or_else(|| self.fixed.get(&id).map(|unit| unit.at)).filter(|hex| *hex != NOWHERE);
        let at = match wanted {
            Some(hex) => {
                self.may_place(&sorts, hex)?;
                hex
            }
            None => self.room_for(&sorts).ok_or("there is no room for it where the army may start")?,
        };
        self.money = self.money.map(|money| money - price);
        self.taken.insert(at);
        self.fixed.remove(&id);
        self.recorded.push(Waiting { unit: id, name, sorts, at, hidden });
        Ok(())
    }

    /// All units that take the field: the recorded ones, and the rest of the fixed units, put where there is room.
    pub(super) fn finish(mut self) -> Vec<Waiting> {
        let rest: Vec<UnitId> = self.fixed.keys().copied().collect();
        for id in rest {
            let record = Record::of(id);
            let own = self.fixed.get(&id).cloned();
            if self.take(&record).is_ok() {
                continue;
            }
            // Its own place is taken: anywhere.
            if let Some(mut unit) = own
                && let Some(at) = self.room_for(&unit.sorts)
            {
                unit.at = at;
                self.taken.insert(at);
                self.recorded.push(unit);
            }
        }
        self.recorded
    }

    /// The places of all units if no more records follow, and a roster for further hires.
    pub(super) fn settled(self) -> (Vec<Waiting>, Self) {
        let mut open = self.clone();
        let placed = self.finish();
        for unit in &placed {
            // A unit that has a place keeps it. Whoever is hired stands elsewhere.
            let _ = open.take(&Record { at: Some(unit.at), hidden: unit.hidden, ..Record::of(unit.unit) });
        }
        (placed, open)
    }

    /// A record for a unit that the remaining money can hire: the cheapest fighters, in the first free hex; `None` if there is no such unit.
    pub(super) fn example(&self) -> Option<Record> {
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let money = self.money?;
        let known = |id: &UnitId| {
            self.fixed.contains_key(id)
                || self.view.own.contains_key(id)
                || self.recorded.iter().any(|unit| unit.unit == *id)
        };
        let unit =
            (1..=UnitId::MOST).map(|number| UnitId::new(self.army.letter, number)).find(|id| !known(id))?;
        let mut cheapest = self.army.hires.clone();
        cheapest.sort_by_key(|troop| numbers.troop(*troop).hire);
        cheapest.into_iter().find_map(|troop| {
            let kind = numbers.troop(troop);
            let size = (kind.size.least < kind.size.most).then_some(kind.size.least);
            let mut sort = Sort { size, ..Sort::of(troop, 1) };
            let affordable = money / scores::hire(numbers, [&sort]).max(1);
            let most = scores::capacity(numbers, scale, &sort).min(EXAMPLE);
            sort.fighters = u16::try_from(affordable).unwrap_or(most).min(most);
            let sorts = vec![sort];
            self.may_hire(&sorts).ok()?;
            Some(Record { at: Some(self.room_for(&sorts)?), sorts, ..Record::of(unit) })
        })
    }

    /// The hire lists that the money left can have whole, in their order.
    pub(super) fn lists(&self) -> Vec<&'a HireList> {
        let fits = |list: &&HireList| {
            let mut trial = self.clone();
            let mut taken = 0;
            for (unit, _, sorts) in list.numbered(self.army.letter, 1, |id| self.fixed.contains_key(&id)) {
                let record = Record { sorts: sorts.to_vec(), ..Record::of(unit) };
                taken += usize::from(trial.take(&record).is_ok());
            }
            taken == list.units.len()
        };
        match self.money {
            Some(_) => self.rules.lists().values().filter(fits).collect(),
            None => Vec::new(),
        }
    }

    fn budget(&self) -> u32 {
        self.army.budget.unwrap_or(0)
    }

    /// Whether the army can hire such fighters, and as one unit.
    fn may_hire(&self, sorts: &[Sort]) -> Result<(), String> {
        let (numbers, battle) = (self.rules.numbers(), self.rules.battle());
        for sort in sorts {
            let troop = numbers.troop(sort.troop);
            scores::sense(numbers, sort)?;
            if !self.army.hires.contains(&sort.troop) {
                return Err(format!("no {} are for hire here", troop.name));
            }
            if sort.crew.is_some_and(|crew| !self.army.hires.contains(&crew)) {
                return Err("no such crew is for hire here".to_owned());
            }
            if sort.elite && !self.army.elite {
                return Err("no elite troops are for hire here".to_owned());
            }
            if let Some(people) = sort.people
                && !troop.any_people
                && !self.army.peoples.contains(&people)
            {
                return Err(format!("{} of the {people} people are not to be had here (DOG-6)", troop.name));
            }
        }
        scores::fits(numbers, battle.scale, sorts)
    }

    fn may_place(&self, sorts: &[Sort], hex: Hex) -> Result<(), String> {
        if !self.army.zone.contains(hex) {
            let zone = self.army.starts_in(&self.rules.battle().field);
            return Err(format!("{} may not start in {hex}: in {zone}", self.army.name));
        }
        if self.taken.contains(&hex) {
            return Err(format!("{hex} is taken: a hex holds one unit (manual 1)"));
        }
        may_start(self.rules, &self.view.works, sorts, hex)
    }

    /// The first free hex of the zone for a unit that was given no place.
    pub(super) fn room_for(&self, sorts: &[Sort]) -> Option<Hex> {
        let field = &self.rules.battle().field;
        field.hexes().find(|hex| self.may_place(sorts, *hex).is_ok())
    }
}

/// Fighters at most of the unit that an order form gives as an example.
const EXAMPLE: u16 = 10;

/// No hex of any field.
const NOWHERE: Hex = Hex::new(0, 0);

/// Whether a unit may start in a hex of the field.
///
/// # Errors
/// Why not, in words.
pub(super) fn may_start(rules: &Dog, works: &Works, sorts: &[Sort], hex: Hex) -> Result<(), String> {
    let battle = rules.battle();
    let ground = works.ground(&battle.field, hex).ok_or_else(|| format!("{hex} is off the field"))?;
    scores::may_stand(rules.numbers(), battle.switches, sorts, ground, works.bridges.contains(&hex))
}
