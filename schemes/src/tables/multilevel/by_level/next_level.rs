//! Second chance: whoever is in the way may move to the next sub-table.

use std::hint::select_unpredictable;

use super::arrivals::{Arrivals, BLOCK, InTheWay};
use super::level::Level;
use super::number::Number;
use super::places::{Kept, Places};
use crate::tables::ahead::read_ahead;

impl<N: Number> Level<N> {
    /// Takes those who arrive to this sub-table, to which those in their way in the one before may move, and leaves those for
    /// which that made no room; how many found their own bucket full.
    ///
    /// An element that arrives and the one in its way both look at their choices here. Which of the two gets a bucket is the
    /// same to the names: that of the one that arrives does. The other name stays, and with it the choice of whoever has it
    /// now.
    // A function of its own, as more of the registers is then left for its loop.
    #[inline(never)]
    pub(super) fn next_level(&mut self, arrivals: &mut Arrivals<N>, places: &mut Places<N>) -> u64 {
        let number = arrivals.number.min(BLOCK);
        let drawn = &self.own.take(number)[..number];
        let others = &self.others.take(number)[..number];
        let far = places.far;
        let Kept { states, of_elements, next } = &mut *places.kept;
        let (states, of_elements) = (states.as_mut(), of_elements.as_mut());
        let next = next.as_mut();
        if far {
            let in_the_way = &arrivals.in_the_way[..number];
            read_ahead(in_the_way.iter().map(|found| next[found.place().index()]));
            read_ahead(drawn.iter().map(|own| states[own.index()]));
            read_ahead(others.iter().map(|other| states[other.index()]));
        }
        let (mut passed, mut all_full) = (0, 0);
        for i in 0..number {
            let (arriving, found) = (arrivals.arriving[i], arrivals.in_the_way[i]);
            let now = arriving.time();
            let in_the_way = found.place().index();
            let asked = found.state() & N::ASKED != N::default();
            let own = drawn[i];
            let other = select_unpredictable(asked, next[in_the_way], others[i]);
            let state = states[own.index()];
            let full = state > now;
            let stuck = full & (states[other.index()] > now);
            let moves = full & !stuck;
            let place = select_unpredictable(moves, other, own);
            next[in_the_way] = select_unpredictable(moves, own, other);
            states[place.index()] = select_unpredictable(stuck, state | N::ASKED, N::TAKEN);
            of_elements[arriving.element().index()] = place;
            all_full += u64::from(full);
            arrivals.set(passed, arriving);
            arrivals.set_in_the_way(passed, InTheWay::new(own, state));
            passed += usize::from(stuck);
        }
        arrivals.number = passed;
        all_full
    }
}
