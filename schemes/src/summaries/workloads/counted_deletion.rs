//! Elements that are taken out of table and summary, and new ones that take their places.

use rand::{Rng as _, SeedableRng as _};

use crate::Rng;
use crate::hash::{Source, reduce};
use crate::info::WorkloadInfo;
use crate::keys::Arrivals;
use crate::summaries::Summary;
use crate::summaries::keyed::{Functions, Keyed};
use crate::summaries::params::{LEFT_AFTER, QUERIES, ROUNDS};

/// Its entry in the reference.
pub(super) static INFO: WorkloadInfo = WorkloadInfo {
    name: "counted-deletion",
    summary: "n elements go into an empty table and its summary. In each round one of them, at random, is taken out of both and a new one inserted, which goes to the first sub-table where its bucket is empty. At the end the summary is asked for every element and for absent keys, which are those of `summary-fill`. A summary that elements cannot be taken out of is refused, and so is `hash = \"random\"`, as an element is taken out with the choices that it was inserted with. A trace must have distinct keys for all elements that arrive.",
    decides: &[],
    params: &[ROUNDS, QUERIES, LEFT_AFTER],
};

/// The rounds after the first n elements, in which `seed` decides who leaves; they end where no new key is left.
pub(in crate::summaries) fn replace<S: Summary, H: Source>(
    keyed: &mut Keyed<'_, S>,
    arrivals: &mut impl Arrivals,
    functions: &mut Functions<H>,
    (rounds, seed): (u64, u64),
) {
    let mut rng = Rng::seed_from_u64(seed);
    for _ in 0..rounds {
        let element = reduce(rng.next_u64(), keyed.elements());
        keyed.take_out(element, functions);
        arrivals.depart(element);
        if !keyed.arrive(element, arrivals, functions) {
            break;
        }
    }
}
