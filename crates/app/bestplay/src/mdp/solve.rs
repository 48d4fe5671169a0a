//! `mdp solve`: the best probability of reaching a goal, or the best expected reward until then.

use std::time::Instant;

use budget::{Budget, Stage};
use mdp::{SolveOptions, Value, decimal_text};
use model_files::{ExplicitModel, StateSet};
use model_questions::{
    Answer, Bound, Question, RewardBound, Solved, Unfolded, UnfoldedAnswer, ValueJson, certificate, prepare_and_drop,
};
use prism::{ReadRequest, over_labels};
use verify::Certificate;

use super::answer::{GoalAnswer, Report};
use super::input::{ReadModel, bounded_reward_model, reward_model, states};
use super::solve_args::SolveArgs;
use super::unanswered::{unanswered, unprepared};
use crate::arguments::engine_args::Run;
use crate::export;
use crate::output::{Failure, write_file};

/// Answers all goals.
pub fn solve(args: &SolveArgs, run: Run<'_>) -> Result<(), Failure> {
    let budget = run.budget;
    args.one_goal_for_files()?;
    let expressions: Vec<&str> = args.goals.iter().chain(&args.until).map(String::as_str).collect();
    let bounds = args.bounds();
    let exact = args.engine.exact || args.certificate.is_some();
    let options = SolveOptions::from(*run.options).with_exact(exact);
    let options = options.with_method(args.method.into()).with_precision(args.precision);
    let mut report = Report::default();
    let mut answers = Vec::new();
    // A model that was explored completely for one goal serves all of them.
    let mut whole: Option<ReadModel> = None;
    for goal in &args.goals {
        let began = Instant::now();
        let read = match whole.take() {
            Some(read) => read,
            None => {
                let question = args.reaching(goal, &bounds);
                read(args, &ReadRequest { question, expressions: &expressions, from: None }, budget)?
            }
        };
        report.add(&read);
        report.seconds_read += began.elapsed().as_secs_f64();
        let began = Instant::now();
        // All goals share the model then: it is written once.
        if let Some(path) = args.export_model.as_ref().filter(|_| answers.is_empty()) {
            export::write_model(path, &read.model, budget)?;
        }
        let initial: Vec<u32> = read.model.initial().iter().collect();
        let (solved, within) = if args.goals.len() == 1 && args.is_plain() {
            // The input model is freed while the engine's is built.
            plain(args, read.model, goal, &options, budget)?
        } else {
            let answer = one(args, &read, goal, &options, budget)?;
            whole = Some(read).filter(|read| read.cut == 0);
            answer
        };
        report.too_wide |= !within;
        let value = |state: &u32| (*state, ValueJson::new(solved.value(*state, exact).as_ref()));
        answers.push(GoalAnswer { goal: goal.clone(), values: initial.iter().map(value).collect() });
        report.seconds_solve += began.elapsed().as_secs_f64();
    }
    report.print(args, &answers)
}

/// Reads the model, which must have an initial state.
fn read(args: &SolveArgs, asked: &ReadRequest<'_>, budget: &Budget<'_>) -> Result<ReadModel, Failure> {
    let read = args.model.read(asked, args.until.as_deref(), budget)?;
    if read.model.initial().is_empty() {
        let problem = format_args!("{} has no initial state", args.model.file.display());
        return Err(Failure::bad_input(problem, "label one `init`"));
    }
    Ok(read)
}

/// Answers a goal that asks for a probability only. Returns whether all bounds are as narrow as requested.
fn plain(
    args: &SolveArgs,
    model: ExplicitModel,
    goal: &str,
    options: &SolveOptions<'_>,
    budget: &Budget<'_>,
) -> Result<(Solved, bool), Failure> {
    let initial: Vec<u32> = model.initial().iter().collect();
    let states = states(&model, goal, "--goal", budget)?;
    let prepared =
        prepare_and_drop(model, &states, args.sense.into(), budget).map_err(|error| unprepared(&error.into()))?;
    let answer = prepared.answer(options).map_err(|error| unanswered(&error, &initial, Answer::value))?;
    let mut solved = Solved::Reached(answer);
    let within = solved.sharpen(initial.iter().copied(), args.precision, options)?;
    Ok((solved, within))
}

/// Answers one goal, and writes its files. Returns whether all bounds are as narrow as requested.
fn one(
    args: &SolveArgs,
    read: &ReadModel,
    goal: &str,
    options: &SolveOptions<'_>,
    budget: &Budget<'_>,
) -> Result<(Solved, bool), Failure> {
    let model = &read.model;
    let until = args.until.as_ref().map(|until| states(model, until, "--until", budget)).transpose()?;
    let reward = args.reward.as_deref().map(|name| reward_model(model, name)).transpose()?;
    let question =
        Question { model, goal: states(model, goal, "--goal", budget)?, until, sense: args.sense.into(), reward };
    let mut solved = if args.steps.is_some() || !args.reward_bound.is_empty() {
        Solved::Unfolded(unfolded(args, &question, options, budget)?)
    } else {
        let prepared = question.prepare(budget).map_err(|error| unprepared(&error))?;
        let initial: Vec<u32> = model.initial().iter().collect();
        let answer = prepared.answer(options).map_err(|error| unanswered(&error, &initial, Answer::value))?;
        write_proof(args, read, goal, &question, &answer, budget)?;
        Solved::Reached(answer)
    };
    let is_printed = |state: &u32| args.table().is_some() || model.initial().contains(*state);
    let within = solved.sharpen((0..model.states()).filter(is_printed), args.precision, options)?;
    if let Some(path) = args.table() {
        write_file(path, |out| {
            writeln!(out, "state,lower,upper,exact")?;
            for state in 0..model.states() {
                budget.step(Stage::Writing, state.into(), (model.states() - state).into())?;
                match solved.value(state, options.exact) {
                    None => writeln!(out, "{state},inf,inf,inf")?,
                    Some(Value { lower, upper, exact, .. }) => {
                        let exact = exact.map(|exact| exact.to_string()).unwrap_or_default();
                        writeln!(out, "{state},{},{},{exact}", decimal_text(lower), decimal_text(upper))?;
                    }
                }
            }
            Ok(())
        })?;
    }
    Ok((solved, within))
}

/// Answers a question with bounds on steps and rewards.
fn unfolded(
    args: &SolveArgs,
    question: &Question<'_>,
    options: &SolveOptions<'_>,
    budget: &Budget<'_>,
) -> Result<UnfoldedAnswer, Failure> {
    let model = question.model;
    let mut bounds: Vec<Bound<'_>> = args.steps.map(Bound::Steps).into_iter().collect();
    for RewardBound { name, most } in &args.reward_bound {
        bounds.push(Bound::Reward(bounded_reward_model(model, name)?, most.clone()));
    }
    let all = args.table().is_some();
    let starts: StateSet = if all { StateSet::from_fn(model.states(), |_| true) } else { model.initial().clone() };
    let unfolded = Unfolded::new(question, &bounds, starts.iter().collect(), budget);
    let unfolded = unfolded.map_err(|error| unprepared(&error))?.ok_or_else(|| {
        Failure::bad_input("--reward-bound: more than 64 bits", "a smaller bound, or rewards with fewer digits")
    })?;
    let initial: Vec<u32> = model.initial().iter().collect();
    unfolded.answer(question, options).map_err(|error| unanswered(&error, &initial, UnfoldedAnswer::value))
}

/// Writes the certificate and the policy.
fn write_proof(
    args: &SolveArgs,
    read: &ReadModel,
    goal: &str,
    question: &Question<'_>,
    answer: &Answer,
    budget: &Budget<'_>,
) -> Result<(), Failure> {
    let model = &read.model;
    if let Some(path) = &args.certificate {
        let goal = over_labels(model, goal);
        let until = args.until.as_ref().map(|until| over_labels(model, until));
        let certificate = certificate(question, goal, until, answer, budget)?.ok_or_else(|| {
            Failure::failed("the values are not exact, so there is no certificate", "please report this")
        })?;
        let certificate = Certificate { cut: read.cut, ..certificate };
        write_file(path, |file| certificate.write(file, budget))?;
    }
    if let Some(path) = &args.export_policy {
        let rows = (0..model.states()).map(|state| {
            let choice = answer.choice(question, state);
            let name = choice.and_then(|number| model.action(model.choices(state).start + number));
            export::PolicyRow {
                state: state.to_string(),
                choice,
                action: name.unwrap_or("").into(),
                value: answer.value(state),
            }
        });
        export::write_policy(path, rows, budget)?;
    }
    Ok(())
}
