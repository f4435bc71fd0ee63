//! Many sequences of factors, of which those that end alike share their ends.
//!
//! The sum of the products along all sequences, and its derivatives, then need one term for each edge
//! instead of one for each sequence.

use std::collections::BTreeMap;

/// A graph without cycles, whose paths from the start to the end are the sequences. Its nodes have
/// numbers, from 0 for the end up to the start.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    /// In the order of the nodes they come from.
    edges: Vec<Edge>,
    nodes: usize,
}

/// One place in a sequence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: usize,
    /// The number of the factor.
    pub(super) factor: usize,
    pub(super) to: usize,
}

/// The edges that leave a node, each with its factor and the node it leads to.
type Leaving = Vec<(usize, usize)>;

impl Graph {
    /// Of different sequences, none of which is the beginning of another one.
    pub(super) fn from_words(mut words: Vec<Vec<usize>>) -> Self {
        words.sort_unstable();
        let mut nodes = BTreeMap::from([(Leaving::new(), 0)]);
        let mut edges = Vec::new();
        node(&words, 0, &mut nodes, &mut edges);
        Self { edges, nodes: nodes.len() }
    }

    /// The edges; those that leave a node come after those that leave the nodes it leads to.
    pub(super) fn edges(&self) -> impl DoubleEndedIterator<Item = Edge> + '_ {
        self.edges.iter().copied()
    }

    /// The edges that leave a node.
    pub(super) fn leaving(&self, node: usize) -> impl Iterator<Item = Edge> + '_ {
        let first = self.edges.partition_point(|edge| edge.from < node);
        self.edges[first..].iter().copied().take_while(move |edge| edge.from == node)
    }

    /// The nodes, the start being the last.
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// For each node the sum of the products of the factors on all ways to the end.
    pub(super) fn ends(&self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.nodes];
        self.write_ends(weights, &mut sums);
        sums
    }

    /// Writes the [`ends`](Self::ends).
    pub(super) fn write_ends(&self, weights: &[f64], sums: &mut [f64]) {
        sums.fill(0.0);
        sums[0] = 1.0;
        for &Edge { from, factor, to } in &self.edges {
            sums[from] += weights[factor] * sums[to];
        }
    }

    /// For each node the sum of the products of the factors on all ways from the start.
    pub(super) fn starts(&self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.nodes];
        if let Some(start) = sums.last_mut() {
            *start = 1.0;
        }
        for &Edge { from, factor, to } in self.edges.iter().rev() {
            sums[to] += weights[factor] * sums[from];
        }
        sums
    }

    /// The derivative of the sum over all sequences by each factor.
    pub(super) fn slopes(&self, weights: &[f64], ends: &[f64]) -> Vec<f64> {
        let starts = self.starts(weights);
        let mut slopes = vec![0.0; weights.len()];
        for &Edge { from, factor, to } in &self.edges {
            slopes[factor] += starts[from] * ends[to];
        }
        slopes
    }

    /// Walks from the start to the end, from each node along one of its edges with a probability in
    /// proportion to what follows. `target` is uniform below the sum over all sequences.
    pub(super) fn walk(
        &self,
        weights: &[f64],
        ends: &[f64],
        mut target: f64,
        mut along: impl FnMut(usize),
    ) {
        let mut node = self.nodes - 1;
        while node > 0 {
            let mut taken = None;
            // By rounding alone the last possible edge is passed.
            for edge in self.leaving(node).filter(|edge| weights[edge.factor] * ends[edge.to] > 0.0)
            {
                let share = weights[edge.factor] * ends[edge.to];
                taken = Some((edge, target / weights[edge.factor]));
                if target < share {
                    break;
                }
                target -= share;
            }
            let Some((edge, rest)) = taken else { return };
            along(edge.factor);
            (node, target) = (edge.to, rest);
        }
    }
}

/// The node from which the sequences continue, which are the same up to `place`.
fn node(
    words: &[Vec<usize>],
    place: usize,
    nodes: &mut BTreeMap<Leaving, usize>,
    edges: &mut Vec<Edge>,
) -> usize {
    let same = |a: &Vec<usize>, b: &Vec<usize>| a.get(place) == b.get(place);
    let leaving: Leaving = words
        .chunk_by(same)
        .filter_map(|words| {
            let factor = *words[0].get(place)?;
            Some((factor, node(words, place + 1, nodes, edges)))
        })
        .collect();
    let new = nodes.len();
    *nodes.entry(leaving).or_insert_with_key(|leaving| {
        edges.extend(leaving.iter().map(|&(factor, to)| Edge { from: new, factor, to }));
        new
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0·2 + 0·3 + 1·2 + 1·3, as (0 + 1)·(2 + 3).
    #[test]
    fn equal_ends_are_shared() {
        let graph = Graph::from_words(vec![vec![0, 2], vec![1, 2], vec![1, 3], vec![0, 3]]);
        assert_eq!((graph.nodes(), graph.edges().count()), (3, 4));
        let weights = [2.0, 3.0, 5.0, 7.0];
        let ends = graph.ends(&weights);
        assert_eq!(ends, [1.0, 12.0, 60.0]);
        assert_eq!(graph.slopes(&weights, &ends), [12.0, 12.0, 5.0, 5.0]);
    }

    #[test]
    fn walks_are_as_likely_as_their_weights() {
        let graph = Graph::from_words(vec![vec![0], vec![1, 2], vec![1, 3]]);
        let weights = [1.0, 2.0, 1.0, 3.0];
        let ends = graph.ends(&weights);
        for (target, expected) in
            [(0.5, &[0][..]), (1.5, &[1, 2]), (2.9, &[1, 2]), (3.1, &[1, 3]), (9.0, &[1, 3])]
        {
            let mut walked = Vec::new();
            graph.walk(&weights, &ends, target, |factor| walked.push(factor));
            assert_eq!(walked, expected, "{target}");
        }
    }
}
