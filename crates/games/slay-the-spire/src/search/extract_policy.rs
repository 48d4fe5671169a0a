//! Extracts the policy that a search has found.

use budget::{Budget, Stage, Stopped};

use super::Search;
use super::fallback_policy::Guesses;
use super::induced_chain::{Chain, Ending, Step};
use crate::graph::choice::{Choice, SearchState};

/// A state that is being followed: its chain, and the step from there.
struct Following<'c> {
    chain: &'c mut Chain,
    step: &'c mut Step,
}

impl Search<'_, '_> {
    /// Adds all successors of the states of a chain, under the policy that looks best.
    pub(crate) fn walk_all(&mut self, chain: &mut Chain, budget: &Budget<'_>) -> Result<(), Stopped> {
        self.walk_each(chain, &mut None, budget)
    }

    /// The same with the fallback policy where best play was not found. Without time for all of it, the chain is cut.
    pub(crate) fn walk_all_with_fallback(&mut self, chain: &mut Chain, budget: &Budget<'_>) {
        let walked = self.walk_each(chain, &mut Some(Guesses::default()), budget);
        chain.cut |= walked.is_err();
    }

    fn walk_each(
        &mut self,
        chain: &mut Chain,
        guesses: &mut Option<Guesses>,
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        let mut first: Vec<u32> = chain.pending.keys().copied().collect();
        first.sort_unstable();
        for number in first {
            self.walk(number, chain, guesses, budget)?;
        }
        Ok(())
    }

    /// Adds all successors of a state.
    fn walk(
        &mut self,
        start: u32,
        chain: &mut Chain,
        guesses: &mut Option<Guesses>,
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        // States with the number of their successors that have been visited.
        let mut path = Vec::new();
        self.expand_pending(start, chain, budget)?;
        if self.arrive(start, chain, guesses) {
            path.push((start, 0));
        }
        while let Some((number, next)) = path.last_mut() {
            let Some((_, to)) = chain.steps[*number as usize].to.get(*next) else {
                chain.order.push(*number);
                path.pop();
                continue;
            };
            *next += 1;
            let to = *to;
            budget.step(Stage::Following, chain.steps.len() as u64, 0)?;
            if chain.steps.len().is_multiple_of(1024) {
                self.fits(budget)?;
            }
            self.expand_pending(to, chain, budget)?;
            if self.arrive(to, chain, guesses) {
                path.push((to, 0));
            }
        }
        Ok(())
    }

    /// Expands a state whose successors are not known yet.
    pub(crate) fn expand_pending(&mut self, number: u32, chain: &Chain, budget: &Budget<'_>) -> Result<(), Stopped> {
        let Some((node, _)) = chain.pending.get(&number) else { return Ok(()) };
        self.graph.expand_within(*node, budget).map(drop)
    }

    /// Determines the successors of a state, if they are not known yet.
    fn arrive(&mut self, number: u32, chain: &mut Chain, guesses: &mut Option<Guesses>) -> bool {
        let Some(state) = chain.pending.remove(&number) else { return false };
        let step = self.step(state, chain, guesses.as_mut());
        chain.steps[number as usize] = step;
        true
    }

    fn step(&mut self, state: SearchState, chain: &mut Chain, guesses: Option<&mut Guesses>) -> Step {
        if self.is_solved(state) {
            return self.step_by(state, chain, None);
        }
        if guesses.is_some() {
            return self.step_by(state, chain, guesses);
        }
        chain.cut = true;
        Step::default()
    }

    /// The successors of a state by the best choices, or by the fallback policy with its guesses.
    pub(crate) fn step_by(
        &mut self,
        (node, health): SearchState,
        chain: &mut Chain,
        mut guesses: Option<&mut Guesses>,
    ) -> Step {
        let mut step = Step::default();
        let items = self.graph.expand_before(node);
        self.memo.begin(self.graph.points_of(node));
        for index in items.range() {
            let (chance, point) = self.graph.items[index];
            let mut following = Following { chain, step: &mut step };
            self.follow_by(chance, point, health, &mut following, guesses.as_deref_mut());
        }
        self.memo.end();
        step
    }

    /// Adds the successors of a decision under its best choice.
    pub(crate) fn follow_step(&mut self, chance: f64, point: u32, health: i16, chain: &mut Chain, step: &mut Step) {
        self.follow_by(chance, point, health, &mut Following { chain, step }, None);
    }

    fn follow_by(
        &mut self,
        chance: f64,
        point: u32,
        health: i16,
        following: &mut Following<'_>,
        mut guesses: Option<&mut Guesses>,
    ) {
        let choice = match guesses.as_deref_mut() {
            Some(guesses) => self.fallback_choice(point, health, guesses),
            None => self.choice(point, health),
        };
        match choice {
            None => {}
            Some(Choice::Chance(index)) => {
                for index in self.graph.chances[index].range() {
                    let (share, point) = self.graph.items[index];
                    self.follow_by(chance * share, point, health, following, guesses.as_deref_mut());
                }
            }
            Some(Choice::Edge(index)) => {
                let edge = self.graph.edges[index];
                let Following { chain, step } = following;
                step.loss += -chance * self.payoff.gained(edge.change);
                let end = match (self.left(&edge, health), edge.to.node()) {
                    (None, _) => Ending::DEAD,
                    (Some(left), Ok(node)) if self.payoff.is_given_up(self.after_value(node, left)) => Ending::DEAD,
                    (Some(_), Err(spoils)) if self.payoff.loss => Ending { health: 1, spoils },
                    (Some(left), Err(spoils)) => self.payoff.ending(left, spoils),
                    (Some(left), Ok(node)) => {
                        self.follow_rolls(chance, node, left, chain, step);
                        return;
                    }
                };
                match step.ends.iter_mut().find(|(_, other)| *other == end) {
                    Some((sum, _)) => *sum += chance,
                    None => step.ends.push((chance, end)),
                }
            }
        }
    }

    /// Adds the successors of the rolls of an after node.
    pub(crate) fn follow_rolls(&mut self, chance: f64, node: u32, left: i16, chain: &mut Chain, step: &mut Step) {
        let rolls = self.graph.expand_after(node);
        for (share, before) in &self.graph.outs[rolls.range()] {
            let number = chain.number((*before, left));
            match step.to.iter_mut().find(|(_, other)| *other == number) {
                Some((sum, _)) => *sum += chance * share,
                None => step.to.push((chance * share, number)),
            }
        }
    }
}
