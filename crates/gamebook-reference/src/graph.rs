//! All situations of a play, and how they hang together.

use std::collections::HashMap;

use dashu_int::UBig;

use crate::node::Rules;
use crate::place::{Situation, Turn};
use crate::sheet::Sheet;

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

/// After so many steps in which nobody is asked play may go round: they become situations.
const MOST_STEPS: usize = 1_000;

/// All that can come up from the beginning, which is the first; `None` when there are more than `most`.
pub fn explore<'b>(rules: &Rules<'b>, most: usize) -> Option<Vec<Vertex>> {
    let mut known: HashMap<(Vec<i64>, Sheet), usize> = HashMap::new();
    let mut open = vec![rules.beginning()];
    known.insert((open[0].place.key(), open[0].sheet.clone()), 0);
    let mut graph = Vec::new();
    // Situations are numbered in the order in which they are found.
    let mut next = 0;
    while next < open.len() {
        if open.len() > most {
            return None;
        }
        let turn = run(rules, open[next].clone());
        let mut number = |situation: Situation<'b>, open: &mut Vec<Situation<'b>>| {
            *known.entry((situation.place.key(), situation.sheet.clone())).or_insert_with(|| {
                open.push(situation);
                open.len() - 1
            })
        };
        graph.push(match turn {
            Turn::Won => Vertex::End(true),
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
fn run<'b>(rules: &Rules<'b>, situation: Situation<'b>) -> Turn<'b> {
    let mut turn = rules.turn(situation);
    for _ in 0..MOST_STEPS {
        match turn {
            Turn::On(next) => turn = rules.turn(next),
            other => return other,
        }
    }
    turn
}
