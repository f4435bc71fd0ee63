//! A table with its overflow list, as it is or as it was seen to be.

use loadfactor_schemes::math::poisson;
use loadfactor_schemes::tables::sizing::{self, Design, Goal, SizedFor};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use super::budget::Budget;
use super::definition::Layout;
use super::observation::{default_trials, observe_in_time};
use super::search::Search;
use super::smaller::Smaller;
use super::table::least_total;
use super::without_law::cam_of;
use super::{
    Cam, Definition, Error, FiniteTable, Kind, List, Measure, Measured, Question, Sample, Seen,
    simulate, whole,
};

/// A table with its overflow list.
#[derive(Debug, Clone)]
pub struct Part {
    /// The table.
    pub table: FiniteTable,
    /// The law of its overflow list, as far as it is known.
    pub list: Option<List>,
    /// The CAM for that list.
    pub cam: Option<Cam>,
    /// What was seen of its list, where no law is known.
    pub seen: Option<Seen>,
    /// What the trials of its experiment showed, if they were wanted.
    pub measured: Option<Measured>,
}

/// The best table in whole numbers, with the search for its proportions.
pub(super) fn best(
    question: &Question,
    rule: InsertionRule,
    budget: Budget<'_>,
) -> Result<(Design, Part), Error> {
    let Question { choices, goal, starts, seed, .. } = *question;
    let watch = Search::new(Kind::of(rule).to_string(), starts, budget);
    let model = question.model(rule);
    let search = sizing::optimise_watched(model, choices, goal, starts, seed, &watch);
    let search = search.map_err(Error::about(rule))?;
    let part = Part::at_sizes(question, rule, &search.best.sizes)?;
    Ok((search, part))
}

/// The table of equal sub-tables.
pub(super) fn equal(question: &Question, rule: InsertionRule) -> Result<Part, Error> {
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
        Ok(Self::new(question, table, list))
    }

    /// The table of sub-tables with these numbers of buckets.
    pub(super) fn of(
        question: &Question,
        rule: InsertionRule,
        buckets: Vec<u32>,
    ) -> Result<Self, Error> {
        let table = FiniteTable::of(question.model(rule), question.elements, buckets)?;
        let list = question.list(rule, &table);
        Ok(Self::new(question, table, list))
    }

    /// The same, of whose list nothing is said.
    pub(super) fn without_law(
        question: &Question,
        rule: InsertionRule,
        buckets: Vec<u32>,
    ) -> Result<Self, Error> {
        let table = FiniteTable::of(question.model(rule), question.elements, buckets)?;
        Ok(Self::new(question, table, None))
    }

    fn new(question: &Question, table: FiniteTable, list: Option<List>) -> Self {
        let cam = list.as_ref().map(|list| Cam::for_question(question, list, table.longest_list()));
        Self { table, list, cam, seen: None, measured: None }
    }

    /// The law of the list where theory has it.
    pub fn law(&self) -> Option<&List> {
        self.list.as_ref().filter(|list| !list.is_simulated())
    }

    /// Elements expected on the overflow list: by its law where that is known, else as simulated, else by
    /// the limit.
    pub fn overflow(&self) -> f64 {
        let seen = self.seen.as_ref().map(|seen| seen.mean.value).filter(|&mean| mean > 0.0);
        let law = self.law().map(List::mean);
        law.or(seen).unwrap_or_else(|| self.table.overflow())
    }

    /// Elements moved, per insertion, likewise; `None` where it is not known, as the limit says little of few
    /// elements.
    pub fn moves(&self) -> Option<f64> {
        let limit = Some(self.table.limit.moves);
        let of_limit = limit.filter(|&moves| moves == 0.0 || !whole::are_few(self.table.elements));
        let by_law = self.law().map(|law| law.moves().or(of_limit));
        by_law.unwrap_or_else(|| self.seen.as_ref().map(|seen| seen.sample.moves()).or(of_limit))
    }

    /// What is compared: less is better.
    pub(super) fn needs(&self, goal: Goal) -> [f64; 2] {
        match goal {
            Goal::Overflow(_) => [self.table.space(), self.overflow()],
            Goal::Space(_) => [self.overflow(), self.table.space()],
        }
    }

    pub(super) fn is_better_than(&self, other: &Self, goal: Goal) -> bool {
        self.needs(goal) < other.needs(goal)
    }

    /// The experiment that measures the table.
    pub(super) fn definition<'a>(
        &'a self,
        question: &Question,
        rule: InsertionRule,
    ) -> Definition<'a> {
        let Question { elements, workload, trials, seed, .. } = *question;
        let by_poisson = poisson::upper_quantile(self.table.overflow(), question.cam_failure);
        Definition {
            kind: Kind::of(rule),
            elements,
            layout: Layout::SubTables(&self.table.buckets),
            workload,
            trials: trials.unwrap_or_else(|| Definition::default_trials(workload, elements)),
            cam_size: self.cam.map_or(by_poisson.saturating_mul(2), |cam| cam.size()),
            seed,
        }
    }

    /// Runs the trials of the experiment of the table.
    pub(super) fn verify(
        &mut self,
        question: &Question,
        rule: InsertionRule,
        budget: Budget<'_>,
    ) -> Result<(), Error> {
        self.measured = Some(simulate(&self.definition(question, rule), budget)?);
        Ok(())
    }

    /// Takes the overflow list and its CAM from simulations, as far as there is time for them. A table whose list is
    /// seen to be longer than wanted, or clearly shorter, is cut anew.
    pub(super) fn simulate(
        &mut self,
        question: &Question,
        rule: InsertionRule,
        budget: Budget<'_>,
    ) -> Result<(), Error> {
        let smaller = Smaller::in_place_of(&self.definition(question, rule));
        let simulated = match smaller {
            Some(smaller) => self.take_from_smaller(question, rule, &smaller, budget),
            None => self.simulate_itself(question, rule, budget),
        };
        match simulated {
            Err(Error::OutOfTime { .. }) => Ok(()),
            other => other,
        }
    }

    fn simulate_itself(
        &mut self,
        question: &Question,
        rule: InsertionRule,
        budget: Budget<'_>,
    ) -> Result<(), Error> {
        let trials = question.trials_of(question.elements);
        let watched = budget.half();
        let mut short = 0;
        for attempt in 1..=MOST_SIMULATIONS {
            let rough = attempt <= ROUGH_SIMULATIONS;
            let looks = if rough { trials / PART_OF_THE_TRIALS } else { trials };
            let sample = observe_in_time(&self.definition(question, rule), looks, watched)?;
            if let Some(table) = self.recut(question, rule, &sample, &mut short)? {
                *self = Self::new(question, table, None);
            } else if !rough || watched.is_over() {
                return self.take_list(question, rule, Seen::of_itself(sample), budget);
            }
        }
        let sample = observe_in_time(&self.definition(question, rule), trials, watched)?;
        self.take_list(question, rule, Seen::of_itself(sample), budget)
    }

    /// What a smaller table says of this one: a finite table deviates from the limit by a share that falls as its
    /// elements grow in number.
    fn take_from_smaller(
        &mut self,
        question: &Question,
        rule: InsertionRule,
        smaller: &Smaller,
        budget: Budget<'_>,
    ) -> Result<(), Error> {
        let definition = self.definition(question, rule);
        let trials = question.trials_of(smaller.elements);
        let sample = observe_in_time(&smaller.definition(&definition), trials, budget)?;
        let times = f64::from(question.elements) / f64::from(smaller.elements);
        let model = question.model(rule);
        let limit = FiniteTable::of(model, smaller.elements, smaller.buckets.clone())?.overflow();
        let factor = of_limit(sample.mean().times(1.0 / limit), times);
        if let Goal::Overflow(share) = question.goal {
            let by_limit = share * f64::from(question.elements) / factor.value;
            let sizes = self.table.sizes();
            let total = question.least_by_limit(rule, &sizes, by_limit)?;
            *self = Self::new(question, question.cut(rule, &sizes, total)?, None);
        }
        let mean = factor.times(self.table.overflow());
        self.take_list(question, rule, Seen { sample, mean, times }, budget)
    }

    fn take_list(
        &mut self,
        question: &Question,
        rule: InsertionRule,
        seen: Seen,
        budget: Budget<'_>,
    ) -> Result<(), Error> {
        let definition = self.definition(question, rule);
        let (list, cam) = cam_of(&definition, question, &seen, self.table.longest_list(), budget)?;
        (self.list, self.cam, self.seen) = (list, Some(cam), Some(seen));
        Ok(())
    }

    /// The table whose list should be as long as is wanted, if that of this one was not: the limit is
    /// corrected by the error it was seen to have. It is larger than any that was `short`.
    fn recut(
        &self,
        question: &Question,
        rule: InsertionRule,
        seen: &Sample,
        short: &mut u64,
    ) -> Result<Option<FiniteTable>, Error> {
        let Goal::Overflow(share) = question.goal else { return Ok(None) };
        let (most, mean) = (share * f64::from(question.elements), seen.mean());
        let (own, is_short) = (self.table.total_buckets(), mean.is_above(most));
        if mean.value == 0.0 || !is_short && !mean.is_far_below(most) {
            return Ok(None);
        }
        if is_short {
            *short = own.max(*short);
        }
        let sizes = self.table.sizes();
        let wanted = (most - mean.error).max(most / 2.0);
        let by_limit = wanted * self.table.overflow() / mean.value;
        let total = question.least_by_limit(rule, &sizes, by_limit)?.max(*short + 1);
        if total >= own && !is_short {
            return Ok(None);
        }
        question.cut(rule, &sizes, total).map(Some)
    }
}

/// Simulations of tables that are cut anew: the first ones are rough. The third hardly ever misses what is wanted.
const MOST_SIMULATIONS: u32 = 6;
const ROUGH_SIMULATIONS: u32 = 2;

/// The share of the trials that a rough one takes.
const PART_OF_THE_TRIALS: u64 = 8;

/// By what a table differs from the limit, from what one differs that has so many `times` fewer elements: the share
/// is of the first order in their reciprocal. What was never seen differs by nothing that is known.
fn of_limit(smaller: Measure, times: f64) -> Measure {
    if smaller.value == 0.0 {
        return Measure { value: 1.0, error: 0.0 };
    }
    Measure { value: 1.0 + (smaller.value - 1.0) / times, error: smaller.error / times }
}

impl Question {
    /// As many trials of a table of so many elements as were asked for, else as take some seconds.
    fn trials_of(&self, elements: u32) -> u64 {
        self.trials.unwrap_or_else(|| default_trials(elements, self.choices, 0.0))
    }

    /// Checks that a given space has a bucket for each sub-table, before anything is searched in it.
    pub(super) fn check_space(&self, rule: InsertionRule) -> Result<(), Error> {
        let Goal::Space(space) = self.goal else { return Ok(()) };
        let places = space * f64::from(self.elements) * (1.0 + 1e-12);
        let buckets = (places / f64::from(rule.bucket_size())) as u64;
        if buckets < self.choices as u64 {
            return Err(Error::EmptySubTable { buckets, choices: self.choices });
        }
        Ok(())
    }

    pub(super) fn cut(
        &self,
        rule: InsertionRule,
        sizes: &[f64],
        total: u64,
    ) -> Result<FiniteTable, Error> {
        FiniteTable::cut(self.model(rule), self.elements, sizes, total)
    }

    pub(super) fn list(&self, rule: InsertionRule, table: &FiniteTable) -> Option<List> {
        match self.workload {
            _ if table.longest_list() == 0 => Some(List::none()),
            SizedFor::StaticFill => List::after_static_fill(rule, table),
            SizedFor::Alternation => None,
        }
    }

    /// The smallest table with this shape and at most so many elements on its overflow list.
    ///
    /// Rounded down, the best sizes would miss the goal, and a list may be longer or shorter than the limit
    /// says. As a bucket more is worth the same in each sub-table, all grow in proportion. The search bisects
    /// between a total that is too small and one that is large enough; each guess corrects the limit by the
    /// factor by which the last one missed it: an error in elements may be more than is wanted of a short list. Small tables, whose limit says little, are bisected alone.
    fn with_overflow(
        &self,
        rule: InsertionRule,
        sizes: &[f64],
        most: f64,
    ) -> Result<(FiniteTable, Option<List>), Error> {
        if let Some(found) = self.small_with_overflow(rule, sizes, most)? {
            return Ok(found);
        }
        let (mut short, mut by_limit) = (0, most);
        let mut enough: Option<(u64, FiniteTable, List)> = None;
        for _ in 0..MOST_ATTEMPTS {
            let nearest = enough.as_ref().map_or(u64::MAX, |(total, ..)| total - 1);
            if nearest == short {
                break;
            }
            let total = self.least_by_limit(rule, sizes, by_limit)?;
            let total = total.clamp(short + 1, nearest);
            let table = match self.cut(rule, sizes, total) {
                Err(Error::EmptySubTable { .. }) if enough.is_some() => break,
                table => table?,
            };
            let Some(list) = self.list(rule, &table) else { return Ok((table, None)) };
            if list.mean() > 0.0 {
                by_limit = most * table.overflow() / list.mean();
            }
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

    /// The same for so few elements that the lists of all tables are known; `None` where they are not.
    fn small_with_overflow(
        &self,
        rule: InsertionRule,
        sizes: &[f64],
        most: f64,
    ) -> Result<Option<(FiniteTable, Option<List>)>, Error> {
        if !whole::are_few(self.elements) {
            return Ok(None);
        }
        let list = |total| -> Result<_, Error> {
            let table = self.cut(rule, sizes, total)?;
            let list = self.list(rule, &table);
            Ok((table, list))
        };
        if list(self.choices as u64)?.1.is_none() {
            return Ok(None);
        }
        let total = least_total(sizes.len() as u64, |total| {
            let (table, list) = list(total)?;
            Ok(list.map_or(table.overflow(), |list| list.mean()) <= most)
        })?;
        list(total).map(Some)
    }

    /// The least total of buckets with at most so many elements on the overflow list, by the limit.
    fn least_by_limit(&self, rule: InsertionRule, sizes: &[f64], most: f64) -> Result<u64, Error> {
        let half = sizes.iter().map(|size| (size * f64::from(self.elements) / 2.0) as u64);
        least_total(half.sum::<u64>().max(sizes.len() as u64), |total| {
            Ok(self.cut(rule, sizes, total)?.overflow() <= most)
        })
    }
}

/// How many lists are computed to find the smallest table. Three or four is usual.
const MOST_ATTEMPTS: u32 = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::tables::theory::multilevel::standard_law;

    /// Static fills whose law is exact: what a table of 2,000 elements differs by from the limit says what one of ten
    /// times as many differs by.
    #[test]
    fn a_smaller_table_says_how_far_a_large_one_is_from_the_limit() {
        let rule = InsertionRule::Standard { bucket_size: 1 };
        let model = sizing::Model { rule, workload: SizedFor::StaticFill };
        let buckets = [1_800, 1_000, 400];
        let of = |elements: u32, buckets: Vec<u32>| {
            let exact = standard_law(elements, &buckets).unwrap().overflow.mean();
            exact / FiniteTable::of(model, elements, buckets).unwrap().overflow()
        };
        let smaller = of(2_000, buckets.to_vec());
        let large = of(20_000, buckets.iter().map(|m| 10 * m).collect());
        let found = of_limit(Measure { value: smaller, error: 0.0 }, 10.0).value;
        assert!((smaller - 1.0).abs() > 1e-3, "{smaller}");
        assert!((found - large).abs() < 0.05 * (large - 1.0).abs(), "{smaller} {found} {large}");
    }
}
