//! Warnings about a valid book: what can never be reached, left or done. Each is proved without solving, for all heroes at
//! once.
//!
//! Sets of heroes, each a range for every number, are propagated through the sections (`flow.rs`; in a system of rules through
//! the program, `ranges.rs`) to a fixed point: what no such set can do is impossible. The same is done from one section
//! (`dead_ends.rs`), without one item (`key_deadlocks.rs`), and for one hero.

mod changes;
mod dead_ends;
mod exploits;
mod flow;
mod found;
mod heroes;
mod key;
mod key_deadlocks;
mod picks;
mod policies;
mod ranges;
mod sign_errors;
mod system;
mod walks;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use budget::{Budget, Stopped};

use crate::book::Book;
use crate::solve::Question;
use crate::syntax::{MOST_PROBLEMS, Problem};
use crate::terms::SectionNumber;
use flow::Flow;
use found::Found;
use heroes::Space;
use key::Key;
use key_deadlocks::{FindKeys, Keys};
use system::{Lowered, Walk};
use walks::{Distances, MayWin, Who, leading_to};

pub(crate) use picks::gaps;
pub use policies::check_policy;

/// The most ranges copied in the search for what heroes can have; the largest books need a few millions.
const FUEL: u64 = 400_000_000;

/// Warnings about a book, in the order of its text.
///
/// Heroes start with any disciplines, gold and items that the book declares, since they may come from other books. What the
/// book gives, takes and sets is followed from section to section, each number separately as a range.
///
/// ```
/// let text = r#"
///     book "Purse" format=1 rules="lone-wolf"
///     start 1
///     goal 3
///     hero { combat-skill 15; endurance 25; }
///     section 1 { lose gold all; goto 2; }
///     section 2 {
///         choice "pay" { require "gold >= 1"; goto 3; }
///         choice "beg" { goto 3; }
///     }
///     section 3 { victory; }
/// "#;
/// let (book, _) = gamebook::read(text)?;
/// let warnings = gamebook::check(&book, &budget::Budget::unlimited())?;
/// assert_eq!(warnings.len(), 1);
/// assert_eq!(warnings[0].message, "no hero can ever take this choice");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the budget is exhausted.
pub fn check(book: &Book, budget: &Budget<'_>) -> Result<Vec<Problem>, Stopped> {
    let targets: BTreeMap<SectionNumber, BTreeSet<SectionNumber>> =
        book.sections.keys().map(|number| (*number, book.outline(*number).targets)).collect();
    let by_text = reachable(book, &targets);
    let mut problems = Vec::new();
    let found = match looked(book, None, budget, &mut problems)? {
        Analyzed::Found(found) => Some(found),
        Analyzed::Wrong(problem) => return Ok(vec![problem]),
        Analyzed::TooLarge => None,
    };
    unreached(book, &targets, &by_text, found.as_ref().map_or(&by_text, |found| &found.reached), &mut problems);
    match found {
        Some(found) => {
            let can_end = endless(book, &found, &mut problems);
            exploits::endless_gains(book, &Question::new(book), Who::Anyone, &can_end, budget, &mut problems)?;
            problems.extend(found.problems);
        }
        None => problems.push(too_large()),
    }
    problems.extend(policies::policies(book, &book.policies, budget)?);
    Ok(in_order(problems))
}

/// Warnings for one hero, in the order of the text: sections from which he can no longer win, items that he gets only if he has
/// them already, goods that he can never pay for, and loops with endless gains. Warnings for all heroes are included.
///
/// ```
/// use gamebook::{Hero, Question, check_hero};
///
/// let text = r#"
///     book "Toll" format=1 rules="lone-wolf"
///     start 1
///     goal 4
///     hero { combat-skill 15; endurance 25; gold 5; }
///     section 1 { choice "bridge" { goto 2; }; choice "ford" { goto 4; }; }
///     section 2 { choice "pay" { require "gold >= 10"; goto 4; }; choice "jump" { goto 3; }; }
///     section 3 { death; }
///     section 4 { victory; }
/// "#;
/// let (book, _) = gamebook::read(text)?;
/// let mut question = Question::new(&book);
/// let warnings = check_hero(&book, &question, &budget::Budget::unlimited())?;
/// assert_eq!(warnings[0].message, "this hero cannot win from section 2 on");
/// question.hero.gold = 10;
/// assert_eq!(check_hero(&book, &question, &budget::Budget::unlimited())?, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the budget is exhausted.
pub fn check_hero(book: &Book, question: &Question, budget: &Budget<'_>) -> Result<Vec<Problem>, Stopped> {
    let mut problems = Vec::new();
    match looked(book, Some(question), budget, &mut problems)? {
        Analyzed::Found(found) => {
            let can_end = leading_to(&found.leads_to, &found.ends);
            exploits::endless_gains(book, question, Who::This, &can_end, budget, &mut problems)?;
            problems.extend(found.problems);
        }
        Analyzed::Wrong(problem) => return Ok(vec![problem]),
        Analyzed::TooLarge => problems.push(too_large()),
    }
    Ok(in_order(problems))
}

fn too_large() -> Problem {
    Problem::warning(0..0, "the book is too large to find what every hero can have")
        .help("impossible choices are not reported")
}

fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|problem| problem.span.start);
    problems.dedup();
    problems.truncate(MOST_PROBLEMS);
    problems
}

/// The result of the analysis of a book.
enum Analyzed {
    Found(Found),
    /// The book is invalid.
    Wrong(Problem),
    TooLarge,
}

/// Propagates every hero through a book, or the one in question.
fn looked(
    book: &Book,
    question: Option<&Question>,
    budget: &Budget<'_>,
    problems: &mut Vec<Problem>,
) -> Result<Analyzed, Stopped> {
    let who = if question.is_some() { Who::This } else { Who::Anyone };
    let asked = question.cloned().unwrap_or_else(|| Question::new(book));
    if let Some(system) = &book.system {
        return match system::lowered(book, system, budget)? {
            Lowered::Marked(marked) => walked(&asked, &Walk::new(book, &marked, question, budget), who, problems),
            Lowered::Wrong(problem) => Ok(Analyzed::Wrong(problem)),
            Lowered::TooLarge => Ok(Analyzed::TooLarge),
        };
    }
    let space = Space::new(book, FUEL, budget);
    let sets_out = question.map_or_else(|| space.setting_out(), |question| space.hero(&question.hero));
    let mut flow = Flow::new(&space, sets_out.clone(), who);
    let Some(found) = flow.run()? else { return Ok(Analyzed::TooLarge) };
    let gets = |with: &BTreeSet<Key>, without: &BTreeSet<Key>| {
        Flow::new(&space, space.with_keys(sets_out.clone(), with, without), who).gets()
    };
    let further = FurtherStarts { may_win: &|section, far| flow.may_win(section, far), gets: &gets };
    looks_further(book, &asked, &found, who, &further, problems)?;
    Ok(Analyzed::Found(found))
}

/// The same in a book with a system of rules.
fn walked(question: &Question, walk: &Walk<'_>, who: Who, problems: &mut Vec<Problem>) -> Result<Analyzed, Stopped> {
    let Some(reached) = walk.reached()? else { return Ok(Analyzed::TooLarge) };
    let found = walk.found(&reached, who);
    let may_win = |section, _: &Distances| walk.may_win(&reached, section);
    let further = FurtherStarts { may_win: &may_win, gets: &|with, without| walk.gets(with, without) };
    looks_further(walk.book, question, &found, who, &further, problems)?;
    Ok(Analyzed::Found(found))
}

/// Analyses that start elsewhere or with other heroes.
struct FurtherStarts<'f> {
    may_win: &'f MayWin<'f>,
    gets: &'f FindKeys<'f>,
}

/// Warnings from analyses that start elsewhere or with other heroes.
fn looks_further(
    book: &Book,
    question: &Question,
    found: &Found,
    who: Who,
    further: &FurtherStarts<'_>,
    problems: &mut Vec<Problem>,
) -> Result<(), Stopped> {
    dead_ends::lost(book, found, further.may_win, who, problems)?;
    Keys::new(book).behind_themselves(book, question, who, further.gets, problems)
}

/// The sections that are reachable if every condition may hold.
fn reachable(book: &Book, targets: &BTreeMap<SectionNumber, BTreeSet<SectionNumber>>) -> BTreeSet<SectionNumber> {
    let mut reached = BTreeSet::from([book.start]);
    let mut open = vec![book.start];
    while let Some(section) = open.pop() {
        if book.goals.contains(&section) && section != book.start {
            continue;
        }
        for next in targets.get(&section).into_iter().flatten() {
            if reached.insert(*next) {
                open.push(*next);
            }
        }
    }
    reached
}

fn unreached(
    book: &Book,
    targets: &BTreeMap<SectionNumber, BTreeSet<SectionNumber>>,
    by_text: &BTreeSet<SectionNumber>,
    reached: &BTreeSet<SectionNumber>,
    problems: &mut Vec<Problem>,
) {
    const NAMED: usize = 5;
    let mut sources: BTreeMap<SectionNumber, Vec<SectionNumber>> = BTreeMap::new();
    for (from, to) in targets {
        for section in to {
            let named = sources.entry(*section).or_default();
            if named.len() <= NAMED {
                named.push(*from);
            }
        }
    }
    for (number, section) in book.sections.iter().filter(|(number, _)| !reached.contains(number)).take(MOST_PROBLEMS) {
        let from = sources.get(number).map_or(&[][..], Vec::as_slice);
        let mut names: Vec<String> = from.iter().take(NAMED).map(|from| book.section_text(*from)).collect();
        if from.len() > NAMED {
            names.push("...".into());
        }
        let shown = book.section_text(*number);
        let (message, help) = if from.is_empty() {
            (format!("no section leads to {shown}"), format!("write `goto {shown}` somewhere, or leave it out"))
        } else if by_text.contains(number) {
            (
                format!("section {shown} can never be reached"),
                format!("the ways here from {} are never possible", names.join(", ")),
            )
        } else {
            (
                format!("section {shown} cannot be reached from the start"),
                format!("only {} leads here, which cannot be reached or is a goal", names.join(", ")),
            )
        };
        problems.push(Problem::warning(section.span.clone(), message).help(help));
    }
}

/// Reports sections from which play never ends, and books that cannot be won. Returns the sections from which it can end.
fn endless(book: &Book, found: &Found, problems: &mut Vec<Problem>) -> Distances {
    let can_end = leading_to(&found.leads_to, &found.ends);
    for number in found.reached.iter().filter(|own| !can_end.contains_key(own)).take(MOST_PROBLEMS) {
        let Some(section) = book.sections.get(number) else { continue };
        problems.push(
            Problem::warning(
                section.span.clone(),
                format!("play never ends from section {} on", book.section_text(*number)),
            )
            .help(match found.leads_to.get(number) {
                None => "no hero can leave it",
                Some(_) => "every way from here leads back here: let one of them lead to an end",
            }),
        );
    }
    if !leading_to(&found.leads_to, &found.wins).contains_key(&book.start)
        && let Some(section) = book.sections.get(&book.start)
    {
        problems.push(
            Problem::warning(section.span.clone(), "no play that begins here can be won")
                .help("no goal and no `victory` can be reached from the start"),
        );
    }
    can_end
}
