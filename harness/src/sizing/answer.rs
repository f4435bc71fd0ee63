//! From a question to a table that a person can build.

use loadfactor_schemes::math::poisson;
use loadfactor_schemes::tables::sizing::{self, Design, Goal, SizedFor};
use loadfactor_schemes::tables::theory::multilevel::{Estimate, InsertionRule};

use super::table::least_total;
use super::{Cam, Definition, Error, FiniteTable, List, Measured, Question, simulate};
use crate::run::Progress;

/// How the space is cut into sub-tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// As it is best.
    Best,
    /// Into equal ones.
    Equal,
}

/// A table with its overflow list.
#[derive(Debug, Clone)]
pub struct Part {
    /// The table.
    pub table: FiniteTable,
    /// The law of its overflow list, as far as it is known.
    pub list: Option<List>,
    /// The CAM for that list.
    pub cam: Option<Cam>,
}

/// A table of one scheme.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What was asked.
    pub question: Question,
    /// How elements are inserted.
    pub rule: InsertionRule,
    /// How the search for the best sizes went; `None` where equal ones were asked for.
    pub search: Option<Design>,
    /// The table.
    pub best: Part,
    /// The table of equal sub-tables that reaches the same; `None` where it was asked for itself.
    pub equal: Option<Part>,
    /// The probability that the CAM is too small, estimated by another method.
    pub estimate: Option<Estimate>,
    /// What trials of the table showed, if they were wanted or needed.
    pub measured: Option<Measured>,
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
    let (best, equal) = rayon::join(
        || match cut {
            Cut::Best => best(&question, rule),
            Cut::Equal => Ok((None, equal(&question, rule)?)),
        },
        || (cut == Cut::Best).then(|| equal(&question, rule)).transpose(),
    );
    let (search, part) = best?;
    let mut answer = Answer {
        question,
        rule,
        search,
        best: part,
        equal: equal?,
        estimate: None,
        measured: None,
    };
    if depth == Depth::Verify || answer.best.list.is_none() {
        answer.simulate(progress)?;
    }
    if depth != Depth::Sizes {
        answer.estimate = answer.estimated();
    }
    Ok(answer)
}

fn best(question: &Question, rule: InsertionRule) -> Result<(Option<Design>, Part), Error> {
    let Question { choices, goal, starts, seed, .. } = *question;
    let search = sizing::optimise(question.model(rule), choices, goal, starts, seed);
    let search = search.map_err(Error::about(rule))?;
    let part = Part::at_sizes(question, rule, &search.best.sizes)?;
    Ok((Some(search), part))
}

fn equal(question: &Question, rule: InsertionRule) -> Result<Part, Error> {
    let equal = sizing::equal(question.model(rule), question.choices, question.goal);
    Part::at_sizes(question, rule, &equal.map_err(Error::about(rule))?.sizes)
}

impl Part {
    fn at_sizes(question: &Question, rule: InsertionRule, sizes: &[f64]) -> Result<Self, Error> {
        let elements = f64::from(question.elements);
        let (table, list) = match question.goal {
            Goal::Space(_) => {
                let total = sizes.iter().sum::<f64>() * elements * (1.0 + 1e-12);
                let table = question.cut(rule, sizes, total as u64)?;
                let list = question.list(rule, &table);
                (table, list)
            }
            Goal::Overflow(share) => question.with_overflow(rule, sizes, share * elements)?,
        };
        Ok(Self { cam: list.as_ref().map(|list| question.cam(list)), table, list })
    }

    /// Elements expected on the overflow list: by its law where that is known, else by the limit.
    pub fn overflow(&self) -> f64 {
        self.list
            .as_ref()
            .filter(|list| !list.is_simulated())
            .map_or(self.table.overflow(), List::mean)
    }
}

impl Question {
    /// Checks that a given space has a bucket for each sub-table, before anything is searched in it.
    fn check_space(&self, rule: InsertionRule) -> Result<(), Error> {
        let Goal::Space(space) = self.goal else { return Ok(()) };
        let places = space * f64::from(self.elements) * (1.0 + 1e-12);
        let buckets = (places / f64::from(rule.bucket_size())) as u64;
        if buckets < self.choices as u64 {
            return Err(Error::EmptySubTable { buckets, choices: self.choices });
        }
        Ok(())
    }

    fn cut(&self, rule: InsertionRule, sizes: &[f64], total: u64) -> Result<FiniteTable, Error> {
        FiniteTable::cut(self.model(rule), self.elements, sizes, total)
    }

    fn list(&self, rule: InsertionRule, table: &FiniteTable) -> Option<List> {
        match self.workload {
            SizedFor::StaticFill => List::after_static_fill(rule, table),
            SizedFor::Alternation => None,
        }
    }

    fn cam(&self, list: &List) -> Cam {
        Cam::for_failure(list, self.elements, self.cam_failure)
    }

    /// The smallest table with this shape and at most so many elements on its overflow list.
    ///
    /// Rounded down, the best sizes would miss the goal, and a list may be longer or shorter than the limit
    /// says. As a bucket more is worth the same in each sub-table, all grow in proportion. The search bisects
    /// between a total that is too small and one that is large enough; each guess corrects the limit by the
    /// error of the last one.
    fn with_overflow(
        &self,
        rule: InsertionRule,
        sizes: &[f64],
        most: f64,
    ) -> Result<(FiniteTable, Option<List>), Error> {
        let (mut short, mut beyond_limit) = (0, 0.0);
        let mut enough: Option<(u64, FiniteTable, List)> = None;
        for _ in 0..MOST_ATTEMPTS {
            let nearest = enough.as_ref().map_or(u64::MAX, |(total, ..)| total - 1);
            if nearest == short {
                break;
            }
            let total = self.least_by_limit(rule, sizes, most - beyond_limit)?;
            let total = total.clamp(short + 1, nearest);
            let table = match self.cut(rule, sizes, total) {
                Err(Error::EmptySubTable { .. }) if enough.is_some() => break,
                table => table?,
            };
            let Some(list) = self.list(rule, &table) else { return Ok((table, None)) };
            beyond_limit = list.mean() - table.overflow();
            if list.mean() <= most {
                enough = Some((total, table, list));
            } else {
                short = total;
            }
        }
        match enough {
            Some((_, table, list)) => Ok((table, Some(list))),
            None => Ok((self.cut(rule, sizes, short + 1)?, None)),
        }
    }

    /// The least total of buckets with at most so many elements on the overflow list, by the limit.
    fn least_by_limit(&self, rule: InsertionRule, sizes: &[f64], most: f64) -> Result<u64, Error> {
        let half = sizes.iter().map(|size| (size * f64::from(self.elements) / 2.0) as u64);
        least_total(half.sum::<u64>().max(1), |total| match self.cut(rule, sizes, total) {
            Ok(table) => Ok(table.overflow() <= most),
            Err(Error::EmptySubTable { .. }) => Ok(false),
            Err(error) => Err(error),
        })
    }
}

/// How many lists are computed to find the smallest table. Three or four is usual.
const MOST_ATTEMPTS: u32 = 12;

impl Answer {
    /// The experiment that measures the table.
    pub fn definition(&self) -> Definition<'_> {
        let Question { elements, workload, trials, seed, .. } = self.question;
        let table = &self.best.table;
        let by_poisson = poisson::upper_quantile(table.overflow(), self.question.cam_failure);
        Definition {
            rule: self.rule,
            table,
            workload,
            trials: trials.unwrap_or_else(|| Definition::default_trials(workload, elements)),
            cam_size: self.best.cam.map_or(by_poisson.saturating_mul(2), |cam| cam.size),
            seed,
        }
    }

    /// Measures the table, and takes the law of its overflow list from there where theory has none.
    fn simulate(&mut self, progress: &dyn Progress) -> Result<(), Error> {
        let measured = simulate(&self.definition(), progress)?;
        let best = &mut self.best;
        if best.list.is_none() {
            best.list = List::of_simulation(&measured, self.question.elements);
            best.cam = best.list.as_ref().map(|list| self.question.cam(list));
        }
        self.measured = Some(measured);
        Ok(())
    }

    fn estimated(&self) -> Option<Estimate> {
        let Part { table, list, cam } = &self.best;
        let of_theory = list.as_ref().is_some_and(|list| !list.is_simulated());
        let cam = cam.filter(|_| of_theory)?;
        cam.estimate(self.rule, table, self.question.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Silent;
    use loadfactor_schemes::tables::sizing::RULES;

    const QUESTION: Question = Question {
        elements: 1000,
        choices: 3,
        goal: Goal::Overflow(0.01),
        workload: SizedFor::StaticFill,
        cam_failure: 1e-9,
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
            assert!(cam.failure <= 1e-9, "{rule:?} {cam:?}");
            assert!(list.exceeds(cam.size - 1) > 1e-9, "{rule:?} {cam:?}");
        }
    }
}
