//! A design as the definition of an experiment.

use std::fmt;
use std::path::Path;

use loadfactor_schemes::tables::sizing::SizedFor;

use super::{Error, Kind};
use crate::definition::{Experiment, File, Input, Options, Scale, parse};

/// The experiment that measures a design; its text is the definition file.
#[derive(Debug, Clone, Copy)]
pub struct Definition<'a> {
    /// How elements are inserted, into which buckets.
    pub kind: Kind,
    /// n.
    pub elements: u32,
    /// The buckets.
    pub layout: Layout<'a>,
    /// What it is subjected to.
    pub workload: SizedFor,
    /// Trials at the scale `quick`, at least 2.
    pub trials: u64,
    /// The list whose frequency matters most: how large the CAM is.
    pub cam_size: u32,
    /// Seed of the experiment.
    pub seed: u64,
}

/// How the buckets of a design are cut.
#[derive(Debug, Clone, Copy)]
pub enum Layout<'a> {
    /// Into sub-tables with these numbers of them.
    SubTables(&'a [u32]),
    /// Not at all: every choice falls on any of them.
    OneTable {
        /// m.
        buckets: u32,
        /// d.
        choices: usize,
    },
}

impl Layout<'_> {
    /// For the title.
    fn described(self) -> String {
        match self {
            Self::SubTables(buckets) => format!("sub-tables of {} buckets", joined(buckets, ", ")),
            Self::OneTable { buckets, .. } => format!("{buckets} buckets"),
        }
    }

    /// What the point says of it.
    fn params(self) -> String {
        match self {
            Self::SubTables(buckets) => {
                format!("sub_table_buckets = \"{}\"\n", joined(buckets, " "))
            }
            Self::OneTable { buckets, choices } => {
                format!("buckets           = {buckets}\nchoices           = {choices}\n")
            }
        }
    }
}

/// Numbers of buckets, one after the other.
pub(super) fn joined(buckets: &[u32], between: &str) -> String {
    let words: Vec<String> = buckets.iter().map(u32::to_string).collect();
    words.join(between)
}

/// The longest list of which frequencies can be measured.
const LONGEST: u32 = 999;

/// Lifetimes of the elements before a table under deletions is looked at: what it began with is then
/// forgotten but for e⁻¹⁰ of it.
pub(super) const LIFETIMES: u64 = 10;

impl Definition<'_> {
    /// As many trials as take about a second or two.
    pub fn default_trials(workload: SizedFor, elements: u32) -> u64 {
        let (in_all, in_a_trial) = match workload {
            SizedFor::StaticFill => (40_000_000, 1),
            SizedFor::Alternation => (100_000_000, LIFETIMES + 2),
        };
        (in_all / (in_a_trial * u64::from(elements))).clamp(20, 10_000) / 2 * 2
    }

    /// The experiment.
    ///
    /// # Errors
    /// [`Error::Definition`] where the table does not fit in memory, or takes too long.
    pub fn experiment(&self) -> Result<Experiment, Error> {
        let options = Options::at(Scale::Quick);
        let text = self.to_string();
        let input = Input {
            name: "size",
            definition: File { path: Path::new("(this design)"), text: &text },
            published: None,
            documents: None,
            options: &options,
            exists: &|_| false,
        };
        parse(&input).map_err(|diagnostics| Error::Definition(diagnostics.render(false)))
    }

    fn workload(&self) -> String {
        match self.workload {
            SizedFor::StaticFill => "kind         = \"static-fill\"\n".to_owned(),
            SizedFor::Alternation => format!(
                "kind         = \"alternation\"\nwarm_up      = {LIFETIMES}\nrounds       = {}\n",
                self.elements
            ),
        }
    }
}

impl fmt::Display for Definition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elements, trials, .. } = self;
        let Kind { scheme, bucket_size } = self.kind;
        write!(
            f,
            "title  = \"{scheme}: {elements} elements in {}\"\n\
             trials = {{ smoke = {}, quick = {trials}, paper = {} }}\n\
             seed   = {}\n\n\
             [workload]\n{}overflow_law = {}\n\n\
             [point]\n\
             elements          = {elements}\n\
             bucket_size       = {bucket_size}\n\
             {}\n\
             [[series]]\nlabel  = \"{scheme}\"\nscheme = \"{scheme}\"\n",
            self.layout.described(),
            trials.min(&20),
            trials.saturating_mul(10),
            self.seed,
            self.workload(),
            self.cam_size.clamp(1, LONGEST),
            self.layout.params(),
        )?;
        write!(f, "\n[[figure]]\nx = \"number\"\ny = \"overflow_at_most\"\n")
    }
}
