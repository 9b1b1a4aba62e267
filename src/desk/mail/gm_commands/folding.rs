//! Commands that are longer than a line of a mail: how to write one on several lines, and how lines that a mail program broke are joined.

use std::borrow::Cow;

use super::super::verbs::{CONFIRM, Reads, gm_verb};
use musterd_letter::strip_quote_marks;

/// The most additional lines into which a mail program can break a command.
const MOST_BROKEN: usize = 8;

/// A line folded for a mail of `width` columns: it continues after a `\` at the end of a line. [`read_gm_commands`](super::read_gm_commands) reads it
/// as one line again, however the mail is copied.
pub fn folded(line: &str, width: usize) -> String {
    const MARK: &str = " \\\n";
    let room = width.saturating_sub(MARK.trim_end().len()).max(1);
    let mut folded = String::new();
    let mut rest = line.trim();
    while rest.len() > width {
        let limit = rest.floor_char_boundary(room);
        // A word that is longer than a line is cut, and the mark then stands directly after it.
        let (end, mark) = match rest[..=limit].rfind(' ').filter(|at| *at > 0) {
            Some(end) => (end, MARK),
            None => (limit, MARK.trim_start()),
        };
        folded.push_str(rest[..end].trim_end());
        folded.push_str(mark);
        rest = rest[end..].trim_start();
    }
    folded + rest
}

/// The lines of a text with broken commands joined: a command that continues after a `\`, and a command that a mail program broke before its
/// `CONFIRM`. The GM's texts to players are left as they are.
pub(super) fn joined(text: &str) -> Vec<Cow<'_, str>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut joined = Vec::new();
    let mut rest = lines.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        let verb = gm_verb(strip_quote_marks(first).trim());
        let (line, used) = match verb.map(|(verb, said)| (&verb.reads, said)) {
            Some((Reads::GmWords(end, _), said)) if !said.contains(':') => {
                let last = behind.iter().position(|line| line.trim().eq_ignore_ascii_case(end));
                let spoken = last.map_or(behind.len(), |last| last + 1);
                joined.extend(rest[..=spoken].iter().map(|line| Cow::Borrowed(*line)));
                rest = &rest[spoken + 1..];
                continue;
            }
            None | Some((Reads::GmWords(..), _)) => (Cow::Borrowed(*first), 0),
            Some(_) => whole(first, behind),
        };
        joined.push(line);
        rest = &behind[used..];
    }
    joined
}

/// A command together with its continuation lines, and their number.
fn whole<'a>(first: &'a str, behind: &[&str]) -> (Cow<'a, str>, usize) {
    let mut line = Cow::Borrowed(first);
    let mut used = 0;
    while let Some(before) = line.trim_end().strip_suffix('\\').map(str::to_owned) {
        let next = behind.get(used).map_or("", |next| strip_quote_marks(next).trim());
        line = Cow::Owned(before + next);
        used += usize::from(used < behind.len());
        if used == behind.len() {
            break;
        }
    }
    let broken = broken_off(&line, &behind[used..]);
    for next in &behind[used..used + broken] {
        line.to_mut().push(' ');
        line.to_mut().push_str(next.trim());
    }
    (line, used + broken)
}

/// How many of the lines after a command are the rest of it: the command isn't confirmed, the lines begin no command, and the last of them ends in
/// `CONFIRM`. Sentences of a letter don't end so; they can't become part of a public reason.
fn broken_off(command: &str, behind: &[&str]) -> usize {
    let ends = |line: &str| line.split_whitespace().next_back() == Some(CONFIRM);
    if ends(command) {
        return 0;
    }
    let goes_on = |line: &&&str| {
        let bare = line.trim();
        !bare.is_empty() && !bare.starts_with(['#', '>']) && gm_verb(bare).is_none()
    };
    let mut rest = behind.iter().take(MOST_BROKEN).take_while(goes_on);
    rest.position(|line| ends(line)).map_or(0, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::super::{CommandFault, GmAct, GmCommand, read_gm_commands};
    use super::folded;

    fn read(text: &str) -> Result<GmCommand, CommandFault> {
        let (mut given, unread) = read_gm_commands(text);
        assert_eq!((given.len(), unread), (1, None), "{text}");
        given.remove(0).command
    }

    #[test]
    fn a_line_too_long_for_a_mail_is_the_same_line_however_it_comes_back() {
        let reason =
            "the map was wrong about the road from Ulm to the river and all of us have seen it CONFIRM";
        let line = format!("AMEND 5 UNIT 12 MORALE 3; UNIT 4 AT Ulm BECAUSE {reason}");
        let long = format!("REPLACE french {}@example.org BECAUSE Anna has no time CONFIRM", "x".repeat(150));
        for line in [line.as_str(), &long] {
            let folded = folded(line, 78);
            assert!(folded.lines().count() > 1 && folded.lines().all(|line| line.len() <= 78), "{folded}");
            assert_eq!(read(&folded), read(line));
            assert_eq!(read(&folded.replace('\n', "  \n  ")), read(line));
        }
        // Broken by a mail program, without marks.
        assert_eq!(read(&line.replace(" the ", "\nthe ")), read(&line));
        // A short line is not folded, and a letter below a command is no part of it.
        assert_eq!(folded("PAUSE CONFIRM", 78), "PAUSE CONFIRM");
        let (given, unread) =
            read_gm_commands("EXTEND 5 2d BECAUSE Anna is ill\nGreetings, the GM\nPROCESS 5 CONFIRM\n");
        assert_eq!(given[0].command.as_ref().unwrap().because, "Anna is ill");
        assert_eq!((given.len(), unread.as_deref()), (1, Some("Greetings, the GM")));
        // Texts to the players are not joined, and a confirmed command doesn't continue.
        let (given, _) = read_gm_commands("BROADCAST\nPlease all\nCONFIRM\nEND BROADCAST\n");
        assert_eq!(given[0].command.as_ref().unwrap().act, GmAct::Broadcast("Please all\nCONFIRM".into()));
        let (given, unread) = read_gm_commands("PAUSE CONFIRM\nI hereby CONFIRM\n");
        assert_eq!((given.len(), unread.as_deref()), (1, Some("I hereby CONFIRM")));
    }

    #[test]
    fn what_the_gm_says_to_players_keeps_its_lines() {
        let drawing = "/\\/\\\nPAUSE \\\nUlm CONFIRM";
        let (given, unread) = read_gm_commands(&format!("BROADCAST\n{drawing}\nEND BROADCAST\nPAUSE\n"));
        assert_eq!(given[0].command.as_ref().unwrap().act, GmAct::Broadcast(drawing.into()));
        assert_eq!((given.len(), unread), (2, None));
        for text in ["PAUSE \\", "PAUSE \\\n", "PAUSE \\\n\\\n\\"] {
            assert_eq!(read_gm_commands(text).0.len(), 1, "{text:?}");
        }
    }
}
