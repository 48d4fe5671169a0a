//! Arguments of `bestplay gamebook check`.

use clap::Args;

use crate::arguments::engine_args::LimitArgs;
use crate::gamebook::input::hero_args::HeroArgs;
use crate::output::Format;

/// Arguments of `check`.
#[derive(Args)]
pub struct CheckArgs {
    /// A built-in book (fire-on-the-water), a file, or - for standard input
    pub book: String,
    /// The most problems to show; all are counted
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_problems: u32,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Check again on each save, and print the odds of best play and of random answers, until Ctrl-C
    #[arg(long, conflicts_with = "format")]
    pub watch: bool,
    /// Also check the book for its own hero; the options below choose another hero
    #[arg(long, help_heading = "Hero")]
    own_hero: bool,
    #[command(flatten)]
    pub hero: HeroArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl CheckArgs {
    /// Whether a hero is checked, too.
    pub fn asks_for_hero(&self) -> bool {
        self.own_hero || self.hero.is_given()
    }
}

pub const EXAMPLES: &str = "\
Errors keep a book from being played: syntax, names, numbers, sections without an end, picks with gaps or
overlaps. Warnings are about books that can be played: sections that are never reached, from which
play never ends or the book cannot be won, choices and branches that are never possible, questions for which a hero may have
no answer, keys behind their own gates, losses that can heal, goods that no hero can pay for, names that nothing uses, rules
of policies that never apply. Notes may be intended in a book of a series: items that are given and never needed, or
needed and never given. A warning of something impossible holds for every hero, whatever disciplines, gold and declared items he
begins with. The whole book is checked only if it has no errors.

A comment `// quiet: why` on a line, or alone on the line before it, silences its warnings and notes. `stub 71 72` at the
head of a draft stands for sections that are not written yet.

JSON: {\"format\": 1, \"file\", \"errors\", \"warnings\", \"notes\" (how many were found), \"silenced\", \"left_out\" (how many of them
are beyond --max-problems), \"problems\": [{\"severity\": \"error\", \"warning\" or \"note\", \"message\", \"help\" (or null),
\"line\", \"column\", \"end_line\", \"end_column\" (from 1; columns in characters; the end is the first character that
is not marked), \"text\" (what is marked)}]}: errors, warnings, notes, each in the order of the file.

--watch looks at the file, and at those beside it, ten times a second; odds that take more than a second are left out.

Exit code 0: no errors and no warnings; 1: warnings, no errors; 2: errors, or a file that cannot be read.

Examples:
  bestplay gamebook check fire-on-the-water
  bestplay gamebook check my-book.kdl --max-problems 5
  bestplay gamebook check my-book.kdl --own-hero
  bestplay gamebook check fire-on-the-water --gold 3 --disciplines hunting,healing
  bestplay gamebook check my-book.kdl --watch
  bestplay gamebook check my-book.kdl --format json | jq -r '.problems[] | \"\\(.line): \\(.message)\"'";
