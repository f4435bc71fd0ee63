//! What a deviation of first order makes of a limit, and what it leaves open.

/// A coefficient of `1/m` or `1/n`: by how much the mean of a finite table is above the limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// With its sign.
    pub by: f64,
    /// What it would be if its causes did not oppose each other.
    pub size: f64,
}

impl Shift {
    /// From the part of each cause.
    pub fn of(causes: [f64; 2]) -> Self {
        Self { by: causes[0] + causes[1], size: causes[0].abs() + causes[1].abs() }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { by: self.by + other.by, size: self.size + other.size }
    }

    /// Divided by this number.
    pub(super) fn per(self, number: f64) -> Self {
        Self { by: self.by / number, size: self.size / number }
    }
}

/// What first order in `1/m` says of a mean, absolute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refined {
    /// By how much it is above the limit.
    pub by: f64,
    /// How far it may be from that: what is left of higher order.
    pub allowance: f64,
}

/// The part of the limit above which an expansion in `1/m` says nothing.
pub(super) const MOST_PART: f64 = 0.25;

impl Shift {
    /// Where the limit is `value`, beyond what is certain, and `spread` is the coefficient of what the terms of
    /// second order in fluctuations may come to.
    ///
    /// What is left is taken to be twice the square of the greater one of the two, as a part of the value; and
    /// of the value and the shift the part `2/l²`, with `l` buckets or elements, whichever are fewer. `None`
    /// where the greater part is more than [`MOST_PART`].
    pub(super) fn refine(self, value: f64, spread: f64, table: Size) -> Option<Refined> {
        let [shift, spread] = [self.size, spread].map(|coefficient| coefficient / table.per);
        let part = shift.max(spread) / value;
        let left = value * part * part + (value + shift) / (table.least * table.least);
        (value > 0.0 && part <= MOST_PART)
            .then_some(Refined { by: self.by / table.per, allowance: 2.0 * left })
    }
}

/// How large a table is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size {
    /// What coefficients are divided by: buckets or elements.
    pub(super) per: f64,
    /// Buckets or elements, whichever are fewer.
    pub(super) least: f64,
}

impl Refined {
    /// How far the mean may be from the limit.
    pub fn from_limit(self) -> f64 {
        self.by.abs() + self.allowance
    }
}
