//! What a play lost against the best one.

use budget::Budget;
use mdp::Rational;

use super::advise::{named, soonest_over};
use super::named::Named;
use super::simulate_plays::compared_plays;
use super::walk::FightWalk;
use super::worth::{Amount, Interval, ROUNDING, Worth};
use crate::rules::RulesError;
use crate::search::payoff::Payoff;
use crate::simulate::sampled::Simulating;

/// What a play lost, and what would have been best.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayLoss {
    /// The best play: the one that was made, if it lost nothing.
    pub best: Named,
    /// The value of the position by best play.
    pub best_value: Amount,
    /// What was lost; never less than 0.
    pub loss: Amount,
    /// The same simulated, where the search was stopped: it proves nothing.
    pub simulated: Option<SimulatedLoss>,
}

/// What a play lost, simulated in common worlds.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedLoss {
    /// The play that was best in simulated play: the one that was made, unless another was better.
    pub best: Named,
    /// What was lost under best play.
    pub loss: Interval,
    /// The largest probability with which an interval of the answer is wrong.
    pub error: f64,
}

impl PlayLoss {
    /// The loss by one of these plays; `before` is the value of the position.
    pub(super) fn new(before: &Worth, plays: &[(Named, Worth)], made: usize) -> Self {
        let is_cost = before.objective.is_cost();
        let better = |value: Interval| if is_cost { value.flipped() } else { value };
        let (value, whole) = (|place: usize| better(plays[place].1.value), better(before.value));
        let most = |bound: fn(Interval) -> f64, places: &dyn Fn(usize) -> bool| {
            (0..plays.len()).filter(|place| places(*place)).map(value).map(bound).fold(f64::NEG_INFINITY, f64::max)
        };
        let (lower, upper) = (|own: Interval| own.lower, |own: Interval| own.upper);
        let known = Interval { lower: most(lower, &|_| true), upper: most(upper, &|_| true) };
        let best = better(whole.within(known.lower, known.upper));
        let others =
            Interval { lower: most(lower, &|place| place != made), upper: most(upper, &|place| place != made) };
        let mut loss = Interval::ZERO;
        // Equal values that are known to the last digits belong to one position, in which the search goes on.
        if plays.len() > 1 && !(value(made) == whole && value(made).width() < ROUNDING) {
            let apart = others.plus(-1.0, value(made));
            loss = Interval { lower: apart.lower.max(0.0), upper: apart.upper.max(0.0) };
        }
        // Costs are never exact.
        let exact = before.exact.as_ref().zip(plays[made].1.exact.as_ref()).map(|(best, made)| best - made);
        let is_best = exact.as_ref().map_or(loss.upper < ROUNDING, |loss| *loss == Rational::ZERO);
        let place = if is_best { made } else { soonest_over(plays.iter().map(|(_, worth)| worth), before.objective) };
        Self {
            best: plays[place].0.clone(),
            best_value: Amount { bounds: best, exact: before.exact.clone() },
            loss: Amount { bounds: loss, exact },
            simulated: None,
        }
    }

    /// Whether it is not known to rounding.
    fn is_open(&self) -> bool {
        self.loss.exact.is_none() && self.loss.bounds.width() > ROUNDING
    }
}

/// Simulates the losses that are not known, each with a part of the time. Returns whether all of them are as narrow as
/// was wanted.
///
/// # Errors
/// When the objective does not suit such fights.
pub(super) fn simulate_losses(
    losses: &mut [(&FightWalk<'_>, usize, &mut PlayLoss)],
    simulating: Simulating,
    budget: &Budget<'_>,
) -> Result<bool, RulesError> {
    let count = |losses: usize| f64::from(u32::try_from(losses.max(1)).unwrap_or(u32::MAX));
    let mut waiting = losses.iter().filter(|(.., loss)| loss.is_open()).count();
    let (each, mut precise) = (Simulating { error: simulating.error / count(waiting), ..simulating }, waiting > 0);
    for (walk, made, loss) in losses.iter_mut().filter(|(.., loss)| loss.is_open()) {
        let (Some(rules), Some(state)) = (walk.rules, walk.decision()) else { continue };
        let payoff = Payoff::new(walk.objective, rules)?;
        let kinds: Vec<_> = walk.foes.iter().map(|foe| foe.kind).collect();
        let mut actions = Vec::new();
        rules.actions(state, &mut actions);
        // All others are compared with what was played.
        actions.swap(0, *made);
        let part = budget.part(1.0 / count(waiting));
        waiting -= 1;
        let within = each.within(&part);
        let (compared, narrow) =
            compared_plays((rules, &payoff, &kinds), (state, walk.health), (&actions, &[]), each, &within);
        precise &= narrow;
        if compared.iter().all(|own| own.played == Interval::ZERO) {
            continue;
        }
        let most = |bound: fn(Interval) -> f64| compared.iter().map(|own| bound(own.gain)).fold(0.0, f64::max);
        let (lower, upper) = (most(|gain| gain.lower), most(|gain| gain.upper));
        let Interval { lower: least, upper: most } = loss.loss.bounds;
        let lower = lower.clamp(least, most);
        let better = (0..actions.len()).filter(|place| compared[*place].played.lower > 0.0);
        let better =
            better.max_by(|a, b| compared[*a].played.middle().total_cmp(&compared[*b].played.middle())).unwrap_or(0);
        loss.simulated = Some(SimulatedLoss {
            best: named(rules, actions[better]),
            loss: Interval { lower, upper: upper.clamp(lower, most) },
            error: simulating.error,
        });
    }
    Ok(precise)
}
