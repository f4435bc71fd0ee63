//! Probabilities of a first-level function with a large Σ nᵢ²: draws that can be taken up again.

use super::point::Point;
use crate::chains::metrics::SUM_OF_SQUARES;
use crate::hash::{Choices as _, HashKind, HashSpec, RandomSource, Source as _};
use crate::keys::Seeds;
use crate::rare::score::{CERTAIN, CountScore};
use crate::rare::{Branch, Event, NotRare, Peak, Rare, Rise};

/// Intervals of time at whose ends it is told how many pairs are still expected to collide.
const INTERVALS: u32 = 32;

/// Whether there are trials of the event and it can happen.
///
/// # Errors
/// For other events, hash functions that look at keys, and sums greater than that of all elements in one bucket.
pub(super) fn check(point: &Point, event: &Event) -> Result<(), NotRare> {
    if event.metric != SUM_OF_SQUARES {
        return Err(NotRare::not_counted(event, &[SUM_OF_SQUARES]));
    }
    let kind = point.hash.hash();
    if kind != HashKind::Random {
        return Err(NotRare::hashed(kind.info().name));
    }
    let n = u64::from(point.elements);
    match event.beyond {
        beyond if beyond < n => {
            let reason = format!("Σ nᵢ² is at least the number of elements, {n}");
            Err(NotRare::new("beyond", reason))
        }
        beyond if beyond >= n * n => {
            let reason = format!("Σ nᵢ² is at most {}, of {n} elements in one bucket", n * n);
            Err(NotRare::new("beyond", reason))
        }
        _ => Ok(()),
    }
}

/// Trials of the event that Σ nᵢ² of the first function is greater. It grows with every element, so that the event is as
/// probable at any time as at the end.
///
/// # Errors
/// As [`check`].
pub(super) fn trials(point: &Point, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
    check(point, event)?;
    let (n, m) = (f64::from(point.elements), f64::from(point.buckets));
    // Each pair that collides adds 2 to the sum.
    let beyond = (event.beyond - u64::from(point.elements)) / 2;
    let left = |interval: u32| {
        let arrived = n * f64::from(interval) / f64::from(INTERVALS);
        (n * (n - 1.0) - arrived * (arrived - 1.0).max(0.0)) / (2.0 * m)
    };
    let left: Vec<f64> = (0..=INTERVALS).map(left).collect();
    Ok(Box::new(DrawTrial {
        hash: point.hash,
        elements: point.elements.into(),
        buckets: point.buckets,
        beyond,
        loads: vec![0; point.buckets as usize],
        score: CountScore::new(beyond, point.elements.into(), &left),
    }))
}

/// Elements that a random function puts into buckets, one after the other.
struct DrawTrial {
    hash: HashSpec,
    elements: u64,
    buckets: u32,
    /// Pairs that collide, beyond which is the event.
    beyond: u64,
    loads: Vec<u32>,
    score: CountScore,
}

impl Rare for DrawTrial {
    fn run(&mut self, history: &[Branch], rises: &mut Vec<Rise>) -> f64 {
        self.loads.fill(0);
        let mut pairs = 0;
        let mut peak = Peak::new(rises);
        for (i, branch) in history.iter().enumerate() {
            let end = history.get(i + 1).map_or(self.elements, |next| next.step);
            let mut source = RandomSource::new(&self.hash, Seeds::of(branch.seed, 0).hash);
            for step in branch.step..end {
                let load = &mut self.loads[source.element(&[]).next(self.buckets) as usize];
                let collides = *load;
                *load += 1;
                // An element without a pair is time that passed.
                if collides == 0 && step > 0 {
                    continue;
                }
                pairs += u64::from(collides);
                peak.look_at(step, self.score.after(step, pairs));
                if pairs > self.beyond {
                    return 1.0;
                }
            }
        }
        0.0
    }

    fn target(&self) -> f64 {
        CERTAIN
    }
}
