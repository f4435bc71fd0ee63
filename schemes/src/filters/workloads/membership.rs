//! n keys in, q absent keys asked.

use super::super::{Filter, params};
use super::Outcome;
use crate::hash::Source;
use crate::info::WorkloadInfo;
use crate::keys::Arrivals;

/// Its entry in the reference.
pub(super) static INFO: WorkloadInfo = WorkloadInfo {
    name: "membership",
    summary: "n elements are inserted into an empty filter, which is then asked for absent keys. Those are drawn like the elements' own; counted ones are numbers that no element has; of a trace they are the packets from the last one backwards whose key no element has, each once, so that fewer may be asked. A trace that is too short is gone through again under the same hash functions, whatever `trace_end` says but `error`: what is in the filter is asked for with the functions that put it there. With `queries = 0` the false positive rate is that of the bits alone.",
    decides: &[],
    params: &[params::QUERIES, params::POSITIVES_LAW, params::DEVIATION],
};

/// One trial. A trace that is too short is gone through again under the same hash functions: what is in the
/// filter is asked for with the functions that put it there.
pub(super) fn run<F: Filter, S: Source, A: Arrivals>(
    filter: &F,
    store: &mut F::Store,
    arrivals: &mut A,
    source: &mut S,
    queries: u64,
) -> Outcome {
    let mut repeated = 0;
    for element in 0..filter.size().elements {
        if arrivals.left() == 0 {
            arrivals.next_pass();
        }
        let (key, is_repeated) = arrivals.arrive(element);
        repeated += u64::from(is_repeated);
        filter.insert(store, source.element(key));
    }
    let (mut asked, mut positive) = (0, 0);
    while asked < queries {
        let Some(key) = arrivals.stranger() else { break };
        positive += u64::from(filter.contains(store, source.element(key)));
        asked += 1;
    }
    Outcome { repeated, asked, positive }
}
