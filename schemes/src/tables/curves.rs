//! Curves of theory that belong to no series: lower bounds on the overflow fraction by the accesses per
//! insertion.

use super::{Geometry, metrics};
use crate::family::CurveInfo;
use crate::tables::theory::bounds;

const SAYS: &str = "bound the overflow fraction by the accesses per insertion";

/// Theorem 6 of "Hash Tables With Finite Buckets Are Less Resistant to Deletions": no scheme without
/// moving back overflows less under alternation; and the same for the static fill.
pub(super) static CURVES: [CurveInfo; 2] = [
    CurveInfo {
        name: "lower_bound",
        label: "lower bound",
        x: "accesses_per_insertion",
        y: metrics::OVERFLOW_FRACTION,
        says: SAYS,
    },
    CurveInfo {
        name: "static_lower_bound",
        label: "static lower bound",
        x: "accesses_per_insertion",
        y: metrics::OVERFLOW_FRACTION,
        says: SAYS,
    },
];

/// The curve of this name at so many accesses per insertion; `None` where there is none of the name.
pub(super) fn value(name: &str, accesses: f64, geometry: &Geometry) -> Option<f64> {
    let (c, h) = (geometry.load(), geometry.bucket_size.into());
    match name {
        "lower_bound" => Some(bounds::dynamic(accesses, c, h)),
        "static_lower_bound" => Some(bounds::fill(accesses, c, h)),
        _ => None,
    }
}
