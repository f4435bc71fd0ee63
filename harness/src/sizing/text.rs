//! An answer as a person reads it.

use std::fmt;

use loadfactor_schemes::tables::sizing::{Goal, SURE, SizedFor};

use super::answer::Answer;
use super::cam_rows::CAM_ROWS;
use super::rows::{Rows, digits, probability, share};
use super::{Kind, List, Part, Question, Seen};
use crate::report::number;

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elements, choices, .. } = self;
        let workload = match self.workload {
            SizedFor::StaticFill => "inserted into an empty table",
            SizedFor::Alternation => "in equilibrium, one deleted and one inserted again and again",
        };
        writeln!(
            f,
            "{elements} element{}, {choices} choice{}, {workload}",
            plural(f64::from(*elements)),
            plural(*choices as f64)
        )?;
        match self.goal {
            Goal::Overflow(wanted) => {
                let most = wanted * f64::from(*elements);
                write!(
                    f,
                    "wanted: least space with at most {} element{} ({}) on the overflow list",
                    number(most),
                    plural(most),
                    share(wanted)
                )
            }
            Goal::Space(space) => {
                let space = number(space);
                write!(f, "wanted: least overflow with {space} places per element")
            }
        }
    }
}

fn plural(count: f64) -> &'static str {
    if count == 1.0 { "" } else { "s" }
}

impl Question {
    /// For how long the CAM is to last.
    pub(super) fn explain_operations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Question { operations, workload, .. } = *self;
        match (workload, operations) {
            (SizedFor::StaticFill, _) => Ok(()),
            (SizedFor::Alternation, 0) => writeln!(
                f,
                "  That is at any one moment; within many operations it happens more often: see --operations."
            ),
            (SizedFor::Alternation, operations) => writeln!(
                f,
                "  That is at some time within {} deletions, each with an insertion: a bound, as the list grows\n  \
                 beyond the CAM as often as it shrinks back, which it does where one of its elements is deleted.",
                number(operations as f64)
            ),
        }
    }
}

impl Question {
    /// Why a CAM under deletions was not measured.
    pub(super) fn explain_unmeasured(
        &self,
        f: &mut fmt::Formatter<'_>,
        seen: &Seen,
    ) -> fmt::Result {
        match self.workload {
            SizedFor::StaticFill => Ok(()),
            SizedFor::Alternation if seen.is_of_smaller() => writeln!(
                f,
                "  So large a table is not simulated itself, so that splitting does not measure its CAM."
            ),
            SizedFor::Alternation => writeln!(
                f,
                "  Splitting does not measure it, as no list got long enough to begin with."
            ),
        }
    }

    /// What was seen of a list, and how its law is continued.
    pub(super) fn explain_sample(&self, f: &mut fmt::Formatter<'_>, seen: &Seen) -> fmt::Result {
        let sample = &seen.sample;
        if seen.is_of_smaller() {
            writeln!(
                f,
                "  Simulated was that of a table of {} elements with the same proportions.",
                sample.elements
            )?;
        }
        let trials = match self.workload {
            SizedFor::StaticFill => "simulated trials",
            SizedFor::Alternation => "simulated lifetimes",
        };
        let dispersion = sample.estimate(|of| of.dispersion());
        let skewness = sample.estimate(|of| of.skewness());
        writeln!(
            f,
            "  In {} {trials} it had a mean of {}, a variance of {} ± {} (standard error) times\n  \
             that, and a third cumulant of {} ± {} times the variance; of a Poisson law both are 1 times. A law with\n  \
             such cumulants, each a standard error larger, was continued to lists far too rare to be seen: take it as\n  \
             a guide.",
            sample.trials,
            digits(sample.mean().value, 4),
            digits(dispersion.value, 3),
            digits(dispersion.error, 1),
            digits(skewness.value, 3),
            digits(skewness.error, 1),
        )
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n", Kind::of(self.rule).to_string().replace('`', ""), self.question)?;
        writeln!(f, "{}", self.rows())?;
        self.explain_search(f)?;
        self.explain_cam(f)
    }
}

impl Answer {
    fn rows(&self) -> Rows {
        let parts: Vec<&Part> = std::iter::once(&self.best).chain(&self.equal).collect();
        let mut rows = Rows::default();
        let headers =
            if self.search.is_some() { ["best sizes", "equal sizes"] } else { ["equal sizes", ""] };
        rows.push(
            [String::new()].into_iter().chain(headers.map(String::from)).take(1 + parts.len()),
        );
        let mut row = |name: &str, cell: &dyn Fn(&Part) -> Option<String>| {
            let cells: Vec<Option<String>> = parts.iter().map(|part| cell(part)).collect();
            if cells.iter().any(Option::is_some) {
                let cells = cells.into_iter().map(|cell| cell.unwrap_or("-".to_owned()));
                rows.push(std::iter::once(name.to_owned()).chain(cells));
            }
        };
        for i in 0..self.question.choices {
            let name = format!("buckets of sub-table {}", i + 1);
            row(&name, &|part| Some(part.table.buckets[i].to_string()));
        }
        row("buckets in all", &|part| Some(part.table.total_buckets().to_string()));
        row("places per element", &|part| Some(digits(part.table.space(), 5)));
        row("moves per insertion", &|part| part.moves().map(|moves| digits(moves, 3)));
        row("elements expected on the overflow list", &|part| Some(digits(part.overflow(), 4)));
        row("  its standard error, simulated", &|part| {
            part.seen.as_ref().map(|seen| digits(seen.mean.error, 2))
        });
        let list = |part: &Part, of: fn(&List) -> f64| {
            let known = part.law().filter(|list| list.mean() > 0.0);
            known.map(|list| digits(of(list), 3))
        };
        row("  their standard deviation", &|part| list(part, |list| list.variance().sqrt()));
        row("  variance divided by mean", &|part| list(part, |list| list.variance() / list.mean()));
        for (i, name) in CAM_ROWS.into_iter().enumerate() {
            row(name, &|part| part.cam.as_ref().and_then(|cam| cam.cells()[i].clone()));
        }
        row("CAM after Poisson, places", &|part| {
            part.cam.as_ref().map(|cam| cam.poisson_size.to_string())
        });
        row("  probability that it is too small", &|part| {
            part.cam.as_ref()?.poisson_failure.map(probability)
        });
        rows
    }

    fn explain_search(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(search) = &self.search else { return Ok(()) };
        if self.whole {
            return writeln!(
                f,
                "best sizes: searched in whole numbers, bucket by bucket, from the best proportions for many\n  \
                 elements and from equal sizes. There may be better ones."
            );
        }
        let (found, starts) = (search.found_by, search.starts);
        write!(f, "best sizes: {found} of {starts} random starts of the search found them; ")?;
        if search.sure() {
            return writeln!(f, "sure.");
        }
        writeln!(f, "NOT SURE.")?;
        if search.skipped > 0 {
            return writeln!(
                f,
                "  The time limit was over: {} of the starts were not followed to their end. Give a longer --time-limit.",
                search.skipped
            );
        }
        if found < SURE {
            writeln!(f, "  {SURE} are wanted, as there may be better sizes. Try more --starts.")
        } else {
            writeln!(f, "  So little overflow is not computed precisely enough to be compared.")
        }
    }

    fn explain_cam(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wanted = probability(self.question.cam_failure);
        let Some(cam) = &self.best.cam else {
            return writeln!(
                f,
                "CAM: not known. The time limit was over before the table was simulated; its overflow is that of the\n  \
                 limit for many elements. Give a longer --time-limit."
            );
        };
        write!(
            f,
            "CAM: the memory that holds the overflow list, the elements that are in no bucket. It may be\n  \
             too small with probability {wanted}. Its size is ",
        )?;
        if let Some(passage) = &cam.passage {
            passage.explain(f, &self.question)?;
            return self.explain_excess(f);
        }
        let Some(list) = &self.best.list else { return writeln!(f, "not known.") };
        writeln!(f, "{}.", list.source())?;
        self.question.explain_operations(f)?;
        if let Some(seen) = self.best.seen.as_ref().filter(|_| list.is_simulated()) {
            self.question.explain_unmeasured(f, seen)?;
        }
        if let Some(feared) = list.feared() {
            return explain_unseen(f, feared);
        }
        if let Some(estimate) = self.estimate {
            writeln!(
                f,
                "  Simulated, long lists made likely: {} ± {} (standard error).",
                probability(estimate.probability),
                probability(estimate.standard_error),
            )?;
        }
        if list.is_simulated() {
            return self.explain_extrapolation(f);
        }
        let failure = cam.poisson_failure.filter(|&failure| failure > self.question.cam_failure);
        if let Some(failure) = failure {
            writeln!(
                f,
                "  A Poisson law of the same mean would make it too small: it fails {} times as often as wanted.",
                digits(failure / self.question.cam_failure, 2),
            )?;
        }
        Ok(())
    }

    fn explain_extrapolation(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(seen) = &self.best.seen else { return Ok(()) };
        writeln!(f, "  The law of the list is not known here, or takes long to compute.")?;
        self.question.explain_sample(f, seen)?;
        self.explain_excess(f)
    }

    /// What is to be said of a list that is longer than wanted.
    fn explain_excess(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(seen) = &self.best.seen else { return Ok(()) };
        let mean = seen.mean;
        if self.exceeded_by_far(mean.value, mean.error) {
            writeln!(f, "  MORE THAN WANTED: no table was found that reaches it. Ask for less.")?;
        }
        Ok(())
    }

    /// Whether a measured mean is more than chance away from the overflow that was wanted.
    fn exceeded_by_far(&self, mean: f64, error: f64) -> bool {
        let Goal::Overflow(wanted) = self.question.goal else { return false };
        mean - 3.0 * error > wanted * f64::from(self.question.elements)
    }
}

/// For what the CAM is where nothing overflowed.
pub(super) fn explain_unseen(f: &mut fmt::Formatter<'_>, feared: f64) -> fmt::Result {
    writeln!(
        f,
        "  No element overflowed in the simulation. With fewer than {} on the list on average, that is to be\n  \
         expected more often than once in 20 times; the CAM is for a Poisson number of that mean.",
        digits(feared, 2),
    )
}
