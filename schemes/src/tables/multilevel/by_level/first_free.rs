//! The first sub-table with room, as in MULTIPLE.

use std::hint::select_unpredictable;

use super::arrivals::{Arrivals, BLOCK};
use super::level::Level;
use super::number::Number;
use super::places::{Kept, Places, look};
use crate::tables::ahead::read_ahead;

impl<N: Number> Level<N> {
    /// Takes those who arrive to this sub-table of buckets of H, and leaves those that it has no room for.
    pub(super) fn first_free<const H: u8>(
        &mut self,
        arrivals: &mut Arrivals<N>,
        places: &mut Places<N>,
    ) {
        let number = arrivals.number.min(BLOCK);
        let drawn = &self.own.take(number)[..number];
        let far = places.far;
        let Kept { states, of_elements, .. } = &mut *places.kept;
        let (states, of_elements) = (states.as_mut(), of_elements.as_mut());
        if far {
            read_ahead(drawn.iter().map(|bucket| states[bucket.first_place(H).index()]));
        }
        let mut passed = 0;
        for (i, &bucket) in drawn.iter().enumerate() {
            let arriving = arrivals.arriving[i];
            let (place, state) = look::<H, N>(states, bucket, arriving.time());
            let full = state > arriving.time();
            states[place.index()] = select_unpredictable(full, state, N::TAKEN);
            of_elements[arriving.element().index()] = place;
            arrivals.set(passed, arriving);
            passed += usize::from(full);
        }
        arrivals.number = passed;
    }
}
