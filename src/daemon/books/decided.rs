//! For which turn each mail was decided: `spool/decided.jsonl`, a line a mail and game, in the order of the decisions. It is asked
//! when a store was rebuilt from journals that are older than the spool (`held.rs`), and for nothing else: a mail that it doesn't
//! know of is read by somebody before it counts.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::HostError;
use musterd_desk::campaign::Juncture;
use musterd_dice::GameId;
use musterd_disk::{fault, regular};
use musterd_post::KeepError;

/// The file's name in a data directory.
pub(crate) const FILE: &str = "spool/decided.jsonl";

/// The longest line that is read, in bytes; ours have some 250.
const LONGEST: u64 = 4096;

/// Where a game stood when a mail was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decision {
    /// The mail's name in the spool.
    pub(crate) mail: String,
    /// For which game.
    pub(crate) game: GameId,
    /// When the mail counted as arrived, unix seconds.
    pub(crate) arrived: i64,
    /// Where the game stood.
    #[serde(flatten)]
    pub(crate) at: Juncture,
}

/// The file.
pub(crate) struct Decisions {
    path: PathBuf,
}

impl Decisions {
    pub(crate) fn new(dir: &Path) -> Self {
        Self { path: dir.join(FILE) }
    }

    /// Writes decisions before their mails leave `spool/new`. It is not synced: what a power cut takes away of it the journals have, and only
    /// both together would be missed.
    pub(crate) fn write(&self, decisions: &[Decision]) -> Result<(), HostError> {
        if decisions.is_empty() {
            return Ok(());
        }
        let mut lines = Vec::new();
        for decision in decisions {
            // The line feed comes first: so a line that a full disk or a power cut has left half is closed by the next.
            lines.push(b'\n');
            let written = serde_json::to_writer(&mut lines, decision);
            written.map_err(|e| HostError::io(&self.path, e.into()))?;
        }
        let written =
            fault::point("spool.decided").and_then(|()| regular::append(&self.path)?.write_all(&lines));
        written.map_err(|e| match e.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                KeepError::DiskFull(self.path.clone()).into()
            }
            _ => HostError::io(&self.path, e),
        })
    }
}

/// The decisions about one mail, by game, each with its place among all.
pub(crate) type OfMail = BTreeMap<GameId, (u64, Decision)>;

/// The decisions about some mails; of several about the same mail and game the last.
pub(crate) fn read(dir: &Path, wanted: impl Fn(&str) -> bool) -> Result<BTreeMap<String, OfMail>, HostError> {
    let path = dir.join(FILE);
    let mut found: BTreeMap<String, OfMail> = BTreeMap::new();
    let file = match regular::open_unlinked(&path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(found),
        other => other.map_err(|e| HostError::io(&path, e))?,
    };
    let mut file = BufReader::new(file);
    let mut line = Vec::new();
    for place in 0.. {
        line.clear();
        let read = file.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        if read.map_err(|e| HostError::io(&path, e))? == 0 {
            break;
        }
        // What can't be read is no decision: its mail is of unknown destiny then.
        let Ok(decision) = serde_json::from_slice::<Decision>(&line) else { continue };
        if wanted(&decision.mail) {
            let games = found.entry(decision.mail.clone()).or_default();
            games.insert(decision.game.clone(), (place, decision));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use musterd_desk::campaign::Phase;
    use musterd_dice::Digest;

    #[test]
    fn the_last_decision_counts_and_half_a_line_costs_only_itself() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("spool")).unwrap();
        assert!(read(dir.path(), |_| true).unwrap().is_empty());
        let decision = |mail: &str, t| {
            let at = Juncture { t, phase: Phase::Open, course: Digest::of(b"course") };
            Decision { mail: mail.to_owned(), game: "alpha".parse().unwrap(), arrived: 7, at }
        };
        let decisions = Decisions::new(dir.path());
        decisions.write(&[("a", 1), ("b", 1), ("a", 2)].map(|(mail, t)| decision(mail, t))).unwrap();
        let whole = std::fs::read(dir.path().join(FILE)).unwrap();
        for cut in 0..whole.len() {
            std::fs::write(dir.path().join(FILE), &whole[..cut]).unwrap();
            decisions.write(&[decision("c", 3)]).unwrap();
            let found = read(dir.path(), |mail| mail != "b").unwrap();
            let t = |mail: &str| found.get(mail).map(|games| games.values().next().unwrap().1.at.t);
            assert_eq!((t("b"), t("c")), (None, Some(3)), "cut at {cut}");
            assert!(matches!(t("a"), None | Some(1)), "cut at {cut}: the last line was never whole");
        }
        std::fs::write(dir.path().join(FILE), &whole).unwrap();
        let found = read(dir.path(), |_| true).unwrap();
        assert_eq!(found["a"].values().next().unwrap(), &(3, decision("a", 2)));
        assert_eq!(found.len(), 2);
    }
}
