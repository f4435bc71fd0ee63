//! Elements that come and go at any time against simulators that take event by event.

use loadfactor_schemes::params::Scalar;

use super::cases::{ByHand, Case};
use super::straightforward_times::{PARTS, continuous, open};

/// n, m, h, and the mean lifetimes before the window and in it: Theorem 2 of "Hash Tables With Finite Buckets Are Less
/// Resistant to Deletions", and a table that does not fit in the first-level cache.
const TABLES: [(u32, u32, u8, (u64, u64)); 2] =
    [(64, 32, 2, (20, 500)), (10_000, 10_000, 1, (1, 2))];

/// Every case of them.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (elements, buckets, bucket_size, (warm_up, duration)) in TABLES {
        let ways: [(&str, ByHand); 2] = [("open", open::<2>), ("continuous", continuous::<2>)];
        for (workload, by_hand) in ways {
            let given: [(&str, Scalar); 6] = [
                ("elements", elements.into()),
                ("buckets", buckets.into()),
                ("bucket_size", u32::from(bucket_size).into()),
                ("choices", 2_u32.into()),
                ("warm_up", (warm_up as f64).into()),
                ("duration", (duration as f64).into()),
            ];
            let size = (elements, buckets, bucket_size);
            let parts = (warm_up * PARTS, duration * PARTS);
            let name = format!("MULTIPLE d=2 n={elements}");
            cases.push(Case::timed(&name, ("multiple", workload), &given, size, parts, by_hand));
        }
    }
    cases
}
