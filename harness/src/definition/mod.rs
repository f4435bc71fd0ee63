//! From a TOML file to an [`Experiment`], or to every mistake that the file has.
//!
//! The file is read in two passes: the `toml` crate yields the tree with the place of every key
//! and value, and this module reads the tree. Serde would stop at the first mistake and lose its
//! place under flattened and untagged types.

mod assemble;
mod claim;
mod condition;
mod cost;
mod derivation;
mod derived;
mod diagnostics;
pub mod discovery;
mod document;
mod each;
mod edited;
mod experiment;
mod figure;
pub mod keys;
mod lines;
mod load;
mod mistake;
mod placeholder;
mod point;
mod points;
mod printed;
mod published;
mod range;
mod ratios;
mod reading;
mod schema;
mod series;
mod setting;
mod settings;
mod source;
mod suggestion;
mod sweep;
#[cfg(test)]
mod tests;
mod time;
mod told;
mod trace;
mod unmet;
mod value;
mod varying;
mod vocabulary;

use std::path::{Path, PathBuf};

pub use claim::{Claim, Counterpart, DerivedClaim, PointClaim, Published, PublishedValues};
pub use condition::Condition;
pub use derivation::{
    Coordinates, Derivation, Derived, Extreme, LargestError, Operand, Optimum, Pair, abscissa,
};
pub(crate) use derived::PREDICTED;
pub use diagnostics::Diagnostics;
pub use experiment::{
    AxisDef, AxisScale, Document, Experiment, FigureDef, FittedLaw, Stopping, SyntheticTrace,
    TraceOrigin, TraceSource,
};
pub(crate) use figure::NUMBER;
pub(crate) use lines::{Line, lines, place_along};
pub use load::load;
pub use placeholder::{Meant, Placeholder, fill};
pub use point::Point;
pub use printed::PrintedNumber;
pub use reading::{Reading, ReadingOptions};
pub use schema::schema;
pub use setting::{Setting, SettingError};
pub(crate) use suggestion::{nearest, suggestion};
pub use sweep::{Scale, UnknownScale};
pub use time::Timing;
pub use told::Told;
pub use unmet::Unmet;
pub(crate) use varying::{CHOSEN, varying};
pub(crate) use vocabulary::declared;

use diagnostics::{Errors, Source};

/// What the command line says to a definition.
#[derive(Debug, Clone)]
pub struct Options {
    /// How much to run.
    pub scale: Scale,
    /// In place of the definition's seed.
    pub seed: Option<u64>,
    /// Files, folders of files, or patterns, in place of the definition's trace; `-` is standard
    /// input.
    pub trace: Option<Vec<PathBuf>>,
    /// How the files of the trace are read.
    pub reading: ReadingOptions,
    /// Values in place of the definition's.
    pub settings: Vec<Setting>,
}

impl Options {
    /// Nothing in place of what the definition says.
    pub fn at(scale: Scale) -> Self {
        Self {
            scale,
            seed: None,
            trace: None,
            reading: ReadingOptions::default(),
            settings: Vec::new(),
        }
    }

    /// Whether the packets of a trace are chosen here.
    pub fn gives_packets(&self) -> bool {
        self.trace.is_some() || self.reading.selects()
    }
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
#[derive(Clone, Copy)]
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

impl Experiment {
    /// The experiment that a text defines, at the scale `quick`, with its synthetic trace if it has one.
    ///
    /// # Errors
    /// Every mistake in the text.
    ///
    /// ```
    /// use loadfactor::definition::Experiment;
    ///
    /// let experiment = Experiment::from_text(
    ///     "one or two",
    ///     r#"
    ///     title  = "One choice"
    ///     trials = 20
    ///     [workload]
    ///     kind   = "static-fill"
    ///     [point]
    ///     buckets = 64
    ///     load    = [0.5, 1.0]
    ///     [[series]]
    ///     label  = "SINGLE"
    ///     scheme = "single"
    ///     "#,
    /// );
    /// assert_eq!(experiment.unwrap().points.len(), 2);
    /// ```
    pub fn from_text(name: &str, text: &str) -> Result<Self, Diagnostics> {
        parse(&Input {
            name,
            definition: File { path: Path::new("(text)"), text },
            published: None,
            documents: None,
            options: &Options::at(Scale::Quick),
            exists: &|_| false,
        })
    }
}

/// Reads an experiment from texts alone.
///
/// # Errors
/// Every mistake of the definition, `published.csv` and `documents.toml` at once. Mistakes of TOML's
/// syntax come alone, since nothing after them can be trusted.
pub fn parse(input: &Input<'_>) -> Result<Experiment, Diagnostics> {
    let errors_of = |file: File<'_>| Errors::new(Source::new(file.path, file.text));
    let File { path, text } = input.definition;
    let (edited, misplaced) = edited::edited(text, &input.options.settings);
    let mut errors = Errors::with_settings(Source::new(path, text), edited.clone());
    let input = &Input { definition: File { path, text: &edited.text }, ..*input };
    let mut document_errors = input.documents.map(errors_of);
    let documents = input
        .documents
        .zip(document_errors.as_mut())
        .and_then(|(file, errors)| document::read(file.text, errors));
    let mut published_errors = input.published.map(errors_of);

    let experiment =
        assemble::experiment(input, documents.as_ref(), published_errors.as_mut(), &mut errors);
    let files: Vec<Errors> =
        [Some(errors), published_errors, document_errors].into_iter().flatten().collect();
    match experiment {
        Some(experiment) if files.iter().all(Errors::is_empty) && misplaced.is_empty() => {
            Ok(experiment)
        }
        _ => Err(Diagnostics::from_files(files).after(misplaced)),
    }
}

impl Input<'_> {
    /// Whether every point is there that the document speaks of: at its own scale, with nothing set
    /// otherwise.
    pub(crate) fn is_complete(&self) -> bool {
        self.options.scale == Scale::Paper && self.options.settings.is_empty()
    }
}
