//! What README.md shows of the program's answers is what it says: those of `size`, and the run of the page's definition.
//!
//! A block that begins with `$ loadfactor size` holds a command and all that it prints; `make docs` writes it anew, and
//! so the run and the rows of its report.

use std::{env, fs};

use crate::numbers::{WRITE, at_root};
use crate::sandbox::Sandbox;
use crate::tutorial::{printed, stands};

const PAGE: &str = "README.md";
const OPEN: &str = "```\n$ loadfactor size ";
const CLOSE: &str = "```";
const DEFINITION: &str = "```toml\n";
const RUN: &str = "```\n$ loadfactor run two.toml\n";

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

/// The page with the run of its definition as it is now, and the rows that it quotes of the report.
fn run(page: &str) -> String {
    let (_, definition) = page.split_once(DEFINITION).unwrap();
    let (definition, _) = definition.split_once(CLOSE).unwrap();
    let sandbox = Sandbox::new(&[]);
    sandbox.write("two.toml", definition);
    let done = printed(sandbox.run("run two.toml"));
    let report = sandbox.read("results/two/report.md");
    let (before, after) = page.split_once(RUN).unwrap();
    let (expected, behind) = after.split_once(CLOSE).unwrap();
    let behind = behind.split_inclusive('\n').map(|line| row(line, &report).unwrap_or(line));
    let behind: String = behind.collect();
    format!("{before}{RUN}{}{CLOSE}{behind}", stands(expected, &done))
}

/// The row of the overflow in the report that has the series and the load of this one.
fn row<'r>(line: &str, report: &'r str) -> Option<&'r str> {
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let own = cells(line);
    let is_row = own.len() > 9 && (own[1] == "one" || own[1] == "two");
    let (_, overflow) = report.split_once("## Overflow fraction").filter(|_| is_row)?;
    overflow.split_inclusive('\n').find(|row| cells(row)[..3.min(cells(row).len())] == own[..3])
}

#[test]
fn the_answers_in_the_documentation_are_those_of_the_program() {
    let path = at_root(PAGE);
    let page = fs::read_to_string(&path).unwrap();
    let (answered, answers) = answered(&run(&page));
    assert!(answers > 1, "{PAGE} shows one table and all schemes");
    if env::var_os(WRITE).is_some() {
        fs::write(&path, answered).unwrap();
    } else {
        assert!(page == answered, "the answers in {PAGE} are stale: run `make docs`");
    }
}
