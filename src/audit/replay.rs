//! Every adjudication of an audit file once more, by the rules of the game: the orders go in, and what comes out has to be what
//! the host said. Dice prove that nobody chose them; this proves that what was made of them follows the rules.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::book::secret_of;
use super::difference::{Difference, Divergence, Unable, compare_events, compare_rolls};
use super::retold::Retold;
use musterd_desk::campaign::Heads;
use musterd_desk::{Desk, Game};
use musterd_dice::audit::{AuditFile, Courier, EditStep, LogLine, Place, Replay, Step, Thrown, Turn};
use musterd_dice::statistics::Luck;
use musterd_dice::told::{Opening, ToldNote};
use musterd_dice::{
    Block, DiceFault, Digest, GameId, Label, LineEdit, LogEntry, LoggedVerdict, Note, Rerolled, Roll, Roller,
    Seat, Secret, Seed, Streams, Text, amend_commit, leaf, orders_root, seed,
};
use musterd_engine::files::RuleFiles;
use musterd_engine::{Awaiting, digest_of};

/// The die that is thrown for each hex of a courier's way in an enemy's reach.
const PERIL_SIDES: u32 = 6;

/// What playing a game again came to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Replayed {
    /// Adjudications that came to what the file says, reruns among them.
    pub adjudications: usize,
    /// Amendments that did.
    pub amendments: usize,
    /// Lines of reports that the GM changed by hand: what each was, and what became of it.
    pub edits: Vec<LineEdit>,
    /// The last adjudication among them.
    pub last: Option<u32>,
    /// The first thing that came out otherwise. What follows it may be its consequence, and is not looked at.
    pub difference: Option<Difference>,
    /// What seats were told, as far as it was played.
    pub told: Retold,
    /// Whose luck the dice were, as far as it was played.
    #[serde(skip)]
    pub luck: Luck,
    /// Why it ended before the end of the log, or never began, where that shows nothing wrong.
    #[serde(serialize_with = "super::told::option")]
    pub unable: Option<Unable>,
}

impl Replayed {
    /// Of a file that can't be read as a whole.
    pub(super) fn damaged() -> Self {
        Self { unable: Some(Unable::Damaged), ..Self::default() }
    }

    /// Of a file whose rules and events can't be read.
    pub(super) fn unreadable(why: String) -> Self {
        let difference = Difference { place: Place::File, divergence: Divergence::Unreadable { why } };
        Self { difference: Some(difference), ..Self::default() }
    }
}

/// Why a replay ends.
enum End {
    Differs(Box<Difference>),
    Unable(Unable),
}

impl From<Unable> for End {
    fn from(unable: Unable) -> Self {
        Self::Unable(unable)
    }
}

impl Divergence {
    fn at(self, place: Place) -> End {
        End::Differs(Box::new(Difference { place, divergence: self }))
    }
}

/// Plays a game again from its audit file, whose log must be whole. `progress` is told how many of how many adjudications are done.
pub fn replay(desk: &Desk, file: &AuditFile, mut progress: impl FnMut(usize, usize)) -> Replayed {
    let mut replayed = Replayed::default();
    let mut run = || {
        let entries = file.log.iter().map(LogLine::entry).collect::<Option<Vec<LogEntry>>>();
        let entries = entries.ok_or(Unable::Damaged)?;
        let is_run = |entry: &&LogEntry| matches!(entry, LogEntry::Rolls { .. } | LogEntry::Rerun { .. });
        let total = entries.iter().filter(is_run).count();
        let mut play = Play::begin(desk, file, &entries)?;
        let played = entries.iter().enumerate().try_for_each(|(index, entry)| {
            play.take(index as u64, entry, entries.get(index + 1))?;
            // Of a log that is whole each hash can be read.
            let head = file.log[index].hash.parse().map_err(|_| Unable::Damaged)?;
            play.heads.push(entry, head);
            if is_run(&entry) {
                progress(play.done.adjudications, total);
            }
            Ok(())
        });
        replayed = Replayed { luck: play.table.luck().clone(), ..play.done };
        played
    };
    match run() {
        Ok(()) => {}
        Err(End::Differs(difference)) => replayed.difference = Some(*difference),
        Err(End::Unable(unable)) => replayed.unable = Some(unable),
    }
    replayed
}

/// What counts of the game so far: an adjudication, or an amendment.
struct Lived {
    t: Option<u32>,
    events: Vec<Value>,
}

impl Lived {
    /// Makes it so, for good. It belongs to this log entry.
    fn adopt(&self, table: &mut dyn Game, index: u64) -> Result<(), End> {
        let taken = if self.t.is_some() { table.adopt(&self.events) } else { table.amend(&self.events) };
        taken.map_err(|error| Divergence::NoGame { why: error.to_string() }.at(Place::Log(index)))
    }
}

/// Whether every step is the only one of an entry that changes the position, so that nothing is shown that nobody compares.
fn each_has_its_entry(steps: &[Step], entries: &[LogEntry]) -> Result<(), End> {
    let mut seen = BTreeSet::new();
    steps.iter().try_for_each(|step| {
        let entry = usize::try_from(step.entry).ok().and_then(|index| entries.get(index));
        let why = match entry {
            _ if !seen.insert(step.entry) => "shows it twice",
            Some(LogEntry::Rolls { .. } | LogEntry::Rerun { .. }) if step.amend.is_none() => return Ok(()),
            Some(LogEntry::Rolls { .. } | LogEntry::Rerun { .. }) => "says that it amends, which it does not",
            Some(entry) if matches!(entry.note(), Some(Note::Amend(_))) => return Ok(()),
            Some(_) => "nothing comes of such an entry",
            None => "the log has no such entry",
        };
        Err(Divergence::OddStep { why }.at(Place::Log(step.entry)))
    })
}

/// The same of what was changed by hand.
fn each_edit_has_its_entry(edits: &[EditStep], entries: &[LogEntry]) -> Result<(), End> {
    let mut seen = BTreeSet::new();
    edits.iter().try_for_each(|step| {
        let entry = usize::try_from(step.entry).ok().and_then(|index| entries.get(index));
        let why = match entry {
            _ if !seen.insert(step.entry) => "shows it twice",
            Some(entry) if matches!(entry.note(), Some(Note::Edit(_))) => return Ok(()),
            Some(_) => "it changes no line of a report",
            None => "the log has no such entry",
        };
        Err(Divergence::OddStep { why }.at(Place::Log(step.entry)))
    })
}

/// A game being played again.
struct Play<'a> {
    desk: &'a Desk,
    replay: &'a Replay,
    game: &'a GameId,
    seats: Vec<Seat>,
    /// The adjudications that are revealed.
    turns: BTreeMap<u32, &'a Turn>,
    /// What seats were told, by adjudication and entry.
    openings: BTreeMap<(u32, u64), &'a Opening>,
    steps: BTreeMap<u64, &'a Step>,
    table: Box<dyn Game>,
    live: Vec<Lived>,
    done: Replayed,
    /// The amendment that stands before a rerun.
    rerun: Option<Vec<Value>>,
    /// The roll that the open adjudication throws again.
    reroll: Option<Label>,
    /// How perilous the ways between commanders were at some point of the open window, before the position changed.
    perils: BTreeSet<Courier>,
    /// The leaf of each seat's last accepted mail of the open adjudication.
    accepted: BTreeMap<Seat, Digest>,
    heads: Heads,
    /// How many lines the GM has changed by hand, those among them that the file doesn't show.
    edited: usize,
}

impl<'a> Play<'a> {
    fn begin(desk: &'a Desk, file: &'a AuditFile, entries: &'a [LogEntry]) -> Result<Self, End> {
        let replay = file.replay.as_ref().ok_or(Unable::NothingToReplay)?;
        let Some(LogEntry::Game { game, seats, rules, .. }) = entries.first() else {
            return Err(Unable::Damaged.into());
        };
        let found = RuleFiles(replay.founding.clone()).digest(&replay.ruleset, replay.version);
        if found != *rules {
            let divergence = Divergence::OtherRules { found: found.to_string(), logged: rules.to_string() };
            return Err(divergence.at(Place::Log(0)));
        }
        let known = desk.rules_version(&replay.ruleset);
        if !known.is_some_and(|newest| (1..=newest).contains(&replay.version)) {
            let (ruleset, version) = (replay.ruleset.clone(), replay.version);
            return Err(Unable::OtherProgram { ruleset, version, known }.into());
        }
        each_has_its_entry(&replay.steps, entries)?;
        each_edit_has_its_entry(&replay.edits, entries)?;
        let seats: Vec<Seat> = seats.iter().cloned().collect();
        let revealed: Vec<&Turn> = file.turns.iter().filter(|turn| turn.secret.is_some()).collect();
        let opened = |turn: &&'a Turn| turn.told.iter().map(|opening| ((turn.t, opening.entry), opening));
        Ok(Self {
            desk,
            replay,
            game,
            openings: revealed.iter().flat_map(opened).collect(),
            turns: revealed.into_iter().map(|turn| (turn.t, turn)).collect(),
            steps: replay.steps.iter().map(|step| (step.entry, step)).collect(),
            table: founded(desk, replay, &seats)?,
            seats,
            live: Vec::new(),
            done: Replayed::default(),
            rerun: None,
            reroll: None,
            perils: BTreeSet::new(),
            accepted: BTreeMap::new(),
            heads: Heads::default(),
            edited: 0,
        })
    }

    fn take(&mut self, index: u64, entry: &LogEntry, next: Option<&LogEntry>) -> Result<(), End> {
        match entry {
            // No window for orders: it is there to throw a roll again.
            LogEntry::Open { .. } if matches!(next, Some(LogEntry::Reroll { .. })) => Ok(()),
            LogEntry::Open { name, .. } => {
                self.perils.clear();
                self.accepted.clear();
                self.compare_wait(index, name.as_str(), false)
            }
            LogEntry::Rolls { t, .. } => {
                let lived = match self.reroll.take() {
                    Some(label) => self.throw_again(index, *t, &label)?,
                    None => {
                        let turn = self.turn(*t)?;
                        let events =
                            self.adjudicate(index, turn, &turn.rolls, &turn.result, Place::Turn(*t))?;
                        Lived { t: Some(*t), events }
                    }
                };
                lived.adopt(&mut *self.table, index)?;
                self.live.push(lived);
                self.ran(*t);
                Ok(())
            }
            LogEntry::Gm { t, .. } => {
                let commit = match entry.note() {
                    Some(Note::Amend(commit)) => commit,
                    Some(Note::Edit(commit)) => return self.edit(index, &commit),
                    _ => return Ok(()),
                };
                let reruns = matches!(next, Some(LogEntry::Rerun { t: again, .. }) if again == t);
                self.amend_at(index, *t, &commit, reruns)
            }
            LogEntry::Rerun { t, k, .. } => {
                let place = Place::Rerun(*t, *k);
                let turn = self.turn(*t)?;
                let amended = self.rerun.take().ok_or_else(|| Divergence::NoStep.at(Place::Log(index)))?;
                let again = usize::try_from(*k).ok().and_then(|k| turn.reruns.get(k.checked_sub(1)?));
                let again = again.ok_or_else(|| Divergence::NoStep.at(place))?;
                let events = self.adjudicate(index, turn, &again.rolls, &again.result, place)?;
                // What a seat sees of the amendment is part of what it sees of the adjudication.
                let events = [amended, events].concat();
                self.live.push(Lived { t: Some(*t), events });
                self.play_live(index)?;
                self.ran(*t);
                Ok(())
            }
            LogEntry::Reroll { label, .. } => {
                self.reroll = Some(label.clone());
                Ok(())
            }
            // The open window alone: nothing of it has run.
            LogEntry::Rollback { t, back }
                if t == back && self.live.iter().all(|lived| lived.t != Some(*t)) =>
            {
                Ok(())
            }
            LogEntry::Rollback { back, .. } => self.go_back(index, *back),
            LogEntry::Note { .. } => match entry.note() {
                Some(Note::Ended(results)) => self.compare_wait(index, results, true),
                Some(Note::Told(Some(note))) => {
                    self.compare_told(index, &note);
                    Ok(())
                }
                _ => Ok(()),
            },
            LogEntry::Recv { seat: Some(seat), digest, verdict: LoggedVerdict::Accepted, .. } => {
                self.accepted.insert(seat.clone(), *digest);
                Ok(())
            }
            LogEntry::Game { .. }
            | LogEntry::Seal { .. }
            | LogEntry::Recv { .. }
            | LogEntry::Deadline { .. }
            | LogEntry::Close { .. } => Ok(()),
        }
    }

    const fn ran(&mut self, t: u32) {
        self.done.adjudications += 1;
        self.done.last = Some(t);
    }

    /// The step that belongs to a log entry.
    fn step(&self, index: u64) -> Result<&'a Step, End> {
        self.steps.get(&index).copied().ok_or_else(|| Divergence::NoStep.at(Place::Log(index)))
    }

    /// An adjudication that has to be revealed.
    fn turn(&self, t: u32) -> Result<&'a Turn, Unable> {
        self.turns.get(&t).copied().ok_or(Unable::Unrevealed { t })
    }

    /// The rules on the orders of an adjudication, with its dice; compares everything that comes out.
    fn adjudicate(
        &self,
        index: u64,
        turn: &Turn,
        rolls: &[Thrown],
        result: &str,
        place: Place,
    ) -> Result<Vec<Value>, End> {
        let step = self.step(index)?;
        let (blocks, seed) = self.bound(turn)?;
        let mut dice = Streams::new(seed);
        let events = self.table.adjudicate(turn.t, &blocks, &mut dice).events;
        self.throw_for_couriers(turn.t, &step.couriers, &mut dice)
            .and_then(|()| as_shown(step, (rolls, result), events, dice.into_rolls()))
            .map_err(|divergence| divergence.at(place))
    }

    /// The adjudication that made a roll, with this roll thrown again and all others as they fell; compares what comes out.
    fn throw_again(&mut self, index: u64, t: u32, label: &Label) -> Result<Lived, End> {
        let of = label.as_str().split('/').next().and_then(|of| of.parse().ok()).ok_or(Unable::Damaged)?;
        let (Ok(turn), Ok(before)) = (self.turn(t), self.turn(of)) else {
            return Err(Unable::Unrevealed { t }.into());
        };
        self.go_back(index, of)?;
        let (blocks, old) = self.bound(before)?;
        let (_, new) = self.bound(turn)?;
        let mut dice = Rerolled::new(label, old, new);
        let events = self.table.adjudicate(of, &blocks, &mut dice).events;
        let events = as_shown(self.step(index)?, (&turn.rolls, &turn.result), events, dice.into_rolls());
        Ok(Lived { t: Some(of), events: events.map_err(|divergence| divergence.at(Place::Turn(t)))? })
    }

    /// The orders of an adjudication, and the seed that is bound to them.
    fn bound(&self, turn: &Turn) -> Result<(BTreeMap<Seat, Block>, Seed), End> {
        let t = turn.t;
        let secret = self.secret(t).ok_or(Unable::Unrevealed { t })?;
        let mut blocks = BTreeMap::new();
        for (name, text) in &turn.orders {
            let (Ok(seat), Some(text)) = (name.parse::<Seat>(), text) else { continue };
            let block = Block::try_from(text.clone()).map_err(|_| Unable::Damaged)?;
            blocks.insert(seat, block);
        }
        let leaf_of = |seat: &Seat| (seat.clone(), leaf(&secret, self.game, t, seat, blocks.get(seat)));
        let leaves: BTreeMap<Seat, Digest> = self.seats.iter().map(leaf_of).collect();
        let root = orders_root(self.game, t, &leaves);
        let beacon = turn.beacon.as_deref().unwrap_or_default();
        Ok((blocks, seed(&secret, self.game, t, &root, beacon.as_bytes())))
    }

    /// The dice of couriers, whose ways are as perilous as the position made them.
    fn throw_for_couriers(
        &self,
        t: u32,
        couriers: &[Courier],
        dice: &mut dyn Roller,
    ) -> Result<(), Divergence> {
        let mut sent: BTreeMap<String, u32> = BTreeMap::new();
        for courier in couriers {
            let Courier(from, to, perils) = courier;
            let way = self.table.ride(from, to).map_or(0, |ride| ride.perils);
            if way != *perils && !self.perils.contains(courier) {
                let (from, to) = (from.to_string(), to.to_string());
                return Err(Divergence::Courier { from, to, shown: *perils, again: way });
            }
            let seq = sent.entry(format!("{from}-{to}")).or_default();
            if let Ok(label) = format!("{t}/courier/peril/{from}-{to}/{seq}").parse() {
                dice.roll(&label, *perils, PERIL_SIDES);
            }
            *seq += 1;
        }
        Ok(())
    }

    /// Keeps how perilous all ways are, before the position changes: a courier may have set out from here.
    fn note_perils(&mut self) {
        for from in &self.seats {
            let ways = self.seats.iter().filter_map(|to| Some((to, self.table.ride(from, to)?)));
            let couriers = ways.map(|(to, ride)| Courier(from.clone(), to.clone(), ride.perils));
            self.perils.extend(couriers);
        }
    }

    /// Makes an amendment, which may stand before a rerun of its adjudication.
    fn amend_at(&mut self, index: u64, t: u32, commit: &Digest, reruns: bool) -> Result<(), End> {
        self.note_perils();
        if reruns {
            self.go_back(index, t)?;
        }
        let lived = Lived { t: None, events: self.amend(index, t, commit)? };
        lived.adopt(&mut *self.table, index)?;
        self.done.amendments += 1;
        match reruns {
            true => self.rerun = Some(lived.events),
            false => self.live.push(lived),
        }
        Ok(())
    }

    /// What an amendment comes to.
    fn amend(&self, index: u64, t: u32, commit: &Digest) -> Result<Vec<Value>, End> {
        let differs = |divergence: Divergence| divergence.at(Place::Log(index));
        let revealed = self.turns.keys().next_back().copied().unwrap_or(0);
        let step = match self.step(index) {
            Err(_) if t > revealed => return Err(Unable::Unrevealed { t }.into()),
            step => step?,
        };
        let text = step.amend.as_ref().ok_or_else(|| differs(Divergence::NoStep))?;
        let events = self.table.amending(text);
        let events = events.map_err(|remark| differs(Divergence::NotAmendable { why: remark.text }))?;
        compare_events(&step.events, &events).map_err(differs)?;
        // One after the last revealed adjudication is hidden by a secret that nobody has seen yet.
        if let Some(secret) = self.secret(t) {
            let again = amend_commit(&secret, self.game, t, self.done.amendments, text, &digest_of(&events));
            if again != *commit {
                return Err(differs(Divergence::OtherAmendment { shown: text.clone() }));
            }
        }
        Ok(events)
    }

    /// Takes what the GM changed by hand in a report, where the file shows it.
    fn edit(&mut self, index: u64, commit: &Digest) -> Result<(), End> {
        let n = self.edited;
        self.edited += 1;
        let Some(EditStep { edit, .. }) = self.replay.edits.iter().find(|step| step.entry == index) else {
            return Ok(());
        };
        let secret = self.secret(edit.t).ok_or(Unable::Unrevealed { t: edit.t })?;
        if edit.commit(&secret, self.game, n) != *commit {
            let shown = edit.line.clone();
            return Err(Divergence::OtherEdit { shown }.at(Place::Log(index)));
        }
        self.done.edits.push(edit.clone());
        Ok(())
    }

    /// Goes back to the position before an adjudication.
    fn go_back(&mut self, index: u64, t: u32) -> Result<(), End> {
        self.note_perils();
        let at = self.live.iter().position(|lived| lived.t == Some(t));
        self.live.truncate(at.ok_or_else(|| Divergence::NeverRan { t }.at(Place::Log(index)))?);
        self.play_live(index)
    }

    /// Plays what counts of the game from its beginning.
    fn play_live(&mut self, index: u64) -> Result<(), End> {
        self.table = founded(self.desk, self.replay, &self.seats)?;
        self.live.iter().try_for_each(|lived| lived.adopt(&mut *self.table, index))
    }

    /// Holds what the log says that the game waits for, or how it ended, against the rules.
    fn compare_wait(&self, index: u64, shown: &str, ended: bool) -> Result<(), End> {
        let again = match self.table.awaiting() {
            Awaiting::Over { results } if ended => Text::new(&results.join("; ")).to_string(),
            Awaiting::Over { .. } => "the end of the game".to_owned(),
            Awaiting::Founding | Awaiting::Orders { .. } if ended => "the game goes on".to_owned(),
            Awaiting::Founding => "founding".to_owned(),
            Awaiting::Orders { name, .. } => name.to_string(),
        };
        if again == shown {
            return Ok(());
        }
        Err(Divergence::OtherWait { shown: shown.to_owned(), again }.at(Place::Log(index)))
    }

    /// Compares what a seat was told, where that is opened.
    fn compare_told(&mut self, index: u64, note: &ToldNote) {
        let Some(turn) = self.turns.get(&note.id.t) else { return };
        let Some(opening) = self.openings.get(&(note.id.t, index)) else { return };
        let seat = &note.id.seat;
        let block =
            turn.orders.get(seat.as_str()).cloned().flatten().and_then(|text| Block::try_from(text).ok());
        let is_answered = |block: &Block| {
            let secret = self.secret(note.id.t);
            secret.map(|secret| leaf(&secret, self.game, note.id.t, seat, Some(block))).as_ref()
                == self.accepted.get(seat)
        };
        let answered = block.as_ref().filter(|block| is_answered(block));
        let (t, edits) = (note.id.t, &self.done.edits);
        let edits: Vec<&LineEdit> = edits.iter().filter(|edit| (edit.t, &edit.seat) == (t, seat)).collect();
        self.done.told.compare((index, note), opening, (&*self.table, &self.heads), (answered, &edits));
    }

    /// s_t, from the file or from a later one.
    fn secret(&self, t: u32) -> Option<Secret> {
        secret_of(&self.turns, self.game, t)
    }
}

/// The game as it was founded.
fn founded(desk: &Desk, replay: &Replay, seats: &[Seat]) -> Result<Box<dyn Game>, End> {
    let files = RuleFiles(replay.founding.clone());
    let table = desk.open((&replay.ruleset, replay.version), &files, seats);
    table.map_err(|error| Divergence::NoGame { why: error.to_string() }.at(Place::Log(0)))
}

/// The events of an adjudication, if they and its rolls are those that the file shows.
fn as_shown(
    step: &Step,
    (rolls, result): (&[Thrown], &str),
    events: Vec<Value>,
    thrown: Result<Vec<Roll>, DiceFault>,
) -> Result<Vec<Value>, Divergence> {
    let thrown = thrown.map_err(|fault| Divergence::Misused { why: fault.to_string() })?;
    // Rolls first: where a die was asked for otherwise, everything made of it differs too.
    compare_rolls(rolls, &thrown)?;
    compare_events(&step.events, &events)?;
    match digest_of(&events).to_string() == result {
        true => Ok(events),
        false => Err(Divergence::OtherDigest { shown: result.to_owned() }),
    }
}
