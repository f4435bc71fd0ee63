//! How many of many independent events happen.

use rand::Rng as _;

use crate::Rng;
use crate::uniform::with_own;

/// The probability of an event: that of drawing one of `hits` out of `of` things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chance {
    pub(crate) hits: u32,
    /// Not 0.
    pub(crate) of: u32,
}

impl Chance {
    /// How many of so many independent events happen.
    pub(crate) fn happening(self, events: u64, rng: &mut Rng) -> u64 {
        let (whole, rest) = (events / u64::from(u64::BITS), events % u64::from(u64::BITS));
        let mut happening = 0;
        with_own(rng, |rng| {
            for _ in 0..whole {
                happening += u64::from(self.among(u64::MAX, rng).count_ones());
            }
            happening += u64::from(self.among((1 << rest) - 1, rng).count_ones());
        });
        happening
    }

    /// How many of so many things are left after so many rounds, each of which leaves a thing with this chance.
    pub(crate) fn left_after(self, rounds: u32, things: u64, rng: &mut Rng) -> u64 {
        let mut left = things;
        for _ in 0..rounds {
            if left == 0 {
                break;
            }
            left = self.happening(left, rng);
        }
        left
    }

    /// Which of the events happen whose bits are set.
    ///
    /// Each event has a number that is uniform between 0 and 1, and happens where that is below the probability. The
    /// numbers of all events are drawn together, digit by digit, until each differs from the probability in one of its
    /// binary digits, which a division gives one by one: nothing is rounded.
    #[inline(always)]
    fn among(self, events: u64, rng: &mut Rng) -> u64 {
        let of = u64::from(self.of);
        let (mut undecided, mut happening, mut rest) = (events, 0, u64::from(self.hits));
        while undecided != 0 && rest != 0 {
            let ones = rng.next_u64();
            rest *= 2;
            if rest >= of {
                rest -= of;
                happening |= undecided & !ones;
                undecided &= ones;
            } else {
                undecided &= !ones;
            }
        }
        happening
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// The number of events has mean and variance of the binomial law, and each value of few events its probability,
    /// all within 4.5 standard errors.
    #[test]
    fn numbers_of_events_are_binomial() {
        let mut rng = Rng::seed_from_u64(5);
        let trials = 100_000;
        for (hits, of) in [(1, 3), (2, 7), (1, 2), (999, 1000), (3, (1 << 31) - 1), (5, 5), (0, 9)]
        {
            let (chance, p) = (Chance { hits, of }, f64::from(hits) / f64::from(of));
            let mut seen = [0_u32; 4];
            for _ in 0..trials {
                seen[chance.happening(3, &mut rng) as usize] += 1;
            }
            for (number, (seen, ways)) in (0..).zip(seen.into_iter().zip([1.0, 3.0, 3.0, 1.0])) {
                let expected = ways * p.powi(number) * (1.0 - p).powi(3 - number);
                let error = (expected * (1.0 - expected) / f64::from(trials)).sqrt();
                let share = f64::from(seen) / f64::from(trials);
                assert!((share - expected).abs() <= 4.5 * error, "{hits}/{of}: {share} {expected}");
            }
            let many = chance.happening(1_000_003, &mut rng) as f64;
            let error = (1_000_003.0 * p * (1.0 - p)).sqrt();
            assert!((many - 1_000_003.0 * p).abs() <= 4.5 * error, "{hits}/{of}: {many}");
        }
    }

    /// Events of the same words are independent: the number that happens among 64 has the variance of the law.
    #[test]
    fn events_of_the_same_words_are_independent() {
        let mut rng = Rng::seed_from_u64(6);
        let (trials, p) = (40_000, 1072.0 / 8000.0);
        let chance = Chance { hits: 1072, of: 8000 };
        let square = |happening: u64| (happening as f64 - 64.0 * p).powi(2);
        let sum: f64 = (0..trials).map(|_| square(chance.happening(64, &mut rng))).sum();
        let (measured, expected) = (sum / f64::from(trials), 64.0 * p * (1.0 - p));
        // A square has about twice the square of its mean for its variance.
        let error = expected * (2.1 / f64::from(trials)).sqrt();
        assert!((measured - expected).abs() < 4.5 * error, "{measured} {expected}");
    }

    /// A thing is left after three rounds with the third power of the chance.
    #[test]
    fn rounds_follow_each_other() {
        let mut rng = Rng::seed_from_u64(7);
        let chance = Chance { hits: 2, of: 3 };
        let (left, expected) = (chance.left_after(3, 270_000, &mut rng) as f64, 80_000.0);
        assert!((left - expected).abs() < 4.5 * (expected * 19.0 / 27.0_f64).sqrt(), "{left}");
        assert_eq!(Chance { hits: 0, of: 3 }.left_after(3, 270_000, &mut rng), 0);
        assert_eq!(Chance { hits: 3, of: 3 }.left_after(3, 270_000, &mut rng), 270_000);
    }
}
