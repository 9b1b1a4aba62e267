//! Games whose dice wait for a public beacon: the mails that brought the closes show whether that was before its rounds.

use std::path::PathBuf;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;
use musterd::audit::{Contradiction, InTime, Inquiry};
use musterd::dice::BeaconPolicy;
use serde_json::{Value, json};

use super::audit::{change_body, rechain};
use super::beacon;
use super::support::*;
use super::verify::{asked, in_words, mbox, the_case, unwrapped};

/// A game that was played to its end, and what the red player got.
struct Campaign {
    dir: tempfile::TempDir,
    file: Value,
    mails: Vec<String>,
}

impl Campaign {
    fn played() -> Self {
        let camp = beacon::camp();
        let (file, _) = beacon::played(&camp);
        let mails = raw_mails(&camp.path().join("mail").join(player("red")));
        let mails = mails.into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap()).collect();
        Self { dir: tempfile::tempdir().unwrap(), file, mails }
    }

    fn keep(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// What comes of the file and of the mails, each as somebody's server or somebody himself leaves it.
    fn asked(&self, leave: impl Fn(&str) -> Option<String>) -> Inquiry {
        let mails: Vec<String> = self.mails.iter().filter_map(|mail| leave(mail)).collect();
        let mails = self.keep("red.mbox", &mbox(mails.iter().map(String::as_str)));
        asked(&[&self.keep("alpha.json", &self.file.to_string()), &mails], false, None)
    }

    fn turns(&self) -> Vec<u32> {
        (1..).take(self.file["turns"].as_array().unwrap().len()).collect()
    }

    fn policy(&self) -> BeaconPolicy {
        let body = self.file["log"][0]["body"].as_str().unwrap();
        body.split(' ').nth(4).unwrap().parse().unwrap()
    }

    /// When the round comes that the dice of `t` wait for, by the last deadline in the log.
    fn round(&self, t: u32) -> i64 {
        let begins = format!("{t} ");
        let bodies = self.file["log"].as_array().unwrap().iter();
        let bodies = bodies.filter(|line| line["kind"] == "open" || line["kind"] == "deadline");
        let mut bodies = bodies.map(|line| line["body"].as_str().unwrap());
        let last = bodies.rfind(|body| body.starts_with(&begins)).unwrap();
        let policy = self.policy();
        policy.time_of(policy.round(last.split(' ').nth(1).unwrap().parse().unwrap())).try_into().unwrap()
    }
}

fn date(seconds: i64) -> String {
    rfc2822::to_string(&Timestamp::from_second(seconds).unwrap().to_zoned(TimeZone::UTC)).unwrap()
}

/// A mail as a server hands it over at a time.
fn received(mail: &str, at: i64) -> String {
    format!(
        "Received: from host by mx with ESMTP id 7;\r\n\t{}\r\nReceived: from x by y; {}\r\n{mail}",
        date(at),
        date(0)
    )
}

fn is_close(mail: &str, t: u32) -> bool {
    mail.contains(&format!("Subject: [alpha] turn {t} is closed"))
}

fn in_time(inquiry: &Inquiry) -> &InTime {
    the_case(inquiry).in_time.as_ref().unwrap()
}

#[test]
fn a_close_that_came_before_its_round_is_told_from_one_that_nobody_can_date() {
    let campaign = Campaign::played();
    let all = campaign.turns();
    // Nothing but the host's own `Date`.
    let dated = campaign.asked(|mail| Some(mail.to_owned()));
    assert_eq!(the_case(&dated).contradictions, [], "{}", in_words(&dated));
    assert_eq!(*in_time(&dated), InTime { by_date: all.clone(), ..InTime::default() });
    assert!(unwrapped(&dated).contains("its `Date` is the host's own word"), "{}", in_words(&dated));
    // Not even that.
    let undated = campaign.asked(|mail| {
        let lines = mail.lines().filter(|line| !line.starts_with("Date: ") || !is_close(mail, 2));
        Some(lines.map(|line| format!("{line}\r\n")).collect())
    });
    let InTime { undated: without, untold, .. } = in_time(&undated);
    assert_eq!((&without[..], &untold[..]), (&[2][..], &[][..]));
    assert!(unwrapped(&undated).contains("neither a `Received` line nor a `Date`"), "{}", in_words(&undated));
    // A server's word, a second before the round.
    let served = campaign.asked(|mail| {
        let t = campaign.turns().into_iter().find(|t| is_close(mail, *t));
        Some(t.map_or_else(|| mail.to_owned(), |t| received(mail, campaign.round(t) - 1)))
    });
    assert_eq!(the_case(&served).contradictions, [], "{}", in_words(&served));
    assert_eq!(*in_time(&served), InTime { shown: all.clone(), ..InTime::default() });
    // Who kept the dispatches alone, which repeat what was closed, and fetched them late, accuses nobody.
    let late = campaign.asked(|mail| {
        (!campaign.turns().iter().any(|t| is_close(mail, *t)))
            .then(|| received(mail, campaign.round(1) + 2000 * HOUR))
    });
    assert_eq!(the_case(&late).contradictions, [], "{}", in_words(&late));
    assert_eq!(*in_time(&late), InTime { untold: all, ..InTime::default() });
    assert!(unwrapped(&late).contains("says nothing of when"), "{}", in_words(&late));
}

#[test]
fn a_close_that_came_with_its_round_or_after_it_is_something_to_explain() {
    let campaign = Campaign::played();
    let is_late = |by_server: bool| move |c: &Contradiction| matches!(c, Contradiction::ToldLate { t: 2, by_server: by, .. } if *by == by_server);
    let at_the_round = campaign.asked(|mail| {
        Some(if is_close(mail, 2) { received(mail, campaign.round(2)) } else { mail.to_owned() })
    });
    assert!(at_the_round.found_something(true));
    assert!(the_case(&at_the_round).contradictions.iter().any(is_late(true)), "{}", in_words(&at_the_round));
    assert!(!in_time(&at_the_round).by_date.contains(&2));
    // The same by its own `Date`.
    let dated = campaign.asked(|mail| {
        let lines = mail.lines().map(|line| match line.starts_with("Date: ") && is_close(mail, 2) {
            true => format!("Date: {}\r\n", date(campaign.round(2))),
            false => format!("{line}\r\n"),
        });
        Some(lines.collect())
    });
    assert!(the_case(&dated).contradictions.iter().any(is_late(false)), "{}", in_words(&dated));
    // Another player's copy that was there in time settles it for whoever trusts him.
    let close = campaign.mails.iter().find(|mail| is_close(mail, 2)).unwrap();
    let others = received(&close.replace(".red.", ".blue."), campaign.round(2) - 60);
    let others = campaign.keep("blue.eml", &others);
    let own = campaign.keep("red.eml", &received(close, campaign.round(2) + 60));
    let file = campaign.keep("alpha.json", &campaign.file.to_string());
    let both = asked(&[&own, &file, &others], false, None);
    assert_eq!(the_case(&both).contradictions, [], "{}", in_words(&both));
    // So does a second copy of the same mail, in whatever order.
    let again = campaign.keep("again.eml", &received(close, campaign.round(2) - 60));
    for copies in [[&own, &again], [&again, &own]] {
        let inquiry = asked(&[copies[0], copies[1], &file], false, None);
        assert_eq!(the_case(&inquiry).contradictions, [], "{}", in_words(&inquiry));
    }
    let alone = asked(&[&own, &file], false, None);
    assert!(the_case(&alone).contradictions.iter().any(is_late(true)), "{}", in_words(&alone));
}

/// A server gave the close another id, so that only its mark tells what it is; of two copies one has lost that.
#[test]
fn a_copy_without_its_mark_takes_nothing_from_one_that_has_it() {
    let campaign = Campaign::played();
    let close = campaign.mails.iter().find(|mail| is_close(mail, 2)).unwrap();
    let id = close.lines().find_map(|line| line.strip_prefix("Message-ID: ")).unwrap();
    let marked = received(&close.replace(id, "<7@mx.example>"), campaign.round(2) + 60);
    let kept = marked.lines().filter(|line| !line.starts_with("X-Musterd"));
    let bare: String = kept.map(|line| format!("{line}\r\n")).collect();
    assert_ne!(bare.len(), marked.len());
    let file = campaign.keep("alpha.json", &campaign.file.to_string());
    let (marked, bare) = (campaign.keep("marked.eml", &marked), campaign.keep("bare.eml", &bare));
    for copies in [[&marked, &bare], [&bare, &marked]] {
        let inquiry = asked(&[copies[0], copies[1], &file], false, None);
        let late = |c: &Contradiction| matches!(c, Contradiction::ToldLate { t: 2, .. });
        assert!(the_case(&inquiry).contradictions.iter().any(late), "{copies:?}: {}", in_words(&inquiry));
    }
}

/// No earlier entry of the log bounds the first turn's deadline: the mails that came before its close do.
#[test]
fn a_first_deadline_that_is_dated_back_to_a_known_round_is_found() {
    let mut campaign = Campaign::played();
    let (policy, at) = (campaign.policy(), 1_700_000_000);
    change_body(&mut campaign.file, "deadline", "1 ", |_| format!("1 {at}"));
    let round = policy.round(at);
    change_body(&mut campaign.file, "note", "beacon 1 ", |body| {
        format!("beacon 1 {}/{round}/{}", policy.name, body.rsplit_once('/').unwrap().1)
    });
    campaign.file["turns"][0] = json!({"t": 1, "secret": null});
    rechain(&mut campaign.file);
    // The true file, which came with the last report, is not at hand.
    let inquiry = campaign.asked(|mail| (!mail.contains("alpha.audit.json")).then(|| mail.to_owned()));
    let found = &the_case(&inquiry).contradictions;
    let dated_back = |c: &&Contradiction| matches!(c, Contradiction::OpenLate { t: 1, .. });
    assert_eq!(found.iter().filter(dated_back).count(), 1, "{}", in_words(&inquiry));
    assert!(
        found.iter().any(|c| matches!(c, Contradiction::ToldLate { t: 1, .. })),
        "{}",
        in_words(&inquiry)
    );
}

/// A player's clock may be fast: what his own server wrote on the receipt says when his mail was there.
#[test]
fn a_players_fast_clock_accuses_nobody_whose_receipt_came_in_time() {
    let campaign = Campaign::played();
    let receipt = campaign.mails.iter().find(|mail| mail.contains("<alpha.2.red.receipt.")).unwrap();
    let answers = receipt.lines().find_map(|line| line.strip_prefix("In-Reply-To: ")).unwrap();
    let dispatch =
        campaign.mails.iter().find(|mail| mail.contains("Message-ID: <alpha.2.red.dispatch.")).unwrap();
    let dispatch = dispatch.lines().find_map(|line| line.strip_prefix("Message-ID: ")).unwrap();
    let late = campaign.round(2) + 60;
    let own = format!(
        "From: red@players.example\r\nMessage-ID: {answers}\r\nIn-Reply-To: {dispatch}\r\nDate: {}\r\n\r\nBEGIN ORDERS\r\nBID 1\r\nEND ORDERS\r\n",
        date(late)
    );
    let file = campaign.keep("alpha.json", &campaign.file.to_string());
    let own = campaign.keep("own.eml", &own);
    for (came, is_wrong) in [(campaign.round(2) - 60, false), (late, true)] {
        let dated = receipt.lines().map(|line| match line.starts_with("Date: ") {
            true => format!("Date: {}\r\n", date(campaign.round(2) - 60)),
            false => format!("{line}\r\n"),
        });
        let receipt = campaign.keep("receipt.eml", &received(&dated.collect::<String>(), came));
        let inquiry = asked(&[&receipt, &own, &file], false, None);
        let found = the_case(&inquiry).contradictions.iter();
        let open_late = found.filter(|c| matches!(c, Contradiction::OpenLate { t: 2, .. })).count();
        assert_eq!(open_late, usize::from(is_wrong), "{}", in_words(&inquiry));
    }
}
