//! Single numbers below something, and the bits that they are made of.

use rand::Rng as _;

use crate::Rng;

/// A number below each of two, neither of which is 0, from one word.
///
/// Few words are rejected, so that it is only asked which of them are where one might be.
#[inline(always)]
pub(crate) fn two_below([one, other]: [u32; 2], rng: &mut Rng) -> [u32; 2] {
    let all = u64::from(one) * u64::from(other);
    loop {
        let first = u128::from(rng.next_u64()) * u128::from(one);
        let second = u128::from(first as u64) * u128::from(other);
        let rest = second as u64;
        if rest >= all || rest >= all.wrapping_neg() % all {
            return [(first >> 64) as u32, (second >> 64) as u32];
        }
    }
}

/// Random bits for so many numbers, in place of those that are there, and perhaps some more. Two come from a word.
pub(crate) fn draw_bits(number: usize, rng: &mut Rng, bits: &mut Vec<u32>) {
    bits.resize(number.next_multiple_of(2), 0);
    with_own(rng, |rng| {
        for bits in bits.as_chunks_mut().0 {
            let word = rng.next_u64();
            *bits = [word as u32, (word >> 32) as u32];
        }
    });
}

/// A number below `range`, which is not 0, from these bits, or from the generator where they are rejected.
#[inline(always)]
pub(crate) fn below(range: u32, bits: u32, rng: &mut Rng) -> u32 {
    let product = u64::from(bits) * u64::from(range);
    // Those that are rejected have a lower rest.
    if product as u32 >= range {
        return (product >> 32) as u32;
    }
    below_with_rest(range, product, rng)
}

#[cold]
fn below_with_rest(range: u32, mut product: u64, rng: &mut Rng) -> u32 {
    while (product as u32) < range.wrapping_neg() % range {
        product = u64::from(rng.next_u32()) * u64::from(range);
    }
    (product >> 32) as u32
}

/// Draws from a copy of the generator, which then goes on where the copy stopped. The state of the copy stays in
/// registers while what is drawn is written somewhere: behind a reference, it might be that very place.
#[inline(always)]
pub(crate) fn with_own(rng: &mut Rng, draw: impl FnOnce(&mut Rng)) {
    let mut own = rng.clone();
    draw(&mut own);
    *rng = own;
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// Of two below 3 and 5 and of one below 15: by chi-squared with 14 degrees of freedom, within five standard deviations.
    #[test]
    fn numbers_below_ranges_are_uniform() {
        let mut rng = Rng::seed_from_u64(12);
        let (mut of_two, mut of_bits) = ([0_u32; 15], [0_u32; 15]);
        for _ in 0..150_000 {
            let [a, b] = two_below([3, 5], &mut rng);
            of_two[(a * 5 + b) as usize] += 1;
            of_bits[below(15, rng.next_u32(), &mut rng) as usize] += 1;
        }
        for counts in [of_two, of_bits] {
            let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
            assert!((chi - 14.0).abs() < 5.0 * 28f64.sqrt(), "{chi}");
        }
    }

    /// Of two ranges for which 7 words of 16 are rejected, each pair of thirds has as many: by chi-squared with 8 degrees of
    /// freedom, within five standard deviations.
    #[test]
    fn words_that_are_rejected_are_drawn_again() {
        let mut rng = Rng::seed_from_u64(15);
        let mut counts = [0_u32; 9];
        for _ in 0..90_000 {
            let [a, b] = two_below([3 << 30; 2], &mut rng).map(|number| number >> 30);
            counts[(a * 3 + b) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
        assert!((chi - 8.0).abs() < 5.0 * 16f64.sqrt(), "{chi}");
    }

    /// Of a range for which a third of the bits are rejected, each third has as many: within five standard errors.
    #[test]
    fn bits_that_are_rejected_are_drawn_again() {
        let range = 3 << 30;
        let mut rng = Rng::seed_from_u64(13);
        let mut counts = [0_u32; 3];
        for _ in 0..300_000 {
            counts[(below(range, rng.next_u32(), &mut rng) >> 30) as usize] += 1;
        }
        for count in counts {
            assert!((f64::from(count) - 1e5).abs() < 5.0 * (2e5_f64 / 3.0).sqrt(), "{counts:?}");
        }
    }
}
