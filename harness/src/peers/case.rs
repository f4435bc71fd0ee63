//! A point of a set of another crate.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use loadfactor_schemes::case::{Case, Cost, Means, Record, Request};
use loadfactor_schemes::family::SchemeEntry;
use loadfactor_schemes::hash::{HashFamily as _, HashKind, Xxh3};
use loadfactor_schemes::info::SchemeInfo;
use loadfactor_schemes::keys::{Arrivals as _, KeySource, MADE_KEY_BYTES, Made, Seeds};
use loadfactor_schemes::params::{ParamError, Scalar};
use loadfactor_schemes::prediction::Outlook;
use loadfactor_schemes::timed::{Operation, Timed, TimedKeys, Untimed, WithKeys};

use super::beside::Beside;
use super::set::{Hashing, Set};

/// A set of another crate as a scheme.
pub(super) trait Peer: fmt::Debug + Send + 'static {
    /// What it stands beside.
    type Beside: Beside;

    /// What it is.
    type Set: Set;

    /// Its entry in the reference.
    const INFO: SchemeInfo;

    /// A set without elements of this size.
    fn set(beside: &Self::Beside) -> Self::Set;
}

/// Its entry in the list of schemes.
pub(super) const fn entry<P: Peer>() -> SchemeEntry {
    SchemeEntry {
        family: P::Beside::FAMILY,
        info: Described::<P>::INFO,
        case: |request| Ok(Box::new(PeerCase::<P>::read(request)?)),
    }
}

struct Described<P>(P);

impl<P: Peer> Described<P> {
    const INFO: &'static SchemeInfo = &P::INFO;
}

/// A set of another crate with its size.
#[derive(Debug)]
struct PeerCase<P: Peer> {
    beside: P::Beside,
    sequential: bool,
    seed_text: String,
    peer: PhantomData<fn() -> P>,
}

impl<P: Peer> PeerCase<P> {
    fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let name = P::INFO.name;
        if request.hash != HashKind::Xxh3 {
            return Err(ParamError::new("hash", format!("`{name}` is given values of `xxh3`")));
        }
        if request.workload.name != P::Beside::WORKLOAD {
            let known = P::Beside::WORKLOAD;
            return Err(ParamError::new("kind", format!("`{name}` knows `{known}` alone")));
        }
        let beside = P::Beside::read(request.params)?;
        let sequential = match request.params.word("keys")? {
            "random" => false,
            "sequential" => true,
            _ => {
                return Err(ParamError::new("keys", format!("the keys of `{name}` have 16 bytes")));
            }
        };
        let seed_text = format!("{name}: {beside:?}, sequential: {sequential}");
        Ok(Self { beside, sequential, seed_text, peer: PhantomData })
    }

    /// The set with the keys and the hash function of these seeds.
    fn set(&self, seeds: Seeds) -> Option<WithKeys<Hashing<P::Set>>> {
        let mut arrivals = Made::new(self.sequential);
        arrivals.begin(seeds.keys);
        let (elements, absent) = (self.beside.elements(), self.beside.absent());
        let keys = TimedKeys::draw(&mut arrivals, elements, absent)?;
        let member = Xxh3::with_seed(seeds.hash, MADE_KEY_BYTES);
        Some(WithKeys { structure: Hashing { set: P::set(&self.beside), member }, keys })
    }
}

impl<P: Peer> Case for PeerCase<P> {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, _keys: &KeySource) -> Cost {
        let keys = u64::from(self.beside.elements()) + self.beside.absent();
        let bytes = self.beside.bytes() + keys * TimedKeys::BYTES_PER_KEY;
        Cost { operations: 2.0 * keys as f64, bytes }
    }

    fn arrivals(&self) -> u64 {
        self.beside.elements().into()
    }

    fn run(&self, _keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        for number in trials {
            if let Some(metric) = P::Beside::OF_ABSENT_KEYS {
                let answers = self.set(Seeds::of(seed, number)).map(|mut set| {
                    set.run(Operation::Insert, set.elements());
                    set.answers()
                });
                let rate = answers.and_then(|answers| answers.false_positive_rate());
                out.reading(metric, rate);
            }
            out.end_of_trial();
        }
    }

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        Outlook { predictions: Vec::new(), missing: None }
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, _things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        None
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        self.beside.columns()
    }

    fn timed(&self, _keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        Ok(Box::new(self.set(Seeds::of(seed, 0)).ok_or(Untimed::NO_KEYS)?))
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        Ok(self.cost(keys).bytes)
    }

    fn deletes(&self) -> bool {
        P::Set::DELETES
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        Box::new(Self {
            beside: self.beside.with_absent((operations as u64).max(1)),
            sequential: self.sequential,
            seed_text: self.seed_text.clone(),
            peer: PhantomData,
        })
    }
}

#[cfg(test)]
mod tests {
    use loadfactor_schemes::families::family;
    use loadfactor_schemes::params::{Params, Scalar};

    use super::super::table::{Chains, CuckooTables, Probing, Tables};
    use super::super::{fastbloom, hashbrown};
    use super::*;

    const FILTER: [(&str, i64); 4] =
        [("elements", 1000), ("bits", 10_240), ("choices", 5), ("queries", 20_000)];
    const TABLE: [(&str, i64); 3] = [("elements", 1000), ("buckets", 300), ("bucket_size", 4)];
    const SLOTS: [(&str, i64); 3] = [("elements", 1000), ("buckets", 1200), ("queries", 900)];

    fn case(
        entry: SchemeEntry,
        workload: &str,
        given: &[(&str, i64)],
    ) -> Result<Box<dyn Case>, ParamError> {
        let mut params = Params::default();
        for &(name, value) in given {
            params.set(name, Scalar::Integer(value));
        }
        params.set("keys", "random".into());
        let mut workloads = family(entry.family).unwrap().workloads.iter();
        let workload = workloads.find(|own| own.name == workload).unwrap();
        let request =
            Request { scheme: entry.info, workload, hash: HashKind::Xxh3, params: &params };
        (entry.case)(&request)
    }

    #[test]
    fn other_workloads_are_not_taken_for_membership() {
        for entry in [entry::<fastbloom::Fastbloom>(), entry::<hashbrown::BesideFilters>()] {
            let error = case(entry, "churn", &FILTER).unwrap_err().to_string();
            assert!(error.contains("knows `membership` alone"), "{error}");
        }
    }

    /// As those of our own are tested.
    #[test]
    fn sets_of_other_crates_know_their_elements() {
        for (entry, workload, given, rate) in [
            (entry::<fastbloom::Fastbloom>(), "membership", &FILTER[..], 0.0086),
            (entry::<hashbrown::BesideFilters>(), "membership", &FILTER, 0.0),
            (entry::<hashbrown::BesideTables<Tables>>(), "static-fill", &TABLE, 0.0),
            (entry::<hashbrown::BesideTables<CuckooTables>>(), "cuckoo-build", &TABLE, 0.0),
            (entry::<hashbrown::BesideTables<Probing>>(), "probing-fill", &SLOTS, 0.0),
            (entry::<hashbrown::BesideTables<Chains>>(), "chains-fill", &SLOTS, 0.0),
        ] {
            let case = case(entry, workload, given).unwrap();
            let mut set = case.timed(&KeySource::Random, 3).unwrap();
            assert_eq!(set.run(Operation::Insert, 4000), 1000);
            assert_eq!(set.run(Operation::Hit, 2500), 2500);
            let measured = set.answers().false_positive_rate().unwrap();
            let room = if rate > 0.0 { 0.0017 } else { 0.0 };
            assert!((measured - rate).abs() <= room, "{} {measured}", entry.info.name);
            if case.deletes() {
                assert_eq!(set.run(Operation::Delete, 600), 600);
                assert_eq!(set.run(Operation::Hit, 1000), 400);
            }
            assert!(case.timed_bytes(&KeySource::Random).unwrap() > set.bytes());
            set.clear();
            assert_eq!(set.run(Operation::Miss, 100), 0);
        }
    }

    /// A table of hashbrown has the room of the table that it stands beside, so that it never grows.
    #[test]
    fn a_peer_of_tables_has_their_places() {
        for (entry, workload, given) in [
            (entry::<hashbrown::BesideTables<Tables>>(), "static-fill", TABLE),
            (entry::<hashbrown::BesideTables<Probing>>(), "probing-fill", SLOTS),
        ] {
            let case = case(entry, workload, &given).unwrap();
            let mut set = case.timed(&KeySource::Random, 3).unwrap();
            let before = set.bytes();
            assert!(before > 1200 * 16, "{before}");
            set.run(Operation::Insert, 1000);
            assert_eq!(set.bytes(), before);
        }
    }
}
