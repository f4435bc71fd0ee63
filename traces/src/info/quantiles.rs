//! Quantiles of a stream of whole numbers.

/// Binary digits of a number that are kept.
const DIGITS: u32 = 11;
/// Numbers below this have a count each.
const EXACT: u64 = 1 << DIGITS;
/// Counts of the numbers between one power of two and the next, from [`EXACT`] on.
const PER_OCTAVE: u64 = EXACT / 2;

/// How often each number occurred: exact below 2048, above it to eleven binary digits, that is within 0.1 %.
/// Whatever the numbers are, there are at most some 56,000 counts.
#[derive(Debug, Default)]
pub(super) struct Quantiles {
    counts: Vec<u64>,
    total: u64,
}

impl Quantiles {
    pub(super) fn add(&mut self, number: u64) {
        let place = place(number);
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
        self.total += 1;
    }

    /// How many numbers there are.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The smallest number that so many quarters of all numbers do not exceed; `None` of no numbers.
    pub(super) fn quartile(&self, quarters: u64) -> Option<u64> {
        let mut below = 0;
        let reaches = |&count: &u64| {
            below += count;
            4 * u128::from(below) >= u128::from(quarters) * u128::from(self.total)
        };
        (self.total > 0).then(|| self.counts.iter().position(reaches).map(least))?
    }
}

/// Which count a number belongs to.
fn place(number: u64) -> usize {
    if number < EXACT {
        return number as usize;
    }
    let octave = u64::from(number.ilog2() - DIGITS);
    let leading = number >> (octave + 1);
    (EXACT + octave * PER_OCTAVE + leading - PER_OCTAVE) as usize
}

/// The least number of a count.
fn least(place: usize) -> u64 {
    let place = place as u64;
    match place.checked_sub(EXACT) {
        None => place,
        Some(above) => (above % PER_OCTAVE + PER_OCTAVE) << (above / PER_OCTAVE + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_near_the_least_of_its_count() {
        for number in (0..100_000).chain((1..64).map(|power| (1 << power) + 12_345)) {
            let told = least(place(number));
            let exact = number < EXACT;
            assert!(told <= number && number - told <= number / 1024, "{told} for {number}");
            assert!(!exact || told == number);
        }
        assert_eq!(least(place(u64::MAX)), 2047 << 53);
    }

    #[test]
    fn quartiles_split_the_numbers() {
        let mut quantiles = Quantiles::default();
        assert_eq!(quantiles.quartile(2), None);
        for number in [7, 1, 1, 100, 3, 9, 3000, 12] {
            quantiles.add(number);
        }
        assert_eq!([1, 2, 3].map(|q| quantiles.quartile(q)), [Some(1), Some(7), Some(12)]);
        assert_eq!((quantiles.quartile(4), quantiles.total()), (Some(3000), 8));
    }
}
