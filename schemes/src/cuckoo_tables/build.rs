//! Building a table, and building it again where that failed.

use std::ops::ControlFlow;

use rand::SeedableRng;

use super::buckets::Buckets;
use super::forest::Forest;
use super::params::{Limits, Shape};
use super::shelf::Insertion;
use super::slots::Elements;
use crate::Rng;
use crate::hash::derive_seed;
use crate::keys::{ChoiceStream, Seeds};

/// A table that is built anew in each trial, and the choices of its elements.
#[derive(Debug)]
pub(super) struct Builder {
    shape: Shape,
    limits: Limits,
    buckets: Buckets,
    choices: Vec<u32>,
    /// Where elements are edges between buckets.
    forest: Option<Forest>,
}

/// All builds of one trial.
#[derive(Debug, Default)]
pub(super) struct Built {
    /// Insertions of all builds.
    pub(super) insertions: u64,
    /// Buckets that they read.
    pub(super) accesses: u64,
    /// Elements that they moved.
    pub(super) moves: u64,
    /// Moves of the longest insertion.
    pub(super) longest: u32,
    /// Elements in the stash of the last build.
    pub(super) stashed: u32,
    /// Whether the last build failed.
    pub(super) failed: bool,
    /// Builds after the first.
    pub(super) rehashes: u32,
}

/// What the choices of the first build say before an element is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Excess {
    /// Elements that no placement stores.
    pub(super) elements: u32,
    /// Whether the last element is one that no moves make room for.
    pub(super) last: bool,
}

impl Builder {
    pub(super) fn new(shape: &Shape, limits: &Limits) -> Self {
        let (n, m) = (shape.geometry.elements as usize, shape.geometry.buckets);
        Self {
            shape: *shape,
            limits: *limits,
            buckets: Buckets::new(shape, limits),
            choices: vec![0; n * shape.choices as usize],
            forest: shape.is_graph().then(|| Forest::new(m)),
        }
    }

    /// One trial: the builds, and the excess of the first where elements are edges.
    pub(super) fn trial(
        &mut self,
        stream: &mut dyn ChoiceStream,
        seeds: &Seeds,
    ) -> (Built, Option<Excess>) {
        let mut rng = Rng::seed_from_u64(seeds.scheme);
        let mut built = Built::default();
        let number = self.draw(stream, seeds);
        let excess = self.excess(number);
        self.build(number, &mut rng, &mut built);
        while built.failed && built.rehashes < self.limits.rehashes {
            built.rehashes += 1;
            let hash = derive_seed(seeds.hash, built.rehashes.into());
            let number = self.draw(stream, &Seeds { hash, ..*seeds });
            self.build(number, &mut rng, &mut built);
        }
        (built, excess)
    }

    /// Draws the choices of all elements; how many arrived.
    fn draw(&mut self, stream: &mut dyn ChoiceStream, seeds: &Seeds) -> u32 {
        stream.begin(seeds);
        let number = stream.arrive(0, &mut self.choices);
        if self.shape.sub_tables {
            let range = self.shape.range();
            for own in self.choices.chunks_exact_mut(self.shape.choices as usize) {
                (0..).zip(own).for_each(|(j, choice)| *choice += j * range);
            }
        }
        number
    }

    /// The excess of so many elements.
    fn excess(&mut self, number: u32) -> Option<Excess> {
        let forest = self.forest.as_mut()?;
        forest.clear();
        let mut last = false;
        for edge in self.choices.chunks_exact(2).take(number as usize) {
            last = forest.join(edge[0], edge[1]);
        }
        Some(Excess { elements: forest.excess(), last })
    }

    /// Inserts so many elements into empty buckets, up to one that does not fit in the stash either.
    fn build(&mut self, number: u32, rng: &mut Rng, built: &mut Built) {
        let each = self.shape.choices;
        let elements = Elements { choices: &self.choices[..number as usize * each as usize], each };
        (built.stashed, built.failed) = (0, false);
        self.buckets.fill(elements, rng, |insertion| built.add(&insertion, self.limits.stash));
    }
}

impl Built {
    /// Takes note of an insertion; breaks off with the one that fails, as the stash has only so many places.
    #[inline]
    fn add(&mut self, insertion: &Insertion<u32>, stash: Option<u32>) -> ControlFlow<()> {
        self.insertions += 1;
        self.accesses += insertion.accesses;
        self.moves += u64::from(insertion.moves);
        self.longest = self.longest.max(insertion.moves);
        if insertion.left_over.is_some() {
            self.failed = stash == Some(self.stashed);
            if self.failed {
                return ControlFlow::Break(());
            }
            self.stashed += 1;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::slots::Elements;
    use super::*;
    use crate::hash::HashSpec;
    use crate::keys::{KeySource, choice_stream};
    use crate::tables::Geometry;

    /// Each element that is not in the stash is in one slot of one of its buckets, however room was made for it.
    #[test]
    fn elements_are_where_they_are_looked_for() {
        for (choices, bucket_size, sub_tables) in
            [(2, 1, false), (2, 1, true), (3, 1, true), (2, 3, false)]
        {
            for breadth_first in [false, true] {
                let geometry =
                    Geometry { elements: 150, buckets: 150 / u32::from(bucket_size), bucket_size };
                let shape = Shape { geometry, choices, sub_tables };
                let limits = Limits { breadth_first, evictions: 20, stash: None, rehashes: 0 };
                let (builder, stashed) = built(&shape, &limits);
                let elements = Elements { choices: &builder.choices, each: choices };
                let mut found = vec![0; 150];
                for (bucket, element) in builder.buckets.places() {
                    found[element as usize] += 1;
                    assert!(elements.of(element).contains(&bucket));
                }
                assert!(found.iter().all(|&times| times <= 1));
                assert_eq!(found.iter().sum::<u32>() + stashed, 150);
                assert!(stashed > 0 && stashed < 75, "{shape:?}: {stashed}");
            }
        }
    }

    fn built(shape: &Shape, limits: &Limits) -> (Builder, u32) {
        let mut builder = Builder::new(shape, limits);
        let mut stashed = 0;
        let hash = HashSpec::random(shape.choices).unwrap();
        let ranges = vec![shape.range(); shape.choices as usize];
        choice_stream(&hash, &KeySource::Random, 150, ranges, &mut |stream| {
            stashed = builder.trial(stream, &Seeds::of(3, 4)).0.stashed;
        });
        (builder, stashed)
    }
}
