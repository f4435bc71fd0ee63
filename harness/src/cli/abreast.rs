//! Several experiments at once, each on all threads, with results in the order of the experiments.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::scope;

use anyhow::Result;

use crate::definition::Experiment;
use crate::memory;
use crate::plan::{bytes_of_points, key_kinds};
use crate::threads::pool;

/// What an experiment holds while it is planned, or while its results are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Bytes of its points and of what is built beside them, about.
    bytes: u64,
    /// Whether it loads a trace, of whose size nothing is known.
    has_trace: bool,
}

impl Load {
    /// That of an experiment.
    pub(super) fn of(experiment: &Experiment) -> Self {
        let has_trace = !key_kinds(experiment).is_empty();
        Self { bytes: bytes_of_points(experiment.points.len()), has_trace }
    }

    /// The same while so many bytes are taken beside it.
    pub(super) fn beside(self, bytes: u64) -> Self {
        Self { bytes: self.bytes.saturating_add(bytes), ..self }
    }
}

/// Calls `work` for each load by its index, and `take` with the results in order. At once are as many as there are threads
/// and as fit into half of the memory that is available, no two of them with a trace; one alone may be larger.
///
/// # Errors
/// Where the threads cannot be started, or `take` fails; of the rest nothing is taken then.
pub(super) fn in_order<R: Send>(
    threads: Option<usize>,
    loads: &[Load],
    work: impl Fn(usize) -> R + Sync,
    mut take: impl FnMut(usize, R) -> Result<()>,
) -> Result<()> {
    let pool = pool(threads)?;
    let room = memory::available().map_or(u64::MAX, |bytes| bytes / 2);
    let queue = Queue::new(loads, room);
    let (done, results) = channel();
    scope(|scope| {
        for _ in 0..pool.current_num_threads().min(loads.len()) {
            let done = done.clone();
            let (pool, queue, work) = (&pool, &queue, &work);
            scope.spawn(move || {
                while let Some(running) = queue.next() {
                    let result = pool.install(|| work(running.index));
                    if done.send((running.index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let (mut early, mut next) = (BTreeMap::new(), 0);
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&next) {
                take(next, result)?;
                next += 1;
            }
        }
        Ok(())
    })
}

/// The loads that have not begun.
struct Queue<'l> {
    loads: &'l [Load],
    room: u64,
    state: Mutex<State>,
    ended: Condvar,
}

struct State {
    waiting: Vec<usize>,
    running: usize,
    bytes: u64,
    has_trace: bool,
}

impl State {
    fn fits(&self, load: Load, room: u64) -> bool {
        let fits = self.bytes.saturating_add(load.bytes) <= room;
        self.running == 0 || (fits && !(load.has_trace && self.has_trace))
    }
}

impl<'l> Queue<'l> {
    fn new(loads: &'l [Load], room: u64) -> Self {
        let waiting = (0..loads.len()).collect();
        let state = Mutex::new(State { waiting, running: 0, bytes: 0, has_trace: false });
        Self { loads, room, state, ended: Condvar::new() }
    }

    /// The next one that fits beside those that run, waited for; `None` where all have begun.
    fn next(&self) -> Option<Running<'_>> {
        let mut state = self.hold();
        loop {
            if state.waiting.is_empty() {
                return None;
            }
            let fits = |&index: &usize| state.fits(self.loads[index], self.room);
            if let Some(place) = state.waiting.iter().position(fits) {
                let index = state.waiting.remove(place);
                state.running += 1;
                state.bytes = state.bytes.saturating_add(self.loads[index].bytes);
                state.has_trace |= self.loads[index].has_trace;
                return Some(Running { index, queue: self });
            }
            state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn hold(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A load until its work has ended, or has panicked: the others would wait for its room for ever.
struct Running<'q> {
    index: usize,
    queue: &'q Queue<'q>,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let load = self.queue.loads[self.index];
        let mut state = self.queue.hold();
        state.running -= 1;
        state.bytes = state.bytes.saturating_sub(load.bytes);
        state.has_trace &= !load.has_trace;
        drop(state);
        self.queue.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

    const SMALL: Load = Load { bytes: 1, has_trace: false };

    /// Later ones end first, and are taken in their order all the same.
    #[test]
    fn results_are_taken_in_order() {
        let begun = AtomicUsize::new(0);
        let work = |index: usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            // The first one ends behind the second.
            while index == 0 && begun.load(Ordering::SeqCst) < 3 {
                std::thread::yield_now();
            }
            index * index
        };
        let mut taken = Vec::new();
        let take = |index, result| {
            taken.push((index, result));
            Ok(())
        };
        in_order(Some(2), &[SMALL; 5], work, take).unwrap();
        assert_eq!(taken, [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16)]);
    }

    /// Half of the room each: two of them at once, and one that is larger than all of it alone.
    #[test]
    fn what_runs_at_once_fits_into_memory() {
        let loads = [5, 5, 5, 20, 5].map(|bytes| Load { bytes, has_trace: false });
        let queue = Queue::new(&loads, 10);
        let (first, second) = (queue.next().unwrap(), queue.next().unwrap());
        assert_eq!((first.index, second.index), (0, 1));
        assert!(!queue.hold().fits(loads[2], 10));
        drop(first);
        let third = queue.next().unwrap();
        assert_eq!(third.index, 2);
        drop(second);
        let fifth = queue.next().unwrap();
        assert_eq!(fifth.index, 4, "the large one waits until nothing runs");
        drop((third, fifth));
        let large = queue.next().unwrap();
        assert_eq!(large.index, 3);
        assert!(queue.next().is_none());
    }

    #[test]
    fn one_trace_is_loaded_at_a_time() {
        let loads = [true, true, false].map(|has_trace| Load { bytes: 1, has_trace });
        let queue = Queue::new(&loads, u64::MAX);
        let (first, third) = (queue.next().unwrap(), queue.next().unwrap());
        assert_eq!((first.index, third.index), (0, 2));
        drop(first);
        assert_eq!(queue.next().map(|second| second.index), Some(1));
    }

    /// What fails to be taken ends the rest, and no thread waits for ever.
    #[test]
    fn the_first_failure_ends_it() {
        let taken = AtomicU64::new(0);
        let take = |index, ()| {
            taken.fetch_add(1, Ordering::SeqCst);
            if index == 1 { Err(anyhow::anyhow!("full")) } else { Ok(()) }
        };
        assert!(in_order(Some(2), &[SMALL; 50], |_| (), take).is_err());
        assert_eq!(taken.into_inner(), 2);
    }
}
