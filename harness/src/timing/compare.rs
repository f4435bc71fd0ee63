//! Two measurements of the same operations: what became faster, what slower, and what nobody can tell.
//!
//! The times of two runs differ for many reasons that have nothing to do with a structure, such as the clock
//! rate or what else the machine does. Their ratios to the baseline of the same run do not: those are compared.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::table::{Row, read};
use super::{TIMINGS, TimingError};
use crate::estimate::interval::{LEVEL, t_quantile};

/// Change that the same sources may show in two runs, from where memory happens to lie: none is called below it.
const TOLERANCE: f64 = 0.02;

/// The probability that anything at all is called faster or slower where nothing changed.
const ERROR: f64 = 0.01;

/// Degrees of freedom from which on Student's law is the normal one.
const AS_NORMAL: f64 = 1e9;

/// What became of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It takes less of the baseline's time than before.
    Faster,
    /// It takes more of it.
    Slower,
    /// The intervals do not say.
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
}

/// An operation in both measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Its row before.
    pub old: Row,
    /// Its row after.
    pub new: Row,
    /// Ratio to the baseline after, divided by that before.
    pub change: f64,
    /// Lower end of where the change may lie.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// What follows.
    pub verdict: Verdict,
}

/// Two measurements.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TimingChanges {
    /// Operations in both whose baseline is the same series, that of the baseline itself left out.
    pub compared: Vec<Compared>,
    /// Series, places and operations before that are not among them.
    pub missing: Vec<String>,
}

/// The file of timings that a path means: itself, or that of an experiment's folder. `None` where it means other
/// results.
pub fn timings(path: &Path) -> Option<PathBuf> {
    let file = if path.is_dir() { path.join(TIMINGS) } else { path.to_owned() };
    let is_one = file.is_file() && read(&file).is_ok();
    is_one.then_some(file)
}

/// What changed from one file of timings to another.
///
/// # Errors
/// Where one cannot be read.
pub fn timing_changes(old: &Path, new: &Path) -> Result<TimingChanges, TimingError> {
    Ok(compare(&read(old)?, &read(new)?))
}

/// What changed from these rows to those.
pub fn compare(old: &[Row], new: &[Row]) -> TimingChanges {
    let by_key: BTreeMap<_, &Row> = new.iter().map(|row| (row.key(), row)).collect();
    let judged = || old.iter().filter(|row| row.series != row.baseline);
    let pair = |old: &Row| {
        let new = by_key.get(&old.key()).filter(|new| new.baseline == old.baseline)?;
        Some((old.clone(), (*new).clone()))
    };
    let pairs: Vec<(Row, Row)> = judged().filter_map(pair).collect();
    let level = 1.0 - ERROR / pairs.len().max(1) as f64;
    let missing = judged().filter(|row| pair(row).is_none()).map(name).collect();
    let compared = pairs.into_iter().map(|(old, new)| judge(old, new, level)).collect();
    TimingChanges { compared, missing }
}

/// Both ratios have intervals from a bootstrap, on a scale where they are about as wide to either side: that of
/// logarithms. Those of two runs are independent.
fn judge(old: Row, new: Row, level: f64) -> Compared {
    let width = |row: &Row| libm::log(row.ratio_high / row.ratio_low) / 2.0;
    let [normal, wanted] = [LEVEL, level].map(|level| t_quantile(level, AS_NORMAL));
    let error = libm::hypot(width(&old), width(&new)) / normal;
    let change = new.ratio / old.ratio;
    let factor = libm::exp(wanted * error);
    let (low, high) = (change / factor, change * factor);
    let verdict = match () {
        () if low > 1.0 + TOLERANCE => Verdict::Slower,
        () if high < 1.0 - TOLERANCE => Verdict::Faster,
        () => Verdict::CannotTell,
    };
    Compared { old, new, change, low, high, verdict }
}

fn name(row: &Row) -> String {
    format!("{}: {} of {} at {}", row.experiment, row.operation, row.series, row.at)
}

impl TimingChanges {
    /// Whether something became slower or is missing.
    pub fn is_worse(&self) -> bool {
        !self.missing.is_empty() || self.count(Verdict::Slower) > 0
    }

    fn count(&self, verdict: Verdict) -> usize {
        self.compared.iter().filter(|one| one.verdict == verdict).count()
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let one = |one: &Compared| {
            json!({
                "experiment": one.new.experiment,
                "series": one.new.series,
                "at": one.new.at,
                "operation": one.new.operation,
                "baseline": one.new.baseline,
                "old_ratio": one.old.ratio,
                "new_ratio": one.new.ratio,
                "change": one.change,
                "low": one.low,
                "high": one.high,
                "verdict": one.verdict.name(),
            })
        };
        let timings: Vec<Value> = self.compared.iter().map(one).collect();
        json!({ "timings": timings, "missing": self.missing })
    }
}

impl fmt::Display for TimingChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [faster, slower, open] = [Verdict::Faster, Verdict::Slower, Verdict::CannotTell]
            .map(|verdict| self.count(verdict));
        writeln!(
            f,
            "{} timings compared by their ratios to the baseline: {slower} slower, {faster} faster, {open} cannot tell",
            self.compared.len()
        )?;
        for one in self.compared.iter().filter(|one| one.verdict != Verdict::CannotTell) {
            let Compared { old, new, change, low, high, verdict } = one;
            let percent = |change: f64| 100.0 * (change - 1.0);
            writeln!(
                f,
                "  {}: {} by {:+.1} % ({:+.1} % to {:+.1} %); ratio to {}: {:.3} → {:.3}",
                name(new),
                verdict.name(),
                percent(*change),
                percent(*low),
                percent(*high),
                new.baseline,
                old.ratio,
                new.ratio,
            )?;
        }
        self.missing.iter().try_for_each(|name| writeln!(f, "  {name}: missing"))
    }
}

#[cfg(test)]
pub(super) mod made;
#[cfg(test)]
mod tests;
