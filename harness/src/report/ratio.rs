//! One line of a figure divided by another.

use super::figure::{Measured, Series};

/// Relative distance of two places along x below which they are the same: sizes that are rounded down to
/// whole things do not give the same space to the last digit.
const SAME_PLACE: f64 = 2e-3;

/// `line` with its values divided by those of `below` at the same places. Values that are not above 0 have
/// no ratio. Published values are left out: each line has its own.
pub(super) fn ratio(line: Series, below: &Series) -> Series {
    let measured = line.measured.iter().filter_map(|m| measured_ratio(m, &below.measured));
    let measured = measured.collect();
    let predicted = line.predicted.iter().map(|&(x, y)| match value_at(&below.predicted, x) {
        Some(other) if y > 0.0 && other > 0.0 => (x, y / other),
        _ => (f64::NAN, f64::NAN),
    });
    let predicted = predicted.collect();
    Series { measured, predicted, published: Vec::new(), ..line }
}

/// The ratio of two independent means with an interval from theirs (Donner and Zou, "Closed-form confidence
/// intervals for functions of the normal mean and standard deviation", 2012: MOVER, of logarithms).
fn measured_ratio(m: &Measured, others: &[Measured]) -> Option<Measured> {
    let other = others.iter().min_by(|a, b| (a.x - m.x).abs().total_cmp(&(b.x - m.x).abs()))?;
    if !(is_near(other.x, m.x) && m.y > 0.0 && other.y > 0.0) {
        return None;
    }
    let y = m.y / other.y;
    let low = (m.y / m.low.max(0.0)).ln().hypot((other.high / other.y).ln());
    let high = (m.high / m.y).ln().hypot((other.y / other.low.max(0.0)).ln());
    Some(Measured { x: m.x, y, low: y * (-low).exp(), high: y * high.exp() })
}

/// The value of a line at x, between its vertices as a line is drawn on a logarithmic axis.
fn value_at(line: &[(f64, f64)], x: f64) -> Option<f64> {
    if let Some(vertex) = line.iter().find(|vertex| is_near(vertex.0, x)) {
        return Some(vertex.1);
    }
    let pair = line.windows(2).find(|pair| pair[0].0 <= x && x <= pair[1].0)?;
    let share = (x - pair[0].0) / (pair[1].0 - pair[0].0);
    Some(pair[0].1 * (pair[1].1 / pair[0].1).powf(share))
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME_PLACE * b.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(x: f64, y: f64, half: f64) -> Measured {
        Measured { x, y, low: y - half, high: y + half }
    }

    /// For small errors the squares of the relative ones add.
    #[test]
    fn a_ratio_has_the_errors_of_both() {
        let other = [measured(1.0, 2.0, 0.004), measured(1.2001, 2.0, 0.008)];
        let ratio = measured_ratio(&measured(1.2, 6.0, 0.018), &other).unwrap();
        assert_eq!((ratio.x, ratio.y), (1.2, 3.0));
        assert!((ratio.high - 3.0 - 3.0 * 0.005).abs() < 1e-4, "{ratio:?}");
        assert!((3.0 - ratio.low - 3.0 * 0.005).abs() < 1e-4, "{ratio:?}");
    }

    #[test]
    fn there_is_no_ratio_elsewhere_nor_to_nothing() {
        assert_eq!(measured_ratio(&measured(1.2, 6.0, 0.1), &[measured(1.3, 2.0, 0.1)]), None);
        assert_eq!(measured_ratio(&measured(1.2, 6.0, 0.1), &[measured(1.2, 0.0, 0.1)]), None);
        assert_eq!(measured_ratio(&measured(1.2, 6.0, 0.1), &[]), None);
    }

    #[test]
    fn lines_are_divided_where_both_are_drawn() {
        let line =
            |points: &[(f64, f64)]| Series { predicted: points.to_vec(), ..Series::default() };
        let below = line(&[(1.0, 1.0), (2.0, 4.0), (f64::NAN, f64::NAN), (3.0, 1.0)]);
        let found =
            ratio(line(&[(1.0, 3.0), (1.5, 3.0), (2.5, 3.0), (3.0, 3.0)]), &below).predicted;
        assert_eq!((found[0], found[1], found[3]), ((1.0, 3.0), (1.5, 1.5), (3.0, 3.0)));
        assert!(found[2].1.is_nan());
    }
}
