//! Which shard a task of an engine is to run.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The variables that tell the number of a task, with what its first number is.
const VARIABLES: [(&str, u64); 5] = [
    ("LOADFACTOR_SHARD", 1),
    ("SLURM_ARRAY_TASK_ID", 1),
    ("JOB_COMPLETION_INDEX", 0),
    ("PARALLEL_SEQ", 1),
    ("HQ_TASK_ID", 1),
];

/// A shard as the command line names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// The one of this number, from 1.
    Number(u64),
    /// The one whose number the engine tells in its variables.
    Auto,
}

/// No shard can be told.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadTask {
    /// The word names none.
    #[error("`{0}` is no shard: write its number, from 1, or auto")]
    Word(String),
    /// No variable is set.
    #[error(
        "--shard auto: no engine tells the number of this task ({} are not set); write --shard K",
        names()
    )]
    NoVariable,
    /// A variable holds no number that a task could have.
    #[error("--shard auto: {name} is `{value}`, which is no number of a task")]
    NotANumber {
        /// The variable.
        name: &'static str,
        /// What it holds.
        value: String,
    },
}

fn names() -> String {
    VARIABLES.map(|(name, _)| name).join(", ")
}

impl FromStr for Task {
    type Err = BadTask;

    fn from_str(word: &str) -> Result<Self, BadTask> {
        match (word, word.parse()) {
            ("auto", _) => Ok(Task::Auto),
            (_, Ok(number)) if number > 0 => Ok(Task::Number(number)),
            _ => Err(BadTask::Word(word.to_owned())),
        }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Task::Number(number) => number.fmt(f),
            Task::Auto => f.write_str("auto"),
        }
    }
}

impl Task {
    /// The number of the shard, from 1; `variable` looks one of the environment up.
    ///
    /// # Errors
    /// Where no variable tells it.
    pub fn number(self, variable: impl Fn(&str) -> Option<String>) -> Result<u64, BadTask> {
        let number_in = |name: &'static str| -> Result<Option<u64>, BadTask> {
            let Some(value) = variable(name) else { return Ok(None) };
            match value.trim().parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(BadTask::NotANumber { name, value }),
            }
        };
        if let Task::Number(number) = self {
            return Ok(number);
        }
        for (name, first) in VARIABLES {
            if let Some(number) = number_in(name)? {
                let number = number
                    .checked_sub(first)
                    .ok_or_else(|| BadTask::NotANumber { name, value: number.to_string() })?;
                return Ok(number.saturating_add(1));
            }
        }
        Err(BadTask::NoVariable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(variables: &[(&str, &str)]) -> Result<u64, BadTask> {
        let value = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Task::Auto.number(value)
    }

    #[test]
    fn each_engine_tells_the_number_in_its_own_way() {
        assert_eq!(number(&[("SLURM_ARRAY_TASK_ID", "7")]), Ok(7));
        assert_eq!(number(&[("JOB_COMPLETION_INDEX", "0")]), Ok(1));
        assert_eq!(number(&[("PARALLEL_SEQ", "3")]), Ok(3));
        assert_eq!(number(&[("HQ_TASK_ID", "3"), ("LOADFACTOR_SHARD", "5")]), Ok(5));
        assert_eq!(Task::Number(9).number(|_| None), Ok(9));
    }

    #[test]
    fn what_tells_no_number_is_an_error_that_names_it() {
        assert_eq!(number(&[]), Err(BadTask::NoVariable));
        let error = number(&[("SLURM_ARRAY_TASK_ID", "x")]).unwrap_err().to_string();
        assert!(error.contains("SLURM_ARRAY_TASK_ID is `x`"), "{error}");
        assert!(number(&[("PARALLEL_SEQ", "0")]).is_err());
        assert_eq!("0".parse::<Task>(), Err(BadTask::Word("0".to_owned())));
    }
}
