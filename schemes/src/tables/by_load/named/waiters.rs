//! Who waits for a bucket.

#[cfg(test)]
mod tests;

/// The entries of the CAM that hold a bucket, as far as three sums tell: how many they are, what their numbers come to, and what
/// the squares of these come to.
///
/// An entry is written by one addition and erased by one subtraction, whatever the others are. Of one or two entries the sums
/// tell which is the lowest; of more, the CAM has to be searched.
///
/// They are in one word. With many entries a sum may run over into the next, from which the same is taken away again when they
/// are erased. All at once make their number appear greater by 255, which fits: so more than two never appear to be fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waiters(pub(super) u64);

/// The bits of the sum of squares, and of the sum above it. The number of entries is above both.
const OF_SQUARES: u32 = 29;
const OF_SUM: u32 = 19;

/// 2²³: from there on a number in single precision is its whole part alone, in the lowest bits.
const WHOLE: f32 = 8_388_608.0;

impl Waiters {
    /// Nobody.
    pub(super) const NONE: Self = Self(0);

    /// Entries at most.
    pub(super) const ENTRIES: u16 = 1 << 14;

    /// One entry, with a number below these.
    #[inline(always)]
    pub(super) fn entry(entry: u16) -> Self {
        let entry = u64::from(entry);
        Self((1 << (OF_SQUARES + OF_SUM)) + (entry << OF_SQUARES) + entry * entry)
    }

    #[inline(always)]
    pub(super) fn add(self, entry: Self) -> Self {
        Self(self.0.wrapping_add(entry.0))
    }

    #[inline(always)]
    pub(super) fn remove(self, entry: Self) -> Self {
        Self(self.0.wrapping_sub(entry.0))
    }

    /// The lowest entry, and whether there are more than two, so that it means nothing.
    ///
    /// With c entries, the sum s and the sum of squares q, √(cq − s²) is 0 for one, and for two how far they are apart. It is
    /// exact: the number below the root is a square below 2²⁸, and where single precision rounds that, the root is wrong by far less
    /// than a half.
    #[inline(always)]
    pub(super) fn lowest(self) -> (u16, bool) {
        let number = (self.0 >> (OF_SQUARES + OF_SUM)) as u32;
        let sum = (self.0 >> OF_SQUARES) as u32 & ((1 << OF_SUM) - 1);
        let squares = self.0 as u32 & ((1 << OF_SQUARES) - 1);
        let apart = number.wrapping_mul(squares).wrapping_sub(sum.wrapping_mul(sum));
        let root = (apart.cast_signed() as f32).sqrt() + WHOLE;
        let root = root.to_bits() & (WHOLE as u32 - 1);
        let lowest = sum.wrapping_sub(root) >> (number.wrapping_sub(1) % 32);
        (lowest as u16, number > 2)
    }
}
