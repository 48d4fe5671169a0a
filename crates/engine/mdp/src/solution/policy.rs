//! One choice for every state.

use std::sync::Arc;

use rayon::prelude::*;

use super::assured::Assured;
use super::infinite::TotalPolicy;
use super::optimal_choices::ChoiceSets;
use super::ways_out::WaysOut;
use crate::model::{Choice, Family, Model, Scc, StateId};
use crate::support::FEW_STATES;

/// One choice for every state of a model, which it holds.
///
/// The policy of a solution follows one rule. **Outside of components** it takes the lowest of the best choices.
/// **Inside** it takes the lowest best choice that can lead nearer to a way out; the distance is the number of best
/// choices on a shortest path. A state from which no best choice leads out (staying for ever is best there) takes its
/// lowest best choice. Such a policy attains the value: it does not stay for ever where that is worth less. **With
/// rewards**, a state whose largest total is infinite takes a choice that leads nearer to rewards without end, or stays
/// there and earns them; a state from which no best choice leads out, and which eventually earns nothing more, takes
/// one that leads nearer to where that begins.
///
/// If values are bounds, the best choices are those whose bounds overlap; inside of components only those count that
/// assure the bound, so the value of the policy is within the bounds.
#[derive(Clone, Debug)]
pub struct Policy {
    model: Arc<Model>,
    choices: Vec<u32>,
}

/// The state is finished.
const NOTHING: u32 = u32::MAX;

impl Policy {
    /// A policy from a function that is called for every unfinished state; `None` when it names a choice that its state
    /// does not have.
    pub fn new(model: &Arc<Model>, choice: impl Fn(StateId) -> u32 + Sync) -> Option<Self> {
        let states = (0..model.states()).into_par_iter().with_min_len(FEW_STATES);
        let choices = states.map(|state| match model.choices(state).count() {
            0 => Some(NOTHING),
            known => Some(choice(state)).filter(|choice| (*choice as usize) < known),
        });
        Some(Self { model: model.clone(), choices: choices.collect::<Option<_>>()? })
    }

    /// The model that it is a policy of.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The number of the choice that the policy takes in a state; `None` when it is finished.
    #[inline]
    pub fn choice(&self, state: StateId) -> Option<u32> {
        let choice = self.choices[state as usize];
        (choice != NOTHING).then_some(choice)
    }

    /// The choice that the policy takes in a state; `None` when it is finished.
    ///
    /// ```
    /// use mdp::{ModelBuilder, Rational, SolveOptions, solve};
    ///
    /// // Once more from here, or on to the end.
    /// let mut builder = ModelBuilder::new();
    /// let certain = builder.weights(&[1])?;
    /// builder.choice(certain, &[0])?;
    /// builder.choice(certain, &[1])?;
    /// builder.finish_state()?;
    /// builder.finished(&[Rational::ONE])?;
    /// let built = builder.build(None)?;
    /// let (begin, end) = (built.number_of(0), built.number_of(1));
    ///
    /// let policy = solve(&built.model, &SolveOptions::exact())?.policy().clone();
    /// let taken = policy.taken(begin).expect("there is something to choose");
    /// assert_eq!((policy.choice(begin), taken.targets.only()), (Some(1), Some(end)));
    /// assert!(policy.taken(end).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn taken(&self, state: StateId) -> Option<Choice<'_>> {
        self.model.choice(state, self.choice(state)?)
    }

    /// For every state the set of its one choice.
    pub(crate) fn as_sets(&self) -> ChoiceSets {
        let mut sets = ChoiceSets { masks: vec![0; self.choices.len()], ..ChoiceSets::default() };
        for state in 0..self.model.states() {
            if let Some(choice) = self.choice(state) {
                sets.set(state, &[choice]);
            }
        }
        sets
    }

    /// Bytes in use, without the model.
    pub(crate) fn bytes(&self) -> u64 {
        self.choices.capacity() as u64 * 4
    }

    /// The policy that the rule selects among these best choices: with the `assured` values of states where the choices
    /// could be best by bounds only, and with `totals` where the model has rewards.
    pub(crate) fn of(
        model: Arc<Model>,
        best: &ChoiceSets,
        assured: Option<&Assured<'_>>,
        totals: Option<&TotalPolicy<'_>>,
    ) -> Self {
        /// One thread handles fewer families than this sooner than others wake up.
        const FEW_FAMILIES: usize = 16;
        let first = |state| best.first(state).unwrap_or(NOTHING);
        let mut choices: Vec<u32> = (0..model.states()).into_par_iter().with_min_len(FEW_STATES).map(first).collect();
        // The choices of each family that differ from the lowest best choice.
        let mut own = Vec::with_capacity(model.families.len());
        let (mut rest, mut begin) = (&mut choices[..], 0);
        for family in &model.families {
            let (before, after) = rest.split_at_mut((family.end() - begin) as usize);
            own.push(&mut before[(family.first - begin) as usize..]);
            (rest, begin) = (after, family.end());
        }
        let nearer = |ways: &mut WaysOut, (family, own): (&Family, &mut [u32])| {
            let index = |state: StateId| (state - family.first) as usize;
            let mut takes_all = false;
            for (scc, before) in best.sccs(&model, *family, 0..family.sccs) {
                let mut left_out = assured.map_or_else(Vec::new, |assured| assured.worse(&model, best, scc));
                let took_all = std::mem::replace(&mut takes_all, left_out.is_empty());
                if let Some(before) = before.filter(|_| takes_all && took_all && totals.is_none()) {
                    before.iter().zip(scc.iter()).for_each(|(before, state)| own[index(state)] = own[index(before)]);
                } else if !takes_all
                    || totals.is_some_and(|totals| totals.some_endless(scc))
                    || !scc.iter().all(|state| first_leads_out(&model, best, scc, state))
                {
                    ways.find(&model, best, scc, |index, choice| left_out.binary_search(&(index, choice)).is_err());
                    if let Some(assured) = assured.filter(|_| !takes_all && !ways.lead_out()) {
                        left_out = assured.left_out(&model, best, scc);
                        ways.find(&model, best, scc, |index, choice| left_out.binary_search(&(index, choice)).is_err());
                    }
                    let may = |index: u32, choice| left_out.binary_search(&(index, choice)).is_err();
                    let endless = totals.and_then(|totals| totals.endless(&model, best, scc));
                    // A state with a way out takes it: if all have one, no state has to stay.
                    let idling = totals.filter(|_| !ways.lead_out());
                    let to_idle = idling.and_then(|totals| totals.to_idle(&model, best, scc, &may));
                    for (number, state) in (0..).zip(scc.iter()) {
                        let of = |choices: &Option<Vec<Option<u32>>>| choices.as_ref()?[number as usize];
                        let out = || ways.nearer(number as usize);
                        let stays_idle = || of(&to_idle);
                        let stays = || best.of(state).find(|choice| may(number, *choice));
                        if let Some(choice) = of(&endless).or_else(out).or_else(stays_idle).or_else(stays) {
                            own[index(state)] = choice;
                        }
                    }
                }
            }
        };
        let families = model.families.par_iter().with_min_len(FEW_FAMILIES).zip(own);
        families.for_each_init(WaysOut::default, |ways, family| nearer(ways, family));
        Self { model, choices }
    }
}

/// Whether the first best choice of a state can lead out of its component.
fn first_leads_out(model: &Model, best: &ChoiceSets, scc: Scc, state: StateId) -> bool {
    let first = best.choices(model, state).next();
    first.is_some_and(|(_, choice)| choice.targets.iter().any(|target| !scc.contains(target)))
}
