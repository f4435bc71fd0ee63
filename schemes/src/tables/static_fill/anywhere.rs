//! Extreme second chance that asks the elements in the way for every sub-table, earlier ones too.
//!
//! The table is the same as where they are asked for later ones only: a stored element has found all
//! its earlier choices full, and nothing is deleted. There are more look-ups, though. An element whose first
//! choice is full reads all its choices at once. At each sub-table j that it gets past it asks the elements
//! in all its other choices: those in earlier sub-tables, one of which may move to j, and those in later
//! ones, which cannot. If its insertion ends in the sub-table L, counted from 0, the element in its choice
//! in a sub-table i is asked in vain for each j < min(i, L), unless that choice is empty.
//!
//! For i ≤ L the element gets to the sub-table i, where this is counted. For i > L it does not: its choice
//! is drawn when the sub-table i is filled, and was full if the bucket was filled by an earlier arrival. If
//! the element is then in the way of another one and asked for i, that choice is the answer. So the draw
//! belongs to the bucket that the element is in, with its arrival and the L of its insertion.

use super::level::{Buckets, Level};
use super::{CHUNK, Filled};
use crate::Rng;
use crate::uniform::Uniform;

/// Of a bucket that is not full.
const EMPTY: u32 = u32::MAX;

/// A sub-table of which it is known who is in it. The buckets of the first are named in the order in which they
/// fill.
#[derive(Debug, Clone)]
struct Peopled {
    level: Level,
    residents: Residents,
    /// The buckets, all full, of the elements that go on to the next sub-table, in order of arrival.
    row: Vec<u32>,
}

/// The elements of a sub-table, by bucket. Arrivals are counted from 0 among the elements whose first
/// choice was full.
#[derive(Debug, Clone)]
struct Residents {
    /// The arrival that filled the bucket, or [`EMPTY`].
    full_since: Vec<u32>,
    /// The arrival of the element in the bucket.
    arrived: Vec<u32>,
    /// The sub-table in which its insertion ended. It is 0 where it read its first choice only.
    ended: Vec<u8>,
    /// Its choice in the sub-table that is being filled. An element that takes its place has found its own
    /// choice there full, and that of the moved one is now full too: it need not be replaced. There are
    /// whole chunks of choices, some of them of no element.
    next: Vec<u32>,
}

/// The sub-tables, what is kept of the elements that go on, and of those that moved to the sub-table being filled.
#[derive(Debug, Clone)]
pub(super) struct Everywhere {
    levels: Vec<Peopled>,
    /// When they arrived, in that order.
    arrivals: Vec<u32>,
    moves: Vec<Move>,
}

/// An arriving element took the place of another one.
#[derive(Debug, Clone, Copy, Default)]
struct Move {
    arrival: u32,
    /// Where the other one was.
    level: u32,
    bucket: u32,
}

impl Everywhere {
    /// Empty sub-tables of these sizes.
    pub(super) fn new(sizes: impl Iterator<Item = u32>, elements: u32) -> Self {
        let most = elements as usize;
        let peopled = |size| {
            let residents = Residents::new(size as usize);
            Peopled { level: Level::new(size), residents, row: vec![0; most] }
        };
        let (arrivals, moves) = (vec![0; most], vec![Move::default(); most]);
        Self { levels: sizes.map(peopled).collect(), arrivals, moves }
    }

    /// The sub-tables in numbers.
    pub(super) fn levels(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().map(|peopled| &peopled.level)
    }

    /// Extreme second chance in empty sub-tables.
    pub(super) fn fill(&mut self, elements: u32, rng: &mut Rng) -> Filled {
        let mut filled = Filled { accesses: elements.into(), ..Filled::default() };
        let mut levels = std::mem::take(&mut self.levels);
        let further = levels.len().saturating_sub(1) as u64;
        if let Some(first) = levels.first_mut() {
            first.level.clear();
            first.residents.clear();
            filled.overflow = first.level.open::<1>(elements as usize, &mut first.row, rng) as u32;
            filled.accesses += u64::from(filled.overflow) * further;
        }
        (0..).zip(&mut self.arrivals).for_each(|(t, arrival)| *arrival = t);
        for i in 1..levels.len() {
            let (before, [level, ..]) = levels.split_at_mut(i) else { break };
            self.pass_after(before, level, &mut filled, rng);
        }
        self.levels = levels;
        filled
    }

    fn pass_after(
        &mut self,
        before: &mut [Peopled],
        level: &mut Peopled,
        filled: &mut Filled,
        rng: &mut Rng,
    ) {
        level.residents.clear();
        before.iter_mut().for_each(|before| before.residents.choose(&level.level.uniform, rng));
        let moved = match &mut *before {
            [] => 0,
            [a] => self.pass([a], level, filled, rng),
            [a, b] => self.pass([a, b], level, filled, rng),
            [a, b, c] => self.pass([a, b, c], level, filled, rng),
            [a, b, c, d] => self.pass([a, b, c, d], level, filled, rng),
            [a, b, c, d, e] => self.pass([a, b, c, d, e], level, filled, rng),
            [a, b, c, d, e, f] => self.pass([a, b, c, d, e, f], level, filled, rng),
            [a, b, c, d, e, f, g, ..] => self.pass([a, b, c, d, e, f, g], level, filled, rng),
        };
        let settled = before.iter().map(|before| before.residents.reads(&level.residents));
        filled.accesses += settled.sum::<u64>();
        level.settle(before.len() as u8);
        for &moved in &self.moves[..moved] {
            moved.follow(before, level);
        }
    }

    /// As [`Level::pass`] of elements in buckets with names; how many moved.
    fn pass<const W: usize>(
        &mut self,
        before: [&mut Peopled; W],
        level: &mut Peopled,
        filled: &mut Filled,
        rng: &mut Rng,
    ) -> usize {
        let arriving = filled.overflow as usize;
        let Peopled { level: Level { uniform, .. }, row: own, residents } = level;
        let (full_since, own) = (&mut residents.full_since[..], &mut own[..arriving]);
        let (arrivals, log) = (&mut self.arrivals[..arriving], &mut self.moves[..arriving]);
        let mut before = before.map(|b| (&b.residents.next[..], &mut b.row[..arriving]));
        let mut choices = [0; CHUNK];
        let (mut passed, mut moves, mut reads) = (0, 0, 0);
        for start in (0..arriving).step_by(CHUNK) {
            uniform.fill(rng, &mut choices);
            for (t, &choice) in (start..arriving).zip(&choices) {
                let arrival = arrivals[t];
                let found_full = 1 - fill_if(&mut full_since[choice as usize], 1, arrival);
                let mut stuck = found_full;
                reads += W as u64 * u64::from(found_full);
                let mut from = Move { arrival, level: 0, bucket: 0 };
                for ((next, before), j) in before.iter_mut().zip(0..) {
                    let bucket = before[t];
                    reads += u64::from(stuck);
                    let to = &mut full_since[next[bucket as usize] as usize];
                    let moved = fill_if(to, stuck, arrival);
                    // One of them moves at most, so that the others add nothing.
                    let chosen = u32::from(moved).wrapping_neg();
                    from.level |= chosen & j;
                    from.bucket |= chosen & bucket;
                    stuck -= moved;
                    before[passed] = bucket;
                }
                log[moves] = from;
                moves += usize::from(found_full - stuck);
                own[passed] = choice;
                arrivals[passed] = arrival;
                passed += usize::from(stuck);
            }
        }
        filled.accesses += reads;
        filled.moves += moves as u64;
        filled.overflow = passed as u32;
        moves
    }
}

/// Fills a bucket if it is empty and an element `tries`; 1 where it did.
#[inline(always)]
fn fill_if(full_since: &mut u32, tries: u8, arrival: u32) -> u8 {
    let fills = tries & u8::from(*full_since == EMPTY);
    *full_since = if fills == 1 { arrival } else { *full_since };
    fills
}

impl Residents {
    fn new(buckets: usize) -> Self {
        let none = vec![0; buckets];
        let full_since = vec![EMPTY; buckets];
        let next = vec![0; buckets.next_multiple_of(CHUNK)];
        Self { full_since, arrived: none, ended: vec![0; buckets], next }
    }

    fn clear(&mut self) {
        self.full_since.fill(EMPTY);
        self.ended.fill(0);
    }

    /// Draws the choice of each element in a sub-table.
    fn choose(&mut self, uniform: &Uniform, rng: &mut Rng) {
        self.next.as_chunks_mut::<CHUNK>().0.iter_mut().for_each(|chunk| uniform.fill(rng, chunk));
    }

    /// What the elements whose insertion ended before the sub-table `level` read for their choices
    /// there: nothing for those that moved there, as it was empty when they arrived.
    fn reads(&self, level: &Residents) -> u64 {
        let elements = self.next.iter().zip(&self.arrived).zip(&self.ended);
        let reads = elements.map(|((&next, &arrived), &ended)| {
            let was_full = level.full_since[next as usize] < arrived;
            u64::from(was_full) * u64::from(ended)
        });
        reads.sum()
    }
}

impl Peopled {
    /// Takes down who is in the sub-table, the `i`-th from 0, as if nobody had moved there.
    fn settle(&mut self, i: u8) {
        let Residents { full_since, arrived, ended, .. } = &mut self.residents;
        arrived.copy_from_slice(full_since);
        let mut full = 0;
        for (ended, since) in ended.iter_mut().zip(full_since) {
            let is_full = u8::from(*since != EMPTY);
            *ended = is_full * i;
            full += u32::from(is_full);
        }
        self.level.buckets = Buckets::all_full(full);
    }
}

impl Move {
    /// Takes down who moved to the sub-table `level`, and who replaced it.
    fn follow(self, before: &mut [Peopled], level: &mut Peopled) {
        let i = before.len() as u8;
        let (left, entered) = (&mut before[self.level as usize].residents, &mut level.residents);
        let from = self.bucket as usize;
        let to = left.next[from] as usize;
        entered.arrived[to] = std::mem::replace(&mut left.arrived[from], self.arrival);
        entered.ended[to] = std::mem::replace(&mut left.ended[from], i);
    }
}
