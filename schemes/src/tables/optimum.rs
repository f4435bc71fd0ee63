//! The best sizes of the sub-tables of a scheme, as a case answers for them.

use super::params::SPACE;
use super::sizing::{Goal, Model, SizedFor, SizedTable, equal, optimise, rule_of};
use super::{Process, Scheme, metrics};
use crate::aim::{Aim, NoOptimum, Optimum};

/// Random starts of the search: wherever a paper prints sizes, ten of ten end in one place.
const STARTS: usize = 3;

/// Seed of the random starts.
const SEED: u64 = 1;

/// The best sub-tables of this scheme, as many as it has.
pub(super) fn optimum(
    scheme: &impl Scheme,
    name: &str,
    process: Process,
    aim: &Aim<'_>,
) -> Result<Optimum, NoOptimum> {
    let no_optimum = |reason: String| NoOptimum(reason);
    let rule = rule_of(name, scheme.geometry().bucket_size);
    let rule = rule.ok_or_else(|| no_optimum(format!("`{name}` has no sub-tables to be sized")))?;
    let rule = rule.map_err(|error| no_optimum(error.to_string()))?;
    let model = Model { rule, workload: sized_for(process)? };
    let (goal, d) = (goal(aim)?, scheme.sub_tables().len());
    let table = match aim.equal {
        true => equal(model, d, goal),
        false => optimise(model, d, goal, STARTS, SEED).map(|design| design.best),
    };
    table.map(quantities).map_err(|error| no_optimum(error.to_string()))
}

fn sized_for(process: Process) -> Result<SizedFor, NoOptimum> {
    match process {
        Process::StaticFill => Ok(SizedFor::StaticFill),
        Process::Alternation | Process::Continuous | Process::Open => Ok(SizedFor::Alternation),
        _ => Err(NoOptimum("sizes are computed for static fills and under deletions".into())),
    }
}

fn goal(aim: &Aim<'_>) -> Result<Goal, NoOptimum> {
    let overflow = metrics::OVERFLOW_FRACTION.to_string();
    match (aim.least, aim.of) {
        (SPACE, of) if of == overflow => Ok(Goal::Overflow(aim.at_most)),
        (least, SPACE) if least == overflow => Ok(Goal::Space(aim.at_most)),
        (least, of) => Err(NoOptimum(format!(
            "the least `{least}` for a `{of}` is not computed; `{SPACE}` and `{overflow}` are"
        ))),
    }
}

fn quantities(table: SizedTable) -> Optimum {
    let totals = [
        (SPACE.to_owned(), table.space),
        (metrics::OVERFLOW_FRACTION.to_string(), table.overflow),
        (metrics::MOVES_PER_INSERTION.to_string(), table.moves),
    ];
    let size = |(i, size)| (format!("buckets_per_element_{}", i + 1), size);
    totals.into_iter().chain(table.sizes.into_iter().enumerate().map(size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::params::Scalar;

    fn of_case(scheme: &str, workload: &str, aim: &Aim<'_>) -> Result<Optimum, NoOptimum> {
        let given = [
            ("elements", Scalar::Integer(1000)),
            ("sub_table_buckets", Scalar::Word("700 600 300".to_owned())),
        ];
        let given = [&given[..], &rounds(workload)].concat();
        families::case(scheme, workload, "random", &given).unwrap().optimum(aim)
    }

    fn rounds(workload: &str) -> Vec<(&'static str, Scalar)> {
        let rounds = (workload == "alternation").then_some(("rounds", Scalar::Integer(1000)));
        rounds.into_iter().collect()
    }

    const AIM: Aim<'static> =
        Aim { least: "space", of: "overflow_fraction", at_most: 0.002, equal: false };

    /// Table 5.1 (a) of "The Power of One Move" prints 1.62 and 0.7142, 0.6400, 0.2707.
    #[test]
    fn the_best_of_a_case_has_its_scheme_and_number_of_sub_tables() {
        let optimum = of_case("second-chance", "static-fill", &AIM).unwrap();
        let names: Vec<&str> = optimum.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names[0], "space");
        assert_eq!(names[3..], [1, 2, 3].map(|i| format!("buckets_per_element_{i}")));
        assert!((optimum[0].1 - 1.6248).abs() < 5e-5, "{optimum:?}");
    }

    #[test]
    fn equal_sizes_need_more_and_so_do_deletions() {
        let space = |workload, equal| {
            of_case("second-chance", workload, &Aim { equal, ..AIM }).unwrap()[0].1
        };
        assert!(space("static-fill", true) > space("static-fill", false));
        assert!(space("alternation", false) > 1.1 * space("static-fill", false));
    }

    #[test]
    fn what_is_not_computed_is_named() {
        let aim = Aim { least: "moves_per_insertion", ..AIM };
        let error = of_case("second-chance", "static-fill", &aim).unwrap_err();
        assert!(error.0.contains("`moves_per_insertion`"), "{error}");
        let error = of_case("conservative", "alternation", &AIM).unwrap_err();
        assert!(error.0.contains("no prediction"), "{error}");
    }
}
