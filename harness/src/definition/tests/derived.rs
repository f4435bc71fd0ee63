//! Derived quantities and placeholders, as they are read.

use super::{Files, GOOD, read, shown};
use crate::definition::{Derivation, Derived, Operand, Scale};

fn with(derived: &str) -> String {
    format!("{GOOD}\n[[derived]]\nname = \"one\"\n{derived}")
}

fn mistakes(definition: &str) -> String {
    shown(&Files { scale: Scale::Paper, ..Files::new(definition) }.parse().unwrap_err())
}

#[test]
fn a_ratio_names_series_curves_and_quantities_further_up() {
    let at = "of = \"overflow_fraction\"\nat = { load = 0.5, hash = \"xxh3\" }";
    let text = with(&format!(
        "ratio = [\"SINGLE, static\", \"lower_bound\"]\n{at}\n\
         [[derived]]\nname = \"two\"\ndifference = [\"one\", \"one\"]\nof = \"overflow_fraction\""
    ));
    let experiment = Files { scale: Scale::Paper, ..Files::new(&text) }.parse().unwrap();
    let [first, second] = &experiment.derived[..] else { panic!("{:?}", experiment.derived) };
    assert!(
        matches!(&first.derivation, Derivation::Ratio(pair) if pair.operands[0] == Operand::Series(1))
    );
    let one = Operand::Derived("one".to_owned());
    assert!(matches!(&second.derivation, Derivation::Difference(pair) if pair.operands[1] == one));
}

#[test]
fn a_derivation_is_one_and_speaks_of_one_point() {
    let ratio = "ratio = [\"MULTIPLE\", \"SINGLE, static\"]\nof = \"overflow_fraction\"";
    assert!(mistakes(&with(ratio)).contains("20 points of the series `MULTIPLE` are there"));
    assert!(mistakes(&with("")).contains("a derived quantity lacks its derivation"));
    let two = format!("{ratio}\npoisson_tail = [20, 64]");
    assert!(mistakes(&with(&two)).contains("a derived quantity has one derivation"));
    let unknown = ratio.replace("MULTIPLE", "MULTIPEL");
    assert!(mistakes(&with(&unknown)).contains("did you mean `MULTIPLE`?"));
    let condition = "least = \"load\"\nseries = \"SINGLE, static\"\nwhere = \"little overflow\"";
    assert!(mistakes(&with(condition)).contains("expected such as `predicted > 1e-4`"));
}

/// Where no point is, the values are told that there are in its place.
#[test]
fn a_coordinate_that_no_point_has_is_answered_with_those_that_points_have() {
    let at = |load: &str| {
        with(&format!(
            "difference = [\"SINGLE, static\", \"SINGLE, static\"]\nof = \"overflow_fraction\"\n\
             at = {{ load = {load}, hash = \"xxh3\" }}"
        ))
    };
    let said = mistakes(&at("0.7"));
    assert!(said.contains("no point of the series `SINGLE, static` is there"), "{said}");
    assert!(said.contains("`load = 0.7` is not among its values: 0.5, 0.9"), "{said}");
    assert!(Files { scale: Scale::Paper, ..Files::new(&at("0.5")) }.parse().is_ok());
    let quick = read(&at("0.7"), Scale::Quick);
    let (series, unmet) = quick.derived[0].derivation.unmet(&quick.points).unwrap();
    assert_eq!(quick.series[series], "SINGLE, static");
    assert_eq!(unmet.to_string(), "`load = 0.7` is not among its values: 0.5, 0.9");
}

#[test]
fn a_name_stands_for_one_thing() {
    let text = with("poisson_tail = [20, 64]").replace("\"one\"", "\"MULTIPLE\"");
    assert!(mistakes(&text).contains("`MULTIPLE` is the name of something else already"));
}

#[test]
fn one_table_stands_for_several_quantities() {
    let least = "least = \"load\"\nseries = \"{}\"\nwhere = \"overflow_fraction >= 0.2\"";
    let each = |words: &str| {
        format!("{GOOD}\n[[derived]]\nname = \"{{}}, a fifth\"\neach = [{words}]\n{least}")
    };
    let experiment = read(&each("\"MULTIPLE\", \"SINGLE, static\""), Scale::Quick);
    let found: Vec<(&str, usize)> = experiment.derived.iter().map(series_of).collect();
    assert_eq!(found, [("MULTIPLE, a fifth", 0), ("SINGLE, static, a fifth", 1)]);
    assert!(
        mistakes(&each("\"MULTIPLE\", \"SINGEL, static\""))
            .contains("did you mean `SINGLE, static`?")
    );
    assert!(mistakes(&each("\"MULTIPLE\", \"MULTIPLE\"")).contains("`MULTIPLE` stands here twice"));
    assert!(mistakes(&each("\"MULTIPLE\", 2")).contains("`each` cannot be 2"));
    assert!(mistakes(&each("")).contains("`each` is empty"));
    let one_name = each("\"MULTIPLE\", \"SINGLE, static\"").replace("{}, a fifth", "a fifth");
    assert!(mistakes(&one_name).contains("`a fifth` is the name of something else already"));
}

/// The name of an extreme, and the series of which it is one.
fn series_of(derived: &Derived) -> (&str, usize) {
    let Derivation::Extreme(extreme) = &derived.derivation else { panic!("{derived:?}") };
    (&derived.name, extreme.series)
}

#[test]
fn a_placeholder_names_one_point() {
    let analysis = |text: &str| format!("analysis = \"{text}\"\n{GOOD}");
    let one = analysis("{overflow_fraction of SINGLE, static at load = 0.5, hash = xxh3 in %}");
    assert_eq!(read(&one, Scale::Paper).analysis.matches('{').count(), 1);
    let several = analysis("{overflow_fraction of MULTIPLE}");
    assert!(mistakes(&several).contains("is no number of this experiment"));
}

/// A quantity that the one further up does not yield would be empty in every report.
#[test]
fn what_a_quantity_further_up_yields_is_known() {
    let at = "of = \"overflow_fraction\"\nat = { load = 0.5, hash = \"xxh3\" }";
    let of = |of: &str| {
        with(&format!(
            "ratio = [\"SINGLE, static\", \"lower_bound\"]\n{at}\n\
             [[derived]]\nname = \"two\"\ndifference = [\"one\", \"one\"]\nof = \"{of}\""
        ))
    };
    let wrong = mistakes(&of("overflow_fractoin"));
    assert!(wrong.contains("`one` yields `overflow_fraction`"), "{wrong}");
    assert!(wrong.contains("did you mean `overflow_fraction`?"), "{wrong}");
    assert!(mistakes(&of("max_load")).contains("`one` yields `overflow_fraction`"));
    let tail = with(
        "poisson_tail = [20, 64]\n[[derived]]\nname = \"two\"\nratio = [\"one\", \"one\"]\nof = \"probability\"",
    );
    let experiment = Files { scale: Scale::Paper, ..Files::new(&tail) }.parse().unwrap();
    assert_eq!(experiment.derived.len(), 2);
}
