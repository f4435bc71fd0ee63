//! Elementary functions that give the same digits on every processor.
//!
//! Those of the standard library are the system's, which has several of each and takes one by what the processor
//! can do: the last digits then depend on the machine. Square roots are exact everywhere.

pub(crate) use libm::{
    atan2, cos, erfc, exp, exp2, expm1 as exp_m1, log as ln, log1p as ln_1p, pow, sin,
    sincos as sin_cos, sinh,
};
