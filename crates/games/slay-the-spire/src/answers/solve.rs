//! The value of a fight.

use budget::{Budget, Stopped};

use super::worth::{ExactEnds, Interval, Worth};
use crate::data::enemy::Kind;
use crate::data::relic::Relic;
use crate::graph::Graph;
use crate::numbers::chance::Chance;
use crate::numbers::rounding::up;
use crate::rules::setup::{Foe, Hero};
use crate::rules::spoils::Spoils;
use crate::rules::state::{Change, State};
use crate::rules::{Rules, RulesError};
use crate::search::Search;
use crate::search::induced_chain::{Chain, Ending, Step};
use crate::search::payoff::{DEFEAT, Objective, Payoff};
use crate::search::policy_worth::EvaluatedPolicy;
use crate::search::root::{Mix, Root};

/// The size of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions between turns, and decisions within them, without health.
    pub states: u64,
    /// Ends of turns that the player could choose.
    pub choices: u64,
    /// Draws and rolls.
    pub outcomes: u64,
}

impl Counts {
    /// The sum of both.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            states: self.states + other.states,
            choices: self.choices + other.choices,
            outcomes: self.outcomes + other.outcomes,
        }
    }
}

/// A solved fight, and the size of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// One for each requested health.
    pub worths: Vec<Worth>,
    /// The size of the search.
    pub counts: Counts,
    /// Why the search stopped early, if it did: the bounds hold, but more time would close them.
    pub stopped: Option<Stopped>,
}

/// How many turns a bound looks ahead. Against a single enemy that costs more than it saves.
fn look_ahead(kinds: &[Kind]) -> u8 {
    if kinds.len() > 1 { 2 } else { 0 }
}

/// An empty graph of a fight between the hero of these rules and these kinds of enemies.
pub(crate) fn graph_of<'a>(rules: &'a Rules, kinds: &[Kind], payoff: &Payoff, exact: Exactness) -> Graph<'a> {
    let graph = Graph::new(rules, kinds, payoff.is_monotone(), look_ahead(kinds));
    if exact == Exactness::Bounds { graph } else { graph.keeping_chances() }
}

/// Solves a fight against these enemies for each of these healths. A budget that runs out leaves wider bounds.
///
/// # Errors
/// When the fight is not modelled.
///
/// ```
/// use slay_the_spire::{Foe, Hero, Objective, solve};
///
/// let hero = Hero::new(0);
/// let cultist = Foe::of("cultist".parse()?, 0);
/// let solved = solve(&hero, &[cultist], &[80], Objective::Health, &budget::Budget::unlimited())?;
/// let value = solved.worths[0].value;
/// assert!(value.lower <= 40517009.0 / 518616.0 && 40517009.0 / 518616.0 <= value.upper && value.width() < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    hero: &Hero,
    foes: &[Foe],
    healths: &[i16],
    objective: Objective,
    budget: &Budget<'_>,
) -> Result<Solved, RulesError> {
    let fight = Fight { hero, foes, healths, objective };
    solve_with(fight, FightOptions { exact: Exactness::Bounds, ends: true }, budget, budget)
}

/// The same with the exact values, where the numbers fit; not for [`Objective::Loss`] and [`Objective::Turns`].
///
/// # Errors
/// When the fight is not modelled.
///
/// ```
/// use slay_the_spire::{Foe, Hero, Objective, solve_exactly};
///
/// let looter = Foe::of("looter".parse()?, 0);
/// let budget = budget::Budget::unlimited();
/// let solved = solve_exactly(&Hero::new(0), &[looter], &[80], Objective::Health, &budget)?;
/// assert_eq!(solved.worths[0].exact, Some(mdp::ratio(100_178, 1_323)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_exactly(
    hero: &Hero,
    foes: &[Foe],
    healths: &[i16],
    objective: Objective,
    budget: &Budget<'_>,
) -> Result<Solved, RulesError> {
    let fight = Fight { hero, foes, healths, objective };
    solve_with(fight, FightOptions { exact: Exactness::Value, ends: true }, budget, budget)
}

/// What is wanted exactly, where the numbers fit; not for [`Objective::Loss`] and [`Objective::Turns`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exactness {
    /// Nothing: bounds are enough.
    #[default]
    Bounds,
    /// What is played for.
    Value,
    /// The value, and how the fight ends.
    Everything,
}

impl Exactness {
    /// The part of it that is possible: a model of ends does not have what is lost on the way.
    pub(crate) fn of(self, objective: Objective) -> Self {
        if objective.is_cost() { Self::Bounds } else { self }
    }
}

/// How to solve a fight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FightOptions {
    /// What is wanted exactly.
    pub exact: Exactness,
    /// Whether the process ends when the run is stopped: then memory need not be released piece by piece.
    pub ends: bool,
}

/// A fight that is to be solved.
#[derive(Clone, Copy)]
pub(crate) struct Fight<'f> {
    pub hero: &'f Hero,
    pub foes: &'f [Foe],
    /// With each of these healths at the start.
    pub healths: &'f [i16],
    pub objective: Objective,
}

/// Solves a fight with these options. When the search runs out of time, what it left open is simulated within `rest`.
pub(crate) fn solve_with(
    fight: Fight<'_>,
    options: FightOptions,
    budget: &Budget<'_>,
    rest: &Budget<'_>,
) -> Result<Solved, RulesError> {
    let Fight { hero, foes, healths, objective } = fight;
    let measured = foes.iter().any(|foe| foe.kind == Kind::Hexaghost) || hero.relics.has(Relic::RedSkull);
    if healths.len() > 1 && measured {
        // What Hexaghost measures, and what a Red Skull sees, makes a separate fight for each health.
        let each = |health: &i16| {
            let fight = Fight { healths: &[*health], ..fight };
            solve_with(fight, FightOptions { ends: false, ..options }, budget, rest)
        };
        return Ok(side_by_side(&healths.iter().map(each).collect::<Result<Vec<_>, _>>()?));
    }
    let rules = hero.rules(foes)?.beginning_with(healths.first().copied().unwrap_or(hero.max_health));
    let kinds: Vec<Kind> = foes.iter().map(|foe| foe.kind).collect();
    let payoff = Payoff::new(objective, &rules)?;
    let exact = options.exact.of(objective);
    let mut graph = graph_of(&rules, &kinds, &payoff, exact);
    let mut starts: Vec<(Chance, u32, Change)> = Vec::new();
    // They are sorted by the enemies' health.
    let mut weakest = None;
    for (chance, state) in hero.starts(&rules, foes) {
        // With many cards each of them takes a while.
        if let Err(stopped) = budget.check() {
            return Ok(unsolved(&rules, &payoff, objective, healths, counts(&graph), stopped));
        }
        starts.push((chance, graph.after_node(&state), state.health));
        weakest.get_or_insert(state);
    }
    let search = Search::new(&mut graph, payoff, rules.all_potions());
    let mut solving = Solving {
        search,
        objective,
        options: FightOptions { exact, ..options },
        budget,
        rest,
        stopped: None,
        reported: false,
    };
    let each = healths.iter().flat_map(|health| starts.iter().map(move |(_, node, change)| (*node, *change, *health)));
    let begins = each.map(|(node, change, health)| (node, solving.begin(change, health))).collect();
    solving.find_values(begins, weakest.as_ref());
    let mut worths: Vec<Worth> = healths.iter().map(|health| solving.worth(&starts, *health)).collect();
    if solving.stopped.is_some() && solving.search.payoff.is_monotone() && !measured {
        more_health_is_no_worse(&mut worths);
    }
    let Solving { search, stopped, .. } = solving;
    let counts = counts(search.graph);
    if stopped.is_some() && options.ends {
        std::mem::forget(search);
        std::mem::forget(graph);
    }
    Ok(Solved { worths, counts, stopped })
}

/// A search in progress.
struct Solving<'s, 'g, 'a> {
    search: Search<'g, 'a>,
    objective: Objective,
    options: FightOptions,
    budget: &'s Budget<'s>,
    /// The budget for everything after the search runs out of time.
    rest: &'s Budget<'s>,
    stopped: Option<Stopped>,
    /// Whether the value of the first health has been computed.
    reported: bool,
}

impl Solving<'_, '_, '_> {
    /// The health at the beginning of a fight, as the search defines it.
    fn begin(&self, change: Change, health: i16) -> i16 {
        if self.search.payoff.loss { 0 } else { change.after(health).unwrap_or(health) }
    }

    /// Computes the values of these after nodes with their healths; the policy is extracted later.
    fn find_values(&mut self, begins: Vec<(u32, i16)>, weakest: Option<&State>) {
        let Self { search, budget, stopped, .. } = self;
        search.inferring(true);
        search.bound_within(budget);
        let most = begins.iter().map(|(_, begin)| *begin).max();
        *stopped = search.fits(budget).err();
        if let (Some(state), Some(most), None) = (weakest, most, *stopped) {
            *stopped = search.warm_start(state, most, budget).err();
        }
        if stopped.is_none() {
            *stopped = search.deepen_together(&begins, budget).err();
        }
        for (node, begin) in begins {
            if stopped.is_none() {
                *stopped = search.solve(node, begin, budget).err();
            }
        }
        if stopped.is_none() {
            search.inferring(false);
        }
    }

    /// The value of the fight for a health at the start.
    fn worth(&mut self, starts: &[(Chance, u32, Change)], health: i16) -> Worth {
        let mut upper = 0.0;
        let mut nodes = Vec::new();
        for (chance, node, change) in starts {
            let begin = self.begin(*change, health);
            if self.stopped.is_none() {
                self.stopped = self.search.solve(*node, begin, self.budget).err();
            }
            upper += chance.as_f64() * self.search.after_value(*node, begin);
            nodes.push((*chance, *node, begin));
        }
        // After the first health there is only the time that is left.
        let has_time = !std::mem::replace(&mut self.reported, true) || self.rest.check().is_ok();
        let Self { search, objective, options, budget, rest, stopped, .. } = self;
        let possible = nodes.iter().map(|(_, _, begin)| search.possible(*begin)).fold(f64::NEG_INFINITY, f64::max);
        let upper = up(upper, starts.len()).min(possible);
        // Where best play is not known, two policies are followed; the value of either is a lower bound.
        let plays = stopped.is_some() && !search.payoff.is_cost() && has_time;
        let by_thumb = plays.then(|| search.play_rollout(&nodes, rest));
        // Results are reported even when time is up.
        let mut chain = Chain { cut: stopped.is_some() && !has_time, ..Chain::default() };
        let step = follow_beginnings(search, &nodes, &mut chain, stopped.and(Some(*rest)));
        if stopped.is_some() && search.payoff.loss {
            // What is not followed could have any cost.
            search.walk_all_with_fallback(&mut chain, rest);
        } else if stopped.is_some() {
            search.walk_likely(&mut chain, &step.to, rest);
        } else {
            let walked = search.walk_all(&mut chain, &Budget::unlimited());
            debug_assert!(walked.is_ok(), "nothing stops an unlimited budget");
        }
        if search.payoff.turns {
            chain.give_up_the_rest();
        }
        let evaluated = EvaluatedPolicy::new(search, &chain, *objective);
        let mut worth = evaluated.worth(&step, upper, health);
        drop(evaluated);
        // A user who stops a run waits for its answer. Releasing gigabytes piece by piece would take longer than
        // everything else.
        if stopped.is_some() && options.ends {
            std::mem::forget(chain);
        }
        if let Some(step) = by_thumb {
            let ends = Chain::default();
            let other = EvaluatedPolicy::new(search, &ends, *objective).worth(&step, upper, health);
            if other.value.lower > worth.value.lower {
                worth = other;
            }
        }
        if options.exact != Exactness::Bounds && stopped.is_none() {
            let mix: Mix = nodes.into_iter().map(|(chance, node, begin)| (chance, Root::After(node), begin)).collect();
            *stopped = make_exact(search, &[mix], &mut [&mut worth], options.exact, budget).err();
        }
        worth
    }
}

/// Computes the exact values of these beginnings, where the numbers fit.
pub(crate) fn make_exact(
    search: &mut Search<'_, '_>,
    mixes: &[Mix],
    worths: &mut [&mut Worth],
    exact: Exactness,
    budget: &Budget<'_>,
) -> Result<(), Stopped> {
    let Some(model) = search.exact_model(mixes, exact == Exactness::Everything, budget)? else { return Ok(()) };
    for (place, worth) in worths.iter_mut().enumerate() {
        worth.exact = model.value(place);
        if exact == Exactness::Everything {
            worth.exact_ends = model.final_health(place, budget)?.map(ExactEnds::new);
        }
    }
    Ok(())
}

/// Follows the beginnings of a fight. Those for which a budget has no time left count as nothing.
fn follow_beginnings(
    search: &mut Search<'_, '_>,
    nodes: &[(Chance, u32, i16)],
    chain: &mut Chain,
    budget: Option<&Budget<'_>>,
) -> Step {
    let mut step = Step::default();
    for (chance, node, begin) in nodes {
        if chain.cut || budget.is_some_and(|budget| budget.look().is_err()) {
            chain.cut = true;
            if search.payoff.turns {
                // It is given up after the first turn.
                step.loss += chance.as_f64();
                step.ends.push((chance.as_f64(), Ending::DEAD));
            }
            continue;
        }
        let mut begun = Step::default();
        search.follow_rolls(chance.as_f64(), *node, *begin, chain, &mut begun);
        step.to.append(&mut begun.to);
    }
    step.merge();
    step
}

/// The bounds known before any search.
pub(crate) fn unsolved(
    rules: &Rules,
    payoff: &Payoff,
    objective: Objective,
    healths: &[i16],
    counts: Counts,
    stopped: Stopped,
) -> Solved {
    let loss = objective == Objective::Loss;
    let worth = |health: &i16| {
        let begin = if rules.has(Relic::BloodVial) { health + 2 } else { *health };
        let most = if rules.can_heal() { rules.most_health() } else { begin.min(rules.max_health) };
        let value = match objective {
            Objective::Loss => Interval { lower: 0.0, upper: f64::INFINITY },
            // It can be given up after the first turn.
            Objective::Turns => Interval { lower: 1.0, upper: 1.0 + DEFEAT },
            _ => Interval { lower: 0.0, upper: payoff.at_most(most.into(), rules.all_potions()) },
        };
        let most = f64::from(payoff.ending(most, Spoils { potions: 0, gained: rules.raised }).health);
        Worth {
            expected_health: (!loss).then_some(Interval { lower: 0.0, upper: most }),
            survival: Interval { lower: if loss { 1.0 } else { 0.0 }, upper: 1.0 },
            ..Worth::between(value, *health, objective)
        }
    };
    Solved { worths: healths.iter().map(worth).collect(), counts, stopped: Some(stopped) }
}

/// Where the search was stopped: with more health a fight is worth no less, so bounds of one health are bounds of others.
fn more_health_is_no_worse(worths: &mut [Worth]) {
    let mut order: Vec<usize> = (0..worths.len()).collect();
    order.sort_by_key(|place| worths[*place].health);
    let better = |value: Interval, is_cost: bool| if is_cost { value.flipped() } else { value };
    let mut least = f64::NEG_INFINITY;
    for place in &order {
        let (is_cost, value) = (worths[*place].objective.is_cost(), worths[*place].value);
        least = least.max(better(value, is_cost).lower);
        worths[*place].value = better(better(value, is_cost).within(least, f64::INFINITY), is_cost);
    }
    let mut most = f64::INFINITY;
    for place in order.iter().rev() {
        let (is_cost, value) = (worths[*place].objective.is_cost(), worths[*place].value);
        most = most.min(better(value, is_cost).upper);
        worths[*place].value = better(better(value, is_cost).within(f64::NEG_INFINITY, most), is_cost);
    }
}

/// Fights for one health each as one answer.
fn side_by_side(parts: &[Solved]) -> Solved {
    Solved {
        worths: parts.iter().flat_map(|part| part.worths.iter().cloned()).collect(),
        counts: parts.iter().fold(Counts::default(), |sum, part| sum.and(part.counts)),
        stopped: parts.iter().find_map(|part| part.stopped),
    }
}

/// The size of a graph.
pub(crate) fn counts(graph: &Graph<'_>) -> Counts {
    Counts {
        states: graph.states(),
        choices: graph.edges.len() as u64,
        outcomes: (graph.outs.len() + graph.items.len()) as u64,
    }
}
