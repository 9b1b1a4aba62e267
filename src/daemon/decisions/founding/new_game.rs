//! What a new game is asked for with, and its options as people write them: those of `musterd new`, and of `CREATE` by mail.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::HostError;
use musterd_desk::mail;
use musterd_desk::terms::{Arrangements, OPTIONS};
use musterd_dice::{BeaconPolicy, GameId, Seat};
use musterd_engine::Levels;
use musterd_engine::alike::meant;
use musterd_engine::founding::Chosen;
use musterd_engine::terms::{DeadlinePolicy, PressPolicy, Terms};

/// What a new game needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGame {
    /// `lga/austrian-1805`, or the name alone.
    pub scenario: String,
    /// Its name.
    pub id: GameId,
    /// Who sits where: addresses, or `computer`, `computer:cautious`.
    pub seats: BTreeMap<Seat, String>,
    /// The GM's addresses; the host's own if none.
    pub gm: Vec<String>,
    /// Addresses to be asked whether they are witnesses of the log.
    #[serde(default)]
    pub witnesses: Vec<String>,
    /// The deadline policy, as `--deadline` takes it.
    pub deadline: Option<String>,
    /// Begin at once, without waiting for the players: level L0.
    pub start_now: bool,
    /// Which letters between players are passed on.
    #[serde(default)]
    pub press: PressPolicy,
    /// What else is laid down about time and players.
    #[serde(default = "Terms::usual")]
    pub terms: Terms,
    /// What happens when orders are missing, as `--missing` takes it; as in `terms` if it isn't given.
    #[serde(default)]
    pub missing: Option<String>,
    /// Which public beacon the dice wait for; none if they wait for none.
    #[serde(default)]
    pub beacon: Option<BeaconPolicy>,
    /// The options of the ruleset that are not as usual, by name.
    #[serde(default)]
    pub options: Chosen,
    /// Templates of its own for its mails, by file.
    #[serde(default)]
    pub templates: BTreeMap<String, String>,
}

/// The options of a new game that are no terms.
const OWN_OPTIONS: [&str; 6] = ["seat", "gm", "witness", "start", "beacon", "option"];

impl NewGame {
    /// A game of this scenario with this name, before any option: nobody sits anywhere, and all else is as usual.
    pub fn of(scenario: impl Into<String>, id: GameId) -> Self {
        Self {
            scenario: scenario.into(),
            id,
            seats: BTreeMap::new(),
            gm: Vec::new(),
            witnesses: Vec::new(),
            deadline: None,
            start_now: false,
            press: PressPolicy::default(),
            terms: Terms::usual(),
            missing: None,
            beacon: None,
            options: BTreeMap::new(),
            templates: BTreeMap::new(),
        }
    }

    /// Sets one option by its name without dashes: `seat` to `french=anna@example.org`. `seat`, `gm`, `witness` and `option` may come several times.
    ///
    /// # Errors
    /// There is no such option, or it doesn't take this value.
    pub fn set(&mut self, option: &str, value: &str) -> Result<(), HostError> {
        match option {
            "seat" => {
                let (seat, who) = value.split_once('=').ok_or_else(|| {
                    HostError::usage(format!("--seat {value}: write SEAT=ADDRESS or SEAT=computer"))
                })?;
                let name = seat.trim().to_lowercase();
                let seat: Seat =
                    name.parse().map_err(|e| HostError::usage(format!("--seat {value}: {e}")))?;
                if self.seats.insert(seat.clone(), who.trim().to_owned()).is_some() {
                    return Err(HostError::usage(format!("--seat {seat} is given twice")));
                }
            }
            "option" => {
                let (name, chosen) = value
                    .split_once('=')
                    .ok_or_else(|| HostError::usage(format!("--option {value}: write NAME=VALUE")))?;
                if self.options.insert(name.trim().to_owned(), chosen.trim().to_owned()).is_some() {
                    return Err(HostError::usage(format!("--option {} is given twice", name.trim())));
                }
            }
            "gm" => self.gm.push(value.to_owned()),
            "witness" => self.witnesses.push(value.to_owned()),
            "start" => {
                self.start_now = match value {
                    "now" => true,
                    "joined" => false,
                    _ => return Err(HostError::usage(format!("--start {value}: write now or joined"))),
                }
            }
            "beacon" => {
                let beacon = value.parse().map_err(|e| HostError::usage(format!("--beacon {value}: {e}")))?;
                self.beacon = Some(beacon);
            }
            "deadline" => self.deadline = Some(value.to_owned()),
            // Its words depend on the ruleset's computer players.
            "missing" => self.missing = Some(value.to_owned()),
            _ => self.set_term(option, value)?,
        }
        Ok(())
    }

    fn set_term(&mut self, option: &str, value: &str) -> Result<(), HostError> {
        if !OPTIONS.contains(&option) {
            let known = || OWN_OPTIONS.into_iter().chain(OPTIONS);
            let hint = match meant(option, known()) {
                Some(near) => format!("did you mean --{near}?"),
                None => format!(
                    "there are {}",
                    known().map(|known| format!("--{known}")).collect::<Vec<_>>().join(", ")
                ),
            };
            return Err(HostError::usage(format!("there is no option --{option}: {hint}")));
        }
        let (deadlines, press, terms) = (DeadlinePolicy::None, self.press, self.terms.clone());
        let mut game = Arrangements { deadlines, press, terms };
        game.set(option, value, &Levels::default()).map_err(|e| HostError::usage(e.to_string()))?;
        (self.press, self.terms) = (game.press, game.terms);
        Ok(())
    }

    /// Sets options as one text has them: `--seat french=anna@example.org --deadline 'sat 20:00 Europe/Vienna'`. Line ends are blanks, quotes are
    /// accepted, and so are the dashes and quotes that mail programs put in the place of typed ones.
    ///
    /// # Errors
    /// As [`Self::set`]; or words stand before the first option.
    pub fn set_all(&mut self, text: &str) -> Result<(), HostError> {
        let mut options: Vec<(String, String)> = Vec::new();
        for word in text.split_whitespace() {
            match (begun_in(word), options.last_mut()) {
                (Some(begun), _) => options.push(begun),
                (None, Some((_, value))) if value.is_empty() => value.push_str(word),
                (None, Some((_, value))) => *value = format!("{value} {word}"),
                (None, None) => {
                    return Err(HostError::usage(format!(
                        "`{word}` belongs to no option: each begins with --, as in --deadline 7d"
                    )));
                }
            }
        }
        options.iter().try_for_each(|(option, value)| self.set(option, bare(value)))
    }
}

/// The option of a text that a message is about, as it is written there, and the place of what is wrong in it: the message names the option with its
/// dashes, and of several with this name perhaps the value.
pub(crate) fn option_meant(text: &str, message: &str) -> Option<(String, (usize, usize))> {
    let mut options: Vec<(String, String)> = Vec::new();
    for word in text.split_whitespace() {
        match (begun_in(word), options.last_mut()) {
            (Some((name, _)), _) => options.push((name, word.to_owned())),
            (None, Some((_, written))) => *written = format!("{written} {word}"),
            (None, None) => {}
        }
    }
    let names = |name: &str| {
        let dashed = format!("--{name}");
        message.match_indices(&dashed).map(|(at, _)| at).find(|at| {
            let next = message[at + dashed.len()..].chars().next();
            next.is_none_or(|c| !(c.is_ascii_alphanumeric() || c == '-'))
        })
    };
    // The option that is named first; others are named to tell what else there is.
    let first = options.iter().filter_map(|(name, _)| names(name)).min()?;
    let mut meant: Vec<(&str, &str)> = Vec::new();
    for (name, written) in &options {
        if names(name) == Some(first) {
            let end = written.find(['=', ' ']).map_or(written.len(), |end| end + 1);
            meant.push((written, bare(&written[end..])));
        }
    }
    let (name, ..) = options.iter().find(|(name, _)| names(name) == Some(first))?;
    let is_named = |part: &str| {
        let stands = [
            format!("--{name} {part}:"),
            format!("--{name} {part} "),
            format!("`{part}`"),
            format!("no seat {part}:"),
        ];
        !part.is_empty() && stands.iter().any(|stands| message.contains(stands))
    };
    // The value, or a part of it: a seat or who sits there.
    let found = meant.iter().find_map(|(written, value)| {
        let parts = std::iter::once(*value).chain(value.split(['=', ',']).map(str::trim));
        let part = parts.filter(|part| is_named(part)).max_by_key(|part| part.len())?;
        Some((*written, part))
    });
    let is_unknown = message.contains(&format!("no option --{name}"));
    let (written, part) = match (found, meant.as_slice()) {
        (_, [(written, _), ..]) if is_unknown => {
            (*written, written.split(['=', ' ']).next().unwrap_or(written))
        }
        (Some(found), _) => found,
        // Of seats one may be missing.
        (None, [(written, value)]) if name != "seat" => {
            (*written, if value.is_empty() { *written } else { *value })
        }
        (None, _) => return None,
    };
    let at = written.rfind(part)?;
    Some((written.to_owned(), (written[..at].chars().count(), part.chars().count())))
}

/// The option that a word begins, and what stands behind its `=`.
fn begun_in(word: &str) -> Option<(String, String)> {
    let option = mail::option_in(word)?;
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    Some((name.to_ascii_lowercase(), value.to_owned()))
}

/// A value without the quotes around it.
fn bare(value: &str) -> &str {
    value.trim_matches(['\'', '"', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}']).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<NewGame, String> {
        let mut new = NewGame::of("lga/austrian-1805", "spring".parse().unwrap());
        new.set_all(text).map(|()| new).map_err(|e| e.to_string())
    }

    #[test]
    fn options_are_read_from_a_text_as_from_a_command_line() {
        let typed = read(
            "--seat french=anna@example.org --seat allied=computer\n--deadline 'sat 20:00\nEurope/Vienna min 48h' --press all --grace=12h",
        )
        .unwrap();
        // What a telephone makes of it.
        let corrected = read(
            "\u{2014}Seat French=anna@example.org \u{2014}seat allied=computer \u{2014}deadline \u{2018}sat 20:00 Europe/Vienna \
             min 48h\u{2019} \u{2014}press all \u{2013}grace 12h",
        );
        assert_eq!(corrected.unwrap(), typed);
        assert_eq!(typed.deadline.as_deref(), Some("sat 20:00 Europe/Vienna min 48h"));
        assert_eq!((typed.press, typed.terms.grace), (PressPolicy::All, 720));
        let seats: Vec<String> = typed.seats.iter().map(|(seat, who)| format!("{seat}={who}")).collect();
        assert_eq!(seats, ["allied=computer", "french=anna@example.org"]);
        assert!(read("").unwrap().seats.is_empty());
    }

    #[test]
    fn the_option_that_is_meant_is_found_with_its_place() {
        let text =
            "--seat french=anna@example.org --seat allied=nobody --deadline sun 20:00 Europe/Wien --grace";
        for (message, line, under) in [
            ("--seat allied=nobody: write ...", "--seat allied=nobody", "allied=nobody"),
            ("--seat: six. There is no seat allied: leave it out", "--seat allied=nobody", "allied"),
            (
                "--deadline: there is no time zone Wien; try --grace 12h",
                "--deadline sun 20:00 Europe/Wien",
                "sun 20:00 Europe/Wien",
            ),
            ("--grace : write 12h", "--grace", "--grace"),
            (
                "there is no option --deadline: did you mean --grace?",
                "--deadline sun 20:00 Europe/Wien",
                "--deadline",
            ),
        ] {
            let (shown, (start, length)) = option_meant(text, message).expect(message);
            let marked: String = shown.chars().skip(start).take(length).collect();
            assert_eq!((shown.as_str(), marked.as_str()), (line, under), "{message}");
        }
        let missing = "--seat: nobody sits at `third`. There are french, allied and third.";
        assert_eq!(option_meant(text, missing), None);
        assert_eq!(option_meant("--seat french=open", missing), None, "it is another that is missing");
        assert_eq!(option_meant(text, "--deadlines is none"), None);
    }

    #[test]
    fn a_slip_is_told_with_what_to_write() {
        for (text, told) in [
            ("--seat french", "write SEAT=ADDRESS or SEAT=computer"),
            ("--seat red=open --seat red=open", "--seat red is given twice"),
            ("--option scale", "write NAME=VALUE"),
            ("--start soon", "write now or joined"),
            ("--seats french=open", "did you mean --seat?"),
            ("--taxes 3", "there are --seat, --gm"),
            ("seat french=open", "`seat` belongs to no option"),
            ("--grace soon", "--grace soon: write"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
