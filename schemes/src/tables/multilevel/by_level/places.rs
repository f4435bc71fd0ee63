//! Where the elements are, and which places are free.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::arrivals::{Arrivals, Arriving};
use super::number::Number;
use crate::tables::ahead::BEYOND_CACHE;

/// A place in a bucket of H, which is free if one is, and its state.
#[inline(always)]
pub(super) fn look<const H: u8, N: Number>(states: &[N], bucket: N, now: N) -> (N, N) {
    let mut other = bucket.first_place(H);
    let (mut place, mut state) = (other, states[other.index()]);
    for _ in 1..H {
        other = other.next();
        let full = state > now;
        place = select_unpredictable(full, other, place);
        state = select_unpredictable(full, states[other.index()], state);
    }
    (place, state)
}

/// What is kept of places and elements, with numbers of 16 bits in one piece: a loop that reads all of it needs one register to
/// find it.
#[derive(Debug, Clone)]
pub(super) struct Kept<N: Number> {
    /// Of each place.
    pub(super) states: N::Of<N>,
    /// Of each element.
    pub(super) of_elements: N::Of<N>,
    /// With second chance, the choice in the next sub-table of the element in each place, where that was asked for it.
    pub(super) next: N::Of<N>,
}

/// The element in a place, or one on the list, departs at this time: the state of a place that is taken, `now` where its
/// element was asked, one less elsewhere.
#[inline(always)]
pub(super) fn free<N: Number>(states: &mut [N], place: N, list: N, now: N) {
    let state = &mut states[place.index()];
    debug_assert!(place == list || *state >= N::TAKEN, "somebody is there");
    // That is one operation in memory, as what is taken off leaves the last bit as it is.
    *state = state.wrapping_sub(N::TAKEN - (now - N::ASKED));
}

#[derive(Debug, Clone)]
pub(super) struct Places<N: Number> {
    /// n.
    pub(super) elements: u32,
    /// How many there are.
    pub(super) slots: usize,
    pub(super) kept: Box<Kept<N>>,
    /// The time of the last step.
    pub(super) now: N,
    /// Whether what a block needs is read ahead.
    pub(super) far: bool,
}

impl<N: Number> Places<N> {
    /// Whether so many elements and places can be numbered.
    pub(super) fn fits(elements: u32, slots: u32) -> bool {
        elements <= N::MOST_PLACES + 1 && slots <= N::MOST_PLACES
    }

    /// Places that are free, from which elements may be `asked` to go to the next sub-table. [`fits`](Self::fits) must hold.
    pub(super) fn new(elements: u32, slots: u32, asked: bool) -> Self {
        let slots = slots as usize;
        let none = |numbers| N::filled(N::default(), numbers);
        let next = none(if asked { slots } else { 0 });
        let kept = Kept { states: none(slots), of_elements: none(elements as usize), next };
        let far = elements >= BEYOND_CACHE;
        Self { elements, slots, kept: Box::new(kept), now: N::BEGINNING, far }
    }

    /// Frees all places; the elements are on the list.
    pub(super) fn clear(&mut self) {
        self.kept.states.as_mut()[..self.slots].fill(N::default());
        let list = N::list(self.slots);
        self.kept.of_elements.as_mut()[..self.elements as usize].fill(list);
        self.now = N::BEGINNING;
    }

    /// Begins to count time anew if there is too little left for so many steps; whether it did. To be called between blocks.
    #[inline]
    pub(super) fn make_time(&mut self, steps: usize) -> bool {
        let left: u64 = ((N::TAKEN - N::STEP - self.now) / N::STEP).into();
        let anew = left < steps as u64;
        if anew {
            for state in &mut self.kept.states.as_mut()[..self.slots] {
                *state = if *state >= N::TAKEN { *state } else { N::default() };
            }
            self.now = N::BEGINNING;
        }
        anew
    }

    /// Puts those who arrive on the overflow list; in how many rounds each is there, in total.
    pub(super) fn list(&mut self, arrivals: &Arrivals<N>) -> u64 {
        arrivals.all().map(|arriving| self.list_one(arriving)).sum()
    }

    /// The same for one.
    #[inline(always)]
    pub(super) fn list_one(&mut self, arriving: Arriving<N>) -> u64 {
        self.kept.of_elements.as_mut()[arriving.element().index()] = N::list(self.slots);
        let rounds: u64 = ((self.now - arriving.time()) / N::STEP).into();
        rounds + 1
    }

    /// So many elements are in these places.
    pub(super) fn taken(&self, slots: Range<usize>) -> u64 {
        self.kept.states.as_ref()[slots].iter().filter(|&&state| state >= N::TAKEN).count() as u64
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
