//! The CAM of the overflow list of few elements, where looking for one to move back is a matter of bits.

use super::free::Free;
use super::{CamUse, Footprint, Geometry};

/// Entries at most: words of 64 bits, of which another word says which are not 0.
const MOST: u32 = 64 * 64;

/// The hardware that [`Cam`](super::cam::Cam) describes, for elements that have D buckets each, or none.
///
/// An entry of the auxiliary CAM is a bit here, so that the lowest one is the first bit that is set.
#[derive(Debug, Clone)]
pub(super) struct SmallCam<const D: usize> {
    /// m + 1: an element without buckets holds bucket m, which is never looked up.
    stride: usize,
    /// Bit e of 64 in word `row·stride + b`: whether entry 64·row + e holds bucket b. Rows up to the last that was needed.
    holds: Vec<u64>,
    /// A bit for each row in which a bucket has an entry.
    rows: Vec<u64>,
    /// Entries up to the last that was ever in use.
    primary: Vec<Primary<D>>,
    /// The entry in which an element is, if it is in one.
    entries: Vec<u32>,
    free: Free,
    /// Entries up to the last in use.
    extent: u32,
    /// Entries of the auxiliary CAM that hold a bucket.
    held: u32,
}

/// Memory of such a CAM, where elements have so many choices: for each element its entry, and where that is; for each bucket
/// its rows, and a bit for each element.
pub(super) fn footprint(&Geometry { elements, .. }: &Geometry, choices: u32) -> Footprint {
    let words = 1 + u64::from(elements.div_ceil(64));
    Footprint { element: 4 * (u64::from(choices) + 1) + 4, bucket: 8 * words }
}

/// An entry of the primary CAM; that of a free entry means nothing.
#[derive(Debug, Clone, Copy)]
struct Primary<const D: usize> {
    element: u32,
    /// Bucket m for each where it has none.
    buckets: [u32; D],
}

impl<const D: usize> SmallCam<D> {
    /// Whether a table of this size may have one: few elements, and so few buckets that the bits of all entries take no
    /// more than two megabytes, of which only the rows in use are read.
    pub(super) fn fits(&Geometry { elements, buckets, .. }: &Geometry) -> bool {
        elements <= MOST && buckets <= MOST
    }

    /// An empty CAM for the elements `0..elements` and buckets `0..buckets`. [`SmallCam::fits`] must hold.
    pub(super) fn new(&Geometry { elements, buckets, .. }: &Geometry) -> Self {
        Self {
            stride: buckets as usize + 1,
            holds: Vec::new(),
            rows: vec![0; buckets as usize + 1],
            primary: Vec::new(),
            entries: vec![0; elements as usize],
            free: Free::ALL,
            extent: 0,
            held: 0,
        }
    }

    /// Empties the CAM.
    pub(super) fn clear(&mut self) {
        self.holds.clear();
        self.rows.fill(0);
        (self.free, self.extent, self.held) = (Free::ALL, 0, 0);
    }

    /// Writes an element with its buckets into the lowest free entry, of which there is one.
    #[inline]
    pub(super) fn insert(&mut self, element: u32, buckets: [u32; D]) {
        let (row, bit) = self.enter(Primary { element, buckets });
        let holds = &mut self.holds[row * self.stride..][..self.stride];
        for bucket in buckets {
            holds[bucket as usize] |= bit;
            self.rows[bucket as usize] |= 1 << row;
        }
        self.held += D as u32;
    }

    /// Writes an element into the lowest free entry that no look-up ever finds.
    pub(super) fn insert_without_buckets(&mut self, element: u32) {
        let buckets = [self.nobody(); D];
        self.enter(Primary { element, buckets });
    }

    /// The row of the lowest free entry, in which the element is written, and its bit in there.
    #[inline]
    fn enter(&mut self, primary: Primary<D>) -> (usize, u64) {
        let entry = self.free.take();
        let row = entry as usize / 64;
        if self.holds.len() <= row * self.stride {
            self.add_row();
        }
        self.entries[primary.element as usize] = entry;
        match self.primary.get_mut(entry as usize) {
            Some(own) => *own = primary,
            // All entries before it are or were in use.
            None => self.primary.push(primary),
        }
        self.extent = self.extent.max(entry + 1);
        (row, 1 << (entry % 64))
    }

    /// Whether an entry holds the bucket.
    #[inline(always)]
    pub(super) fn holds(&self, bucket: u32) -> bool {
        self.rows[bucket as usize] != 0
    }

    /// The lowest entry that holds the bucket; means nothing if there is none.
    #[inline(always)]
    pub(super) fn lowest(&self, bucket: u32) -> u32 {
        let row = self.rows[bucket as usize].trailing_zeros() % 64;
        let word = self.holds[row as usize * self.stride + bucket as usize];
        64 * row + word.trailing_zeros() % 64
    }

    /// Looks up the bucket, and removes the element in the lowest entry that holds it.
    #[inline]
    pub(super) fn take(&mut self, bucket: u32) -> Option<u32> {
        self.holds(bucket).then(|| self.free_entry(self.lowest(bucket)))
    }

    /// The entry of an element that is in.
    #[inline(always)]
    pub(super) fn entry_of(&self, element: u32) -> u32 {
        self.entries[element as usize]
    }

    /// Frees the entry, and returns whose that was.
    #[inline(always)]
    pub(super) fn free_entry(&mut self, entry: u32) -> u32 {
        let (row, bit) = (entry as usize / 64 % 64, 1_u64 << (entry % 64));
        let Primary { element, buckets } = self.primary[entry as usize];
        let holds = &mut self.holds[row * self.stride..][..self.stride];
        for bucket in buckets {
            let left = holds[bucket as usize] & !bit;
            holds[bucket as usize] = left;
            self.rows[bucket as usize] &= !(u64::from(left == 0) << row);
        }
        self.free.give_back(entry);
        self.held -= D as u32 * u32::from(buckets[0] < self.nobody());
        if entry + 1 == self.extent {
            self.extent = self.free.extent(entry);
        }
        element
    }

    /// How much of the CAM is in use.
    #[inline(always)]
    pub(super) fn in_use(&self) -> CamUse {
        CamUse { entries: self.held, extent: self.extent }
    }

    /// The bucket of elements that have none.
    fn nobody(&self) -> u32 {
        self.stride as u32 - 1
    }

    #[cold]
    #[inline(never)]
    fn add_row(&mut self) {
        self.holds.resize(self.holds.len() + self.stride, 0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::tables::cam::Cam;

    #[derive(Debug, Clone)]
    enum Step {
        /// The element comes with these buckets, or with none, or leaves if it is there.
        Toggle(u32, Option<[u32; 3]>),
        /// Whoever waits for the bucket, leaves.
        Take(u32),
        Clear,
    }

    /// Elements, buckets, and what happens.
    fn histories() -> impl Strategy<Value = (u32, u32, Vec<Step>)> {
        (1..400_u32, 1..8_u32).prop_flat_map(|(n, m)| {
            let buckets = proptest::option::weighted(0.9, [0..m, 0..m, 0..m]);
            let step = prop_oneof![
                60 => (0..n, buckets).prop_map(|(element, buckets)| Step::Toggle(element, buckets)),
                10 => (0..m).prop_map(Step::Take),
                1 => Just(Step::Clear),
            ];
            (Just(n), Just(m), vec(step, 0..600))
        })
    }

    proptest! {
        /// Held step by step against the CAM of linked entries, which in turn is held against the paper's.
        #[test]
        fn finds_what_the_other_finds((n, m, steps) in histories()) {
            let geometry = Geometry { elements: n, buckets: m, bucket_size: 1 };
            let mut small = SmallCam::<3>::new(&geometry);
            let mut cam = Cam::new(n, 3, m);
            let mut is_in = vec![false; n as usize];
            for step in steps {
                match step {
                    Step::Toggle(element, buckets) => {
                        let inside = &mut is_in[element as usize];
                        match (*inside, buckets) {
                            (true, _) => {
                                small.free_entry(small.entry_of(element));
                                cam.remove(element);
                            }
                            (false, Some(buckets)) => {
                                small.insert(element, buckets);
                                cam.insert(element, &buckets);
                            }
                            (false, None) => {
                                small.insert_without_buckets(element);
                                cam.insert(element, &[]);
                            }
                        }
                        *inside = !*inside;
                    }
                    Step::Take(bucket) => {
                        let taken = small.take(bucket);
                        prop_assert_eq!(taken, cam.take(bucket));
                        if let Some(element) = taken { is_in[element as usize] = false; }
                    }
                    Step::Clear => {
                        small.clear();
                        cam.clear();
                        is_in.fill(false);
                    }
                }
                prop_assert_eq!(small.in_use(), cam.in_use());
            }
        }
    }
}
