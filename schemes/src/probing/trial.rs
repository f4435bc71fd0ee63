//! One trial: a fill, rounds, look-ups.

use rand::SeedableRng;

use super::metrics;
use super::table::{Deletion, Insertion, Slots, Table};
use super::workload::{Alternation, Workload};
use crate::Rng;
use crate::case::Record;
use crate::keys::{ChoiceStream, Seeds};
use crate::metric::Metric;
use crate::summaries::metrics::{PROBES_PER_HIT, PROBES_PER_MISS};
use crate::tables::metrics::{MOVES_PER_DELETION, MOVES_PER_INSERTION};
use crate::uniform::Uniform;

/// Elements whose choices are asked for at once.
const CHUNK: u32 = 1024;

/// What the trials of a batch have in common, with the memory that they take in turn.
pub(super) struct Trial<T> {
    table: T,
    workload: Workload,
    /// n.
    elements: u32,
    /// Choices of an element.
    each: usize,
    choices: Vec<u32>,
}

/// What a trial found.
pub(super) struct Readings<'t> {
    insertions: Insertions,
    /// Deletions of the rounds, and elements moved by them.
    deleted: [u64; 2],
    hits: Hits,
    /// Absent keys asked for, and slots read for them.
    misses: [u64; 2],
    slots: &'t Slots,
}

#[derive(Default)]
struct Insertions {
    number: u64,
    probes: u64,
    moves: u64,
    failed: u64,
}

impl Insertions {
    fn count(&mut self, insertion: Insertion) {
        self.number += 1;
        self.probes += u64::from(insertion.probes);
        self.moves += u64::from(insertion.moves);
        self.failed += u64::from(!insertion.stored);
    }
}

#[derive(Default)]
struct Hits {
    number: u64,
    probes: u64,
    /// Beyond 64 bits in a full table of 2²⁷ slots.
    squares: u128,
    longest: u32,
}

impl Hits {
    fn count(&mut self, probes: u32) {
        self.number += 1;
        self.probes += u64::from(probes);
        self.squares += u128::from(probes) * u128::from(probes);
        self.longest = self.longest.max(probes);
    }

    /// The difference of whole numbers is taken before the division.
    fn variance(&self) -> Option<f64> {
        let (number, probes) = (u128::from(self.number), u128::from(self.probes));
        let squares = number * self.squares - probes * probes;
        (number > 0).then(|| squares as f64 / (number * number) as f64)
    }
}

impl<T: Table> Trial<T> {
    pub(super) fn new(table: T, workload: Workload, elements: u32, each: usize) -> Self {
        Self { table, workload, elements, each, choices: vec![0; CHUNK as usize * each] }
    }

    pub(super) fn run(&mut self, stream: &mut dyn ChoiceStream, seeds: &Seeds) -> Readings<'_> {
        stream.begin(seeds);
        self.table.clear();
        let mut insertions = self.fill(stream);
        let mut deleted = [0; 2];
        if let Some(Alternation { rounds, .. }) = self.workload.alternation {
            let mut rng = Rng::seed_from_u64(seeds.departures);
            (insertions, deleted) = self.alternate(rounds, stream, &mut rng);
        }
        self.table.settle();
        let misses = self.ask_for_strangers(stream);
        let mut hits = Hits::default();
        (0..self.elements)
            .filter_map(|element| self.table.hit(element))
            .for_each(|p| hits.count(p));
        Readings { insertions, deleted, hits, misses, slots: self.table.slots() }
    }

    fn fill(&mut self, stream: &mut dyn ChoiceStream) -> Insertions {
        let mut insertions = Insertions::default();
        let mut first = 0;
        while first < self.elements {
            let wanted = (self.elements - first).min(CHUNK) as usize;
            let arrived = stream.arrive(first, &mut self.choices[..wanted * self.each]);
            for (element, choices) in (first..first + arrived).zip(self.choices.chunks(self.each)) {
                insertions.count(self.table.insert(element, choices));
            }
            if arrived == 0 {
                break;
            }
            first += arrived;
        }
        insertions
    }

    /// So many rounds; deletions, and elements moved by them, beside the insertions.
    fn alternate(
        &mut self,
        rounds: u32,
        stream: &mut dyn ChoiceStream,
        rng: &mut Rng,
    ) -> (Insertions, [u64; 2]) {
        let (elements, mut insertions, mut moved) =
            (Uniform::new(self.elements), Insertions::default(), 0);
        for _ in 0..rounds {
            let element = elements.one(rng);
            moved += u64::from(self.table.delete(element));
            stream.depart(element);
            let choices = &mut self.choices[..self.each];
            if stream.arrive(element, choices) == 1 {
                insertions.count(self.table.insert(element, choices));
            }
        }
        (insertions, [rounds.into(), moved])
    }

    /// How many absent keys there were, and the slots read for them.
    fn ask_for_strangers(&mut self, stream: &mut dyn ChoiceStream) -> [u64; 2] {
        let (mut asked, mut probes) = (0, 0);
        while asked < self.workload.queries {
            let wanted = (self.workload.queries - asked).min(CHUNK) as usize;
            let number = stream.strangers(&mut self.choices[..wanted * self.each]);
            let keys = self.choices.chunks(self.each).take(number as usize);
            probes += keys.map(|choices| u64::from(self.table.miss(choices))).sum::<u64>();
            asked += number;
            if number == 0 {
                break;
            }
        }
        [asked.into(), probes]
    }
}

impl Readings<'_> {
    /// Hands over the readings; `has` says which of the metrics that not every scheme has are measured.
    pub(super) fn record(
        &self,
        workload: Workload,
        has: &dyn Fn(Metric) -> bool,
        out: &mut dyn Record,
    ) {
        let Self { insertions, deleted, hits, misses, slots } = self;
        let share = |part: u64, of: u64| (of > 0).then(|| part as f64 / of as f64);
        out.reading(PROBES_PER_HIT, share(hits.probes, hits.number));
        if workload.queries > 0 {
            out.reading(PROBES_PER_MISS, share(misses[1], misses[0]));
        }
        let per_insertion = |count| share(count, insertions.number);
        out.reading(metrics::PROBES_PER_INSERTION, per_insertion(insertions.probes));
        out.reading(metrics::PROBE_VARIANCE, hits.variance());
        out.reading(metrics::LONGEST_PROBE, Some(hits.longest.into()));
        out.reading(metrics::LONGEST_CLUSTER, Some(slots.longest_cluster().into()));
        if has(MOVES_PER_INSERTION) {
            out.reading(MOVES_PER_INSERTION, per_insertion(insertions.moves));
        }
        if has(metrics::FAILED_INSERTION_FRACTION) {
            out.reading(metrics::FAILED_INSERTION_FRACTION, per_insertion(insertions.failed));
        }
        match workload.deletion() {
            Some(Deletion::Tombstones) => {
                let tombstones = share(slots.tombstones().into(), slots.number().into());
                out.reading(metrics::TOMBSTONE_FRACTION, tombstones);
            }
            Some(Deletion::BackShift) => {
                out.reading(MOVES_PER_DELETION, share(deleted[1], deleted[0]));
            }
            Some(Deletion::Freed) | None => {}
        }
        out.end_of_trial();
    }
}
