//! The buckets of a build, and how an insertion makes room in them.

use std::ops::ControlFlow;

use super::eviction::Eviction;
use super::params::{Limits, Shape};
use super::shelf::Insertion;
use super::slots::{Elements, InTrial, Slots};
use crate::Rng;
use crate::cuckoo_graph::CuckooGraph;

/// Buckets for elements with choices.
#[derive(Debug)]
pub(super) enum Buckets {
    /// Of one, between which walks go along the edges of a graph.
    Graph(CuckooGraph),
    /// Any others.
    Slots(Slots, Eviction),
}

impl Buckets {
    pub(super) fn new(shape: &Shape, limits: &Limits) -> Self {
        match limits.walk_along_edges(shape) {
            true => Self::Graph(CuckooGraph::new(shape.geometry.buckets, limits.evictions)),
            false => Self::Slots(Slots::new(shape), Eviction::new(shape, limits)),
        }
    }

    /// Memory of each bucket.
    pub(super) fn bytes_per_bucket(shape: &Shape, limits: &Limits) -> u64 {
        match limits.walk_along_edges(shape) {
            true => CuckooGraph::BYTES_PER_BUCKET,
            // Slots, how many are in use, and the mark of a search.
            false => 4 * u64::from(shape.geometry.bucket_size) + 1 + 4,
        }
    }

    /// Inserts the elements into empty buckets, one after the other, until `look` has seen enough insertions.
    pub(super) fn fill(
        &mut self,
        elements: Elements<'_>,
        rng: &mut Rng,
        mut look: impl FnMut(Insertion<u32>) -> ControlFlow<()>,
    ) {
        let _: ControlFlow<()> = match self {
            Self::Graph(graph) => {
                graph.clear();
                let pairs = elements.choices.as_chunks().0;
                (0..)
                    .zip(pairs)
                    .try_for_each(|(element, &own)| look(graph.insert(element, own).into()))
            }
            Self::Slots(slots, eviction) => {
                slots.clear();
                let mut shelf = InTrial { slots, elements };
                (0..elements.number())
                    .try_for_each(|element| look(eviction.insert(&mut shelf, element, rng)))
            }
        };
    }

    /// Each bucket that has an element, with that element.
    #[cfg(test)]
    pub(super) fn places(&self) -> Vec<(u32, u32)> {
        match self {
            Self::Graph(graph) => graph.places().collect(),
            Self::Slots(slots, _) => (0..slots.buckets())
                .flat_map(|bucket| (0..slots.used(bucket)).map(move |slot| (bucket, slot)))
                .map(|(bucket, slot)| (bucket, slots.element(bucket, slot)))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng};

    use super::*;
    use crate::tables::Geometry;

    /// Insertion by insertion the same as a walk over slots, which counts every eviction.
    #[test]
    fn a_graph_is_filled_as_slots_are() {
        let geometry = Geometry { elements: 90, buckets: 100, bucket_size: 1 };
        let shape = Shape { geometry, choices: 2, sub_tables: false };
        let mut rng = Rng::seed_from_u64(6);
        for evictions in [0, 20, 200, 10_000] {
            let limits = Limits { breadth_first: false, evictions, stash: None, rehashes: 0 };
            let choices: Vec<u32> = (0..180).map(|_| rng.next_u32() % 100).collect();
            let elements = Elements { choices: &choices, each: 2 };
            let walk = Buckets::Slots(Slots::new(&shape), Eviction::new(&shape, &limits));
            let both = [Buckets::new(&shape, &limits), walk].map(|mut buckets| {
                let mut all = Vec::new();
                buckets.fill(elements, &mut rng, |insertion| {
                    all.push(insertion);
                    ControlFlow::Continue(())
                });
                (all, buckets.places())
            });
            assert!(both[0].0.iter().any(|insertion| insertion.left_over.is_some()));
            assert_eq!(both[0], both[1], "{evictions}");
        }
    }
}
