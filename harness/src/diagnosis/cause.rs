//! The causes, and the ways to run a trial without some of them.

use std::fmt;

/// A cause of more overflow on a trace than with ideal choices, which trials can be run without.
///
/// That a table is finite, where the model is a limit, is a further one, but there is no infinite table
/// to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Packets bring keys that came before.
    RepeatedKeys,
    /// Packets come in the order of the capture: those of one key close together.
    PacketOrder,
    /// The choices are not those of an ideal function of the key.
    HashFunction,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Cause; 3] = [Cause::RepeatedKeys, Cause::PacketOrder, Cause::HashFunction];

    /// What programs call it.
    pub fn name(self) -> &'static str {
        match self {
            Cause::RepeatedKeys => "repeated_keys",
            Cause::PacketOrder => "packet_order",
            Cause::HashFunction => "hash_function",
        }
    }

    /// A trial without it, in a word or two.
    fn absence(self) -> &'static str {
        match self {
            Cause::RepeatedKeys => "each key once",
            Cause::PacketOrder => "random order",
            Cause::HashFunction => "ideal hash",
        }
    }

    /// Its bit in a [`Setting`].
    fn bit(self) -> usize {
        1 << self as usize
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Cause::RepeatedKeys => "repeated keys",
            Cause::PacketOrder => "order of the packets",
            Cause::HashFunction => "hash function",
        })
    }
}

/// The further cause, for which trials have no switch.
pub(super) const SIZE: &str = "size of the table";

/// How many settings there are.
pub(super) const SETTINGS: usize = 1 << Cause::ALL.len();

/// The causes that are switched off in a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting(usize);

impl Setting {
    /// Nothing is switched off: the trace as it was captured.
    pub const AS_CAPTURED: Self = Self(0);
    /// Every cause is switched off.
    pub const IDEAL: Self = Self(SETTINGS - 1);

    /// Every setting, in the order of the series of the experiment.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SETTINGS).map(Self)
    }

    /// Its place in that order.
    pub(super) fn index(self) -> usize {
        self.0
    }

    /// Whether the cause is switched off.
    pub fn is_without(self, cause: Cause) -> bool {
        self.0 & cause.bit() != 0
    }

    /// The same without this cause too.
    #[must_use]
    pub fn without(self, cause: Cause) -> Self {
        Self(self.0 | cause.bit())
    }

    /// The same with this cause.
    #[must_use]
    pub fn with(self, cause: Cause) -> Self {
        Self(self.0 & !cause.bit())
    }

    /// The causes that are switched off.
    pub fn causes(self) -> impl Iterator<Item = Cause> {
        Cause::ALL.into_iter().filter(move |&cause| self.is_without(cause))
    }
}

/// The label of its series.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let absent: Vec<&str> = self.causes().map(Cause::absence).collect();
        match absent.is_empty() {
            true => f.pad("as captured"),
            false => f.pad(&absent.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_changes_its_own_cause_alone() {
        for setting in Setting::all() {
            for cause in Cause::ALL {
                let (off, on) = (setting.without(cause), setting.with(cause));
                assert!(off.is_without(cause) && !on.is_without(cause));
                for other in Cause::ALL.into_iter().filter(|&other| other != cause) {
                    assert_eq!(off.is_without(other), setting.is_without(other));
                    assert_eq!(on.is_without(other), setting.is_without(other));
                }
            }
        }
    }

    #[test]
    fn settings_are_called_by_what_they_are_without() {
        let labels: Vec<String> = Setting::all().map(|setting| setting.to_string()).collect();
        assert_eq!(labels.len(), SETTINGS);
        assert_eq!(labels[0], "as captured");
        assert_eq!(labels[6], "random order, ideal hash");
        assert_eq!(Setting::IDEAL.to_string(), "each key once, random order, ideal hash");
    }
}
