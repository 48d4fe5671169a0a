//! The choices of a fight that could be best, as a model that other solvers can check.

use budget::Budget;
use mdp::{Solution, StateId};

use super::fight_error::FightError;
use super::solve::{Exactness, graph_of};
use crate::data::enemy::Kind;
use crate::rules::setup::{Foe, Hero};
use crate::search::Search;
use crate::search::payoff::{Objective, Payoff};
use crate::search::root::{Mix, Root};

/// The choices of a fight that could be best, as a model, with its exact solution.
pub struct FightModel {
    /// Its solution. The first payoff is the objective, the second one decides between plays of equal value.
    pub solution: Solution,
    /// The start of the fight.
    pub start: StateId,
}

/// The model of a fight; `None` where the numbers are too large, or the objective has no bound.
///
/// # Errors
/// When the fight is not modelled, or the budget stops the run.
pub fn fight_model(
    hero: &Hero,
    foes: &[Foe],
    health: i16,
    objective: Objective,
    budget: &Budget<'_>,
) -> Result<Option<FightModel>, FightError> {
    let exact = Exactness::Everything.of(objective);
    if exact == Exactness::Bounds {
        return Ok(None);
    }
    let rules = hero.rules(foes)?.beginning_with(health);
    let kinds: Vec<Kind> = foes.iter().map(|foe| foe.kind).collect();
    let payoff = Payoff::new(objective, &rules)?;
    let mut graph = graph_of(&rules, &kinds, &payoff, exact);
    let mut begins = Mix::new();
    for (chance, state) in hero.starts(&rules, foes) {
        budget.check()?;
        let begin = state.health.after(health).unwrap_or(health);
        begins.push((chance, Root::After(graph.after_node(&state)), begin));
    }
    let mut search = Search::new(&mut graph, payoff, rules.all_potions());
    let model = search.exact_model(&[begins], true, budget)?;
    Ok(model.map(|model| FightModel { start: model.begin(0), solution: model.into_solution() }))
}
