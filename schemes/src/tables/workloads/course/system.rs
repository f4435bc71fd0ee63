//! Who is in the system, where the number of elements varies.

use std::hint::select_unpredictable;

/// Every element that was ever in the system, those that are now in front.
#[derive(Debug, Default)]
pub(super) struct System {
    elements: Vec<u32>,
    number: usize,
}

impl System {
    /// Nobody is or was in it.
    pub(super) fn clear(&mut self) {
        self.elements.clear();
        self.number = 0;
    }

    /// How many are in it.
    pub(super) fn number(&self) -> u32 {
        self.number as u32
    }

    /// The elements that it knows are those below this.
    pub(super) fn known(&self) -> u32 {
        self.elements.len() as u32
    }

    /// Who arrives next: of those that were in it, the one that departed last.
    #[inline]
    pub(super) fn arrive(&mut self) -> u32 {
        self.make_room(1);
        self.number += 1;
        self.elements[self.number - 1]
    }

    /// The element at this position, below their number, departs.
    #[inline]
    pub(super) fn depart(&mut self, position: u32) -> u32 {
        self.number -= 1;
        self.elements.swap(position as usize, self.number);
        self.elements[self.number]
    }

    /// As [`arrive`](Self::arrive) so often, into `arriving`. There is room for `K` elements more than arrive in both:
    /// as many are copied in any case, without asking how many arrive.
    #[inline(always)]
    pub(super) fn arrive_together<const K: usize>(&mut self, number: usize, arriving: &mut [u32]) {
        let others = &self.elements[self.number..];
        arriving[..K].copy_from_slice(&others[..K]);
        if number > K {
            arriving[..number].copy_from_slice(&others[..number]);
        }
        self.number += number;
    }

    /// Knows as many elements as there are after so many arrivals.
    #[inline]
    pub(super) fn make_room(&mut self, arrivals: usize) {
        let (known, needed) = (self.elements.len(), self.number + arrivals);
        if needed > known {
            self.elements.extend(known as u32..needed as u32);
        }
    }

    /// As [`arrive`](Self::arrive) where there is room, or else as [`depart`](Self::depart), without a branch: which of
    /// them cannot be guessed.
    #[inline(always)]
    pub(super) fn arrive_or_depart(&mut self, arrives: bool, position: u32) -> u32 {
        let last = self.number - usize::from(!arrives);
        let position = select_unpredictable(arrives, last, position as usize);
        self.elements.swap(position, last);
        self.number = last + usize::from(arrives);
        self.elements[last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways name the same elements in the same order.
    #[test]
    fn a_step_without_a_branch_is_an_arrival_or_a_departure() {
        let (mut one, mut other) = (System::default(), System::default());
        let steps = [None, None, None, Some(1), Some(0), None, None, None, Some(3), Some(0), None];
        for step in steps {
            let named = match step {
                None => one.arrive(),
                Some(position) => one.depart(position),
            };
            other.make_room(1);
            assert_eq!(other.arrive_or_depart(step.is_none(), step.unwrap_or(u32::MAX)), named);
            assert_eq!(one.number(), other.number());
        }
        assert_eq!((one.number(), one.known()), (3, 4));
    }
}
