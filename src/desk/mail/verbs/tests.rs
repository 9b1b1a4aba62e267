use std::collections::BTreeSet;

use super::super::commands::take_commands_beside;
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

/// Lines that can't be read, the words under the caret, and what is told. A blank under the caret stands for a missing word.
const SLIPS: &[(&str, &str, &str)] = &[
    ("STATUS now", "now", "`now` can't be read: nothing more is expected here."),
    ("HELP BATTLE al_pha", "al_pha", "the name of a game such as alpha is expected here."),
    ("HELP press orders", "orders", "nothing more is expected here."),
    ("SCENARIO al_pha", "al_pha", "the name of a game such as alpha is expected here."),
    ("RULES the retreat of guards", "guards", "nothing more"),
    ("LIST all", "all", "nothing more"),
    ("JOIN", " ", "Something is missing: the name of a game such as alpha is expected here."),
    ("JOIN alpha fr_ench", "fr_ench", "the name of a seat is expected here."),
    ("JOIN alpha PREFER", " ", "the name of a seat"),
    ("JOIN alpha PREFER french, aus_trian", "aus_trian", "the name of a seat"),
    ("STANDBY alpha french please", "please", "nothing more"),
    ("OBSERVE", " ", "the name of a game"),
    ("WITNESS alpha beta", "beta", "nothing more"),
    ("LEAVE al_pha", "al_pha", "the name of a game"),
    ("CONFIRM", " ", "the code that you were sent"),
    ("SCENARIOS lga toy", "toy", "nothing more"),
    ("CREATE", " ", "a scenario as SCENARIOS lists it"),
    ("CREATE spring", "spring", "a scenario as SCENARIOS lists it"),
    ("CREATE lga/austrian-1805 Spr_ing", "Spr_ing", "a name for the new game"),
    ("CREATE lga/austrian-1805 spring now", "now", "an option such as --seat red=computer"),
    ("REPORT 4th!?", "4th!?", "a turn such as 5"),
    ("HISTORY 3", "3", "nothing more"),
    ("LUCK french", "french", "nothing more"),
    ("PREVIEW orders", "orders", "nothing more"),
    ("MAP north", "north", "nothing more"),
    ("TRY this", "this", "nothing more"),
    ("ODDS", " ", "an order of the game"),
    ("WITHDRAW ORDER", "ORDER", "`ORDER` can't be read: ORDERS is expected here."),
    ("ABSENT next week", "next", "UNTIL and a day, or the first day (2026-12-01), is expected here."),
    ("ABSENT UNTIL 2026-13-40", "2026-13-40", "a day such as 2026-12-10"),
    ("ABSENT 2026-12-01 TILL 2026-12-10", "TILL", "TO or UNTIL"),
    ("BACK again", "again", "nothing more"),
    ("EXTEND two days", "two", "a span of time such as 90m, 36h or 2d"),
    ("EXTEND UNTIL 2026-12-10 8pm", "8pm", "a time such as 20:00"),
    ("DRAW maybe", "maybe", "NO or CONFIRM"),
    ("ZONE Europe Vienna", "Vienna", "nothing more"),
    ("MAIL PICTURES of", "of", "ON or OFF"),
    ("MAIL TEXT DATTA OFF", "DATTA", "TEXT, HTML, BRIEF, FULL, PICTURES, DATA or CALENDAR"),
    ("ADDRESS anna@example.org", "anna@example.org", "ADD or DROP"),
    ("NEW SECRTE", "SECRTE", "SECRET"),
    ("CONSENT 4,at", "4,at", "the label of the roll"),
    ("AHEAD 7 please", "please", "nothing more"),
    ("RESIGN now", "now", "nothing more"),
    ("DECLINE thanks", "thanks", "nothing more"),
];

/// The same of the GM's.
const GM_SLIPS: &[(&str, &str, &str)] = &[
    ("STATUS french", "french", "nothing more"),
    ("HELP AMEND RULE", "RULE", "nothing more"),
    ("RULES how is a retreat read", "retreat", "nothing more"),
    ("SCENARIO spring", "spring", "nothing more"),
    ("OVERVIEW all", "all", "nothing more"),
    ("REPORT fr_ench 4", "fr_ench", "a seat (french or allied) is expected here."),
    ("ORDERS", " ", "a seat (french or allied)"),
    ("HISTORY french 4", "4", "nothing more"),
    ("JOURNAL 4", "4", "nothing more"),
    ("AUDIT 4", "4", "nothing more"),
    ("HEALTH now", "now", "nothing more"),
    ("LUCK french", "french", "nothing more"),
    ("PROCESS", " ", "Something is missing: a turn such as 5 is expected here."),
    ("PROCESS BECAUSE all is here", " ", "a turn such as 5"),
    ("PROCESS 5 now", "now", "nothing more"),
    ("PAUSE 5 now", "now", "nothing more"),
    ("RESUME 5 now CONFIRM", "now", "nothing more"),
    ("DEADLINE 5 tomorrow", "tomorrow", "a day such as 2026-12-10"),
    ("DEADLINE 5 2026-12-10 8pm", "8pm", "a time such as 20:00"),
    ("EXTEND 5 two days", "two", "a span of time"),
    ("REPLACE french", " ", "an address, computer or open"),
    ("EJECT", " ", "a seat"),
    ("ADMIT", " ", "an address such as anna@example.org"),
    ("REFUSE a@x.org b@x.org", "b@x.org", "nothing more"),
    ("ADDRESS gm@example.org", "gm@example.org", "ADD or DROP"),
    ("ADDRESS ADD ida@example.org refere", "refere", "owner, referee or reader"),
    ("SECRET the french", "french", "nothing more"),
    ("DRAFT 5 WIHT AMEND x", "WIHT", "AMEND or WITH"),
    ("DRAFT 5 WITH AMEND", " ", "what to change, as HELP AMEND lists it, is expected here."),
    ("STRIKE 5 french", " ", "the number of a line, as lines.txt has it,"),
    ("REWORD 5 french zero: Snow.", "zero", "the number of a line"),
    ("ADD 5 french 1:", " ", "the text for the players"),
    ("RESTORE 5 french 0", "0", "the number of a line"),
    ("APPROVE 5 6", "6", "nothing more"),
    ("AMEND 5", " ", "what to change"),
    ("NARRATE 5 T french: Snow.", "T", "TO"),
    ("NARRATE 5 TO fr_ench: Snow.", "fr_ench", "a seat"),
    ("NARRATE 5:", " ", "the text for the players, on the lines below,"),
    ("PRESS french: Well done.", "french", "TO"),
    ("END", " ", "a turn such as 5"),
    ("CANCEL the game", "game", "nothing more"),
    ("ARCHIVE alpha", "alpha", "nothing more"),
    ("REVEAL", " ", "a turn such as 5"),
    ("ROLLBACK to 3", "3", "nothing more"),
    ("RERUN 4 AMND x", "AMND", "AMEND or WITH"),
    ("REROLL", " ", "the label of a roll"),
    ("BROADCAST all: Snow.", "all", "nothing more"),
    ("TERMS grace 12h", "grace", "an option such as --grace 12h"),
];

/// Commands that read any words.
const READS_ALL: [&str; 1] = ["REACH"];

fn slip(verb: &'static Verb, line: &str) -> Unreadable {
    let words: Vec<&str> = line.split_whitespace().collect();
    let read = |rest: &[&str]| match verb.reads {
        Reads::Seat(read) => read(rest).map(|_| ()),
        Reads::Anybody(read) | Reads::AnybodyOptions(_, read) => read(rest).map(|_| ()),
        Reads::Gm(_) | Reads::GmWords(..) => unreachable!("the GM's lines are read whole"),
    };
    let slip = read(&words[1..]).expect_err(line);
    Unreadable::of(line, slip, verb.form)
}

#[test]
fn what_cant_be_read_of_any_command_has_a_caret_under_the_word() {
    let mut seen = BTreeSet::new();
    let check = |unread: &Unreadable, seats: &[&str], (line, under, told): (&str, &str, &str)| {
        let (start, length) = unread.span;
        let shown: String = format!("{line} ").chars().skip(start).take(length).collect();
        assert_eq!(shown, under, "{line}: {unread:?}");
        let text = unread.told(seats);
        assert!(text.contains(told), "{line}: {text}");
        let form = unread.form.split([' ', ',']).next().unwrap();
        assert!(unread.hint(seats).contains(form), "{line}: {unread:?}");
    };
    for &(line, under, told) in SLIPS {
        let verb = players::VERBS.iter().find(|verb| line.split(' ').next() == Some(verb.word)).unwrap();
        check(&slip(verb, line), &[], (line, under, told));
        // The rules may use the word too: then the line is left to them, unless they can't read it.
        assert_eq!(command_in(line).is_none(), verb.shared, "{line}");
        let given = take_commands_beside(line, &|_| false).given.remove(0);
        let fault = given.command.expect_err(line);
        assert_eq!(fault.unreadable(), Some(&slip(verb, line)), "{line}");
        seen.insert(std::ptr::from_ref(verb));
    }
    for &(line, under, told) in GM_SLIPS {
        let given = read_gm_commands(line).0.remove(0);
        let fault = given.command.expect_err(line);
        check(fault.unreadable().expect(line), &["french", "allied"], (line, under, told));
        seen.insert(std::ptr::from_ref(given.verb));
    }
    for verb in verbs() {
        let is_seen = seen.contains(&std::ptr::from_ref(verb));
        assert!(
            is_seen != READS_ALL.contains(&verb.word),
            "{}: give it a line that can't be read",
            verb.word
        );
    }
}

#[test]
fn the_nearest_word_and_the_form_are_named() {
    let hint = |line: &str| match read_gm_commands(line).0.remove(0).command {
        Err(fault) => fault.unreadable().unwrap().hint(&["french", "allied"]),
        Ok(read) => panic!("{line}: {read:?}"),
    };
    assert_eq!(
        hint("RERUN 4 AMND x"),
        "did you mean AMEND? Write RERUN, the turn that ran last, AMEND and what to change before it: RERUN 4 AMEND CHANGE."
    );
    assert!(hint("REPORT fren!ch").starts_with("did you mean french? Write REPORT and a seat"));
    assert_eq!(hint("ORDERS"), "write ORDERS and a seat: ORDERS french.");
}

#[test]
fn words_are_found_in_a_line_wherever_they_stand() {
    let under = |line: &str, words: &str, span: Option<(usize, usize)>| {
        let (start, length) = place_of(line, words, span)?;
        Some(line.chars().skip(start).take(length).collect::<String>())
    };
    assert_eq!(under("PRESS TO French, allied", "french", None).as_deref(), Some("French"));
    assert_eq!(under("NARRATE 5 TO a,third: Snow", "third", None).as_deref(), Some("third"));
    assert_eq!(under("TERMS --hold=soon", "soon", None).as_deref(), Some("soon"));
    assert_eq!(under("STATUS status", "status", None).as_deref(), Some("status"));
    assert_eq!(under("ZONE Wien", "Vienna", None), None);
    assert_eq!(under("EXTEND 15 2d", "5", None), None);
    let nth = |line: &str, from, many| {
        let (start, length) = place_of_words(line, from, many)?;
        Some(line.chars().skip(start).take(length).collect::<String>())
    };
    assert_eq!(nth("DEADLINE 5  2026-12-10 20:00 CONFIRM", 2, 2).as_deref(), Some("2026-12-10 20:00"));
    assert_eq!(nth("EXTEND UNTIL 2026-12-10", 2, 2).as_deref(), Some("2026-12-10"));
    assert_eq!(nth("EXTEND", 2, 2), None);
    let change = "UNIT 12 MORALE 3; UNIT 4 AT Uml";
    let line = format!("AMEND 5 {}", change.replace("; ", ";   "));
    assert_eq!(under(&line, change, Some((28, 3))).as_deref(), Some("Uml"));
    assert_eq!(under(&line, change, None).as_deref(), Some("UNIT 12 MORALE 3;   UNIT 4 AT Uml"));
}
