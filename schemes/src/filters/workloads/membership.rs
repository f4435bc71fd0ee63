//! n keys in, q absent keys asked.

use super::super::{Filter, params};
use super::{Asked, Outcome, arrive, ask};
use crate::hash::Source;
use crate::info::WorkloadInfo;
use crate::keys::Arrivals;

/// Its entry in the reference.
pub(super) static INFO: WorkloadInfo = WorkloadInfo {
    name: "membership",
    summary: "n elements are inserted into an empty filter, which is then asked for absent keys. Those are drawn like the elements' own; counted ones are numbers that no element has; of a trace they are the packets from the last one backwards whose key no element has, each once, so that fewer may be asked. A trace that is too short is gone through again under the same hash functions, whatever `trace_end` says but `error`: what is in the filter is asked for with the functions that put it there. With `members = \"distinct\"` the distinct keys of the trace are split, so that it may be asked any number of times. With `queries = 0` the false positive rate is that of the bits alone.",
    decides: &[],
    params: &[
        params::QUERIES,
        params::MEMBERS,
        params::POSITIVES_LAW,
        params::DEVIATION,
        params::SPACE_BOUND,
    ],
};

/// One trial.
pub(super) fn run<F: Filter, S: Source, A: Arrivals>(
    filter: &F,
    store: &mut F::Store,
    arrivals: &mut A,
    source: &mut S,
    wanted: &Asked,
) -> Outcome {
    let elements = filter.size().elements;
    let mut next = 0;
    while wanted.split && next < elements {
        let Some(key) = arrivals.newcomer(next) else { break };
        filter.insert(store, source.element(key));
        next += 1;
    }
    let together = source.together().filter(|_| !A::HAVE_KEYS);
    if together.is_some_and(|from| filter.insert_drawn(store, elements - next, from)) {
        next = elements;
    }
    let mut repeated = 0;
    for element in next..elements {
        let (key, is_repeated) = arrive(arrivals, element);
        repeated += u64::from(is_repeated);
        filter.insert(store, source.element(key));
    }
    let (asked, positive) = ask(filter, store, arrivals, source, wanted);
    Outcome { arrived: elements.into(), repeated, asked, positive, ..Outcome::default() }
}
