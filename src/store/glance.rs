//! What a data directory holds, at a glance: read from its mirror journals, without its lock and without its database. For what must not wait for
//! a daemon and must disturb none, such as a shell that completes a word. A game that is being founded at the moment may be missing.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use super::layout::Layout;
use super::line;
use musterd_disk::regular;
use musterd_engine::GameId;
use musterd_engine::journal::{Cause, Charter, Entry};

/// The longest first line that is read, in bytes. It holds the founding and the invitations.
const LONGEST: u64 = 16 << 20;

/// The games that have a journal in this data directory, by name; none where it can't be read.
pub fn games(dir: &Path) -> Vec<GameId> {
    let names = Layout::new(dir).mirror_names().unwrap_or_default();
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

/// A game as it was founded; `None` where its journal can't be read or doesn't begin with a founding.
pub fn charter(dir: &Path, game: &GameId) -> Option<Charter> {
    let file = regular::open_unlinked(&Layout::new(dir).mirror(game.as_str())).ok()?;
    let mut bytes = Vec::new();
    BufReader::new(file).take(LONGEST).read_until(b'\n', &mut bytes).ok()?;
    let first = line::read(&bytes).ok()?;
    let entry: Entry = serde_json::from_str(first.entries.first()?.get()).ok()?;
    match entry.cause {
        Cause::Founded { charter, .. } => Some(*charter),
        _ => None,
    }
}
