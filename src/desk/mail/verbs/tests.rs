use std::collections::BTreeSet;

use super::super::given::Given;
use super::*;
use crate::mail::{command_in, read_gm_commands};
use musterd_report::answer::TOPICS;

#[test]
fn what_help_says_of_a_command_is_read_as_that_command() {
    for verb in verbs() {
        for (example, does) in verb.help {
            assert!(example.starts_with(verb.word) && !does.ends_with('.'), "{example}");
            // The parts after the first are texts or options, and their end marks.
            let has_more = matches!(verb.reads, Reads::GmWords(..) | Reads::AnybodyOptions(..));
            let parts = if has_more { 1 } else { usize::MAX };
            for part in example.split(", ").take(parts) {
                let (read, is_ok) = match verb.reads {
                    Reads::Gm(_) => first_of(&read_gm_commands(part).0),
                    Reads::GmWords(end, _) => {
                        first_of(&read_gm_commands(&format!("{part}\nSnow.\n{end}\n")).0)
                    }
                    Reads::Seat(_) | Reads::Anybody(_) | Reads::AnybodyOptions(..) => {
                        first_of(command_in(part).as_slice())
                    }
                };
                assert_eq!(read, verb, "{part}");
                assert!(is_ok || FORMS.contains(&part), "{part}: {}", verb.form);
            }
        }
    }
    let help = verbs().find(|verb| verb.word == "HELP").unwrap().help;
    assert_eq!(help[0].1, format!("help: {}", TOPICS.join(", ")));
}

/// The text that HELP shows in place of an example, because an example would be different for everybody.
const FORMS: [&str; 2] = ["CONFIRM and the code", "CONSENT and a roll's label"];

fn first_of<C>(given: &[Given<C>]) -> (&'static Verb, bool) {
    let given = given.first().expect("a command");
    (given.verb, given.command.is_ok())
}

#[test]
fn a_command_has_one_entry() {
    let players = players::VERBS.iter().map(|verb| verb.word).collect::<BTreeSet<_>>();
    let gms = gm::VERBS.iter().map(|verb| verb.word).collect::<BTreeSet<_>>();
    assert_eq!((players.len(), gms.len()), (players::VERBS.len(), gm::VERBS.len()));
    assert!(verbs().flat_map(|verb| verb.topics).all(|topic| TOPICS.contains(topic)));
    let is_gms = |verb: &Verb| matches!(verb.reads, Reads::Gm(_) | Reads::GmWords(..));
    assert!(!players::VERBS.iter().any(is_gms));
    assert!(gm::VERBS.iter().all(is_gms));
}
