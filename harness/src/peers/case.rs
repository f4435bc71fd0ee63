//! A point of a set of another crate.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use loadfactor_schemes::case::{Case, Cost, Means, Record, Request};
use loadfactor_schemes::family::SchemeEntry;
use loadfactor_schemes::filters::Size;
use loadfactor_schemes::filters::metrics::FALSE_POSITIVE_RATE;
use loadfactor_schemes::hash::{HashFamily as _, HashKind, Xxh3};
use loadfactor_schemes::info::SchemeInfo;
use loadfactor_schemes::keys::{Arrivals as _, KeySource, MADE_KEY_BYTES, Made, Seeds};
use loadfactor_schemes::params::{ParamError, Scalar};
use loadfactor_schemes::prediction::Outlook;
use loadfactor_schemes::timed::{Operation, Timed, TimedKeys};

/// The workload whose keys are inserted and then asked for.
const WORKLOAD: &str = "membership";

/// A key that is drawn or counted.
pub(super) type Key = [u8; MADE_KEY_BYTES];

/// A set of another crate, which is given hash values of our own.
pub(super) trait Peer: fmt::Debug + Send + 'static {
    /// Its entry in the reference.
    const INFO: SchemeInfo;

    /// A set without elements, where a filter would be of this size.
    fn new(size: &Size) -> Self;

    /// Makes it hold nothing.
    fn clear(&mut self);

    /// Stores a key.
    fn insert(&mut self, key: &Key, hash: impl Fn(&Key) -> u64);

    /// Whether the key may be there.
    fn contains(&self, key: &Key, hash: impl Fn(&Key) -> u64) -> bool;

    /// Bytes that it takes.
    fn bytes(&self) -> u64;
}

/// Its entry in the list of schemes.
pub(super) const fn entry<P: Peer>() -> SchemeEntry {
    SchemeEntry {
        family: "filters",
        info: Described::<P>::INFO,
        case: |request| Ok(Box::new(PeerCase::<P>::read(request)?)),
    }
}

struct Described<P>(P);

impl<P: Peer> Described<P> {
    const INFO: &'static SchemeInfo = &P::INFO;
}

/// A set of another crate under the workload `membership`.
#[derive(Debug)]
struct PeerCase<P> {
    size: Size,
    sequential: bool,
    queries: u64,
    seed_text: String,
    peer: PhantomData<fn() -> P>,
}

impl<P: Peer> PeerCase<P> {
    fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let name = P::INFO.name;
        if request.hash != HashKind::Xxh3 {
            return Err(ParamError::new("hash", format!("`{name}` is given values of `xxh3`")));
        }
        if request.workload.name != WORKLOAD {
            return Err(ParamError::new("kind", format!("`{name}` knows `{WORKLOAD}` alone")));
        }
        let size = Size::from_params(request.params)?;
        let sequential = match request.params.word("keys")? {
            "random" => false,
            "sequential" => true,
            _ => {
                return Err(ParamError::new("keys", format!("the keys of `{name}` have 16 bytes")));
            }
        };
        let queries = request.params.integer("queries")?;
        let seed_text = format!("{name}: {size:?}, {queries} queries, sequential: {sequential}");
        Ok(Self { size, sequential, queries, seed_text, peer: PhantomData })
    }

    /// The set with the keys and the hash function of these seeds.
    fn set(&self, seeds: Seeds) -> Option<PeerSet<P>> {
        let mut arrivals = Made::new(self.sequential);
        arrivals.begin(seeds.keys);
        let keys = TimedKeys::draw(&mut arrivals, self.size.elements, self.queries)?;
        let member = Xxh3::with_seed(seeds.hash, MADE_KEY_BYTES);
        Some(PeerSet { set: P::new(&self.size), member, keys, inserted: 0 })
    }
}

impl<P: Peer> Case for PeerCase<P> {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, _keys: &KeySource) -> Cost {
        let keys = u64::from(self.size.elements) + self.queries;
        // A set of keys has a few more places than keys.
        let bytes = 3 * u64::from(self.size.elements) * MADE_KEY_BYTES as u64;
        Cost { operations: 2.0 * keys as f64, bytes: bytes + keys * TimedKeys::BYTES_PER_KEY }
    }

    fn arrivals(&self) -> u64 {
        self.size.elements.into()
    }

    fn run(&self, _keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        for number in trials {
            let answers = self.set(Seeds::of(seed, number)).map(|mut set| {
                set.run(Operation::Insert, set.elements());
                set.answers()
            });
            let rate = answers.and_then(|answers| answers.false_positive_rate());
            out.reading(FALSE_POSITIVE_RATE, rate);
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
        vec![
            ("elements", Some(self.size.elements.into())),
            ("bits_per_element", Some(self.size.bits_per_element().into())),
        ]
    }

    fn timed(&self, _keys: &KeySource, seed: u64) -> Option<Box<dyn Timed>> {
        Some(Box::new(self.set(Seeds::of(seed, 0))?))
    }

    fn timed_bytes(&self, keys: &KeySource) -> Option<u64> {
        Some(self.cost(keys).bytes)
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let queries = self.queries.min(operations as u64).max(1);
        let seed_text = self.seed_text.clone();
        Box::new(Self {
            queries,
            seed_text,
            size: self.size,
            sequential: self.sequential,
            peer: PhantomData,
        })
    }
}

/// A set with its keys and the function that it is given values of.
struct PeerSet<P> {
    set: P,
    member: Xxh3,
    keys: TimedKeys,
    inserted: u64,
}

impl<P: Peer> Timed for PeerSet<P> {
    fn elements(&self) -> u64 {
        self.keys.elements()
    }

    fn absent(&self) -> u64 {
        self.keys.absent()
    }

    fn clear(&mut self) {
        self.set.clear();
        self.keys.rewind_stored();
        self.inserted = 0;
    }

    fn run(&mut self, operation: Operation, count: u64) -> u64 {
        let Self { set, member, keys, inserted } = self;
        let hash = |key: &Key| member.hash(key);
        let mut yes = 0;
        match operation {
            Operation::Hit => {
                for _ in 0..count {
                    let key = keys.next_stored().as_array();
                    yes += u64::from(key.is_some_and(|key| set.contains(key, hash)));
                }
            }
            Operation::Miss => {
                for _ in 0..count {
                    let key = keys.next_absent().as_array();
                    yes += u64::from(key.is_some_and(|key| set.contains(key, hash)));
                }
            }
            Operation::Insert => {
                let count = count.min(keys.elements() - *inserted);
                for _ in 0..count {
                    if let Some(key) = keys.next_stored().as_array() {
                        set.insert(key, hash);
                    }
                }
                *inserted += count;
                yes = count;
            }
        }
        yes
    }

    fn bytes(&self) -> u64 {
        self.set.bytes()
    }
}

#[cfg(test)]
mod tests {
    use loadfactor_schemes::family::SchemeEntry;
    use loadfactor_schemes::params::Params;

    use super::super::{fastbloom, hashbrown};
    use super::*;

    fn case(entry: SchemeEntry, workload: &str) -> Result<Box<dyn Case>, ParamError> {
        let mut params = Params::default();
        for (name, value) in
            [("elements", 1000_i64), ("bits", 10_240), ("choices", 5), ("queries", 20_000)]
        {
            params.set(name, value.into());
        }
        params.set("keys", "random".into());
        let families = loadfactor_schemes::families::family("filters").unwrap();
        let mut workloads = families.workloads.iter();
        let workload = workloads.find(|own| own.name == workload).unwrap();
        let request =
            Request { scheme: entry.info, workload, hash: HashKind::Xxh3, params: &params };
        (entry.case)(&request)
    }

    #[test]
    fn other_workloads_are_not_taken_for_membership() {
        for entry in [entry::<fastbloom::Filter>(), entry::<hashbrown::Set>()] {
            let error = case(entry, "churn").unwrap_err().to_string();
            assert!(error.contains("knows `membership` alone"), "{error}");
        }
    }

    /// As those of our own are tested.
    #[test]
    fn sets_of_other_crates_know_their_elements() {
        for (entry, rate) in
            [(entry::<fastbloom::Filter>(), 0.0086), (entry::<hashbrown::Set>(), 0.0)]
        {
            let case = case(entry, "membership").unwrap();
            let mut set = case.timed(&KeySource::Random, 3).unwrap();
            assert_eq!(set.run(Operation::Insert, 4000), 1000);
            assert_eq!(set.run(Operation::Hit, 2500), 2500);
            let measured = set.answers().false_positive_rate().unwrap();
            assert!((measured - rate).abs() < 0.0045, "{} {measured}", entry.info.name);
            set.clear();
            assert_eq!(set.run(Operation::Miss, 100), 0);
        }
    }
}
