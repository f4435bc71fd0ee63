//! What the time is told by.

use std::fs;
use std::time::{Duration, Instant};

/// Something that tells the time.
pub trait Clock {
    /// The time since some moment.
    fn now(&self) -> Duration;

    /// How often this thread was put on a core, where that is known.
    fn turns(&self) -> Option<u64> {
        None
    }
}

/// The clock of the system that never goes back.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic(Instant);

impl Default for Monotonic {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    /// The third number that Linux has of a thread.
    fn turns(&self) -> Option<u64> {
        let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        told.split_whitespace().nth(2)?.parse().ok()
    }
}
