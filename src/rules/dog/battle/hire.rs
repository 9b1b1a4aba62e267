//! Hire lists: armies that somebody put together for a budget, in files of their own (`hire/NAME.yaml`). A battle file gives one to an army;
//! a leader with money hires one by mail.

use std::collections::BTreeMap;

use super::Draft;
use super::file::{Clerk, MOST_MONEY};
use crate::model::{Scale, Sort, UnitId};
use crate::numbers::Numbers;
use crate::scores;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::yaml::Reader;

/// Where hire lists stand among a game's files.
const FOLDER: &str = "hire/";

/// An army for hire, ready made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HireList {
    /// What battle files and leaders call it: `legion-500`, as its file is called.
    pub id: String,
    /// What it is: `A legion`.
    pub title: String,
    /// The scale that its units are made for.
    pub scale: Scale,
    /// The money that it was put together for; all of it together costs no more.
    pub budget: u32,
    /// The leadership that holds it.
    pub leadership: u32,
    /// Its units, each with its name.
    pub units: Vec<(String, Vec<Sort>)>,
}

/// The hire lists of a game, by name.
pub type HireLists = BTreeMap<String, HireList>;

/// What is wrong with the hire lists that can't be used, by name: only what names one is spoilt by it.
pub type UnfitLists = BTreeMap<String, DataErrors>;

impl HireList {
    /// Reads every hire list among the files: those that can be used, and what is wrong with the others.
    #[must_use]
    pub fn load(files: &RuleFiles, numbers: &Numbers) -> (HireLists, UnfitLists) {
        let (mut lists, mut unfit) = (HireLists::new(), UnfitLists::new());
        for path in files.0.keys() {
            let Some(id) = path.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".yaml")) else {
                continue;
            };
            match Self::read(files, numbers, path, id) {
                Ok(list) => _ = lists.insert(id.to_owned(), list),
                Err(errors) => _ = unfit.insert(id.to_owned(), errors),
            }
        }
        (lists, unfit)
    }

    fn read(files: &RuleFiles, numbers: &Numbers, path: &str, id: &str) -> Result<Self, DataErrors> {
        let tree = files.tree(path)?;
        let mut reader = Reader::new(path);
        let (lists, unfit) = (&HireLists::new(), &UnfitLists::new());
        let list = Clerk { reader: &mut reader, numbers, lists, unfit }.hire_list(&tree, id);
        list.filter(|_| reader.errors.is_empty()).ok_or(DataErrors(reader.errors))
    }

    /// The list under these names, in any case.
    #[must_use]
    pub fn find<'a>(lists: &'a HireLists, name: &str) -> Option<&'a Self> {
        lists.values().find(|list| list.id.eq_ignore_ascii_case(name))
    }

    /// Its file under `games/dog/`, without the ending.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{FOLDER}{}", self.id)
    }

    /// What all of it costs to hire.
    #[must_use]
    pub fn price(&self, numbers: &Numbers) -> u64 {
        self.sum(|sort| scores::hire(numbers, sort))
    }

    /// The ego of all of it.
    #[must_use]
    pub fn ego(&self, numbers: &Numbers) -> u64 {
        self.sum(|sort| scores::ego(numbers, sort))
    }

    fn sum(&self, of: impl Fn(&Sort) -> u64) -> u64 {
        self.units.iter().flat_map(|(_, sorts)| sorts).map(of).sum()
    }

    /// In a line: title, scale, units, price, ego.
    #[must_use]
    pub fn in_short(&self, numbers: &Numbers) -> String {
        let (scale, units) = (self.scale, self.units.len());
        format!(
            "{} ({scale}; {units} units for {}, ego {})",
            self.title,
            self.price(numbers),
            self.ego(numbers)
        )
    }

    /// Its units with numbers from `first` on, those left out that are taken. Fewer where the numbers run out.
    pub fn numbered<'a>(
        &'a self,
        letter: char,
        first: u8,
        taken: impl Fn(UnitId) -> bool + 'a,
    ) -> impl Iterator<Item = (UnitId, &'a str, &'a [Sort])> + 'a {
        let free = (first..=UnitId::MOST).map(move |number| UnitId::new(letter, number));
        let free = free.filter(move |id| !taken(*id));
        free.zip(&self.units).map(|(id, (name, sorts))| (id, name.as_str(), sorts.as_slice()))
    }
}

impl Clerk<'_> {
    fn hire_list(&mut self, tree: &musterd_engine::yaml::Node, id: &str) -> Option<HireList> {
        const KEYS: &[&str] = &["id", "title", "scale", "budget", "leadership", "units"];
        let fields = self.reader.fields(tree, "a hire list", KEYS);
        if self.needed(&fields, "id") != id {
            self.reader.fault(tree.at, format!("its `id` has to be `{id}`, as the file is called"));
        }
        let title = self.needed(&fields, "title");
        let scale = fields.need(self.reader, "scale");
        let scale: Scale = scale.and_then(|node| self.reader.word(node, "scale", &Scale::WORDS))?;
        let mut amount = |key| {
            let node = fields.need(self.reader, key);
            node.and_then(|node| self.reader.number(node, key, 1..=MOST_MONEY))
        };
        let (budget, leadership) = (amount("budget")?, amount("leadership")?);
        let mut units = Vec::new();
        for node in
            fields.need(self.reader, "units").map_or(&[][..], |node| self.reader.list(node, "the units"))
        {
            const KEYS: &[&str] = &["name", "type", "fighters", "elite", "people", "crew", "size", "mixed"];
            let fields = self.reader.fields(node, "a unit", KEYS);
            let name = self.optional(&fields, "name");
            let sorts = self.sorts(&fields, scale);
            if let Err(reason) = scores::fits(self.numbers, scale, &sorts) {
                self.reader.fault(node.at, reason);
            }
            units.push((name, sorts));
        }
        let list = HireList { id: id.to_owned(), title, scale, budget, leadership, units };
        for (what, sum, most) in
            [("hire", list.price(self.numbers), budget), ("ego", list.ego(self.numbers), leadership)]
        {
            if sum > u64::from(most) {
                self.reader
                    .fault(tree.at, format!("its {what} is {sum}, more than the {most} that it is for"));
            }
        }
        Some(list)
    }
}

impl Draft {
    /// Reads the hire lists and the battle.
    ///
    /// # Errors
    /// When the battle can't be read at all.
    pub(crate) fn with_lists(files: &RuleFiles, numbers: &Numbers) -> Result<(Self, HireLists), DataErrors> {
        let (lists, unfit) = HireList::load(files, numbers);
        Ok((Self::read(files, numbers, &lists, &unfit)?, lists))
    }
}
