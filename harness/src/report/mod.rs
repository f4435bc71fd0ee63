//! Files that a person reads: figures, `report.md`, the manifest.

pub mod changes;
mod figure;
mod figures;
mod manifest;
mod markdown;
mod published;
pub mod reference;
mod results;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use figure::FigureError;
pub use manifest::Circumstances;
pub use markdown::{describe, number};
pub use published::{Agreement, PublishedRow, published_rows};
pub use results::{Results, Tally};

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
}

/// Writes table, figures, report and manifest into `folder`; returns the files, the ones to open
/// first in front.
///
/// # Errors
/// The first file that cannot be made or written.
pub fn write(
    results: &Results<'_>,
    circumstances: &Circumstances,
    folder: &Path,
) -> Result<Vec<PathBuf>, ReportError> {
    let table = Table::join(results.experiment, &results.subjects, &results.comparisons)?;
    let mut files = vec![
        ("report.md".to_owned(), markdown::markdown(results).into_bytes()),
        ("table.csv".to_owned(), table.csv()?),
        ("table.parquet".to_owned(), table.parquet()?),
        ("manifest.json".to_owned(), manifest::manifest(results, circumstances).into_bytes()),
    ];
    files.extend(drawn(results, circumstances)?);
    files
        .into_iter()
        .map(|(name, bytes)| {
            let path = folder.join(name);
            match write_atomic(&path, &bytes) {
                Ok(()) => Ok(path),
                Err(source) => Err(ReportError::Write { path, source }),
            }
        })
        .collect()
}

fn drawn(
    results: &Results<'_>,
    circumstances: &Circumstances,
) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    let footer = manifest::footer(results, circumstances);
    let mut files = Vec::new();
    for definition in &results.experiment.figures {
        let id = &definition.id;
        let failed = |source| ReportError::Figure { id: id.clone(), source };
        let svg = match figures::draw(results, definition, &footer).svg() {
            // Nothing measured yet and nothing predicted: there is no figure to draw.
            Err(FigureError::Empty { .. }) => continue,
            svg => svg.map_err(failed)?,
        };
        let png = figure::png(&svg, PNG_SCALE).map_err(failed)?;
        files.push((format!("figure-{id}.svg"), svg.into_bytes()));
        files.push((format!("figure-{id}.png"), png));
    }
    Ok(files)
}
