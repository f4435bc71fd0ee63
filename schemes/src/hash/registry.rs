//! The list of hash functions.

use std::fmt;
use std::str::FromStr;

use super::{
    Crc32c, H3, HashFamily, Md5, MultiplyShift, Murmur3, Polynomial, SimpleTabulation, SipHash,
    Toeplitz, TwistedTabulation, TwoIndependent, Wang, Xxh3,
};

/// What is to be known about a hash function before using it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashInfo {
    /// The name in definitions.
    pub name: &'static str,
    /// Significant bits of a value, 1 to 64.
    pub bits: u32,
    /// What it computes, in one line.
    pub summary: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// What is proved about the values of different keys under a random member.
    pub guarantee: &'static str,
}

/// The fully random hash, which has no family: its values belong to no key.
pub(super) const RANDOM: HashInfo = HashInfo {
    name: "random",
    bits: 64,
    summary: "choices drawn from a generator, as the papers' fully random hash",
    source: "xoshiro256++ and xoshiro128++: Blackman and Vigna, \"Scrambled Linear Pseudorandom Number \
             Generators\", ACM Transactions on Mathematical Software 47, 2021",
    guarantee: "all choices independent and uniform; the key is not looked at",
};

/// Work to be done with a family chosen at run time, its type fixed while it is done.
pub trait FamilyVisitor {
    /// What the work yields.
    type Output;

    /// Does the work with the family `F`.
    fn visit<F: HashFamily>(self) -> Self::Output;
}

macro_rules! registry {
    ($($family:ident,)+; $($kind:ident: $of:ident = $info:expr,)+) => {
        registry!(@ $($family: $family = $family::INFO,)+ $($kind: $of = $info,)+);
    };
    (@ $($kind:ident: $family:ident = $info:expr,)+) => {
        /// A hash function by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum HashKind {
            /// The papers' fully random hash; not a function of keys.
            Random,
            $(
                #[doc = concat!("Of the family [`", stringify!($family), "`](super::", stringify!($family), ").")]
                $kind,
            )+
        }

        impl HashKind {
            /// Every hash function, in the order of [`HASHES`].
            pub const ALL: &[Self] = &[Self::Random, $(Self::$kind),+];

            /// What the hash function is.
            pub const fn info(self) -> &'static HashInfo {
                match self {
                    Self::Random => &RANDOM,
                    $(Self::$kind => const { &$info },)+
                }
            }

            /// Lets `visitor` work with the family.
            ///
            /// # Errors
            ///
            /// The random hash has no family: the visitor is given back.
            pub fn visit<V: FamilyVisitor>(self, visitor: V) -> Result<V::Output, V> {
                match self {
                    Self::Random => Err(visitor),
                    $(Self::$kind => Ok(visitor.visit::<$family>()),)+
                }
            }
        }

        /// Every hash function with its documentation, `random` first.
        pub const HASHES: &[HashInfo] = &[RANDOM, $($info),+];
    };
}

// A family is registered by its line here; where there are several in one type, by what each of them is.
registry! {
    Wang,
    MultiplyShift,
    TwoIndependent,
    H3,
    SimpleTabulation,
    Toeplitz,
    Crc32c,
    Murmur3,
    Xxh3,
    SipHash,
    Md5,
    TwistedTabulation,
    ;
    Polynomial2: Polynomial = Polynomial::OF_2,
    Polynomial3: Polynomial = Polynomial::OF_3,
    Polynomial4: Polynomial = Polynomial::OF_4,
    Polynomial5: Polynomial = Polynomial::INFO,
    Polynomial6: Polynomial = Polynomial::OF_6,
    Polynomial7: Polynomial = Polynomial::OF_7,
    Polynomial8: Polynomial = Polynomial::OF_8,
}

/// A name that no hash function has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no hash function `{name}`")]
pub struct UnknownHash {
    /// The name as given.
    pub name: String,
}

impl FromStr for HashKind {
    type Err = UnknownHash;

    fn from_str(name: &str) -> Result<Self, UnknownHash> {
        let named = Self::ALL.iter().find(|kind| kind.info().name == name);
        named.copied().ok_or_else(|| UnknownHash { name: name.to_owned() })
    }
}

impl fmt::Display for HashKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.info().name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_distinct_and_parse_back() {
        let names: BTreeSet<_> = HASHES.iter().map(|info| info.name).collect();
        assert_eq!(names.len(), HashKind::ALL.len());
        for (kind, info) in HashKind::ALL.iter().zip(HASHES) {
            assert_eq!(kind.to_string(), info.name);
            assert_eq!(info.name.parse(), Ok(*kind));
        }
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let error = "md4".parse::<HashKind>().unwrap_err();
        assert_eq!(error.to_string(), "there is no hash function `md4`");
    }

    struct Bits;

    impl FamilyVisitor for Bits {
        type Output = u32;

        fn visit<F: HashFamily>(self) -> u32 {
            F::INFO.bits
        }
    }

    #[test]
    fn only_random_has_no_family() {
        assert!(HashKind::Random.visit(Bits).is_err());
        assert_eq!(HashKind::Crc32c.visit(Bits).ok(), Some(32));
        assert_eq!(HashKind::TwoIndependent.visit(Bits).ok(), Some(61));
    }

    struct InsignificantBits(HashKind);

    impl FamilyVisitor for InsignificantBits {
        type Output = u64;

        /// The union of the bits below the significant ones, over some keys.
        fn visit<F: HashFamily>(self) -> u64 {
            let hash = F::with_independence(self.0.independence(), 3, 8);
            let below = u64::MAX.checked_shr(F::INFO.bits).unwrap_or(0);
            (0..1000_u64).fold(0, |bits, key| bits | hash.hash(&key.to_le_bytes())) & below
        }
    }

    #[test]
    fn values_are_left_aligned() {
        for kind in HashKind::ALL {
            assert_eq!(kind.visit(InsignificantBits(*kind)).unwrap_or(0), 0, "{kind}");
        }
    }

    struct OverlongKey(HashKind);

    impl FamilyVisitor for OverlongKey {
        type Output = u64;

        fn visit<F: HashFamily>(self) -> u64 {
            F::with_independence(self.0.independence(), 3, 0).hash(b"longer than declared")
        }
    }

    #[test]
    fn overlong_keys_do_not_panic() {
        for kind in HashKind::ALL {
            let again = kind.visit(OverlongKey(*kind)).ok();
            assert_eq!(kind.visit(OverlongKey(*kind)).ok(), again, "{kind}");
        }
    }
}
