//! The answers of `size` that README.md shows are those of the program.
//!
//! A block that begins with `$ loadfactor size` holds a command and all that it prints; `make docs` writes it anew.

use std::{env, fs};

use crate::numbers::{WRITE, at_root};
use crate::sandbox::Sandbox;

const PAGE: &str = "README.md";
const OPEN: &str = "```\n$ loadfactor size ";
const CLOSE: &str = "```";

/// The page with every answer as the program gives it now, and how many there are.
fn answered(page: &str) -> (String, usize) {
    let (mut answered, mut rest, mut answers) = (String::new(), page, 0);
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (arguments, after) = after.split_once('\n').unwrap();
        let (_, behind) = after.split_once(CLOSE).unwrap();
        // A search that the clock cuts off would have another answer.
        let command = format!("size --quiet --time-limit 3600 {arguments}");
        let answer = Sandbox::new(&[]).run(&command).exits(0).stdout;
        answered += &format!("{before}{OPEN}{arguments}\n{answer}{CLOSE}");
        (rest, answers) = (behind, answers + 1);
    }
    (answered + rest, answers)
}

#[test]
fn the_answers_in_the_documentation_are_those_of_the_program() {
    let path = at_root(PAGE);
    let page = fs::read_to_string(&path).unwrap();
    let (answered, answers) = answered(&page);
    assert!(answers > 1, "{PAGE} shows one table and all schemes");
    if env::var_os(WRITE).is_some() {
        fs::write(&path, answered).unwrap();
    } else {
        assert!(page == answered, "the answers in {PAGE} are stale: run `make docs`");
    }
}
