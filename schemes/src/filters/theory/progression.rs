//! The standard filter whose choices are a progression of two values, exactly.
//!
//! Choice i of an element is `h1 + i·h2 + f(i) mod m`. An absent key is a false positive if all its places are
//! set; as `h1` is uniform, its own may be taken for 0. For a set `T` of its places, an element of step `s` sets
//! one of them for as many of its m values of `h1` as there are different numbers `t − i·s − f(i)`, t in T. But
//! for few steps s those are all different, so that they are counted for these few alone. With f = 0 it is
//! enough to look at one step of the absent key for each divisor of m, as units of m change the names of
//! places alone.
//!
//! The errata on Section 5 of the document derive the probability (docs/ERRATA.md).

use super::overlap::{MOST_PLACES, Meetings};
use crate::filters::params::Size;
use crate::hash::{Increment, Steps};
use crate::math::divisors::{divisors, gcd, solutions, totient};

/// Steps of absent keys times places of the elements that are looked at for each, above which a probability is
/// not computed: it would take a tenth of a second, and a figure has hundreds of them.
const MOST_WORK: f64 = 5e6;

/// A filter of which an element's choices are a progression.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progression {
    /// m.
    bits: u64,
    /// k.
    choices: u64,
    increment: Increment,
    steps: Steps,
}

impl Progression {
    /// `None` where a third value decides.
    pub(super) fn new(size: &Size, increment: Increment, steps: Steps) -> Option<Self> {
        let (bits, choices) = (size.bits.into(), size.choices.into());
        (increment != Increment::Third).then_some(Self { bits, choices, increment, steps })
    }

    /// The false positive probability with so many elements in the filter.
    pub(super) fn all_set(&self, elements: u32) -> Option<f64> {
        self.mean_of_all_set(&[(elements, 1.0)])
    }

    /// Its mean over these numbers of elements, each with its probability.
    pub(super) fn mean_of_all_set(&self, law: &[(u32, f64)]) -> Option<f64> {
        if self.choices > MOST_PLACES as u64 {
            return None;
        }
        let more =
            law.len().saturating_sub(1) as f64 * self.steps() * (1_u64 << self.choices) as f64;
        if self.work() + more > MOST_WORK {
            return None;
        }
        let mut sum = 0.0;
        for (step, weight) in self.classes() {
            let meetings = self.meetings(&self.places(step));
            for (elements, p) in law.iter().filter(|(elements, _)| *elements > 0) {
                sum += weight * p * meetings.all_set(*elements)?;
            }
        }
        Some(sum)
    }

    /// Mean number of different places of an element.
    pub(super) fn distinct(&self) -> Option<f64> {
        (self.steps() * self.choices as f64 <= MOST_WORK).then(|| {
            let of_step = |(step, weight)| weight * self.places(step).len() as f64;
            self.classes().into_iter().map(of_step).sum()
        })
    }

    /// How many steps stand for all, at most.
    fn steps(&self) -> f64 {
        match self.increment {
            Increment::None => divisors(self.bits).len() as f64,
            _ => self.allowed_steps() as f64,
        }
    }

    /// Steps that stand for all, with their probabilities.
    fn classes(&self) -> Vec<(u64, f64)> {
        let m = self.bits;
        let all = self.allowed_steps() as f64;
        if self.increment == Increment::None {
            let of = |divisor: u64| (divisor % m, totient(m / divisor) as f64 / all);
            return divisors(m).into_iter().filter(|d| self.allows(d % m)).map(of).collect();
        }
        (0..m).filter(|step| self.allows(*step)).map(|step| (step, 1.0 / all)).collect()
    }

    fn allows(&self, step: u64) -> bool {
        match self.steps {
            _ if self.bits == 1 => true,
            Steps::Any => true,
            Steps::Nonzero => step != 0,
            Steps::Coprime => gcd(step, self.bits) == 1,
        }
    }

    fn allowed_steps(&self) -> u64 {
        match self.steps {
            _ if self.bits == 1 => 1,
            Steps::Any => self.bits,
            Steps::Nonzero => self.bits - 1,
            Steps::Coprime => totient(self.bits),
        }
    }

    /// f(i).
    fn added(&self, i: u64) -> u64 {
        match self.increment {
            Increment::None | Increment::Third => 0,
            Increment::Triangular => i * i.saturating_sub(1) / 2,
            Increment::Square => i * i,
            Increment::Cube => i * i * i,
        }
    }

    fn place(&self, i: u64, step: u64) -> u64 {
        (i * step + self.added(i)) % self.bits
    }

    /// The different places of a key with this step and h1 = 0.
    fn places(&self, step: u64) -> Vec<u64> {
        let mut places: Vec<u64> = (0..self.choices).map(|i| self.place(i, step)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// How an element meets these places.
    fn meetings(&self, places: &[u64]) -> Meetings {
        let m = self.bits;
        let mut owned = vec![0.0; 1 << places.len()];
        let special = self.special_steps(places);
        for step in &special {
            for owners in self.owners(places, *step) {
                owned[owners] += 1.0;
            }
        }
        let others = (self.allowed_steps() - special.len() as u64) as f64;
        (0..places.len()).for_each(|place| owned[1 << place] += others * self.choices as f64);
        let each = self.allowed_steps() as f64 * self.choices as f64;
        Meetings::counted(owned, each, m as f64 * self.allowed_steps() as f64)
    }

    /// For each h1 with which an element of this step sets some of the places, which it sets.
    fn owners(&self, places: &[u64], step: u64) -> Vec<usize> {
        let m = self.bits;
        let own: Vec<u64> = (0..self.choices).map(|i| self.place(i, step)).collect();
        let mut owners: Vec<(u64, usize)> = places
            .iter()
            .enumerate()
            .flat_map(|(number, place)| {
                own.iter().map(move |own| ((place + m - own) % m, 1 << number))
            })
            .collect();
        owners.sort_unstable();
        let by_first = owners.chunk_by(|one, next| one.0 == next.0);
        by_first.map(|of_one| of_one.iter().fold(0, |all, (_, place)| all | place)).collect()
    }

    /// The steps with which some element sets two of the places, or one of them twice.
    fn special_steps(&self, places: &[u64]) -> Vec<u64> {
        let m = self.bits;
        let mut special = Vec::new();
        for apart in 1..self.choices {
            let mut values = Vec::new();
            for i in apart..self.choices {
                let added = (self.added(i) - self.added(i - apart)) % m;
                values.extend(pairs(places).map(|(one, other)| (one + 2 * m - other - added) % m));
            }
            values.sort_unstable();
            values.dedup();
            for value in values {
                special.extend(solutions(apart % m, value, m).filter(|step| self.allows(*step)));
            }
        }
        special.sort_unstable();
        special.dedup();
        special
    }

    fn work(&self) -> f64 {
        let k = self.choices as f64;
        let common: u64 = (1..self.choices).map(|apart| gcd(apart, self.bits)).sum();
        match self.increment {
            Increment::None => {
                let divisors = divisors(self.bits).len() as f64;
                divisors * (2.0 * k * common as f64 * k * k + (1_u64 << self.choices) as f64 * k)
            }
            _ => {
                self.bits as f64
                    * (k * k * common as f64 / 2.0 * k * k + (1_u64 << self.choices) as f64 * k)
            }
        }
    }
}

fn pairs(places: &[u64]) -> impl Iterator<Item = (u64, u64)> {
    places.iter().flat_map(move |one| places.iter().map(move |other| (*one, *other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All values of all elements and of an absent key, each as likely as any other: false positives, and
    /// different places of an element.
    fn enumerated(filter: &Progression, elements: u32) -> (f64, f64) {
        let m = filter.bits;
        let keys: Vec<u64> = (0..m)
            .filter(|step| filter.allows(*step))
            .flat_map(|step| (0..m).map(move |first| (first, step)))
            .map(|(first, step)| {
                (0..filter.choices)
                    .fold(0, |set, i| set | 1 << ((first + filter.place(i, step)) % m))
            })
            .collect();
        let (mut sets, mut next) = (vec![0_u64], Vec::new());
        for _ in 0..elements {
            next.clear();
            next.extend(sets.iter().flat_map(|set| keys.iter().map(move |key| set | key)));
            std::mem::swap(&mut sets, &mut next);
        }
        let positive: usize =
            sets.iter().map(|set| keys.iter().filter(|&key| key & !set == 0).count()).sum();
        let distinct: u32 = keys.iter().map(|key| key.count_ones()).sum();
        let all = keys.len() as f64;
        (positive as f64 / (sets.len() as f64 * all), f64::from(distinct) / all)
    }

    #[test]
    fn exact_values_are_those_of_all_outcomes() {
        for (elements, bits, choices) in [
            (1, 1, 2),
            (2, 4, 2),
            (2, 6, 3),
            (2, 7, 4),
            (1, 12, 5),
            (2, 8, 6),
            (3, 5, 3),
            (2, 9, 3),
        ] {
            for increment in
                [Increment::None, Increment::Square, Increment::Cube, Increment::Triangular]
            {
                for steps in [Steps::Any, Steps::Nonzero, Steps::Coprime] {
                    let size = Size { elements, bits, choices };
                    let filter = Progression::new(&size, increment, steps).unwrap();
                    let (positive, distinct) = enumerated(&filter, elements);
                    let found = filter.all_set(elements).unwrap();
                    assert!((found - positive).abs() < 1e-12, "{filter:?} {found} {positive}");
                    assert!((filter.distinct().unwrap() - distinct).abs() < 1e-12, "{filter:?}");
                }
            }
        }
    }

    /// What decides whether an exact value of double hashing is computed is not less than the places of elements that
    /// are looked at for it.
    #[test]
    fn the_work_is_not_more_than_was_foreseen() {
        for (bits, choices) in [(720, 4), (720, 8), (5040, 6), (4096, 8), (997, 5)] {
            let size = Size { elements: 10, bits, choices };
            let filter = Progression::new(&size, Increment::None, Steps::Any).unwrap();
            let looked_at = |step: u64| {
                let places = filter.places(step);
                filter.special_steps(&places).len() * places.len() * choices as usize
            };
            let done: usize = filter.classes().iter().map(|(step, _)| looked_at(*step)).sum();
            assert!(done as f64 <= filter.work(), "{filter:?}: {done} {}", filter.work());
        }
    }

    /// The probability converges to that of independent choices, and is a little above it.
    #[test]
    fn double_hashing_converges() {
        let limit = (1.0 - (-0.75_f64).exp()).powi(6);
        let mut last = f64::INFINITY;
        for elements in [100, 1000, 10_000] {
            let size = Size { elements, bits: 8 * elements, choices: 6 };
            let filter = Progression::new(&size, Increment::None, Steps::Any).unwrap();
            let above = filter.all_set(elements).unwrap() / limit - 1.0;
            assert!(above > 0.0 && above < last / 8.0, "{elements}: {above}");
            last = above;
        }
    }
}
