//! `bestplay gamebook import twee`, `import ink`.

use std::fmt::Write;
use std::path::PathBuf;

use budget::Budget;
use clap::Args;
use import::{ImportedStory, Unreadable};
use serde::Serialize;

use crate::arguments::engine_args::LimitArgs;
use crate::output::{self, Failure, Format};
use crate::shown;

/// Arguments of `import twee` and `import ink`.
#[derive(Args)]
pub struct StoryArgs {
    /// The story's file, or - for standard input
    file: PathBuf,
    /// An end that is won: the name of a passage or knot; repeated for several
    #[arg(long, value_name = "NAME")]
    goal: Vec<String>,
    /// Where the book is written; without it, to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How the summary is written
    #[arg(long, value_enum, default_value_t, requires = "output")]
    format: Format,
    /// The book may be a draft: things that were left out are no failure
    #[arg(long)]
    draft: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub const TWEE_EXAMPLES: &str = "\
The import covers passages, links, and the macros `set`, `if`, `link-goto`, `link`, `goto`, `random` and `either` of Harlowe and
SugarCube, with whole numbers, yes and no, and comparisons of texts. Everything else becomes a `todo` with its line, which
`bestplay gamebook check` lists. Ends with the tag `win`, `victory` or `goal`, and those of --goal, are won; without any, all.

With -o the summary is printed; its last line says whether the odds of the book are the story's. JSON: {\"format\": 1, \"title\",
\"passages\", \"links\", \"todos\": [{\"line\", \"what\"}], \"notes\", \"odds\": \"the-story's\", \"within-bounds\" or \"not-the-story's\"}.

Exit code 0: written; 1: stopped, or written with something left out (--draft: 0); 2: a file that cannot be read.

Examples:
  bestplay gamebook import twee story.twee -o story.kdl
  bestplay gamebook import twee story.twee --goal \"Home again\" -o story.kdl
  bestplay gamebook readers story.kdl";

pub const INK_EXAMPLES: &str = "\
The import covers knots, stitches, choices (once or sticky, with conditions, within each other), gathers, diverts, VAR, CONST, `~` with =,
+=, -=, ++ and --, RANDOM, conditions in braces on a line or over several, and how often a place was visited. Everything else becomes
a `todo` with its line, which `bestplay gamebook check` lists. Ends after a tag `# win`, `# victory` or `# goal`, and those of
--goal, are won; without any, all. INCLUDE is not followed.

With -o the summary is printed; its last line says whether the odds of the book are the story's. JSON: {\"format\": 1, \"title\",
\"passages\", \"links\", \"todos\": [{\"line\", \"what\"}], \"notes\", \"odds\": \"the-story's\", \"within-bounds\" or \"not-the-story's\"}.

Exit code 0: written; 1: stopped, or written with something left out (--draft: 0); 2: a file that cannot be read.

Examples:
  bestplay gamebook import ink story.ink -o story.kdl
  bestplay gamebook import ink story.ink --goal home -o story.kdl";

/// An importer of stories.
pub type Reader = fn(&[u8], &[String], &Budget<'_>) -> Result<ImportedStory, Unreadable>;

/// Imports a story.
pub fn run(args: &StoryArgs, what: &str, read: Reader) -> Result<(), Failure> {
    args.limits.run(|run| {
        let bytes = output::read_bytes(&args.file)?;
        let imported = read(&bytes, &args.goal, run.budget).map_err(|error| match error {
            Unreadable::Wrong { .. } => Failure::bad_input(
                format_args!("{} cannot be read as a story: {error}", args.file.display()),
                format_args!("fix that, or name a file in {what}; nothing was written"),
            ),
            Unreadable::Stopped(stopped) => stopped.into(),
        })?;
        let trust = Trust::of(&imported);
        let code = if trust == Trust::Broken && !args.draft { Err(Failure::Reported(1)) } else { Ok(()) };
        let Some(path) = output::in_place(args.output.as_deref()) else {
            output::print(&imported.text)?;
            output::note(&trust.text(&imported));
            return code;
        };
        output::write_file(path, |out| out.write_all(imported.text.as_bytes()))?;
        match args.format {
            Format::Text => output::print(&summary(&imported, trust)),
            Format::Json => output::print_json(&Answer {
                format: 1,
                title: &imported.title,
                passages: imported.passages,
                links: imported.links,
                todos: imported.todos.iter().map(|(line, what)| Todo { line: *line, what }).collect(),
                notes: &imported.notes,
                odds: trust.name(),
            }),
        }?;
        code
    })
}

/// Whether the book has the odds of the story.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// It has.
    Whole,
    /// It has, unless a number leaves the bounds given.
    WithinBounds,
    /// Something was left out that could change them.
    Broken,
}

impl Trust {
    fn of(imported: &ImportedStory) -> Self {
        if !imported.todos.is_empty() {
            Self::Broken
        } else if imported.is_plain() {
            Self::Whole
        } else {
            Self::WithinBounds
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Whole => "the-story's",
            Self::WithinBounds => "within-bounds",
            Self::Broken => "not-the-story's",
        }
    }

    fn text(self, imported: &ImportedStory) -> String {
        match self {
            Self::Whole => "the odds of the book are the story's".into(),
            Self::WithinBounds => {
                let names: Vec<String> = imported.bounded.iter().map(|name| shown::line(name)).collect();
                let names = names.join(", ");
                format!("the odds of the book are the story's as long as {names} stay within the bounds of the book")
            }
            Self::Broken => match imported.todos.len() {
                1 => "1 thing was left out: the odds of the book are not the story's".into(),
                many => format!("{many} things were left out: the odds of the book are not the story's"),
            },
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    format: u32,
    title: &'a str,
    passages: usize,
    links: usize,
    todos: Vec<Todo<'a>>,
    notes: &'a [String],
    odds: &'static str,
}

#[derive(Serialize)]
struct Todo<'a> {
    line: usize,
    what: &'a str,
}

/// The most places that are listed.
const SHOWN: usize = 20;

/// The results, and the places that need attention.
fn summary(imported: &ImportedStory, trust: Trust) -> String {
    let mut text =
        format!("{}: {} passages, {} links\n", shown::line(&imported.title), imported.passages, imported.links);
    for note in &imported.notes {
        let _ = writeln!(text, "{}", shown::line(note));
    }
    if !imported.todos.is_empty() {
        let _ = writeln!(text, "{} places to look at:", imported.todos.len());
    }
    for (line, what) in imported.todos.iter().take(SHOWN) {
        let _ = writeln!(text, "  line {line}: {}", shown::line(what));
    }
    if imported.todos.len() > SHOWN {
        let _ = writeln!(text, "  and {} more", imported.todos.len() - SHOWN);
    }
    let _ = writeln!(text, "{}", trust.text(imported));
    text
}
