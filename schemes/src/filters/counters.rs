//! Counters of few bits.

use std::ops::Range;

use super::Bits;

/// What a counter does beyond its greatest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverflowRule {
    /// It stays there for ever: nothing is taken off it any more, so that it is never too small.
    Sticky,
    /// It goes on from 0, and below 0 from its greatest value: it is the true number modulo its range.
    Wrapping,
}

impl OverflowRule {
    /// Names in a definition.
    pub(super) const NAMES: &'static [&'static str] = &["sticky", "wrapping"];

    /// The rule of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "sticky" => Some(Self::Sticky),
            "wrapping" => Some(Self::Wrapping),
            _ => None,
        }
    }
}

/// Counters that begin at 0 and have the same greatest value.
#[derive(Debug, Clone)]
pub struct Counters {
    values: Vec<u16>,
    /// Those that were to go beyond their greatest value at some time.
    overflowed: Bits,
    greatest: u16,
    rule: OverflowRule,
}

impl Counters {
    /// So many of them.
    pub fn new(counters: u32, greatest: u16, rule: OverflowRule) -> Self {
        let (values, overflowed) = (vec![0; counters as usize], Bits::new(counters));
        Self { values, overflowed, greatest, rule }
    }

    /// Sets all to 0.
    pub fn clear(&mut self) {
        self.values.fill(0);
        self.overflowed.clear();
    }

    /// Adds 1 to a counter.
    #[inline]
    pub fn add(&mut self, counter: u32) {
        let value = &mut self.values[counter as usize];
        if *value < self.greatest {
            *value += 1;
            return;
        }
        self.overflowed.set(counter);
        if self.rule == OverflowRule::Wrapping {
            *value = 0;
        }
    }

    /// Adds so much to each of these counters, which are 0 and never overflowed.
    pub(super) fn add_to_new(&mut self, counters: Range<u32>, number: u64) {
        let greatest = u64::from(self.greatest);
        let value = match self.rule {
            OverflowRule::Sticky => number.min(greatest),
            OverflowRule::Wrapping => number % (greatest + 1),
        };
        self.values[counters.start as usize..counters.end as usize].fill(value as u16);
        if number > greatest {
            self.overflowed.set_range(counters);
        }
    }

    /// Takes off 1 that was added before.
    #[inline]
    pub fn take(&mut self, counter: u32) {
        let value = &mut self.values[counter as usize];
        match self.rule {
            OverflowRule::Sticky if *value == self.greatest => {}
            OverflowRule::Wrapping if *value == 0 => *value = self.greatest,
            _ => *value -= 1,
        }
    }

    /// The value of a counter.
    #[inline]
    pub fn value(&self, counter: u32) -> u16 {
        self.values[counter as usize]
    }

    /// All values.
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// How many are not 0.
    pub fn nonzero(&self) -> u64 {
        self.values.iter().filter(|&&value| value > 0).count() as u64
    }

    /// How many were to go beyond their greatest value at some time.
    pub fn overflowed(&self) -> u64 {
        self.overflowed.count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is added to new counters at once is added one by one.
        #[test]
        fn numbers_are_added_at_once(
            number in 0_u64..20,
            greatest in 1_u16..8,
            (first, last) in (0_u32..=9, 0_u32..=9),
        ) {
            for rule in [OverflowRule::Sticky, OverflowRule::Wrapping] {
                let counters = first.min(last)..first.max(last);
                let mut at_once = Counters::new(9, greatest, rule);
                let mut one_by_one = at_once.clone();
                at_once.add_to_new(counters.clone(), number);
                counters.for_each(|own| (0..number).for_each(|_| one_by_one.add(own)));
                prop_assert_eq!(at_once.values(), one_by_one.values());
                prop_assert_eq!(at_once.overflowed(), one_by_one.overflowed());
            }
        }

        /// Whatever was added and taken off, a sticky counter is not below the true number, and a wrapping one
        /// is the true number modulo its range.
        #[test]
        fn counters_are_related_to_the_true_number(steps in prop::collection::vec(any::<bool>(), 0..60)) {
            let mut sticky = Counters::new(2, 3, OverflowRule::Sticky);
            let mut wrapping = Counters::new(2, 3, OverflowRule::Wrapping);
            let (mut number, mut most) = (0_u16, 0);
            for add in steps {
                if add {
                    number += 1;
                    most = most.max(number);
                    sticky.add(1);
                    wrapping.add(1);
                } else if number > 0 {
                    number -= 1;
                    sticky.take(1);
                    wrapping.take(1);
                }
                prop_assert!(sticky.value(1) >= number.min(3));
                prop_assert_eq!(wrapping.value(1), number % 4);
                prop_assert_eq!(wrapping.overflowed(), u64::from(most > 3));
                prop_assert_eq!((sticky.value(0), wrapping.value(0)), (0, 0));
            }
        }
    }
}
