//! How a CAM was measured, as a person reads it.

use std::fmt;

use super::rows::probability;
use super::splits::PARTICLES;
use super::{Horizon, Passage, Question, Rare};
use crate::report::number;

impl Rare {
    /// Where it is, with 95 % confidence.
    pub(super) fn range(&self) -> String {
        let ends = [self.interval.low, self.interval.high].map(probability);
        format!("{} to {}", ends[0], ends[1])
    }
}

impl Passage {
    /// How it was measured, behind "Its size is".
    pub(super) fn explain(&self, f: &mut fmt::Formatter<'_>, question: &Question) -> fmt::Result {
        if self.runs == 0 {
            return writeln!(
                f,
                "not known.\n  UNDECIDED: the time limit was over before splitting measured it. Give a longer --time-limit."
            );
        }
        let Self { runs, trials, .. } = self;
        writeln!(
            f,
            "measured by splitting, in {runs} runs of\n  {PARTICLES} particles that took {trials} trials of the table."
        )?;
        self.explain_horizon(f, question)?;
        let said = match self.places.decided() {
            Some(_) => "With 95 % confidence it is the least number of places that will do.",
            None if self.is_cut_off => {
                "UNDECIDED: the time limit was over. Give a longer --time-limit."
            }
            None => {
                "UNDECIDED: the probability wanted is within the interval of what was measured, after as many runs as are made."
            }
        };
        writeln!(f, "  {said}")
    }

    fn explain_horizon(&self, f: &mut fmt::Formatter<'_>, question: &Question) -> fmt::Result {
        if question.operations == 0 {
            return question.explain_operations(f);
        }
        let operations = number(question.operations as f64);
        write!(f, "  That is at some time within {operations} deletions, each with an insertion")?;
        let Horizon { spans, operations } = self.horizon;
        match spans {
            1 => writeln!(f, "."),
            _ => writeln!(
                f,
                ": a bound, the sum over {spans} spans\n  of {operations}, of which one was measured."
            ),
        }
    }
}
