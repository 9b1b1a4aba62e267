//! Letters: the bytes of a mail in, what it says and for whom out; a packet in, the bytes of a mail out.
//!
//! Pure: no clock, no randomness, no file, and no bytes that make it panic or hang. A mail is read in three steps that
//! the daemon strings together: [`open`] undoes MIME and tells automatic mail from people's, [`routes`] finds the game,
//! the seat and the secret, [`take_press`] takes the letters to other players out of what was written and [`find_orders`]
//! the order block. [`compose`] writes.

mod address;
mod authentication;
mod author;
mod automatic;
mod body;
mod bounce;
mod charset;
mod commands;
mod content;
mod enclosed;
mod flowed;
mod gm_commands;
mod html;
mod inbound;
mod introduction;
mod mark;
mod orders;
mod outbound;
mod parts;
mod plain;
mod press;
mod quotation;
mod reply;
mod route;
mod sealed;
mod spelling;
mod struck;
mod stylesheet;
mod times;
mod transfer;
mod unread;
mod unseen;
mod uuencode;
mod versions;
mod wrapped;

pub use address::{BadHostAddress, HostAddress};
pub use authentication::{Method, Stamp, is_authentic};
pub use automatic::Automatic;
pub use body::{Body, Unreadable};
pub use bounce::{Bounce, read_reply, secret_in};
pub use commands::{
    Command, CommandFault, Given, Misplaced, Span, is_command, minutes, misplaced_command, take_commands,
};
pub use content::Nature;
pub use enclosed::{Enclosed, Place};
pub use gm_commands::{CONFIRM, GmAct, GmCommand, GmGiven, folded, gm_forms, read_gm_commands};
pub use inbound::{Letter, Limits, attached_files, open, open_beginning, open_head};
pub use mark::Mark;
pub use orders::{Found, LineKind, Orders, Source, find_orders, possible_forms};
pub use outbound::{Attachment, ComposeError, Kind, Mailbox, Packet, Sent, compose, message_id, readdressed};
pub use parts::Parts;
pub use plain::strip_quote_marks;
pub use press::{Press, PressFault, take_press};
pub use reply::own_words;
pub use route::{BadToken, MOST_ROUTES, Route, Token, key_line, routes, without_secrets};
pub use spelling::may_read_as;
pub use times::{Times, times};
pub use unread::{Unread, find_orders_in};
