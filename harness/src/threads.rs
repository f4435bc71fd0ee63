//! Threads that work on experiments.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Stack of a thread, in bytes: one that waits for a part of its work begins another part on top of it, and that may be
/// a whole experiment.
const STACK: usize = 16 << 20;

/// So many threads; as many as the machine has cores where no number is given.
///
/// # Errors
/// Where they cannot be started.
pub(crate) fn pool(threads: Option<usize>) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).stack_size(STACK).build()
}
