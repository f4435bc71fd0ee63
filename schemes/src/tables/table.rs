//! What every table does, and what it tells of it.

use crate::Rng;
use crate::hash::Choices;

/// What an insertion did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Insertion {
    /// Buckets read.
    pub accesses: u32,
    /// Whether every element found a place in a bucket; otherwise one more is on the overflow list,
    /// the inserted one or one that it displaced.
    pub stored: bool,
    /// Elements moved from bucket to bucket.
    pub moves: u32,
    /// Whether an element was lost, as it did not fit on the overflow list.
    pub lost: bool,
    /// Look-ups in the auxiliary CAM for an element to move back, and such elements found.
    pub back: MovesBack,
}

/// What a deletion did beside taking the element out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deletion {
    /// Elements moved from bucket to bucket.
    pub moves: u32,
    /// Look-ups in the auxiliary CAM for an element to move back, and such elements found.
    pub back: MovesBack,
}

/// The search of the overflow list for elements that a bucket has room for again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MovesBack {
    /// Look-ups in the auxiliary CAM.
    pub lookups: u32,
    /// Elements moved from the overflow list to a bucket.
    pub moves: u32,
}

/// The CAM behind a table that moves elements back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CamUse {
    /// Entries of the auxiliary CAM that hold a bucket.
    pub entries: u32,
    /// Entries of the primary CAM up to the last one in use.
    pub extent: u32,
}

/// How full a sub-table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubTableUse {
    /// Elements in its buckets.
    pub elements: u64,
    /// Elements that its buckets have room for.
    pub places: u64,
}

impl SubTableUse {
    /// Elements as a share of the places.
    pub fn load(&self) -> f64 {
        self.elements as f64 / self.places as f64
    }
}

/// A hash table of finite buckets with an overflow list, for elements `0..n`.
pub trait Table: Clone + Send + 'static {
    /// Whether an insertion may move elements from bucket to bucket.
    const MOVES: bool = false;
    /// Whether elements may be moved back from the overflow list.
    const MOVES_BACK: bool = false;
    /// Whether a deletion may move elements from bucket to bucket.
    const MOVES_ON_DELETION: bool = false;

    /// Whether the overflow list is bounded. Elements beyond its capacity are lost; until their deletion
    /// they count as overflowed.
    fn can_lose(&self) -> bool {
        false
    }

    /// Makes room for the elements `0..elements`; those that are in stay where they are.
    fn reserve(&mut self, elements: u32);

    /// Empties the table without giving up its memory.
    fn clear(&mut self);

    /// Whether every element tries the table: insertion probability α = 1.
    fn is_certain(&self) -> bool;

    /// Inserts an element that is not in the table. `choices` yields its buckets in order, `rng` decides
    /// what the scheme leaves to chance. With `CERTAIN`, allowed where [`is_certain`](Self::is_certain)
    /// holds, the insertion probability is not checked again for each element.
    fn insert<const CERTAIN: bool>(
        &mut self,
        element: u32,
        choices: impl Choices,
        rng: &mut Rng,
    ) -> Insertion;

    /// Puts an element that is not in the table straight on the overflow list.
    fn insert_overflowed(&mut self, element: u32);

    /// Deletes an element that is in a bucket or on the overflow list, from a table with
    /// departures.
    fn delete(&mut self, element: u32) -> Deletion;

    /// Reads what the departure of an element will read, if that may be far away in memory: read ahead for several elements, it
    /// comes for all of them at once. What it returns means nothing.
    #[inline(always)]
    fn read_ahead(&self, _element: u32) -> u32 {
        0
    }

    /// The number of elements on the overflow list.
    fn overflow(&self) -> u32;

    /// How many buckets hold exactly k elements, for k = 0..=h.
    fn occupancy(&self) -> Vec<u64>;

    /// How full each sub-table is; empty where there are no sub-tables.
    fn sub_tables(&self) -> Vec<SubTableUse> {
        Vec::new()
    }

    /// Elements in each sub-table as a share of its places.
    fn sub_table_loads(&self) -> Vec<f64> {
        self.sub_tables().iter().map(SubTableUse::load).collect()
    }

    /// The CAM as it is now, where the table has one.
    #[inline]
    fn cam(&self) -> CamUse {
        CamUse::default()
    }
}

/// Something to do with a table whose type is fixed inside.
pub trait TableVisitor {
    /// What comes out.
    type Output;
    /// Does it with the table `table`.
    fn visit<T: Table>(self, table: T) -> Self::Output;
}
