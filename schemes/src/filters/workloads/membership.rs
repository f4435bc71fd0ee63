//! n keys in, q absent keys asked.

use super::super::{Filter, params};
use super::{Asked, Outcome, arrive, ask};
use crate::hash::Source;
use crate::info::WorkloadInfo;
use crate::keys::Arrivals;

/// Its entry in the reference.
pub(super) static INFO: WorkloadInfo = WorkloadInfo {
    name: "membership",
    summary: "n elements are inserted into an empty filter, which is then asked for absent keys. Those are drawn like the elements' own; counted ones are numbers that no element has; of a trace they are the packets from the last one backwards whose key no element has, each once, so that fewer may be asked. A trace that is too short is gone through again under the same hash functions, whatever `trace_end` says but `error`: what is in the filter is asked for with the functions that put it there. With `members = \"distinct\"` the distinct keys of the trace are split, so that it may be asked any number of times; a trace of too few distinct keys is refused. With `queries = 0` the false positive rate is that of the bits alone.",
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
    let together = source.together().filter(|_| !A::HAVE_KEYS);
    let all_are_in = together.is_some_and(|from| filter.insert_drawn(store, elements, from));
    let (mut arrived, mut repeated) = (if all_are_in { elements } else { 0 }, 0);
    while arrived < elements {
        let element = arrived;
        let next = match wanted.split {
            true => arrivals.newcomer(element).map(|key| (key, false)),
            false => Some(arrive(arrivals, element)),
        };
        let Some((key, is_repeated)) = next else { break };
        filter.insert(store, source.element(key));
        arrived += 1;
        repeated += u64::from(is_repeated);
    }
    let together = source.together().filter(|_| !A::HAVE_KEYS);
    let (asked, positive) =
        match together.and_then(|from| filter.ask_drawn(store, wanted.queries, from)) {
            Some(positive) => (wanted.queries, positive),
            None => ask(filter, store, arrivals, source, wanted),
        };
    Outcome { arrived: arrived.into(), repeated, asked, positive, ..Outcome::default() }
}
