//! The likeliest path to a state.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{Solved, Step};
use crate::game::Game;
use crate::model::StateId;
use crate::numbers::{Probability, Rational, nearest};

/// A path of best play to a state: see [`Solved::path_to`].
#[derive(Clone, Debug, PartialEq)]
pub struct Path<S, A> {
    /// From a state in which play begins to the goal.
    pub steps: Vec<Step<S, A>>,
    /// The probability that play begins with these states: exact for an exact solution, otherwise rounded.
    pub probability: Probability,
}

/// How a state was reached.
#[derive(Clone, Copy)]
struct Reached {
    /// The predecessor, and the outcome of its choice; `None` for a state in which play begins.
    from: Option<(StateId, usize)>,
    /// Minus the logarithm of the probability.
    cost: f64,
}

impl<G: Game> Solved<G> {
    /// The likeliest path of best play from the first start to a state that `goal` accepts; of several, the first by
    /// the numbers of states. `None` if play never reaches one.
    ///
    /// ```
    /// # use mdp::{Distribution, Game, Turn};
    /// # struct Walk;
    /// # impl Game for Walk {
    /// #     type State = u8;
    /// #     type Action = ();
    /// #     fn starts(&self) -> Vec<Distribution<u8>> {
    /// #         vec![Distribution::certain(1)]
    /// #     }
    /// #     fn rules(&self, place: &u8, turn: &mut Turn<u8>) {
    /// #         match place {
    /// #             0 | 3 => turn.end(u8::from(*place == 3)),
    /// #             _ => turn.uniform([place - 1, place + 1]),
    /// #         }
    /// #     }
    /// # }
    /// // A walk to the left or to the right from place 1, each with probability 1/2: won at 3, lost at 0.
    /// let solved = mdp::solve_game(&Walk)?;
    /// let path = solved.path_to(|place| *place == 3).expect("it can be won");
    /// assert_eq!(path.steps.iter().map(|step| step.state).collect::<Vec<_>>(), [1, 2, 3]);
    /// assert_eq!(path.probability.decimal(), 0.25);
    /// assert!(solved.path_to(|place| *place == 4).is_none());
    /// # Ok::<(), mdp::GameError>(())
    /// ```
    pub fn path_to(&self, goal: impl Fn(&G::State) -> bool) -> Option<Path<G::State, G::Action>> {
        let model = self.space.model();
        let mut reached: FxHashMap<StateId, Reached> = FxHashMap::default();
        // Dijkstra's algorithm. No cost is negative, so their bit patterns have the same order.
        let mut open: BinaryHeap<Reverse<(u64, StateId)>> = BinaryHeap::new();
        let mut reach = |state: StateId, new: Reached, open: &mut BinaryHeap<_>| {
            let known = reached.entry(state).or_insert(Reached { cost: f64::INFINITY, ..new });
            if new.cost < known.cost {
                *known = new;
                open.push(Reverse((new.cost.to_bits(), state)));
            }
            known.cost
        };
        for (state, probability) in self.start().probabilities() {
            reach(*state, Reached { from: None, cost: cost(nearest(&probability)) }, &mut open);
        }
        while let Some(Reverse((bits, state))) = open.pop() {
            if goal(self.space.state(state)) {
                return Some(self.path(&reached, state));
            }
            let Some(choice) = self.solution.policy().taken(state) else { continue };
            let probabilities = model.weights().probabilities(choice.weights);
            for (outcome, (target, probability)) in choice.targets.iter().zip(probabilities).enumerate() {
                let cost = f64::from_bits(bits) + cost(*probability);
                reach(target, Reached { from: Some((state, outcome)), cost }, &mut open);
            }
        }
        None
    }

    /// The path to a state.
    fn path(&self, reached: &FxHashMap<StateId, Reached>, goal: StateId) -> Path<G::State, G::Action> {
        let mut steps = vec![self.step(goal)];
        let mut exact = self.solution.is_exact().then_some(Rational::ONE);
        let mut state = goal;
        while let Some((from, outcome)) = reached[&state].from {
            steps.push(self.step(from));
            let choice = self.solution.policy().taken(from).expect("play led on from here");
            let weights = self.space.model().weights();
            exact = exact.map(|exact| {
                let (weight, total) =
                    (weights.weight_list(choice.weights)[outcome].clone(), weights.total(choice.weights));
                exact * Rational::from_parts(weight.into(), total)
            });
            state = from;
        }
        steps.reverse();
        let exact = exact.map(|exact| exact * self.start().probability_of(&state));
        let roughly = || Probability::roughly((-reached[&goal].cost).exp());
        Path { steps, probability: exact.map_or_else(roughly, Probability::exactly) }
    }
}

/// Minus the logarithm of a probability, and never minus zero.
fn cost(probability: f64) -> f64 {
    0.0 - probability.ln()
}
