//! The host's mails: how it handles a letter that [`musterd_letter`] has read, and the mails that it writes.
//!
//! [`open`] reads a mail with the host's own marks, [`routes`] finds the game, the seat and the secret, [`Parts`] takes the commands and the letters
//! to other players out of the text, and [`find_orders_in`] finds the order block. [`compose`] writes mails.

mod address;
mod commands;
mod flowed;
mod given;
mod gm_commands;
mod latin;
mod line;
mod mark;
mod orders;
mod outbound;
mod own;
mod parts;
mod press;
mod reading;
mod route;
mod spelling;
mod struck;
mod token;
mod unread;
mod verbs;
mod whole_mail;
mod wrapped;

pub use address::{BadHostAddress, HostAddress};
pub use commands::{
    Misplaced, command_beside, command_in, is_nearly_command, leave_in_subject, misplaced_command,
    perhaps_command, take_commands, without_slips,
};
pub use flowed::unflowed;
pub use given::{CommandFault, Given};
pub use gm_commands::{GmCommand, folded, gm_forms, gm_slip, read_gm_commands};
pub use line::LineKind;
pub use mark::Mark;
pub use orders::{Found, Orders, Source, find_orders, possible_forms};
pub use outbound::{
    Attachment, ComposeError, Composition, Kind, MailTag, Mailbox, Sent, Which, compose, message_id,
    readdressed,
};
pub use parts::Parts;
pub use press::{Press, PressFault, take_press};
pub use reading::{open, open_beginning, open_head, own_words, proof_in, why_unread};
pub use route::{MOST_ROUTES, Route, key_line, routes};
pub use spelling::may_read_as;
pub use token::{BadToken, Token, without_secrets};
pub use unread::{Unread, UnreadIn};
pub use verbs::{
    Ahead, CONFIRM, Code, Command, Creation, DrawVote, GmAct, MailChoice, OpenCommand, Reads, SeatCommand,
    Span, Unreadable, Verb, gm_verbs, minutes, option_in, place_of, place_of_words, verbs,
};
pub use whole_mail::find_orders_in;
