//! Trials of a sketch, one after the other.

use std::ops::Range;

use super::asked::Asked;
use super::heap::FlowHeap;
use super::heavy::Heavy;
use super::stream::Stream;
use super::theory::Expected;
use super::trial::Trial;
use super::{Flow, Sketch, inner, metrics, outlook};
use crate::case::Record;
use crate::keys::{ChoiceStream, Seeds};

/// Trials of a sketch with the same flows.
pub struct Batch<'a, S> {
    /// The sketch.
    pub sketch: &'a S,
    /// What it is asked.
    pub asked: &'a Asked,
    /// Whether ‖a‖₁ is read.
    pub reads_norm: bool,
    /// The packets of the trials.
    pub stream: Stream,
    /// Seed from which those of the trials follow.
    pub seed: u64,
    /// The numbers of the trials.
    pub trials: Range<u64>,
    /// Takes their readings.
    pub out: &'a mut dyn Record,
}

impl<S: Sketch> Batch<'_, S> {
    /// Runs the trials, with the choices of the flows and of absent keys.
    pub fn run(self, choices: &mut dyn ChoiceStream) {
        let Self { sketch, asked, reads_norm, mut stream, seed, trials, out } = self;
        let each = sketch.ranges().len();
        let expected = ExpectedErrors::new(sketch, asked, &stream);
        let heavy = Heavy::asked(asked).filter(|_| !S::KEEPS_FLOWS);
        let mut store = sketch.store();
        let mut other = asked.inner_product.then(|| sketch.store());
        let mut heap = FlowHeap::default();
        let mut of_flows = vec![0; each * stream.counts.len()];
        let mut of_absent = vec![0; each * asked.queries as usize];
        let mut is_met = Vec::new();
        for number in trials {
            let seeds = Seeds::of(seed, number);
            stream.begin(number, seeds.arrivals);
            choices.begin(&seeds);
            if stream.has_windows() {
                // Flows of other windows arrive as well: absent keys are none of theirs.
                stream.find_flows(&mut is_met);
                choices.arrive_where(0, &mut of_flows, &is_met);
            } else {
                choices.arrive(0, &mut of_flows);
            }
            let absent = choices.strangers(&mut of_absent) as usize;
            sketch.clear(&mut store, seeds.scheme);
            heap.clear();
            let pass = Pass { sketch, choices: &of_flows, each, heavy };
            pass.run(&mut store, &stream, &mut heap);
            let trial = Trial {
                counts: &stream.counts,
                norm: stream.norm(),
                choices: &of_flows,
                absent: &of_absent[..each * absent],
                each,
                heap: &heap,
            };
            sketch.record(&store, &trial, asked, out);
            if let Some(other) = &mut other {
                sketch.clear(other, seeds.scheme);
                inner::record(sketch, [&mut store, other], &trial, asked.epsilon, out);
            }
            expected.record(sketch, asked, &stream, out);
            if reads_norm {
                out.reading(metrics::NORM, Some(trial.norm));
            }
            out.end_of_trial();
        }
    }
}

/// The errors to expect given the counts, where they are asked for.
enum ExpectedErrors {
    /// Those of every trial, if they can be computed.
    Same(Option<Expected>),
    /// Each trial has the counts of its window, of which the law can be computed.
    OfWindows,
}

impl ExpectedErrors {
    fn new<S: Sketch>(sketch: &S, asked: &Asked, stream: &Stream) -> Self {
        match stream.has_windows() {
            // A mean over some of the windows would be held against one over all.
            true if stream.largest_norm() > u64::from(outlook::MOST_NORM) => Self::Same(None),
            true => Self::OfWindows,
            false => Self::Same(outlook::given_counts(sketch, asked, &stream.counts)),
        }
    }

    fn record<S: Sketch>(&self, sketch: &S, asked: &Asked, stream: &Stream, out: &mut dyn Record) {
        let expected = match self {
            Self::Same(expected) => *expected,
            Self::OfWindows => outlook::given_counts(sketch, asked, &stream.counts),
        };
        if let Some(expected) = expected {
            out.reading(metrics::AAE_GIVEN_COUNTS, Some(expected.aae));
            out.reading(metrics::ARE_GIVEN_COUNTS, Some(expected.are));
            let [of_aae, of_are] = expected.deviations;
            out.reading(metrics::AAE_DEVIATION_GIVEN_COUNTS, Some(of_aae));
            out.reading(metrics::ARE_DEVIATION_GIVEN_COUNTS, Some(of_are));
        }
    }
}

/// The packets of one trial.
struct Pass<'p, S> {
    sketch: &'p S,
    choices: &'p [u32],
    each: usize,
    /// Which heavy hitters are kept in a heap, if any are.
    heavy: Option<Heavy>,
}

impl<S: Sketch> Pass<'_, S> {
    fn run(&self, store: &mut S::Store, stream: &Stream, heap: &mut FlowHeap) {
        let mut norm = 0;
        for (number, weight) in stream.updates() {
            let choices = &self.choices[number as usize * self.each..][..self.each];
            let flow = Flow { number, choices };
            self.sketch.update(store, flow, weight);
            norm += weight.unsigned_abs();
            if let Some(heavy) = self.heavy {
                heavy.keep(heap, number, self.sketch.estimate(store, flow), norm as f64);
            }
        }
    }
}
