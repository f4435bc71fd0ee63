//! How large a table is, before there is one.

use std::ops::Add;

use super::{AnyScheme, Geometry, Scheme, SchemeVisitor};

/// What a table of a scheme takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Elements, buckets and bucket size.
    pub geometry: Geometry,
    /// The largest number of choices that one element may use, d.
    pub choices: u32,
    /// Buckets of each sub-table whose elements a table counts.
    pub sub_tables: Vec<u32>,
    /// Memory.
    pub footprint: Footprint,
}

/// Bytes of a table, all elements on the overflow list if that is the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// For each element.
    pub element: u64,
    /// For each bucket.
    pub bucket: u64,
}

impl Add for Footprint {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { element: self.element + other.element, bucket: self.bucket + other.bucket }
    }
}

impl AnyScheme {
    /// What a table of this scheme takes.
    pub fn shape(&self) -> Shape {
        self.visit(ShapeOf)
    }
}

struct ShapeOf;

impl SchemeVisitor for ShapeOf {
    type Output = Shape;

    fn visit<S: Scheme>(self, scheme: &S) -> Shape {
        let (geometry, choices) = (scheme.geometry(), scheme.choices());
        let (sub_tables, footprint) = (scheme.sub_tables(), scheme.footprint());
        Shape { geometry, choices, sub_tables, footprint }
    }
}
