//! Runs the trials of an experiment: batches on all cores, a journal to resume from, progress.
//!
//! The trials of a point are cut into fixed batches. A batch's result depends on its point and its
//! number alone, and results are merged in the order of their numbers, so that one thread, many
//! threads, a resumed run and merged shards all give the same bits.

mod cut;
mod error;
mod index;
mod inspection;
mod interrupt;
mod journal;
mod lock;
mod merge;
mod mounts;
mod mutex;
mod outcome;
mod pending;
mod progress;
mod records;
mod runner;
mod shard;
mod tally;
mod work;

pub use cut::{Cut, Share, Stretch};
pub use error::RunError;
pub use inspection::{Inspection, compact, inspect, repair};
pub use interrupt::Interrupt;
pub use journal::{Damage, JOURNAL, is_in as has_journal, is_ours_in as holds_journal};
pub use lock::FolderLock;
pub use merge::{Merged, merge};
pub use outcome::{Outcome, PointOutcome};
pub use pending::{Pending, PointPending, ShareOfPoint, left_of_share, pending, recorded};
pub use progress::{Amount, Bar, Lines, Progress, Silent, to_stderr};
pub use runner::{RunOptions, run};
pub use shard::{BadShard, Shard};
pub use work::{BatchResult, Identity, Work};

#[cfg(test)]
mod tests;
