//! The best placement of elements that each have `d` choices: what moving elements around can reach.
//!
//! `n` elements have `d` independent uniform choices among `m` buckets of size `h`, at load
//! `c = n/(m·h)`. The best placement fills every bucket of the (h+1)-core, the largest set of buckets
//! in which each is the choice of more than `h` elements that have all their choices in the set, and
//! places every element that has a choice outside of it. It leaves over what the core has too much.
//!
//! Sources: Fountoulakis, Khosla and Panagiotou, "The Multiple-Orientability Thresholds for Random
//! Hypergraphs"; Lelarge, "A New Approach to the Orientation of Random Hypergraphs".
//!
//! Deletions do not look at choices, so that the elements in a system have independent uniform choices
//! at any time: [`least_overflow`] is a lower bound for the overflow fraction of every scheme that puts
//! elements into one of `d` uniform choices, static or under alternation, with or without moves. With an
//! insertion probability the bound is `1 − alpha + alpha·least_overflow(alpha·c, h, d)`.

use crate::math::bisect::bisect;
use crate::math::demand::Demand;
use crate::math::elementary::pow;

/// Load below which nearly all elements can be placed, in the limit of many buckets; 0 for one choice.
///
/// The core is then as large as its places: elements in the core, `h` times its buckets.
pub fn threshold(d: u32, h: u32) -> f64 {
    Core { h, d }.load(saturation(d, h))
}

/// Fraction of elements that even the best placement leaves over at load `c`, in the limit of many
/// buckets.
pub fn least_overflow(c: f64, h: u32, d: u32) -> f64 {
    let core = Core { h, d };
    let lowest = saturation(d, h);
    if c <= core.load(lowest) {
        return 0.0;
    }
    let highest = c * f64::from(h) * f64::from(d);
    core.left_over(bisect(lowest, highest, |mean| core.load(mean) - c), c).max(0.0)
}

/// The [`Core`] with exactly `h` elements per bucket: a Poisson number beyond `h` is then `h·d` on
/// average.
///
/// With one choice every core has more. With two choices and buckets of one the core appears at its
/// saturation, with a mean of 0.
fn saturation(d: u32, h: u32) -> f64 {
    if d < 2 {
        return 0.0;
    }
    let wanted = f64::from(h) * f64::from(d);
    bisect(LEAST_MEAN, wanted, |mean| {
        let demand = Demand::poisson(mean, h + 1);
        mean * demand.at_least(h) - wanted * demand.at_least(h + 1)
    })
}

/// Stands for a mean of 0, where a load would be 0/0; the load is then off by as much.
const LEAST_MEAN: f64 = 1e-12;

/// The (h+1)-core of elements with `d` choices, given the mean of the Poisson number of choices within
/// the core that fall on a bucket.
struct Core {
    h: u32,
    d: u32,
}

impl Core {
    /// The load that has this core: `mean = c·h·d·P(Poisson ≥ h)^(d−1)`.
    fn load(&self, mean: f64) -> f64 {
        let (h, d) = (f64::from(self.h), f64::from(self.d));
        let kept = Demand::poisson(mean, self.h).at_least(self.h);
        mean / (h * d * pow(kept, d - 1.0))
    }

    /// Elements of the core beyond `h` per bucket, per element in the system.
    fn left_over(&self, mean: f64, c: f64) -> f64 {
        let (h, demand) = (f64::from(self.h), Demand::poisson(mean, self.h + 1));
        let elements = mean * demand.at_least(self.h) / f64::from(self.d);
        (elements - h * demand.at_least(self.h + 1)) / (c * h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::tables::theory::{bounds, d_random, multiple};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn published_thresholds() {
        for (d, h, published) in [
            (2, 1, "0.500000"),
            (3, 1, "0.917935"),
            (4, 1, "0.976770"),
            (5, 1, "0.992438"),
            (2, 2, "0.897012"),
            (2, 3, "0.959154"),
            (2, 4, "0.980370"),
        ] {
            assert_eq!(format!("{:.6}", threshold(d, h)), published, "d {d} h {h}");
        }
        assert_eq!(threshold(1, 4), 0.0);
    }

    #[test]
    fn starts_at_the_threshold() {
        for (d, h) in [(2, 1), (3, 1), (2, 4), (1024, 1), (2, 255), (1024, 255)] {
            let limit = threshold(d, h);
            assert_eq!(least_overflow(limit - 1e-9, h, d), 0.0, "d {d} h {h}");
            assert!(least_overflow(limit + 1e-3, h, d) > 0.0, "d {d} h {h}");
        }
    }

    #[test]
    fn one_choice_leaves_over_what_a_static_fill_does() {
        for (c, h) in [(1e-3, 1), (0.5, 1), (1.0, 4), (3.0, 16)] {
            assert!((least_overflow(c, h, 1) - bounds::fill(1.0, c, h)).abs() < 1e-14);
        }
    }

    #[test]
    fn two_choices_of_single_slots_leave_over_the_excess_of_the_giant_component() {
        // Of m vertices with c·m edges a fraction s is in the giant component, 1 − s = e^(−2cs).
        for c in [0.6_f64, 1.0, 2.0] {
            let giant = bisect(1e-3, 1.0, |s| s + (-2.0 * c * s).exp_m1());
            let excess = c * (1.0 - (1.0 - giant) * (1.0 - giant)) - giant;
            assert!((least_overflow(c, 1, 2) - excess / c).abs() < 1e-12, "c {c}");
        }
    }

    /// Buckets that know where else their elements can go.
    struct Placement {
        h: usize,
        choices: Vec<Vec<usize>>,
        buckets: Vec<Vec<usize>>,
        /// Where the search for a place came from: an element and the bucket that it is in.
        came_from: Vec<Option<(usize, usize)>>,
        /// Buckets from which no free one can be reached, now or later.
        closed: Vec<bool>,
    }

    impl Placement {
        /// The number of elements that cannot be placed, by breadth-first search for each.
        fn left_over(rng: &mut Rng, (n, m, h, d): (usize, usize, usize, u32)) -> usize {
            let choose = |_| (0..d).map(|_| rng.random_range(0..m)).collect();
            let mut table = Self {
                h,
                choices: (0..n).map(choose).collect(),
                buckets: vec![Vec::new(); m],
                came_from: vec![None; m],
                closed: vec![false; m],
            };
            (0..n).filter(|&element| !table.place(element)).count()
        }

        fn place(&mut self, element: usize) -> bool {
            let mut reached = Vec::new();
            self.reach(element, usize::MAX, &mut reached);
            let mut next = 0;
            while let Some(&bucket) = reached.get(next) {
                if self.buckets[bucket].len() < self.h {
                    self.shift(bucket);
                    reached.iter().for_each(|&bucket| self.came_from[bucket] = None);
                    return true;
                }
                for resident in self.buckets[bucket].clone() {
                    self.reach(resident, bucket, &mut reached);
                }
                next += 1;
            }
            reached.iter().for_each(|&bucket| self.closed[bucket] = true);
            false
        }

        fn reach(&mut self, element: usize, from: usize, reached: &mut Vec<usize>) {
            for &bucket in &self.choices[element] {
                if self.came_from[bucket].is_none() && !self.closed[bucket] {
                    self.came_from[bucket] = Some((element, from));
                    reached.push(bucket);
                }
            }
        }

        /// Moves elements along the path that leads to `bucket`.
        fn shift(&mut self, mut bucket: usize) {
            while let Some((element, from)) = self.came_from[bucket] {
                self.buckets[bucket].push(element);
                match self.buckets.get_mut(from) {
                    Some(left) => left.retain(|&other| other != element),
                    None => return,
                }
                bucket = from;
            }
        }
    }

    /// Within four standard errors and 3/m of the best placement of 20 random instances.
    #[test]
    fn agrees_with_the_best_placement_of_random_instances() {
        let mut rng = Rng::seed_from_u64(11);
        for (d, h, c) in [
            (2, 1, 0.45),
            (2, 1, 0.6),
            (2, 1, 1.0),
            (3, 1, 0.9),
            (3, 1, 0.93),
            (3, 1, 1.0),
            (4, 1, 1.2),
            (2, 2, 0.88),
            (2, 2, 0.92),
            (2, 4, 1.0),
            (3, 4, 1.0),
            (2, 4, 1.5),
        ] {
            let m = 20_000 / h;
            let n = (c * (m * h) as f64).round() as usize;
            let found: Vec<f64> = (0..20)
                .map(|_| Placement::left_over(&mut rng, (n, m, h, d)) as f64 / n as f64)
                .collect();
            let mean = found.iter().sum::<f64>() / 20.0;
            let squares: f64 = found.iter().map(|x| (x - mean) * (x - mean)).sum();
            let tolerance = 4.0 * (squares / 380.0).sqrt() + 3.0 / m as f64;
            let expected = least_overflow(c, h as u32, d);
            assert!((mean - expected).abs() < tolerance, "d {d} h {h} c {c}: {mean} {expected}");
        }
    }

    proptest! {
        #[test]
        fn is_below_every_scheme(c in 0.01..3.0, h in 1_u32..20, d in 1_u32..20) {
            let least = least_overflow(c, h, d);
            prop_assert!(least >= (1.0 - 1.0 / c).max(0.0) - 1e-11);
            prop_assert!(least <= d_random::static_fill(c, h, d, 1.0).unwrap().overflow + 1e-10);
            prop_assert!(least <= multiple::alternation(c, h, d, 1.0).overflow + 1e-12);
        }

        #[test]
        fn falls_with_choices_and_grows_with_load(c in 0.01..3.0, h in 1_u32..256, d in 1_u32..1024) {
            let least = least_overflow(c, h, d);
            prop_assert!(least_overflow(c, h, d + 1) <= least + 1e-11);
            prop_assert!(least_overflow(1.01 * c, h, d) >= least - 1e-11);
        }
    }
}
