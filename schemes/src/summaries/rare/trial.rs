//! A table that is filled sub-table after sub-table, in steps after which it can be taken up again.

use rand::SeedableRng;

use super::arrival::Arrival;
use super::kept::{Fill, Kept};
use super::score::{Filling, Score};
use crate::Rng;
use crate::hash::derive_seed;
use crate::rare::score::CERTAIN;
use crate::rare::{Branch, Generators, Peak, Rare, Rise};
use crate::summaries::{Asked, Census, Multilevel, Summary};
use crate::uniform::{Uniform, with_own};

/// Steps in which a sub-table is filled that leaves many elements over.
const PARTS: u64 = 32;

/// Elements that a sub-table is expected to leave over below which each of them counts.
const FEW: f64 = 16.0;

/// Steps of a sub-table and of an element, in the numbers that steps have.
const OF_SUB_TABLE: u32 = 40;
const OF_ELEMENT: u32 = 6;

/// Trials of a table with its summary.
pub(super) struct FillTrial<S: Summary> {
    elements: u32,
    sub_tables: Vec<SubTable>,
    /// Of the last trial.
    census: Census,
    score: Score,
    kept: Kept,
    summary: S,
    drawn: S::Drawn,
    /// The event is a crisis of more elements than that; where there is none, it is that an element fails.
    beyond: Option<u64>,
}

/// A sub-table, whose buckets have no names.
struct SubTable {
    /// How many they are.
    number: u32,
    buckets: Uniform,
    /// How many are taken.
    taken: u32,
}

impl SubTable {
    /// So many more elements come: how many find their bucket taken.
    fn take(&mut self, elements: u32, rng: &mut Rng) -> u32 {
        let mut taken = self.taken;
        with_own(rng, |rng| {
            self.buckets.each(elements as usize, rng, |rank| taken += u32::from(rank >= taken));
        });
        let left = elements - (taken - self.taken);
        self.taken = taken;
        left
    }
}

impl<S: Summary> FillTrial<S> {
    pub(super) fn new(table: &Multilevel, summary: &S, score: Score, beyond: Option<u64>) -> Self {
        let sub_table = |number| SubTable { number, buckets: Uniform::dense(number), taken: 0 };
        Self {
            elements: table.elements(),
            sub_tables: table.sizes().into_iter().map(sub_table).collect(),
            census: Census::new(table.types()),
            score,
            kept: Kept::new(table.sizes().len(), first_step),
            summary: summary.clone(),
            drawn: summary.drawn(),
            beyond,
        }
    }

    /// The probability of the event in the filled table.
    fn chance(&mut self, seed: u64) -> f64 {
        match self.beyond {
            Some(beyond) => f64::from(u8::from(u64::from(self.census.crisis()) > beyond)),
            None => {
                let mut rng = Rng::seed_from_u64(derive_seed(seed, 1));
                let asked = Asked::default();
                let answers =
                    self.summary.ask_drawn(&mut self.drawn, &self.census, &asked, &mut rng);
                answers.given.map_or(0.0, |given| given.failure)
            }
        }
    }
}

impl<S: Summary> FillTrial<S> {
    /// Before the first sub-table.
    fn empty(&self) -> Fill {
        let (coming, rng) = (self.elements, Rng::seed_from_u64(0));
        let mut census = self.census.clone();
        census.begin(coming);
        Fill { filled: 0, coming, before: 0.0, census, rng, seed: 0 }
    }

    /// Fills the next sub-table, up to all branches before the one that follows.
    fn fill_next(&mut self, fill: &mut Fill, history: &[Branch], rises: &mut Vec<Rise>) {
        let (sub_table, coming, before) = (fill.filled, fill.coming, fill.before);
        self.sub_tables[sub_table].taken = 0;
        let own = Own { sub_table, coming, before };
        let passed = self.kept.branches(history, sub_table).len();
        let mut chance = Generators::new(fill.rng.clone(), fill.seed, &history[passed..]);
        let mut peak = Peak::new(rises);
        let left = match self.score.left_over(sub_table, coming) < FEW {
            true => self.fill_closely(&own, &mut peak, &mut chance),
            false => self.fill(&own, &mut peak, &mut chance),
        };
        fill.filled += 1;
        chance.at(first_step(fill.filled) - 1);
        (fill.rng, fill.seed) = (chance.rng, chance.seed);
        fill.census.place(fill.filled as u8, coming - left);
        fill.before += self.score.events_of(sub_table, coming, left);
        fill.coming = left;
    }

    /// Fills a sub-table to which many elements come, in a few steps: how many it leaves over.
    fn fill(&mut self, own: &Own, peak: &mut Peak<'_>, chance: &mut Generators<'_>) -> u32 {
        let Own { sub_table, coming, before } = *own;
        let (mut come, mut left) = (0, 0);
        for part in 1..=PARTS {
            let step = own.first_step() + part;
            let so_far = (u64::from(coming) * part / PARTS) as u32;
            left += self.sub_tables[sub_table].take(so_far - come, chance.at(step));
            come = so_far;
            let filling = Filling { sub_table, coming, to_come: coming - come, left };
            peak.look_at(step, self.score.of(before, &filling));
        }
        left
    }

    /// Fills a sub-table that hardly leaves an element over, element by element: how many it leaves over.
    ///
    /// That an element finds its bucket taken would raise the score at once by a large factor, of which few particles of
    /// many would be left. So the bucket becomes known question by question: whether it is among one half of the range in
    /// which all taken buckets are, then one half of that. Buckets have no names, so that the taken ones may be the first.
    fn fill_closely(&self, own: &Own, peak: &mut Peak<'_>, chance: &mut Generators<'_>) -> u32 {
        let Own { sub_table, coming, before } = *own;
        let mut left = 0;
        let mut most = Most::unknown();
        for element in 0..coming {
            let events = |left| {
                let to_come = coming - element - 1;
                self.score.events(before, &Filling { sub_table, coming, to_come, left })
            };
            let first_step = own.first_step() + (u64::from(element) << OF_ELEMENT);
            let arrival = Arrival {
                first_step,
                buckets: self.sub_tables[sub_table].number,
                taken: element - left,
            };
            let is_left = arrival.finds_taken(chance, |step, share| {
                if peak.is_below(Score::of_events(most.at_most(share))) {
                    most = Most { events: events(left), of_one_more: events(left + 1) };
                    peak.look_at(step, Score::of_events(most.with(share)));
                }
            });
            if is_left {
                left += 1;
                most = Most::unknown();
            }
        }
        left
    }
}

/// Events that are expected with as many elements left over as there are, or one more: those found last, which become
/// fewer as long as elements find empty buckets.
#[derive(Clone, Copy)]
struct Most {
    events: f64,
    of_one_more: f64,
}

impl Most {
    fn unknown() -> Self {
        Self { events: f64::INFINITY, of_one_more: f64::INFINITY }
    }

    /// Where one more is left over with this probability.
    fn with(&self, share: f64) -> f64 {
        self.events + share * (self.of_one_more - self.events)
    }

    /// No less than that, of these elements and of later ones.
    fn at_most(&self, share: f64) -> f64 {
        self.events + share * self.of_one_more
    }
}

/// The sub-table that is being filled.
#[derive(Clone, Copy)]
struct Own {
    sub_table: usize,
    /// Elements that come to it.
    coming: u32,
    /// Events expected of the sub-tables before it.
    before: f64,
}

impl Own {
    fn first_step(&self) -> u64 {
        first_step(self.sub_table)
    }
}

fn first_step(sub_table: usize) -> u64 {
    (sub_table as u64) << OF_SUB_TABLE
}

impl<S: Summary> Rare for FillTrial<S> {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        let mut fill = match self.kept.furthest(history) {
            Some(risen) => {
                rises.extend(&risen.rises);
                risen.fill.clone()
            }
            None => self.empty(),
        };
        while fill.filled < self.sub_tables.len() {
            self.fill_next(&mut fill, history, rises);
            if fill.filled < self.sub_tables.len() {
                self.kept.keep(history, fill.clone(), rises);
            }
        }
        self.census = fill.census;
        self.chance(fill.seed)
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}
