//! Random graphs, compared with the definitions.

use budget::Budget;
use graph::{Choices, components};
use proptest::prelude::*;

/// For every node and choice the nodes to which it can lead.
type Leads = Vec<Vec<Vec<u32>>>;

/// Up to 7 nodes with up to 3 choices of up to 3 targets.
fn graphs() -> impl Strategy<Value = Leads> {
    (1u32..8).prop_flat_map(|nodes| {
        let choice = prop::collection::vec(0..nodes, 1..4);
        prop::collection::vec(prop::collection::vec(choice, 0..4), nodes as usize)
    })
}

/// Whether a path (possibly empty) leads from each node to each.
fn paths(nodes: usize, edges: impl Fn(usize) -> Vec<u32>) -> Vec<Vec<bool>> {
    let mut paths: Vec<Vec<bool>> = (0..nodes).map(|from| (0..nodes).map(|to| from == to).collect()).collect();
    for _ in 0..nodes {
        for from in 0..nodes {
            for to in edges(from) {
                let further = paths[to as usize].clone();
                paths[from].iter_mut().zip(further).for_each(|(own, further)| *own |= further);
            }
        }
    }
    paths
}

/// The choices of a node of `set` that surely lead to the set.
fn staying(leads: &Leads, set: u32, node: usize) -> Vec<usize> {
    let stays = |choice: &Vec<u32>| choice.iter().all(|target| set >> target & 1 == 1);
    (0..leads[node].len()).filter(|choice| stays(&leads[node][*choice])).collect()
}

/// Whether a set of nodes (by bits) is an end component.
fn is_end_component(leads: &Leads, set: u32) -> bool {
    let members: Vec<usize> = (0..leads.len()).filter(|node| set >> node & 1 == 1).collect();
    let edges = |node: usize| {
        let own = if set >> node & 1 == 1 { staying(leads, set, node) } else { Vec::new() };
        own.into_iter().flat_map(|choice| leads[node][choice].clone()).collect()
    };
    let paths = paths(leads.len(), edges);
    !members.is_empty()
        && members.iter().all(|node| !staying(leads, set, *node).is_empty())
        && members.iter().all(|from| members.iter().all(|to| paths[*from][*to]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn components_are_those_of_the_definition(leads in graphs(), root in 0u32..8) {
        let nodes = u32::try_from(leads.len()).expect("few");
        let edges = |node: u32| leads[node as usize].iter().flatten().copied();
        let paths = paths(leads.len(), |node| leads[node].concat());
        let root = root % nodes;
        for roots in [root..root + 1, 0..nodes] {
            let found = components(0..nodes, roots.clone(), edges, &Budget::unlimited()).expect("no limits");
            let mut known: Vec<u32> = found.concat();
            known.sort_unstable();
            let is_reached = |node: &u32| roots.clone().any(|root| paths[root as usize][*node as usize]);
            prop_assert_eq!(&known, &(0..nodes).filter(is_reached).collect::<Vec<_>>());
            for (place, component) in found.iter().enumerate() {
                prop_assert!(component.is_sorted());
                for node in component {
                    let together = |other: &u32| {
                        paths[*node as usize][*other as usize] && paths[*other as usize][*node as usize]
                    };
                    prop_assert_eq!(component, &(0..nodes).filter(together).collect::<Vec<_>>());
                    for target in edges(*node) {
                        let of_target = found.iter().position(|other| other.contains(&target));
                        prop_assert!(of_target.is_some_and(|of_target| of_target >= place), "edges lead forward");
                    }
                }
            }
        }
    }

    #[test]
    fn end_components_are_those_of_the_definition(leads in graphs()) {
        let mut choices = Choices::new();
        for own in &leads {
            for targets in own {
                choices.choice(targets.iter().copied());
            }
            choices.node();
        }
        let found = choices.end_components(&Budget::unlimited()).expect("no limits");
        let all: Vec<u32> = (1u32..1 << leads.len()).filter(|set| is_end_component(&leads, *set)).collect();
        let is_largest = |set: &&u32| !all.iter().any(|other| other != *set && **set & other == **set);
        let largest: Vec<u32> = all.iter().filter(is_largest).copied().collect();
        let mut number = 0;
        for (node, own) in (0u32..).zip(&leads) {
            let set = largest.iter().find(|set| **set >> node & 1 == 1);
            prop_assert_eq!(found.of(node).is_some(), set.is_some());
            for other in (0..).take(leads.len()) {
                let together = set.is_some_and(|set| set >> other & 1 == 1);
                prop_assert_eq!(found.of(node).is_some() && found.of(node) == found.of(other), together);
            }
            let kept = set.map(|set| staying(&leads, *set, node as usize)).unwrap_or_default();
            for choice in 0..own.len() {
                prop_assert_eq!(found.kept()[number], kept.contains(&choice));
                number += 1;
            }
        }
    }
}
