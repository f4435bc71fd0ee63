//! The sequence of insertions and deletions that a trial consists of.

use loadfactor_schemes::params::{ParamError, Params};
use loadfactor_schemes::prediction::{self, Bins};
use loadfactor_schemes::theory::on_off::OnOff;
use loadfactor_schemes::theory::relaxation::Start;

/// Most intervals of the number in the system that are told apart.
const MOST_BINS: usize = 1000;

/// A process with its lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Process {
    /// n insertions into an empty table.
    StaticFill,
    /// Delete a uniformly random one of n elements, insert a new one.
    Alternation {
        /// Rounds before the measuring window.
        warm_up: u64,
        /// Rounds of the measuring window.
        rounds: u64,
        /// Whether the n elements are inserted before the warm-up, or all start on the overflow
        /// list.
        filled: bool,
    },
    /// Each of n elements departs after an exponential time of its own, and a new one arrives at
    /// once.
    Continuous(Span),
    /// Poisson arrivals; each element departs after an exponential time of its own.
    Open {
        /// The time that is simulated.
        span: Span,
        /// Whether n elements are inserted at the beginning, or none.
        filled: bool,
    },
    /// Alternation, looked at once.
    Relaxation {
        /// What it begins with.
        start: Start,
        /// Rounds up to that moment.
        rounds: u64,
    },
    /// On-off flows bring elements, and in each slot one leaves.
    OnOff {
        /// The flows.
        flows: OnOff,
        /// How the numbers in the system are grouped.
        bins: Bins,
        /// Slots before the measuring window.
        warm_up: u64,
        /// Slots of the measuring window.
        slots: u64,
    },
}

/// Times in mean lifetimes of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Before the measuring window.
    pub warm_up: f64,
    /// The measuring window.
    pub duration: f64,
}

impl Process {
    /// The process of the workload `name` for n = `elements`; `None` where no workload has the
    /// name.
    ///
    /// # Errors
    /// The first parameter that is missing, of another type, or impossible beside the others.
    pub fn from_params(
        name: &str,
        params: &Params,
        elements: u32,
    ) -> Option<Result<Self, ParamError>> {
        let process: fn(&Params, u32) -> Result<Self, ParamError> = match name {
            "static-fill" => |_, _| Ok(Process::StaticFill),
            "alternation" => alternation,
            "continuous" => |params, _| Ok(Process::Continuous(span(params)?)),
            "open" => open,
            "relaxation" => relaxation,
            "on-off" => return Some(without_elements(params).and_then(|()| on_off(params))),
            _ => return None,
        };
        Some(with_elements(params).and_then(|()| process(params, elements)))
    }

    /// The process as predictions know it.
    pub fn model(&self) -> prediction::Process {
        match *self {
            Process::StaticFill => prediction::Process::StaticFill,
            Process::Alternation { .. } => prediction::Process::Alternation,
            Process::Continuous(_) => prediction::Process::Continuous,
            Process::Open { .. } => prediction::Process::Open,
            Process::Relaxation { start, rounds } => {
                prediction::Process::Relaxation { start, rounds }
            }
            Process::OnOff { flows, bins, slots, .. } => {
                prediction::Process::OnOff { flows, bins, slots }
            }
        }
    }

    /// Whether elements leave.
    pub fn has_departures(&self) -> bool {
        !matches!(self, Process::StaticFill)
    }

    /// Elements that arrive in the measuring window of one trial with n = `elements`, on average.
    pub fn window_arrivals(&self, elements: u32) -> f64 {
        let n = f64::from(elements);
        match *self {
            Process::StaticFill => n,
            Process::Alternation { rounds, .. } => rounds as f64,
            Process::Continuous(span) | Process::Open { span, .. } => n * span.duration,
            Process::Relaxation { .. } => 0.0,
            Process::OnOff { flows, slots, .. } => flows.arrivals() * slots as f64,
        }
    }

    /// Elements that arrive in one trial with n = `elements`; where chance decides, a number that
    /// hardly any trial exceeds.
    pub fn arrivals(&self, elements: u32) -> u64 {
        let n = f64::from(elements);
        let first = |filled: bool| if filled { u64::from(elements) } else { 0 };
        match *self {
            Process::StaticFill => elements.into(),
            Process::Alternation { warm_up, rounds, filled } => {
                warm_up.saturating_add(rounds).saturating_add(first(filled))
            }
            Process::Continuous(span) => {
                first(true).saturating_add(hardly_exceeded(n * span.end(), 1.0))
            }
            Process::Open { span, filled } => {
                first(filled).saturating_add(hardly_exceeded(n * span.end(), 1.0))
            }
            Process::Relaxation { start, rounds } => {
                rounds.saturating_add(first(start == Start::Filled))
            }
            Process::OnOff { flows, warm_up, slots, .. } => {
                let mean = flows.arrivals() * (warm_up as f64 + slots as f64);
                hardly_exceeded(mean, 2.0 * flows.burst)
            }
        }
    }

    /// The same process without a warm-up and with at most about so many rounds, where its length
    /// is free.
    pub fn shortened(&self, elements: u32, at_most: u64) -> Self {
        let shorter = |span: Span| Span {
            warm_up: 0.0,
            duration: span.duration.min(at_most as f64 / f64::from(elements)),
        };
        match *self {
            Process::StaticFill => Process::StaticFill,
            Process::Alternation { rounds, filled, .. } => {
                Process::Alternation { warm_up: 0, rounds: rounds.min(at_most), filled }
            }
            Process::Continuous(span) => Process::Continuous(shorter(span)),
            Process::Open { span, filled } => Process::Open { span: shorter(span), filled },
            Process::Relaxation { start, rounds } => {
                Process::Relaxation { start, rounds: rounds.min(at_most) }
            }
            Process::OnOff { flows, bins, slots, .. } => {
                Process::OnOff { flows, bins, warm_up: 0, slots: slots.min(at_most) }
            }
        }
    }
}

impl Span {
    /// When the trial ends.
    pub fn end(&self) -> f64 {
        self.warm_up + self.duration
    }
}

/// Six standard deviations above the mean; `dispersion` is variance per mean.
fn hardly_exceeded(mean: f64, dispersion: f64) -> u64 {
    (mean + 6.0 * (mean * dispersion).sqrt()).ceil() as u64
}

fn with_elements(params: &Params) -> Result<(), ParamError> {
    if params.get("elements").or(params.get("load")).is_some() {
        return Ok(());
    }
    Err(ParamError::new("elements", "missing; give `elements` or `load`"))
}

fn without_elements(params: &Params) -> Result<(), ParamError> {
    match ["elements", "load"].iter().find(|name| params.get(name).is_some()) {
        Some(name) => Err(ParamError::new(
            name,
            "with `on-off` the flows decide how many elements there are: leave it out",
        )),
        None => Ok(()),
    }
}

fn rounds(params: &Params, lifetimes: &str, elements: u32) -> Result<u64, ParamError> {
    Ok((params.number(lifetimes)? * f64::from(elements)).round() as u64)
}

fn alternation(params: &Params, elements: u32) -> Result<Process, ParamError> {
    Ok(Process::Alternation {
        warm_up: rounds(params, "warm_up", elements)?,
        rounds: params.integer("rounds")?,
        filled: params.word("start")? == "filled",
    })
}

fn span(params: &Params) -> Result<Span, ParamError> {
    Ok(Span { warm_up: params.number("warm_up")?, duration: params.number("duration")? })
}

fn open(params: &Params, _elements: u32) -> Result<Process, ParamError> {
    Ok(Process::Open { span: span(params)?, filled: params.word("start")? == "filled" })
}

fn relaxation(params: &Params, elements: u32) -> Result<Process, ParamError> {
    let start = match params.word("start")? {
        "filled" => Start::Filled,
        _ => Start::OverflowList,
    };
    Ok(Process::Relaxation { start, rounds: rounds(params, "time", elements)? })
}

fn on_off(params: &Params) -> Result<Process, ParamError> {
    Ok(Process::OnOff {
        flows: flows(params)?,
        bins: bins(params)?,
        warm_up: params.integer("warm_up")?,
        slots: params.integer("slots")?,
    })
}

fn flows(params: &Params) -> Result<OnOff, ParamError> {
    let flows = OnOff {
        flows: params.small("flows")?,
        rate: params.number("rate")?,
        burst: params.number("burst")?,
    };
    let (arrivals, most) = (flows.arrivals(), flows.burst / (flows.burst + 1.0));
    if arrivals >= 1.0 {
        let reason = format!(
            "{} flows bring {arrivals} elements per slot, of which one leaves: their number grows without end",
            flows.flows
        );
        return Err(ParamError::new("rate", reason));
    }
    if flows.rate > most {
        let reason = format!(
            "with bursts of {} slots a flow is on for at most {most} of the time",
            flows.burst
        );
        return Err(ParamError::new("rate", reason));
    }
    Ok(flows)
}

fn bins(params: &Params) -> Result<Bins, ParamError> {
    let number = |name: &str| {
        let value = params.small(name)?;
        u16::try_from(value).map_err(|_| ParamError::new(name, format!("{value} is above 65535")))
    };
    let bins = Bins { width: number("bin_width")?.max(1), largest: number("largest")? };
    if bins.count() > MOST_BINS {
        let reason =
            format!("gives {} intervals; at most {MOST_BINS} are told apart", bins.count());
        return Err(ParamError::new("bin_width", reason));
    }
    Ok(bins)
}
