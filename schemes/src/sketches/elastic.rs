//! The Elastic Sketch.

use super::asked::Asked;
use super::elastic_parts::{Bucket, FULL, LightPart, Vote};
use super::metrics::{AAE, ARE, ERROR_EXCEEDS, LIGHT_FRACTION};
use super::outlook::Known;
use super::outlook::at_most;
use super::params::{COLUMNS, COUNTER_BYTES, KEY_BYTES, ROWS};
use super::readings::record_points;
use super::rows::Rows;
use super::timed::{KeyedElastic, KeyedVisitor};
use super::trial::Trial;
use super::{Flow, Sketch};
use crate::case::{Means, Record};
use crate::info::SchemeInfo;
use crate::math::elementary::pow;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

const BUCKETS: Param = Param {
    name: "buckets",
    domain: Domain::Integer { min: 1, max: 1 << 28 },
    absent: Absent::Required,
    doc: "Buckets of the heavy part, each for one flow.",
};

const LAMBDA: Param = Param {
    name: "lambda",
    domain: Domain::Integer { min: 1, max: 1 << 20 },
    absent: Absent::Integer(8),
    doc: "Negative votes for each positive one at which a flow has to leave its bucket, λ.",
};

/// Buckets for one flow each, which other flows vote out, and a count-min sketch with counters of eight bits behind them.
#[derive(Debug, Clone, PartialEq)]
pub struct Elastic {
    buckets: u32,
    lambda: i64,
    light: Rows,
}

/// Both parts. Beside each bucket are the columns of its flow in the light part, as a switch would compute them anew from
/// its key.
#[derive(Debug, Clone)]
pub struct Parts {
    heavy: Vec<Bucket<u32>>,
    columns: Vec<u32>,
    light: LightPart,
    /// ‖f_l‖₁, packets that went to the light part.
    light_packets: i64,
}

/// The bucket of a flow, and its columns in the light part.
fn places<'c>(flow: Flow<'c>) -> (usize, &'c [u32]) {
    (flow.choices[0] as usize, &flow.choices[1..])
}

impl Elastic {
    /// The mean over flows of an upper bound of |error|·weight, as its value without packets in the light part and how
    /// much it rises with their share: other flows add at most ‖f_l‖₁/w to the least of d counters on average, and full
    /// counters lack what a flow has above 255.
    fn bound_of_errors(&self, norm: f64, counts: &[i64], weight: fn(f64) -> f64) -> Line {
        let of_others = norm / f64::from(self.light.columns);
        let (mut flows, mut lost, mut weights) = (0_u32, 0.0, 0.0);
        for &count in counts.iter().filter(|count| **count > 0) {
            let weight = weight(count as f64);
            flows += 1;
            lost += weight * (count - FULL).max(0) as f64;
            weights += weight;
        }
        let flows = f64::from(flows);
        Line { at_zero: lost / flows, slope: of_others * weights / flows }
    }

    /// A bound of the probability that an error is above ε‖a‖₁, as a mean over flows.
    fn exceeds(&self, known: &Known<'_>, counts: &[i64]) -> Option<f64> {
        let epsilon = known.asked.epsilon?;
        let bound = epsilon * known.norm?;
        let flows = counts.iter().filter(|count| **count > 0).count() as f64;
        let lacking = counts.iter().filter(|count| (**count - FULL) as f64 > bound).count() as f64;
        let above = (1.0 / (epsilon * f64::from(self.light.columns))).min(1.0);
        Some((pow(above, self.light.rows.into()) + lacking / flows).min(1.0))
    }
}

/// A linear function.
#[derive(Debug, Clone, Copy)]
struct Line {
    at_zero: f64,
    slope: f64,
}

impl Sketch for Elastic {
    const INFO: SchemeInfo = SchemeInfo {
        name: "elastic",
        summary: "A heavy part of buckets, each for a flow with its packets, vote⁺, and those of other flows, vote⁻; behind it a light part, a count-min sketch of d rows of w counters of eight bits. A packet of the bucket's flow is a positive vote. Any other is a negative one and goes to the light part, unless vote⁻ ≥ λ·vote⁺: then the flow leaves the bucket, its packets are added to the light part, and the new flow takes the bucket, with a flag as it may have packets there. The estimate of a flow is what its bucket has, and with the flag or without a bucket what the light part says. A counter of the light part that reaches 255 stays there.",
        source: "Yang, Jiang, Liu, Huang, Gong, Zhou, Miao, Li and Uhlig, 2018",
        params: &[BUCKETS, LAMBDA, ROWS, COLUMNS],
        predictions: &[
            "`error_exceeds`, with `counts = \"expected\"`: upper bound, (1/(εw))^d, and the share of flows with more than 255 + ε‖a‖₁ packets, which a full counter may lack",
            "`aae` and `are`, with `counts = \"expected\"`: upper bound, ‖f_l‖₁/w with the measured number of packets in the light part, ‖f_l‖₁, and what flows have above 255 packets",
        ],
    };

    const KEEPS_FLOWS: bool = true;

    type Store = Parts;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            buckets: params.small(BUCKETS.name)?,
            lambda: params.small(LAMBDA.name)?.into(),
            light: Rows::from_params(params)?,
        })
    }

    fn ranges(&self) -> Vec<u32> {
        [vec![self.buckets], self.light.ranges()].concat()
    }

    fn bytes(&self) -> u64 {
        // The flag is a bit of one of the votes.
        let heavy = u64::from(self.buckets) * (KEY_BYTES + 2 * COUNTER_BYTES);
        heavy + self.light.counters() as u64
    }

    fn store_bytes(&self) -> u64 {
        let of_bucket = size_of::<Bucket<u32>>() as u64 + 4 * u64::from(self.light.rows);
        u64::from(self.buckets) * of_bucket + self.light.counters() as u64
    }

    fn store(&self) -> Parts {
        let buckets = self.buckets as usize;
        Parts {
            heavy: vec![Bucket::default(); buckets],
            columns: vec![0; buckets * self.light.rows as usize],
            light: LightPart::new(self.light),
            light_packets: 0,
        }
    }

    fn clear(&self, store: &mut Parts, _seed: u64) {
        store.heavy.fill(Bucket::default());
        store.light.clear();
        store.light_packets = 0;
    }

    fn update(&self, store: &mut Parts, flow: Flow<'_>, weight: i64) {
        let (place, columns) = places(flow);
        let Parts { heavy, columns: kept, light, light_packets } = store;
        match heavy[place].vote(flow.number, weight, self.lambda) {
            Vote::Positive => {}
            Vote::Negative => {
                light.add(columns, weight);
                *light_packets += weight;
            }
            Vote::Takes(left) => {
                let kept = &mut kept[place * columns.len()..][..columns.len()];
                light.add(kept, left.own);
                *light_packets += left.own;
                kept.copy_from_slice(columns);
            }
        }
    }

    fn estimate(&self, store: &Parts, flow: Flow<'_>) -> i64 {
        let (place, columns) = places(flow);
        store.heavy[place].estimate(flow.number, || store.light.estimate(columns))
    }

    fn kept(&self, store: &Parts) -> Vec<(i64, u32)> {
        let columns = store.columns.chunks_exact(self.light.rows as usize);
        let buckets = store.heavy.iter().zip(columns).filter(|(bucket, _)| bucket.own > 0);
        let estimate = |(bucket, columns): (&Bucket<u32>, &[u32])| {
            (bucket.estimate(bucket.flow, || store.light.estimate(columns)), bucket.flow)
        };
        buckets.map(estimate).collect()
    }

    fn keyed<V: KeyedVisitor>(&self, visitor: V) -> V::Output {
        visitor.visit(KeyedElastic::new(self.buckets, self.lambda, self.light))
    }

    fn record(&self, store: &Parts, trial: &Trial<'_>, asked: &Asked, out: &mut dyn Record) {
        record_points(self, store, trial, asked, out);
        let share = store.light_packets as f64 / trial.norm;
        out.reading(LIGHT_FRACTION, Some(share));
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let counts = known.updates.same_counts();
        let bound = counts.and_then(|counts| self.exceeds(known, &counts));
        let of = |bound| at_most(ERROR_EXCEEDS, bound, "count-min of the light part");
        Outlook { predictions: bound.map(of).into_iter().collect(), missing: None }
    }

    fn outlook_given(&self, known: &Known<'_>, measured: Means<'_>) -> Vec<Prediction> {
        let given = (known.updates.same_counts(), known.norm, measured(LIGHT_FRACTION));
        let (Some(counts), Some(norm), Some(share)) = given else { return Vec::new() };
        let bound = |metric, weight| {
            let line = self.bound_of_errors(norm, &counts, weight);
            let value = line.at_zero + line.slope * share;
            let rests_on = Some((LIGHT_FRACTION, line.slope));
            Prediction { rests_on, ..at_most(metric, value, "‖f_l‖₁/w, and full counters") }
        };
        vec![bound(AAE, |_| 1.0), bound(ARE, |count| 1.0 / count)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elastic(lambda: i64) -> Elastic {
        Elastic { buckets: 2, lambda, light: Rows { rows: 1, columns: 4 } }
    }

    /// A store that has seen these flows, which share a bucket; each has a column of its own.
    fn after(sketch: &Elastic, flows: &[u32]) -> Parts {
        let mut store = sketch.store();
        for &number in flows {
            sketch.update(&mut store, Flow { number, choices: &[0, number] }, 1);
        }
        store
    }

    fn estimates(sketch: &Elastic, store: &Parts) -> [i64; 3] {
        [1, 2, 3].map(|number| sketch.estimate(store, Flow { number, choices: &[0, number] }))
    }

    /// Two positive votes bear three negative ones with λ = 2; with the fourth the flow leaves with its packets, and the
    /// new one begins with a vote of each kind.
    #[test]
    fn a_flow_leaves_when_it_is_voted_out() {
        let sketch = elastic(2);
        let store = after(&sketch, &[1, 1, 2, 3, 2]);
        assert_eq!(store.heavy[0], Bucket { flow: 1, own: 2, others: 3, flag: false });
        assert_eq!(store.light.counters, [0, 0, 2, 1]);
        let store = after(&sketch, &[1, 1, 2, 3, 2, 2]);
        assert_eq!(store.heavy[0], Bucket { flow: 2, own: 1, others: 1, flag: true });
        assert_eq!((store.light.counters.as_slice(), store.light_packets), (&[0, 2, 2, 1][..], 5));
        assert_eq!(estimates(&sketch, &store), [2, 3, 1]);
        assert_eq!(sketch.kept(&store), [(3, 2)]);
    }

    /// A flow that was never voted out is counted exactly, whatever is in its counters of the light part.
    #[test]
    fn a_flow_without_a_flag_is_exact() {
        let sketch = elastic(8);
        let mut store = after(&sketch, &[1, 1, 1, 2, 2]);
        assert_eq!(estimates(&sketch, &store), [3, 2, 0]);
        store.light.counters.fill(9);
        assert_eq!(estimates(&sketch, &store), [3, 9, 9]);
    }

    /// The 300 packets of a flow that leaves its bucket fill its counter, and 45 are lacking.
    #[test]
    fn a_full_counter_lacks_packets() {
        let sketch = elastic(1);
        let flows = [vec![1; 300], vec![2; 300]].concat();
        let store = after(&sketch, &flows);
        assert_eq!(estimates(&sketch, &store), [255, 256, 0]);
        assert_eq!(store.light_packets, 300 + 299);
    }
}
