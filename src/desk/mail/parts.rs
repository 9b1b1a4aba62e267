//! Splits a mail's body: the commands to the host, the letters to other players, and the rest, which is searched for orders.

use super::commands::{TakenCommands, take_codes, take_commands_beside};
use super::given::Given;
use super::press::{Press, Taken, take_letters};
use musterd_letter::{Body, Enclosed, EnclosedIn, Nature, shown_name};

/// The parts of a mail's body.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    /// The commands to the host.
    pub commands: Vec<Given>,
    /// The letters to other players.
    pub press: Vec<Press>,
    /// The body without commands and letters.
    pub rest: Body,
    /// Whether the commands end at a line that is one with a slip unless it is an order of the game: [`Self::beside`] tells.
    pub is_doubtful: bool,
}

impl Parts {
    /// Splits a body. A line that can't be read as a command and whose word orders may begin with too is left to the rules.
    pub fn of(body: &Body) -> Self {
        Self::beside(body, &|_| true)
    }

    /// Splits a body where it is known whether such a line is an order.
    pub fn beside(body: &Body, is_order: &dyn Fn(&str) -> bool) -> Self {
        let TakenCommands { given: mut commands, rest: text, is_doubtful } =
            take_commands_beside(&body.text, is_order);
        let Taken { mut press, rest: text, mut lost } = take_letters(&text);
        let (codes, text) = take_codes(&text);
        commands.extend(codes);
        let attachment = body.attachment.as_deref().map(|file| {
            let taken = take_letters(file);
            press.extend(taken.press);
            lost.extend(taken.lost);
            taken.rest
        });
        let mut enclosed = body.enclosed.clone();
        enclosed.extend(lost.into_iter().map(|(to, text)| Enclosed {
            place: EnclosedIn::Other(format!("your letter to {}", shown_name(&to, "nobody"))),
            text: Some(text),
            nature: Nature::Written,
        }));
        Self {
            commands,
            press,
            is_doubtful,
            rest: Body {
                text,
                attachment,
                attachment_name: body.attachment_name.clone(),
                enclosed,
                flowed: body.flowed.clone(),
            },
        }
    }
}
