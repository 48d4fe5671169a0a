//! `bestplay`: exact best play for single-player games of chance. The command knows neither the rules of a game nor how one is
//! solved. Start reading here: this file only knows `bestplay <game> <verb>`; each game has a module that parses its arguments,
//! calls its crate and prints.
//!
//! A command ends in good order when its budget stops it (`arguments/engine_args.rs` makes the [`Budget`](budget::Budget) from
//! the arguments). `signal.rs` records Ctrl-C and SIGTERM; `ending.rs` ends a process whose code checks its budget too rarely.
//! Everything printed goes through `shown.rs`, which removes terminal control sequences. All files are written by the crate
//! `whole-file`, which tracks temporary files, so that they can be removed before the process ends. For books, `gamebook/input`
//! reads books and heroes, each verb has a file, and `gamebook/answer` has the output that several verbs share.

mod arguments;
mod bar;
mod browser;
mod diagnostic;
mod ending;
mod export;
mod fighting_fantasy;
mod gamebook;
mod lone_wolf;
mod mdp;
mod memory;
mod numbers;
mod output;
mod pointed;
mod quantities;
mod red_november;
mod roster;
mod serve;
mod shown;
mod signal;
mod slay_the_spire;
mod table_file;
mod values;

use std::io;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::{CommandFactory, Parser, Subcommand};

use crate::arguments::{manual, moved};
use crate::output::Failure;
use crate::shown::Escapes;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: allocator::MiMalloc = allocator::MiMalloc;

/// Exact best play for single-player games of chance.
#[derive(Parser)]
#[command(name = "bestplay", version, propagate_version = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    game: Option<Game>,
}

#[derive(Subcommand)]
enum Game {
    /// Fighting Fantasy: the odds of a fight, and the best use of luck
    #[command(
        subcommand,
        after_help = "Example:\n  bestplay fighting-fantasy fight --skill 10 --stamina 20 --luck 9 --enemy 11/10"
    )]
    FightingFantasy(fighting_fantasy::Verb),
    /// Gamebooks: can the book be won, how, and where do heroes die?
    #[command(subcommand, after_help = "Example:\n  bestplay gamebook solve flight-from-the-dark")]
    Gamebook(gamebook::Verb),
    /// Lone Wolf: the odds of a fight, and when to run
    #[command(
        subcommand,
        after_help = "Example:\n  bestplay lone-wolf fight --combat-skill 15 --endurance 25 --enemy 22/30"
    )]
    LoneWolf(lone_wolf::Verb),
    /// Red November: every cheapest way for a gnome through the submarine
    #[command(subcommand, after_help = "Example:\n  bestplay red-november routes --to 9")]
    RedNovember(red_november::Verb),
    /// Slay the Spire: the Ironclad's fights of Act 1, card by card, and which card to take
    #[command(subcommand, after_help = "Example:\n  bestplay slay-the-spire solve --enemy jaw-worm")]
    SlayTheSpire(slay_the_spire::Verb),
    /// Models in the files of other tools (PRISM, DRN, UMB): solve them, check certificates
    #[command(
        subcommand,
        arg_required_else_help = true,
        after_help = "Example:\n  bestplay mdp solve coin.prism --const K=2 --goal finished"
    )]
    Mdp(mdp::Verb),
    /// The Explorer: local web pages for the games
    Serve(serve::ServeArgs),
    /// Print a script that completes commands and options in a shell
    #[command(after_help = manual::COMPLETIONS_EXAMPLES)]
    Completions(manual::CompletionsArgs),
    /// Write manual pages, one for each command
    #[command(after_help = manual::MAN_EXAMPLES)]
    Man(manual::ManArgs),
}

const EXAMPLES: &str = "\
Examples:
  bestplay serve
  bestplay gamebook solve flight-from-the-dark

bestplay GAME COMMAND --help has more.";

/// The output of `bestplay` without arguments.
const WELCOME: &str = "\
bestplay computes exact best play for single-player games of chance.

Four things to try:
  bestplay serve
      pages in your browser: maps, fights, hands of cards
  bestplay gamebook solve flight-from-the-dark
      the odds of a gamebook, the way to win, and where heroes die
  bestplay fighting-fantasy fight --skill 10 --stamina 20 --luck 9 --enemy 11/10
      a fight, and when to use luck
  bestplay slay-the-spire solve --enemy jaw-worm
      a fight of the Spire, card by card

bestplay --help lists all games; bestplay GAME COMMAND --help has examples.
";

fn main() -> ExitCode {
    ending::prepare();
    let result = ending::caught(|| {
        output::has_standard_output()?;
        match Cli::try_parse().map_err(|error| help_or_wrong(&moved::with_new_spelling(error)))?.game {
            Some(game) => run(game),
            None => output::print(WELCOME),
        }
    });
    // From here on Ctrl-C comes too late.
    std::mem::forget(ending::last_word());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Prints help or the version if requested, else the error in the arguments.
fn help_or_wrong(error: &clap::Error) -> Failure {
    let (text, code) = (error.render(), Failure::Reported(u8::try_from(error.exit_code()).unwrap_or(2)));
    let coloured = |wanted| if wanted == ColorChoice::Never { text.to_string() } else { text.ansi().to_string() };
    if error.use_stderr() {
        let text = coloured(AutoStream::choice(&io::stderr()));
        output::print_error(text.trim_end_matches('\n'), Escapes::Coloured);
        return code;
    }
    let text = coloured(AutoStream::choice(&io::stdout()));
    output::print_with(Escapes::Coloured, |out| out.write_all(text.as_bytes())).err().unwrap_or(code)
}

fn run(game: Game) -> Result<(), Failure> {
    // Freed memory is soon needed again: by the next step of a run, which frees the input of its model, or by the next solve of
    // a server, which returns memory when it is idle.
    #[cfg(feature = "mimalloc")]
    allocator::give_back_after(if matches!(game, Game::Serve(_)) { 100 } else { 20 });
    match game {
        Game::FightingFantasy(verb) => fighting_fantasy::run(verb),
        Game::Gamebook(verb) => gamebook::run(&verb),
        Game::LoneWolf(verb) => lone_wolf::run(&verb),
        Game::RedNovember(verb) => red_november::run(verb),
        Game::SlayTheSpire(verb) => slay_the_spire::run(&verb),
        Game::Mdp(verb) => mdp::run(verb),
        Game::Serve(args) => serve::run(&args),
        Game::Completions(args) => manual::completions(&args, Cli::command()),
        Game::Man(args) => manual::man(&args, Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::Cli;

    #[test]
    fn every_command_has_an_example() {
        fn check(command: &Command, before: &str) {
            let name = format!("{before}{}", command.get_name());
            let help = command.clone().render_long_help().to_string();
            let is_example = |line: &str| line.strip_prefix("  ").is_some_and(|line| line.starts_with(&name));
            assert!(help.lines().any(is_example), "{name} --help has no example");
            command.get_subcommands().for_each(|inner| check(inner, &format!("{name} ")));
        }
        check(&Cli::command(), "");
    }
}
