//! A CAM in the rows of a table.

use super::Cam;
use super::rows::probability;

/// What is said of a CAM, as far as it is known.
pub(super) const CAM_ROWS: [&str; 4] = [
    "CAM, places",
    "  probability that it is too small",
    "    its interval (95 %)",
    "  with a place less",
];

impl Cam {
    /// What stands beside [`CAM_ROWS`].
    pub(super) fn cells(&self) -> [Option<String>; 4] {
        let passage = self.passage.as_ref();
        [
            Some(self.places.to_string()),
            self.failure.map(probability),
            passage.and_then(|passage| passage.failure).map(|rare| rare.range()),
            passage.and_then(|passage| passage.failure_of_less).map(|rare| probability(rare.value)),
        ]
    }
}
