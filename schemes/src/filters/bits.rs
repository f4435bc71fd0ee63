//! The bits of a filter.

/// Bits, in words of 64.
#[derive(Debug, Clone)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// None of them set.
    pub fn new(bits: u32) -> Self {
        Self(vec![0; bits.div_ceil(u64::BITS) as usize])
    }

    /// Clears all of them.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Sets one of them.
    #[inline]
    pub fn set(&mut self, bit: u32) {
        self.0[(bit / u64::BITS) as usize] |= 1 << (bit % u64::BITS);
    }

    /// Whether this one is set.
    #[inline]
    pub fn is_set(&self, bit: u32) -> bool {
        self.0[(bit / u64::BITS) as usize] >> (bit % u64::BITS) & 1 == 1
    }

    /// How many are set.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}
