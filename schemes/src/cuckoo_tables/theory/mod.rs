//! What mathematics says of cuckoo tables, beside what [`tables::theory`](crate::tables::theory) knows of them: the
//! mean excess of two choices in one table and the thresholds of the best placement.

pub mod bounds;
pub mod excess;
pub mod two_tables;
pub mod walk;
