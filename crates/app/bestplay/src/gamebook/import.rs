//! `bestplay gamebook import`.

mod story;

use std::fmt::Write;
use std::path::PathBuf;

use budget::Budget;
use clap::{Args, Subcommand};
use gamebook::SectionNumber;
use import::{Extras, Imported, Unreadable, project_aon};
use serde::Serialize;

use crate::arguments::engine_args::LimitArgs;
use crate::output::{self, Failure, Format};
use story::StoryArgs;

/// Arguments of `import`.
#[derive(Args)]
pub struct ImportArgs {
    #[command(subcommand)]
    from: From,
}

/// The format to import.
#[derive(Subcommand)]
enum From {
    /// The XML of a book as Project Aon publishes it
    #[command(after_long_help = EXAMPLES)]
    ProjectAon(ProjectAonArgs),
    /// A story in Twee 3, as Twine and Tweego write it
    #[command(after_long_help = story::TWEE_EXAMPLES)]
    Twee(StoryArgs),
    /// A story in ink, as text or compiled
    #[command(after_long_help = story::INK_EXAMPLES)]
    Ink(StoryArgs),
}

/// Arguments of `import project-aon`.
#[derive(Args)]
struct ProjectAonArgs {
    /// The book's XML, such as 02fotw.xml, or - for standard input
    xml: PathBuf,
    /// The rules of its sections, as the Kai Chronicles project writes them (mechanics-2.xml)
    #[arg(long, value_name = "FILE", requires = "objects")]
    mechanics: Option<PathBuf>,
    /// The objects that these rules name (objects.xml)
    #[arg(long, value_name = "FILE", requires = "mechanics")]
    objects: Option<PathBuf>,
    /// Sections in the book language that replace imported sections, and additions to the head
    #[arg(long, value_name = "FILE")]
    patch: Option<PathBuf>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How the summary is written
    #[arg(long, value_enum, default_value_t, requires = "output")]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

const EXAMPLES: &str = "\
The book is written in the book language, section by section, as far as its text is plain: choices with targets,
enemies, numbers that are picked with their ranges, conditions on disciplines, items and gold, ends. What is not
understood becomes a `todo` with a comment; `bestplay gamebook check` lists them. No more than eight words in a row
are taken from the text. Nothing is fetched, and no entities are expanded.

With --mechanics and --objects the rules of the Kai Chronicles project decide what happens in a section, and the
text gives its choices and enemies. An import of a built-in book has its hero and its names for items.

With -o the summary is printed. JSON: {\"format\": 1, \"title\", \"sections\", \"choices\", \"fights\", \"picks\",
\"todos\": [{\"section\", \"what\"}], \"notes\": [...]}.

Exit code 0: written; 1: stopped; 2: a file that cannot be read.

Examples:
  bestplay gamebook import project-aon 06tkot.xml -o book-6.kdl
  bestplay gamebook check book-6.kdl
  bestplay gamebook import project-aon 02fotw.xml --mechanics mechanics-2.xml --objects objects.xml -o book-2.kdl";

/// Imports a book.
pub fn run(args: &ImportArgs) -> Result<(), Failure> {
    match &args.from {
        From::ProjectAon(args) => args.limits.run(|run| project_aons(args, run.budget)),
        From::Twee(args) => story::run(args, story::twee),
        From::Ink(args) => story::run(args, story::ink),
    }
}

fn project_aons(args: &ProjectAonArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let bytes = output::read_bytes(&args.xml)?;
    let read = |path: &Option<PathBuf>| path.as_deref().map(output::read_bytes).transpose();
    let (mechanics, objects) = (read(&args.mechanics)?, read(&args.objects)?);
    let patch = args.patch.as_deref().map(output::read_text).transpose()?;
    let extras = Extras { mechanics: mechanics.as_deref(), objects: objects.as_deref(), patch: patch.as_deref() };
    let imported = project_aon(&bytes, &extras, budget).map_err(|error| match error {
        Unreadable::Wrong { .. } => Failure::bad_input(
            format_args!("{} is no book: {error}", args.xml.display()),
            "name the XML of a book as Project Aon publishes it, such as 02fotw.xml",
        ),
        Unreadable::Stopped(stopped) => stopped.into(),
    })?;
    let Some(path) = output::in_place(args.output.as_deref()) else { return output::print(&imported.text) };
    output::write_file(path, |out| out.write_all(imported.text.as_bytes()))?;
    match args.format {
        Format::Text => output::print(&summary(&imported)),
        Format::Json => output::print_json(&Answer::new(&imported)),
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    format: u32,
    title: &'a str,
    sections: usize,
    choices: usize,
    fights: usize,
    picks: usize,
    todos: Vec<Todo<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Todo<'a> {
    section: SectionNumber,
    what: &'a str,
}

impl<'a> Answer<'a> {
    fn new(imported: &'a Imported) -> Self {
        let summary = &imported.summary;
        Self {
            format: 1,
            title: &imported.title,
            sections: summary.sections,
            choices: summary.choices,
            fights: summary.fights,
            picks: summary.picks,
            todos: summary.todos.iter().map(|(section, what)| Todo { section: *section, what }).collect(),
            notes: &summary.notes,
        }
    }
}

/// The results, and the places that need attention.
fn summary(imported: &Imported) -> String {
    let summary = &imported.summary;
    let open = summary.open_sections();
    let mut text = format!(
        "{}: {} sections, {} choices, {} sections with fights, {} numbers picked\n",
        imported.title, summary.sections, summary.choices, summary.fights, summary.picks
    );
    for note in &summary.notes {
        let _ = writeln!(text, "{note}");
    }
    if open.is_empty() {
        text.push_str(if summary.notes.is_empty() {
            "everything was plain\n"
        } else {
            "nothing else is left to look at\n"
        });
    } else {
        let numbers: Vec<String> = open.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "{} sections to look at: {}", open.len(), numbers.join(", "));
    }
    text
}
