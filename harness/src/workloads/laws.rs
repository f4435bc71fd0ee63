//! Whole laws of what a trial ends with: how long the overflow list is, and how many elements a
//! sub-table has.

use loadfactor_schemes::laws::{Counts, Laws, SubTableLaw};
use loadfactor_schemes::metric::Metric;
use loadfactor_schemes::params::{ParamError, Params};

use super::readings::{Outcome, Reading};
use super::registry::{LAW_FROM, LAW_STEP, LAW_TO, OVERFLOW_LAW, SUB_TABLE_LAW};

/// Most numbers of elements for which a law is measured.
const MOST_COUNTS: usize = 1000;

/// The laws that a point asks for, of a scheme with so many sub-tables.
///
/// # Errors
/// A parameter that is missing or impossible beside the others.
pub(crate) fn laws(params: &Params, sub_tables: usize) -> Result<Laws, ParamError> {
    let overflow = match params.get(OVERFLOW_LAW.name) {
        Some(_) => Some(number(params, OVERFLOW_LAW.name)?),
        None => None,
    };
    Ok(Laws { overflow, sub_table: sub_table(params, sub_tables)? })
}

fn sub_table(params: &Params, sub_tables: usize) -> Result<Option<SubTableLaw>, ParamError> {
    if params.get(SUB_TABLE_LAW.name).is_none() {
        return without_sub_table(params).map(|()| None);
    }
    let sub_table = number(params, SUB_TABLE_LAW.name)?;
    if !(1..=sub_tables).contains(&sub_table.into()) {
        let reason = match sub_tables {
            0 => "the scheme counts no elements by sub-table".to_owned(),
            _ => format!("there are {sub_tables} sub-tables"),
        };
        return Err(ParamError::new(SUB_TABLE_LAW.name, reason));
    }
    Ok(Some(SubTableLaw { sub_table, counts: counts(params)? }))
}

/// Which numbers of elements, without a sub-table, would be said in vain.
fn without_sub_table(params: &Params) -> Result<(), ParamError> {
    let given = [LAW_FROM, LAW_TO, LAW_STEP].into_iter().find(|p| params.get(p.name).is_some());
    given.map_or(Ok(()), |param| {
        let reason = format!("of which sub-table? Name it with `{}`", SUB_TABLE_LAW.name);
        Err(ParamError::new(param.name, reason))
    })
}

fn counts(params: &Params) -> Result<Counts, ParamError> {
    let step = match params.get(LAW_STEP.name) {
        Some(_) => number(params, LAW_STEP.name)?,
        None => 1,
    };
    let counts =
        Counts { from: number(params, LAW_FROM.name)?, to: number(params, LAW_TO.name)?, step };
    if counts.from > counts.to {
        let reason = format!("{} is above `{}` = {}", counts.from, LAW_TO.name, counts.to);
        return Err(ParamError::new(LAW_FROM.name, reason));
    }
    let many = counts.iter().count();
    if many > MOST_COUNTS {
        let reason = format!(
            "gives {many} numbers of elements; at most {MOST_COUNTS} are possible: take a larger `{}`",
            LAW_STEP.name
        );
        return Err(ParamError::new(LAW_TO.name, reason));
    }
    Ok(counts)
}

fn number(params: &Params, name: &str) -> Result<u16, ParamError> {
    let value = params.small(name)?;
    u16::try_from(value)
        .map_err(|_| ParamError::new(name, format!("{value} is above {}", u16::MAX)))
}

/// Reads the end of one trial after the other.
///
/// A variance is estimated from disjoint pairs of consecutive trials: of a pair with x and y
/// elements ½(x − y)² is an observation whose mean is the variance, and observations of different
/// pairs are independent, so that their moments also give its standard error.
pub(crate) struct LawReader {
    laws: Laws,
    /// What the first trial of a pair ended with, until the second has ended.
    first: Option<End>,
}

/// What a trial ended with.
struct End {
    overflow: u32,
    /// Elements in each sub-table.
    sub_tables: Vec<u64>,
}

impl LawReader {
    /// Before the first trial.
    pub(crate) fn new(laws: Laws) -> Self {
        Self { laws, first: None }
    }

    /// Each metric of the laws with its value, in the same order for every trial.
    pub(crate) fn of(&mut self, outcome: &Outcome) -> Vec<Reading> {
        if !self.laws.any() {
            return Vec::new();
        }
        let sub_tables = outcome.sub_tables.iter().map(|in_use| in_use.elements).collect();
        self.read(End { overflow: outcome.overflow, sub_tables })
    }

    fn read(&mut self, end: End) -> Vec<Reading> {
        let first = self.first.take();
        let mut readings = Vec::new();
        if let Some(largest) = self.laws.overflow {
            let before = first.as_ref().map(|first| f64::from(first.overflow));
            readings.push((Metric::OverflowVariance, halved_square(before, end.overflow.into())));
            let at_most = |k| (Metric::OverflowAtMost(k), share(end.overflow <= k.into()));
            readings.extend((0..=largest).map(at_most));
        }
        if let Some(law) = &self.laws.sub_table {
            readings.extend(sub_table_readings(law, first.as_ref(), &end));
        }
        self.first = if first.is_none() { Some(end) } else { None };
        readings
    }
}

fn sub_table_readings(law: &SubTableLaw, first: Option<&End>, end: &End) -> Vec<Reading> {
    let mut readings = Vec::new();
    for (i, &elements) in (0..).zip(&end.sub_tables) {
        let before = first.and_then(|first| first.sub_tables.get(usize::from(i)));
        let variance = halved_square(before.map(|&x| x as f64), elements as f64);
        readings.push((Metric::SubTableElements(i + 1), Some(elements as f64)));
        readings.push((Metric::SubTableVariance(i + 1), variance));
    }
    if let Some(&elements) = end.sub_tables.get(usize::from(law.sub_table) - 1) {
        let at_most = |x| (Metric::SubTableElementsAtMost(x), share(elements <= x.into()));
        readings.extend(law.counts.iter().map(at_most));
    }
    readings
}

fn halved_square(x: Option<f64>, y: f64) -> Option<f64> {
    x.map(|x| 0.5 * (x - y) * (x - y))
}

fn share(is: bool) -> Option<f64> {
    Some(f64::from(u8::from(is)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_of_trials_gives_one_observation_of_a_variance() {
        let counts = Counts { from: 4, to: 6, step: 2 };
        let sub_table = Some(SubTableLaw { sub_table: 2, counts });
        let mut reader = LawReader::new(Laws { overflow: Some(1), sub_table });
        let mut read = |overflow, in_second| {
            let readings = reader.read(End { overflow, sub_tables: vec![9, in_second] });
            readings.into_iter().map(|(_, value)| value).collect::<Vec<_>>()
        };
        let (no, yes) = (Some(0.0), Some(1.0));
        assert_eq!(read(0, 4), [None, yes, yes, Some(9.0), None, Some(4.0), None, yes, yes]);
        assert_eq!(
            read(3, 6),
            [Some(4.5), no, no, Some(9.0), Some(0.0), Some(6.0), Some(2.0), no, yes]
        );
        assert_eq!(read(1, 7), [None, no, yes, Some(9.0), None, Some(7.0), None, no, no]);
    }
}
