//! Elements with drawn choices, of which it becomes known question by question whether they are in excess.
//!
//! That both choices of an element are in components without a free bucket would raise the score at once by a factor that
//! few particles survive. So of either choice it is asked whether it is in one half of the buckets, in which all full ones
//! are, then in one half of that, and so on. Buckets have no order, so that what is not full has its place among the others
//! by a draw of its own; and where a branch begins between two questions, bucket and place are drawn until the answers are
//! those that are known.

use rand::{Rng as _, SeedableRng};

use super::Places;
use crate::Rng;
use crate::cuckoo_tables::forest::Forest;
use crate::hash::reduce;
use crate::math::elementary::{ln, ln_1p};
use crate::rare::score::CERTAIN;
use crate::rare::{Branch, Generators, Peak, Rare, Rise};

/// Steps of a choice, of which an element has two; the last of all is that it is put into its bucket.
const OF_CHOICE: u64 = 64;
const OF_ELEMENT: u64 = 2 * OF_CHOICE;

/// Raises of the expected number by less than this share are not looked at.
const LEAST_RAISE: f64 = 0.1;

/// Elements that join buckets, one after the other.
pub(super) struct DrawnTrial {
    pub(super) elements: u64,
    pub(super) buckets: u32,
    pub(super) places: Places,
    pub(super) beyond: u64,
    pub(super) forest: Forest,
}

/// A bucket, and its place among all where the full ones are the first: below their number, or at it or above.
#[derive(Clone, Copy)]
struct Drawn {
    bucket: u32,
    place: u32,
}

impl DrawnTrial {
    /// What is still missing of the excess.
    fn missing(&self) -> u64 {
        (self.beyond + 1).saturating_sub(self.forest.excess().into())
    }

    /// How many of the elements from this one on are expected to be in excess. A bucket more than are full, so that there
    /// is a difference before any is.
    fn expected(&self, element: u64) -> f64 {
        let full = f64::from(self.forest.full_buckets() + 1) / f64::from(self.buckets);
        (self.elements - element) as f64 * full * full
    }

    /// How probable it is, roughly, that what is missing still comes, `ln (λ^k/k!)` where λ are expected and k missing.
    fn score(&self, element: u64) -> f64 {
        let ln_expected = ln(self.expected(element));
        let terms = (1..=self.missing()).map(|k| ln_expected - ln(k as f64));
        terms.sum::<f64>().min(CERTAIN)
    }

    /// The score where this element is in excess with this probability; `None` where that hardly raises it.
    fn score_with(&self, element: u64, in_excess: f64) -> Option<f64> {
        let more = self.missing() as f64 / self.expected(element);
        let raise = in_excess * (more - 1.0);
        (raise > LEAST_RAISE).then(|| (self.score(element) + ln_1p(raise)).min(CERTAIN))
    }

    /// A bucket from this one on that is among the first `below` of all.
    fn draw(&mut self, first: u32, below: u32, rng: &mut Rng) -> Drawn {
        let full = self.forest.full_buckets();
        loop {
            let bucket = first + reduce(rng.next_u64(), self.places.range);
            if self.forest.is_full(bucket) {
                return Drawn { bucket, place: 0 };
            }
            let place = full + reduce(rng.next_u64(), self.buckets - full);
            if place < below {
                return Drawn { bucket, place };
            }
        }
    }

    /// The choice from this bucket on of the element, and whether it is full. Of each answer that leaves this open, `known`
    /// is told how probable it is then.
    fn choose(
        &mut self,
        first: u32,
        first_step: u64,
        chance: &mut Generators<'_>,
        mut known: impl FnMut(&Self, u64, f64),
    ) -> Drawn {
        let full = self.forest.full_buckets();
        let mut drawn = self.draw(first, self.buckets, chance.at(first_step));
        let (mut step, mut below) = (first_step, self.buckets);
        loop {
            below = (below / 2).max(full);
            if drawn.place >= below {
                return drawn;
            }
            known(self, step, f64::from(full) / f64::from(below));
            if below == full {
                return drawn;
            }
            step += 1;
            if chance.reach(step) {
                drawn = self.draw(first, below, &mut chance.rng);
            }
        }
    }

    /// An element arrives; whether that is the event.
    fn arrive(&mut self, element: u64, chance: &mut Generators<'_>, peak: &mut Peak<'_>) -> bool {
        let first_step = element * OF_ELEMENT;
        let full = self.forest.full_buckets();
        let taken = f64::from(full) / f64::from(self.buckets);
        let mut look = |trial: &Self, step: u64, in_excess: f64| {
            if let Some(score) = trial.score_with(element, in_excess) {
                peak.look_at(step, score);
            }
        };
        let first = self.choose(0, first_step, chance, |trial, step, share| {
            look(trial, step, share * taken);
        });
        let (offset, second_step) = (self.places.offset, first_step + OF_CHOICE);
        // After a first one that is not full the second decides nothing.
        let second = match first.place < full {
            true => self.choose(offset, second_step, chance, &mut look).bucket,
            false => offset + reduce(chance.at(second_step).next_u64(), self.places.range),
        };
        let in_excess = self.forest.join(first.bucket, second);
        let step = first_step + OF_ELEMENT - 1;
        if self.missing() == 0 {
            peak.look_at(step, CERTAIN);
            return true;
        }
        if in_excess || self.forest.full_buckets() != full || element == 0 {
            peak.look_at(step, self.score(element));
        }
        false
    }
}

impl Rare for DrawnTrial {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.forest.clear();
        let mut peak = Peak::new(rises);
        let mut chance = Generators::new(Rng::seed_from_u64(0), 0, history);
        let happens =
            (0..self.elements).any(|element| self.arrive(element, &mut chance, &mut peak));
        f64::from(u8::from(happens))
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}
