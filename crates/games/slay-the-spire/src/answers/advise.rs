//! What to play now.

use std::cmp::Ordering;

use budget::{Budget, Stopped};
use rustc_hash::FxHashSet;

use super::named::Named;
use super::report_interval::leaving_time;
use super::simulated_plays::SimulatedPlay;
use super::solve::{Counts, Exactness, graph_of, make_exact, unsolved};
use super::worth::Worth;
use crate::graph::Graph;
use crate::numbers::chance::Chance;
use crate::request::position::{Position, some, underscored};
use crate::rules::action::Action;
use crate::rules::state::State;
use crate::rules::{Rules, RulesError};
use crate::search::Search;
use crate::search::induced_chain::{Chain, Step};
use crate::search::payoff::{Objective, Payoff};
use crate::search::policy_worth::EvaluatedPolicy;
use crate::search::root::{Mix, Root};

/// The value of a position, and of each way to go on from it.
#[derive(Clone, Debug)]
pub struct Advice {
    /// Every first play with its worth, best first.
    pub first: Vec<(Named, Worth)>,
    /// Every way to spend the turn, up to its end or the first play with a random outcome, best first; of several with
    /// the same value, the one after which the fight is over soonest comes first.
    pub turns: Vec<(Vec<Named>, Worth)>,
    /// Simulated values of the first plays, best first, where the search was stopped: they prove nothing.
    pub simulated: Vec<SimulatedPlay>,
    /// Why the search stopped early, if it did.
    pub stopped: Option<Stopped>,
}

impl Advice {
    /// The play to make: the best of those that were simulated, where the search was stopped, or else the best one.
    pub fn to_play(&self) -> Option<&Named> {
        let simulated = self.simulated.first().map(|own| &own.play);
        simulated.or_else(|| self.first.first().map(|(play, _)| play))
    }
}

/// The decisions to which these outcomes lead within a turn.
pub(crate) fn mix_of(graph: &mut Graph<'_>, outcomes: impl Iterator<Item = (Chance, State)>, health: i16) -> Mix {
    outcomes.map(|(chance, next)| (chance, Root::Point(graph.point(&next)), health)).collect()
}

/// The same within a budget: one turn can have very many decisions.
fn mix_within(
    graph: &mut Graph<'_>,
    outcomes: &[(Chance, State)],
    health: i16,
    budget: &Budget<'_>,
) -> Result<Mix, Stopped> {
    let root = |(chance, next): &(Chance, State)| Ok((*chance, Root::Point(graph.point_within(next, budget)?), health));
    outcomes.iter().map(root).collect()
}

/// The share of the time in which the plays are listed.
const LISTING: f64 = 0.25;

/// A question about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub objective: Objective,
    /// The player's health.
    pub health: i16,
    /// What is wanted exactly; the graph then [keeps its chances](Graph::keeping_chances).
    pub exact: Exactness,
}

/// The value of each of these; bounds if the budget stops the search early.
pub(crate) fn worths(
    search: &mut Search<'_, '_>,
    mixes: &[Mix],
    asked: Question,
    budget: &Budget<'_>,
) -> (Vec<Worth>, Option<Stopped>) {
    let (mut worths, mut stopped) = bounds(search, mixes, asked, budget);
    if asked.exact != Exactness::Bounds && stopped.is_none() {
        let mut each: Vec<&mut Worth> = worths.iter_mut().collect();
        stopped = make_exact(search, mixes, &mut each, asked.exact, budget).err();
    }
    (worths, stopped)
}

fn bounds(
    search: &mut Search<'_, '_>,
    mixes: &[Mix],
    asked: Question,
    budget: &Budget<'_>,
) -> (Vec<Worth>, Option<Stopped>) {
    leaving_time(budget, |looking, rest| {
        search.bound_within(looking);
        let mut stopped = search.fits(looking).err();
        for (_, root, health) in mixes.iter().flatten() {
            if stopped.is_none() {
                stopped = match root {
                    Root::Point(point) => search.solve_point(*point, *health, looking).err(),
                    Root::After(node) => search.solve(*node, *health, looking).err(),
                    Root::End(_) => None,
                };
            }
        }
        let (mut chain, mut steps) = (Chain::default(), Vec::new());
        for mix in mixes {
            let (mut step, mut upper) = (Step::default(), 0.0);
            for (chance, root, health) in mix {
                let chance = chance.as_f64();
                match root {
                    Root::Point(point) => {
                        upper += chance * search.value(*point, *health);
                        search.follow_step(chance, *point, *health, &mut chain, &mut step);
                    }
                    Root::After(node) => {
                        upper += chance * search.after_value(*node, *health);
                        search.follow_rolls(chance, *node, *health, &mut chain, &mut step);
                    }
                    Root::End(end) => {
                        upper += chance * search.payoff.of_end(*end);
                        step.ends.push((chance, *end));
                    }
                }
            }
            let possible = mix.iter().map(|(_, root, health)| match root {
                Root::End(end) => search.payoff.of_end(*end),
                _ => search.possible(*health),
            });
            let possible = possible.fold(f64::NEG_INFINITY, f64::max);
            steps.push((step, crate::numbers::rounding::up(upper, mix.len()).min(possible)));
        }
        if stopped.is_some() && !search.payoff.loss {
            let first: Vec<(f64, u32)> = steps.iter().flat_map(|(step, _)| step.to.iter().copied()).collect();
            search.walk_likely(&mut chain, &first, rest);
        } else {
            let walked = search.walk_all(&mut chain, &Budget::unlimited());
            debug_assert!(walked.is_ok(), "nothing stops an unlimited budget");
        }
        if search.payoff.turns {
            chain.give_up_the_rest();
        }
        let evaluated = EvaluatedPolicy::new(search, &chain, asked.objective);
        (steps.iter().map(|(step, upper)| evaluated.worth(step, *upper, asked.health)).collect(), stopped)
    })
}

/// Plays one after another, and the positions to which they lead.
type Path = (Vec<Named>, Vec<(Chance, State)>);

/// The value of every play; exactly too, if that is wanted and fits. Where a turn has too many decisions for the time,
/// not all whole turns are listed, and the run counts as stopped.
///
/// # Errors
/// When the objective does not suit such a fight: see [`Objective::Loss`].
pub fn advise(
    position: &Position,
    objective: Objective,
    exact: Exactness,
    budget: &Budget<'_>,
) -> Result<Advice, RulesError> {
    let Position { rules, kinds, state, health } = position;
    let payoff = Payoff::new(objective, rules)?;
    let health = if payoff.loss { 0 } else { *health };
    let exact = exact.of(objective);
    let mut graph = graph_of(rules, kinds, &payoff, exact);
    let (mut mixes, mut first, mut turns) = (Vec::new(), Vec::new(), Vec::new());
    let listing = budget.part(LISTING);
    for (action, outcomes) in outcomes(rules, state) {
        first.push(named(rules, action));
        match mix_within(&mut graph, &outcomes, health, &listing) {
            Ok(mix) => mixes.push(mix),
            Err(stopped) => return unknown_plays(position, objective, stopped),
        }
    }
    let mut cut = None;
    let listing = budget.part(LISTING);
    for (path, outcomes) in whole_turns(position) {
        match mix_within(&mut graph, &outcomes, health, &listing) {
            Ok(mix) => mixes.push(mix),
            Err(stopped) => {
                cut = Some(stopped);
                break;
            }
        }
        turns.push(path);
    }
    let mut search = Search::new(&mut graph, payoff, rules.all_potions());
    let (worths, stopped) = worths(&mut search, &mixes, Question { objective, health: position.health, exact }, budget);
    let mut worths = worths.into_iter();
    let mut first: Vec<(Named, Worth)> = first.into_iter().zip(&mut worths).collect();
    let mut turns: Vec<(Vec<Named>, Worth)> = turns.into_iter().zip(worths).collect();
    first.sort_by(|a, b| better(&a.1, &b.1));
    turns.sort_by(|a, b| better(&a.1, &b.1).then(a.0.len().cmp(&b.0.len())));
    soonest_over_first(&mut first, objective);
    soonest_over_first(&mut turns, objective);
    if turns.is_empty() {
        turns = first.iter().map(|(play, worth)| (turn_of(play), worth.clone())).collect();
    }
    Ok(Advice { first, turns, simulated: Vec::new(), stopped: stopped.or(cut) })
}

/// The least informative answer of [`advise`], for a run that was stopped before any result: the
/// possible first plays.
///
/// # Errors
/// When the objective does not suit such a fight.
pub fn unknown_plays(position: &Position, objective: Objective, stopped: Stopped) -> Result<Advice, RulesError> {
    let payoff = Payoff::new(objective, &position.rules)?;
    let nothing = unsolved(&position.rules, &payoff, objective, &[position.health], Counts::default(), stopped);
    let (mut first, mut turns) = (Vec::new(), Vec::new());
    for (action, _) in outcomes(&position.rules, &position.state) {
        let (play, worth) = (named(&position.rules, action), nothing.worths[0].clone());
        turns.push((turn_of(&play), worth.clone()));
        first.push((play, worth));
    }
    Ok(Advice { first, turns, simulated: Vec::new(), stopped: Some(stopped) })
}

/// A turn that begins with this play.
fn turn_of(play: &Named) -> Vec<Named> {
    if play.end_turn.is_some() { Vec::new() } else { vec![play.clone()] }
}

/// Compares two values: by the objective; where both are known exactly and equal, by [the second
/// criterion](crate::search::payoff::Payoff::second).
fn better(a: &Worth, b: &Worth) -> Ordering {
    let second = |worth: &Worth| {
        let ends = worth.exact_ends.as_ref()?;
        Some(if worth.objective == Objective::Survival { &ends.expected_health } else { &ends.survival }.clone())
    };
    if let (Some(one), Some(other)) = (&a.exact, &b.exact) {
        return other.cmp(one).then_with(|| second(b).cmp(&second(a)));
    }
    let middle = |worth: &Worth| worth.objective.sign() * worth.value.middle();
    middle(b).total_cmp(&middle(a))
}

/// Values that are closer than this differ by rounding only.
const ROUNDING: f64 = 1e-10;

/// The index of the play after which the fight is over soonest, among those with the best value up to rounding: a
/// player who always takes it does not go on for ever. 0 for an empty list.
pub fn soonest_over<'w>(worths: impl Iterator<Item = &'w Worth> + Clone, objective: Objective) -> usize {
    let sign = objective.sign();
    let most = worths.clone().map(|worth| sign * worth.value.middle()).fold(f64::NEG_INFINITY, f64::max);
    let best = |worth: &Worth| sign * worth.value.middle() >= most - ROUNDING * most.abs().max(1.0);
    let best = worths.enumerate().filter(|(_, worth)| best(worth));
    best.min_by(|a, b| a.1.turns.total_cmp(&b.1.turns)).map_or(0, |(place, _)| place)
}

/// Moves the play to make to the front of a sorted list.
fn soonest_over_first<T>(plays: &mut [(T, Worth)], objective: Objective) {
    let Some((_, best)) = plays.first() else { return };
    // Where all values are exact, only plays that are also best by the second criterion count.
    let same = |worth: &&Worth| worth.exact.is_none() || better(best, worth) == Ordering::Equal;
    let looked_at: Vec<&Worth> = plays.iter().map(|(_, worth)| worth).take_while(same).collect();
    let place = soonest_over(looked_at.into_iter(), objective);
    if let Some(before) = plays.get_mut(..=place) {
        before.rotate_right(1);
    }
}

/// Every play with its outcomes.
pub(crate) fn outcomes(rules: &Rules, state: &State) -> Vec<(Action, Vec<(Chance, State)>)> {
    let mut actions = Vec::new();
    rules.actions(state, &mut actions);
    let mut all = Vec::new();
    for action in actions {
        if action == Action::EndTurn {
            all.push((action, vec![(Chance::ONE, ended(state))]));
        } else {
            let mut next = Vec::new();
            rules.act(state, action, &mut next);
            all.push((action, next));
        }
    }
    all
}

/// The position in which nothing more is played this turn.
fn ended(state: &State) -> State {
    State { ended: true, ..*state }
}

/// Every way to spend the turn without a random outcome before its end: each set of plays once, for each position to
/// which it leads.
fn whole_turns(position: &Position) -> Vec<Path> {
    /// Longer lists are useless to readers.
    const MOST: usize = 5_000;
    let mut seen: FxHashSet<State> = FxHashSet::default();
    let mut waiting = std::collections::VecDeque::from([(Vec::new(), position.state)]);
    let mut turns = Vec::new();
    seen.insert(position.state);
    while let Some((path, state)) = waiting.pop_front() {
        for (action, next) in outcomes(&position.rules, &state) {
            let mut path: Vec<Named> = path.clone();
            if action == Action::EndTurn {
                turns.push((path, next));
                continue;
            }
            path.push(named(&position.rules, action));
            match next.as_slice() {
                [(_, only)] if !only.is_over() => {
                    if seen.insert(*only) && seen.len() < MOST {
                        waiting.push_back((path, *only));
                    }
                }
                _ => turns.push((path, next)),
            }
        }
    }
    turns
}

pub(crate) fn named(rules: &Rules, action: Action) -> Named {
    let card = |slot: u8| underscored(&rules.card(slot).to_string());
    let none = Named { play: None, potion: None, target: None, exhaust: None, choice: None, end_turn: None };
    match action {
        Action::EndTurn => Named { end_turn: Some(true), ..none },
        Action::Choose { slot } => Named { choice: Some(card(slot)), ..none },
        Action::Use { potion, target } => {
            let name = rules.potions[usize::from(potion)].data().name;
            Named { potion: Some(format!("{} potion", underscored(name))), target: some(target), ..none }
        }
        Action::Play { slot, target, choice } => {
            let chosen = some(choice).map(card);
            let exhausts = matches!(rules.card(slot).data().name, "true-grit" | "burning-pact");
            let (exhaust, choice) = if exhausts { (chosen, None) } else { (None, chosen) };
            Named { play: Some(card(slot)), target: some(target), exhaust, choice, ..none }
        }
    }
}
