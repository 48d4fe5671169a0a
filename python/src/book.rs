//! Gamebooks: reading, solving and advice.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use gamebook::{
    Advice, BUILT_IN, Belongings, Discipline, FirstChoice, HeroChoice, HeroGroup, HeroOverrides, Journey, Problems,
    Question, ReadError, SectionNumber, Severity, Solved, built_in, is_series, policy_named, read_beside, read_policy,
    read_readings,
};
use mdp::{Game, StateSpace};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::graph::Graph;
use crate::numbers::{Index, ValueTuple, value_tuple};
use crate::session::Run;
use crate::solution::{counts, policy};
use crate::wrong::Wrong;

/// The longest text of a book, in bytes; shorter texts that are too long get an error of the reader.
const LONGEST: u64 = 64 << 20;

/// The names of the built-in books.
#[pyfunction]
pub fn built_in_books() -> Vec<&'static str> {
    BUILT_IN.iter().map(|(name, _)| *name).collect()
}

/// Sets of disciplines, COMBAT SKILLs and ENDURANCEs.
type HeroSets = (Vec<Vec<String>>, Vec<i32>, Vec<i32>);

/// A gamebook.
#[pyclass(frozen, module = "bestplay._engine")]
pub struct Book {
    book: Arc<gamebook::Book>,
    text: String,
}

/// The first errors of a book, each with its line and column.
fn problems(name: &str, text: &str, problems: &Problems) -> Wrong {
    const SHOWN: usize = 5;
    let errors: Vec<_> = problems.0.iter().filter(|problem| problem.severity == Severity::Error).collect();
    let count = match errors.len() {
        1 => format!("{name} has an error"),
        many => format!("{name} has {many} errors"),
    };
    let shown = errors.iter().take(SHOWN).map(|problem| {
        let (line, column) = problem.position(text);
        let help = problem.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("line {line}, column {column}: {}{help}", problem.message)
    });
    Wrong::Bad([count].into_iter().chain(shown).collect::<Vec<_>>().join("\n"))
}

/// Reads a text of limited length.
fn text_of(path: &Path) -> Result<String, Wrong> {
    let unread = |error: std::io::Error| {
        Wrong::bad(format!("cannot read {}: {error}", path.display()), "name a file that exists")
    };
    if std::fs::metadata(path).map_err(unread)?.len() > LONGEST {
        return Err(Wrong::bad(
            format!("{} is longer than {} MiB", path.display(), LONGEST >> 20),
            "is it the right file?",
        ));
    }
    std::fs::read_to_string(path).map_err(unread)
}

impl Book {
    fn read(py: Python<'_>, name: &str, text: String, run: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        if is_series(&text) {
            return Err(PyValueError::new_err(format!("`{name}` is a series of books (name one of its books)")));
        }
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        let beside = |system: &str| {
            let path = folder.join(system);
            if path.is_file() {
                text_of(&path).map_err(|_| format!("{} is not text", path.display()))
            } else {
                Err(format!("there is no file {}", path.display()))
            }
        };
        let book = Run::new(run)?.away(py, |session| match read_beside(&text, &beside, session.budget) {
            Ok((book, _)) => Ok(book),
            Err(ReadError::Problems(found)) => Err(problems(name, &text, &found)),
            Err(ReadError::Stopped(stopped)) => Err(stopped.into()),
        })?;
        Ok(Self { book: Arc::new(book), text })
    }

    /// The book itself.
    pub fn book(&self) -> &Arc<gamebook::Book> {
        &self.book
    }

    fn section(&self, name: &str) -> Result<SectionNumber, Wrong> {
        let missing = || Wrong::bad(format!("there is no section {name}"), "name a section of the book");
        self.book.section_named(name).ok_or_else(missing)
    }
}

/// How a book is read and played: goals, readings, policy, reductions.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Conduct {
    goals: Vec<String>,
    readings: Vec<String>,
    policy: Option<String>,
    exact: bool,
    without: Vec<String>,
}

/// The fields of a hero that differ from those of the book's hero.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct HeroFields {
    combat_skill: Option<i32>,
    endurance: Option<u8>,
    disciplines: Option<Vec<String>>,
    items: Option<Vec<String>>,
    lost: Option<Vec<String>>,
    gold: Option<u8>,
    values: Vec<String>,
}

impl From<HeroFields> for HeroOverrides {
    fn from(fields: HeroFields) -> Self {
        let HeroFields { combat_skill, endurance, disciplines, items, lost, gold, values } = fields;
        Self { combat_skill, endurance, disciplines, items, lost, gold, values }
    }
}

impl Book {
    /// The question with these readings, policy, goals and reductions.
    fn apply(&self, conduct: &Conduct, mut question: Question) -> Result<Question, Wrong> {
        let book = &*self.book;
        question.situation.readings = read_readings(book, &conduct.readings)?;
        if let Some(name) = &conduct.policy {
            // A text with a block is a policy itself, not the name of one.
            question.situation.policy = Some(if name.contains('{') {
                read_policy(book, name).map_err(|found| problems("the policy", name, &found))?
            } else {
                policy_named(book, name)?.clone()
            });
        }
        if !conduct.goals.is_empty() {
            question.goals = conduct.goals.iter().map(|name| self.section(name)).collect::<Result<_, _>>()?;
        }
        for name in &conduct.without {
            let unknown = || {
                let known = gamebook::Analyses::NAMES.join(", ");
                Wrong::bad(format!("there is no reduction `{name}`"), format!("known reductions: {known}"))
            };
            question.analyses = question.analyses.without(name).ok_or_else(unknown)?;
        }
        question.exact = conduct.exact;
        Ok(question)
    }
}

/// An answer: its label, the section to which it leads at once, its value if that is known, and its standing.
type Answer<'py> = (String, Option<String>, Option<ValueTuple<'py>>, &'static str);

fn answer<'py>(py: Python<'py>, book: &gamebook::Book, advice: &Advice) -> PyResult<Answer<'py>> {
    let win = advice.win.as_ref().map(|win| value_tuple(py, Some(win))).transpose()?;
    Ok((advice.label.clone(), advice.section.map(|section| book.section_text(section)), win, advice.standing.name()))
}

#[pymethods]
impl Book {
    /// A built-in book, or one in a file.
    #[staticmethod]
    #[pyo3(signature = (name, run=None))]
    fn load(py: Python<'_>, name: &str, run: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        if let Some(text) = built_in(name) {
            return Self::read(py, name, text.into(), run);
        }
        let path = Path::new(name);
        if !path.exists() {
            let names = built_in_books().join(", ");
            let help = format!("name a file, or one of the built-in books: {names}");
            return Err(Wrong::bad(format!("there is no book `{name}`"), help).into());
        }
        Self::read(py, name, text_of(path)?, run)
    }

    /// A book in the book language.
    #[staticmethod]
    #[pyo3(signature = (text, run=None))]
    fn parse(py: Python<'_>, text: String, run: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::read(py, "the book", text, run)
    }

    /// The title of the book.
    fn title(&self) -> &str {
        &self.book.title
    }

    /// The number of its `todo`s, the number of sections that are not written, and the warning to show beside its odds.
    fn draft(&self) -> (usize, usize, Option<String>) {
        (self.book.draft.todos, self.book.draft.stubs, self.book.draft.warning())
    }

    /// The text from which it was read.
    fn text(&self) -> &str {
        &self.text
    }

    /// Its sections, by number or name.
    fn sections(&self) -> Vec<String> {
        self.book.sections.keys().map(|section| self.book.section_text(*section)).collect()
    }

    /// The items of Lone Wolf that can be had in it.
    fn items(&self) -> Vec<String> {
        self.book.items.iter().map(|item| item.name.clone()).collect()
    }

    /// How many disciplines a hero knows in it.
    fn disciplines(&self) -> usize {
        self.book.learns
    }

    /// All heroes of Lone Wolf that the rules can make: the sets of disciplines, with `weapon` as that of weaponskill (else that of
    /// the book's hero, or the book's first), and every COMBAT SKILL and ENDURANCE.
    fn every_hero(&self, weapon: Option<&str>) -> PyResult<HeroSets> {
        if self.book.system.is_some() {
            let help = "a book with a system of rules of its own has heroes of another kind";
            return Err(PyValueError::new_err(format!("the book has no heroes of Lone Wolf ({help})")));
        }
        let HeroChoice { sets, .. } = HeroChoice::all(&self.book, weapon);
        let named = |(set, weapon): (Vec<Discipline>, Option<String>)| {
            let name = |own: &Discipline| match (own, &weapon) {
                (Discipline::Weaponskill, Some(weapon)) => format!("{own}={weapon}"),
                _ => own.to_string(),
            };
            set.iter().map(name).collect()
        };
        let kai = &self.book.kai;
        Ok((sets.into_iter().map(named).collect(), kai.combat_skills().collect(), kai.endurances().collect()))
    }

    /// The book from a section on, for a hero.
    #[pyo3(signature = (hero, start, conduct, run=None))]
    fn solve(
        &self,
        py: Python<'_>,
        hero: HeroFields,
        start: Option<String>,
        conduct: Conduct,
        run: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<SolvedBook> {
        let overrides = HeroOverrides::from(hero);
        let book = &*self.book;
        let ask = || {
            let mut question = Question::new(book);
            question.situation.values = overrides.values(book)?;
            question.hero = overrides.hero(book)?;
            if let Some(start) = &start {
                question.start = self.section(start)?;
            }
            self.apply(&conduct, question)
        };
        let question = ask()?;
        let solved =
            Run::new(run)?.away(py, |session| Ok(Solved::new(book, &question, &session.explore_options())?))?;
        Ok(SolvedBook { book: self.book.clone(), solved, by_number: OnceLock::new() })
    }

    /// The probability to win of each of some heroes. Heroes who differ only in COMBAT SKILL and ENDURANCE
    /// are solved together.
    #[pyo3(signature = (heroes, conduct, run=None))]
    fn odds<'py>(
        &self,
        py: Python<'py>,
        heroes: Vec<HeroFields>,
        conduct: Conduct,
        run: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<ValueTuple<'py>>> {
        let book = &*self.book;
        let overrides: Vec<HeroOverrides> = heroes.into_iter().map(HeroOverrides::from).collect();
        let ask = || {
            let question = self.apply(&conduct, Question::new(book))?;
            if book.system.is_none() {
                let heroes = overrides.iter().map(|own| own.hero(book)).collect::<Result<Vec<_>, _>>()?;
                return Ok(HeroGroup::of(&question, &heroes));
            }
            let alone = |(place, own): (usize, &HeroOverrides)| {
                let mut question = question.clone();
                question.situation.values = own.values(book)?;
                Ok((HeroGroup { question, rolls: vec![Vec::new()] }, vec![place]))
            };
            overrides.iter().enumerate().map(alone).collect::<Result<_, Wrong>>()
        };
        let groups = ask()?;
        let wins = Run::new(run)?.away(py, |session| {
            let mut wins = vec![None; overrides.len()];
            for (group, places) in &groups {
                group.solve(book, &session.explore_options(), &|_| true, &mut |solved| {
                    for (roll, win) in solved {
                        wins[places[*roll]] = Some(win.clone());
                    }
                    Ok(())
                })?;
            }
            Ok(wins)
        })?;
        wins.iter().map(|win| value_tuple(py, win.as_ref())).collect()
    }

    /// What to do in a section, with the hero as he is now: the solution from there, and all answers, best first.
    #[pyo3(signature = (at, hero, max_endurance, flags, conduct, run=None))]
    fn advise<'py>(
        &self,
        py: Python<'py>,
        at: &str,
        hero: HeroFields,
        max_endurance: Option<u8>,
        flags: Vec<String>,
        conduct: Conduct,
        run: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(SolvedBook, Vec<Answer<'py>>)> {
        let book = &*self.book;
        let ask = || {
            let section = self.section(at)?;
            let question = HeroOverrides::from(hero).standing(book, section, max_endurance, &flags)?;
            self.apply(&conduct, question)
        };
        let question = ask()?;
        let (solved, answers) =
            Run::new(run)?.away(py, |session| Ok(Solved::advised(book, &question, &session.explore_options())?))?;
        let answers = answers.iter().map(|advice| answer(py, book, advice)).collect::<PyResult<_>>()?;
        Ok((SolvedBook { book: self.book.clone(), solved, by_number: OnceLock::new() }, answers))
    }
}

/// A solved book.
#[pyclass(frozen, module = "bestplay._engine")]
pub struct SolvedBook {
    book: Arc<gamebook::Book>,
    solved: Solved,
    /// Its situations by number, listed on first use.
    by_number: OnceLock<StateSpace<gamebook::State>>,
}

#[pymethods]
impl SolvedBook {
    /// The probability to win.
    fn win<'py>(&self, py: Python<'py>) -> PyResult<ValueTuple<'py>> {
        value_tuple(py, Some(&self.solved.win()))
    }

    /// The size of the solved model.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        counts(py, self.solved.space().model())
    }

    /// The first questions on the most likely way whose answers differ.
    fn first_choices<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Vec<Answer<'py>>)>> {
        let choices = py.detach(|| self.solved.first_choices());
        let each = |FirstChoice { section, answers, .. }: &FirstChoice| {
            let answers = answers.iter().map(|advice| answer(py, &self.book, advice)).collect::<PyResult<_>>()?;
            Ok((self.book.section_text(*section), answers))
        };
        choices.iter().map(each).collect()
    }

    /// The deaths, sections, final states and most likely play of best play.
    #[pyo3(signature = (run=None))]
    fn journey<'py>(&self, py: Python<'py>, run: Option<&Bound<'_, PyDict>>) -> PyResult<Bound<'py, PyDict>> {
        let journey = Run::new(run)?.away(py, |session| Ok(self.solved.journey(&session.explore_options())?))?;
        let Journey { deaths, sections, finals, way, .. } = journey;
        let name = |section: SectionNumber| self.book.section_text(section);
        let dict = PyDict::new(py);
        dict.set_item("deaths", deaths.into_iter().map(|(section, share)| (name(section), share)).collect::<Vec<_>>())?;
        let visit = |visit: &gamebook::SectionVisit| (name(visit.section), visit.visited, visit.win_if_here);
        dict.set_item("sections", sections.iter().map(visit).collect::<Vec<_>>())?;
        let ends = PyList::empty(py);
        for (section, belongings, share) in &finals {
            ends.append((name(*section), share, sheet(py, belongings)?))?;
        }
        dict.set_item("final_states", ends)?;
        dict.set_item("way", way.into_iter().map(name).collect::<Vec<_>>())?;
        Ok(dict)
    }

    /// The labels of the answers to the question of a situation of the solved model.
    fn names(&self, state: Index) -> PyResult<Vec<Option<String>>> {
        Ok(self.solved.machine().actions(self.state(state)?))
    }

    /// The section of a situation of the solved model.
    fn section(&self, state: Index) -> PyResult<String> {
        Ok(self.book.section_text(self.solved.machine().section(self.state(state)?)))
    }

    /// The choice that best play takes in each situation of the solved model; -1 where play is over.
    fn policy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        policy(py, self.solved.solution())
    }

    /// The solved model, for playing move by move.
    fn graph(&self) -> Graph {
        let space = self.solved.space();
        Graph::new(space.model().clone(), space.starts().to_vec())
    }
}

impl SolvedBook {
    fn state(&self, Index(state): Index) -> PyResult<&gamebook::State> {
        let one_by_one = || self.solved.space().one_by_one(self.solved.machine());
        let states = self.by_number.get_or_init(one_by_one).states();
        let right = || format!("state {state}: there are {}, numbered from 0", states.len());
        states.get(state as usize).ok_or_else(|| PyValueError::new_err(right()))
    }
}

/// The belongings of a hero.
fn sheet<'py>(py: Python<'py>, belongings: &Belongings) -> PyResult<Bound<'py, PyDict>> {
    let Belongings { stats, endurance, gold, items, flags } = belongings;
    let sheet = PyDict::new(py);
    if let Some(stats) = stats {
        let own = PyDict::new(py);
        stats.iter().try_for_each(|(name, number)| own.set_item(name, number))?;
        sheet.set_item("stats", own)?;
    } else {
        sheet.set_item("endurance", endurance)?;
        sheet.set_item("gold", gold)?;
    }
    let own = PyDict::new(py);
    items.iter().try_for_each(|(name, count)| own.set_item(name, count))?;
    sheet.set_item("items", own)?;
    sheet.set_item("flags", flags)?;
    Ok(sheet)
}
