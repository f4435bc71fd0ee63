//! From trials to estimates: moments, confidence intervals, the stopping rule.

pub mod comparison;
pub mod interval;
pub mod moments;
pub mod paired;
pub mod recorder;
pub mod share;
pub mod splitting;
pub mod stopping;
pub mod verdict;
