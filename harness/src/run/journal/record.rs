//! The record of a finished batch as it is in memory and as it is on disk.

use loadfactor_schemes::metric::Metric;

use super::super::index::Key;
use super::super::work::{BatchResult, Identity};
use crate::estimate::moments::Moments;

/// A finished batch.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Record {
    /// The point that it belongs to.
    pub(in super::super) identity: Identity,
    /// Its number among the point's batches.
    pub(in super::super) batch: u64,
    /// What it measured.
    pub(in super::super) result: BatchResult,
}

impl Record {
    /// What tells its batch from others.
    pub(in super::super) fn key(&self) -> Key {
        (self.identity, self.batch, self.result.trials)
    }

    /// Identity, batch, trials, then the name and the five words of each metric's moments. Numbers
    /// are little-endian, a name follows its length in one byte.
    pub(in super::super) fn encode(&self) -> Vec<u8> {
        let mut payload = self.identity.to_vec();
        payload.extend(self.batch.to_le_bytes());
        payload.extend(self.result.trials.to_le_bytes());
        for (metric, moments) in &self.result.metrics {
            let name = metric.to_string();
            payload.push(name.len() as u8);
            payload.extend(name.as_bytes());
            payload.extend(moments.to_words().iter().flat_map(|word| word.to_le_bytes()));
        }
        payload
    }

    /// The record that [`encode`](Self::encode) wrote, or `None` where the payload is none, which
    /// includes metrics that this version does not know and counts that contradict each other.
    pub(in super::super) fn decode(payload: &[u8]) -> Option<Self> {
        let mut fields = Fields(payload);
        let identity = fields.array()?;
        let batch = fields.word()?;
        let trials = fields.word()?;
        let mut metrics = Vec::new();
        while !fields.0.is_empty() {
            metrics.push((fields.metric()?, fields.moments()?));
        }
        let result = BatchResult { trials, metrics };
        result.fault(trials).is_none().then_some(Self { identity, batch, result })
    }
}

/// What is left to decode of a payload.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    fn word(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn metric(&mut self) -> Option<Metric> {
        let [length] = self.array()?;
        let (name, rest) = self.0.split_at_checked(length.into())?;
        self.0 = rest;
        std::str::from_utf8(name).ok()?.parse().ok()
    }

    fn moments(&mut self) -> Option<Moments> {
        let mut words = [0; 5];
        for word in &mut words {
            *word = self.word()?;
        }
        Some(Moments::from_words(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadfactor_schemes::tables::metrics;
    use proptest::prelude::*;

    fn record() -> Record {
        let moments: Moments = [0.25, 0.5, f64::INFINITY].into_iter().collect();
        Record {
            identity: [7; 16],
            batch: 3,
            result: BatchResult {
                trials: 3,
                metrics: vec![
                    (metrics::OVERFLOW_FRACTION, moments),
                    (metrics::occupancy(4), moments),
                ],
            },
        }
    }

    #[test]
    fn a_record_reads_back_to_the_bit() {
        let payload = record().encode();
        let decoded = Record::decode(&payload).unwrap();
        assert_eq!((decoded.identity, decoded.batch), ([7; 16], 3));
        assert_eq!(decoded.encode(), payload);
    }

    #[test]
    fn more_values_than_trials_are_refused() {
        let mut record = record();
        record.result.trials = 2;
        assert_eq!(Record::decode(&record.encode()), None);
    }

    proptest! {
        #[test]
        fn any_payload_is_none_or_encodes_to_itself(payload in prop::collection::vec(any::<u8>(), 0..120)) {
            if let Some(record) = Record::decode(&payload) {
                prop_assert_eq!(record.encode(), payload);
            }
        }
    }
}
