//! Zeros of functions of one variable.

/// Halvings: enough for all digits of a number.
const HALVINGS: u32 = 60;

/// Where a function that rises from `least` to `most` has a value; the nearer end where it has not.
pub(super) fn rising_to(value: f64, least: f64, most: f64, of: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (least, most);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if of(middle) < value { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_found_and_ends_are_kept() {
        assert!((rising_to(2.0, 0.0, 4.0, |x| x * x) - 2f64.sqrt()).abs() < 1e-14);
        assert!((rising_to(17.0, 0.0, 4.0, |x| x * x) - 4.0).abs() < 1e-12);
    }
}
