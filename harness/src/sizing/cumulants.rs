//! The first three cumulants of whole numbers that are counted piece by piece.

/// Sums of the first three powers of numbers, each less a reference near them, so that no digits are lost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct PowerSums {
    reference: f64,
    count: u64,
    powers: [f64; 3],
}

/// Mean, variance and third central moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cumulants {
    /// The first.
    pub mean: f64,
    /// The second.
    pub variance: f64,
    /// The third.
    pub third: f64,
}

impl PowerSums {
    /// Of no number, for numbers near the reference.
    pub(super) fn near(reference: u32) -> Self {
        Self { reference: reference.into(), ..Self::default() }
    }

    /// Adds a number.
    #[inline]
    pub(super) fn push(&mut self, number: u32) {
        let apart = f64::from(number) - self.reference;
        let square = apart * apart;
        self.count += 1;
        self.powers[0] += apart;
        self.powers[1] += square;
        self.powers[2] += square * apart;
    }

    fn sum(&self) -> f64 {
        self.reference * self.count as f64 + self.powers[0]
    }

    /// The sums of the second and the third power less another reference.
    fn around(&self, reference: f64) -> [f64; 2] {
        let (shift, count) = (self.reference - reference, self.count as f64);
        let [first, second, third] = self.powers;
        [
            second + shift * (2.0 * first + shift * count),
            third + shift * (3.0 * second + shift * (3.0 * first + shift * count)),
        ]
    }
}

impl Cumulants {
    /// Of all numbers in these sums; `None` where there is none.
    pub(super) fn of<'s>(sums: impl Iterator<Item = &'s PowerSums> + Clone) -> Option<Self> {
        let count: u64 = sums.clone().map(|sums| sums.count).sum();
        if count == 0 {
            return None;
        }
        let count = count as f64;
        let mean = sums.clone().map(PowerSums::sum).sum::<f64>() / count;
        let central = |power: usize| sums.clone().map(|sums| sums.around(mean)[power]).sum::<f64>();
        Some(Self { mean, variance: central(0) / count, third: central(1) / count })
    }

    /// The second divided by the first, which is 1 for a Poisson number.
    pub fn dispersion(&self) -> f64 {
        ratio(self.variance, self.mean)
    }

    /// The third divided by the second, likewise.
    pub fn skewness(&self) -> f64 {
        ratio(self.third, self.variance)
    }
}

/// Of nothing to nothing 1, as in the limit of rare numbers.
fn ratio(cumulant: f64, before: f64) -> f64 {
    if before > 0.0 { cumulant / before } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(reference: u32, numbers: &[u32]) -> PowerSums {
        let mut sums = PowerSums::near(reference);
        numbers.iter().for_each(|&number| sums.push(number));
        sums
    }

    /// A third of 1, 2 and 9 each: mean 4, central moments (9 + 4 + 25)/3 and (−27 − 8 + 125)/3.
    #[test]
    fn pieces_with_any_reference_give_the_moments_of_the_whole() {
        let (one, other) = (sums(3, &[1, 9]), sums(100, &[2]));
        let found = Cumulants::of([one, other].iter()).unwrap();
        for (found, expected) in
            [(found.mean, 4.0), (found.variance, 38.0 / 3.0), (found.third, 30.0)]
        {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn nothing_has_no_moments() {
        assert_eq!(Cumulants::of([PowerSums::near(3)].iter()), None);
    }
}
