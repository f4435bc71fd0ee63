//! What a walk comes to that runs in circles, without going through them.
//!
//! From a bucket on, the other choices of the elements lead along a way that ends at a free bucket or at a bucket that was
//! met before: then it has a tail and a cycle. A walk that enters such a way goes along the tail and around the cycle,
//! each element of which thereby moves to its other choice, and back along the tail, each element of which returns. That
//! brings the new element back to its hand: 2·t + l + 1 evictions for a tail of t buckets and a cycle of l. The element goes
//! to its other choice, and the same happens there, or a free bucket is found. If neither choice leads to one, these two
//! circuits are all that ever happens, and the walk is in one of them when it reaches its limit.

use super::walk::{Slot, Walk};
use super::{CuckooGraph, Placement, SHORT};

/// For each bucket, whether it was read since a moment, and as which.
#[derive(Debug, Clone)]
pub(super) struct Marks {
    numbers: Vec<u32>,
    /// The mark of the first bucket that was read; lower ones are from earlier.
    first: u32,
    /// The mark of the next one.
    next: u32,
}

/// A bucket that was read before, and as which.
#[derive(Debug, Clone, Copy)]
struct Met {
    bucket: u32,
    number: u32,
}

/// A way into a cycle.
#[derive(Debug, Clone, Copy)]
struct Circuit {
    /// Buckets before the cycle.
    tail: u32,
    /// Buckets of the cycle.
    cycle: u32,
    /// A bucket of the cycle.
    entry: u32,
}

impl Circuit {
    /// Evictions until the element that entered it is on hand again.
    fn evictions(&self) -> u64 {
        2 * u64::from(self.tail) + u64::from(self.cycle) + 1
    }

    /// Evictions until all buckets were met.
    fn length(&self) -> u64 {
        u64::from(self.tail) + u64::from(self.cycle)
    }
}

impl Marks {
    pub(super) const BYTES_PER_BUCKET: usize = size_of::<u32>();

    pub(super) fn new(buckets: u32) -> Self {
        Self { numbers: vec![0; buckets as usize], first: 1, next: 1 }
    }

    /// Forgets what was read.
    fn begin(&mut self) {
        if self.next > u32::MAX - self.numbers.len() as u32 {
            self.numbers.fill(0);
            self.next = 1;
        }
        self.first = self.next;
    }

    /// Buckets that were read.
    fn read(&self) -> u32 {
        self.next - self.first
    }

    /// Reads the way from a bucket on, up to one that was read before, or a free one.
    #[inline]
    fn meet_from(&mut self, mut bucket: u32, slots: &[Slot]) -> Option<Met> {
        let Self { numbers, first, .. } = self;
        let mut next = self.next;
        let met = loop {
            let slot = slots[bucket as usize];
            if slot.is_free() {
                break None;
            }
            let number = &mut numbers[bucket as usize];
            if *number >= *first {
                break Some(Met { bucket, number: *number - *first });
            }
            *number = next;
            next += 1;
            bucket = slot.other();
        };
        self.next = next;
        met
    }
}

impl CuckooGraph {
    /// Goes on with a walk that has made as many evictions as are made one by one.
    #[cold]
    #[inline(never)]
    pub(super) fn go_on(&mut self, walk: Walk) -> Placement {
        let left = self.limit - self.limit.min(SHORT);
        self.marks.begin();
        match self.marks.meet_from(walk.bucket, &self.slots) {
            None => self.finish(walk, self.marks.read(), left),
            Some(met) => {
                let (tail, cycle) = (met.number, self.marks.read() - met.number);
                self.circle(walk, Circuit { tail, cycle, entry: met.bucket }, left.into())
            }
        }
    }

    /// Evicts up to a free bucket, before which there are so many others, or as often as is allowed.
    fn finish(&mut self, walk: Walk, distance: u32, left: u32) -> Placement {
        let walk = walk.evict(left.min(distance), &mut self.slots);
        if distance > left {
            return self.give_up(walk);
        }
        self.slots[walk.bucket as usize] = walk.on_hand;
        Placement::stored(self.limit - (left - distance))
    }

    fn give_up(&self, walk: Walk) -> Placement {
        Placement::left_over(self.limit, walk.on_hand.element())
    }

    /// Makes as many evictions as are left, of a walk into a circuit.
    fn circle(&mut self, walk: Walk, first: Circuit, left: u64) -> Placement {
        let in_first = first.evictions();
        if left < in_first {
            return self.stop(walk, first, left);
        }
        let (other, start) = (walk.turned(), self.marks.read());
        let Some(met) = self.marks.meet_from(other.bucket, &self.slots) else {
            self.turn(first);
            return self.finish(other, self.marks.read() - start, (left - in_first) as u32);
        };
        let own = self.marks.read() - start;
        let joins = met.number < start;
        let second = match joins {
            true => Circuit { tail: own + first.tail.saturating_sub(met.number), ..first },
            false => {
                let tail = met.number - start;
                Circuit { tail, cycle: own - tail, entry: met.bucket }
            }
        };
        let in_both = in_first + second.evictions();
        let (rounds, rest) = (left / in_both, left % in_both);
        // Of two circuits with the same cycle the second turns what the first has turned.
        if rounds % 2 == 1 && !joins {
            self.turn(first);
            self.turn(second);
        }
        if rest < in_first {
            return self.stop(walk, first, rest);
        }
        self.turn(first);
        self.stop(other, second, rest - in_first)
    }

    /// Makes so many evictions of a walk into a circuit, fewer than get through it.
    fn stop(&mut self, walk: Walk, circuit: Circuit, evictions: u64) -> Placement {
        // On the way back along the tail, what is still to return is what was evicted first.
        let not_returned = match evictions > circuit.length() {
            true => {
                self.turn(circuit);
                circuit.evictions() - evictions
            }
            false => evictions,
        };
        let walk = walk.evict(not_returned as u32, &mut self.slots);
        self.give_up(walk)
    }

    /// Moves each element of the cycle to its other choice.
    fn turn(&mut self, circuit: Circuit) {
        let entry = circuit.entry;
        let first = self.slots[entry as usize].evicted_from(entry);
        let last = first.evict(circuit.cycle - 1, &mut self.slots);
        self.slots[entry as usize] = last.on_hand;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks begin anew before they run out.
    #[test]
    fn marks_of_former_walks_do_not_come_back() {
        let slots = [1, 2, 0].map(|other| Slot::new(9, other));
        let mut marks = Marks::new(3);
        let mut meet_all = |next| {
            marks.next = next;
            marks.begin();
            let met = marks.meet_from(1, &slots);
            (met.map(|met| (met.bucket, met.number)), marks.read())
        };
        let both = [1, u32::MAX - 2].map(&mut meet_all);
        assert_eq!(both, [(Some((1, 0)), 3); 2]);
    }
}
