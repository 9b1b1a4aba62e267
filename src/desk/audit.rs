//! The audit file of a game, made from its journal (dice.md, "The audit file").

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use musterd_dice::audit::{
    Again, AuditFile, Courier, EditStep, Examined, LogLine, NotAnAuditFile, PROTOCOL, Replay, Step, Thrown,
    Turn, examine,
};
use musterd_dice::told::Opening;
use musterd_dice::{Assurance, Block, Chain, Roll, Seat, SecretChain};
use musterd_engine::digest_of;
use musterd_engine::journal::{Arrangement, Carriage, Cause, Change, Entry, PressLetter, Verdict};

/// The audit file of the game with this journal. The adjudications up to `revealed` are open in it, the later ones closed. Secrets can be computed
/// along the chain in one direction only: from `s_t` all earlier secrets follow.
pub fn audit_file(entries: &[Entry], secrets: &SecretChain, revealed: u32) -> AuditFile {
    let mut chain = Chain::new(secrets.game());
    let mut log = Vec::new();
    let mut turns: BTreeMap<u32, Turn> = BTreeMap::new();
    let mut seats: Vec<Seat> = Vec::new();
    let mut blocks: BTreeMap<Seat, Block> = BTreeMap::new();
    let mut told: BTreeMap<u32, Vec<Opening>> = BTreeMap::new();
    let mut replay = Replaying { revealed, replay: None, couriers: BTreeMap::new() };
    for entry in entries {
        let index = log.len() as u64;
        replay.take(index, &entry.cause);
        for line in entry.cause.log_entries() {
            let hash = chain.push(&line);
            log.push(LogLine::of(&line, hash));
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
            Cause::Reported(telling) if telling.id.t <= revealed => {
                let opening = Opening { entry: index, contents: telling.contents.clone() };
                told.entry(telling.id.t).or_default().push(opening);
            }
            Cause::Beacon { t, beacon, value } => {
                if let Some(turn) = turns.get_mut(t).filter(|turn| turn.secret.is_some()) {
                    turn.beacon = Some(beacon.to_string());
                    turn.beacon_value = value.as_ref().map(ToString::to_string);
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
    for (t, told) in told {
        turns.entry(t).and_modify(|turn| turn.told = told);
    }
    let turns = turns.into_values().collect();
    let protocol = Cow::Borrowed(PROTOCOL);
    AuditFile { protocol, witness: Vec::new(), log, turns, replay: replay.replay }
}

/// How far the dice of each adjudication can be trusted, and whose salts counted. Every report says so, whether or not the dice are revealed. `whole`
/// is the game's audit file with everything open.
///
/// # Errors
/// The file can't be examined.
pub fn assurances(whole: &AuditFile) -> Result<Vec<(u32, Assurance)>, NotAnAuditFile> {
    let assurance = |turn: Examined| Some((turn.t, Assurance { level: turn.level?, salted: turn.salted }));
    let examined = examine(&whole.to_json(), &[], |_, _| {})?;
    Ok(examined.turns.into_iter().filter_map(assurance).collect())
}

/// The inputs of a replay besides the orders, gathered from the journal.
struct Replaying {
    revealed: u32,
    replay: Option<Replay>,
    /// The couriers of each adjudication.
    couriers: BTreeMap<u32, Vec<Courier>>,
}

impl Replaying {
    /// Adds a cause whose first log entry has this index.
    fn take(&mut self, index: u64, cause: &Cause) {
        match cause {
            Cause::Founded { charter, .. } if self.revealed > 0 => {
                self.replay = Some(Replay {
                    ruleset: charter.ruleset.clone(),
                    version: charter.rules_version,
                    founding: charter.files.0.clone(),
                    steps: Vec::new(),
                    edits: Vec::new(),
                });
            }
            Cause::Pressed(letter) => {
                self.couriers.entry(letter.t).or_default().extend(couriers_in_peril(letter));
            }
            Cause::Arranged(Arrangement { change: Change::Edited { edit }, .. })
                if edit.t <= self.revealed =>
            {
                let step = EditStep { entry: index, edit: edit.clone() };
                self.replay.iter_mut().for_each(|replay| replay.edits.push(step.clone()));
            }
            Cause::Adjudicated { t, events, .. } => self.step(*t, index, None, events),
            Cause::Rerolled(reroll) => {
                let dice = index + cause.log_entries().len() as u64 - 1;
                self.step(reroll.t, dice, None, &reroll.events);
            }
            Cause::Amended(amendment) => {
                self.step(amendment.t, index, Some(&amendment.text), &amendment.events);
            }
            // The amendment has a log entry of its own.
            Cause::Rerun { t, amendment, events, .. } => {
                self.step(*t, index, Some(&amendment.text), &amendment.events);
                self.step(*t, index + 1, None, events);
            }
            _ => {}
        }
    }

    fn step(&mut self, t: u32, entry: u64, amend: Option<&str>, events: &[Value]) {
        let Some(replay) = self.replay.as_mut().filter(|_| t <= self.revealed) else { return };
        let couriers = self.couriers.get(&t).filter(|_| amend.is_none()).cloned().unwrap_or_default();
        let (amend, events) = (amend.map(str::to_owned), events.to_vec());
        replay.steps.push(Step { entry, amend, events, couriers });
    }
}

/// The couriers of a letter who pass an enemy, in the order in which dice are thrown for them.
fn couriers_in_peril(letter: &PressLetter) -> impl Iterator<Item = Courier> {
    let rides = match &letter.carriage {
        Carriage::Courier { rides } => Some(rides),
        Carriage::AtOnce | Carriage::Sealed { .. } => None,
    };
    let rides = rides.into_iter().flatten().filter(|(_, ride)| ride.perils > 0);
    rides.map(|(reader, ride)| Courier(letter.from.clone(), reader.clone(), ride.perils))
}

fn thrown(rolls: &[Roll]) -> Vec<Thrown> {
    rolls.iter().map(Thrown::from).collect()
}
