//! Trials in which it is read ahead who departs.

use std::marker::PhantomData;

use super::*;
use crate::hash::{Derivation, HashKind};
use crate::keys::{KeySource, Keyed, TraceKeys, visit};
use crate::params::{Params, Scalar};
use crate::tables::multiple::Multiple;
use crate::tables::second_chance::SecondChance;
use crate::tables::single::Single;
use crate::tables::{Scheme, TableVisitor};

const ELEMENTS: u32 = 50;

/// Trials of one table, with and without reading ahead, on the same arrivals.
struct Trials<A, S> {
    arrivals: A,
    hash: HashSpec,
    source: PhantomData<fn() -> S>,
}

impl<S: Source, A: Arrivals> TableVisitor for Trials<A, S> {
    type Output = ();

    fn visit<T: Table>(self, mut table: T) {
        let Self { mut arrivals, hash, .. } = self;
        for filled in [true, false] {
            let rounds = Rounds::Window { filled, warm_up: 133, rounds: 1001 };
            let mut all = Vec::new();
            for far in [false, true] {
                let (setting, seeds) =
                    (Setting { elements: ELEMENTS, hash: &hash, far }, Seeds::of(3, 1));
                table.clear();
                arrivals.begin(seeds.keys);
                let sums;
                (table, arrivals, sums) = run::<_, S, _>(table, arrivals, setting, rounds, &seeds);
                all.push((sums, table.occupancy(), table.overflow()));
            }
            assert!(all[0].0.overflowed > 0 && all[0] == all[1], "{all:?}");
        }
    }
}

/// The scheme with these parameters, whose table it makes.
struct Of<'g, P> {
    given: &'g [(&'g str, Scalar)],
    hash: HashSpec,
    scheme: PhantomData<P>,
}

impl<P: Scheme> Keyed for Of<'_, P> {
    type Output = ();

    fn run<S: Source, A: Arrivals>(self, arrivals: A) {
        let params = Params::complete(P::INFO.params, self.given).unwrap();
        let trials = Trials::<A, S> { arrivals, hash: self.hash, source: PhantomData };
        P::from_params(&params).unwrap().table(true, trials);
    }
}

fn check<P: Scheme>(choices: u32, given: &[(&str, Scalar)]) {
    let hash = HashSpec::new(HashKind::Xxh3, Derivation::Seeds, choices, 16).unwrap();
    let keys: Vec<[u8; 2]> = (0..171_u16).map(|packet| (packet % 97).to_be_bytes()).collect();
    let trace: TraceKeys = keys.iter().map(|key| &key[..]).collect();
    let trace = KeySource::Trace { keys: trace.into(), renew: true, shuffled: false };
    for keys in [KeySource::Random, trace] {
        let given = [&[("elements", Scalar::from(ELEMENTS))], given].concat();
        visit(&hash, &keys, ELEMENTS, Of::<P> { given: &given, hash, scheme: PhantomData });
    }
}

/// It changes nothing but the time: neither where a pass over a trace ends within the rounds that are read ahead, nor at the
/// end of the warm-up.
#[test]
fn reading_ahead_changes_nothing() {
    let of = |size: u32| [("buckets", 40_u32.into()), ("bucket_size", size.into())];
    let moving_back = [("move_back", Scalar::from("deletion"))];
    check::<Single>(1, &of(1));
    check::<Single>(1, &[&of(1)[..], &moving_back].concat());
    check::<Multiple>(2, &[&of(1)[..], &[("choices", 2_u32.into())]].concat());
    let sub_tables = [("buckets_per_element", Scalar::from("0.4 0.3 0.2"))];
    check::<SecondChance>(3, &sub_tables);
    check::<SecondChance>(3, &[&sub_tables[..], &moving_back].concat());
}
