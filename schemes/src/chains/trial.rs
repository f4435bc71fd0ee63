//! Trials of a table with chains.

use std::ops::Range;

use super::attack::{Attack, Search};
use super::chained::Chained;
use super::metrics::{COLLISION_FRACTION, LOAD_GAP, SUM_OF_SQUARES, max_load_at_most};
use super::point::Point;
use crate::case::Record;
use crate::keys::{ChoiceStream, Seeds};
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};
use crate::tables::metrics::{MAX_LOAD, occupancy};

/// Absent keys whose choices are made at once.
const CHUNK: usize = 1024;

/// The memory of a batch of trials.
pub(super) struct Batch<'a> {
    point: &'a Point,
    chained: Chained,
    search: Search,
    absent: Vec<u32>,
    /// Buckets of 0, 1, … elements.
    numbers: Vec<u64>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(point: &'a Point) -> Self {
        let (elements, buckets) = (point.size.elements, point.size.buckets);
        let chained = Chained::new(point.kind.firsts(&point.ranges), buckets, elements);
        let absent = vec![0; CHUNK * point.ranges.len()];
        Self { point, chained, search: Search::new(), absent, numbers: Vec::new() }
    }

    /// Runs these trials with this stream of choices.
    pub(super) fn run(
        &mut self,
        stream: &mut dyn ChoiceStream,
        seed: u64,
        trials: Range<u64>,
        out: &mut dyn Record,
    ) {
        for number in trials {
            let arrived = self.arrive(stream, &Seeds::of(seed, number));
            self.chained.fill(arrived);
            let per_hit =
                (arrived > 0).then(|| self.chained.probes_of_hits() as f64 / f64::from(arrived));
            out.reading(PROBES_PER_HIT, per_hit);
            out.reading(PROBES_PER_MISS, self.ask_for_absent(stream));
            self.record_loads(arrived, out);
            out.end_of_trial();
        }
    }

    /// Writes the choices of the elements; how many there are.
    fn arrive(&mut self, stream: &mut dyn ChoiceStream, seeds: &Seeds) -> u32 {
        let choices = self.chained.choices();
        match self.point.attack {
            Some(attack @ (Attack::KnownFunction | Attack::OtherFunction)) => {
                let under_another = attack == Attack::OtherFunction;
                self.search.write(stream, seeds, under_another, choices);
                self.point.size.elements
            }
            _ => {
                stream.begin(seeds);
                stream.arrive(0, choices)
            }
        }
    }

    /// Entries read per look-up of an absent key; `None` where there is none.
    fn ask_for_absent(&mut self, stream: &mut dyn ChoiceStream) -> Option<f64> {
        let (choices, mut left) = (self.point.ranges.len(), self.point.queries as usize);
        let (mut asked, mut probes) = (0, 0);
        while left > 0 {
            let wanted = left.min(CHUNK);
            let made = stream.strangers(&mut self.absent[..wanted * choices]) as usize;
            let keys = self.absent.chunks_exact(choices).take(made);
            probes += keys.map(|own| self.chained.probes_of_miss(own)).sum::<u64>();
            asked += made;
            // A trace may have fewer keys that are not stored.
            left = if made < wanted { 0 } else { left - wanted };
        }
        (asked > 0).then(|| probes as f64 / asked as f64)
    }

    fn record_loads(&mut self, arrived: u32, out: &mut dyn Record) {
        self.count_loads();
        let (numbers, n) = (&self.numbers, f64::from(arrived));
        let buckets = f64::from(self.point.size.buckets);
        let square = |(load, number): (u64, &u64)| load * load * number;
        let squares: u64 = (0..).zip(numbers).map(square).sum();
        let max_load = numbers.len() - 1;
        let pairs = n * (n - 1.0);
        out.reading(MAX_LOAD, Some(max_load as f64));
        out.reading(COLLISION_FRACTION, (pairs > 0.0).then(|| (squares as f64 - n) / pairs));
        out.reading(SUM_OF_SQUARES, Some(squares as f64));
        out.reading(LOAD_GAP, Some(max_load as f64 - n / buckets));
        for load in self.point.loads_measured() {
            let number = numbers.get(usize::from(load)).copied().unwrap_or(0);
            out.reading(occupancy(load), Some(number as f64 / buckets));
        }
        for load in self.point.maxima_measured() {
            let holds = max_load <= usize::from(load);
            out.reading(max_load_at_most(load), Some(f64::from(u8::from(holds))));
        }
    }

    /// Counts the buckets of each load up to the greatest.
    fn count_loads(&mut self) {
        let loads = self.chained.loads();
        let max_load = loads.iter().max().copied().unwrap_or(0);
        self.numbers.clear();
        self.numbers.resize(max_load as usize + 1, 0);
        loads.iter().for_each(|&load| self.numbers[load as usize] += 1);
    }
}
