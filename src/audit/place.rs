//! Where something lies that somebody kept: a file, or a mail, in few enough letters for a line.

use std::fmt;

use serde::Serialize;

/// How long a path may be before its beginning is left out, in characters.
const LONGEST: usize = 60;
/// How long the name of a file may be before its middle is left out.
const LONGEST_NAME: usize = 24;
/// How much of such a name is kept on either side.
const KEPT: usize = 10;
/// The longest subject that is repeated, in characters.
const LONGEST_SUBJECT: usize = 60;

/// A file, or what lies in one: people are told it in few letters, programs get the whole of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FileRef(pub String);

impl fmt::Display for FileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&short(&self.0))
    }
}

/// A mail that somebody kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MailRef {
    /// The file that it lies in.
    pub path: String,
    /// Which of the file's mails it is, from 1; none where the file is the mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Its subject.
    pub subject: String,
}

impl MailRef {
    /// How many bytes it holds.
    pub(super) const fn bytes(&self) -> usize {
        self.path.len() + self.subject.len()
    }

    /// It as the place of something.
    pub(super) fn place(&self) -> FileRef {
        FileRef(self.to_string())
    }
}

impl fmt::Display for MailRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&short(&self.path))?;
        if let Some(number) = self.number {
            write!(f, ", mail {number}")?;
        }
        let mut subject: String = self.subject.chars().take(LONGEST_SUBJECT).collect();
        if subject.len() < self.subject.len() {
            subject.push_str("...");
        }
        write!(f, " (\"{subject}\")")
    }
}

/// A path with its last parts alone where it is long: mail programs give files endless names. Programs get the whole of it.
pub(super) fn short(text: &str) -> String {
    text.split(' ').map(short_word).collect::<Vec<_>>().join(" ")
}

fn short_word(word: &str) -> String {
    if word.chars().count() <= LONGEST {
        return word.to_owned();
    }
    let mut parts = word.rsplit('/');
    let mut shown = short_name(parts.next().unwrap_or_default());
    for part in parts.map(short_name) {
        if part.len() + shown.len() + "/.../".len() > LONGEST {
            return format!(".../{shown}");
        }
        shown = format!("{part}/{shown}");
    }
    shown
}

fn short_name(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    // An address is the name of whose mails they are.
    if letters.len() <= LONGEST_NAME || letters.contains(&'@') && letters.len() < LONGEST / 2 {
        return name.to_owned();
    }
    let (first, last) = (&letters[..KEPT], &letters[letters.len() - KEPT..]);
    format!("{}...{}", first.iter().collect::<String>(), last.iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_keeps_what_tells_it_apart() {
        assert_eq!(short("demo.audit.json in red.mbox, mail 7"), "demo.audit.json in red.mbox, mail 7");
        assert_eq!(
            short(
                "x.json in campaign/mail/allied.demo@computer.invalid/new/ff46c01021812aec49ce23b00474834b.musterd, mail 2"
            ),
            "x.json in .../allied.demo@computer.invalid/new/ff46c01021...b.musterd, mail 2"
        );
        assert!(short(&"x/".repeat(100)).len() <= LONGEST);
        assert!(short(&"long".repeat(100)).len() <= LONGEST_NAME);
    }
}
