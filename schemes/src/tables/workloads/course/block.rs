//! A block of steps that were drawn ahead.

/// Steps of a block at most.
pub(super) const BLOCK: usize = 256;

/// Some elements arrive, and then one may depart.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::tables) struct BlockStep {
    pub(in crate::tables) arrivals: u32,
    pub(in crate::tables) departs: bool,
}

/// Steps that were drawn ahead.
#[derive(Debug, Default)]
pub(in crate::tables) struct Block {
    /// Whether the measuring window begins with it.
    pub(in crate::tables) begins_window: bool,
    pub(in crate::tables) steps: Vec<BlockStep>,
    /// Elements that arrive in all steps.
    pub(in crate::tables) arrivals: usize,
    /// Those that arrive and depart, in the order of the steps.
    pub(in crate::tables) elements: Vec<u32>,
    /// Elements in the system after each step.
    pub(super) numbers: Vec<u32>,
    /// Lengths of the overflow list after each step, to be filled in.
    pub(in crate::tables) lengths: Vec<u32>,
}

impl Block {
    /// Has so many steps, in which nothing happens yet.
    pub(super) fn begin(&mut self, begins_window: bool, steps: usize) {
        self.begins_window = begins_window;
        self.arrivals = 0;
        self.elements.clear();
        self.keep(0);
        self.keep(steps);
    }

    /// Has so many steps.
    pub(super) fn keep(&mut self, steps: usize) {
        self.steps.resize(steps, BlockStep::default());
        self.numbers.resize(steps, 0);
        self.lengths.resize(steps, 0);
    }
}
