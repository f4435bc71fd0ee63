//! The memory of a table with keys, before there is one.

use super::key::Key;
use super::list::OverflowList;
use super::named_list::NamedList;
use crate::tables::cam::Cam;
use crate::tables::moving_back::Upon;
use crate::tables::{Buckets, Footprint, Geometry};

/// Bytes of a table with keys whose elements have `choices` buckets, with or without moving back: for each bucket, and
/// for each element *on the overflow list*.
pub(in crate::tables) fn footprint(
    geometry: &Geometry,
    move_back: Option<Upon>,
    choices: u32,
) -> Footprint {
    let slots = u64::from(geometry.bucket_size) * size_of::<Key>() as u64;
    let bucket = slots + Buckets::FOOTPRINT.bucket;
    match move_back {
        None => Footprint { element: OverflowList::BYTES_PER_ELEMENT, bucket },
        Some(_) => {
            let list = Footprint { element: NamedList::BYTES_PER_ELEMENT, bucket };
            list + Cam::footprint(choices)
        }
    }
}
