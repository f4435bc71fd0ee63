//! One line of a figure divided by another.

use super::figure::{Measured, Series};

/// Relative distance of two places along x below which they are the same: sizes that are rounded down to
/// whole things do not give the same space to the last digit.
const SAME_PLACE: f64 = 2e-3;

/// `line` with its values divided by those of `below` at the same places. Values that are not above 0 have
/// no ratio. Published values are left out: each line has its own.
pub(super) fn ratio(line: Series, below: &Series) -> Series {
    let below = Below::new(below);
    let measured =
        line.measured.iter().filter_map(|m| measured_ratio(m, below.measured_near(m.x)?));
    let measured = measured.collect();
    let predicted = line.predicted.iter().map(|&(x, y)| match below.predicted_at(x) {
        Some(other) if y > 0.0 && other > 0.0 => (x, y / other),
        _ => (f64::NAN, f64::NAN),
    });
    let predicted = predicted.collect();
    Series { measured, predicted, published: Vec::new(), ..line }
}

/// The line by which another is divided, in the order of its places.
struct Below<'s> {
    measured: Vec<&'s Measured>,
    /// Vertices, each with its number along the line: those on the two sides of a gap are no neighbours.
    predicted: Vec<(usize, (f64, f64))>,
}

impl<'s> Below<'s> {
    fn new(series: &'s Series) -> Self {
        let mut measured: Vec<&Measured> = series.measured.iter().collect();
        measured.sort_by(|a, b| a.x.total_cmp(&b.x));
        let vertices = series.predicted.iter().copied().enumerate();
        let mut predicted: Vec<_> = vertices.filter(|(_, (x, _))| !x.is_nan()).collect();
        predicted.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
        Self { measured, predicted }
    }

    /// What was measured at x.
    fn measured_near(&self, x: f64) -> Option<&'s Measured> {
        let at = self.measured.partition_point(|m| m.x < x);
        let around = &self.measured[at.saturating_sub(1)..(at + 1).min(self.measured.len())];
        let nearest = around.iter().min_by(|a, b| (a.x - x).abs().total_cmp(&(b.x - x).abs()))?;
        is_near(nearest.x, x).then_some(nearest)
    }

    /// The value of the line at x, between its vertices as a line is drawn on a logarithmic axis.
    fn predicted_at(&self, x: f64) -> Option<f64> {
        let at = self.predicted.partition_point(|(_, (place, _))| *place < x);
        let around = &self.predicted[at.saturating_sub(1)..(at + 1).min(self.predicted.len())];
        let distance = |vertex: &(usize, (f64, f64))| (vertex.1.0 - x).abs();
        let nearest = around.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        if is_near(nearest.1.0, x) {
            return Some(nearest.1.1);
        }
        let &[(before, (x0, y0)), (after, (x1, y1))] = around else { return None };
        let is_drawn = before + 1 == after && x <= x1;
        let share = (x - x0) / (x1 - x0);
        is_drawn.then(|| y0 * (y1 / y0).powf(share))
    }
}

/// The ratio of two independent means with an interval from theirs (Donner and Zou, "Closed-form confidence
/// intervals for functions of the normal mean and standard deviation", 2012: MOVER, of logarithms).
fn measured_ratio(m: &Measured, other: &Measured) -> Option<Measured> {
    if !(m.y > 0.0 && other.y > 0.0) {
        return None;
    }
    let y = m.y / other.y;
    let low = (m.y / m.low.max(0.0)).ln().hypot((other.high / other.y).ln());
    let high = (m.high / m.y).ln().hypot((other.y / other.low.max(0.0)).ln());
    Some(Measured { x: m.x, y, low: y * (-low).exp(), high: y * high.exp() })
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

    fn of_measured(m: Measured, others: &[Measured]) -> Option<Measured> {
        let line = |measured: Vec<Measured>| Series { measured, ..Series::default() };
        ratio(line(vec![m]), &line(others.to_vec())).measured.pop()
    }

    /// For small errors the squares of the relative ones add.
    #[test]
    fn a_ratio_has_the_errors_of_both() {
        let others = [measured(1.2001, 2.0, 0.008), measured(1.0, 2.0, 0.004)];
        let ratio = of_measured(measured(1.2, 6.0, 0.018), &others).unwrap();
        assert_eq!((ratio.x, ratio.y), (1.2, 3.0));
        assert!((ratio.high - 3.0 - 3.0 * 0.005).abs() < 1e-4, "{ratio:?}");
        assert!((3.0 - ratio.low - 3.0 * 0.005).abs() < 1e-4, "{ratio:?}");
    }

    #[test]
    fn there_is_no_ratio_elsewhere_nor_to_nothing() {
        assert_eq!(of_measured(measured(1.2, 6.0, 0.1), &[measured(1.3, 2.0, 0.1)]), None);
        assert_eq!(of_measured(measured(1.2, 6.0, 0.1), &[measured(1.2, 0.0, 0.1)]), None);
        assert_eq!(of_measured(measured(1.2, 6.0, 0.1), &[]), None);
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
        let dense = line(&[(1.0, 1.0), (1.001, 2.0), (1.002, 4.0)]);
        let found = ratio(line(&[(1.001, 2.0), (1.002, 2.0)]), &dense).predicted;
        assert_eq!(found, [(1.001, 1.0), (1.002, 0.5)]);
    }
}
