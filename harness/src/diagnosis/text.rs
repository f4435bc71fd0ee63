//! An answer as a person reads it.

use std::fmt;

use super::answer::Answer;
use super::cause::{SETTINGS, SIZE, Setting};
use super::estimate::Estimate;
use super::numerals::{grouped, in_percent, points, times};
use super::prose::paragraph;
use super::split::{Measured, Part, SizePart};

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.traffic, self.question)?;
        paragraph(f, "", &self.effort())?;
        writeln!(f)?;
        self.difference(f)?;
        self.parts(f)?;
        self.explanations(f)?;
        self.settings(f)?;
        if !self.warnings.is_empty() {
            writeln!(f)?;
        }
        let mut warnings = self.warnings.iter();
        warnings.try_for_each(|warning| paragraph(f, "warning: ", &warning.to_string()))
    }
}

impl Answer {
    fn effort(&self) -> String {
        let question = &self.question;
        format!(
            "{} trials in each of {SETTINGS} settings; a trial has {} rounds (one element deleted, one inserted) and \
             goes {} times through the trace. ± is one standard error.",
            question.trials,
            grouped(question.rounds),
            times(self.traffic.passes())
        )
    }

    fn difference(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let split = &self.split;
        let mut row = |name: &str, value: &str, note: &str| {
            writeln!(f, "{}", format!("  {name:<24} {value:>16} {note}").trim_end())
        };
        let measured = in_percent(split.at(Setting::AS_CAPTURED).overflow);
        row("on this trace", &measured, "% of the elements overflow")?;
        match split.model {
            Some(model) => {
                let limit = format!("{:.3}", 100.0 * model.limit);
                let note = format!("% ({}: many buckets, ideal hash, no key twice)", model.source);
                row("in theory", &limit, &note)?;
            }
            None => {
                let ideal = in_percent(split.at(Setting::IDEAL).overflow);
                row("without the causes below", &ideal, "% (measured: ideal hash, no key twice)")?;
            }
        }
        row("difference", &points(split.difference), "percentage points")?;
        writeln!(f)
    }

    fn parts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let split = &self.split;
        writeln!(
            f,
            "{:<22} {:>16} {:>18}   {:>16} {:>16}",
            "owed to", "points", "of the difference", "cured alone", "on its own"
        )?;
        split.parts.iter().try_for_each(|part| part_row(f, part))?;
        split.size.iter().try_for_each(|size| size_row(f, size))?;
        writeln!(f, "  {:<20} {:>16}\n", "all together", points(split.difference))?;
        match split.dominant() {
            Some(cause) => writeln!(f, "The largest part is owed to: {cause}.\n"),
            None => Ok(()),
        }
    }

    /// What the parts are made of.
    fn settings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [overflow, stored] = ["overflow, %", "find key stored, %"];
        writeln!(f, "{:<44} {overflow:>16} {stored:>20}", "measured")?;
        for Measured { setting, overflow, repeated } in &self.split.measured {
            let stored = repeated.map_or_else(String::new, |share| format!("{:.1}", 100.0 * share));
            let label = setting.to_string();
            writeln!(f, "  {label:<42} {:>16} {stored:>20}", in_percent(*overflow))?;
        }
        writeln!(f)?;
        paragraph(
            f,
            "",
            "Causes that meet cost more, or less, than each by itself. Points are averages over the orders in \
             which the causes can be removed one after the other. Cured alone: what removing this one saves while \
             the others stay. On its own: what this one costs without the others.",
        )
    }
}

fn part_row(f: &mut fmt::Formatter<'_>, part: &Part) -> fmt::Result {
    let Part { cause, added, share, cured_alone, on_its_own } = part;
    let share = share_column(*share);
    let [added, cured, own] = [*added, *cured_alone, *on_its_own].map(points);
    writeln!(f, "  {cause:<20} {added:>16} {share:>20} {cured:>16} {own:>16}")
}

fn size_row(f: &mut fmt::Formatter<'_>, size: &SizePart) -> fmt::Result {
    let (added, share) = (points(size.added), share_column(size.share));
    writeln!(f, "{}", format!("  {SIZE:<20} {added:>16} {share:>20}").trim_end())
}

fn share_column(share: Option<Estimate>) -> String {
    share.map_or_else(String::new, |share| {
        let mark = if share.is_lost_in_its_error() { '?' } else { ' ' };
        format!("{} % {mark}", in_percent(share))
    })
}
