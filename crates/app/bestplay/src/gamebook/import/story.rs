//! `bestplay gamebook import twee`, `import ink`.

use std::fmt::Write;
use std::path::PathBuf;

use budget::Budget;
use clap::Args;
use import::{ImportedStory, Unreadable};
use serde::Serialize;

use crate::arguments::engine_args::LimitArgs;
use crate::gamebook::ink::Asked;
use crate::output::{self, Failure, Format};
use crate::shown;

/// Arguments of `import twee` and `import ink`.
#[derive(Args)]
pub struct StoryArgs {
    /// The story's file, or - for standard input
    file: PathBuf,
    /// An end that is won: the name of a passage, repeated for several; in ink one knot or condition
    #[arg(long, value_name = "NAME")]
    goal: Vec<String>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How the summary is written
    #[arg(long, value_enum, default_value_t, requires = "output")]
    format: Format,
    /// Accept a draft: exit with 0 even if something was left out
    #[arg(long)]
    draft: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub const TWEE_EXAMPLES: &str = "\
The import reads Twee 3 and the HTML that Twine publishes: passages, links, and macros of Harlowe, SugarCube and Chapbook that
compute with whole numbers, yes and no, compared texts, and lists and maps of these. docs/twine.md lists them.
Everything else becomes a `todo` with its line, which `bestplay gamebook check` lists. Ends with the tag `win`, `victory` or `goal`,
and those of --goal, are won; without any, all ends are.

With -o the summary is printed; its last line says whether the odds of the book are the story's. JSON: {\"format\": 1, \"title\",
\"passages\", \"links\", \"todos\": [{\"line\", \"what\"}], \"notes\", \"odds\": \"the-story's\", \"within-bounds\" or \"not-the-story's\"}.

Exit code 0: written; 1: stopped, or written with something left out (--draft: 0); 2: a file that cannot be read.

Examples:
  bestplay gamebook import twee story.twee -o story.kdl
  bestplay gamebook import twee story.twee --goal \"Home again\" -o story.kdl
  bestplay gamebook readers story.kdl";

pub const INK_EXAMPLES: &str = "\
The import runs the story and makes a section of every situation that it can reach, with the text that leads to it. So the book has
the odds of the story, whatever the story is made of. Ends with the tag `# win` are won, or the knot or condition of --goal. A story
of more than 5000 situations is refused: `solve`, `report`, `check`, `advise`, `play` and `map` read the story itself, without a book.
INCLUDE reads the files beside it.

With -o the summary is printed. JSON: {\"format\": 1, \"title\", \"passages\", \"links\", \"todos\": [], \"notes\",
\"odds\": \"the-story's\"}.

Exit code 0: written; 1: stopped; 2: a file that cannot be read, or does not become a book.

Examples:
  bestplay gamebook import ink story.ink -o story.kdl
  bestplay gamebook import ink story.ink.json --goal \"gold >= 10\" -o story.kdl";

/// An importer of stories.
pub type Reader = fn(&StoryArgs, &Budget<'_>) -> Result<ImportedStory, Failure>;

/// Imports a story in Twee.
pub fn twee(args: &StoryArgs, budget: &Budget<'_>) -> Result<ImportedStory, Failure> {
    let bytes = output::read_bytes(&args.file)?;
    import::twee(&bytes, &args.goal, budget).map_err(|error| {
        let help = "fix that, or name a file in Twee 3, such as story.twee; nothing was written";
        failure(args, &error, help)
    })
}

/// Imports a story in ink.
pub fn ink(args: &StoryArgs, budget: &Budget<'_>) -> Result<ImportedStory, Failure> {
    let goal = match &args.goal[..] {
        [] => None,
        [goal] => Some(goal.as_str()),
        many => {
            let help = format!("join them: --goal \"{}\"", shown::line(&many.join(" or ")));
            return Err(Failure::bad_input("a story in ink has one goal", help));
        }
    };
    let file = args.file.to_string_lossy();
    let asked = Asked { file: &file, goal, exact: false, format: args.format };
    let help =
        "`gamebook solve`, `report`, `check`, `advise`, `play` and `map` read the story itself; nothing was written";
    import::ink(&asked.story()?, budget).map_err(|error| failure(args, &error, help))
}

fn failure(args: &StoryArgs, error: &Unreadable, help: &str) -> Failure {
    match error {
        Unreadable::Wrong { .. } => {
            Failure::bad_input(format_args!("{} cannot be made a book: {error}", args.file.display()), help)
        }
        Unreadable::Stopped(stopped) => (*stopped).into(),
    }
}

/// Imports a story.
pub fn run(args: &StoryArgs, read: Reader) -> Result<(), Failure> {
    args.limits.run(|run| {
        let imported = read(args, run.budget)?;
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
