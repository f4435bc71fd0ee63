//! A block of steps that were drawn ahead.

use super::tally::Tally;

/// Steps of a block at most.
pub(super) const BLOCK: usize = 256;

/// What happens in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tables) enum Kind {
    /// Some elements arrive, and then a random one departs if any is there.
    Slots,
    /// An element arrives or one departs.
    Jumps,
    /// An element departs, and another arrives in its position.
    Rounds,
}

/// Something happens to the table.
///
/// The elements in the system have the positions `0..N`. Who arrives takes the position behind the last, and the last one
/// takes the position of who departs.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::tables) struct BlockStep {
    /// The position of who departs.
    pub(in crate::tables) departing: u32,
    /// The length of the overflow list afterwards, to be filled in.
    pub(in crate::tables) length: u32,
}

/// Slots of on-off flows.
#[derive(Debug, Default)]
pub(in crate::tables) struct Slots {
    /// Elements that arrive in each.
    pub(in crate::tables) arriving: Vec<u32>,
    /// Random bits that say which element departs in each.
    pub(in crate::tables) bits: Vec<u32>,
}

/// Steps that were drawn ahead.
#[derive(Debug, Default)]
pub(in crate::tables) struct Block {
    /// Whether the measuring window begins with it.
    pub(in crate::tables) begins_window: bool,
    /// Elements that arrive in all steps.
    pub(in crate::tables) arrivals: usize,
    /// Elements in the system before it, and where it consists of slots after it, to be filled in.
    pub(in crate::tables) number: u32,
    /// Empty where it consists of slots.
    pub(in crate::tables) steps: Vec<BlockStep>,
    pub(in crate::tables) slots: Slots,
    /// What is read after each slot.
    pub(in crate::tables) tally: Tally,
}
