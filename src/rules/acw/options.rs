//! The choices of whoever founds a game.

use musterd_engine::Founding;
use musterd_engine::founding::GameOption;
use musterd_kit::meanings::{Meaning, meant, words};

/// Whether every headquarters and brigade can always be ordered.
const RADIOS: [Meaning<Option<bool>>; 3] = [
    ("scenario", "as the scenario says", None),
    ("on", "they can; corps headquarters are not used", Some(true)),
    ("off", "those in communication can", Some(false)),
];
/// Whether all enemies are seen.
const SIGHTS: [Meaning<Option<bool>>; 3] = [
    ("scenario", "as the scenario says", None),
    ("on", "they are", Some(true)),
    ("off", "those that are sighted or met by pickets", Some(false)),
];
/// What a commander knows of his own army.
const DESPATCHES: [Meaning<bool>; 2] = [
    ("off", "all of it, as it is", false),
    ("on", "of units out of communication what they reported last", true),
];
/// How the guns of infantry and cavalry brigades fire.
const GUNS: [Meaning<bool>; 2] = [
    ("added", "their value is added to the brigade's", false),
    ("second", "as a second shot of the brigade at the same target", true),
];
/// Who commands.
const COMMANDS: [Meaning<bool>; 2] = [
    ("army", "one commander a side", false),
    ("corps", "corps commanders have seats of their own, where the scenario has them", true),
];

/// The choices, as they are offered.
pub(crate) const OPTIONS: &[GameOption] = &[
    GameOption::words(
        "radio",
        "whether every headquarters and brigade can always be ordered",
        &words(&RADIOS),
    ),
    GameOption::words("exposed", "whether all enemies are seen", &words(&SIGHTS)),
    GameOption::words("despatches", "what a commander knows of his own army", &words(&DESPATCHES)),
    GameOption::words("guns", "how the guns of infantry and cavalry brigades fire", &words(&GUNS)),
    GameOption::number("block", "hours of a mail turn", (1, 6), "1"),
    GameOption::words("command", "who commands", &words(&COMMANDS)),
];

/// What was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// Whether all can always be ordered; `None` as the scenario says (ACW-38).
    pub radio: Option<bool>,
    /// Whether all enemies are seen; `None` as the scenario says.
    pub exposed: Option<bool>,
    /// Whether a commander knows of units out of communication only what they reported last.
    pub despatches: bool,
    /// Whether the guns of other brigades fire a shot of their own (ACW-6).
    pub second_shot: bool,
    /// Hours of a mail turn.
    pub block: u16,
    /// Whether corps commanders have seats.
    pub corps: bool,
}

impl Choices {
    /// The choices of whoever chooses nothing.
    pub const USUAL: Self =
        Self { radio: None, exposed: None, despatches: false, second_shot: false, block: 1, corps: false };

    /// The choices of a founding.
    #[expect(clippy::expect_used, reason = "checked when it was read")]
    pub fn of(founding: &Founding<'_>) -> Self {
        let word = |name| founding.option(name);
        Self {
            radio: meant(&RADIOS, word("radio")),
            exposed: meant(&SIGHTS, word("exposed")),
            despatches: meant(&DESPATCHES, word("despatches")),
            second_shot: meant(&GUNS, word("guns")),
            block: u16::try_from(founding.number("block")).expect("a number from 1 to 6"),
            corps: meant(&COMMANDS, word("command")),
        }
    }
}
