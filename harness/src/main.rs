//! The command `loadfactor`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let program = loadfactor::Harness::new();
    #[cfg(feature = "peers")]
    let program = loadfactor::peers::added_to(program);
    program.main()
}
