//! One step of an insertion's way through the sub-tables.

/// What an insertion does between one sub-table and the next, as probabilities per insertion.
#[derive(Debug, Clone)]
pub(super) struct Hop {
    /// That the new element gets past the sub-tables before.
    pub(super) passed: f64,
    /// Buckets taken in this sub-table.
    pub(super) taken: f64,
    /// Buckets taken in the next one.
    pub(super) next: f64,
    /// Buckets of this sub-table whose element has not had its next choice looked at.
    pub(super) unseen: f64,
    /// Whose element has, and would find it free now.
    pub(super) freed: f64,
    /// Whose element has, and would find it taken.
    pub(super) stuck: f64,
}

impl Hop {
    /// Takes the fractions taken here and in the next sub-table, and those seen and stuck.
    pub(super) fn new(passed: f64, [taken, next]: [f64; 2], [seen, stuck]: [f64; 2]) -> Self {
        Self { passed, taken, next, unseen: taken - seen, freed: seen - stuck, stuck }
    }

    /// An element moves.
    pub(super) fn moved(&self) -> f64 {
        self.passed * self.next * (self.freed + self.unseen * (1.0 - self.next))
    }

    /// An element, the new one or another, is put into the next sub-table.
    pub(super) fn placed(&self) -> f64 {
        self.passed * self.taken * (1.0 - self.next) + self.moved()
    }

    /// There is one more element here whose next choice has been looked at: the one that was in the way,
    /// or the new one in its place. Where that was seen before, the number stays the same.
    pub(super) fn seen(&self) -> f64 {
        self.passed * self.unseen * self.next
    }

    /// Buckets read in the next sub-table.
    pub(super) fn reads(&self) -> f64 {
        self.passed * self.taken * (1.0 + self.next)
    }

    pub(super) fn passed_on(&self) -> f64 {
        self.passed * self.share_passed_on()
    }

    /// Of the new elements that get here, those that would get past this sub-table where their own next choice is
    /// taken.
    pub(super) fn share_passed_on(&self) -> f64 {
        self.stuck + self.unseen * self.next
    }
}
