//! Distributions, not only means, of counts at the end of a trial: which of them a definition asks for.

use crate::params::{Absent, Domain, Param, ParamError, Params};

/// The laws asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Laws {
    /// Of the overflow list's length: its variance, and
    /// [`overflow_at_most`](crate::tables::metrics::overflow_at_most) k for k up to this number.
    pub overflow: Option<u16>,
    /// Of the elements in sub-tables.
    pub sub_table: Option<SubTableLaw>,
}

/// Of the elements in sub-tables: mean and variance for each, and the distribution for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubTableLaw {
    /// The sub-table whose distribution is asked for, counted from 1.
    pub sub_table: u16,
    /// For which x
    /// [`sub_table_elements_at_most`](crate::tables::metrics::sub_table_elements_at_most) x is.
    pub counts: Counts,
}

/// Every `step`-th number of elements from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// The first.
    pub from: u16,
    /// None is above it.
    pub to: u16,
    /// The distance of one from the next, at least 1.
    pub step: u16,
}

impl Laws {
    /// Whether a law is asked for, and with it variances.
    pub fn any(&self) -> bool {
        self.overflow.is_some() || self.sub_table.is_some()
    }
}

impl Counts {
    /// The numbers, in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + use<> {
        (self.from..=self.to).step_by(self.step.max(1).into())
    }
}

const OVERFLOW_LAW: Param = Param {
    name: "overflow_law",
    domain: Domain::Integer { min: 0, max: 999 },
    absent: Absent::Optional,
    doc: "Greatest k for which `overflow_at_most_<k>` is measured, the law of the overflow list's length at the end of a trial, and `overflow_variance` with it. Without it neither is.",
};
const SUB_TABLE_LAW: Param = Param {
    name: "sub_table_law",
    domain: Domain::Integer { min: 1, max: 1024 },
    absent: Absent::Optional,
    doc: "Sub-table, counted from 1, for which `subtable_elements_at_most_<x>` is measured, the law of its number of elements at the end of a trial, and for every sub-table mean and variance with it. Without it none is.",
};
const LAW_FROM: Param = Param {
    name: "law_from",
    domain: Domain::Integer { min: 0, max: 65_535 },
    absent: Absent::Optional,
    doc: "Least x of `subtable_elements_at_most_<x>`. Needed with `sub_table_law`.",
};
const LAW_TO: Param = Param {
    name: "law_to",
    domain: Domain::Integer { min: 0, max: 65_535 },
    absent: Absent::Optional,
    doc: "Number above which there is no such x. Needed with `sub_table_law`.",
};
const LAW_STEP: Param = Param {
    name: "law_step",
    domain: Domain::Integer { min: 1, max: 65_535 },
    absent: Absent::Optional,
    doc: "Distance of one such x from the next; 1 where it is not given.",
};

/// Parameters of every workload: the laws that are measured beside means. They decide what is read
/// at the end of a trial and nothing of the trial itself, so that no seed depends on them.
pub(super) static LAW_PARAMS: &[Param] = &[OVERFLOW_LAW, SUB_TABLE_LAW, LAW_FROM, LAW_TO, LAW_STEP];

/// Most numbers of elements for which a law is measured.
const MOST_COUNTS: usize = 1000;

/// The laws that a point asks for, of a scheme with so many sub-tables.
///
/// # Errors
/// A parameter that is missing or impossible beside the others.
pub(super) fn laws(params: &Params, sub_tables: usize) -> Result<Laws, ParamError> {
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

/// Refuses `law_from`, `law_to` and `law_step` where `sub_table_law` is missing: they would have no
/// effect.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_end_at_or_before_the_last() {
        let counts = |from, to, step| Counts { from, to, step }.iter().collect::<Vec<_>>();
        assert_eq!(counts(3, 9, 3), [3, 6, 9]);
        assert_eq!(counts(3, 8, 3), [3, 6]);
        assert_eq!(counts(65_530, u16::MAX, 4), [65_530, 65_534]);
    }

    fn read(from: i64, to: i64, step: i64) -> Result<Laws, ParamError> {
        let given = [(SUB_TABLE_LAW, 1), (LAW_FROM, from), (LAW_TO, to), (LAW_STEP, step)];
        laws(&Params::complete(LAW_PARAMS, &given.map(|(param, x)| (param.name, x.into())))?, 2)
    }

    /// One number is a range, none is not, and 1000 are the most.
    #[test]
    fn ranges_without_a_number_or_with_too_many_are_refused() {
        assert!(read(7, 7, 1).is_ok() && read(0, 999, 1).is_ok() && read(0, 9999, 10).is_ok());
        assert_eq!(read(8, 7, 1).map_err(|error| error.name), Err(LAW_FROM.name.into()));
        assert_eq!(read(0, 1000, 1).map_err(|error| error.name), Err(LAW_TO.name.into()));
    }
}
