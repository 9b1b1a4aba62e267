//! What seats are told is bound by the log, and comes out the same when the game is played again.

use std::collections::{BTreeMap, BTreeSet};

use musterd::audit::{Divergence, Retold};
use musterd::daemon::Request;
use musterd::desk::audit::audit_file;
use musterd::dice::audit::{AuditFile, examine};
use musterd::dice::told::{Contents, Marked, TellingId, TellingKind, ToldNote};
use musterd::dice::{Chain, ChainLines, Digest};
use musterd::engine::journal::{Cause, Entry, Telling};
use musterd::engine::terms::{Reveal, Terms};

use super::support::*;
use super::verify::{Kept, asked, the_case};

/// What the journal says was told.
fn tellings(entries: &[Entry]) -> Vec<&Telling> {
    let told = entries.iter().filter_map(|entry| match &entry.cause {
        Cause::Reported(telling) => Some(&**telling),
        _ => None,
    });
    told.collect()
}

fn gm(kept: &mut Kept, text: &str) {
    let request = Request::Gm { game: game(), text: text.to_owned(), yes: true };
    let before = journal(&mut kept.host).len();
    let answered = kept.host.execute(request).unwrap();
    assert!(journal(&mut kept.host).len() > before, "{answered:?}");
    settle(&mut kept.host);
}

/// A game with a narration, an amendment, a rerun, a set that was replaced and a report that was asked for again.
fn eventful() -> Kept {
    let mut kept = Kept::founded();
    kept.play(1);
    gm(&mut kept, "NARRATE 4: Snow fell on Ulm.");
    kept.send("red", "dispatch", &block("BID 1"));
    kept.send("red", "dispatch", &block("BID 2\r\nsalt: two"));
    kept.send("blue", "dispatch", "REPORT");
    gm(&mut kept, "AMEND 4 PURSE red 31 BECAUSE the treasurer miscounted");
    kept.play(2);
    kept
}

fn retold(kept: &Kept, file: &AuditFile) -> Retold {
    let path = kept.keep("file.json", file.to_json());
    let inquiry = asked(&[&path], true, None);
    let replayed = the_case(&inquiry).files[0].replayed.clone().unwrap();
    assert_eq!((replayed.difference, replayed.unable), (None, None));
    replayed.told
}

#[test]
fn every_mail_of_a_campaign_tells_what_the_log_binds() {
    let mut kept = eventful();
    let entries = journal(&mut kept.host);
    let told: BTreeMap<TellingId, &Contents> =
        tellings(&entries).into_iter().map(|telling| (telling.id.clone(), &telling.contents)).collect();
    let mut seen = BTreeSet::new();
    for seat in ["red", "blue", "umpire"] {
        let address =
            if seat == "umpire" { "umpire.alpha@computer.invalid".to_owned() } else { player(seat) };
        for mail in kept.camp.mails(&address) {
            let text = mail.body.as_ref().unwrap().text.clone();
            let tells = ["dispatch", "receipt"].iter().any(|kind| is_of_kind(&mail, kind));
            let Some(marked) = Marked::in_text(&text) else {
                assert!(!tells, "without marks: {text}");
                continue;
            };
            assert!(tells && marked.is_whole && marked.game == game(), "{text}");
            assert_eq!(marked.id.seat.as_str(), seat);
            assert_eq!(Some(marked.digest), told[&marked.id].text, "{text}");
            assert!(seen.insert(marked.id), "told twice: {text}");
        }
    }
    assert_eq!(seen, told.keys().cloned().collect(), "whatever is bound was mailed");
    let kinds: BTreeSet<TellingKind> = told.values().map(|contents| contents.kind).collect();
    assert_eq!(kinds.len(), 3, "dispatches, receipts and last reports");
    let said: Vec<&String> = told.values().flat_map(|contents| &contents.said).collect();
    assert!(said.iter().any(|words| words.contains("Snow fell on Ulm")), "{said:?}");
}

#[test]
fn a_telling_has_its_entry_before_the_head_that_its_mail_shows() {
    let mut kept = eventful();
    let entries = journal(&mut kept.host);
    let lines: Vec<_> = entries.iter().flat_map(|entry| entry.cause.log_entries()).collect();
    let at = |id: &TellingId| {
        let is_it = |body: String| body.parse::<ToldNote>().is_ok_and(|note| note.id == *id);
        lines.iter().position(|line| is_it(line.body())).unwrap() as u64
    };
    let mut dispatches = 0;
    for mail in kept.camp.mails(&player("red")).iter().filter(|mail| is_of_kind(mail, "dispatch")) {
        let text = &mail.body.as_ref().unwrap().text;
        let shown = ChainLines::all_in(text).last().unwrap().head();
        let mut chain = Chain::new(&game());
        let shown = lines.iter().position(|line| chain.push(line) == shown).unwrap() as u64;
        assert!(at(&Marked::in_text(text).unwrap().id) <= shown);
        dispatches += 1;
    }
    assert!(dispatches > 4);
}

#[test]
fn what_was_told_is_found_to_be_so_when_the_game_is_played_again() {
    let mut kept = eventful();
    let entries = journal(&mut kept.host);
    let file = audit_file(&entries, &kept.camp.secrets(), u32::MAX);
    let examined = examine(&file.to_json(), &[], |_, _| {}).unwrap();
    assert_eq!(examined.findings, []);
    let bound = tellings(&entries);
    assert_eq!(examined.turns.iter().map(|turn| turn.told).sum::<usize>(), bound.len());
    let retold = retold(&kept, &file);
    let reports = bound.iter().filter(|told| told.contents.kind != TellingKind::Receipt).count();
    assert_eq!((retold.differences.as_slice(), retold.facts), (&[][..], reports));
    assert_eq!((retold.other_wording, retold.sentences + retold.replaced), (0, bound.len()));
    assert!(retold.replaced > 0, "a set that was replaced is not in the file");
    let is_it = |(t, words): &(u32, String)| *t == 4 && words.contains("Snow fell on Ulm");
    assert!(retold.said.iter().any(is_it), "what the GM said is told apart: {:?}", retold.said);
}

/// The file of a host that told the seat something else, and bound that.
fn file_of_a_liar(kept: &mut Kept, kind: TellingKind, lie: impl Fn(&mut Contents)) -> AuditFile {
    let mut entries = journal(&mut kept.host);
    let secrets = kept.camp.secrets();
    let is_told =
        |entry: &&mut Entry| matches!(&entry.cause, Cause::Reported(told) if told.contents.kind == kind);
    let entry = entries.iter_mut().filter(is_told).nth(2).unwrap();
    if let Cause::Reported(telling) = &mut entry.cause {
        lie(&mut telling.contents);
        let secret = secrets.secret(telling.id.t).unwrap();
        telling.commit = telling.contents.commit(&secret, &game(), &telling.id, telling.wording);
    }
    audit_file(&entries, &secrets, u32::MAX)
}

#[test]
fn a_replay_finds_what_was_told_otherwise() {
    let mut kept = eventful();
    let other = Some(Digest::of(b"IV Soult lost 1 morale"));
    type Lie<'a> = (TellingKind, &'a dyn Fn(&mut Contents), &'a str);
    let lies: [Lie<'_>; 5] = [
        (TellingKind::Dispatch, &|told| told.facts = other, "facts"),
        (TellingKind::Dispatch, &|told| told.text = other, "text"),
        (TellingKind::Dispatch, &|told| told.html = other, "page"),
        (TellingKind::Dispatch, &|told| told.said.push("All is well.".to_owned()), "text"),
        (TellingKind::Receipt, &|told| told.text = other, "text"),
    ];
    for (kind, lie, what) in lies {
        let file = file_of_a_liar(&mut kept, kind, lie);
        assert_eq!(examine(&file.to_json(), &[], |_, _| {}).unwrap().findings, [], "its dice are honest");
        let found: Vec<String> = retold(&kept, &file)
            .differences
            .into_iter()
            .map(|difference| match difference.divergence {
                Divergence::OtherFacts { .. } => "facts".to_owned(),
                Divergence::OtherWords { form, .. } => form.to_string(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(found, [what], "{kind:?}");
        let path = kept.keep("liar.json", file.to_json());
        assert!(asked(&[&path], true, None).found_something(true), "{what}");
    }
}

#[test]
fn openings_in_another_order_are_compared_all_the_same() {
    let mut kept = eventful();
    let backwards = |mut file: AuditFile| {
        file.turns.iter_mut().for_each(|turn| turn.told.reverse());
        file
    };
    let honest = backwards(audit_file(&journal(&mut kept.host), &kept.camp.secrets(), u32::MAX));
    assert_eq!(examine(&honest.to_json(), &[], |_, _| {}).unwrap().findings, []);
    let told = retold(&kept, &honest);
    let bound = tellings(&journal(&mut kept.host)).len();
    assert_eq!((told.differences.as_slice(), told.sentences + told.replaced), (&[][..], bound));
    let other = Some(Digest::of(b"IV Soult lost 1 morale"));
    let forged = backwards(file_of_a_liar(&mut kept, TellingKind::Dispatch, |told| told.facts = other));
    assert_eq!(retold(&kept, &forged).differences.len(), 1);
}

/// Where the log is shown while the game goes on, the seats of its new reports say who can see a change; where it isn't, their numbers do.
#[test]
fn no_seat_learns_of_a_change_that_it_can_not_see() {
    let shown = Terms { reveal: Reveal::Lag { turns: 0 }, ..Terms::default() };
    let proven = Terms { proofs: true, ..Terms::default() };
    for (terms, bound) in [
        (Terms::default(), &["red", "umpire"][..]),
        (shown, &["blue", "red", "umpire"]),
        (proven, &["blue", "red", "umpire"]),
    ] {
        let mut kept = Kept::founded_on(terms);
        kept.play(1);
        let (entries, mails) = (journal(&mut kept.host), kept.camp.mails(&player("blue")).len());
        gm(&mut kept, "AMEND 4 PURSE red 31 BECAUSE the treasurer miscounted");
        let now = journal(&mut kept.host);
        let seats: Vec<&str> =
            tellings(&now[entries.len()..]).iter().map(|telling| telling.id.seat.as_str()).collect();
        assert_eq!(seats, bound);
        assert_eq!(kept.camp.mails(&player("blue")).len(), mails, "blue can't know it, and gets no mail");
    }
}

#[test]
fn an_older_wording_is_compared_by_its_facts_alone() {
    let mut kept = eventful();
    let mut entries = journal(&mut kept.host);
    let secrets = kept.camp.secrets();
    for entry in &mut entries {
        if let Cause::Reported(telling) = &mut entry.cause {
            telling.wording += 1;
            telling.contents.text = Some(Digest::of(b"other sentences"));
            let secret = secrets.secret(telling.id.t).unwrap();
            telling.commit = telling.contents.commit(&secret, &game(), &telling.id, telling.wording);
        }
    }
    let told = retold(&kept, &audit_file(&entries, &secrets, u32::MAX));
    assert_eq!((told.differences.as_slice(), told.sentences), (&[][..], 0));
    assert!(told.facts > 0 && told.other_wording > told.facts);
}
