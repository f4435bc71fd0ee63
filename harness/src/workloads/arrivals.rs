//! The keys of arriving elements, one after the other.

use std::sync::Arc;

use rand::{Rng as _, SeedableRng};

use loadfactor_schemes::Rng;
use loadfactor_traces::Keys;

/// Bytes of a key that is drawn or counted.
pub(super) const MADE_KEY_BYTES: usize = 16;

/// The packets of a trace as a workload uses them.
#[derive(Debug)]
pub struct TraceKeys {
    /// One key per packet, in capture order; never empty.
    keys: Keys,
    /// Which of the distinct keys each packet carries.
    ids: Vec<u32>,
    distinct: usize,
}

impl TraceKeys {
    /// Every packet, repeated keys included; `None` where there is none.
    pub fn of(keys: Keys) -> Option<Self> {
        let ids = keys.ids();
        let distinct = ids.iter().max().map(|&last| last as usize + 1)?;
        Some(Self { keys, ids, distinct })
    }

    /// The same trace with each key's first packet only.
    pub fn without_repeats(&self) -> Self {
        let keys = self.keys.distinct();
        let ids = (0..).take(self.distinct).collect();
        Self { keys, ids, distinct: self.distinct }
    }

    /// Number of packets, repeated keys included.
    pub fn packets(&self) -> usize {
        self.ids.len()
    }

    /// Number of distinct keys.
    pub fn distinct(&self) -> usize {
        self.distinct
    }
}

/// Where the keys of a trial come from.
#[derive(Debug, Clone)]
pub enum KeySource {
    /// 16 random bytes each.
    Random,
    /// Consecutive numbers as 16 big-endian bytes.
    Sequential,
    /// A trace in capture order; `renew` asks for a new hash seed whenever it starts again.
    Trace {
        /// The packets.
        keys: Arc<TraceKeys>,
        /// Whether each pass over the trace gets hash functions of its own.
        renew: bool,
    },
}

/// The keys of one trial.
pub(crate) struct Arrivals<'a> {
    stream: Stream<'a>,
}

enum Stream<'a> {
    Random { rng: Rng, key: [u8; MADE_KEY_BYTES] },
    Sequential { next: u128, key: [u8; MADE_KEY_BYTES] },
    Trace { keys: &'a TraceKeys, next: usize, renew: bool },
}

/// One arriving element.
pub(crate) struct Arrival<'k> {
    pub(crate) key: &'k [u8],
    /// Which of the trace's distinct keys it is.
    pub(crate) id: Option<u32>,
    /// Whether it is the first of a further pass over the trace, under new hash functions.
    pub(crate) renewed: bool,
}

impl<'a> Arrivals<'a> {
    pub(crate) fn new(source: &'a KeySource, seed: u64) -> Self {
        let key = [0; MADE_KEY_BYTES];
        let stream = match source {
            KeySource::Random => Stream::Random { rng: Rng::seed_from_u64(seed), key },
            KeySource::Sequential => Stream::Sequential { next: 0, key },
            KeySource::Trace { keys, renew } => Stream::Trace { keys, next: 0, renew: *renew },
        };
        Self { stream }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Arrival<'_> {
        match &mut self.stream {
            Stream::Random { rng, key } => {
                rng.fill_bytes(key);
                Arrival { key, id: None, renewed: false }
            }
            Stream::Sequential { next, key } => {
                *key = next.to_be_bytes();
                *next += 1;
                Arrival { key, id: None, renewed: false }
            }
            Stream::Trace { keys, next, renew } => {
                let wrapped = *next == keys.packets();
                if wrapped {
                    *next = 0;
                }
                let packet = *next;
                *next += 1;
                let id = Some(keys.ids[packet]);
                Arrival { key: keys.keys.get(packet), id, renewed: wrapped && *renew }
            }
        }
    }
}
