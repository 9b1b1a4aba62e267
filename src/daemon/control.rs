//! The control socket: other commands talk to the running daemon over it, and take its place while none runs.
//! One JSON line asks, one JSON line answers.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::FaultKind;
use crate::HostError;
use crate::Reply;
use crate::Request;

/// The largest request: an order file and a little more.
const LARGEST: u64 = 4 * 1024 * 1024;
/// After so long a command that the daemon hasn't begun is given up.
const BEGUN_WITHIN: Duration = Duration::from_secs(110);
/// How long one is waited for that it has begun.
const DONE_WITHIN: Duration = Duration::from_secs(120);
/// How long a caller waits: until the daemon has said what became of the command, whatever that is.
const PATIENCE: Duration = Duration::from_secs(240);
/// Callers at once; each has a thread, and the service may have 64 tasks in all.
const CALLERS: usize = 24;
/// What anybody beyond these is told.
const CROWDED: &str = "too many commands are asked of the daemon at once: nothing was done; try again";
const _: () = assert!(PATIENCE.as_secs() > BEGUN_WITHIN.as_secs() + DONE_WITHIN.as_secs());
/// What is said of a command that may have been carried out.
const LOOK: &str =
    "it may have been carried out: see with `musterd status` and `musterd journal GAME` before you repeat it";

/// Where the socket lies.
pub fn path(dir: &Path) -> PathBuf {
    dir.join("control.sock")
}

/// The daemon's answer: a reply, or an error with its exit status.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Done(Box<Reply>),
    Failed {
        exit: u8,
        error: String,
        #[serde(default)]
        kind: FaultKind,
    },
}

impl Answer {
    /// That a command came to nothing for want of the machine.
    fn failed(kind: FaultKind, error: &str) -> Self {
        Self::Failed { exit: 3, error: error.to_owned(), kind }
    }
}

/// A command from the socket, and where its answer goes.
pub struct Call {
    /// The command.
    pub request: Request,
    answer: Sender<Answer>,
    /// Who asks.
    caller: Arc<UnixStream>,
    /// Whether it is being carried out, or was given up.
    taken: Arc<AtomicBool>,
}

impl Call {
    /// Whether it is to be carried out now: not if whoever asked has been told that nothing was done, or waits no longer and may ask
    /// again.
    pub(crate) fn take_up(&self) -> bool {
        if self.taken.swap(true, Ordering::AcqRel) {
            return false;
        }
        let waits = is_there(&self.caller);
        if !waits {
            tracing::info!("a command was not carried out: whoever asked had gone before it was begun");
        }
        waits
    }

    /// It was not carried out after all, and is to be later.
    pub(crate) fn put_back(&self) {
        self.taken.store(false, Ordering::Release);
    }

    /// Answers it.
    pub fn answer(self, outcome: Result<Reply, HostError>) {
        match outcome {
            // The caller may have gone; the command is carried out all the same.
            Ok(reply) => _ = self.answer.send(Answer::Done(Box::new(reply))),
            Err(error) => self.refuse(&error),
        }
    }

    /// Answers that it was not carried out, and why.
    pub(crate) fn refuse(self, error: &HostError) {
        let (exit, kind) = (error.exit(), error.kind());
        let _ = self.answer.send(Answer::Failed { exit, error: error.to_string(), kind });
    }
}

/// Whether the other end of a connection is open still. It has said all that it has to say.
fn is_there(caller: &UnixStream) -> bool {
    let mut more = [0];
    let mut from = caller;
    // Nobody else reads or writes meanwhile: the answer comes after the command.
    let heard = caller.set_nonblocking(true).and_then(|()| from.read(&mut more));
    let _ = caller.set_nonblocking(false);
    heard.map_or_else(|error| error.kind() == io::ErrorKind::WouldBlock, |bytes| bytes > 0)
}

/// That no daemon runs here, and what to do.
pub fn no_daemon(dir: &Path) -> HostError {
    HostError::NoDaemon { socket: path(dir), dir: dir.to_owned() }
}

/// Whether a daemon listens here.
pub fn daemon_runs(dir: &Path) -> bool {
    UnixStream::connect(path(dir)).is_ok()
}

/// Asks the running daemon; `None` if none runs.
///
/// # Errors
/// [`HostError::Told`]: the daemon did not carry it out. [`HostError::NoAnswer`]: it runs, but doesn't answer.
pub fn ask(dir: &Path, request: &Request) -> Result<Option<Reply>, HostError> {
    ask_within(dir, request, PATIENCE)
}

/// Asks the running daemon, and waits no longer than this for its answer; `None` if none runs.
///
/// # Errors
/// [`HostError::Told`]: the daemon did not carry it out. [`HostError::NoAnswer`]: it runs, but doesn't answer.
pub fn ask_within(dir: &Path, request: &Request, patience: Duration) -> Result<Option<Reply>, HostError> {
    let path = path(dir);
    let no_answer = |error| HostError::NoAnswer { path: path.clone(), error };
    let mut stream = match UnixStream::connect(&path) {
        Ok(stream) => stream,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(e) => return Err(no_answer(e)),
    };
    let mut talk = || -> io::Result<Answer> {
        stream.set_read_timeout(Some(patience))?;
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        match stream.write_all(&line) {
            // It has answered before it was asked: it has no time.
            Err(e) if matches!(e.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset) => {}
            written => written?,
        }
        let mut answer = String::new();
        match BufReader::new(&stream).read_line(&mut answer)? {
            0 => Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the daemon ended before it answered: see its log",
            )),
            _ => Ok(serde_json::from_str(&answer)?),
        }
    };
    match talk().map_err(|e| no_answer(silence(&e, patience, request)))? {
        Answer::Done(reply) => Ok(Some(*reply)),
        Answer::Failed { exit, error, kind } => Err(HostError::Told { kind, exit, message: error }),
    }
}

/// A daemon's silence in words.
fn silence(error: &io::Error, patience: Duration, request: &Request) -> io::Error {
    let mut told = match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!(
                "the daemon gave no answer within {} s: it is busy or stuck, see its log",
                patience.as_secs()
            )
        }
        _ => error.to_string(),
    };
    if request.changes().is_some() {
        told.push_str(&format!("; {LOOK}"));
    }
    io::Error::new(error.kind(), told)
}

/// The listening socket; removed when dropped, and its thread with it.
pub struct Socket {
    path: PathBuf,
    /// The file, so that another daemon's is told from it.
    inode: u64,
    closed: Arc<AtomicBool>,
    /// The same socket once more, by which the thread is woken.
    waker: UnixStream,
    listening: Option<JoinHandle<()>>,
}

impl Socket {
    /// Whether the file is still there and this one's.
    pub fn stands(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|meta| meta.ino() == self.inode)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::SeqCst);
        // The thread waits for a caller, who may find no way to it any more.
        let woken = self.waker.shutdown(Shutdown::Both).is_ok();
        if let Some(listening) = self.listening.take().filter(|_| woken) {
            let _ = listening.join();
        }
        // Another's, or one that is gone already, is none of ours.
        if self.stands() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Listens for commands and hands each to `take`. Whoever calls holds the store, so a socket left behind is nobody's.
///
/// # Errors
/// When the socket can't be made.
pub fn listen(dir: &Path, take: impl Fn(Call) + Send + Sync + Clone + 'static) -> Result<Socket, HostError> {
    let path = path(dir);
    let bind = || -> io::Result<UnixListener> {
        match fs::remove_file(&path) {
            Err(_) if path.is_dir() => {
                let reason = "the control socket belongs here, and this is a directory: move it away";
                return Err(io::Error::new(io::ErrorKind::IsADirectory, reason));
            }
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        Ok(listener)
    };
    let listener = bind().map_err(|e| HostError::io(&path, e))?;
    let inode = fs::symlink_metadata(&path).map_err(|e| HostError::io(&path, e))?.ino();
    let waker = listener.try_clone().map_err(|e| HostError::io(&path, e))?;
    // What can be shut down is called a stream; the socket is the same.
    let waker = UnixStream::from(OwnedFd::from(waker));
    let closed = Arc::new(AtomicBool::new(false));
    let seen_closed = Arc::clone(&closed);
    let callers = Arc::new(());
    let receive = move || {
        for stream in listener.incoming() {
            if seen_closed.load(Ordering::SeqCst) {
                return;
            }
            match stream {
                Ok(stream) => {
                    let (stream, take, caller) = (Arc::new(stream), take.clone(), Arc::clone(&callers));
                    let called = Arc::clone(&stream);
                    let talk = move || {
                        serve(&called, &take);
                        drop(caller);
                    };
                    // The one of the listener's own is no caller's.
                    let is_crowded = Arc::strong_count(&callers) > CALLERS + 1;
                    if is_crowded || thread::Builder::new().name("caller".to_owned()).spawn(talk).is_err() {
                        let _ = send(&stream, &Answer::failed(FaultKind::Busy, CROWDED));
                    }
                }
                // Too many open files, say: they are let go of by others.
                Err(_) => thread::sleep(Duration::from_millis(100)),
            }
        }
    };
    let listening = thread::Builder::new().name("control".to_owned()).spawn(receive);
    let listening = listening.map_err(|e| HostError::io(&path, e))?;
    Ok(Socket { path, inode, closed, waker, listening: Some(listening) })
}

fn send(to: &UnixStream, answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    let mut to = to;
    to.write_all(&line)
}

fn serve(stream: &Arc<UnixStream>, take: &impl Fn(Call)) {
    let talk = || -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        let mut line = String::new();
        BufReader::new((&**stream).take(LARGEST)).read_line(&mut line)?;
        let answer = match serde_json::from_str(&line) {
            Ok(request) => {
                let looks = Request::changes(&request).is_some();
                let (answer, answered) = channel();
                let taken = Arc::new(AtomicBool::new(false));
                take(Call { request, answer, caller: Arc::clone(stream), taken: Arc::clone(&taken) });
                match answered.recv_timeout(BEGUN_WITHIN) {
                    Ok(answer) => answer,
                    Err(_) if !taken.swap(true, Ordering::AcqRel) => {
                        let busy = "the daemon is stopping or busy: nothing was done; try again";
                        Answer::failed(FaultKind::Busy, busy)
                    }
                    Err(_) => answered.recv_timeout(DONE_WITHIN).unwrap_or_else(|_| {
                        let look = if looks { LOOK } else { "see its log" };
                        let told = format!("the daemon is at this command or has stopped over it; {look}");
                        Answer::failed(FaultKind::Daemon, &told)
                    }),
                }
            }
            Err(e) => Answer::Failed {
                exit: 2,
                error: format!("not a command of this daemon's version: {e}"),
                kind: FaultKind::Daemon,
            },
        };
        send(stream, &answer)
    };
    if let Err(error) = talk() {
        tracing::debug!(%error, "a command broke off");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_hears_nothing_of_a_change_is_told_to_look_before_repeating_it() {
        let said = |asked: Result<Option<Reply>, HostError>| asked.unwrap_err().to_string();
        let gm = || Request::Gm { game: "alpha".parse().unwrap(), text: "PAUSE".to_owned(), yes: true };
        let looks = |told: &str| told.contains("before you repeat it") && told.contains("musterd status");
        // One that never answers, and one that ends over it.
        for keeps in [true, false] {
            let dir = tempfile::tempdir().unwrap();
            let kept = std::sync::Mutex::new(Vec::new());
            let kept = Arc::new(kept);
            let shelf = Arc::clone(&kept);
            let _socket = listen(dir.path(), move |call: Call| {
                assert!(call.take_up());
                shelf.lock().unwrap().extend(keeps.then_some(call));
            })
            .unwrap();
            let ask = |request| ask_within(dir.path(), &request, Duration::from_millis(200));
            let told = said(ask(gm()));
            assert!(looks(&told), "{told}");
            assert!(!looks(&said(ask(Request::Vitals))), "there is nothing to repeat");
        }
    }

    #[test]
    fn a_command_whose_caller_has_gone_is_not_begun() {
        let dir = tempfile::tempdir().unwrap();
        let (calls, called) = channel();
        let _socket = listen(dir.path(), move |call| drop(calls.send(call))).unwrap();
        let call = || {
            let mut caller = UnixStream::connect(path(dir.path())).unwrap();
            let mut line = serde_json::to_vec(&Request::Vitals).unwrap();
            line.push(b'\n');
            caller.write_all(&line).unwrap();
            (caller, called.recv_timeout(Duration::from_secs(30)).unwrap())
        };
        let (gone, of_gone) = call();
        let (mut waits, of_waiting) = call();
        // Not only dropped: a process that another test is just starting may hold a copy.
        gone.shutdown(Shutdown::Both).unwrap();
        assert!(!of_gone.take_up());
        assert!(of_waiting.take_up() && !of_waiting.take_up(), "once");
        of_waiting.answer(Err(HostError::usage("no vitals here")));
        let mut answer = String::new();
        waits.read_to_string(&mut answer).unwrap();
        assert!(answer.contains("no vitals here"), "{answer}");
    }

    #[test]
    fn more_callers_than_there_is_room_for_are_told_and_the_others_served() {
        let dir = tempfile::tempdir().unwrap();
        let refuse = |call: Call| call.answer(Err(HostError::usage("served")));
        let _socket = listen(dir.path(), refuse).unwrap();
        let ask = || match ask_within(dir.path(), &Request::Vitals, Duration::from_secs(5)) {
            Err(HostError::Told { message, .. }) => message,
            other => panic!("{other:?}"),
        };
        let silent: Vec<_> = (0..CALLERS).map(|_| UnixStream::connect(path(dir.path())).unwrap()).collect();
        assert_eq!(ask(), CROWDED);
        drop(silent);
        let served = (0..200).any(|_| {
            thread::sleep(Duration::from_millis(20));
            ask() == "served"
        });
        assert!(served);
    }

    #[test]
    fn a_socket_that_is_dropped_leaves_no_thread_behind() {
        let dir = tempfile::tempdir().unwrap();
        let held_by_the_thread = Arc::new(());
        for _ in 0..3 {
            let held = Arc::clone(&held_by_the_thread);
            let socket = listen(dir.path(), move |_| drop(Arc::clone(&held))).unwrap();
            assert_eq!(fs::metadata(path(dir.path())).unwrap().permissions().mode() & 0o777, 0o600);
            drop(socket);
            assert_eq!(Arc::strong_count(&held_by_the_thread), 1);
            assert!(!path(dir.path()).exists());
        }
        // Nor one whose file somebody has removed.
        let held = Arc::clone(&held_by_the_thread);
        let socket = listen(dir.path(), move |_| drop(Arc::clone(&held))).unwrap();
        fs::remove_file(path(dir.path())).unwrap();
        assert!(!socket.stands());
        drop(socket);
        assert_eq!(Arc::strong_count(&held_by_the_thread), 1);
    }
}
