//! Slots in a circle.

/// m slots, the first of which follows the last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circle {
    /// m.
    pub(super) slots: u32,
}

impl Circle {
    /// The slot behind this one.
    #[inline]
    pub(super) fn next(self, slot: u32) -> u32 {
        if slot + 1 == self.slots { 0 } else { slot + 1 }
    }

    /// The slot so many steps before this one, at most m − 1.
    #[inline]
    pub(super) fn before(self, slot: u32, steps: u32) -> u32 {
        if slot >= steps { slot - steps } else { slot + self.slots - steps }
    }

    /// The slot so many steps behind this one, at most m − 1.
    #[inline]
    pub(super) fn behind(self, slot: u32, steps: u32) -> u32 {
        let from_end = self.slots - steps;
        if slot >= from_end { slot - from_end } else { slot + steps }
    }

    /// Steps from one slot on to another, below m.
    #[inline]
    pub(super) fn distance(self, from: u32, to: u32) -> u32 {
        if to >= from { to - from } else { to + self.slots - from }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_over_the_end() {
        let circle = Circle { slots: 7 };
        for slot in 0..7 {
            for steps in 0..7 {
                let behind = circle.behind(slot, steps);
                assert_eq!(behind, (slot + steps) % 7);
                assert_eq!(
                    (circle.before(behind, steps), circle.distance(slot, behind)),
                    (slot, steps)
                );
            }
            assert_eq!(circle.next(slot), circle.behind(slot, 1));
        }
    }
}
