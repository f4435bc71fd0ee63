//! The first sub-table with room, as in MULTIPLE.

use std::hint::select_unpredictable;

use super::arrivals::{Arrivals, BLOCK};
use super::level::Level;
use super::places::{Kept, Places, TAKEN, look};

impl Level {
    /// Takes those who arrive to this sub-table of buckets of H, and leaves those that it has no room for.
    pub(super) fn first_free<const H: usize>(
        &mut self,
        arrivals: &mut Arrivals,
        places: &mut Places,
    ) {
        let number = arrivals.number.min(BLOCK);
        let drawn = &self.own.take(number)[..number];
        let Kept { states, of_elements, .. } = &mut *places.kept;
        let mut passed = 0;
        for (i, &bucket) in drawn.iter().enumerate() {
            let arriving = arrivals.arriving[i];
            let (place, state) = look::<H>(states, bucket, arriving.time());
            let full = state > arriving.time();
            states[usize::from(place)] = select_unpredictable(full, state, TAKEN);
            of_elements[usize::from(arriving.element())] = place;
            arrivals.set(passed, arriving);
            passed += usize::from(full);
        }
        arrivals.number = passed;
    }
}
