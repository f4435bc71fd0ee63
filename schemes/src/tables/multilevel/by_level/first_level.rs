//! Departures, and the arrivals of their block in the first sub-table.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::arrivals::{Arrivals, Arriving, BLOCK, InTheWay};
use super::level::Level;
use super::number::Number;
use super::places::{Kept, Places, free, look};
use crate::tables::ahead::read_ahead;

/// Rounds that were drawn and come after each other.
#[derive(Debug, Clone)]
pub(super) struct DrawnRounds<N> {
    /// Who departs, and arrives again.
    pub(super) elements: [N; BLOCK],
    /// Its choice in the first sub-table.
    pub(super) choices: [N; BLOCK],
}

/// Rounds of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Departed {
    /// How many they are.
    pub(super) rounds: usize,
    /// Elements that departed from the overflow list.
    pub(super) unlisted: u64,
    /// The same, summed up over the rounds.
    pub(super) total: u64,
}

impl<N: Number> Places<N> {
    /// In each of these rounds an element departs and arrives again; those that find their bucket of H full are left in
    /// `arrivals`. It ends before a round in which one departs that is among those.
    ///
    /// The places of all elements that depart are free from then on, in whatever sub-table they are. Where the rule asks those
    /// in the way, it is kept who was asked.
    // A function of its own, as more of the registers is then left for its loop.
    #[inline(never)]
    pub(super) fn open<const H: u8, const ASKS: bool>(
        &mut self,
        block: &DrawnRounds<N>,
        rounds: Range<usize>,
        arrivals: &mut Arrivals<N>,
    ) -> Departed {
        _ = self.make_time(BLOCK);
        let (list, far) = (N::list(self.slots), self.far);
        let Kept { states, of_elements, .. } = &mut *self.kept;
        let (states, of_elements) = (states.as_mut(), of_elements.as_mut());
        if far {
            let elements = &block.elements[rounds.clone()];
            read_ahead(elements.iter().map(|element| of_elements[element.index()]));
            read_ahead(elements.iter().map(|element| states[of_elements[element.index()].index()]));
            let buckets = &block.choices[rounds.clone()];
            read_ahead(buckets.iter().map(|bucket| states[bucket.first_place(H).index()]));
        }
        let (mut now, mut passed, mut departed) = (self.now, 0, Departed::default());
        // No iterator: with one index for all that is read and written, more is left of the registers.
        let mut round = rounds.start;
        while round < rounds.end.min(BLOCK) {
            let (element, bucket) = (block.elements[round], block.choices[round]);
            let left = of_elements[element.index()];
            if left == N::ARRIVING {
                break;
            }
            now += N::STEP;
            free(states, left, list, now);
            let is_listed = u64::from(left == list);
            departed.unlisted += is_listed;
            departed.total += departed.unlisted;
            let arriving = Arriving::new(element, now);
            let kept = (&mut *states, &mut *of_elements);
            let full = come::<H, ASKS, N>(kept, arrivals, passed, arriving, bucket);
            passed += usize::from(full);
            round += 1;
        }
        departed.rounds = round - rounds.start;
        self.now = now;
        arrivals.number = passed;
        departed
    }
}

impl<N: Number> Level<N> {
    /// Takes those who arrive in a block, whoever departs in it having been told to, to this sub-table, the first one.
    pub(super) fn receive<const H: u8, const ASKS: bool>(
        &mut self,
        arrivals: &mut Arrivals<N>,
        places: &mut Places<N>,
    ) {
        let number = arrivals.number.min(BLOCK);
        let drawn = &self.own.take(number)[..number];
        let Kept { states, of_elements, .. } = &mut *places.kept;
        let (states, of_elements) = (states.as_mut(), of_elements.as_mut());
        let mut passed = 0;
        for (i, &bucket) in drawn.iter().enumerate() {
            let arriving = arrivals.arriving[i];
            let kept = (&mut *states, &mut *of_elements);
            let full = come::<H, ASKS, N>(kept, arrivals, passed, arriving, bucket);
            passed += usize::from(full);
        }
        arrivals.number = passed;
    }
}

/// An element comes to its bucket of H. Whether that is full; then it is the one of this number in `arrivals`.
#[inline(always)]
fn come<const H: u8, const ASKS: bool, N: Number>(
    (states, of_elements): (&mut [N], &mut [N]),
    arrivals: &mut Arrivals<N>,
    passed: usize,
    arriving: Arriving<N>,
    bucket: N,
) -> bool {
    let (place, state) = look::<H, N>(states, bucket, arriving.time());
    let full = state > arriving.time();
    let then = if ASKS { state | N::ASKED } else { state };
    states[place.index()] = select_unpredictable(full, then, N::TAKEN);
    of_elements[arriving.element().index()] = select_unpredictable(full, N::ARRIVING, place);
    arrivals.set(passed, arriving);
    if ASKS {
        arrivals.set_in_the_way(passed, InTheWay::new(place, state));
    }
    full
}
