//! How independent the values of a family are proved to be.

use super::HashKind;

impl HashKind {
    /// Of how many different keys the values are proved to be independent and uniform, as `guarantee` says: `u32::MAX`
    /// of the random hash, 0 where nothing of the kind is proved.
    pub const fn independence(self) -> u32 {
        match self {
            Self::Random => u32::MAX,
            Self::Polynomial8 => 8,
            Self::Polynomial7 => 7,
            Self::Polynomial6 => 6,
            Self::Polynomial5 => 5,
            Self::Polynomial4 => 4,
            Self::H3 | Self::SimpleTabulation | Self::TwistedTabulation | Self::Polynomial3 => 3,
            Self::TwoIndependent | Self::MultiplyShift | Self::Polynomial2 => 2,
            Self::Wang
            | Self::Toeplitz
            | Self::Crc32c
            | Self::Murmur3
            | Self::Xxh3
            | Self::SipHash
            | Self::Md5 => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number is the one that the reference prints.
    #[test]
    fn independence_is_the_guarantee() {
        for kind in HashKind::ALL.iter().filter(|kind| **kind != HashKind::Random) {
            let guarantee = kind.info().guarantee;
            let printed = guarantee.split_once("-independent over all keys");
            let printed = printed.map_or(0, |(number, _)| number.parse().unwrap());
            assert_eq!(kind.independence(), printed, "{kind}: {guarantee}");
        }
    }
}
