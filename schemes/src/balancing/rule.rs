//! How an element is put into a bucket, and the rules that theory calls optimal.

use super::params::{
    ACCESSES, BUCKETS, BUDGET, CHOICES, OVERFLOW, SUB_TABLE_BUCKETS, Size, Target,
};
use super::theory::{bound, optimum};
use crate::math::apportion::apportion;
use crate::params::ParamError;
use crate::tables::SubTable;

/// What distinguishes the schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One choice.
    Single,
    /// d choices among all buckets.
    Sequential,
    /// d choices, each in a sub-table of its own.
    Multilevel,
    /// Every access leaves an element, and the fullest buckets give up what is too much in the end.
    Offline,
}

/// Which of an element's buckets takes it: the first with fewer than h elements, or with h and a coin of
/// probability p.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What the ranges are.
    pub kind: Kind,
    /// The buckets among which each choice is made, in the order of the choices.
    pub ranges: Vec<SubTable>,
    /// h; `None` where every bucket takes every element.
    pub threshold: Option<u32>,
    /// p.
    pub probability: f64,
    /// a, where it is known beforehand.
    pub accesses: Option<f64>,
    /// γ that the rule is made for, where it is.
    pub overflow: Option<f64>,
    /// Accesses that all insertions may make together.
    pub budget: Option<u64>,
}

impl Rule {
    /// The rule of this kind for a target.
    ///
    /// # Errors
    /// The parameter that is missing or impossible beside the others.
    pub fn new(kind: Kind, size: &Size, target: &Target) -> Result<Self, ParamError> {
        check_effects(kind, target)?;
        let accesses = accesses(kind, target)?;
        let overflow = match target.threshold {
            Some(_) => target.overflow,
            None => Some(overflow(kind, size, target, accesses)?),
        };
        let (threshold, probability) = match (target.threshold, accesses.zip(overflow)) {
            (Some((threshold, probability)), _) => (Some(threshold), probability),
            (None, Some((accesses, overflow))) => optimal(size.load(), accesses, overflow),
            (None, None) => return Err(missing(ACCESSES.name)),
        };
        let ranges = ranges(kind, size, target, accesses.zip(overflow))?;
        let budget = match (target.budget, accesses) {
            (false, _) => None,
            (true, Some(accesses)) => Some(whole_accesses(accesses, size.elements.into())),
            (true, None) => return Err(missing(ACCESSES.name)),
        };
        Ok(Self { kind, ranges, threshold, probability, accesses, overflow, budget })
    }

    /// Whether a bucket of so many elements lets a look-up go on to the next one.
    #[inline]
    pub fn is_full(&self, load: u32) -> bool {
        self.threshold.is_some_and(|threshold| load >= threshold)
    }

    /// d.
    pub fn choices(&self) -> u32 {
        self.ranges.len() as u32
    }

    /// m.
    pub fn buckets(&self) -> u32 {
        self.ranges.iter().map(|range| range.first + range.buckets).max().unwrap_or(0)
    }

    /// The greatest number of buckets among which a choice is made.
    pub fn widest(&self) -> u32 {
        self.ranges.iter().map(|range| range.buckets).max().unwrap_or(0)
    }
}

/// ⌊a·n⌋, of an a that is written with a few digits: 1.15·100 are 115, and not the 114 of doubles.
pub(super) fn whole_accesses(accesses: f64, elements: u64) -> u64 {
    (accesses * elements as f64 * (1.0 + 4.0 * f64::EPSILON)).floor() as u64
}

fn missing(name: &str) -> ParamError {
    ParamError::new(name, "missing; give it, or `threshold` and `insertion_probability`")
}

/// Refuses what would have no effect beside the others.
fn check_effects(kind: Kind, target: &Target) -> Result<(), ParamError> {
    if kind == Kind::Single && target.budget {
        let reason = "one choice makes one access, so that there is always one left; leave it out";
        return Err(ParamError::new(BUDGET.name, reason));
    }
    let makes_sub_tables = kind == Kind::Multilevel && target.sub_tables.is_none();
    if target.threshold.is_none() || makes_sub_tables {
        return Ok(());
    }
    if target.overflow.is_some() {
        let reason = "it decides h and p alone, which `threshold` gives; leave one of them out";
        return Err(ParamError::new(OVERFLOW.name, reason));
    }
    if target.accesses.is_some() && !target.budget && kind != Kind::Single {
        let reason =
            "it decides h and p alone, which `threshold` gives; leave it out, or give `budget`";
        return Err(ParamError::new(ACCESSES.name, reason));
    }
    Ok(())
}

fn accesses(kind: Kind, target: &Target) -> Result<Option<f64>, ParamError> {
    match (kind, target.accesses) {
        (Kind::Single, Some(accesses)) if accesses != 1.0 => {
            Err(ParamError::new(ACCESSES.name, "one choice makes one access; leave it out"))
        }
        (Kind::Single, _) => Ok(Some(1.0)),
        (Kind::Offline, None) => Err(ParamError::new(ACCESSES.name, "missing")),
        (_, None) if target.budget => {
            Err(ParamError::new(ACCESSES.name, "missing; `budget` is a·n accesses: give a"))
        }
        (_, None) if target.threshold.is_none() => Err(missing(ACCESSES.name)),
        (Kind::Sequential | Kind::Multilevel, Some(accesses))
            if target.overflow.is_some() && accesses > f64::from(target.choices) =>
        {
            let reason = format!("{0} choices make {0} accesses at most", target.choices);
            Err(ParamError::new(ACCESSES.name, reason))
        }
        (_, accesses) => Ok(accesses),
    }
}

/// γ as given, or the least at which the scheme is optimal.
fn overflow(
    kind: Kind,
    size: &Size,
    target: &Target,
    accesses: Option<f64>,
) -> Result<f64, ParamError> {
    let (d, a) = (target.choices, accesses.ok_or_else(|| missing(ACCESSES.name))?);
    let least = match (kind, target.overflow) {
        (_, Some(overflow)) => Some(overflow),
        (Kind::Single | Kind::Offline, None) => Some(0.0),
        (Kind::Sequential, None) => optimum::least_of_sequential(a, size.load(), d),
        (Kind::Multilevel, None) => optimum::least_of_multilevel(a, d),
    };
    least.ok_or_else(|| {
        let reason =
            format!("{d} choices make less than {a} accesses per insertion at any overflow");
        ParamError::new(CHOICES.name, reason)
    })
}

/// h and p by Theorem 1 and the fixed point; without a threshold where nothing is to be refused.
fn optimal(load: f64, accesses: f64, overflow: f64) -> (Option<u32>, f64) {
    let stored = load * (1.0 - overflow);
    match bound::threshold(accesses * load, stored) {
        Some(threshold) => {
            let probability = optimum::probability(accesses * load, stored, threshold);
            (Some(threshold), probability)
        }
        None => (None, 1.0),
    }
}

fn ranges(
    kind: Kind,
    size: &Size,
    target: &Target,
    made_for: Option<(f64, f64)>,
) -> Result<Vec<SubTable>, ParamError> {
    let all = SubTable { first: 0, buckets: size.buckets };
    match kind {
        Kind::Single => Ok(vec![all]),
        Kind::Sequential => Ok(vec![all; target.choices as usize]),
        Kind::Offline => {
            Ok(vec![all; made_for.map_or(1.0, |(accesses, _)| accesses.ceil()) as usize])
        }
        Kind::Multilevel => sub_tables(size, target, made_for),
    }
}

fn sub_tables(
    size: &Size,
    target: &Target,
    made_for: Option<(f64, f64)>,
) -> Result<Vec<SubTable>, ParamError> {
    let weights = match (&target.sub_tables, made_for) {
        (Some(given), _) => checked(given, size, target)?,
        (None, Some((accesses, overflow))) => {
            optimum::sub_tables(accesses, overflow, target.choices)
        }
        (None, None) => {
            return Err(ParamError::new(
                SUB_TABLE_BUCKETS.name,
                "missing; give `accesses` and `overflow`, from which the sub-tables follow, or these themselves where \
                 the scheme takes them",
            ));
        }
    };
    let sizes = apportion(size.buckets.into(), &weights);
    if sizes.contains(&0) {
        let reason = match weights.contains(&0.0) {
            true => format!(
                "of {} sub-tables one gets no buckets, as no accesses are left for it",
                sizes.len()
            ),
            false => {
                format!("{} buckets are too few for {} such sub-tables", size.buckets, sizes.len())
            }
        };
        return Err(ParamError::new(BUCKETS.name, reason));
    }
    let begins = sizes.iter().scan(0, |end, &buckets| {
        let first = *end;
        *end += buckets;
        Some(SubTable { first, buckets })
    });
    Ok(begins.collect())
}

/// Sub-tables as given, which are what `buckets` and `choices` say.
fn checked(given: &[f64], size: &Size, target: &Target) -> Result<Vec<f64>, ParamError> {
    let is_whole = given.iter().all(|buckets| buckets.fract() == 0.0);
    if !is_whole || given.iter().sum::<f64>() != f64::from(size.buckets) {
        let reason = format!("the sub-tables must be whole and sum up to {} buckets", size.buckets);
        return Err(ParamError::new(SUB_TABLE_BUCKETS.name, reason));
    }
    if given.len() != target.choices as usize {
        let reason = format!("{} sub-tables, but {} choices", given.len(), target.choices);
        return Err(ParamError::new(SUB_TABLE_BUCKETS.name, reason));
    }
    Ok(given.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(choices: u32, accesses: Option<f64>) -> Target {
        Target {
            choices,
            accesses,
            overflow: None,
            threshold: None,
            budget: true,
            sub_tables: None,
        }
    }

    /// The sub-tables of Section 10 of "Access-Efficient Balanced Bloom Filters" as the errata compute them.
    #[test]
    fn sub_tables_of_the_trace_experiments() {
        for load in [6.4, 12.8] {
            let elements = (1024.0_f64 * load).round() as u32;
            let size = Size { elements, buckets: 1024 };
            let rule = Rule::new(Kind::Multilevel, &size, &target(3, Some(1.2))).unwrap();
            let sizes: Vec<u32> = rule.ranges.iter().map(|range| range.buckets).collect();
            assert_eq!(sizes, [853, 146, 25]);
            assert!((rule.overflow.unwrap() - 0.004984).abs() < 1e-6, "{rule:?}");
            assert_eq!(rule.budget, Some((1.2 * f64::from(elements)) as u64));
        }
    }

    #[test]
    fn impossible_targets_are_refused() {
        let size = Size { elements: 800, buckets: 100 };
        let error = |kind, target: &Target| Rule::new(kind, &size, target).unwrap_err().name;
        let one = |accesses| Target { budget: false, ..target(1, accesses) };
        assert_eq!(error(Kind::Single, &one(Some(1.2))), "accesses");
        assert_eq!(error(Kind::Sequential, &target(3, None)), "accesses");
        let with_threshold = Target { threshold: Some((3, 0.5)), ..target(3, None) };
        assert_eq!(
            Rule::new(Kind::Sequential, &size, &with_threshold).unwrap_err().reason,
            "missing; `budget` is a·n accesses: give a"
        );
        assert_eq!(error(Kind::Multilevel, &target(2, Some(2.5))), "choices");
        let made_for = |overflow| Target { overflow, ..target(2, Some(2.5)) };
        assert_eq!(error(Kind::Multilevel, &made_for(Some(0.1))), "accesses");
        let listed =
            |sizes: &[f64]| Target { sub_tables: Some(sizes.to_vec()), ..target(2, Some(1.1)) };
        assert_eq!(error(Kind::Multilevel, &listed(&[60.0, 30.0])), "sub_table_buckets");
        assert_eq!(error(Kind::Multilevel, &listed(&[60.0, 30.0, 10.0])), "sub_table_buckets");
    }

    /// What decides h and p has no effect beside them, unless it makes sub-tables or a budget.
    #[test]
    fn what_has_no_effect_is_refused() {
        let size = Size { elements: 800, buckets: 100 };
        let error = |kind, target: Target| {
            Rule::new(kind, &size, &target).err().map_or("none".into(), |error| error.name)
        };
        assert_eq!(error(Kind::Single, target(1, None)), "budget");
        let of = |accesses| Target {
            threshold: Some((8, 0.5)),
            budget: false,
            sub_tables: Some(vec![60.0, 40.0]),
            ..target(2, accesses)
        };
        for kind in [Kind::Sequential, Kind::Multilevel] {
            assert_eq!(error(kind, of(None)), "none");
            assert_eq!(error(kind, of(Some(1.2))), "accesses");
            assert_eq!(error(kind, Target { budget: true, ..of(Some(1.2)) }), "none");
            assert_eq!(error(kind, Target { overflow: Some(0.1), ..of(None) }), "overflow");
        }
        let makes_sub_tables = Target { sub_tables: None, overflow: Some(0.1), ..of(Some(1.2)) };
        assert_eq!(error(Kind::Multilevel, makes_sub_tables), "none");
    }

    /// Nothing is refused by one choice that may not overflow: plain chains.
    #[test]
    fn without_overflow_one_choice_takes_everything() {
        let size = Size { elements: 800, buckets: 100 };
        let rule =
            Rule::new(Kind::Single, &size, &Target { budget: false, ..target(1, None) }).unwrap();
        assert_eq!(rule.threshold, None);
    }
}
