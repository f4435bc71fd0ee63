//! Probabilities of consecutive whole numbers.

/// A law on whole numbers: the least one, and the probabilities from it on.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    first: u32,
    probabilities: Vec<f64>,
}

impl Distribution {
    /// The law with these probabilities of `first`, `first + 1`, ….
    pub fn new(first: u32, probabilities: Vec<f64>) -> Self {
        Self { first, probabilities }
    }

    /// This number, for certain.
    pub fn certain(number: u32) -> Self {
        Self::new(number, vec![1.0])
    }

    /// The least number that has a probability.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The greatest number that has a probability.
    pub fn last(&self) -> u32 {
        self.first + (self.probabilities.len().max(1) - 1) as u32
    }

    /// Probabilities of `first`, `first + 1`, ….
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Each number with its probability.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, f64)> {
        let number = |(i, &p): (usize, &f64)| (self.first + i as u32, p);
        self.probabilities.iter().enumerate().map(number)
    }

    /// The probability of a number.
    pub fn at(&self, number: u32) -> f64 {
        let index = number.checked_sub(self.first);
        index.and_then(|index| self.probabilities.get(index as usize)).copied().unwrap_or(0.0)
    }

    /// The probability of a number or more, summed from the far end: small values keep their digits.
    pub fn at_least(&self, number: u32) -> f64 {
        let such = self.iter().rev().take_while(|&(k, _)| k >= number);
        // Rounding may add up to more than 1, and the empty sum of `sum` is −0.
        such.fold(0.0, |sum, (_, p)| sum + p).min(1.0)
    }

    /// The mean, summed from the far end.
    pub fn mean(&self) -> f64 {
        self.mean_of(f64::from)
    }

    /// The mean of a function of the number, summed from the far end.
    pub fn mean_of(&self, function: impl Fn(u32) -> f64) -> f64 {
        self.iter().rev().map(|(k, p)| p * function(k)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_over_the_numbers() {
        let law = Distribution::new(3, vec![0.5, 0.25, 0.25]);
        assert_eq!((law.first(), law.last(), law.mean()), (3, 5, 3.75));
        assert_eq!([2, 3, 5, 6].map(|k| law.at(k)), [0.0, 0.5, 0.25, 0.0]);
        assert_eq!([0, 4, 6].map(|k| law.at_least(k)), [1.0, 0.5, 0.0]);
        assert!(law.at_least(6).is_sign_positive());
    }

    #[test]
    fn a_tail_is_neither_below_0_nor_above_1() {
        let law = Distribution::new(0, vec![0.7, 0.2, 0.1, f64::EPSILON]);
        assert!(law.at_least(4).is_sign_positive());
        assert_eq!(law.at_least(0), 1.0);
    }

    #[test]
    fn a_small_tail_is_not_lost_beside_the_rest() {
        let law = Distribution::new(0, vec![1.0, 1e-200]);
        assert_eq!(law.at_least(1), 1e-200);
    }
}
