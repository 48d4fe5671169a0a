//! The exact value of the best policy: strongly connected components are solved by policy iteration.

use std::collections::BTreeMap;

use dashu_ratio::RBig;

use crate::graph::Vertex;

/// A component with more situations is not solved.
pub const MOST_IN_A_LOOP: usize = 1_000;

/// The value of the first vertex; `None` when a part of the graph is too large.
pub fn solve(graph: &[Vertex]) -> Option<RBig> {
    let mut values = vec![RBig::ZERO; graph.len()];
    for part in parts(graph) {
        if part.len() > MOST_IN_A_LOOP {
            return None;
        }
        solve_part(graph, &part, &mut values);
    }
    values.into_iter().next()
}

fn successors(vertex: &Vertex) -> Vec<usize> {
    match vertex {
        Vertex::End(_) => Vec::new(),
        Vertex::Best(next) => next.clone(),
        Vertex::Mean(next) => next.iter().map(|(_, next)| *next).collect(),
    }
}

/// The strongly connected components, each after those to which it leads (Tarjan's algorithm).
fn parts(graph: &[Vertex]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let (mut number, mut low) = (vec![NEW; graph.len()], vec![0; graph.len()]);
    let mut waits = vec![false; graph.len()];
    let (mut stack, mut parts, mut found) = (Vec::new(), Vec::new(), 0);
    for root in 0..graph.len() {
        if number[root] != NEW {
            continue;
        }
        let mut path = vec![(root, successors(&graph[root]), 0)];
        while let Some((vertex, next, place)) = path.last_mut() {
            let vertex = *vertex;
            if *place == 0 && number[vertex] == NEW {
                (number[vertex], low[vertex], waits[vertex]) = (found, found, true);
                found += 1;
                stack.push(vertex);
            }
            if let Some(target) = next.get(*place).copied() {
                if number[target] == NEW {
                    path.push((target, successors(&graph[target]), 0));
                    continue;
                }
                *place += 1;
                if waits[target] {
                    low[vertex] = low[vertex].min(low[target]);
                }
                continue;
            }
            path.pop();
            if low[vertex] == number[vertex] {
                let mut part = Vec::new();
                while let Some(own) = stack.pop() {
                    waits[own] = false;
                    part.push(own);
                    if own == vertex {
                        break;
                    }
                }
                parts.push(part);
            }
        }
    }
    parts
}

/// The probabilities with which a vertex leads on under a policy.
fn steps(vertex: &Vertex, choice: usize) -> Vec<(usize, RBig)> {
    match vertex {
        Vertex::End(_) => Vec::new(),
        Vertex::Best(next) => next.get(choice).map(|next| (*next, RBig::ONE)).into_iter().collect(),
        Vertex::Mean(next) => {
            let total = next.iter().map(|(weight, _)| weight).sum::<dashu_int::UBig>();
            let share = |(weight, next): &(dashu_int::UBig, usize)| {
                (*next, RBig::from_parts(weight.clone().into(), total.clone()))
            };
            next.iter().map(share).collect()
        }
    }
}

/// Improves a policy until nothing is better. A policy that stays in a cycle for ever earns nothing.
///
/// The values in the end are those of a policy, and nothing improves on them in one step: so they are a fixed point
/// of the equations of best play, of which the value of best play is the least. They are not above it: so they are it.
fn solve_part(graph: &[Vertex], part: &[usize], values: &mut [RBig]) {
    if let [vertex] = part {
        if let Vertex::End(won) = &graph[*vertex] {
            values[*vertex] = if *won { RBig::ONE } else { RBig::ZERO };
            return;
        }
        let next = successors(&graph[*vertex]);
        if !next.contains(vertex) {
            values[*vertex] = match &graph[*vertex] {
                Vertex::Best(_) => next.iter().map(|next| values[*next].clone()).max().unwrap_or(RBig::ZERO),
                mean => steps(mean, 0).iter().fold(RBig::ZERO, |sum, (next, share)| sum + &values[*next] * share),
            };
            return;
        }
    }
    let mut policy: BTreeMap<usize, usize> = part.iter().map(|vertex| (*vertex, 0)).collect();
    loop {
        evaluate(graph, &policy, values);
        let mut better = false;
        for (vertex, choice) in &mut policy {
            let Vertex::Best(next) = &graph[*vertex] else { continue };
            let best = (0..next.len()).max_by(|left, right| values[next[*left]].cmp(&values[next[*right]]));
            if let Some(best) = best
                && values[next[best]] > values[next[*choice]]
            {
                *choice = best;
                better = true;
            }
        }
        if !better {
            return;
        }
    }
}

/// The values of a policy in a part, by eliminating one vertex after the other.
fn evaluate(graph: &[Vertex], policy: &BTreeMap<usize, usize>, values: &mut [RBig]) {
    // What each vertex earns outside of the part, and where it stays in it.
    let mut rows: BTreeMap<usize, (RBig, BTreeMap<usize, RBig>)> = BTreeMap::new();
    for (vertex, choice) in policy {
        let (mut earned, mut inside) = (RBig::ZERO, BTreeMap::new());
        for (next, share) in steps(&graph[*vertex], *choice) {
            if policy.contains_key(&next) {
                *inside.entry(next).or_insert(RBig::ZERO) += share;
            } else {
                earned += &values[next] * share;
            }
        }
        rows.insert(*vertex, (earned, inside));
    }
    keep_what_earns(&mut rows, values);
    let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (vertex, (_, inside)) in &rows {
        for next in inside.keys() {
            before.entry(*next).or_default().push(*vertex);
        }
    }
    let mut order = Vec::with_capacity(rows.len());
    let mut left: std::collections::BTreeSet<usize> = rows.keys().copied().collect();
    while !left.is_empty() {
        // The vertex whose elimination makes the fewest new steps.
        let cost = |vertex: &usize| {
            let from = before.get(vertex).map_or(0, |before| before.iter().filter(|own| left.contains(own)).count());
            from * rows[vertex].1.len()
        };
        let Some(vertex) = left.iter().copied().min_by_key(cost) else { break };
        left.remove(&vertex);
        order.push(vertex);
        let (mut earned, mut inside) = rows[&vertex].clone();
        if let Some(stays) = inside.remove(&vertex) {
            let goes = RBig::ONE - stays;
            earned /= &goes;
            for share in inside.values_mut() {
                *share /= &goes;
            }
        }
        rows.insert(vertex, (earned.clone(), inside.clone()));
        for earlier in before.get(&vertex).cloned().unwrap_or_default() {
            if !left.contains(&earlier) {
                continue;
            }
            let Some(row) = rows.get_mut(&earlier) else { continue };
            let Some(share) = row.1.remove(&vertex) else { continue };
            row.0 += &earned * &share;
            for (next, own) in &inside {
                *row.1.entry(*next).or_insert_with(|| {
                    before.entry(*next).or_default().push(earlier);
                    RBig::ZERO
                }) += own * &share;
            }
        }
    }
    for vertex in order.into_iter().rev() {
        let (earned, inside) = &rows[&vertex];
        values[vertex] = inside.iter().fold(earned.clone(), |sum, (next, share)| sum + &values[*next] * share);
    }
}

/// Leaves out what earns nothing for ever: its values are 0, and the equations of the others have one solution.
fn keep_what_earns(rows: &mut BTreeMap<usize, (RBig, BTreeMap<usize, RBig>)>, values: &mut [RBig]) {
    let mut earns: std::collections::BTreeSet<usize> =
        rows.iter().filter(|(_, (earned, _))| *earned > RBig::ZERO).map(|(vertex, _)| *vertex).collect();
    loop {
        let more: Vec<usize> = rows
            .iter()
            .filter(|(vertex, (_, inside))| !earns.contains(vertex) && inside.keys().any(|next| earns.contains(next)))
            .map(|(vertex, _)| *vertex)
            .collect();
        if more.is_empty() {
            break;
        }
        earns.extend(more);
    }
    rows.retain(|vertex, (_, inside)| {
        inside.retain(|next, _| earns.contains(next));
        if !earns.contains(vertex) {
            values[*vertex] = RBig::ZERO;
        }
        earns.contains(vertex)
    });
}
