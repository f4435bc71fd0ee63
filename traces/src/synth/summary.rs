//! What was written, and when it begins.

/// Time of the first packet, in nanoseconds since 1970: the start of a CAIDA trace of 2008-03-19.
pub(super) const START: u64 = 1_205_924_400_000_000_000;

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SynthSummary {
    /// Packets.
    pub packets: u64,
    /// Flows that were started: the distinct five-tuples, but for rare coincidences.
    pub flows: u64,
    /// TCP packets.
    pub tcp: u64,
    /// TCP packets that repeat an earlier (source, destination, sequence, acknowledgement).
    pub repeated: u64,
}
