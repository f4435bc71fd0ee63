//! How many places a CAM needs, as far as that is known.

use std::fmt;

/// The least number of places, or two numbers between which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// Fewer are too few.
    pub least: u32,
    /// So many are enough; `None` where no number is known to be.
    pub most: Option<u32>,
}

impl Places {
    /// A number that is known.
    pub(super) fn known(number: u32) -> Self {
        Self { least: number, most: Some(number) }
    }

    /// The number, where it is known.
    pub fn decided(self) -> Option<u32> {
        self.most.filter(|&most| most == self.least)
    }

    /// The greatest number that it may be, as far as one is known.
    pub(super) fn cautious(self) -> u32 {
        self.most.unwrap_or(self.least)
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, most } = *self;
        match most {
            Some(most) if most == least => write!(f, "{least}"),
            Some(most) if most == least + 1 => write!(f, "{least} or {most}"),
            Some(most) => write!(f, "{least} to {most}"),
            None => write!(f, "{least} or more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_told() {
        let told = |least, most| Places { least, most }.to_string();
        assert_eq!(told(7, Some(7)), "7");
        assert_eq!(told(7, Some(8)), "7 or 8");
        assert_eq!(told(7, Some(9)), "7 to 9");
        assert_eq!(told(7, None), "7 or more");
        assert_eq!(Places { least: 7, most: Some(8) }.decided(), None);
        assert_eq!(Places::known(7).decided(), Some(7));
    }
}
