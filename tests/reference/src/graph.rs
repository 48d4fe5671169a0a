//! All situations of a play, and how they hang together.

use std::collections::HashMap;
use std::hash::Hash;

use dashu_int::UBig;

/// A situation as a number, and what follows from it.
#[derive(Debug)]
pub enum Vertex {
    /// It is won, or not.
    End(bool),
    /// The player goes to one of these; nowhere if there are none.
    Best(Vec<usize>),
    /// Chance goes to these, with weights.
    Mean(Vec<(UBig, usize)>),
}

/// What happens in a situation.
#[derive(Debug)]
pub enum Turn<S> {
    /// The book is won, from here.
    Won(S),
    /// The hero is dead, or has failed.
    Lost,
    /// Play goes on.
    On(S),
    /// The player has these answers; without any he is stuck.
    Asks(Vec<S>),
    /// Chance brings these, with weights.
    Chance(Vec<(UBig, S)>),
}

/// After so many steps without a question play may be in a cycle, so the state becomes a situation of its own.
const MOST_STEPS: usize = 1_000;

/// All that can come up from the beginning, which is the first; `None` when there are more than `most`. `key` tells a
/// situation from every other one, `turn` says what happens in it.
pub fn explore<S: Clone, K: Eq + Hash>(
    beginning: S,
    most: usize,
    key: impl Fn(&S) -> K,
    turn: impl Fn(S) -> Turn<S>,
) -> Option<Vec<Vertex>> {
    let mut known = HashMap::from([(key(&beginning), 0)]);
    let mut open = vec![beginning];
    let mut graph = Vec::new();
    // Situations are numbered in the order in which they are found.
    let mut next = 0;
    while next < open.len() {
        if open.len() > most {
            return None;
        }
        let turn = run(open[next].clone(), &turn);
        let mut number = |situation: S, open: &mut Vec<S>| {
            *known.entry(key(&situation)).or_insert_with(|| {
                open.push(situation);
                open.len() - 1
            })
        };
        graph.push(match turn {
            Turn::Won(_) => Vertex::End(true),
            Turn::Lost => Vertex::End(false),
            Turn::On(only) => Vertex::Best(vec![number(only, &mut open)]),
            Turn::Asks(answers) => Vertex::Best(answers.into_iter().map(|own| number(own, &mut open)).collect()),
            Turn::Chance(outcomes) => {
                Vertex::Mean(outcomes.into_iter().map(|(weight, own)| (weight, number(own, &mut open))).collect())
            }
        });
        next += 1;
    }
    Some(graph)
}

/// Runs on to where somebody is asked, or play ends.
fn run<S>(situation: S, turn: &impl Fn(S) -> Turn<S>) -> Turn<S> {
    let mut next = turn(situation);
    for _ in 0..MOST_STEPS {
        match next {
            Turn::On(situation) => next = turn(situation),
            other => return other,
        }
    }
    next
}
