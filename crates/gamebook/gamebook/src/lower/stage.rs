//! The stages of a series: each book with each set of disciplines learned by then.

use std::collections::BTreeSet;

use crate::book::{DISCIPLINES, Discipline, Hero, Learns, Series, SeriesBook, choices};
use crate::terms::SectionNumber;

/// A book played by a hero with a set of disciplines.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    /// The index of the book in the series.
    pub book: usize,
    pub hero: Hero,
    /// The stages after it, each with the disciplines learned before.
    pub next: Vec<(Vec<Discipline>, usize)>,
    /// Whether it is only the choice of disciplines for the beginning of this book.
    pub is_choice: bool,
}

impl Series {
    /// The stages from a section of the book `first` on, for this hero: every book with every set of disciplines that he can
    /// have in it. Stages lead only to later ones.
    pub(crate) fn stages(&self, first: usize, start: SectionNumber, hero: &Hero) -> Vec<Stage> {
        let stage = |book: usize, hero: Hero| Stage { book, hero, next: Vec::new(), is_choice: false };
        let mut stages = vec![stage(first, hero.clone())];
        let SeriesBook { book, learns, .. } = &self.books[first];
        if first == 0 && start == book.start {
            let learns = learns.within(book.learns, hero);
            let taught = |learned: &Vec<Discipline>| Hero {
                items: hero.items.clone(),
                lost: hero.lost.clone(),
                gold: hero.gold,
                ..learns.taught(hero, learned)
            };
            match &learns.ways(hero)[..] {
                [only] => stages[0].hero = taught(only),
                ways => {
                    stages[0].is_choice = true;
                    stages[0].next = ways.iter().cloned().zip(1..).collect();
                    stages.extend(ways.iter().map(|own| stage(first, taught(own))));
                }
            }
        }
        let mut place = usize::from(stages[0].is_choice);
        while place < stages.len() {
            let Stage { book, hero, .. } = stages[place].clone();
            if let Some(next) = self.books.get(book + 1) {
                for learned in next.learns.ways(&hero) {
                    let hero = next.learns.taught(&hero, &learned);
                    let same = |stage: &Stage| stage.book == book + 1 && known(&stage.hero) == known(&hero);
                    let to = stages.iter().position(same).unwrap_or_else(|| {
                        stages.push(stage(book + 1, hero));
                        stages.len() - 1
                    });
                    stages[place].next.push((learned, to));
                }
            }
            place += 1;
        }
        stages
    }
}

/// The hero's disciplines, as a set.
fn known(hero: &Hero) -> (BTreeSet<Discipline>, &Option<String>) {
    (hero.disciplines.iter().copied().collect(), &hero.weaponskill)
}

impl Learns {
    /// The same with a limit on the number of disciplines.
    fn within(&self, most: usize, hero: &Hero) -> Self {
        let left = most.saturating_sub(hero.disciplines.len());
        let given: Vec<Discipline> = self.given.iter().copied().filter(|own| !hero.knows(*own)).take(left).collect();
        Self { chosen: self.chosen.min(left - given.len()), given, weapon: self.weapon.clone() }
    }

    /// The sets of new disciplines that a hero can choose, besides those given.
    fn ways(&self, hero: &Hero) -> Vec<Vec<Discipline>> {
        let open = DISCIPLINES.iter().map(|(own, _)| *own).filter(|own| {
            !hero.knows(*own) && !self.given.contains(own) && (*own != Discipline::Weaponskill || self.weapon.is_some())
        });
        let open: Vec<Discipline> = open.collect();
        let ways = choices(open.len(), self.chosen.min(open.len()));
        ways.into_iter().map(|way| way.into_iter().map(|own| open[own]).collect()).collect()
    }

    /// The hero after learning what is given and what he chose.
    fn taught(&self, hero: &Hero, chosen: &[Discipline]) -> Hero {
        let mut hero = Hero { items: Vec::new(), lost: Vec::new(), gold: 0, ..hero.clone() };
        for own in self.given.iter().chain(chosen) {
            if !hero.knows(*own) {
                hero.disciplines.push(*own);
                if *own == Discipline::Weaponskill {
                    hero.weaponskill.clone_from(&self.weapon);
                }
            }
        }
        hero
    }
}

/// The label of the answer that learns these disciplines.
pub(crate) fn label_of(disciplines: &[Discipline]) -> String {
    let names: Vec<&str> = disciplines.iter().map(|own| own.name()).collect();
    format!("learn {}", names.join(", "))
}
