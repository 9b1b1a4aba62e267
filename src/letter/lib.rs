//! Parses a mail. Input: its bytes. Output: author, whether a program sent it, text, the writer's own words, enclosures.
//!
//! Pure: it uses no clock, no randomness and no files, and no bytes make it panic or hang. [`open`] reads a mail, [`own_words`] removes the quotation
//! and the signature from its text, [`times`] and [`is_authentic`] tell when and from where it came. A program that sends mails too describes its own
//! mails by [`Marks`].
//!
//! ```
//! use musterd_letter::{Limits, NoMarks, open, own_words};
//!
//! let mail = b"From: Ney <ney@example.org>\nSubject: Re: Ulm\n\nI march.\n\nOn 3 May 1805 the host wrote:\n> Where are you?\n";
//! let letter = open(mail, &Limits::default(), &NoMarks);
//! assert_eq!(letter.author.as_deref(), Some("ney@example.org"));
//! assert_eq!(letter.automatic, None);
//! let body = letter.body.unwrap();
//! assert_eq!(own_words(&body.text, &NoMarks).trim(), "I march.");
//! ```

mod absence;
mod authentication;
mod author;
mod automatic;
mod body;
mod bounce;
mod charset;
mod content;
mod enclosed;
mod flowed;
mod headers;
mod html;
mod inbound;
mod introduction;
mod marks;
mod names;
mod nested;
mod part;
mod plain;
mod quotation;
mod reply;
mod sealed;
mod struck;
mod stylesheet;
mod text;
mod times;
mod transfer;
mod unseen;
mod uuencode;
mod versions;

pub use authentication::{Method, Stamp, is_authentic};
pub use automatic::Automatic;
pub use body::{Body, Unreadable};
pub use bounce::{Bounce, proof_in, read_reply};
pub use content::Nature;
pub use enclosed::{Enclosed, EnclosedIn};
pub use inbound::{
    Letter, Limits, Written, attached_files, head_field, open, open_beginning, open_head, written,
};
pub use marks::{Marks, NoMarks, Proof};
pub use names::shown_name;
pub use part::html_to_text;
pub use plain::{make_plain, strip_quote_marks};
pub use reply::{Voice, VoicedLine, own_words, tell_voices};
pub use times::{Times, times};

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
mod readme {}
