//! What the document printed, beside ours.

use std::fmt::{self, Write};

use super::super::number::{number, short_error};
use super::super::published::{PublishedRow, published_rows};
use super::super::results::Results;
use super::optional;
use crate::escape::markdown;

pub(super) fn section(results: &Results<'_>, out: &mut String) -> fmt::Result {
    let rows = published_rows(results);
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "## What the document printed\n")?;
    writeln!(
        out,
        "| id | place | quantity | printed | ours | ± | compared with | at the printed precision |"
    )?;
    writeln!(out, "|---|---|---|---:|---:|---:|---|---|")?;
    for PublishedRow { published, quantity, against, ours, half_width, verdict } in &rows {
        let printed = published.printed_value();
        let (factor, unit) = unit(printed);
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {against} | {verdict} |",
            markdown(&published.id),
            markdown(&published.place),
            markdown(quantity),
            markdown(printed),
            optional(*ours, |value| number(factor * value) + unit),
            optional(*half_width, |half| short_error(factor * half) + unit),
        )?;
    }
    for row in rows.iter().filter(|row| !row.published.note.is_empty()) {
        writeln!(out, "\n- {}: {}", markdown(&row.published.id), markdown(&row.published.note))?;
    }
    writeln!(out)
}

/// The unit of a printed value, in which ours stands beside it, and how many of it make 1.
fn unit(printed: &str) -> (f64, &'static str) {
    if printed.contains('%') { (100.0, "%") } else { (1.0, "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_printed_in_per_cent_is_answered_in_per_cent() {
        for (printed, ours) in
            [("<=0.47%", "3.05344%"), ("2.68", "0.0305344"), ("0/1", "0.0305344")]
        {
            let (factor, unit) = unit(printed);
            assert_eq!(number(factor * 0.030_534_4) + unit, ours, "{printed}");
        }
    }
}
