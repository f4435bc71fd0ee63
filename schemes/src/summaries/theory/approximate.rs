//! The fill of a table as if each sub-table had its expected number of elements.

use crate::math::bins;

/// Elements in T_1, …, T_d by equations (4.1) and (4.2), with fractions of elements: "approximate" in Tables
/// 4.1 and 4.2. Fewer than one element fill slightly more than one bucket each, so that what is left is
/// negative.
///
/// ```
/// use loadfactor_schemes::summaries::theory::approximate::approximate_fill;
///
/// let fill = approximate_fill(10_000, &[40_000, 10_000, 5_000, 2_500, 2_500]);
/// assert_eq!(format!("{:.2}", fill[1]), "1088.11");
/// ```
pub fn approximate_fill(elements: u32, sizes: &[u32]) -> Vec<f64> {
    let placed = |left: &mut f64, &size: &u32| {
        let placed = f64::from(size) * bins::filled(*left, size.into());
        *left -= placed;
        Some(placed)
    };
    sizes.iter().scan(f64::from(elements), placed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_4_1_and_4_2() {
        for (sizes, printed, last) in [
            (
                [30_000, 15_000, 7_500, 3_750, 1_875],
                ["8504.18", "1423.70", "71.78", "0.34"],
                "-3.00e-5",
            ),
            (
                [40_000, 10_000, 5_000, 2_500, 2_500],
                ["8848.07", "1088.11", "63.42", "0.40"],
                "-4.80e-5",
            ),
        ] {
            let fill = approximate_fill(10_000, &sizes);
            let found: Vec<String> = fill[..4].iter().map(|count| format!("{count:.2}")).collect();
            assert_eq!(found, printed);
            assert_eq!(format!("{:.2e}", fill[4]), last);
        }
    }

    /// One bucket takes one element.
    #[test]
    fn a_single_bucket_is_filled_by_anything() {
        assert_eq!(approximate_fill(3, &[1, 1]), [1.0, 1.0]);
        assert_eq!(approximate_fill(1, &[1, 1]), [1.0, 0.0]);
    }
}
