//! What can't be read in the words after a command's first.

use musterd_engine::alike::meant;

/// A word that can't be read, or that is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slip {
    /// The number of the word, from 0 for the first one after the command's. A missing word has the number that it would have.
    pub word: usize,
    /// Whether it is missing.
    pub missing: bool,
    /// What is expected there.
    pub wanted: Wanted,
}

/// What is expected at a place of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A value of this kind: "a turn such as 5".
    A(&'static str),
    /// The name of a seat.
    Seat,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Nothing more.
    Nothing,
}

impl Slip {
    /// This word can't be read.
    pub(in crate::mail) const fn wrong(word: usize, wanted: Wanted) -> Self {
        Self { word, missing: false, wanted }
    }

    /// A word is missing here.
    pub(super) const fn missing(word: usize, wanted: Wanted) -> Self {
        Self { word, missing: true, wanted }
    }

    /// The same in words that follow on `more` others.
    pub(super) const fn after(self, more: usize) -> Self {
        Self { word: self.word + more, ..self }
    }
}

/// A slip in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The place in the line, for the caret: the first character (from 0) and the number of characters.
    pub span: (usize, usize),
    /// The word as written; `None` if it is missing.
    pub word: Option<String>,
    /// What is expected there.
    pub wanted: Wanted,
    /// The form of the command.
    pub form: &'static str,
}

impl Unreadable {
    /// A slip in a line whose first word is the command's.
    pub(in crate::mail) fn of(line: &str, slip: Slip, form: &'static str) -> Self {
        let Slip { word, missing, wanted } = slip;
        let mut end = 0;
        for (number, (start, written)) in words(line).enumerate() {
            let bare = written.trim_end_matches(':');
            let length = if bare.is_empty() { written } else { bare }.chars().count();
            if !missing && number == word + 1 {
                let written = written.chars().take(length).collect();
                return Self { span: (start, length), word: Some(written), wanted, form };
            }
            end = start + written.chars().count();
            if missing && number == word {
                break;
            }
        }
        Self { span: (end, 1), word: None, wanted, form }
    }

    /// The slip of a line whose first word is nearly that of a command with this form.
    pub(in crate::mail) fn of_first_word(
        word: &str,
        meant: &'static [&'static str],
        form: &'static str,
    ) -> Self {
        let span = (0, word.chars().count());
        Self { span, word: Some(word.to_owned()), wanted: Wanted::Word(meant), form }
    }

    /// Whether it is the command's own word that can't be read.
    pub(in crate::mail) fn is_of_first_word(&self) -> bool {
        self.word.is_some() && self.span.0 == 0
    }

    /// What is wrong, for the writer. `seats` are those that may be named, where they are known.
    pub fn told(&self, seats: &[&str]) -> String {
        let wanted = match self.wanted {
            Wanted::A(what) => what.to_owned(),
            Wanted::Seat if seats.is_empty() => "the name of a seat".to_owned(),
            Wanted::Seat => format!("a seat ({})", either(seats)),
            Wanted::Word(words) => either(words),
            Wanted::Nothing => "nothing more".to_owned(),
        };
        match &self.word {
            Some(word) => format!("`{word}` can't be read: {wanted} is expected here."),
            None => format!("Something is missing: {wanted} is expected here."),
        }
    }

    /// The nearest word that is expected.
    pub(in crate::mail) fn near<'a>(&self, seats: &[&'a str]) -> Option<&'a str> {
        let word = self.word.as_deref()?;
        match self.wanted {
            Wanted::Seat => meant(word, seats.iter().copied()),
            Wanted::Word(words) => meant(word, words.iter().copied()),
            Wanted::A(_) | Wanted::Nothing => None,
        }
    }

    /// The nearest word that is expected, and the form of the command.
    pub fn hint(&self, seats: &[&str]) -> String {
        let near = self.near(seats);
        let form = match seats.first() {
            Some(seat) => self.form.replace("SEAT", seat),
            None => self.form.to_owned(),
        };
        match near {
            Some(near) => format!("did you mean {near}? Write {form}."),
            None => format!("write {form}."),
        }
    }
}

/// The words of a line, each with the number of the characters before it.
pub(in crate::mail) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(|word| {
        let start = word.as_ptr().addr() - line.as_ptr().addr();
        (line[..start].chars().count(), word)
    })
}

/// Where in a line the words from this number on stand, from 0 for the first, as many of them as there are up to `many`.
pub fn place_of_words(line: &str, from: usize, many: usize) -> Option<(usize, usize)> {
    let mut meant = words(line).skip(from).take(many);
    let (start, first) = meant.next()?;
    let (last, word) = meant.last().unwrap_or((start, first));
    Some((start, last + word.chars().count() - start))
}

/// Where in a command's line, behind its first word, these words stand, or the part of them at `span`; in any case, and with a comma, a colon or a
/// semicolon behind each. A single word may be part of a list, or of an option.
pub fn place_of(line: &str, sought: &str, span: Option<(usize, usize)>) -> Option<(usize, usize)> {
    let written: Vec<(usize, &str)> = words(line).collect();
    let wanted: Vec<(usize, &str)> = words(sought).collect();
    let alike = |(_, written): &(usize, &str), (_, wanted): &(usize, &str)| {
        let bare = |word: &str| word.trim_end_matches([',', ':', ';', '.', '!']).to_lowercase();
        bare(written) == bare(wanted)
    };
    let starts_at = |place: &usize| {
        let there = written.get(*place..*place + wanted.len());
        there.is_some_and(|there| there.iter().zip(&wanted).all(|(one, other)| alike(one, other)))
    };
    if wanted.is_empty() {
        return None;
    }
    let Some(place) = (1..written.len()).find(starts_at) else {
        let part = |(start, word): &(usize, &str)| {
            let at = word.to_lowercase().find(&sought.to_lowercase())?;
            let ends = |c: Option<char>| c.is_none_or(|c| matches!(c, ',' | '=' | ':' | ';'));
            let (before, behind) = (word.get(..at)?, word.get(at + sought.len()..)?);
            let is_part = ends(before.chars().next_back()) && ends(behind.chars().next());
            is_part.then(|| (start + before.chars().count(), sought.chars().count()))
        };
        return written.iter().skip(1).find_map(part).filter(|_| wanted.len() == 1);
    };
    let Some((from, length)) = span else {
        let (last, word) = written[place + wanted.len() - 1];
        let end = last + wanted.last()?.1.chars().count().min(word.chars().count());
        return Some((written[place].0, end - written[place].0));
    };
    // Words may have more blanks between them in the line.
    let number = wanted.iter().rposition(|(start, _)| *start <= from)?;
    Some((written[place + number].0 + from - wanted[number].0, length))
}

/// `a, b or c`.
fn either(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
