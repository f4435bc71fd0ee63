//! Every insertion against one that makes each of its evictions.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{CuckooGraph, Placement};

/// The rule as it is stated: slots that hold elements, which know their choices.
struct Plain {
    slots: Vec<Option<u32>>,
    choices: Vec<[u32; 2]>,
    limit: u32,
}

impl Plain {
    fn insert(&mut self, element: u32) -> Placement {
        let [mut bucket, _] = self.choices[element as usize];
        let mut on_hand = element;
        for evictions in 0..=self.limit {
            let slot = &mut self.slots[bucket as usize];
            if slot.is_none() {
                *slot = Some(on_hand);
                let accesses = evictions + 1;
                return Placement { accesses, moves: evictions, left_over: None };
            }
            if evictions < self.limit {
                on_hand = slot.replace(on_hand).unwrap();
                let [first, second] = self.choices[on_hand as usize];
                bucket ^= first ^ second;
            }
        }
        let moves = self.limit.saturating_sub(1);
        Placement { accesses: self.limit + 1, moves, left_over: Some(on_hand) }
    }

    fn remove(&mut self, element: u32) -> bool {
        let place = self.slots.iter().position(|&slot| slot == Some(element));
        place.is_some_and(|place| self.slots[place].take().is_some())
    }
}

impl CuckooGraph {
    /// The element of each bucket, which has its other choice beside it.
    pub(super) fn elements(&self, choices: &[[u32; 2]]) -> Vec<Option<u32>> {
        let element = |(bucket, slot): (u32, &super::Slot)| {
            let element = (!slot.is_free()).then(|| slot.element())?;
            let [first, second] = choices[element as usize];
            assert_eq!(slot.other(), bucket ^ first ^ second);
            Some(element)
        };
        (0..).zip(&self.slots).map(element).collect()
    }
}

/// Buckets, the limit, and elements that arrive with these choices or depart if they are in a bucket.
fn histories() -> impl Strategy<Value = (u32, u32, Vec<(u32, [u32; 2])>)> {
    let shape = (1..60_u32, prop_oneof![0..40_u32, 0..400_u32]);
    shape.prop_flat_map(|(buckets, limit)| {
        let choices = (0..buckets, 0..buckets).prop_map(|(first, second)| [first, second]);
        let steps = vec((0..buckets + 8, choices), 0..200);
        (Just(buckets), Just(limit), steps)
    })
}

proptest! {
    /// The same table, the same element left over, as many buckets read and elements moved, wherever the limit is.
    #[test]
    fn walks_in_circles_come_to_what_their_evictions_do((buckets, limit, steps) in histories()) {
        let mut graph = CuckooGraph::new(buckets, limit);
        let (slots, choices) = (vec![None; buckets as usize], vec![[0; 2]; buckets as usize + 8]);
        let mut plain = Plain { slots, choices, limit };
        for (element, choices) in steps {
            let removed = graph.remove(element, plain.choices[element as usize]);
            prop_assert_eq!(removed, plain.remove(element));
            if !removed {
                plain.choices[element as usize] = choices;
                prop_assert_eq!(graph.insert(element, choices), plain.insert(element));
            }
            prop_assert_eq!(graph.elements(&plain.choices), &plain.slots[..]);
        }
    }
}
