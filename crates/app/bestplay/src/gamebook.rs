//! `bestplay gamebook`: books of numbered sections.
//!
//! Each verb has a file: it reads its arguments with `input`, calls the crate, and formats the answer with `answer`.

mod advise;
mod answer;
mod bound;
mod check;
mod compare;
mod compile;
mod export;
mod glance;
mod heroes;
mod import;
mod ink;
pub mod input;
mod language_server;
mod learn;
mod map;
mod play;
mod readers;
mod report;
mod rolled;
mod sample;
mod sensitivity;
mod series;
mod solve;
mod vary;

use clap::Subcommand;

use crate::output::Failure;

/// What can be asked.
#[derive(Subcommand)]
pub enum Verb {
    /// Can the book be won, with which odds, and where do heroes die?
    #[command(after_help = solve::EXAMPLES)]
    Solve(Box<solve::SolveArgs>),
    /// Several books in a row, or one that may be too large for memory, part by part
    #[command(after_help = series::EXAMPLES)]
    Series(Box<series::SeriesArgs>),
    /// The average over all rolled heroes, with the best equipment for each roll
    #[command(after_help = rolled::EXAMPLES)]
    Rolled(rolled::RolledArgs),
    /// Which disciplines or skills to choose: every set, ranked
    #[command(after_help = learn::EXAMPLES)]
    Learn(Box<learn::LearnArgs>),
    /// The odds of readers who answer at random, or always give the first or the last answer
    #[command(after_help = readers::EXAMPLES)]
    Readers(readers::ReadersArgs),
    /// The odds for several values of numbers in the book
    #[command(after_help = vary::EXAMPLES)]
    Vary(vary::VaryArgs),
    /// Bounds on the odds of a book that is too large to be solved
    #[command(after_help = bound::EXAMPLES)]
    Bound(bound::BoundArgs),
    /// Simulated odds, without proof, of a book that is too large to be solved
    #[command(after_help = sample::EXAMPLES)]
    Sample(sample::SampleArgs),
    /// The odds of every hero that the rules can make: which disciplines are best, what each roll is worth
    #[command(after_help = heroes::EXAMPLES)]
    Heroes(heroes::HeroesArgs),
    /// Errors in a book file, and warnings about what its author may not intend
    #[command(after_long_help = check::EXAMPLES)]
    Check(check::CheckArgs),
    /// Best play and three readers, what is never right or never won, what things are worth: for authors
    #[command(after_help = report::EXAMPLES)]
    Report(report::ReportArgs),
    /// Which numbers of the book matter most to the odds
    #[command(after_help = sensitivity::EXAMPLES)]
    Sensitivity(sensitivity::SensitivityArgs),
    /// The differences between two versions of a book: text, odds, deaths, best choices
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::CompareArgs),
    /// What to do now, in this section: every choice with its odds
    #[command(after_help = advise::EXAMPLES)]
    Advise(advise::AdviseArgs),
    /// Play it: with rolled or typed numbers, and hints on request
    #[command(after_help = play::EXAMPLES)]
    Play(play::PlayArgs),
    /// The sections as a graph: a picture or a file for Graphviz, coloured by the odds of best play
    #[command(after_help = map::EXAMPLES)]
    Map(map::MapArgs),
    /// The program to which a book is compiled: steps over registers
    #[command(after_help = compile::EXAMPLES)]
    Compile(compile::CompileArgs),
    /// A page that plays the book in any browser, or a story in Twee
    #[command(after_help = export::EXAMPLES)]
    Export(export::ExportArgs),
    /// Problems, definitions of sections and odds in editors, over the Language Server Protocol
    #[command(after_help = language_server::EXAMPLES)]
    LanguageServer(language_server::LanguageServerArgs),
    /// Import a book (Project Aon, Twee, ink): code or text that is not understood becomes a `todo`
    #[command(after_help = "Example:\n  bestplay gamebook import ink story.ink -o story.kdl")]
    Import(import::ImportArgs),
}

/// Runs a verb.
pub fn run(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Solve(args) => solve::run(args),
        Verb::Series(args) => series::run(args),
        Verb::Rolled(args) => rolled::run(args),
        Verb::Learn(args) => learn::run(args),
        Verb::Readers(args) => readers::run(args),
        Verb::Vary(args) => vary::run(args),
        Verb::Bound(args) => bound::run(args),
        Verb::Sample(args) => sample::run(args),
        Verb::Heroes(args) => heroes::run(args),
        Verb::Check(args) => check::run(args),
        Verb::Report(args) => report::run(args),
        Verb::Sensitivity(args) => sensitivity::run(args),
        Verb::Compare(args) => compare::run(args),
        Verb::Advise(args) => advise::run(args),
        Verb::Play(args) => play::run(args),
        Verb::Map(args) => map::run(args),
        Verb::Compile(args) => compile::run(args),
        Verb::Export(args) => export::run(args),
        Verb::LanguageServer(args) => language_server::run(args),
        Verb::Import(args) => import::run(args),
    }
}
