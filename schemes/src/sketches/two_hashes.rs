//! The count-min sketch with two hash functions.

use rand::SeedableRng as _;

use super::metrics::{ABSENT_ERROR_EXCEEDS, ERROR_EXCEEDS};
use super::outlook::Known;
use super::params::{COLUMNS, FLOWS, PACKETS, QUERIES, ROWS};
use super::quadratic::Quadratic;
use super::rows::{Rows, estimate};
use super::theory::{Collisions, QuadraticRows, Rule};
use super::{Flow, Sketch};
use crate::Rng;
use crate::info::SchemeInfo;
use crate::math::divisors::divisors;
use crate::math::elementary::pow;
use crate::params::{Absent, Domain, Param, ParamError, Params};
use crate::prediction::{Outlook, Prediction};

const FUNCTIONS: Param = Param {
    name: "functions",
    domain: Domain::Word(&["hashed", "quadratic"]),
    absent: Absent::Word("hashed"),
    doc: "What h1 and h2 are: values of the point's hash function, or each drawn independently from the pairwise independent family x ↦ a + c·x + x² mod w, where x is the number of the flow or absent key and `hash` is not looked at. The theorem that bounds the error does not hold for these. They need a prime w, above d and not below `flows` (or `packets`) and `queries` together, and 2 rows or more.",
};

/// Flows up to which the error under quadratic functions is computed from all pairs of them.
const MOST_FLOWS: usize = 1 << 11;

/// Absent keys that are looked at together.
const TOGETHER: usize = 128;

/// What h1 and h2 are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Functions {
    Hashed,
    Quadratic,
}

/// Row j counts a flow in column h1 + j·h2 mod w.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoHashes {
    rows: Rows,
    functions: Functions,
}

/// The counters, and h1 and h2 where they are not those of the point's hash function.
#[derive(Debug, Clone)]
pub struct Counters {
    counters: Vec<i64>,
    pair: Option<[Quadratic; 2]>,
}

impl TwoHashes {
    /// Refuses quadratic functions that are not pairwise independent on the keys of a trial, or do not decide each other's
    /// collisions.
    fn check_quadratic(&self, params: &Params) -> Result<(), ParamError> {
        let Rows { rows, columns } = self.rows;
        if !is_prime(columns) || columns <= rows || rows < 2 {
            let reason = "quadratic functions need a prime number of `columns`, above that of `rows`, and 2 rows or more";
            return Err(ParamError::new(FUNCTIONS.name, reason));
        }
        let flows = if params.get(FLOWS.name).is_some() { FLOWS } else { PACKETS };
        let keys = params.integer(flows.name)? + params.integer(QUERIES.name)?;
        if keys > columns.into() {
            let reason = format!(
                "quadratic functions are pairwise independent on as many keys as there are columns, {columns}, and not on {keys}: use more `columns` or fewer `{}` and `queries`",
                flows.name
            );
            return Err(ParamError::new(FUNCTIONS.name, reason));
        }
        Ok(())
    }

    /// h1 and h2 of a flow.
    #[inline]
    fn values(pair: Option<&[Quadratic; 2]>, flow: Flow<'_>) -> [u32; 2] {
        match pair {
            None => [flow.choices[0], flow.choices[1]],
            Some(pair) => pair.each_ref().map(|own| own.of(flow.number)),
        }
    }

    /// The places of its counters.
    #[inline]
    fn places(&self, [mut column, step]: [u32; 2]) -> impl Iterator<Item = usize> + use<> {
        let Rows { rows, columns } = self.rows;
        (0..rows).map(move |row| {
            let place = row as usize * columns as usize + column as usize;
            column += step;
            if column >= columns {
                column -= columns;
            }
            place
        })
    }

    #[inline]
    fn least(&self, counters: &[i64], values: [u32; 2]) -> i64 {
        estimate(self.places(values).map(|place| counters[place]), Rule::Minimum)
    }

    /// Calls `take` with the estimates of flows with these values, except for those whose first counter is 0: the least of
    /// counters that are never below 0 is 0 then, as it is of most keys that never came. No branch depends on which these are.
    #[inline]
    fn estimate_met(
        &self,
        counters: &[i64],
        values: &mut impl Iterator<Item = [u32; 2]>,
        take: &mut impl FnMut(i64),
    ) {
        let mut met = [[0; 2]; TOGETHER];
        loop {
            let (mut seen, mut kept) = (0, 0);
            for own in values.take(TOGETHER) {
                met[kept] = own;
                kept += usize::from(counters[own[0] as usize] != 0);
                seen += 1;
            }
            met[..kept].iter().for_each(|&own| take(self.least(counters, own)));
            if seen < TOGETHER {
                return;
            }
        }
    }

    /// Of two flows the differences of both values are independent and uniform: both are 0 with probability 1/w², and
    /// one row is where they meet, each of the d with probability (w − 1)/w². The events that a flow is met in rows 0 to
    /// d − 1 and in all of them exclude each other, so that what is met in the rows is negatively associated, and all
    /// rows are bad together at most as often as independent ones.
    fn outlook_of_hashed(&self, known: &Known<'_>) -> Outlook {
        let mut outlook = Outlook::default();
        let (w, d) = (f64::from(self.rows.columns), f64::from(self.rows.rows));
        if !is_prime(self.rows.columns) || self.rows.rows > self.rows.columns {
            outlook.missing = Some("Theorem 9.1 needs a prime w and d ≤ w".to_owned());
            return outlook;
        }
        let exceeds = |e: f64| (2.0 / (e * w * w) + pow(2.0 / (e * w), d)).min(1.0);
        outlook.predictions.extend(known.of_exceeding(&exceeds, "Theorem 9.1, thesis 3.8.1"));
        let one_row = Collisions { probability: (w - 1.0) / (w * w), random_sign: false };
        let in_one = (one_row, Rule::Minimum, self.rows.rows);
        let in_all = 1.0 / (w * w);
        outlook.predictions.extend(known.mean_not_above(in_one, in_all, "negative association"));
        outlook
    }

    /// Means of errors are not predicted: few trials have any error, and those that have one have many, so that a sample
    /// without any says nothing.
    fn outlook_of_quadratic(&self, known: &Known<'_>) -> Outlook {
        let bound = known.norm.and_then(|norm| known.asked.bound(norm));
        let Some((counts, bound)) = known.updates.same_counts().zip(bound) else {
            return Outlook::default();
        };
        if counts.len() > MOST_FLOWS {
            let missing =
                format!("errors are computed from all pairs of at most {MOST_FLOWS} flows");
            return Outlook { missing: Some(missing), ..Outlook::default() };
        }
        let rows = QuadraticRows { rows: self.rows.rows, columns: self.rows.columns };
        let [absent, of_flows] = rows.exceeds(&counts, bound);
        let source = "all pairs of flows that the first two rows may meet";
        let of_absent = (known.asked.queries > 0)
            .then(|| Prediction::exact(ABSENT_ERROR_EXCEEDS, absent, source));
        let of_flows = Prediction::exact(ERROR_EXCEEDS, of_flows, source);
        Outlook { predictions: of_absent.into_iter().chain([of_flows]).collect(), missing: None }
    }
}

fn is_prime(number: u32) -> bool {
    divisors(number.into()).len() == 2
}

impl Sketch for TwoHashes {
    const INFO: SchemeInfo = SchemeInfo {
        name: "count-min-two-hashes",
        summary: "The count-min sketch with two hash functions in place of d: row j counts a flow in column h1 + j·h2 mod w. With w prime, two flows meet in no row, in one, or, if they agree in both values, in all of them.",
        source: "Kirsch and Mitzenmacher, 2008, section 9.2; thesis, section 3.8",
        params: &[ROWS, COLUMNS, FUNCTIONS],
        predictions: &[
            "`error_exceeds` and `absent_error_exceeds`, with w prime and d ≤ w: upper bound, 2/(εw²) + (2/(εw))^d (Theorem 9.1 of the paper, 3.8.1 of the thesis; for fully random h1 and h2, and not for quadratic ones)",
            "`aae` and `absent_error` with w prime, d ≤ w, fully random h1 and h2 and `counts = \"expected\"`: upper bound, ‖a‖₁/w² and the least of d rows that are as good as independent (negative association)",
            "`error_exceeds` and `absent_error_exceeds` with `functions = \"quadratic\"`, `counts = \"expected\"` and up to 2,048 flows: exact, by counting what the rows may meet",
            "`recall`: exact, 1 (section 7.6.6.3)",
        ],
    };

    type Store = Counters;

    fn from_params(params: &Params) -> Result<Self, ParamError> {
        let functions = match params.word(FUNCTIONS.name)? {
            "quadratic" => Functions::Quadratic,
            _ => Functions::Hashed,
        };
        let sketch = Self { rows: Rows::from_params(params)?, functions };
        if functions == Functions::Quadratic {
            sketch.check_quadratic(params)?;
        }
        Ok(sketch)
    }

    fn ranges(&self) -> Vec<u32> {
        match self.functions {
            Functions::Hashed => vec![self.rows.columns; 2],
            // No choice is looked at.
            Functions::Quadratic => vec![1],
        }
    }

    fn bytes(&self) -> u64 {
        self.rows.bytes()
    }

    fn steps(&self) -> f64 {
        self.rows.rows.into()
    }

    fn errs_key_by_key(&self) -> bool {
        self.functions == Functions::Hashed
    }

    fn store(&self) -> Counters {
        Counters { counters: vec![0; self.rows.counters()], pair: None }
    }

    fn clear(&self, store: &mut Counters, seed: u64) {
        store.counters.fill(0);
        if self.functions == Functions::Quadratic {
            let mut rng = Rng::seed_from_u64(seed);
            store.pair = Some([(); 2].map(|()| Quadratic::drawn(self.rows.columns, &mut rng)));
        }
    }

    #[inline]
    fn update(&self, store: &mut Counters, flow: Flow<'_>, weight: i64) {
        let places = self.places(Self::values(store.pair.as_ref(), flow));
        places.for_each(|place| store.counters[place] += weight);
    }

    fn estimate(&self, store: &Counters, flow: Flow<'_>) -> i64 {
        self.least(&store.counters, Self::values(store.pair.as_ref(), flow))
    }

    fn estimate_absent(
        &self,
        Counters { counters, pair }: &Counters,
        (first, choices): (u32, &[u32]),
        take: &mut impl FnMut(i64),
    ) {
        match pair {
            None => {
                let mut values = choices.as_chunks().0.iter().copied();
                self.estimate_met(counters, &mut values, take);
            }
            Some([h1, h2]) => {
                let keys = first..first + choices.len() as u32;
                self.estimate_met(counters, &mut keys.map(|key| [h1.of(key), h2.of(key)]), take);
            }
        }
    }

    fn outlook(&self, known: &Known<'_>) -> Outlook {
        let mut outlook = match self.functions {
            Functions::Hashed => self.outlook_of_hashed(known),
            Functions::Quadratic => self.outlook_of_quadratic(known),
        };
        // An estimate is never too small, whatever the functions are.
        outlook.predictions.splice(0..0, known.recall_of_overestimates());
        outlook
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;

    use super::*;

    /// Of as many keys as are looked at together, more and fewer, each that is met has its estimate, in their order, and none
    /// that is left out had one above 0.
    #[test]
    fn keys_left_out_have_estimates_of_zero() {
        let mut met = 0;
        for (rows, columns) in [(3, 1_009), (1, 1_009), (4, 1)] {
            for functions in [Functions::Hashed, Functions::Quadratic] {
                let sketch = TwoHashes { rows: Rows { rows, columns }, functions };
                let mut store = sketch.store();
                sketch.clear(&mut store, 5);
                let mut rng = Rng::seed_from_u64(6);
                let each = sketch.ranges().len();
                let choices: Vec<u32> =
                    (0..1_000 * each).map(|_| rng.random_range(0..columns)).collect();
                let choices = |first: u32, keys: u32| {
                    &choices[first as usize * each..][..keys as usize * each]
                };
                let of = |number: u32| Flow { number, choices: choices(number, 1) };
                (0..600).for_each(|number| sketch.update(&mut store, of(number), 1));
                for keys in [0, 1, 127, 128, 129, 256, 400] {
                    let all = (600..600 + keys).map(|number| sketch.estimate(&store, of(number)));
                    let expected: Vec<i64> = all.filter(|&own| own > 0).collect();
                    let mut seen = Vec::new();
                    let mut take = |own| seen.push(own);
                    sketch.estimate_absent(&store, (600, choices(600, keys)), &mut take);
                    seen.retain(|&own| own > 0);
                    assert_eq!(seen, expected, "{rows} {columns} {functions:?} {keys}");
                    met += usize::from(seen.len() > 5 && seen.len() < keys as usize);
                }
            }
        }
        assert!(met > 10, "{met}");
    }
}
