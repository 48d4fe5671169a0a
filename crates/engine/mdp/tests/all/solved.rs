//! A solved game gives the same answers with states and actions as its solution with numbers.

use crate::common::{Table, table};
use mdp::{
    Distribution, Game, GameError, Rational, SolveOptions, Solved, SolvedChoice, Standing, Turn, Weight, advise,
    solve_game_with,
};
use proptest::prelude::*;

/// A random table, whose choices are named by their numbers, from its first state.
struct Named(Table);

impl Game for Named {
    type State = usize;
    type Action = usize;

    fn starts(&self) -> Vec<Distribution<usize>> {
        vec![Distribution::certain(0)]
    }

    fn rules(&self, state: &usize, turn: &mut Turn<usize, usize>) {
        match &self.0.states[*state] {
            Ok(payoffs) => turn.end_ordered(payoffs.iter().cloned()),
            Err(choices) => {
                for (number, choice) in choices.iter().enumerate() {
                    turn.choice(number).chance(choice.iter().map(|(weight, next)| (*next, Weight(*weight))));
                }
            }
        }
    }
}

/// The choice of the policy.
fn taken(solved: &Solved<&Named>, state: usize) -> Option<SolvedChoice<usize, usize>> {
    let number = solved.space().number_of(&state).expect("every state is known");
    let taken = solved.solution().policy().choice(number).map(|choice| choice as usize);
    solved.choices(&state).expect("small").into_iter().find(|choice| choice.action == taken)
}

/// The probability of the likeliest path of best play to every state, by relaxing until nothing improves.
fn likeliest(solved: &Solved<&Named>) -> Vec<Rational> {
    let states = solved.space().states();
    let mut best = vec![Rational::ZERO; solved.game().0.states.len()];
    best[0] = Rational::ONE;
    for _ in states {
        for state in states {
            let Some(choice) = taken(solved, *state) else { continue };
            for (next, probability) in choice.outcomes.probabilities() {
                let way = &best[*state] * probability;
                best[*next] = way.max(best[*next].clone());
            }
        }
    }
    best
}

fn check(game: &Named, exact: bool) -> Result<(), TestCaseError> {
    let solved = solve_game_with(game, &SolveOptions::default().with_exact(exact)).expect("solvable");
    let (space, solution) = (solved.space(), solved.solution());
    prop_assert_eq!(solved.start_value(), solved.value(&0).expect("the start"));
    let likeliest = likeliest(&solved);
    let visits = solved.visits().expect("small");
    for (state, likeliest) in likeliest.iter().enumerate() {
        let Some(number) = space.number_of(&state) else {
            prop_assert_eq!(solved.value(&state), Err(GameError::UnknownState { state: state.to_string() }));
            prop_assert!(solved.path_to(|own| *own == state).is_none());
            prop_assert_eq!((visits.probability(&state).decimal(), visits.expected(&state)), (0.0, 0.0));
            continue;
        };
        prop_assert_eq!(solved.value(&state), Ok(solution.value(number)));
        let advice = advise(solution, number, None).expect("small");
        let choices = solved.choices(&state).expect("known");
        prop_assert_eq!(choices.len(), advice.len());
        for (choice, advice) in choices.iter().zip(&advice) {
            prop_assert_eq!(choice.action, Some(advice.choice as usize));
            prop_assert_eq!((&choice.value, choice.standing), (&advice.value, advice.standing));
            let Err(outcomes) = &game.0.states[state] else { panic!("a finished state has no choice") };
            let outcomes =
                Distribution::weighted(outcomes[advice.choice as usize].iter().map(|(w, next)| (*next, Weight(*w))));
            let (own, outcomes) = (choice.outcomes.clone().merge(), outcomes.expect("positive").merge());
            prop_assert!(own.iter().all(|(next, _)| own.probability_of(next) == outcomes.probability_of(next)));
            prop_assert_eq!(own.size(), outcomes.size());
        }
        let best = advice.iter().filter(|advice| advice.standing != Standing::Worse).map(|own| own.choice as usize);
        prop_assert_eq!(solved.best(&state).expect("known"), best.collect::<Vec<_>>());

        let path = solved.path_to(|own| *own == state);
        prop_assert_eq!(path.is_some(), *likeliest > Rational::ZERO);
        prop_assert_eq!(path.is_some(), visits.probability(&state).decimal() > 0.0);
        if let Some(path) = path {
            let expected = mdp::nearest(likeliest);
            prop_assert!((path.probability.decimal() - expected).abs() <= 1e-12 * expected);
            prop_assert_eq!(path.probability.exact(), exact.then_some(likeliest));
            prop_assert_eq!(path.steps.first().map(|step| step.state), Some(0));
            prop_assert_eq!(path.steps.last().map(|step| step.state), Some(state));
        }
    }
    for seed in 0..5 {
        let play: Vec<_> = solved.play(seed).take(200).collect();
        for (step, next) in play.iter().zip(&play[1..]) {
            let choice = taken(&solved, step.state).expect("play goes on");
            prop_assert_eq!(step.action, choice.action);
            prop_assert!(choice.outcomes.probability_of(&next.state) > Rational::ZERO);
            prop_assert_eq!(&step.earned, &Rational::ZERO);
        }
        if let Some(last) = play.last().filter(|_| play.len() < 200) {
            let payoff = game.0.states[last.state].as_ref().ok().map(|payoffs| &payoffs[0]);
            prop_assert_eq!(Some(&last.earned), payoff);
        }
        let again: Vec<_> = solved.play(seed).take(200).collect();
        prop_assert_eq!(play, again);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_its_solution(table in table(true, 1)) {
        let game = Named(table);
        check(&game, true)?;
        check(&game, false)?;
    }
}
