//! The data files of a game: opened, and named by each other.

use musterd_engine::alike::names;
use musterd_engine::files::RuleFiles;
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
