//! Curves of theory that belong to no series.

use loadfactor_schemes::theory::bounds;

use crate::definition::CurveKind;

/// The name of the curve as it stands in legends.
pub fn curve_label(kind: CurveKind) -> &'static str {
    match kind {
        CurveKind::LowerBound => "lower bound",
        CurveKind::StaticLowerBound => "static lower bound",
    }
}

/// The bound at `accesses` accesses per insertion, load `c` and bucket size `h`.
pub fn curve_value(kind: CurveKind, accesses: f64, c: f64, h: u32) -> f64 {
    match kind {
        CurveKind::LowerBound => bounds::dynamic(accesses, c, h),
        CurveKind::StaticLowerBound => bounds::fill(accesses, c, h),
    }
}
