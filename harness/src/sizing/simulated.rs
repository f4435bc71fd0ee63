//! Tables that are sized by simulation, where no limit predicts them.

use std::cell::Cell;
use std::fmt;
use std::time::Instant;

use loadfactor_schemes::tables::sizing::{self, Goal, Model, SizedFor};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use super::definition::Layout;
use super::least::{Bracket, Tried, least};
use super::observation::{default_trials, observe};
use super::rows::{Rows, digits, probability};
use super::smaller::list_of;
use super::table::one_at_least;
use super::text::explain_unseen;
use super::{Cam, Definition, Error, Kind, List, Question, Sample};
use crate::run::{Progress, Silent};

/// A table of a scheme of which nothing is predicted, as small as simulations show that it can be.
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
    /// What was seen of its list.
    pub sample: Sample,
    /// The law of its overflow list, extrapolated.
    pub list: List,
    /// The CAM for that list.
    pub cam: Cam,
}

/// How the buckets of a table are cut.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Not at all: every choice falls on any of them.
    OneTable,
    /// Into sub-tables in these proportions.
    SubTables(Vec<f64>),
}

impl Shape {
    /// The proportions that are best after a static fill, for a rule of which no more is known.
    ///
    /// # Errors
    /// [`Error::Sizes`].
    pub fn of_static_fill(question: &Question, rule: InsertionRule) -> Result<Self, Error> {
        let model = Model { rule, workload: SizedFor::StaticFill };
        let Question { choices, goal, starts, seed, .. } = *question;
        let search = sizing::optimise(model, choices, goal, starts.min(FEW_STARTS), seed);
        Ok(Self::SubTables(search.map_err(Error::Sizes)?.best.sizes))
    }
}

/// Random starts where the proportions are a guess in any case.
const FEW_STARTS: usize = 3;

/// The search stops where it knows the space to this share.
const RESOLUTION: f64 = 0.002;

/// Trials of a table on the way, as a share of those of the last one.
const PART_OF_THE_TRIALS: u64 = 8;

/// Elements that a simulation has to show on the list of a table that is sized by it.
const LEAST_SEEN: f64 = 10.0;

/// Elements beyond which the space is searched with tables that have fewer of them, in the same proportions.
const MANY: u32 = 20_000;

/// Sizes a table by simulation.
///
/// # Errors
/// [`Error`], where such a table cannot be simulated.
pub fn by_simulation(
    question: Question,
    kind: Kind,
    shape: Shape,
    progress: &dyn Progress,
) -> Result<Simulated, Error> {
    let sought = Sought { question, kind, shape, progress, moves: Cell::new(0.0) };
    sought.check_goal()?;
    let h = f64::from(kind.bucket_size);
    let (total, within) = match question.goal {
        Goal::Space(space) => {
            ((space * f64::from(question.elements) / h * (1.0 + 1e-12)) as u64, 0)
        }
        Goal::Overflow(share) => sought.least(share)?,
    };
    let Question { choices, .. } = question;
    if total < choices as u64 {
        return Err(Error::EmptySubTable { buckets: total, choices });
    }
    sought.measured(total, within)
}

struct Sought<'p> {
    question: Question,
    kind: Kind,
    shape: Shape,
    progress: &'p dyn Progress,
    /// Elements moved per insertion when the last table was tried: where they are many, a trial takes longer.
    moves: Cell<f64>,
}

impl Sought<'_> {
    /// Checks that simulations show so little overflow.
    fn check_goal(&self) -> Result<(), Error> {
        let Goal::Overflow(share) = self.question.goal else { return Ok(()) };
        let elements = self.question.elements;
        let insertions = self.trials(elements) as f64 * f64::from(elements);
        let least = LEAST_SEEN / insertions;
        if share < least { Err(Error::Unseen { kind: self.kind, least }) } else { Ok(()) }
    }

    /// A total of buckets with at most this share of the elements on the list, and by how many it may be too
    /// large.
    fn least(&self, share: f64) -> Result<(u64, u64), Error> {
        let by = self.question.elements.div_ceil(MANY);
        let elements = self.question.elements / by;
        let most = share * f64::from(elements);
        let places = f64::from(elements) - most;
        let needed = (places / f64::from(self.kind.bucket_size)).ceil() as u64;
        let began = Instant::now();
        let is_over = || self.question.time_limit.is_some_and(|limit| began.elapsed() > limit);
        let tried =
            |total| Ok(Tried { total, mean: self.on_the_way(elements, total)?.mean().value });
        let from = needed.max(self.question.choices as u64);
        let Bracket { short, enough } = least(from, most, RESOLUTION, tried, is_over)?;
        let by = u64::from(by);
        Ok((enough * by, (enough - short - 1) * by))
    }

    fn on_the_way(&self, elements: u32, total: u64) -> Result<Sample, Error> {
        let definition = self.definition(elements, total)?;
        let trials = self.trials(elements) / PART_OF_THE_TRIALS;
        let sample = observe(&definition.borrowed(), trials, &Silent)?;
        self.moves.set(sample.moves());
        Ok(sample)
    }

    fn trials(&self, elements: u32) -> u64 {
        let Question { trials, choices, .. } = self.question;
        trials.unwrap_or_else(|| default_trials(elements, choices, self.moves.get()))
    }

    fn definition(&self, elements: u32, total: u64) -> Result<OwnDefinition, Error> {
        let total = u32::try_from(total).map_err(|_| Error::TooManyBuckets)?;
        let buckets = match &self.shape {
            Shape::OneTable => vec![total],
            Shape::SubTables(sizes) => one_at_least(total.into(), sizes),
        };
        Ok(OwnDefinition::new(&self.question, self.kind, &self.shape, elements, buckets))
    }

    /// The table with so many buckets, or as many more as it takes to have no more on its list than is wanted.
    fn measured(self, mut total: u64, within: u64) -> Result<Simulated, Error> {
        let elements = self.question.elements;
        let trials = self.trials(elements);
        let mut enlarged = 0;
        let (definition, sample) = loop {
            let definition = self.definition(elements, total)?;
            let sample = observe(&definition.borrowed(), trials, self.progress)?;
            if !self.is_missed(&sample) || enlarged == MOST_ENLARGED {
                break (definition, sample);
            }
            enlarged += 1;
            total += ((total as f64 * RESOLUTION) as u64).max(1);
        };
        let list = list_of(&definition.borrowed(), &sample, self.progress)?;
        let stored = u32::from(self.kind.bucket_size)
            * if self.shape == Shape::OneTable { 1 } else { self.question.choices as u32 };
        let longest = self.question.elements.saturating_sub(stored);
        let cam = Cam::for_question(&self.question, &list, longest);
        let Self { question, kind, shape, .. } = self;
        Ok(Simulated { question, kind, shape, total, within, sample, list, cam })
    }

    fn is_missed(&self, seen: &Sample) -> bool {
        let Goal::Overflow(share) = self.question.goal else { return false };
        seen.mean().is_above(share * f64::from(self.question.elements))
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
        self.sample.mean().value
    }

    /// The experiment that measures it.
    pub fn definition(&self) -> String {
        let Self { question, kind, shape, .. } = self;
        let elements = question.elements;
        let definition = OwnDefinition::new(question, *kind, shape, elements, self.buckets());
        Definition { cam_size: self.cam.size, ..definition.borrowed() }.to_string()
    }
}

impl fmt::Display for Simulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} with buckets of {}\n{}\n",
            self.kind.scheme, self.kind.bucket_size, self.question
        )?;
        let mut rows = Rows::default();
        let mut row = |name: &str, value: String| rows.push([name.to_owned(), value]);
        if let Shape::SubTables(_) = self.shape {
            for (i, buckets) in (1..).zip(self.buckets()) {
                row(&format!("buckets of sub-table {i}"), buckets.to_string());
            }
        }
        row("buckets in all", self.total.to_string());
        row("places per element", digits(self.space(), 5));
        row("moves per insertion", digits(self.sample.moves(), 3));
        let mean = self.sample.mean();
        row("elements on the overflow list", digits(mean.value, 4));
        row("  its standard error, simulated", digits(mean.error, 2));
        row("CAM, places", self.cam.size.to_string());
        row("  probability that it is too small", probability(self.cam.failure));
        writeln!(f, "{rows}")?;
        writeln!(f, "Nothing predicts such tables: sized by simulation.")?;
        if let Goal::Overflow(_) = self.question.goal {
            let cut_off = if self.was_cut_off() { ", as the time limit was over" } else { "" };
            writeln!(f, "  Up to {} buckets less may do{cut_off}.", self.within)?;
        }
        if let Shape::SubTables(_) = self.shape {
            writeln!(f, "  Its proportions are those that are best after a static fill.")?;
        }
        self.question.explain_operations(f)?;
        if let Some(feared) = self.list.feared() {
            return explain_unseen(f, feared);
        }
        writeln!(f, "  The law of the list, for which the CAM is, is not known.")?;
        self.question.explain_sample(f, &self.sample)
    }
}
