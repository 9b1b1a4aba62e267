//! What was given and has nothing to do with any game here.

use serde::Serialize;

use super::case::Case;
use super::place::FileRef;
use super::sources::{ReadPath, ReadPathKind};
use musterd_dice::GameId;
use musterd_report::text::listed;
use musterd_text::nouns::count;

/// One of these. Whoever gave it thinks that it was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "idle", rename_all = "kebab-case")]
pub enum Idle {
    /// No file that is known here.
    #[error("{path} is neither mails nor an audit file, and was passed over")]
    Unknown {
        /// Where it lies.
        path: FileRef,
    },
    /// No mail, or none of a game.
    #[error("{path} holds {} and nothing about a game: nothing in it was looked at", count(*mails, "mail"))]
    NoGame {
        /// Where it lies.
        path: FileRef,
        /// How many mails are in it.
        mails: u64,
    },
    /// Of a game that has no audit file and no other mails here, where another has.
    #[error("{path} is about {}, and nothing else here is: it was compared with nothing", listed(games))]
    OtherGame {
        /// Where it lies.
        path: FileRef,
        /// The games that it is of.
        games: Vec<String>,
    },
    /// An escrow of a game that nothing here is of.
    #[error("The escrow opens the dice of {game}, and nothing here is of that game")]
    Escrow {
        /// The game that it opens.
        game: GameId,
    },
}

/// What of that which was given has nothing to do with the games that came of it.
pub(super) fn idle(sources: &[ReadPath], cases: &[Case], escrow: Option<&GameId>) -> Vec<Idle> {
    let has_file = |game: &GameId| {
        cases.iter().any(|case| case.game.as_ref() == Some(game) && case.main_file().is_some())
    };
    let is_elsewhere = |source: &ReadPath, game| {
        sources.iter().any(|other| !std::ptr::eq(source, other) && other.games.contains(game))
    };
    let any_file = cases.iter().any(|case| case.main_file().is_some());
    let told = sources.iter().filter_map(|source| {
        let path = FileRef(source.path.clone());
        let is_of_a_file = source.games.iter().any(|game| has_file(game) || is_elsewhere(source, game));
        match (source.files, source.kind) {
            (1.., _) => None,
            (0, ReadPathKind::Unknown) => Some(Idle::Unknown { path }),
            (0, _) if source.games.is_empty() => Some(Idle::NoGame { path, mails: source.mails }),
            (0, _) if any_file && !is_of_a_file => {
                Some(Idle::OtherGame { path, games: source.games.iter().map(ToString::to_string).collect() })
            }
            (0, _) => None,
        }
    });
    let escrow = escrow.filter(|game| cases.iter().all(|case| case.game.as_ref() != Some(*game)));
    told.chain(escrow.map(|game| Idle::Escrow { game: game.clone() })).collect()
}
