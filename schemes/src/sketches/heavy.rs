//! Heavy hitters: which flows are, which are reported, and how far the two agree.

use super::asked::Asked;
use super::heap::FlowHeap;
use super::trial::Trial;
use super::{Sketch, metrics};
use crate::case::Record;

/// Which flows are heavy hitters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Heavy {
    /// Those whose count is at least this share of ‖a‖₁, φ.
    Share(f64),
    /// So many with the greatest counts, k; of equal counts, that of the lower flow number is the greater.
    First(u32),
}

impl Heavy {
    /// The definition that is asked for.
    pub fn asked(asked: &Asked) -> Option<Self> {
        asked.phi.map(Heavy::Share).or(asked.first.map(Heavy::First))
    }

    /// The same where a heap beside the sketch keeps them: it does not keep flows itself, and there are estimates.
    pub fn in_heap<S: Sketch>(asked: &Asked) -> Option<Self> {
        Self::asked(asked).filter(|_| !S::KEEPS_FLOWS && S::ESTIMATES_FLOWS)
    }

    /// Keeps heavy hitters in a heap beside a sketch: `flow` has just been updated, its estimate is this one, and ‖a‖₁ of
    /// the stream so far is `norm`.
    #[inline]
    pub fn keep(self, heap: &mut FlowHeap, flow: u32, estimate: i64, norm: f64) {
        match self {
            Heavy::Share(phi) => keep_from(heap, flow, estimate, phi * norm),
            Heavy::First(flows) => keep_first(heap, flow, estimate, flows as usize),
        }
    }

    /// Whether each flow is a heavy hitter of a stream with these counts.
    fn among(self, counts: &[i64], norm: f64) -> Vec<bool> {
        match self {
            Heavy::Share(phi) => counts.iter().map(|&count| count as f64 >= phi * norm).collect(),
            Heavy::First(flows) => {
                let counted = (0..).zip(counts).filter(|(_, count)| **count != 0);
                let mut is_heavy = vec![false; counts.len()];
                for flow in first(counted.map(|(flow, &count)| (count, flow)).collect(), flows) {
                    is_heavy[flow as usize] = true;
                }
                is_heavy
            }
        }
    }

    /// The flows that are reported of those that are kept, each with the number by which it is judged.
    fn reported(self, kept: Vec<(i64, u32)>, norm: f64) -> Vec<u32> {
        match self {
            Heavy::Share(phi) => {
                let is_heavy = |count: i64| count as f64 >= phi * norm;
                kept.into_iter().filter(|(count, _)| is_heavy(*count)).map(|own| own.1).collect()
            }
            Heavy::First(flows) => first(kept, flows),
        }
    }
}

/// Keeps the flow if its estimate reaches the threshold, and drops those whose estimates no longer do.
fn keep_from(heap: &mut FlowHeap, flow: u32, estimate: i64, threshold: f64) {
    if estimate as f64 >= threshold {
        heap.set(flow, estimate);
    }
    while heap.min().is_some_and(|(least, _)| (least as f64) < threshold) {
        heap.pop();
    }
}

/// Keeps the flow if it is kept already, if there are fewer than `most`, or in place of one with a smaller estimate.
fn keep_first(heap: &mut FlowHeap, flow: u32, estimate: i64, most: usize) {
    if heap.get(flow).is_none() && heap.len() == most {
        if heap.min().is_none_or(|(least, _)| least >= estimate) {
            return;
        }
        heap.pop();
    }
    heap.set(flow, estimate);
}

/// The flows with the greatest counts, at most so many.
fn first(mut counted: Vec<(i64, u32)>, most: u32) -> Vec<u32> {
    counted.sort_unstable_by_key(|&(count, flow)| (std::cmp::Reverse(count), flow));
    counted.truncate(most as usize);
    counted.into_iter().map(|(_, flow)| flow).collect()
}

/// Hands over which of the heavy hitters the sketch reports.
pub fn record<S: Sketch>(
    sketch: &S,
    store: &S::Store,
    trial: &Trial<'_>,
    heavy: Heavy,
    out: &mut dyn Record,
) {
    let kept = if S::KEEPS_FLOWS { sketch.kept(store) } else { trial.heap.iter().collect() };
    let is_heavy = heavy.among(trial.counts, trial.norm);
    let reported = heavy.reported(kept, trial.norm);
    let right = reported.iter().filter(|flow| is_heavy[**flow as usize]).count() as f64;
    let heavy_hitters = is_heavy.iter().filter(|is_it| **is_it).count() as f64;
    let number = reported.len() as f64;
    let share = |of: f64| (of > 0.0).then(|| right / of);
    out.reading(metrics::PRECISION, share(number));
    out.reading(metrics::RECALL, share(heavy_hitters));
    out.reading(metrics::F1, share((number + heavy_hitters) / 2.0));
    out.reading(metrics::REPORTED_FLOWS, Some(number));
    if let Heavy::First(_) = heavy {
        let relative = reported.iter().map(|&flow| relative_error(sketch, store, trial, flow));
        let sum: f64 = relative.sum();
        out.reading(metrics::REPORTED_ARE, (number > 0.0).then(|| sum / number));
    }
}

fn relative_error<S: Sketch>(sketch: &S, store: &S::Store, trial: &Trial<'_>, flow: u32) -> f64 {
    let count = trial.counts[flow as usize];
    let error = sketch.estimate(store, trial.flow(flow as usize)) - count;
    error.unsigned_abs() as f64 / count.unsigned_abs() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_counts_the_lower_number_is_first() {
        let counts = [3, 0, 7, 3, 3];
        assert_eq!(Heavy::First(2).among(&counts, 16.0), [true, false, true, false, false]);
        assert_eq!(Heavy::First(9).among(&counts, 16.0), [true, false, true, true, true]);
        assert_eq!(Heavy::Share(0.25).among(&counts, 16.0), [false, false, true, false, false]);
        assert_eq!(Heavy::First(2).reported(vec![(3, 4), (9, 1), (3, 0)], 16.0), [1, 0]);
    }

    /// With the true counts as estimates, the heap holds the first k at any time.
    #[test]
    fn the_heap_holds_the_flows_of_the_greatest_estimates() {
        let (mut heap, mut counts) = (FlowHeap::default(), [0; 7]);
        for step in 0..200_u32 {
            let flow = step * step % 7;
            counts[flow as usize] += 1;
            Heavy::First(3).keep(&mut heap, flow, counts[flow as usize], 0.0);
            let mut kept: Vec<i64> = heap.iter().map(|(count, _)| count).collect();
            kept.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
            let mut greatest = counts;
            greatest.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
            let seen = counts.iter().filter(|count| **count > 0).count().min(3);
            assert_eq!(kept, greatest[..seen], "{step}");
        }
    }
}
