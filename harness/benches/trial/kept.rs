//! Ratios that are kept from one night to the next, so that a fall is seen.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// How many times as long as before the harness may take, beside the loop by hand.
const MOST: f64 = 1.1;

/// Holds ratios, each with the name of its case, against those kept in a file, a line for each: the ratio and the name. Cases
/// that it does not have are added to it; those that it has stay, since a little more each night would never be seen.
///
/// Lines on the cases that have become slower.
pub fn slower(file: &Path, ratios: &[(String, f64)]) -> std::io::Result<Vec<String>> {
    let mut text = match fs::read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        text => text?,
    };
    let mut slower = Vec::new();
    for (name, ratio) in ratios {
        match text.lines().find_map(|line| kept(line, name)) {
            None => text += &format!("{ratio:.4} {name}\n"),
            Some(kept) if *ratio > MOST * kept => {
                slower.push(format!("{name}: {ratio:.3} of the loop by hand, {kept:.3} before"));
            }
            Some(_) => {}
        }
    }
    fs::write(file, text)?;
    Ok(slower)
}

fn kept(line: &str, name: &str) -> Option<f64> {
    let (ratio, of) = line.split_once(' ')?;
    (of == name).then(|| ratio.parse().ok())?
}
