//! What can come out otherwise when a game is played again, and where two texts part.

use serde::Serialize;
use serde_json::Value;

use super::form::Form;
use musterd_dice::Roll;
use musterd_dice::audit::{Place, Thrown};

/// How much of a text is shown round the place where it differs, in characters.
const SHOWN: usize = 300;

/// Something that came out otherwise, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Where.
    pub place: Place,
    /// What.
    #[serde(flatten, serialize_with = "super::told::one")]
    pub divergence: Divergence,
}

/// What came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "difference", rename_all = "kebab-case")]
pub enum Divergence {
    /// The founding files are not those of the log.
    #[error(
        "the rules and the scenario in the file are not those that the game was founded on: their digest is {found}, the log says {logged}"
    )]
    OtherRules {
        /// Of the file's.
        found: String,
        /// In the log.
        logged: String,
    },
    /// The rules can't use what the file holds.
    #[error("the rules can't go on with what the file holds: {why}")]
    NoGame {
        /// Why.
        why: String,
    },
    /// A log entry without its step.
    #[error("the file doesn't show what came of it")]
    NoStep,
    /// The part of the file that plays the game again is none.
    #[error("the rules and events in the file (`replay`) can't be read: {why}")]
    Unreadable {
        /// Why.
        why: String,
    },
    /// A step that belongs to no log entry, or to one that has its step.
    #[error("the file shows what came of this log entry, and {why}")]
    OddStep {
        /// What is odd about it.
        why: &'static str,
    },
    /// An event.
    #[error("event {number}, counted from 0, differs")]
    Event {
        /// Which, from 0.
        number: usize,
        /// As the file has it; none where it has no such event.
        shown: Option<String>,
        /// As the rules make it; none where they make no such event.
        again: Option<String>,
    },
    /// A roll.
    #[error("the roll {label} differs")]
    Roll {
        /// Its label.
        label: String,
        /// As the file has it; none where it has no such roll.
        shown: Option<String>,
        /// As the rules ask for it; none where they ask for no such roll.
        again: Option<String>,
    },
    /// The digest of the events.
    #[error(
        "its events are as the rules make them, and the file says that their digest is {shown}, which it is not"
    )]
    OtherDigest {
        /// As the file has it.
        shown: String,
    },
    /// Dice asked for twice.
    #[error("the rules misuse the dice: {why}")]
    Misused {
        /// Why.
        why: String,
    },
    /// A courier's way.
    #[error(
        "the courier from {from} to {to} passed {shown} hexes in the enemy's reach by the file, and {again} by the map"
    )]
    Courier {
        /// From whom.
        from: String,
        /// To whom.
        to: String,
        /// As the file has it.
        shown: u32,
        /// As the position has it.
        again: u32,
    },
    /// An amendment that the rules refuse.
    #[error("the rules can't make the GM's amendment so: {why}")]
    NotAmendable {
        /// Why.
        why: String,
    },
    /// Another amendment than was committed to.
    #[error("the amendment shown, `{shown}`, is not the one that was committed to")]
    OtherAmendment {
        /// What the file shows.
        shown: String,
    },
    /// Another change of a line than was committed to.
    #[error("the line shown as changed by hand, `{shown}`, is not the one that was committed to")]
    OtherEdit {
        /// What the file shows.
        shown: String,
    },
    /// An adjudication taken back that never ran.
    #[error("t {t} is taken back, and it never ran")]
    NeverRan {
        /// Which.
        t: u32,
    },
    /// What a seat was told to have witnessed.
    #[error(
        "what {seat} was told there, the number {n} of its turn, is not what that seat witnessed by the rules"
    )]
    OtherFacts {
        /// To whom.
        seat: String,
        /// Its number.
        n: u32,
    },
    /// The sentences that a seat was told.
    #[error(
        "the {form} that {seat} was told there, the number {n} of its turn, is not what this program makes of what it witnessed"
    )]
    OtherWords {
        /// To whom.
        seat: String,
        /// Its number.
        n: u32,
        /// Its text or its page.
        form: Form,
    },
    /// The game waits for something else, or ended otherwise.
    #[error("the log says `{shown}`, and the rules say `{again}`")]
    OtherWait {
        /// In the log.
        shown: String,
        /// By the rules.
        again: String,
    },
}

/// Why a game can't be played again, or not to its end. Nothing is wrong with it by that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Unable {
    /// No `replay` part.
    #[error(
        "the file holds no rules and no events (`replay`): the host reveals them with the first turn, and leaves them out of a file that would be too large for a mail"
    )]
    NothingToReplay,
    /// Parts that can't be read.
    #[error(
        "a part of the file can't be read, so the game can't be played again; see what is wrong with it above"
    )]
    Damaged,
    /// Another program.
    #[error("the game was played with version {version} of the rules `{ruleset}`, and this program has {}: the program \
             that it was founded with is needed, or a newer one", known_versions(*known))]
    OtherProgram {
        /// The ruleset.
        ruleset: String,
        /// Its version in the game.
        version: u32,
        /// Its newest version here, if it is here.
        known: Option<u32>,
    },
    /// What follows is not revealed.
    #[error("t {t} is not revealed, so the game was played again up to there")]
    Unrevealed {
        /// Which.
        t: u32,
    },
}

fn known_versions(known: Option<u32>) -> String {
    known.map_or_else(|| "none of them".to_owned(), |newest| format!("versions 1 to {newest}"))
}

/// The first event that differs.
pub(super) fn compare_events(shown: &[Value], again: &[Value]) -> Result<(), Divergence> {
    first_that_differs(shown, again).map_or(Ok(()), |number| {
        let text = |events: &[Value]| events.get(number).map(ToString::to_string);
        let (shown, again) = excerpts(text(shown), text(again));
        Err(Divergence::Event { number, shown, again })
    })
}

/// The first roll that differs, by label.
pub(super) fn compare_rolls(shown: &[Thrown], again: &[Roll]) -> Result<(), Divergence> {
    let mut shown: Vec<Thrown> = shown.to_vec();
    shown.sort_by(|a, b| a.0.cmp(&b.0));
    let again: Vec<Thrown> = again.iter().map(Thrown::from).collect();
    first_that_differs(&shown, &again).map_or(Ok(()), |at| {
        // The one that comes first is missing on the other side, unless both have it.
        let label = shown.get(at).into_iter().chain(again.get(at)).map(|roll| roll.0.clone()).min();
        let label = label.unwrap_or_default();
        let text = |rolls: &[Thrown]| rolls.get(at).filter(|roll| roll.0 == label).map(in_words);
        let (shown, again) = excerpts(text(&shown), text(&again));
        Err(Divergence::Roll { label, shown, again })
    })
}

/// The place from which on two lists differ, if they do.
fn first_that_differs<T: PartialEq>(one: &[T], other: &[T]) -> Option<usize> {
    (0..one.len().max(other.len())).find(|at| one.get(*at) != other.get(*at))
}

fn in_words(Thrown(_, count, sides, faces): &Thrown) -> String {
    let faces: Vec<String> = faces.iter().map(ToString::to_string).collect();
    format!("{count}d{sides} = {}", faces.join(" "))
}

/// Of two long texts what stands round the place where they part.
fn excerpts(shown: Option<String>, again: Option<String>) -> (Option<String>, Option<String>) {
    let parts = match (&shown, &again) {
        (Some(shown), Some(again)) => shown.chars().zip(again.chars()).take_while(|(a, b)| a == b).count(),
        _ => 0,
    };
    let cut = |text: String| {
        if text.chars().count() <= SHOWN {
            return text;
        }
        let from = parts.saturating_sub(SHOWN / 3);
        let middle: String = text.chars().skip(from).take(SHOWN).collect();
        let behind = text.chars().count() > from + SHOWN;
        format!("{}{middle}{}", if from > 0 { "..." } else { "" }, if behind { "..." } else { "" })
    };
    (shown.map(cut), again.map(cut))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn roll(label: &str, faces: &[u64]) -> Thrown {
        Thrown(label.to_owned(), faces.len() as u64, 6, faces.to_vec())
    }

    #[test]
    fn the_first_event_that_differs_is_named_with_both_texts() {
        let (a, b) = (json!({"hits": 2}), json!({"hits": 3}));
        assert_eq!(compare_events(&[a.clone(), b.clone()], &[a.clone(), b.clone()]), Ok(()));
        let differs = compare_events(&[a.clone(), a.clone()], &[a.clone(), b]).unwrap_err();
        let (shown, again) = (Some(r#"{"hits":2}"#.to_owned()), Some(r#"{"hits":3}"#.to_owned()));
        assert_eq!(differs, Divergence::Event { number: 1, shown, again });
        let left_out = compare_events(std::slice::from_ref(&a), &[]).unwrap_err();
        assert_eq!(left_out, Divergence::Event { number: 0, shown: Some(a.to_string()), again: None });
    }

    #[test]
    fn a_roll_that_one_side_lacks_is_named_by_its_label() {
        let again: Vec<Roll> = ["2/a/b/c/0", "2/a/b/c/1"]
            .map(|label| Roll { label: label.parse().unwrap(), sides: 6, faces: vec![4] })
            .into();
        let differs = compare_rolls(&[roll("2/a/b/c/1", &[4])], &again).unwrap_err();
        let again_text = Some("1d6 = 4".to_owned());
        assert_eq!(
            differs,
            Divergence::Roll { label: "2/a/b/c/0".to_owned(), shown: None, again: again_text.clone() }
        );
        let differs = compare_rolls(&[roll("2/a/b/c/1", &[5]), roll("2/a/b/c/0", &[4])], &again).unwrap_err();
        let shown = Some("1d6 = 5".to_owned());
        assert_eq!(differs, Divergence::Roll { label: "2/a/b/c/1".to_owned(), shown, again: again_text });
    }

    #[test]
    fn programs_are_told_the_kind_and_people_the_sentence() {
        let divergence = Divergence::NotAmendable { why: "there is no unit 99".to_owned() };
        let told = serde_json::to_value(Difference { place: Place::Log(7), divergence }).unwrap();
        assert_eq!(told["difference"], "not-amendable");
        assert_eq!(told["text"], "the rules can't make the GM's amendment so: there is no unit 99");
        let divergence = Divergence::OtherAmendment { shown: "UNIT 3 MORALE 2".to_owned() };
        let told = serde_json::to_value(Difference { place: Place::Log(7), divergence }).unwrap();
        assert!(told["text"].as_str().unwrap().contains("`UNIT 3 MORALE 2`"), "{told}");
    }

    #[test]
    fn of_long_texts_the_place_where_they_part_is_shown() {
        let text = |end: &str| format!("{}{end}{}", "x".repeat(1000), "y".repeat(1000));
        let (shown, again) = excerpts(Some(text("HERE")), Some(text("THERE")));
        let (shown, again) = (shown.unwrap(), again.unwrap());
        assert!(shown.contains("HERE") && again.contains("THERE"));
        assert!(shown.len() < SHOWN + 10 && shown.starts_with("...") && shown.ends_with("..."));
    }
}
