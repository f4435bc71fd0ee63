//! How far the search for the best sizes is, and when it has taken long enough.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use loadfactor_schemes::tables::sizing::Watch;

use super::budget::Budget;

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A search that is watched.
pub(super) struct Search<'p> {
    name: String,
    starts: usize,
    budget: Budget<'p>,
    ended: AtomicUsize,
    state: Mutex<Seen>,
}

/// When what was seen.
struct Seen {
    printed: Instant,
    last_end: Instant,
    /// How long the last starts took each: the mean of the last one and of those before.
    a_start: Option<Duration>,
}

impl<'p> Search<'p> {
    pub(super) fn new(name: String, starts: usize, budget: Budget<'p>) -> Self {
        let began = Instant::now();
        let state = Mutex::new(Seen { printed: began, last_end: began, a_start: None });
        Self { name, starts, budget, ended: AtomicUsize::new(0), state }
    }

    fn describe(&self, seen: &Seen) -> String {
        let ended = self.ended.load(Ordering::Relaxed);
        let far = format!("{}: {ended} of {} starts of the search", self.name, self.starts);
        let by_starts = seen.a_start.map(|a_start| {
            let left = self.starts.saturating_sub(ended) as u32;
            (a_start * left).saturating_sub(seen.last_end.elapsed())
        });
        match by_starts.into_iter().chain(self.budget.left()).min() {
            Some(left) if by_starts.is_some() => format!("{far}, {} left", HumanDuration(left)),
            Some(left) => format!("{far}, at most {} left", HumanDuration(left)),
            None => far,
        }
    }
}

impl Watch for Search<'_> {
    fn goes_on(&self) -> bool {
        if let Ok(mut seen) = self.state.try_lock()
            && seen.printed.elapsed() >= LINE_EVERY
        {
            seen.printed = Instant::now();
            self.budget.progress.note(&self.describe(&seen));
        }
        !self.budget.is_over()
    }

    fn start_ended(&self) {
        self.ended.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut seen) = self.state.lock() {
            let last = seen.last_end.elapsed();
            seen.a_start = Some(seen.a_start.map_or(last, |before| (before + last) / 2));
            seen.last_end = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Silent;

    fn seen(a_start: Option<u64>) -> Seen {
        let now = Instant::now();
        Seen { printed: now, last_end: now, a_start: a_start.map(Duration::from_secs) }
    }

    /// What is left comes from how long the last starts took, and is never more than the limit leaves.
    #[test]
    fn what_is_left_comes_from_the_recent_speed() {
        let search = |limit| Search::new("multiple".to_owned(), 12, Budget::new(limit, &Silent));
        let free = search(None);
        assert_eq!(free.describe(&seen(None)), "multiple: 0 of 12 starts of the search");
        free.ended.store(2, Ordering::Relaxed);
        let text = free.describe(&seen(Some(360)));
        assert_eq!(text, "multiple: 2 of 12 starts of the search, 60 minutes left");
        let short = search(Some(Duration::from_secs(0)));
        assert!(!short.goes_on());
        let text = short.describe(&seen(Some(360)));
        assert_eq!(text, "multiple: 0 of 12 starts of the search, 0 seconds left");
    }
}
