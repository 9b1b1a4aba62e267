//! Hire lists: ready-made armies for a budget, in files of their own (`hire/NAME.yaml`). A battle file gives one to an army; a leader with money
//! hires one by mail.

use std::collections::BTreeMap;

use crate::model::{Scale, Sort, UnitId};
use crate::numbers::Numbers;
use crate::scores;
use musterd_engine::files::DataErrors;

/// Where hire lists stand among a game's files.
pub(super) const FOLDER: &str = "hire/";

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

/// The faults of hire lists that can't be used, by name. A faulty list affects only battles that name it.
pub type UnfitLists = BTreeMap<String, DataErrors>;

impl HireList {
    /// The list under these names, in any case.
    pub fn find<'a>(lists: &'a HireLists, name: &str) -> Option<&'a Self> {
        lists.values().find(|list| list.id.eq_ignore_ascii_case(name))
    }

    /// Its file under `games/dog/`, without the ending.
    pub fn path(&self) -> String {
        format!("{FOLDER}{}", self.id)
    }

    /// What all of it costs to hire.
    pub fn price(&self, numbers: &Numbers) -> u64 {
        scores::hire(numbers, self.sorts())
    }

    /// The ego of all of it.
    pub fn ego(&self, numbers: &Numbers) -> u64 {
        scores::ego(numbers, self.sorts())
    }

    fn sorts(&self) -> impl Iterator<Item = &Sort> {
        self.units.iter().flat_map(|(_, sorts)| sorts)
    }

    /// In a line: title, scale, units, price, ego.
    pub fn in_short(&self, numbers: &Numbers) -> String {
        let (scale, units) = (self.scale, self.units.len());
        format!(
            "{} ({scale}; {units} units for {}, ego {})",
            self.title,
            self.price(numbers),
            self.ego(numbers)
        )
    }

    /// Its units with numbers from `first` on, without numbers that are taken. Fewer units if the numbers run out.
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
