//! What the simulator of power cuts takes for possible, and how it reads a recording.

use std::collections::BTreeSet;

use super::crash_disk::{Change, Disk, Draws, Edit, ROOT};
use super::crash_trace::read;

#[test]
fn a_call_that_others_interrupt_is_put_together_and_counts_from_its_beginning() {
    let trace = "7 1.000002 write(3, \"\\x61\\x0a\", 2) = 2\n\
                 8  1.000003 fsync(4 <unfinished ...>\n\
                 7 1.000004 writev(3, [{iov_base=\"\\x62\", iov_len=1}, {iov_base=\"\\x63\", iov_len=1}], 2) = 2\n\
                 8  1.000005 <... fsync resumed>)        = 0\n\
                 7 1.000006 mkdir(\"\\x2f\", 0700) = -1 EEXIST (File exists)\n\
                 7 1.000007 +++ exited with 0 +++\n";
    let calls = read(trace);
    let told: Vec<_> = calls.iter().map(|c| (c.name, c.result, c.begun)).collect();
    assert_eq!(told, [("write", 2, 0), ("writev", 2, 1), ("fsync", 0, 1), ("mkdir", -1, 3)]);
    assert_eq!((calls[0].bytes(1), calls[1].bytes(1)), (b"a\n".to_vec(), b"bc".to_vec()));
    assert_eq!((calls[2].number(0), calls[2].at), (4, 1_000_005_000));
}

/// A file `a` of 1,024 bytes in the root, written and not synced.
fn written() -> Vec<Change> {
    let name = Edit { dir: ROOT, name: "a".to_owned(), to: Some(1) };
    vec![
        Change::Made { is_dir: false },
        Change::Names(vec![name]),
        Change::Write { file: 1, at: 0, bytes: vec![7; 1024].into() },
    ]
}

fn states(changes: &[Change]) -> BTreeSet<Option<Vec<u8>>> {
    let mut disk = Disk::new(&|_| false);
    changes.iter().enumerate().for_each(|(n, change)| disk.take(n, change));
    let state = |seed| {
        let tree = disk.cut(&mut Draws::new(seed));
        tree.at("a").map(|file| tree.bytes(file).to_vec())
    };
    (0..400).map(state).collect()
}

#[test]
fn a_write_without_a_sync_is_lost_torn_and_reordered() {
    let found = states(&written());
    let both = |a: u8, b: u8| Some([[a; 512], [b; 512]].concat());
    let all = [None, Some(vec![]), Some(vec![7; 512]), both(7, 7), both(0, 7), both(7, 0), both(0, 0)];
    assert_eq!(found, all.into());
}

#[test]
fn a_synced_file_has_no_name_before_its_directory_is_synced() {
    let mut changes = written();
    changes.push(Change::Sync { of: 1, begun: 3, with_times: true });
    assert_eq!(states(&changes), [None, Some(vec![7; 1024])].into());
    changes.push(Change::Sync { of: ROOT, begun: 4, with_times: true });
    assert_eq!(states(&changes), [Some(vec![7; 1024])].into());
}

#[test]
fn a_sync_that_began_before_the_write_does_nothing_for_it() {
    let mut changes = written();
    changes.push(Change::Sync { of: ROOT, begun: 3, with_times: true });
    changes.push(Change::Sync { of: 1, begun: 2, with_times: true });
    assert!(states(&changes).contains(&Some(vec![])));
}

#[test]
fn a_rename_is_whole_and_synced_by_either_directory() {
    let mut changes = written();
    let edits = [("a", None), ("b", Some(1))].map(|(name, to)| Edit { dir: ROOT, name: name.to_owned(), to });
    changes.push(Change::Names(edits.into()));
    let mut disk = Disk::new(&|_| false);
    changes.iter().enumerate().for_each(|(n, change)| disk.take(n, change));
    let names = |seed| {
        let tree = disk.cut(&mut Draws::new(seed));
        tree.names_at("").join(" ")
    };
    let found: BTreeSet<String> = (0..200).map(names).collect();
    assert_eq!(found, ["", "a", "b"].map(str::to_owned).into());
}
