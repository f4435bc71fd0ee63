//! Mathematics that knows nothing of tables: laws of counts, roots, polynomials, differential equations.

pub mod apportion;
pub(crate) mod bins;
pub mod bisect;
pub(crate) mod chebyshev;
pub(crate) mod collisions;
pub(crate) mod complex;
pub mod demand;
pub(crate) mod depoissonised;
pub mod distribution;
pub(crate) mod divisors;
pub(crate) mod elementary;
pub mod fitted;
pub(crate) mod hits;
pub mod ode;
pub mod poisson;
pub(crate) mod ratios;
