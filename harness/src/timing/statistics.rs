//! Medians of layouts, and the interval of their mean.
//!
//! Samples of one layout share what its keys, its hash functions and its place in memory do to them: they say how
//! exactly that layout is known, and nothing of the next one. Each layout therefore counts as one observation, the
//! logarithm of the median of its samples, as what disturbs a time multiplies it. Layouts are independent of each
//! other, and Student's law with one degree of freedom fewer than there are layouts has the interval of their mean.

use crate::estimate::interval::{Interval, LEVEL, t_quantile};
use crate::estimate::moments::Moments;

/// What the layouts have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Centre {
    /// Geometric mean over the layouts: of their medians, or of the ratios of their medians.
    pub value: f64,
    /// Where that of all layouts lies; `None` where one layout says nothing of another.
    pub interval: Option<Interval>,
}

/// The centre of these samples, layout by layout, with its interval at [`LEVEL`]; `None` where there are none.
pub fn centre_of(layouts: &[Vec<f64>]) -> Option<Centre> {
    centre(&medians(layouts).map(libm::log).collect(), LEVEL)
}

/// The centre of the ratios of the medians of both in the same layout, with its interval at this level; `None` where
/// there are none.
pub fn centre_of_pairs(layouts: &[Vec<f64>], others: &[Vec<f64>], level: f64) -> Option<Centre> {
    let pairs = medians(layouts).zip(medians(others));
    centre(&pairs.map(|(own, other)| libm::log(own / other)).collect(), level)
}

fn medians(layouts: &[Vec<f64>]) -> impl Iterator<Item = f64> {
    layouts.iter().filter_map(|layout| median(&mut layout.clone()))
}

/// The centre of which these are the logarithms, one of each layout.
fn centre(logarithms: &Moments, level: f64) -> Option<Centre> {
    let mean = logarithms.mean()?;
    let quantile = || t_quantile(level, (logarithms.count() - 1) as f64);
    let half = logarithms.std_error().map(|error| error * quantile());
    let interval =
        half.map(|half| Interval { low: libm::exp(mean - half), high: libm::exp(mean + half) });
    Some(Centre { value: libm::exp(mean), interval })
}

/// The standard error of the logarithm of a centre, from its interval and the number of its layouts.
pub fn standard_error(interval: Interval, layouts: u64) -> f64 {
    let half = libm::log(interval.high / interval.low) / 2.0;
    half / t_quantile(LEVEL, layouts.saturating_sub(1) as f64)
}

/// The samples divided by those of the same round.
pub fn ratios(samples: &[Vec<f64>], baseline: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let of_layout =
        |(own, other): (&Vec<f64>, &Vec<f64>)| own.iter().zip(other).map(|(a, b)| a / b).collect();
    samples.iter().zip(baseline).map(of_layout).collect()
}

/// The middle of the values, or of the two in the middle; `None` where there is none.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len() / 2;
    let is_even = values.len().is_multiple_of(2);
    if values.is_empty() {
        return None;
    }
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    match below.iter().copied().max_by(f64::total_cmp).filter(|_| is_even) {
        Some(lower) => Some(f64::midpoint(lower, upper)),
        None => Some(upper),
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::Layouts;
    use super::*;

    #[test]
    fn the_median_of_a_few() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&mut [7.0]), Some(7.0));
        assert_eq!(median(&mut []), None);
        assert_eq!(centre_of(&[Vec::new()]), None);
    }

    /// Of 2,000 intervals of 95 %, 100 miss; five standard errors are 49. Layouts scatter more than samples, as much
    /// as those, and less; a tenth of the samples is disturbed and takes half as long again.
    #[test]
    fn intervals_hold_the_centre_as_often_as_they_say() {
        for (of_layouts, of_samples) in [(0.02, 0.005), (0.02, 0.02), (0.002, 0.03)] {
            for layouts in [2, 3, 6, 24] {
                let made = Layouts { layouts, samples: 20, of_layouts, of_samples };
                let truth = made.centre();
                let missed = (0..2000).filter(|&seed| {
                    let interval = centre_of(&made.draw(1.0, seed)).unwrap().interval.unwrap();
                    truth < interval.low || interval.high < truth
                });
                let missed = missed.count();
                assert!((51..=149).contains(&missed), "{made:?}: {missed}");
            }
        }
    }

    #[test]
    fn one_layout_has_no_interval() {
        let centre = centre_of(&[vec![8.0, 8.5, 9.0]]).unwrap();
        assert!((centre.value - 8.5).abs() < 1e-12 && centre.interval.is_none());
    }

    #[test]
    fn the_standard_error_is_that_of_the_medians() {
        let layouts = [vec![1.0], vec![2.0], vec![4.0]];
        let interval = centre_of(&layouts).unwrap().interval.unwrap();
        let expected = 2f64.ln() / 3f64.sqrt();
        assert!((standard_error(interval, 3) - expected).abs() < 1e-12);
    }

    #[test]
    fn what_slows_both_leaves_their_ratio_alone() {
        let slow = vec![vec![2.0, 20.0, 2.0], vec![4.0, 2.0]];
        let half: Vec<Vec<f64>> =
            slow.iter().map(|layout| layout.iter().map(|x| x / 2.0).collect()).collect();
        assert_eq!(ratios(&slow, &half), vec![vec![2.0; 3], vec![2.0; 2]]);
        let Centre { value, interval } = centre_of(&ratios(&slow, &half)).unwrap();
        let interval = interval.unwrap();
        assert!([value, interval.low, interval.high].iter().all(|end| (end - 2.0).abs() < 1e-12));
    }
}
