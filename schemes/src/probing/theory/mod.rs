//! Expectations of open addressing with random hash values.

pub mod blocks;
pub mod clusters;
pub mod linear;
pub mod passing;
pub mod robin_hood;
pub mod secondary;
pub mod tombstones;
pub mod uniform;
