//! The CAM of the overflow list, with the auxiliary CAM that finds elements to move back.

use super::free_entries::FreeEntries;
use super::{CamUse, Footprint};

/// The hardware of "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Section VII:
/// a primary CAM with the elements of the overflow list and an auxiliary CAM with the d buckets of
/// each, those of the element in entry i in the entries d·i to d·i + d − 1.
///
/// A look-up of a bucket in the auxiliary CAM returns the lowest entry ℓ that holds it, hence the
/// element in entry ⌊ℓ/d⌋; a new element gets the lowest free entry, which the paper finds by a
/// look-up of the value m + 1. Hardware compares all entries at once. Here those that hold the same
/// bucket are linked in a ring, so that a look-up walks through no others. Of whatever is hard to
/// guess for a processor, this leaves only how many they are.
#[derive(Debug, Clone)]
pub(crate) struct Cam {
    choices: u32,
    /// d as a power of two, rounded up: an entry of the primary CAM has 2^`shift` places, of which
    /// the first d are used.
    shift: u32,
    /// m: the first nodes are the rings' own, one per bucket.
    buckets: u32,
    nodes: Vec<Node>,
    primary: Vec<Primary>,
    /// The entry of the primary CAM in which an element is, if it is in one.
    entries: Vec<u32>,
    free: FreeEntries,
    /// Entries of the primary CAM up to the last in use.
    extent: u32,
    /// Entries of the auxiliary CAM that hold a bucket.
    held: u32,
}

/// A bucket's start of its ring, or an entry of the auxiliary CAM in the ring of the bucket that it
/// holds; alone where it holds none.
#[derive(Debug, Clone, Copy)]
struct Node {
    previous: u32,
    next: u32,
}

impl Node {
    fn alone(number: u32) -> Self {
        Self { previous: number, next: number }
    }
}

/// An entry of the primary CAM; that of a free entry means nothing.
#[derive(Debug, Clone, Copy, Default)]
struct Primary {
    element: u32,
    /// Buckets in the auxiliary CAM.
    held: u32,
}

impl Cam {
    /// An empty CAM for the elements `0..elements` with up to `choices` buckets each, numbered
    /// `0..buckets`. [`Cam::fits`] must hold.
    pub(crate) fn new(elements: u32, choices: u32, buckets: u32) -> Self {
        Self {
            choices,
            shift: choices.next_power_of_two().trailing_zeros(),
            buckets,
            nodes: (0..buckets).map(Node::alone).collect(),
            primary: vec![Primary::default(); elements as usize],
            entries: vec![0; elements as usize],
            free: FreeEntries::new(elements),
            extent: 0,
            held: 0,
        }
    }

    /// Whether the nodes of such a CAM can be numbered.
    pub(crate) fn fits(elements: u32, choices: u32, buckets: u32) -> bool {
        let places = u64::from(elements) * u64::from(choices.next_power_of_two());
        places + u64::from(buckets) <= u64::from(u32::MAX)
    }

    /// For each element an entry in both CAMs, where it is, and its bit in the tree of free entries;
    /// for each bucket the start of its ring.
    pub(crate) fn footprint(choices: u32) -> Footprint {
        let places = u64::from(choices.next_power_of_two());
        Footprint { element: 8 * places + 8 + 4 + 1, bucket: 8 }
    }

    /// Empties the CAM without giving up its memory.
    pub(crate) fn clear(&mut self) {
        (0..self.extent).for_each(|entry| self.free.insert(entry));
        (0..).zip(&mut self.nodes).for_each(|(number, node)| *node = Node::alone(number));
        (self.extent, self.held) = (0, 0);
    }

    /// Makes room for the elements `0..elements`; those that are in keep their entries.
    pub(crate) fn reserve(&mut self, elements: u32) {
        let n = elements as usize;
        if n <= self.entries.len() {
            return;
        }
        self.entries.resize(n, 0);
        self.primary.resize(n, Primary::default());
        let mut free = FreeEntries::new(elements);
        (0..self.extent).filter(|&e| !self.free.contains(e)).for_each(|e| free.remove(e));
        self.free = free;
    }

    /// Writes an element that is not in the CAM into the lowest free entry, with its `buckets`,
    /// which are at most d. One without any is never found by a look-up.
    #[inline]
    pub(crate) fn insert(&mut self, element: u32, buckets: &[u32]) {
        let entry = self.free.lowest();
        self.free.remove(entry);
        if entry >= self.extent {
            self.extend_to(entry + 1);
        }
        let held = buckets.len() as u32;
        self.primary[entry as usize] = Primary { element, held };
        self.entries[element as usize] = entry;
        self.held += held;
        for (place, &bucket) in (self.first_place(entry)..).zip(buckets) {
            let next = std::mem::replace(&mut self.nodes[bucket as usize].next, place);
            self.nodes[next as usize].previous = place;
            self.nodes[place as usize] = Node { previous: bucket, next };
        }
    }

    /// Frees the entries of an element that is in the CAM.
    #[inline]
    pub(crate) fn remove(&mut self, element: u32) {
        let entry = self.entries[element as usize];
        let first = self.first_place(entry);
        for place in first..first + self.choices {
            let Node { previous, next } = self.nodes[place as usize];
            self.nodes[previous as usize].next = next;
            self.nodes[next as usize].previous = previous;
            self.nodes[place as usize] = Node::alone(place);
        }
        self.held -= self.primary[entry as usize].held;
        self.free.insert(entry);
        if entry + 1 == self.extent {
            self.shrink();
        }
    }

    /// Looks the bucket up in the auxiliary CAM, and takes the element found out of the CAM.
    #[inline]
    pub(crate) fn take(&mut self, bucket: u32) -> Option<u32> {
        let mut lowest = u32::MAX;
        let mut node = self.nodes[bucket as usize].next;
        while node != bucket {
            lowest = lowest.min(node);
            node = self.nodes[node as usize].next;
        }
        if lowest == u32::MAX {
            return None;
        }
        let entry = (lowest - self.buckets) >> self.shift;
        let element = self.primary[entry as usize].element;
        self.remove(element);
        Some(element)
    }

    /// Bytes of memory, those of the free entries aside.
    pub(crate) fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>();
        let elements = size_of_val(&self.primary[..]) + size_of_val(&self.entries[..]);
        (nodes + elements) as u64
    }

    /// How much of the CAM is in use.
    #[inline]
    pub(crate) fn in_use(&self) -> CamUse {
        CamUse { entries: self.held, extent: self.extent }
    }

    /// The node of the first place of an entry of the primary CAM.
    #[inline]
    fn first_place(&self, entry: u32) -> u32 {
        self.buckets + (entry << self.shift)
    }

    #[inline(never)]
    fn extend_to(&mut self, extent: u32) {
        self.extent = extent;
        let known = self.nodes.len() as u32;
        self.nodes.extend((known..self.first_place(extent)).map(Node::alone));
    }

    /// Gives up the free entries at the end. An insertion adds one entry at most, so that this
    /// takes one step per insertion in the long run.
    fn shrink(&mut self) {
        while self.extent > 0 && self.free.contains(self.extent - 1) {
            self.extent -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The two CAMs as the paper has them: searched from the first entry on, free entries marked.
    struct Hardware {
        choices: usize,
        primary: Vec<Option<u32>>,
        auxiliary: Vec<Option<u32>>,
    }

    impl Hardware {
        fn new(elements: u32, choices: u32) -> Self {
            let (n, choices) = (elements as usize, choices as usize);
            Self { choices, primary: vec![None; n], auxiliary: vec![None; n * choices] }
        }

        fn entry(&self, element: Option<u32>) -> Option<usize> {
            self.primary.iter().position(|&other| other == element)
        }

        fn write(&mut self, entry: usize, element: Option<u32>, buckets: &[u32]) {
            self.primary[entry] = element;
            let first = entry * self.choices;
            let places = &mut self.auxiliary[first..first + self.choices];
            places.fill(None);
            places.iter_mut().zip(buckets).for_each(|(place, &bucket)| *place = Some(bucket));
        }

        fn take(&mut self, bucket: u32) -> Option<u32> {
            let place = self.auxiliary.iter().position(|&other| other == Some(bucket))?;
            let entry = place / self.choices;
            let element = self.primary[entry];
            self.write(entry, None, &[]);
            element
        }

        fn in_use(&self) -> CamUse {
            CamUse {
                entries: self.auxiliary.iter().flatten().count() as u32,
                extent: self.primary.iter().rposition(Option::is_some).map_or(0, |e| e as u32 + 1),
            }
        }
    }

    #[derive(Debug, Clone)]
    enum Step {
        /// The element comes with these buckets, or leaves if it is there.
        Toggle(u32, Vec<u32>),
        Take(u32),
        Clear,
        Reserve(u32),
    }

    /// Elements, choices, buckets, and what happens.
    fn histories() -> impl Strategy<Value = (u32, u32, u32, Vec<Step>)> {
        (1..100_u32, 1..4_u32, 1..8_u32).prop_flat_map(|(n, d, m)| {
            let step = prop_oneof![
                40 => (0..n, vec(0..m, 0..=d as usize)).prop_map(|(e, b)| Step::Toggle(e, b)),
                10 => (0..m).prop_map(Step::Take),
                1 => Just(Step::Clear),
                1 => (n..3 * n).prop_map(Step::Reserve),
            ];
            (Just(n), Just(d), Just(m), vec(step, 0..400))
        })
    }

    proptest! {
        #[test]
        fn finds_what_the_hardware_finds((n, d, m, steps) in histories()) {
            let (mut cam, mut hardware) = (Cam::new(n, d, m), Hardware::new(n, d));
            for step in steps {
                match step {
                    Step::Toggle(element, buckets) => match hardware.entry(Some(element)) {
                        Some(entry) => {
                            cam.remove(element);
                            hardware.write(entry, None, &[]);
                        }
                        None => {
                            cam.insert(element, &buckets);
                            let entry = hardware.entry(None).unwrap();
                            hardware.write(entry, Some(element), &buckets);
                        }
                    },
                    Step::Take(bucket) => {
                        prop_assert_eq!(cam.take(bucket), hardware.take(bucket));
                    }
                    Step::Clear => {
                        cam.clear();
                        hardware = Hardware::new(n, d);
                    }
                    Step::Reserve(elements) => cam.reserve(elements),
                }
                prop_assert_eq!(cam.in_use(), hardware.in_use());
            }
        }
    }
}
