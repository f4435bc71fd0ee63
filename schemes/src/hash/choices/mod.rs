//! How one arriving element obtains its choices.

mod abreast;
mod hashed;
mod progression;
mod random;
mod seeds;
mod slices;

pub use self::abreast::Abreast;
pub use self::hashed::{Hashed, HashedChoices};
pub use self::progression::{Progression, ProgressionChoices, sum};
pub use self::random::{RandomChoices, RandomSource};
pub use self::seeds::{Seeds, SeedsChoices};
pub use self::slices::{Slices, SlicesChoices};

use rand::Rng as _;

use super::{HashSpec, Increment};
use crate::Rng;

/// The choices of one arriving element, asked for in order.
///
/// A choice is worked out when it is asked for; a scheme that is content with
/// the first pays for one. A scheme asks for at most the d choices its source
/// was made for; what further ones are is not specified.
pub trait Choices {
    /// Whether a choice costs so little that asking for one too many is cheaper than a branch on
    /// whether it is needed.
    const CHEAP: bool = false;

    /// How many choices there are, where the type says so: whoever loops over them then leaves no loop.
    const NUMBER: Option<u32> = None;

    /// The next choice: a bucket index in 0..`buckets`, 0 if there are no buckets.
    ///
    /// The number of buckets may change from choice to choice, as in tables made
    /// of sub-tables of different sizes.
    fn next(&mut self, buckets: u32) -> u32;

    /// Passes over so many choices, as if they had been asked for: those that follow are the same, whatever the buckets
    /// were. Some need not be worked out for that.
    #[inline]
    fn pass_over(&mut self, choices: usize) {
        (0..choices).for_each(|_| _ = self.next(0));
    }

    /// The choices that follow are among so many buckets. Whoever says so before a loop has what is the same for all
    /// of them worked out once; nobody has to.
    #[inline(always)]
    fn among(&mut self, _buckets: u32) {}

    /// [`NUMBER`](Self::NUMBER), of a value whose type nobody names.
    #[inline(always)]
    fn number(&self) -> Option<u32> {
        Self::NUMBER
    }

    /// Heads or tails, asked for once at most, after the choices.
    #[inline(always)]
    fn coin(&mut self, rng: &mut Rng) -> bool {
        rng.next_u32() >> 31 == 0
    }

    /// What is asked for from here on is of another kind than what was: bits within a block after the block. Choices
    /// that follow from one another do not follow from those before.
    #[inline]
    fn anew(&mut self) {}

    /// The next choice, a block, after which come choices [`anew`](Self::anew).
    #[inline(always)]
    fn block(&mut self, blocks: u32) -> u32 {
        let block = self.next(blocks);
        self.anew();
        block
    }
}

/// Where the elements of a trial get their choices from.
///
/// Sources are made from a checked [`HashSpec`] and a seed, once per trial; the
/// same seed gives the same choices to the same sequence of keys.
pub trait Source: Sized + Send + 'static {
    /// Whether the choices depend on the key; where they do not, any key will do.
    const LOOKS_AT_KEYS: bool = true;

    /// The choices of one element.
    type Element<'e>: Choices
    where
        Self: 'e;

    /// The source of `spec` for the trial of `seed`. Of `spec`, the hash function
    /// is not looked at: it is part of the type.
    fn new(spec: &HashSpec, seed: u64) -> Self;

    /// The choices of the element with that `key`.
    fn element<'e>(&'e mut self, key: &'e [u8]) -> Self::Element<'e>;

    /// The generator of drawn choices, for whoever needs those of many elements: drawn together they are had faster.
    fn together(&mut self) -> Option<Together<'_>> {
        None
    }
}

/// What the choices of elements are drawn from together, and what of them is drawn.
#[derive(Debug)]
pub enum Together<'r> {
    /// Each choice.
    Choices(&'r mut Rng),
    /// The values of double hashing and its kin, with steps of which any may be.
    Progressions {
        /// What they are drawn from.
        rng: &'r mut Rng,
        /// What is added to h1 + j·h2.
        increment: Increment,
    },
}

/// The bucket in 0..`buckets` of a `value` taken as a fraction of 2^64.
///
/// It is floor(value·buckets / 2^64): the multiply-shift reduction of Lemire,
/// "Fast Random Integer Generation in an Interval", 2019, without rejection. Of
/// the values that carry w random bits in front, a bucket gets
/// floor(2^w / buckets) or one more: with 64 bits the probabilities of two
/// buckets differ by less than 2^−32 of their size; with 16 bits and 10,000
/// buckets some have 7/65,536 and others 6/65,536.
#[inline]
pub fn reduce(value: u64, buckets: u32) -> u32 {
    ((u128::from(value) * u128::from(buckets)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{Derivation, HashKind, Increment, Xxh3};

    /// How many of the values of `bits` leading bits each bucket gets.
    fn shares(bits: u32, buckets: u32) -> Vec<u32> {
        let mut shares = vec![0; buckets as usize];
        for value in 0..1_u64 << bits {
            shares[reduce(value << (64 - bits), buckets) as usize] += 1;
        }
        shares
    }

    #[test]
    fn exactly_even_when_the_buckets_divide_the_values() {
        assert_eq!(shares(8, 1), [256]);
        assert_eq!(shares(8, 4), [64; 4]);
        assert_eq!(shares(4, 16), [1; 16]);
    }

    #[test]
    fn otherwise_shares_differ_by_one() {
        assert_eq!(shares(3, 3), [3, 3, 2]);
        let shares = shares(16, 10_000);
        let of_seven = shares.iter().filter(|&&share| share == 7).count();
        let of_six = shares.iter().filter(|&&share| share == 6).count();
        assert_eq!((of_seven, of_six), (5_536, 4_464));
    }

    /// The rest of the choices of a key, after three that were passed over or asked for.
    fn after_three(derivation: Derivation, passed_over: bool) -> Vec<u32> {
        let spec = HashSpec::new(HashKind::Xxh3, derivation, 6, 8).unwrap();
        let mut source = Hashed::<Xxh3>::new(&spec, 7);
        let mut choices = source.element(b"some key");
        match passed_over {
            true => choices.pass_over(3),
            false => [50, 9, 80].into_iter().for_each(|buckets| _ = choices.next(buckets)),
        }
        [1000, 1000, 70].map(|buckets| choices.next(buckets)).to_vec()
    }

    #[test]
    fn what_is_passed_over_changes_no_later_choice() {
        for derivation in [
            Derivation::Seeds,
            Derivation::Slices { bits: 10 },
            Derivation::Progression(Increment::None),
            Derivation::Progression(Increment::Cube),
        ] {
            assert_eq!(after_three(derivation, true), after_three(derivation, false));
        }
    }

    #[test]
    fn the_largest_value_stays_below() {
        assert_eq!(reduce(u64::MAX, u32::MAX), u32::MAX - 1);
        assert_eq!(reduce(u64::MAX, 0), 0);
    }
}
