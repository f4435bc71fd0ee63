//! From trials to estimates: moments, confidence intervals, the stopping rule.

pub mod interval;
pub mod moments;
pub mod stopping;
