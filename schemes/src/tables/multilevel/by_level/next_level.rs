//! Second chance: whoever is in the way may move to the next sub-table.

use std::hint::select_unpredictable;

use super::arrivals::{Arrivals, BLOCK, InTheWay};
use super::level::Level;
use super::places::{ASKED, Kept, Places, TAKEN};

impl Level {
    /// Takes those who arrive to this sub-table, to which those in their way in the one before may move, and leaves those for
    /// which that made no room; how many found their own bucket full.
    ///
    /// An element that arrives and the one in its way both look at their choices here. Which of the two gets a bucket is the
    /// same to the names: that of the one that arrives does. The other name stays, and with it the choice of whoever has it
    /// now.
    // A function of its own, as more of the registers is then left for its loop.
    #[inline(never)]
    pub(super) fn next_level(&mut self, arrivals: &mut Arrivals, places: &mut Places) -> u64 {
        let number = arrivals.number.min(BLOCK);
        let drawn = &self.own.take(number)[..number];
        let others = &self.others.take(number)[..number];
        let Kept { states, of_elements, next } = &mut *places.kept;
        let (mut passed, mut all_full) = (0, 0);
        for i in 0..number {
            let (arriving, found) = (arrivals.arriving[i], arrivals.in_the_way[i]);
            let now = arriving.time();
            let in_the_way = usize::from(found.place());
            let asked = found.state() & ASKED != 0;
            let own = drawn[i];
            let other = select_unpredictable(asked, next[in_the_way], others[i]);
            let state = states[usize::from(own)];
            let full = state > now;
            let stuck = full & (states[usize::from(other)] > now);
            let moves = full & !stuck;
            let place = select_unpredictable(moves, other, own);
            next[in_the_way] = select_unpredictable(moves, own, other);
            states[usize::from(place)] = select_unpredictable(stuck, state | ASKED, TAKEN);
            of_elements[usize::from(arriving.element())] = place;
            all_full += u64::from(full);
            arrivals.set(passed, arriving);
            arrivals.set_in_the_way(passed, InTheWay::new(own, state));
            passed += usize::from(stuck);
        }
        arrivals.number = passed;
        all_full
    }
}
