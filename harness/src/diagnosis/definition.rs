//! The experiment that answers a question.

use std::fmt::{self, Write as _};

/// What is asked: a scheme with its hash function, on the keys of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Name of the scheme.
    pub scheme: String,
    /// Name of the hash function.
    pub hash: String,
    /// Name of the kind of key.
    pub key_fields: String,
    /// Further parameters of the points, by name, as they stand in TOML.
    pub params: Vec<(String, String)>,
    /// Trials of each step.
    pub trials: u64,
    /// Rounds of the measuring window.
    pub rounds: u64,
}

/// The series of the experiment, in the order in which causes are switched off.
pub(super) const SERIES: [&str; 4] = ["as captured", "shuffled", "repeats removed", "random hash"];

impl Question {
    /// The definition, to be run on a trace that is named beside it.
    pub fn definition(&self) -> String {
        self.steps(SERIES.len())
    }

    /// The same with the first step alone, in which each mistake of the question stands once.
    pub fn first_step(&self) -> String {
        self.steps(1)
    }

    fn steps(&self, number: usize) -> String {
        let Self { scheme, hash, key_fields, trials, rounds, .. } = self;
        let mut text = format!(
            "title  = \"{scheme} with {hash} on a trace: what the gap to the model is owed to\"\n\
             trials = {trials}\n\n\
             [workload]\nkind       = \"alternation\"\nrounds     = {rounds}\n\
             keys       = \"trace\"\nkey_fields = \"{key_fields}\"\n\n\
             [point]\nscheme = \"{scheme}\"\n"
        );
        for (name, value) in &self.params {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name} = {value}");
        }
        let [captured, shuffled, removed, random] = SERIES;
        let series = [
            (captured, hash.as_str(), ""),
            (shuffled, hash, "arrival_order = \"shuffled\""),
            (removed, hash, "arrival_order = \"shuffled\", repeated_keys = \"remove\""),
            (random, "random", "arrival_order = \"shuffled\", repeated_keys = \"remove\""),
        ];
        for (label, hash, workload) in series.into_iter().take(number) {
            let _ = write!(text, "\n[[series]]\nlabel    = \"{label}\"\nhash     = \"{hash}\"\n");
            if !workload.is_empty() {
                let _ = writeln!(text, "workload = {{ {workload} }}");
            }
        }
        text
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}", self.scheme, self.hash)?;
        for (name, value) in &self.params {
            write!(f, ", {name} = {value}")?;
        }
        write!(f, "; {} trials of {} rounds", self.trials, self.rounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_switches_off_one_cause_more() {
        let question = Question {
            scheme: "multiple".into(),
            hash: "xxh3".into(),
            key_fields: "five-tuple".into(),
            params: vec![("choices".into(), "2".into())],
            trials: 30,
            rounds: 1000,
        };
        insta::assert_snapshot!(question.definition(), @r#"
        title  = "multiple with xxh3 on a trace: what the gap to the model is owed to"
        trials = 30

        [workload]
        kind       = "alternation"
        rounds     = 1000
        keys       = "trace"
        key_fields = "five-tuple"

        [point]
        scheme = "multiple"
        choices = 2

        [[series]]
        label    = "as captured"
        hash     = "xxh3"

        [[series]]
        label    = "shuffled"
        hash     = "xxh3"
        workload = { arrival_order = "shuffled" }

        [[series]]
        label    = "repeats removed"
        hash     = "xxh3"
        workload = { arrival_order = "shuffled", repeated_keys = "remove" }

        [[series]]
        label    = "random hash"
        hash     = "random"
        workload = { arrival_order = "shuffled", repeated_keys = "remove" }
        "#);
    }
}
