//! `bestplay gamebook play`.

mod said;

use std::cell::OnceCell;
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, IsTerminal, Read, Write};

use budget::Budget;
use clap::{Args, ValueEnum};
use gamebook::{
    Belongings, Book, Chance, End, FightNow, Look, Passed, Play, Question, Rolled, SectionNumber, Series, Solved,
    is_series,
};
use mdp::Value;

use self::said::Said;
use super::hero_args::{QuestionArgs, describe};
use super::journey::sheet;
use super::series;
use super::solve::{answer_text, star, win_texts, with_target};
use super::unsolved::{bounds_text, unsolved};
use super::{book_file, draft};
use crate::engine_args::EngineArgs;
use crate::numbers::{percent_near as percent, percent_of, percents_of};
use crate::output::{self, Failure};
use crate::shown::{Escapes, Shown};

/// Arguments of `play`.
#[derive(Args)]
pub struct PlayArgs {
    /// A built-in book (fire-on-the-water), a file, or a series of books (lone-wolf-kai, or a file)
    book: String,
    #[command(flatten)]
    question: QuestionArgs,
    /// Who picks the random numbers, or rolls the dice
    #[arg(long, value_enum, default_value_t)]
    picks: Picks,
    /// Decides what is rolled: the same seed and answers, the same play [default: another in every play]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Solve the book at once, and show the odds with every question
    #[arg(long)]
    hints: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Who picks the random numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Picks {
    /// They are rolled
    #[default]
    Rolled,
    /// Every number is asked for: Enter rolls it
    Typed,
}

pub const EXAMPLES: &str = "\
At the prompt: the number of an answer, or hint, sheet, roll, undo, restart, help, quit; the first letter is enough.
The end of the input ends the play.

Examples:
  bestplay gamebook play fire-on-the-water
  bestplay gamebook play fire-on-the-water --combat-skill 19 --items sommerswerd --hints
  bestplay gamebook play my-book.kdl --picks typed
  bestplay gamebook play lone-wolf-kai
  printf '1\\n2\\n' | bestplay gamebook play my-book.kdl --seed 7";

const HELP: &str = "\
  1, 2, ...   give this answer
  hint        what every answer is worth (solves the book the first time)
  sheet       the hero: what he is and has, and what is noted
  roll        let chance decide (Enter does it, too)
  undo        take the last answer or roll back
  restart     begin again
  help        this
  quit        end the play
The first letter is enough (re for restart). With --picks typed a picked number can be typed, 7, or 3 8 for two; and so
can dice: what each shows, 3 4 6 1, or each of the sums, 7 7.
";

/// Plays a book.
pub fn run(args: &PlayArgs) -> Result<(), Failure> {
    if args.book == "-" {
        return Err(Failure::bad_input(
            "the book cannot come from standard input: the answers do",
            "save it as my-book.kdl and name that",
        ));
    }
    let seed = args.seed.unwrap_or_else(any_seed);
    let solved = OnceCell::new();
    // The limits are those of a computation; the player may think as long as he likes.
    let (book, series) = args.engine.run(|_, budget| open(args, budget))?;
    let question = args.question.question(&book, args.engine.exact)?;
    if series.is_some() {
        series::goes_all_the_way(&book, &question)?;
        series::leaves_with_nothing(&question)?;
    }
    let machine = args.engine.run(|_, budget| match &series {
        Some(series) => series.ready(&question, budget),
        None => question.machine(&book, budget),
    });
    let play = Play::of(&machine.map_err(|error| unsolved(&error))?, seed);
    let hello = format!("{}\n  {}\n  seed {seed}; type help for help\n", book.title, describe(&book, &question));
    let hello = draft::marked(book.draft, &hello);
    let (book, question, series) = (&book, &question, series.as_ref());
    let mut table = Table { args, book, series, question, solved: &solved, play, shown: None, rolls: 0 };
    match print(&hello).and_then(|()| table.play()) {
        Ok(()) => Ok(()),
        // Nobody listens any more.
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(Stop::Output(error)) => Err(output::unprinted(&error)),
        Err(Stop::Input(error)) => {
            Err(Failure::failed(format_args!("cannot read the answers: {error}"), "give them on standard input"))
        }
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// Reads a book, or a series with the book by which it is told.
fn open(args: &PlayArgs, budget: &Budget<'_>) -> Result<(Book, Option<Series>), Failure> {
    let (name, text) = book_file::load(&args.book)?;
    if is_series(&text) {
        let mut series = series::open(&name, &text, budget)?;
        args.question.say_of_later_books(&mut series)?;
        return Ok((series.told(), Some(series)));
    }
    Ok((book_file::read_or_fail(&name, &text, budget)?, None))
}

/// What the reader reads in a section, in lines that are easily read.
fn tell(out: &mut String, text: &str) {
    for paragraph in text.split("\n\n").filter(|own| !own.trim().is_empty()) {
        out.push('\n');
        for line in paragraph.lines() {
            let mut length = 0;
            // Nothing of it means anything to the terminal.
            for word in line.split(|own: char| own.is_whitespace() || own.is_control()).filter(|own| !own.is_empty()) {
                let width = word.chars().count();
                if length > 0 && length + 1 + width > LONGEST_TOLD {
                    out.push('\n');
                    length = 0;
                }
                let space = if length > 0 { " " } else { "  " };
                let _ = write!(out, "{space}{word}");
                length += space.len() + width;
            }
            out.push('\n');
        }
    }
}

/// A seed that nobody knows before.
fn any_seed() -> u64 {
    // Numbers that are easy to type again.
    RandomState::new().hash_one("seed") % 1_000_000
}

/// The longest answer that is looked at, in bytes; what follows in its line is left out.
const LONGEST_LINE: u64 = 1_000;
/// How long a line of a text is, in characters.
const LONGEST_TOLD: usize = 96;
/// After so many rolls without a question Enter is asked for: the book may go round for ever.
const MOST_ROLLS: u32 = 200;

/// Why a play stops before its end.
enum Stop {
    Output(io::Error),
    Input(io::Error),
    Failed(Failure),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// A play with everything around it.
struct Table<'a> {
    args: &'a PlayArgs,
    book: &'a Book,
    series: Option<&'a Series>,
    question: &'a Question,
    solved: &'a OnceCell<Solved>,
    play: Play<'a>,
    /// What the player was shown last of what he has.
    shown: Option<Belongings>,
    rolls: u32,
}

impl Table<'_> {
    fn play(&mut self) -> Result<(), Stop> {
        if self.args.hints {
            self.solve().map_err(Stop::Failed)?;
        }
        self.arrive()?;
        loop {
            let look = self.play.look();
            if look == Look::Chance && self.args.picks == Picks::Rolled && self.rolls < MOST_ROLLS {
                self.rolls += 1;
                let came =
                    self.roll().map_err(|what| Stop::Failed(Failure::failed(what, "please report this book")))?;
                print(&came)?;
                self.arrive()?;
                continue;
            }
            self.rolls = 0;
            self.ask(look)?;
            loop {
                let Some(said) = listen()? else { return Ok(()) };
                match said {
                    Said::Quit => return Ok(()),
                    Said::Help => print(HELP)?,
                    Said::Sheet => print(&self.sheet())?,
                    Said::Hint => self.hint(look)?,
                    said => match self.go_on(look, &said) {
                        Ok(shown) => {
                            print(&shown)?;
                            break;
                        }
                        Err(what) => {
                            print(&format!("{what}\n"))?;
                            self.ask(look)?;
                        }
                    },
                }
            }
            self.arrive()?;
        }
    }

    /// An answer with the section to which it leads.
    fn with_target(&self, label: &str, section: Option<SectionNumber>) -> String {
        with_target(label, section.map(|section| self.book.section_text(section)))
    }

    /// Shows what happened on the way to the next question.
    fn arrive(&mut self) -> Result<(), Stop> {
        let mut out = String::new();
        let passed: Vec<Passed> = self.play.passed().collect();
        for passed in passed {
            self.changes(&mut out, passed.belongings);
            let _ = writeln!(out, "\nSection {}", self.book.section_text(passed.section));
            if let Some(section) = self.book.sections.get(&passed.section) {
                tell(&mut out, &section.text);
            }
        }
        let win = self.play.win().map(|win| percent_of(&win));
        match self.play.look() {
            // The dead have nothing.
            Look::Over(End::Dead(section)) => {
                let deaths = self.book.outline(section).deaths;
                let section = self.book.section_text(section);
                let how = if deaths.is_empty() { String::new() } else { format!(" ({})", deaths.join("; or ")) };
                let _ = writeln!(out, "\nYou are dead, or have failed, in section {section}{how}.");
            }
            Look::Over(End::Won(section)) => {
                let section = self.book.section_text(section);
                self.changes(&mut out, self.play.belongings());
                let _ = writeln!(out, "\nYou have won in section {section}, with {}.", sheet(&self.play.belongings()));
            }
            Look::Over(End::Endless) => {
                let _ = writeln!(out, "\nThe book goes round for ever here.");
            }
            Look::Question => {
                self.changes(&mut out, self.play.belongings());
                if let Some(win) = win.filter(|_| self.args.hints) {
                    let _ = writeln!(out, "  (you win with probability {win})");
                }
            }
            Look::Chance => self.changes(&mut out, self.play.belongings()),
        }
        print(&out)
    }

    fn changes(&mut self, out: &mut String, now: Belongings) {
        let changes = self.shown.as_ref().map(|before| now.since(before)).unwrap_or_default();
        if !changes.is_empty() {
            let _ = writeln!(out, "  {}", changes.join(", "));
        }
        self.shown = Some(now);
    }

    /// Asks the question at hand.
    fn ask(&self, look: Look) -> Result<(), Stop> {
        let mut out = String::new();
        if let Some(fight) = self.play.fight().filter(|_| !matches!(look, Look::Over(_))) {
            let ratio = fight.ratio.map(|ratio| format!(", ratio {ratio:+}")).unwrap_or_default();
            let _ = writeln!(
                out,
                "  {}: combat skill {}, endurance {}{ratio}; your endurance: {}",
                fight.name,
                fight.combat_skill,
                fight.endurance,
                self.play.belongings().endurance
            );
        }
        if !matches!(look, Look::Over(_)) {
            out.push_str(&self.enemies());
        }
        match look {
            Look::Over(_) => out.push_str("undo, restart or quit?\n"),
            Look::Chance => match self.play.chance() {
                Some(Chance::Outcomes(outcomes)) => {
                    for (number, outcome) in (1..).zip(&outcomes) {
                        let what = outcome.told(self.book);
                        let what = if what.is_empty() { "nothing to be seen" } else { &what };
                        let _ = writeln!(out, "{number:>4}  {:>10}  {what}", percent(outcome.probability));
                    }
                    out.push_str("What comes up? Enter rolls.\n");
                }
                chance => {
                    let typed = chance.as_ref().map(Chance::how_dice_are_typed).filter(|typed| !typed.is_empty());
                    let typed = typed.map(|typed| format!(" {typed}")).unwrap_or_default();
                    let _ = writeln!(out, "{}{typed} Enter rolls.", asked(chance.as_ref()));
                }
            },
            Look::Question => {
                let hints = if self.args.hints { self.play.hints() } else { Vec::new() };
                let wins = win_texts(&hints);
                for (place, (label, section)) in self.play.answers().into_iter().enumerate() {
                    let hint = match hints.get(place).zip(wins.get(place)) {
                        Some((hint, win)) => format!("{} {win:>10}  ", star(hint)),
                        None => String::new(),
                    };
                    let label = hints
                        .get(place)
                        .map_or_else(|| self.with_target(&label, section), |hint| answer_text(self.book, hint));
                    let _ = writeln!(out, "{:>4}  {hint}{label}", place + 1);
                }
            }
        }
        print(&out)
    }

    /// Does what the player says, and tells what chance brought; or what is wrong.
    fn go_on(&mut self, look: Look, said: &Said) -> Result<String, String> {
        match (said, look) {
            (Said::Undo, _) => self.undo(),
            (Said::Restart, _) => {
                self.play.restart();
                self.shown = None;
                Ok(String::new())
            }
            (_, Look::Over(_)) => Err("It is over: take back with undo, begin again with restart, or quit.".into()),
            (Said::Numbers(numbers), Look::Question) => {
                let answer = match numbers[..] {
                    [answer] => usize::try_from(answer).ok().and_then(|answer| answer.checked_sub(1)),
                    _ => None,
                };
                let answers = self.play.answers().len();
                let answered = self.play.answer(answer.unwrap_or(usize::MAX));
                answered.map(|()| String::new()).map_err(|_| number_wanted(answers))
            }
            (Said::Nothing, Look::Question) if self.play.answers().len() == 1 => {
                self.play.answer(0).map(|()| String::new()).map_err(|error| error.to_string())
            }
            (_, Look::Question) => Err(match said {
                Said::Unclear(what) => format!("`{what}` is no answer. {}", number_wanted(self.play.answers().len())),
                Said::Roll => format!("Nothing is rolled now. {}", number_wanted(self.play.answers().len())),
                _ => number_wanted(self.play.answers().len()),
            }),
            (Said::Nothing | Said::Roll, Look::Chance) => self.roll(),
            (Said::Numbers(numbers), Look::Chance) => self.bring(numbers),
            (_, Look::Chance) => Err(wanted(self.play.chance().as_ref())),
        }
    }

    fn undo(&mut self) -> Result<String, String> {
        if !self.play.undo() {
            return Err("There is nothing to take back.".into());
        }
        // What would be rolled again without a question is taken back, too.
        while self.args.picks == Picks::Rolled && self.play.look() == Look::Chance && self.play.undo() {}
        self.shown = None;
        Ok(String::new())
    }

    fn roll(&mut self) -> Result<String, String> {
        let (chance, fight) = (self.play.chance(), self.play.fight());
        let rolled = self.play.roll().map_err(|error| error.to_string())?;
        Ok(came(self.book, chance.as_ref(), fight.as_ref(), &rolled))
    }

    /// Goes on with numbers that were typed.
    fn bring(&mut self, typed: &[u64]) -> Result<String, String> {
        let (chance, fight) = (self.play.chance(), self.play.fight());
        let wanted = || wanted(chance.as_ref());
        let rolled = chance.as_ref().and_then(|chance| chance.typed(typed)).ok_or_else(wanted)?;
        self.play.bring(&rolled).map_err(|_| wanted())?;
        Ok(came(self.book, chance.as_ref(), fight.as_ref(), &rolled))
    }

    /// The enemies of a fight of a system of rules, and what the hero must not lose.
    fn enemies(&self) -> String {
        let mut out = String::new();
        for enemy in self.play.enemies() {
            let stats: Vec<String> = enemy.stats.iter().map(|(name, number)| format!("{name} {number}")).collect();
            let colon = if stats.is_empty() { "" } else { ": " };
            let _ = writeln!(out, "  {}{colon}{}", enemy.name, stats.join(", "));
        }
        if !out.is_empty() {
            let vital = self.play.stats().into_iter().filter(|stat| stat.vital);
            let vital: Vec<String> = vital.map(|stat| format!("{} {}", stat.name, stat.now)).collect();
            if !vital.is_empty() {
                let _ = writeln!(out, "  you: {}", vital.join(", "));
            }
        }
        out
    }

    fn sheet(&self) -> String {
        if let Look::Over(End::Dead(_)) = self.play.look() {
            return "The dead have nothing.\n".into();
        }
        let belongings = self.play.belongings();
        let hero = &self.question.hero;
        let disciplines: Vec<String> = hero.disciplines.iter().map(ToString::to_string).collect();
        let mut out = if self.book.system.is_some() {
            let stats = self.play.stats().into_iter().map(|stat| match stat.initial {
                Some(initial) => format!("{} {} of {initial}", stat.name, stat.now),
                None => format!("{} {}", stat.name, stat.now),
            });
            let stats: Vec<String> = stats.collect();
            if stats.is_empty() { String::new() } else { format!("  {}\n", stats.join(", ")) }
        } else {
            format!(
                "  combat skill {}, endurance {} of {}, {} gold\n",
                hero.combat_skill,
                belongings.endurance,
                self.play.max_endurance(),
                belongings.gold
            )
        };
        let items = belongings.items.iter();
        let items: Vec<String> =
            items.map(|(name, count)| if *count == 1 { name.clone() } else { format!("{count} {name}") }).collect();
        for (what, list) in [("disciplines", disciplines), ("items", items), ("noted", belongings.flags)] {
            if !list.is_empty() {
                let _ = writeln!(out, "  {what}: {}", list.join(", "));
            }
        }
        if out.is_empty() { "  nothing\n".into() } else { out }
    }

    /// Shows what everything that can be done, or come, is worth.
    fn hint(&mut self, look: Look) -> Result<(), Stop> {
        match self.solve() {
            Ok(()) => {}
            // Only the solving was stopped.
            Err(Failure::Interrupted(_)) => return print("Stopped: no hints.\n"),
            Err(failure) => return Err(Stop::Failed(failure)),
        }
        let mut out = String::new();
        if let Some(win) = self.play.win() {
            let draft = self.book.draft.said().map(|said| format!("; {said}")).unwrap_or_default();
            let _ = writeln!(out, "  You win with probability {}  ({}){draft}", percent_of(&win), bounds_text(&win));
        }
        match look {
            Look::Over(_) => {}
            Look::Question => {
                let mut hints: Vec<_> = (1..).zip(self.play.hints()).collect();
                hints.sort_by(|(_, left), (_, right)| left.best_first(right));
                let wins = win_texts(hints.iter().map(|(_, hint)| hint));
                for ((number, hint), win) in hints.into_iter().zip(wins) {
                    let label = answer_text(self.book, &hint);
                    let _ = writeln!(out, "{number:>4} {} {win:>10}  {label}", star(&hint));
                }
            }
            Look::Chance => {
                let chance = self.play.chance();
                let dice = matches!(chance, Some(Chance::Dice { .. }));
                let prospects = chance.map(Chance::prospects).unwrap_or_default();
                let wins: Vec<Option<&Value>> = prospects.iter().map(|(_, prospect)| prospect.win.as_ref()).collect();
                let told = prospects.iter().zip(percents_of(&wins)).map(|((number, prospect), win)| {
                    (*number, prospect.win.as_ref().map(|_| win).unwrap_or_default(), prospect.told(self.book))
                });
                // Sums after one another that bring the same are one line.
                let alike = |left: &(i32, String, String), right: &(i32, String, String)| {
                    dice && (&left.1, &left.2) == (&right.1, &right.2)
                };
                for same in told.collect::<Vec<_>>().chunk_by(alike) {
                    let [(first, win, what), ..] = same else { continue };
                    let numbers = match same {
                        [.., (last, ..)] if last > first => format!("{first}-{last}"),
                        _ => first.to_string(),
                    };
                    let _ = writeln!(out, "{numbers:>4}   {win:>10}  {what}");
                }
            }
        }
        print(&out)
    }

    /// Solves the book, the first time.
    fn solve(&mut self) -> Result<(), Failure> {
        if self.solved.get().is_some() {
            return Ok(());
        }
        let solved = self
            .args
            .engine
            .run(|options, _| match self.series {
                Some(series) => series.solved(self.question, options),
                None => Solved::new(self.book, self.question, options),
            })
            .map_err(|error| unsolved(&error))?;
        let same = self.play.take_hints(self.solved.get_or_init(|| solved));
        if same { Ok(()) } else { Err(Failure::failed("these hints are for another game", "please report this book")) }
    }
}

/// The next line of the player; `None` when nothing comes any more.
fn listen() -> Result<Option<Said>, Stop> {
    print("> ")?;
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(Stop::Input)?;
    if line.last() != Some(&b'\n') && line.len() as u64 == LONGEST_LINE {
        input.skip_until(b'\n').map_err(Stop::Input)?;
    }
    if line.is_empty() {
        print("\n")?;
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&line);
    if !io::stdin().is_terminal() {
        // As it would stand on a terminal.
        let shown: String = line.trim().chars().filter(|c| !c.is_control()).take(80).collect();
        print(&format!("{shown}\n"))?;
    }
    Ok(Some(Said::new(&line)))
}

fn number_wanted(answers: usize) -> String {
    match answers {
        1 => "Type 1, or help.".into(),
        _ => format!("Type a number from 1 to {answers}, or help."),
    }
}

/// What chance brought, in a line; nothing where nothing is to be seen of it.
fn came(book: &Book, chance: Option<&Chance>, fight: Option<&FightNow>, rolled: &Rolled) -> String {
    let told = chance.map(|chance| chance.came(book, fight, rolled)).unwrap_or_default();
    if told.is_empty() { told } else { format!("  {told}\n") }
}

/// What is wanted where chance is asked.
fn wanted(chance: Option<&Chance>) -> String {
    match chance {
        Some(Chance::Dice { .. }) => "Type what the dice show, or press Enter.".into(),
        chance => format!("{}, or press Enter.", asked(chance).trim_end_matches('.')),
    }
}

/// What is to be picked or rolled.
fn asked(chance: Option<&Chance>) -> String {
    chance.map(Chance::asks).unwrap_or_default()
}

fn print(text: &str) -> Result<(), Stop> {
    let mut out = Shown::new(io::stdout().lock(), Escapes::Text);
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
