//! From the calls of traced processes to the changes of a disk, one after the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::crash_disk::{Change, Edit, Place, ROOT, Tree};
use super::crash_trace::{self, Call};

/// What was done to the files below a directory.
pub(crate) struct History {
    root: PathBuf,
    pub(crate) changes: Vec<Change>,
    /// What there is now, if nothing is lost.
    pub(crate) live: Tree,
    /// By number: the first path of each file and directory.
    births: Vec<String>,
    /// The changes that say when files were last modified, by when a call was seen: the kernel's clock is coarser.
    guessed: BTreeMap<Place, usize>,
}

/// A file that is open, and where its next byte is written.
struct Opened {
    place: Place,
    at: usize,
    appends: bool,
}

/// The files that a process has open.
#[derive(Default)]
struct Files {
    opened: Vec<Opened>,
    by_number: BTreeMap<i64, usize>,
}

impl Files {
    fn of(&mut self, number: i64) -> Option<&mut Opened> {
        self.by_number.get(&number).map(|n| &mut self.opened[*n])
    }

    /// A number for a file; none for what lies elsewhere.
    fn open(&mut self, number: i64, opened: Option<Opened>) {
        self.by_number.remove(&number);
        if let Some(opened) = opened {
            self.by_number.insert(number, self.opened.len());
            self.opened.push(opened);
        }
    }

    fn copy(&mut self, from: i64, to: i64) {
        self.by_number.remove(&to);
        if let Some(n) = self.by_number.get(&from).copied() {
            self.by_number.insert(to, n);
        }
    }
}

impl History {
    /// Of an empty directory.
    pub(crate) fn of(root: &Path) -> Self {
        let root = root.canonicalize().unwrap();
        Self {
            root,
            changes: Vec::new(),
            live: Tree::new(),
            births: vec![String::new()],
            guessed: BTreeMap::new(),
        }
    }

    /// The first path of a file or directory.
    pub(crate) fn birth(&self, place: Place) -> &str {
        &self.births[place]
    }

    fn change(&mut self, change: Change) {
        self.live.apply(&change);
        let made = match &change {
            Change::Given(given) => (**given).clone(),
            other => other.clone(),
        };
        match made {
            Change::Made { .. } => self.births.push(String::new()),
            Change::Names(edits) => {
                for Edit { dir, name, to } in edits {
                    if let Some(to) = to.filter(|to| self.births[*to].is_empty()) {
                        self.births[to] = format!("{}/{name}", self.births[dir]);
                    }
                }
            }
            _ => {}
        }
        self.changes.push(change);
    }

    fn touch(&mut self, file: Place, time: i64) {
        self.guessed.insert(file, self.changes.len());
        self.change(Change::Modified { file, time });
    }

    /// Takes the times of modification from the files themselves.
    pub(crate) fn correct_times(&mut self) {
        let guessed = std::mem::take(&mut self.guessed);
        for (path, place) in self.live.files() {
            let Some(Change::Modified { time, .. }) = guessed.get(&place).map(|n| &mut self.changes[*n])
            else {
                continue;
            };
            let modified = std::fs::metadata(self.root.join(path)).unwrap().modified().unwrap();
            let since = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap();
            *time = since.as_nanos().try_into().unwrap();
        }
    }

    /// A file that somebody else puts there and has synced.
    pub(crate) fn give(&mut self, path: &str, bytes: &[u8], modified: i64) {
        let (dir, name) = path.rsplit_once('/').unwrap();
        let (dir, file) = (self.live.at(dir).unwrap(), self.live.len());
        let changes = [
            Change::Made { is_dir: false },
            Change::Write { file, at: 0, bytes: bytes.into() },
            Change::Modified { file, time: modified },
            Change::Names(vec![Edit { dir, name: name.to_owned(), to: Some(file) }]),
        ];
        changes.into_iter().for_each(|change| self.change(Change::Given(Box::new(change))));
    }

    /// Adds what a process did.
    pub(crate) fn add(&mut self, trace: &str) {
        let mut files = Files::default();
        // How many changes there were when each call had ended.
        let mut ended = vec![self.changes.len()];
        for call in crash_trace::read(trace) {
            if call.result >= 0 {
                let before = ended[call.begun];
                self.add_call(&call, before, &mut files);
            }
            ended.push(self.changes.len());
        }
    }

    fn add_call(&mut self, call: &Call<'_>, before: usize, files: &mut Files) {
        match call.name {
            "open" | "openat" | "creat" => self.add_open(call, files),
            "write" | "writev" | "pwrite64" => self.add_write(call, files),
            "lseek" => {
                if let Some(opened) = files.of(call.number(0)) {
                    opened.at = usize::try_from(call.result).unwrap();
                }
            }
            "ftruncate" => {
                if let Some(Opened { place: file, .. }) = files.of(call.number(0)) {
                    let (file, length) = (*file, usize::try_from(call.number(1)).unwrap());
                    self.change(Change::Length { file, length });
                    self.touch(file, call.at);
                }
            }
            "rename" | "renameat" | "renameat2" => self.add_rename(call, files),
            "link" | "linkat" => {
                let [from, to] = self.two_places(call, files);
                if let Some(((dir, name), (to_dir, to_name))) = from.zip(to) {
                    let to = Some(self.live.names(dir)[&name]);
                    self.change(Change::Names(vec![Edit { dir: to_dir, name: to_name, to }]));
                }
            }
            "unlink" | "rmdir" | "unlinkat" => {
                let (dir, path) = if call.name == "unlinkat" { (Some(0), 1) } else { (None, 0) };
                if let Some((dir, name)) = self.place(call, dir, path, files) {
                    self.change(Change::Names(vec![Edit { dir, name, to: None }]));
                }
            }
            "mkdir" | "mkdirat" => {
                let (dir, path) = if call.name == "mkdirat" { (Some(0), 1) } else { (None, 0) };
                if let Some(at) = self.place(call, dir, path, files) {
                    self.make(at, true);
                }
            }
            "fsync" | "fdatasync" => {
                if let Some(Opened { place: of, .. }) = files.of(call.number(0)) {
                    let with_times = call.name == "fsync";
                    self.change(Change::Sync { of: *of, begun: before, with_times });
                }
            }
            "close" => files.open(call.number(0), None),
            "dup" | "dup2" | "dup3" => files.copy(call.number(0), call.result),
            "fcntl" if call.word(1).starts_with("F_DUPFD") => files.copy(call.number(0), call.result),
            "utimensat" => self.add_times(call, files),
            // It begins to write and makes nothing certain: neither the disk's own memory nor the length is written.
            "sync_file_range" | "fcntl" | "chdir" => {}
            "mmap" => {
                let shared = call.word(3).contains("MAP_SHARED") && call.word(2).contains("PROT_WRITE");
                assert!(!shared || files.of(call.number(4)).is_none(), "written through memory: {call:?}");
            }
            _ => self.refuse_if_ours(call, files),
        }
    }

    /// A call that can't be replayed must not be about a file of ours.
    fn refuse_if_ours(&self, call: &Call<'_>, files: &mut Files) {
        let root = self.root.to_str().unwrap().as_bytes();
        for n in 0..4 {
            let word = call.word(n);
            let is_ours = match word.starts_with('"') {
                true => call.bytes(n).starts_with(root),
                false => word.parse().is_ok_and(|number| files.of(number).is_some()),
            };
            assert!(!is_ours, "the recorder doesn't know this call: {call:?}");
        }
        let whole = ["sync", "io_uring_setup"].contains(&call.name);
        assert!(!whole, "the recorder doesn't know this call: {call:?}");
    }

    /// The directory and name of a path in an argument, as seen from the directory in another; none if it lies elsewhere.
    fn place(
        &self,
        call: &Call<'_>,
        dir: Option<usize>,
        path: usize,
        files: &mut Files,
    ) -> Option<(Place, String)> {
        let path = PathBuf::from(String::from_utf8(call.bytes(path)).unwrap());
        let from = match dir.map(|n| call.word(n)).filter(|word| *word != "AT_FDCWD") {
            Some(number) if path.is_relative() => files.of(number.parse().unwrap())?.place,
            _ => ROOT,
        };
        let below = match path.is_relative() {
            true if from == ROOT => return None,
            true => path.as_path(),
            false => path.strip_prefix(&self.root).ok()?,
        };
        let name = below.file_name()?.to_str()?.to_owned();
        let parent = below.parent()?.to_str()?;
        let parent = parent.split('/').filter(|name| !name.is_empty());
        let dir = parent.fold(from, |dir, name| self.live.names(dir)[name]);
        Some((dir, name))
    }

    fn make(&mut self, (dir, name): (Place, String), is_dir: bool) -> Place {
        let place = self.live.len();
        self.change(Change::Made { is_dir });
        self.change(Change::Names(vec![Edit { dir, name, to: Some(place) }]));
        place
    }

    fn add_open(&mut self, call: &Call<'_>, files: &mut Files) {
        let (dir, path, flags) = match call.name {
            "openat" => (Some(0), 1, call.word(2)),
            "creat" => (None, 0, "O_CREAT|O_TRUNC"),
            _ => (None, 0, call.word(1)),
        };
        let flags: Vec<&str> = flags.split('|').collect();
        let has = |flag: &str| flags.contains(&flag);
        assert!(!has("O_TMPFILE"), "the recorder doesn't know files without names: {call:?}");
        let number = call.result;
        // The root itself has no name here.
        let is_root = Path::new(std::str::from_utf8(&call.bytes(path)).unwrap()) == self.root;
        if is_root {
            return files.open(number, Some(Opened { place: ROOT, at: 0, appends: false }));
        }
        let Some((dir, name)) = self.place(call, dir, path, files) else { return files.open(number, None) };
        let found = self.live.names(dir).get(&name).copied();
        let place = match found {
            Some(file) if has("O_TRUNC") && !self.live.bytes(file).is_empty() => {
                self.change(Change::Length { file, length: 0 });
                self.touch(file, call.at);
                file
            }
            Some(place) => place,
            None => {
                assert!(has("O_CREAT"), "opened and unknown: {call:?}");
                let file = self.make((dir, name), false);
                self.touch(file, call.at);
                file
            }
        };
        files.open(number, Some(Opened { place, at: 0, appends: has("O_APPEND") }));
    }

    fn add_write(&mut self, call: &Call<'_>, files: &mut Files) {
        let Some(opened) = files.of(call.number(0)) else { return };
        let mut bytes = call.bytes(1);
        bytes.truncate(usize::try_from(call.result).unwrap());
        let file = opened.place;
        let at = match call.name {
            "pwrite64" => usize::try_from(call.number(3)).unwrap(),
            _ if opened.appends => self.live.bytes(file).len(),
            _ => opened.at,
        };
        if call.name != "pwrite64" {
            opened.at = at + bytes.len();
        }
        self.change(Change::Write { file, at, bytes: bytes.into() });
        self.touch(file, call.at);
    }

    /// The places that a call of two paths names.
    fn two_places(&self, call: &Call<'_>, files: &mut Files) -> [Option<(Place, String)>; 2] {
        let places = match call.name {
            "rename" | "link" => [(None, 0), (None, 1)],
            _ => [(Some(0), 1), (Some(2), 3)],
        };
        places.map(|(dir, path)| self.place(call, dir, path, files))
    }

    fn add_rename(&mut self, call: &Call<'_>, files: &mut Files) {
        let [from, to] = self.two_places(call, files);
        let (Some(from), Some(to)) = (from, to) else {
            return self.refuse_if_ours(call, files);
        };
        let moved = self.live.names(from.0)[&from.1];
        self.change(Change::Names(vec![
            Edit { dir: from.0, name: from.1, to: None },
            Edit { dir: to.0, name: to.1, to: Some(moved) },
        ]));
    }

    /// `utimensat(file, NULL, [access, modification], 0)`.
    fn add_times(&mut self, call: &Call<'_>, files: &mut Files) {
        let file = match call.word(1) {
            "NULL" => files.of(call.number(0)).map(|opened| opened.place),
            _ => return self.refuse_if_ours(call, files),
        };
        let Some(file) = file else { return };
        let number = |name: &str| {
            let (_, after) = call.word(2).rsplit_once(name)?;
            after.split(|c: char| !c.is_ascii_digit()).next()?.parse::<i64>().ok()
        };
        let time =
            number("tv_sec=").zip(number("tv_nsec=")).map(|(seconds, nanos)| seconds * 1_000_000_000 + nanos);
        let time = time.unwrap_or_else(|| panic!("no time: {call:?}"));
        self.guessed.remove(&file);
        self.change(Change::Modified { file, time });
    }
}
