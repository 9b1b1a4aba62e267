//! One revealed adjudication of an audit file, thrown again.

use std::collections::{BTreeMap, BTreeSet};

use super::beacons::Beacons;
use super::examined::Examined;
use super::file::{Thrown, Turn, block};
use super::finding::{Fault, Place};
use super::findings::Findings;
use super::log::Log;
use super::logged::Logged;
use crate::commit::{result_commit, roll_blind, roll_leaf};
use crate::hash::Digest;
use crate::ids::{GameId, Seat};
use crate::label::{Label, Roll};
use crate::level::{Assurance, Level};
use crate::merkle;
use crate::orders::{self, Block};
use crate::secret::Secret;
use crate::streams::{Seed, Stream, seed};
use crate::told::Opening;

/// Examines `turn`, a revealed adjudication of `turns`, and notes in `outcome` what it comes to.
pub(super) fn examine(
    log: &Log,
    logged: &Logged,
    (turns, turn): (&BTreeMap<u32, Turn>, &Turn),
    secret: &Secret,
    beacons: &mut Beacons<'_>,
    outcome: &mut Examined,
    findings: &mut Findings,
) {
    let (Some(game), Some(closed)) = (log.game(), logged.close) else { return };
    let place = Place::Turn(turn.t);
    let mut wrong = |fault: Fault| findings.push(fault.at(place));
    let blocks = read_blocks(log, turn, &mut wrong);
    let mut leaves = BTreeMap::new();
    for seat in log.seats() {
        let leaf = orders::leaf(secret, game, turn.t, seat, blocks.get(seat));
        match (logged.accepted.get(seat), blocks.get(seat)) {
            (Some(accepted), _) if *accepted != leaf => {
                wrong(Fault::NotTheAccepted { seat: seat.to_string(), accepted: accepted.to_string() });
            }
            (None, Some(_)) => wrong(Fault::NeverAccepted { seat: seat.to_string() }),
            _ => {}
        }
        if logged.taken_back.contains(seat) && blocks.contains_key(seat) {
            wrong(Fault::NotTakenBack { seat: seat.to_string() });
        }
        leaves.insert(seat.clone(), leaf);
    }
    let root = orders::root(game, turn.t, &leaves);
    if root != closed {
        wrong(Fault::OtherOrders { found: root.to_string(), closed: closed.to_string() });
    }
    for (seat, block) in &blocks {
        if let Some((index, head)) = block.seen()
            && log.head(index) != Some(head)
        {
            wrong(Fault::SeenOther { seat: seat.to_string(), index, head: head.to_string() });
        }
    }
    if let Some(label) = &logged.reroll {
        look_for_consent(log, logged, label, &blocks, &mut wrong);
        look_for_same_dice(turns, turn, label, &mut wrong);
    }
    let beacon = turn.beacon.as_deref().unwrap_or_default();
    let noted = logged.beacon.as_deref().unwrap_or_default();
    if beacon != noted {
        let due = if noted.is_empty() { "none".to_owned() } else { format!("{noted}, which the log notes,") };
        wrong(Fault::WrongBeacon { found: beacon.chars().take(120).collect(), due });
    }
    if turn.reruns.len() != logged.reruns.len() {
        wrong(Fault::OtherReruns { shown: turn.reruns.len(), logged: logged.reruns.len() });
    }
    let public = beacons.examine(turn, logged, &mut wrong);
    // A value that the beacon didn't publish is as good as none.
    let counts = beacon == noted && public.is_some();
    let assurance = Assurance::of(
        &logged.by_house(),
        &logged.sealed(),
        &blocks,
        if counts { noted.as_bytes() } else { b"" },
    );
    outcome.beacon = public.filter(|_| assurance.level == Level::L3);
    (outcome.level, outcome.salted) = (Some(assurance.level), assurance.salted);

    let seed = seed(secret, game, turn.t, &root, beacon.as_bytes());
    let dice = Dice { game, t: turn.t, secret, seed: &seed, reroll: logged.reroll.as_ref() };
    match logged.rolls {
        Some(committed) => dice.examine(&turn.rolls, &turn.result, committed, place, findings),
        None if turn.rolls.is_empty() && turn.result.is_empty() => {}
        None => findings.push(Fault::NeverCommitted.at(place)),
    }
    for (k, (again, committed)) in (1..).zip(turn.reruns.iter().zip(&logged.reruns)) {
        dice.examine(&again.rolls, &again.result, *committed, Place::Rerun(turn.t, k), findings);
    }
    open_tellings(game, logged, turn, secret, findings);
    outcome.rolls = turn.rolls.len();
    outcome.dice = turn.rolls.iter().map(|Thrown(.., faces)| faces.len()).sum();
}

/// dice.md, "What was told": each entry has its opening, and each opening its entry.
fn open_tellings(game: &GameId, logged: &Logged, turn: &Turn, secret: &Secret, findings: &mut Findings) {
    let mut shown = BTreeSet::new();
    for Opening { entry, contents } in &turn.told {
        let fault = match logged.told.get(entry) {
            Some(_) if !shown.insert(*entry) => Fault::ToldTwice,
            Some(note)
                if note.kind == contents.kind
                    && contents.is_of_its_kind()
                    && contents.commit(secret, game, &note.id, note.wording) == note.commit =>
            {
                continue;
            }
            Some(note) => Fault::ToldOther { seat: note.id.seat.to_string(), n: note.id.n },
            None => Fault::ToldNever,
        };
        findings.push(fault.at(Place::Log(*entry)));
    }
    for (entry, note) in logged.told.iter().filter(|(entry, _)| !shown.contains(*entry)) {
        let missing = Fault::ToldMissing { seat: note.id.seat.to_string(), n: note.id.n };
        findings.push(missing.at(Place::Log(*entry)));
    }
}

/// The blocks that the file shows, of the slots that the game has.
fn read_blocks(log: &Log, turn: &Turn, wrong: &mut impl FnMut(Fault)) -> BTreeMap<Seat, Block> {
    let shown: BTreeSet<&str> = turn.orders.keys().map(String::as_str).collect();
    if shown != log.seats().iter().map(Seat::as_str).collect() {
        let names: Vec<&str> = shown.into_iter().collect();
        wrong(Fault::OtherSlots(names.join(", ").chars().take(200).collect()));
    }
    let mut blocks = BTreeMap::new();
    for (name, text) in &turn.orders {
        let (Ok(seat), Some(text)) = (name.parse::<Seat>(), text) else { continue };
        match block(text) {
            Some(block) => _ = blocks.insert(seat, block),
            None => wrong(Fault::Malformed(format!(
                "the orders of {seat} are not in canonical form: a line ends in blanks, or the last one has no line end"
            ))),
        }
    }
    blocks
}

/// dice.md, "Re-rolls": everybody's block consents; that of a seat that the house plays by then, or nobody does, has no word of its
/// own, and no stand-in consents for a player.
fn look_for_consent(
    log: &Log,
    logged: &Logged,
    label: &Label,
    blocks: &BTreeMap<Seat, Block>,
    wrong: &mut impl FnMut(Fault),
) {
    for seat in log.seats() {
        let block = blocks.get(seat);
        if !block.is_some_and(|block| block.consents_to(label)) {
            wrong(Fault::NoConsent { seat: seat.to_string(), label: label.clone() });
        } else if logged.stood_in.contains(seat) {
            wrong(Fault::ConsentByStandIn { seat: seat.to_string(), label: label.clone() });
        } else if (logged.house.contains(seat) || logged.taken_over.contains(seat))
            && block != Some(&Block::consent(label, ""))
        {
            wrong(Fault::ConsentOfChoice { seat: seat.to_string() });
        }
    }
}

/// dice.md, "Re-rolls": as many dice fall again as fell before under that label, of as many sides, and so they do each time that the
/// re-roll runs again.
fn look_for_same_dice(
    turns: &BTreeMap<u32, Turn>,
    turn: &Turn,
    label: &Label,
    wrong: &mut impl FnMut(Fault),
) {
    let fell = |turn: &Turn| -> Vec<(u64, u64)> {
        let again = turn.reruns.iter().flat_map(|again| &again.rolls);
        let of_label = turn.rolls.iter().chain(again).filter(|thrown| thrown.0 == label.as_str());
        of_label.map(|Thrown(_, count, sides, _)| (*count, *sides)).collect()
    };
    let mut before = turns.range(..turn.t).rev().find_map(|(_, earlier)| fell(earlier).pop());
    for (now, of) in fell(turn) {
        if let Some((count, sides)) = before.replace((now, of)).filter(|before| *before != (now, of)) {
            let found = format!("{now}d{of} under that label, which was thrown as {count}d{sides}");
            wrong(Fault::NotThatRoll { label: label.clone(), found });
        }
    }
}

/// The dice of one adjudication.
pub(super) struct Dice<'a> {
    pub(super) game: &'a GameId,
    pub(super) t: u32,
    pub(super) secret: &'a Secret,
    pub(super) seed: &'a Seed,
    /// The roll that it throws again, if it is there for one: that, and no label of its own.
    pub(super) reroll: Option<&'a Label>,
}

impl Dice<'_> {
    /// Throws every roll again, and compares rolls and result with what was committed to.
    fn examine(
        &self,
        rolls: &[Thrown],
        result: &str,
        (rolls_root, committed_result): (Digest, Digest),
        place: Place,
        findings: &mut Findings,
    ) {
        let mut wrong = |fault: Fault| findings.push(fault.at(place));
        let mut leaves: BTreeMap<Label, Digest> = BTreeMap::new();
        for thrown in rolls {
            let Some(roll) = self.throw_again(thrown, &mut wrong) else { continue };
            let blind = roll_blind(self.secret, self.game, self.t, &roll.label);
            let leaf = roll_leaf(self.game, self.t, &blind, &roll);
            if leaves.insert(roll.label.clone(), leaf).is_some() {
                wrong(Fault::LabelTwice(roll.label));
            }
        }
        match self.reroll {
            Some(label) if !leaves.keys().eq([label]) => {
                let found: Vec<&str> = leaves.keys().take(3).map(Label::as_str).collect();
                let found = if found.is_empty() { "no roll".to_owned() } else { found.join(", ") };
                wrong(Fault::NotThatRoll { label: label.clone(), found });
            }
            Some(_) => {}
            None => look_for_gaps(leaves.keys(), &mut wrong),
        }
        let leaves: Vec<Digest> = leaves.into_values().collect();
        let found = merkle::root(&leaves);
        if found != rolls_root {
            wrong(Fault::OtherRolls { found: found.to_string(), committed: rolls_root.to_string() });
        }
        let result =
            result.parse::<Digest>().map(|digest| result_commit(self.secret, self.game, self.t, &digest));
        if result != Ok(committed_result) {
            wrong(Fault::OtherResult);
        }
    }

    /// Compares one roll, die by die. It comes back as the file has it: that is what was committed to.
    pub(super) fn throw_again(&self, thrown: &Thrown, wrong: &mut impl FnMut(Fault)) -> Option<Roll> {
        let roll = match thrown.read(self.t, self.reroll) {
            Ok(roll) => roll,
            Err(fault) => {
                wrong(fault);
                return None;
            }
        };
        let mut stream = Stream::new(self.seed, &roll.label);
        let differs = (1..).zip(&roll.faces).find_map(|(number, &found)| {
            let expected = stream.die(roll.sides);
            (expected != found).then_some((number, found, expected))
        });
        if let Some((number, found, expected)) = differs {
            let label = roll.label.to_string();
            wrong(Fault::WrongDie { label, number, found: found.into(), expected });
        }
        Some(roll)
    }
}

impl Thrown {
    /// The roll of adjudication `t` that this is, or the one that it throws again; what is wrong with it where no dice can make it.
    pub(super) fn read(&self, t: u32, reroll: Option<&Label>) -> Result<Roll, Fault> {
        let Self(name, count, sides, faces) = self;
        let label = name.parse::<Label>().ok().filter(|label| reroll == Some(label) || label.is_of(t));
        let label = label.ok_or_else(|| Fault::ForeignLabel(name.chars().take(140).collect()))?;
        let shown: Option<Vec<u32>> = faces.iter().map(|face| u32::try_from(*face).ok()).collect();
        let fits = *count == faces.len() as u64;
        match (shown, u32::try_from(*sides).ok().filter(|sides| fits && *count > 0 && *sides > 0)) {
            (Some(faces), Some(sides)) => Ok(Roll { label, sides, faces }),
            _ => Err(Fault::ImpossibleRoll {
                label: label.to_string(),
                count: *count,
                sides: *sides,
                faces: faces.len(),
            }),
        }
    }
}

/// dice.md: seq is 0, 1, 2, … for each t/phase/kind/subject, without gaps.
fn look_for_gaps<'a>(labels: impl Iterator<Item = &'a Label>, wrong: &mut impl FnMut(Fault)) {
    let mut sequences: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for label in labels {
        if let Some((stem, number)) = label.as_str().rsplit_once('/') {
            sequences.entry(stem).or_default().insert(number);
        }
    }
    for (stem, numbers) in sequences {
        if let Some(missing) = (0..numbers.len()).find(|n| !numbers.contains(n.to_string().as_str())) {
            wrong(Fault::LabelGap { stem: stem.to_owned(), missing });
        }
    }
}
