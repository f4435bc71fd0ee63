//! Mathematics that knows nothing of tables: laws of counts, roots, polynomials, differential equations.

pub mod apportion;
pub(crate) mod bins;
pub mod bisect;
pub(crate) mod chebyshev;
pub mod demand;
pub(crate) mod divisors;
pub(crate) mod elementary;
pub mod fitted;
pub mod ode;
pub mod poisson;
pub(crate) mod ratios;
