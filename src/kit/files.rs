//! The data files of a game: opened, named by each other, and examined.

use musterd_engine::Examination;
use musterd_engine::alike::names;
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::yaml::{Reader, short};

use crate::data::{At, Data, Range, read_draft};

/// Opens a file and reads it for further checks, whose faults the reader takes too. A file that is missing or no YAML has its fault in the reader and gives
/// nothing. As an [`At`] it has the place where it begins.
#[must_use]
pub fn open<T: Data>(files: &RuleFiles, path: &str, range: &Range) -> (Reader, Option<T>) {
    let mut reader = Reader::new(path);
    let draft = match files.tree(path) {
        Ok(tree) => read_draft(&mut reader, &tree, range),
        Err(errors) => {
            reader.errors = errors.0;
            None
        }
    };
    (reader, draft)
}

/// The path of the file of a folder that another file names. One that isn't there is noted.
pub fn named(reader: &mut Reader, files: &RuleFiles, folder: &str, name: &At<String>) -> Option<String> {
    let text = name.known()?;
    let path = format!("{folder}/{text}.yaml");
    if files.0.contains_key(&path) {
        return Some(path);
    }
    let known = files.0.keys().filter_map(|path| path.strip_prefix(folder)?.strip_prefix('/'));
    let known = names(text, known.filter_map(|name| name.strip_suffix(".yaml")));
    reader.fault(name.at, format!("there is no file `{}` in `{folder}`; {known}", short(text)));
    None
}

/// Notes that a file is not called as it says.
pub fn check_name(reader: &mut Reader, path: &str, id: &At<String>) {
    let name = path.rsplit('/').next().and_then(|name| name.strip_suffix(".yaml")).unwrap_or(path);
    if id.known().is_some_and(|id| id != name) {
        reader.fault(
            id.at,
            format!("`id` is `{}`, and the file's name is `{name}`: make them one", short(&id.value)),
        );
    }
}

/// What was found in a scenario or another file, and in the files that it names.
#[derive(Debug, Default)]
pub struct Found {
    /// What a scenario calls itself.
    pub id: Option<At<String>>,
    /// All faults: if there are some, what was read can't be used.
    pub errors: Vec<DataError>,
    /// All that is doubtful.
    pub warnings: Vec<DataError>,
}

impl From<Reader> for Found {
    fn from(reader: Reader) -> Self {
        Self { id: None, errors: reader.errors, warnings: reader.warnings }
    }
}

impl Found {
    /// The same in the order of the file.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        self.errors.sort_by_key(|fault| fault.at);
        self.warnings.sort_by_key(|doubt| doubt.at);
        self
    }

    /// Adds what was found in another file.
    pub fn add(&mut self, other: impl Into<Self>) {
        let other = other.into();
        self.errors.extend(other.errors);
        self.warnings.extend(other.warnings);
    }

    /// What was read, if it can be used.
    ///
    /// # Errors
    /// All faults.
    pub fn usable<T>(self, read: Option<T>) -> Result<T, DataErrors> {
        read.filter(|_| self.errors.is_empty()).ok_or(DataErrors(self.errors))
    }

    /// The examination of the author's `file`, under whose name the scenario's faults are told.
    #[must_use]
    pub fn examined(self, file: &str) -> Examination {
        let Self { id, errors, warnings } = self;
        let mut found = Examination { errors, warnings, ..Examination::default() };
        if let Some(id) = id.filter(|id| id.known().is_some()) {
            found.name(file, &id.value, id.at);
        }
        found.of_file(file)
    }
}

#[cfg(test)]
mod tests {
    use musterd_engine::yaml::LineColumn;

    use super::*;

    fn reader(file: &str, lines: &[usize]) -> Reader {
        let mut reader = Reader::new(file);
        for line in lines {
            let at = LineColumn { line: *line, column: 1 };
            reader.fault(at, "a fault");
            reader.doubt(at, "a doubt");
        }
        reader
    }

    fn told(found: &[DataError]) -> Vec<String> {
        found.iter().map(|one| format!("{}:{}", one.file, one.at.line)).collect()
    }

    #[test]
    fn a_scenarios_faults_are_told_in_order_of_its_own_file_and_before_those_of_others() {
        let mut found = Found::from(reader("scenario.yaml", &[7, 2])).in_order();
        found.add(reader("maps/x.yaml", &[9, 1]));
        let at = LineColumn { line: 1, column: 5 };
        found.id = Some(At { at, first: at, value: "other".to_owned() });
        let expected = ["scenarios/own.yaml:2", "scenarios/own.yaml:7", "maps/x.yaml:9", "maps/x.yaml:1"];
        let examined = found.examined("scenarios/own.yaml");
        assert_eq!(told(&examined.errors), expected);
        assert_eq!(told(&examined.warnings), [&expected[..], &["scenarios/own.yaml:1"]].concat());
    }

    #[test]
    fn what_is_read_with_a_fault_or_not_at_all_can_not_be_used() {
        assert_eq!(Found::from(reader("f", &[])).usable(Some(1)).ok(), Some(1));
        let errors = Found::from(reader("f", &[3])).usable(Some(1)).unwrap_err();
        assert_eq!(told(&errors.0), ["f:3"]);
        assert!(Found::default().usable(None::<u8>).is_err());
    }
}
