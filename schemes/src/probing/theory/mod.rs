//! Expectations of open addressing with random hash values.

pub mod clusters;
pub mod linear;
pub mod robin_hood;
pub mod secondary;
pub mod uniform;
