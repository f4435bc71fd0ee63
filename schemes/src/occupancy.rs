//! How often places are chosen, where it does not matter which they are.

use std::iter;
use std::ops::Range;

use crate::Rng;
use crate::binomial::binomial;
use crate::uniform::{Uniform, with_own};

/// Choices that are made one by one: of fewer, nothing is gained by making most of them at once.
const FEW: u64 = 256;

/// A number of the Poisson law is as good as never so many standard deviations below its mean, nor so many and [`HARDLY`] more
/// above it: the probability of one of the two is below 10⁻³⁰.
const DEVIATIONS: f64 = 12.0;

const HARDLY: f64 = 25.0;

/// Places without names, each of which was chosen some number of times.
///
/// # Choices that are made at once
///
/// A Poisson process chooses every place independently of all others. So of the places that it chose i times or more, each
/// was chosen once more at least with a probability that its mean alone decides, and how many were is binomial. Given how many
/// choices it made, these have the law of as many uniform ones. Its mean is a standard deviation below the number wanted: what is missing
/// is chosen place by place, and where it made too many it begins anew, which changes nothing of the law for any number of
/// choices. So n choices take a time like √n.
///
/// One more choice is of a uniform rank among all places, those that were chosen more often first.
#[derive(Debug, Clone)]
pub(crate) struct Occupancy {
    places: Uniform,
    number: u32,
    /// How often every place was chosen at least.
    all: u64,
    /// How many places were chosen more often than that, twice more and so on, as long as they are any.
    more: Vec<u32>,
    /// What a Poisson process decides by, from [`more_than`].
    likely: Vec<f64>,
}

impl Occupancy {
    /// So many places, which are not 0.
    pub(crate) fn new(number: u32) -> Self {
        Self {
            places: Uniform::dense(number),
            number,
            all: 0,
            more: Vec::new(),
            likely: Vec::new(),
        }
    }

    /// Makes so many choices, each of any place, and nothing is left of those that were made before.
    pub(crate) fn choose(&mut self, choices: u64, rng: &mut Rng) {
        let missing = loop {
            if let Some(missing) = choices.checked_sub(self.choose_at_once(choices, rng)) {
                break missing;
            }
        };
        let Self { places, more, .. } = self;
        with_own(rng, |rng| places.each(missing as usize, rng, |rank| choose_rank(more, rank)));
    }

    /// Places that were chosen.
    pub(crate) fn distinct(&self) -> u32 {
        match self.all {
            0 => self.more.first().copied().unwrap_or(0),
            _ => self.number,
        }
    }

    /// The most choices of one place.
    pub(crate) fn greatest(&self) -> u64 {
        self.all + self.more.len() as u64
    }

    /// The ranks of all places that were chosen equally often, and how often.
    pub(crate) fn equally_often(&self) -> impl Iterator<Item = (Range<u32>, u64)> {
        let ends = iter::once(self.number).chain(self.more.iter().copied());
        let firsts = self.more.iter().copied().chain([0]);
        firsts.zip(ends).zip(self.all..).map(|((first, end), often)| (first..end, often))
    }

    /// Chooses as a Poisson process does, nearly as often as is wanted, or not at all; how often that is.
    fn choose_at_once(&mut self, wanted: u64, rng: &mut Rng) -> u64 {
        self.more.clear();
        self.all = 0;
        if wanted <= FEW {
            return 0;
        }
        let wanted = wanted as f64;
        let mean = (wanted - wanted.sqrt()) / f64::from(self.number);
        self.all = (mean - DEVIATIONS * mean.sqrt()).max(0.0) as u64;
        more_than(self.all, mean, &mut self.likely);
        let (mut left, mut made) = (self.number, self.all * u64::from(self.number));
        for &more in self.likely.iter().rev() {
            left = binomial(left, more, rng);
            if left == 0 {
                break;
            }
            made += u64::from(left);
            self.more.push(left);
        }
        made
    }
}

/// Accesses to memory that take about as long as so many choices.
pub(crate) fn operations(choices: f64) -> f64 {
    choices.min(500.0 + 5.0 * choices.sqrt())
}

/// Chooses the place of this rank, of those that were chosen `more` often than all.
fn choose_rank(more: &mut Vec<u32>, rank: u32) {
    let own = more.partition_point(|&places| rank < places);
    match more.get_mut(own) {
        Some(places) => *places += 1,
        None => more.push(1),
    }
}

/// The probabilities that a number of the Poisson law is greater than i where it is at least i, for i = .., `first` + 1, `first`.
///
/// The law from i on, divided by its probability of i, adds up to t_i = 1 + mean/(i + 1)·t_(i+1), and what is greater is all of
/// that but the 1.
fn more_than(first: u64, mean: f64, probabilities: &mut Vec<f64>) {
    let last = (mean + DEVIATIONS * mean.sqrt() + HARDLY) as u64;
    let mut from_next = 1.0;
    probabilities.clear();
    probabilities.extend((first..last).rev().map(|i| {
        let greater = mean / (i + 1) as f64 * from_next;
        from_next = 1.0 + greater;
        greater / from_next
    }));
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// All choices, added up over places of which each is in one class.
    fn made(occupancy: &Occupancy) -> u64 {
        let mut end = occupancy.number;
        let of_class = |(ranks, often): (Range<u32>, u64)| {
            assert_eq!(ranks.end, end);
            end = ranks.start;
            often * ranks.len() as u64
        };
        let made = occupancy.equally_often().map(of_class).sum();
        assert_eq!(end, 0);
        made
    }

    /// The probabilities of i places that were chosen, i = 0, 1, .., one choice after the other.
    fn law_of_distinct(places: usize, choices: u64) -> Vec<f64> {
        let mut law = vec![0.0; places + 1];
        law[0] = 1.0;
        for _ in 0..choices {
            for i in (0..=places).rev() {
                let from_before = if i > 0 { law[i - 1] * (places - i + 1) as f64 } else { 0.0 };
                law[i] = (law[i] * i as f64 + from_before) / places as f64;
            }
        }
        law
    }

    /// The probability that numbers of the Poisson law of this mean, none above `most`, add up to all choices.
    fn adding_up(most: u64, places: u64, choices: u64) -> f64 {
        let mean = choices as f64 / places as f64;
        let mut sums = vec![0.0; choices as usize + 1];
        sums[0] = 1.0;
        for _ in 0..places {
            sums = (0..sums.len())
                .map(|sum| {
                    let ways = (0..=sum.min(most as usize)).scan((-mean).exp(), |mass, i| {
                        let own = *mass * sums[sum - i];
                        *mass *= mean / (i + 1) as f64;
                        Some(own)
                    });
                    ways.sum()
                })
                .collect();
        }
        sums[choices as usize]
    }

    /// With few choices, and with many that are made at once: the number of places that were chosen, and the most choices of one
    /// place, have the probabilities of their laws, within 4.5 standard errors and the one trial that may be there by chance.
    #[test]
    fn places_are_chosen_as_one_by_one() {
        let trials = 100_000_u32;
        for (places, choices) in [(3, 4), (20, 40), (150, FEW + 1), (100, 300), (1000, 400)] {
            let mut rng = Rng::seed_from_u64(choices);
            let mut occupancy = Occupancy::new(places);
            let (mut distinct, mut greatest) = (vec![0_u32; places as usize + 1], vec![0_u32; 60]);
            for _ in 0..trials {
                occupancy.choose(choices, &mut rng);
                assert_eq!(made(&occupancy), choices);
                distinct[occupancy.distinct() as usize] += 1;
                greatest[occupancy.greatest() as usize] += 1;
            }
            let assert_share = |seen: u32, share: f64, what: &str| {
                let expected = share * f64::from(trials);
                let allowed = 4.5 * (expected * (1.0 - share).max(0.0)).sqrt() + 1.0;
                let apart = (f64::from(seen) - expected).abs();
                assert!(apart <= allowed, "{places} {choices} {what}: {seen} {expected}");
            };
            let law = law_of_distinct(places as usize, choices);
            for (number, (seen, share)) in distinct.into_iter().zip(law).enumerate() {
                assert_share(seen, share, &format!("{number} different"));
            }
            // No number of the Poisson law is above 60, as good as.
            let all = adding_up(choices.min(60), places.into(), choices);
            let mut up_to = 0;
            for (most, seen) in (0..20).zip(greatest) {
                up_to += seen;
                let share = adding_up(most, places.into(), choices) / all;
                assert_share(up_to, share, &format!("no more than {most}"));
            }
        }
    }

    /// Of two places that are chosen many times, the one that is chosen more often is as far from half of the choices as a coin
    /// is off, on average; within 4.5 standard errors.
    #[test]
    fn places_that_are_all_chosen_often() {
        let (trials, choices) = (20_000_u32, 20_000_u64);
        let mut rng = Rng::seed_from_u64(9);
        let mut occupancy = Occupancy::new(2);
        let mut sum = 0.0;
        for _ in 0..trials {
            occupancy.choose(choices, &mut rng);
            assert_eq!((made(&occupancy), occupancy.distinct()), (choices, 2));
            assert!(occupancy.all > 0);
            sum += occupancy.greatest() as f64 - choices as f64 / 2.0;
        }
        let deviation = (choices as f64 / 4.0).sqrt();
        let expected = deviation * (2.0 / std::f64::consts::PI).sqrt();
        let error = (deviation * deviation - expected * expected).sqrt() / f64::from(trials).sqrt();
        let found = sum / f64::from(trials);
        assert!((found - expected).abs() < 4.5 * error, "{found} {expected}");
    }

    /// As many times that one place is chosen as there are choices.
    #[test]
    fn one_place_is_chosen_always() {
        let mut rng = Rng::seed_from_u64(10);
        let mut occupancy = Occupancy::new(1);
        for choices in [0, 1, FEW, FEW + 1, 5000, 1_000_000, 0] {
            occupancy.choose(choices, &mut rng);
            assert_eq!(occupancy.greatest(), choices);
            assert_eq!(occupancy.distinct(), u32::from(choices > 0));
        }
    }
}
