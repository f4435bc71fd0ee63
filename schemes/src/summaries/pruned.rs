//! The fast hash table of Song et al., as Section 4.3 describes it: a counter beside each bucket tells how many hashes
//! fall there, and an element is in that of its buckets whose counter is least.

use crate::Rng;
use crate::chance::Chance;
use crate::hash::Choices;
use crate::uniform::{Uniform, with_own};

/// No node.
const NONE: u32 = u32::MAX;

/// Takes note of buckets that an insertion or deletion puts an element into, or takes one out of.
pub(super) trait Kept {
    /// This bucket is one of them.
    fn kept(&mut self, bucket: u32);
}

/// For who need not know.
impl Kept for () {
    #[inline(always)]
    fn kept(&mut self, _bucket: u32) {}
}

/// The table with its summary, the counters, and with the copy before pruning that deletions need: which elements have
/// a hash in which bucket.
///
/// A node is one hash of one element: node e·d + i is the i-th of element e. The nodes of a bucket are a list.
#[derive(Debug, Clone)]
pub(super) struct PrunedTable {
    choices: u32,
    /// The greatest value of a counter, 2^b − 1.
    greatest: u32,
    /// Hashes in each bucket.
    hashes: Vec<u32>,
    /// The first node of each bucket's list.
    heads: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// The bucket of each node.
    buckets: Vec<u32>,
    /// The bucket in which each element is kept.
    places: Vec<u32>,
    /// Elements that each bucket keeps.
    kept: Vec<u32>,
}

impl PrunedTable {
    /// An empty table for the elements `0..elements` with so many choices each, and counters of so many bits.
    pub(super) fn new(buckets: u32, elements: u32, choices: u32, counter_bits: u32) -> Self {
        let nodes = elements as usize * choices as usize;
        Self {
            choices,
            greatest: (1 << counter_bits) - 1,
            hashes: vec![0; buckets as usize],
            heads: vec![NONE; buckets as usize],
            next: vec![NONE; nodes],
            previous: vec![NONE; nodes],
            buckets: vec![0; nodes],
            places: vec![NONE; elements as usize],
            kept: vec![0; buckets as usize],
        }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.hashes.fill(0);
        self.heads.fill(NONE);
        self.kept.fill(0);
        self.places.fill(NONE);
    }

    /// Counts an element in all its buckets, before pruning.
    #[inline]
    pub(super) fn spread(&mut self, element: u32, mut choices: impl Choices) {
        let buckets = self.hashes.len() as u32;
        for node in self.nodes(element) {
            let bucket = choices.next(buckets);
            self.buckets[node as usize] = bucket;
            self.hashes[bucket as usize] += 1;
        }
    }

    /// The same for the elements `0..elements`, whose choices are drawn.
    pub(super) fn spread_drawn(&mut self, elements: u32, rng: &mut Rng) {
        let Self { hashes, buckets, choices, .. } = self;
        let all = Uniform::dense(hashes.len() as u32);
        let chosen = &mut buckets[..elements as usize * *choices as usize];
        let (hashes, mut node) = (&mut hashes[..], 0);
        with_own(rng, |rng| {
            all.each(chosen.len(), rng, |bucket| {
                chosen[node] = bucket;
                node += 1;
                hashes[bucket as usize] += 1;
            });
        });
    }

    /// Makes the lists of the elements `0..elements`, which were counted in their buckets. Whatever is inserted or
    /// deleted later needs them.
    pub(super) fn list(&mut self, elements: u32) {
        for node in 0..elements * self.choices {
            self.link(node);
        }
    }

    /// Keeps each of the elements `0..elements` in one bucket.
    pub(super) fn prune(&mut self, elements: u32) {
        for element in 0..elements {
            self.keep(element, &mut ());
        }
    }

    /// Inserts an element into a pruned table; how many others had to be moved, as the counters of their buckets have
    /// changed.
    pub(super) fn insert(
        &mut self,
        element: u32,
        choices: impl Choices,
        changes: &mut impl Kept,
    ) -> u32 {
        self.spread(element, choices);
        for node in self.nodes(element) {
            self.link(node);
        }
        self.keep(element, changes);
        self.move_others(element, changes)
    }

    /// Deletes an element from a pruned table; how many others had to be moved.
    pub(super) fn delete(&mut self, element: u32, changes: &mut impl Kept) -> u32 {
        for node in self.nodes(element) {
            self.unlink(node);
        }
        let bucket = std::mem::replace(&mut self.places[element as usize], NONE);
        self.kept[bucket as usize] -= 1;
        changes.kept(bucket);
        self.move_others(element, changes)
    }

    /// d.
    #[inline]
    pub(super) fn choices(&self) -> u32 {
        self.choices
    }

    /// The buckets of an element's hashes, also once it was deleted.
    pub(super) fn chosen(&self, element: u32) -> &[u32] {
        let nodes = self.nodes(element);
        &self.buckets[nodes.start as usize..nodes.end as usize]
    }

    /// Elements that the bucket keeps.
    #[inline]
    pub(super) fn elements_in(&self, bucket: u32) -> u32 {
        self.kept[bucket as usize]
    }

    /// Which they are, one of several hashes in the bucket as often as that.
    pub(super) fn kept_in(&self, bucket: u32) -> impl Iterator<Item = u32> {
        self.elements_of(bucket).filter(move |&element| self.places[element as usize] == bucket)
    }

    /// The elements with a hash in the bucket.
    fn elements_of(&self, bucket: u32) -> impl Iterator<Item = u32> {
        let first = Some(self.heads[bucket as usize]).filter(|&node| node != NONE);
        let next = |&node: &u32| Some(self.next[node as usize]).filter(|&node| node != NONE);
        std::iter::successors(first, next).map(|node| node / self.choices)
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        let of_buckets = [&self.hashes, &self.heads, &self.kept];
        let of_nodes = [&self.next, &self.previous, &self.buckets, &self.places];
        of_buckets.into_iter().chain(of_nodes).map(|all| size_of_val(&all[..]) as u64).sum()
    }

    /// The counter of a bucket.
    #[inline]
    pub(super) fn counter(&self, bucket: u32) -> u32 {
        self.hashes[bucket as usize].min(self.greatest)
    }

    /// Whether the summary takes an element of these choices for one of the table's.
    #[inline]
    pub(super) fn contains(&self, mut choices: impl Choices) -> bool {
        let buckets = self.hashes.len() as u32;
        (0..self.choices).all(|_| self.hashes[choices.next(buckets) as usize] > 0)
    }

    /// How many of so many absent keys, whose choices are drawn, the summary takes for elements of the table's.
    pub(super) fn passing(&self, keys: u64, rng: &mut Rng) -> u64 {
        let counted = self.hashes.iter().filter(|&&hashes| hashes > 0).count() as u32;
        let chance = Chance { hits: counted, of: self.hashes.len() as u32 };
        chance.left_after(self.choices, keys, rng)
    }

    /// Elements beyond the first of a bucket.
    pub(super) fn crisis_elements(&self) -> u32 {
        self.kept.iter().map(|kept| kept.saturating_sub(1)).sum()
    }

    /// The greatest value of a counter.
    pub(super) fn max_counter(&self) -> u32 {
        self.most_hashes().min(self.greatest)
    }

    /// Whether some counter is too narrow for its hashes.
    pub(super) fn overflows(&self) -> bool {
        self.most_hashes() > self.greatest
    }

    fn most_hashes(&self) -> u32 {
        self.hashes.iter().copied().max().unwrap_or_default()
    }

    fn nodes(&self, element: u32) -> std::ops::Range<u32> {
        element * self.choices..(element + 1) * self.choices
    }

    /// The less it is, the rather an element is kept in the bucket: its counter, and of equal ones its number.
    #[inline]
    fn order(&self, bucket: u32) -> u64 {
        u64::from(self.counter(bucket)) << 32 | u64::from(bucket)
    }

    /// The bucket with the least counter, of several the first one.
    #[inline]
    fn best(&self, element: u32) -> u32 {
        let orders = self.chosen(element).iter().map(|&bucket| self.order(bucket));
        orders.min().map_or(NONE, |least| least as u32)
    }

    /// Keeps an element where it belongs now; whether that is another bucket than before.
    fn keep(&mut self, element: u32, changes: &mut impl Kept) -> bool {
        let (before, best) = (self.places[element as usize], self.best(element));
        if before == best {
            return false;
        }
        if before != NONE {
            self.kept[before as usize] -= 1;
            changes.kept(before);
        }
        self.kept[best as usize] += 1;
        changes.kept(best);
        self.places[element as usize] = best;
        before != NONE
    }

    /// Moves what is no longer where it belongs, as the counters of this element's buckets have changed: an element
    /// that is kept in one of them, or that one of them is better for than where it is.
    fn move_others(&mut self, changed: u32, changes: &mut impl Kept) -> u32 {
        let mut moved = 0;
        for node in self.nodes(changed) {
            let bucket = self.buckets[node as usize];
            let (order, mut other) = (self.order(bucket), self.heads[bucket as usize]);
            while other != NONE {
                let element = other / self.choices;
                let place = self.places[element as usize];
                if place == bucket || order < self.order(place) {
                    moved += u32::from(self.keep(element, changes));
                }
                other = self.next[other as usize];
            }
        }
        moved
    }

    /// Puts a node at the head of its bucket's list.
    #[inline]
    fn link(&mut self, node: u32) {
        let bucket = self.buckets[node as usize];
        let head = self.heads[bucket as usize];
        (self.next[node as usize], self.previous[node as usize]) = (head, NONE);
        if head != NONE {
            self.previous[head as usize] = node;
        }
        self.heads[bucket as usize] = node;
    }

    fn unlink(&mut self, node: u32) {
        let (next, previous) = (self.next[node as usize], self.previous[node as usize]);
        let bucket = self.buckets[node as usize];
        match previous {
            NONE => self.heads[bucket as usize] = next,
            previous => self.next[previous as usize] = next,
        }
        if next != NONE {
            self.previous[next as usize] = previous;
        }
        self.hashes[bucket as usize] -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::hash::reduce;
    use rand::{Rng as _, SeedableRng};

    struct Given(Vec<u32>);

    impl Choices for Given {
        fn next(&mut self, _buckets: u32) -> u32 {
            self.0.remove(0)
        }
    }

    fn given(choices: &[u32]) -> Given {
        Given(choices.to_vec())
    }

    /// Counters by hand: hashes 2 1 2 1 in buckets 0 to 3, the tie of element 1 goes to the smaller
    /// number, and the two elements of buckets 0 and 2 stay in bucket 0 together, which is a crisis.
    #[test]
    fn an_element_is_kept_where_the_counter_is_least() {
        let mut table = PrunedTable::new(5, 3, 2, 3);
        table.spread(0, given(&[2, 0]));
        table.spread(1, given(&[3, 1]));
        table.spread(2, given(&[0, 2]));
        table.prune(3);
        assert_eq!(table.places, [0, 1, 0]);
        assert_eq!((table.crisis_elements(), table.most_hashes()), (1, 2));
        assert!(table.contains(given(&[3, 2])) && !table.contains(given(&[3, 4])));
    }

    /// A hash that falls into one bucket twice counts twice there.
    #[test]
    fn hashes_count_with_multiplicity_and_up_to_what_a_counter_holds() {
        let mut table = PrunedTable::new(3, 2, 3, 1);
        table.spread(0, given(&[1, 1, 2]));
        table.prune(1);
        assert_eq!((table.max_counter(), table.most_hashes(), table.overflows()), (1, 2, true));
        assert_eq!(table.places[0], 1, "one bit cannot tell 2 from 1, and the first bucket wins");
    }

    /// After any insertions and deletions the table is the one that had been built of what it holds, and no element
    /// was moved without need.
    #[test]
    fn what_comes_and_goes_leaves_the_pruned_table_of_the_rest() {
        let (buckets, elements, choices) = (40, 12, 3);
        let mut rng = Rng::seed_from_u64(8);
        let mut table = PrunedTable::new(buckets, elements, choices, 2);
        let mut held: Vec<Option<Vec<u32>>> = vec![None; elements as usize];
        for _ in 0..2000 {
            let element = reduce(rng.next_u64(), elements);
            let before = table.places.clone();
            let moved = match held[element as usize].take() {
                Some(_) => table.delete(element, &mut ()),
                None => {
                    let own: Vec<u32> =
                        (0..choices).map(|_| reduce(rng.next_u64(), buckets)).collect();
                    let moved = table.insert(element, given(&own), &mut ());
                    held[element as usize] = Some(own);
                    moved
                }
            };
            let mut fresh = PrunedTable::new(buckets, elements, choices, 2);
            for (element, own) in (0..).zip(&held) {
                own.iter().for_each(|own| fresh.spread(element, given(own)));
            }
            for (element, own) in (0..).zip(&held) {
                if own.is_some() {
                    fresh.keep(element, &mut ());
                }
            }
            assert_eq!(
                (&table.places, &table.kept, &table.hashes),
                (&fresh.places, &fresh.kept, &fresh.hashes)
            );
            let others = (0..elements as usize).filter(|&own| own != element as usize);
            assert_eq!(
                moved as usize,
                others.filter(|&own| before[own] != table.places[own]).count()
            );
        }
    }
}
