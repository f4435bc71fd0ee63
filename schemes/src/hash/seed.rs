//! Seeds from seeds.

/// The step of SplitMix64's counter: 2^64 divided by the golden ratio, made odd.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The seed numbered `index` among those that belong to `base`.
///
/// It is output `index` (from 0) of the generator SplitMix64 started at `base`
/// (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014), reached without the ones before it. For one `base`, different
/// indices give different seeds.
pub const fn derive_seed(base: u64, index: u64) -> u64 {
    let steps = index.wrapping_add(1);
    let mut z = base.wrapping_add(steps.wrapping_mul(GOLDEN_GAMMA));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::derive_seed;

    /// The first outputs of the reference implementation started at 1234567.
    #[test]
    fn equals_splitmix64() {
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        for (index, output) in (0..).zip(expected) {
            assert_eq!(derive_seed(1_234_567, index), output);
        }
    }

    #[test]
    fn the_last_index_does_not_overflow() {
        assert_eq!(
            derive_seed(7, u64::MAX),
            derive_seed(7_u64.wrapping_sub(super::GOLDEN_GAMMA), 0)
        );
    }
}
