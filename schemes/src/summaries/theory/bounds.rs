//! Values that are known from both sides.

use std::ops::Add;

/// A value lies between these, which are equal up to rounding where it is known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    /// At least this.
    pub lower: f64,
    /// At most this.
    pub upper: f64,
}

impl Bounds {
    /// This value.
    pub fn exactly(value: f64) -> Self {
        Self { lower: value, upper: value }
    }

    /// Both times a number that is not negative.
    pub fn times(self, factor: f64) -> Self {
        Self { lower: self.lower * factor, upper: self.upper * factor }
    }

    /// The middle.
    pub fn middle(self) -> f64 {
        self.lower + (self.upper - self.lower) / 2.0
    }

    /// The probability of one of two independent events with these probabilities.
    pub fn or(self, other: Self) -> Self {
        let either = |a: f64, b: f64| a + (1.0 - a) * b;
        Self { lower: either(self.lower, other.lower), upper: either(self.upper, other.upper) }
    }

    /// The probability of the union of two events, whatever they have to do with each other.
    pub fn union(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: (self.upper + other.upper).min(1.0) }
    }
}

impl Add for Bounds {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { lower: self.lower + other.lower, upper: self.upper + other.upper }
    }
}

impl std::iter::Sum for Bounds {
    fn sum<I: Iterator<Item = Self>>(bounds: I) -> Self {
        bounds.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unions_are_bounded_by_the_greatest_and_the_sum() {
        let [a, b] = [0.25, 0.5].map(Bounds::exactly);
        assert_eq!(a.union(b), Bounds { lower: 0.5, upper: 0.75 });
        assert_eq!(b.union(b).upper, 1.0);
        assert_eq!(a.or(b), Bounds::exactly(0.625));
        assert_eq!(a.union(b).middle(), 0.625);
    }
}
