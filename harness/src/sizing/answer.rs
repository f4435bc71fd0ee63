//! From a question to a table that a person can build.

use loadfactor_schemes::tables::sizing::Design;
use loadfactor_schemes::tables::theory::multilevel::{Estimate, InsertionRule};

use super::budget::Budget;
use super::part::{best, equal};
use super::{Definition, Error, Part, Question, whole};
use crate::run::Progress;

/// How the space is cut into sub-tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// As it is best.
    Best,
    /// Into equal ones.
    Equal,
}

/// A table of one scheme.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What was asked.
    pub question: Question,
    /// How elements are inserted.
    pub rule: InsertionRule,
    /// How the search for the best proportions went; `None` where equal sub-tables were asked for.
    pub search: Option<Design>,
    /// Whether the table was searched in whole numbers, from the best proportions and from equal ones.
    pub whole: bool,
    /// The table.
    pub best: Part,
    /// The table of equal sub-tables that reaches the same; `None` where it was asked for itself.
    pub equal: Option<Part>,
    /// The probability that the CAM is too small, estimated by another method.
    pub estimate: Option<Estimate>,
}

/// What is found out of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Its sizes and its CAM.
    Sizes,
    /// Also a second opinion on the CAM.
    Estimate,
    /// Also what trials show.
    Verify,
}

/// Sizes a table. It is simulated wherever its CAM is not known otherwise.
///
/// # Errors
/// [`Error`].
pub fn answer(
    question: Question,
    rule: InsertionRule,
    cut: Cut,
    depth: Depth,
    progress: &dyn Progress,
) -> Result<Answer, Error> {
    question.check_space(rule)?;
    let budget = Budget::new(question.time_limit, progress);
    let (found, equal) = match cut {
        Cut::Equal => (None, equal(&question, rule)?),
        Cut::Best => {
            let (found, equal) =
                rayon::join(|| best(&question, rule, budget.half()), || equal(&question, rule));
            (Some(found?), equal?)
        }
    };
    let mut answer = Answer::of(question, rule, found, equal, budget)?;
    if answer.best.law().is_none() {
        let part = if answer.equal.is_some() { budget.half() } else { budget };
        answer.best.simulate(&question, rule, part)?;
    }
    if let Some(equal) = answer.equal.as_mut().filter(|equal| equal.law().is_none()) {
        equal.simulate(&question, rule, budget)?;
    }
    answer.take_the_better();
    if depth == Depth::Verify {
        answer.best.verify(&question, rule, Budget::new(question.time_limit, progress))?;
    }
    if depth != Depth::Sizes && !budget.is_over() {
        answer.estimate = answer.estimated();
    }
    Ok(answer)
}

impl Answer {
    fn of(
        question: Question,
        rule: InsertionRule,
        found: Option<(Design, Part)>,
        equal: Part,
        budget: Budget<'_>,
    ) -> Result<Self, Error> {
        let Some((search, best)) = found else {
            let (whole, estimate) = (false, None);
            return Ok(Self {
                question,
                rule,
                search: None,
                whole,
                best: equal,
                equal: None,
                estimate,
            });
        };
        let equal = Some(equal);
        let mut answer = Self {
            question,
            rule,
            search: Some(search),
            whole: false,
            best,
            equal,
            estimate: None,
        };
        answer.take_the_better();
        if whole::are_few(question.elements) {
            answer.whole = true;
            answer.best = whole::improved(&question, rule, answer.best, budget)?;
        }
        Ok(answer)
    }

    /// Equal sub-tables are the best where no others are seen to be better.
    fn take_the_better(&mut self) {
        let Some(equal) = &self.equal else { return };
        if equal.is_better_than(&self.best, self.question.goal) {
            (self.best, self.whole) = (equal.clone(), true);
        }
    }

    /// Whether the sizes are known to be the best.
    pub fn sure(&self) -> bool {
        !self.whole && self.search.as_ref().is_some_and(Design::sure)
    }

    /// The experiment that measures the table.
    pub fn definition(&self) -> Definition<'_> {
        self.best.definition(&self.question, self.rule)
    }

    fn estimated(&self) -> Option<Estimate> {
        let Part { table, cam, .. } = &self.best;
        if self.best.law().is_none() || whole::are_few(table.elements) {
            return None;
        }
        cam.as_ref()?.estimate(self.rule, table, self.question.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Silent;
    use loadfactor_schemes::tables::sizing::{Goal, RULES, SizedFor};

    const QUESTION: Question = Question {
        elements: 1000,
        choices: 3,
        goal: Goal::Overflow(0.01),
        workload: SizedFor::StaticFill,
        cam_failure: 1e-9,
        operations: 0,
        time_limit: None,
        starts: 1,
        trials: None,
        seed: 1,
    };

    /// The best sizes rounded down would have more on the list.
    #[test]
    fn the_table_meets_the_goal_and_one_bucket_less_does_not() {
        for rule in RULES {
            let Answer { best, .. } =
                answer(QUESTION, rule, Cut::Equal, Depth::Sizes, &Silent).unwrap();
            assert!(best.overflow() <= 10.0, "{rule:?} {}", best.overflow());
            let less = best.table.total_buckets() - 1;
            let less = QUESTION.cut(rule, &[1.0; 3], less).unwrap();
            let mean = QUESTION.list(rule, &less).unwrap().mean();
            assert!(mean > 10.0, "{rule:?} {mean}");
        }
    }

    #[test]
    fn the_cam_is_the_smallest_that_fails_as_rarely_as_wanted() {
        for rule in RULES {
            let Answer { best, .. } =
                answer(QUESTION, rule, Cut::Equal, Depth::Sizes, &Silent).unwrap();
            let (list, cam) = (best.list.unwrap(), best.cam.unwrap());
            let size = cam.places.decided().unwrap();
            assert!(cam.failure.unwrap() <= 1e-9, "{rule:?} {cam:?}");
            assert!(list.exceeds(size - 1) > 1e-9, "{rule:?} {cam:?}");
        }
    }
}
