//! Probabilities that a stash of so many places is too small, by splitting.

use super::forest::Forest;
use super::metrics::{self, EXCESS_ELEMENTS};
use super::params::Shape;
use crate::hash::Choices;
use crate::keys::Seeds;
use crate::math::elementary::ln;
use crate::rare::score::CERTAIN;
use crate::rare::{Arriving, Branch, Event, Insert, MadeFor, NotRare, Peak, Rare, Rise};

/// Whether there are trials of the event and it can happen.
///
/// # Errors
/// For other events and tables, and more excess than there are elements.
pub(super) fn check(shape: &Shape, event: &Event) -> Result<(), NotRare> {
    if event.metric != EXCESS_ELEMENTS {
        return Err(NotRare::not_counted(event, metrics::EVENTS));
    }
    if !shape.is_graph() {
        let reason = "the excess is counted with two choices and buckets of one only";
        return Err(NotRare::new("choices", reason));
    }
    let elements = shape.geometry.elements;
    if event.beyond < elements.into() {
        return Ok(());
    }
    let reason = format!("no more than the {elements} elements that arrive can be in excess");
    Err(NotRare::new("beyond", reason))
}

/// Trials of the event that more elements are in excess.
///
/// # Errors
/// As [`check`].
pub(super) fn trials(shape: &Shape, of: MadeFor, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
    check(shape, event)?;
    let (elements, buckets) = (shape.geometry.elements.into(), shape.geometry.buckets);
    let offset = if shape.sub_tables { shape.range() } else { 0 };
    let range = shape.range();
    let forest = Forest::new(buckets);
    let (places, arriving) = (Places { range, offset }, Arriving::new(&of));
    let beyond = event.beyond;
    Ok(Box::new(EdgesTrial { elements, buckets, places, beyond, of, arriving, forest }))
}

/// Elements that join buckets, one after the other.
struct EdgesTrial {
    elements: u64,
    buckets: u32,
    places: Places,
    beyond: u64,
    of: MadeFor,
    arriving: Arriving,
    forest: Forest,
}

/// Where the two choices of an element are.
#[derive(Debug, Clone, Copy)]
struct Places {
    range: u32,
    /// The first bucket of the second choice.
    offset: u32,
}

impl Insert for Places {
    /// The buckets of the element.
    type Outcome = [u32; 2];

    #[inline]
    fn insert(self, mut choices: impl Choices) -> [u32; 2] {
        let Self { range, offset } = self;
        [choices.next(range), offset + choices.next(range)]
    }
}

impl EdgesTrial {
    /// How probable it is, roughly, that what is missing of the excess still comes: each further element is in excess
    /// if both of its choices are in components without a free bucket. `ln (λ^k/k!)`, where k is what is missing and λ
    /// is how much is expected; a bucket more than are full, so that there is a difference before any is.
    fn score(&self, step: u64) -> f64 {
        let missing = (self.beyond + 1).saturating_sub(self.forest.excess().into());
        let full = f64::from(self.forest.full_buckets() + 1) / f64::from(self.buckets);
        // With the present one, so that there is always something left.
        let left = (self.elements - step) as f64;
        let ln_expected = ln(left * full * full);
        (1..=missing).map(|k| ln_expected - ln(k as f64)).sum::<f64>().min(CERTAIN)
    }
}

impl Rare for EdgesTrial {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.forest.clear();
        let mut peak = Peak::new(rises);
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(self.elements, |next| next.step);
            self.arriving.follow(&self.of, branch, &Seeds::of(branch.seed, 0));
            for step in branch.step..end {
                let [first, second] = self.arriving.arrive(step as u32, self.places);
                let before = self.forest.full_buckets();
                let in_excess = self.forest.join(first, second);
                if u64::from(self.forest.excess()) > self.beyond {
                    peak.look_at(step, CERTAIN);
                    return 1.0;
                }
                if in_excess || self.forest.full_buckets() != before || step == 0 {
                    peak.look_at(step, self.score(step));
                }
            }
        }
        0.0
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}
