//! Sketches that are given the keys of flows, to be timed: an insertion is an update by a packet of the stream, a hit and
//! a miss are the estimates of a flow of the stream and of an absent key.

mod elastic;
mod flow_radar;
mod flows;
mod hashpipe;
mod heavy_keeper;
mod misra_gries;
mod of_choices;
mod space_saving;
#[cfg(test)]
mod tests;

use super::metrics::AAE;
use super::stream::Stream;
use crate::hash::{Choices, HashSpec, Source};
use crate::keys::Seeds;
use crate::metric::Metric;
use crate::timed::{ByChoices, Timed, TimedKeys, Untimed, with_hash};

pub use elastic::KeyedElastic;
pub use flow_radar::KeyedFlowRadar;
pub use hashpipe::KeyedHashPipe;
pub use heavy_keeper::KeyedHeavyKeeper;
pub use misra_gries::KeyedMisraGries;
pub use of_choices::OfChoices;
pub use space_saving::KeyedSpaceSaving;

/// A sketch that is given the keys of flows, of which `source` makes choices.
pub trait KeyedSketch: Send + 'static {
    /// Empties it, for a stream that leaves to chance what `seed` decides.
    fn clear(&mut self, seed: u64);

    /// Counts a packet of the flow with this key.
    fn update<S: Source>(&mut self, bytes: &[u8], source: &mut S);

    /// The estimate of a flow's count.
    fn estimate<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> i64;

    /// Bytes of memory.
    fn bytes(&self) -> u64;
}

/// Something to do with a sketch that is given keys, whose type is fixed inside.
pub trait KeyedVisitor {
    /// What comes out.
    type Output;

    /// Does it with the sketch, which is empty.
    fn visit<K: KeyedSketch>(self, sketch: K) -> Self::Output;
}

/// Makes a choice among each of these ranges.
#[inline(always)]
fn choose(made: &mut impl Choices, ranges: &[u32], choices: &mut [u32]) {
    choices.iter_mut().zip(ranges).for_each(|(choice, &range)| *choice = made.next(range));
}

/// The packets that a sketch is to be timed with.
pub(super) struct Packets {
    pub(super) hash: HashSpec,
    /// The flows as elements, each once.
    pub(super) keys: TimedKeys,
    pub(super) stream: Stream,
    pub(super) seeds: Seeds,
    /// Whether estimates are asked for.
    pub(super) estimates: bool,
}

impl Packets {
    /// The flows that have a packet, with their counts.
    fn counts(&mut self) -> Vec<(Box<[u8]>, i64)> {
        let flows = self.stream.counts.iter().zip(self.keys.asked(false));
        let asked = flows.filter(|(count, _)| self.estimates && **count != 0);
        asked.map(|(&count, key)| (key.into(), count)).collect()
    }
}

impl KeyedVisitor for Packets {
    type Output = Result<Box<dyn Timed>, Untimed>;

    fn visit<K: KeyedSketch>(mut self, sketch: K) -> Self::Output {
        let of_stream = OfStream { sketch, flows: self.counts() };
        let keys = self.keys.streaming(&self.stream.flows).ok_or(Untimed::TOO_FEW_KEYS)?;
        with_hash(of_stream, self.hash, keys, self.seeds)
    }
}

/// A sketch with the counts of the stream that it is given.
struct OfStream<K> {
    sketch: K,
    flows: Vec<(Box<[u8]>, i64)>,
}

impl<K: KeyedSketch> ByChoices for OfStream<K> {
    fn clear(&mut self, seed: u64) {
        self.sketch.clear(seed);
    }

    #[inline(always)]
    fn insert<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        self.sketch.update(bytes, source);
    }

    /// Whether the sketch says that there was a packet of the flow.
    #[inline(always)]
    fn contains<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> bool {
        self.sketch.estimate(bytes, source) > 0
    }

    fn bytes(&self) -> u64 {
        self.sketch.bytes()
    }

    fn measured<S: Source>(&mut self, _elements: u64, source: &mut S) -> Option<(Metric, f64)> {
        let Self { sketch, flows } = self;
        let mut error = |(bytes, count): &(Box<[u8]>, i64)| {
            (sketch.estimate(bytes, source) - count).unsigned_abs()
        };
        let errors: u64 = flows.iter().map(&mut error).sum();
        (!flows.is_empty()).then(|| (AAE, errors as f64 / flows.len() as f64))
    }
}
