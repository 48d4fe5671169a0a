//! Values that the graph alone determines: nodes that certainly have the largest or the smallest value outside of a
//! component.

use super::options::{FloatOption, FloatScc};
use crate::solution::Sense;

/// The value of every node where the graph determines it: where best play surely attains the largest value outside, or
/// cannot get more than the smallest.
pub(super) fn certain_values(scc: &FloatScc) -> Vec<Option<f64>> {
    let mut values = vec![None; scc.len()];
    let (least, most) = scc.hull();
    // With rewards no value outside is the largest.
    let most = scc.every_policy_leaves.then_some((most, scc.sense == Sense::Max));
    // With rewards the least is to earn nothing and end with nothing.
    let least = (scc.every_policy_leaves || least == 0.0).then_some((least, scc.sense == Sense::Min));
    for (value, one_option_is_enough) in least.into_iter().chain(most) {
        for node in nodes_certain_of(scc, value, one_option_is_enough) {
            values[node] = Some(value);
        }
    }
    values
}

/// The largest set of nodes with an option, or with all options, leading only to this value and into the set. As play
/// leaves the component, or else would earn rewards, it ends with the value.
fn nodes_certain_of(scc: &FloatScc, value: f64, one_option_is_enough: bool) -> impl Iterator<Item = usize> {
    let certain = |option: &FloatOption| option.is_certain_of(value);
    let mut left: Vec<usize> = (0..scc.len())
        .map(|node| {
            let fitting = scc.options(node).iter().filter(|option| certain(option)).count();
            if one_option_is_enough || fitting == scc.options(node).len() { fitting } else { 0 }
        })
        .collect();
    let inside = left.iter().filter(|left| **left > 0).count();
    if inside == 0 {
        left.clear();
    } else if inside < left.len() {
        strike_out(scc, &mut left, certain, one_option_is_enough);
    }
    (0..left.len()).filter(move |node| left[*node] > 0)
}

/// Removes, one by one, nodes without a suitable option (`left` counts those of each) and the options that lead to
/// them.
fn strike_out(scc: &FloatScc, left: &mut [usize], certain: impl Fn(&FloatOption) -> bool, one_option_is_enough: bool) {
    // The options that lead to each node, and their nodes, in rows.
    let mut starts = vec![0usize; scc.len() + 1];
    let fitting = |node: usize| scc.options(node).iter().enumerate().filter(|(_, option)| certain(option));
    for node in (0..scc.len()).filter(|node| left[*node] > 0) {
        for (to, _) in fitting(node).flat_map(|(_, option)| scc.inner(option)) {
            starts[*to as usize + 1] += 1;
        }
    }
    for node in 0..scc.len() {
        starts[node + 1] += starts[node];
    }
    let mut next = starts.clone();
    let mut leading = vec![(0usize, 0usize); starts[scc.len()]];
    for node in (0..scc.len()).filter(|node| left[*node] > 0) {
        for (index, option) in fitting(node) {
            for (to, _) in scc.inner(option) {
                leading[next[*to as usize]] = (node, index);
                next[*to as usize] += 1;
            }
        }
    }
    let mut struck: Vec<Vec<bool>> = (0..scc.len()).map(|_| Vec::new()).collect();
    let mut gone: Vec<usize> = (0..scc.len()).filter(|node| left[*node] == 0).collect();
    while let Some(node) = gone.pop() {
        for (owner, index) in &leading[starts[node]..starts[node + 1]] {
            let own = &mut struck[*owner];
            own.resize(scc.options(*owner).len(), false);
            if left[*owner] == 0 || std::mem::replace(&mut own[*index], true) {
                continue;
            }
            left[*owner] = if one_option_is_enough { left[*owner] - 1 } else { 0 };
            if left[*owner] == 0 {
                gone.push(*owner);
            }
        }
    }
}

/// Whether play can stay in the component for ever: then it earns without end, as end components without rewards have
/// been collapsed.
pub(super) fn can_stay(scc: &FloatScc) -> bool {
    let stays = |option: &FloatOption| option.exit == 0.0;
    let mut left: Vec<usize> =
        (0..scc.len()).map(|node| scc.options(node).iter().filter(|option| stays(option)).count()).collect();
    if left.iter().all(|left| *left == 0) {
        return false;
    }
    strike_out(scc, &mut left, stays, true);
    left.iter().any(|left| *left > 0)
}
