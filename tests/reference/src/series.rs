//! Books in a row: what the hero of one carries into the next.

use gamebook::{DISCIPLINES, Discipline, Hero, Kind, Learns, Series, SeriesBook, Thing};

use crate::graph::{self, Vertex};
use crate::node::Rules;
use crate::place::{Place, Situation, rest};
use crate::sheet::Sheet;

/// What things of the backpack are called that no later book knows.
const OTHER_THINGS: &str = "other things";

/// A book, who plays it, and the stages after it.
pub struct Stage {
    book: usize,
    hero: Hero,
    next: Vec<usize>,
}

/// Where play stands: the stage, how far the hero has come on the way into its book, and the situation there.
#[derive(Clone)]
struct Standing<'b> {
    stage: usize,
    arriving: Option<usize>,
    situation: Situation<'b>,
}

/// The books with all that the hero can have learned, each after those before it.
pub fn stages(series: &Series, hero: &Hero) -> Vec<Stage> {
    let mut stages = vec![Stage { book: 0, hero: hero.clone(), next: Vec::new() }];
    let mut place = 0;
    while place < stages.len() {
        let Stage { book, hero, .. } = &stages[place];
        if let Some(next) = series.books.get(book + 1) {
            let (book, taught) = (book + 1, taught(&next.learns, hero));
            for hero in taught {
                let to = stages.len();
                stages[place].next.push(to);
                stages.push(Stage { book, hero, next: Vec::new() });
            }
        }
        place += 1;
    }
    stages
}

/// Everyone whom a hero can become by what is learned.
fn taught(learns: &Learns, hero: &Hero) -> Vec<Hero> {
    let learn = |hero: &Hero, own: Discipline| {
        let mut hero = hero.clone();
        if !hero.disciplines.contains(&own) {
            hero.disciplines.push(own);
            if own == Discipline::Weaponskill {
                hero.weaponskill.clone_from(&learns.weapon);
            }
        }
        hero
    };
    let bare = Hero { items: Vec::new(), lost: Vec::new(), gold: 0, ..hero.clone() };
    let mut all = vec![(learns.given.iter().fold(bare, |hero, own| learn(&hero, *own)), 0)];
    for _ in 0..learns.chosen {
        let chosen = all.iter().flat_map(|(hero, from)| {
            let open = DISCIPLINES.iter().enumerate().skip(*from).filter(|(_, (own, _))| {
                !hero.disciplines.contains(own) && (*own != Discipline::Weaponskill || learns.weapon.is_some())
            });
            open.map(|(place, (own, _))| (learn(hero, *own), place + 1)).collect::<Vec<_>>()
        });
        let chosen: Vec<(Hero, usize)> = chosen.collect();
        if !chosen.is_empty() {
            all = chosen;
        }
    }
    all.into_iter().map(|(hero, _)| hero).collect()
}

/// The rules of each stage.
pub fn rules<'b>(series: &'b Series, stages: &'b [Stage]) -> Vec<Rules<'b>> {
    stages.iter().map(|stage| Rules::new(&series.books[stage.book].book, &stage.hero)).collect()
}

/// All that can come up; `None` when there is more than `most`.
pub fn explore<'b>(series: &'b Series, stages: &'b [Stage], rules: &[Rules<'b>], most: usize) -> Option<Vec<Vertex>> {
    let play = Play { series, stages, rules };
    let mut begins = Standing { stage: 0, arriving: None, situation: rules[0].beginning() };
    let start = rules[0].book.start;
    play.remember(&mut begins, start);
    let key = |own: &Standing<'_>| (own.stage, own.arriving, own.situation.place.key(), own.situation.sheet.clone());
    graph::explore(begins, most, key, |standing| play.turn(standing))
}

struct Play<'p, 'b> {
    series: &'b Series,
    stages: &'b [Stage],
    rules: &'p [Rules<'b>],
}

impl<'b> Play<'_, 'b> {
    fn own(&self, stage: usize) -> &'b SeriesBook {
        &self.series.books[self.stages[stage].book]
    }

    fn turn(&self, mut standing: Standing<'b>) -> graph::Turn<Standing<'b>> {
        let Standing { stage, arriving, .. } = standing;
        if let (Some(step), Place::At(None) | Place::Now(None)) = (arriving, &standing.situation.place) {
            return graph::Turn::On(self.arrives(stage, step, standing.situation.sheet));
        }
        if let Place::Enter(section) = standing.situation.place {
            self.remember(&mut standing, section);
        }
        let on = |situation| Standing { stage, arriving, situation };
        match self.rules[stage].turn(standing.situation) {
            graph::Turn::Won(situation) => {
                let next = &self.stages[stage].next;
                if next.is_empty() {
                    return graph::Turn::Won(on(situation));
                }
                let after = |next: &usize| self.arrives(*next, 0, self.carried(stage, *next, &situation.sheet));
                graph::Turn::Asks(next.iter().map(after).collect())
            }
            graph::Turn::Lost => graph::Turn::Lost,
            graph::Turn::On(own) => graph::Turn::On(on(own)),
            graph::Turn::Asks(answers) => graph::Turn::Asks(answers.into_iter().map(on).collect()),
            graph::Turn::Chance(outcomes) => {
                graph::Turn::Chance(outcomes.into_iter().map(|(weight, own)| (weight, on(own))).collect())
            }
        }
    }

    /// Who is in a section has been there.
    fn remember(&self, standing: &mut Standing<'b>, section: u32) {
        for (item, sections) in &self.own(standing.stage).remembered {
            if sections.contains(&section) {
                standing.situation.sheet.set(self.rules[standing.stage].items[*item], 1);
            }
        }
    }

    /// What the hero has in the next stage of what he has in this one.
    fn carried(&self, from: usize, to: usize, sheet: &Sheet) -> Sheet {
        let (before, now) = (&self.rules[from], &self.rules[to]);
        let mut own = now.nothing();
        own.set(now.gold, sheet.get(before.gold));
        own.set(now.endurance, sheet.get(before.endurance));
        let renamed = &self.own(to).renamed;
        for (item, name) in before.book.items.iter().zip(&before.items) {
            let has = sheet.get(*name);
            let other = renamed.iter().find(|(old, _)| now.book.items[*old].name == item.name);
            let other = other.map(|(_, new)| *new).or_else(|| now.book.item(&item.name));
            let things = || now.book.item(OTHER_THINGS).filter(|_| item.kind == Kind::Backpack);
            let Some(place) = other.or_else(things).filter(|_| has > 0) else { continue };
            let most = i64::from(now.book.most_of(&now.book.items[place]));
            own.set(now.items[place], (own.get(now.items[place]) + has).min(most));
        }
        own
    }

    /// A step on the way into a book: things that every hero of it has, first what others are carried in; then what the
    /// series says; then its first section.
    fn arrives(&self, stage: usize, step: usize, mut sheet: Sheet) -> Standing<'b> {
        let (rules, own) = (&self.rules[stage], self.own(stage));
        let single = |item: usize| own.book.items[item].kind.is_single();
        let mut step = step;
        if step == 0 {
            for (item, _) in own.book.fixed.iter().filter(|(item, _)| single(*item)) {
                rules.get(&mut sheet, *item, 1);
            }
            step = 1;
        }
        let mut others = own.book.fixed.iter().filter(|(item, _)| !single(*item));
        let place = if let Some((item, count)) = others.nth(step - 1) {
            let here = Some((Thing::Item(*item), i64::from(*count)));
            Place::Take { here, lines: &[], left: None, then: None }
        } else if step <= own.book.fixed.len() + 1 {
            step = own.book.fixed.len() + 1;
            Place::At(rest(&own.arrival.body, &None))
        } else {
            let mut standing = Standing { stage, arriving: None, situation: rules.start(sheet) };
            self.remember(&mut standing, own.book.start);
            return standing;
        };
        Standing { stage, arriving: Some(step + 1), situation: Situation { place, sheet } }
    }
}
