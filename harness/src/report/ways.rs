//! How a derived quantity is made, in words.

use super::number::number;
use crate::definition::{
    Coordinates, Derivation, Experiment, LargestError, Operand, Optimum, Pair,
};

/// What the value of a derived quantity is, such as `dynamic / static at load = 0.02`.
pub(super) fn in_words(experiment: &Experiment, derivation: &Derivation) -> String {
    match derivation {
        Derivation::Ratio(pair) => of_pair(experiment, pair, "/"),
        Derivation::Difference(pair) => of_pair(experiment, pair, "−"),
        Derivation::Order { operands, at, .. } => {
            let names: Vec<String> = operands.iter().map(|o| operand(experiment, o)).collect();
            format!("share of the steps that fall: {}{}", names.join(" > "), place(at))
        }
        Derivation::Extreme(extreme) => {
            let which = if extreme.greatest { "greatest" } else { "least" };
            let (x, series) = (&extreme.x, &experiment.series[extreme.series]);
            let quantity = &extreme.condition.quantity;
            format!("{which} {x} of {series} by its {quantity}{}", place(&extreme.at))
        }
        Derivation::LargestError(LargestError { against, relative, at, .. }) => {
            let what = if *relative { "relative error" } else { "distance" };
            format!("largest {what} against the {} prediction{}", against.name(), place(at))
        }
        Derivation::Optimum(Optimum { series, least, of, at_most, equal }) => {
            let equal = if *equal { ", all sizes equal" } else { "" };
            let series = &experiment.series[*series];
            format!("least {least} of {series} for {of} ≤ {}{equal}", number(*at_most))
        }
        Derivation::PoissonTail { mean, above } => {
            format!("a Poisson number of mean {} is above {above}", number(*mean))
        }
    }
}

fn of_pair(experiment: &Experiment, Pair { operands, at, .. }: &Pair, sign: &str) -> String {
    let [first, second] = operands.each_ref().map(|o| operand(experiment, o));
    format!("{first} {sign} {second}{}", place(at))
}

fn operand(experiment: &Experiment, operand: &Operand) -> String {
    match operand {
        Operand::Series(series) => experiment.series[*series].clone(),
        Operand::Curve(curve) => curve.0.label.to_owned(),
        Operand::Derived(name) => name.clone(),
    }
}

fn place(Coordinates(coordinates): &Coordinates) -> String {
    let named: Vec<String> =
        coordinates.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if named.is_empty() { String::new() } else { format!(" at {}", named.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_an_order_and_an_error_say_what_they_are() {
        let text = "title = \"t\"\ntrials = 1\n[workload]\nkind = \"static-fill\"\n[point]\n\
                    scheme = \"single\"\nbuckets = 100\nload = [0.5, 1.0]\n\
                    [[series]]\nlabel = \"a\"\n[[series]]\nlabel = \"b\"\nbucket_size = 2\n\
                    [[derived]]\nname = \"r\"\nratio = [\"a\", \"b\"]\nof = \"overflow_fraction\"\nat = { load = 0.5 }\n\
                    [[derived]]\nname = \"o\"\norder = [\"a\", \"b\"]\nof = \"overflow_fraction\"\nat = { load = 0.5 }\n";
        let experiment = Experiment::from_text("test", text).unwrap();
        let said = |i: usize| in_words(&experiment, &experiment.derived[i].derivation);
        assert_eq!(said(0), "a / b at load = 0.5");
        assert_eq!(said(1), "share of the steps that fall: a > b at load = 0.5");
    }
}
