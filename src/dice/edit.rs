//! What a game master changes by hand in what a seat is told, before it is mailed (dice.md, "What was told").

use serde::{Deserialize, Serialize};

use crate::hash::{Digest, hash, keyed};
use crate::ids::{GameId, Seat};
use crate::secret::Secret;

/// A change of one line that a seat is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineEdit {
    /// The adjudication that it is told of.
    pub t: u32,
    /// To whom.
    pub seat: Seat,
    /// The line as the program makes it.
    pub line: String,
    /// Which of the lines with this text, from 0.
    pub nth: u32,
    /// What becomes of it.
    pub change: LineChange,
}

/// What becomes of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineChange {
    /// It isn't told.
    Struck,
    /// These words are told in its place.
    Reworded(String),
    /// These words are told behind it.
    Added(String),
    /// It is told as the program makes it: what was done to it before counts no more.
    Restored,
}

impl LineChange {
    /// Its word, and the game master's words.
    fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::Struck => ("struck", ""),
            Self::Reworded(words) => ("reworded", words),
            Self::Added(words) => ("added", words),
            Self::Restored => ("restored", ""),
        }
    }
}

impl LineEdit {
    /// The commitment to it, the `n`th of the game from 0: `H("edit", game, t, n, F(s_t, "editblind", game, t, n), seat, line, nth, change, words)`. The
    /// log contains it as a `gm` entry.
    #[must_use]
    pub fn commit(&self, secret: &Secret, game: &GameId, n: usize) -> Digest {
        let (t, n, nth) = (self.t.to_string(), n.to_string(), self.nth.to_string());
        let place = [game.as_str().as_bytes(), t.as_bytes(), n.as_bytes()];
        let blind = keyed(secret.as_bytes(), "editblind", &place);
        let (change, words) = self.change.parts();
        let what = [self.seat.as_str(), self.line.as_str(), nth.as_str(), change, words].map(str::as_bytes);
        hash("edit", &[&place[..], &[blind.as_bytes()], &what].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_game::{T, game, secret};

    fn edit(change: LineChange) -> LineEdit {
        LineEdit { t: T, seat: "french".parse().unwrap(), line: "Snow fell.".to_owned(), nth: 1, change }
    }

    #[test]
    fn each_part_of_an_edit_is_committed_to() {
        let base = edit(LineChange::Reworded("Rain fell.".to_owned()));
        let others = [
            edit(LineChange::Struck),
            edit(LineChange::Restored),
            edit(LineChange::Added("Rain fell.".to_owned())),
            LineEdit { nth: 0, ..base.clone() },
            LineEdit { line: "Snow".to_owned(), ..base.clone() },
            LineEdit { seat: "allied".parse().unwrap(), ..base.clone() },
            LineEdit { t: T + 1, ..base.clone() },
        ];
        let commit = |edit: &LineEdit, n| edit.commit(&secret(), &game(), n);
        assert_ne!(commit(&base, 0), commit(&base, 1));
        for other in others {
            assert_ne!(commit(&other, 0), commit(&base, 0), "{other:?}");
        }
    }

    #[test]
    fn an_edit_is_written_so() {
        let written = serde_json::to_string(&edit(LineChange::Added("Rain.".to_owned()))).unwrap();
        assert_eq!(
            written,
            r#"{"t":2,"seat":"french","line":"Snow fell.","nth":1,"change":{"added":"Rain."}}"#
        );
        let written = serde_json::to_string(&edit(LineChange::Struck)).unwrap();
        assert!(written.ends_with(r#""change":"struck"}"#), "{written}");
    }
}
