//! Moments of a sample that can be added up batch by batch.

/// Count, mean, spread, least and greatest of the values pushed so far.
///
/// Two accumulators that received the same pushes and merges in the same order are equal bit for
/// bit; another order gives the same estimate but not the same bits. The mean and the sum of
/// squared deviations are updated as in Chan, Golub and LeVeque, "Updating Formulae and a Pairwise
/// Algorithm for Computing Sample Variances" (1979), which loses no digits where the mean is large
/// against the spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
    min: f64,
    max: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self { count: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }
}

impl Moments {
    /// Adds one value: what one trial measured.
    pub fn push(&mut self, x: f64) {
        self.count += 1;
        let from_old = x - self.mean;
        self.mean += from_old / self.count as f64;
        self.squares += from_old * (x - self.mean);
        self.min = self.min.min(x);
        self.max = self.max.max(x);
    }

    /// Adds every value that `other` received.
    pub fn merge(&mut self, other: &Moments) {
        if self.count == 0 || other.count == 0 {
            if self.count == 0 {
                *self = *other;
            }
            return;
        }
        let count = self.count + other.count;
        let share = other.count as f64 / count as f64;
        let apart = other.mean - self.mean;
        self.squares += other.squares + apart * apart * self.count as f64 * share;
        self.mean += apart * share;
        self.count = count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Arithmetic mean, or `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Least value, or `None` without values.
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// Greatest value, or `None` without values.
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }

    /// Unbiased sample variance, or `None` below two values.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// Standard error of the mean, or `None` below two values.
    pub fn std_error(&self) -> Option<f64> {
        Some((self.variance()? / self.count as f64).sqrt())
    }

    /// The accumulator as five words, exact to the bit.
    pub fn to_words(&self) -> [u64; 5] {
        [
            self.count,
            self.mean.to_bits(),
            self.squares.to_bits(),
            self.min.to_bits(),
            self.max.to_bits(),
        ]
    }

    /// The accumulator that [`to_words`](Self::to_words) wrote.
    pub fn from_words([count, mean, squares, min, max]: [u64; 5]) -> Self {
        Self {
            count,
            mean: f64::from_bits(mean),
            squares: f64::from_bits(squares),
            min: f64::from_bits(min),
            max: f64::from_bits(max),
        }
    }
}

impl Extend<f64> for Moments {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        values.into_iter().for_each(|x| self.push(x));
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut moments = Self::default();
        moments.extend(values);
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-9)
    }

    fn two_pass_variance(values: &[f64]) -> f64 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
        squares / (values.len() - 1) as f64
    }

    #[test]
    fn few_values_have_no_spread() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.min(), moments.max()), (None, None, None));
        moments.push(3.0);
        assert_eq!(
            (moments.mean(), moments.variance(), moments.std_error()),
            (Some(3.0), None, None)
        );
    }

    #[test]
    fn a_small_sample_by_hand() {
        let moments: Moments = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        assert_eq!((moments.count(), moments.mean()), (8, Some(5.0)));
        assert_eq!(moments.variance(), Some(32.0 / 7.0));
        assert_eq!(moments.std_error(), Some((4.0f64 / 7.0).sqrt()));
        assert_eq!((moments.min(), moments.max()), (Some(2.0), Some(9.0)));
    }

    #[test]
    fn a_large_mean_does_not_drown_the_spread() {
        let moments: Moments = (0..1000).map(|i| 1e9 + f64::from(i % 2)).collect();
        let variance = moments.variance().unwrap();
        assert!(close(variance, 250.0 / 999.0), "{variance}");
    }

    proptest! {
        #[test]
        fn merged_parts_estimate_what_the_whole_does(
            values in prop::collection::vec(-1e3..1e3, 2..60), cut in 0usize..60,
        ) {
            let cut = cut.min(values.len());
            let mut merged: Moments = values[..cut].iter().copied().collect();
            merged.merge(&values[cut..].iter().copied().collect());
            let whole: Moments = values.iter().copied().collect();
            prop_assert_eq!(merged.count(), whole.count());
            prop_assert_eq!((merged.min(), merged.max()), (whole.min(), whole.max()));
            prop_assert!((merged.mean().unwrap() - whole.mean().unwrap()).abs() < 1e-9);
            let expected = two_pass_variance(&values);
            prop_assert!(close(merged.variance().unwrap(), expected));
            prop_assert!(close(whole.variance().unwrap(), expected));
        }

        #[test]
        fn words_keep_every_bit(words in any::<[u64; 5]>()) {
            prop_assert_eq!(Moments::from_words(words).to_words(), words);
        }
    }
}
