//! How a definition asks for the probability of a rare event.

use super::event::{self, Event};
use crate::metric::Metric;
use crate::params::{Absent, Domain, Param, ParamError, Params};

/// The particles of one run of splitting where a definition does not say.
const PARTICLES: u32 = 200;

const ESTIMATOR: Param = Param {
    name: "estimator",
    domain: Domain::Word(&["plain", "splitting"]),
    absent: Absent::Optional,
    doc: "What a trial of the experiment is: with `splitting` one run of adaptive multilevel splitting, which reads an unbiased estimate of the probability of `event` however small that is; with `plain` one trial of the workload, which reads whether the event happened. Without it trials measure everything but rare events.",
};

const EVENT: Param = Param {
    name: event::EVENT,
    domain: Domain::Metric,
    absent: Absent::Optional,
    doc: "The count that makes the event, such as `overflow_elements`: it is that there are more than `beyond`. Used with `estimator`.",
};

const BEYOND: Param = Param {
    name: "beyond",
    domain: Domain::Integer { min: 0, max: 1_000_000_000 },
    absent: Absent::Optional,
    doc: "Largest count that is not yet the event, such as the places of a CAM. Used with `estimator`.",
};

const EVER: Param = Param {
    name: event::EVER,
    domain: Domain::Flag,
    absent: Absent::Optional,
    doc: "Whether the event counts at any time of the measuring window, or, as without it, at the end of a trial. Used with `estimator`.",
};

const PARTICLE_NUMBER: Param = Param {
    name: "particles",
    domain: Domain::Integer { min: 2, max: 100_000 },
    absent: Absent::Optional,
    doc: "Trials of the workload that one run of splitting keeps side by side; 200 where it is absent. The estimate is unbiased for any number; its relative variance falls as their number rises. Used with `estimator = \"splitting\"`.",
};

/// Parameters of every workload: the probability of a rare event.
pub static RARE_PARAMS: &[Param] = &[ESTIMATOR, EVENT, BEYOND, EVER, PARTICLE_NUMBER];

/// How the probability of an event is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimator {
    /// By trials that see it or do not.
    Plain,
    /// By runs of adaptive multilevel splitting with so many particles.
    Splitting {
        /// Trials side by side.
        particles: u32,
    },
}

/// What a definition asks for; `None` where it asks for no event.
///
/// # Errors
/// A parameter that is missing beside the others, has no effect, or names no metric.
pub(super) fn read(params: &Params) -> Result<Option<(Event, Estimator)>, ParamError> {
    let given = |param: &Param| params.get(param.name).is_some();
    if !given(&ESTIMATOR) {
        return match RARE_PARAMS.iter().find(|param| given(param)) {
            Some(param) => Err(ParamError::new(param.name, "has no effect without `estimator`")),
            None => Ok(None),
        };
    }
    let event = Event {
        metric: metric(params.word(EVENT.name)?)?,
        beyond: params.integer(BEYOND.name)?,
        ever: given(&EVER) && params.flag(EVER.name)?,
    };
    let estimator = match params.word(ESTIMATOR.name)? {
        "splitting" => {
            let given = given(&PARTICLE_NUMBER);
            let particles = if given { params.small(PARTICLE_NUMBER.name)? } else { PARTICLES };
            Estimator::Splitting { particles }
        }
        _ if given(&PARTICLE_NUMBER) => {
            let reason = "has no effect with `estimator = \"plain\"`, whose trials are run alone";
            return Err(ParamError::new(PARTICLE_NUMBER.name, reason));
        }
        _ => Estimator::Plain,
    };
    Ok(Some((event, estimator)))
}

fn metric(name: &str) -> Result<Metric, ParamError> {
    name.parse()
        .map_err(|_| {
            let reason = format!(
                "`{name}` is not the name of a metric; `loadfactor schemes` has those of each family, such as \
                 `overflow_elements` of tables"
            );
            ParamError::new(EVENT.name, reason)
        })
}
