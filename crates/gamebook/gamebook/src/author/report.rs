//! Reports for authors: the results of optimal play and of other readers, choices that are never or always right, sections that
//! are never entered or unwinnable, endless loops, and the worth of items.

mod choices;
mod estimate;
mod outlook;
mod player;
mod worth;

use std::collections::BTreeSet;

use budget::{Budget, Limits, Reason, Stopped};
use mdp::ExploreOptions;

use crate::book::Book;
use crate::passes::EndlessLoop;
use crate::solve::{Guide, Journey, Question, Reader, SolveBookError, Solved};
use crate::terms::SectionNumber;

pub use choices::ChoiceVerdict;
pub use player::{Odds, Player};
pub use worth::{Variant, Worth};

/// A report on a book.
#[derive(Clone, Debug)]
pub struct Report {
    /// The results of optimal play.
    pub best: Player,
    /// The questions of optimal play and its answers.
    pub guide: Guide,
    /// The results of the readers.
    pub readers: Vec<(Reader, Player)>,
    /// The sections of the most likely winning play.
    pub way: Vec<SectionNumber>,
    /// The author's choices that optimal play is offered and that are never right, in the order of the book.
    pub never_right: Vec<ChoiceVerdict>,
    /// Choices that are right whenever optimal play is offered them, while alternatives are not.
    pub always_right: Vec<ChoiceVerdict>,
    /// Reachable sections from which this hero cannot win.
    pub unwinnable: Vec<SectionNumber>,
    /// Sections that this hero never enters.
    pub never_entered: Vec<SectionNumber>,
    /// Sections that optimal play never enters, though other play may.
    pub shunned: Vec<SectionNumber>,
    /// Loops with endless gains.
    pub loops: Vec<EndlessLoop>,
}

/// A reader who needs more states than this multiple of optimal play's is simulated.
const MOST_FOR_EACH: u64 = 4;

/// Up to this number of states a reader is never simulated.
const NEVER_TOO_MANY: u64 = 1_000_000;

/// The number of simulated plays of a reader.
const PLAYS: u32 = 100_000;

impl Report {
    /// The report on a book for a hero.
    ///
    /// ```
    /// use gamebook::{Question, Report, read};
    /// use mdp::ExploreOptions;
    ///
    /// let text = r#"
    ///     book "Doors" format=1 system="none"
    ///     start 1
    ///     section 1 { choice "left" { goto 2; }; choice "right" { goto 3; }; }
    ///     section 2 { victory; }
    ///     section 3 { death "a pit"; }
    ///     section 4 { goto 2; }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let report = Report::new(&book, &Question::new(&book), &ExploreOptions::default())?;
    /// assert_eq!(report.readers[0].1.win.decimal(), 0.5);
    /// assert_eq!(report.never_right[0].label, "right");
    /// assert_eq!((&report.unwinnable[..], &report.never_entered[..], &report.shunned[..]), (&[3][..], &[4][..], &[3][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solved::new`].
    pub fn new(book: &Book, question: &Question, options: &ExploreOptions<'_>) -> Result<Self, SolveBookError> {
        let own = Budget::default();
        let budget = options.budget.unwrap_or(&own);
        let solved = Solved::new(book, question, options)?;
        let (journey, guide) = solved.journey_and_guide(options)?;
        let verdicts = choices::verdicts(book, &guide);
        let best = Player {
            win: Odds::Known(solved.win()),
            sections: solved.length(options)?,
            rolls: solved.rolls(options)?,
            victories: journey.victories,
            deaths: journey.deaths,
            visits: journey.sections,
        };
        let most = (MOST_FOR_EACH * solved.space().model().counts().states).max(NEVER_TOO_MANY);
        drop(solved);
        let mut readers = Vec::new();
        for reader in [Reader::Random, Reader::Cautious, Reader::Bold] {
            readers.push((reader, player(reader, book, question, most, options)?));
        }
        let mut outlook = question.outlook(book, budget)?;
        let (_, random) = &readers[0];
        if matches!(random.win, Odds::Known(_)) {
            // Random answers reach whatever is reachable.
            let visited: BTreeSet<SectionNumber> = random.visits.iter().map(|visit| visit.section).collect();
            outlook.never_entered = book.sections.keys().copied().filter(|own| !visited.contains(own)).collect();
            outlook.unwinnable =
                random.visits.iter().filter(|own| own.win_if_here <= 0.0).map(|own| own.section).collect();
        }
        let visited: BTreeSet<SectionNumber> = best.visits.iter().map(|visit| visit.section).collect();
        let never: BTreeSet<SectionNumber> = outlook.never_entered.iter().copied().collect();
        let shunned = book.sections.keys().copied().filter(|own| !visited.contains(own) && !never.contains(own));
        Ok(Self {
            shunned: shunned.collect(),
            way: journey.way,
            never_right: verdicts.never_right,
            always_right: verdicts.always_right,
            unwinnable: outlook.unwinnable,
            never_entered: outlook.never_entered,
            loops: outlook.loops,
            best,
            guide,
            readers,
        })
    }
}

/// The results of a reader, exact within a limit on states, else simulated.
fn player(
    reader: Reader,
    book: &Book,
    question: &Question,
    most: u64,
    options: &ExploreOptions<'_>,
) -> Result<Player, SolveBookError> {
    let own = Budget::default();
    let whole = options.budget.unwrap_or(&own);
    let most = most.min(whole.limits().max_states);
    let budget = whole.within(Limits { max_states: most, ..*whole.limits() }).forwarding();
    let within = options.with_budget(&budget);
    let too_many = |error: &SolveBookError| {
        matches!(error, SolveBookError::Stopped(Stopped { reason: Reason::States { .. } | Reason::Memory { .. }, .. }))
    };
    let fares = match reader.evaluate(book, question, &within) {
        Ok(fares) => fares,
        Err(error) if too_many(&error) => return estimate::player(reader, book, question, PLAYS, whole),
        Err(error) => return Err(error),
    };
    let rolls = match reader.rolls(book, question, &within) {
        Ok(rolls) => rolls,
        Err(error) if too_many(&error) => estimate::player(reader, book, question, PLAYS, whole)?.rolls,
        Err(error) => return Err(error),
    };
    let Journey { win, victories, deaths, sections: visits, .. } = fares.journey;
    Ok(Player { win: Odds::Known(win), sections: fares.length, rolls, victories, deaths, visits })
}
