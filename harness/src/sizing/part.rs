//! A table with its overflow list, as it is or as it was seen to be.

use loadfactor_schemes::math::poisson;
use loadfactor_schemes::tables::sizing::{self, Design, Goal, SizedFor};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use super::definition::Layout;
use super::search::Search;
use super::table::least_total;
use super::{Cam, Definition, Error, FiniteTable, Kind, List, Measured, Question, simulate, whole};
use crate::run::Progress;

/// A table with its overflow list.
#[derive(Debug, Clone)]
pub struct Part {
    /// The table.
    pub table: FiniteTable,
    /// The law of its overflow list, as far as it is known.
    pub list: Option<List>,
    /// The CAM for that list.
    pub cam: Option<Cam>,
    /// What trials of it showed, if they were wanted or needed.
    pub measured: Option<Measured>,
}

/// The best table in whole numbers, with the search for its proportions.
pub(super) fn best(
    question: &Question,
    rule: InsertionRule,
    progress: &dyn Progress,
) -> Result<(Design, Part), Error> {
    let Question { choices, goal, starts, seed, time_limit, .. } = *question;
    let watch = Search::new(Kind::of(rule).to_string(), starts, time_limit, progress);
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

    fn new(question: &Question, table: FiniteTable, list: Option<List>) -> Self {
        let cam = list.as_ref().map(|list| Cam::for_question(question, list, table.longest_list()));
        Self { table, list, cam, measured: None }
    }

    /// The law of the list where theory has it.
    pub fn law(&self) -> Option<&List> {
        self.list.as_ref().filter(|list| !list.is_simulated())
    }

    /// Elements expected on the overflow list: by its law where that is known, else as measured, else by
    /// the limit.
    pub fn overflow(&self) -> f64 {
        let measured = || self.measured.as_ref()?.overflow()?.mean();
        let law = self.law().map(List::mean);
        law.or_else(measured).unwrap_or_else(|| self.table.overflow())
    }

    /// Elements moved, per insertion, likewise; `None` where it is not known, as the limit says little of few
    /// elements.
    pub fn moves(&self) -> Option<f64> {
        let limit = Some(self.table.limit.moves);
        let of_limit = limit.filter(|&moves| moves == 0.0 || !whole::are_few(self.table.elements));
        let by_law = self.law().map(|law| law.moves().or(of_limit));
        let measured = || self.measured.as_ref().and_then(Measured::moves);
        by_law.unwrap_or_else(|| measured().or(of_limit))
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
            cam_size: self.cam.map_or(by_poisson.saturating_mul(2), |cam| cam.size),
            seed,
        }
    }

    /// Measures the table, and takes the law of its overflow list from there where theory has none. A table
    /// whose list is then seen to be further from what is wanted than chance explains is cut anew.
    pub(super) fn simulate(
        &mut self,
        question: &Question,
        rule: InsertionRule,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        for attempt in 0..MOST_SIMULATIONS {
            let measured = simulate(&self.definition(question, rule), progress)?;
            let recut = match self.law() {
                None if attempt + 1 < MOST_SIMULATIONS => self.recut(question, rule, &measured)?,
                _ => None,
            };
            if let Some(table) = recut {
                *self = Self::new(question, table, None);
                continue;
            }
            if self.law().is_none() {
                self.list = List::of_simulation(&measured);
                let list = self.list.as_ref();
                self.cam =
                    list.map(|list| Cam::for_question(question, list, self.table.longest_list()));
            }
            self.measured = Some(measured);
            break;
        }
        Ok(())
    }

    /// The table whose list should be as long as is wanted, if that of this one was not: the limit is
    /// corrected by the error it was seen to have.
    fn recut(
        &self,
        question: &Question,
        rule: InsertionRule,
        measured: &Measured,
    ) -> Result<Option<FiniteTable>, Error> {
        let Goal::Overflow(share) = question.goal else { return Ok(None) };
        let most = share * f64::from(question.elements);
        let seen = measured.overflow().and_then(|seen| Some([seen.mean()?, seen.std_error()?]));
        let Some([mean, error]) = seen else { return Ok(None) };
        if mean == 0.0 || (mean - most).abs() <= MOST_ERRORS * error {
            return Ok(None);
        }
        let per_element = |&m: &u32| f64::from(m) / f64::from(question.elements);
        let sizes: Vec<f64> = self.table.buckets.iter().map(per_element).collect();
        let by_limit = most * self.table.overflow() / mean;
        let total = question.least_by_limit(rule, &sizes, by_limit)?;
        let table = question.cut(rule, &sizes, total)?;
        Ok((table.total_buckets() != self.table.total_buckets()).then_some(table))
    }
}

/// Simulations of tables that are cut anew. The second hardly ever misses what is wanted.
const MOST_SIMULATIONS: u32 = 4;

/// Standard errors by which a mean may miss what is wanted.
const MOST_ERRORS: f64 = 2.5;

impl Question {
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
    /// error of the last one. Small tables, whose limit says little, are bisected alone.
    fn with_overflow(
        &self,
        rule: InsertionRule,
        sizes: &[f64],
        most: f64,
    ) -> Result<(FiniteTable, Option<List>), Error> {
        if let Some(found) = self.small_with_overflow(rule, sizes, most)? {
            return Ok(found);
        }
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
