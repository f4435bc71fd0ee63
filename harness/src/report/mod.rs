//! Files that a person reads: figures, `report.md`, the manifest.

mod analysis;
mod between;
pub mod changes;
mod derived;
mod figure;
mod figures;
mod fitted;
mod fixed;
mod looks;
mod manifest;
mod markdown;
mod names;
mod number;
mod points;
mod published;
mod ratio;
pub mod reference;
mod results;
mod spot;
mod tails;
mod ways;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use between::Gaps;
use manifest::MANIFEST;

pub use figure::FigureError;
pub use manifest::{Circumstances, LastRun, Request};
pub use number::{number, with_error};
pub use published::{Agreement, PublishedRow, published_rows};
pub use results::{Results, Tally, Verdicts};

use crate::files::write_atomic;
use crate::table::{Table, TableError};

/// Pixels of the PNG per unit of the SVG.
const PNG_SCALE: f32 = 2.0;

/// A report that cannot be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The table cannot be made.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The derived quantities cannot be written.
    #[error("derived.csv cannot be made: {0}")]
    Derived(#[from] csv::Error),
    /// A figure cannot be drawn.
    #[error("figure {id}: {source}")]
    Figure {
        /// The figure.
        id: String,
        /// Why.
        source: FigureError,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}; the journal beside it is safe: make room and run `loadfactor report`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A figure that the definition no longer has cannot be removed.
    #[error("cannot remove old figures in {}: {source}", folder.display())]
    Remove {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Writes table, figures, report and manifest into `folder`, and removes figures that the
/// definition no longer has; returns the files written, the ones to open first in front.
///
/// # Errors
/// The first file that cannot be made, written or removed.
pub fn write(
    results: &Results<'_>,
    circumstances: &Circumstances,
    folder: &Path,
) -> Result<Vec<PathBuf>, ReportError> {
    let table = Table::join(results.experiment, &results.subjects, &results.comparisons)?;
    let mut files = vec![
        (
            "report.md".to_owned(),
            markdown::markdown(results, circumstances.request.scale).into_bytes(),
        ),
        ("table.csv".to_owned(), table.csv()?),
        ("table.parquet".to_owned(), table.parquet()?),
        (MANIFEST.to_owned(), manifest::manifest(results, circumstances).into_bytes()),
    ];
    let derived = derived::csv(results)?;
    files.extend(derived.map(|bytes| ("derived.csv".to_owned(), bytes)));
    files.extend(drawn(results, circumstances)?);
    let written = files
        .into_iter()
        .map(|(name, bytes)| {
            let path = folder.join(name);
            match write_atomic(&path, &bytes) {
                Ok(()) => Ok(path),
                Err(source) => Err(ReportError::Write { path, source }),
            }
        })
        .collect::<Result<Vec<_>, _>>()?;
    remove_old_figures(folder, &written)
        .map_err(|source| ReportError::Remove { folder: folder.to_owned(), source })?;
    Ok(written)
}

/// Removes the figures in `folder` that are not among the files written.
fn remove_old_figures(folder: &Path, written: &[PathBuf]) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if is_figure(&path) && !written.contains(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn is_figure(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    name.starts_with("figure-") && [".svg", ".pdf", ".png"].iter().any(|end| name.ends_with(end))
}

fn drawn(
    results: &Results<'_>,
    circumstances: &Circumstances,
) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    let footer = manifest::footer(results, circumstances);
    let gaps = Gaps::new(results.experiment);
    let mut files = Vec::new();
    for definition in &results.experiment.figures {
        let id = &definition.id;
        let failed = |source| ReportError::Figure { id: id.clone(), source };
        let svg = match figures::draw(results, definition, &gaps, &footer).svg() {
            // Nothing measured yet and nothing predicted: there is no figure to draw.
            Err(FigureError::Empty { .. }) => continue,
            svg => svg.map_err(failed)?,
        };
        let png = figure::png(&svg, PNG_SCALE).map_err(failed)?;
        let pdf = figure::pdf(&svg).map_err(failed)?;
        files.push((format!("figure-{id}.svg"), svg.into_bytes()));
        files.push((format!("figure-{id}.pdf"), pdf));
        files.push((format!("figure-{id}.png"), png));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_were_not_written_go_and_other_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["figure-1.svg", "figure-old.svg", "figure-old.pdf", "figure.txt", "my.svg"];
        let paths = names.map(|name| folder.path().join(name));
        paths.iter().for_each(|path| fs::write(path, "").unwrap());
        remove_old_figures(folder.path(), &paths[..1]).unwrap();
        let left: Vec<&str> =
            names.into_iter().filter(|name| folder.path().join(name).exists()).collect();
        assert_eq!(left, ["figure-1.svg", "figure.txt", "my.svg"]);
    }
}
