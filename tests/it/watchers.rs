//! What those who watch are shown: nothing that still binds. Two games that differ only in that are the same to them, byte for byte.

use std::collections::BTreeMap;

use super::contract::{
    DogSpecimen, LgaSpecimen, SharedSpecimen, Specimen, ToySpecimen, camp_of, played, table,
};
use super::support::*;
use crate::common::soak;
use mail_parser::{MessageParser, MimeHeaders as _};
use musterd::daemon::{Effect, Host, Reply, Request};
use musterd::engine::journal::{Cause, Entry};
use musterd::engine::terms::Terms;
use musterd::engine::{Match, Ruleset};
use musterd::letter::Letter;
use musterd::rules::dog::{self, Dog};
use musterd::rules::lga::{self, Lga};

const SPY: &str = "carl@spies.example";

/// All that somebody is mailed who begins to watch a game with this journal now: headers, words, files; ids of mails and lines of the log
/// masked, since the log is everybody's.
fn shown(entries: &[Entry]) -> String {
    let camp = camp_of(entries);
    let mut host = camp.open();
    let ask = |id: &str, words: &str| Mail { from: SPY, to: HOST, id, in_reply_to: None, text: words }.raw();
    camp.post(ask("ask", "OBSERVE alpha\r\n"));
    settle(&mut host);
    let answer = camp.mails(SPY).pop().unwrap().body.unwrap().text;
    let code = answer.lines().find(|line| line.starts_with("CONFIRM ")).unwrap_or_else(|| panic!("{answer}"));
    camp.post(ask("confirm", code));
    settle(&mut host);
    let raw = raw_mails(&camp.path().join("mail").join(SPY)).into_iter().map(|(_, raw)| raw);
    let pages: Vec<String> =
        raw.filter(|raw| read(raw).subject.contains("] turn ")).map(|raw| page(&raw)).collect();
    assert!(!pages.is_empty(), "nothing was shown");
    pages.join("\n")
}

fn page(raw: &[u8]) -> String {
    let mail = MessageParser::default().parse(raw).unwrap();
    let mut text = String::new();
    for (name, value) in mail.headers_raw() {
        let says_when = ["Message-ID", "Content-Type", "In-Reply-To", "References"].contains(&name);
        text += &format!("{name}:{}\n", if says_when { "…" } else { value.trim() });
    }
    for part in &mail.parts {
        if part.is_multipart() {
            continue;
        }
        text += &format!("-- {:?}\n", part.attachment_name());
        let said = String::from_utf8_lossy(part.contents()).into_owned();
        let log = |line: &&str| !line.contains("Chain: ") && !line.contains("seen: ");
        text.extend(said.lines().filter(log).map(|line| format!("{line}\n")));
    }
    text
}

/// The same journal with further events at the end of the nth adjudication from the last, 0.
fn with<R: Ruleset>(entries: &[Entry], from_last: usize, more: &[R::Event]) -> Vec<Entry> {
    let mut entries = entries.to_vec();
    let mut ran = entries.iter_mut().rev().filter_map(|entry| match &mut entry.cause {
        Cause::Adjudicated { events, .. } => Some(events),
        _ => None,
    });
    let events = ran.nth(from_last).unwrap();
    events.extend(more.iter().map(|event| serde_json::to_value(event).unwrap()));
    entries
}

/// The same game with observers so many turns behind.
fn lagging(mut entries: Vec<Entry>, lag: u32) -> Vec<Entry> {
    let Cause::Founded { charter, .. } = &mut entries[0].cause else { panic!() };
    charter.terms.observers_lag = lag;
    entries
}

/// The position after a journal.
fn position<S: Specimen>(entries: &[Entry]) -> Match<S::Rules> {
    table::<S>(entries)
}

#[track_caller]
fn same(one: &str, other: &str) {
    let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    assert!(one == other, "{differs:?}");
}

/// A standing file in the words of its player.
fn filed(table: &Match<Lga>, seat: &musterd::dice::Seat, lines: &str) -> lga::event::Event {
    use lga::order::{Act, Standing};
    let block = musterd::dice::Block::canonical(lines);
    let (reading, _) = table.read(seat, &block);
    let file: Vec<Standing> = reading
        .orders
        .iter()
        .find_map(|placed| match &placed.order.act {
            Act::Standing { file } => Some(file.iter().map(|placed| placed.order.clone()).collect()),
            _ => None,
        })
        .unwrap();
    assert!(!file.is_empty(), "{lines}: {:?}", reading.remarks);
    lga::event::Event::StandingFiled { seat: seat.clone(), file }
}

/// Ruling LGA-80.
fn standing_orders_stay_unseen<S: Specimen<Rules = Lga>>() {
    use lga::event::Event;
    for (lag, steps) in [(0, 2), (1, 3), (2, 4)] {
        let entries = lagging(played::<S>(1, steps), lag);
        let at = usize::try_from(lag).unwrap();
        let table = position::<S>(&entries);
        for spec in table.seats() {
            let view = table.view(&spec.seat);
            let unit =
                view.own.values().find(|unit| view.nations.contains(&unit.nation) && !unit.garrison).unwrap();
            let file = |words: &str| filed(&table, &spec.seat, &format!("STANDING\n{words}\n"));
            let (id, hex) = (unit.id, unit.hex);
            let acts = |because: &str| {
                let because = || because.to_owned();
                vec![
                    Event::NotDone { seat: spec.seat.clone(), line: 0, order: because(), reason: because() },
                    Event::Withdrew {
                        unit: id,
                        from: hex,
                        to: hex,
                        check: None,
                        loss: 0,
                        destroyed: false,
                        because: because(),
                    },
                ]
            };
            // What was filed, what was told of it, and the words for what was done by it; the file is in force to this day.
            let game = |file: Event, acts: Vec<Event>| {
                let filed = with::<Lga>(&entries, at, &[vec![file.clone()], acts].concat());
                with::<Lga>(&filed, 0, &[file])
            };
            let top = format!("TOP {id} WHEN {id} ATTACKED");
            let one = game(file(&top), acts("TOP first"));
            let two =
                game(file(&format!("{top}\nTOP {id} WHEN {id} MORALE <= 1")), acts("WITHDRAW other words"));
            assert_eq!(position::<S>(&one).view(&spec.seat).standing.len(), 1, "in force now");
            assert_eq!(position::<S>(&two).view(&spec.seat).standing.len(), 2, "in force now");
            let page = shown(&one);
            assert!(page.contains(&format!("{}.txt", spec.seat)), "{page}");
            same(&page, &shown(&two));
            assert!(!page.contains("standing order:") && !page.contains("TOP first"), "{page}");
            // That there is one at all.
            let quiet = acts("x").split_off(1);
            let none = with::<Lga>(&entries, at, &quiet);
            same(&page, &shown(&none));
        }
    }
}

#[test]
fn standing_orders_in_force_are_not_shown() {
    standing_orders_stay_unseen::<LgaSpecimen>();
}

#[test]
fn standing_orders_of_shared_sides_are_not_shown() {
    standing_orders_stay_unseen::<SharedSpecimen>();
}

#[test]
fn what_a_garrison_does_unseen_is_not_shown_as_long_as_it_lies_there() {
    use lga::event::Event;
    let entries = lagging(played::<LgaSpecimen>(1, 3), 0);
    let table = position::<LgaSpecimen>(&entries);
    let mut compared = 0;
    for spec in table.seats() {
        let view = table.view(&spec.seat);
        for unit in view.own.values().filter(|unit| unit.garrison) {
            let morale = if unit.morale > 1 { unit.morale - 1 } else { unit.morale + 1 };
            // Since the last count of the strengths, and before it.
            for from_last in [0, 1, 2] {
                let change = Event::Rallied { unit: unit.id, morale, cost: 0 };
                let changed = with::<Lga>(&entries, from_last, &[change]);
                let is_other = position::<LgaSpecimen>(&changed).digest() != table.digest();
                assert!(is_other || from_last > 0, "what came later may have set it anew");
                same(&shown(&entries), &shown(&changed));
                compared += 1;
            }
        }
    }
    assert!(compared > 0, "no garrison in this game");
}

/// Ruling DOG-51.
#[test]
fn what_units_of_a_battle_do_if_attacked_is_not_shown() {
    use dog::amend::Change;
    use dog::event::Event;
    for (lag, steps) in [(0, 3), (1, 4)] {
        let entries = lagging(played::<DogSpecimen>(1, steps), lag);
        let at = usize::try_from(lag).unwrap();
        let table = position::<DogSpecimen>(&entries);
        for spec in table.seats() {
            let view = table.view(&spec.seat);
            let (army, unit) = (view.army.unwrap(), view.own.keys().next().copied());
            let Some(unit) = unit else { continue };
            let told = |if_attacked, words: &str| {
                let not_done = Event::NotDone {
                    seat: spec.seat.clone(),
                    line: 1,
                    order: words.to_owned(),
                    reason: words.to_owned(),
                };
                let leads = Change::Leadership { army, leadership: 7 + u32::try_from(words.len()).unwrap() };
                vec![Event::Instructed { army, if_attacked }, not_done, Event::Amended { change: leads }]
            };
            let defend = dog::order::IfAttacked { defend: true, ..Default::default() };
            let keep = dog::order::IfAttacked { defend: true, except: [unit].into() };
            let one = with::<Dog>(&entries, at, &told(defend, "one"));
            let two = with::<Dog>(&entries, at, &told(keep, "the other"));
            assert_ne!(position::<DogSpecimen>(&one).digest(), position::<DogSpecimen>(&two).digest());
            let page = shown(&one);
            same(&page, &shown(&two));
            same(&page, &shown(&entries));
        }
    }
}

#[test]
fn who_lies_hidden_still_is_not_shown_where_he_lay() {
    use dog::amend::Change;
    use dog::event::{Event, Stop};
    let mut compared = 0;
    for seed in soak::seeds(0..6) {
        for lag in [0, 1] {
            let entries = lagging(played::<DogSpecimen>(seed, 2 + lag), lag);
            let at = usize::try_from(lag).unwrap();
            let table = position::<DogSpecimen>(&entries);
            let all: BTreeMap<_, _> =
                table.seats().iter().flat_map(|spec| table.view(&spec.seat).own).collect();
            let hidden = all.iter().find(|(_, unit)| unit.hidden);
            let Some((id, _)) = hidden else { continue };
            let free =
                table.rules().battle().field.hexes().find(|hex| all.values().all(|unit| unit.at != *hex));
            let change = Change::Place { unit: *id, to: free.unwrap() };
            let moved = with::<Dog>(&entries, at, &[Event::Amended { change }]);
            let after = position::<DogSpecimen>(&moved);
            assert_ne!(after.digest(), table.digest(), "it lies elsewhere");
            same(&shown(&entries), &shown(&moved));
            // Nor who of his own army came upon him.
            if let Some((other, unit)) = all.iter().find(|(_, unit)| !unit.hidden) {
                let stopped =
                    Event::Stopped { unit: *other, at: unit.at, because: Stop::Taken { hex: free.unwrap() } };
                same(&shown(&entries), &shown(&with::<Dog>(&entries, at, &[stopped])));
            }
            compared += 1;
        }
    }
    assert!(soak::is_enough(compared > 2), "{compared} compared");
}

#[test]
fn what_binds_nobody_any_more_is_shown() {
    // The toy has nothing that stands: a page is what the side was told.
    let entries = lagging(played::<ToySpecimen>(1, 3), 0);
    let page = shown(&entries);
    for spec in position::<ToySpecimen>(&entries).seats() {
        assert!(page.contains(&format!("{}.txt", spec.seat)), "{page}");
    }
    assert!(page.contains("What happened") || page.contains("WHAT HAPPENED"), "{page}");
}

/// A turn that was rolled back is as old as the one that was played in its place: it brings nobody nearer to the players.
#[test]
fn a_turn_taken_back_makes_no_spy_see_more() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { observers_lag: 3, ..Terms::default() });
    let gm = |host: &mut Host, text: &str| {
        let request = Request::Gm { game: game(), text: text.to_owned(), yes: true };
        let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
        assert_eq!(answers[0].end, Effect::Done, "{answers:?}");
        settle(host);
    };
    let ask = |id: &str, words: &str| Mail { from: SPY, to: HOST, id, in_reply_to: None, text: words }.raw();
    camp.post(ask("ask", "OBSERVE alpha\r\n"));
    settle(&mut host);
    let answer = camp.mails(SPY).pop().unwrap().body.unwrap().text;
    camp.post(ask("confirm", answer.lines().find(|line| line.starts_with("CONFIRM ")).unwrap()));
    settle(&mut host);
    let seen = |camp: &Camp| -> Vec<String> {
        let turn = |mail: Letter| Some(mail.subject.strip_prefix("[alpha] turn ")?.to_owned());
        camp.mails(SPY).into_iter().filter_map(turn).collect()
    };
    gm(&mut host, "PROCESS 2");
    gm(&mut host, "PROCESS 3");
    assert_eq!(seen(&camp), Vec::<String>::new());
    gm(&mut host, "ROLLBACK 2");
    gm(&mut host, "PROCESS 5");
    gm(&mut host, "PROCESS 6");
    assert_eq!(seen(&camp), Vec::<String>::new(), "two turns that count lie behind the founding");
    gm(&mut host, "PROCESS 7");
    assert_eq!(seen(&camp), ["1, founding"]);
}
