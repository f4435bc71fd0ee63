//! Two measurements of the same operations, one after the other: what became faster, what slower, and what nobody can
//! tell.
//!
//! The times of two runs differ for many reasons that have nothing to do with a structure, such as the clock
//! rate or what else the machine does. Their ratios to the baseline of the same run differ by less: those are compared.
//!
//! The logarithms of both ratios are means of independent layouts, of which the intervals tell the standard errors.
//! Their difference has Student's law, with the degrees of freedom of Welch and Satterthwaite.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::statistics::standard_error;
use super::table::{Row, check_columns, read};
use super::verdict::{Verdict, level_of_each, tally};
use super::{TIMINGS, TimingError};
use crate::estimate::interval::{Interval, t_quantile};
use crate::files::read_regular;

/// Change of a ratio that the same program may show in two runs, from what the machine does for longer than one: none is
/// called below it. Three runs in a row on an idle virtual machine, of filters in and out of the second-level cache,
/// differed by as much.
const TOLERANCE: f64 = 0.15;

/// The most degrees of freedom that are told from the normal law.
const AS_NORMAL: f64 = 1e9;

/// An operation in both measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Its row before.
    pub old: Row,
    /// Its row after.
    pub new: Row,
    /// Ratio to the baseline after, divided by that before.
    pub change: f64,
    /// Where the change lies, if both were measured in several layouts.
    pub interval: Option<Interval>,
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
    /// Those after that are not.
    pub added: Vec<String>,
    /// Series of the same name that are made otherwise than before.
    pub altered: Vec<String>,
}

/// The file of timings that a path means: itself, or that of an experiment's folder. `None` where it means other
/// results.
pub fn timings(path: &Path) -> Option<PathBuf> {
    let file = if path.is_dir() { path.join(TIMINGS) } else { path.to_owned() };
    let bytes = read_regular(&file).ok()?;
    check_columns(&bytes).is_ok().then_some(file)
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
    let pair = |old: &Row| {
        let new = by_key.get(&old.key()).filter(|new| new.baseline == old.baseline)?;
        Some((old.clone(), (*new).clone()))
    };
    let (mut pairs, mut missing) = (Vec::new(), Vec::new());
    for row in judged(old) {
        match pair(row) {
            Some(pair) => pairs.push(pair),
            None => missing.push(name(row)),
        }
    }
    let known: BTreeSet<_> = pairs.iter().map(|(old, _)| old.key()).collect();
    let added = judged(new).filter(|row| !known.contains(&row.key())).map(name).collect();
    let altered: BTreeSet<String> = pairs.iter().filter_map(alteration).collect();
    let level = level_of_each(pairs.len());
    let compared = pairs.into_iter().map(|(old, new)| judge(old, new, level)).collect();
    TimingChanges { compared, missing, added, altered: altered.into_iter().collect() }
}

/// The rows that have a ratio of their own.
fn judged(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.series != row.baseline)
}

/// Whether a series of the same name has another scheme, hash function or number of elements.
fn alteration((old, new): &(Row, Row)) -> Option<String> {
    let made = |row: &Row| format!("{} of {}, {} elements", row.scheme, row.hash, row.elements);
    let (before, after) = (made(old), made(new));
    let Row { experiment, series, at, .. } = new;
    (before != after)
        .then(|| format!("{experiment}: {series} at {at} is made otherwise: {before} → {after}"))
}

fn judge(old: Row, new: Row, level: f64) -> Compared {
    let change = new.ratio / old.ratio;
    let factor = uncertainty(&old, &new, level);
    let interval = factor.map(|by| Interval { low: change / by, high: change * by });
    let verdict = Verdict::of_change(interval, TOLERANCE);
    Compared { old, new, change, interval, verdict }
}

/// The factor by which the change may be greater or less, at this level. `None` where one of the two was measured in
/// one layout, which says nothing of another.
fn uncertainty(old: &Row, new: &Row, level: f64) -> Option<f64> {
    let variance = |row: &Row| {
        let error = standard_error(row.ratio_interval()?, row.layouts);
        Some((error * error, row.layouts.checked_sub(1)? as f64))
    };
    let ((a, of_a), (b, of_b)) = (variance(old)?, variance(new)?);
    let both = a + b;
    if both == 0.0 {
        return Some(1.0);
    }
    let freedom = both * both / (a * a / of_a + b * b / of_b);
    Some(libm::exp(t_quantile(level, freedom.min(AS_NORMAL)) * both.sqrt()))
}

fn name(row: &Row) -> String {
    format!("{}: {} of {} at {}", row.experiment, row.operation, row.series, row.at)
}

impl TimingChanges {
    /// Whether something became slower or is missing.
    pub fn is_worse(&self) -> bool {
        !self.missing.is_empty() || self.compared.iter().any(|one| one.verdict == Verdict::Slower)
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
                "low": one.interval.map(|interval| interval.low),
                "high": one.interval.map(|interval| interval.high),
                "verdict": one.verdict.name(),
            })
        };
        let timings: Vec<Value> = self.compared.iter().map(one).collect();
        json!({
            "timings": timings,
            "missing": self.missing,
            "added": self.added,
            "altered": self.altered,
        })
    }
}

impl fmt::Display for TimingChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} timings compared by their ratios to the baseline: {}",
            self.compared.len(),
            tally(self.compared.iter().map(|one| one.verdict))
        )?;
        writeln!(
            f,
            "  a change below {:.0} % is told by `loadfactor bench --beside` alone: machines drift by as much between two measurements",
            100.0 * TOLERANCE
        )?;
        let unjudged = self.compared.iter().filter(|one| one.interval.is_none()).count();
        if unjudged > 0 {
            writeln!(
                f,
                "  {unjudged} of them have one layout in one of the two, of which nobody can tell: measure with more `time.layouts`"
            )?;
        }
        self.compared.iter().try_for_each(|one| one.write(f))?;
        self.altered.iter().try_for_each(|text| writeln!(f, "  {text}"))?;
        self.missing.iter().try_for_each(|name| writeln!(f, "  {name}: missing"))?;
        self.added.iter().try_for_each(|name| writeln!(f, "  {name}: not in the old ones"))
    }
}

impl Compared {
    /// A line, where there is something to tell.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { old, new, change, interval, verdict } = self;
        let Some(told) = verdict.in_words(*change, *interval) else { return Ok(()) };
        let Row { baseline, .. } = new;
        writeln!(
            f,
            "  {}: {told}; ratio to {baseline}: {:.3} → {:.3}",
            name(new),
            old.ratio,
            new.ratio,
        )
    }
}

#[cfg(test)]
mod tests;
