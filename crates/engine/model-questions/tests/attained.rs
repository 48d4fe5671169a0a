//! Following the choices that are listed first attains the value, also an infinite one: random models, and chains that
//! are solved here by textbook elimination, exactly.

use budget::Budget;
use mdp::{Rational, Sense, SolveOptions, Standing, ratio};
use model_files::{Builder, ExplicitModel, Kind, StateSet};
use model_questions::{Answer, Question};

/// Pseudorandom numbers that a seed determines (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((z ^ (z >> 31)) % u64::from(bound)).expect("a small number")
    }
}

/// The value of a state; `None`: infinite.
type Worth = Option<Rational>;

fn number(state: usize) -> u32 {
    u32::try_from(state).expect("a small model")
}

/// A model with many ties, loops and end components, in which few choices have a reward.
fn random(numbers: &mut Numbers, budget: &Budget<'_>) -> ExplicitModel {
    let states = 2 + numbers.below(6);
    let mut builder = Builder::new(Kind::Mdp, states, budget).expect("small");
    let mut choices = 0;
    for _ in 0..states {
        builder.state().expect("not too many");
        for _ in 0..=numbers.below(3) {
            let mut targets: Vec<u32> =
                (0..=numbers.below(3) * numbers.below(2)).map(|_| numbers.below(states)).collect();
            targets.sort_unstable();
            targets.dedup();
            let weights: Vec<u64> = targets.iter().map(|_| u64::from(1 + numbers.below(2))).collect();
            builder.choice(&targets, &weights).expect("sound");
            choices += 1;
        }
    }
    let rare = 1 + numbers.below(4);
    let mut earned = |count: u32| -> Vec<(u32, Rational)> {
        (0..count).filter(|_| numbers.below(rare) == 0).map(|of| (of, ratio(1 + i64::from(of % 2), 2))).collect()
    };
    let (of_states, of_choices) = (if choices % 3 == 0 { earned(states) } else { Vec::new() }, earned(choices));
    builder.reward("r", of_states, of_choices).expect("no negative ones");
    builder.initial(StateSet::from_fn(states, |state| state == 0));
    builder.finish().expect("whole")
}

/// The value of every state under these choices (by their numbers in the model).
fn worth(question: &Question<'_>, taken: &[u32]) -> Vec<Worth> {
    let model = question.model;
    let states = model.states() as usize;
    let blocked = |state: usize| question.until.as_ref().is_some_and(|until| !until.contains(number(state)));
    let goal = |state: usize| question.goal.contains(number(state));
    let targets = |state: usize| if goal(state) || blocked(state) { &[][..] } else { model.outcomes(taken[state]).0 };
    let reaches = |mut reached: Vec<bool>| {
        for _ in 0..states {
            for state in 0..states {
                reached[state] |= targets(state).iter().any(|target| reached[*target as usize]);
            }
        }
        reached
    };
    let may_reach = reaches((0..states).map(goal).collect());
    let may_miss = reaches(may_reach.iter().map(|reaches| !reaches).collect());
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    for state in 0..states {
        let mut row = vec![Rational::ZERO; states + 1];
        row[state] = Rational::ONE;
        if goal(state) {
            row[states] = if question.reward.is_some() { Rational::ZERO } else { Rational::ONE };
        } else if may_reach[state] && !blocked(state) {
            for (target, p) in model.probabilities(taken[state]) {
                row[target as usize] -= p;
            }
            if let Some(reward) = question.reward {
                row[states] = reward.of_state(number(state)) + reward.of_choice(taken[state]);
            }
        }
        rows.push(row);
    }
    for column in 0..states {
        let pivot = (column..states).find(|row| rows[*row][column] != Rational::ZERO).expect("one solution");
        rows.swap(column, pivot);
        let scale = rows[column][column].clone();
        rows[column].iter_mut().for_each(|value| *value = &*value / &scale);
        let pivot = rows[column].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != column && row[column] != Rational::ZERO {
                let factor = row[column].clone();
                row.iter_mut().zip(&pivot).for_each(|(value, pivot)| *value = &*value - &factor * pivot);
            }
        }
    }
    let infinite = |state: usize| question.reward.is_some() && may_miss[state];
    (0..states).map(|state| (!infinite(state)).then(|| rows[state][states].clone())).collect()
}

/// The best over all policies; `None` where there are too many of them.
fn best(question: &Question<'_>) -> Option<Vec<Worth>> {
    const MOST: u32 = 200;
    let model = question.model;
    let states = model.states();
    if (0..states).try_fold(1u32, |all, state| all.checked_mul(model.choices(state).len().try_into().ok()?))? > MOST {
        return None;
    }
    let mut taken: Vec<u32> = (0..states).map(|state| model.choices(state).start).collect();
    let mut best: Option<Vec<Worth>> = None;
    loop {
        let own = worth(question, &taken);
        best = Some(match best {
            None => own,
            Some(best) => {
                let better = |(a, b): (Worth, Worth)| match (a, b, question.sense) {
                    (Some(a), Some(b), Sense::Max) => Some(a.max(b)),
                    (Some(a), Some(b), Sense::Min) => Some(a.min(b)),
                    (a, b, Sense::Min) => a.or(b),
                    (_, _, Sense::Max) => None,
                };
                best.into_iter().zip(own).map(better).collect()
            }
        });
        let Some(state) = (0..states).find(|state| taken[*state as usize] + 1 < model.choices(*state).end) else {
            return best;
        };
        (0..state).for_each(|earlier| taken[earlier as usize] = model.choices(earlier).start);
        taken[state as usize] += 1;
    }
}

#[derive(Debug, Default)]
struct Seen {
    infinite: usize,
    leading_back: usize,
    infinite_leading_back: usize,
    enumerated: usize,
}

/// The choices that are listed first, and how every other one compares.
fn check_stars(question: &Question<'_>, answer: &Answer, values: &[Worth], budget: &Budget<'_>, seen: &mut Seen) {
    let model = question.model;
    let advice: Vec<_> =
        (0..model.states()).map(|state| answer.advise(question, state, budget).expect("small")).collect();
    let first: Vec<u32> = (0u32..)
        .zip(&advice)
        .map(|(state, own)| model.choices(state).start + own.first().map_or(0, |own| own.choice))
        .collect();
    assert_eq!(worth(question, &first), values);
    for (state, own) in (0u32..).zip(&advice) {
        let value = &values[state as usize];
        if value.is_none() {
            assert_eq!(own.len(), model.choices(state).len(), "infinite values have choices");
            seen.infinite += 1;
        }
        for (place, listed) in own.iter().enumerate() {
            assert_eq!(listed.standing == Standing::First, place == 0);
            let mut always = first.clone();
            always[state as usize] = model.choices(state).start + listed.choice;
            let attains = worth(question, &always)[state as usize] == *value;
            assert_eq!(
                attains,
                matches!(listed.standing, Standing::First | Standing::Equal),
                "state {state}: {listed:?}"
            );
            if listed.standing == Standing::LeadsBack {
                seen.leading_back += 1;
                seen.infinite_leading_back += usize::from(value.is_none());
            }
            if listed.best && answer.is_exact() {
                assert_eq!(listed.value.as_ref().and_then(|value| value.exact.clone()), *value);
            }
        }
    }
}

fn check(seed: u64, seen: &mut Seen) {
    let budget = Budget::unlimited();
    let mut numbers = Numbers(seed);
    let model = random(&mut numbers, &budget);
    let states = model.states();
    let goal = StateSet::from_fn(states, |state| state + 1 == states || numbers.below(8) == 0);
    let until = (numbers.below(4) == 0).then(|| StateSet::from_fn(states, |_| numbers.below(4) != 0));
    for sense in [Sense::Max, Sense::Min] {
        for reward in [None, model.reward("r")] {
            let until = until.clone().filter(|_| reward.is_none());
            let question = Question { model: &model, goal: goal.clone(), until, sense, reward };
            let answer = |exact| {
                let options = SolveOptions::default().with_exact(exact).with_threads(1);
                question.prepare(&budget).expect("small").answer(&options).expect("solvable")
            };
            let exact = answer(true);
            let values: Vec<Worth> =
                (0..states).map(|state| exact.value(state).map(|value| value.exact.expect("exact"))).collect();
            if let Some(best) = best(&question) {
                assert_eq!(values, best);
                seen.enumerated += 1;
            }
            let taken: Vec<u32> = (0..states)
                .map(|state| model.choices(state).start + exact.choice(&question, state).unwrap_or(0))
                .collect();
            assert_eq!(worth(&question, &taken), values, "what is written into files");
            check_stars(&question, &exact, &values, &budget, seen);
            check_stars(&question, &answer(false), &values, &budget, seen);
        }
    }
}

#[test]
fn the_first_listed_choice_attains_the_value() {
    let mut seen = Seen::default();
    for seed in 0..300 {
        check(seed, &mut seen);
    }
    let enough = seen.infinite > 300 && seen.leading_back > 50 && seen.infinite_leading_back > 5;
    assert!(enough && seen.enumerated > 300, "{seen:?}");
}

#[test]
#[ignore = "a minute"]
fn thorough_first_listed_choices_attain_the_value() {
    let mut seen = Seen::default();
    for seed in 1_000..11_000 {
        check(seed, &mut seen);
    }
    assert!(seen.infinite_leading_back > 100, "{seen:?}");
}
