//! Data flow over sections: sets of heroes are propagated to a fixed point.

mod branches;
mod nodes;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use budget::Stopped;

use super::found::Found;
use super::heroes::{Heroes, Space, together};
use super::key::Key;
use super::walks::{Distances, Who};
use crate::syntax::{MOST_PROBLEMS, Problem};
use crate::terms::SectionNumber;

/// From this visit of a section on, bounds that still move are widened to their limits.
const PATIENCE: u32 = 6;

/// The propagation of heroes through the sections of a book.
pub(super) struct Flow<'s, 'b> {
    space: &'s Space<'b>,
    who: Who,
    /// The heroes at the start of the book, if play begins there.
    sets_out: Option<Heroes>,
    entries: BTreeMap<SectionNumber, (Heroes, u32)>,
    open: VecDeque<SectionNumber>,
    waiting: BTreeSet<SectionNumber>,
    section: SectionNumber,
    /// Whether any hero may win.
    won: bool,
    /// What any hero may get.
    got: BTreeSet<Key>,
    /// The findings, set in the last pass, when the fixed point is known.
    found: Option<Found>,
}

impl<'s, 'b> Flow<'s, 'b> {
    /// A propagation that begins with these heroes.
    pub(super) fn new(space: &'s Space<'b>, sets_out: Heroes, who: Who) -> Self {
        let mut flow = Self::empty(space, who);
        flow.open.push_back(space.book.start);
        flow.sets_out = Some(sets_out);
        flow
    }

    fn empty(space: &'s Space<'b>, who: Who) -> Self {
        Self {
            space,
            who,
            sets_out: None,
            entries: BTreeMap::new(),
            open: VecDeque::new(),
            waiting: BTreeSet::new(),
            section: 0,
            won: false,
            got: BTreeSet::new(),
            found: None,
        }
    }

    /// Whether any hero who enters a section may still win; true if that is not decided. `far` holds known distances of
    /// sections to a victory.
    pub(super) fn may_win(&self, section: SectionNumber, far: &Distances) -> Result<bool, Stopped> {
        let mut on = Self::empty(self.space, self.who);
        if section == self.space.book.start {
            on.sets_out.clone_from(&self.sets_out);
        }
        on.entries.extend(self.entries.get_key_value(&section).map(|(section, own)| (*section, own.clone())));
        on.open.push_back(section);
        // The nearest to a victory first: usually the search is short.
        let nearest = |open: &VecDeque<SectionNumber>| {
            (0..open.len()).min_by_key(|place| far.get(&open[*place]).copied().unwrap_or(usize::MAX))
        };
        while let Some(section) = nearest(&on.open).and_then(|place| on.open.remove(place)) {
            on.waiting.remove(&section);
            on.visit(section);
            if on.won || on.space.is_exhausted() {
                return self.space.stopped().map_or(Ok(true), Err);
            }
        }
        Ok(false)
    }

    /// Runs to the fixed point; `false` if the book is too large.
    fn spread(&mut self) -> Result<bool, Stopped> {
        while let Some(section) = self.open.pop_front() {
            self.waiting.remove(&section);
            self.visit(section);
            if self.space.is_exhausted() {
                break;
            }
        }
        match self.space.stopped() {
            Some(stopped) => Err(stopped),
            None => Ok(!self.space.is_exhausted()),
        }
    }

    /// The keys that heroes may get; `None` if the book is too large.
    pub(super) fn gets(mut self) -> Result<Option<BTreeSet<Key>>, Stopped> {
        Ok(self.spread()?.then_some(self.got))
    }

    /// Propagates all heroes through the book; `None` if it is too large.
    pub(super) fn run(&mut self) -> Result<Option<Found>, Stopped> {
        if !self.spread()? {
            return Ok(None);
        }
        let start = self.space.book.start;
        let mut reached: BTreeSet<SectionNumber> = self.entries.keys().copied().collect();
        reached.insert(start);
        self.found = Some(Found {
            reached: reached.clone(),
            leads_to: BTreeMap::new(),
            ends: BTreeSet::new(),
            wins: BTreeSet::new(),
            problems: Vec::new(),
        });
        for section in reached {
            self.visit(section);
        }
        match self.space.stopped() {
            Some(stopped) => Err(stopped),
            None if self.space.is_exhausted() => Ok(None),
            None => Ok(self.found.take()),
        }
    }

    fn visit(&mut self, number: SectionNumber) {
        let book = self.space.book;
        self.section = number;
        let Some(section) = book.sections.get(&number) else { return };
        let mut heroes = self.entries.get(&number).map(|(heroes, _)| heroes.clone());
        if book.goals.contains(&number) && (heroes.is_some() || number != book.start) {
            self.ends(true);
            return;
        }
        if let Some(entered) = &mut heroes {
            self.space.entered(entered);
            // Nodes of every section are reported once.
            let found = self.found.take();
            heroes = self.block(&book.on_enter, heroes);
            self.found = found;
            if !book.on_enter.is_empty() {
                self.ends(false);
            }
        }
        if number == book.start {
            heroes = together(heroes.into_iter().chain(self.sets_out.clone()).collect());
        }
        if let Some(heroes) = &mut heroes {
            self.space.may_use(heroes);
        }
        if self.block(&section.body, heroes).is_some() {
            self.ends(false);
        }
    }

    /// Adds a problem that concerns every hero.
    fn report(&mut self, problem: impl Into<Option<Problem>>) {
        if self.who == Who::Anyone {
            self.add_problem(problem);
        }
    }

    /// Adds a problem, up to a limit.
    fn add_problem(&mut self, problem: impl Into<Option<Problem>>) {
        if let Some(found) = &mut self.found
            && let Some(problem) = problem.into()
            && found.problems.len() < MOST_PROBLEMS
        {
            found.problems.push(problem);
        }
    }

    fn ends(&mut self, wins: bool) {
        self.won |= wins;
        if let Some(found) = &mut self.found {
            found.ends.insert(self.section);
            if wins {
                found.wins.insert(self.section);
            }
        }
    }

    fn go(&mut self, section: SectionNumber, heroes: Heroes) {
        if let Some(found) = &mut self.found {
            found.leads_to.entry(self.section).or_default().insert(section);
            return;
        }
        let changed = match self.entries.get_mut(&section) {
            None => {
                self.entries.insert(section, (heroes, 0));
                true
            }
            Some((known, visits)) => {
                let changed = self.space.widen(known, &heroes, *visits >= PATIENCE);
                *visits += u32::from(changed);
                changed
            }
        };
        if changed && self.waiting.insert(section) {
            self.open.push_back(section);
        }
    }
}
