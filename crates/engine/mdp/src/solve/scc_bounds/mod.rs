//! Bounds of a component in floating point.
//!
//! 1. Values that the graph alone determines are taken out (`qualitative.rs`).
//! 2. Value iteration, while it is fast (`value_iteration.rs`), and policy iteration compute approximate values
//!    (`policy_iteration.rs`). A policy induces a Markov chain, whose own strongly connected components are solved one
//!    after another: by sweeps, by accelerated sweeps (`krylov.rs`), or by elimination, whichever is estimated to be
//!    less work (`induced_chain.rs`, `elimination.rs`).
//! 3. Bounds are guessed around the values and proved (`check_bounds.rs`). Where rounding makes them wide, values and proof are
//!    repeated with twice the precision (`double.rs`).
//! 4. Where that fails too, the component must be solved exactly.
//!
//! Whether the bounds hold depends on that proof alone.

mod batch;
mod check_bounds;
mod double;
mod elimination;
mod induced_chain;
mod krylov;
mod options;
mod policy_iteration;
mod qualitative;
mod small_chain;
mod small_options;
mod small_scc;
mod task;
mod tolerance;
mod value_iteration;
mod ways_out;

pub(crate) use small_options::{
    LEAST, NONE, NearOptions, Outside, SmallScc, SmallView, longest, near_is_enough, with_slack, worth_something,
};
pub(crate) use small_scc::SmallSccSolver;

use std::rc::Rc;

use budget::Stopped;

use crate::linear::Effort;
use crate::solution::{CollapsedScc, Ends, Sense};
use crate::solve::{Method, Objective};
use induced_chain::{ChainError, MOST_SWEEPS, Tolerance};
use options::FloatScc;
use task::{Task, gather, scatter};
use ways_out::WaysOut;

/// Bounds of every node, or the best that is known of the component.
pub(crate) enum FloatBounds {
    Proved(Vec<(f64, f64)>),
    /// No tight bounds.
    Unproved {
        /// For every node an option, counted within the node, that is probably the best. `None` where floating point
        /// failed altogether.
        policy: Option<Vec<u32>>,
        /// Bounds that hold, but are wide: the value of a node is between the least and the largest value outside.
        /// `None` where there are rewards.
        wide: Option<Vec<(f64, f64)>>,
    },
    /// Some values of the component may be infinite: play cannot leave it, or can earn in it without end.
    MayBeInfinite,
}

/// The intervals of a component's nodes, if floating point can prove any: within this share of each value, if possible.
pub(crate) fn bounds_of_scc(
    objective: &Objective<'_>,
    scc: &CollapsedScc,
    stays: &[bool],
    ends: &Ends,
    width: f64,
    effort: Effort<'_>,
) -> Result<FloatBounds, Stopped> {
    let float = FloatScc::new(objective, scc, stays, ends, effort.budget)?;
    let never_ends = objective.must_end && float.sense == Sense::Max && scc.has_end_components();
    if never_ends || (0..float.len()).any(|node| float.options(node).is_empty()) {
        return Ok(FloatBounds::MayBeInfinite);
    }
    if !float.every_policy_leaves && float.sense == Sense::Max && qualitative::can_stay(&float) {
        return Ok(FloatBounds::MayBeInfinite);
    }
    effort.budget.check()?;
    let certain = qualitative::certain_values(&float);
    effort.budget.check()?;
    let free: Vec<bool> = certain.iter().map(Option::is_none).collect();
    let ways_out = WaysOut::new(&float, &free);
    let task = Task { scc: &float, free: &free, method: objective.method, is_dear: Rc::default(), effort, ways_out };
    let Some(start) = task.leaving_policy() else { return Ok(FloatBounds::MayBeInfinite) };
    let values: Vec<f64> = certain.iter().map(|value| value.unwrap_or(0.0)).collect();
    if !free.contains(&true) {
        return Ok(FloatBounds::Proved(values.into_iter().map(|value| (value, value)).collect()));
    }
    let mut policy = None;
    let proved = match bounds_of_task(&task, start, values, width, &mut policy) {
        _ if objective.method == Method::Fractions => None,
        Ok(proved) => proved,
        Err(ChainError::Stopped(stopped)) => return Err(stopped),
        Err(ChainError::Singular | ChainError::TooSlow) => None,
    };
    // A mean of values outside lies within their hull.
    let (least, most) = float.hull();
    let limited = |ends: (f64, f64)| {
        if float.every_policy_leaves { (ends.0.max(least), ends.1.min(most)) } else { ends }
    };
    let certainly = |(ends, certain): ((f64, f64), &Option<f64>)| certain.map_or(limited(ends), |value| (value, value));
    match proved {
        Some(nodes) => Ok(FloatBounds::Proved(nodes.into_iter().zip(&certain).map(certainly).collect())),
        None => {
            let wide = float
                .every_policy_leaves
                .then(|| certain.iter().map(|certain| certainly(((least, most), certain))).collect());
            Ok(FloatBounds::Unproved { policy, wide })
        }
    }
}

fn bounds_of_task(
    task: &Task<'_>,
    start: Vec<u32>,
    values: Vec<f64>,
    width: f64,
    policy: &mut Option<Vec<u32>>,
) -> Result<Option<Vec<(f64, f64)>>, ChainError> {
    let (at_all, at_one) = check_bounds::ends(task.scc.sense);
    let mut solved = task.solve(start, values, at_all)?;
    *policy = Some(solved.policy.clone());
    // At the other end the value of any policy is a bound: this policy is as good as any.
    let mut one = solved.values.clone();
    if task.scc.all_options().iter().any(|option| option.outside[0] != option.outside[1]) {
        let right = task.right(&solved.chain, &solved.policy, &one, at_one);
        let mut by_position = Vec::new();
        gather(&solved.chain, &one, &mut by_position);
        solved.chain.solve(
            &right,
            &mut by_position,
            Tolerance { share: tolerance::TOLERANCE, of: None, sweeps: MOST_SWEEPS },
        )?;
        scatter(&solved.chain, &by_position, &mut one);
    }
    let proved = task.prove(&mut solved, &one, width)?;
    let proved = if proved.is_none() { task.prove_doubly(&mut solved, &one)? } else { proved };
    *policy = Some(solved.policy);
    Ok(proved)
}
