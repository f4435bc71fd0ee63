//! Files that a person reads: figures, `report.md`, the manifest.

mod agreement;
mod analysis;
mod between;
pub mod changes;
mod derived;
mod drawn_counts;
pub(crate) mod figure;
mod figures;
mod fitted;
mod fixed;
mod joined;
mod looks;
pub(crate) mod manifest;
mod markdown;
mod names;
mod number;
pub mod ownership;
pub(crate) mod points;
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

use rayon::prelude::*;
use thiserror::Error;

use between::Gaps;

pub use agreement::Agreement;
pub use figure::FigureError;
pub use manifest::{Circumstances, LastRun, MANIFEST, Request};
pub use number::{number, with_error, with_interval};
pub use published::{PublishedRow, published_rows};
pub use results::{Results, Tally, Verdicts};

use crate::definition::{Experiment, FigureDef};
use crate::files::write_atomic;
use crate::table::{Table, TableError};

/// Name of the report in a folder of results.
const REPORT: &str = "report.md";
const DERIVED: &str = "derived.csv";
/// Name of the table.
pub const TABLE: &str = "table.csv";
/// Name of the same table with its types.
pub const TABLE_PARQUET: &str = "table.parquet";

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
    #[error("cannot write {}: {source}; the journal beside it is safe: run `loadfactor report` once this is mended", path.display())]
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
    written.write(folder, TABLE, || Ok(table.csv()?))?;
    written.write(folder, TABLE_PARQUET, || Ok(table.parquet()?))?;
    let last = manifest::read(folder);
    let pictures = pictures_of(results.experiment);
    let manifest = manifest::manifest(results, circumstances, &pictures, last.as_ref());
    written.write(folder, MANIFEST, || Ok(manifest.into_bytes()))?;
    match derived::csv(results)? {
        Some(derived) => written.write(folder, DERIVED, || Ok(derived))?,
        None => remove_old(&folder.join(DERIVED))?,
    }
    let drawn = written.add_figures(draw(results, circumstances, folder))?;
    let markdown = markdown::markdown(results, circumstances.request.scale, &drawn);
    written.write(folder, REPORT, || Ok(markdown.into_bytes()))?;
    written.files.rotate_right(1);
    for name in last.iter().flat_map(manifest::pictures_of) {
        let path = folder.join(Path::new(&name).file_name().unwrap_or_default());
        if !written.files.contains(&path) && is_picture(&path) {
            remove_old(&path)?;
        }
    }
    Ok(written)
}

impl Written {
    fn write(
        &mut self,
        folder: &Path,
        name: &str,
        bytes: impl FnOnce() -> Result<Vec<u8>, ReportError>,
    ) -> Result<(), ReportError> {
        self.files.push(write_file(folder, name, &bytes()?)?);
        Ok(())
    }

    /// Takes the figures that were drawn, and gives back their names.
    fn add_figures(&mut self, figures: Vec<FigureFiles>) -> Result<Vec<String>, ReportError> {
        let mut drawn = Vec::new();
        for FigureFiles { id, files } in figures {
            match files? {
                Ok(files) => {
                    self.files.extend(files);
                    drawn.push(id);
                }
                Err(error) => self.undrawn.push(format!("figure {id} was not drawn: {error}")),
            }
        }
        Ok(drawn)
    }
}

/// A figure with the files in which it stands.
struct FigureFiles {
    id: String,
    files: Result<Result<Vec<PathBuf>, FigureError>, ReportError>,
}

/// Draws all figures of the experiment in parallel, and writes each as soon as it is drawn, so that not all are held.
fn draw(results: &Results<'_>, circumstances: &Circumstances, folder: &Path) -> Vec<FigureFiles> {
    let footer = manifest::footer(results, circumstances);
    let gaps = figures::gaps(results);
    let one = |definition: &FigureDef| {
        let id = definition.id.clone();
        let write =
            |(format, bytes): (&str, Vec<u8>)| write_file(folder, &picture(&id, format), &bytes);
        let files = match pictures(results, definition, &gaps, &footer) {
            Ok(pictures) => pictures.into_iter().map(write).collect::<Result<_, _>>().map(Ok),
            Err(error) => Ok(Err(error)),
        };
        FigureFiles { id, files }
    };
    results.experiment.figures.par_iter().map(one).collect()
}

fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, ReportError> {
    let path = folder.join(name);
    match write_atomic(&path, bytes) {
        Ok(()) => Ok(path),
        Err(source) => Err(ReportError::Write { path, source }),
    }
}

/// A figure in every format, by the ends of the files' names.
fn pictures(
    results: &Results<'_>,
    definition: &FigureDef,
    gaps: &Gaps,
    footer: &str,
) -> Result<[(&'static str, Vec<u8>); 3], FigureError> {
    let svg = figures::draw(results, definition, gaps, footer).svg()?;
    let tree = figure::parsed(&svg)?;
    let (pdf, png) = rayon::join(|| figure::pdf(&tree), || figure::png(&tree, PNG_SCALE));
    let [as_svg, as_pdf, as_png] = FORMATS;
    Ok([(as_svg, svg.into_bytes()), (as_pdf, pdf?), (as_png, png?)])
}

/// The formats of a figure, as the ends of its files.
const FORMATS: [&str; 3] = ["svg", "pdf", "png"];

/// The name of the file with a figure.
fn picture(id: &str, format: &str) -> String {
    format!("figure-{id}.{format}")
}

/// The names of all pictures that an experiment has.
fn pictures_of(experiment: &Experiment) -> Vec<String> {
    let of = |figure: &FigureDef| FORMATS.map(|format| picture(&figure.id, format));
    experiment.figures.iter().flat_map(of).collect()
}

/// Removes a file that this run does not write, if an earlier one did.
fn remove_old(path: &Path) -> Result<(), ReportError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(ReportError::Remove { folder: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Whether the file is called as a figure is.
fn is_picture(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    name.starts_with("figure-") && FORMATS.iter().any(|format| name.ends_with(format))
}
