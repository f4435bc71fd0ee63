//! A share of an experiment's batches, for running it on several machines.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Shard K of N, written `K/N`, with K from 1 to N.
///
/// Every batch of every point belongs to exactly one shard, and the shards are of one size up to
/// one batch for each point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Whether this batch of this point is this shard's to run.
    pub fn holds(&self, point: usize, batch: u64) -> bool {
        (point as u64 % self.count + batch % self.count) % self.count == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A text that names no shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a shard: write K/N with K from 1 to N, such as 1/4")]
pub struct BadShard(pub String);

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            let (index, count): (u32, u32) = (index.parse().ok()?, count.parse().ok()?);
            (1..=count)
                .contains(&index)
                .then_some(Shard { index: index.into(), count: count.into() })
        };
        parse().ok_or_else(|| BadShard(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_batch_belongs_to_one_shard() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].map(|text| text.parse().unwrap()).into();
        for (point, batch) in (0..7).flat_map(|p| (0..7).map(move |b| (p, b))) {
            assert_eq!(shards.iter().filter(|shard| shard.holds(point, batch)).count(), 1);
        }
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        for text in ["", "1", "0/3", "4/3", "0/0", "1/0", "-1/3", "1/3/5", "a/b"] {
            assert_eq!(text.parse::<Shard>(), Err(BadShard(text.to_owned())));
        }
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
    }
}
