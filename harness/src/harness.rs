//! The whole program, with schemes and families of a user's own.

use std::process::ExitCode;

use loadfactor_schemes::families::{self, Extension};
use loadfactor_schemes::family::{Family, SchemeEntry};

use crate::cli;
use crate::extension;
use crate::terminal::tell;

/// The program `loadfactor`, to which a crate may add schemes and families: it then has every command
/// and every experiment, and what is added stands beside the others everywhere.
///
/// ```no_run
/// use loadfactor::Harness;
///
/// fn main() -> std::process::ExitCode {
///     // With a scheme of your own: `.with_scheme(tables::entry::<Mine>())`.
///     Harness::new().main()
/// }
/// ```
#[derive(Debug, Default)]
pub struct Harness {
    extension: Extension,
}

impl Harness {
    /// The program as it is.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one scheme more of a family that exists. The loops of its trials are compiled in the crate
    /// that makes the entry.
    #[must_use]
    pub fn with_scheme(mut self, entry: SchemeEntry) -> Self {
        self.extension.schemes.push(entry);
        self
    }

    /// With one family more.
    #[must_use]
    pub fn with_family(mut self, family: &'static Family) -> Self {
        self.extension.families.push(family);
        self
    }

    /// Runs the command line and returns its exit status. What cannot be added is told on standard
    /// error, with exit status 2.
    pub fn main(self) -> ExitCode {
        match self.extend() {
            Ok(()) => cli::main(),
            Err(error) => {
                tell!("error: {error}");
                ExitCode::from(2)
            }
        }
    }

    fn extend(self) -> anyhow::Result<()> {
        extension::check(&self.extension)?;
        Ok(families::extend(self.extension)?)
    }
}
