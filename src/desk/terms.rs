//! The terms of a game as people write them: as the options of `musterd new`, and in the same words in the GM's `TERMS`.

use std::collections::BTreeMap;

use super::calendar;
use crate::mail::minutes;
use musterd_dice::{GameId, Seat};
use musterd_engine::Levels;
use musterd_engine::journal::Player;
use musterd_engine::terms::{DeadlinePolicy, Early, Missing, Observers, PressPolicy, Reveal, Terms};

/// All terms of a game about time and players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrangements {
    /// How deadlines are computed.
    pub deadlines: DeadlinePolicy,
    /// Which letters are forwarded.
    pub press: PressPolicy,
    /// The other terms.
    pub terms: Terms,
}

/// An option or a value that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTerms {
    /// No such option.
    #[error("there is no option --{0}; the terms are {known}", known = OPTIONS.map(|option| format!("--{option}")).join(", "))]
    Option(String),
    /// A value that the option doesn't take.
    #[error("--{option} {value}: write {want}")]
    Value {
        /// The option.
        option: String,
        /// The value that was written.
        value: String,
        /// The values that are possible.
        want: String,
    },
    /// A game without a GM that would wait for one.
    #[error(
        "--{option} leaves something to the GM, and the game has no GM's address to ask: give it one when it is founded (`--gm ADDRESS`, or \
         `gm:` in the host's configuration), or {instead}"
    )]
    NoGm {
        /// The option.
        option: &'static str,
        /// An alternative that needs no GM.
        instead: &'static str,
    },
    /// Words outside any option.
    #[error("`{0}` belongs to no option: each begins with --, as in --grace 12h")]
    Loose(String),
}

impl BadTerms {
    /// The words that it is about.
    pub fn about(&self) -> String {
        match self {
            Self::Option(option) => format!("--{option}"),
            Self::Value { option, value, .. } if value.is_empty() => format!("--{option}"),
            Self::NoGm { option, .. } => format!("--{option}"),
            Self::Value { value, .. } => value.clone(),
            Self::Loose(words) => words.clone(),
        }
    }
}

/// Every option, without its dashes.
pub const OPTIONS: [&str; 19] = [
    "deadline",
    "press",
    "grace",
    "remind",
    "missing",
    "most-missing",
    "hold",
    "excused",
    "early",
    "recall",
    "extension",
    "newcomer",
    "approval",
    "observers",
    "observers-lag",
    "anonymous",
    "reveal",
    "proofs",
    "couriers",
];

impl Arrangements {
    /// Changes the terms as the options in `text` say: `--grace 12h --deadline sat 20:00 Europe/Vienna`. Quotes are accepted. `levels` are those of the
    /// game's computer players.
    ///
    /// # Errors
    /// An option or value can't be read; nothing is changed then.
    pub fn amend(&mut self, text: &str, levels: &Levels) -> Result<(), BadTerms> {
        let mut amended = self.clone();
        let mut options = text.split("--");
        let loose = options.next().unwrap_or_default().trim();
        if !loose.is_empty() {
            return Err(BadTerms::Loose(loose.to_owned()));
        }
        for part in options {
            let end = part.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(part.len());
            let (option, value) = part.split_at(end);
            let value = value.trim_matches(|c: char| c.is_whitespace() || matches!(c, '=' | '\'' | '"'));
            amended.set(option, value, levels)?;
        }
        *self = amended;
        Ok(())
    }

    /// Checks that a game with these GM's addresses can be played on these terms: without a GM, nothing may wait for one.
    ///
    /// # Errors
    /// The first term that needs a GM, in a game without one.
    pub fn answerable(&self, gm: &[String]) -> Result<(), BadTerms> {
        let Terms { missing, most_missing, approval, .. } = &self.terms;
        let by_policy = "write --missing standing or --missing computer";
        let asks = [
            (*missing == Missing::Gm, "missing gm", by_policy),
            (*missing == Missing::Hold, "missing hold", by_policy),
            (most_missing.is_some(), "most-missing", "leave it out"),
            (approval.is_some(), "approval", "leave it out"),
        ];
        let asks = asks.into_iter().find(|(asks, ..)| *asks && gm.is_empty());
        asks.map_or(Ok(()), |(_, option, instead)| Err(BadTerms::NoGm { option, instead }))
    }

    /// Warnings about these terms in a game of these players: without a GM only a person at the host's machine can end the wait for another player;
    /// and a reveal before the end gives away more than dice.
    pub fn warnings(&self, game: &GameId, gm: &[String], players: &BTreeMap<Seat, Player>) -> Vec<String> {
        let others = players.values().filter(|player| !matches!(player, Player::Computer { .. })).count() > 1;
        let endless = others && gm.is_empty() && self.deadlines == DeadlinePolicy::None;
        let endless = endless.then(|| {
            format!(
                "Without a deadline and without a GM a turn waits until all are ready, however long. Somebody at the host's machine can run it: \
                 `musterd gm {game} PROCESS` and the turn's number."
            )
        });
        let revealed = reveal_in_words(self.terms.reveal);
        let computer = players.values().any(|player| matches!(player, Player::Computer { .. }));
        let held_back = revealed.is_some() && computer;
        endless.into_iter().chain(revealed).chain(held_back.then(|| HELD_BACK.to_owned())).collect()
    }

    /// Sets one of them. `levels` are those of the game's computer players.
    ///
    /// # Errors
    /// The option or the value can't be read.
    pub fn set(&mut self, option: &str, value: &str, levels: &Levels) -> Result<(), BadTerms> {
        let bad = |want: &str| BadTerms::Value {
            option: option.to_owned(),
            value: value.to_owned(),
            want: want.to_owned(),
        };
        let span = || minutes(value).ok_or_else(|| bad("a span such as 90m, 36h or 3d"));
        let span_or_none = |none: &str| match value {
            value if value == none => Ok(None),
            _ => minutes(value).map(Some).ok_or_else(|| bad(&format!("a span such as 36h, or {none}"))),
        };
        let number = |none: &str| match value {
            value if value == none => Ok(None),
            _ => value.parse().map(Some).map_err(|_| bad(&format!("a number, or {none}"))),
        };
        // Some of these values may also be zero.
        let span_or_zero = || if value == "0" { Ok(0) } else { span() };
        let yes_or_no = || match value {
            "" | "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(bad("nothing, yes or no")),
        };
        let terms = &mut self.terms;
        match option {
            "deadline" => self.deadlines = calendar::parse(value).map_err(|_| bad(calendar::FORMS))?,
            "press" => self.press = press_of(value).ok_or_else(|| bad("side, all or none"))?,
            "grace" => terms.grace = span_or_zero()?,
            "remind" => terms.remind = span_or_none("never")?,
            "missing" => {
                let words: String = levels.words().map(|word| format!(", {word}")).collect();
                let want = format!("hold, standing{words} or gm");
                terms.missing = missing_of(value, levels).ok_or_else(|| bad(&want))?;
            }
            "most-missing" => terms.most_missing = number("any")?,
            "hold" => terms.hold = span()?,
            "excused" => terms.excused = value.parse().map_err(|_| bad("a number of turns, or 0"))?,
            "early" => terms.early = early_of(value).ok_or_else(|| bad("all, phasing or never"))?,
            "recall" => terms.recall = span_or_none("none")?,
            "extension" => terms.extension = span_or_zero()?,
            "newcomer" => terms.newcomer = span_or_zero()?,
            "approval" => terms.approval = span_or_none("none")?,
            "observers" => terms.observers = observers_of(value).ok_or_else(|| bad("ask, open or none"))?,
            "observers-lag" => {
                terms.observers_lag = value.parse().map_err(|_| bad("a number of turns"))?;
            }
            "anonymous" => terms.anonymous = yes_or_no()?,
            "reveal" => {
                terms.reveal = match value.split_whitespace().collect::<Vec<_>>().as_slice() {
                    ["end"] => Reveal::End,
                    ["turn"] => Reveal::Lag { turns: 0 },
                    ["lag", turns] => {
                        Reveal::Lag { turns: turns.parse().map_err(|_| bad("end, turn, or lag 4"))? }
                    }
                    _ => return Err(bad("end, turn, or lag and a number of turns: lag 4")),
                };
            }
            "proofs" => terms.proofs = yes_or_no()?,
            "couriers" => terms.couriers = number("none")?,
            _ => return Err(BadTerms::Option(option.to_owned())),
        }
        Ok(())
    }
}

fn press_of(value: &str) -> Option<PressPolicy> {
    match value {
        "none" => Some(PressPolicy::None),
        "side" => Some(PressPolicy::Side),
        "all" => Some(PressPolicy::All),
        _ => None,
    }
}

fn missing_of(value: &str, levels: &Levels) -> Option<Missing> {
    match value {
        "hold" => Some(Missing::Hold),
        "standing" => Some(Missing::Standing),
        "gm" => Some(Missing::Gm),
        _ => levels.computer(value)?.ok().map(|skill| Missing::Computer { skill }),
    }
}

fn early_of(value: &str) -> Option<Early> {
    match value {
        "all" => Some(Early::All),
        "phasing" => Some(Early::Phasing),
        "never" => Some(Early::Never),
        _ => None,
    }
}

fn observers_of(value: &str) -> Option<Observers> {
    match value {
        "ask" => Some(Observers::Ask),
        "open" => Some(Observers::Open),
        "none" => Some(Observers::None),
        _ => None,
    }
}

/// A standing order that the computer keeps holds back the reveal of all turns since it was given.
const HELD_BACK: &str = "The computer gives standing orders as well, and may keep them from turn to turn: where it does, the turns since then are \
    revealed much later, perhaps only when the game is over.";

/// What a reveal before the end of the game gives away; `None` if it is at the end.
pub fn reveal_in_words(reveal: Reveal) -> Option<String> {
    let when = match reveal {
        Reveal::End => return None,
        Reveal::Lag { turns: 0 } => "with its dispatches".to_owned(),
        Reveal::Lag { turns: 1 } => "one turn later".to_owned(),
        Reveal::Lag { turns } => format!("{turns} turns later"),
    };
    Some(format!(
        "Every turn is revealed {when}: its secret, all orders and all dice, and so, to whoever works it out, where all forces stood then, the \
         hidden ones too. A turn whose standing orders are still in force waits until they are not. What is revealed can't be taken back."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use musterd_engine::Level;

    fn levels() -> Levels {
        let level = |name| Level::of(name, "", ());
        ["cautious", "planner"].map(level).into_iter().collect()
    }

    fn usual() -> Arrangements {
        Arrangements { deadlines: DeadlinePolicy::None, press: PressPolicy::Side, terms: Terms::default() }
    }

    #[test]
    fn options_are_read_as_the_command_line_takes_them() {
        let mut game = usual();
        game.amend(
            "--grace 12h --deadline 'sat 20:00 Europe/Vienna min 48h' --missing=hold --remind never",
            &levels(),
        )
        .unwrap();
        assert_eq!((game.terms.grace, &game.terms.missing, game.terms.remind), (720, &Missing::Hold, None));
        assert_eq!(game.deadlines, calendar::parse("sat 20:00 Europe/Vienna min 48h").unwrap());
        game.amend("--approval 2d --most-missing 1 --press all", &levels()).unwrap();
        assert_eq!((game.terms.approval, game.terms.most_missing), (Some(2880), Some(1)));
        for (word, observers) in
            [("none", Observers::None), ("ask", Observers::Ask), ("open", Observers::Open)]
        {
            game.amend(&format!("--observers {word}"), &levels()).unwrap();
            assert_eq!(game.terms.observers, observers);
        }
        game.amend("--recall 45m", &levels()).unwrap();
        assert_eq!(game.terms.recall, Some(45));
        game.amend("--recall none", &levels()).unwrap();
        assert_eq!(game.terms.recall, None);
        game.amend("--reveal lag 4", &levels()).unwrap();
        assert_eq!(game.terms.reveal, Reveal::Lag { turns: 4 });
        game.amend("--reveal turn", &levels()).unwrap();
        assert_eq!(game.terms.reveal, Reveal::Lag { turns: 0 });
        game.amend("--approval none --most-missing any --grace 0 --reveal end", &levels()).unwrap();
        assert_eq!(game.terms.reveal, Reveal::End);
        assert_eq!((game.terms.approval, game.terms.most_missing, game.terms.grace), (None, None, 0));
    }

    #[test]
    fn a_founder_learns_that_a_computer_seat_may_hold_back_what_the_terms_reveal() {
        let mail = || Player::Mail { addresses: vec!["red@example.org".to_owned()] };
        let computer = || Player::Computer { skill: "planner".parse().unwrap() };
        for (reveal, other, told) in [
            ("--reveal turn", computer(), true),
            ("--reveal lag 4", computer(), true),
            ("--reveal end", computer(), false),
            ("--reveal turn", mail(), false),
        ] {
            let mut game = usual();
            game.amend(reveal, &levels()).unwrap();
            let players = [("red", mail()), ("blue", other)].map(|(seat, who)| (seat.parse().unwrap(), who));
            let warnings =
                game.warnings(&"alpha".parse().unwrap(), &["gm@example.org".to_owned()], &players.into());
            assert_eq!(
                warnings.iter().any(|said| said.contains("perhaps only when the game is over")),
                told,
                "{reveal}: {warnings:?}"
            );
        }
    }

    #[test]
    fn a_game_without_a_gm_asks_none() {
        let asks = ["--missing gm", "--missing hold", "--most-missing 1", "--approval 2d"];
        for options in asks {
            let mut game = usual();
            game.amend(options, &levels()).unwrap();
            assert_eq!(game.answerable(&["gm@example.org".to_owned()]), Ok(()));
            let why = game.answerable(&[]).unwrap_err().to_string();
            let option = options.trim_end_matches(char::is_numeric).trim_end_matches(" 2d").trim();
            assert!(why.starts_with(option), "{why}");
        }
        let mut game = usual();
        game.amend("--missing computer --grace 12h --hold 2d --extension 0", &levels()).unwrap();
        assert_eq!(game.answerable(&[]), Ok(()));
    }

    #[test]
    fn a_slip_changes_nothing() {
        for slip in [
            "grace 12h",
            "--grace 12h --hold",
            "--grace soon",
            "--taxes 3",
            "--missing perhaps",
            "--reveal lag",
            "--reveal never",
            "--observers all",
        ] {
            let mut game = usual();
            assert!(game.amend(slip, &levels()).is_err(), "{slip}");
            assert_eq!(game, usual());
        }
    }
}
