//! Fault points: places where a file, store or send call can fail, so that tests can cause a failure there.
//!
//! Code calls [`point`] before each step with an outside effect. Normally that reads one atomic and returns `Ok`. A test [`arm`]s a plan for its own
//! thread.
//!
//! ```
//! use musterd_disk::fault::{self, Plan};
//! let plan = fault::arm(Plan::crash_at(2));
//! assert!(fault::point("store.write").is_ok());
//! assert!(fault::point("store.sync").is_err());
//! assert!(fault::point("store.write").is_err(), "after a crash nothing succeeds");
//! drop(plan);
//! assert!(fault::point("store.write").is_ok());
//! ```

use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of plans armed in all threads. Zero is the fast path.
static ARMED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// A plan of which calls of [`point`] fail. Calls are counted from 1; only those count whose name starts with the plan's prefix.
#[derive(Debug, Clone)]
pub struct Plan {
    prefix: &'static str,
    first: u64,
    last: u64,
    kind: io::ErrorKind,
    passed: Vec<&'static str>,
}

impl Plan {
    /// A plan that fails no call; its guard tells which calls there are.
    pub fn observe() -> Self {
        Self { prefix: "", first: u64::MAX, last: u64::MAX, kind: io::ErrorKind::Other, passed: Vec::new() }
    }

    /// The `n`th call and all after it fail, as if the process had died just before the `n`th: no later step is carried out.
    pub fn crash_at(n: u64) -> Self {
        Self { first: n, ..Self::observe() }
    }

    /// The `n`th call alone fails with this error.
    pub fn fail_at(n: u64, kind: io::ErrorKind) -> Self {
        Self { first: n, last: n, kind, ..Self::observe() }
    }

    /// From the `n`th call on, every call fails as on a full disk.
    pub fn disk_full_from(n: u64) -> Self {
        Self { first: n, kind: io::ErrorKind::StorageFull, ..Self::observe() }
    }

    /// Only points whose name starts with this are counted and failed.
    pub fn only(self, prefix: &'static str) -> Self {
        Self { prefix, ..self }
    }

    fn pass(&mut self, name: &'static str) -> io::Result<()> {
        if !name.starts_with(self.prefix) {
            return Ok(());
        }
        self.passed.push(name);
        let n = u64::try_from(self.passed.len()).unwrap_or(u64::MAX);
        if (self.first..=self.last).contains(&n) {
            return Err(io::Error::new(self.kind, format!("injected fault at `{name}`, call {n}")));
        }
        Ok(())
    }
}

/// Keeps a plan armed in this thread until dropped.
#[must_use = "the plan is disarmed when this is dropped"]
#[derive(Debug)]
pub struct Armed {
    // Keeps the guard in its thread: the plan is thread-local.
    _thread: std::marker::PhantomData<*const ()>,
}

impl Armed {
    /// The names of the points passed so far, in order, failed ones included.
    pub fn passed(&self) -> Vec<&'static str> {
        PLAN.with_borrow(|plan| plan.as_ref().map(|p| p.passed.clone()).unwrap_or_default())
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        PLAN.set(None);
        ARMED.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Arms a plan for the calls of this thread, in place of an earlier one.
pub fn arm(plan: Plan) -> Armed {
    PLAN.set(Some(plan));
    ARMED.fetch_add(1, Ordering::Relaxed);
    Armed { _thread: std::marker::PhantomData }
}

/// A place where an outside effect may fail. Call it before the step it names, such as `spool.rename`.
///
/// # Errors
/// Only the errors that a test has planned.
#[inline]
pub fn point(name: &'static str) -> io::Result<()> {
    if ARMED.load(Ordering::Relaxed) == 0 { Ok(()) } else { planned(name) }
}

#[cold]
fn planned(name: &'static str) -> io::Result<()> {
    PLAN.with_borrow_mut(|plan| plan.as_mut().map_or(Ok(()), |plan| plan.pass(name)))
}
