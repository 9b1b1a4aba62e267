//! The files of hire lists, read and checked.

use super::{Clerk, MOST_MONEY, ReadBattle};
use crate::battle::hire::{FOLDER, HireList, HireLists, UnfitLists};
use crate::model::Scale;
use crate::numbers::Numbers;
use crate::scores;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::yaml::{Node, Reader};

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
}

impl Clerk<'_> {
    fn hire_list(&mut self, tree: &Node, id: &str) -> Option<HireList> {
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

impl ReadBattle {
    /// Reads the hire lists and the battle.
    ///
    /// # Errors
    /// When the battle can't be read at all.
    pub(crate) fn with_lists(files: &RuleFiles, numbers: &Numbers) -> Result<(Self, HireLists), DataErrors> {
        let (lists, unfit) = HireList::load(files, numbers);
        Ok((Self::read(files, numbers, &lists, &unfit)?, lists))
    }
}
