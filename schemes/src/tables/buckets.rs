//! The structure of all schemes that only count: buckets as counters, elements as places.

/// Where an element is when no bucket holds it.
const OVERFLOW_LIST: u32 = u32::MAX;

/// m buckets of size h as counters, the place of each of n elements, the length of the
/// overflow list. One byte a bucket and four an element.
#[derive(Debug, Clone)]
pub(crate) struct Buckets {
    counts: Vec<u8>,
    places: Vec<u32>,
    size: u8,
    overflow: u32,
}

impl Buckets {
    /// `buckets` empty buckets of size `size`, for elements `0..elements`.
    pub(crate) fn new(elements: u32, buckets: u32, size: u8) -> Self {
        Self {
            counts: vec![0; buckets as usize],
            places: vec![OVERFLOW_LIST; elements as usize],
            size,
            overflow: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.counts.fill(0);
        self.overflow = 0;
    }

    /// The number of elements in a bucket.
    #[inline]
    pub(crate) fn load(&self, bucket: u32) -> u8 {
        self.counts[bucket as usize]
    }

    /// Puts the element into the bucket unless it is full.
    #[inline]
    pub(crate) fn try_place(&mut self, element: u32, bucket: u32) -> bool {
        let count = &mut self.counts[bucket as usize];
        let free = *count < self.size;
        if free {
            *count += 1;
            self.places[element as usize] = bucket;
        }
        free
    }

    /// Puts the element on the overflow list.
    #[inline]
    pub(crate) fn overflow_with(&mut self, element: u32) {
        self.places[element as usize] = OVERFLOW_LIST;
        self.overflow += 1;
    }

    /// Takes the element out of its bucket or off the overflow list.
    #[inline]
    pub(crate) fn remove(&mut self, element: u32) {
        match self.places[element as usize] {
            OVERFLOW_LIST => self.overflow -= 1,
            bucket => self.counts[bucket as usize] -= 1,
        }
    }

    #[inline]
    pub(crate) fn overflow(&self) -> u32 {
        self.overflow
    }

    /// How many buckets hold k elements, k = 0..=h.
    pub(crate) fn occupancy(&self) -> Vec<u64> {
        let mut buckets = vec![0; usize::from(self.size) + 1];
        for &count in &self.counts {
            buckets[usize::from(count)] += 1;
        }
        buckets
    }
}
