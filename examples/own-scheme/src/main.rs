//! The program `loadfactor` with a scheme and a family of a user's own.
//!
//! It has every command and every experiment, with `random-choice` among the tables and the family
//! `bitmaps` beside them.

mod bitmap;
mod random_choice;

use std::process::ExitCode;

use loadfactor::Harness;
use loadfactor_schemes::tables;

use random_choice::RandomChoice;

fn main() -> ExitCode {
    Harness::new().with_scheme(tables::entry::<RandomChoice>()).with_family(&bitmap::FAMILY).main()
}
