//! The CAM of the overflow list, with the auxiliary CAM that finds elements to move back.

use super::CamUse;
use super::free_entries::FreeEntries;

/// No entry of the auxiliary CAM.
const NONE: u32 = u32::MAX;

/// The hardware of "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Section VII:
/// a primary CAM with the elements of the overflow list and an auxiliary CAM with the d buckets of
/// each, those of the element in entry i in the entries d·i to d·i + d − 1.
///
/// A look-up of a bucket in the auxiliary CAM returns the lowest entry ℓ that holds it, hence the
/// element in entry ⌊ℓ/d⌋; a new element gets the lowest free entry, which the paper finds by a
/// look-up of the value m + 1. Hardware compares all entries at once. Here those that hold the same
/// bucket are linked, so that a look-up walks through no others.
#[derive(Debug, Clone)]
pub(crate) struct Cam {
    choices: u32,
    /// The element of each entry of the primary CAM; that of a free entry means nothing. The last
    /// entry is not free.
    primary: Vec<u32>,
    /// The auxiliary CAM, d entries for each of `primary`.
    auxiliary: Vec<Entry>,
    /// The first entry of each bucket's chain, or `NONE`.
    chains: Vec<u32>,
    /// The entry of the primary CAM in which an element is, if it is in one.
    entries: Vec<u32>,
    free: FreeEntries,
    /// Entries of the auxiliary CAM that hold a bucket.
    held: u32,
}

/// An entry of the auxiliary CAM and its neighbours in the chain of its bucket, in no order.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// `NONE` where the entry holds no bucket.
    bucket: u32,
    previous: u32,
    next: u32,
}

impl Cam {
    /// An empty CAM for the elements `0..elements` with up to `choices` buckets each, numbered
    /// `0..buckets`. The auxiliary CAM has at most 2³² − 1 entries, n·d.
    pub(crate) fn new(elements: u32, choices: u32, buckets: u32) -> Self {
        let n = elements as usize;
        Self {
            choices,
            primary: Vec::with_capacity(n),
            auxiliary: Vec::with_capacity(n * choices as usize),
            chains: vec![NONE; buckets as usize],
            entries: vec![0; n],
            free: FreeEntries::new(elements),
            held: 0,
        }
    }

    /// Empties the CAM without giving up its memory.
    pub(crate) fn clear(&mut self) {
        for entry in 0..self.extent() {
            self.free.insert(entry);
        }
        self.primary.clear();
        self.auxiliary.clear();
        self.chains.fill(NONE);
        self.held = 0;
    }

    /// Makes room for the elements `0..elements`; those that are in keep their entries.
    pub(crate) fn reserve(&mut self, elements: u32) {
        let n = elements as usize;
        if n <= self.entries.len() {
            return;
        }
        self.entries.resize(n, 0);
        self.primary.reserve(n - self.primary.len());
        self.auxiliary.reserve(n * self.choices as usize - self.auxiliary.len());
        let mut free = FreeEntries::new(elements);
        (0..self.extent()).filter(|&e| !self.free.contains(e)).for_each(|e| free.remove(e));
        self.free = free;
    }

    /// Writes an element that is not in the CAM into the lowest free entry, with its `buckets`,
    /// which are at most d. One without any is never found by a look-up.
    #[inline]
    pub(crate) fn insert(&mut self, element: u32, buckets: &[u32]) {
        let entry = self.free.lowest();
        self.free.remove(entry);
        if entry == self.extent() {
            self.primary.push(element);
            let vacant = Entry { bucket: NONE, previous: NONE, next: NONE };
            self.auxiliary.extend(std::iter::repeat_n(vacant, self.choices as usize));
        }
        self.primary[entry as usize] = element;
        self.entries[element as usize] = entry;
        for (place, &bucket) in (entry * self.choices..).zip(buckets) {
            self.hold(place, bucket);
        }
    }

    /// Frees the entries of an element that is in the CAM.
    #[inline]
    pub(crate) fn remove(&mut self, element: u32) {
        let entry = self.entries[element as usize];
        let first = entry * self.choices;
        for place in first..first + self.choices {
            self.vacate(place);
        }
        self.free.insert(entry);
        self.shrink();
    }

    /// Looks the bucket up in the auxiliary CAM, and takes the element found out of the CAM.
    #[inline]
    pub(crate) fn take(&mut self, bucket: u32) -> Option<u32> {
        let place = self.lowest_holding(bucket)?;
        let element = self.primary[(place / self.choices) as usize];
        self.remove(element);
        Some(element)
    }

    /// How much of the CAM is in use.
    #[inline]
    pub(crate) fn in_use(&self) -> CamUse {
        CamUse { entries: self.held, extent: self.extent() }
    }

    /// Entries of the primary CAM up to the last in use.
    #[inline]
    fn extent(&self) -> u32 {
        self.primary.len() as u32
    }

    /// The lowest entry of the auxiliary CAM that holds the bucket.
    #[inline]
    fn lowest_holding(&self, bucket: u32) -> Option<u32> {
        let first = Some(self.chains[bucket as usize]).filter(|&place| place != NONE);
        let next =
            |&place: &u32| Some(self.auxiliary[place as usize].next).filter(|&place| place != NONE);
        std::iter::successors(first, next).min()
    }

    /// Writes the bucket into an entry of the auxiliary CAM that holds none.
    #[inline]
    fn hold(&mut self, place: u32, bucket: u32) {
        let next = std::mem::replace(&mut self.chains[bucket as usize], place);
        if next != NONE {
            self.auxiliary[next as usize].previous = place;
        }
        self.auxiliary[place as usize] = Entry { bucket, previous: NONE, next };
        self.held += 1;
    }

    /// Frees an entry of the auxiliary CAM, if it holds a bucket.
    #[inline]
    fn vacate(&mut self, place: u32) {
        let Entry { bucket, previous, next } = self.auxiliary[place as usize];
        if bucket == NONE {
            return;
        }
        match previous {
            NONE => self.chains[bucket as usize] = next,
            _ => self.auxiliary[previous as usize].next = next,
        }
        if next != NONE {
            self.auxiliary[next as usize].previous = previous;
        }
        self.auxiliary[place as usize].bucket = NONE;
        self.held -= 1;
    }

    /// Gives up the free entries at the end. An insertion adds one entry at most, so that this
    /// takes one step per insertion in the long run.
    #[inline]
    fn shrink(&mut self) {
        while self.primary.len().checked_sub(1).is_some_and(|e| self.free.contains(e as u32)) {
            self.primary.pop();
        }
        self.auxiliary.truncate(self.primary.len() * self.choices as usize);
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
