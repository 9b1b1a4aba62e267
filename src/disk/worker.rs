//! Threads that are kept between jobs. Code that needs a job for each batch of mail would otherwise start a thousand threads in a few seconds, and
//! leave the heap fragmented by the stacks of those that ended.

use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

type Job = Box<dyn FnOnce() + Send>;

/// One thread that does jobs in the order in which they come. It starts with the first job. When the worker is dropped, the thread finishes the jobs
/// that it was given, and ends.
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
    /// A worker whose thread will have this name; the thread isn't started yet.
    pub const fn new(name: &'static str) -> Self {
        Self { name, thread: Mutex::new(None) }
    }

    /// Starts a job. Returns the channel that its result will come through; if the job panics, no result comes.
    ///
    /// # Errors
    /// No thread could be started; the job was not done.
    pub fn begin<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<Receiver<T>> {
        let (done, result) = channel();
        // The caller may no longer want the result.
        let job: Job = Box::new(move || drop(done.send(job())));
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let unbegun = match thread.as_ref() {
            Some(thread) => thread.jobs.send(job).err().map(|unsent| unsent.0),
            None => Some(job),
        };
        // There is no thread yet, or it ended in a panic.
        if let Some(job) = unbegun {
            let (jobs, waiting) = channel::<Job>();
            let work = move || waiting.into_iter().for_each(|job| job());
            let handle = Builder::new().name(self.name.to_owned()).spawn(work)?;
            // The new thread is waiting for jobs.
            drop(jobs.send(job));
            *thread = Some(Thread { jobs, handle });
        }
        Ok(result)
    }

    /// Continues the panic of a job that gave no result.
    ///
    /// # Panics
    /// With the panic of the job.
    pub fn resume_panic(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Thread { jobs, handle }) = thread {
            drop(jobs);
            handle.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    }

    /// Gives up a thread that may hang for ever; the next job starts another.
    pub fn abandon(&self) {
        drop(self.thread.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

impl Drop for Worker {
    /// Waits for the thread, so that whatever its jobs hold is free afterwards.
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Thread { jobs, handle }) = thread {
            drop(jobs);
            // The caller who waited for the job has seen its panic.
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
