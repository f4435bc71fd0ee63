//! Tables that are sized by simulation, where no limit predicts them.

use std::cell::Cell;

use loadfactor_schemes::tables::sizing::{self, Goal, Model, SizedFor};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use super::budget::Budget;
use super::definition::Layout;
use super::least::{Bracket, Tried, least};
use super::observation::{FirstLook, default_trials, observe_in_time};
use super::predicted::{Predicted, predicted};
use super::search::Search;
use super::smaller::{Smaller, is_large};
use super::table::{MOST_BUCKETS, least_total, one_at_least};
use super::without_law::cam_of;
use super::{
    Cam, Definition, Error, Kind, List, Measure, Measured, Question, Sample, Seen, simulate,
};
use crate::run::Progress;

/// A table that is as small as simulations show that it can be, or as its scheme predicts.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// What was asked.
    pub question: Question,
    /// How elements are inserted, into which buckets.
    pub kind: Kind,
    /// How its buckets are cut.
    pub shape: Shape,
    /// Buckets in all.
    pub total: u64,
    /// Buckets by which it may be larger than it has to be.
    pub within: u64,
    /// What its size rests on.
    pub basis: Basis,
    /// What was seen of its list.
    pub seen: Seen,
    /// The law of its overflow list, extrapolated, where the CAM rests on it.
    pub list: Option<List>,
    /// The CAM for its list.
    pub cam: Cam,
    /// What the trials of its experiment showed, if they were wanted.
    pub measured: Option<Measured>,
}

/// What the size of a table rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// What the scheme predicts of its list.
    Theory,
    /// Simulations: what the scheme predicts is a limit for many elements.
    Simulation,
    /// Simulations, as nothing predicts its list.
    SimulationAlone,
}

/// How the buckets of a table are cut.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Not at all: every choice falls on any of them.
    OneTable,
    /// Into sub-tables in these proportions.
    SubTables(Vec<f64>),
}

/// Which cut is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proportions {
    /// None.
    OneTable,
    /// Equal sub-tables.
    Equal,
    /// Those that are best after a static fill, for a rule of which no more is known.
    OfStaticFill(InsertionRule),
}

impl Proportions {
    fn shape(self, question: &Question, budget: Budget<'_>) -> Result<Shape, Error> {
        let rule = match self {
            Self::OneTable => return Ok(Shape::OneTable),
            Self::Equal => return Ok(Shape::SubTables(vec![1.0; question.choices])),
            Self::OfStaticFill(rule) => rule,
        };
        let model = Model { rule, workload: SizedFor::StaticFill };
        let Question { choices, goal, starts, seed, .. } = *question;
        let starts = starts.min(FEW_STARTS);
        let watch = Search::new(Kind::of(rule).to_string(), starts, budget);
        let search = sizing::optimise_watched(model, choices, goal, starts, seed, &watch);
        Ok(Shape::SubTables(search.map_err(Error::about(rule))?.best.sizes))
    }
}

/// Random starts where the proportions are a guess in any case.
const FEW_STARTS: usize = 3;

/// The search stops where it knows the space to this share.
const RESOLUTION: f64 = 0.002;

/// Trials of a table on the way, as a share of those of the last one.
const PART_OF_THE_TRIALS: u64 = 8;

/// Events that chance hides once in 20 times: of none that was seen, more are not to be expected.
const NEVER_SEEN: f64 = 3.0;

/// Standard errors that chance does not explain.
const MANY_ERRORS: f64 = 5.0;

/// Elements that a simulation has to show on the list of a table that is sized by it.
const LEAST_SEEN: f64 = 10.0;

/// Elements beyond which the space is searched with tables that have fewer of them, in the same proportions.
const MANY: u32 = 20_000;

/// Sizes a table by simulation.
///
/// # Errors
/// [`Error`], where such a table cannot be simulated in the time.
pub fn by_simulation(
    question: Question,
    kind: Kind,
    proportions: Proportions,
    progress: &dyn Progress,
) -> Result<Simulated, Error> {
    let budget = Budget::new(question.time_limit, progress);
    let shape = proportions.shape(&question, budget.half())?;
    let sought = Sought { question, kind, shape, budget, moves: Cell::new(0.0) };
    let found = sought.found()?;
    let Question { choices, .. } = question;
    if found.total < choices as u64 {
        return Err(Error::EmptySubTable { buckets: found.total, choices });
    }
    sought.measured(found)
}

struct Sought<'p> {
    question: Question,
    kind: Kind,
    shape: Shape,
    budget: Budget<'p>,
    /// Elements moved per insertion when the last table was tried: where they are many, a trial takes longer.
    moves: Cell<f64>,
}

/// A number of buckets.
struct Found {
    total: u64,
    /// By how many it may be too large.
    within: u64,
    /// The share of the elements on the list where the scheme predicts it.
    predicted: Option<f64>,
}

impl Sought<'_> {
    fn found(&self) -> Result<Found, Error> {
        match self.question.goal {
            Goal::Space(space) => {
                let places = space * f64::from(self.question.elements) * (1.0 + 1e-12);
                let total = (places / f64::from(self.kind.bucket_size)) as u64;
                let predicted = if self.is_large() { self.predicted(total)? } else { None };
                let sure = predicted.filter(|list| list.is_sure).map(|list| list.overflow);
                Ok(Found { total, within: 0, predicted: sure })
            }
            Goal::Overflow(share) => {
                let is_seen = share >= self.least_seen();
                let by_theory = self.is_large() || !is_seen;
                if let Some(found) = by_theory.then(|| self.by_theory(share)).transpose()?.flatten()
                {
                    return Ok(found);
                }
                if !is_seen {
                    return Err(Error::Unseen { kind: self.kind, least: self.least_seen() });
                }
                self.least(share)
            }
        }
    }

    fn is_large(&self) -> bool {
        is_large(self.question.elements)
    }

    /// The least overflow, as a share of the elements, that simulations show.
    fn least_seen(&self) -> f64 {
        let elements = self.question.elements.min(MANY);
        LEAST_SEEN / (self.trials(elements) as f64 * f64::from(elements))
    }

    /// Buckets without which more than this share of so many elements is on the list, however they are filled.
    fn least_that_hold(&self, share: f64, elements: u32) -> u64 {
        let places = (1.0 - share) * f64::from(elements);
        let needed = (places / f64::from(self.kind.bucket_size)).ceil() as u64;
        needed.max(self.question.choices as u64)
    }

    /// The share of the elements on the list of a table with so many buckets, where the scheme predicts it.
    fn predicted(&self, total: u64) -> Result<Option<Predicted>, Error> {
        predicted(&self.definition(self.question.elements, total)?.borrowed())
    }

    /// The least total of buckets with at most this share of the elements on the list, as predicted; `None` where
    /// nothing is.
    fn by_theory(&self, share: f64) -> Result<Option<Found>, Error> {
        let from = self.least_that_hold(share, self.question.elements);
        if self.predicted(from)?.is_none() {
            return Ok(None);
        }
        let reaches = |total| Ok(self.predicted(total)?.is_some_and(|list| list.overflow <= share));
        let total = least_total(from, reaches)?;
        match self.predicted(total)? {
            Some(Predicted { overflow, is_sure: true }) => {
                Ok(Some(Found { total, within: 0, predicted: Some(overflow) }))
            }
            Some(_) => Err(Error::FarFromLimit { kind: self.kind, total }),
            None => Ok(None),
        }
    }

    /// The least total of buckets with at most this share of the elements on the list, as simulated.
    fn least(&self, share: f64) -> Result<Found, Error> {
        let elements = self.question.elements / self.question.elements.div_ceil(MANY);
        let most = share * f64::from(elements);
        let budget = self.budget.half();
        let tried = |total| {
            Ok(Tried { total, mean: self.on_the_way(elements, total, budget)?.mean().value })
        };
        let from = self.least_that_hold(share, elements);
        let Bracket { short, enough } = least(from, most, RESOLUTION, tried, || budget.is_over())?;
        let times = f64::from(self.question.elements) / f64::from(elements);
        let of_all = |buckets: u64| (buckets as f64 * times).ceil() as u64;
        let within = of_all(enough - short) - 1;
        Ok(Found { total: of_all(enough), within, predicted: None })
    }

    /// A table on the way. Few trials come first: a table that is too small moves many elements, and a list that is far
    /// too long or too short is soon known.
    fn on_the_way(&self, elements: u32, total: u64, budget: Budget<'_>) -> Result<Sample, Error> {
        let definition = self.definition(elements, total)?;
        let first = FirstLook::at(&definition.borrowed(), u64::MAX, budget)?;
        self.moves.set(first.sample.moves());
        if self.is_plain(&first.sample) {
            return Ok(first.sample);
        }
        let trials = self.trials(elements) / PART_OF_THE_TRIALS;
        first.continued(&definition.borrowed(), trials, budget.silent())
    }

    /// Whether few trials tell whether a table is large enough: its list is far longer than is wanted, or far shorter.
    fn is_plain(&self, seen: &Sample) -> bool {
        let Goal::Overflow(share) = self.question.goal else { return false };
        let most = share * f64::from(seen.elements);
        let (mean, chance) = (seen.mean().value, MANY_ERRORS * seen.mean().error);
        let unseen = NEVER_SEEN / seen.trials as f64;
        mean - chance > 2.0 * most || mean + chance + unseen < most / 2.0
    }

    fn trials(&self, elements: u32) -> u64 {
        let Question { trials, choices, .. } = self.question;
        trials.unwrap_or_else(|| default_trials(elements, choices, self.moves.get()))
    }

    fn definition(&self, elements: u32, total: u64) -> Result<OwnDefinition, Error> {
        let within_numbers = |&total: &u64| total <= MOST_BUCKETS;
        let total = Some(total).filter(within_numbers).ok_or(Error::TooManyBuckets)?;
        let buckets = match &self.shape {
            Shape::OneTable => u32::try_from(total).into_iter().collect(),
            Shape::SubTables(sizes) => one_at_least(total, sizes),
        };
        Ok(OwnDefinition::new(&self.question, self.kind, &self.shape, elements, buckets))
    }

    /// The table with so many buckets, or as many more as it takes to have no more on its list than is wanted.
    fn measured(
        self,
        Found { mut total, mut within, predicted }: Found,
    ) -> Result<Simulated, Error> {
        let basis = self.basis(total, predicted)?;
        let mut enlarged = 0;
        let (definition, seen) = loop {
            let definition = self.definition(self.question.elements, total)?;
            let seen = self.seen(&definition.borrowed(), predicted)?;
            if !self.is_missed(&seen) || enlarged == MOST_ENLARGED || self.budget.is_over() {
                break (definition, seen);
            }
            enlarged += 1;
            let more = ((total as f64 * RESOLUTION) as u64).max(1);
            (total, within) = (total + more, more - 1);
        };
        let stored = u32::from(self.kind.bucket_size)
            * if self.shape == Shape::OneTable { 1 } else { self.question.choices as u32 };
        let longest = self.question.elements.saturating_sub(stored);
        let (list, cam) =
            cam_of(&definition.borrowed(), &self.question, &seen, longest, self.budget)?;
        let Self { question, kind, shape, .. } = self;
        Ok(Simulated {
            question,
            kind,
            shape,
            total,
            within,
            basis,
            seen,
            list,
            cam,
            measured: None,
        })
    }

    fn basis(&self, total: u64, predicted: Option<f64>) -> Result<Basis, Error> {
        if predicted.is_some() {
            return Ok(Basis::Theory);
        }
        let has_limit = self.predicted(total)?.is_some();
        Ok(if has_limit { Basis::Simulation } else { Basis::SimulationAlone })
    }

    /// What trials of this table show, or of a smaller one in its place; its mean as it is predicted.
    fn seen(&self, definition: &Definition<'_>, predicted: Option<f64>) -> Result<Seen, Error> {
        let elements = f64::from(self.question.elements);
        let smaller = Smaller::in_place_of(definition);
        let simulated = smaller.as_ref().map_or(*definition, |of| of.definition(definition));
        let trials = self.trials(simulated.elements);
        let sample = observe_in_time(&simulated, trials, self.budget)?;
        let times = elements / f64::from(simulated.elements);
        let as_seen = sample.mean().times(times);
        let by_theory = predicted.map(|share| Measure { value: share * elements, error: 0.0 });
        Ok(Seen { sample, mean: by_theory.unwrap_or(as_seen), times })
    }

    fn is_missed(&self, seen: &Seen) -> bool {
        let Goal::Overflow(share) = self.question.goal else { return false };
        seen.mean.is_above(share * f64::from(self.question.elements))
    }
}

/// How often a table is enlarged after all.
const MOST_ENLARGED: u32 = 10;

/// A definition with its buckets.
struct OwnDefinition {
    kind: Kind,
    elements: u32,
    /// The choices, where the buckets are not cut.
    one_table: Option<usize>,
    buckets: Vec<u32>,
    workload: SizedFor,
    trials: u64,
    seed: u64,
}

impl OwnDefinition {
    fn new(
        question: &Question,
        kind: Kind,
        shape: &Shape,
        elements: u32,
        buckets: Vec<u32>,
    ) -> Self {
        let Question { choices, workload, seed, .. } = *question;
        let one_table = (*shape == Shape::OneTable).then_some(choices);
        let trials = question.trials;
        let trials = trials.unwrap_or_else(|| Definition::default_trials(workload, elements));
        Self { kind, elements, one_table, buckets, workload, trials, seed }
    }

    fn borrowed(&self) -> Definition<'_> {
        let Self { kind, elements, workload, trials, seed, .. } = *self;
        let layout = match self.one_table {
            Some(choices) => Layout::OneTable { buckets: self.buckets.iter().sum(), choices },
            None => Layout::SubTables(&self.buckets),
        };
        Definition { kind, elements, layout, workload, trials, cam_size: 1, seed }
    }
}

impl Simulated {
    /// Buckets of each sub-table, or of the one table.
    pub fn buckets(&self) -> Vec<u32> {
        match &self.shape {
            Shape::OneTable => u32::try_from(self.total).into_iter().collect(),
            Shape::SubTables(sizes) => one_at_least(self.total, sizes),
        }
    }

    /// Whether the time limit was over before its size was known well.
    pub fn was_cut_off(&self) -> bool {
        self.within as f64 > 2.0 * RESOLUTION * self.total as f64 + 1.0
    }

    /// Places per element.
    pub fn space(&self) -> f64 {
        self.total as f64 * f64::from(self.kind.bucket_size) / f64::from(self.question.elements)
    }

    /// Elements on the overflow list, on average.
    pub fn overflow(&self) -> f64 {
        self.seen.mean.value
    }

    /// The experiment that measures it.
    pub fn definition(&self) -> String {
        self.with_definition(|definition| definition.to_string())
    }

    fn with_definition<T>(&self, then: impl FnOnce(&Definition<'_>) -> T) -> T {
        let Self { question, kind, shape, .. } = self;
        let elements = question.elements;
        let definition = OwnDefinition::new(question, *kind, shape, elements, self.buckets());
        then(&Definition { cam_size: self.cam.size(), ..definition.borrowed() })
    }

    /// Runs the trials of its experiment, which have random numbers of their own, for as long as the answer may take.
    ///
    /// # Errors
    /// [`Error`], where its trials cannot be made in the time.
    pub fn verify(&mut self, progress: &dyn Progress) -> Result<(), Error> {
        let budget = Budget::new(self.question.time_limit, progress);
        self.measured = Some(self.with_definition(|definition| simulate(definition, budget))?);
        Ok(())
    }
}
