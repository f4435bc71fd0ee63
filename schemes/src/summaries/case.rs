//! A point of the family of summaries.

use std::ops::Range;

use rand::SeedableRng as _;

use super::keyed::{Functions, Keyed};
use super::outlook::{self, Known};
use super::params::READ_ONLY;
use super::workloads::{Workload, counted_deletion};
use super::{Answers, Census, Fill, Hashing, Multilevel, Summary, metrics, rare, readings, timed};
use crate::Rng;
use crate::case::{Case, Cost, Means, Record, Request};
use crate::family::SchemeEntry;
use crate::hash::{HashKind, HashSpec, Source, derive_seed};
use crate::info::SchemeInfo;
use crate::keys::{self, Arrivals, KEY_PARAMS, KeySource, Made, Seeds};
use crate::occupancy;
use crate::params::{ParamError, Scalar};
use crate::prediction::Outlook;
use crate::rare::{Event, MadeFor, NotRare, Rare};
use crate::timed::{Timed, TimedKeys, Untimed};

/// The name of the family.
pub(super) const NAME: &str = "summaries";

/// The entry of a summary in the list of schemes.
pub const fn entry<S: Summary>() -> SchemeEntry {
    SchemeEntry { family: NAME, info: Described::<S>::INFO, case: read::<S> }
}

/// A point of it.
///
/// # Errors
/// The first parameter that cannot be used.
pub(super) fn read<S: Summary>(request: &Request<'_>) -> Result<Box<dyn Case>, ParamError> {
    Ok(Box::new(SummaryCase::<S>::read(request)?))
}

struct Described<S>(S);

impl<S: Summary> Described<S> {
    const INFO: &'static SchemeInfo = &S::INFO;
}

/// A table with its summary under a workload, with hash functions.
#[derive(Debug, Clone)]
struct SummaryCase<S> {
    table: Multilevel,
    summary: S,
    workload: Workload,
    /// That of the table, and those of the summary.
    hashes: Vec<HashSpec>,
    /// The keys, unless they are those of a trace, of which fewer than `queries` may be absent.
    made: Option<Made>,
    seed_text: String,
    known: Known,
}

impl<S: Summary> SummaryCase<S> {
    fn read(request: &Request<'_>) -> Result<Self, ParamError> {
        let params = request.params;
        let table = Multilevel::from_params(params)?;
        let summary = S::from_params(params, &table)?;
        let workload = Workload::read::<S>(request.workload, params)?;
        if workload.needs_keys() && request.hash == HashKind::Random {
            return Err(ParamError::new("hash", NO_CHOICES_KEPT));
        }
        let of_table =
            Hashing { choices: table.types().into(), places: table.widest(), are: "buckets" };
        let all = std::iter::once(of_table).chain(summary.hashes());
        let hashes: Vec<HashSpec> =
            all.map(|own| spec_of::<S>(own, request)).collect::<Result<_, _>>()?;
        let made = Made::from_params(params)?;
        let seed_text = seed_text(request, &table);
        let known = Known::default();
        Ok(Self { table, summary, workload, hashes, made, seed_text, known })
    }

    /// What theory says, which knows choices alone that fall on all places alike, and of the types of elements those in
    /// tables that were filled and left as they are: where elements are replaced, later sub-tables take what found an
    /// earlier one full at its time.
    fn predicted(&self) -> Outlook {
        let asked = self.workload.asked();
        if self.workload.rounds() > 0 && self.is_ideal() {
            let predictions = self.summary.predictions_of_any_table(&asked);
            return Outlook { predictions, missing: None };
        }
        if !self.is_ideal_table() || self.workload.rounds() > 0 {
            return Outlook::default();
        }
        self.known.following(&self.table, |law| {
            let asked = self.workload.asked();
            let predictions = outlook::of_table(law, asked.left_after);
            let mut outlook = Outlook { predictions, missing: None };
            if self.is_ideal() {
                let is_drawn = self.hashes[0].hash() == HashKind::Random;
                let of_summary = self.summary.predictions(law, &asked).into_iter();
                let measured =
                    of_summary.filter(|p| is_drawn || !S::DRAWN_ALONE.contains(&p.metric));
                outlook.predictions.extend(measured);
                outlook.missing = self.summary.missing(law);
            }
            outlook
        })
    }

    /// Accesses to the table and its summary for an element, about: several choices of a summary cost as much as one
    /// bucket.
    fn operations_per_element(&self) -> f64 {
        f64::from(2 + self.summary.choices_per_element() / 4)
    }

    /// Whether the table is filled as its laws have it.
    fn is_ideal_table(&self) -> bool {
        outlook::is_ideal(&self.hashes[0], &self.table)
    }

    /// Whether each choice is a draw of its own, so that elements are no more than their number.
    fn draws_choices(&self) -> bool {
        self.hashes[0].hash() == HashKind::Random && !self.hashes[0].is_progression()
    }

    /// The hash function of the table with keys that are made for it.
    ///
    /// # Errors
    /// Where the keys are those of a trace.
    fn made_for(&self) -> Result<MadeFor, NotRare> {
        MadeFor::new(self.hashes[0], self.made.as_ref())
    }

    /// Whether the choices of the summary are independent and fall on all places alike.
    fn is_ideal(&self) -> bool {
        let is_even = |(spec, own): (&HashSpec, Hashing)| {
            !spec.is_progression() && spec.spread(own.places).is_none()
        };
        self.hashes[1..].iter().zip(self.summary.hashes()).all(is_even)
    }
}

/// Why drawn choices will not do.
const NO_CHOICES_KEPT: &str = "an element is met again with the choices that it was inserted with, which are not kept where they are drawn; give a hash function of keys, such as `hash = \"xxh3\"`";

fn spec_of<S: Summary>(own: Hashing, request: &Request<'_>) -> Result<HashSpec, ParamError> {
    let places = (own.places, own.are);
    let spec = HashSpec::from_params(request.hash, request.params, own.choices, places)?;
    if S::TELLS && spec.hash() == HashKind::Random && spec.is_progression() {
        return Err(ParamError::new("choices_from", NO_CHOICES_KEPT));
    }
    Ok(spec)
}

/// Workload, table and keys: the same for every summary and hash function.
pub(super) fn seed_text(request: &Request<'_>, table: &Multilevel) -> String {
    let mut text = format!(
        "{} table of {} elements in {:?}",
        request.workload.name,
        table.elements(),
        table.sizes()
    );
    let of_trials = request.workload.params.iter().filter(|param| !READ_ONLY.contains(&param.name));
    for name in of_trials.chain(KEY_PARAMS).map(|param| param.name) {
        let value = request.params.get(name).map_or_else(String::new, ToString::to_string);
        text += &format!("\n{name}={value}");
    }
    text
}

impl<S: Summary> Case for SummaryCase<S> {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    /// Drawn choices in sub-tables were made one by one at first. A summary has no more than two revisions of its own.
    fn revision(&self) -> u32 {
        self.summary.revision() + 2 * u32::from(self.draws_choices())
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let one_by_one = self.cost_one_by_one(keys);
        if !self.draws_choices() {
            return one_by_one;
        }
        let elements = self.table.elements();
        let of_table = f64::from(self.table.types()) * occupancy::operations(elements.into());
        let of_summary = self.summary.operations_of_drawn(elements);
        let asked = self.workload.asked().queries as f64 / 4.0;
        Cost { operations: of_table + of_summary + asked, ..one_by_one }
    }

    fn cost_one_by_one(&self, keys: &KeySource) -> Cost {
        let elements = self.arrivals() as f64;
        let asked = self.workload.asked().queries as f64;
        let words = f64::from(self.table.buckets()) / 64.0;
        let operations = elements * self.operations_per_element() + asked * 2.0 + words;
        let of_keys = match self.draws_choices() {
            true => 0,
            false => keys::MADE_KEY_BYTES as u64 + 9 + keys.bytes_per_element(),
        };
        let bytes = self.summary.working_bytes(self.table.elements())
            + u64::from(self.table.buckets() / u8::BITS)
            + u64::from(self.table.elements()) * of_keys
            + keys.bytes();
        Cost { operations, bytes }
    }

    fn arrivals(&self) -> u64 {
        u64::from(self.table.elements()) + self.workload.rounds()
    }

    fn distinct_keys(&self) -> u64 {
        self.arrivals() + u64::from(self.workload.asked().queries > 0)
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let batch = Batch { case: self, seed, trials, out };
        keys::visit(&self.hashes[0], keys, self.table.elements(), batch);
    }

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        self.known.outlook(|| self.predicted())
    }

    fn check_rare(&self, event: &Event) -> Result<(), NotRare> {
        if self.workload.needs_keys() {
            return Err(NotRare::nothing());
        }
        rare::check::<S>(&self.table, event)?;
        self.made_for().map(drop)
    }

    fn rare(&self, event: &Event) -> Result<Box<dyn Rare>, NotRare> {
        rare::trials(&self.table, &self.summary, (self.made_for()?, &self.hashes[1..]), event)
    }

    fn rare_bytes(&self) -> u64 {
        rare::most_bytes(&self.table, &self.summary, self.draws_choices())
    }

    fn event_outlook(&self, event: &Event) -> Outlook {
        let is_crisis = event.metric == metrics::CRISIS_ELEMENTS;
        if !self.is_ideal_table() || !(is_crisis || self.is_ideal()) {
            return Outlook::default();
        }
        self.known.following(&self.table, |law| match is_crisis {
            true => rare::crisis_outlook(law, event.beyond),
            false => self.summary.failure_outlook(law),
        })
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        match things {
            metrics::ELEMENTS => Some(self.table.elements().into()),
            metrics::QUERIES => self.made.is_some().then_some(self.workload.asked().queries as f64),
            _ => None,
        }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        Vec::new()
    }

    fn timed(&self, keys: &KeySource, seed: u64) -> Result<Box<dyn Timed>, Untimed> {
        let (table, summary) = (self.table.clone(), self.summary.clone());
        let asked = (self.workload.asked().queries, seed);
        timed::summarised(table, summary, &self.hashes, keys, asked)
    }

    fn timed_bytes(&self, keys: &KeySource) -> Result<u64, Untimed> {
        if self.hashes[0].hash() == HashKind::Random {
            return Err(Untimed::NO_KEYS);
        }
        let asked = u64::from(self.table.elements()) + self.workload.asked().queries;
        let of_buckets = u64::from(self.table.buckets()) * keys::LONGEST_TRACE_KEY as u64;
        Ok(self.cost(keys).bytes + of_buckets + asked * TimedKeys::BYTES_PER_KEY)
    }

    fn deletes(&self) -> bool {
        S::REMOVES
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let at_most = (operations / self.operations_per_element()).max(1.0) as u64;
        let fewer = u64::from(self.table.elements()).min(at_most) as u32;
        let (table, workload) = (self.table.holding(fewer), self.workload.shortened(at_most));
        Box::new(Self { table, workload, known: Known::default(), ..self.clone() })
    }
}

struct Batch<'a, S> {
    case: &'a SummaryCase<S>,
    seed: u64,
    trials: Range<u64>,
    out: &'a mut dyn Record,
}

impl<S: Summary> keys::Keyed for Batch<'_, S> {
    type Output = ();

    fn run<H: Source, A: Arrivals>(self, arrivals: A) {
        if self.case.draws_choices() { self.drawn() } else { self.keyed::<H, A>(arrivals) }
    }
}

impl<S: Summary> Batch<'_, S> {
    /// Trials of elements one after the other, which have keys or, without a summary, choices that are drawn together.
    fn keyed<H: Source, A: Arrivals>(self, mut arrivals: A) {
        let Self { case, seed, trials, out } = self;
        let key_bytes = case.hashes[0].max_key_bytes();
        let mut keyed = Keyed::new(&case.table, &case.summary, key_bytes);
        for number in trials {
            let seeds = Seeds::of(seed, number);
            arrivals.begin(seeds.keys);
            let mut functions = Functions::<H>::new(&case.hashes, seeds.hash);
            keyed.fill(&mut arrivals, &mut functions);
            let replaced = (case.workload.rounds(), seeds.departures);
            counted_deletion::replace(&mut keyed, &mut arrivals, &mut functions, replaced);
            let (census, asked) = (keyed.census(), case.workload.asked());
            let mut answers = keyed.ask(&census, &mut arrivals, &mut functions, &asked);
            answers.given = answers.given.filter(|_| case.is_ideal());
            case.record(&census, &answers, out);
        }
    }

    /// Trials of elements whose choices are drawn. The table has a generator of its own, so that it is filled alike
    /// under every summary.
    fn drawn(self) {
        let Self { case, seed, trials, out } = self;
        let (mut fill, mut drawn) = (Fill::new(&case.table), case.summary.drawn());
        for number in trials {
            let seeds = Seeds::of(seed, number);
            let [mut of_table, mut of_summary] =
                [0, 1].map(|use_| Rng::seed_from_u64(derive_seed(seeds.hash, use_)));
            let census = fill.run(&mut of_table);
            let asked = case.workload.asked();
            let answers = case.summary.ask_drawn(&mut drawn, census, &asked, &mut of_summary);
            case.record(census, &answers, out);
        }
    }
}

impl<S: Summary> SummaryCase<S> {
    fn record(&self, census: &Census, answers: &Answers, out: &mut dyn Record) {
        let asked = self.workload.asked();
        readings::of_table(census, asked.left_after, out);
        let buckets = self.table.buckets();
        out.reading(metrics::TABLE_BUCKETS, Some(buckets.into()));
        match self.summary.bytes(self.table.elements()) {
            None => readings::of_accesses(census, out),
            Some(bytes) => {
                if self.summary.is_asked() {
                    readings::of_answers(answers, census, asked.queries, out);
                }
                let bytes = bytes + self.table.bit_table_bytes();
                out.reading(metrics::SUMMARY_BYTES, Some(bytes as f64));
                self.summary.record(answers, out);
            }
        }
        out.end_of_trial();
    }
}
