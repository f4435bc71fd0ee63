//! Probabilities of long clusters, long searches and failed insertions: fills that can be taken up again.

use super::occupied::Occupied;
use super::params::Size;
use super::table::Table;
use super::windows::Windows;
use crate::hash::{Choices as _, HashSpec, RandomSource, Source as _};
use crate::keys::Seeds;
use crate::math::elementary::ln;
use crate::rare::score::{CERTAIN, CountScore};
use crate::rare::{Branch, Peak, Rare, Rise};

/// What is counted of a fill, and how much of it is the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// The longest cluster has at least so many slots.
    Cluster(u32),
    /// So many elements at least pass from some slot to the next.
    Passing(u32),
    /// An insertion fails, which it may not before so many elements pass a slot.
    Failure(u32),
}

/// Trials of the event that so much is reached, by fills of such a table.
pub(super) fn trials<T: Table + Send + 'static>(
    counted: Counted,
    size: &Size,
    hash: HashSpec,
    table: T,
) -> Box<dyn Rare> {
    let Size { elements, buckets } = *size;
    let occupied = Occupied::new(buckets);
    let crowds = crowds(counted, size);
    Box::new(FillTrial { counted, elements, buckets, hash, occupied, table, crowds })
}

/// Intervals of time at whose ends it is told how many elements are still expected.
const INTERVALS: u32 = 32;

/// A way in which an event comes about: too many elements have their hash values in so many consecutive slots.
struct Crowd {
    windows: Windows,
    /// The most elements of a window so far.
    most: u32,
    /// How probable it is that a window gets too many.
    score: CountScore,
}

impl Crowd {
    /// More elements than `beyond` in so many slots.
    fn new(slots: u32, beyond: u32, size: &Size) -> Self {
        let all = size.load() * f64::from(slots);
        let share = |interval| f64::from(INTERVALS - interval) / f64::from(INTERVALS);
        let left: Vec<f64> = (0..=INTERVALS).map(|interval| all * share(interval)).collect();
        let score = CountScore::new(beyond.into(), size.elements.into(), &left);
        Self { windows: Windows::new(size.buckets, slots), most: 0, score }
    }

    fn clear(&mut self) {
        self.windows.clear();
        self.most = 0;
    }

    /// The score after a step that brought an element of this hash value, where a window is fuller than any was before.
    #[inline]
    fn after(&mut self, step: u64, home: u32) -> Option<f64> {
        let count = self.windows.count(home);
        let is_fuller = count > self.most;
        self.most = self.most.max(count);
        is_fuller.then(|| self.score.after(step, count.into()))
    }
}

/// A cluster has as many elements as slots. Of elements that pass a slot, too many came into the slots before it: into as
/// many as make that likeliest, or into half or twice as many.
fn crowds(counted: Counted, size: &Size) -> Vec<Crowd> {
    let number = match counted {
        Counted::Cluster(slots) => return vec![Crowd::new(slots, slots - 1, size)],
        Counted::Passing(number) | Counted::Failure(number) => number,
    };
    let most = size.elements.saturating_sub(number).max(1);
    let by_exponent =
        |a: &u32, b: &u32| exponent(*a, number, size).total_cmp(&exponent(*b, number, size));
    let likeliest = (1..=most).min_by(by_exponent).unwrap_or(1);
    let mut slots = vec![likeliest.div_ceil(2), likeliest, (2 * likeliest).min(most)];
    slots.dedup();
    slots.into_iter().map(|slots| Crowd::new(slots, slots + number - 1, size)).collect()
}

/// −ln P(that many more elements than slots have their hash values there) by Chernoff's bound.
fn exponent(slots: u32, more: u32, size: &Size) -> f64 {
    let elements = f64::from(size.elements);
    let [share, expected] =
        [f64::from(slots + more) / elements, f64::from(slots) / f64::from(size.buckets)];
    let rest = 1.0 - share;
    let of_rest = if rest > 0.0 { rest * ln(rest / (1.0 - expected)) } else { 0.0 };
    elements * (share * ln(share / expected) + of_rest)
}

struct FillTrial<T> {
    counted: Counted,
    elements: u32,
    buckets: u32,
    hash: HashSpec,
    occupied: Occupied,
    /// Only tables whose insertions may fail have to be filled.
    table: T,
    crowds: Vec<Crowd>,
}

impl<T: Table> FillTrial<T> {
    /// Inserts an element of this hash value; whether that is the event.
    fn insert(&mut self, element: u32, home: u32) -> bool {
        match self.counted {
            Counted::Cluster(slots) => self.occupied.join(home).cluster >= slots,
            Counted::Passing(number) => self.occupied.join(home).passing >= number,
            Counted::Failure(_) => !self.table.insert(element, &[home]).stored,
        }
    }
}

impl<T: Table + Send> Rare for FillTrial<T> {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.occupied.clear();
        self.table.clear();
        self.crowds.iter_mut().for_each(Crowd::clear);
        let mut peak = Peak::new(rises);
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(self.elements.into(), |next| next.step);
            let mut source = RandomSource::new(&self.hash, Seeds::of(branch.seed, 0).hash);
            for step in branch.step..end {
                let home = source.element(&[]).next(self.buckets);
                if self.insert(step as u32, home) {
                    peak.look_at(step, CERTAIN);
                    return 1.0;
                }
                for crowd in &mut self.crowds {
                    if let Some(score) = crowd.after(step, home) {
                        peak.look_at(step, score);
                    }
                }
            }
        }
        0.0
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}
