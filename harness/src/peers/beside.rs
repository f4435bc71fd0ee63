//! The structures of ours that sets of other crates stand beside.

use std::fmt;

use loadfactor_schemes::filters::Size;
use loadfactor_schemes::filters::metrics::FALSE_POSITIVE_RATE;
use loadfactor_schemes::filters::params::{BITS, BITS_PER_ELEMENT, CHOICES, ELEMENTS};
use loadfactor_schemes::keys::MADE_KEY_BYTES;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Param, ParamError, Params, Scalar};

/// How large a set is where a definition tells the size of a structure of ours.
pub(super) trait Beside: fmt::Debug + Copy + Send + Sync + 'static {
    /// The family of that structure.
    const FAMILY: &'static str;

    /// The workload whose keys are stored and then asked for.
    const WORKLOAD: &'static str;

    /// The parameters that tell its size.
    const PARAMS: &'static [Param];

    /// What trials of the family measure of absent keys.
    const OF_ABSENT_KEYS: Option<Metric>;

    /// Reads the size.
    ///
    /// # Errors
    /// The first parameter that is missing or impossible beside the others.
    fn read(params: &Params) -> Result<Self, ParamError>;

    /// Keys to be stored.
    fn elements(&self) -> u32;

    /// Keys for which there is room.
    fn places(&self) -> u32;

    /// Bytes of a set of this size, whichever it is. One of keys has up to twice as many places as keys, each with
    /// its byte of control.
    fn bytes(&self) -> u64 {
        2 * u64::from(self.places()) * (MADE_KEY_BYTES as u64 + 1)
    }

    /// Absent keys that are asked for in turn.
    fn absent(&self) -> u64;

    /// The same with so many absent keys at most.
    fn with_absent(&self, absent: u64) -> Self;

    /// The columns that the family has in front of parameters.
    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)>;
}

/// A filter of this size under the workload `membership`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filter {
    pub(super) size: Size,
    queries: u64,
}

impl Beside for Filter {
    const FAMILY: &'static str = "filters";
    const WORKLOAD: &'static str = "membership";
    const PARAMS: &'static [Param] = &[ELEMENTS, BITS_PER_ELEMENT, BITS, CHOICES];
    const OF_ABSENT_KEYS: Option<Metric> = Some(FALSE_POSITIVE_RATE);

    fn read(params: &Params) -> Result<Self, ParamError> {
        Ok(Self { size: Size::from_params(params)?, queries: params.integer("queries")? })
    }

    fn elements(&self) -> u32 {
        self.size.elements
    }

    fn places(&self) -> u32 {
        self.size.elements
    }

    /// Bits, where it is a filter.
    fn bytes(&self) -> u64 {
        let of_keys = 2 * u64::from(self.places()) * (MADE_KEY_BYTES as u64 + 1);
        of_keys.max(u64::from(self.size.bits) / 8)
    }

    fn absent(&self) -> u64 {
        self.queries
    }

    fn with_absent(&self, absent: u64) -> Self {
        Self { queries: self.queries.min(absent), ..*self }
    }

    fn columns(&self) -> Vec<(&'static str, Option<Scalar>)> {
        vec![
            ("elements", Some(self.size.elements.into())),
            ("bits_per_element", Some(self.size.bits_per_element().into())),
        ]
    }
}
