//! Conditions on a quantity, such as `1e-5 < predicted <= 1e-3`.

/// Bounds on a quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The quantity.
    pub quantity: String,
    /// What it must exceed.
    above: Option<Bound>,
    /// What it must stay below.
    below: Option<Bound>,
}

/// One end of the values allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bound {
    value: f64,
    /// Whether the value itself is allowed.
    included: bool,
}

impl Condition {
    /// Reads `quantity <= 0.002`, `quantity > 1e-4` or both ends as in `1e-5 < quantity <= 1e-3`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [quantity, sign, value] => {
                let (bound, below) = end(sign, value)?;
                let quantity = name(quantity)?;
                let (above, below) = if below { (None, Some(bound)) } else { (Some(bound), None) };
                Some(Self { quantity, above, below })
            }
            [low, first @ ("<" | "<="), quantity, second @ ("<" | "<="), high] => {
                let (above, below) = (end(first, low)?.0, end(second, high)?.0);
                Some(Self { quantity: name(quantity)?, above: Some(above), below: Some(below) })
            }
            _ => None,
        }
    }

    /// Whether the value is allowed.
    pub fn holds(&self, value: f64) -> bool {
        let beyond =
            |bound: &Bound, distance: f64| distance > 0.0 || bound.included && distance == 0.0;
        self.above.is_none_or(|bound| beyond(&bound, value - bound.value))
            && self.below.is_none_or(|bound| beyond(&bound, bound.value - value))
    }

    /// The most that is allowed, where the condition is `quantity <= value` alone.
    pub fn at_most(&self) -> Option<f64> {
        self.below.filter(|bound| bound.included && self.above.is_none()).map(|bound| bound.value)
    }
}

/// A bound, and whether values lie below it.
fn end(sign: &str, value: &str) -> Option<(Bound, bool)> {
    let value = value.parse().ok().filter(|value: &f64| value.is_finite())?;
    let (included, below) = match sign {
        "<" => (false, true),
        "<=" => (true, true),
        ">" => (false, false),
        ">=" => (true, false),
        _ => return None,
    };
    Some((Bound { value, included }, below))
}

fn name(word: &str) -> Option<String> {
    let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic());
    is_name.then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(text: &str, values: &[f64]) -> Vec<bool> {
        let condition = Condition::parse(text).unwrap();
        values.iter().map(|&value| condition.holds(value)).collect()
    }

    #[test]
    fn ends_are_included_as_written() {
        assert_eq!(allowed("w <= 2", &[1.0, 2.0, 3.0]), [true, true, false]);
        assert_eq!(allowed("w > 2", &[1.0, 2.0, 3.0]), [false, false, true]);
        assert_eq!(allowed("1 < w <= 2", &[1.0, 1.5, 2.0, 2.5]), [false, true, true, false]);
    }

    #[test]
    fn only_one_included_upper_end_is_a_most() {
        let most = |text| Condition::parse(text).unwrap().at_most();
        assert_eq!(most("w <= 0.002"), Some(0.002));
        assert_eq!(most("w < 0.002"), None);
        assert_eq!(most("0 < w <= 0.002"), None);
    }

    #[test]
    fn other_texts_are_no_conditions() {
        for text in ["", "w", "w <=", "w = 2", "2 <= w", "w <= many", "2 > w > 1", "w<=2"] {
            assert_eq!(Condition::parse(text), None, "{text}");
        }
    }
}
