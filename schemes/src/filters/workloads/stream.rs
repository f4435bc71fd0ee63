//! Packets that are asked for first: a detector of duplicates.

use super::kept::Kept;
use super::{Outcome, arrive};
use crate::filters::{Filter, params};
use crate::hash::Source;
use crate::info::WorkloadInfo;
use crate::keys::Arrivals;

/// Its entry in the reference.
pub(super) static INFO: WorkloadInfo = WorkloadInfo {
    name: "stream",
    summary: "Packets arrive at an empty filter, which is asked for the key of each and then takes it in, unless it said yes: it detects duplicates. The absent keys asked for are the first packets of their keys, so that the false positive rate is the share of these that are taken for duplicates. With made keys, and with `hash = \"random\"`, every packet is the first. A trace that is too short is gone through again under the same hash functions, so that all further packets are duplicates.",
    decides: &["elements", "bits_per_element"],
    params: &[params::PACKETS],
};

/// One trial.
pub(super) fn run<F: Filter, S: Source, A: Arrivals>(
    filter: &F,
    store: &mut F::Store,
    arrivals: &mut A,
    source: &mut S,
    packets: u32,
) -> Outcome {
    let mut outcome = Outcome { arrived: packets.into(), ..Outcome::default() };
    let mut kept = Vec::new();
    for packet in 0..packets {
        let (key, is_repeated) = arrive(arrivals, packet);
        let mut choices = source.element(key);
        kept.clear();
        let is_duplicate = filter.contains(store, Kept::new(&mut choices, &mut kept));
        if !is_duplicate {
            filter.insert(store, Kept::new(&mut choices, &mut kept));
        }
        outcome.repeated += u64::from(is_repeated);
        if !is_repeated || !S::LOOKS_AT_KEYS {
            outcome.asked += 1;
            outcome.positive += u64::from(is_duplicate);
        }
    }
    outcome
}
