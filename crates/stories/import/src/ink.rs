//! Writes stories in ink as books: every situation of the running story becomes a section.

use std::collections::{BTreeMap, BTreeSet};

use budget::Budget;
use ink::{Ending, NotUnfolded, Passage, StepLimits, Story, Then, Unfolded};

use crate::line::{Line, quoted};
use crate::readable::readable;
use crate::story::{ImportedStory, LONGEST_LABEL, text_lines};
use crate::unreadable::Unreadable;

/// The most sections of a book made of a story.
const MOST_SECTIONS: usize = 5_000;
/// The most sides of a die in the book language.
const MOST_SIDES: u128 = 1_000;

/// Writes a story as a book, whose sections are the situations that the running story can reach, each with the text
/// that leads to it. The book is won where the story is won, with the same odds.
///
/// ```
/// let text = "# title: Gate\nTwo ways.\n* left -> END\n* [right]\n  Light. # win\n  -> END\n";
/// let story = ink::Story::compile(text, "gate.ink", |_| Err("none".into())).expect("ink");
/// let imported = import::ink(&story, &budget::Budget::unlimited())?;
/// assert_eq!((&imported.title[..], imported.links), ("Gate", 2));
/// assert!(gamebook::read(&imported.text).is_ok());
/// # Ok::<(), import::Unreadable>(())
/// ```
///
/// # Errors
/// When the story has too many situations, or chances that no dice give; or when the budget stops the run.
pub fn ink(story: &Story, budget: &Budget<'_>) -> Result<ImportedStory, Unreadable> {
    let unfolded = story.unfold(MOST_SECTIONS, StepLimits::default(), budget).map_err(|error| match error {
        NotUnfolded::TooMany => Unreadable::wrong(format!("it has more than {MOST_SECTIONS} situations")),
        NotUnfolded::Stopped(stopped) => Unreadable::Stopped(stopped),
    })?;
    let title = story.title().unwrap_or_else(|| "A story".into());
    let mut book = Book::new(&unfolded);
    let mut sections = book.sections()?;
    sections.extend(book.ends.iter().map(|(ending, name)| end(ending, name)));
    let start = match unfolded.start[..] {
        [(only, _)] => book.names[only].clone(),
        _ => {
            let name = book.free("start");
            let lines = vec![book.outcomes(&unfolded.start)?];
            sections.insert(0, (name.clone(), Line::block(format!("section {}", quoted(&name)), lines)));
            name
        }
    };
    let mut notes = Vec::new();
    if !book.ends.keys().any(|ending| ending.won) {
        notes.push("no end of the story is won: tag an end `# win`, or name a knot or a condition by --goal".into());
    }
    let head = format!("book {} format=1 system=\"none\"\nstart {}\n", quoted(&title), quoted(&start));
    let written = sections.into_iter().map(|(name, line)| {
        let mut text = String::from("\n");
        line.write(0, &mut text);
        (name, text)
    });
    let links = book.links;
    // A situation that the book language cannot express ends the import, so no placeholder is ever asked for.
    let unknown = |_: &String, _: &str| String::new();
    let (text, refused) = readable(&head, written.collect(), &unknown, budget)?;
    match refused.first() {
        Some((name, what)) => Err(Unreadable::wrong(format!("`{name}`: {what}"))),
        None => Ok(ImportedStory {
            passages: unfolded.passages.len(),
            title,
            text,
            links,
            todos: Vec::new(),
            notes,
            bounded: Vec::new(),
        }),
    }
}

/// The book that a story becomes.
struct Book<'u> {
    unfolded: &'u Unfolded,
    /// The section of each passage.
    names: Vec<String>,
    /// The section of each ending.
    ends: BTreeMap<Ending, String>,
    taken: BTreeSet<String>,
    links: usize,
}

impl<'u> Book<'u> {
    fn new(unfolded: &'u Unfolded) -> Self {
        let mut book = Self { unfolded, names: Vec::new(), ends: BTreeMap::new(), taken: BTreeSet::new(), links: 0 };
        for passage in &unfolded.passages {
            if let Then::Ends(ending) = &passage.then
                && !book.ends.contains_key(ending)
            {
                let name = book.free(&ending.name);
                book.ends.insert(ending.clone(), name);
            }
        }
        for passage in &unfolded.passages {
            let name = match &passage.then {
                // An end without a text of its own needs no section before it.
                Then::Ends(ending) if passage.text.trim().is_empty() => book.ends[ending].clone(),
                Then::Ends(ending) => book.free(&format!("to {}", ending.name)),
                _ => book.free(&passage.place),
            };
            book.names.push(name);
        }
        book
    }

    /// A name for a section that no other section has.
    fn free(&mut self, wanted: &str) -> String {
        // A name of digits would be the number of a section.
        let is_number = wanted.chars().all(|sign| sign.is_ascii_digit());
        let wanted: String = if is_number { format!("knot {wanted}") } else { wanted.chars().take(80).collect() };
        let numbered = (2..).map(|number: usize| format!("{wanted} {number}"));
        let name = [wanted.clone()].into_iter().chain(numbered).find(|name| !self.taken.contains(name));
        let name = name.unwrap_or(wanted);
        self.taken.insert(name.clone());
        name
    }

    fn sections(&mut self) -> Result<Vec<(String, Line)>, Unreadable> {
        let unfolded: &'u Unfolded = self.unfolded;
        let mut sections = Vec::new();
        for (number, passage) in unfolded.passages.iter().enumerate() {
            if matches!(&passage.then, Then::Ends(ending) if self.ends[ending] == self.names[number]) {
                continue;
            }
            let name = self.names[number].clone();
            let body = self.body(passage)?;
            sections.push((name.clone(), Line::block(format!("section {}", quoted(&name)), body)));
        }
        Ok(sections)
    }

    fn body(&mut self, passage: &Passage) -> Result<Vec<Line>, Unreadable> {
        let mut body = text_lines(&passage.text);
        match &passage.then {
            Then::Ends(ending) => body.push(goto(&self.ends[ending])),
            Then::BreaksOff(fault) => {
                let what: String = fault.message.chars().take(LONGEST_LABEL).collect();
                body.push(Line::leaf(format!("death {}", quoted(&format!("the story breaks off: {what}")))));
            }
            Then::Asks(choices) => {
                for (label, outcomes) in choices {
                    self.links += 1;
                    let label: String = label.chars().take(LONGEST_LABEL).collect();
                    let inner = vec![self.outcomes(outcomes)?];
                    body.push(Line::block(format!("choice {}", quoted(&label)), inner));
                }
            }
        }
        Ok(body)
    }

    /// Goes to one of these passages, by their weights.
    fn outcomes(&self, outcomes: &[(usize, u128)]) -> Result<Line, Unreadable> {
        let mut end = 0;
        let ends: Vec<(&str, u128)> = outcomes
            .iter()
            .map(|(number, weight)| {
                end += weight;
                (&self.names[*number][..], end)
            })
            .collect();
        let dice = dice(end).ok_or_else(|| {
            Unreadable::wrong(format!("a chance of 1 in {end} needs a die of more than {MOST_SIDES} sides"))
        })?;
        Ok(thrown(&ends, 0, end, &dice))
    }
}

fn end(ending: &Ending, name: &str) -> (String, Line) {
    let leaf = if ending.won { "victory".to_owned() } else { format!("death {}", quoted(&ending.name)) };
    (name.to_owned(), Line::block(format!("section {}", quoted(name)), vec![Line::leaf(leaf)]))
}

fn goto(section: &str) -> Line {
    Line::leaf(format!("goto {}", quoted(section)))
}

/// Throws dice, one after another, to find in which range a number lies. `ends` are the ends of the ranges; the number is
/// one of the `size` numbers from `from` on, and the dice together have `size` outcomes.
fn thrown(ends: &[(&str, u128)], from: u128, size: u128, dice: &[u128]) -> Line {
    let at = |number: u128| ends.partition_point(|(_, end)| *end <= number);
    let place = at(from);
    if at(from + size - 1) == place {
        return goto(ends[place].0);
    }
    let Some((sides, rest)) = dice.split_first() else { return goto(ends[place].0) };
    let part = size / sides;
    let mut cases: Vec<(u128, u128, Line)> = Vec::new();
    for side in 0..*sides {
        let line = thrown(ends, from + side * part, part, rest);
        match cases.last_mut() {
            Some((_, last, known)) if *known == line && line.body.is_none() => *last = side + 1,
            _ => cases.push((side + 1, side + 1, line)),
        }
    }
    let case = |(first, last, line): (u128, u128, Line)| {
        let range = if first == last { format!("when {first}") } else { format!("when {first} {last}") };
        Line::block(range, vec![line])
    };
    Line::block(format!("roll d{sides}"), cases.into_iter().map(case).collect())
}

/// Dice whose numbers of sides multiply to `outcomes`; `None` where a prime factor is too large for a die.
fn dice(mut outcomes: u128) -> Option<Vec<u128>> {
    let mut dice = vec![1];
    let mut factor = 2;
    while outcomes > 1 {
        while outcomes.is_multiple_of(factor) {
            outcomes /= factor;
            match dice.iter_mut().find(|sides| **sides * factor <= MOST_SIDES) {
                Some(sides) => *sides *= factor,
                None => dice.push(factor),
            }
        }
        factor += 1;
        if factor > MOST_SIDES && outcomes > 1 {
            return None;
        }
    }
    Some(dice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_have_as_many_outcomes() {
        assert_eq!(dice(6), Some(vec![6]));
        assert_eq!(dice(1_296).map(|dice| dice.iter().product()), Some(1_296));
        assert_eq!(dice(1_009), None);
    }

    /// A third of 1,296 numbers does not end with a side of the first die.
    #[test]
    fn each_section_comes_up_by_its_weight() {
        let ends = [("a", 431), ("b", 432), ("c", 1_296)];
        let dice = dice(1_296).expect("dice");
        assert!(dice.len() > 1);
        let mut shares = BTreeMap::new();
        shares_of(&thrown(&ends, 0, 1_296, &dice), 1_296, &mut shares);
        assert_eq!(shares.into_values().collect::<Vec<_>>(), [431, 1, 864]);
    }

    fn shares_of(line: &Line, size: u64, shares: &mut BTreeMap<String, u64>) {
        let Some(cases) = &line.body else {
            *shares.entry(line.head.clone()).or_default() += size;
            return;
        };
        let sides: u64 = line.head.trim_start_matches("roll d").parse().expect("a die");
        for case in cases {
            let numbers: Vec<u64> =
                case.head.split(' ').skip(1).map(|number| number.parse().expect("a number")).collect();
            let width = numbers[numbers.len() - 1] - numbers[0] + 1;
            let inner = case.body.as_ref().expect("a block");
            shares_of(&inner[0], size / sides * width, shares);
        }
    }
}
