//! From the statistics that are asked for to the distributions that have them.

use super::large::LARGE;
use super::rates::{HIGHEST, Rates};
use super::reach::outside;
use super::sizes::Sizes;
use super::solve::rising_to;
use super::spec::LinkSpec;
use super::traffic::{IN_PROGRESS, Traffic};
use crate::synth::error::SynthError;

/// Highest probability with which a train goes on.
const LONGEST_TRAINS: f64 = 0.95;
/// The least and the greatest lower end of the rates that is tried.
const LOWEST: f64 = 1e-12;
const FASTEST: f64 = 0.999 * HIGHEST;
/// Rounds in which sizes, trains and rates are fitted to each other; each gains about a digit.
const ROUNDS: u32 = 12;

/// The distributions of a link, in the words of [`Traffic`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    /// For each large flow, the probability that a train is of it or of a larger one.
    pub(super) up_to: [f64; LARGE],
    /// The probability that a train goes on after a packet, if its flow does.
    pub(super) train: f64,
    /// Packets of a small flow.
    pub(super) sizes: Sizes,
    /// Rates of the small flows.
    pub(super) rates: Rates,
    /// Trains of a small flow.
    pub(super) trains_per_flow: f64,
    /// Small flows in progress at a time.
    pub(super) in_progress: u64,
    /// Probability that a small flow brings its other direction with it.
    pub(super) both_directions: f64,
    /// Whether the large flows are IPv6.
    pub(super) large_are_ipv6: bool,
    /// Probability that a small flow is IPv6.
    pub(super) ipv6: f64,
}

impl Shape {
    /// The distributions that have the statistics of a specification.
    pub(super) fn of(spec: &LinkSpec) -> Result<Self, SynthError> {
        if let Some((parameter, range)) = spec.out_of_range() {
            return Err(SynthError::Parameter { parameter, range });
        }
        let (traffic, train, rates) = fitted(spec)?;
        check_repeats(spec, &traffic)?;
        let (large_are_ipv6, ipv6) = versions(spec)?;
        Ok(Shape {
            up_to: traffic.up_to(train),
            train,
            sizes: traffic.sizes,
            rates,
            trains_per_flow: traffic.trains_per_flow(train),
            in_progress: libm::round(traffic.in_progress(train, rates)) as u64,
            both_directions: spec.both_directions_share / (2.0 - spec.both_directions_share),
            large_are_ipv6,
            ipv6,
        })
    }
}

/// Sizes, trains and rates that fit together: how many flows are in progress depends on their rates, and how many
/// of them are cut by the ends of the capture on that; packets follow each other by chance where rates are high.
fn fitted(spec: &LinkSpec) -> Result<(Traffic, f64, Rates), SynthError> {
    let (mut known, mut in_progress) = (None, 0.0);
    let mut round = || -> Result<_, SynthError> {
        let traffic = Traffic::of(spec, in_progress)?;
        let train = trains(spec, &traffic, known)?;
        let rates = rates(spec, &traffic, train)?;
        known = Some(rates);
        in_progress = traffic.in_progress(train, rates);
        Ok((traffic, train, rates))
    };
    for _ in 1..ROUNDS {
        round()?;
    }
    round()
}

/// The probability that a train goes on with which so many packets follow their own flow.
fn trains(spec: &LinkSpec, traffic: &Traffic, known: Option<Rates>) -> Result<f64, SynthError> {
    let following = spec.following_share;
    let of = |train| traffic.following(train, known);
    let greatest = of(LONGEST_TRAINS);
    if (of(0.0)..=greatest).contains(&following) {
        return Ok(rising_to(following, 0.0, LONGEST_TRAINS, of));
    }
    let known = known.or_else(|| rates(spec, traffic, 0.0).ok());
    Err(outside("following_share", following, traffic.following(0.0, known), greatest))
}

/// The rates with the median distance of repeats.
fn rates(spec: &LinkSpec, traffic: &Traffic, train: f64) -> Result<Rates, SynthError> {
    let rates = |log: f64| Rates::new(libm::exp(log), spec.rate_tail);
    let (slowest, fastest) = (slowest(spec, traffic, train), libm::log(FASTEST));
    let returned = |log: f64| traffic.returned(spec.repeat_distance, train, rates(log));
    if (returned(slowest)..=returned(fastest)).contains(&0.5) {
        return Ok(rates(rising_to(0.5, slowest, fastest, returned)));
    }
    let least = traffic.median_distance(train, rates(fastest));
    Err(outside("repeat_distance", spec.repeat_distance, least, farthest(spec, traffic, train)))
}

/// The logarithm of the least rate with which not too many flows are in progress.
fn slowest(spec: &LinkSpec, traffic: &Traffic, train: f64) -> f64 {
    let fewer = |log: f64| -traffic.in_progress(train, Rates::new(libm::exp(log), spec.rate_tail));
    rising_to(-IN_PROGRESS * traffic.flows, libm::log(LOWEST), libm::log(FASTEST), fewer)
}

/// The greatest median distance of repeats, with as many flows in progress as may be, which changes their sizes.
fn farthest(spec: &LinkSpec, traffic: &Traffic, train: f64) -> f64 {
    let crowded = Traffic::of(spec, IN_PROGRESS * traffic.flows);
    let traffic = crowded.as_ref().unwrap_or(traffic);
    let rates = Rates::new(libm::exp(slowest(spec, traffic, train)), spec.rate_tail);
    traffic.median_distance(train, rates)
}

/// Only a packet that is not the first of its flow can repeat another. While there are too few repeats, such a packet
/// is one with the probability (1 + share)/2, so that chance decides which ones are.
fn check_repeats(spec: &LinkSpec, traffic: &Traffic) -> Result<(), SynthError> {
    let can = traffic.not_first();
    let most = can / (2.0 - can);
    match spec.repeated_share <= most {
        true => Ok(()),
        false => Err(outside("repeated_share", spec.repeated_share, 0.0, most)),
    }
}

/// Whether the large flows are IPv6, and the probability that a small one is: the large are of the more frequent
/// version.
fn versions(spec: &LinkSpec) -> Result<(bool, f64), SynthError> {
    let large = spec.ten_largest_share;
    let are_ipv6 = spec.ipv6_share >= 0.5;
    let of_large = if are_ipv6 { large } else { 0.0 };
    let small = (spec.ipv6_share - of_large) / (1.0 - large);
    match ((0.0..=1.0).contains(&small), are_ipv6) {
        (true, _) => Ok((are_ipv6, small)),
        (false, true) => Err(outside("ipv6_share", spec.ipv6_share, large, 1.0)),
        (false, false) => Err(outside("ipv6_share", spec.ipv6_share, 0.0, 1.0 - large)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::link::Preset;

    fn said(spec: LinkSpec) -> String {
        Shape::of(&spec).map_or_else(|error| error.to_string(), |shape| format!("{shape:?}"))
    }

    /// The bounds that an error names: the last two numbers before `can be`.
    fn bounds(error: &str) -> [f64; 2] {
        let words: Vec<&str> = error.split(' ').rev().collect();
        [words[4], words[2]].map(|word| word.parse().unwrap())
    }

    #[test]
    fn nearly_all_that_an_error_says_can_be_can_be() {
        type Changed = fn(f64) -> LinkSpec;
        let changes: [Changed; 5] = [
            |repeated_share| LinkSpec { repeated_share, ..Preset::Caida.spec() },
            |repeat_distance| LinkSpec { repeat_distance, ..Preset::Wand.spec() },
            |packets_per_flow| LinkSpec { packets_per_flow, ..Preset::Auckland.spec() },
            |following_share| LinkSpec { following_share, ..Preset::Caida.spec() },
            |ten_largest_share| LinkSpec { ten_largest_share, ..Preset::Wand.spec() },
        ];
        for (changed, asked) in changes.into_iter().zip([0.99, 1e6, 1e3, 0.99, 0.01]) {
            let error = said(changed(asked));
            let [least, greatest] = bounds(&error);
            for bound in [1.05 * least, 0.95 * greatest] {
                let said = said(changed(bound));
                let is_other = said.contains("cannot be") && !said.starts_with(&error[..8]);
                assert!(is_other || said.starts_with("Shape"), "{error}\n{bound}: {said}");
            }
        }
    }

    #[test]
    fn what_cannot_be_is_named() {
        let caida = || Preset::Caida.spec();
        for (spec, name) in [
            (LinkSpec { packets: 1000, ..caida() }, "packets"),
            (LinkSpec { ten_largest_share: 0.1, ..caida() }, "ten_largest_share"),
            (LinkSpec { packets_per_flow: 1000.0, ..caida() }, "packets_per_flow"),
            (LinkSpec { single_packet_share: 1.0, ..caida() }, "single_packet_share"),
            (LinkSpec { following_share: 0.99, ..caida() }, "following_share"),
            (LinkSpec { repeat_distance: 1e6, ..caida() }, "repeat_distance"),
            (LinkSpec { repeated_share: 0.99, ..caida() }, "repeated_share"),
        ] {
            let error = said(spec);
            assert!(error.starts_with(&format!("{name} = ")), "{name}: {error}");
            assert!(error.contains("cannot be reached"), "{error}");
        }
        let error = said(LinkSpec { rate_tail: f64::NAN, ..caida() });
        assert_eq!(error, "rate_tail must be from 0.01 to 20");
    }

    #[test]
    fn large_flows_are_of_the_frequent_version() {
        let of = |ipv6_share| versions(&LinkSpec { ipv6_share, ..Preset::Caida.spec() }).unwrap();
        assert_eq!(of(0.0), (false, 0.0));
        let (large, small) = of(0.7);
        assert!(large && (small - (0.7 - 0.19) / 0.81).abs() < 1e-12);
        let most = LinkSpec { ten_largest_share: 0.7, ipv6_share: 0.4, ..Preset::Caida.spec() };
        let error = versions(&most).unwrap_err().to_string();
        assert!(error.contains("ipv6_share = 0.4 cannot be reached"), "{error}");
    }
}
