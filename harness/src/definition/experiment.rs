//! A checked experiment: nothing optional that cannot be absent, every sweep resolved.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use loadfactor_schemes::case::Case;
use loadfactor_schemes::family::CurveInfo;
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{Params, Scalar};
use loadfactor_schemes::prediction::Kind;
use loadfactor_traces::Layout;

pub use crate::estimate::stopping::Stopping;

/// An experiment that may run.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Its name, such as `deletions/fig4`: also its folder below the results.
    pub name: String,
    /// The definition file.
    pub path: PathBuf,
    /// The definition file's text, for its digest in the manifest.
    pub text: String,
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
    /// When a point has had enough trials.
    pub stopping: Stopping,
    /// Share of its prediction that a row's room may have; a row with more is undecided.
    pub largest_room: f64,
    /// Where packets come from, for the points with `keys = "trace"`.
    pub trace: Option<TraceSource>,
    /// Labels of the series, in the order of the file.
    pub series: Vec<String>,
    /// The points, series by series, the last swept key varying fastest.
    pub points: Vec<Point>,
    /// The figures to draw.
    pub figures: Vec<FigureDef>,
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
}

/// Where the packets of an experiment come from.
#[derive(Debug, Clone, PartialEq)]
pub enum TraceSource {
    /// A capture, or a file of flow-key records in a layout.
    File {
        /// The file.
        path: PathBuf,
        /// The layout of its records; a capture has none.
        layout: Option<Layout>,
    },
    /// A synthetic capture that the run makes and keeps beside the results.
    Synthetic {
        /// Number of packets.
        packets: u64,
        /// Seed of the generator.
        seed: u64,
    },
}

impl TraceSource {
    /// The same with the records of its file in this layout.
    pub(crate) fn with_layout(self, layout: Option<Layout>) -> Self {
        match self {
            TraceSource::File { path, .. } => TraceSource::File { path, layout },
            synthetic => synthetic,
        }
    }
}

/// One fully resolved combination of parameters.
#[derive(Debug, Clone)]
pub struct Point {
    /// Index of its series in [`Experiment::series`].
    pub series: usize,
    /// Name of the scheme.
    pub scheme: String,
    /// Name of the hash function.
    pub hash: String,
    /// Name of the workload.
    pub workload: String,
    /// Every parameter of scheme, hash and workload, defaults included.
    pub params: Params,
    /// What its trials do and what theory says of them.
    pub case: Arc<dyn Case>,
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
    /// The series shown, by index; all where the definition names none.
    pub series: Vec<usize>,
}

/// What a published value is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counterpart {
    /// The paper simulated or measured it: compare with our measurement.
    Measured,
    /// The paper computed it: compare with our prediction of this kind.
    Predicted(Kind),
}

/// A value that the document prints.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Its id, unique in the file.
    pub id: String,
    /// Where it is printed, such as `VIII-A, Fig. 4`.
    pub place: String,
    /// Which points it speaks of: those of this series …
    pub series: String,
    /// … whose parameters have these values.
    pub at: Params,
    /// The quantity.
    pub metric: Metric,
    /// The value.
    pub value: f64,
    /// Half a unit of the last printed digit.
    pub half_unit: f64,
    /// What it is compared with.
    pub counterpart: Counterpart,
    /// Remark of the one who entered it.
    pub note: String,
}

impl Point {
    /// The value in the column of this name: `scheme`, `hash`, `workload` or a parameter.
    pub fn value(&self, column: &str) -> Option<Scalar> {
        match column {
            "scheme" => Some(Scalar::Word(self.scheme.clone())),
            "hash" => Some(Scalar::Word(self.hash.clone())),
            "workload" => Some(Scalar::Word(self.workload.clone())),
            name => self.params.get(name).cloned(),
        }
    }
}

impl Published {
    /// Whether the published value speaks of this point of the series `series`.
    pub fn speaks_of(&self, series: &str, point: &Point) -> bool {
        let equal =
            |name: &str, value: &Scalar| point.value(name).is_some_and(|own| same(&own, value));
        self.series == series && self.at.iter().all(|(name, value)| equal(name, value))
    }
}

impl Experiment {
    /// What the document published, to be looked up by point and quantity.
    pub fn published_values(&self) -> PublishedValues<'_> {
        let mut values = BTreeMap::<_, Vec<&Published>>::new();
        for published in &self.published {
            values
                .entry((published.series.as_str(), published.metric))
                .or_default()
                .push(published);
        }
        let computed = |published: &&Published| published.counterpart != Counterpart::Measured;
        values.values_mut().for_each(|of_quantity| of_quantity.sort_by_key(computed));
        PublishedValues { series: &self.series, values }
    }
}

/// What a document published, by series and quantity.
#[derive(Debug)]
pub struct PublishedValues<'e> {
    series: &'e [String],
    /// Measured values before computed ones, in the order of the file.
    values: BTreeMap<(&'e str, Metric), Vec<&'e Published>>,
}

impl<'e> PublishedValues<'e> {
    /// The value printed of this quantity at this point: a measured one before a computed one.
    pub fn find(&self, point: &Point, metric: Metric) -> Option<&'e Published> {
        let series = self.series.get(point.series)?;
        let of_quantity = self.values.get(&(series.as_str(), metric))?;
        of_quantity.iter().find(|published| published.speaks_of(series, point)).copied()
    }
}

/// Equal, up to the rounding of a sweep whose values are no short decimals.
fn same(a: &Scalar, b: &Scalar) -> bool {
    match (a, b) {
        (Scalar::Number(a), Scalar::Number(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        _ => a == b,
    }
}
