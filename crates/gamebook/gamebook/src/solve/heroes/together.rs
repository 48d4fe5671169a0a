//! Heroes who differ only in ENDURANCE and COMBAT SKILL, solved together from one exploration.

use std::sync::Arc;

use budget::Budget;
use mdp::advanced::{Chances, VariantSolver, Variants};
use mdp::rows::{RowGame, explore_by_rows};
use mdp::{Distribution, ExploreOptions, Model, Rational, SolveOptions, StateId, Value, solve};
use rustc_hash::FxHashMap;

use crate::book::Book;
use crate::lower::{Others, compile_with_others};
use crate::machine::Machine;
use crate::program::State;
use crate::solve::question::Question;
use crate::solve::solve_error::SolveBookError;
use crate::solve::solved::probability;

/// With more weaker heroes than this none is solved with another.
const MOST_WEAKER: u8 = u8::MAX - 1;

/// A bound on the roundings in a probability of a fight: three for each outcome, and one addition for each.
const ROUNDINGS: u64 = 48;

/// The game of the strongest hero, and what differs for the others.
pub(super) struct HeroesTogether {
    model: Arc<Model>,
    start: Distribution<StateId>,
    /// The number of heroes by ENDURANCE.
    count: u8,
    /// The number of heroes alive in each state, from the strongest down.
    living: Vec<u8>,
    /// The successor of each hero from a state that splits them.
    apart: FxHashMap<StateId, Vec<StateId>>,
    /// The probabilities of outcomes for each COMBAT SKILL, if there are several.
    chances: Vec<Chances>,
    /// A state in which the book is lost.
    lost: Option<StateId>,
}

impl HeroesTogether {
    /// The hero of a question with others; `None` if they cannot be solved together.
    pub(super) fn new(
        book: &Book,
        question: &Question,
        others: Others,
        options: &ExploreOptions<'_>,
    ) -> Result<Option<Self>, SolveBookError> {
        let Others { weaker, .. } = others;
        if weaker > MOST_WEAKER {
            return Ok(None);
        }
        question.check(book)?;
        let own = Budget::default();
        let budget = options.budget.unwrap_or(&own);
        let Some(starting) = compile_with_others(question.quest(book), others, budget)? else { return Ok(None) };
        let machine = Machine::of(starting, question.analyses, budget)?;
        let space = explore_by_rows(&machine, options)?;
        let mut living = vec![0; space.model().states() as usize];
        let mut apart = FxHashMap::default();
        let number_of = |state: State| space.number_of_state(&machine, &state);
        for (row, position, number) in space.states() {
            let state = &machine.in_row(row, position);
            let own = machine.living(state);
            if machine.splits_heroes(state) {
                let next = |short| machine.split_hero(state, short).and_then(number_of);
                let next: Option<Vec<StateId>> = (0..own).map(next).collect();
                let Some(next) = next else { return Ok(None) };
                apart.insert(number, next);
            }
            living[number as usize] = u8::try_from(own).unwrap_or(u8::MAX);
        }
        let model = Arc::clone(space.model());
        let pays_nothing = |state: &StateId| model.payoff(*state).is_some_and(|paid| *paid == [Rational::ZERO]);
        let lost = (0..model.states()).rev().find(pays_nothing);
        let start = space.starts()[0].clone();
        let all_live = living.iter().all(|own| *own > weaker);
        let chances = match machine.skills().map(|skills| skills.chances(model.weights())) {
            Some(Some(by_skill)) => by_skill,
            Some(None) => return Ok(None),
            None => Vec::new(),
        };
        let chances = chances.into_iter().map(|probabilities| Chances { probabilities, roundings: ROUNDINGS });
        let chances = chances.collect();
        let together = Self { model, start, count: weaker + 1, living, apart, chances, lost };
        Ok((all_live || lost.is_some()).then_some(together))
    }

    /// The probabilities of winning by COMBAT SKILL, ascending, and ENDURANCE, descending. `None` if they must be computed in
    /// another way.
    pub(super) fn wins(
        &self,
        solver: &mut VariantSolver,
        options: &ExploreOptions<'_>,
    ) -> Result<Option<Vec<Vec<Value>>>, SolveBookError> {
        let Self { model, count, living, apart, chances, .. } = self;
        let variants = Variants { model, count: usize::from(*count), living, apart, chances: None };
        if chances.is_empty() {
            let wins = match solver.values(&variants, &self.start, options.budget)? {
                Some(wins) => wins,
                None => (0..*count).map(|short| self.win(short, options)).collect::<Result<_, _>>()?,
            };
            return Ok(Some(vec![wins]));
        }
        let own = |chances| {
            let variants = Variants { chances: Some(chances), ..variants };
            Ok(solver.values(&variants, &self.start, options.budget)?)
        };
        chances.iter().map(own).collect()
    }

    /// The probability of winning of the hero with this many points less than the strongest.
    fn win(&self, short: u8, options: &ExploreOptions<'_>) -> Result<Value, SolveBookError> {
        let leads = |state: StateId| {
            let lives = self.living[state as usize] > short;
            let next = self.apart.get(&state).and_then(|next| next.get(usize::from(short)));
            if lives { next.copied() } else { self.lost }
        };
        let model = Arc::new(self.model.redirected(leads));
        let solution = solve(&model, &SolveOptions::from(*options))?;
        Ok(probability(solution.value_of(&self.start)))
    }
}
