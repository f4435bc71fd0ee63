//! Union bounds: of the lecture notes for two choices in one table of single slots, and of Hall's theorem.

use crate::math::elementary::{exp, ln};
use crate::tables::Geometry;

/// Probability that an insertion into a table of n elements closes a loop, at most:
/// `m^(−2)·(1 + 4x + x²)/(1 − x)^4` with `x = 2n/m`; `None` from a load of ½ on.
///
/// Section 7.4.2 of the notes, where v elements can make a loop in `v³·(2nm)^(v−1)` ways, each of which has the
/// probability `m^(−2v)`; its last sum is misprinted.
pub fn closed_loop(elements: f64, buckets: f64) -> Option<f64> {
    let x = 2.0 * elements / buckets;
    let loops = (1.0 + 4.0 * x + x * x) / (1.0 - x).powi(4);
    (x < 1.0).then(|| loops / (buckets * buckets))
}

/// Elements on the move in an insertion that closes no loop, the new one included, at most on average: `6/(1 − 2α)`;
/// `None` from a load of ½ on.
///
/// Of p elements on the move a third are different ones along a path from one of the two choices, which has the
/// probability `2·(2α)^(v−1)` at most for v elements: each next one is one of n, of which one of two choices is the
/// bucket reached. The notes leave out the latter 2 (Section 7.4.2).
pub fn path(load: f64) -> Option<f64> {
    (load < 0.5).then(|| 6.0 / (1.0 - 2.0 * load))
}

/// Moves per insertion of a build, at most on average, where an insertion that closes a loop makes so many.
pub fn moves(elements: u32, buckets: u32, in_a_loop: f64) -> Option<f64> {
    let (n, m) = (f64::from(elements), f64::from(buckets));
    let of = |stored: u32| {
        let stored = f64::from(stored);
        Some(path(stored / m)? - 1.0 + in_a_loop * closed_loop(stored, m)?)
    };
    (0..elements).map(of).sum::<Option<f64>>().map(|sum| sum / n)
}

/// Probability that one of n insertions closes a loop, at most.
pub fn some_closed_loop(elements: u32, buckets: u32) -> Option<f64> {
    let of = |stored: u32| closed_loop(f64::from(stored), f64::from(buckets));
    (0..elements).map(of).sum()
}

/// Probability that some elements cannot be stored by any placement, at most: the expected number of pairs of v buckets
/// of size h and h·v + 1 elements that have no other choices (Hall's theorem says that there is such a pair),
/// `Σ_v C(m, v)·C(n, hv + 1)·(v/m)^(d(hv + 1))`. With d sub-tables each term is smaller.
pub fn unplaced(geometry: &Geometry, choices: u32) -> f64 {
    crowded(geometry, choices).sum()
}

/// The same of few buckets, up to the number from which on more of them are no less probable: what is left of the bound
/// where only larger sets make it more than a probability.
pub fn unplaced_in_few(geometry: &Geometry, choices: u32) -> f64 {
    let mut last = f64::INFINITY;
    let falls = |term: &f64| std::mem::replace(&mut last, *term) > *term;
    crowded(geometry, choices).take_while(falls).sum()
}

/// Expected number of sets of 1, 2, … buckets with one element too many.
fn crowded(geometry: &Geometry, choices: u32) -> impl Iterator<Item = f64> {
    let (n, m) = (f64::from(geometry.elements), f64::from(geometry.buckets));
    let (h, d) = (f64::from(geometry.bucket_size), f64::from(choices));
    let (mut ln_ways, mut elements) = (0.0, 0.0);
    let buckets = (1..=geometry.buckets).map(f64::from).take_while(move |v| h * v < n);
    buckets.map(move |v| {
        ln_ways += ln((m - v + 1.0) / v);
        while elements <= h * v {
            ln_ways += ln((n - elements) / (elements + 1.0));
            elements += 1.0;
        }
        exp(ln_ways + d * elements * ln(v / m))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::cuckoo;

    /// Published numbers: `002-001-P116` and `P117`, which were computed of n elements.
    #[test]
    fn as_the_notes_say() {
        assert!((closed_loop(400.0, 1000.0).unwrap() - 0.003_025).abs() < 1e-9);
        assert!((closed_loop(450.0, 1000.0).unwrap() - 0.0541).abs() < 1e-9);
        assert_eq!(closed_loop(500.0, 1000.0), None);
        assert_eq!((path(0.0), path(0.5)), (Some(6.0), None));
    }

    /// A bound is above what it bounds, and both are of the order of 1/m.
    #[test]
    fn failure_is_as_rare_as_the_notes_say() {
        for n in [100, 200, 300] {
            let of = |scale: u32| {
                let (n, m) = (n * scale, 1000 * scale);
                let failure = 1.0 - cuckoo::success(n.into(), m.into());
                let bound = some_closed_loop(n, m).unwrap();
                assert!(failure < bound, "{n} of {m}: {failure}, {bound}");
                [failure, bound]
            };
            let (few, many) = (of(1), of(10));
            for (few, many) in few.into_iter().zip(many) {
                assert!((8.5..10.5).contains(&(few / many)), "{n}: {few} {many}");
            }
        }
    }

    fn geometry(elements: u32, buckets: u32, bucket_size: u8) -> Geometry {
        Geometry { elements, buckets, bucket_size }
    }

    /// Two elements with one bucket for all of their choices make the failure of small tables that is the likeliest.
    #[test]
    fn hall_bounds_the_failure() {
        for (n, m) in [(2, 30), (5, 100), (10, 500), (20, 2000)] {
            let failure = 1.0 - cuckoo::success(n.into(), m.into());
            let bound = unplaced(&geometry(n, m, 1), 2);
            assert!(failure <= bound * (1.0 + 1e-6), "{failure} {bound}");
            assert!(bound < 2.0 * failure, "{failure} {bound}");
        }
        // Three of four elements choose one of two buckets of two twice.
        let three_of_four = 2.0 * 4.0 * 0.5_f64.powi(6);
        assert!((unplaced(&geometry(4, 2, 2), 2) - three_of_four).abs() < 1e-12);
    }

    /// Far below the threshold few buckets are all that matters, close to it they are not.
    #[test]
    fn few_buckets_are_a_part_of_the_bound() {
        let [low, high] = [300, 900].map(|n| geometry(n, 1000, 1));
        let few = [low, high].map(|geometry| unplaced_in_few(&geometry, 3));
        assert!((few[0] / unplaced(&low, 3) - 1.0).abs() < 1e-6, "{few:?}");
        assert!(few[1] < 1e-3 && unplaced(&high, 3) > 1.0, "{few:?}");
    }
}
