//! Keys whose choices are drawn, many at a time.
//!
//! Of keys whose choices are independent all that matters is how many there are. So of absent keys the first choices are looked at,
//! and then as many second ones as there were bits set, and so on: no branch depends on chance. Where choices follow from a few
//! values, [`Abreast`] leaves those keys alone whose bits were set so far.

use super::bits::Bits;
use super::fill::{Fill, SetBits};
use crate::hash::{Abreast, Together};
use crate::uniform::{Uniform, with_own};

/// The bits among which the choices of a key are made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranges {
    /// Bits of each.
    pub(super) bits: u32,
    /// How far one begins behind the one before: none, or a slice.
    pub(super) apart: u32,
    /// k, one for each choice.
    pub(super) choices: u32,
}

impl Ranges {
    /// The first bit of each.
    #[inline]
    pub(super) fn firsts(self) -> impl Iterator<Item = u32> {
        (0..self.choices).map(move |i| i * self.apart)
    }

    /// Sets the bits of so many elements.
    pub(super) fn insert(self, bits: &mut Bits, elements: u32, from: Together<'_>) {
        bits.set_all(Elements { ranges: self, elements, from });
    }

    /// Of so many keys, those whose bits are all set.
    pub(super) fn ask(self, bits: &Bits, keys: u64, from: Together<'_>) -> u64 {
        match from {
            Together::Choices(rng) => {
                let mut left = keys;
                let uniform = Uniform::dense(self.bits);
                with_own(rng, |rng| {
                    for first in self.firsts() {
                        let mut set = 0;
                        uniform.each(left as usize, rng, |bit| {
                            set += u64::from(bits.is_set(first + bit));
                        });
                        left = set;
                    }
                });
                left
            }
            Together::Progressions { rng, increment } => {
                let mut all_set = 0;
                Abreast::new(self.bits, increment, rng).each(keys, |keys| {
                    for first in self.firsts() {
                        keys.retain(|choice| bits.is_set(first + choice));
                        keys.step();
                    }
                    all_set += keys.choices().len() as u64;
                });
                all_set
            }
        }
    }
}

/// Elements that are inserted together.
struct Elements<'f> {
    ranges: Ranges,
    elements: u32,
    from: Together<'f>,
}

impl Fill for Elements<'_> {
    #[inline(always)]
    fn fill(self, bits: &mut impl SetBits) {
        let Self { ranges, elements, from } = self;
        match from {
            Together::Choices(rng) => with_own(rng, |rng| {
                let uniform = Uniform::dense(ranges.bits);
                for first in ranges.firsts() {
                    uniform.each(elements as usize, rng, |bit| bits.set(first + bit));
                }
            }),
            Together::Progressions { rng, increment } => {
                Abreast::new(ranges.bits, increment, rng).each(elements.into(), |elements| {
                    for first in ranges.firsts() {
                        elements.choices().iter().for_each(|choice| bits.set(first + choice));
                        elements.step();
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::Rng;
    use crate::hash::Increment;

    /// Slices of four bits in the first two of which all bits are set, and in the last one none.
    #[test]
    fn keys_whose_bits_are_all_set_are_counted() {
        let mut bits = Bits::new(12);
        (0..8).for_each(|bit| bits.set(bit));
        let mut rng = Rng::seed_from_u64(3);
        for (choices, passes) in [(0, true), (1, true), (2, true), (3, false)] {
            let ranges = Ranges { bits: 4, apart: 4, choices };
            for keys in [0, 1, 256, 1000] {
                let expected = if passes { keys } else { 0 };
                assert_eq!(ranges.ask(&bits, keys, Together::Choices(&mut rng)), expected);
                for increment in Increment::ALL {
                    let from = Together::Progressions { rng: &mut rng, increment };
                    assert_eq!(ranges.ask(&bits, keys, from), expected);
                }
            }
        }
    }

    /// Of ranges that are partly set, in slices and not: within five standard errors of the product of the shares. So it is of two
    /// choices of a progression, whose first step is drawn.
    #[test]
    fn as_many_pass_as_bits_are_set() {
        let mut rng = Rng::seed_from_u64(4);
        for apart in [0, 10] {
            let mut bits = Bits::new(20);
            [0, 1, 2, 3, 4, 5, 6, 10, 11, 12].into_iter().for_each(|bit| bits.set(bit));
            let keys = 1_000_000;
            for choices in [1, 2] {
                let ranges = Ranges { bits: 10, apart, choices };
                let second = if apart == 0 { 0.7 } else { 0.3 };
                let share = if choices == 1 { 0.7 } else { 0.7 * second };
                let (mean, variance) = (keys as f64 * share, keys as f64 * share * (1.0 - share));
                let mut found = vec![ranges.ask(&bits, keys, Together::Choices(&mut rng))];
                for increment in Increment::ALL {
                    let from = Together::Progressions { rng: &mut rng, increment };
                    found.push(ranges.ask(&bits, keys, from));
                }
                for found in found {
                    assert!((found as f64 - mean).abs() < 5.0 * variance.sqrt(), "{found} {mean}");
                }
            }
        }
    }
}
