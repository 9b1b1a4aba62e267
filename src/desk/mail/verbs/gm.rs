//! The commands of the GM.

use super::act::GmAct;
use super::slip::{Slip, Wanted};
use super::verb::{
    Code::Repeated,
    Reads::{Gm, GmWords},
    Verb,
};
use super::words::{
    ADDRESS, DAY, Read, SPAN, TURN, day, ended, is, named, none, only, only_named, option_in, question,
    seats, small, span, time, which, word,
};
use musterd_dice::{LineChange, Seat};
use musterd_engine::journal::GmRole;

pub(super) static VERBS: &[Verb] = &[
    Verb::new("STATUS", Gm(|rest| none(rest, GmAct::Status)))
        .help(&[("STATUS", "tells where the game stands")])
        .only_asks(),
    Verb::new("HELP", Gm(help))
        .form("HELP, or HELP and a command: HELP AMEND")
        .help(&[("HELP, HELP AMEND", "tells what can be written; how a command is")])
        .only_asks(),
    Verb::new("RULES", Gm(|rest| question(rest).map(GmAct::Rules)))
        .form("RULES, or RULES and a number or words: RULES 12, RULES retreat")
        .help(&[(
            "RULES, RULES 12, RULES retreat",
            "tells how the game's manual is read: all subjects; rulings by number or word",
        )])
        .only_asks(),
    Verb::new("SCENARIO", Gm(|rest| none(rest, GmAct::Scenario)))
        .help(&[("SCENARIO", "tells what the game is about, and its rhythm")])
        .only_asks(),
    Verb::new("OVERVIEW", Gm(|rest| none(rest, GmAct::Overview)))
        .help(&[("OVERVIEW", "shows all sides on one page and one map, all that is hidden too")])
        .only_asks(),
    Verb::new("REPORT", Gm(report))
        .form("REPORT and a seat, with a turn or without: REPORT SEAT, REPORT SEAT 4")
        .help(&[("REPORT french, REPORT french 4", "shows a seat's last dispatch, or that of a turn")])
        .only_asks(),
    Verb::new("ORDERS", Gm(|rest| only_named(rest, Wanted::Seat).map(GmAct::Orders)))
        .form("ORDERS and a seat: ORDERS SEAT")
        .help(&[(
            "ORDERS french",
            "shows a seat's orders for the open turn; all are told that you looked, and it is in the log",
        )]),
    Verb::new("HISTORY", Gm(|rest| only_named(rest, Wanted::Seat).map(GmAct::History)))
        .form("HISTORY and a seat: HISTORY SEAT")
        .help(&[("HISTORY french", "shows the course of the game as a seat knows it")])
        .only_asks(),
    Verb::new("JOURNAL", Gm(|rest| none(rest, GmAct::Journal)))
        .help(&[("JOURNAL", "shows all that happened up to the turn that ran last, for programs")])
        .only_asks(),
    Verb::new("AUDIT", Gm(|rest| none(rest, GmAct::Audit)))
        .help(&[("AUDIT", "brings the audit file, with what is revealed")])
        .only_asks(),
    Verb::new("HEALTH", Gm(|rest| none(rest, GmAct::Health)))
        .help(&[("HEALTH", "tells how the game's mail comes and goes; the host's own GM, what ails the host")])
        .only_asks(),
    Verb::new("LUCK", Gm(|rest| none(rest, GmAct::Luck)))
        .help(&[("LUCK", "shows all dice so far, and each side's luck")])
        .only_asks(),
    Verb::new("PROCESS", Gm(|rest| only(rest, TURN).map(GmAct::Process)))
        .form("PROCESS and the open turn: PROCESS 5")
        .help(&[("PROCESS 5", "runs the open turn now")])
        .code(Repeated),
    Verb::new("PAUSE", Gm(|rest| any_turn(rest).map(GmAct::Pause)))
        .help(&[("PAUSE", "stops the game: no turn runs, nobody is reminded, orders are taken")]),
    Verb::new("RESUME", Gm(|rest| any_turn(rest).map(GmAct::Resume)))
        .help(&[("RESUME", "lets the game go on; its deadline moves by the length of the pause")]),
    Verb::new("DEADLINE", Gm(deadline))
        .form("DEADLINE, the open turn, a day and a time: DEADLINE 5 2026-12-10 20:00")
        .help(&[("DEADLINE 5 2026-12-10 20:00", "sets the open turn's deadline, on the game's clock")]),
    Verb::new("EXTEND", Gm(extend))
        .form("EXTEND, the open turn and a span: EXTEND 5 2d")
        .help(&[("EXTEND 5 2d", "gives more time: 90m, 36h, 2d")]),
    Verb::new("REPLACE", Gm(replace))
        .form(
            "REPLACE, a seat, and an address, computer, computer:LEVEL or open: REPLACE SEAT \
             anna@example.org",
        )
        .help(&[(
            "REPLACE french anna@example.org",
            "gives a seat to somebody, to computer or computer:LEVEL, or to nobody (open)",
        )])
        .code(Repeated)
        .owners(),
    Verb::new("EJECT", Gm(|rest| only_named(rest, Wanted::Seat).map(GmAct::Eject)))
        .form("EJECT and a seat: EJECT SEAT")
        .help(&[(
            "EJECT french",
            "takes a seat away, and its player may not come back; those who wait for a seat are asked, \
             and JOIN takes it",
        )])
        .code(Repeated)
        .owners(),
    Verb::new("ADMIT", Gm(|rest| only(rest, ADDRESS).map(GmAct::Admit)))
        .form(
            "ADMIT and an address of somebody who asks to watch, or who was ejected: ADMIT \
             anna@example.org",
        )
        .help(&[("ADMIT anna@example.org", "lets somebody watch who asks to, or come back who was ejected")]),
    Verb::new("REFUSE", Gm(|rest| only(rest, ADDRESS).map(GmAct::Refuse)))
        .form("REFUSE and an address of somebody who asks to watch, or who watches: REFUSE anna@example.org")
        .help(&[("REFUSE anna@example.org", "doesn't let somebody watch, or no longer")]),
    Verb::new("ADDRESS", Gm(gm_address))
        .form(
            "ADDRESS ADD and a further address of the GM's, as referee, reader or owner, or ADDRESS DROP and \
             one of them: ADDRESS ADD gm@example.org referee",
        )
        .help(&[
            (
                "ADDRESS ADD new@example.org",
                "makes that an address of yours too: what goes to you goes there, and commands from there \
                 count; ADDRESS DROP takes one away",
            ),
            (
                "ADDRESS ADD ida@example.org referee",
                "the same for somebody who leads the game but changes neither terms nor people; a reader only \
                 asks",
            ),
        ])
        .code(Repeated)
        .owners(),
    Verb::new("SECRET", Gm(|rest| only_named(rest, Wanted::Seat).map(GmAct::Secret)))
        .form("SECRET and a seat, or gm: SECRET SEAT")
        .help(&[(
            "SECRET french",
            "gives a seat a new secret, which goes to its player alone; SECRET gm gives you one",
        )])
        .owners(),
    Verb::new("DRAFT", Gm(draft))
        .form("DRAFT and the turn that ran: DRAFT 5, or DRAFT 5 WITH AMEND and what to change")
        .help(&[
            ("DRAFT 5", "sends you the dispatches that wait, as text and as the page that goes with it"),
            (
                "DRAFT 5 WITH AMEND UNIT 12 MORALE 3",
                "shows what that would change in everybody's dispatch, and does nothing",
            ),
        ])
        .only_asks(),
    Verb::new("STRIKE", Gm(|rest| line(rest, LineChange::Struck)))
        .form("STRIKE, the turn that ran, a seat and the number of a line, as lines.txt has it: STRIKE 5 SEAT 12")
        .help(&[(
            "STRIKE 5 french 12",
            "takes a line out of a dispatch that waits; lines.txt, which DRAFT brings, has the numbers",
        )]),
    Verb::new("REWORD", GmWords("END REWORD", |rest, words| line_with(rest, words, LineChange::Reworded)))
        .form(
            "REWORD, the turn that ran, a seat and the number of a line, your words below it, and END REWORD \
             below them",
        )
        .help(&[(
            "REWORD 5 french 12, words, END REWORD",
            "tells a line of a dispatch that waits in your words, which are marked as yours",
        )]),
    Verb::new("ADD", GmWords("END ADD", |rest, words| line_with(rest, words, LineChange::Added)))
        .form(
            "ADD, the turn that ran, a seat and the number of a line, your words below it, and END ADD below \
             them",
        )
        .help(&[(
            "ADD 5 french 12, words, END ADD",
            "puts words of yours behind a line of a dispatch that waits, marked as yours",
        )]),
    Verb::new("RESTORE", Gm(|rest| line(rest, LineChange::Restored)))
        .form("RESTORE, the turn that ran, a seat and the number of a line: RESTORE 5 SEAT 12")
        .help(&[("RESTORE 5 french 12", "takes back what STRIKE, REWORD and ADD did to a line")]),
    Verb::new("APPROVE", Gm(|rest| only(rest, TURN).map(GmAct::Approve)))
        .form("APPROVE and the turn that ran: APPROVE 5")
        .help(&[(
            "APPROVE 5",
            "sends those dispatches to the players, unless a line above it in the same mail was not \
             done, or waits to be confirmed",
        )]),
    Verb::new("AMEND", Gm(amend))
        .form("AMEND, the open turn and what to change: AMEND 5 CHANGE")
        .help(&[("AMEND 5 UNIT 12 MORALE 3", "changes the position; several changes have ; between them")])
        .code(Repeated),
    Verb::new("NARRATE", GmWords("END NARRATE", narrate))
        .form(
            "NARRATE and the turn, with TO and seats or without, the words below it, and END NARRATE \
             below them",
        )
        .help(&[(
            "NARRATE 5 TO french, words, END NARRATE",
            "puts words at the head of the next dispatches: of these seats, of all without TO",
        )]),
    Verb::new("PRESS", GmWords("END PRESS", press))
        .form("PRESS TO and seats, the words below it, and END PRESS below them")
        .help(&[(
            "PRESS TO french, words, END PRESS",
            "sends your words to these seats alone, now; they answer with PRESS TO gm",
        )]),
    Verb::new("END", Gm(end))
        .form("END and the open turn, with results behind it or without, ; between them: END 5 The French win")
        .help(&[(
            "END 5 The French win; the Allies lose",
            "ends the game with these results; the open turn never runs, and all are sent their last reports",
        )])
        .code(Repeated)
        .owners(),
    Verb::new("CANCEL", Gm(|rest| only(rest, TURN).map(GmAct::Cancel)))
        .form("CANCEL and the open turn: CANCEL 5")
        .help(&[("CANCEL 5", "ends the game in the same way, but nobody wins or loses")])
        .code(Repeated)
        .owners(),
    Verb::new("ARCHIVE", Gm(|rest| none(rest, GmAct::Archive)))
        .help(&[(
            "ARCHIVE",
            "puts a game that is over into the archive: the host opens it only when somebody asks for it by its name",
        )])
        .code(Repeated)
        .owners(),
    Verb::new("REVEAL", Gm(|rest| only(rest, TURN).map(GmAct::Reveal)))
        .form("REVEAL and the last turn that is to be revealed: REVEAL 3")
        .help(&[("REVEAL 3", "makes turn 3 and all before it public, before the terms do")])
        .code(Repeated),
    Verb::new("ROLLBACK", Gm(|rest| only(rest, TURN).map(GmAct::Rollback)))
        .form("ROLLBACK and the first turn that is to be void: ROLLBACK 3")
        .help(&[(
            "ROLLBACK 3",
            "takes back turn 3 and all after it; play goes on from the position before it, as a new turn",
        )])
        .code(Repeated),
    Verb::new("RERUN", Gm(rerun))
        .form("RERUN, the turn that ran last, AMEND and what to change before it: RERUN 4 AMEND CHANGE")
        .help(&[(
            "RERUN 4 AMEND UNIT 12 MORALE 3",
            "runs the turn that ran last again, with the same orders and the same dice, from a position \
             amended before it",
        )])
        .code(Repeated),
    Verb::new("REROLL", Gm(|rest| only(rest, Wanted::A("the label of a roll")).map(GmAct::Reroll)))
        .form("REROLL and the label of a roll of the turn that ran last, as the log has it: REROLL LABEL")
        .help(&[(
            "REROLL 4/combat/attack/1204/0",
            "asks all whether that roll of the turn that ran last may be thrown again; it is, when every \
             player has consented",
        )])
        .code(Repeated),
    Verb::new(
        "BROADCAST",
        GmWords("END BROADCAST", broadcast),
    )
    .form("BROADCAST, the words below it, and END BROADCAST below them")
    .help(&[("BROADCAST, words, END BROADCAST", "tells all, now")]),
    Verb::new("TERMS", Gm(terms))
        .form("TERMS and options as `musterd new` takes them: TERMS --grace 12h --missing hold")
        .help(&[(
            "TERMS --grace 12h --missing hold",
            "changes what musterd new laid down, in the words of its options",
        )])
        .code(Repeated)
        .owners(),
];

/// `ADD`, an address and its part in leading the game, an owner's if none is named; or `DROP` and an address.
fn gm_address(rest: &[&str]) -> Read<GmAct> {
    let what = which(rest, 0, &["ADD", "DROP"])?;
    let address = small(rest, 1, ADDRESS)?;
    if what == "DROP" {
        return ended(rest, 2).map(|()| GmAct::DropAddress(address));
    }
    let role = match rest.len() {
        2 => GmRole::Owner,
        _ => {
            let part = which(rest, 2, &["owner", "referee", "reader"])?;
            GmRole::ALL.into_iter().find(|role| role.word() == part).unwrap_or(GmRole::Owner)
        }
    };
    ended(rest, 3).map(|()| GmAct::AddAddress(address, role))
}

fn deadline(rest: &[&str]) -> Read<GmAct> {
    let turn = small(rest, 0, TURN)?;
    let at = day(rest, 1, DAY)?.to_datetime(time(rest, 2)?);
    ended(rest, 3).map(|()| GmAct::Deadline(turn, at))
}

fn help(rest: &[&str]) -> Read<GmAct> {
    ended(rest, 1)?;
    Ok(GmAct::Help(rest.first().map(|word| word.to_ascii_uppercase())))
}

fn end(rest: &[&str]) -> Read<GmAct> {
    let turn = small(rest, 0, TURN)?;
    let results = rest[1..].join(" ");
    let results = results.split(';').map(str::trim).filter(|result| !result.is_empty()).map(str::to_owned);
    Ok(GmAct::End(turn, results.collect()))
}

fn report(rest: &[&str]) -> Read<GmAct> {
    let seat = named(rest, 0, Wanted::Seat)?;
    ended(rest, 2)?;
    Ok(GmAct::Report(seat, rest.get(1).map(|turn| turn.to_ascii_lowercase())))
}

fn extend(rest: &[&str]) -> Read<GmAct> {
    let turn = small(rest, 0, TURN)?;
    let minutes = span(rest, 1, SPAN)?;
    ended(rest, 2).map(|()| GmAct::Extend(turn, minutes))
}

fn replace(rest: &[&str]) -> Read<GmAct> {
    let seat = named(rest, 0, Wanted::Seat)?;
    let who = small(rest, 1, Wanted::A("an address, computer or open"))?;
    ended(rest, 2).map(|()| GmAct::Replace(seat, who))
}

fn draft(rest: &[&str]) -> Read<GmAct> {
    let turn = small(rest, 0, TURN)?;
    let change = if rest.len() > 1 { Some(amendment(rest)?) } else { None };
    Ok(GmAct::Draft(turn, change))
}

const CHANGE: Wanted = Wanted::A("what to change, as HELP AMEND lists it,");

/// The turn, a seat and the number of a line.
fn line(rest: &[&str], change: LineChange) -> Read<GmAct> {
    const LINE: Wanted = Wanted::A("the number of a line, as lines.txt has it,");
    let (turn, seat) = (small(rest, 0, TURN)?, named(rest, 1, Wanted::Seat)?);
    let line = word(rest, 2, LINE)?.parse().ok().filter(|line| *line > 0).ok_or(Slip::wrong(2, LINE))?;
    ended(rest, 3).map(|()| GmAct::Line { turn, seat, line, change })
}

/// The same with the GM's words, which become one paragraph.
fn line_with(rest: &[&str], words: String, change: impl FnOnce(String) -> LineChange) -> Read<GmAct> {
    let words = said(rest, words)?.split_whitespace().collect::<Vec<_>>().join(" ");
    line(rest, change(words))
}

fn amend(rest: &[&str]) -> Read<GmAct> {
    let turn = small(rest, 0, TURN)?;
    word(rest, 1, CHANGE)?;
    Ok(GmAct::Amend(turn, rest[1..].join(" ")))
}

fn rerun(rest: &[&str]) -> Read<GmAct> {
    Ok(GmAct::Rerun(small(rest, 0, TURN)?, amendment(rest)?))
}

fn any_turn(rest: &[&str]) -> Read<Option<String>> {
    if rest.is_empty() { Ok(None) } else { only(rest, TURN).map(Some) }
}

/// `WITH AMEND …` or `AMEND …`, behind a turn.
fn amendment(rest: &[&str]) -> Read<String> {
    let at = if is(rest, 1, "WITH") { 2 } else { 1 };
    which(rest, at, if at == 1 { &["AMEND", "WITH"] } else { &["AMEND"] })?;
    word(rest, at + 1, CHANGE)?;
    Ok(rest[at + 1..].join(" "))
}

fn narrate(rest: &[&str], words: String) -> Read<GmAct> {
    let turn = small(rest, 0, TURN)?;
    let to = if rest.len() > 1 { readers(rest, 1)? } else { Vec::new() };
    Ok(GmAct::Narrate(turn, to, said(rest, words)?))
}

fn broadcast(rest: &[&str], words: String) -> Read<GmAct> {
    ended(rest, 0)?;
    said(rest, words).map(GmAct::Broadcast)
}

fn press(rest: &[&str], words: String) -> Read<GmAct> {
    let to = readers(rest, 0)?;
    Ok(GmAct::Press(to, said(rest, words)?))
}

/// `TO` and seats, from a place on.
fn readers(rest: &[&str], from: usize) -> Read<Vec<Seat>> {
    which(rest, from, &["TO"])?;
    seats(rest, from + 1)
}

/// The words below a command, or behind its colon.
fn said(rest: &[&str], words: String) -> Read<String> {
    let wanted = Wanted::A("the text for the players, on the lines below,");
    if words.trim().is_empty() { Err(Slip::missing(rest.len(), wanted)) } else { Ok(words) }
}

fn terms(rest: &[&str]) -> Read<GmAct> {
    let wanted = Wanted::A("an option such as --grace 12h");
    if option_in(word(rest, 0, wanted)?).is_none() {
        return Err(Slip::wrong(0, wanted));
    }
    let dashed =
        |word: &&str| option_in(word).map_or_else(|| (*word).to_owned(), |option| format!("--{option}"));
    Ok(GmAct::Terms(rest.iter().map(dashed).collect::<Vec<_>>().join(" ")))
}
