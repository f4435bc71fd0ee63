//! Trials of multilevel tables and their summaries, beside simulators that do what the text says one element at a time.
//!
//! `fill`: 10,000 elements into the table of Section 4.8. Ours takes the sub-tables one after the other, and makes
//! nearly all choices at once.
//! `failures`: the same, and a summary that is asked for each element. Only what can fail is drawn: the cells of
//! elements of later types, and of each element as many as are found set. Elements of all simulators have drawn choices.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use loadfactor_schemes::Rng;
use loadfactor_schemes::case::Record;
use loadfactor_schemes::families;
use loadfactor_schemes::hash::reduce;
use loadfactor_schemes::keys::KeySource;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::Scalar;
use rand::{Rng as _, SeedableRng};

const ELEMENTS: u32 = 10_000;
const SIZES: [u32; 5] = [40_000, 10_000, 5_000, 2_500, 2_500];
const CELLS: u32 = 120_000;
const CHOICES: u32 = 15;

/// Sums up what is read, so that nothing can be left out.
struct Sum(f64);

impl Record for Sum {
    fn reading(&mut self, _metric: Metric, value: Option<f64>) {
        self.0 += value.unwrap_or_default();
    }

    fn end_of_trial(&mut self) {}
}

fn given() -> Vec<(&'static str, Scalar)> {
    let sizes = SIZES.map(|size| size.to_string()).join(" ");
    vec![("elements", ELEMENTS.into()), ("sub_table_buckets", Scalar::Word(sizes))]
}

/// A trial of this scheme after another.
#[allow(
    clippy::expect_used,
    reason = "the parameters are those of the scheme, and a bench has no caller"
)]
fn case(scheme: &str, own: &[(&str, Scalar)]) -> impl FnMut() -> f64 {
    let given = [&given(), own].concat();
    let case = families::case(scheme, "summary-fill", "random", &given);
    let case = case.expect("the parameters are those of the scheme");
    let mut first = 0;
    move || {
        let mut sum = Sum(0.0);
        case.run(&KeySource::Random, 7, first..first + BATCH, &mut sum);
        first += BATCH;
        sum.0
    }
}

/// Trials that are run at once.
const BATCH: u64 = 16;

fn draw(rng: &mut Rng, places: u32) -> usize {
    reduce(rng.next_u64(), places) as usize
}

/// One element at a time: the type of each, from 1 on.
fn types(rng: &mut Rng) -> Vec<u8> {
    let mut taken = SIZES.map(|size| vec![false; size as usize]);
    let mut place = |_| {
        for ((own, size), taken) in (1..).zip(SIZES).zip(&mut taken) {
            let bucket = draw(rng, size);
            if !std::mem::replace(&mut taken[bucket], true) {
                return own;
            }
        }
        SIZES.len() as u8
    };
    (0..ELEMENTS).map(&mut place).collect()
}

/// Elements of which a summary of one byte per cell tells a wrong type.
fn failing(rng: &mut Rng) -> usize {
    let types = types(rng);
    let group = CELLS / CHOICES;
    let mut cells = vec![0_u8; CELLS as usize];
    let choices = CHOICES as usize;
    let mut chosen = Vec::with_capacity(types.len() * choices);
    for &own in &types {
        for j in 0..CHOICES {
            let cell = (j * group) as usize + draw(rng, group);
            cells[cell] = cells[cell].max(own);
            chosen.push(cell);
        }
    }
    let told =
        chosen.chunks_exact(choices).map(|chosen| chosen.iter().map(|&cell| cells[cell]).min());
    types.iter().zip(told).filter(|(own, told)| Some(**own) != *told).count()
}

/// Bits and choices of the filters B_0, B_1, ..
const FILTERS: [(u32, u32); 5] = [(106_000, 7), (87_500, 49), (5_500, 49), (500, 49), (100, 49)];

/// Elements of which filters of one byte per bit tell a wrong type. B_0 is left out: no absent key is asked for.
fn failing_in_filters(rng: &mut Rng) -> usize {
    let types = types(rng);
    let mut filters = FILTERS.map(|(bits, _)| vec![false; bits as usize]);
    for &own in &types {
        for ((bits, choices), filter) in
            FILTERS.into_iter().zip(&mut filters).take(own.into()).skip(1)
        {
            (0..choices).for_each(|_| filter[draw(rng, bits)] = true);
        }
    }
    let mut fails = |own: usize| {
        let (bits, choices) = FILTERS[own];
        (0..choices).all(|_| filters[own][draw(rng, bits)])
    };
    types.iter().filter(|&&own| usize::from(own) < FILTERS.len() && fails(own.into())).count()
}

fn summaries(c: &mut Criterion) {
    let mut fill = c.benchmark_group("fill");
    fill.throughput(Throughput::Elements(u64::from(ELEMENTS) * BATCH));
    let mut rng = Rng::seed_from_u64(7);
    fill.bench_function("one by one", |b| {
        b.iter(|| (0..BATCH).map(|_| black_box(types(&mut rng)).len()).sum::<usize>());
    });
    let mut trials = case("mht", &[]);
    fill.bench_function("mht", |b| b.iter(|| black_box(trials())));
    fill.finish();

    let mut failures = c.benchmark_group("failures");
    failures.throughput(Throughput::Elements(BATCH));
    failures.bench_function("one by one", |b| {
        b.iter(|| (0..BATCH).map(|_| black_box(failing(&mut rng))).sum::<usize>());
    });
    let single = [("cells", CELLS.into()), ("cell_choices", CHOICES.into())];
    let mut trials = case("single-filter-summary", &single);
    failures.bench_function("single-filter-summary", |b| b.iter(|| black_box(trials())));
    failures.bench_function("one by one, several filters", |b| {
        b.iter(|| (0..BATCH).map(|_| black_box(failing_in_filters(&mut rng))).sum::<usize>());
    });
    let several = [
        ("filter_bits", "106000 87500 5500 500 100".into()),
        ("filter_choices", "7 49 49 49 49".into()),
    ];
    let mut trials = case("multiple-filter-summary", &several);
    failures.bench_function("multiple-filter-summary", |b| b.iter(|| black_box(trials())));
    failures.finish();
}

criterion_group!(benches, summaries);
criterion_main!(benches);
