//! Whole laws that a trial may be asked for, beside means: of counts at its end.

/// The laws asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Laws {
    /// Of the overflow list's length: its variance, and
    /// [`OverflowAtMost`](crate::metric::Metric::OverflowAtMost) k for k up to this number.
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
    /// [`SubTableElementsAtMost`](crate::metric::Metric::SubTableElementsAtMost) x is.
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
}
