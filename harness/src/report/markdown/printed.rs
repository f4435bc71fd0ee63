//! What the document printed, beside ours.

use std::fmt::{self, Write};

use super::super::published::{PublishedRow, published_rows};
use super::super::results::Results;
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
    for row in &rows {
        let PublishedRow { published, quantity, against, verdict, .. } = row;
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {against} | {verdict} |",
            markdown(&published.id),
            markdown(&published.place),
            markdown(quantity),
            markdown(published.printed_value()),
            row.ours_as_printed().unwrap_or_default(),
            row.half_width_as_printed().unwrap_or_default(),
        )?;
    }
    for row in rows.iter().filter(|row| !row.published.note.is_empty()) {
        writeln!(out, "\n- {}: {}", markdown(&row.published.id), markdown(&row.published.note))?;
    }
    writeln!(out)
}
