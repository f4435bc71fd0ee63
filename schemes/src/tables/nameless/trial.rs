//! One trial in rounds with random choices.

use rand::SeedableRng;

use super::Nameless;
use super::departures::{BLOCK, Departures};
use super::drawn::Drawn;
use crate::Rng;
use crate::hash::derive_seed;
use crate::keys::Seeds;
use crate::tables::Geometry;
use crate::tables::trial::{Rounds, Sums};
use crate::uniform::Ranges;

/// Any element, in a table that does not know one from another.
const NOBODY: u32 = 0;

/// What the trials of a point have in common.
#[derive(Debug, Clone, Copy)]
pub struct Shape<const R: usize> {
    geometry: Geometry,
    pub(super) ranges: Ranges<R>,
}

impl<const R: usize> Shape<R> {
    pub(in crate::tables) fn new(geometry: Geometry, ranges: [u32; R]) -> Self {
        Self { geometry, ranges: Ranges::new(ranges) }
    }
}

/// Runs one trial on an empty table, which is given back.
pub(in crate::tables) fn run<T: Nameless, const R: usize>(
    table: T,
    shape: &Shape<R>,
    rounds: Rounds,
    seeds: &Seeds,
) -> (T, Sums) {
    match table.is_certain() {
        true => Trial::new(table, shape, seeds).run::<true>(rounds),
        false => Trial::new(table, shape, seeds).run::<false>(rounds),
    }
}

/// It goes from method to method by value: what a loop changes is then a local, which the compiler can keep in
/// registers.
struct Trial<T, const R: usize> {
    table: T,
    geometry: Geometry,
    ranges: Ranges<R>,
    choices: Rng,
    chance: Rng,
    departures: Departures,
}

/// The choices of those that arrive in a block of rounds.
type Arriving<const R: usize> = [[u32; R]; BLOCK];

impl<T: Nameless, const R: usize> Trial<T, R> {
    fn new(table: T, shape: &Shape<R>, seeds: &Seeds) -> Self {
        let Geometry { buckets, bucket_size, .. } = shape.geometry;
        let departures = Rng::seed_from_u64(seeds.departures);
        Self {
            table,
            geometry: shape.geometry,
            ranges: shape.ranges,
            choices: Rng::seed_from_u64(derive_seed(seeds.hash, 0)),
            chance: Rng::seed_from_u64(seeds.scheme),
            departures: Departures::new(departures, buckets, bucket_size.into()),
        }
    }

    fn run<const CERTAIN: bool>(self, rounds: Rounds) -> (T, Sums) {
        match rounds {
            Rounds::Filling => {
                let (trial, mut sums) = self.fill::<CERTAIN>();
                sums.look(&trial.table);
                (trial.table, sums)
            }
            Rounds::Window { filled, warm_up, rounds } => {
                let (trial, _) = self.start::<CERTAIN>(filled).alternate::<CERTAIN>(warm_up);
                let (trial, sums) = trial.alternate::<CERTAIN>(rounds);
                (trial.table, sums)
            }
            Rounds::Moment { filled, rounds } => {
                let (trial, _) = self.start::<CERTAIN>(filled).alternate::<CERTAIN>(rounds);
                let mut sums = Sums::default();
                sums.look(&trial.table);
                (trial.table, sums)
            }
        }
    }

    fn start<const CERTAIN: bool>(mut self, filled: bool) -> Self {
        if filled {
            return self.fill::<CERTAIN>().0;
        }
        (0..self.geometry.elements).for_each(|element| self.table.insert_overflowed(element));
        self
    }

    /// All n elements arrive.
    #[inline(never)]
    fn fill<const CERTAIN: bool>(mut self) -> (Self, Sums) {
        let mut sums = Sums { arrivals: self.geometry.elements.into(), ..Sums::default() };
        for element in 0..self.geometry.elements {
            let choices = Drawn::new(&self.ranges, &mut self.choices);
            sums.add(self.table.insert::<CERTAIN>(element, choices, &mut self.chance), false);
            sums.read(&self.table);
        }
        (self, sums)
    }

    /// So often, a random element departs and one arrives.
    #[inline(always)]
    fn alternate<const CERTAIN: bool>(self, rounds: u64) -> (Self, Sums) {
        match self.table.has_names() {
            true => self.alternate_elements::<CERTAIN>(rounds),
            false => self.alternate_places::<CERTAIN>(rounds),
        }
    }

    /// The element that departs is drawn, and its number is that of the one that arrives.
    fn alternate_elements<const CERTAIN: bool>(mut self, rounds: u64) -> (Self, Sums) {
        let mut sums = Sums::of_window(rounds);
        let mut left = rounds;
        let mut arriving = [[0; R]; BLOCK];
        while left > 0 {
            self.ranges.fill(&mut self.choices, &mut arriving);
            let departing = self.departures.elements(self.geometry.elements);
            let number = left.min(BLOCK as u64);
            self.table.read_rounds_ahead(departing, &arriving);
            let of_block = (&departing[..number as usize], &arriving);
            let more;
            (self.table, self.chance, more) =
                through::<CERTAIN, _, R>(self.table, self.chance, of_block);
            sums = sums.and(&more);
            left -= number;
        }
        (self, sums)
    }

    /// Places are drawn until somebody is there.
    #[inline(never)]
    fn alternate_places<const CERTAIN: bool>(mut self, rounds: u64) -> (Self, Sums) {
        let mut sums = Sums::of_window(rounds);
        let mut left = rounds;
        let Geometry { buckets, bucket_size, .. } = self.geometry;
        while left > 0 {
            for place in self.departures.places(self.table.entries()) {
                let deletion = match place.row.checked_sub(buckets) {
                    None => self.table.vacate(place.row, place.slot),
                    Some(row) => self.table.unlist(row * u32::from(bucket_size) + place.slot),
                };
                let Some(deletion) = deletion else { continue };
                sums.delete(deletion);
                let choices = Drawn::new(&self.ranges, &mut self.choices);
                sums.add(self.table.insert::<CERTAIN>(NOBODY, choices, &mut self.chance), false);
                sums.read(&self.table);
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
        (self, sums)
    }
}

/// Goes through the rounds of a block. What was drawn for it stays outside, so that registers are left for what changes.
#[inline(never)]
fn through<const CERTAIN: bool, T: Nameless, const R: usize>(
    mut table: T,
    mut chance: Rng,
    (departing, arriving): (&[u32], &Arriving<R>),
) -> (T, Rng, Sums) {
    let mut sums = Sums::default();
    for (&element, &numbers) in departing.iter().zip(arriving) {
        sums.delete(table.delete(element));
        let choices = Drawn::of(numbers);
        sums.add(table.insert::<CERTAIN>(element, choices, &mut chance), false);
        sums.read(&table);
    }
    (table, chance, sums)
}
