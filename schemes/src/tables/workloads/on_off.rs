//! On-off flows bring elements, and in each slot one leaves.

use super::{Schedule, Workload, hardly_exceeded};
use crate::info::WorkloadInfo;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::tables::params::{ELEMENTS, LOAD};
use crate::tables::process::{Bins, Process};
use crate::tables::theory::on_off::OnOff;
use crate::tables::workloads::course::Course;

/// Most intervals of the number in the system that are told apart.
const MOST_BINS: usize = 1000;

pub(super) const INFO: WorkloadInfo = WorkloadInfo {
    name: "on-off",
    summary: "The queueing model: in each slot on-off flows go on or off, each flow that is on brings an element, and then a uniformly random element is deleted, if there is any. The number of elements varies by itself: neither `elements` nor `load` is given. Measured after each slot of the measuring window, also for each interval of the number in the system.",
    decides: &[ELEMENTS.name, LOAD.name],
    params: &[
        Param {
            name: "flows",
            domain: Domain::Integer { min: 1, max: 1000 },
            absent: Absent::Required,
            doc: "Number of flows, k.",
        },
        Param {
            name: "rate",
            domain: Domain::Number { min: 1e-6, max: 0.999_999 },
            absent: Absent::Required,
            doc: "Share of the slots in which a flow is on, ρ; k·ρ must be below 1.",
        },
        Param {
            name: "burst",
            domain: Domain::Number { min: 1.0, max: 1e6 },
            absent: Absent::Required,
            doc: "Mean number of slots for which a flow stays on.",
        },
        Param {
            name: "warm_up",
            domain: Domain::Integer { min: 0, max: 1_000_000_000_000 },
            absent: Absent::Integer(200_000),
            doc: "Slots before the measuring window; the system is empty at first.",
        },
        Param {
            name: "slots",
            domain: Domain::Integer { min: 1, max: 1_000_000_000_000 },
            absent: Absent::Required,
            doc: "Slots of the measuring window.",
        },
        Param {
            name: "bin_width",
            domain: Domain::Integer { min: 1, max: 65_535 },
            absent: Absent::Integer(10),
            doc: "Numbers in the system that form one interval.",
        },
        Param {
            name: "largest",
            domain: Domain::Integer { min: 0, max: 65_535 },
            absent: Absent::Integer(1000),
            doc: "Number in the system that the last interval holds; what is above is in none.",
        },
    ],
};

#[derive(Debug, Clone, Copy)]
struct OnOffFlows {
    flows: OnOff,
    /// How the numbers in the system are grouped.
    bins: Bins,
    /// Slots before the measuring window.
    warm_up: u64,
    /// Slots of the measuring window.
    slots: u64,
}

pub(super) fn read(params: &Params, _elements: u32) -> Result<Box<dyn Workload>, ParamError> {
    Ok(Box::new(OnOffFlows {
        flows: flows(params)?,
        bins: bins(params)?,
        warm_up: params.integer("warm_up")?,
        slots: params.integer("slots")?,
    }))
}

impl Workload for OnOffFlows {
    fn process(&self) -> Process {
        let Self { flows, bins, slots, .. } = *self;
        Process::OnOff { flows, bins, slots }
    }

    fn schedule<'f>(&self, elements: u32, constant_loads: Option<&'f [f64]>) -> Schedule<'f> {
        let length = (self.warm_up, self.slots);
        Schedule::Course(Box::new(Course::slots(
            elements,
            &self.flows,
            length,
            self.bins,
            constant_loads,
        )))
    }

    fn arrivals(&self, _elements: u32) -> u64 {
        hardly_exceeded(self.flows.arrivals() * self.slots(), 2.0 * self.flows.burst)
    }

    fn window_arrivals(&self, _elements: u32) -> f64 {
        self.flows.arrivals() * self.slots as f64
    }

    fn slots(&self) -> f64 {
        self.warm_up as f64 + self.slots as f64
    }

    /// The number of each element.
    fn room(&self, elements: u64) -> (u64, u64) {
        (elements, 4)
    }

    fn shortened(&self, _elements: u32, at_most: u64) -> Box<dyn Workload> {
        Box::new(Self { warm_up: 0, slots: self.slots.min(at_most), ..*self })
    }
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
