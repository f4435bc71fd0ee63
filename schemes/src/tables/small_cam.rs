//! The CAM of the overflow list of few elements, where looking for one to move back is a matter of bits.

use super::{CamUse, Footprint, Geometry};

/// Entries at most: words of 64 bits, of which another word says which are not 0.
const MOST: u32 = 64 * 64;

/// The hardware that [`Cam`](super::cam::Cam) describes, for elements that have D buckets each, or none.
///
/// An entry of the auxiliary CAM is a bit here, so that the lowest one is the first bit that is set. Nothing is done by
/// halves: what may not be wanted is done with a mask of zeros. At loads of interest a processor cannot guess whether an
/// element overflows, waits or moves back, and wrong guesses cost it more than what is done here in vain.
#[derive(Debug, Clone)]
pub(super) struct SmallCam<const D: usize> {
    /// m + 1. No entry ever holds bucket m, which stands for the overflow list.
    stride: usize,
    /// Bit e of 64 in word `row·stride + b`: whether entry 64·row + e holds bucket b. Rows up to the last that was needed.
    holds: Vec<u64>,
    /// A bit for each row in which a bucket has an entry.
    rows: Vec<u64>,
    primary: Vec<Primary<D>>,
    /// The entry in which an element is, if it is in one.
    entries: Vec<u32>,
    /// A bit for each free entry.
    free: [u64; 64],
    /// A bit for each row with a free entry.
    rows_free: u64,
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

/// What a look-up finds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The lowest entry that holds the bucket; means nothing if there is none.
    pub(super) entry: u32,
    pub(super) any: bool,
}

impl<const D: usize> SmallCam<D> {
    /// Whether a table of this size may have one: few elements, and so few buckets that the bits of all entries take no
    /// more memory than a second-level cache has.
    pub(super) fn fits(&Geometry { elements, buckets, .. }: &Geometry) -> bool {
        elements <= MOST && buckets <= MOST
    }

    /// An empty CAM for the elements `0..elements` and buckets `0..buckets`. [`SmallCam::fits`] must hold.
    pub(super) fn new(&Geometry { elements, buckets, .. }: &Geometry) -> Self {
        let nothing = Primary { element: 0, buckets: [buckets; D] };
        Self {
            stride: buckets as usize + 1,
            holds: Vec::new(),
            rows: vec![0; buckets as usize + 1],
            primary: vec![nothing; MOST as usize],
            entries: vec![0; elements as usize],
            free: [u64::MAX; 64],
            rows_free: u64::MAX,
            extent: 0,
            held: 0,
        }
    }

    /// Makes room for the elements `0..elements`, at most 4,096.
    pub(super) fn reserve(&mut self, elements: u32) {
        debug_assert!(elements <= MOST);
        self.entries.resize(elements as usize, 0);
    }

    /// Empties the CAM.
    pub(super) fn clear(&mut self) {
        self.holds.clear();
        self.rows.fill(0);
        (self.free, self.rows_free) = ([u64::MAX; 64], u64::MAX);
        (self.extent, self.held) = (0, 0);
    }

    /// Writes an element with its buckets into the lowest free entry, of which there is one; does nothing if it is not
    /// `wanted`.
    #[inline(always)]
    pub(super) fn insert_if(&mut self, wanted: bool, element: u32, buckets: [u32; D]) {
        let (row, mask) = self.enter_if(wanted, Primary { element, buckets });
        let in_row = u64::from(wanted) << row;
        let holds = &mut self.holds[row * self.stride..][..self.stride];
        for bucket in buckets {
            holds[bucket as usize] |= mask;
            self.rows[bucket as usize] |= in_row;
        }
        self.held += D as u32 * u32::from(wanted);
    }

    /// Writes an element into the lowest free entry that no look-up ever finds.
    pub(super) fn insert_without_buckets(&mut self, element: u32) {
        let buckets = [self.nobody(); D];
        self.enter_if(true, Primary { element, buckets });
    }

    /// The row of the lowest free entry, and its bit in there; 0 if it is not `wanted`.
    #[inline(always)]
    fn enter_if(&mut self, wanted: bool, primary: Primary<D>) -> (usize, u64) {
        let row = self.rows_free.trailing_zeros() as usize % 64;
        let free = self.free[row];
        let bit = free.trailing_zeros() % 64;
        let entry = 64 * row as u32 + bit;
        if self.holds.len() <= row * self.stride {
            self.add_row();
        }
        let mask = u64::from(wanted) << bit;
        self.free[row] = free & !mask;
        self.rows_free &= !(u64::from(free == mask) << row);
        self.entries[primary.element as usize] = entry;
        self.primary[entry as usize] = primary;
        self.extent = self.extent.max((entry + 1) * u32::from(wanted));
        (row, mask)
    }

    /// Looks up the bucket; m, in which nothing is ever found, may be asked for too.
    #[inline(always)]
    pub(super) fn find(&self, bucket: u32) -> Found {
        let rows = self.rows[bucket as usize];
        let row = rows.trailing_zeros() % 64;
        let word = self.holds[row as usize * self.stride + bucket as usize];
        Found { entry: 64 * row + word.trailing_zeros() % 64, any: rows != 0 }
    }

    /// The entry of an element; means nothing if it is not in the CAM.
    #[inline(always)]
    pub(super) fn entry_of(&self, element: u32) -> u32 {
        self.entries[element as usize]
    }

    /// Frees the entry, and returns whose that was; does nothing if that is not `wanted`.
    #[inline(always)]
    pub(super) fn remove_if(&mut self, wanted: bool, entry: u32) -> u32 {
        let (row, bit) = (entry as usize / 64 % 64, entry % 64);
        let mask = u64::from(wanted) << bit;
        let Primary { element, buckets } = self.primary[entry as usize];
        let holds = &mut self.holds[row * self.stride..][..self.stride];
        for bucket in buckets {
            let left = holds[bucket as usize] & !mask;
            holds[bucket as usize] = left;
            self.rows[bucket as usize] &= !(u64::from(left == 0) << row);
        }
        self.free[row] |= mask;
        self.rows_free |= u64::from(wanted) << row;
        let held = wanted & (buckets[0] < self.nobody());
        self.held -= D as u32 * u32::from(held);
        // Also where that was not wanted, which is not asked: a processor could not guess it.
        if entry + 1 == self.extent {
            self.shrink();
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

    #[cold]
    fn shrink(&mut self) {
        let is_free = |entry: u32| self.free[entry as usize / 64] >> (entry % 64) & 1 == 1;
        let last = (0..self.extent).rev().find(|&entry| !is_free(entry));
        self.extent = last.map_or(0, |entry| entry + 1);
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
        /// The element comes with these buckets, or with none, or leaves if it is there; unless nothing is wanted.
        Toggle {
            element: u32,
            buckets: Option<[u32; 3]>,
            wanted: bool,
        },
        /// Whoever waits for the bucket, which is m where nobody can, leaves.
        Take(u32),
        Clear,
    }

    /// Elements, buckets, and what happens.
    fn histories() -> impl Strategy<Value = (u32, u32, Vec<Step>)> {
        (1..400_u32, 1..8_u32).prop_flat_map(|(n, m)| {
            let buckets = proptest::option::weighted(0.9, [0..m, 0..m, 0..m]);
            let toggle = (0..n, buckets, proptest::bool::weighted(0.9));
            let step = prop_oneof![
                60 => toggle.prop_map(|(element, buckets, wanted)| Step::Toggle { element, buckets, wanted }),
                10 => (0..=m).prop_map(Step::Take),
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
            small.enter_if(false, Primary { element: 0, buckets: [0; 3] });
            for step in steps {
                match step {
                    Step::Toggle { element, buckets, wanted } => {
                        let inside = &mut is_in[element as usize];
                        match (*inside, buckets) {
                            (true, _) => {
                                let entry = small.entry_of(element);
                                prop_assert_eq!(small.remove_if(wanted, entry), element);
                                if wanted { cam.remove(element); }
                                *inside ^= wanted;
                            }
                            (false, Some(buckets)) => {
                                small.insert_if(wanted, element, buckets);
                                if wanted { cam.insert(element, &buckets); }
                                *inside ^= wanted;
                            }
                            (false, None) => {
                                small.insert_without_buckets(element);
                                cam.insert(element, &[]);
                                *inside = true;
                            }
                        }
                    }
                    Step::Take(bucket) => {
                        let Found { entry, any } = small.find(bucket);
                        let taken = small.remove_if(any, entry);
                        let taken = any.then_some(taken);
                        let expected = if bucket < m { cam.take(bucket) } else { None };
                        prop_assert_eq!(taken, expected);
                        if let Some(element) = taken { is_in[element as usize] = false; }
                    }
                    Step::Clear => {
                        small.clear();
                        cam.clear();
                        is_in.fill(false);
                        small.enter_if(false, Primary { element: 0, buckets: [0; 3] });
                    }
                }
                prop_assert_eq!(small.in_use(), cam.in_use());
            }
        }
    }
}
