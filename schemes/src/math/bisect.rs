//! The root of an increasing function.

/// Where an increasing function changes its sign within `[low, high]`, to the last bit.
pub(crate) fn bisect(mut low: f64, mut high: f64, increasing: impl Fn(f64) -> f64) -> f64 {
    let mut middle = low + (high - low) / 2.0;
    while low < middle && middle < high {
        if increasing(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
        middle = low + (high - low) / 2.0;
    }
    middle
}
