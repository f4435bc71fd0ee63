//! Where the elements are, and which places are free.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::arrivals::{Arrivals, Arriving};

/// The place of an element that arrives in this block and has none yet.
pub(super) const ARRIVING: u16 = u16::MAX;
/// The overflow list as a place; what its state is means nothing.
pub(super) const LIST: u16 = u16::MAX - 1;

/// A place that is taken for longer than the block, by an element that was never asked for its next choice.
///
/// The state of a place is the time at which it becomes free, an odd number, or one less. The last bit tells whether its element
/// was asked.
pub(super) const TAKEN: u16 = u16::MAX - 1;
/// The bit of a state that says so.
pub(super) const ASKED: u16 = 1;

/// Time from one step to the next.
pub(super) const STEP: u16 = 2;
/// The time before the first step: a place that is free from the beginning has a lower one.
const BEGINNING: u16 = 1;

/// One for each number of 16 bits, so that none is beyond the end.
pub(super) type Of16Bits<T> = Box<[T; 1 << 16]>;

/// A place in a bucket of H, which is free if one is, and its state.
#[inline(always)]
pub(super) fn look<const H: usize>(states: &[u16; 1 << 16], bucket: u16, now: u16) -> (u16, u16) {
    let first = bucket.wrapping_mul(H as u16);
    let (mut place, mut state) = (first, states[usize::from(first)]);
    for other in (1..H as u16).map(|slot| first.wrapping_add(slot)) {
        let full = state > now;
        place = select_unpredictable(full, other, place);
        state = select_unpredictable(full, states[usize::from(other)], state);
    }
    (place, state)
}

/// What is kept of places and elements, in one piece: a loop that reads all of it needs one register to find it.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    /// Of each place.
    pub(super) states: [u16; 1 << 16],
    /// Of each element.
    pub(super) of_elements: [u16; 1 << 16],
    /// The choice in the next sub-table of the element in each place, where that was asked for it.
    pub(super) next: [u16; 1 << 16],
}

impl Kept {
    /// The element in a place, or one on the list, departs at this time: the state of a place that is taken, `now` where its
    /// element was asked, one less elsewhere.
    #[inline(always)]
    pub(super) fn free(&mut self, place: u16, now: u16) {
        let state = &mut self.states[usize::from(place)];
        debug_assert!(place == LIST || *state >= TAKEN, "{place} is free already");
        // That is one operation in memory, as what is taken off leaves the last bit as it is.
        *state = state.wrapping_sub(TAKEN - (now - ASKED));
    }
}

#[derive(Debug, Clone)]
pub(super) struct Places {
    /// n.
    pub(super) elements: u32,
    slots: usize,
    pub(super) kept: Box<Kept>,
    /// The time of the last step.
    pub(super) now: u16,
}

impl Places {
    /// Whether so many elements and places can be numbered.
    pub(super) fn fits(elements: u32, slots: u32) -> bool {
        elements <= ARRIVING.into() && slots <= LIST.into()
    }

    /// Places that are free. [`fits`](Self::fits) must hold.
    pub(super) fn new(elements: u32, slots: u32) -> Self {
        let all = [0; 1 << 16];
        let kept = Box::new(Kept { states: all, of_elements: all, next: all });
        Self { elements, slots: slots as usize, kept, now: BEGINNING }
    }

    /// Frees all places; the elements are on the list.
    pub(super) fn clear(&mut self) {
        self.kept.states[..self.slots].fill(0);
        self.kept.of_elements[..self.elements as usize].fill(LIST);
        self.now = BEGINNING;
    }

    /// Begins to count time anew if there is too little left for so many steps; whether it did. To be called between blocks.
    #[inline]
    pub(super) fn make_time(&mut self, steps: usize) -> bool {
        let left = usize::from((TAKEN - STEP - self.now) / STEP);
        let anew = left < steps;
        if anew {
            for state in &mut self.kept.states[..self.slots] {
                *state = if *state >= TAKEN { *state } else { 0 };
            }
            self.now = BEGINNING;
        }
        anew
    }

    /// Puts those who arrive on the overflow list; in how many rounds each is there, in total.
    pub(super) fn list(&mut self, arrivals: &Arrivals) -> u64 {
        arrivals.all().map(|arriving| self.list_one(arriving)).sum()
    }

    /// The same for one.
    #[inline(always)]
    pub(super) fn list_one(&mut self, arriving: Arriving) -> u64 {
        self.kept.of_elements[usize::from(arriving.element())] = LIST;
        u64::from((self.now - arriving.time()) / STEP) + 1
    }

    /// So many elements are in these places.
    pub(super) fn taken(&self, slots: Range<usize>) -> u64 {
        self.kept.states[slots].iter().filter(|&&state| state >= TAKEN).count() as u64
    }

    /// How many buckets hold k elements, k = 0..=h.
    pub(super) fn occupancy(&self, bucket_size: u8) -> Vec<u64> {
        let h = usize::from(bucket_size);
        let mut buckets = vec![0; h + 1];
        for first in (0..self.slots).step_by(h) {
            buckets[self.taken(first..first + h) as usize] += 1;
        }
        buckets
    }
}
