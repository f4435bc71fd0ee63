//! How long a trial lasts, and how fast its number of elements changes.

/// The length of a trial in equal ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::tables) struct Clock {
    /// All ticks.
    pub(in crate::tables) number: u64,
    /// The first tick of the measuring window.
    pub(in crate::tables) window: u64,
    /// Mean number of ticks that an element stays.
    pub(in crate::tables) lifetime: f64,
}

/// How the number of elements in the system changes while there are many of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::tables) struct Queue {
    /// By how many it falls per slot on average, above 0.
    pub(in crate::tables) slack: f64,
    /// Variance of its change in many slots, per slot; above 0.
    pub(in crate::tables) variance: f64,
}
