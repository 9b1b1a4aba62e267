use std::path::Path;

use clap::Args;
use serde::Serialize;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::HostError;
use musterd_desk::{Desk, Listing};
use musterd_engine::files::DataError;
use musterd_text::nouns::count;

/// List the scenarios that can be played
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd scenarios\n\n`musterd scenario show NAME --map` prints one.")]
pub(super) struct Scenarios {}

/// The complete list, for programs.
#[derive(Serialize)]
struct Listed<'a> {
    scenarios: &'a [Listing],
    /// Other files that scenarios and players can name: hire lists.
    stores: Vec<Stored<'a>>,
    /// The host's own files beside the scenarios that can't be used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unfit: Vec<Unfit>,
}

/// A file that can't be used.
#[derive(Serialize)]
struct Unfit {
    file: String,
    errors: Vec<DataError>,
}

impl Unfit {
    /// Maps, hire lists, files that can't be read, and files that belong to no ruleset.
    fn all(dir: &Path, desk: &Desk, faults: Vec<DataError>) -> Vec<Self> {
        let here = |file: String| {
            Path::new(&file).strip_prefix(dir).map(|it| it.display().to_string()).unwrap_or(file)
        };
        let unfit =
            desk.unfit().into_iter().map(|(path, errors)| Self { file: format!("games/{path}"), errors });
        let mut all: Vec<Self> = unfit.collect();
        for mut fault in faults {
            fault.file = here(fault.file);
            if !all.iter().any(|unfit| unfit.file == fault.file) {
                all.push(Self { file: fault.file.clone(), errors: vec![fault] });
            }
        }
        all.sort_by(|a, b| a.file.cmp(&b.file));
        all
    }
}

/// A hire list or the like.
#[derive(Serialize)]
struct Stored<'a> {
    id: &'a str,
    about: &'a str,
}

impl Scenarios {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let dir = global.dir();
        let (desk, faults) = super::shelf::desk(&dir);
        let unfit = Unfit::all(&dir, &desk, faults);
        let listings = desk.scenarios();
        let stores = desk.stores();
        if global.json {
            let stores = stores.iter().map(|(id, about)| Stored { id, about }).collect();
            output::json(&Listed { scenarios: &listings, stores, unfit });
            return Ok(Ended::Done);
        }
        let ids = listings.iter().map(|listing| &listing.id).chain(stores.iter().map(|(id, _)| id));
        let width = ids.map(String::len).max().unwrap_or(0);
        for listing in listings {
            if !listing.errors.is_empty() {
                let (id, errors) = (&listing.id, errors(&listing.errors));
                output::text(&format!(
                    "{id:width$}  can't be played, {errors}: see `musterd scenario check {id}`"
                ));
                tell_first(&listing.errors, width);
                continue;
            }
            let seats: Vec<&str> = listing.seats.iter().map(musterd_dice::Seat::as_str).collect();
            let (id, title, seats) = (&listing.id, &listing.title, seats.join(", "));
            output::text(&format!("{id:width$}  {title}\n{:width$}  seats: {seats}", ""));
        }
        if !stores.is_empty() {
            output::text("\nArmies and the like that scenarios and players can name:");
        }
        for (id, line) in stores {
            output::text(&format!("{id:width$}  {line}"));
        }
        if !unfit.is_empty() {
            output::text(
                "\nFiles of this host's own that can't be used; a scenario that names one can't be played:",
            );
        }
        for Unfit { file, errors } in unfit {
            let path = dir.join(&file);
            let path = path.strip_prefix(".").unwrap_or(&path).display();
            output::text(&format!("{file}  {}: see `musterd scenario check {path}`", self::errors(&errors)));
            tell_first(&errors, 0);
        }
        Ok(Ended::Done)
    }
}

/// The number of errors; a file that can't be read at all has one.
fn errors(errors: &[DataError]) -> String {
    count(errors.len().max(1), "error")
}

/// Prints the first error below the line of its file.
fn tell_first(errors: &[DataError], width: usize) {
    if let Some(first) = errors.first() {
        output::text(&format!("{:width$}  {first}", ""));
    }
}
