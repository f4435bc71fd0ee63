//! The tails of distribution functions: numbers that no trial fell below, and numbers that none exceeded.

use super::figure::{Curve, Measured, Series};

/// From the first number to the last.
type Stretch = (f64, f64);

/// Cuts measurements of distribution functions off where they stay 0 or 1, and lines where all do. What is no
/// distribution function is left as it is.
pub(super) fn cut(series: &mut [Series], curves: &mut [Curve]) {
    let measured = series.iter().filter(|line| !line.measured.is_empty());
    let Some(stretches) = measured.map(|line| stretch(&line.measured)).collect() else { return };
    let Some((low, high)) = widest(stretches) else { return };
    let inside = |&(x, _): &(f64, f64)| !(x < low || x > high);
    for line in series {
        if let Some((low, high)) = stretch(&line.measured) {
            line.measured.retain(|m| low <= m.x && m.x <= high);
        }
        line.predicted.retain(inside);
    }
    curves.iter_mut().for_each(|curve| curve.points.retain(inside));
}

/// From the last number with 0, or the first at all, to the first with 1; `None` where the values are not those
/// of a distribution function that reaches 1.
fn stretch(measured: &[Measured]) -> Option<Stretch> {
    let rises = measured.windows(2).all(|pair| pair[0].y <= pair[1].y);
    let first = measured.iter().rfind(|m| m.y == 0.0).or(measured.first())?;
    let last = measured.iter().find(|m| m.y == 1.0)?;
    (rises && first.x < last.x).then_some((first.x, last.x))
}

fn widest(stretches: Vec<Stretch>) -> Option<Stretch> {
    stretches.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64]) -> Series {
        let at = |(x, &y): (u32, &f64)| Measured { x: x.into(), y, low: y, high: y };
        let measured: Vec<Measured> = (0..).zip(values).map(at).collect();
        let predicted = measured.iter().map(|m| (m.x, m.y)).collect();
        Series { measured, predicted, ..Series::default() }
    }

    /// Each function ends where it is decided; lines go as far as the longest.
    #[test]
    fn a_distribution_function_ends_at_its_first_1() {
        let mut series = [line(&[0.0, 0.0, 0.5, 1.0, 1.0]), line(&[0.0, 0.0, 0.0, 0.2, 1.0, 1.0])];
        let mut curves = [Curve {
            points: vec![(0.0, 0.1), (f64::NAN, f64::NAN), (5.0, 0.9)],
            ..Curve::default()
        }];
        cut(&mut series, &mut curves);
        let places = |line: &Series| line.measured.iter().map(|m| m.x).collect::<Vec<_>>();
        assert_eq!(places(&series[0]), [1.0, 2.0, 3.0]);
        assert_eq!(places(&series[1]), [2.0, 3.0, 4.0]);
        let drawn: Vec<f64> = series[1].predicted.iter().map(|vertex| vertex.0).collect();
        assert_eq!(drawn, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(curves[0].points.len(), 1, "what breaks a line stays");
    }

    #[test]
    fn what_is_no_distribution_function_is_left() {
        for values in [&[0.0, 0.3, 0.1, 1.0, 1.0][..], &[0.0, 0.0, 0.2, 0.4]] {
            let mut series = [line(values)];
            cut(&mut series, &mut []);
            assert_eq!(series[0], line(values));
        }
    }
}
