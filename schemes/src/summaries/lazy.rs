//! A multilevel table under lazy deletion (Section 4.10.1).

use std::ops::Range;

use rand::SeedableRng;

use super::outlook::{self, Known};
use super::params::{DELETED, DELETED_FROM, REBUILD_LAW_FROM, REBUILD_LAW_TO};
use super::rebuild::{LazyTable, Rebuild, Victims};
use super::theory::law::FillLaw;
use super::theory::lazy::{self as theory, Deleted};
use super::{Multilevel, case, metrics};
use crate::Rng;
use crate::case::{Case, Cost, Means, Record, Request};
use crate::hash::{HashSpec, Source};
use crate::keys::{self, Arrivals, KeySource, Keyed, Seeds};
use crate::params::{ParamError, Params, Scalar};
use crate::prediction::{Outlook, Prediction};

/// What is deleted, and which part of the law of moves is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Deletion {
    deleted: u32,
    victims: Victims,
    law: Range<u16>,
}

impl Deletion {
    fn from_params(params: &Params, table: &Multilevel) -> Result<Self, ParamError> {
        let deleted = params.small(DELETED.name)?;
        let elements = table.elements();
        if deleted > elements {
            let reason = format!("{deleted} elements; the table has {elements}");
            return Err(ParamError::new(DELETED.name, reason));
        }
        let victims = match params.word(DELETED_FROM.name)? {
            "first-sub-table" => Victims::FirstSubTable,
            _ => Victims::All,
        };
        Ok(Self { deleted, victims, law: law(params)? })
    }
}

/// The numbers of moves of which the law is wanted.
fn law(params: &Params) -> Result<Range<u16>, ParamError> {
    let given = |name| params.get(name).is_some().then(|| params.small(name)).transpose();
    let (from, to) = (given(REBUILD_LAW_FROM.name)?, given(REBUILD_LAW_TO.name)?);
    match (from, to) {
        (None, None) => Ok(0..0),
        (from, Some(to)) if from.unwrap_or(0) <= to => Ok(from.unwrap_or(0) as u16..to as u16 + 1),
        (_, None) => Err(ParamError::new(REBUILD_LAW_TO.name, "missing beside `rebuild_law_from`")),
        (_, Some(to)) => {
            let reason = format!("{to} is below `rebuild_law_from`");
            Err(ParamError::new(REBUILD_LAW_TO.name, reason))
        }
    }
}

/// A table under lazy deletion, with a hash function.
#[derive(Debug, Clone)]
struct LazyCase {
    table: Multilevel,
    deletion: Deletion,
    hash: HashSpec,
    seed_text: String,
    known: Known,
}

/// A point of it.
///
/// # Errors
/// The first parameter that cannot be used.
pub(super) fn read(request: &Request<'_>) -> Result<Box<dyn Case>, ParamError> {
    let table = Multilevel::from_params(request.params)?;
    let deletion = Deletion::from_params(request.params, &table)?;
    let range = (table.widest(), "buckets");
    let choices = table.types().into();
    let hash = HashSpec::from_params(request.hash, request.params, choices, range)?;
    // Both kinds of deletion have the same tables.
    let seed_text = case::seed_text(request, &table);
    let known = Known::default();
    Ok(Box::new(LazyCase { table, deletion, hash, seed_text, known }))
}

impl Case for LazyCase {
    fn seed_text(&self) -> &str {
        &self.seed_text
    }

    fn cost(&self, keys: &KeySource) -> Cost {
        let (elements, buckets) =
            (u64::from(self.table.elements()), u64::from(self.table.buckets()));
        let of_element = LazyTable::bytes_per_element(self.table.types());
        let bytes = buckets + elements * (of_element + keys.bytes_per_element()) + keys.bytes();
        Cost { operations: 2.0 * elements as f64 + buckets as f64 / 8.0, bytes }
    }

    fn arrivals(&self) -> u64 {
        self.table.elements().into()
    }

    fn distinct_keys(&self) -> u64 {
        self.table.elements().into()
    }

    fn run(&self, keys: &KeySource, seed: u64, trials: Range<u64>, out: &mut dyn Record) {
        let batch = Batch { case: self, seed, trials, out };
        keys::visit(&self.hash, keys, self.table.elements(), batch);
    }

    fn outlook(&self, _measured: Means<'_>) -> Outlook {
        if !outlook::is_ideal(&self.hash, &self.table) {
            return Outlook::default();
        }
        self.known.following(&self.table, |law| self.foreseen(law))
    }

    fn at_one_moment(&self) -> bool {
        true
    }

    fn number_of(&self, _things: &str, _number: u16, _measured: Means<'_>) -> Option<f64> {
        None
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        Vec::new()
    }

    fn shortened(&self, operations: f64) -> Box<dyn Case> {
        let fewer = self.table.elements().min((operations / 2.0).max(1.0) as u32);
        let deleted = self.deletion.deleted.min(fewer);
        let deletion = Deletion { deleted, ..self.deletion.clone() };
        let (table, known) = (self.table.holding(fewer), Known::default());
        Box::new(Self { table, deletion, known, ..self.clone() })
    }
}

struct Batch<'a> {
    case: &'a LazyCase,
    seed: u64,
    trials: Range<u64>,
    out: &'a mut dyn Record,
}

impl Keyed for Batch<'_> {
    type Output = ();

    fn run<S: Source, A: Arrivals>(self, mut arrivals: A) {
        let Self { case, seed, trials, out } = self;
        let elements = case.table.elements();
        let mut table = LazyTable::new(&case.table.sizes(), elements);
        for number in trials {
            let seeds = Seeds::of(seed, number);
            let mut source = S::new(&case.hash, seeds.hash);
            let mut chance = Rng::seed_from_u64(seeds.departures);
            table.clear();
            arrivals.begin(seeds.keys);
            let mut in_crisis = 0;
            for element in 0..elements {
                let Some(key) = arrivals.newcomer(element) else { break };
                in_crisis += u32::from(!table.insert(source.element(key)));
            }
            table.delete(case.deletion.deleted, case.deletion.victims, &mut chance);
            case.record(in_crisis, &table.rebuild(), out);
        }
    }
}

impl LazyCase {
    fn foreseen(&self, law: &FillLaw) -> Outlook {
        let deleted = match self.deletion.victims {
            Victims::All => Deleted::Anywhere(self.deletion.deleted),
            Victims::FirstSubTable => Deleted::FromFirst(self.deletion.deleted),
        };
        let candidates = theory::near_marked(law, deleted);
        let moves = theory::moves(law, deleted).total;
        let [crisis, _] = outlook::of_crisis(law);
        let predictions = vec![
            crisis,
            Prediction::exact(metrics::REBUILD_CANDIDATES, candidates, "E[M′], Section 4.10.1"),
            Prediction::approximate(metrics::REBUILD_MOVES, candidates, "E[M′], Section 4.10.1"),
            Prediction::approximate(metrics::REBUILD_MOVES, moves, "buckets that are taken again"),
        ];
        Outlook { predictions, missing: None }
    }

    fn record(&self, in_crisis: u32, rebuild: &Rebuild, out: &mut dyn Record) {
        let is = |so: bool| Some(f64::from(u8::from(so)));
        out.reading(metrics::CRISIS_FRACTION, is(in_crisis > 0));
        out.reading(metrics::REBUILD_MOVES, Some(rebuild.moves.into()));
        out.reading(metrics::REBUILD_CANDIDATES, Some(rebuild.candidates.into()));
        for least in self.deletion.law.clone() {
            let reached = is(rebuild.moves >= least.into());
            out.reading(metrics::rebuild_moves_at_least(least), reached);
        }
        out.end_of_trial();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::summaries::tests::Readings;

    fn given(own: &[(&str, Scalar)]) -> Result<Box<dyn Case>, ParamError> {
        let table = [
            ("elements", 9999_i64.into()),
            ("sub_table_buckets", "40000 10000 5000 2500 2500".into()),
            ("deleted", 909_i64.into()),
        ];
        families::case("mht", "lazy-deletion", "random", &[&table, own].concat())
    }

    /// Section 4.10.1 prints means of 100,000 trials, 96.98 and 114.25; 3000 trials of ours are within four standard
    /// errors, and M′ of the second kind of deletion is what M does not exceed.
    #[test]
    fn rebuilds_move_as_many_as_in_print() {
        for (from, printed) in [("all", 96.98), ("first-sub-table", 114.25)] {
            let case = given(&[("deleted_from", from.into())]).unwrap();
            let mut readings = Readings::default();
            case.run(&KeySource::Random, 3, 0..3000, &mut readings);
            let of = |metric| {
                let own = readings.0.iter().filter(move |(own, _)| *own == metric);
                own.map(|(_, value)| *value).collect::<Vec<_>>()
            };
            let moves = of(metrics::REBUILD_MOVES);
            let mean = moves.iter().sum::<f64>() / moves.len() as f64;
            let square: f64 = moves.iter().map(|own| (own - mean).powi(2)).sum();
            let error = square.sqrt() / moves.len() as f64;
            assert!((mean - printed).abs() < 4.0 * error, "{from}: {mean} ± {error}");
            let candidates = of(metrics::REBUILD_CANDIDATES);
            assert!(candidates.iter().sum::<f64>() > moves.iter().sum::<f64>());
            assert_eq!(of(metrics::CRISIS_FRACTION), vec![0.0; 3000]);
        }
    }

    #[test]
    fn the_law_is_a_tail_between_its_ends() {
        let case = given(&[("rebuild_law_from", 90_i64.into()), ("rebuild_law_to", 95_i64.into())])
            .unwrap();
        let mut readings = Readings::default();
        case.run(&KeySource::Random, 3, 0..1, &mut readings);
        let moves = readings.0.iter().find(|(own, _)| *own == metrics::REBUILD_MOVES).unwrap().1;
        for least in 90..=95 {
            let metric = metrics::rebuild_moves_at_least(least);
            let own = readings.0.iter().find(|(own, _)| *own == metric).unwrap().1;
            assert_eq!(own > 0.0, moves >= f64::from(least));
        }
        assert_eq!(
            given(&[("rebuild_law_from", 1_i64.into())]).unwrap_err().name,
            "rebuild_law_to"
        );
        let turned = [("rebuild_law_from", 3_i64.into()), ("rebuild_law_to", 2_i64.into())];
        assert_eq!(given(&turned).unwrap_err().name, "rebuild_law_to");
    }

    #[test]
    fn no_more_can_be_deleted_than_there_are() {
        assert_eq!(given(&[("deleted", 10_000_i64.into())]).unwrap_err().name, "deleted");
    }
}
