//! A checked experiment: nothing optional that cannot be absent, every sweep resolved.

use std::path::PathBuf;

use loadfactor_schemes::family::CurveInfo;
use loadfactor_traces::{LinkSpec, Preset};

use super::claim::{Published, PublishedValues};
use super::derivation::{Coordinates, Derived};
use super::point::Point;
use super::reading::Reading;
use super::time::Timing;
pub use crate::estimate::stopping::Stopping;

/// An experiment that may run.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Its name, such as `deletions/fig4`: also its folder below the results.
    pub name: String,
    /// The definition file.
    pub path: PathBuf,
    /// The definition as it was read: the file's text with the settings in it.
    pub text: String,
    /// What the command line set in place of the file's values, as `KEY=VALUE` each.
    pub settings: Vec<String>,
    /// Whether these make it another experiment than the one that the document and the definition's words
    /// speak of.
    pub altered: bool,
    /// Whether the command line gives other packets than those that the definition's words speak of.
    pub on_other_packets: bool,
    /// The text of `published.csv` beside it, for its digest in the manifest.
    pub published_text: Option<String>,
    /// What the figure or table shows.
    pub title: String,
    /// Key of the document in `documents.toml`; its title, authors and year where it is listed.
    pub document: Option<Document>,
    /// Where in the document, such as `Figure 4`.
    pub place: String,
    /// What to see here, in prose (Markdown).
    pub analysis: String,
    /// Seed from which every trial's seed is derived.
    pub seed: u64,
    /// When a point has had enough trials, one rule for each series.
    pub stopping: Vec<Stopping>,
    /// Share of its prediction that a row's room may have; a row with more is undecided.
    pub largest_room: f64,
    /// Where packets come from, for the points with `keys = "trace"`.
    pub trace: Option<TraceSource>,
    /// What is timed, where it is a definition for `bench`, which has no trials, figures or derived quantities.
    pub timing: Option<Timing>,
    /// Labels of the series, in the order of the file.
    pub series: Vec<String>,
    /// The points, series by series, the last swept key varying fastest.
    pub points: Vec<Point>,
    /// The figures to draw.
    pub figures: Vec<FigureDef>,
    /// Quantities made of several points, in the order of the file.
    pub derived: Vec<Derived>,
    /// What the document published for these points.
    pub published: Vec<Published>,
}

/// A document as `documents.toml` lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its key, such as `kanizo-deletions`.
    pub key: String,
    /// Its title.
    pub title: String,
    /// Its authors.
    pub authors: String,
    /// The year of publication.
    pub year: u16,
    /// What its series are of, one colour and marker each in all of its figures: beginnings of labels, or
    /// names of schemes.
    pub series: Vec<String>,
}

/// The packets of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceSource {
    /// Where they come from.
    pub origin: TraceOrigin,
    /// How they are read.
    pub reading: Reading,
}

/// Where the packets of an experiment come from.
#[derive(Debug, Clone, PartialEq)]
pub enum TraceOrigin {
    /// Captures, or files of flow-key records, which are one trace: files, folders of files, or patterns.
    Files(Vec<PathBuf>),
    /// A synthetic capture that the run makes and keeps beside the results.
    Synthetic(SyntheticTrace),
}

/// A synthetic capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntheticTrace {
    /// Number of packets.
    pub packets: u64,
    /// Seed of the generator.
    pub seed: u64,
    /// The link that it is like; an even mixture of flows where there is none.
    pub preset: Option<Preset>,
}

impl SyntheticTrace {
    /// The parameters of the link that it is like.
    pub fn link(&self) -> Option<LinkSpec> {
        let SyntheticTrace { packets, seed, preset } = *self;
        preset.map(|preset| LinkSpec { packets, seed, ..preset.spec() })
    }
}

/// How values are mapped to places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic.
    Log,
    /// Probabilities at their quantiles of the normal law.
    Probit,
}

/// What stands along an axis: a metric or a parameter, by its column's name.
#[derive(Debug, Clone, PartialEq)]
pub struct AxisDef {
    /// Column of the table.
    pub column: String,
    /// Text at the axis; made from the column where the definition gives none.
    pub label: Option<String>,
    /// Linear or logarithmic.
    pub scale: AxisScale,
    /// Range drawn; chosen from the data where the definition gives none.
    pub range: Option<(f64, f64)>,
}

/// A figure of the experiment.
#[derive(Debug, Clone)]
pub struct FigureDef {
    /// Its id: the file is `figure-<id>.svg`.
    pub id: String,
    /// Its title; the experiment's where it has none.
    pub title: Option<String>,
    /// The horizontal axis.
    pub x: AxisDef,
    /// The vertical axis.
    pub y: AxisDef,
    /// Whether the vertical axis is the distance from the limit for n → ∞.
    pub from_limit: bool,
    /// Curves of theory over the whole range, in addition to the series' predictions.
    pub lines: Vec<&'static CurveInfo>,
    /// Whether approximate predictions are drawn where there are better ones.
    pub approximate: bool,
    /// Whether the bounds of the series are drawn.
    pub bounds: bool,
    /// Laws that are fitted to what was measured.
    pub fitted: Vec<FittedLaw>,
    /// The series shown, by index; all where the definition names none.
    pub series: Vec<usize>,
    /// For each series shown, the one that it is divided by; empty where they are not.
    pub ratio_to: Vec<usize>,
}

/// A law that has its parameters from a measured distribution function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FittedLaw {
    /// The normal law with the measured quartiles.
    Normal,
    /// The Poisson law with the measured mean.
    Poisson,
}

impl FittedLaw {
    /// Every law.
    pub const ALL: [FittedLaw; 2] = [FittedLaw::Normal, FittedLaw::Poisson];

    /// Its name in a definition.
    pub fn name(self) -> &'static str {
        match self {
            FittedLaw::Normal => "normal",
            FittedLaw::Poisson => "poisson",
        }
    }
}

impl Experiment {
    /// What the document published, to be looked up by point and quantity.
    pub fn published_values(&self) -> PublishedValues<'_> {
        PublishedValues::new(&self.series, &self.published)
    }

    /// What a placeholder may name: the labels of the series and the names of derived quantities.
    pub fn names(&self) -> Vec<&str> {
        let derived = self.derived.iter().map(|derived| derived.name.as_str());
        self.series.iter().map(String::as_str).chain(derived).collect()
    }

    /// The series of this label, by its index.
    pub fn series_of(&self, label: &str) -> Option<usize> {
        self.series.iter().position(|own| own == label)
    }

    /// When this point has had enough trials; no trial is enough for one that there is not.
    pub fn stopping_of(&self, point: usize) -> Stopping {
        let rule = self.points.get(point).and_then(|point| self.stopping.get(point.series));
        rule.copied().unwrap_or(Stopping::Trials(0))
    }

    /// The indices of the points of a series that have these coordinates.
    pub fn points_at<'e>(
        &'e self,
        series: usize,
        at: &'e Coordinates,
    ) -> impl Iterator<Item = usize> + 'e {
        let points = self.points.iter().enumerate();
        points.filter(move |(_, p)| p.series == series && at.hold(p)).map(|(index, _)| index)
    }

    /// Whether a ratio or difference holds this point against another.
    pub fn holds_against_another(&self, point: usize) -> bool {
        let Some(point) = self.points.get(point) else { return false };
        self.derived.iter().any(|derived| derived.derivation.pairs(point))
    }
}
