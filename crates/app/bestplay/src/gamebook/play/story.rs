//! The session of a story in ink.

use std::fmt::Write;

use ink::Play;
use mdp::Dice;

use super::args::PlayArgs;
use super::player_input::PlayerInput;
use super::terminal::{Stop, listen, print, wrap_text};
use crate::gamebook::ink::{Asked, advice_text, unsolved};
use crate::output::{Failure, Format};

const HELP: &str = "\
  1, 2, ...   make this choice
  hint        the odds of every choice from here on
  undo        take the last choice back
  restart     begin again
  help        this
  quit        end the play
The first letter is enough (re for restart).
";

/// Plays a story from its beginning to its end.
pub(super) fn play(args: &PlayArgs, seed: u64) -> Result<(), Stop> {
    let asked =
        Asked { file: &args.book, goal: args.question.story_goal()?, exact: args.engine.exact, format: Format::Text };
    let story = asked.story()?;
    let mut dice = Dice::new(seed, 0);
    let mut roll = |outcomes: u32| u32::try_from(dice.number(outcomes.into())).unwrap_or(0);
    let begin = |roll: &mut dyn FnMut(u32) -> u32| Play::begin(&story, ink::StepLimits::default(), roll);
    let mut play = begin(&mut roll);
    let title = story.title().unwrap_or_else(|| args.book.clone());
    print(&format!("{title}\n  seed {seed}; type help for help\n"))?;
    loop {
        show(&play)?;
        if args.hints && !play.choices().is_empty() {
            hint(&play, args)?;
        }
        loop {
            let Some(input) = listen()? else { return Ok(()) };
            let choices = play.choices().len();
            let wanted = match choices {
                0 => "It is over: take back with undo, begin again with restart, or quit.\n".to_owned(),
                1 => "Type 1, or press Enter; help shows what else there is.\n".to_owned(),
                many => format!("Type a number from 1 to {many}; help shows what else there is.\n"),
            };
            let chosen = match &input {
                PlayerInput::Quit => return Ok(()),
                PlayerInput::Help => {
                    print(HELP)?;
                    continue;
                }
                PlayerInput::Hint if choices > 0 => {
                    hint(&play, args)?;
                    continue;
                }
                PlayerInput::Restart => {
                    play = begin(&mut roll);
                    break;
                }
                PlayerInput::Undo if play.undo() => break,
                PlayerInput::Undo => {
                    print("There is nothing to take back.\n")?;
                    continue;
                }
                PlayerInput::Nothing if choices == 1 => Some(0),
                PlayerInput::Numbers(numbers) => match numbers[..] {
                    [number] => usize::try_from(number).ok().and_then(|number| number.checked_sub(1)),
                    _ => None,
                },
                _ => None,
            };
            if chosen.is_some_and(|choice| play.choose(choice, &mut roll)) {
                break;
            }
            print(&wanted)?;
        }
    }
}

/// Shows the text since the last choice, and what can be chosen, or how the story ended.
fn show(play: &Play) -> Result<(), Stop> {
    let mut out = String::new();
    wrap_text(&mut out, play.text());
    out.push('\n');
    match (play.ending(), play.fault()) {
        (Some(ending), _) => {
            let won = if ending.won { ", won" } else { "" };
            let _ = writeln!(out, "The end: {}{won}.\nundo, restart or quit?", ending.name);
        }
        (None, Some(fault)) => {
            let _ = writeln!(out, "The story breaks off in {}: {}\nundo, restart or quit?", fault.place, fault.message);
        }
        (None, None) => {
            for (number, choice) in (1..).zip(play.choices()) {
                let _ = writeln!(out, "{number:>4}  {choice}");
            }
        }
    }
    print(&out)
}

/// Shows the worth of every choice.
fn hint(play: &Play, args: &PlayArgs) -> Result<(), Stop> {
    let advice = args.engine.run(|run| {
        let options = ink::ReportOptions::default().with_budget(run.budget).with_exact(args.engine.exact);
        play.hint(&options).map_err(|error| unsolved(&error))
    });
    match advice {
        Ok(advice) => print(&advice_text(&[advice])),
        // Only the solver was stopped.
        Err(Failure::Interrupted(_)) => print("Stopped: no hints.\n"),
        Err(failure) => Err(Stop::Failed(failure)),
    }
}
