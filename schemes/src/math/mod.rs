//! Mathematics that knows nothing of tables: laws of counts, roots, polynomials, differential equations.

pub(crate) mod bisect;
pub(crate) mod chebyshev;
pub mod demand;
pub mod ode;
pub mod poisson;
pub(crate) mod ratios;
