//! What one trial does to a table: one file for each workload.

mod alternation;
mod continuous;
pub(super) mod course;
mod on_off;
mod open;
mod relaxation;
mod static_fill;

use std::fmt;

use self::course::Course;
use super::Process;
use super::params::{ELEMENTS, LOAD};
use super::trial::Rounds;
use crate::info::WorkloadInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::tables::theory::relaxation::Start;

/// A configured workload: the sequence of insertions and deletions of a trial.
pub(super) trait Workload: fmt::Debug + Send + Sync {
    /// What predictions depend on.
    fn process(&self) -> Process;

    /// What a trial with n = `elements` goes through. `constant_loads` are the overflow fractions under
    /// alternation with 0, 1, … elements, where they are known.
    fn schedule<'f>(&self, elements: u32, constant_loads: Option<&'f [f64]>) -> Schedule<'f>;

    /// Elements that arrive in one trial with n = `elements`; where chance decides, a number that
    /// hardly any trial exceeds.
    fn arrivals(&self, elements: u32) -> u64;

    /// Elements that arrive in the measuring window of one trial with n = `elements`, on average.
    fn window_arrivals(&self, elements: u32) -> f64;

    /// When a trial with n = `elements` is measured, where predictions are of an equilibrium.
    fn window(&self, _elements: u32) -> Option<Window> {
        None
    }

    /// Steps of a trial that are made whether or not an element arrives.
    fn slots(&self) -> f64 {
        0.0
    }

    /// Elements that the table needs room for, and the bytes that the workload keeps of each.
    fn room(&self, elements: u64) -> (u64, u64) {
        (elements, 0)
    }

    /// The same without a warm-up and with at most about so many rounds, where its length is free.
    fn shortened(&self, elements: u32, at_most: u64) -> Box<dyn Workload>;
}

/// What a trial goes through.
pub(super) enum Schedule<'f> {
    /// Insertions, and rounds of one departure and one arrival.
    Rounds(Rounds),
    /// Steps that are made anew for each trial.
    Course(Box<Course<'f>>),
}

/// Reads a workload for n = `elements`.
type Read = fn(&Params, u32) -> Result<Box<dyn Workload>, ParamError>;

/// Names each workload once: what is said of it, and how it is read.
macro_rules! workloads {
    ($($workload:ident),+ $(,)?) => {
        /// Every workload of tables, in the order of the reference.
        pub(super) static WORKLOADS: &[&WorkloadInfo] = &[$(&$workload::INFO),+];

        const READERS: &[(&WorkloadInfo, Read)] = &[$((&$workload::INFO, $workload::read)),+];
    };
}

workloads!(static_fill, alternation, continuous, open, relaxation, on_off);

/// The configured workload for n = `elements`.
///
/// # Errors
/// The first parameter that is missing, of another type, or impossible beside the others.
pub(super) fn read(
    info: &WorkloadInfo,
    params: &Params,
    elements: u32,
) -> Result<Box<dyn Workload>, ParamError> {
    let given = |name: &str| params.get(name).is_some();
    if let Some(name) = info.decides.iter().find(|name| given(name)) {
        let reason = format!(
            "with `{}` the flows decide how many elements there are: leave it out",
            info.name
        );
        return Err(ParamError::new(name, reason));
    }
    if !info.decides.contains(&ELEMENTS.name) && !given(ELEMENTS.name) && !given(LOAD.name) {
        return Err(ParamError::new(ELEMENTS.name, "missing; give `elements` or `load`"));
    }
    let entry = READERS.iter().find(|(own, _)| own.name == info.name);
    match entry {
        Some((_, read)) => read(params, elements),
        None => Err(ParamError::new("kind", format!("`{}` is no workload of tables", info.name))),
    }
}

/// When a trial is measured, in mean lifetimes of an element, and what it begins with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Window {
    /// What alternation begins with; `None` for an empty system.
    pub(super) start: Option<Start>,
    /// Time before the measuring window.
    pub(super) warm_up: f64,
    /// Its length.
    pub(super) duration: f64,
}

/// Times in mean lifetimes of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    /// Before the measuring window.
    pub(super) warm_up: f64,
    /// The measuring window.
    pub(super) duration: f64,
}

impl Span {
    fn read(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { warm_up: params.number(WARM_UP.name)?, duration: params.number(DURATION.name)? })
    }

    /// The measuring window after this beginning.
    fn window(&self, start: Option<Start>) -> Window {
        Window { start, warm_up: self.warm_up, duration: self.duration }
    }

    /// When the trial ends.
    pub(super) fn end(&self) -> f64 {
        self.warm_up + self.duration
    }

    fn shortened(&self, elements: u32, at_most: u64) -> Self {
        let duration = self.duration.min(at_most as f64 / f64::from(elements));
        Self { warm_up: 0.0, duration }
    }

    /// Elements that arrive at rate n in that time; hardly ever more.
    fn arrivals(&self, elements: u32) -> u64 {
        hardly_exceeded(f64::from(elements) * self.end(), 1.0)
    }
}

/// Six standard deviations above the mean; `dispersion` is variance per mean.
fn hardly_exceeded(mean: f64, dispersion: f64) -> u64 {
    (mean + 6.0 * (mean * dispersion).sqrt()).ceil() as u64
}

/// The number of elements that are there at the beginning.
fn first(filled: bool, elements: u32) -> u64 {
    if filled { elements.into() } else { 0 }
}

/// Rounds in so many lifetimes, a parameter.
fn rounds(params: &Params, lifetimes: &str, elements: u32) -> Result<u64, ParamError> {
    Ok((params.number(lifetimes)? * f64::from(elements)).round() as u64)
}

const START: Param = Param {
    name: "start",
    domain: Domain::Word(&["filled", "overflow-list"]),
    absent: Absent::Word("filled"),
    doc: "State before the first round: n elements inserted one by one, or all n on the overflow list.",
};
const WARM_UP: Param = Param {
    name: "warm_up",
    domain: Domain::Number { min: 0.0, max: 1e6 },
    absent: Absent::Number(20.0),
    doc: "Time before the measuring window, in mean lifetimes of an element.",
};
const DURATION: Param = Param {
    name: "duration",
    domain: Domain::Number { min: 1e-6, max: 1e9 },
    absent: Absent::Required,
    doc: "Length of the measuring window, in mean lifetimes of an element.",
};
