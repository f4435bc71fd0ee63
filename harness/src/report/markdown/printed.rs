//! What the document printed, beside ours.

use std::fmt::{self, Write};

use super::super::number::number;
use super::super::published::{PublishedRow, published_rows};
use super::super::results::Results;
use super::optional;

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
        writeln!(
            out,
            "| {} | {} | {quantity} | {} | {} | {} | {against} | {verdict} |",
            published.id,
            published.place,
            published.printed_value(),
            optional(*ours, number),
            optional(*half_width, |half| format!("{half:.1e}")),
        )?;
    }
    for row in rows.iter().filter(|row| !row.published.note.is_empty()) {
        writeln!(out, "\n- {}: {}", row.published.id, row.published.note)?;
    }
    writeln!(out)
}
