//! Where something lies, in few enough letters for a line.

use std::fmt;

use serde::Serialize;

/// How long a path may be before its beginning is left out, in characters.
const LONGEST: usize = 60;
/// How long the name of a file may be before its middle is left out.
const LONGEST_NAME: usize = 24;
/// How much of such a name is kept on either side.
const KEPT: usize = 10;

/// A file, or what lies in one: people are told it in few letters, programs get the whole of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FileRef(pub String);

impl fmt::Display for FileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&short(&self.0))
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
