//! Random choice: one of d choices, drawn without a look at any bucket.

use loadfactor_schemes::Rng;
use loadfactor_schemes::hash::{Choices, reduce};
use loadfactor_schemes::info::SchemeInfo;
use loadfactor_schemes::params::{ParamError, Params};
use loadfactor_schemes::prediction::Outlook;
use loadfactor_schemes::tables::params::{BUCKET_SIZE, BUCKETS, CHOICES, ELEMENTS, LOAD};
use loadfactor_schemes::tables::theory::{engset, occupancy};
use loadfactor_schemes::tables::{
    Buckets, Counting, Geometry, Insertion, Process, Reads, Rule, Scheme, TableVisitor, outlook,
};
use rand::Rng as _;

/// One of d choices, drawn at random: what several hash functions give without a comparison of
/// loads. With fully random choices it is SINGLE.
#[derive(Debug, Clone)]
pub struct RandomChoice {
    geometry: Geometry,
    choices: u32,
}

/// The insertion rule of [`RandomChoice`].
#[derive(Debug, Clone)]
struct AnyChoice {
    /// m.
    buckets: u32,
    choices: u32,
}

impl Scheme for RandomChoice {
    const INFO: SchemeInfo = SchemeInfo {
        name: "random-choice",
        summary: "One of the d choices is drawn at random and read: an element goes to that bucket if it is not full, else to the overflow list.",
        source: "the control of \"The Power of Two Choices in Randomized Load Balancing\"",
        params: &[ELEMENTS, LOAD, BUCKETS, BUCKET_SIZE, CHOICES],
        predictions: &[
            "alternation and static-fill: overflow, exact (as SINGLE: Theorem 1; binomial)",
        ],
    };

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let geometry = Geometry::from_params(params)?;
        Ok(Self { geometry, choices: params.small(CHOICES.name)? })
    }

    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn choices(&self) -> u32 {
        self.choices
    }

    fn table<V: TableVisitor>(&self, departures: bool, visitor: V) -> V::Output {
        let rule = AnyChoice { buckets: self.geometry.buckets, choices: self.choices };
        visitor.visit(Counting::new(Buckets::new(&self.geometry, departures), rule))
    }

    fn outlook(&self, process: Process) -> Outlook {
        let Geometry { elements, buckets, bucket_size } = self.geometry;
        let law = match process {
            Process::Alternation | Process::Continuous => engset::overflow,
            Process::StaticFill => occupancy::static_overflow,
            _ => return Outlook::default(),
        };
        let overflow = law(elements.into(), buckets.into(), bucket_size.into(), 1.0);
        let predictions = outlook::exact_overflow(overflow, &self.geometry, "as SINGLE");
        Outlook { predictions, missing: None }
    }
}

impl Rule for AnyChoice {
    fn is_certain(&self) -> bool {
        true
    }

    #[inline(always)]
    fn insert<const CERTAIN: bool>(
        &self,
        buckets: &mut Buckets,
        element: u32,
        mut choices: impl Choices,
        rng: &mut Rng,
        reads: &mut impl Reads,
    ) -> Insertion {
        for _ in 0..reduce(rng.next_u64(), self.choices) {
            choices.next(self.buckets);
        }
        let bucket = choices.next(self.buckets);
        reads.read(bucket);
        let stored = buckets.place_or_overflow(element, bucket);
        Insertion { accesses: 1, stored, ..Insertion::default() }
    }
}
