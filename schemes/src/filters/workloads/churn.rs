//! Elements that are replaced by new ones.

use rand::{Rng as _, SeedableRng as _};

use super::kept::{Kept, Members};
use super::{Asked, Outcome, arrive, ask};
use crate::Rng;
use crate::filters::{Filter, params};
use crate::hash::{Source, reduce};
use crate::info::WorkloadInfo;
use crate::keys::Arrivals;

/// Its entry in the reference.
pub(super) static INFO: WorkloadInfo = WorkloadInfo {
    name: "churn",
    summary: "n elements are inserted into an empty filter. In each round one of them, at random, is taken out and a new one inserted. At the end the filter is asked for all its members and for absent keys, which are those of `membership`. An element is taken out with the choices with which it was inserted, also where they are drawn at random. A filter whose elements cannot be taken out is refused.",
    decides: &[],
    params: &[params::ROUNDS, params::QUERIES, params::POSITIVES_LAW, params::DEVIATION],
};

/// The lengths of a trial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Churn {
    pub(super) asked: Asked,
    pub(super) rounds: u64,
    /// Most choices of an element.
    pub(super) choices: u32,
}

impl Churn {
    /// One trial, in which `seed` decides which elements are replaced.
    pub(super) fn run<F: Filter, S: Source, A: Arrivals>(
        &self,
        filter: &F,
        store: &mut F::Store,
        arrivals: &mut A,
        source: &mut S,
        seed: u64,
    ) -> Outcome {
        let elements = filter.size().elements;
        let mut members = Members::new(elements, self.choices);
        let (mut repeated, mut kept) = (0, Vec::new());
        let mut join = |element, store: &mut F::Store, arrivals: &mut A, members: &mut Members| {
            let (key, is_repeated) = arrive(arrivals, element);
            kept.clear();
            filter.insert(store, Kept::new(&mut source.element(key), &mut kept));
            members.remember(element, &kept);
            repeated += u64::from(is_repeated);
        };
        for element in 0..elements {
            join(element, store, arrivals, &mut members);
        }
        let mut rng = Rng::seed_from_u64(seed);
        for _ in 0..self.rounds {
            let element = reduce(rng.next_u64(), elements);
            filter.remove(store, members.choices(element));
            arrivals.depart(element);
            join(element, store, arrivals, &mut members);
        }
        let mut denied = 0;
        for element in 0..elements {
            denied += u64::from(!filter.contains(store, members.choices(element)));
        }
        let (asked, positive) = ask(filter, store, arrivals, source, &self.asked);
        let arrived = u64::from(elements) + self.rounds;
        Outcome { arrived, repeated, asked, positive, denied: Some(denied), ..Outcome::default() }
    }
}
