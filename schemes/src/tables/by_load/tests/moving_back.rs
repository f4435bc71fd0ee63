//! Elements that move back: which buckets have names, and as many elements as there may be.

use super::super::waiting::MOST;
use super::*;

/// Elements of few choices move back in a table that is not large. All buckets have names where many would overflow if none moved
/// back, or nobody knows how many, and there are not many more elements than places.
#[test]
fn elements_move_back_in_tables_that_are_small() {
    let named = |elements, buckets, choices, overflow| {
        let geometry = Geometry { elements, buckets, bucket_size: 1 };
        let by_load = ByLoad::anywhere(&geometry, choices).unwrap();
        by_load.moving_back(|| overflow).and_then(|by_load| by_load.move_back)
    };
    assert_eq!(named(16_384, 16_384, 4, Some(0.06)), Some(Named::Awaited));
    assert_eq!(named(2, 1, 1, Some(0.0)), Some(Named::Awaited));
    assert_eq!(named(16_384, 16_384, 4, Some(0.061)), Some(Named::All));
    assert_eq!(named(16_384, 16_384, 4, None), Some(Named::All));
    assert_eq!(named(110, 100, 4, Some(0.061)), Some(Named::All));
    assert_eq!(named(111, 100, 4, Some(0.061)), None);
    assert_eq!(named(16_385, 16_384, 4, Some(0.06)), None);
    assert_eq!(named(16_384, 16_385, 4, Some(0.5)), None);
    assert_eq!(named(16_384, 16_384, 5, Some(0.06)), None);
}

/// As many elements and buckets as there may be, all on the list at first or in buckets of one.
#[test]
fn as_many_go_as_there_may_be() {
    let geometry = Geometry { elements: MOST, buckets: MOST, bucket_size: 1 };
    for choices in [1, 4] {
        let by_load = ByLoad::anywhere(&geometry, choices).unwrap();
        let table = by_load.moving_back(|| None).unwrap();
        for filled in [false, true] {
            let rounds = Rounds::Window { filled, warm_up: 0, rounds: 20_000 };
            for (sums, occupancy, _, overflow) in of(&table, rounds, 0..16) {
                assert_eq!(occupancy[1] + u64::from(overflow), MOST.into());
                assert_eq!(sums.cam_extent == MOST, !filled);
                assert!(sums.moves_back > 0 && sums.lookups >= sums.moves_back);
            }
        }
    }
}
