//! Numbers of things in words.

/// The number and what is counted, which takes an `s` where it is not one.
pub(super) fn counted(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// The number with the words for one, or those for several.
pub(super) fn with_verb(number: usize, [one, several]: [&str; 2]) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {several}") }
}
