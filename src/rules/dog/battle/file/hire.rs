//! The files of hire lists, read and checked.

use std::collections::BTreeMap;

use super::Clerk;
use crate::battle::declared::HireFile;
use crate::battle::hire::{FOLDER, HireList, HireLists, UnfitLists};
use crate::numbers::Numbers;
use crate::scores;
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_kit::data::{ANY, At};
use musterd_kit::files::open;

impl HireList {
    /// Reads every hire list among the files: those that can be used, and what is wrong with the others.
    pub fn load(files: &RuleFiles, numbers: &Numbers) -> (HireLists, UnfitLists) {
        let (mut lists, mut unfit) = (HireLists::new(), UnfitLists::new());
        for path in files.0.keys() {
            let Some(id) = path.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".yaml")) else {
                continue;
            };
            match Self::read(files, numbers, path, id).0 {
                Ok(list) => _ = lists.insert(id.to_owned(), list),
                Err(errors) => _ = unfit.insert(id.to_owned(), errors),
            }
        }
        (lists, unfit)
    }

    /// The faults of a list that games go on with which were founded with it.
    pub(crate) fn late(files: &RuleFiles, numbers: &Numbers, id: &str) -> Vec<DataError> {
        Self::read(files, numbers, &format!("{FOLDER}{id}.yaml"), id).1
    }

    /// A list, if it can be used, and the faults that games go on with.
    fn read(
        files: &RuleFiles,
        numbers: &Numbers,
        path: &str,
        id: &str,
    ) -> (Result<Self, DataErrors>, Vec<DataError>) {
        let (mut reader, file) = open::<HireFile>(files, path, &ANY);
        let (lists, unfit) = (&HireLists::new(), &UnfitLists::new());
        let mut clerk = Clerk::new(&mut reader, numbers, (lists, unfit));
        let list = file.map(|file| clerk.hire_list(file, id));
        let late = clerk.late_faults(path);
        (list.filter(|_| reader.errors.is_empty()).ok_or(DataErrors(reader.errors)), late)
    }
}

impl Clerk<'_> {
    fn hire_list(&mut self, file: HireFile, id: &str) -> HireList {
        if file.id.known().is_some_and(|own| own != id) {
            self.reader.fault(file.id.at, format!("its `id` has to be `{id}`, as the file is called"));
        }
        let scale = file.scale.known().copied();
        let mut whole = file.units.known().is_some();
        let mut units = Vec::new();
        let mut named = BTreeMap::new();
        for At { at, value: line, .. } in file.units.value {
            self.name(&line.name, at, &mut named);
            let (sorts, exact) = match at.line {
                0 => (Vec::new(), false),
                _ => self.sorts(at, line.sorts, scale),
            };
            whole &= exact;
            if let Some(scale) = scale.filter(|_| exact)
                && let Err(reason) = scores::fits(self.numbers, scale, &sorts)
            {
                self.reader.fault(at, reason);
            }
            units.push((line.name, sorts));
        }
        let (budget, leadership) = (file.budget.value, file.leadership.value);
        let (title, scale) = (file.title, file.scale.value);
        let list = HireList { id: id.to_owned(), title, scale, budget, leadership, units };
        for (what, sum, most) in [
            ("hire", list.price(self.numbers), &file.budget),
            ("ego", list.ego(self.numbers), &file.leadership),
        ] {
            // What is known of its units can be too much already.
            if let Some(known) = most.known().filter(|known| sum > u64::from(**known)) {
                let least = if whole { "" } else { "at least " };
                self.reader.fault(
                    most.at,
                    format!("its {what} is {least}{sum}, more than the {known} that it is for"),
                );
            }
        }
        list
    }
}

/// Whether a battle that can't be read is a hire list in the wrong folder: as one it has fewer faults.
pub(crate) fn is_hire_list(files: &RuleFiles, faults: usize) -> bool {
    let (reader, file) = open::<HireFile>(files, super::FILE, &ANY);
    file.is_some_and(|file| file.units.known().is_some()) && reader.errors.len() < faults
}
