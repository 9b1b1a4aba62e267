//! The store on a real file system that loses power, and on one that is full.
//!
//! A file system in a file is mounted, a child process commits steps and says which are acknowledged, and the file
//! system is shut down under it without its journal being flushed: what was only in memory is gone, as when the power fails.
//! This needs root, loop devices and python3; elsewhere the tests say that they were skipped.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::RwLockWriteGuard;

use musterd::store::{Attempt, Ledger as _, Packet, Records as _, Step, Store, StoreError};

use crate::namespaces::mounts_alone;
use crate::skips::skipped;
use crate::store::{game, note, packet, step};

/// Names the data directory to the child; without it the child has nothing to do.
const CHILD_DIR: &str = "MUSTERD_TEST_POWERCUT";
const ROUNDS: u64 = 20;

/// Waits for a line, then asks the file system for `FS_IOC_SHUTDOWN` without flushing its log (`NOLOGFLUSH`, 2).
const CUT: &str = "import fcntl, os, struct, sys
fs = os.open(sys.argv[1], os.O_RDONLY)
print('ready', flush=True)
sys.stdin.readline()
fcntl.ioctl(fs, 0x8004587d, struct.pack('I', 2))
";

/// A mounted file system in a file or in memory, unmounted when dropped.
struct Disk {
    image: PathBuf,
    mount: PathBuf,
    _dir: tempfile::TempDir,
    _alone: RwLockWriteGuard<'static, ()>,
}

impl Disk {
    /// Makes and mounts an ext4 of so many MiB; or says why that can't be done here.
    fn new(mebibytes: u64) -> Result<Self, String> {
        let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
        let (image, mount) = (dir.path().join("image"), dir.path().join("mount"));
        let disk = Self { image, mount, _dir: dir, _alone: mounts_alone() };
        fs::create_dir(&disk.mount).map_err(|e| e.to_string())?;
        let image = fs::File::create(&disk.image).and_then(|image| image.set_len(mebibytes << 20));
        image.map_err(|e| e.to_string())?;
        tool(Command::new("mkfs.ext4").arg("-q").arg("-F").arg(&disk.image))?;
        disk.mount()?;
        Ok(disk)
    }

    /// Mounts so many MiB of memory, which are full to the byte when they are full; or says why that can't be done here.
    fn in_memory(mebibytes: u64) -> Result<Self, String> {
        let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
        let mount = dir.path().join("mount");
        let disk = Self { image: PathBuf::new(), mount, _dir: dir, _alone: mounts_alone() };
        fs::create_dir(&disk.mount).map_err(|e| e.to_string())?;
        let size = format!("size={mebibytes}m");
        tool(Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&disk.mount))?;
        Ok(disk)
    }

    fn mount(&self) -> Result<(), String> {
        tool(Command::new("mount").args(["-o", "loop"]).arg(&self.image).arg(&self.mount))
    }

    fn unmount(&self) -> Result<(), String> {
        tool(Command::new("umount").arg(&self.mount))
    }

    fn data(&self) -> PathBuf {
        self.mount.join("data")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Already unmounted where a test failed in between.
        let _ = self.unmount();
    }
}

/// Runs a program; the error is what it said.
fn tool(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{program}: {e}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("{program}: {}", said.trim())) }
}

/// The `n`th step of the child: every fifth carries mails too large for one page.
fn nth(n: u64) -> Step {
    let mut step = step("alpha", n);
    if n.is_multiple_of(5) {
        let raw = "The Emperor rides at dawn.\r\n".repeat(1 + usize::try_from(n % 90).unwrap() * 100);
        step.packets.push(Packet { raw, ..packet(&format!("alpha/{n}/french/dispatch"), &["a@x.example"]) });
    }
    step
}

/// Not a test: what the child process does. It commits steps for as long as the disk lets it.
#[test]
#[ignore = "not a test: run by the power-cut test in a process of its own"]
fn child() {
    let Some(dir) = std::env::var_os(CHILD_DIR) else { return };
    let mut out = std::io::stdout();
    let mut say = |line: String| writeln!(out, "{line}").and_then(|()| out.flush()).unwrap();
    if let Err(error) = play(Path::new(&dir), &mut say) {
        say(format!("failed {error}"));
    }
}

/// Commits step after step and tells of one mail in each that it was sent.
fn play(dir: &Path, say: &mut impl FnMut(String)) -> Result<(), StoreError> {
    let (store, _) = Store::open(dir)?;
    let first = store.position(&game("alpha"))?;
    for n in first..first + 10_000 {
        let due = store.due(1000, 1)?;
        let sent = due.iter().map(|o| o.tried(Attempt::Sent { at: 1000, reply: "250".into() }));
        store.record(&sent.collect::<Vec<_>>())?;
        due.iter().for_each(|o| say(format!("sent {} {}", o.packet.id, o.recipient)));
        store.commit(&[nth(n)])?;
        say(format!("ack {n}"));
    }
    Ok(())
}

fn spawn_child(data: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["powercut::child", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    child.env(CHILD_DIR, data).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn nothing_acknowledged_is_lost_when_the_power_fails() {
    let disk = match Disk::new(192) {
        Ok(disk) => disk,
        Err(why) => return skipped(&why),
    };
    let mut acknowledged = 0;
    let mut sent = Vec::new();
    for round in 0..ROUNDS {
        let mut cutter = Command::new("python3");
        cutter.args(["-c", CUT]).arg(&disk.mount);
        cutter.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut cutter = match cutter.spawn() {
            Ok(cutter) => cutter,
            Err(why) => return skipped(&format!("python3: {why}")),
        };
        let mut ready = String::new();
        BufReader::new(cutter.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        assert_eq!(ready, "ready\n");

        let mut child = spawn_child(&disk.data());
        let said = BufReader::new(child.stdout.take().unwrap());
        let (mut acks, mut last) = (0, String::new());
        for line in said.lines().map(Result::unwrap) {
            if let Some(n) = line.strip_prefix("ack ") {
                acknowledged = n.parse::<u64>().unwrap() + 1;
                acks += 1;
                // At another place in every round; the child doesn't wait for the cut.
                if acks == 1 + round * 7 % 40 {
                    cutter.stdin.take().unwrap().write_all(b"now\n").unwrap();
                }
            } else if let Some(line) = line.strip_prefix("sent ") {
                sent.push(line.to_owned());
            } else if let Some(failed) = line.strip_prefix("failed ") {
                last = failed.to_owned();
            }
        }
        let child = child.wait_with_output().unwrap();
        let died = String::from_utf8_lossy(&child.stderr);
        let cut = cutter.wait_with_output().unwrap();
        if !cut.status.success() {
            return skipped(String::from_utf8_lossy(&cut.stderr).lines().last().unwrap_or("no shutdown"));
        }
        assert!(
            last.contains("nothing was acknowledged"),
            "round {round}: the child ended with `{last}` {died}"
        );
        disk.unmount().unwrap();
        disk.mount().unwrap();

        let (store, recovery) = Store::open(&disk.data()).unwrap();
        let rebuilt = recovery.notes.iter().any(|note| note.contains("rebuilt"));
        assert!(!rebuilt, "round {round}: the database itself must survive: {recovery:?}");
        let held = store.position(&game("alpha")).unwrap();
        assert!(held == acknowledged || held == acknowledged + 1, "round {round}: {held} of {acknowledged}");
        let entries = store.entries(&game("alpha")).unwrap();
        for n in 0..held {
            let step = nth(n);
            assert_eq!(entries[usize::try_from(n).unwrap()], step.entries[0]);
            assert!(store.seen(&step.seen[0]).unwrap() && store.handled(&step.handled[0]).unwrap());
            for packet in step.packets {
                assert_eq!(store.packet(&packet.id).unwrap(), Some(packet));
            }
        }
        let ledger = store.ledger(Some(&game("alpha"))).unwrap();
        let settled: Vec<_> = ledger.iter().filter(|l| l.next.is_none()).collect();
        for mail in &sent {
            let known = settled.iter().any(|l| format!("{} {}", l.packet, l.recipient) == *mail);
            assert!(known, "round {round}: `{mail}` would be sent again");
        }
    }
    assert!(acknowledged > ROUNDS && !sent.is_empty());
}

#[test]
fn a_full_disk_loses_nothing_and_the_store_goes_on_when_there_is_room() {
    let disk = match Disk::new(16) {
        Ok(disk) => disk,
        Err(why) => return skipped(&why),
    };
    let ballast = disk.mount.join("ballast");
    fs::write(&ballast, vec![7; 4 << 20]).unwrap();
    let (store, _) = Store::open(&disk.data()).unwrap();
    let full_step = |n| {
        let raw = "Rain.\r\n".repeat(20_000);
        let packets = vec![Packet { raw, ..packet(&format!("alpha/{n}/x"), &["a@x.example"]) }];
        Step {
            game: Some(game("alpha")),
            position: n,
            entries: vec![note("rain")],
            packets,
            ..Step::default()
        }
    };
    let (acknowledged, error) =
        (0..500).find_map(|n| store.commit(&[full_step(n)]).err().map(|e| (n, e))).unwrap();
    assert!(error.to_string().starts_with("the disk is full"), "{error}");
    assert!(acknowledged > 0);
    drop(store);
    // While it is full the store may be refused, in the same words, or open; it is never rebuilt wrong.
    match Store::open(&disk.data()) {
        Ok((store, _)) => assert!(store.position(&game("alpha")).unwrap() >= acknowledged),
        Err(error) => assert!(matches!(error, StoreError::Disk { .. }), "{error:?}"),
    }
    fs::remove_file(&ballast).unwrap();
    let (store, _) = Store::open(&disk.data()).unwrap();
    let held = store.position(&game("alpha")).unwrap();
    assert!(held == acknowledged || held == acknowledged + 1, "{held} of {acknowledged}");
    store.commit(&[full_step(held)]).unwrap();
    drop(store);
    let (store, recovery) = Store::open(&disk.data()).unwrap();
    assert_eq!((store.position(&game("alpha")).unwrap(), recovery.notes), (held + 1, vec![]));
}

#[test]
fn a_disk_that_is_full_when_the_store_is_opened_condemns_nothing() {
    let disk = match Disk::in_memory(4) {
        Ok(disk) => disk,
        Err(why) => return skipped(&why),
    };
    let (store, _) = Store::open(&disk.data()).unwrap();
    (0..3).for_each(|n| store.commit(&[step("alpha", n)]).unwrap());
    drop(store);
    let ballast = disk.mount.join("ballast");
    let mut file = fs::File::create(&ballast).unwrap();
    while file.write(&[7; 4096]).is_ok_and(|written| written > 0) {}
    for start in 1..=3 {
        let error = Store::open(&disk.data()).unwrap_err();
        assert!(error.to_string().starts_with("the disk is full"), "start {start}: {error}");
    }
    fs::remove_file(&ballast).unwrap();
    drop(file);
    let (store, recovery) = Store::open(&disk.data()).unwrap();
    assert_eq!((store.position(&game("alpha")).unwrap(), recovery.notes), (3, vec![]));
    assert!(!disk.data().join("store.damaged-1").exists());
}
