//! Threads that live on between jobs. What does a job for each batch of mail would otherwise begin a thousand threads in a few seconds,
//! and leave the heap full of the holes of those that ended.

use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

type Job = Box<dyn FnOnce() + Send>;

/// One thread that does jobs in the order in which they come. It is started by the first of them, and ends when this is dropped, with
/// what it has been given.
#[derive(Debug)]
pub struct Worker {
    name: &'static str,
    thread: Mutex<Option<Thread>>,
}

#[derive(Debug)]
struct Thread {
    jobs: Sender<Job>,
    handle: JoinHandle<()>,
}

impl Worker {
    /// A worker with this name for its thread, which doesn't run yet.
    pub const fn new(name: &'static str) -> Self {
        Self { name, thread: Mutex::new(None) }
    }

    /// Has a job done, and gives where its result will come; nothing comes where the job panics.
    ///
    /// # Errors
    /// There can be no thread for it: nothing was done.
    pub fn begin<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<Receiver<T>> {
        let (done, result) = channel();
        // Who asked may not want to know any more.
        let job: Job = Box::new(move || drop(done.send(job())));
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let unbegun = match thread.as_ref() {
            Some(thread) => thread.jobs.send(job).err().map(|unsent| unsent.0),
            None => Some(job),
        };
        // None yet, or it ended in a panic.
        if let Some(job) = unbegun {
            let (jobs, waiting) = channel::<Job>();
            let work = move || waiting.into_iter().for_each(|job| job());
            let handle = Builder::new().name(self.name.to_owned()).spawn(work)?;
            // The thread has just begun to listen.
            drop(jobs.send(job));
            *thread = Some(Thread { jobs, handle });
        }
        Ok(result)
    }

    /// Goes on with the panic of a job whose result did not come.
    ///
    /// # Panics
    /// As the job did.
    pub fn resume_panic(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Thread { jobs, handle }) = thread {
            drop(jobs);
            handle.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    }

    /// Leaves a thread to itself that may hang for ever; the next job starts another.
    pub fn abandon(&self) {
        drop(self.thread.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl Drop for Worker {
    /// What a job holds must be free for whoever comes next.
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Thread { jobs, handle }) = thread {
            drop(jobs);
            // Who waited for the job knows of its panic.
            drop(handle.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn jobs_are_done_in_order_by_one_thread() {
        let worker = Worker::new("worker");
        let mut done: Vec<_> =
            (0..3).map(|n| worker.begin(move || (n, thread::current().id())).unwrap()).collect();
        let done: Vec<_> = done.drain(..).map(|result| result.recv().unwrap()).collect();
        assert_eq!(done.iter().map(|(n, _)| *n).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(done.iter().all(|(_, thread)| *thread == done[0].1));
    }

    #[test]
    fn what_a_job_holds_is_free_once_its_worker_is_gone() {
        let (worker, held) = (Worker::new("worker"), Arc::new(()));
        let holder = Arc::clone(&held);
        drop(worker.begin(move || drop(holder)).unwrap());
        drop(worker);
        assert_eq!(Arc::strong_count(&held), 1);
    }

    #[test]
    fn a_panic_is_gone_on_with_and_the_next_job_is_done() {
        let worker = Worker::new("worker");
        let result = worker.begin(|| panic!("a job that can't be done")).unwrap();
        assert!(result.recv().is_err());
        let panic = catch_unwind(AssertUnwindSafe(|| worker.resume_panic())).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a job that can't be done"));
        assert_eq!(worker.begin(|| 7).unwrap().recv(), Ok(7));
    }
}
