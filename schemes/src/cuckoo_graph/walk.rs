//! Evictions one by one.

/// A bucket's element and the element's other choice, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot(u64);

/// An element on its way to a bucket; its other choice is the bucket that it was in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Walk {
    pub(super) on_hand: Slot,
    pub(super) bucket: u32,
}

impl Slot {
    /// No bucket has this number.
    pub(super) const FREE: Self = Self(u64::MAX);

    #[inline]
    pub(super) fn new(element: u32, other: u32) -> Self {
        Self(u64::from(element) << 32 | u64::from(other))
    }

    #[inline]
    pub(super) fn is_free(self) -> bool {
        self.other() == u32::MAX
    }

    #[inline]
    pub(super) fn element(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The choice of the element that is not this bucket.
    #[inline]
    pub(super) fn other(self) -> u32 {
        self.0 as u32
    }

    /// Whether it is in use, by this element.
    #[inline]
    pub(super) fn holds(self, element: u32) -> bool {
        self.element() == element && !self.is_free()
    }

    /// The element on its way from this bucket to its other choice.
    #[inline]
    pub(super) fn evicted_from(self, bucket: u32) -> Walk {
        Walk { on_hand: Self::new(self.element(), bucket), bucket: self.other() }
    }
}

impl Walk {
    /// Puts the element into the bucket; the one that was there.
    #[inline]
    pub(super) fn step(self, slots: &mut [Slot]) -> Option<Self> {
        let Self { on_hand, bucket } = self;
        let there = std::mem::replace(&mut slots[bucket as usize], on_hand);
        (!there.is_free()).then(|| there.evicted_from(bucket))
    }

    /// So many evictions, none of the buckets being free.
    #[inline]
    pub(super) fn evict(mut self, number: u32, slots: &mut [Slot]) -> Self {
        for _ in 0..number {
            let Self { on_hand, bucket } = self;
            self = std::mem::replace(&mut slots[bucket as usize], on_hand).evicted_from(bucket);
        }
        self
    }

    /// The element on its way to the bucket that it was in.
    pub(super) fn turned(self) -> Self {
        self.on_hand.evicted_from(self.bucket)
    }
}
