//! Placeholders in prose: `{max_load of SINGLE at load = 0.6}`.

use loadfactor_schemes::params::Scalar;
use loadfactor_schemes::prediction::Kind;

use super::derivation::Coordinates;

/// A number that a text names instead of telling it.
#[derive(Debug, Clone, PartialEq)]
pub struct Placeholder {
    /// A metric, or a quantity of a derived one.
    pub quantity: String,
    /// The label of a series, or the name of a derived quantity.
    pub of: String,
    /// Where on the series.
    pub at: Coordinates,
    /// Whether the measurement is meant or a prediction.
    pub value: Meant,
    /// Whether it is told in per cent.
    pub percent: bool,
}

/// What is told of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meant {
    /// What was measured.
    Measured,
    /// The first prediction, whatever its kind.
    Predicted,
    /// The prediction of this kind.
    OfKind(Kind),
}

impl Meant {
    /// Whether a prediction of this kind is meant.
    pub fn is(self, kind: Kind) -> bool {
        match self {
            Meant::Measured => false,
            Meant::Predicted => true,
            Meant::OfKind(own) => own == kind,
        }
    }

    /// What the first word asks for, and the text behind it.
    fn read(text: &str) -> (Self, &str) {
        let Some((word, rest)) = text.split_once(' ') else { return (Meant::Measured, text) };
        let of_kind = || Kind::ALL.into_iter().find(|kind| kind.name() == word).map(Meant::OfKind);
        let predicted = (word == "predicted").then_some(Meant::Predicted);
        predicted.or_else(of_kind).map_or((Meant::Measured, text), |meant| (meant, rest))
    }
}

impl Placeholder {
    /// Reads `[predicted|KIND] QUANTITY of NAME [at KEY = VALUE, …] [in %]`, where the name is one of these.
    pub fn parse(text: &str, names: &[&str]) -> Option<Self> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let in_percent = text.strip_suffix(" in %");
        let (value, text) = Meant::read(in_percent.unwrap_or(&text));
        let percent = in_percent.is_some();
        let (quantity, rest) = text.split_once(" of ")?;
        let is_named = |name: &&&str| {
            rest.strip_prefix(**name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(" at "))
        };
        let name = names.iter().filter(is_named).max_by_key(|name| name.len())?;
        let at = match rest[name.len()..].strip_prefix(" at ") {
            Some(pairs) => pairs.split(',').map(coordinate).collect::<Option<Vec<_>>>()?,
            None => Vec::new(),
        };
        let (quantity, of) = (quantity.to_owned(), (*name).to_owned());
        Some(Self { quantity, of, at: Coordinates(at), value, percent })
    }
}

fn coordinate(pair: &str) -> Option<(String, Scalar)> {
    let (name, value) = pair.split_once('=')?;
    let value = value.trim();
    let whole = value.parse().ok().map(Scalar::Integer);
    let number = || value.parse().ok().map(Scalar::Number);
    let value = whole.or_else(number).unwrap_or_else(|| Scalar::Word(value.to_owned()));
    Some((name.trim().to_owned(), value))
}

/// The text with each `{…}` replaced. A brace that is not closed stays as it is.
pub fn fill(text: &str, mut value: impl FnMut(&str) -> String) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((inner, behind)) = after.split_once('}') else { break };
        filled += before;
        filled += &value(inner);
        rest = behind;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["SC", "SC, static", "best at d = 3"];

    #[test]
    fn the_longest_name_that_fits_is_meant() {
        let read = |text| Placeholder::parse(text, &NAMES).unwrap();
        let placeholder =
            read("predicted full_share of SC, static at load = 0.6, choices = 2 in %");
        assert_eq!(placeholder.of, "SC, static");
        assert!(placeholder.value == Meant::Predicted && placeholder.percent);
        let at = [("load", Scalar::Number(0.6)), ("choices", Scalar::Integer(2))];
        assert_eq!(placeholder.at.0, at.map(|(name, value)| (name.to_owned(), value)));
        assert_eq!(read("space\nof best at d = 3").of, "best at d = 3");
        assert_eq!(read("exact space of SC").value, Meant::OfKind(Kind::Exact));
        assert_eq!(read("space of SC").value, Meant::Measured);
    }

    #[test]
    fn other_texts_are_no_placeholders() {
        for text in ["", "w", "w of Std", "w of SC at load", "w of SCx"] {
            assert_eq!(Placeholder::parse(text, &NAMES), None, "{text}");
        }
    }

    #[test]
    fn everything_between_braces_is_replaced() {
        assert_eq!(fill("a {b} c {d", str::to_uppercase), "a B c {d");
    }
}
