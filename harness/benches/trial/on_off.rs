//! On-off flows against a simulator that tosses coins for them.

use loadfactor_schemes::params::Scalar;

use super::cases::Case;
use super::straightforward_on_off::{BURST, FLOWS, RATE, multiple};

/// m, with h = 1: Figure 9 of "Hash Tables With Finite Buckets Are Less Resistant to Deletions".
const BUCKETS: u32 = 500;
/// Slots before the window, and in it.
const SLOTS: (u32, u32) = (5_000, 50_000);

/// Every case of them.
pub fn cases() -> Vec<Case> {
    let (warm_up, slots) = SLOTS;
    let given = [
        ("buckets", BUCKETS.into()),
        ("choices", 2_u32.into()),
        ("flows", FLOWS.into()),
        ("rate", Scalar::Number(RATE)),
        ("burst", Scalar::Number(BURST)),
        ("warm_up", warm_up.into()),
        ("slots", slots.into()),
    ];
    vec![Case::on_off("MULTIPLE d=2", "multiple", &given, (BUCKETS, 1), SLOTS, multiple::<2>)]
}
