//! Cuckoo hashing with a stash, of two choices and buckets of one, against a simulator of nothing else.

use loadfactor_schemes::params::Scalar;

use super::cases::Case;
use super::straightforward_cuckoo::{alternate, fill};

/// m and n: load 0.6, as in the text on Fig. 1(b) of "Hash Tables With Finite Buckets Are Less Resistant to Deletions".
const BUCKETS: u32 = 2048;
const ELEMENTS: u32 = 1229;
/// Evictions after which an insertion of a static fill gives up: two for each bucket.
const FILL_LIMIT: u32 = 2 * BUCKETS;
/// The same under alternation.
const LIMIT: u32 = 500;
/// Rounds per element before the window, and in it.
const ROUNDS: (u32, u32) = (3, 20);

/// A static fill and alternation.
pub fn cases() -> Vec<Case> {
    let size = || (ELEMENTS, 1, vec![BUCKETS]);
    let (warm_up, rounds) = ROUNDS;
    let filled = given(FILL_LIMIT);
    let mut alternating = given(LIMIT);
    alternating.push(("warm_up", Scalar::Number(warm_up.into())));
    alternating.push(("rounds", Scalar::Integer(i64::from(ELEMENTS) * i64::from(rounds))));
    let by_hand = alternate::<LIMIT>;
    [
        Case::fill("cuckoo", "cuckoo", &filled, size(), fill::<FILL_LIMIT>),
        Case::rounds("cuckoo", "cuckoo", &alternating, size(), ROUNDS, by_hand),
    ]
    .map(Case::with_same_draws)
    .into()
}

fn given(limit: u32) -> Vec<(&'static str, Scalar)> {
    vec![
        ("elements", ELEMENTS.into()),
        ("buckets", BUCKETS.into()),
        ("choices", 2_u32.into()),
        ("eviction_limit", limit.into()),
    ]
}
