//! Totals with negative rewards, against every policy of small models solved by Gaussian elimination.

use budget::Budget;
use mdp::{Rational, Sense, SolveOptions, ratio};
use model_files::{Builder, ExplicitModel, Kind, StateSet};
use model_questions::{Bound, Question, Unfolded, Unprepared, certificate};

struct Random(u64);

impl Random {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(most)).unwrap()
    }

    /// From state 0 to the last state, which is the goal; rewards from -3 to 3.
    fn model(&mut self) -> ExplicitModel {
        let states = 2 + self.below(4);
        let budget = Budget::default();
        let mut builder = Builder::new(Kind::Mdp, states, &budget).unwrap();
        let (mut of_states, mut of_choices) = (Vec::new(), Vec::new());
        let mut choices = 0;
        for state in 0..states {
            builder.state().unwrap();
            for _ in 0..=self.below(2) {
                let mut targets: Vec<u32> = (0..=self.below(3)).map(|_| self.below(states)).collect();
                // Most choices have some chance of the goal.
                if self.below(5) > 0 {
                    targets.push(states - 1);
                }
                targets.sort_unstable();
                targets.dedup();
                let weights: Vec<u64> = targets.iter().map(|_| 1 + u64::from(self.below(4))).collect();
                builder.choice(&targets, &weights).unwrap();
                of_choices.push((choices, ratio(i64::from(self.below(7)) - 3, 1 + u64::from(self.below(3)))));
                choices += 1;
            }
            of_states.push((state, ratio(i64::from(self.below(3)) - 1, 2)));
        }
        builder.initial(StateSet::from_fn(states, |state| state == 0));
        builder.label("goal", StateSet::from_fn(states, |state| state == states - 1)).unwrap();
        builder.reward("r", of_states, of_choices).unwrap();
        builder.finish().unwrap()
    }
}

fn earned(model: &ExplicitModel, state: u32, choice: u32) -> Rational {
    let reward = model.reward("r").unwrap();
    reward.of_state(state) + reward.of_choice(choice)
}

/// The states that a policy can reach from state 0 before the goal.
fn reached(model: &ExplicitModel, choose: &dyn Fn(u32) -> std::ops::Range<u32>) -> Vec<u32> {
    let goal = model.states() - 1;
    let mut seen = vec![0];
    let mut next = 0;
    while let Some(state) = seen.get(next).copied() {
        next += 1;
        for choice in choose(state) {
            for target in model.outcomes(choice).0 {
                if *target != goal && !seen.contains(target) {
                    seen.push(*target);
                }
            }
        }
    }
    seen
}

/// The total of a policy from state 0; `None` if it may miss the goal.
fn total(model: &ExplicitModel, policy: &[u32]) -> Option<Rational> {
    let states = reached(model, &|state| policy[state as usize]..policy[state as usize] + 1);
    let place = |state: u32| states.iter().position(|own| *own == state);
    // value = earned + mean of the values after it, without the goal, where it is 0.
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    for (own, state) in states.iter().enumerate() {
        let choice = policy[*state as usize];
        let mut row = vec![Rational::ZERO; states.len() + 1];
        row[own] += Rational::ONE;
        for (target, probability) in model.probabilities(choice) {
            if let Some(other) = place(target) {
                row[other] -= probability;
            }
        }
        row[states.len()] = earned(model, *state, choice);
        rows.push(row);
    }
    for column in 0..states.len() {
        let pivot = (column..states.len()).find(|row| !rows[*row][column].is_zero())?;
        rows.swap(column, pivot);
        let top = rows[column].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != column && !row[column].is_zero() {
                let factor = &row[column] / &top[column];
                row.iter_mut().zip(&top).for_each(|(entry, above)| *entry -= &factor * above);
            }
        }
    }
    Some(&rows[0][states.len()] / &rows[0][0])
}

/// The best total of all memoryless policies; `None` if one of them can miss the goal.
fn best(model: &ExplicitModel, sense: Sense) -> Option<Rational> {
    let mut policies = vec![Vec::new()];
    for state in 0..model.states() {
        let extended = policies.iter().flat_map(|policy: &Vec<u32>| {
            model.choices(state).map(move |choice| policy.iter().copied().chain([choice]).collect::<Vec<u32>>())
        });
        policies = extended.collect();
    }
    let totals = policies.iter().map(|policy| total(model, policy)).collect::<Option<Vec<_>>>()?;
    match sense {
        Sense::Max => totals.into_iter().max(),
        Sense::Min => totals.into_iter().min(),
    }
}

/// The best total of a number of steps, by backward induction.
fn best_within(model: &ExplicitModel, sense: Sense, steps: u64) -> Rational {
    let goal = model.states() - 1;
    let mut values = vec![Rational::ZERO; model.states() as usize];
    for _ in 0..steps {
        let worth = |state: u32, choice: u32| {
            let after = model.probabilities(choice).map(|(target, probability)| probability * &values[target as usize]);
            after.fold(earned(model, state, choice), |sum, more| sum + more)
        };
        let best = |state: u32| {
            let choices = model.choices(state).map(|choice| worth(state, choice));
            match sense {
                _ if state == goal => Rational::ZERO,
                Sense::Max => choices.max().unwrap(),
                Sense::Min => choices.min().unwrap(),
            }
        };
        values = (0..model.states()).map(best).collect();
    }
    values.swap_remove(0)
}

#[test]
fn every_policy_of_small_models() {
    let mut random = Random(3);
    let budget = Budget::default();
    let (mut defined, mut undefined, mut below) = (0, 0, 0);
    for _ in 0..1500 {
        let model = random.model();
        let goal = StateSet::from_fn(model.states(), |state| state == model.states() - 1);
        for sense in [Sense::Max, Sense::Min] {
            let question =
                Question { model: &model, goal: goal.clone(), until: None, sense, reward: model.reward("r") };
            let unfolded = Unfolded::new(&question, &[Bound::Steps(4)], vec![0], &budget).unwrap().unwrap();
            let within = unfolded.answer(&question, &SolveOptions::exact()).unwrap().value(0).unwrap();
            assert_eq!(within.exact, Some(best_within(&model, sense, 4)));

            let everywhere = (0..model.states()).all(|state| {
                state == model.states() - 1 || {
                    model.choices(state).all(|choice| earned(&model, state, choice) >= Rational::ZERO)
                }
            });
            if everywhere {
                continue;
            }
            let Some(right) = best(&model, sense) else {
                assert!(matches!(question.prepare(&budget), Err(Unprepared::Undefined(_))));
                undefined += 1;
                continue;
            };
            let rough = question.prepare(&budget).unwrap().answer(&SolveOptions::default()).unwrap().value(0).unwrap();
            let bounds = [mdp::exactly(rough.lower).unwrap(), mdp::exactly(rough.upper).unwrap()];
            assert!(bounds[0] <= right && right <= bounds[1], "{rough:?} {right}");
            let answer = question.prepare(&budget).unwrap().answer(&SolveOptions::exact()).unwrap();
            assert_eq!(answer.value(0).unwrap().exact.as_ref(), Some(&right));
            let first = answer.advise(&question, 0, &budget).unwrap().remove(0);
            assert_eq!(first.value.unwrap().exact.as_ref(), Some(&right));
            let proof = certificate(&question, "goal".into(), None, &answer, &budget).unwrap().unwrap();
            assert_eq!(verify::check(&model, &proof, &budget), Ok(()));
            defined += 1;
            below += u32::from(right < Rational::ZERO);
        }
    }
    assert!(defined > 500 && undefined > 200 && below > 200, "{defined} {undefined} {below}");
}
