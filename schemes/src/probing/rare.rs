//! Probabilities of long clusters, long searches and failed insertions: fills that can be taken up again.

use super::occupied::Occupied;
use super::params::Size;
use super::table::Table;
use super::windows::Windows;
use crate::hash::{Choices as _, HashSpec, RandomSource, Source as _};
use crate::keys::Seeds;
use crate::math::elementary::ln;
use crate::rare::score::{CERTAIN, CountScore};
use crate::rare::{Before, Branch, Kept, Peak, Rare, Rise};

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
pub(super) fn trials<T: Table + Clone + Send + 'static>(
    counted: Counted,
    size: &Size,
    hash: HashSpec,
    table: T,
) -> Box<dyn Rare> {
    let Size { elements, buckets } = *size;
    let (crowds, scores): (Vec<_>, Vec<_>) = crowds(counted, size)
        .into_iter()
        .map(|Crowd { slots, beyond }| {
            let windows = Windows::new(buckets, slots);
            (Crowded { windows, most: 0 }, score(slots, beyond, size))
        })
        .unzip();
    let slots = match counted {
        Counted::Failure(_) => Slots::Table(table),
        Counted::Cluster(_) | Counted::Passing(_) => Slots::Occupied(Occupied::new(buckets)),
    };
    let filled = Filled { slots, crowds };
    let kept = Kept::new((SLOTS / buckets) as usize);
    Box::new(FillTrial { counted, elements, buckets, hash, filled, scores, kept })
}

/// Slots of all fills that are kept.
const SLOTS: u32 = 1 << 20;

/// Bytes of these, at most: of nine for what is known of a slot, and of four for each of three crowds.
pub(super) const MOST_BYTES: u64 = 21 * SLOTS as u64;

/// Intervals of time at whose ends it is told how many elements are still expected.
const INTERVALS: u32 = 32;

/// A way in which an event comes about: more elements than `beyond` have their hash values in so many consecutive slots.
struct Crowd {
    slots: u32,
    beyond: u32,
}

/// How probable it is that a window of so many slots gets too many.
fn score(slots: u32, beyond: u32, size: &Size) -> CountScore {
    let all = size.load() * f64::from(slots);
    let share = |interval| f64::from(INTERVALS - interval) / f64::from(INTERVALS);
    let left: Vec<f64> = (0..=INTERVALS).map(|interval| all * share(interval)).collect();
    CountScore::new(beyond.into(), size.elements.into(), &left)
}

/// Windows of the slots of a crowd.
#[derive(Clone)]
struct Crowded {
    windows: Windows,
    /// The most elements of a window so far.
    most: u32,
}

impl Crowded {
    fn clear(&mut self) {
        self.windows.clear();
        self.most = 0;
    }

    /// The elements of the fullest window of this hash value, one that an element brought, if none was as full before.
    #[inline]
    fn fuller(&mut self, home: u32) -> Option<u32> {
        let count = self.windows.count(home);
        let is_fuller = count > self.most;
        self.most = self.most.max(count);
        is_fuller.then_some(count)
    }
}

/// A cluster has as many elements as slots. Of elements that pass a slot, too many came into the slots before it: into as
/// many as make that likeliest, or into half or twice as many.
fn crowds(counted: Counted, size: &Size) -> Vec<Crowd> {
    let number = match counted {
        Counted::Cluster(slots) => return vec![Crowd { slots, beyond: slots - 1 }],
        Counted::Passing(number) | Counted::Failure(number) => number,
    };
    let most = size.elements.saturating_sub(number).max(1);
    let by_exponent =
        |a: &u32, b: &u32| exponent(*a, number, size).total_cmp(&exponent(*b, number, size));
    let likeliest = (1..=most).min_by(by_exponent).unwrap_or(1);
    let mut slots = vec![likeliest.div_ceil(2), likeliest, (2 * likeliest).min(most)];
    slots.dedup();
    slots.into_iter().map(|slots| Crowd { slots, beyond: slots + number - 1 }).collect()
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

/// All that the elements so far decide.
#[derive(Clone)]
struct Filled<T> {
    slots: Slots<T>,
    crowds: Vec<Crowded>,
}

/// Only tables whose insertions may fail have to be filled: of others it is enough to know which slots are full.
#[derive(Clone)]
enum Slots<T> {
    Occupied(Occupied),
    Table(T),
}

impl<T: Table> Filled<T> {
    fn clear(&mut self) {
        match &mut self.slots {
            Slots::Occupied(occupied) => occupied.clear(),
            Slots::Table(table) => table.clear(),
        }
        self.crowds.iter_mut().for_each(Crowded::clear);
    }

    /// Inserts an element of this hash value; whether that is the event.
    fn insert(&mut self, counted: Counted, element: u32, home: u32) -> bool {
        match (&mut self.slots, counted) {
            (Slots::Table(table), _) => !table.insert(element, &[home]).stored,
            (Slots::Occupied(occupied), Counted::Cluster(slots)) => {
                occupied.join(home).cluster >= slots
            }
            (Slots::Occupied(occupied), Counted::Passing(number) | Counted::Failure(number)) => {
                occupied.join(home).passing >= number
            }
        }
    }
}

struct FillTrial<T> {
    counted: Counted,
    elements: u32,
    buckets: u32,
    hash: HashSpec,
    filled: Filled<T>,
    /// Of each crowd.
    scores: Vec<CountScore>,
    kept: Kept<Filled<T>>,
}

impl<T: Table + Clone> FillTrial<T> {
    /// Fills as far as that is known of histories that begin as this one; the branch that is next.
    fn begin(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> usize {
        match self.kept.furthest(history) {
            Some((branch, Before { state, rises: risen })) => {
                self.filled.clone_from(state);
                rises.extend(risen);
                branch
            }
            None => {
                self.filled.clear();
                0
            }
        }
    }
}

impl<T: Table + Clone + Send> Rare for FillTrial<T> {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        let first = self.begin(history, rises);
        let mut peak = Peak::new(rises);
        for (i, branch) in history.iter().enumerate().skip(first) {
            if i > first && i + 1 == history.len() {
                let filled = &self.filled;
                self.kept.keep(history, peak.rises(), || Some(filled.clone()));
            }
            let end = history.get(i + 1).map_or(self.elements.into(), |next| next.step);
            let mut source = RandomSource::new(&self.hash, Seeds::of(branch.seed, 0).hash);
            for step in branch.step..end {
                let home = source.element(&[]).next(self.buckets);
                if self.filled.insert(self.counted, step as u32, home) {
                    peak.look_at(step, CERTAIN);
                    return 1.0;
                }
                for (crowd, score) in self.filled.crowds.iter_mut().zip(&mut self.scores) {
                    if let Some(count) = crowd.fuller(home) {
                        peak.look_at(step, score.after(step, count.into()));
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
