//! Keys whose choices are drawn, many at a time.
//!
//! Where choices are independent, all that matters is how many bits are set, and how many keys there are. So of the choices of all
//! elements the number of different bits is drawn, the first bits are set in their place, and of absent keys as many are left behind
//! choice by choice as bits are not set. Where choices follow from a few values, elements set the very bits that they choose, and
//! [`Abreast`] leaves those absent keys alone whose bits were set so far.

use super::bits::Bits;
use super::fill::{Fill, SetBits};
use crate::Rng;
use crate::chance::Chance;
use crate::hash::{Abreast, Increment, Together};
use crate::occupancy::Occupancy;

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

    /// The first bit of each range, and how many choices of a key are among its bits.
    fn parts(self) -> impl Iterator<Item = (u32, u32)> {
        let (parts, of_each) = if self.apart == 0 { (1, self.choices) } else { (self.choices, 1) };
        (0..parts).map(move |i| (i * self.apart, of_each))
    }

    /// Sets bits of so many elements, where none is set yet.
    pub(super) fn insert(self, bits: &mut Bits, elements: u32, from: Together<'_>) {
        match from {
            Together::Choices(rng) => {
                let mut occupancy = Occupancy::new(self.bits);
                for (first, of_each) in self.parts() {
                    occupancy.choose(u64::from(elements) * u64::from(of_each), rng);
                    bits.set_range(first..first + occupancy.distinct());
                }
            }
            Together::Progressions { rng, increment } => {
                bits.set_all(Elements { ranges: self, elements, rng, increment });
            }
        }
    }

    /// Of so many absent keys, those whose bits are all set.
    pub(super) fn ask(self, bits: &Bits, keys: u64, from: Together<'_>) -> u64 {
        match from {
            Together::Choices(rng) => {
                let left_by = |left, (first, of_each)| {
                    let hits = bits.count_in(first..first + self.bits) as u32;
                    Chance { hits, of: self.bits }.left_after(of_each, left, rng)
                };
                self.parts().fold(keys, left_by)
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

/// Elements that are inserted together, whose choices are in progressions.
struct Elements<'f> {
    ranges: Ranges,
    elements: u32,
    rng: &'f mut Rng,
    increment: Increment,
}

impl Fill for Elements<'_> {
    #[inline(always)]
    fn fill(self, bits: &mut impl SetBits) {
        let Self { ranges, elements, rng, increment } = self;
        Abreast::new(ranges.bits, increment, rng).each(elements.into(), |elements| {
            for first in ranges.firsts() {
                elements.choices().iter().for_each(|choice| bits.set(first + choice));
                elements.step();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

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
