//! The graph of two choices and buckets of one: components, and the elements that they have too many.

use std::hint::select_unpredictable;

/// Buckets as vertices that elements join, one after the other.
///
/// A component with v buckets stores at most v elements. It has a free bucket as long as it is a tree; an element both
/// of whose choices are in components without one is in excess, whatever moves are made.
#[derive(Debug)]
pub(super) struct Forest {
    /// The parent of each bucket; a root is its own.
    parents: Vec<u32>,
    /// Of each root.
    components: Vec<Component>,
    excess: u32,
    full_buckets: u32,
}

/// The number of buckets of a component, twice, and 1 more if it has a free one.
#[derive(Debug, Clone, Copy)]
struct Component(u32);

impl Component {
    /// A bucket that nothing has joined.
    const BUCKET: Self = Self(3);

    #[inline]
    fn size(self) -> u32 {
        self.0 / 2
    }

    #[inline]
    fn is_free(self) -> bool {
        self.0 % 2 == 1
    }

    /// The same, with all buckets in use.
    #[inline]
    fn filled(self) -> Self {
        Self(self.0 & !1)
    }

    /// What the element makes of two components that it connects: it takes a free bucket of one of them, if there is any, and
    /// only where both have one is there one left.
    #[inline]
    fn with(self, other: Self) -> Self {
        Self(self.filled().0 + other.filled().0 + (self.0 & other.0 & 1))
    }
}

impl Forest {
    /// So many buckets, fewer than 2³¹, none of them joined.
    pub(super) fn new(buckets: u32) -> Self {
        debug_assert!(buckets < 1 << 31, "sizes are kept twice");
        Self {
            parents: (0..buckets).collect(),
            components: vec![Component::BUCKET; buckets as usize],
            excess: 0,
            full_buckets: 0,
        }
    }

    /// Bytes of memory for so many buckets.
    pub(super) fn bytes(buckets: u32) -> u64 {
        8 * u64::from(buckets)
    }

    /// Separates all buckets.
    pub(super) fn clear(&mut self) {
        (0..).zip(&mut self.parents).for_each(|(bucket, parent)| *parent = bucket);
        self.components.fill(Component::BUCKET);
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

    /// The root of a bucket's component. Most are at most two steps away, which are taken without asking how many are needed.
    #[inline]
    fn root(&mut self, bucket: u32) -> u32 {
        let root = self.above(self.above(bucket));
        if self.above(root) == root { root } else { self.far_root(bucket) }
    }

    /// The parent of a bucket.
    #[inline]
    fn above(&self, bucket: u32) -> u32 {
        self.parents[bucket as usize]
    }

    /// The same for one that may be further away; halves the way for those who come after.
    #[cold]
    fn far_root(&mut self, mut bucket: u32) -> u32 {
        while self.above(bucket) != bucket {
            let above = self.above(self.above(bucket));
            self.parents[bucket as usize] = above;
            bucket = above;
        }
        bucket
    }

    /// An element with these two choices arrives; whether it is in excess.
    #[inline]
    pub(super) fn join(&mut self, first: u32, second: u32) -> bool {
        let (a, b) = (self.root(first), self.root(second));
        let [of_a, of_b] = [a, b].map(|root| self.components[root as usize]);
        let is_excess = !of_a.is_free() && !of_b.is_free();
        self.excess += u32::from(is_excess);
        if a == b {
            self.full_buckets += if of_a.is_free() { of_a.size() } else { 0 };
            self.components[a as usize] = of_a.filled();
            return is_excess;
        }
        if of_a.is_free() != of_b.is_free() {
            self.full_buckets += if of_a.is_free() { of_a.size() } else { of_b.size() };
        }
        let a_is_larger = of_a.size() >= of_b.size();
        let larger = select_unpredictable(a_is_larger, a, b);
        let smaller = select_unpredictable(a_is_larger, b, a);
        self.parents[smaller as usize] = larger;
        self.components[larger as usize] = of_a.with(of_b);
        is_excess
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The label of each bucket's component, and for each label the elements that have joined it.
    struct Labels {
        labels: Vec<u32>,
        elements: Vec<u32>,
    }

    impl Labels {
        /// Buckets of a component.
        fn size(&self, label: u32) -> u32 {
            self.labels.iter().filter(|&&own| own == label).count() as u32
        }

        fn is_full(&self, label: u32) -> bool {
            self.elements[label as usize] >= self.size(label)
        }

        /// Whether the element is in excess.
        fn join(&mut self, first: u32, second: u32) -> bool {
            let [a, b] = [first, second].map(|bucket| self.labels[bucket as usize]);
            let is_excess = self.is_full(a) && self.is_full(b);
            // One in excess is stored nowhere.
            let more = self.elements[b as usize] * u32::from(a != b) + u32::from(!is_excess);
            self.elements[a as usize] += more;
            self.labels.iter_mut().filter(|label| **label == b).for_each(|label| *label = a);
            is_excess
        }

        fn full_buckets(&self) -> u32 {
            self.labels.iter().filter(|&&label| self.is_full(label)).count() as u32
        }
    }

    proptest! {
        /// As with a label for each bucket, for components of any shape.
        #[test]
        fn components_are_those_of_labels(edges in prop::collection::vec((0_u32..40, 0_u32..40), 0..120)) {
            let mut forest = Forest::new(40);
            let mut labels = Labels { labels: (0..40).collect(), elements: vec![0; 40] };
            let mut excess = 0;
            for (first, second) in edges {
                let is_excess = labels.join(first, second);
                excess += u32::from(is_excess);
                prop_assert_eq!(forest.join(first, second), is_excess);
                prop_assert_eq!((forest.excess(), forest.full_buckets()), (excess, labels.full_buckets()));
            }
        }
    }

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
