//! Who arrives in a block and has no place yet.

/// Rounds of a block at most.
pub(super) const BLOCK: usize = 256;

/// In order of time.
#[derive(Debug, Clone)]
pub(super) struct Arrivals {
    pub(super) number: usize,
    pub(super) elements: [u16; BLOCK],
    /// When each arrives.
    pub(super) times: [u16; BLOCK],
    /// The bucket of each in the last sub-table, which is full.
    pub(super) in_the_way: [u16; BLOCK],
    /// The state in which that was found.
    pub(super) states: [u16; BLOCK],
}

impl Arrivals {
    pub(super) fn new() -> Self {
        Self {
            number: 0,
            elements: [0; BLOCK],
            times: [0; BLOCK],
            in_the_way: [0; BLOCK],
            states: [0; BLOCK],
        }
    }

    /// Takes down one of them, of which there are fewer than [`BLOCK`].
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, element: u16, time: u16) {
        self.elements[i % BLOCK] = element;
        self.times[i % BLOCK] = time;
    }

    /// And who is in its way.
    #[inline(always)]
    pub(super) fn set_in_the_way(&mut self, i: usize, bucket: u16, state: u16) {
        self.in_the_way[i % BLOCK] = bucket;
        self.states[i % BLOCK] = state;
    }
}
