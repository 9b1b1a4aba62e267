use clap::Args;
use serde::Serialize;

use super::{Ended, Global, output};
use crate::daemon::HostError;
use crate::desk::Listing;
use crate::nouns::count;

/// List the scenarios that can be played
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd scenarios\n\n`musterd scenario show NAME --map` prints one.")]
pub(super) struct Scenarios {}

/// All that there is, for programs.
#[derive(Serialize)]
struct Listed<'a> {
    scenarios: &'a [Listing],
    /// What else scenarios and players can name: hire lists.
    stores: Vec<Stored<'a>>,
}

/// A hire list or the like.
#[derive(Serialize)]
struct Stored<'a> {
    id: &'a str,
    about: &'a str,
}

impl Scenarios {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let desk = super::desk(&global.dir())?;
        let listings = desk.scenarios();
        let stores = desk.stores();
        if global.json {
            let stores = stores.iter().map(|(id, about)| Stored { id, about }).collect();
            output::json(&Listed { scenarios: &listings, stores });
            return Ok(Ended::Done);
        }
        let ids = listings.iter().map(|listing| &listing.id).chain(stores.iter().map(|(id, _)| id));
        let width = ids.map(String::len).max().unwrap_or(0);
        for listing in listings {
            if !listing.errors.is_empty() {
                let (id, errors) = (&listing.id, count(listing.errors.len(), "error"));
                output::text(&format!(
                    "{id:width$}  can't be played, {errors}: see `musterd scenario check {id}`"
                ));
                continue;
            }
            let seats: Vec<&str> = listing.seats.iter().map(crate::dice::Seat::as_str).collect();
            let (id, title, seats) = (&listing.id, &listing.title, seats.join(", "));
            output::text(&format!("{id:width$}  {title}\n{:width$}  seats: {seats}", ""));
        }
        if !stores.is_empty() {
            output::text("\nArmies and the like that scenarios and players can name:");
        }
        for (id, line) in stores {
            output::text(&format!("{id:width$}  {line}"));
        }
        Ok(Ended::Done)
    }
}
