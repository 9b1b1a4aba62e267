//! The choices of whoever founds a game.

use musterd_engine::Founding;
use musterd_engine::founding::GameOption;

/// The choices, as they are offered.
pub(crate) const OPTIONS: &[GameOption] = &[
    GameOption::words(
        "radio",
        "whether every headquarters and brigade can always be ordered",
        &[
            ("scenario", "as the scenario says"),
            ("on", "they can; corps headquarters are not used"),
            ("off", "those in communication can"),
        ],
    ),
    GameOption::words(
        "exposed",
        "whether all enemies are seen",
        &[
            ("scenario", "as the scenario says"),
            ("on", "they are"),
            ("off", "those that are sighted or met by pickets"),
        ],
    ),
    GameOption::words(
        "despatches",
        "what a commander knows of his own army",
        &[("off", "all of it, as it is"), ("on", "of units out of communication what they reported last")],
    ),
    GameOption::words(
        "guns",
        "how the guns of infantry and cavalry brigades fire",
        &[
            ("added", "their value is added to the brigade's"),
            ("second", "as a second shot of the brigade at the same target"),
        ],
    ),
    GameOption::number("block", "hours of a mail turn", (1, 6), "1"),
    GameOption::words(
        "command",
        "who commands",
        &[
            ("army", "one commander a side"),
            ("corps", "corps commanders have seats of their own, where the scenario has them"),
        ],
    ),
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
        let is = |name, word| founding.option(name) == word;
        let or_scenario = |name| (!is(name, "scenario")).then(|| is(name, "on"));
        Self {
            radio: or_scenario("radio"),
            exposed: or_scenario("exposed"),
            despatches: is("despatches", "on"),
            second_shot: is("guns", "second"),
            block: u16::try_from(founding.number("block")).expect("a number from 1 to 6"),
            corps: is("command", "corps"),
        }
    }
}
