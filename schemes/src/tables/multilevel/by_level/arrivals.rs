//! Who arrives in a block and has no place yet.

/// Rounds of a block at most.
pub(in crate::tables::multilevel) const BLOCK: usize = 256;

/// Two numbers in one word, which is written at once.
#[inline(always)]
fn pack(low: u16, high: u16) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

/// An element and when it arrives.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arriving(u32);

impl Arriving {
    #[inline(always)]
    pub(super) fn new(element: u16, time: u16) -> Self {
        Self(pack(element, time))
    }

    #[inline(always)]
    pub(super) fn element(self) -> u16 {
        self.0 as u16
    }

    #[inline(always)]
    pub(super) fn time(self) -> u16 {
        (self.0 >> 16) as u16
    }
}

/// A place that is in the way and the state in which it was found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InTheWay(u32);

impl InTheWay {
    #[inline(always)]
    pub(super) fn new(place: u16, state: u16) -> Self {
        Self(pack(place, state))
    }

    #[inline(always)]
    pub(super) fn place(self) -> u16 {
        self.0 as u16
    }

    #[inline(always)]
    pub(super) fn state(self) -> u16 {
        (self.0 >> 16) as u16
    }
}

/// In order of time.
#[derive(Debug, Clone)]
pub(super) struct Arrivals {
    pub(super) number: usize,
    pub(super) arriving: [Arriving; BLOCK],
    /// The bucket of each in the last sub-table, which is full.
    pub(super) in_the_way: [InTheWay; BLOCK],
}

impl Arrivals {
    pub(super) fn new() -> Self {
        let (arriving, in_the_way) = (Arriving::default(), InTheWay::default());
        Self { number: 0, arriving: [arriving; BLOCK], in_the_way: [in_the_way; BLOCK] }
    }

    /// Takes down one of them, of which there are fewer than [`BLOCK`].
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, arriving: Arriving) {
        self.arriving[i % BLOCK] = arriving;
    }

    /// And who is in its way.
    #[inline(always)]
    pub(super) fn set_in_the_way(&mut self, i: usize, in_the_way: InTheWay) {
        self.in_the_way[i % BLOCK] = in_the_way;
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = Arriving> {
        self.arriving.iter().copied().take(self.number)
    }
}
