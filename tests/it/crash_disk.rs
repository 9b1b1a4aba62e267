//! A file system that forgets: what a power cut may leave of changes that were not synced.
//!
//! The rules are those that a program can rely on under POSIX with a file system that keeps a journal of names (ext4, XFS, Btrfs):
//! bytes last once their file was synced; a name once its directory was; a rename is whole or not at all, and synced by either of its
//! directories. A synced file has no name by that. Before a sync everything may be there, in part and in any order: sectors of 512 bytes,
//! lengths without the bytes that they are for, names whose files are empty.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// What a disk writes whole or not at all, in bytes.
const SECTOR: usize = 512;

/// A file or a directory, by its number.
pub(crate) type Place = usize;
/// The directory in which everything happens.
pub(crate) const ROOT: Place = 0;

/// A name in a directory, and what it leads to; none where it goes away.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    pub(crate) dir: Place,
    pub(crate) name: String,
    pub(crate) to: Option<Place>,
}

impl Edit {
    fn is_of_same_name(&self, other: &Self) -> bool {
        self.dir == other.dir && self.name == other.name
    }
}

/// One thing that a call changes, or makes certain.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// A file or directory, which has the next number and no name yet.
    Made {
        is_dir: bool,
    },
    /// Names that change together.
    Names(Vec<Edit>),
    Write {
        file: Place,
        at: usize,
        bytes: Arc<[u8]>,
    },
    Length {
        file: Place,
        length: usize,
    },
    /// The time of modification, in nanoseconds since 1970.
    Modified {
        file: Place,
        time: i64,
    },
    /// What was changed of this before that many changes had been made is certain; with times or without.
    Sync {
        of: Place,
        begun: usize,
        with_times: bool,
    },
    /// By somebody else who has synced it already.
    Given(Box<Change>),
}

/// A file or directory of a [`Tree`].
#[derive(Debug, Clone)]
pub(crate) enum Node {
    Dir(BTreeMap<String, Place>),
    File { bytes: Arc<Vec<u8>>, modified: i64 },
}

/// Files and directories at some moment. Some may have no name.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self { nodes: vec![Node::Dir(BTreeMap::new())] }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn names(&self, dir: Place) -> &BTreeMap<String, Place> {
        match &self.nodes[dir] {
            Node::Dir(names) => names,
            Node::File { .. } => panic!("{dir} is no directory"),
        }
    }

    pub(crate) fn is_dir(&self, place: Place) -> bool {
        matches!(self.nodes[place], Node::Dir(_))
    }

    pub(crate) fn bytes(&self, file: Place) -> &[u8] {
        match &self.nodes[file] {
            Node::File { bytes, .. } => bytes,
            Node::Dir(_) => panic!("{file} is a directory"),
        }
    }

    /// What a path leads to.
    pub(crate) fn at(&self, path: &str) -> Option<Place> {
        path.split('/').filter(|name| !name.is_empty()).try_fold(ROOT, |dir, name| match &self.nodes[dir] {
            Node::Dir(names) => names.get(name).copied(),
            Node::File { .. } => None,
        })
    }

    /// The names in the directory of a path; none where it is missing.
    pub(crate) fn names_at(&self, path: &str) -> Vec<&str> {
        self.at(path).map_or_else(Vec::new, |dir| self.names(dir).keys().map(String::as_str).collect())
    }

    /// Every file that has a name, by its path.
    pub(crate) fn files(&self) -> Vec<(String, Place)> {
        let mut files = Vec::new();
        let mut dirs = vec![(String::new(), ROOT)];
        while let Some((path, dir)) = dirs.pop() {
            for (name, place) in self.names(dir) {
                let path = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
                if self.is_dir(*place) { dirs.push((path, *place)) } else { files.push((path, *place)) }
            }
        }
        files
    }

    fn file(&mut self, file: Place) -> (&mut Vec<u8>, &mut i64) {
        match &mut self.nodes[file] {
            Node::File { bytes, modified } => (Arc::make_mut(bytes), modified),
            Node::Dir(_) => panic!("{file} is a directory"),
        }
    }

    pub(crate) fn apply(&mut self, change: &Change) {
        match change {
            Change::Made { is_dir: true } => self.nodes.push(Node::Dir(BTreeMap::new())),
            Change::Made { is_dir: false } => {
                self.nodes.push(Node::File { bytes: Arc::default(), modified: 0 });
            }
            Change::Names(edits) => edits.iter().for_each(|edit| self.name(edit)),
            Change::Write { file, at, bytes } => self.write(*file, *at, bytes),
            Change::Length { file, length } => self.file(*file).0.resize(*length, 0),
            Change::Modified { file, time } => *self.file(*file).1 = *time,
            Change::Sync { .. } => {}
            Change::Given(change) => self.apply(change),
        }
    }

    fn name(&mut self, Edit { dir, name, to }: &Edit) {
        let Node::Dir(names) = &mut self.nodes[*dir] else { panic!("{dir} is no directory") };
        match to {
            Some(to) => names.insert(name.clone(), *to),
            None => names.remove(name),
        };
    }

    fn write(&mut self, file: Place, at: usize, new: &[u8]) {
        let bytes = self.file(file).0;
        let length = bytes.len().max(at + new.len());
        bytes.resize(length, 0);
        bytes[at..at + new.len()].copy_from_slice(new);
    }

    /// Makes files and directories of what lies below a directory.
    pub(crate) fn put_down(&self, dir: Place, at: &Path) {
        DirBuilder::new().recursive(true).mode(0o700).create(at).unwrap();
        for (name, place) in self.names(dir) {
            let path = at.join(name);
            match &self.nodes[*place] {
                Node::Dir(_) => self.put_down(*place, &path),
                Node::File { bytes, modified } => {
                    let mut file = File::create(&path).unwrap();
                    file.set_permissions(Permissions::from_mode(0o600)).unwrap();
                    file.write_all(bytes).unwrap();
                    let since = Duration::from_nanos((*modified).try_into().unwrap());
                    file.set_modified(SystemTime::UNIX_EPOCH + since).unwrap();
                }
            }
        }
    }

    /// Whether a directory on the real disk holds the same names and bytes; the first difference, if not.
    pub(crate) fn differs_from(&self, dir: Place, real: &Path) -> Option<String> {
        let files = fs::read_dir(real).unwrap();
        // A socket is no file, and gone with its process.
        let files =
            files.map(Result::unwrap).filter(|file| !file.file_name().to_string_lossy().ends_with(".sock"));
        let found: BTreeSet<String> = files.map(|file| file.file_name().into_string().unwrap()).collect();
        let known: BTreeSet<String> = self.names(dir).keys().cloned().collect();
        if found != known {
            return Some(format!("{}: there is {found:?}, recorded was {known:?}", real.display()));
        }
        self.names(dir).iter().find_map(|(name, place)| {
            let path = real.join(name);
            match &self.nodes[*place] {
                Node::Dir(_) => self.differs_from(*place, &path),
                Node::File { bytes, .. } => {
                    let same = fs::read(&path).unwrap() == **bytes;
                    (!same).then(|| format!("{} holds other bytes than recorded", path.display()))
                }
            }
        })
    }
}

/// Numbers drawn from a seed (SplitMix64).
#[derive(Debug, Clone)]
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of the numbers below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// What a power cut leaves of changes that were not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    Nothing,
    Everything,
    /// Those up to some moment; of bytes, the last in part.
    Begun,
    /// Any of them, so many in a hundred.
    Some(usize),
}

impl Left {
    fn drawn(draws: &mut Draws) -> Self {
        match draws.below(8) {
            0 | 1 => Self::Nothing,
            2 => Self::Everything,
            3 | 4 => Self::Begun,
            _ => Self::Some([10, 50, 90][draws.below(3)]),
        }
    }
}

/// A disk while changes come in: what is certain, and what isn't yet.
pub(crate) struct Disk<'a> {
    certain: Tree,
    /// With their numbers, in order.
    pending: Vec<(usize, &'a Change)>,
    /// Whose syncs it ignores.
    ignored: &'a dyn Fn(Place) -> bool,
}

impl<'a> Disk<'a> {
    pub(crate) fn new(ignored: &'a dyn Fn(Place) -> bool) -> Self {
        Self { certain: Tree::new(), pending: Vec::new(), ignored }
    }

    /// Takes in the `number`th change.
    pub(crate) fn take(&mut self, number: usize, change: &'a Change) {
        match change {
            Change::Made { .. } => self.certain.apply(change),
            Change::Given(given) => self.certain.apply(given),
            Change::Sync { of, begun, with_times } if !(self.ignored)(*of) => {
                self.sync(*of, *begun, *with_times);
            }
            Change::Sync { .. } => {}
            _ => self.pending.push((number, change)),
        }
    }

    fn sync(&mut self, of: Place, begun: usize, with_times: bool) {
        let is_meant = |(number, change): &(usize, &Change)| {
            *number < begun
                && match change {
                    Change::Write { file, .. } | Change::Length { file, .. } => *file == of,
                    Change::Modified { file, .. } => with_times && *file == of,
                    Change::Names(edits) => edits.iter().any(|edit| edit.dir == of),
                    _ => false,
                }
        };
        let mut synced: Vec<bool> = self.pending.iter().map(is_meant).collect();
        self.with_those_before(&mut synced);
        let mut synced = synced.into_iter();
        for (_, change) in self.pending.extract_if(.., |_| synced.next().unwrap()) {
            self.certain.apply(change);
        }
    }

    /// Of changes of the same name those before one that stays must stay too.
    fn with_those_before(&self, stays: &mut [bool]) {
        for later in (0..stays.len()).rev() {
            let (true, Change::Names(edits)) = (stays[later], self.pending[later].1) else { continue };
            for (stays, (_, earlier)) in stays[..later].iter_mut().zip(&self.pending) {
                if let Change::Names(before) = earlier {
                    *stays |= before.iter().any(|old| edits.iter().any(|new| new.is_of_same_name(old)));
                }
            }
        }
    }

    /// The disk after a power cut now.
    pub(crate) fn cut(&self, draws: &mut Draws) -> Tree {
        let mut tree = self.certain.clone();
        let stays = self.names_that_stay(draws);
        for ((_, change), _) in self.pending.iter().zip(stays).filter(|(_, stays)| *stays) {
            tree.apply(change);
        }
        let mut by_file: BTreeMap<Place, Vec<&Change>> = BTreeMap::new();
        for (_, change) in &self.pending {
            match change {
                Change::Write { file, .. } | Change::Length { file, .. } | Change::Modified { file, .. } => {
                    by_file.entry(*file).or_default().push(change);
                }
                _ => {}
            }
        }
        // All files alike, or each for itself.
        let common = draws.percent(60).then(|| Left::drawn(draws));
        for (file, changes) in by_file {
            let left = common.unwrap_or_else(|| Left::drawn(draws));
            tree.keep_of(file, &changes, left, draws);
        }
        tree
    }

    fn names_that_stay(&self, draws: &mut Draws) -> Vec<bool> {
        let left = Left::drawn(draws);
        let by_dir = draws.percent(50);
        let last = self.pending.last().map_or(0, |(number, _)| *number);
        let mut cuts: BTreeMap<Place, usize> = BTreeMap::new();
        let mut stays = Vec::new();
        for (number, change) in &self.pending {
            let Change::Names(edits) = change else {
                stays.push(false);
                continue;
            };
            let dir = if by_dir { edits[0].dir } else { ROOT };
            stays.push(match left {
                Left::Nothing => false,
                Left::Everything => true,
                Left::Begun => *number < *cuts.entry(dir).or_insert_with(|| draws.below(last + 2)),
                Left::Some(percent) => draws.percent(percent),
            });
        }
        self.with_those_before(&mut stays);
        stays
    }
}

impl Tree {
    /// Leaves some of what was changed of a file.
    fn keep_of(&mut self, file: Place, changes: &[&Change], left: Left, draws: &mut Draws) {
        match left {
            Left::Nothing => {}
            Left::Everything => changes.iter().for_each(|change| self.apply(change)),
            Left::Begun => {
                let whole = draws.below(changes.len() + 1);
                changes[..whole].iter().for_each(|change| self.apply(change));
                if let Some(Change::Write { at, bytes, .. }) = changes.get(whole) {
                    let sectors = sectors(*at, bytes.len());
                    let kept = draws.below(sectors.len() + 1);
                    sectors[..kept]
                        .iter()
                        .for_each(|(from, to)| self.write(file, at + from, &bytes[*from..*to]));
                }
            }
            Left::Some(percent) => {
                for change in changes {
                    match change {
                        Change::Write { at, bytes, .. } => {
                            for (from, to) in sectors(*at, bytes.len()) {
                                if draws.percent(percent) {
                                    self.write(file, at + from, &bytes[from..to]);
                                }
                            }
                        }
                        other if draws.percent(percent) => self.apply(other),
                        _ => {}
                    }
                }
            }
        }
        if left != Left::Everything && draws.percent(30) {
            self.lengthen(file, changes);
        }
    }

    /// Gives a file the length that it was to have, without the bytes.
    fn lengthen(&mut self, file: Place, changes: &[&Change]) {
        let length = changes.iter().fold(self.bytes(file).len(), |length, change| match change {
            Change::Write { at, bytes, .. } => length.max(at + bytes.len()),
            _ => length,
        });
        self.file(file).0.resize(length, 0);
    }
}

/// The parts of a write that reach the disk each for itself.
fn sectors(at: usize, length: usize) -> Vec<(usize, usize)> {
    let mut from = 0;
    let mut parts = Vec::new();
    while from < length {
        let to = ((at + from) / SECTOR * SECTOR + SECTOR - at).min(length);
        parts.push((from, to));
        from = to;
    }
    parts
}
