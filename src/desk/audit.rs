//! The audit file of a game, made from its journal (dice.md, "The audit file").

use std::collections::BTreeMap;

use crate::dice::audit::{Again, AuditFile, Line, PROTOCOL, Thrown, Turn};
use crate::dice::{Block, Chain, Roll, Seat, SecretChain};
use crate::engine::digest_of;
use crate::engine::journal::{Cause, Entry, Verdict};

/// The audit file of the game with this journal, in which the adjudications up to `revealed` are open and the later ones closed.
/// Secrets come from the chain one way only: whoever knows `s_t` knows all before it.
#[must_use]
pub fn audit_file(entries: &[Entry], secrets: &SecretChain, revealed: u32) -> AuditFile {
    let mut chain = Chain::new(secrets.game());
    let mut log = Vec::new();
    let mut turns: BTreeMap<u32, Turn> = BTreeMap::new();
    let mut seats: Vec<Seat> = Vec::new();
    let mut blocks: BTreeMap<Seat, Block> = BTreeMap::new();
    for entry in entries {
        for line in entry.cause.log_entries() {
            let hash = chain.push(&line);
            log.push(Line::of(&line, hash));
        }
        match &entry.cause {
            Cause::Founded { charter, .. } => seats = charter.players.keys().cloned().collect(),
            Cause::Opened { sealed, .. } => {
                blocks = sealed.iter().map(|s| (s.seat.clone(), s.block.clone())).collect();
            }
            Cause::Received(mail) => match (&mail.seat, &mail.verdict) {
                (Some(seat), Verdict::Accepted { block, .. }) => {
                    _ = blocks.insert(seat.clone(), block.clone());
                }
                (Some(seat), Verdict::Withdrawn { .. }) => _ = blocks.remove(seat),
                _ => {}
            },
            Cause::StoodIn { seat, block, .. } => _ = blocks.insert(seat.clone(), block.clone()),
            Cause::Closed { t, .. } => {
                let mut turn = Turn { t: *t, ..Turn::default() };
                if let Some(secret) = secrets.secret(*t).filter(|_| *t <= revealed) {
                    turn.secret = Some(secret.reveal().to_string());
                    let text = |seat: &Seat| blocks.get(seat).map(|block| block.as_str().to_owned());
                    turn.orders = seats.iter().map(|seat| (seat.to_string(), text(seat))).collect();
                }
                turns.insert(*t, turn);
            }
            Cause::Beacon { t, beacon } => {
                if let Some(turn) = turns.get_mut(t).filter(|turn| turn.secret.is_some()) {
                    turn.beacon = Some(beacon.to_string());
                }
            }
            Cause::Adjudicated { t, events, rolls, .. } => {
                if let Some(turn) = turns.get_mut(t).filter(|turn| turn.secret.is_some()) {
                    (turn.rolls, turn.result) = (thrown(rolls), digest_of(events).to_string());
                }
            }
            Cause::Rerolled(reroll) => {
                let t = reroll.t;
                let mut turn = Turn { t, ..Turn::default() };
                if let Some(secret) = secrets.secret(t).filter(|_| t <= revealed) {
                    turn.secret = Some(secret.reveal().to_string());
                    let consents = reroll.house.iter().chain(&reroll.consents);
                    turn.orders =
                        consents.map(|s| (s.seat.to_string(), Some(s.block.as_str().to_owned()))).collect();
                    (turn.rolls, turn.result) =
                        (thrown(&reroll.rolls), digest_of(&reroll.events).to_string());
                }
                turns.insert(t, turn);
            }
            Cause::Rerun { t, events, rolls, .. } => {
                if let Some(turn) = turns.get_mut(t).filter(|turn| turn.secret.is_some()) {
                    turn.reruns.push(Again { rolls: thrown(rolls), result: digest_of(events).to_string() });
                }
            }
            _ => {}
        }
    }
    let turns = turns.into_values().collect();
    AuditFile { protocol: PROTOCOL, witness: Vec::new(), log, turns, replay: None }
}

fn thrown(rolls: &[Roll]) -> Vec<Thrown> {
    rolls.iter().map(Thrown::from).collect()
}
