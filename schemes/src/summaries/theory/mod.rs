//! What is known of summaries, as Chapter 4 of "Simple Summaries for Hashing with Choices" and its exact
//! calculations say it.
//!
//! n elements are inserted into a multilevel hash table of one element per bucket, whose sub-tables T_1, …, T_d
//! have the sizes m_1, …, m_d. `S_i` are the elements that find no room in T_1, …, T_i: S_0 are all of them,
//! S_d those in a crisis. An element in T_i has type i. A summary knows the types; a *failure* is an element of
//! the table for which it names another one, a *false positive* an absent key for which it names any.

pub mod approximate;
pub mod bounds;
pub mod chances;
pub mod counters;
#[cfg(test)]
mod enumerated;
pub mod failure;
pub mod false_positive;
pub mod interpolation;
pub mod law;
pub mod lazy;
pub mod song;
pub mod union_bound;
