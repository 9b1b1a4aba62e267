//! Where the values of public beacons come from: files that somebody puts there, or a command of the operator's. This program has no
//! network code for it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::clock::Patience;
use musterd_dice::{BeaconValue, Word};

/// How long a command may take.
const LIMIT: Duration = Duration::from_secs(20);
/// How long the loop waits for a command; what takes longer is asked for again.
const MOMENT: Duration = Duration::from_secs(2);
/// More than this is read of no file and no command, in bytes.
const LARGEST: u64 = 4096;
/// What a command finds programs by: nothing else of the daemon's environment, which may hold passwords, is handed on.
const SEARCH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What a command wrote; or why that is nothing.
type Said = Result<Vec<u8>, String>;

/// Where values come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeaconSource {
    /// A directory with a file a round, `NAME.ROUND`.
    Files {
        /// Its path, from the data directory.
        path: PathBuf,
    },
    /// A command that is given name and round, and writes the value.
    Command {
        /// The program's path, from the data directory.
        program: PathBuf,
        /// What it is given before.
        arguments: Vec<String>,
    },
}

/// The source of a host, and the commands that it has under way.
pub(crate) struct Beacons {
    dir: PathBuf,
    source: Option<BeaconSource>,
    asked: BTreeMap<(Word, u64), Receiver<Said>>,
}

impl Beacons {
    /// Those of a data directory.
    pub(crate) fn new(dir: &Path, source: Option<BeaconSource>) -> Self {
        Self { dir: dir.to_owned(), source, asked: BTreeMap::new() }
    }

    /// Whether there is a source at all.
    pub(crate) const fn has_source(&self) -> bool {
        self.source.is_some()
    }

    /// What a beacon published in a round; or why that is not known yet, which may change.
    pub(crate) fn look(&mut self, name: &Word, round: u64) -> Result<BeaconValue, String> {
        let (said, whence) = match &self.source {
            None => return Err("`beacon` in musterd.yaml doesn't say where values come from".to_owned()),
            Some(BeaconSource::Files { path }) => {
                let path = self.dir.join(path).join(format!("{name}.{round}"));
                let said = read_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                (said, path.display().to_string())
            }
            Some(BeaconSource::Command { program, arguments }) => {
                let program = self.dir.join(program);
                let whence = program.display().to_string();
                let key = (name.clone(), round);
                let receiver = match self.asked.remove(&key) {
                    Some(receiver) => receiver,
                    None => {
                        let mut command = Command::new(&program);
                        command.args(arguments).args([name.to_string(), round.to_string()]);
                        ask(command.current_dir(&self.dir)).map_err(|error| format!("{whence}: {error}"))?
                    }
                };
                match receiver.recv_timeout(MOMENT) {
                    Ok(said) => (said.map_err(|why| format!("{whence}: {why}"))?, whence),
                    Err(RecvTimeoutError::Timeout) => {
                        self.asked.insert(key, receiver);
                        return Err(format!("{whence} is still at it"));
                    }
                    Err(RecvTimeoutError::Disconnected) => return Err(format!("{whence} said nothing")),
                }
            }
        };
        BeaconValue::published(&said).map_err(|error| format!("{whence}: {error}"))
    }
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read(File::open(path)?)
}

/// All that there is to read, if it isn't more than any value can have.
fn read(from: impl Read) -> io::Result<Vec<u8>> {
    let mut said = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut said)?;
    if said.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("more than {LARGEST} bytes, which is no beacon's value")));
    }
    Ok(said)
}

/// Runs a command on a thread of its own, which sends what it wrote.
fn ask(command: &mut Command) -> io::Result<Receiver<Said>> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    // A group of its own, so that whatever it starts ends with it.
    let child = command.env_clear().env("PATH", SEARCH).process_group(0).spawn()?;
    let (to_loop, receiver) = sync_channel(1);
    thread::Builder::new().name("beacon".to_owned()).spawn(move || {
        // Nobody listens any more where the daemon ends.
        let _ = to_loop.send(hear(child, LIMIT));
    })?;
    Ok(receiver)
}

/// What a command wrote before it ended well; it is killed when its time is over.
fn hear(mut child: Child, limit: Duration) -> Said {
    let patience = Patience::of(limit);
    let group = Pid::from_child(&child);
    let (sender, written) = channel();
    let output = child.stdout.take();
    // Something that it has left behind may hold its output open: this thread ends when that is killed.
    let reader = thread::Builder::new().name("beacon output".to_owned()).spawn(move || {
        let _ = sender.send(output.map_or_else(|| Ok(Vec::new()), read));
    });
    let written = reader.and_then(|_| {
        let said = written.recv_timeout(patience.left());
        said.map_err(|_| io::Error::from(io::ErrorKind::TimedOut)).flatten()
    });
    let ended = loop {
        match child.try_wait() {
            Ok(None) if !patience.left().is_zero() => thread::sleep(Duration::from_millis(10)),
            ended => break ended,
        }
    };
    // Gone already, where all is well.
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
    match (ended, written) {
        (Ok(Some(status)), Ok(said)) if status.success() => Ok(said),
        // What babbles ends badly, since nobody listens any more: that is not why it is of no use.
        (_, Err(error)) if error.kind() == io::ErrorKind::Other => Err(error.to_string()),
        (Ok(Some(status)), Ok(_)) => Err(format!("it failed ({status})")),
        (Err(error), _) | (_, Err(error)) if error.kind() != io::ErrorKind::TimedOut => {
            Err(error.to_string())
        }
        _ => Err(format!("it took longer than {} s, and was killed", limit.as_secs())),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const VALUE: &str = "00112233445566778899aabbccddeeff";

    fn shell(dir: &Path, script: &str) -> Beacons {
        let arguments = ["-c", script, "beacon"].map(str::to_owned).to_vec();
        let source = BeaconSource::Command { program: "/bin/sh".into(), arguments };
        Beacons::new(dir, Some(source))
    }

    fn name() -> Word {
        "drand-quicknet".parse().unwrap()
    }

    #[test]
    fn a_file_is_a_round() {
        let dir = tempfile::tempdir().unwrap();
        let mut beacons = Beacons::new(dir.path(), Some(BeaconSource::Files { path: "rounds".into() }));
        assert!(beacons.look(&name(), 7).unwrap_err().contains("rounds/drand-quicknet.7"));
        fs::create_dir(dir.path().join("rounds")).unwrap();
        let file = dir.path().join("rounds/drand-quicknet.7");
        fs::write(&file, "half a va").unwrap();
        assert!(beacons.look(&name(), 7).unwrap_err().contains("hex digits"));
        fs::write(&file, format!("{VALUE}\n")).unwrap();
        assert_eq!(beacons.look(&name(), 7), Ok(VALUE.parse().unwrap()));
        assert!(beacons.look(&name(), 8).is_err());
    }

    #[test]
    fn a_command_is_told_name_and_round_and_nothing_of_the_daemon() {
        let dir = tempfile::tempdir().unwrap();
        let script = format!(
            "test \"$1 $2\" = 'drand-quicknet 7' && test -z \"$HOME$CARGO$USER\" && test \"$PWD\" -ef '{}' && ! read line && echo {VALUE}",
            dir.path().display()
        );
        assert_eq!(shell(dir.path(), &script).look(&name(), 7), Ok(VALUE.parse().unwrap()));
        let refused = shell(dir.path(), &script).look(&name(), 8).unwrap_err();
        assert!(refused.contains("it failed"), "{refused}");
    }

    #[test]
    fn a_command_that_fails_or_babbles_gives_no_value() {
        let dir = tempfile::tempdir().unwrap();
        let failed = format!("echo {VALUE}; exit 3");
        for (script, why) in [
            ("echo no such round", "hex digits"),
            (failed.as_str(), "it failed"),
            ("yes ab | tr -d '\\n'", "more than 4096 bytes"),
        ] {
            let said = shell(dir.path(), script).look(&name(), 7).unwrap_err();
            assert!(said.contains(why), "{script}: {said}");
        }
        let source = BeaconSource::Command { program: "no/such/program".into(), arguments: Vec::new() };
        let said = Beacons::new(dir.path(), Some(source)).look(&name(), 7).unwrap_err();
        assert!(said.contains("no/such/program"), "{said}");
    }

    #[test]
    fn a_command_that_doesnt_end_is_killed_with_all_that_it_has_started() {
        let dir = tempfile::tempdir().unwrap();
        let script = "(sleep 1000 & echo $! > child; wait) & echo $$ > parent; wait";
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).current_dir(dir.path()).process_group(0).stdout(Stdio::piped());
        let child = command.spawn().unwrap();
        let child_is_known = || fs::read_to_string(dir.path().join("child")).is_ok_and(|pid| !pid.is_empty());
        while !child_is_known() {
            thread::sleep(Duration::from_millis(5));
        }
        let said = hear(child, Duration::from_millis(50)).unwrap_err();
        assert!(said.contains("was killed"), "{said}");
        for file in ["parent", "child"] {
            let pid = fs::read_to_string(dir.path().join(file)).unwrap();
            let runs = || match fs::read_to_string(format!("/proc/{}/stat", pid.trim())) {
                Ok(stat) => !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'),
                Err(_) => false,
            };
            // The kernel may need a moment.
            for _ in 0..400 {
                if !runs() {
                    break;
                }
                thread::sleep(Duration::from_millis(5));
            }
            assert!(!runs(), "{file} {pid}");
        }
    }
}
