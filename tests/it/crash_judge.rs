//! Power cuts in a recorded life: at many points of it, the disk is put down as a cut may leave it, the host is started, and what it
//! comes to is held against what it came to without.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::crash_disk::{Disk, Draws, Place, ROOT, Tree};
use super::crash_game::{DIR, Deed, Mail, Outcome, Recording, Step};

/// What of a data directory a disk forgets to sync, for a control.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ignored {
    #[default]
    Nothing,
    Everything,
    /// What lies in these directories of the data directory.
    Parts(&'static [&'static str]),
    /// The mailbox that orders arrive in.
    MailIn,
    /// The Maildirs that mails go out to.
    MailOut,
}

/// Every control, with a word for it.
pub(crate) const CONTROLS: [(&str, Ignored); 7] = [
    ("everything", Ignored::Everything),
    ("the spool", Ignored::Parts(&["spool"])),
    ("the mirror journals", Ignored::Parts(&["mirror"])),
    ("the database", Ignored::Parts(&["store"])),
    ("the secrets", Ignored::Parts(&["secrets"])),
    ("mail in", Ignored::MailIn),
    ("mail out", Ignored::MailOut),
];

impl Ignored {
    fn ignores(self, birth: &str) -> bool {
        let mut parts = birth.split('/').skip(2);
        let (part, box_of) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let is_in = box_of == "host@example.org";
        match self {
            Self::Nothing => false,
            Self::Everything => true,
            Self::Parts(names) => names.contains(&part),
            Self::MailIn => part == "mail" && is_in,
            Self::MailOut => part == "mail" && !is_in,
        }
    }
}

/// A power cut: after so many changes, with what is left drawn by a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cut {
    pub(crate) after: usize,
    pub(crate) seed: u64,
}

/// Draws cuts: so many of each step, and as many again as it has changes for.
pub(crate) fn cuts(recording: &Recording, many: usize, seed: u64) -> Vec<Cut> {
    let mut draws = Draws::new(seed);
    let steps = &recording.steps;
    let mut cuts: Vec<Cut> = (0..many)
        .map(|n| {
            // Every other one in the next step in turn, the rest anywhere.
            let (since, ended) = match n % 2 {
                0 => (steps[n / 2 % steps.len()].since, steps[n / 2 % steps.len()].ended),
                _ => (0, recording.history.changes.len()),
            };
            Cut { after: since + 1 + draws.below(ended - since), seed: draws.next() }
        })
        .collect();
    cuts.sort();
    cuts
}

/// What a host did wrong after a power cut.
pub(crate) struct Fault {
    pub(crate) cut: Cut,
    pub(crate) why: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cut after change {} with seed {:#x}: {}", self.cut.after, self.cut.seed, self.why)
    }
}

/// How cuts are tried.
#[derive(Default)]
pub(crate) struct Way {
    pub(crate) ignored: Ignored,
    /// Whether one fault is enough.
    pub(crate) first_only: bool,
    /// Where to keep disks as a cut left them that did harm.
    pub(crate) kept: Option<PathBuf>,
}

/// Tries cuts, which are sorted, on two threads; gives what went wrong.
pub(crate) fn try_all(recording: &Recording, cuts: &[Cut], way: &Way) -> Vec<Fault> {
    let (faults, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let work = |half: usize| {
        let ignores = |place: Place| way.ignored.ignores(recording.history.birth(place));
        let mut disk = Disk::new(&ignores);
        let mut taken = 0;
        for cut in cuts.iter().skip(half).step_by(2) {
            for number in taken..cut.after {
                disk.take(number, &recording.history.changes[number]);
            }
            taken = cut.after;
            if stop.load(Ordering::Relaxed) {
                break;
            }
            if let Err(why) = Trial::new(recording, *cut).hold(&disk, way.kept.as_deref()) {
                faults.lock().unwrap().push(Fault { cut: *cut, why });
                stop.store(way.first_only, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| work(1));
        work(0);
    });
    let mut faults = faults.into_inner().unwrap();
    faults.sort_by_key(|fault| fault.cut);
    faults
}

/// One power cut.
struct Trial<'a> {
    recording: &'a Recording,
    cut: Cut,
    /// The step that it falls into: its number, and what it is.
    n: usize,
    step: &'a Step,
    draws: Draws,
}

impl<'a> Trial<'a> {
    fn new(recording: &'a Recording, cut: Cut) -> Self {
        let n = recording.steps.iter().position(|step| cut.after <= step.ended).unwrap();
        Self { recording, cut, n, step: &recording.steps[n], draws: Draws::new(cut.seed) }
    }

    /// Whether the command was told to be done.
    fn is_told(&self) -> bool {
        self.cut.after == self.step.ended
    }

    fn hold(mut self, disk: &Disk<'_>, kept: Option<&Path>) -> Result<(), String> {
        let tree = disk.cut(&mut self.draws);
        let held = self.hold_on(&tree);
        if let (Some(kept), true) = (kept, held.is_err()) {
            tree.put_down(ROOT, &kept.join(format!("{}-{:x}", self.cut.after, self.cut.seed)));
        }
        held
    }

    fn hold_on(&mut self, tree: &Tree) -> Result<(), String> {
        self.look_at_mirrors(tree)?;
        self.look_at_mailbox(tree)?;
        let scratch = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        tree.put_down(ROOT, scratch.path());
        let taken = self.take_mails(scratch.path());
        let mut expected = self.go_on(scratch.path())?.clone();
        taken.iter().for_each(|name| drop(expected.mails.remove(name)));
        let host = scratch.path().join(&DIR[1..]);
        Outcome::of(&host).differs_from(&expected).map_or(Ok(()), Err)
    }

    /// What was told stands in the mirror journals, whatever the database holds.
    fn look_at_mirrors(&self, tree: &Tree) -> Result<(), String> {
        for told in self.recording.told.iter().filter(|told| told.number <= self.cut.after) {
            let found = tree.at(&format!("{DIR}/mirror/{}", told.mirror)).map(|file| tree.bytes(file));
            if !found.is_some_and(|found| found.starts_with(&told.bytes)) {
                return Err(format!("what was told does not stand in the mirror journal {}", told.mirror));
            }
        }
        Ok(())
    }

    /// No mail waits again that was in the mailbox when a command ended which had taken it in.
    fn look_at_mailbox(&self, tree: &Tree) -> Result<(), String> {
        let done = self.n + usize::from(self.is_told());
        let done: Vec<&str> =
            self.recording.steps[..done].iter().flat_map(|step| &step.mails).map(Mail::name).collect();
        match Recording::unseen(tree).iter().find(|name| done.contains(&name.split(':').next().unwrap())) {
            Some(name) => Err(format!("the mail `{name}` is in the mailbox again")),
            None => Ok(()),
        }
    }

    /// Every other time the players have read and removed what had come before this command.
    fn take_mails(&mut self, disk: &Path) -> Vec<String> {
        if self.n == 0 || self.draws.percent(50) {
            return Vec::new();
        }
        let mails = &self.recording.steps[self.n - 1].outcome.mails;
        for name in mails.keys() {
            let (address, name) = name.split_once('/').unwrap();
            // What is lost already the player has read before.
            drop(fs::remove_file(disk.join(format!("{}/mail/{address}/new/{name}", &DIR[1..]))));
        }
        mails.keys().cloned().collect()
    }

    /// Starts the host; whoever was not told that a command was done does it again. Up to when the daemon has run; what should have
    /// come of it.
    fn go_on(&self, disk: &Path) -> Result<&'a Outcome, String> {
        let from = self.n + usize::from(self.is_told() && !matches!(self.step.deed, Deed::Serve));
        for step in &self.recording.steps[from..] {
            let is_next = step.begun > self.cut.after;
            // Some of its mails came before the cut.
            let given = if is_next { 0 } else { (self.cut.after - step.since) / 4 };
            let put = step.mails.iter().skip(given).try_for_each(|mail| mail.put(disk));
            put.map_err(|error| format!("the mailbox takes no mail: {error}"))?;
            let output = self.recording.run(step, disk, None);
            let said = String::from_utf8_lossy(&output.stderr);
            let may_fail = !is_next && matches!(step.deed, Deed::Command(_)) && said.contains("already");
            if !output.status.success() && !may_fail {
                return Err(format!("`{}` failed: {said}", step.deed));
            }
            let is_told = self.recording.told.iter().any(|told| told.number <= self.cut.after);
            if is_told && said.contains("rebuilt") && !self.recording.is_between_snapshots(self.cut.after) {
                return Err(format!("the database did not last: {said}"));
            }
            if matches!(step.deed, Deed::Serve) {
                return Ok(&step.outcome);
            }
        }
        Err("the script ends without a daemon".to_owned())
    }
}
