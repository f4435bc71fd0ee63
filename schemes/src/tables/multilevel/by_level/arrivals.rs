//! Who arrives in a block and has no place yet.

use super::number::Number;

/// Rounds of a block at most.
pub(in crate::tables::multilevel) const BLOCK: usize = 256;

/// An element and when it arrives.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arriving<N: Number>(N::Pair);

impl<N: Number> Arriving<N> {
    #[inline(always)]
    pub(super) fn new(element: N, time: N) -> Self {
        Self(N::pair(element, time))
    }

    #[inline(always)]
    pub(super) fn element(self) -> N {
        N::low(self.0)
    }

    #[inline(always)]
    pub(super) fn time(self) -> N {
        N::high(self.0)
    }
}

/// A place that is in the way and the state in which it was found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InTheWay<N: Number>(N::Pair);

impl<N: Number> InTheWay<N> {
    #[inline(always)]
    pub(super) fn new(place: N, state: N) -> Self {
        Self(N::pair(place, state))
    }

    #[inline(always)]
    pub(super) fn place(self) -> N {
        N::low(self.0)
    }

    #[inline(always)]
    pub(super) fn state(self) -> N {
        N::high(self.0)
    }
}

/// In order of time.
#[derive(Debug, Clone)]
pub(super) struct Arrivals<N: Number> {
    pub(super) number: usize,
    pub(super) arriving: [Arriving<N>; BLOCK],
    /// The bucket of each in the last sub-table, which is full.
    pub(super) in_the_way: [InTheWay<N>; BLOCK],
}

impl<N: Number> Arrivals<N> {
    pub(super) fn new() -> Self {
        let (arriving, in_the_way) = (Arriving::default(), InTheWay::default());
        Self { number: 0, arriving: [arriving; BLOCK], in_the_way: [in_the_way; BLOCK] }
    }

    /// Takes down one of them, of which there are fewer than [`BLOCK`].
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, arriving: Arriving<N>) {
        self.arriving[i % BLOCK] = arriving;
    }

    /// And who is in its way.
    #[inline(always)]
    pub(super) fn set_in_the_way(&mut self, i: usize, in_the_way: InTheWay<N>) {
        self.in_the_way[i % BLOCK] = in_the_way;
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = Arriving<N>> {
        self.arriving.iter().copied().take(self.number)
    }
}
