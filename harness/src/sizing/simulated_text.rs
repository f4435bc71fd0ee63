//! A table that was sized by simulation, as a person reads it.

use std::fmt;

use loadfactor_schemes::tables::sizing::Goal;

use super::cam_rows::CAM_ROWS;
use super::rows::{Rows, digits};
use super::text::explain_unseen;
use super::{Basis, List, Shape, Simulated};

impl fmt::Display for Simulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} with buckets of {}\n{}\n",
            self.kind.scheme, self.kind.bucket_size, self.question
        )?;
        let mut rows = Rows::default();
        let mut row = |name: &str, value: String| rows.push([name.to_owned(), value]);
        if let Shape::SubTables(_) = self.shape {
            for (i, buckets) in (1..).zip(self.buckets()) {
                row(&format!("buckets of sub-table {i}"), buckets.to_string());
            }
        }
        row("buckets in all", self.total.to_string());
        row("places per element", digits(self.space(), 5));
        row("moves per insertion", digits(self.seen.sample.moves(), 3));
        let mean = self.seen.mean;
        row("elements on the overflow list", digits(mean.value, 4));
        if self.basis != Basis::Theory {
            row("  its standard error, simulated", digits(mean.error, 2));
        }
        for (name, cell) in CAM_ROWS.into_iter().zip(self.cam.cells()) {
            cell.into_iter().for_each(|cell| row(name, cell));
        }
        writeln!(f, "{rows}")?;
        self.explain_size(f)?;
        if let Shape::SubTables(_) = self.shape {
            writeln!(f, "  Its proportions are those that are best after a static fill.")?;
        }
        self.explain_cam(f)
    }
}

impl Simulated {
    fn explain_cam(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(passage) = &self.cam.passage {
            write!(f, "  The CAM is ")?;
            return passage.explain(f, &self.question);
        }
        self.question.explain_operations(f)?;
        self.question.explain_unmeasured(f, &self.seen)?;
        if let Some(feared) = self.list.as_ref().and_then(List::feared) {
            return explain_unseen(f, feared);
        }
        writeln!(f, "  The law of the list, for which the CAM is, is not known.")?;
        self.question.explain_sample(f, &self.seen)
    }

    fn explain_size(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.basis {
            Basis::Theory => {
                return writeln!(
                    f,
                    "Sized by its law, or by the limit for many elements with its deviation of first order in 1/buckets."
                );
            }
            Basis::Simulation => writeln!(
                f,
                "Sized by simulation: what is predicted of such tables is the limit for many elements."
            )?,
            Basis::SimulationAlone => {
                writeln!(f, "Nothing predicts such tables: sized by simulation.")?;
            }
        }
        if self.seen.is_of_smaller() {
            let elements = self.seen.sample.elements;
            writeln!(
                f,
                "  So large a table was not simulated itself, but one of {elements} elements with the same proportions."
            )?;
        }
        if let Goal::Overflow(share) = self.question.goal {
            let cut_off = if self.was_cut_off() { ", as the time limit was over" } else { "" };
            match self.within {
                0 => writeln!(f, "  A bucket less does not do.")?,
                1 => writeln!(f, "  A bucket less may do{cut_off}.")?,
                within => writeln!(f, "  Up to {within} buckets less may do{cut_off}.")?,
            }
            if self.seen.mean.is_above(share * f64::from(self.question.elements)) {
                writeln!(f, "  MORE THAN WANTED: give a longer --time-limit.")?;
            }
        }
        Ok(())
    }
}
