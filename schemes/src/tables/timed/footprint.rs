//! The memory of a table with keys, before there is one.

use super::named_list::NamedList;
use super::{Key, OverflowList};
use crate::tables::cam::Cam;
use crate::tables::moving_back::Upon;
use crate::tables::{Buckets, Footprint, Geometry};

/// Bytes of a table whose list gives numbers to its keys: for each bucket, and for each element *on the overflow list*.
pub(in crate::tables) fn named_footprint(geometry: &Geometry) -> Footprint {
    Footprint { element: NamedList::BYTES_PER_ELEMENT, bucket: bytes_of_bucket(geometry) }
}

/// Bytes of a table with keys whose elements have `choices` buckets, with or without moving back: for each bucket, and
/// for each element *on the overflow list*.
pub(in crate::tables) fn footprint(
    geometry: &Geometry,
    move_back: Option<Upon>,
    choices: u32,
) -> Footprint {
    match move_back {
        None => Footprint {
            element: OverflowList::BYTES_PER_ELEMENT,
            bucket: bytes_of_bucket(geometry),
        },
        Some(_) => named_footprint(geometry) + Cam::footprint(choices),
    }
}

/// Its slots, and a byte that says how many of them are taken, or which.
fn bytes_of_bucket(geometry: &Geometry) -> u64 {
    u64::from(geometry.bucket_size) * size_of::<Key>() as u64 + Buckets::FOOTPRINT.bucket
}
