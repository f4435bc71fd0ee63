//! Where a monotonic function changes its sign, or a condition begins to hold.

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

/// The smallest `k` that satisfies a condition which all greater ones satisfy as well; at most `most`.
pub fn smallest(most: u32, satisfies: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, 1);
    while high < most && !satisfies(high) {
        (low, high) = (high, high.saturating_mul(2).min(most));
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if satisfies(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    high
}
