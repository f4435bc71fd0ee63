//! All schemes for one question.

use std::fmt;

use loadfactor_schemes::tables::sizing::{Design, Goal, RULES};
use loadfactor_schemes::tables::theory::multilevel::InsertionRule;
use rayon::prelude::*;

use super::answer::{Answer, Cut, Depth, Part, answer};
use super::rows::{Rows, digits};
use super::{Error, Question, described};
use crate::run::Silent;

/// The tables of all schemes for one question, those that need least first.
#[derive(Debug)]
pub struct AllSchemes {
    question: Question,
    answers: Vec<Answer>,
    failures: Vec<(InsertionRule, Error)>,
}

/// Asks each of [`RULES`].
///
/// # Errors
/// The first, if no scheme has an answer.
pub fn all_schemes(question: Question) -> Result<AllSchemes, Error> {
    let ask = |rule| (rule, answer(question, rule, Cut::Best, Depth::Sizes, &Silent));
    let asked: Vec<_> = RULES.into_par_iter().map(ask).collect();
    let (mut answers, mut failures) = (Vec::new(), Vec::new());
    for (rule, answer) in asked {
        match answer {
            Ok(answer) => answers.push(answer),
            Err(error) => failures.push((rule, error)),
        }
    }
    if answers.is_empty() {
        failures.truncate(1);
        if let Some((_, error)) = failures.pop() {
            return Err(error);
        }
    }
    let needed = |answer: &Answer| match question.goal {
        Goal::Overflow(_) => answer.best.table.space(),
        Goal::Space(_) => answer.best.overflow(),
    };
    answers.sort_by(|a, b| needed(a).total_cmp(&needed(b)));
    Ok(AllSchemes { question, answers, failures })
}

impl fmt::Display for AllSchemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.question)?;
        let compared = match self.question.goal {
            Goal::Overflow(_) => "places per element",
            Goal::Space(_) => "expected overflow",
        };
        let mut rows = Rows::default();
        let header = ["", "bucket", compared, "", "moves per", "CAM", "CAM after", ""];
        rows.push(header.map(String::from));
        let header = ["scheme", "size", "best", "equal", "insertion", "places", "Poisson", "sure"];
        rows.push(header.map(String::from));
        self.answers.iter().for_each(|answer| rows.push(cells(answer)));
        write!(f, "{rows}")?;
        if !self.failures.is_empty() {
            writeln!(f)?;
        }
        for (rule, error) in &self.failures {
            let reason = match error {
                Error::NoPrediction(_) => "nothing predicts it under deletions".to_owned(),
                other => other.to_string(),
            };
            writeln!(f, "{}: {reason}", described(*rule))?;
        }
        Ok(())
    }
}

fn cells(answer: &Answer) -> [String; 8] {
    let Answer { rule, best, equal, search, .. } = answer;
    let needed = |part: &Part| match answer.question.goal {
        Goal::Overflow(_) => digits(part.table.space(), 5),
        Goal::Space(_) => digits(part.overflow(), 4),
    };
    let places = |places: Option<u32>| places.map_or("-".to_owned(), |places| places.to_string());
    let sure = search.as_ref().is_some_and(Design::sure);
    [
        rule.scheme().to_owned(),
        rule.bucket_size().to_string(),
        needed(best),
        equal.as_ref().map(needed).unwrap_or_default(),
        digits(best.table.limit.moves, 3),
        places(best.cam.map(|cam| cam.size)),
        places(best.cam.map(|cam| cam.poisson_size)),
        if sure { "yes" } else { "no" }.to_owned(),
    ]
}
