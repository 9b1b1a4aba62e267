//! The time of a game: reminders, grace, held turns, absences and votes, on a virtual clock. Nobody is told twice, nobody is
//! called missing who isn't, and no turn runs before its time.

use mail_parser::MimeHeaders;
use musterd::daemon::{Host, Reply, Request, Trust};
use musterd::desk::calendar;
use musterd::desk::campaign::Campaign;
use musterd::desk::life::HELD;
use musterd::desk::timing::Due;
use musterd::engine::journal::{Cause, Entry};
use musterd::engine::terms::{Early, Missing, Terms};

use super::replay::replay;
use super::support::*;

/// The open adjudication.
fn open(host: &mut Host) -> Option<u32> {
    match host.execute(Request::Status { game: Some(game()) }).unwrap() {
        Reply::Status { games } => games[0].t,
        other => panic!("{other:?}"),
    }
}

/// The deadline of the open window, in hours after noon.
fn deadline(host: &mut Host) -> i64 {
    let moved = journal(host).into_iter().rev().find_map(|entry| match entry.cause {
        Cause::Opened { deadline, .. } => Some(deadline),
        Cause::Rescheduled { deadline, .. } => Some(Some(deadline)),
        _ => None,
    });
    (moved.flatten().unwrap() - NOON) / HOUR
}

/// Lets so many hours pass, one at a time, the host awake throughout.
fn hours(camp: &Camp, host: &mut Host, hours: i64) {
    for _ in 0..hours {
        camp.wait(HOUR);
        settle(host);
    }
}

fn orders(camp: &Camp, host: &mut Host, seat: &str, id: &str, lines: &str) {
    camp.post(camp.answer(seat, "dispatch", id, &block(lines)));
    settle(host);
}

fn commands(camp: &Camp, host: &mut Host, seat: &str, id: &str, lines: &str) -> String {
    camp.post(camp.answer(seat, "dispatch", id, lines));
    settle(host);
    let answered = format!("{id}@players.example");
    let mut mails = camp.mails(&player(seat)).into_iter();
    let answer = mails.find(|mail| mail.in_reply_to.iter().any(|id| *id == answered)).unwrap();
    assert_eq!(answer.subject.contains("[ERRORS]"), lines.contains("# wrong"));
    words(&answer.body.unwrap().text)
}

/// A text whose lines don't matter.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The subjects of what a seat's player was told besides dispatches and receipts, in order.
fn told(camp: &Camp, seat: &str) -> Vec<String> {
    let kinds = [".notice.", ".reminder."];
    let mails = camp.mails(&player(seat));
    let told = mails.iter().filter(|mail| {
        mail.message_id.as_deref().is_some_and(|id| kinds.iter().any(|kind| id.contains(kind)))
    });
    told.map(|mail| mail.subject.clone()).collect()
}

fn verified(camp: &Camp, host: &mut Host) {
    replay(&desk(), &journal(host), &camp.secrets());
}

#[test]
fn who_has_sent_nothing_is_reminded_once_for_each_deadline() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    orders(&camp, &mut host, "red", "red", "BID 2");
    hours(&camp, &mut host, 11);
    assert_eq!(told(&camp, "blue"), [""; 0], "not in the first half of the window");
    hours(&camp, &mut host, 9);
    assert_eq!(told(&camp, "blue"), ["[alpha] Reminder: orders until Sun 22 Nov 12:00 UTC"]);
    assert_eq!(told(&camp, "red"), [""; 0], "red's orders are here");
    // A moved deadline is reminded of again.
    for seat in ["red", "blue"] {
        commands(&camp, &mut host, seat, &format!("more-{seat}"), "EXTEND 24h");
    }
    assert_eq!(deadline(&mut host), 48);
    hours(&camp, &mut host, 27);
    let reminded = told(&camp, "blue").iter().filter(|subject| subject.contains("Reminder")).count();
    assert_eq!(reminded, 2);
    let reminder = camp.newest("blue", "reminder");
    assert!(words(&reminder.body.unwrap().text).contains("until Monday 23 November 2026, 12:00 UTC"));
    hours(&camp, &mut host, 2);
    assert_eq!(open(&mut host), Some(3));
    verified(&camp, &mut host);
}

#[test]
fn nobody_is_called_missing_while_a_mailbox_is_out_of_reach() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    for hour in [13, 23, 25] {
        camp.clock.set(NOON + hour * HOUR);
        for trust in [Trust::Unreached(NOON), Trust::ClockJumped] {
            assert_eq!(host.run_due(NOON + hour * HOUR, trust).unwrap(), 0);
        }
    }
    assert_eq!(told(&camp, "blue"), [""; 0]);
    orders(&camp, &mut host, "blue", "blue", "BID 2");
    assert_eq!(verdicts(&mut host).last().unwrap(), "late", "its deadline was over");
}

#[test]
fn after_an_outage_nobody_is_reminded_of_what_is_over() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.wait(30 * HOUR);
    settle(&mut host);
    assert_eq!(open(&mut host), Some(3));
    assert_eq!(told(&camp, "blue"), [""; 0]);
}

#[test]
fn in_grace_late_orders_count_and_nobody_else_may_change_theirs() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { grace: 12 * 60, ..Terms::default() });
    orders(&camp, &mut host, "red", "red", "BID 2");
    hours(&camp, &mut host, 30);
    assert_eq!(open(&mut host), Some(2), "it waits for blue");
    for seat in ["red", "blue", "umpire"] {
        let late: Vec<_> = told(&camp, seat).into_iter().filter(|s| s.contains("late")).collect();
        assert_eq!(late, ["[alpha] the blue player is late"], "{seat}");
    }
    orders(&camp, &mut host, "red", "red-again", "BID 5");
    assert_eq!(verdicts(&mut host).last().unwrap(), "late");
    orders(&camp, &mut host, "blue", "blue", "BID 1");
    assert_eq!(verdicts(&mut host).last().unwrap(), "accepted");
    assert_eq!(open(&mut host), Some(3), "and runs as soon as nobody is missing");
    verified(&camp, &mut host);
}

#[test]
fn grace_ends() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { grace: 12 * 60, ..Terms::default() });
    hours(&camp, &mut host, 36);
    assert_eq!(open(&mut host), Some(3));
    let dispatch = words(&camp.newest("red", "dispatch").body.unwrap().text);
    assert!(dispatch.contains("The blue player sent no orders"), "{dispatch}");
    assert!(dispatch.contains("You sent no orders: standing orders"), "{dispatch}");
}

#[test]
fn a_turn_with_too_many_missing_is_held_back_until_they_order() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { most_missing: Some(1), hold: 48 * 60, ..Terms::default() });
    hours(&camp, &mut host, 30);
    assert_eq!((open(&mut host), deadline(&mut host)), (Some(2), 24 + 48));
    let held = |camp: &Camp, seat: &str| told(camp, seat).iter().filter(|s| s.contains("held back")).count();
    assert_eq!((held(&camp, "red"), held(&camp, "umpire")), (1, 1));
    assert!(camp.mails(GM).iter().any(|mail| mail.subject.contains("held back")));
    orders(&camp, &mut host, "red", "red", "BID 2");
    assert_eq!(open(&mut host), Some(3), "one may be missing");
    verified(&camp, &mut host);
}

#[test]
fn when_a_held_turn_has_waited_long_enough_the_gm_decides() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { missing: Missing::Hold, hold: 24 * 60, ..Terms::default() });
    orders(&camp, &mut host, "red", "red", "BID 2");
    hours(&camp, &mut host, 72);
    assert_eq!(open(&mut host), Some(2));
    let asked = camp.mails(GM).iter().filter(|mail| mail.subject.contains("decision")).count();
    assert_eq!(asked, 1);
    // Late, but the turn still waits for them.
    orders(&camp, &mut host, "blue", "blue", "BID 1");
    assert_eq!(open(&mut host), Some(3));
    let spent = camp.mails(&player("blue")).len();
    hours(&camp, &mut host, 2);
    assert_eq!(camp.mails(&player("blue")).len(), spent);
    verified(&camp, &mut host);
}

#[test]
fn the_gm_is_asked_at_once_where_the_terms_say_so() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { missing: Missing::Gm, ..Terms::default() });
    hours(&camp, &mut host, 40);
    assert_eq!(open(&mut host), Some(2));
    let asked = |camp: &Camp| camp.mails(GM).iter().filter(|mail| mail.subject.contains("decision")).count();
    assert_eq!(asked(&camp), 1);
    let resolve = Request::Resolve { game: game(), turn: "2".to_owned() };
    host.execute(resolve).unwrap();
    settle(&mut host);
    assert_eq!(open(&mut host), Some(3));
}

#[test]
fn a_game_from_before_that_has_no_gm_to_ask_holds_its_turn_and_then_runs_it() {
    for missing in [Missing::Hold, Missing::Gm] {
        let camp = Camp::new();
        let mut host = camp.open();
        founded_on(&camp, &mut host, Terms { missing, hold: 24 * 60, ..Terms::default() });
        let mut entries = journal(&mut host);
        let Cause::Founded { charter, .. } = &mut entries[0].cause else { panic!() };
        charter.gm.clear();
        let mut campaign = Campaign::fold(&desk(), &entries).unwrap();
        let (deadline, until) = (NOON + 24 * HOUR, NOON + 48 * HOUR);
        let Some(Due::Hold(seats, held)) = campaign.due(deadline) else {
            panic!("{:?}", campaign.due(deadline))
        };
        assert_eq!((seats.len(), held), (2, until));
        let cause = campaign.rescheduling(until, HELD).unwrap();
        campaign.apply(&Entry { at: deadline, cause }).unwrap();
        assert!(!matches!(campaign.due(until - 1), Some(Due::Run(..))));
        assert!(matches!(campaign.due(until), Some(Due::Run(..))));
    }
}

#[test]
fn time_given_to_a_turn_that_has_waited_beyond_its_deadline_begins_now() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { missing: Missing::Gm, extension: 30 * 60, ..Terms::default() });
    hours(&camp, &mut host, 40);
    let text = "EXTEND 2 2h".to_owned();
    host.execute(Request::Gm { game: game(), text, yes: false }).unwrap();
    assert_eq!(deadline(&mut host), 42);
    commands(&camp, &mut host, "red", "report", "REPORT");
    let report = words(&camp.newest("red", "dispatch").body.unwrap().text);
    assert!(report.contains("The deadline is later than usual."), "nobody is away: {report}");
    hours(&camp, &mut host, 10);
    let answer = commands(&camp, &mut host, "red", "more-red", "EXTEND 2h");
    assert!(answer.contains("until Monday 23 November, 16:00 UTC"), "{answer}");
    commands(&camp, &mut host, "blue", "more-blue", "EXTEND 3h");
    assert_eq!(deadline(&mut host), 52);
    // The terms allow no more than thirty hours beyond the first deadline.
    hours(&camp, &mut host, 10);
    let moved = told(&camp, "red");
    for seat in ["red", "blue"] {
        commands(&camp, &mut host, seat, &format!("again-{seat}"), "EXTEND 2h");
    }
    assert_eq!((deadline(&mut host), told(&camp, "red")), (52, moved), "no deadline is set in the past");
}

#[test]
fn who_has_not_joined_is_reminded_of_that() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[], "24h");
    settle(&mut host);
    hours(&camp, &mut host, 23);
    let reminder = words(&camp.newest("red", "reminder").body.unwrap().text);
    assert!(reminder.contains("Your JOIN for the game has not come. It is taken until"), "{reminder}");
    assert!(
        reminder.contains("with the one line JOIN on top") && reminder.contains("with the one line DECLINE")
    );
    assert!(!reminder.contains("orders"), "{reminder}");
}

#[test]
fn the_computer_stands_in_for_missing_players_and_all_are_told() {
    let camp = Camp::new();
    let mut host = camp.open();
    let missing = Missing::Computer { skill: "timid".parse().unwrap() };
    founded_on(&camp, &mut host, Terms { missing, ..Terms::default() });
    orders(&camp, &mut host, "red", "red", "BID 2");
    hours(&camp, &mut host, 24);
    assert_eq!(open(&mut host), Some(3));
    let dispatch = words(&camp.newest("umpire", "dispatch").body.unwrap().text);
    assert!(
        dispatch.contains("The blue player sent no orders: the computer gave them this time."),
        "{dispatch}"
    );
    assert!(!dispatch.contains("The red player sent no orders"));
    let stood_in =
        journal(&mut host).into_iter().filter(|e| matches!(e.cause, Cause::StoodIn { .. })).count();
    assert_eq!(stood_in, 1);
    verified(&camp, &mut host);
}

#[test]
fn whose_ready_counts_is_in_the_terms() {
    for (early, runs) in [(Early::All, false), (Early::Phasing, true), (Early::Never, false)] {
        let camp = Camp::new();
        let mut host = camp.open();
        founded_on(&camp, &mut host, Terms { early, ..Terms::default() });
        for seat in ["red", "blue"] {
            orders(&camp, &mut host, seat, seat, "BID 1\r\nREADY");
        }
        let phasing_only = open(&mut host) == Some(3);
        // The toy's umpire may not order in a round of bids, so both sides are all there are.
        assert_eq!(phasing_only, runs || early == Early::All, "{early:?}");
    }
}

#[test]
fn a_deadline_in_an_absence_moves_to_the_day_after_and_no_further_than_the_terms_allow() {
    for (most, moved) in [(14 * 24 * 60, 4 * 24), (24 * 60, 48)] {
        let camp = Camp::new();
        let mut host = camp.open();
        founded_on(&camp, &mut host, Terms { extension: most, ..Terms::default() });
        let answer = commands(&camp, &mut host, "blue", "away", "ABSENT UNTIL 2026-11-23");
        assert!(answer.contains("You are away until Monday 2026-11-23"), "{answer}");
        // Midnight after Monday, and a day to order in: 25 November, 0:00, is 84 hours after noon.
        assert_eq!(deadline(&mut host), i64::min(84, moved), "most {most}");
        assert_eq!(told(&camp, "red"), ["[alpha] another deadline"]);
        commands(&camp, &mut host, "blue", "back", "BACK");
        assert_eq!(deadline(&mut host), i64::min(84, moved), "what was told stays");
    }
}

#[test]
fn an_absence_told_beforehand_moves_the_deadline_when_the_window_opens() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    commands(&camp, &mut host, "blue", "away", "ABSENT 2026-11-25 TO 2026-11-26");
    assert_eq!(deadline(&mut host), 24, "this one is before it");
    for seat in ["red", "blue"] {
        orders(&camp, &mut host, seat, seat, "BID 1\r\nREADY");
    }
    hours(&camp, &mut host, 60);
    orders(&camp, &mut host, "umpire", "ruling", "UPHOLD\r\nREADY");
    let dispatch = words(&camp.newest("red", "dispatch").body.unwrap().text);
    assert!(dispatch.contains("The deadline is later than usual, because a player is away."), "{dispatch}");
    // The absence ends with the 26th: noon of the 21st and 132 hours; and a day.
    assert_eq!(deadline(&mut host), 132 + 24);
    verified(&camp, &mut host);
}

#[test]
fn more_time_needs_a_majority_and_the_cautious_vote_counts() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let answer = commands(&camp, &mut host, "red", "more-red", "EXTEND 3d");
    assert!(answer.contains("1 of 2 players ask for more time; 2 are needed"), "{answer}");
    assert_eq!(deadline(&mut host), 24);
    commands(&camp, &mut host, "blue", "more-blue", "EXTEND UNTIL 2026-11-23 12:00");
    assert_eq!(deadline(&mut host), 48, "as far as both agree");
    let wrong = commands(&camp, &mut host, "red", "less", "# wrong\r\nEXTEND UNTIL 2026-11-22");
    assert!(wrong.contains("no later than the present deadline, "), "{wrong}");
    assert!(wrong.contains("> EXTEND UNTIL 2026-11-22") && wrong.contains("^^^^^^^^^^"), "{wrong}");
}

#[test]
fn only_those_who_may_order_have_a_vote_and_the_answer_counts_only_theirs() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let answer = commands(&camp, &mut host, "umpire", "more-umpire", "# wrong\r\nEXTEND 3d");
    assert!(answer.contains("you have no vote on its deadline"), "{answer}");
    commands(&camp, &mut host, "blue", "more-blue", "EXTEND 3d");
    // A seat that the computer plays has no voice any more.
    let text = "REPLACE blue computer".to_owned();
    host.execute(Request::Gm { game: game(), text, yes: true }).unwrap();
    let answer = commands(&camp, &mut host, "red", "more-red", "EXTEND 2d");
    assert!(answer.contains("1 of 1 players ask for more time; 1 are needed"), "{answer}");
    assert_eq!(deadline(&mut host), 72);
    verified(&camp, &mut host);
}

#[test]
fn nothing_that_moves_a_deadline_moves_it_onto_a_free_day() {
    // The founding is closed on Saturday the 21st; bids on Monday.
    let until_monday = |camp: &Camp, host: &mut Host, terms: Terms| {
        new_game_on(host, &[], "1d not weekends", terms);
        settle(host);
        for seat in ["red", "blue", "umpire"] {
            camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN"));
        }
        settle(host);
        assert_eq!(deadline(host), 48);
    };
    let camp = Camp::new();
    let mut host = camp.open();
    until_monday(&camp, &mut host, Terms::default());
    for seat in ["red", "blue"] {
        commands(&camp, &mut host, seat, &format!("more-{seat}"), "EXTEND 5d");
    }
    assert_eq!(deadline(&mut host), 9 * 24, "Saturday the 28th is none; Monday is");
    let camp = Camp::new();
    let mut host = camp.open();
    until_monday(&camp, &mut host, Terms { missing: Missing::Hold, hold: 5 * 24 * 60, ..Terms::default() });
    hours(&camp, &mut host, 49);
    assert_eq!(deadline(&mut host), 9 * 24);
}

#[test]
fn a_player_is_told_times_on_the_own_clock() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let answer = commands(&camp, &mut host, "blue", "zone", "ZONE america/new_york");
    assert!(answer.contains("in America/New_York from now on; there it is Saturday, 07:00 EST"), "{answer}");
    hours(&camp, &mut host, 13);
    assert_eq!(told(&camp, "blue"), ["[alpha] Reminder: orders until Sun 22 Nov 07:00 EST"]);
    assert_eq!(told(&camp, "red"), ["[alpha] Reminder: orders until Sun 22 Nov 12:00 UTC"]);
    let wrong = commands(&camp, &mut host, "blue", "zone2", "# wrong\r\nZONE Mars/Base");
    assert!(wrong.contains("is no time zone"), "{wrong}");
}

#[test]
fn the_same_command_twice_has_one_effect_and_one_answer() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let mail = camp.answer("red", "dispatch", "twice", "EXTEND 3d");
    for _ in 0..2 {
        camp.post(&mail);
        settle(&mut host);
    }
    assert_eq!(camp.count("red", "answer"), 1);
    let votes = journal(&mut host).into_iter().filter(|e| matches!(e.cause, Cause::Arranged(_))).count();
    assert_eq!(votes, 1);
}

#[test]
fn deadlines_come_as_calendar_entries() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let mails = raw_mails(&camp.path().join("mail").join(player("blue")));
    let dispatch =
        mails.iter().map(|(_, raw)| String::from_utf8_lossy(raw)).find(|raw| raw.contains(".dispatch."));
    let dispatch = dispatch.unwrap().into_owned();
    // RFC 6047, 2.4: the type names the method that the entry names.
    let entry = mail_parser::MessageParser::default().parse(dispatch.as_bytes()).unwrap();
    let entry = entry.attachments().find(|part| part.is_content_type("text", "calendar")).unwrap();
    let method = entry.content_type().unwrap().attribute("method");
    assert_eq!((entry.attachment_name(), method), (Some("deadline.ics"), Some("PUBLISH")));
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct DeadlineCase {
    what: String,
    policy: String,
    opened: String,
    closes: String,
}

#[test]
fn deadlines_fall_as_the_table_says() {
    let cases: Vec<DeadlineCase> =
        serde_yaml::from_str(include_str!("../cases/host/deadlines.yaml")).unwrap();
    let unix = |text: &str| text.parse::<jiff::Zoned>().unwrap().timestamp().as_second();
    for DeadlineCase { what, policy, opened, closes } in cases {
        let policy = calendar::parse(&policy).unwrap();
        let at = calendar::next(&policy, unix(&opened), "UTC").unwrap();
        let zone = closes.parse::<jiff::Zoned>().unwrap();
        let zone = zone.time_zone().iana_name().unwrap().to_owned();
        assert_eq!(at, unix(&closes), "{what} It closes at {}", calendar::zoned(at, &zone));
    }
}

proptest::proptest! {
    #[test]
    fn no_deadline_comes_too_soon_nor_on_a_free_day(
        opened in 0_i64..4_000_000_000,
        days in 1_u32..9,
        free in proptest::sample::select(vec!["weekends", "mon,wed,fri", "tue,wed,thu,fri,sat,sun"]),
        zone in proptest::sample::select(vec!["Europe/Vienna", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia"]),
    ) {
        let policy = calendar::parse(&format!("{days}d not {free} {zone}")).unwrap();
        let at = calendar::next(&policy, opened, "UTC").unwrap();
        let least = opened + i64::from(days) * 86_400;
        proptest::prop_assert!(at >= least && at <= least + 8 * 86_400);
        let day = calendar::zoned(at, zone).strftime("%a").to_string().to_lowercase();
        let free = if free == "weekends" { "sat,sun" } else { free };
        proptest::prop_assert!(!free.contains(&day), "{day}");
    }
}
