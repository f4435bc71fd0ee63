//! The memory of a table, before there is one.

use std::ops::Add;

/// Bytes of a table, all elements on the overflow list if that is the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// For each element.
    pub element: u64,
    /// For each bucket.
    pub bucket: u64,
}

impl Footprint {
    /// That of whichever of two tables there will be.
    pub(crate) fn or(self, other: Self) -> Self {
        let (element, bucket) = (self.element.max(other.element), self.bucket.max(other.bucket));
        Self { element, bucket }
    }
}

impl Add for Footprint {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { element: self.element + other.element, bucket: self.bucket + other.bucket }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        let parts = Footprint { element: 4, bucket: 1 } + Footprint { element: 2, bucket: 8 };
        assert_eq!(parts, Footprint { element: 6, bucket: 9 });
        assert_eq!(
            parts.or(Footprint { element: 7, bucket: 8 }),
            Footprint { element: 7, bucket: 9 }
        );
    }
}
