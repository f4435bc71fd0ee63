//! Balls thrown into bins one after the other: how many of them fall into a bin that is not empty.

/// Probabilities below it are left out: just above the numbers that lose digits.
pub(crate) const NEGLIGIBLE: f64 = 1e-300;

/// After so many balls, the probabilities are scaled to the sum 1 again: the rounded inverse of the number of bins
/// makes all of them drift together.
const SCALED_EVERY: u32 = 1024;

/// The law of the number of collisions, as far as it is above [`NEGLIGIBLE`], ball by ball.
///
/// All terms are positive, so that the tails keep their relative precision. The support is a band: of n balls
/// in m bins about n²/2m collide, with a standard deviation below the root of that.
pub(crate) struct Collisions {
    bins: f64,
    balls: u32,
    /// The least number of collisions that matters.
    first: u32,
    law: Vec<f64>,
    /// What the law was a ball ago.
    before: Vec<f64>,
    /// 0, 1, 2, …: conversions of indices would keep the loop from being vectorised.
    numbers: Vec<f64>,
}

impl Collisions {
    /// No ball so far.
    pub(crate) fn new(bins: u32) -> Self {
        let (law, before) = (vec![1.0], Vec::new());
        Self { bins: bins.into(), balls: 0, first: 0, law, before, numbers: Vec::new() }
    }

    /// The least number of collisions that matters, and the probabilities from it on.
    pub(crate) fn law(&self) -> (u32, &[f64]) {
        (self.first, &self.law)
    }

    /// Throws until there are so many balls.
    pub(crate) fn go_to(&mut self, balls: u32) {
        while self.balls < balls {
            self.throw();
            self.trim();
            if self.balls.is_multiple_of(SCALED_EVERY) {
                let total: f64 = self.law.iter().sum();
                self.law.iter_mut().for_each(|p| *p /= total);
            }
        }
    }

    /// One more ball, equation (4.3) for collisions in place of nonempty bins: with c of j balls, j − c bins
    /// are occupied.
    fn throw(&mut self) {
        std::mem::swap(&mut self.law, &mut self.before);
        let (old, length) = (&self.before, self.before.len());
        self.numbers.extend((self.numbers.len()..=length).map(|i| i as f64));
        let occupied = f64::from(self.balls - self.first);
        let (empty, share) = (self.bins - occupied, 1.0 / self.bins);
        self.law.clear();
        self.law.push(old[0] * (empty * share));
        let pairs = old.windows(2).zip(&self.numbers);
        self.law.extend(pairs.map(|(pair, number)| {
            let collides = (occupied - number) * share;
            let fits = (empty + number + 1.0) * share;
            pair[0] * collides + pair[1] * fits
        }));
        self.law.push(old[length - 1] * ((occupied - self.numbers[length - 1]) * share));
        self.balls += 1;
    }

    fn trim(&mut self) {
        let matters = |p: &f64| *p >= NEGLIGIBLE;
        self.law.truncate(self.law.iter().rposition(matters).map_or(1, |last| last + 1));
        let small = self.law.iter().position(matters).unwrap_or(0);
        if small > 0 {
            self.law.drain(..small);
            self.first += small as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::bins::occupied;

    /// Against the recurrence for bins without a band.
    #[test]
    fn balls_that_do_not_collide_occupy_bins() {
        for (balls, bins) in [(1, 1), (5, 1), (7, 3), (40, 1000), (200, 90)] {
            let mut collisions = Collisions::new(bins);
            collisions.go_to(balls);
            let (first, law) = collisions.law();
            let expected = occupied(balls, bins.into());
            for (number, p) in (first..).zip(law) {
                let expected = expected[(balls - number) as usize];
                assert!((p / expected - 1.0).abs() < 1e-12, "{balls} {bins} {number}: {p}");
            }
            assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    /// All balls into one of a million bins: the far end of a law with a mean near 0.
    #[test]
    fn the_last_collision_keeps_its_digits() {
        let mut collisions = Collisions::new(1_000_000);
        collisions.go_to(30);
        let (first, law) = collisions.law();
        assert_eq!((first, law.len()), (0, 30));
        assert!((law[29] / 1e-174 - 1.0).abs() < 1e-12, "{}", law[29]);
    }

    /// n − m·(1 − (1 − 1/m)^n) on average, over many bands.
    #[test]
    fn what_is_left_out_does_not_move_the_mean() {
        let mut collisions = Collisions::new(5_000);
        collisions.go_to(20_000);
        let (first, law) = collisions.law();
        let mean: f64 = (first..).zip(law).map(|(number, p)| f64::from(number) * p).sum();
        let expected = 20_000.0 - 5_000.0 * (1.0 - (1.0 - 1.0 / 5_000.0_f64).powi(20_000));
        assert!((mean / expected - 1.0).abs() < 1e-13, "{mean} {expected}");
    }
}
