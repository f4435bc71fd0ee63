//! The command `loadfactor`.

use std::process::ExitCode;

fn main() -> ExitCode {
    loadfactor::Harness::new().main()
}
