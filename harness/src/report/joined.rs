//! What theory says at places along x, joined to a line that is broken where it says nothing.

use std::iter;

/// A place along x and what is predicted there, if anything is.
pub(super) type Vertex = (f64, Option<f64>);

/// Between two vertices that are not joined.
const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

/// The line through these vertices, in their order. `between` has what lies between each of them and the next; `None`
/// where nothing does, so that the two are not joined. Where nothing is predicted of all that lies between two vertices,
/// they are joined directly: some predictions are known only where there are measurements.
pub(super) fn joined(vertices: &[Vertex], between: &[Option<Vec<Vertex>>]) -> Vec<(f64, f64)> {
    let gaps = between.iter().map(|gap| match gap {
        None => vec![BREAK],
        Some(inner) if inner.iter().all(is_missing) => Vec::new(),
        Some(inner) => inner.iter().map(drawn).collect(),
    });
    let ends = vertices.iter().zip(gaps.chain(iter::repeat(Vec::new())));
    ends.flat_map(|(end, gap)| iter::once(drawn(end)).chain(gap)).collect()
}

fn is_missing(vertex: &Vertex) -> bool {
    vertex.1.is_none()
}

fn drawn(&(x, y): &Vertex) -> (f64, f64) {
    y.map_or(BREAK, |y| (x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line by x, a break as a bar.
    fn told(line: &[(f64, f64)]) -> String {
        let told = |(x, y): &(f64, f64)| if y.is_nan() { "|".to_owned() } else { x.to_string() };
        line.iter().map(told).collect::<Vec<_>>().join(" ")
    }

    fn known(places: &[f64]) -> Vec<Vertex> {
        places.iter().map(|&x| (x, Some(1.0))).collect()
    }

    #[test]
    fn a_line_breaks_where_nothing_is_predicted() {
        let between = |inner: &[f64]| Some(known(inner));
        let mut ends = known(&[0.0, 1.0, 2.0, 3.0]);
        let gaps = [between(&[0.5]), between(&[1.5]), between(&[2.5])];
        assert_eq!(told(&joined(&ends, &gaps)), "0 0.5 1 1.5 2 2.5 3");
        // At a point of the sweep, up to which the line goes on.
        ends[1].1 = None;
        assert_eq!(told(&joined(&ends, &gaps)), "0 0.5 | 1.5 2 2.5 3");
        // Between two points.
        let gaps = [None, Some(vec![(1.2, Some(1.0)), (1.5, None), (1.8, Some(1.0))]), None];
        let ends = known(&[0.0, 1.0, 2.0, 3.0]);
        assert_eq!(told(&joined(&ends, &gaps)), "0 | 1 1.2 | 1.8 2 | 3");
    }

    #[test]
    fn points_are_joined_where_only_they_are_predicted() {
        let unknown = Some(vec![(0.5, None)]);
        assert_eq!(told(&joined(&known(&[0.0, 1.0]), &[unknown])), "0 1");
    }
}
