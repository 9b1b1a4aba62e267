//! The examination of an audit file.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::beacons::Beacons;
use super::examined::Examination;
use super::file::{MOST_LINKS, Turn};
use super::finding::{Fault, Place};
use super::findings::Findings;
use super::log::Log;
use super::shape::NotAnAuditFile;
use super::shape::each;
use super::shape::{Outer, object, unreadable};
use crate::hash::Digest;
use crate::secret::Secret;
use crate::witness::{ChainLines, OpenHead, Witness};

/// As much of an adjudication as is looked at while it is not revealed.
#[derive(Deserialize)]
struct Stub {
    t: u32,
    #[serde(default)]
    secret: Option<IgnoredAny>,
}

/// Examines an audit file, with heads that were kept elsewhere (in mails, say). A head without its number that the log can't have yet is not
/// compared. `progress` is told how many of how many adjudications are done.
///
/// # Errors
/// Where the text is no audit file at all. Everything else that is wrong is a [`Finding`](super::Finding).
pub fn examine(
    text: &str,
    kept: &[ChainLines],
    mut progress: impl FnMut(usize, usize),
) -> Result<Examination, NotAnAuditFile> {
    let outer = Outer::of(text)?;
    let mut findings = Findings::default();
    let (log, entries) = Log::read(outer.log, &mut findings)?;
    let witnesses = kept.iter().filter(|lines| log.game() == Some(lines.game())).collect::<Vec<_>>();
    each(outer.witness, |number, raw| match serde_json::from_str::<(u64, Digest)>(raw.get()) {
        Ok((index, head)) => log.compare(index, head, &mut findings),
        Err(error) => findings.push(unreadable(&error).at(Place::Witness(number as u64))),
    })?;
    let is_compared = |lines: &&ChainLines| match lines {
        ChainLines::Numbered(Witness { index, head, .. }) => {
            log.compare(*index, *head, &mut findings);
            true
        }
        ChainLines::Open(OpenHead { t, head, .. }) => log.compare_open(*t, *head, &mut findings),
    };
    let witnesses = witnesses.into_iter().filter(is_compared).count();
    let turns = read_turns(outer.turns, &log, &mut findings)?;
    let secrets = prove_secrets(&turns, &log, &mut findings);
    let mut beacons = Beacons::of(log.policy(), &turns);
    let mut examined = Vec::new();
    for (done, (t, logged)) in log.turns().enumerate() {
        let mut outcome = logged.outcome(t);
        if let (Some(turn), Some(secret)) = (turns.get(&t), secrets.get(&t)) {
            let shown = (&turns, turn);
            super::turn::examine(&log, logged, shown, secret, &mut beacons, &mut outcome, &mut findings);
        }
        examined.push(outcome);
        progress(done + 1, log.opened());
    }
    Ok(Examination {
        game: log.game().cloned(),
        host_key: log.host_key(),
        entries,
        witnesses,
        findings: findings.in_order(),
        turns: examined,
    })
}

/// The revealed adjudications that the file shows, each once; the file has to show just those that closed.
fn read_turns(
    raw: &RawValue,
    log: &Log,
    findings: &mut Findings,
) -> Result<BTreeMap<u32, Turn>, serde_json::Error> {
    let mut shown = BTreeSet::new();
    let mut turns: BTreeMap<u32, Turn> = BTreeMap::new();
    each(raw, |_, raw| {
        let Stub { t, secret } = match object(raw) {
            Ok(stub) => stub,
            Err(fault) => return findings.push(fault.at(Place::File)),
        };
        if log.turn(t).is_none_or(|logged| logged.close.is_none()) {
            return findings.push(Fault::TurnNotClosed.at(Place::Turn(t)));
        }
        if !shown.insert(t) {
            findings.push(Fault::TurnTwice.at(Place::Turn(t)));
        }
        match secret.map(|_| object(raw)) {
            None => findings.push(Fault::Unrevealed.at(Place::Turn(t))),
            Some(Ok(turn)) => _ = turns.insert(t, turn),
            Some(Err(fault)) => findings.push(fault.at(Place::Turn(t))),
        }
    })?;
    let closed = || log.turns().filter(|(_, logged)| logged.close.is_some());
    for (t, _) in closed().filter(|(t, _)| !shown.contains(t)) {
        findings.push(Fault::TurnMissing.at(Place::Turn(t)));
    }
    if closed().next().is_none() {
        findings.push(Fault::NothingClosed.at(Place::File));
    }
    Ok(turns)
}

/// The revealed secrets, each compared with the one proved before it, down to s_0. One that is not in the chain is told, and its
/// turn is examined with it all the same.
fn prove_secrets(turns: &BTreeMap<u32, Turn>, log: &Log, findings: &mut Findings) -> BTreeMap<u32, Secret> {
    let mut secrets = BTreeMap::new();
    let Some((game, mut proved)) = log.game().zip(log.anchor()).map(|(game, anchor)| (game, (0, anchor)))
    else {
        return secrets;
    };
    let mut links = MOST_LINKS;
    for (&t, turn) in turns {
        let Some(text) = &turn.secret else { continue };
        let Ok(secret) = Secret::try_from(text.as_str()) else {
            findings.push(Fault::Malformed("the secret is not 64 hex digits".to_owned()).at(Place::Turn(t)));
            continue;
        };
        let (number, known) = proved;
        // A forger may number its turns as it likes: no chain is so long.
        let Some(left) = links.checked_sub(t - number) else {
            let why = "its secret was not compared: too many links lie between it and the last one that was";
            findings.push(Fault::Malformed(why.to_owned()).at(Place::Turn(t)));
            secrets.insert(t, secret);
            continue;
        };
        links = left;
        for noted in log.revealed(t).filter(|noted| **noted != secret.reveal()) {
            findings.push(Fault::OtherSecret { noted: noted.to_string() }.at(Place::Turn(t)));
        }
        let back =
            (number + 1..=t).rev().fold(secret.clone(), |later, i| crate::secret::previous(game, i, &later));
        if back.reveal() == known {
            proved = (t, secret.reveal());
        } else {
            findings.push(Fault::SecretNotInChain { number }.at(Place::Turn(t)));
        }
        secrets.insert(t, secret);
    }
    secrets
}
