//! The graph of two choices and buckets of one: components, and the elements that they have too many.

/// Buckets as vertices that elements join, one after the other.
///
/// A component with v buckets stores at most v elements. It has a free bucket as long as it is a tree; an element both
/// of whose choices are in components without one is in excess, whatever moves are made.
#[derive(Debug)]
pub(super) struct Forest {
    /// The parent of each bucket; a root is its own.
    parents: Vec<u32>,
    /// Buckets of each root's component.
    sizes: Vec<u32>,
    /// Whether each root's component has a free bucket.
    free: Vec<bool>,
    excess: u32,
    full_buckets: u32,
}

impl Forest {
    /// So many buckets, none of them joined.
    pub(super) fn new(buckets: u32) -> Self {
        let m = buckets as usize;
        Self {
            parents: (0..buckets).collect(),
            sizes: vec![1; m],
            free: vec![true; m],
            excess: 0,
            full_buckets: 0,
        }
    }

    /// Bytes of memory for so many buckets.
    pub(super) fn bytes(buckets: u32) -> u64 {
        9 * u64::from(buckets)
    }

    /// Separates all buckets.
    pub(super) fn clear(&mut self) {
        (0..).zip(&mut self.parents).for_each(|(bucket, parent)| *parent = bucket);
        self.sizes.fill(1);
        self.free.fill(true);
        (self.excess, self.full_buckets) = (0, 0);
    }

    /// Elements in excess.
    pub(super) fn excess(&self) -> u32 {
        self.excess
    }

    /// Buckets in components that have no free one.
    pub(super) fn full_buckets(&self) -> u32 {
        self.full_buckets
    }

    /// The root of a bucket's component.
    #[inline]
    fn root(&mut self, mut bucket: u32) -> u32 {
        while self.parents[bucket as usize] != bucket {
            let parent = self.parents[bucket as usize];
            let above = self.parents[parent as usize];
            self.parents[bucket as usize] = above;
            bucket = above;
        }
        bucket
    }

    /// An element with these two choices arrives; whether it is in excess.
    #[inline]
    pub(super) fn join(&mut self, first: u32, second: u32) -> bool {
        let (a, b) = (self.root(first), self.root(second));
        let (a, b) = if self.sizes[a as usize] >= self.sizes[b as usize] { (a, b) } else { (b, a) };
        let [free, other_free] = [a, b].map(|root| self.free[root as usize]);
        if !free && !other_free {
            self.excess += 1;
        }
        if a == b {
            self.fill(a);
            return !free;
        }
        if free != other_free {
            self.fill(a);
            self.fill(b);
        }
        self.parents[b as usize] = a;
        self.sizes[a as usize] += self.sizes[b as usize];
        !free && !other_free
    }

    /// Takes the free bucket of a component into use, if it has one.
    #[inline]
    fn fill(&mut self, root: u32) {
        if std::mem::replace(&mut self.free[root as usize], false) {
            self.full_buckets += self.sizes[root as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of three buckets, its ends joined, a second loop: the component is full with the third element, and all
    /// further ones inside it are in excess.
    #[test]
    fn a_component_stores_as_many_elements_as_it_has_buckets() {
        let mut forest = Forest::new(5);
        let excess = [(0, 1), (1, 2), (2, 0), (0, 0), (2, 3), (3, 1), (4, 4), (4, 0)]
            .map(|(first, second)| forest.join(first, second));
        assert_eq!(excess, [false, false, false, true, false, true, false, true]);
        assert_eq!((forest.excess(), forest.full_buckets()), (3, 5));
        forest.clear();
        assert!(!forest.join(0, 0) && forest.join(0, 0));
        assert_eq!((forest.excess(), forest.full_buckets()), (1, 1));
    }
}
