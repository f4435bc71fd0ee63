//! Tables that are sized by simulation, where no limit predicts them.

use std::fmt;
use std::time::Instant;

use loadfactor_schemes::tables::sizing::{self, Goal, Model, SizedFor};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;

use super::definition::Layout;
use super::rows::{Rows, digits, probability};
use super::table::one_at_least;
use super::{Cam, Definition, Error, Kind, List, Measured, Question, simulate};
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
    /// What trials of it showed.
    pub measured: Measured,
    /// The law of its overflow list, extrapolated.
    pub list: Option<List>,
    /// The CAM for that list.
    pub cam: Option<Cam>,
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

/// Standard errors by which the mean of the last one may miss what is wanted.
const MOST_ERRORS: f64 = 2.5;

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
    let sought = Sought { question, kind, shape, progress };
    let h = f64::from(kind.bucket_size);
    let (total, within) = match question.goal {
        Goal::Space(space) => {
            ((space * f64::from(question.elements) / h * (1.0 + 1e-12)) as u64, 0)
        }
        Goal::Overflow(share) => sought.least(share * f64::from(question.elements))?,
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
}

impl Sought<'_> {
    /// A total of buckets with at most so many elements on the list, and by how many it may be too large.
    fn least(&self, most: f64) -> Result<(u64, u64), Error> {
        let began = Instant::now();
        let places = f64::from(self.question.elements) - most;
        let needed = (places / f64::from(self.kind.bucket_size)).ceil() as u64;
        let least = needed.max(self.question.choices as u64);
        let (mut short, mut enough) = (Tried::nothing(least - 1), self.tried(least)?);
        while enough.mean > most {
            let next = (enough.total * 5 / 4).max(enough.total + 1);
            (short, enough) = (enough, self.tried(next)?);
        }
        let is_over = || self.question.time_limit.is_some_and(|limit| began.elapsed() > limit);
        while enough.total - short.total > ((enough.total as f64 * RESOLUTION) as u64).max(1)
            && !is_over()
        {
            let middle = self.tried(between(&short, &enough, most))?;
            *(if middle.mean > most { &mut short } else { &mut enough }) = middle;
        }
        Ok((enough.total, enough.total - short.total - 1))
    }

    fn tried(&self, total: u64) -> Result<Tried, Error> {
        let definition = self.definition(total)?;
        let trials = (definition.trials / PART_OF_THE_TRIALS).max(20);
        let cam_size = 1;
        let measured =
            simulate(&Definition { trials, cam_size, ..definition.borrowed() }, &Silent)?;
        let mean = measured.overflow().and_then(|moments| moments.mean()).unwrap_or(0.0);
        Ok(Tried { total, mean })
    }

    fn definition(&self, total: u64) -> Result<OwnDefinition, Error> {
        let total = u32::try_from(total).map_err(|_| Error::TooManyBuckets)?;
        let Question { elements, choices, workload, trials, seed, .. } = self.question;
        let buckets = match &self.shape {
            Shape::OneTable => vec![total],
            Shape::SubTables(sizes) => one_at_least(total.into(), sizes),
        };
        Ok(OwnDefinition {
            kind: self.kind,
            elements,
            one_table: (self.shape == Shape::OneTable).then_some(choices),
            buckets,
            workload,
            trials: trials.unwrap_or_else(|| Definition::default_trials(workload, elements)),
            seed,
        })
    }

    /// The table with so many buckets, or as many more as it takes to have no more on its list than chance
    /// explains.
    fn measured(self, mut total: u64, within: u64) -> Result<Simulated, Error> {
        let mut enlarged = 0;
        let measured = loop {
            let measured = simulate(&self.definition(total)?.borrowed(), self.progress)?;
            let missed = self.is_missed(&measured);
            if !missed || enlarged == MOST_ENLARGED {
                break measured;
            }
            enlarged += 1;
            total += ((total as f64 * RESOLUTION) as u64).max(1);
        };
        let list = List::of_simulation(&measured);
        let stored = u32::from(self.kind.bucket_size)
            * if self.shape == Shape::OneTable { 1 } else { self.question.choices as u32 };
        let longest = self.question.elements.saturating_sub(stored);
        let cam = list.as_ref().map(|list| Cam::for_question(&self.question, list, longest));
        let Self { question, kind, shape, .. } = self;
        Ok(Simulated { question, kind, shape, total, within, measured, list, cam })
    }

    fn is_missed(&self, measured: &Measured) -> bool {
        let Goal::Overflow(share) = self.question.goal else { return false };
        let most = share * f64::from(self.question.elements);
        let seen = measured
            .overflow()
            .and_then(|seen| Some(seen.mean()? - MOST_ERRORS * seen.std_error()?));
        seen.is_some_and(|least| least > most)
    }
}

/// How often a table is enlarged after all.
const MOST_ENLARGED: u32 = 10;

/// A table on the way.
#[derive(Debug, Clone, Copy)]
struct Tried {
    total: u64,
    /// Of its list.
    mean: f64,
}

impl Tried {
    /// A table that is too small to be simulated.
    fn nothing(total: u64) -> Self {
        Self { total, mean: f64::INFINITY }
    }
}

/// A total of buckets between two, nearer to the one whose list is nearer to what is wanted.
fn between(short: &Tried, enough: &Tried, most: f64) -> u64 {
    let (low, high) = (short.total + 1, enough.total - 1);
    let part = (short.mean / most).ln() / (short.mean / enough.mean).ln();
    let part = if part.is_finite() { part.clamp(0.1, 0.9) } else { 0.5 };
    (short.total + ((enough.total - short.total) as f64 * part) as u64).clamp(low, high)
}

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
        self.measured.overflow().and_then(|moments| moments.mean()).unwrap_or(0.0)
    }

    /// The experiment that measures it.
    pub fn definition(&self) -> String {
        let Question { elements, choices, workload, seed, .. } = self.question;
        let definition = OwnDefinition {
            kind: self.kind,
            elements,
            one_table: (self.shape == Shape::OneTable).then_some(choices),
            buckets: self.buckets(),
            workload,
            trials: self.measured.trials,
            seed,
        };
        let cam_size = self.cam.map_or(1, |cam| cam.size);
        Definition { cam_size, ..definition.borrowed() }.to_string()
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
        let mut row = |name: &str, value: Option<String>| {
            rows.push([name.to_owned(), value.unwrap_or("-".to_owned())]);
        };
        if let Shape::SubTables(_) = self.shape {
            for (i, buckets) in (1..).zip(self.buckets()) {
                row(&format!("buckets of sub-table {i}"), Some(buckets.to_string()));
            }
        }
        row("buckets in all", Some(self.total.to_string()));
        row("places per element", Some(digits(self.space(), 5)));
        row("moves per insertion", Some(digits(self.measured.moves().unwrap_or(0.0), 3)));
        let error = self.measured.overflow().and_then(|moments| moments.std_error());
        row("elements on the overflow list", Some(digits(self.overflow(), 4)));
        row("  its standard error, simulated", error.map(|error| digits(error, 2)));
        row("CAM, places", self.cam.map(|cam| cam.size.to_string()));
        row("  probability that it is too small", self.cam.map(|cam| probability(cam.failure)));
        writeln!(f, "{rows}")?;
        writeln!(
            f,
            "Nothing predicts such tables: sized by simulation, {} trials at the end.",
            self.measured.trials
        )?;
        if let Goal::Overflow(_) = self.question.goal {
            let cut_off = if self.was_cut_off() { ", as the time limit was over" } else { "" };
            writeln!(f, "  Up to {} buckets less may do{cut_off}.", self.within)?;
        }
        if let Shape::SubTables(_) = self.shape {
            writeln!(f, "  Its proportions are those that are best after a static fill.")?;
        }
        self.question.explain_operations(f)?;
        writeln!(
            f,
            "  The CAM is for a law with the mean that was seen and a cautious variance: take it as a guide."
        )
    }
}
