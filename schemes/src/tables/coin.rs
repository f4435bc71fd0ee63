//! The insertion probability α as a biased coin.

use rand::Rng as _;

use crate::Rng;

/// A coin that shows heads with probability α.
#[derive(Debug, Clone, Copy)]
pub struct Coin {
    /// α·2⁶⁴, or `None` where α = 1: then nothing is drawn.
    threshold: Option<u64>,
}

impl Coin {
    /// A coin that shows heads with this probability.
    pub fn new(probability: f64) -> Self {
        let threshold = (probability < 1.0).then(|| (probability * 2f64.powi(64)) as u64);
        Self { threshold }
    }

    /// Whether heads is certain.
    #[inline]
    pub fn is_certain(&self) -> bool {
        self.threshold.is_none()
    }

    /// Whether it shows heads this time.
    #[inline]
    pub fn toss(&self, rng: &mut Rng) -> bool {
        self.threshold.is_none_or(|threshold| rng.next_u64() < threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn heads_come_at_the_rate_asked_for() {
        let mut rng = Rng::seed_from_u64(5);
        let tosses = 100_000;
        for probability in [0.0, 0.3, 1.0] {
            let coin = Coin::new(probability);
            let heads = (0..tosses).filter(|_| coin.toss(&mut rng)).count() as f64;
            let std_error = (probability * (1.0 - probability) * f64::from(tosses)).sqrt();
            assert!((heads - probability * f64::from(tosses)).abs() <= 4.0 * std_error);
        }
    }
}
