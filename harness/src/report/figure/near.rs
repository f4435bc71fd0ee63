//! Which places lie next to which.

use std::collections::BTreeMap;

use super::canvas::Place;

/// Distance in pixels below which two marks are seen as one.
pub(super) const SAME: f64 = 3.0;

/// Places in cells as wide as [`SAME`], so that what is near one of them is found among few: a figure may have a
/// hundred thousand.
pub(super) struct Near<'p> {
    places: &'p [Place],
    /// The numbers of the places in each cell.
    cells: BTreeMap<(i64, i64), Vec<usize>>,
}

impl<'p> Near<'p> {
    pub(super) fn new(places: &'p [Place]) -> Self {
        let mut cells: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (number, &place) in places.iter().enumerate() {
            cells.entry(cell(place)).or_default().push(number);
        }
        Self { places, cells }
    }

    /// The numbers of the places that are seen as one with this place.
    pub(super) fn to(&self, at: Place) -> impl Iterator<Item = usize> {
        let (x, y) = cell(at);
        let around = (x - 1..=x + 1).flat_map(move |x| (y - 1..=y + 1).map(move |y| (x, y)));
        let candidates = around.filter_map(|cell| self.cells.get(&cell)).flatten().copied();
        candidates.filter(move |&number| distance(self.places[number], at) < SAME)
    }
}

fn cell((x, y): Place) -> (i64, i64) {
    ((x / SAME).floor() as i64, (y / SAME).floor() as i64)
}

/// The distance of two places in pixels.
fn distance(p: Place, q: Place) -> f64 {
    (p.0 - q.0).hypot(p.1 - q.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As by a look at every pair, also across the edges of cells and left of the axes.
    #[test]
    fn what_is_near_is_found_without_a_look_at_every_pair() {
        let mut state = 1u64;
        let mut coordinate = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f64 / (1 << 24) as f64 * 40.0 - 10.0
        };
        let mut places: Vec<Place> = (0..500).map(|_| (coordinate(), coordinate())).collect();
        places.extend([(0.0, 0.0), (3.0, 0.0), (2.999, 0.0), (-0.001, 0.0), (0.0, 0.0)]);
        let near = Near::new(&places);
        for &at in &places {
            let mut found: Vec<usize> = near.to(at).collect();
            found.sort_unstable();
            let all = 0..places.len();
            let pairs: Vec<usize> = all.filter(|&i| distance(places[i], at) < SAME).collect();
            assert_eq!(found, pairs);
        }
    }
}
