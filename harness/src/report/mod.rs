//! Files that a person reads: figures, `report.md`, the manifest.

mod agreement;
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
pub mod reference_json;
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

pub use agreement::Agreement;
pub use figure::FigureError;
pub use manifest::{Circumstances, LastRun, Request};
pub use number::{number, with_error};
pub use published::{PublishedRow, published_rows};
pub use results::{Results, Tally, Verdicts};

use crate::definition::FigureDef;
use crate::files::write_atomic;
use crate::table::{Table, TableError};

/// Name of the report in a folder of results.
const REPORT: &str = "report.md";

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

/// What was written into a folder of results.
#[derive(Debug, Default)]
pub struct Written {
    /// The files, the ones to open first in front.
    pub files: Vec<PathBuf>,
    /// Figures that could not be drawn, each with the reason.
    pub undrawn: Vec<String>,
}

/// Writes table, manifest and report, and then the figures, into `folder`, and removes figures that the
/// definition no longer has. A figure that cannot be drawn costs nothing else.
///
/// # Errors
/// The first file that cannot be made, written or removed.
pub fn write(
    results: &Results<'_>,
    circumstances: &Circumstances,
    folder: &Path,
) -> Result<Written, ReportError> {
    let mut written = Written::default();
    let table = Table::join(results.experiment, &results.subjects, &results.comparisons)?;
    written.write(folder, "table.csv", || Ok(table.csv()?))?;
    written.write(folder, "table.parquet", || Ok(table.parquet()?))?;
    let manifest = || manifest::manifest(results, circumstances).into_bytes();
    written.write(folder, MANIFEST, || Ok(manifest()))?;
    if let Some(derived) = derived::csv(results)? {
        written.write(folder, "derived.csv", || Ok(derived))?;
    }
    written.write(folder, REPORT, || {
        Ok(markdown::markdown(results, circumstances.request.scale).into_bytes())
    })?;
    written.files.rotate_right(1);
    written.draw(results, circumstances, folder)?;
    remove_old_figures(folder, &written.files)
        .map_err(|source| ReportError::Remove { folder: folder.to_owned(), source })?;
    Ok(written)
}

impl Written {
    fn write(
        &mut self,
        folder: &Path,
        name: &str,
        bytes: impl FnOnce() -> Result<Vec<u8>, ReportError>,
    ) -> Result<(), ReportError> {
        let path = folder.join(name);
        match write_atomic(&path, &bytes()?) {
            Ok(()) => self.files.push(path),
            Err(source) => return Err(ReportError::Write { path, source }),
        }
        Ok(())
    }

    fn draw(
        &mut self,
        results: &Results<'_>,
        circumstances: &Circumstances,
        folder: &Path,
    ) -> Result<(), ReportError> {
        let footer = manifest::footer(results, circumstances);
        let gaps = Gaps::new(results.experiment);
        for definition in &results.experiment.figures {
            let id = &definition.id;
            let pictures = match pictures(results, definition, &gaps, &footer) {
                // Nothing measured yet and nothing predicted: there is no figure to draw.
                Err(FigureError::Empty { .. }) => continue,
                Err(error) => {
                    self.undrawn.push(format!("figure {id} was not drawn: {error}"));
                    continue;
                }
                Ok(pictures) => pictures,
            };
            for (extension, bytes) in pictures {
                self.write(folder, &format!("figure-{id}.{extension}"), || Ok(bytes))?;
            }
        }
        Ok(())
    }
}

/// A figure in every format, by the ends of the files' names.
fn pictures(
    results: &Results<'_>,
    definition: &FigureDef,
    gaps: &Gaps<'_>,
    footer: &str,
) -> Result<[(&'static str, Vec<u8>); 3], FigureError> {
    let svg = figures::draw(results, definition, gaps, footer).svg()?;
    let (pdf, png) = (figure::pdf(&svg)?, figure::png(&svg, PNG_SCALE)?);
    Ok([("svg", svg.into_bytes()), ("pdf", pdf), ("png", png)])
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
