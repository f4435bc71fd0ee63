//! How far the counters of a summary count.

/// The greatest values that counters had in a trial.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CounterUse {
    /// The greatest value of a counter of B_0, B_1, ..
    pub greatest: Vec<u16>,
    /// Whether some counter was to go beyond its greatest value.
    pub overflowed: bool,
}

impl CounterUse {
    /// Takes in the next filter, whose counters go to `greatest` and were chosen so often.
    pub(super) fn look_at(&mut self, counts: &[u32], greatest: u16) {
        let most = counts.iter().copied().fold(0, u32::max);
        self.greatest.push(u16::try_from(most).unwrap_or(u16::MAX).min(greatest));
        self.overflowed |= most > greatest.into();
    }
}
