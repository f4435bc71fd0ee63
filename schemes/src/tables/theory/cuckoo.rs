//! Cuckoo hashing with two choices in one table of single slots, exact for finite `n` and `m`.
//!
//! Buckets are the vertices of a random graph, elements its edges: two independent uniform endpoints,
//! loops and parallel edges included. A component with `v` buckets and `e` elements stores
//! `min(v, e)` of them, provided that evictions go on for as long as they can help. Only a tree has
//! fewer elements than buckets, and only by one.

use crate::math::elementary::{exp, ln, ln_1p};

/// Expected number of elements that do not find a place in a static fill, per element.
///
/// It is `(n − m + E[trees])/n`, and a lower bound for every scheme with two choices and single slots,
/// under alternation too. Rounding changes it by up to `1e-13·m/n`; the time is proportional to `m`.
pub fn static_overflow(n: u64, m: u64) -> f64 {
    let surplus = n as f64 - m as f64;
    ((surplus + trees(n, m)) / n as f64).max(0.0)
}

/// Expected number of components that are trees.
///
/// `k` vertices form one in `k^(k−2)` ways, with `k − 1` of the `n` edges in any order and direction,
/// while all other edges are elsewhere:
/// `E = Σ_k binom(m, k)·k^(k−2)·n!/(n−k+1)!·2^(k−1)·(m−k)^(2(n−k+1))/m^(2n)`. The terms are computed
/// from their ratios, as their logarithms would cost digits.
fn trees(n: u64, m: u64) -> f64 {
    let most = m.min(n + 1);
    let (n, m) = (n as f64, m as f64);
    let mut ln_term = ln(m) + 2.0 * n * ln_1p(-1.0 / m);
    let mut sum = exp(ln_term);
    for k in 1..most {
        ln_term += ln_ratio(n, m, k as f64);
        sum += exp(ln_term);
    }
    sum
}

/// `ln` of the term for `k + 1` vertices over that for `k`.
fn ln_ratio(n: f64, m: f64, k: f64) -> f64 {
    let (others, edges) = (m - k, n - k);
    let shape = (k - 2.0) * ln_1p(1.0 / k);
    let elsewhere = if edges > 0.0 { 2.0 * edges * ln_1p(-1.0 / others) } else { 0.0 };
    ln(2.0 * (edges + 1.0) / others) + shape + elsewhere
}

/// Probability that a static fill places all elements: no component has more elements than buckets.
///
/// `2^n·n!·m!/(m^(2n)·(m−n)!)·[t^n] f(t)`, where `f(t) = (1 − t/2)^(m−n)·(1 − t)^(1/2)·e^(mt)`. Source:
/// Drmota and Kutzelnigg, "A Precise Analysis of Cuckoo Hashing". Rounding changes it by up to `1e-11`,
/// relative, for `n` up to 2^15.
///
/// `(1 − t/2)(1 − t)·f′(t)` is `f(t)` times a polynomial of degree 2, which gives every coefficient from
/// the three before it. They are carried on as ratios of neighbours, each multiplied by its share of the
/// factor in front.
pub fn success(n: u64, m: u64) -> f64 {
    if n > m {
        return 0.0;
    }
    let (trees, buckets) = ((m - n) as f64, m as f64);
    let (mut ln_product, mut ratio, mut before) = (0.0, f64::INFINITY, f64::INFINITY);
    for k in 1..=n {
        let (k, placed) = (k as f64, (k - 1) as f64);
        let one_back = buckets - (trees + 1.0) / 2.0 + 1.5 * placed;
        let two_back = (trees - placed) / 2.0 + 0.75 - 1.5 * buckets;
        let three_back = buckets / 2.0;
        let next = (one_back + (two_back + three_back / before) / ratio) / k;
        ln_product += ln(2.0 * k * (buckets - placed) / (buckets * buckets) * next);
        (ratio, before) = (next, ratio);
    }
    exp(ln_product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::theory::allocation;

    /// Elements beyond the buckets of their component, found by joining the endpoints of one edge after
    /// the other: a component has a free bucket as long as it is a tree.
    fn left_over(choices: &[usize], m: usize) -> usize {
        let (mut label, mut free): (Vec<usize>, Vec<bool>) = ((0..m).collect(), vec![true; m]);
        let place = |edge: &[usize]| {
            let (kept, gone) = (label[edge[0]], label[edge[1]]);
            let usable = free[kept] || free[gone];
            free[kept] = kept != gone && free[kept] && free[gone];
            label.iter_mut().filter(|l| **l == gone).for_each(|l| *l = kept);
            !usable
        };
        choices.chunks(2).map(place).filter(|&over| over).count()
    }

    /// Fraction of elements left over, and probability of none, over all choices.
    fn enumerate(n: usize, m: usize) -> (f64, f64) {
        let outcomes = m.pow(2 * n as u32);
        let (mut over, mut none) = (0, 0);
        for outcome in 0..outcomes {
            let digit = |i: usize| outcome / m.pow(i as u32) % m;
            let choices: Vec<usize> = (0..2 * n).map(digit).collect();
            let left = left_over(&choices, m);
            over += left;
            none += usize::from(left == 0);
        }
        let total = outcomes as f64;
        (over as f64 / total / n as f64, f64::from(none as u32) / total)
    }

    #[test]
    fn agrees_with_all_choices() {
        for (n, m) in (1..=4).flat_map(|n| (1..=4).map(move |m| (n, m))).chain([(2, 30), (7, 2)]) {
            let (overflow, none) = enumerate(n, m);
            let (n, m) = (n as u64, m as u64);
            assert!((static_overflow(n, m) - overflow).abs() < 1e-13, "n {n} m {m}");
            assert!((success(n, m) - none).abs() < 1e-13, "n {n} m {m}: {}", success(n, m));
        }
    }

    #[test]
    fn large_tables_tend_to_the_limit() {
        for (n, m) in [(700_000, 1_000_000), (1_000_000, 1_000_000), (3_000_000, 1_000_000)] {
            let limit = allocation::least_overflow(n as f64 / m as f64, 1, 2);
            let exact = static_overflow(n, m);
            assert!((exact - limit).abs() < 3e-6, "n {n} m {m}: {exact} {limit}");
        }
    }

    #[test]
    fn failure_below_the_threshold_is_rare() {
        // What is left over is then one element nearly always, with a probability of order 1/n.
        for n in [1 << 10, 1 << 13, 1 << 15] {
            let m = 4 * n;
            let (failure, elements) = (1.0 - success(n, m), n as f64 * static_overflow(n, m));
            assert!(failure < elements && elements < 1.01 * failure, "{failure} {elements}");
        }
    }

    #[test]
    fn success_is_a_probability_that_falls() {
        for m in [1, 2, 10, 1000, 1 << 12] {
            let all: Vec<f64> = (0..=m + 1).map(|n| success(n, m)).collect();
            assert_eq!((all[0], all[m as usize + 1]), (1.0, 0.0));
            assert!(all.windows(2).all(|p| (0.0..=p[0] + 1e-11).contains(&p[1])), "m {m}");
        }
    }
}
