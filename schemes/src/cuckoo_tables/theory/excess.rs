//! How many elements no placement stores: two choices in one table of single slots, exact for finite n and m.
//!
//! Buckets are the vertices of a random graph, elements its edges, loops and parallel edges included. A component with v
//! vertices and v + r edges leaves r elements over. Take its leaves off as long as there are any, then its vertices
//! with two neighbours: what remains is a *kernel*, a multigraph with 2r − i vertices, all of degree 3 or more, and
//! 3r − i edges. The generating function of all graphs of such components together is, by their kernels, a sum of
//! `κ·T^v/(1 − T)^e`, where T is that of rooted trees (Janson, Knuth, Łuczak, Pittel, "The Birth of the Giant
//! Component", Section 9).

use crate::math::elementary::{exp, ln};

/// Elements of excess beyond which its law is not computed: the numbers of kernels would be too large.
pub const MOST: u32 = 40;

/// Share of the sum below which the terms of a tail are left out.
const NEGLIGIBLE: f64 = 1e-17;

/// Probability that exactly so many of n elements find no place in m buckets.
///
/// Source: `2^n·n!·m!/(m^(2n)·N!)·[t^m] (t − t²/2)^N·(1 − t)^(1/2)·e^(mt)·Σ κ·t^v/(1 − t)^e` with N = m − n + r trees, by
/// Lagrange's inversion; with r = 0 it is the formula of Drmota and Kutzelnigg, "A Precise Analysis of Cuckoo Hashing".
pub fn probability(elements: u32, buckets: u32, excess: u32) -> f64 {
    let (n, m, r) = (i64::from(elements), i64::from(buckets), i64::from(excess));
    if m - n + r < 0 {
        return 0.0;
    }
    if excess == 0 {
        return exp(ln_coefficient(n, m, 0, 0, 0));
    }
    let of_kernels = |vertices: i64| {
        let edges = vertices + r;
        let ln_weight = ln_kernels(vertices as usize, edges as usize);
        exp(ln_weight + ln_coefficient(n, m, r, vertices, edges))
    };
    (1..=2 * r).filter(|&vertices| n - r >= vertices).map(of_kernels).sum()
}

/// Probability that more than so many of n elements find no place in m buckets, summed from the tail so that small
/// values keep their digits; `None` where the law is not computed as far as it matters.
pub fn exceeds(elements: u32, buckets: u32, beyond: u32) -> Option<f64> {
    if u64::from(elements) > u64::from(buckets) + u64::from(beyond) {
        return Some(1.0);
    }
    let (mut sum, mut last) = (0.0, 0.0);
    for excess in beyond + 1..=MOST {
        let term = probability(elements, buckets, excess);
        sum += term;
        if term <= last && term <= NEGLIGIBLE * sum {
            return Some(sum);
        }
        last = term;
    }
    None
}

/// The logarithm of `2^n·n!·m!/(m^(2n)·N!)·[t^k] (1 − t/2)^N·(1 − t)^(1/2 − e)·e^(mt)`, where N = m − n + r and
/// k = n − r − v.
///
/// The function solves a differential equation of first order, which gives every coefficient from the three before it.
/// They are carried on as ratios of neighbours, each multiplied by its share of the factor in front.
fn ln_coefficient(n: i64, m: i64, r: i64, v: i64, e: i64) -> f64 {
    let (trees, buckets) = ((m - n + r) as f64, m as f64);
    let power = 0.5 - e as f64;
    let (mut sum, mut ratio, mut before) = (0.0, f64::INFINITY, f64::INFINITY);
    for k in 1..=n - r - v {
        let (k, placed) = (k as f64, (k - 1) as f64);
        let one_back = buckets - trees / 2.0 - power + 1.5 * placed;
        let two_back = (trees + power - 3.0 * buckets - (placed - 1.0)) / 2.0;
        let three_back = buckets / 2.0;
        let next = (one_back + (two_back + three_back / before) / ratio) / k;
        sum += ln(2.0 * k * (buckets - placed) / (buckets * buckets) * next);
        (ratio, before) = (next, ratio);
    }
    // What the factor has beyond that of a coefficient: more elements, and vertices of the kernel that are no trees.
    let elements = (n - r - v + 1..=n).map(|i| ln(2.0 * i as f64 / (buckets * buckets)));
    let vertices = (m - n + r + 1..=m - n + r + v).map(|i| ln(i as f64));
    sum + elements.sum::<f64>() + vertices.sum::<f64>()
}

/// The logarithm of the weight κ of all multigraphs with v vertices of degree 3 or more and e edges, connected or not:
/// `(2e)!/(2^e·e!·v!)·[x^(2e)] (e^x − 1 − x − x²/2)^v`, in which e ends of edges are put together in pairs.
fn ln_kernels(v: usize, e: usize) -> f64 {
    let ends = 2 * e;
    // Coefficients of (e^x − 1 − x − x²/2)/x³, so that the power has none that is 0.
    let over = ends - 3 * v;
    let one: Vec<f64> = (0..=over).map(|k| exp(-ln_factorial(k + 3))).collect();
    let power = (0..v).fold(vec![1.0], |power, _| product(&power, &one, over));
    let pairings = ln_factorial(ends) - e as f64 * std::f64::consts::LN_2 - ln_factorial(e);
    pairings - ln_factorial(v) + ln(power[over])
}

fn product(a: &[f64], b: &[f64], degree: usize) -> Vec<f64> {
    let at = |k: usize| a.iter().take(k + 1).enumerate().map(|(i, x)| x * b[k - i]).sum();
    (0..=degree).map(at).collect()
}

fn ln_factorial(k: usize) -> f64 {
    (2..=k).map(|i| ln(i as f64)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::super::forest::Forest;
    use super::*;
    use crate::tables::theory::cuckoo;

    /// Share of the `m^(2n)` choices of n elements with each excess.
    fn counted(n: u32, m: u32) -> Vec<f64> {
        let outcomes = u64::from(m).pow(2 * n);
        let mut forest = Forest::new(m);
        let mut counts = vec![0_u32; n as usize + 1];
        for outcome in 0..outcomes {
            forest.clear();
            let digit = |i: u32| (outcome / u64::from(m).pow(i) % u64::from(m)) as u32;
            for i in 0..n {
                forest.join(digit(2 * i), digit(2 * i + 1));
            }
            counts[forest.excess() as usize] += 1;
        }
        counts.into_iter().map(|count| f64::from(count) / outcomes as f64).collect()
    }

    #[test]
    fn agrees_with_all_choices() {
        for (n, m) in
            [(1, 1), (2, 1), (3, 1), (2, 2), (4, 2), (6, 2), (3, 3), (5, 3), (4, 4), (3, 7)]
        {
            for (excess, expected) in (0..).zip(counted(n, m)) {
                let found = probability(n, m, excess);
                assert!(
                    (found - expected).abs() < 1e-12,
                    "n {n} m {m} r {excess}: {found} {expected}"
                );
            }
        }
    }

    /// Its sum is 1, its mean that of the trees, and no excess as probable as another formula says.
    #[test]
    fn the_law_is_one() {
        for (n, m) in [(40, 100), (400, 1000), (500, 1000), (4500, 10_000), (60, 64)] {
            let law: Vec<f64> = (0..=MOST).map(|excess| probability(n, m, excess)).collect();
            let sum: f64 = law.iter().sum();
            let mean: f64 = (0..).zip(&law).map(|(r, p): (u32, &f64)| f64::from(r) * p).sum();
            let (n, m) = (u64::from(n), u64::from(m));
            let exact = n as f64 * cuckoo::static_overflow(n, m);
            assert!((sum - 1.0).abs() < 1e-9, "{n} {m}: {sum}");
            assert!((mean - exact).abs() < 1e-9 + 1e-6 * exact, "{n} {m}: {mean} {exact}");
            assert!((law[0] - cuckoo::success(n, m)).abs() < 1e-10);
        }
    }

    /// With s places in the stash the failure falls as n^(−(s + 1)) (Kirsch, Mitzenmacher and Wieder).
    #[test]
    fn each_place_of_the_stash_is_worth_a_power_of_n() {
        for stash in 0..4 {
            let failure = |n: u32| exceeds(n, 5 * n, stash).unwrap();
            let slope = (failure(8000) / failure(4000)).log2();
            assert!((slope + f64::from(stash) + 1.0).abs() < 0.05, "{stash}: {slope}");
        }
    }

    /// A tail is `None` where it is not computed to its end, and not what was summed so far.
    #[test]
    fn crowded_tables_have_no_tail() {
        assert_eq!(exceeds(900, 1000, 0), None);
        assert_eq!((exceeds(10, 5, 4), exceeds(1, 5, 0)), (Some(1.0), Some(0.0)));
        assert!(exceeds(6, 5, 1).is_some_and(|likely| likely > 0.1 && likely < 0.9));
    }
}
