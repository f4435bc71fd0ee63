//! The ways from hash values to choices, by name.

use std::fmt;
use std::str::FromStr;

/// Bits of a slice unless told otherwise, as in *Hash Tables With Finite Buckets
/// Are Less Resistant to Deletions*, which cuts Wang's mix into 16-bit functions.
pub const DEFAULT_SLICE_BITS: u32 = 16;

/// How an element's d choices are derived from hash values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// A member of the family per choice, each with a seed of its own.
    Seeds,
    /// One value per element, a slice of it per choice.
    Slices {
        /// Bits of a slice, 1 to 64.
        bits: u32,
    },
    /// Double hashing and its kin: a progression of two or three values.
    Progression(Increment),
}

/// What a progression adds to h1 + j·h2 for choice j.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Increment {
    /// Nothing: double hashing.
    None,
    /// j(j−1)/2, as where h2 itself grows by one at each step.
    Triangular,
    /// j².
    Square,
    /// j³.
    Cube,
    /// j(j−1)/2 times a third value: triple hashing.
    Third,
}

impl Increment {
    /// All of them, in the order of [`DERIVATIONS`].
    pub const ALL: [Self; 5] =
        [Self::None, Self::Square, Self::Cube, Self::Triangular, Self::Third];

    /// The degree of the progression as a polynomial of j.
    pub const fn degree(self) -> usize {
        match self {
            Self::None => 1,
            Self::Triangular | Self::Square | Self::Third => 2,
            Self::Cube => 3,
        }
    }
}

/// What is to be known about a way of deriving choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivationInfo {
    /// The name in definitions.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
}

/// Every way of deriving choices, the default first.
pub const DERIVATIONS: &[DerivationInfo] = &[
    DerivationInfo { name: "seeds", summary: "an independently seeded member per choice" },
    DerivationInfo { name: "slices", summary: "consecutive slices of one value, from the top" },
    DerivationInfo { name: "double", summary: "(h1 + j h2) mod m for choice j = 0, 1, ..." },
    DerivationInfo { name: "enhanced-square", summary: "(h1 + j h2 + j^2) mod m" },
    DerivationInfo { name: "enhanced-cube", summary: "(h1 + j h2 + j^3) mod m" },
    DerivationInfo { name: "enhanced-triangular", summary: "(h1 + j h2 + j(j-1)/2) mod m" },
    DerivationInfo { name: "triple", summary: "(h1 + j h2 + j(j-1)/2 h3) mod m" },
];

impl Derivation {
    /// What the derivation is.
    pub const fn info(self) -> &'static DerivationInfo {
        match self {
            Self::Seeds => &DERIVATIONS[0],
            Self::Slices { .. } => &DERIVATIONS[1],
            Self::Progression(Increment::None) => &DERIVATIONS[2],
            Self::Progression(Increment::Square) => &DERIVATIONS[3],
            Self::Progression(Increment::Cube) => &DERIVATIONS[4],
            Self::Progression(Increment::Triangular) => &DERIVATIONS[5],
            Self::Progression(Increment::Third) => &DERIVATIONS[6],
        }
    }
}

/// A name that no way of deriving choices has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("choices cannot be derived by `{name}`")]
pub struct UnknownDerivation {
    /// The name as given.
    pub name: String,
}

impl FromStr for Derivation {
    type Err = UnknownDerivation;

    /// The derivation of that name; slices are of [`DEFAULT_SLICE_BITS`].
    fn from_str(name: &str) -> Result<Self, UnknownDerivation> {
        let of_values = [Self::Seeds, Self::Slices { bits: DEFAULT_SLICE_BITS }];
        let mut all = of_values.into_iter().chain(Increment::ALL.map(Self::Progression));
        let named = all.find(|derivation| derivation.info().name == name);
        named.ok_or_else(|| UnknownDerivation { name: name.to_owned() })
    }
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.info().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivations_parse_back() {
        for info in DERIVATIONS {
            assert_eq!(info.name.parse::<Derivation>().unwrap().to_string(), info.name);
        }
        assert_eq!("slices".parse(), Ok(Derivation::Slices { bits: 16 }));
        assert!("quadruple".parse::<Derivation>().is_err());
    }
}
