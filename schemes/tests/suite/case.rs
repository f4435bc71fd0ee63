//! Configured schemes in one line.

use loadfactor_schemes::params::{ParamError, Params, Scalar};
use loadfactor_schemes::tables::{Cuckoo, DRandom, Multiple, Scheme, SecondChance, Single};

/// n elements, m buckets of size h, d choices, insertion probability α.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub n: u32,
    /// 0 where the sub-tables are listed.
    pub m: u32,
    pub h: u32,
    pub d: u32,
    pub alpha: f64,
}

impl Case {
    pub fn single(&self) -> Single {
        self.scheme(&[])
    }

    pub fn multiple(&self) -> Multiple {
        self.scheme(&[("choices", Scalar::Integer(self.d.into()))])
    }

    pub fn multiple_on_sub_tables(&self, factor: f64, move_back: &str) -> Multiple {
        self.scheme(&[
            ("choices", Scalar::Integer(self.d.into())),
            ("move_back", Scalar::Word(move_back.into())),
            ("sub_tables", Scalar::Flag(true)),
            ("sub_table_factor", Scalar::Number(factor)),
        ])
    }

    pub fn d_random(&self, ties: &str, sub_tables: bool) -> DRandom {
        self.scheme(&[
            ("choices", Scalar::Integer(self.d.into())),
            ("ties", Scalar::Word(ties.into())),
            ("sub_tables", Scalar::Flag(sub_tables)),
        ])
    }

    /// Without a bound on the stash, unless it is among the `further` parameters.
    pub fn cuckoo(&self, eviction: &str, limit: u32, further: &[(&str, Scalar)]) -> Cuckoo {
        let own = [
            ("choices", Scalar::Integer(self.d.into())),
            ("eviction", Scalar::Word(eviction.into())),
            ("eviction_limit", Scalar::Integer(limit.into())),
        ];
        self.scheme(&[&own, further].concat())
    }

    /// Each sub-table with `factor` times the buckets of the next.
    pub fn second_chance(&self, factor: f64, further: &[(&str, Scalar)]) -> SecondChance {
        self.try_second_chance(factor, further).unwrap()
    }

    pub fn try_second_chance(
        &self,
        factor: f64,
        further: &[(&str, Scalar)],
    ) -> Result<SecondChance, ParamError> {
        let own = [
            ("choices", Scalar::Integer(self.d.into())),
            ("sub_table_factor", Scalar::Number(factor)),
        ];
        self.try_scheme(&[&own, further].concat())
    }

    /// With `further` parameters; the others have their defaults.
    pub fn scheme<S: Scheme>(&self, further: &[(&str, Scalar)]) -> S {
        self.try_scheme(further).unwrap()
    }

    pub fn try_scheme<S: Scheme>(&self, further: &[(&str, Scalar)]) -> Result<S, ParamError> {
        let mut params = Params::default();
        for param in S::INFO.params {
            if let Some(default) = param.absent.value() {
                params.set(param.name, default);
            }
        }
        params.set("elements", Scalar::Integer(self.n.into()));
        if self.m > 0 {
            params.set("buckets", Scalar::Integer(self.m.into()));
        }
        params.set("bucket_size", Scalar::Integer(self.h.into()));
        params.set("insertion_probability", Scalar::Number(self.alpha));
        for (name, value) in further {
            params.set(name, value.clone());
        }
        S::from_params(&params)
    }
}
