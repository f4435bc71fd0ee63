//! Numbers of things in words.

use std::fmt::Display;

/// The number and what is counted, which takes an `s` where it is not one.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(number: N, one: &str) -> String {
    with_verb(number, [one, &format!("{one}s")])
}

/// The number with the words for one, or those for several.
pub(crate) fn with_verb<N: Display + PartialEq + From<u8>>(
    number: N,
    [one, several]: [&str; 2],
) -> String {
    if number == N::from(1) { format!("1 {one}") } else { format!("{number} {several}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_thing_is_one() {
        assert_eq!(
            [0, 1, 2].map(|n: u64| counted(n, "point")),
            ["0 points", "1 point", "2 points"]
        );
        let lack = ["point lacks", "points lack"];
        assert_eq!([1, 2].map(|n: usize| with_verb(n, lack)), ["1 point lacks", "2 points lack"]);
    }
}
