//! Lazy deletion: what is deleted keeps its bucket until the table is rebuilt.

use rand::Rng as _;

use crate::Rng;
use crate::hash::{Choices, reduce};

/// What a bucket holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bucket {
    Empty,
    Occupied,
    /// An element whose deletion bit is set.
    Deleted,
}

/// An element that the first sub-table did not take.
#[derive(Debug, Clone, Copy)]
struct Pushed {
    bucket: u32,
    /// Where the buckets begin that it found occupied, one in each sub-table before its own.
    tried: usize,
    /// How many they are.
    number: u8,
}

/// Which elements are deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Victims {
    /// Any that the table holds, each as likely as another.
    All,
    /// Those of the first sub-table only, each as likely as another.
    FirstSubTable,
}

/// What a rebuild took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Rebuild {
    /// Elements that were moved, M.
    pub(super) moves: u32,
    /// Elements beyond the first sub-table, themselves not deleted, that found an element in their way that is deleted
    /// now, M'.
    pub(super) candidates: u32,
}

/// A multilevel table of one element per bucket that knows where its elements are and what was in their way.
#[derive(Debug, Clone)]
pub(super) struct LazyTable {
    /// Buckets of each sub-table.
    sizes: Vec<u32>,
    buckets: Vec<Bucket>,
    /// The bucket of each element that has one, in the order in which they came.
    places: Vec<u32>,
    pushed: Vec<Pushed>,
    /// What elements beyond the first sub-table found occupied.
    tried: Vec<u32>,
}

impl LazyTable {
    /// Bytes that it takes at most for each element.
    pub(super) fn bytes_per_element(sub_tables: u8) -> u64 {
        let bucket = size_of::<u32>();
        let tried = bucket * usize::from(sub_tables - 1);
        (bucket + size_of::<Pushed>() + tried) as u64
    }

    /// An empty table of these sub-tables, with room for so many elements.
    pub(super) fn new(sizes: &[u32], elements: u32) -> Self {
        let buckets: u32 = sizes.iter().sum();
        Self {
            sizes: sizes.to_vec(),
            buckets: vec![Bucket::Empty; buckets as usize],
            places: Vec::with_capacity(elements as usize),
            pushed: Vec::with_capacity(elements as usize),
            tried: Vec::with_capacity(elements as usize),
        }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket::Empty);
        self.places.clear();
        self.pushed.clear();
        self.tried.clear();
    }

    /// Puts an element into the first of its buckets that is empty; whether there is one.
    #[inline]
    pub(super) fn insert(&mut self, mut choices: impl Choices) -> bool {
        let (start, mut first) = (self.tried.len(), 0);
        for &size in &self.sizes {
            let bucket = first + choices.next(size);
            if self.buckets[bucket as usize] == Bucket::Empty {
                self.buckets[bucket as usize] = Bucket::Occupied;
                self.places.push(bucket);
                let number = (self.tried.len() - start) as u8;
                if number > 0 {
                    self.pushed.push(Pushed { bucket, tried: start, number });
                }
                return true;
            }
            self.tried.push(bucket);
            first += size;
        }
        self.tried.truncate(start);
        false
    }

    /// Sets the deletion bits of `number` elements, or of all that there are where they are fewer.
    pub(super) fn delete(&mut self, number: u32, victims: Victims, rng: &mut Rng) {
        let first_size = self.sizes.first().copied().unwrap_or_default();
        if victims == Victims::FirstSubTable {
            self.places.retain(|&bucket| bucket < first_size);
        }
        let number = (number as usize).min(self.places.len());
        for deleted in 0..number {
            let left = (self.places.len() - deleted) as u32;
            let chosen = deleted + reduce(rng.next_u64(), left) as usize;
            self.places.swap(deleted, chosen);
            self.buckets[self.places[deleted] as usize] = Bucket::Deleted;
        }
    }

    /// Rebuilds the table as Section 4.10.1 says: sub-table after sub-table, bucket after bucket, each element that is
    /// not deleted moves to its first bucket that is empty or whose element is deleted, if one of those before its own
    /// is. What it leaves is empty for those that follow.
    pub(super) fn rebuild(&mut self) -> Rebuild {
        let Self { buckets, pushed, tried, .. } = self;
        // Sub-tables lie one behind the other, so that this is their order and that of their buckets.
        pushed.sort_unstable_by_key(|element| element.bucket);
        let before = |element: &Pushed| element.tried..element.tried + usize::from(element.number);
        let is_kept =
            |buckets: &[Bucket], bucket: u32| buckets[bucket as usize] == Bucket::Occupied;
        let mut rebuild = Rebuild::default();
        for element in pushed.iter().filter(|own| is_kept(buckets, own.bucket)) {
            let in_the_way = &tried[before(element)];
            rebuild.candidates += u32::from(in_the_way.iter().any(|&way| !is_kept(buckets, way)));
        }
        for element in &*pushed {
            if !is_kept(buckets, element.bucket) {
                continue;
            }
            let free = tried[before(element)].iter().find(|&&bucket| !is_kept(buckets, bucket));
            if let Some(&free) = free {
                buckets[free as usize] = Bucket::Occupied;
                buckets[element.bucket as usize] = Bucket::Empty;
                rebuild.moves += 1;
            }
        }
        rebuild
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Choices that are given.
    struct Given<'g>(std::slice::Iter<'g, u32>);

    impl Choices for Given<'_> {
        fn next(&mut self, buckets: u32) -> u32 {
            self.0.next().unwrap() % buckets
        }
    }

    fn table(elements: &[[u32; 3]]) -> LazyTable {
        let mut table = LazyTable::new(&[4, 2, 2], 8);
        for choices in elements {
            assert!(table.insert(Given(choices.iter())));
        }
        table
    }

    fn delete(table: &mut LazyTable, bucket: usize) {
        table.buckets[bucket] = Bucket::Deleted;
    }

    /// Of two elements that one bucket kept out, one moves there and both were candidates; a third that found the
    /// bucket occupied that the first left follows it, although nothing in its way was deleted.
    #[test]
    fn one_bucket_takes_one_element_and_what_it_leaves_another() {
        let mut table = table(&[[0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 1, 0], [1, 0, 1]]);
        // Element 2 is in bucket 4, element 3 in bucket 5, element 4 found 1 and 4 occupied and is in bucket 7.
        delete(&mut table, 0);
        assert_eq!(table.rebuild(), Rebuild { moves: 2, candidates: 2 });
        assert_eq!(table.buckets[4], Bucket::Occupied);
        assert_eq!(table.buckets[7], Bucket::Empty);
        assert_eq!(table.buckets[5], Bucket::Occupied);
    }

    #[test]
    fn nothing_moves_where_nothing_is_deleted_or_what_would_is_itself() {
        let elements = [[0, 0, 0], [0, 0, 0], [0, 0, 1]];
        let mut kept = table(&elements);
        assert_eq!(kept.rebuild(), Rebuild::default());
        let mut deleted = table(&elements);
        [0, 4, 7].into_iter().for_each(|bucket| delete(&mut deleted, bucket));
        assert_eq!(deleted.rebuild(), Rebuild::default());
    }

    #[test]
    fn an_element_without_an_empty_bucket_leaves_no_trace() {
        let mut table = table(&[[0, 0, 0], [0, 0, 0], [0, 0, 0]]);
        let tried = table.tried.len();
        assert!(!table.insert(Given([0, 0, 0].iter())));
        assert_eq!((table.tried.len(), table.places.len()), (tried, 3));
    }

    /// Each of four elements is deleted in half of 8000 trials that delete two, within five standard errors; those
    /// beyond the first sub-table never are where that is what is asked for.
    #[test]
    fn victims_are_chosen_alike() {
        let filled = table(&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]]);
        let mut rng = Rng::seed_from_u64(11);
        for (victims, share) in [(Victims::All, 0.5), (Victims::FirstSubTable, 2.0 / 3.0)] {
            let mut deleted = [0_u32; 8];
            for _ in 0..8000 {
                let mut table = filled.clone();
                table.delete(2, victims, &mut rng);
                let is_deleted = table.buckets.iter().map(|&own| own == Bucket::Deleted);
                deleted.iter_mut().zip(is_deleted).for_each(|(sum, own)| *sum += u32::from(own));
            }
            let expected =
                if victims == Victims::All { [share; 4] } else { [share, share, share, 0.0] };
            for (bucket, expected) in [0, 1, 2, 5].into_iter().zip(expected) {
                assert!((f64::from(deleted[bucket]) / 8000.0 - expected).abs() < 5.0 * 0.0056);
            }
        }
        let mut few = filled;
        few.delete(9, Victims::FirstSubTable, &mut rng);
        assert_eq!(few.buckets.iter().filter(|&&own| own == Bucket::Deleted).count(), 3);
    }
}
