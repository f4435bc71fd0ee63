//! Joins of two tables on different machines, of which the smaller one sends a filter of its keys.

use super::metrics::{BYTES_SENT, BYTES_SENT_RATIO, FALSE_POSITIVE_RATE};
use crate::case::Record;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::Prediction;

/// `matching_rows`.
pub(super) const MATCHING_ROWS: Param = Param {
    name: "matching_rows",
    domain: Domain::Integer { min: 0, max: 1_000_000_000_000 },
    absent: Absent::Integer(0),
    doc: "Rows of the larger table whose key the smaller one has, j. They are sent in any case.",
};

/// `key_bytes`.
pub(super) const KEY_BYTES: Param = Param {
    name: "key_bytes",
    domain: Domain::Integer { min: 1, max: 1_000_000 },
    absent: Absent::Integer(16),
    doc: "Bytes of a key, where keys are sent in place of a filter.",
};

/// `row_bytes`.
pub(super) const ROW_BYTES: Param = Param {
    name: "row_bytes",
    domain: Domain::Integer { min: 1, max: 1_000_000_000 },
    absent: Absent::Integer(100),
    doc: "Bytes of a row of the larger table.",
};

/// What a join sends beside the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Join {
    /// Rows of the larger table that match, j.
    pub matching_rows: u64,
    /// Bytes of a key.
    pub key_bytes: u64,
    /// Bytes of a row.
    pub row_bytes: u64,
}

impl Join {
    pub(super) fn from_params(params: &Params) -> Result<Self, ParamError> {
        Ok(Self {
            matching_rows: params.integer(MATCHING_ROWS.name)?,
            key_bytes: params.integer(KEY_BYTES.name)?,
            row_bytes: params.integer(ROW_BYTES.name)?,
        })
    }

    /// Bytes sent by way of a filter of so many bits, to which so many rows are false positives.
    fn bytes(&self, bits: u32, false_positives: f64) -> f64 {
        let rows = self.matching_rows as f64 + false_positives;
        f64::from(bits.div_ceil(8)) + rows * self.row_bytes as f64
    }

    /// Bytes sent where n keys are.
    fn bytes_of_keys(&self, elements: u32) -> f64 {
        f64::from(elements) * self.key_bytes as f64
            + self.matching_rows as f64 * self.row_bytes as f64
    }

    /// Hands over what a trial sent.
    pub(super) fn record(
        &self,
        (elements, bits): (u32, u32),
        false_positives: Option<u64>,
        out: &mut dyn Record,
    ) {
        let sent = false_positives.map(|number| self.bytes(bits, number as f64));
        out.reading(BYTES_SENT, sent);
        out.reading(BYTES_SENT_RATIO, sent.map(|sent| sent / self.bytes_of_keys(elements)));
    }

    /// What is predicted of that, of each false positive rate that is predicted: so many of the `absent` rows of the
    /// larger table are sent for nothing.
    pub(super) fn predictions(
        &self,
        (elements, bits): (u32, u32),
        absent: u64,
        rates: &[Prediction],
    ) -> Vec<Prediction> {
        let keys = self.bytes_of_keys(elements);
        let of_rate = |rate: &Prediction| {
            let by_rate = absent as f64 * self.row_bytes as f64;
            let sent = Prediction {
                metric: BYTES_SENT,
                value: self.bytes(bits, rate.value * absent as f64),
                allowance: rate.allowance * by_rate,
                rests_on: rate.rests_on.map(|(metric, slope)| (metric, slope * by_rate)),
                ..rate.clone()
            };
            let ratio = Prediction {
                metric: BYTES_SENT_RATIO,
                value: sent.value / keys,
                allowance: sent.allowance / keys,
                rests_on: sent.rests_on.map(|(metric, slope)| (metric, slope / keys)),
                ..sent.clone()
            };
            [sent, ratio]
        };
        let rates = rates.iter().filter(|own| own.metric == FALSE_POSITIVE_RATE);
        rates.flat_map(of_rate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,000 keys of 16 bytes and 50 rows of 100 are 21,000 bytes; a filter of 8,000 bits, these rows and one in 50 of
    /// 10,000 others are 26,000.
    #[test]
    fn what_is_sent() {
        let join = Join { matching_rows: 50, key_bytes: 16, row_bytes: 100 };
        let rate = Prediction::refined(FALSE_POSITIVE_RATE, 0.02, "", 0.001);
        let sent = join.predictions((1000, 8000), 10_000, &[rate]);
        assert_eq!(
            (sent[0].metric, sent[0].value, sent[0].allowance),
            (BYTES_SENT, 26_000.0, 1000.0)
        );
        assert_eq!(sent[1].metric, BYTES_SENT_RATIO);
        assert!((sent[1].value - 26.0 / 21.0).abs() < 1e-12);
        assert!((sent[1].allowance - 1.0 / 21.0).abs() < 1e-12);
    }
}
