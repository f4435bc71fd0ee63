//! What a simulation says of a design.

use std::fmt;

use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::prediction::{Kind, Prediction};
use loadfactor_schemes::tables::metrics;

use super::rows::{Rows, digits};
use super::{Answer, Measured};
use crate::estimate::comparison::Comparison;
use crate::estimate::interval::half_width;

/// Measured beside predicted.
#[derive(Debug)]
pub struct Verification<'a> {
    answer: &'a Answer,
    measured: &'a Measured,
    comparisons: Vec<Comparison>,
}

impl<'a> Verification<'a> {
    /// The verification of an answer; `None` where its table was not simulated.
    pub fn of(answer: &'a Answer) -> Option<Self> {
        let measured = answer.best.measured.as_ref()?;
        let comparisons = measured.compared(answer.predictions(measured));
        Some(Self { answer, measured, comparisons })
    }

    /// A row, if it was measured. What was measured and predicted is shown as `shown` makes it.
    fn row(&self, rows: &mut Rows, name: String, metric: Metric, shown: impl Fn(f64) -> f64) {
        let Some(moments) = self.measured.moments(metric) else { return };
        let Some(mean) = moments.mean() else { return };
        let error =
            half_width(moments).map_or(0.0, |half| (shown(mean + half) - shown(mean)).abs());
        let compared = self.comparisons.iter().find(|row| row.prediction.metric == metric);
        let value = |row: &Comparison| digits(shown(row.prediction.value), 4);
        rows.push([
            name,
            digits(shown(mean), 4),
            digits(error, 2),
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
        for i in 1..=self.answer.question.choices as u16 {
            let name = format!("sub-table {i}, % of its places taken");
            self.row(&mut rows, name, metrics::sub_table_load(i), percent);
        }
        if let Some(metric) = self.answer.within_cam() {
            let name = "lists longer than the CAM, % of the trials".to_owned();
            self.row(&mut rows, name, metric, |x| 100.0 * (1.0 - x));
        }
        write!(f, "{rows}")
    }
}

impl Answer {
    /// Lists that the CAM holds, as far as these can be counted.
    fn within_cam(&self) -> Option<Metric> {
        Some(metrics::overflow_at_most(u16::try_from(self.best.cam?.size).ok()?))
    }

    /// What theory says of the table: the law of the overflow list where it is known, else the scheme's
    /// own predictions.
    fn predictions(&self, measured: &Measured) -> Vec<Prediction> {
        let list = self.best.law();
        let mut predictions: Vec<Prediction> = Vec::new();
        if let Some(list) = list {
            let fraction = list.mean() / f64::from(self.question.elements);
            let known = [
                Some((metrics::OVERFLOW_FRACTION, fraction)),
                Some((metrics::OVERFLOW_VARIANCE, list.variance())),
                self.within_cam().zip(self.best.cam.map(|cam| 1.0 - cam.failure)),
            ];
            let of_list = |(metric, value)| Prediction::approximate(metric, value, "its law");
            predictions.extend(known.into_iter().flatten().map(of_list));
        }
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

fn is_shown(prediction: &Prediction) -> bool {
    let metric = prediction.metric;
    let shown = [metrics::OVERFLOW_FRACTION, metrics::MOVES_PER_INSERTION];
    prediction.kind != Kind::LowerBound
        && (shown.contains(&metric) || metric.is_like(metrics::sub_table_load(1)))
}
