//! Sketches that look at nothing of a flow but its choices.

use super::{KeyedSketch, choose};
use crate::hash::Source;
use crate::sketches::{Flow, Sketch};

/// The number of every flow, which nobody looks at.
const ANY: u32 = 0;

/// The sketch of trials, whose choices are made as packets come.
pub struct OfChoices<K: Sketch> {
    sketch: K,
    store: K::Store,
    ranges: Vec<u32>,
    /// The choices of the flow on hand.
    choices: Vec<u32>,
}

impl<K: Sketch> OfChoices<K> {
    /// An empty sketch.
    pub fn new(sketch: &K) -> Self {
        let (sketch, ranges) = (sketch.clone(), sketch.ranges());
        Self { store: sketch.store(), choices: vec![0; ranges.len()], ranges, sketch }
    }

    #[inline(always)]
    fn choose<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        choose(&mut source.element(bytes), &self.ranges, &mut self.choices);
    }
}

impl<K: Sketch> KeyedSketch for OfChoices<K> {
    fn clear(&mut self, seed: u64) {
        self.sketch.clear(&mut self.store, seed);
    }

    #[inline(always)]
    fn update<S: Source>(&mut self, bytes: &[u8], source: &mut S) {
        self.choose(bytes, source);
        let flow = Flow { number: ANY, choices: &self.choices };
        self.sketch.update(&mut self.store, flow, 1);
    }

    #[inline(always)]
    fn estimate<S: Source>(&mut self, bytes: &[u8], source: &mut S) -> i64 {
        self.choose(bytes, source);
        let flow = Flow { number: ANY, choices: &self.choices };
        self.sketch.estimate(&self.store, flow)
    }

    fn bytes(&self) -> u64 {
        self.sketch.store_bytes()
    }
}
