//! The structure of cuckoo hashing with a stash for two choices, buckets of one and a random walk.

use super::super::{Deletion, Footprint, Insertion, SubTableUse, Table};
use super::Cuckoo;
use super::stash::Stash;
use crate::Rng;
use crate::cuckoo_graph::CuckooGraph;
use crate::hash::Choices;

/// The graph of the buckets, the choices of each element, and the stash.
#[derive(Debug, Clone)]
pub(super) struct CuckooPairs {
    graph: CuckooGraph,
    choices: Vec<[u32; 2]>,
    stash: Stash,
    bounded: bool,
    sub_tables: bool,
    /// Buckets that one choice ranges over.
    range: u32,
}

impl CuckooPairs {
    pub(super) const FOOTPRINT: Footprint =
        Footprint { element: 8, bucket: CuckooGraph::BYTES_PER_BUCKET };

    pub(super) fn new(scheme: &Cuckoo) -> Self {
        let Cuckoo { geometry, sub_tables, eviction_limit, stash_size: size, .. } = *scheme;
        let range = if sub_tables { geometry.buckets / 2 } else { geometry.buckets };
        Self {
            graph: CuckooGraph::new(geometry.buckets, eviction_limit),
            choices: vec![[0; 2]; geometry.elements as usize],
            stash: Stash::new(geometry.elements, size.unwrap_or(u32::MAX)),
            bounded: size.is_some(),
            sub_tables,
            range,
        }
    }
}

impl Table for CuckooPairs {
    const MOVES: bool = true;

    fn reserve(&mut self, elements: u32) {
        let n = (elements as usize).max(self.choices.len());
        self.choices.resize(n, [0; 2]);
        self.stash.reserve(elements);
    }

    fn clear(&mut self) {
        self.graph.clear();
        self.stash.clear();
    }

    fn is_certain(&self) -> bool {
        true
    }

    fn can_lose(&self) -> bool {
        self.bounded
    }

    #[inline]
    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        mut choices: impl Choices,
        _rng: &mut Rng,
    ) -> Insertion {
        let first = choices.next(self.range);
        let offset = if self.sub_tables { self.range } else { 0 };
        let own = [first, offset + choices.next(self.range)];
        self.choices[element as usize] = own;
        let placement = self.graph.insert(element, own);
        let lost = placement.left_over.is_some_and(|left_over| self.stash.insert(left_over));
        Insertion {
            accesses: placement.accesses,
            stored: placement.left_over.is_none(),
            moves: placement.moves,
            lost,
            ..Insertion::default()
        }
    }

    fn insert_overflowed(&mut self, element: u32) {
        self.stash.insert(element);
    }

    #[inline]
    fn delete(&mut self, element: u32) -> Deletion {
        if !self.graph.remove(element, self.choices[element as usize]) {
            self.stash.remove(element);
        }
        Deletion::default()
    }

    #[inline]
    fn overflow(&self) -> u32 {
        self.stash.overflow()
    }

    fn occupancy(&self) -> Vec<u64> {
        let taken = self.graph.taken().filter(|&taken| taken).count() as u64;
        vec![u64::from(self.graph.buckets()) - taken, taken]
    }

    fn sub_tables(&self) -> Vec<SubTableUse> {
        if !self.sub_tables {
            return Vec::new();
        }
        let taken: Vec<bool> = self.graph.taken().collect();
        let in_use = |own: &[bool]| SubTableUse {
            elements: own.iter().filter(|&&taken| taken).count() as u64,
            places: self.range.into(),
        };
        taken.chunks(self.range as usize).map(in_use).collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng};

    use super::super::table::CuckooTable;
    use super::*;
    use crate::hash::{HashSpec, RandomSource, Source};
    use crate::tables::Geometry;

    /// Rounds in two tables beside each other: bounded stashes and sub-tables, walks cut off and in circles.
    #[test]
    fn every_trial_is_that_of_walks_over_slots() {
        for (sub_tables, eviction_limit, stash_size) in
            [(false, 0, None), (true, 7, Some(3)), (false, 40, Some(2)), (true, 500, None)]
        {
            let geometry = Geometry { elements: 40, buckets: 50, bucket_size: 1 };
            let (choices, breadth_first) = (2, false);
            let scheme =
                Cuckoo { geometry, choices, sub_tables, breadth_first, eviction_limit, stash_size };
            let mut pairs = CuckooPairs::new(&scheme);
            let mut walks = CuckooTable::new(&scheme, scheme.random_walk());
            let [mut source, mut same] =
                [1; 2].map(|seed| RandomSource::new(&HashSpec::random(2).unwrap(), seed));
            let mut rng = Rng::seed_from_u64(2);
            let mut lost = 0;
            for round in 0..2000 {
                let element = if round < 40 { round } else { rng.next_u32() % 40 };
                if round >= 40 {
                    assert_eq!(pairs.delete(element), walks.delete(element));
                }
                let inserted = pairs.insert::<true>(element, source.element(b""), &mut rng);
                let walked = walks.insert::<true>(element, same.element(b""), &mut rng);
                assert_eq!(inserted, walked, "{scheme:?}");
                lost += u32::from(inserted.lost);
                assert_eq!(pairs.overflow(), walks.overflow());
                assert_eq!(pairs.occupancy(), walks.occupancy());
                assert_eq!(pairs.sub_tables(), walks.sub_tables());
            }
            assert_eq!(lost > 0, stash_size.is_some(), "{scheme:?}");
            assert!(pairs.can_lose() == stash_size.is_some() && pairs.overflow() > 0);
        }
    }
}
