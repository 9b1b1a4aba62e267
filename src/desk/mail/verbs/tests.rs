use std::collections::BTreeSet;

use super::*;
use crate::mail::{is_command, read_gm_commands};
use musterd_report::answer::TOPICS;

#[test]
fn what_help_says_of_a_command_is_read_as_that_command() {
    for verb in verbs() {
        for (example, does) in verb.help {
            assert!(example.starts_with(verb.word) && !does.ends_with('.'), "{example}");
            let first = example.split(", ").next().unwrap();
            match verb.reads {
                Reads::Gm(_) => {
                    assert_eq!(read_gm_commands(first).0.remove(0).verb, verb, "{first}");
                }
                Reads::GmWords(end, _) => {
                    let given = read_gm_commands(&format!("{first}\nSnow.\n{end}\n")).0.remove(0);
                    assert_eq!((given.verb, given.command.is_ok()), (verb, true), "{first}");
                }
                Reads::Seat(_) | Reads::Anybody(_) => assert!(is_command(first), "{first}"),
            }
        }
    }
}

#[test]
fn a_command_has_one_entry() {
    let players = players::VERBS.iter().map(|verb| verb.word).collect::<BTreeSet<_>>();
    let gms = gm::VERBS.iter().map(|verb| verb.word).collect::<BTreeSet<_>>();
    assert_eq!((players.len(), gms.len()), (players::VERBS.len(), gm::VERBS.len()));
    assert!(verbs().flat_map(|verb| verb.topics).all(|topic| TOPICS.contains(topic)));
    assert!(players::VERBS.iter().all(|verb| matches!(verb.reads, Reads::Seat(_) | Reads::Anybody(_))));
    assert!(gm::VERBS.iter().all(|verb| matches!(verb.reads, Reads::Gm(_) | Reads::GmWords(..))));
}
