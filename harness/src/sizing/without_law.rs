//! The CAM of a table whose list has no law that is known.

use loadfactor_schemes::tables::sizing::SizedFor;

use super::budget::Budget;
use super::smaller::list_of;
use super::{Cam, Definition, Error, List, Question, Seen};

/// The CAM of this table, of whose list something was seen, with the law where the CAM rests on one.
///
/// Under deletions it is measured by splitting. The law is extrapolated where that cannot be: after static fills, of
/// tables that were not simulated themselves, and where no list gets long enough.
///
/// # Errors
/// Where the table cannot be built.
pub(super) fn cam_of(
    definition: &Definition<'_>,
    question: &Question,
    seen: &Seen,
    longest: u32,
    budget: Budget<'_>,
) -> Result<(Option<List>, Cam), Error> {
    if question.workload == SizedFor::Alternation && !seen.is_of_smaller() {
        let cam = Cam::measured(definition, question, seen.mean.value, longest, budget)?;
        if let Some(cam) = cam {
            return Ok((None, cam));
        }
    }
    let list = list_of(definition, seen, budget)?;
    let cam = Cam::for_question(question, &list, longest);
    Ok((Some(list), cam))
}
