//! From a TOML file to an [`Experiment`], or to every mistake that the file has.
//!
//! The file is read in two passes: the `toml` crate yields the tree with the place of every key
//! and value, and this module reads the tree. Serde would stop at the first mistake and lose its
//! place under flattened and untagged types.

mod cost;
mod diagnostics;
pub mod discovery;
mod document;
mod experiment;
mod figure;
pub mod keys;
mod load;
mod points;
mod printed;
mod published;
mod range;
mod series;
mod settings;
mod sweep;
mod value;
mod vocabulary;

use std::path::{Path, PathBuf};

use loadfactor_schemes::tables::AnyScheme;
use toml::de::DeTable;

pub use diagnostics::Diagnostics;
pub use experiment::{
    AxisDef, AxisScale, Counterpart, CurveKind, Document, Experiment, FigureDef, Point, Published,
    Stopping, TraceSource,
};
pub use load::load;
pub use sweep::{Scale, UnknownScale};

use diagnostics::{Errors, Mistake, Source};
use keys::EXPERIMENT;
use points::MAX_POINTS;
use series::{Series, Shared};
use value::{Table, table};

/// What the command line says to a definition.
#[derive(Debug, Clone)]
pub struct Options {
    /// How much to run.
    pub scale: Scale,
    /// In place of the definition's seed.
    pub seed: Option<u64>,
    /// In place of the definition's trace.
    pub trace: Option<PathBuf>,
}

/// A file and its text.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// What it says.
    pub text: &'a str,
}

/// Everything that is read to make an experiment.
pub struct Input<'a> {
    /// The experiment's name.
    pub name: &'a str,
    /// The definition.
    pub definition: File<'a>,
    /// `published.csv` beside it.
    pub published: Option<File<'a>>,
    /// The nearest `documents.toml`.
    pub documents: Option<File<'a>>,
    /// What the command line says.
    pub options: &'a Options,
    /// Whether a file exists: asked for traces.
    pub exists: &'a dyn Fn(&Path) -> bool,
}

/// Reads an experiment from texts alone.
///
/// # Errors
/// Every mistake of the definition, `published.csv` and `documents.toml` at once. Mistakes of TOML's
/// syntax come alone, since nothing after them can be trusted.
pub fn parse(input: &Input<'_>) -> Result<Experiment, Diagnostics> {
    let errors_of = |file: File<'_>| Errors::new(Source::new(file.path, file.text));
    let mut errors = errors_of(input.definition);
    let mut document_errors = input.documents.map(errors_of);
    let documents = input
        .documents
        .zip(document_errors.as_mut())
        .map(|(file, errors)| document::read(file.text, errors));
    let mut published_errors = input.published.map(errors_of);

    let experiment = definition(input, documents.as_ref(), published_errors.as_mut(), &mut errors);
    let files: Vec<Errors> =
        [Some(errors), published_errors, document_errors].into_iter().flatten().collect();
    match experiment {
        Some(experiment) if files.iter().all(Errors::is_empty) => Ok(experiment),
        _ => Err(Diagnostics::of(files)),
    }
}

/// Notes what the TOML parser complains about.
fn note_syntax(syntax: &[toml::de::Error], errors: &mut Errors) {
    for error in syntax {
        let span = error.span().unwrap_or(0..0);
        errors.push(Mistake::at(&span, "this is not TOML").label(error.message()));
    }
}

fn definition(
    input: &Input<'_>,
    documents: Option<&document::Documents>,
    published_errors: Option<&mut Errors>,
    errors: &mut Errors,
) -> Option<Experiment> {
    let (tree, syntax) = DeTable::parse_recoverable(input.definition.text);
    if !syntax.is_empty() {
        note_syntax(&syntax, errors);
        return None;
    }
    let root = Table::new(tree.get_ref(), 0..0);
    root.only(&EXPERIMENT, errors);
    root.complete(&EXPERIMENT, errors);
    let body = body(&root, input, published_errors, errors);
    let words =
        |key: &str, errors: &mut Errors| root.text(key, errors).unwrap_or_default().to_owned();
    let (title, place) = (words("title", errors), words("place", errors));
    let (analysis, seed) = (words("analysis", errors), settings::seed(&root, errors));
    let document = document::lookup(&root, documents, errors);
    let body = body?;
    Some(Experiment {
        name: input.name.to_owned(),
        path: input.definition.path.to_owned(),
        text: input.definition.text.to_owned(),
        title,
        document,
        place,
        analysis,
        seed: input.options.seed.unwrap_or(seed),
        stopping: body.stopping,
        trace: body.trace,
        series: body.labels,
        points: body.points,
        figures: body.figures,
        published: body.published,
    })
}

/// The parts of an experiment that depend on each other.
struct Body {
    stopping: Stopping,
    trace: Option<TraceSource>,
    labels: Vec<String>,
    points: Vec<Point>,
    figures: Vec<FigureDef>,
    published: Vec<Published>,
}

fn body(
    root: &Table<'_>,
    input: &Input<'_>,
    published_errors: Option<&mut Errors>,
    errors: &mut Errors,
) -> Option<Body> {
    let options = input.options;
    let stopping = settings::stopping(root, options.scale, errors);
    let subtable = |key: &str, errors: &mut Errors| {
        root.get(key).and_then(|entry| table(key, entry.node, errors))
    };
    let shared = Shared {
        point: subtable("point", errors).unwrap_or_else(Table::absent),
        workload: subtable("workload", errors).unwrap_or_else(Table::absent),
    };
    let trace = settings::trace(
        &shared.workload,
        options.trace.as_ref(),
        input.definition.path,
        input.exists,
        errors,
    );
    let tables = root.tables("series", errors);
    let read = series::read(&shared, &tables, options.scale, errors);
    let complete = read.iter().all(Option::is_some);
    let series: Vec<Series<'_>> = read.into_iter().flatten().collect();
    let labels: Vec<&str> =
        tables.iter().filter_map(|table| table.get("label")?.node.get_ref().as_str()).collect();
    let figures = figure::read(&root.tables("figure", errors), &labels, &series, errors);
    let points = points(&series, stopping, trace.is_some(), errors);
    if !complete {
        return None;
    }
    let points = points?;
    let published = match (input.published, published_errors) {
        (Some(file), Some(errors)) => {
            let experiment =
                input.definition.path.file_stem().unwrap_or_default().to_string_lossy();
            let checked = published::Checked {
                experiment: &experiment,
                series: &series,
                points: &points,
                scale: options.scale,
            };
            published::read(file.text, &checked, errors)
        }
        _ => Vec::new(),
    };
    let labels = labels.into_iter().map(str::to_owned).collect();
    Some(Body { stopping: stopping?, trace, labels, points, figures, published })
}

/// The points of all series, if none has a mistake.
fn points(
    series: &[Series<'_>],
    stopping: Option<Stopping>,
    trace: bool,
    errors: &mut Errors,
) -> Option<Vec<Point>> {
    let mut points: Vec<(Point, AnyScheme)> = Vec::new();
    let mut complete = true;
    for (index, one) in series.iter().enumerate() {
        match points::expand(index, one, MAX_POINTS - points.len(), errors) {
            Some(more) => points.extend(more),
            None => complete = false,
        }
        if !trace {
            series::check_trace(one, errors);
        }
    }
    if let Some(stopping) = stopping {
        cost::check(series, &points, stopping, errors);
    }
    complete.then(|| points.into_iter().map(|(point, _)| point).collect())
}
