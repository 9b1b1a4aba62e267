use proptest::prelude::*;

use super::*;

fn game() -> GameId {
    "test-game".parse().unwrap()
}

fn seats(names: &[&str]) -> BTreeSet<Seat> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// One entry of every kind, with its body; two where a field can be empty.
fn samples() -> Vec<(LogEntry, String)> {
    let (d, e) = (Digest::of(b"d"), Digest::of(b"e"));
    let french = || "french".parse().unwrap();
    let word = |text: &str| text.parse().unwrap();
    let both = seats(&["french", "allied"]);
    let drand = "drand-quicknet:1692803367:3:3600";
    vec![
        (
            LogEntry::Game {
                game: game(),
                anchor: d,
                seats: both.clone(),
                house: seats(&[]),
                beacon: None,
                rules: e,
            },
            format!("test-game {d} allied,french - - {e}"),
        ),
        (
            LogEntry::Game {
                game: game(),
                anchor: d,
                seats: both,
                house: seats(&["allied"]),
                beacon: Some(drand.parse().unwrap()),
                rules: e,
            },
            format!("test-game {d} allied,french allied {drand} {e}"),
        ),
        (
            LogEntry::Open { t: 2, deadline: Some(1_700_000_000), name: word("1805-summer-french") },
            "2 1700000000 1805-summer-french".into(),
        ),
        (LogEntry::Open { t: 1, deadline: None, name: word("founding") }, "1 - founding".into()),
        (LogEntry::Seal { t: 2, seat: french(), leaf: d }, format!("2 french {d}")),
        (
            LogEntry::Recv {
                t: 2,
                seat: Some(french()),
                digest: d,
                verdict: LoggedVerdict::Accepted,
                reason: None,
            },
            format!("2 french {d} accepted -"),
        ),
        (
            LogEntry::Recv {
                t: 2,
                seat: None,
                digest: d,
                verdict: LoggedVerdict::Refused,
                reason: Some(word("stranger")),
            },
            format!("2 - {d} refused stranger"),
        ),
        (LogEntry::Deadline { t: 2, at: 1_700_000_000 }, "2 1700000000".into()),
        (LogEntry::Close { t: 2, root: d }, format!("2 {d}")),
        (LogEntry::Rolls { t: 2, rolls: d, result: e }, format!("2 {d} {e}")),
        (LogEntry::Rerun { t: 2, k: 1, rolls: d, result: e }, format!("2 1 {d} {e}")),
        (LogEntry::Rollback { t: 7, back: 5 }, "7 5".into()),
        (
            LogEntry::Reroll { t: 3, label: "2/combat/attack/1204/0".parse().unwrap() },
            "3 2/combat/attack/1204/0".into(),
        ),
        (LogEntry::Gm { t: 3, text: Text::new("extended\nby a day") }, "3 extended by a day".into()),
        (LogEntry::Note { text: Text::new("hello  world ") }, "hello  world ".into()),
    ]
}

#[test]
fn every_kind_has_the_body_of_the_protocol_and_reads_back() {
    for (entry, body) in samples() {
        assert_eq!(entry.body(), body);
        assert_eq!(LogEntry::read(entry.kind(), &body), Ok(entry.clone()));
        let json = serde_json::to_string(&entry).unwrap();
        assert_eq!(json, format!("{{\"kind\":\"{}\",\"body\":\"{body}\"}}", entry.kind()));
        assert_eq!(serde_json::from_str::<LogEntry>(&json).unwrap(), entry);
    }
    let kinds: BTreeSet<LogKind> = samples().iter().map(|(entry, _)| entry.kind()).collect();
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), LogKind::ALL);
}

#[test]
fn a_body_with_a_field_missing_added_or_spelled_otherwise_is_refused() {
    let structured = |kind| !matches!(kind, LogKind::Gm | LogKind::Note);
    for (entry, body) in samples().into_iter().filter(|(entry, _)| structured(entry.kind())) {
        let (all_but_last, _) = body.rsplit_once(' ').unwrap();
        for bad in [
            all_but_last.to_owned(),
            format!("{body} x"),
            format!("{body} "),
            format!("+{body}"),
            format!("{body}\n"),
            body.replacen(' ', "  ", 1),
            body.to_uppercase() + " ",
            String::new(),
        ] {
            assert!(LogEntry::read(entry.kind(), &bad).is_err(), "{}: {bad:?}", entry.kind());
        }
    }
    for (kind, bad) in [
        (LogKind::Deadline, "02 1700000000"),
        (LogKind::Deadline, "2 -5"),
        (LogKind::Open, "2 - -"),
        (LogKind::Open, "2 - Summer"),
        (LogKind::Rollback, "5 x"),
        (LogKind::Gm, "extended"),
        (LogKind::Gm, "3"),
        (LogKind::Note, "two\nlines"),
    ] {
        assert!(LogEntry::read(kind, bad).is_err(), "{kind}: {bad:?}");
    }
    let (d, e) = (Digest::of(b"d"), Digest::of(b"e"));
    let unsorted = format!("test-game {d} french,allied - - {e}");
    assert!(LogEntry::read(LogKind::Game, &unsorted).is_err());
}

proptest! {
    #[test]
    fn no_free_text_breaks_a_line_or_is_lost(words in "\\PC{0,80}", wild in any::<String>(), t in any::<u32>()) {
        let entry = LogEntry::Gm { t, text: Text::new(&words) };
        prop_assert_eq!(entry.body(), format!("{t} {words}").replace(['\u{2028}', '\u{2029}'], " "));
        prop_assert!(!Text::new(&wild).as_str().contains(char::is_control));
        let wild = LogEntry::Note { text: Text::new(&wild) };
        prop_assert_eq!(LogEntry::read(LogKind::Note, &wild.body()), Ok(wild));
    }

    #[test]
    fn no_body_crashes_the_reader(kind in 0..LogKind::ALL.len(), body in "[0-9a-f ,:-]{0,90}|\\PC{0,40}") {
        let kind = LogKind::ALL[kind];
        if let Ok(entry) = LogEntry::read(kind, &body) {
            prop_assert_eq!((entry.kind(), entry.body()), (kind, body));
        }
    }
}
