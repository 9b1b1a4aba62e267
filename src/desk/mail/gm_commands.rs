//! The GM's commands: `PROCESS 5`, `EXTEND 5 2d BECAUSE Anna is ill`. They are the same text by mail and on the command line. They are only read
//! here; the daemon decides what may be done.

mod folding;

use super::given::{CommandFault, Given, MOST, is_frame};
use super::verbs::{CONFIRM, GmAct, Read, Reads, Slip, Unreadable, Wanted, gm_verb, gm_verbs};
use musterd_dice::Seat;
use musterd_letter::strip_quote_marks;

pub use folding::folded;

/// A command with its reason and confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GmCommand {
    /// The action.
    pub act: GmAct,
    /// The reason: the text after `BECAUSE`. It is public.
    pub because: String,
    /// Whether the line ends in `CONFIRM`.
    pub confirmed: bool,
}

/// Reads the commands at the beginning of a text. Also returns the first line that is not a command, if there is one: nothing from there on was read.
pub fn read_gm_commands(text: &str) -> (Vec<Given<GmCommand>>, Option<String>) {
    let mut given = Vec::new();
    let joined = folding::joined(text);
    let mut lines = joined.iter().map(AsRef::as_ref);
    while let Some(line) = lines.next() {
        let bare = strip_quote_marks(line).trim();
        if is_frame(bare) {
            continue;
        }
        let found = gm_verb(bare).filter(|_| !line.starts_with('>'));
        let Some((verb, rest)) = found else { return (given, Some(bare.to_owned())) };
        let fault = |fault| Given { line: bare.to_owned(), verb, command: Err(fault) };
        let command = match verb.reads {
            Reads::GmWords(end, act) => match spoken(rest, end, &mut lines) {
                Ok((rest, words)) => read(&rest, |rest| act(rest, words)),
                Err(no_end) => {
                    given.push(fault(no_end));
                    return (given, None);
                }
            },
            Reads::Gm(act) => read(rest, act),
            Reads::Seat(_) | Reads::Anybody(_) | Reads::AnybodyOptions(..) => {
                Err(Slip::wrong(0, Wanted::Nothing))
            }
        };
        if given.len() >= MOST {
            given.push(fault(CommandFault::TooMany));
            continue;
        }
        match Given::of(bare, bare, (verb, command), &|_| true) {
            Some(command) => given.push(command),
            None => return (given, Some(bare.to_owned())),
        }
    }
    (given, None)
}

/// What can't be read in a line that begins with a command's word in small letters, at which reading ended: it may be a sentence.
pub fn gm_slip(line: &str) -> Option<Unreadable> {
    let (verb, rest) = gm_verb(line)?;
    let Reads::Gm(act) = verb.reads else { return None };
    read(rest, act).err().map(|slip| Unreadable::of(line, slip, verb.form))
}

/// The text of a `NARRATE` or `BROADCAST`: after a colon on its own line, or on the following lines up to the end mark; and the words before it.
fn spoken<'a>(
    rest: &str,
    end: &'static str,
    lines: &mut impl Iterator<Item = &'a str>,
) -> Result<(String, String), CommandFault> {
    if let Some((rest, words)) = rest.split_once(':') {
        return Ok((rest.to_owned(), words.trim().to_owned()));
    }
    let mut words = String::new();
    for line in lines {
        if line.trim().eq_ignore_ascii_case(end) {
            return Ok((rest.to_owned(), words.trim_matches('\n').to_owned()));
        }
        words.push_str(line.trim_end());
        words.push('\n');
    }
    // `END WORDS`, or the end of another command.
    let is_like = |line: &&str| {
        let mut written = line.split_whitespace();
        written.next().is_some_and(|word| word.eq_ignore_ascii_case("END")) && written.count() <= 1
    };
    Err(CommandFault::NoEnd { end, instead: words.lines().find(is_like).map(str::to_owned) })
}

fn read(rest: &str, act: impl FnOnce(&[&str]) -> Read<GmAct>) -> Read<GmCommand> {
    let (rest, confirmed) = match rest.trim().strip_suffix(CONFIRM) {
        Some(before) if before.is_empty() || before.ends_with(char::is_whitespace) => (before.trim(), true),
        _ => (rest.trim(), false),
    };
    let (rest, because) = because(rest);
    let mut parts: Vec<&str> = rest.split_whitespace().collect();
    // In small letters `confirm` could be the last word of a reason, but of nothing else.
    let confirmed = confirmed
        || because.is_empty()
            && parts.len() > 1
            && parts.pop_if(|last| last.eq_ignore_ascii_case(CONFIRM)).is_some();
    Ok(GmCommand { act: act(&parts)?, because, confirmed })
}

/// The text before a `BECAUSE`, and the text after it.
fn because(rest: &str) -> (&str, String) {
    let starts = rest.char_indices().filter(|(at, _)| {
        let before = rest[..*at].chars().next_back().is_none_or(char::is_whitespace);
        let word = rest[*at..].split_whitespace().next();
        before && word.is_some_and(|word| word.eq_ignore_ascii_case("BECAUSE"))
    });
    match starts.map(|(at, _)| at).next() {
        Some(at) => (rest[..at].trim(), rest[at + "BECAUSE".len()..].trim().to_owned()),
        None => (rest, String::new()),
    }
}

/// How to write each of the GM's commands, for the answer to `HELP`. Examples that need a seat use `seat`.
pub fn gm_forms(seat: &Seat) -> Vec<String> {
    gm_verbs().map(|verb| verb.form.replace("SEAT", seat.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use musterd_engine::journal::GmRole;

    fn only(text: &str) -> Result<GmCommand, CommandFault> {
        let (mut given, unread) = read_gm_commands(text);
        assert_eq!((given.len(), unread), (1, None), "{text}");
        given.remove(0).command
    }

    fn act(text: &str) -> GmAct {
        only(text).unwrap().act
    }

    #[test]
    fn every_command_is_read_in_any_case() {
        let seat = |name: &str| -> Seat { name.parse().unwrap() };
        let turn = || "5".to_owned();
        assert_eq!(act("status"), GmAct::Status);
        assert_eq!(act("Process 1805-Winter-French"), GmAct::Process("1805-winter-french".into()));
        assert_eq!(act("PAUSE"), GmAct::Pause(None));
        assert_eq!(act("RESUME 5"), GmAct::Resume(Some(turn())));
        let at = "2026-12-10T20:30".parse().unwrap();
        assert_eq!(act("DEADLINE 5 2026-12-10 20:30"), GmAct::Deadline(turn(), at));
        assert_eq!(act("EXTEND 5 36h"), GmAct::Extend(turn(), 36 * 60));
        assert_eq!(
            act("REPLACE French Anna@Example.org"),
            GmAct::Replace(seat("french"), "anna@example.org".into())
        );
        assert_eq!(act("EJECT french"), GmAct::Eject(seat("french")));
        assert_eq!(act("Secret French"), GmAct::Secret(seat("french")));
        assert_eq!(act("ADMIT Anna@Example.org"), GmAct::Admit("anna@example.org".into()));
        assert_eq!(act("refuse Anna@Example.org"), GmAct::Refuse("anna@example.org".into()));
        assert_eq!(
            act("ADDRESS ADD New@Example.org"),
            GmAct::AddAddress("new@example.org".into(), GmRole::Owner)
        );
        assert_eq!(
            act("address add ida@example.org Referee"),
            GmAct::AddAddress("ida@example.org".into(), GmRole::Referee)
        );
        assert_eq!(act("Address drop old@example.org"), GmAct::DropAddress("old@example.org".into()));
        assert_eq!(act("DRAFT 5"), GmAct::Draft(turn(), None));
        assert_eq!(act("DRAFT 5 WITH AMEND PURSE red 3"), GmAct::Draft(turn(), Some("PURSE red 3".into())));
        assert_eq!(act("APPROVE 5"), GmAct::Approve(turn()));
        assert_eq!(act("AMEND 5 UNIT 12 MORALE 3; UNIT 4 AT Ulm"), {
            GmAct::Amend(turn(), "UNIT 12 MORALE 3; UNIT 4 AT Ulm".into())
        });
        assert_eq!(act("RERUN 5 AMEND PURSE red 3"), GmAct::Rerun(turn(), "PURSE red 3".into()));
        assert_eq!(act("ROLLBACK 5"), GmAct::Rollback(turn()));
        assert_eq!(act("REVEAL 5"), GmAct::Reveal(turn()));
        assert_eq!(
            act("TERMS --grace 12h --missing hold"),
            GmAct::Terms("--grace 12h --missing hold".into())
        );
    }

    #[test]
    fn a_reason_and_a_confirmation_go_with_any_command() {
        let command = only("ROLLBACK 3 because the map was wrong CONFIRM").unwrap();
        assert_eq!(command.act, GmAct::Rollback("3".into()));
        assert_eq!((command.because.as_str(), command.confirmed), ("the map was wrong", true));
        let command = only("replace red open Confirm").unwrap();
        assert_eq!(command.act, GmAct::Replace("red".parse().unwrap(), "open".into()));
        assert!(command.confirmed);
        let command = only("PAUSE BECAUSE I can't confirm").unwrap();
        assert_eq!((command.because.as_str(), command.confirmed), ("I can't confirm", false));
        let command = only("PROCESS 3 CONFIRM").unwrap();
        assert_eq!((command.act, command.confirmed), (GmAct::Process("3".into()), true));
    }

    #[test]
    fn words_go_down_to_their_end_or_stand_behind_a_colon() {
        let (given, unread) =
            read_gm_commands("NARRATE 5 TO french, allied.austria\n\nSnow.\nPAUSE\nend narrate\nSTATUS\n");
        let to = ["french", "allied.austria"].map(|seat| seat.parse().unwrap()).to_vec();
        assert_eq!(given[0].command.as_ref().unwrap().act, {
            GmAct::Narrate("5".into(), to, "Snow.\nPAUSE".into())
        });
        assert_eq!((given.len(), unread), (2, None));
        assert_eq!(act("BROADCAST: All well."), GmAct::Broadcast("All well.".into()));
        assert_eq!(act("NARRATE 5: Snow."), GmAct::Narrate("5".into(), Vec::new(), "Snow.".into()));
        let no_end = |instead: Option<&str>| {
            Err(CommandFault::NoEnd { end: "END BROADCAST", instead: instead.map(str::to_owned) })
        };
        assert_eq!(only("BROADCAST\nAll well.\n"), no_end(None));
        assert_eq!(only("BROADCAST\nAll well.\nEND BRODCAST\nSTATUS\n"), no_end(Some("END BRODCAST")));
    }

    #[test]
    fn a_slip_in_capitals_is_told_and_a_letter_is_not_read() {
        for slip in [
            "EXTEND 5 two days",
            "PROCESS",
            "DEADLINE 5 tomorrow",
            "REPLACE french",
            "TERMS grace 12h",
            "ADDRESS gm@example.org",
        ] {
            assert!(matches!(only(slip), Err(CommandFault::Form(_))), "{slip}");
        }
        let (given, unread) = read_gm_commands(
            "# key: alpha gm 0123456789abcdef\nPAUSE\npause becuse x\nThink of it.\nRESUME\n",
        );
        assert_eq!((given.len(), unread.as_deref()), (1, Some("pause becuse x")));
        let slip = gm_slip("pause becuse x").unwrap();
        assert_eq!(slip.word.as_deref(), Some("x"), "the word that is wrong, not the command's");
        assert_eq!(gm_slip("Think of it."), None);
        assert_eq!(read_gm_commands("> PAUSE\n").0, []);
    }
}
