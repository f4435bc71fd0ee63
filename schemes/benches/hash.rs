//! The cost of hashing a key, and of the choices of an element.
//!
//! Each measurement goes through 4,096 keys that lie side by side, their length
//! not known to the compiler; the throughput shown is in keys per second.
//!
//! Best runs on an AMD EPYC (2 cores, shared), in ns per key, beside the best known
//! to us for the same work and 13 bytes:
//!
//! | family            | 13 bytes | 16 bytes | known          |
//! |-------------------|---------:|---------:|----------------|
//! | wang              |      4.5 |      4.4 |                |
//! | multiply-shift    |      1.6 |      1.5 |                |
//! | two-independent   |      3.3 |      3.2 |                |
//! | h3                |      2.1 |      2.5 |                |
//! | simple-tabulation |      2.1 |      2.5 | 3.2            |
//! | toeplitz          |      2.1 |      2.5 |                |
//! | crc32c            |      6.7 |      5.7 |                |
//! | murmur3           |     11.2 |      8.5 |                |
//! | xxh3              |      1.5 |      1.5 | 1.1            |
//! | siphash           |      9.4 |     10.4 | 4.5 (with 1-3) |
//!
//! SipHash-2-4 makes 8 rounds where SipHash-1-3 makes 5. The crates of CRC-32C and
//! MurmurHash3 are made for long inputs: the one first aligns its input, the other
//! reads it through `std::io::Read`.
//!
//! Four choices of a key of 13 bytes, with xxh3: 7.1 ns from seeds, 3.4 ns from
//! slices, 6.0 ns by double hashing while it took a division per choice; drawn at random, 3.6 ns.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use loadfactor_schemes::hash::{
    Choices, Derivation, FamilyVisitor, HashFamily, HashKind, HashSpec, Increment, Source,
    SourceVisitor,
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const KEYS: usize = 4096;

/// Random keys of `length` bytes, one after the other.
fn keys(length: usize) -> Vec<u8> {
    let mut keys = vec![0; KEYS * length];
    Xoshiro256PlusPlus::seed_from_u64(1).fill_bytes(&mut keys);
    keys
}

/// Measures one family.
struct HashKeys<'a, 'c> {
    group: &'a mut BenchmarkGroup<'c, WallTime>,
    keys: &'a [u8],
    length: usize,
    kind: HashKind,
}

impl FamilyVisitor for HashKeys<'_, '_> {
    type Output = ();

    fn visit<F: HashFamily>(self) {
        let family = F::with_independence(self.kind.independence(), 7, self.length);
        self.group.bench_function(self.kind.info().name, |bencher| {
            bencher.iter(|| {
                let keys = self.keys.chunks_exact(black_box(self.length));
                keys.fold(0, |sum: u64, key| sum.wrapping_add(family.hash(key)))
            });
        });
    }
}

/// One hash value per key.
fn families(criterion: &mut Criterion) {
    for length in [13, 16] {
        let mut group = criterion.benchmark_group(format!("hash/{length} bytes"));
        group.throughput(Throughput::Elements(KEYS as u64));
        let keys = keys(length);
        for &kind in HashKind::ALL {
            let work = HashKeys { group: &mut group, keys: &keys, length, kind };
            // The random hash has no family and is measured below.
            let _ = kind.visit(work);
        }
    }
}

/// Measures one source.
struct Choose<'a, 'c> {
    group: &'a mut BenchmarkGroup<'c, WallTime>,
    keys: &'a [u8],
    spec: HashSpec,
}

impl SourceVisitor for Choose<'_, '_> {
    type Output = ();

    fn visit<S: Source>(self) {
        let mut source = S::new(&self.spec, 7);
        let name = format!("{} {}", self.spec.hash(), self.spec.derivation());
        self.group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let buckets = black_box(10_000);
                let keys = self.keys.chunks_exact(black_box(self.spec.max_key_bytes()));
                keys.fold(0, |sum: u32, key| {
                    let mut choices = source.element(key);
                    (0..self.spec.choices())
                        .fold(sum, |sum, _| sum.wrapping_add(choices.next(buckets)))
                })
            });
        });
    }
}

/// Four choices per element, keys of 13 bytes.
fn choices(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("four choices");
    group.throughput(Throughput::Elements(KEYS as u64));
    let keys = keys(13);
    let derivations = [
        Derivation::Seeds,
        Derivation::Slices { bits: 16 },
        Derivation::Progression(Increment::None),
    ];
    let hashed = derivations.map(|derivation| HashSpec::new(HashKind::Xxh3, derivation, 4, 13));
    let random = HashSpec::new(HashKind::Random, Derivation::Seeds, 4, 13);
    for spec in hashed.into_iter().chain([random]).flatten() {
        spec.visit(Choose { group: &mut group, keys: &keys, spec });
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    families(&mut criterion);
    choices(&mut criterion);
    criterion.final_summary();
}
