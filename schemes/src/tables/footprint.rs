//! The memory of a table, before there is one.

use std::ops::Add;

use super::Geometry;

/// Bytes of a table, all elements on the overflow list if that is the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// For each element.
    pub element: u64,
    /// For each bucket.
    pub bucket: u64,
}

impl Footprint {
    /// That of whichever of two tables of this size takes more.
    pub(crate) fn or(self, other: Self, geometry: &Geometry) -> Self {
        let bytes = |of: &Self| {
            of.element * u64::from(geometry.elements) + of.bucket * u64::from(geometry.buckets)
        };
        if bytes(&other) > bytes(&self) { other } else { self }
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
    }

    #[test]
    fn of_two_tables_the_size_decides() {
        let (a, b) = (Footprint { element: 6, bucket: 1 }, Footprint { element: 4, bucket: 4 });
        let geometry = |elements, buckets| Geometry { elements, buckets, bucket_size: 1 };
        assert_eq!((a.or(b, &geometry(30, 10)), b.or(a, &geometry(30, 30))), (a, b));
    }
}
