//! What a simulation says of a design.

use std::fmt;

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::{Kind, Prediction};
use loadfactor_schemes::tables::metrics;

use super::rows::{Rows, digits};
use super::{Answer, Cam, Measured, Question, Shape, Simulated};
use crate::estimate::comparison::Comparison;
use crate::estimate::interval::half_width;

/// Measured beside predicted.
#[derive(Debug)]
pub struct Verification<'a> {
    measured: &'a Measured,
    comparisons: Vec<Comparison>,
    sub_tables: u16,
    within_cam: Option<Metric>,
}

impl<'a> Verification<'a> {
    /// The verification of an answer; `None` where its table was not simulated.
    pub fn of(answer: &'a Answer) -> Option<Self> {
        let measured = answer.best.measured.as_ref()?;
        let comparisons = measured.compared(answer.predictions(measured));
        let sub_tables = answer.question.choices as u16;
        let within_cam = answer.best.cam.as_ref().and_then(within);
        Some(Self { measured, comparisons, sub_tables, within_cam })
    }

    /// The verification of a table that was sized by simulation, by other trials; `None` where there were none.
    pub fn of_simulated(table: &'a Simulated) -> Option<Self> {
        let measured = table.measured.as_ref()?;
        let comparisons = measured.compared(table.expectations());
        let sub_tables = match &table.shape {
            Shape::OneTable => 0,
            Shape::SubTables(sizes) => sizes.len() as u16,
        };
        Some(Self { measured, comparisons, sub_tables, within_cam: within(&table.cam) })
    }

    /// A row, if it was measured. What was measured and predicted is shown as `shown` makes it.
    fn row(&self, rows: &mut Rows, name: String, metric: Metric, shown: impl Fn(f64) -> f64) {
        let Some(moments) = self.measured.moments(metric) else { return };
        let Some(mean) = moments.mean() else { return };
        let error = |half: f64| digits((shown(mean + half) - shown(mean)).abs(), 2);
        let compared = self.comparisons.iter().find(|row| row.prediction.metric == metric);
        let value = |row: &Comparison| digits(shown(row.prediction.value), 4);
        rows.push([
            name,
            digits(shown(mean), 4),
            half_width(moments).map_or("-".to_owned(), error),
            compared.map_or("-".to_owned(), value),
            compared.map_or("-".to_owned(), |row| row.verdict.to_string()),
        ]);
    }
}

impl fmt::Display for Verification<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::default();
        rows.push([
            format!("{} simulated trials", self.measured.trials),
            "measured".to_owned(),
            "± (95 %)".to_owned(),
            "predicted".to_owned(),
            "verdict".to_owned(),
        ]);
        let as_it_is = |x| x;
        let percent = |x: f64| 100.0 * x;
        self.row(
            &mut rows,
            "overflow, % of the elements".into(),
            metrics::OVERFLOW_FRACTION,
            percent,
        );
        let variance = "variance of the overflow list, elements²".to_owned();
        self.row(&mut rows, variance, metrics::OVERFLOW_VARIANCE, as_it_is);
        self.row(&mut rows, "moves per insertion".into(), metrics::MOVES_PER_INSERTION, as_it_is);
        for i in 1..=self.sub_tables {
            let name = format!("sub-table {i}, % of its places taken");
            self.row(&mut rows, name, metrics::sub_table_load(i), percent);
        }
        if let Some(metric) = self.within_cam {
            let name = "lists longer than the CAM, % of the trials".to_owned();
            self.row(&mut rows, name, metric, |x| 100.0 * (1.0 - x));
        }
        write!(f, "{rows}")?;
        let Measured { trials, wanted, .. } = self.measured;
        if trials < wanted {
            writeln!(
                f,
                "The time limit was over: {wanted} trials were wanted. Give a longer --time-limit."
            )?;
        }
        Ok(())
    }
}

/// The share of the lists that the CAM is to hold, where it was sized for any one moment as trials look at one.
fn held(cam: &Cam, question: &Question) -> Option<(Metric, f64)> {
    let failure = cam.failure.filter(|_| question.operations == 0)?;
    Some((within(cam)?, 1.0 - failure))
}

/// Lists that the CAM holds, as far as these can be counted.
fn within(cam: &Cam) -> Option<Metric> {
    Some(metrics::overflow_at_most(u16::try_from(cam.size()).ok()?))
}

impl Answer {
    /// What theory says of the table: the law of the overflow list where it is known, else the scheme's
    /// own predictions; and what splitting says of the CAM.
    fn predictions(&self, measured: &Measured) -> Vec<Prediction> {
        let list = self.best.law();
        let mut predictions: Vec<Prediction> = Vec::new();
        if let Some(list) = list {
            let fraction = list.mean() / f64::from(self.question.elements);
            let known = [
                Some((metrics::OVERFLOW_FRACTION, fraction)),
                Some((metrics::OVERFLOW_VARIANCE, list.variance())),
                self.best.cam.as_ref().and_then(|cam| held(cam, &self.question)),
            ];
            let of_list = |(metric, value)| Prediction::approximate(metric, value, "its law");
            predictions.extend(known.into_iter().flatten().map(of_list));
        }
        let cam = self.best.cam.as_ref().filter(|cam| cam.passage.is_some());
        let held = cam.and_then(|cam| held(cam, &self.question));
        predictions.extend(
            held.map(|(metric, value)| Prediction::approximate(metric, value, "splitting")),
        );
        for other in measured.predictions.iter().cloned().chain(self.loads()) {
            if predictions.iter().all(|known| known.metric != other.metric) && is_shown(&other) {
                predictions.push(other);
            }
        }
        predictions
    }

    /// The loads of the sub-tables in the limit, from which finite ones differ by as much as one element.
    fn loads(&self) -> impl Iterator<Item = Prediction> {
        let table = &self.best.table;
        let places = f64::from(table.bucket_size);
        (1..).zip(&table.limit.occupancy).zip(&table.buckets).map(move |((i, law), &buckets)| {
            let mean: f64 = (0_u32..).zip(law).map(|(k, p)| f64::from(k) * p).sum();
            let (metric, allowance) = (metrics::sub_table_load(i), 1.0 / f64::from(buckets));
            Prediction::asymptotic(metric, mean / places, "its limit", allowance)
        })
    }
}

impl Simulated {
    /// What the simulation that sized the table says of other trials.
    fn expectations(&self) -> Vec<Prediction> {
        let elements = f64::from(self.question.elements);
        let mean = self.seen.mean;
        let (share, allowance) = (mean.value / elements, ERRORS_ALLOWED * mean.error / elements);
        let overflow =
            Prediction::asymptotic(metrics::OVERFLOW_FRACTION, share, "its simulation", allowance);
        let held = held(&self.cam, &self.question)
            .map(|(metric, share)| Prediction::approximate(metric, share, "its simulation"));
        std::iter::once(overflow).chain(held).collect()
    }
}

/// Standard errors of the simulation that sized a table that its mean may be off.
const ERRORS_ALLOWED: f64 = 2.0;

fn is_shown(prediction: &Prediction) -> bool {
    let metric = prediction.metric;
    let shown = [metrics::OVERFLOW_FRACTION, metrics::MOVES_PER_INSERTION];
    prediction.kind != Kind::LowerBound
        && (shown.contains(&metric) || metric.is_like(metrics::sub_table_load(1)))
}
