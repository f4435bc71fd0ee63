//! Extreme second chance with moves to later sub-tables: whoever is in the way in any sub-table may move to the one that an
//! element comes to.
//!
//! Who is in a bucket depends here on what happens in later sub-tables, though not whether it is full. So nobody may meet an
//! element that one who arrives before, and whose place is not settled yet, may still move. That is rare: a block ends before
//! it would happen in the first sub-table, and in a later one those who have not got further are settled first.

use std::hint::select_unpredictable;

use super::Settled;
use super::arrivals::{Arriving, BLOCK};
use super::first_level::Departed;
use super::level::Level;
use super::number::{MOST_LEVELS, Number};
use super::places::{Kept, Places};
use crate::uniform::sort_into_rows;

/// Those who arrived in a block and found their buckets of the first sub-table full.
#[derive(Debug, Clone)]
struct Arrived<N: Number> {
    own: [N::Row; BLOCK],
    /// The choices of the element in their way in each sub-table.
    others: [[N::Row; BLOCK]; MOST_LEVELS],
    arriving: [Arriving<N>; BLOCK],
}

/// Those of them that have no place after a sub-table.
#[derive(Debug, Clone)]
struct Stuck {
    number: usize,
    /// Not kept after the first sub-table, which has left all.
    arrived: [u16; BLOCK],
}

/// What such a table keeps beside the states of its places.
#[derive(Debug, Clone)]
pub(super) struct Extreme<N: Number> {
    /// The choices of the element in each place.
    rows: Box<N::Of<N::Row>>,
    /// When a place was last in the way of an element that was not settled then.
    in_the_way: Box<N::Of<N>>,
    /// Places that there are.
    slots: usize,
    /// Choices of elements to come, from `next` on.
    drawn: Box<[[N; MOST_LEVELS]; BLOCK]>,
    next: usize,
    arrived: Box<Arrived<N>>,
    /// After each sub-table.
    stuck: [Stuck; MOST_LEVELS],
    settled: Settled,
}

/// Elements at most: with more of them, a table of rows that are read ahead takes less time.
const MOST_ELEMENTS: u32 = 1 << 18;
/// Places at most, for the same reason: two for each of so many elements.
const MOST_PLACES: u32 = 2 * MOST_ELEMENTS;

/// Whether there may be so many elements, places and sub-tables.
pub(super) fn fits(elements: u32, slots: u32, sub_tables: usize) -> bool {
    elements <= MOST_ELEMENTS && slots <= MOST_PLACES && sub_tables <= MOST_LEVELS
}

impl<N: Number> Extreme<N> {
    /// A table of so many places.
    pub(super) fn new(slots: u32) -> Self {
        let stuck = Stuck { number: 0, arrived: [0; BLOCK] };
        let arrived = Arrived {
            own: [N::Row::default(); BLOCK],
            others: [[N::Row::default(); BLOCK]; MOST_LEVELS],
            arriving: [Arriving::default(); BLOCK],
        };
        Self {
            rows: Box::new(N::filled(N::Row::default(), slots as usize)),
            in_the_way: Box::new(N::filled(N::default(), slots as usize)),
            slots: slots as usize,
            drawn: Box::new([[N::default(); MOST_LEVELS]; BLOCK]),
            next: BLOCK,
            arrived: Box::new(arrived),
            stuck: [(); MOST_LEVELS].map(|()| stuck.clone()),
            settled: Settled::default(),
        }
    }

    /// Begins a trial.
    pub(super) fn begin(&mut self) {
        (*self.in_the_way).as_mut()[..self.slots].fill(N::default());
        self.next = BLOCK;
    }

    /// In each round one of these elements departs and arrives again, until the block ends.
    pub(super) fn go_through(
        &mut self,
        elements: &[N],
        levels: &mut [Level<N>],
        places: &mut Places<N>,
    ) -> (Departed, Settled) {
        if self.next == BLOCK {
            self.draw(levels);
        }
        if places.make_time(BLOCK) {
            (*self.in_the_way).as_mut()[..self.slots].fill(N::default());
        }
        self.settled = Settled::default();
        let departed = self.first(elements, places);
        self.next += departed.rounds;
        self.settle(1, levels.len(), places);
        (departed, self.settled)
    }

    #[inline(never)]
    fn draw(&mut self, levels: &mut [Level<N>]) {
        let mut of_levels = [[N::default(); BLOCK]; MOST_LEVELS];
        for (choices, level) in of_levels.iter_mut().zip(levels) {
            choices.copy_from_slice(level.own.take(BLOCK));
        }
        sort_into_rows(&of_levels, &mut self.drawn);
        self.next = 0;
    }

    /// Departures, and arrivals in the first sub-table. The block ends before a round in which one departs that is not settled,
    /// or one arrives whose bucket was in the way of one that is not.
    #[inline(never)]
    fn first(&mut self, elements: &[N], places: &mut Places<N>) -> Departed {
        let Self { rows, in_the_way, drawn, next, arrived, stuck, .. } = self;
        let (rows, in_the_way) = ((**rows).as_mut(), (**in_the_way).as_mut());
        let list = N::list(places.slots);
        let Kept { states, of_elements, .. } = &mut *places.kept;
        let (states, of_elements) = (states.as_mut(), of_elements.as_mut());
        let begin = places.now;
        let (mut now, mut passed, mut departed) = (begin, 0, Departed::default());
        for (&element, &own) in elements.iter().zip(&drawn[*next..]) {
            let own = N::row(own);
            let (left, bucket) = (of_elements[element.index()], N::choice(own, 0));
            if left == N::ARRIVING || in_the_way[bucket.index()] > begin {
                break;
            }
            now += N::STEP;
            states[left.index()] = now;
            departed.unlisted += u64::from(left == list);
            departed.total += departed.unlisted;
            let full = states[bucket.index()] > now;
            states[bucket.index()] = N::TAKEN;
            of_elements[element.index()] = select_unpredictable(full, N::ARRIVING, bucket);
            let at = passed % BLOCK;
            arrived.own[at] = own;
            arrived.others[0][at] = rows[bucket.index()];
            arrived.arriving[at] = Arriving::new(element, now);
            rows[select_unpredictable(full, list, bucket).index()] = own;
            in_the_way[select_unpredictable(full, bucket, list).index()] = now;
            passed += usize::from(full);
        }
        departed.rounds = ((now - begin) / N::STEP).index();
        places.now = now;
        stuck[0].number = passed;
        departed
    }

    /// Takes those whom the sub-table before `level` left through the later ones.
    fn settle(&mut self, level: usize, levels: usize, places: &mut Places<N>) {
        if level == levels {
            return self.list(level - 1, places);
        }
        let mut from = 0;
        while from < self.stuck[level - 1].number {
            from = match level {
                1 => self.take_to::<1>(from, places),
                2 => self.take_to::<2>(from, places),
                _ => self.take_to::<3>(from, places),
            };
            self.settle(level + 1, levels, places);
        }
    }

    /// Takes those whom the last sub-table left, from this one on, to sub-table `L`, to which those in their way may move. It
    /// ends before one whose place was in the way of an element that it leaves, or after all; where it ended.
    ///
    /// Where another element moves, whoever arrives gets its place and its name, and the name that arrives goes on with the
    /// other. That name may have departed from the place since then. Those who came in between, and are settled later, find the
    /// place taken nevertheless, and ask for the choices of whoever arrived. Nobody can have taken it again: a place that was
    /// in the way is not taken before its elements are settled.
    #[inline(never)]
    fn take_to<const L: usize>(&mut self, from: usize, places: &mut Places<N>) -> usize {
        let Self { rows, in_the_way, arrived, stuck, settled, .. } = self;
        let (rows, in_the_way) = ((**rows).as_mut(), (**in_the_way).as_mut());
        let list = N::list(places.slots);
        let Kept { states, of_elements, .. } = &mut *places.kept;
        let (states, of_elements) = (states.as_mut(), of_elements.as_mut());
        let (before, after) = stuck.split_at_mut(L);
        let (before, left) = (&before[L - 1], &mut after[0]);
        let begin = arrived.arriving[before.at::<L>(from)].time();
        let (mut end, mut passed, mut accesses, mut moves) = (before.number, 0, 0, 0);
        for i in from..before.number {
            let at = before.at::<L>(i);
            let (own, now) = (arrived.own[at], arrived.arriving[at].time());
            let own_there = N::choice(own, L);
            let own_state = states[own_there.index()];
            // The first that finds an empty bucket: whoever arrives, or one of those in the way.
            let (mut way, mut place, mut row) = (L + 1, own_there, own);
            for other in (0..L).rev() {
                let its_row = arrived.others[other][at];
                let to = N::choice(its_row, L);
                let empty = states[to.index()] <= now;
                way = select_unpredictable(empty, other + 1, way);
                place = select_unpredictable(empty, to, place);
                row = select_unpredictable(empty, its_row, row);
            }
            let empty = own_state <= now;
            way = select_unpredictable(empty, 0, way);
            place = select_unpredictable(empty, own_there, place);
            row = select_unpredictable(empty, own, row);
            if in_the_way[place.index()] >= begin {
                end = i;
                break;
            }
            let (is_stuck, moved) = (way > L, way.wrapping_sub(1) < L);
            states[place.index()] = select_unpredictable(is_stuck, own_state, N::TAKEN);
            of_elements[arrived.arriving[at].element().index()] = place;
            if L < MOST_LEVELS - 1 {
                arrived.others[L][at] = rows[own_there.index()];
            }
            rows[select_unpredictable(is_stuck, list, place).index()] = row;
            let exchanged = if L == 1 {
                N::choice(own, 0)
            } else {
                N::choice(own, way.wrapping_sub(1) % MOST_LEVELS)
            };
            rows[select_unpredictable(moved, exchanged, list).index()] = own;
            in_the_way[select_unpredictable(is_stuck, own_there, list).index()] = now;
            left.arrived[passed % BLOCK] = at as u16;
            passed += usize::from(is_stuck);
            accesses += way + usize::from(!is_stuck);
            moves += usize::from(moved);
        }
        left.number = passed;
        settled.accesses += accesses as u64;
        settled.moves += moves as u64;
        end
    }

    /// Puts those whom the last sub-table left on the overflow list.
    fn list(&mut self, last: usize, places: &mut Places<N>) {
        let Self { arrived, stuck, settled, .. } = self;
        let stuck = &stuck[last];
        settled.overflowed += stuck.number as u64;
        for i in 0..stuck.number {
            let at = if last == 0 { i } else { stuck.arrived[i].into() } % BLOCK;
            settled.listed += places.list_one(arrived.arriving[at]);
        }
    }
}

impl Stuck {
    /// Which of those who arrived is the i-th that comes to sub-table `L`.
    #[inline(always)]
    fn at<const L: usize>(&self, i: usize) -> usize {
        if L == 1 { i % BLOCK } else { usize::from(self.arrived[i % BLOCK]) % BLOCK }
    }
}
