//! Many bits that are set one after the other.

/// Where bits are set one after the other.
pub trait SetBits {
    /// Sets one of them.
    fn set(&mut self, bit: u32);
}

/// What sets many bits of a filter at once.
pub trait Fill {
    /// Sets them.
    fn fill(self, bits: &mut impl SetBits);
}
