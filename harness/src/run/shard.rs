//! One of several parts of a run, each on a machine of its own.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Shard K of N, written `K/N`, with K from 1 to N.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// The most that there can be.
    pub const MOST: u64 = 1_000_000;

    /// Shard `index` of `count`, where there is one.
    pub fn new(index: u64, count: u64) -> Option<Self> {
        let is_one = (1..=count).contains(&index) && count <= Self::MOST;
        is_one.then_some(Self { index, count })
    }

    /// Its number, from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// How many there are.
    pub fn count(self) -> u64 {
        self.count
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A text that names no shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a shard: write K/N with K from 1 to N, such as 1/4, and N up to {most}", most = Shard::MOST)]
pub struct BadShard(pub String);

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            let (index, count): (u32, u32) = (index.parse().ok()?, count.parse().ok()?);
            Shard::new(index.into(), count.into())
        };
        parse().ok_or_else(|| BadShard(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_shard_is_refused() {
        for text in ["", "1", "0/3", "4/3", "0/0", "1/0", "-1/3", "1/3/5", "a/b", "1/1000001"] {
            assert_eq!(text.parse::<Shard>(), Err(BadShard(text.to_owned())));
        }
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
    }
}
