//! How many elements an insertion moves: two choices in one table of single slots, each element starting at its first.
//!
//! Buckets are vertices, elements edges; an element stored at a vertex points to its other choice. In a tree all point
//! towards the one free bucket. An element whose first choice u is in a tree moves those on the way from u to the free
//! bucket, and the tree has then the free bucket of its second choice, or none. A component of k vertices is a tree of
//! every shape with the same probability, its edges come in every order and direction, and u is any of its vertices: so
//! the mean distance from u to the free bucket depends on k alone.

use crate::math::elementary::{exp, ln, ln_1p};
#[cfg(doc)]
use crate::tables::theory::cuckoo;

/// Trees of more vertices than this share of all vertices are in are left out.
const NEGLIGIBLE: f64 = 1e-9;

/// Most vertices of a tree that are looked at.
const MOST_VERTICES: usize = 4000;

/// Moments at which the mean over a build is taken.
const MOMENTS: u32 = 64;

/// Moves per insertion of a build.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moves {
    /// In the limit of many buckets.
    pub limit: f64,
    /// With the deviation of first order in 1/m.
    pub refined: f64,
    /// The parts of that deviation, which is their sum, without their signs.
    pub deviation: f64,
}

/// Moves per insertion of a build of n elements in m buckets in which each of so many elements of excess makes
/// `in_excess` moves before it gives up; `None` so close to a load of ½ that trees are too large.
///
/// Of first order are trees in finite tables (exact), components with a cycle, and the elements of excess. A walk into
/// a cycle of length L, t steps away, makes 2t + L + 1 moves before it leaves from the second choice; T = 2α is the
/// tree function, and `½·T^(L + t)` the expected number of vertices with that cycle.
pub fn moves(elements: u32, buckets: u32, excess: f64, in_excess: f64) -> Option<Moves> {
    let (n, m) = (f64::from(elements), f64::from(buckets));
    let trees = Trees::new(size_limit(2.0 * n / m)?);
    let mean = |of: &dyn Fn(f64) -> f64| integral(of, n) / n;
    let limit_at = |stored: f64| trees.limit(2.0 * stored / m);
    let cycles_at = |stored: f64| cycles(2.0 * stored / m, limit_at(stored)) / m;
    // Elements are inserted beside 0 to n − 1 others: half a step before the mean of the integral.
    let step = 0.5 * limit_at(n) / n;
    let in_trees = mean(&|stored| trees.finite(stored, m)) - step;
    let (in_cycles, in_vain) = (mean(&cycles_at), excess * in_excess / n);
    let limit = mean(&limit_at);
    let refined = in_trees + in_cycles + in_vain;
    let deviation = (in_trees - limit).abs() + in_cycles + in_vain;
    Some(Moves { limit, refined, deviation })
}

/// The size that hardly any vertex's tree exceeds at this mean degree; `None` where there is none.
fn size_limit(degree: f64) -> Option<usize> {
    let size = ln(NEGLIGIBLE) / (1.0 + ln(degree) - degree);
    (degree < 1.0 && size < MOST_VERTICES as f64).then_some((size as usize).max(8))
}

/// Moves of a walk from vertices in components with a cycle, times m, at this mean degree; from the second choice on
/// as many as in the mean. Sums of `½·T^(L + t)` over t ≥ 0 and L ≥ 1.
fn cycles(degree: f64, from_second: f64) -> f64 {
    let rest = 1.0 - degree;
    0.5 * degree * (2.0 + degree) / rest.powi(3) + 0.5 * degree / (rest * rest) * from_second
}

/// Trees of 1, 2, … vertices.
struct Trees {
    /// `w_k·e^(1 − k)`, where k!·w_k = k^(k−1) is the number of rooted trees of k labelled vertices.
    weights: Vec<f64>,
    /// Mean distance from a vertex to the free bucket.
    distances: Vec<f64>,
}

impl Trees {
    /// Trees of at most so many vertices.
    ///
    /// The last edge joins two trees at any of their vertices, of sizes a and b with the weight `w_a·w_b`; the free
    /// bucket of the second becomes that of both.
    fn new(most: usize) -> Self {
        let next = |&(k, weight): &(f64, f64)| {
            Some((k + 1.0, weight * exp((k - 1.0) * ln_1p(1.0 / k) - 1.0)))
        };
        let weights = std::iter::successors(Some((1.0, 1.0)), next).map(|(_, weight)| weight);
        let weights: Vec<f64> = weights.take(most).collect();
        let apart: Vec<f64> = (1..=most).map(apart).collect();
        let mut distances = vec![0.0];
        for k in 2..=most {
            let (mut sum, mut ways) = (0.0, 0.0);
            for a in 1..k {
                let b = k - a;
                let way = weights[a - 1] * weights[b - 1];
                let beyond = 1.0 + apart[a - 1];
                sum += way * (k as f64 * distances[b - 1] + a as f64 * beyond);
                ways += way;
            }
            distances.push(sum / ways / k as f64);
        }
        Self { weights, distances }
    }

    /// Mean distance to the free bucket where vertices have so many neighbours on average, in the limit of many: a
    /// vertex is in a tree of k others and itself with Borel's law.
    fn limit(&self, degree: f64) -> f64 {
        if degree <= 0.0 {
            return 0.0;
        }
        let ln_step = 1.0 + ln(degree) - degree;
        let trees = (0_u32..).zip(self.weights.iter().zip(&self.distances));
        trees.map(|(others, (w, d))| w * d * exp(f64::from(others) * ln_step - degree)).sum()
    }

    /// The same over the vertices in trees of so many edges among m vertices, times the share of such vertices.
    ///
    /// The expected number of trees of k vertices is that of [`static_overflow`](cuckoo::static_overflow).
    fn finite(&self, edges: f64, m: f64) -> f64 {
        let mut ln_term = ln(m) + 2.0 * edges * ln_1p(-1.0 / m);
        let mut sum = 0.0;
        let mut k = 1.0;
        for distance in &self.distances {
            sum += exp(ln_term) * k * distance;
            let (others, further) = (m - k, edges - k);
            if further <= -1.0 || others <= 1.0 {
                break;
            }
            let elsewhere = if further > 0.0 { 2.0 * further * ln_1p(-1.0 / others) } else { 0.0 };
            ln_term += ln(2.0 * (further + 1.0) / others) + (k - 2.0) * ln_1p(1.0 / k) + elsewhere;
            k += 1.0;
        }
        sum / m
    }
}

/// Mean distance of two vertices, which may be the same, in a tree of k labelled ones: `j + 1` times
/// `(k − 1)⋯(k − j)/k^j` vertices are at distance j.
fn apart(k: usize) -> f64 {
    let (k, mut share, mut sum, mut j) = (k as f64, 1.0, 0.0, 1.0);
    while j < k && share > 1e-18 {
        share *= (k - j) / k;
        sum += j * (j + 1.0) * share;
        j += 1.0;
    }
    sum / k
}

/// The integral from 0 to `end`, by Simpson's rule.
fn integral(function: &dyn Fn(f64) -> f64, end: f64) -> f64 {
    let step = end / f64::from(MOMENTS);
    let weight = |i: u32| match i {
        0 | MOMENTS => 1.0,
        _ if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let sum: f64 = (0..=MOMENTS).map(|i| weight(i) * function(step * f64::from(i))).sum();
    sum * step / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two vertices one is free. Three are a vertex joined to a pair, or the pair to the vertex.
    #[test]
    fn small_trees_by_hand() {
        let Trees { distances, .. } = Trees::new(3);
        assert_eq!(distances[..2], [0.0, 0.5]);
        // A vertex joined to a pair is 1½ away from its free bucket, the pair has 0 and 1; the pair joined to a vertex is
        // 1½ away, the vertex free.
        assert!((distances[2] - ((1.5 + 1.0) + (2.0 * 1.5)) / 6.0).abs() < 1e-12, "{distances:?}");
        assert!((apart(2) - 0.5).abs() < 1e-15 && (apart(3) - 8.0 / 9.0).abs() < 1e-15);
    }

    /// Deviations are of first order in 1/m.
    #[test]
    fn the_limit_is_approached_like_one_by_m() {
        let deviation = |n: u32| moves(n, 4 * n, 0.0, 0.0).unwrap().deviation;
        let ratio = deviation(1000) / deviation(2000);
        assert!((ratio - 2.0).abs() < 0.01, "{ratio}");
        assert_eq!(moves(490, 1000, 0.0, 0.0), None);
    }
}
