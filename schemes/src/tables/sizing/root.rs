//! The root of a decreasing function.

use super::SizingError;
use crate::math::elementary::exp;

/// Where the decreasing `function` is 0 to 1e-9, by secants from `start` that are kept between the points
/// known to be left and right of it.
///
/// # Errors
/// [`SizingError::OutOfReach`] beyond ±[`FARTHEST`], and those of the function.
pub(super) fn root_of_decreasing(
    start: f64,
    function: impl Fn(f64) -> Result<f64, SizingError>,
) -> Result<f64, SizingError> {
    let [mut low, mut high] = [-FARTHEST, FARTHEST];
    let mut x = start.clamp(low, high);
    let mut last: Option<[f64; 2]> = None;
    while high - low > 1e-13 {
        let y = function(x)?;
        if y.abs() < 1e-9 {
            return Ok(x);
        }
        *(if y > 0.0 { &mut low } else { &mut high }) = x;
        let slope = last.map_or(-2.0, |[x_last, y_last]| (y - y_last) / (x - x_last));
        last = Some([x, y]);
        let next = x - (y / slope).clamp(-1.0, 1.0);
        x = if slope < 0.0 && low < next && next < high { next } else { low + (high - low) / 2.0 };
    }
    if x.abs() < FARTHEST - 1e-9 { Ok(x) } else { Err(SizingError::OutOfReach(exp(FARTHEST))) }
}

/// The logarithm of the most space that is tried.
const FARTHEST: f64 = 14.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_near_and_far() {
        for (start, root) in [(0.0, 1.0_f64), (3.0, -2.0), (0.0, 0.0), (-1.0, 13.0)] {
            let steep = |x: f64| Ok(root.exp() - x.exp());
            let flat = |x: f64| Ok((root - x).atan());
            let steps = |x: f64| Ok(if x < root { 5.0 } else { -5.0 });
            assert!((root_of_decreasing(start, steep).unwrap() - root).abs() < 1e-8);
            assert!((root_of_decreasing(start, flat).unwrap() - root).abs() < 1e-8);
            assert!((root_of_decreasing(start, steps).unwrap() - root).abs() < 1e-8);
        }
    }

    #[test]
    fn says_when_there_is_none() {
        assert!(matches!(root_of_decreasing(0.0, |_| Ok(1.0)), Err(SizingError::OutOfReach(_))));
        assert!(matches!(root_of_decreasing(0.0, |_| Ok(-1.0)), Err(SizingError::OutOfReach(_))));
        assert_eq!(
            root_of_decreasing(0.0, |_| Err(SizingError::NoPrediction)),
            Err(SizingError::NoPrediction)
        );
    }
}
