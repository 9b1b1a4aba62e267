//! More mail than one commit holds: a batch is decided while the one before is written.

use std::fs;

use musterd::daemon::{Host, HostError};
use musterd::engine::journal::Verdict;
use musterd::post::{Arrived, Keep, Raw};
use musterd::store::StoreError;

use super::support::{Camp, Mail, block, founded, player, received, settle};

/// As many mails as three commits hold, and a few more.
const MAILS: usize = 800;

/// Sets of red's orders, each of which replaces the one before.
fn burst(camp: &Camp) -> Vec<Arrived> {
    let asked = camp.newest("red", "dispatch");
    let mail = |n: usize| {
        Mail {
            from: &player("red"),
            to: &asked.reply_to[0],
            id: &format!("set-{n}"),
            in_reply_to: asked.message_id.as_deref(),
            text: &block(&format!("BID 2\r\nsalt: {n}")),
        }
        .raw()
    };
    (0..MAILS).map(|n| arrived(camp, mail(n))).collect()
}

fn arrived(camp: &Camp, raw: String) -> Arrived {
    Arrived { raw: Raw::Whole(raw.into_bytes()), arrived: camp.clock.now(), source: "burst".to_owned() }
}

/// The sets that were accepted, in the order of the journal, by the numbers in their salts.
fn accepted(host: &mut Host) -> Vec<usize> {
    let number = |block: &str| block.rsplit_once("salt: ").unwrap().1.trim().parse().ok();
    let mails = received(host).into_iter().filter_map(|mail| match mail.verdict {
        Verdict::Accepted { block, .. } => number(block.as_str()),
        _ => None,
    });
    mails.collect()
}

fn waiting(camp: &Camp) -> usize {
    fs::read_dir(camp.path().join("spool/new")).unwrap().count()
}

#[test]
fn a_copy_of_a_mail_that_is_just_being_written_has_no_effect() {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let mut mails = burst(&camp);
    let Raw::Whole(first) = &mails[200].raw else { panic!() };
    let copy = format!("Received: by another.example\r\n{}", str::from_utf8(first).unwrap());
    mails[300] = arrived(&camp, copy);
    host.spool().keep(&mails).unwrap();
    assert_eq!(host.take_mail().unwrap(), MAILS);
    let others: Vec<usize> = (0..MAILS).filter(|n| *n != 300).collect();
    assert_eq!(accepted(&mut host), others);
    assert_eq!(waiting(&camp), 0);
    let before = camp.count("red", "receipt");
    settle(&mut host);
    assert_eq!(camp.count("red", "receipt") - before, others.len());
}

#[test]
fn a_mail_that_can_not_be_read_keeps_none_of_its_burst_waiting() {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    founded(&camp, &mut host);
    host.spool().keep(&burst(&camp)).unwrap();
    let altered = host.spool().pending().unwrap().remove(400);
    fs::write(host.spool().place_of(&altered), "not what was kept").unwrap();
    assert_eq!(host.take_mail().unwrap(), MAILS - 1);
    assert_eq!(accepted(&mut host), (0..MAILS).filter(|n| *n != 400).collect::<Vec<_>>());
    assert_eq!(waiting(&camp), 1, "it stays where somebody can look at it");
}

#[test]
fn what_was_decided_upon_a_batch_that_the_disk_refused_is_decided_again() {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    founded(&camp, &mut host);
    host.spool().keep(&burst(&camp)).unwrap();
    let (mirror, kept) = (camp.path().join("mirror"), camp.path().join("kept"));
    fs::rename(&mirror, &kept).unwrap();
    fs::write(&mirror, "").unwrap();
    let error = host.take_mail().unwrap_err();
    assert!(matches!(error, HostError::Store(StoreError::Unmirrored { .. })), "{error}");
    assert_eq!(waiting(&camp), MAILS, "a mail is put away once it is written twice");
    drop(host);
    fs::remove_file(&mirror).unwrap();
    fs::rename(&kept, &mirror).unwrap();
    let mut host = camp.open();
    host.take_mail().unwrap();
    assert_eq!(accepted(&mut host), (0..MAILS).collect::<Vec<_>>());
    assert_eq!(waiting(&camp), 0);
}
