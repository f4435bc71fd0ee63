//! Averages over the time of a measuring window.

use crate::metric::Metric;
use crate::tables::metrics;
use crate::tables::process::Bins;

/// Sums over the readings of one trial, each weighted by the time that the table stayed as it was.
#[derive(Debug, Default)]
pub(in crate::tables) struct Averages<'f> {
    weight: f64,
    overflow: f64,
    system: f64,
    cam_entries: f64,
    by_number: Option<ByNumber<'f>>,
}

/// The same by the number of elements in the system.
#[derive(Debug)]
struct ByNumber<'f> {
    bins: Bins,
    sums: Vec<Bin>,
    /// Overflow fractions under alternation with 0, 1, … elements.
    constant_loads: Option<&'f [f64]>,
    /// Elements on the overflow list if each number came with the overflow fraction of a constant
    /// load; `None` once that is not known.
    heuristic: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    weight: f64,
    system: f64,
    overflow: f64,
}

impl<'f> Averages<'f> {
    /// Averages that are also kept for each interval of the number in the system.
    pub(super) fn in_bins(bins: Bins, constant_loads: Option<&'f [f64]>) -> Self {
        let sums = vec![Bin::default(); bins.count()];
        let heuristic = constant_loads.map(|_| 0.0);
        let by_number = ByNumber { bins, sums, constant_loads, heuristic };
        Self { by_number: Some(by_number), ..Self::default() }
    }

    pub(in crate::tables) fn clear(&mut self) {
        (self.weight, self.overflow, self.system, self.cam_entries) = (0.0, 0.0, 0.0, 0.0);
        if let Some(by_number) = &mut self.by_number {
            by_number.sums.fill(Bin::default());
            by_number.heuristic = by_number.constant_loads.map(|_| 0.0);
        }
    }

    pub(in crate::tables) fn add(
        &mut self,
        weight: f64,
        system: u32,
        overflow: u32,
        cam_entries: u32,
    ) {
        self.cam_entries += weight * f64::from(cam_entries);
        self.add_sums(weight, system, weight * f64::from(overflow));
    }

    /// Readings of a table without a CAM, with as many elements in the system: the sum of their weights, and that of the
    /// overflow list's lengths in them, weighted.
    pub(super) fn add_sums(&mut self, weight: f64, system: u32, overflow: f64) {
        self.add_total(weight, weight * f64::from(system), overflow);
        if let Some(by_number) = &mut self.by_number {
            by_number.add(weight, system, overflow);
        }
    }

    /// The same of readings with different numbers in the system, of which there is the weighted sum; where averages are
    /// not kept by that number.
    pub(in crate::tables) fn add_total(&mut self, weight: f64, system: f64, overflow: f64) {
        self.weight += weight;
        self.overflow += overflow;
        self.system += system;
    }

    /// Mean length of the overflow list.
    pub(in crate::tables) fn overflow(&self) -> Option<f64> {
        ratio(self.overflow, self.weight)
    }

    /// Mean number of elements in the system.
    pub(in crate::tables) fn system(&self) -> Option<f64> {
        ratio(self.system, self.weight)
    }

    /// Mean number of entries of the auxiliary CAM in use.
    pub(in crate::tables) fn cam_entries(&self) -> Option<f64> {
        ratio(self.cam_entries, self.weight)
    }

    /// What there is for each number in the system, where that is kept.
    pub(in crate::tables) fn by_number(&self) -> Vec<(Metric, Option<f64>)> {
        let Some(by_number) = &self.by_number else { return Vec::new() };
        let heuristic = by_number.heuristic.and_then(|sum| ratio(sum, self.weight));
        let mut metrics = vec![(metrics::HEURISTIC_OVERFLOW_ELEMENTS, heuristic)];
        for (start, bin) in by_number.bins.starts().zip(&by_number.sums) {
            let fraction = ratio(bin.overflow, bin.system);
            metrics.push((metrics::system_share(start), ratio(bin.weight, self.weight)));
            metrics.push((metrics::overflow_fraction_at(start), fraction));
        }
        metrics
    }
}

impl ByNumber<'_> {
    fn add(&mut self, weight: f64, system: u32, overflow: f64) {
        let fraction = self.constant_loads.and_then(|loads| loads.get(system as usize));
        let more = fraction.map(|fraction| weight * f64::from(system) * fraction);
        self.heuristic = self.heuristic.zip(more).map(|(sum, more)| sum + more);
        if let Some(bin) = self.bins.of(system).and_then(|bin| self.sums.get_mut(bin)) {
            bin.weight += weight;
            bin.system += weight * f64::from(system);
            bin.overflow += overflow;
        }
    }
}

fn ratio(sum: f64, weight: f64) -> Option<f64> {
    (weight > 0.0).then(|| sum / weight)
}
