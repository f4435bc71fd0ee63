//! Every way to make room, move by move, against what is possible.

use proptest::collection::vec;
use proptest::prelude::*;
use rand::SeedableRng;

use super::breadth_first::BreadthFirst;
use super::eviction::{Eviction, Placement};
use super::random_walk::RandomWalk;
use super::slots::Slots;
use super::*;
use crate::Rng;
use crate::hash::Choices;

/// Choices known beforehand.
struct Script<'c>(std::slice::Iter<'c, u32>);

impl Choices for Script<'_> {
    fn next(&mut self, buckets: u32) -> u32 {
        self.0.next().unwrap() % buckets
    }
}

/// Slots under observation.
struct Watched {
    slots: Slots,
    /// The elements that are in a bucket.
    stored: Vec<u32>,
    choices: u32,
}

impl Watched {
    fn new(scheme: &Cuckoo) -> Self {
        Self { slots: Slots::new(scheme), stored: Vec::new(), choices: scheme.choices }
    }

    fn insert(
        &mut self,
        eviction: &mut impl Eviction,
        (element, choices): (u32, &[u32]),
        rng: &mut Rng,
    ) -> Placement {
        self.slots.choose(element, Script(choices.iter()));
        let placement = eviction.place(&mut self.slots, element, rng);
        self.stored.push(element);
        if let Some(left_over) = placement.left_over {
            self.slots.leave_out(left_over);
            self.stored.retain(|&other| other != left_over);
        }
        placement
    }

    /// Takes the element out of its bucket, if it is in one.
    fn remove(&mut self, element: u32) -> bool {
        let stored = self.stored.contains(&element);
        self.stored.retain(|&other| other != element);
        stored && self.slots.remove(element)
    }

    /// Where each stored element is, found in the slots, not in what they remember of places.
    fn places(&self) -> Vec<(u32, u32)> {
        let in_bucket = |(bucket, &count): (u32, &u8)| {
            (0..count).map(move |slot| (self.slots.element(bucket, slot), bucket))
        };
        let mut places: Vec<_> = (0..).zip(self.slots.counts()).flat_map(in_bucket).collect();
        places.sort_unstable();
        places
    }

    /// Every stored element is in exactly one bucket, which is one of its choices.
    fn check(&self) -> Result<(), TestCaseError> {
        let places = self.places();
        let mut stored = self.stored.clone();
        stored.sort_unstable();
        prop_assert_eq!(places.iter().map(|place| place.0).collect::<Vec<_>>(), stored);
        for (element, bucket) in places {
            prop_assert!((0..self.choices).any(|j| self.slots.choice(element, j) == bucket));
            prop_assert!(self.slots.current_choice(element) < self.choices);
        }
        Ok(())
    }

    /// The most of these elements that can be placed, by Kuhn's algorithm.
    fn most_stored(&self, elements: impl Iterator<Item = u32>) -> usize {
        let buckets = self.slots.counts().len();
        let mut taken = vec![Vec::new(); buckets];
        elements
            .filter(|&element| self.augment(element, &mut taken, &mut vec![false; buckets]))
            .count()
    }

    fn augment(&self, element: u32, taken: &mut Vec<Vec<u32>>, seen: &mut [bool]) -> bool {
        let size = usize::from(self.slots.bucket_size());
        (0..self.choices).map(|j| self.slots.choice(element, j) as usize).any(|bucket| {
            if std::mem::replace(&mut seen[bucket], true) {
                return false;
            }
            if taken[bucket].len() < size {
                taken[bucket].push(element);
                return true;
            }
            let movable = (0..size).find(|&i| self.augment(taken[bucket][i], taken, seen));
            movable.map(|i| taken[bucket][i] = element).is_some()
        })
    }
}

/// Elements that arrive with these choices, or depart if they are in a bucket.
type Steps = Vec<(u32, Vec<u32>)>;

/// A scheme and what happens to its table.
fn histories() -> impl Strategy<Value = (Cuckoo, Steps)> {
    let shape = (1..24_u32, 1..6_u32, 1..4_u8, 1..4_u32, any::<bool>(), 0..12_u32);
    shape.prop_flat_map(|(elements, range, bucket_size, choices, sub_tables, eviction_limit)| {
        let geometry = Geometry { elements, buckets: range * choices, bucket_size };
        let scheme = Cuckoo {
            geometry,
            choices,
            sub_tables,
            breadth_first: true,
            eviction_limit,
            stash_size: None,
        };
        let steps = vec((0..elements, vec(any::<u32>(), choices as usize)), 0..80);
        (Just(scheme), steps)
    })
}

fn breadth_first(scheme: &Cuckoo, limit: u32) -> BreadthFirst {
    BreadthFirst::new(&scheme.geometry, scheme.choices, limit)
}

/// How many of these elements are stored after a static fill, and how many can be.
fn fill(scheme: &Cuckoo, script: &[(u32, &[u32])], mut eviction: impl Eviction) -> (usize, usize) {
    let (mut table, mut rng) = (Watched::new(scheme), Rng::seed_from_u64(0));
    for &arrival in script {
        table.insert(&mut eviction, arrival, &mut rng);
    }
    (table.stored.len(), table.most_stored(0..scheme.geometry.elements))
}

/// How many elements changed their bucket, of those that are in one before and after.
fn moved(before: &[(u32, u32)], after: &[(u32, u32)]) -> u32 {
    let now = |element| after.iter().find(|place| place.0 == element).map(|place| place.1);
    before.iter().filter(|(element, old)| now(*element).is_some_and(|new| new != *old)).count()
        as u32
}

proptest! {
    #[test]
    fn a_walk_keeps_every_element_among_its_choices((scheme, steps) in histories(), seed: u64) {
        let (d, limit) = (scheme.choices, scheme.eviction_limit);
        let mut eviction = RandomWalk::new(d, scheme.geometry.bucket_size == 1, limit);
        let (mut table, mut rng) = (Watched::new(&scheme), Rng::seed_from_u64(seed));
        for (element, choices) in steps {
            if !table.remove(element) {
                let before = table.places();
                let found = table.insert(&mut eviction, (element, &choices), &mut rng);
                prop_assert!(found.moves <= limit);
                prop_assert!(moved(&before, &table.places()) <= found.moves);
                prop_assert!(found.accesses <= d + (d - 1) * limit);
                prop_assert!(found.accesses > found.moves);
            }
            table.check()?;
        }
    }

    #[test]
    fn breadth_first_leaves_over_only_what_cannot_be_placed((scheme, steps) in histories()) {
        let mut eviction = breadth_first(&scheme, scheme.geometry.buckets);
        let (mut table, mut rng) = (Watched::new(&scheme), Rng::seed_from_u64(0));
        for (element, choices) in steps {
            if !table.remove(element) {
                let before = table.places();
                let found = table.insert(&mut eviction, (element, &choices), &mut rng);
                prop_assert_eq!(moved(&before, &table.places()), found.moves);
                if let Some(left_over) = found.left_over {
                    prop_assert_eq!(left_over, element);
                    let all = table.stored.iter().copied().chain([element]);
                    prop_assert_eq!(table.most_stored(all), table.stored.len());
                }
            }
            table.check()?;
        }
    }

    #[test]
    fn breadth_first_gives_up_at_its_limit_only((scheme, steps) in histories()) {
        let limit = scheme.eviction_limit;
        let mut eviction = breadth_first(&scheme, limit);
        let mut unlimited = breadth_first(&scheme, scheme.geometry.buckets);
        let (mut table, mut rng) = (Watched::new(&scheme), Rng::seed_from_u64(0));
        for (element, choices) in steps {
            if !table.remove(element) {
                let mut other = Watched { slots: table.slots.clone(), stored: Vec::new(), ..table };
                let wanted = other.insert(&mut unlimited, (element, &choices), &mut rng);
                let found = table.insert(&mut eviction, (element, &choices), &mut rng);
                let mut own: Vec<_> = (0..table.choices).map(|j| table.slots.choice(element, j)).collect();
                own.sort_unstable();
                own.dedup();
                let most = own.len() as u32 + limit;
                let stored = wanted.left_over.is_none() && wanted.accesses <= most;
                prop_assert_eq!(found.left_over.is_none(), stored);
                prop_assert_eq!(found.accesses, wanted.accesses.min(most));
            }
            table.check()?;
        }
    }

    /// Elements that were left over stay so: what is stored is then as many as can be.
    #[test]
    fn a_static_fill_reaches_the_best_placement((scheme, steps) in histories()) {
        let (n, m) = (scheme.geometry.elements, scheme.geometry.buckets);
        let pairs = scheme.choices == 2 && scheme.geometry.bucket_size == 1;
        let mut choices = steps.iter().map(|step| &step.1[..]).cycle();
        let Some(last) = choices.next() else { return Ok(()) };
        let script: Vec<_> = (0..n).map(|e| (e, choices.next().unwrap_or(last))).collect();
        let (stored, most) = fill(&scheme, &script, breadth_first(&scheme, m));
        prop_assert_eq!(stored, most);
        let walk = RandomWalk::new(scheme.choices, scheme.geometry.bucket_size == 1, 2 * m);
        let (stored, most) = fill(&scheme, &script, walk);
        prop_assert!(stored <= most);
        prop_assert!(!pairs || stored == most);
    }
}
