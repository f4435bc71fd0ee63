//! What a queue of on-off flows says of the table behind it.
//!
//! Source: "Hash Tables With Finite Buckets Are Less Resistant to Deletions", Section VIII-C: while N
//! elements are in the system, the overflow fraction is about that of a constant load of N.

use super::Scheme;
use crate::prediction::{Outlook, Prediction};
use crate::tables::Bins;
use crate::tables::metrics;
use crate::tables::theory::on_off::{OnOff, QueueLaw};

const QUEUE: &str = "law of the queue";
const HEURISTIC: &str = "Section VIII-C's heuristic";

/// The overflow fraction under alternation with 0, 1, … elements, up to `most`; `None` where the
/// scheme does not know one of them. Without an element there is no overflow.
pub fn constant_loads<S: Scheme>(scheme: &S, most: usize) -> Option<Vec<f64>> {
    let known = (1_u32..).take(most).map(|elements| scheme.overflow_at(elements));
    std::iter::once(Some(0.0)).chain(known).collect()
}

/// The predictions of the queue, and the heuristic where the scheme knows constant loads.
pub(super) fn outlook<S: Scheme>(scheme: &S, flows: &OnOff, bins: &Bins) -> Outlook {
    let law = match flows.law() {
        Ok(law) => law,
        Err(error) => return Outlook { predictions: Vec::new(), missing: Some(error.to_string()) },
    };
    let mut predictions = vec![
        Prediction::exact(metrics::ARRIVALS_PER_SLOT, flows.arrivals(), "k·ρ"),
        Prediction::exact(metrics::SYSTEM_ELEMENTS, flows.mean(), QUEUE),
    ];
    predictions.extend(shares(&law, bins));
    if let Some(fractions) = constant_loads(scheme, law.shares.len()) {
        predictions.extend(heuristic(&law, bins, &fractions));
    }
    Outlook { predictions, missing: None }
}

/// The part of the law in each interval.
fn intervals<'l>(law: &'l QueueLaw, bins: &Bins) -> impl Iterator<Item = (u16, &'l [f64])> {
    let width = usize::from(bins.width.max(1));
    bins.starts().zip(law.shares.chunks(width).chain(std::iter::repeat(&[][..])))
}

fn shares(law: &QueueLaw, bins: &Bins) -> Vec<Prediction> {
    let share = |(start, shares): (u16, &[f64])| {
        Prediction::exact(metrics::system_share(start), shares.iter().sum(), QUEUE)
    };
    intervals(law, bins).map(share).collect()
}

/// The mean length of the overflow list, and the overflow fraction of each interval.
fn heuristic(law: &QueueLaw, bins: &Bins, fractions: &[f64]) -> Vec<Prediction> {
    let all = means(0, &law.shares, fractions);
    let mut predictions: Vec<Prediction> =
        [metrics::OVERFLOW_ELEMENTS, metrics::HEURISTIC_OVERFLOW_ELEMENTS]
            .map(|metric| Prediction::approximate(metric, all.overflow, HEURISTIC))
            .to_vec();
    for (start, shares) in intervals(law, bins) {
        let Means { elements, overflow } = means(start.into(), shares, fractions);
        if elements > 0.0 {
            let metric = metrics::overflow_fraction_at(start);
            predictions.push(Prediction::approximate(metric, overflow / elements, HEURISTIC));
        }
    }
    predictions
}

/// Means over part of a law, not divided by its probability.
struct Means {
    elements: f64,
    overflow: f64,
}

fn means(start: usize, shares: &[f64], fractions: &[f64]) -> Means {
    let mut means = Means { elements: 0.0, overflow: 0.0 };
    for (n, (share, fraction)) in (start..).zip(shares.iter().zip(fractions.iter().skip(start))) {
        means.elements += share * n as f64;
        means.overflow += share * n as f64 * fraction;
    }
    means
}
