//! A heap of flows by their counts that finds each flow.

/// No place in the heap.
const ABSENT: u32 = u32::MAX;

/// Flows with counts; the least count is at hand, and so is that of each flow.
#[derive(Debug, Clone, Default)]
pub struct FlowHeap {
    /// Counts and flows; the count of a place is at most that of the places 2i + 1 and 2i + 2.
    entries: Vec<(i64, u32)>,
    /// The place of each flow.
    places: Vec<u32>,
}

impl FlowHeap {
    /// Flows in the heap.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        let (entries, places) = (self.entries.capacity(), self.places.capacity());
        (entries * size_of::<(i64, u32)>() + places * size_of::<u32>()) as u64
    }

    /// Takes out all flows.
    pub fn clear(&mut self) {
        for (_, flow) in self.entries.drain(..) {
            self.places[flow as usize] = ABSENT;
        }
    }

    /// The count of a flow, if it is in the heap.
    pub fn get(&self, flow: u32) -> Option<i64> {
        self.place(flow).map(|place| self.entries[place].0)
    }

    /// The flow with the least count; which one of several depends on how they came.
    pub fn min(&self) -> Option<(i64, u32)> {
        self.entries.first().copied()
    }

    /// Flows and counts, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u32)> {
        self.entries.iter().copied()
    }

    /// Gives the flow this count, and puts it into the heap if it is not there.
    pub fn set(&mut self, flow: u32, count: i64) {
        match self.place(flow) {
            Some(place) => {
                self.entries[place].0 = count;
                self.settle(place);
            }
            None => {
                if self.places.len() <= flow as usize {
                    self.places.resize(flow as usize + 1, ABSENT);
                }
                self.entries.push((count, flow));
                self.settle(self.entries.len() - 1);
            }
        }
    }

    /// Takes out the flow with the least count.
    pub fn pop(&mut self) -> Option<(i64, u32)> {
        let least = self.min()?;
        self.places[least.1 as usize] = ABSENT;
        self.entries.swap_remove(0);
        if !self.entries.is_empty() {
            self.settle(0);
        }
        Some(least)
    }

    fn place(&self, flow: u32) -> Option<usize> {
        let place = *self.places.get(flow as usize)?;
        (place != ABSENT).then_some(place as usize)
    }

    /// Moves the entry up or down to where it belongs.
    fn settle(&mut self, mut place: usize) {
        while place > 0 && self.count(place) < self.count((place - 1) / 2) {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        loop {
            let end = self.entries.len();
            let children = (2 * place + 1).min(end)..(2 * place + 3).min(end);
            match children.min_by_key(|&child| self.count(child)) {
                Some(child) if self.count(child) < self.count(place) => {
                    self.swap(place, child);
                    place = child;
                }
                _ => break,
            }
        }
        self.places[self.entries[place].1 as usize] = place as u32;
    }

    fn count(&self, place: usize) -> i64 {
        self.entries[place].0
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.entries.swap(a, b);
        for place in [a, b] {
            self.places[self.entries[place].1 as usize] = place as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever is set and popped, the heap holds what a map would.
        #[test]
        fn it_is_a_map_with_its_least_value_at_hand(
            steps in prop::collection::vec((0..12_u32, -20..20_i64, 0..4_u8), 0..200),
        ) {
            let (mut heap, mut map) = (FlowHeap::default(), BTreeMap::new());
            for (flow, count, kind) in steps {
                if kind == 0 {
                    let popped = heap.pop();
                    prop_assert_eq!(popped.map(|(count, _)| count), map.values().min().copied());
                    let removed = popped.and_then(|(_, flow)| map.remove(&flow));
                    prop_assert_eq!(removed, popped.map(|(count, _)| count));
                } else {
                    heap.set(flow, count);
                    map.insert(flow, count);
                }
                let expected: Vec<_> = (0..12).map(|flow| map.get(&flow).copied()).collect();
                let own: Vec<_> = (0..12).map(|flow| heap.get(flow)).collect();
                prop_assert_eq!((own, heap.len()), (expected, map.len()));
            }
            heap.clear();
            prop_assert_eq!((heap.len(), heap.get(3)), (0, None));
        }
    }
}
