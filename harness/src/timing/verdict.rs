//! Faster, slower, or nobody can tell.
//!
//! Each of the intervals of a table holds its change but for its share of the error that all of them may have together
//! (Bonferroni).

use serde::{Serialize, Serializer};

use crate::estimate::interval::Interval;

/// The probability that anything at all is called faster or slower where nothing changed by more than is tolerated.
const ERROR: f64 = 0.01;

/// What became of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It takes less time than before.
    Faster,
    /// It takes more of it.
    Slower,
    /// The interval does not say, or there is none.
    CannotTell,
}

impl Verdict {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::CannotTell => "cannot tell",
        }
    }

    /// Of a change that lies in this interval, where changes up to the tolerance, a share, mean nothing.
    pub(super) fn of_change(interval: Option<Interval>, tolerance: f64) -> Self {
        match interval {
            Some(Interval { low, .. }) if low > 1.0 + tolerance => Self::Slower,
            Some(Interval { high, .. }) if high < 1.0 - tolerance => Self::Faster,
            _ => Self::CannotTell,
        }
    }

    /// With the change in per cent and where it lies; `None` where nobody can tell.
    pub(super) fn in_words(self, change: f64, interval: Option<Interval>) -> Option<String> {
        let Interval { low, high } = interval.filter(|_| self != Self::CannotTell)?;
        let [change, low, high] = [change, low, high].map(|factor| 100.0 * (factor - 1.0));
        Some(format!("{} by {change:+.1} % ({low:+.1} % to {high:+.1} %)", self.name()))
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// How many became slower, how many faster, and of how many nobody can tell.
pub(super) fn tally(verdicts: impl Iterator<Item = Verdict>) -> String {
    let verdicts: Vec<Verdict> = verdicts.collect();
    let [slower, faster, open] = [Verdict::Slower, Verdict::Faster, Verdict::CannotTell]
        .map(|wanted| verdicts.iter().filter(|&&own| own == wanted).count());
    format!("{slower} slower, {faster} faster, {open} cannot tell")
}

/// The level of the interval of each of so many rows, all of which hold their changes but for [`ERROR`].
pub(super) fn level_of_each(rows: usize) -> f64 {
    1.0 - ERROR / rows.max(1) as f64
}
