//! What theory says of a build.

use super::metrics::{CLOSED_LOOP_FRACTION, EXCESS_ELEMENTS, REHASHES};
use super::params::{Limits, Shape};
use super::theory::walk::Moves;
use super::theory::{bounds, excess, two_tables, walk};
use crate::math::elementary::exp;
use crate::metric::Metric;
use crate::prediction::{Kind, Prediction};
use crate::tables::metrics::{FAILURE_FRACTION, MOVES_PER_INSERTION, OVERFLOW_ELEMENTS};
use crate::tables::theory::{allocation, cuckoo};

pub(super) const KERNELS: &str = "law of the excess, by kernels";
const BEST: &str = "best placement";
const TWO_TABLES: &str = "Drmota and Kutzelnigg";
const NOTES: &str = "Section 7.4.2, corrected";
const HALL: &str = "Hall's theorem, union bound";
const THRESHOLD: &str = "threshold of the best placement";
const TREES: &str = "distance to the free bucket in random trees";

/// Buckets up to which mean excess and laws of one table are computed, the time being proportional to m, and those of
/// two tables.
const MOST_BUCKETS: [u32; 3] = [1_000_000, 1 << 16, 1 << 13];

/// Distance of a probability from its limit from which on nothing is said of it.
const LARGEST_DISTANCE: f64 = 0.1;

/// Probability above which its complement has all digits that matter.
const NOT_RARE: f64 = 1e-3;

/// A shape and its limits.
pub(super) struct Build<'b> {
    pub(super) shape: &'b Shape,
    pub(super) limits: &'b Limits,
}

impl Build<'_> {
    /// All predictions.
    pub(super) fn predictions(&self) -> Vec<Prediction> {
        let mut all = self.excess();
        all.extend(self.closed_loop());
        all.extend(self.failure());
        all.extend(self.moves());
        all
    }

    fn size(&self) -> (u32, u32) {
        (self.shape.geometry.elements, self.shape.geometry.buckets)
    }

    /// Whether elements are edges of a graph in which both ends may be anywhere.
    fn is_one_graph(&self) -> bool {
        self.shape.is_graph() && !self.shape.sub_tables
    }

    /// The mean excess where it is known for these n and m.
    fn mean_excess(&self) -> Option<f64> {
        let (n, m) = self.size();
        let known = self.is_one_graph() && m <= MOST_BUCKETS[0];
        known.then(|| f64::from(n) * cuckoo::static_overflow(n.into(), m.into()))
    }

    /// What no placement stores, and the stash that takes every element.
    fn excess(&self) -> Vec<Prediction> {
        let Some(mean) = self.mean_excess() else { return Vec::new() };
        let mut all = vec![Prediction::exact(EXCESS_ELEMENTS, mean, BEST)];
        if self.limits.stash.is_none() {
            let exact = Prediction::exact(OVERFLOW_ELEMENTS, mean, BEST);
            let every_way = self.limits.find_every_way(self.shape);
            all.push(if every_way { exact } else { bound(exact, Kind::LowerBound) });
        }
        all
    }

    /// The last of n elements, in one table.
    fn closed_loop(&self) -> Vec<Prediction> {
        let (n, m) = self.size();
        if !self.is_one_graph() || m > MOST_BUCKETS[1] {
            return Vec::new();
        }
        let mean = |n: u32| match n {
            0 => 0.0,
            _ => f64::from(n) * cuckoo::static_overflow(n.into(), m.into()),
        };
        let last = Prediction::exact(CLOSED_LOOP_FRACTION, mean(n) - mean(n - 1), BEST);
        let most = bounds::closed_loop(n.into(), m.into()).filter(|most| *most < 1.0);
        let most = most.map(|most| Prediction::exact(CLOSED_LOOP_FRACTION, most, NOTES));
        std::iter::once(last).chain(most.map(|most| bound(most, Kind::UpperBound))).collect()
    }

    /// Builds that fail, and those that are begun anew.
    fn failure(&self) -> Vec<Prediction> {
        let Some(stash) = self.limits.stash else { return Vec::new() };
        let mut of_one: Vec<Prediction> = self.exact_failure(stash).into_iter().collect();
        of_one.extend(self.union_bound());
        if !self.shape.is_graph() {
            of_one.extend(self.limit(stash));
        }
        let after = |one: &Prediction| {
            let failure = self.derived(one, FAILURE_FRACTION, Self::all_fail);
            let rehashes = self.derived(one, REHASHES, Self::fail_before);
            std::iter::once(failure).chain((self.limits.rehashes > 0).then_some(rehashes))
        };
        of_one.iter().flat_map(after).collect()
    }

    /// Probability that every build fails where each does with probability p.
    fn all_fail(&self, p: f64) -> f64 {
        (0..=self.limits.rehashes).fold(1.0, |product, _| product * p)
    }

    /// Expected number of builds after the first, likewise.
    fn fail_before(&self, p: f64) -> f64 {
        (0..self.limits.rehashes).fold((0.0, 1.0), |(sum, q), _| (sum + q * p, q * p)).0
    }

    /// What follows of a probability that one build fails.
    fn derived(&self, one: &Prediction, metric: Metric, of: fn(&Self, f64) -> f64) -> Prediction {
        let value = of(self, one.value);
        let ends = [one.value - one.allowance, one.value + one.allowance];
        let off = ends.map(|end| (of(self, end.clamp(0.0, 1.0)) - value).abs());
        Prediction { metric, value, allowance: off[0].max(off[1]), ..one.clone() }
    }

    /// For these n and m; a bound where insertions may give up too early.
    fn exact_failure(&self, stash: u32) -> Option<Prediction> {
        let (n, m) = self.size();
        let (value, source) = match self.shape.sub_tables {
            _ if !self.shape.is_graph() => None,
            false if m <= MOST_BUCKETS[1] => Some((more_than(n, m, stash)?, KERNELS)),
            true if m <= MOST_BUCKETS[2] && stash == 0 => {
                Some(((1.0 - two_tables::success(n, m / 2)?).max(0.0), TWO_TABLES))
            }
            _ => None,
        }?;
        let exact = Prediction::exact(FAILURE_FRACTION, value, source);
        let every_way = self.limits.find_every_way(self.shape);
        Some(if every_way { exact } else { bound(exact, Kind::LowerBound) })
    }

    /// Where every way is found: the loops of the notes in one table, else crowded sets of buckets.
    fn union_bound(&self) -> Option<Prediction> {
        if !self.limits.find_every_way(self.shape) {
            return None;
        }
        let Shape { geometry, choices, .. } = self.shape;
        let (value, source) = match self.is_one_graph() {
            true => (bounds::some_closed_loop(geometry.elements, geometry.buckets)?, NOTES),
            false => (bounds::unplaced(geometry, *choices), HALL),
        };
        let most = Prediction::exact(FAILURE_FRACTION, value, source);
        (value < 1.0).then(|| bound(most, Kind::UpperBound))
    }

    /// Nearly every build succeeds below the threshold, and none above it.
    ///
    /// Above it, another choice of one element changes the excess by one at most, so that it is below its mean μ·n by
    /// that much with a probability of `e^(−2μ²n)` at most (McDiarmid). Below it, μ is taken to be as far below 0 as it
    /// is above at the same distance, and a few buckets may have too many elements.
    fn limit(&self, stash: u32) -> Option<Prediction> {
        let Shape { geometry, choices, .. } = self.shape;
        let (h, n) = (geometry.bucket_size.into(), f64::from(geometry.elements));
        let (load, threshold) = (geometry.load(), allocation::threshold(*choices, h));
        let above = load > threshold;
        let mean = allocation::least_overflow(threshold + (load - threshold).abs(), h, *choices);
        let distance = (mean - f64::from(stash) / n).max(0.0);
        let mut off = exp(-2.0 * n * distance * distance);
        if !above {
            off += bounds::unplaced_in_few(geometry, *choices);
        }
        let known = above || self.limits.find_every_way(self.shape);
        let value = f64::from(u8::from(above));
        let limit = Prediction::asymptotic(FAILURE_FRACTION, value, THRESHOLD, off);
        (known && off < LARGEST_DISTANCE).then_some(limit)
    }

    /// Moves of a walk in one table that never fails.
    fn moves(&self) -> Vec<Prediction> {
        let (n, m) = self.size();
        let walks = !self.limits.breadth_first
            && self.limits.stash.is_none()
            && self.limits.find_every_way(self.shape);
        let Some(mean) = self.mean_excess().filter(|_| walks) else { return Vec::new() };
        let in_a_loop = f64::from(self.limits.evictions) - 1.0;
        let most = bounds::moves(n, m, in_a_loop).map(|most| {
            bound(Prediction::exact(MOVES_PER_INSERTION, most, NOTES), Kind::UpperBound)
        });
        let moves = walk::moves(n, m, mean, in_a_loop).into_iter().flat_map(limits_of_moves);
        moves.chain(most).collect()
    }
}

/// Two orders of one expansion. What is left of the second is taken for the square of the first, relative to the limit.
fn limits_of_moves(moves: Moves) -> [Prediction; 2] {
    let Moves { limit, refined, deviation } = moves;
    let (first, second) = ((refined - limit).abs(), deviation * deviation / limit);
    [
        Prediction::asymptotic(MOVES_PER_INSERTION, limit, TREES, first + second),
        Prediction::refined(MOVES_PER_INSERTION, refined, TREES, second),
    ]
}

fn bound(exact: Prediction, kind: Kind) -> Prediction {
    Prediction { kind, ..exact }
}

/// Probability that more elements are in excess than the stash holds; that of one table. `None` of a stash of more places
/// than the law is computed for.
pub(super) fn more_than(n: u32, m: u32, stash: u32) -> Option<f64> {
    if stash > excess::MOST {
        return None;
    }
    let fits: f64 = match stash {
        0 => cuckoo::success(n.into(), m.into()),
        _ => (0..=stash).map(|excess| excess::probability(n, m, excess)).sum(),
    };
    if 1.0 - fits > NOT_RARE { Some(1.0 - fits) } else { excess::exceeds(n, m, stash) }
}
