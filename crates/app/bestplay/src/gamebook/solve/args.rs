//! Arguments of `bestplay gamebook solve`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gamebook::{Analyses, Book, Question, Reader};

use crate::engine_args::EngineArgs;
use crate::export::ExportArgs;
use crate::gamebook::ink;
use crate::gamebook::input::hero_args::QuestionArgs;
use crate::output::{Failure, Format};

/// Arguments of `solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// A built-in book (fire-on-the-water), a file, a series of books (lone-wolf-kai, or a file), or a story (story.ink)
    pub book: String,
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Show how many states each reduction saves (explores the book once without each)
    #[arg(long)]
    pub explain_size: bool,
    /// Switch a reduction off (straight, forget, cap, merge, fold, split, hopeless, sure): the value stays the same
    #[arg(long, value_name = "REDUCTION", value_parser = Analyses::NAMES)]
    pub without: Vec<String>,
    /// Odds of a reader who answers at random (random), or always gives the first (bold) or the last (cautious) answer
    #[arg(long, value_name = "READER", value_parser = readers(), conflicts_with_all = ["explain_size", "without"])]
    pub reader: Option<Reader>,
    /// Average over all starting rolls, with the best equipment chosen after each. What other options say of the hero stays
    /// fixed
    #[arg(long, conflicts_with_all = ["explain_size", "reader", "export_model", "export_policy"])]
    pub rolled: bool,
    #[command(flatten)]
    pub varied: VaryArgs,
    /// Solve a series, or a book that is too large for memory, part by part, and keep the finished parts in this directory:
    /// a later run goes on with them
    #[arg(long, value_name = "DIR", conflicts_with_all = ["explain_size", "reader", "rolled"])]
    pub state: Option<PathBuf>,
    /// Let the hero choose so many more disciplines, and rank every choice. Weaponskill only with its weapon given. Solves
    /// the book part by part
    #[arg(long, value_name = "N[,weaponskill=WEAPON]", conflicts_with_all = ["explain_size", "reader", "rolled", "sample"])]
    pub learn: Option<String>,
    /// Simulate so many plays of best play
    #[arg(long, value_name = "COUNT", group = "simulated")]
    pub plays: Option<u64>,
    /// Do not solve the book, simulate so many plays (100000 if no number is given) by a policy that is learned from as many:
    /// no proof, for books that are too large
    #[arg(long, value_name = "COUNT", group = "simulated", num_args = 0..=1, default_missing_value = "100000",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000),
        conflicts_with_all = ["explain_size", "reader", "rolled", "state", "export_model", "export_policy", "exact"])]
    pub sample: Option<u64>,
    /// An upper bound on the odds: solve a kinder game, in which the player need not remember these (gold, items, flags,
    /// counters, numbers of a system of rules), in the whole book or from a section on (gold@67), and says what he has
    /// wherever the book asks. The book's own kinder games have names. With --policy also a lower bound
    #[arg(long, value_name = "NAME[@SECTION]", value_delimiter = ',', conflicts_with_all = ["explain_size", "reader", "rolled",
        "state", "learn", "plays", "sample", "vary", "export_model", "export_policy"])]
    pub forget: Vec<String>,
    /// The seed of the dice
    #[arg(long, value_name = "N", default_value_t = 1, requires = "simulated")]
    pub seed: u64,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub export: ExportArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// The readers by name.
fn readers() -> impl TypedValueParser<Value = Reader> {
    PossibleValuesParser::new(Reader::NAMES).try_map(|name| name.parse::<Reader>())
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook solve fire-on-the-water
  bestplay gamebook solve fire-on-the-water --combat-skill 19 --endurance 29 --items sommerswerd
  bestplay gamebook solve fire-on-the-water --goal 200 --exact
  bestplay gamebook solve lone-wolf-kai --state kai
  bestplay gamebook solve flight-from-the-dark --learn 5,weaponskill=axe
  bestplay gamebook solve my-draft.kdl --sample
  bestplay gamebook solve my-draft.kdl --forget gold,rope@120
  bestplay gamebook solve shadow-on-the-sand --policy thrifty --forget baggage --max-memory 12GB
  bestplay gamebook solve my-book.kdl --disciplines hunting,weaponskill=sword --gold 20 --format json
  bestplay gamebook solve story.ink --goal \"gold >= 10\"
  bestplay gamebook solve my-book.kdl --vary 30.fight.skill=15..22 --vary hero.gold=0,10,20 --curve odds.svg";

/// Arguments about numbers of the book that are varied.
#[derive(Args)]
pub struct VaryArgs {
    /// Solve the book for several values of a number in it: "30.fight.skill=15..22", "hero.gold=0,10,20",
    /// "30.fight.endurance=10..40/5". More than once for all combinations. `sensitivity` lists the numbers of a book
    #[arg(long, value_name = "NUMBER=VALUES", conflicts_with_all = ["explain_size", "reader", "rolled", "export_model", "export_policy"])]
    pub vary: Vec<String>,
    /// Draw the odds over the first number, with a line for each combination of the others
    #[arg(long, value_name = "FILE.svg", requires = "vary")]
    pub curve: Option<PathBuf>,
}

impl VaryArgs {
    /// Whether anything is varied.
    pub fn is_given(&self) -> bool {
        !self.vary.is_empty()
    }
}

impl SolveArgs {
    /// What is asked of a story in ink, which is solved in one way.
    pub fn asked_of_story(&self) -> Result<ink::Asked<'_>, Failure> {
        let plain = !self.explain_size
            && self.without.is_empty()
            && self.reader.is_none()
            && !self.rolled
            && !self.varied.is_given()
            && self.state.is_none()
            && self.learn.is_none()
            && self.plays.is_none()
            && self.sample.is_none()
            && self.forget.is_empty()
            && !self.export.is_asked();
        if !plain {
            return Err(Failure::bad_input(
                "a story in ink is solved in one way: for best play and for a reader who answers at random",
                "leave all but --goal, --format, --exact and the limits out",
            ));
        }
        let Self { book: file, format, .. } = self;
        Ok(ink::Asked { file, goal: self.question.story_goal()?, exact: self.engine.exact, format: *format })
    }

    /// What is asked of a book, without the reductions that are switched off.
    pub fn asked(&self, book: &Book, exact: bool) -> Result<Question, Failure> {
        let mut question = self.question.question(book, exact)?;
        // The book as a whole is told of: nobody asks here what an action is worth where it can wait.
        question.analyses.wait = true;
        question.analyses = self.without.iter().fold(question.analyses, |own, name| own.without(name).unwrap_or(own));
        Ok(question)
    }
}
