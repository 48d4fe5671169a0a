//! The rules of the book language, node by node.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use gamebook::{Book, Choice, Discipline, Hero, Node, NodeKind, SectionNumber, Thing, When};

use crate::mentions::mentioned;
use crate::place::{Block, Place, Rest, Situation, Turn, rest};
use crate::sheet::{Name, Names, Sheet};

/// A book, and a hero to play it.
pub struct Rules<'b> {
    pub book: &'b Book,
    pub hero: &'b Hero,
    pub gold: Name,
    pub endurance: Name,
    pub rounds: Name,
    pub wounded: Name,
    pub fought: Name,
    /// What was used before this fight adds.
    pub strength: Name,
    /// Whether a fight has been fought in this book.
    pub combat: Name,
    /// Whether this section has a fight, and whether nothing may be swallowed in it before one.
    fight_to_come: Name,
    pub no_potions: Name,
    pub items: Vec<Name>,
    pub flags: Vec<Name>,
    pub counters: Vec<Name>,
    pub locals: Vec<Name>,
    names: Names,
    /// What blocks ask for, by where they are.
    mentioned: RefCell<HashMap<usize, Rc<BTreeSet<usize>>>>,
}

impl<'b> Rules<'b> {
    pub fn new(book: &'b Book, hero: &'b Hero) -> Self {
        let names = Names::new(book);
        Self {
            book,
            hero,
            gold: names.of("gold"),
            endurance: names.of("endurance"),
            rounds: names.of("rounds"),
            wounded: names.of("wounded"),
            fought: names.of("fought"),
            strength: names.of("strength"),
            combat: names.of("combat"),
            fight_to_come: names.of("fight to come"),
            no_potions: names.of("no potions"),
            items: book.items.iter().map(|item| names.of(&format!("item {}", item.name))).collect(),
            flags: book.flags.iter().map(|flag| names.of(&format!("flag {flag}"))).collect(),
            counters: book.counters.iter().map(|counter| names.of(&format!("counter {}", counter.name))).collect(),
            locals: (0..8).map(|local| names.of(&format!("local {local}"))).collect(),
            names,
            mentioned: RefCell::default(),
        }
    }

    /// Where play begins: in the start section, as if it had been entered, but without what happens on entering.
    pub fn beginning(&self) -> Situation<'b> {
        let mut sheet = self.nothing();
        sheet.set(self.gold, i64::from(self.hero.gold));
        for (item, count) in self.book.fixed.iter().chain(&self.hero.items) {
            let name = self.items[*item];
            let once = self.book.items[*item].kind.is_single();
            sheet.set(name, if once { 1 } else { sheet.get(name) + i64::from(*count) });
        }
        for item in &self.hero.lost {
            sheet.set(self.items[*item], 0);
        }
        sheet.set(self.endurance, self.max_endurance(&sheet));
        self.start(sheet)
    }

    /// Nothing at all.
    pub fn nothing(&self) -> Sheet {
        Sheet::empty(&self.names)
    }

    /// The beginning of the book for who has this.
    pub fn start(&self, mut sheet: Sheet) -> Situation<'b> {
        if self.book.goals.contains(&self.book.start) {
            return Situation { place: Place::Enter(self.book.start), sheet };
        }
        let section = &self.book.sections[&self.book.start];
        self.look_ahead(section, &mut sheet);
        let body = rest(&section.body, &None);
        Situation { place: Place::Use { after_combat: false, then: body }, sheet }
    }

    /// What happens in a situation.
    pub fn turn(&self, situation: Situation<'b>) -> Turn<'b> {
        let Situation { place, sheet } = situation;
        match place {
            Place::Enter(section) => self.enter(section, sheet),
            // The author's text ends: the hero is stuck.
            Place::At(None) | Place::Now(None) => Turn::Lost,
            Place::At(Some(block)) => self.between(&block, sheet),
            Place::Now(Some(block)) => self.next(&block, sheet),
            Place::Use { after_combat, then } => self.use_healing(after_combat, &then, &sheet),
            Place::Take { here, lines, left, then } => self.take(here, lines, left, &then, &sheet),
            Place::GiveUp { kind, left, by_chance, then } => self.give_up(kind, left, by_chance, &then, &sheet),
            Place::Shop { trades, buying, used, then } => self.shop(trades, buying, &used, &then, &sheet),
            Place::Strengthen { node, item, then } => self.strengthen(node, item, &then, sheet),
            Place::Fight { fight, stage, then } => self.fight(fight, stage, &then, sheet),
            Place::OneRound { node, weapon, then } => self.one_round(node, weapon, &then, &sheet),
        }
    }

    fn enter(&self, number: SectionNumber, mut sheet: Sheet) -> Turn<'b> {
        if self.book.goals.contains(&number) {
            return Turn::Won(Situation { place: Place::Enter(number), sheet });
        }
        let Some(section) = self.book.sections.get(&number) else { return Turn::Lost };
        // What is known in a section is forgotten in the next.
        for name in self.locals.iter().chain([&self.rounds, &self.wounded, &self.fought, &self.strength]) {
            sheet.set(*name, 0);
        }
        self.look_ahead(section, &mut sheet);
        // First what happens on entering any section, then the player may heal himself.
        let mut dead = false;
        self.effects(&self.book.on_enter, &mut sheet, &mut dead);
        if dead {
            return Turn::Lost;
        }
        let body = rest(&section.body, &None);
        Turn::On(Situation { place: Place::Use { after_combat: false, then: body }, sheet })
    }

    /// What the hero knows of a section before anything happens in it.
    fn look_ahead(&self, section: &gamebook::Section, sheet: &mut Sheet) {
        sheet.set(self.fight_to_come, i64::from(section.body.iter().any(fights)));
        sheet.set(self.no_potions, i64::from(section.no_potions));
    }

    /// What happens on entering: effects and `if` only.
    fn effects(&self, nodes: &'b [Node], sheet: &mut Sheet, dead: &mut bool) {
        for node in nodes {
            if *dead {
                return;
            }
            match &node.kind {
                NodeKind::If(branches, otherwise) => {
                    let taken = branches.iter().find(|(condition, ..)| self.holds(sheet, condition));
                    self.effects(taken.map_or(otherwise, |(_, body, _)| body), sheet, dead);
                }
                other => *dead |= !self.effect(other, sheet),
            }
        }
    }

    /// Does what asks nobody; whether the hero lives.
    fn effect(&self, node: &NodeKind, sheet: &mut Sheet) -> bool {
        match node {
            NodeKind::Endurance(change) => {
                let change = self.number(sheet, change);
                return self.hurt(sheet, change);
            }
            NodeKind::Restore { half } => {
                let missing = (self.max_endurance(sheet) - sheet.get(self.endurance)).max(0);
                return self.hurt(sheet, if *half { missing / 2 } else { missing });
            }
            NodeKind::Gain(Thing::Gold, count) => self.add_gold(sheet, self.number(sheet, count)),
            NodeKind::Lose(Thing::Gold, count) => {
                let count = count.as_ref().map_or(self.most_gold(), |count| self.number(sheet, count));
                self.add_gold(sheet, -count);
            }
            NodeKind::Lose(Thing::Item(item), count) => {
                let count = count.as_ref().map_or(i64::MAX, |count| self.number(sheet, count));
                self.lose(sheet, *item, count.max(0));
            }
            NodeKind::LoseAll { gold, items } => {
                if *gold {
                    sheet.set(self.gold, 0);
                }
                for item in items {
                    self.lose(sheet, *item, i64::MAX);
                }
            }
            NodeKind::Flag(flag, on) => sheet.set(self.flags[*flag], i64::from(*on)),
            NodeKind::Counter(counter, number) => {
                let most = i64::from(self.book.counters[*counter].max);
                sheet.set(self.counters[*counter], self.number(sheet, number).clamp(0, most));
            }
            _ => {}
        }
        true
    }

    /// ENDURANCE lost, or got back up to the maximum; whether the hero lives.
    pub fn hurt(&self, sheet: &mut Sheet, change: i64) -> bool {
        let now = sheet.get(self.endurance);
        if change > 0 {
            sheet.set(self.endurance, (now + change).min(self.max_endurance(sheet)).max(now));
            return true;
        }
        sheet.set(self.endurance, (now + change).max(0));
        change == 0 || now + change > 0
    }

    pub fn add_gold(&self, sheet: &mut Sheet, change: i64) {
        sheet.set(self.gold, (sheet.get(self.gold) + change).clamp(0, self.most_gold()));
    }

    /// The most Gold Crowns in the pouch.
    pub fn most_gold(&self) -> i64 {
        self.book.kai.most_gold.into()
    }

    pub fn max_endurance(&self, sheet: &Sheet) -> i64 {
        let worn = self.book.items.iter().zip(&self.items).filter(|(_, name)| sheet.get(**name) > 0);
        i64::from(self.hero.endurance) + worn.map(|(item, _)| i64::from(item.endurance)).sum::<i64>()
    }

    pub fn knows(&self, discipline: Discipline) -> bool {
        self.hero.disciplines.contains(&discipline)
    }

    /// The next node of a block.
    fn next(&self, block: &Block<'b>, mut sheet: Sheet) -> Turn<'b> {
        let Some((node, after)) = block.nodes.split_first() else {
            return on(Place::At(block.then.clone()), sheet);
        };
        let then: Rest<'b> = if after.is_empty() && block.repeats.is_none() {
            block.then.clone()
        } else {
            Some(Rc::new(Block { nodes: after, repeats: block.repeats, then: block.then.clone() }))
        };
        let inside = |body: &'b [Node]| Place::At(rest(body, &then));
        match &node.kind {
            NodeKind::Gain(Thing::Item(item), count) => {
                let count = self.number(&sheet, count);
                if self.book.items[*item].kind.is_single() {
                    if count > 0 {
                        self.get(&mut sheet, *item, 1);
                    }
                    return on(Place::At(then), sheet);
                }
                on(Place::Take { here: Some((Thing::Item(*item), count)), lines: &[], left: None, then }, sheet)
            }
            NodeKind::GiveUp { kind, count, by_chance } => {
                let (kind, by_chance) = (*kind, *by_chance);
                on(Place::GiveUp { kind, left: i64::from(*count), by_chance, then }, sheet)
            }
            NodeKind::Eat { hunting, optional } => {
                if *hunting && self.knows(Discipline::Hunting) {
                    return on(Place::At(then), sheet);
                }
                self.eat(*optional, &then, &sheet)
            }
            NodeKind::Goto(section) => {
                if self.knows(Discipline::Healing) && sheet.get(self.fought) == 0 {
                    self.hurt(&mut sheet, self.book.kai.healing.into());
                }
                on(Place::Enter(*section), sheet)
            }
            NodeKind::Death(_) => Turn::Lost,
            NodeKind::Victory => Turn::Won(Situation { place: Place::At(None), sheet }),
            NodeKind::If(branches, otherwise) => {
                let taken = branches.iter().find(|(condition, ..)| self.holds(&sheet, condition));
                on(inside(taken.map_or(otherwise, |(_, body, _)| body)), sheet)
            }
            NodeKind::Choices(choices) => {
                Turn::Asks(choices.iter().flat_map(|choice| self.choice(choice, &then, &sheet)).collect())
            }
            NodeKind::Pick(pick) => self.pick(pick, &then, &sheet),
            NodeKind::Take { at_most, lines } => {
                let left = at_most.map(i64::from);
                on(Place::Take { here: None, lines, left, then }, sheet)
            }
            NodeKind::Shop(trades) => {
                let used = vec![0; trades.len()];
                on(Place::Shop { trades, buying: false, used, then }, sheet)
            }
            NodeKind::Repeat(body) => {
                let nodes = &body[..];
                on(Place::At(Some(Rc::new(Block { nodes, repeats: Some(nodes), then }))), sheet)
            }
            NodeKind::Again(depth) => again(block, *depth).map_or(Turn::Lost, |place| on(place, sheet)),
            NodeKind::Fight(_) | NodeKind::OneRound { .. } => {
                if sheet.get(self.fought) == 1 {
                    sheet.set(self.no_potions, 0);
                }
                sheet.set(self.fought, 1);
                sheet.set(self.strength, 0);
                on(Place::Strengthen { node, item: 0, then }, sheet)
            }
            effect => {
                if self.effect(effect, &mut sheet) {
                    on(Place::At(then), sheet)
                } else {
                    Turn::Lost
                }
            }
        }
    }

    /// The ways in which a choice can be taken.
    fn choice(&self, choice: &'b Choice, then: &Rest<'b>, sheet: &Sheet) -> Vec<Situation<'b>> {
        let place = || Place::At(rest(&choice.body, then));
        let Some((local, from, to)) = &choice.each else {
            let offered = self.holds(sheet, &choice.require);
            return offered.then(|| Situation { place: place(), sheet: sheet.clone() }).into_iter().collect();
        };
        let bounds = self.number(sheet, from)..=self.number(sheet, to);
        let chosen = bounds.map(|number| {
            let mut sheet = sheet.clone();
            sheet.set(self.locals[*local], number);
            sheet
        });
        chosen
            .filter(|sheet| self.holds(sheet, &choice.require))
            .map(|sheet| Situation { place: place(), sheet })
            .collect()
    }

    /// The names that a block asks for.
    pub fn mentioned(&self, nodes: &[Node]) -> Rc<BTreeSet<usize>> {
        let mut known = self.mentioned.borrow_mut();
        known.entry(nodes.as_ptr().addr()).or_insert_with(|| Rc::new(mentioned(nodes))).clone()
    }

    fn eat(&self, optional: bool, then: &Rest<'b>, sheet: &Sheet) -> Turn<'b> {
        let mut answers = Vec::new();
        for (item, food) in self.book.items.iter().enumerate().filter(|(_, item)| item.food) {
            if sheet.get(self.items[item]) > 0 {
                let mut fed = sheet.clone();
                self.use_up(&mut fed, item, food.heals.map_or(0, |(points, _)| i64::from(points)));
                answers.push(Situation { place: Place::At(then.clone()), sheet: fed });
            }
        }
        // What heals may be saved; other food may not, unless the book says so.
        let plain = |(item, name): (&gamebook::Item, &Name)| item.food && item.heals.is_none() && sheet.get(*name) > 0;
        if !optional && self.book.items.iter().zip(&self.items).any(plain) {
            return Turn::Asks(answers);
        }
        let mut hungry = sheet.clone();
        let lives = self.hurt(&mut hungry, self.book.kai.hunger.into());
        // Who dies of it has nothing left to run through.
        answers.push(Situation { place: Place::At(if lives { then.clone() } else { None }), sheet: hungry });
        Turn::Asks(answers)
    }

    /// One of an item is eaten or swallowed.
    fn use_up(&self, sheet: &mut Sheet, item: usize, points: i64) {
        self.lose(sheet, item, 1);
        self.hurt(sheet, points);
        if let Some(flag) = self.book.items[item].cures {
            sheet.set(self.flags[flag], 0);
        }
    }

    /// What the player can use of what heals at the times that `may` says, and what he has then.
    fn used(&self, may: impl Fn(When) -> bool, sheet: &Sheet) -> Vec<Sheet> {
        let mut used = Vec::new();
        for (item, own) in self.book.items.iter().enumerate() {
            let Some((points, when)) = own.heals else { continue };
            let before_fights = own.before_fights.is_none_or(|(_, value)| value == 0);
            let kept = sheet.get(self.no_potions) == 1 || sheet.get(self.fight_to_come) == 1 && !before_fights;
            let possible = may(when)
                && (when != When::SinceCombat || sheet.get(self.combat) == 1)
                && (sheet.get(self.fought) == 1 || !kept);
            if sheet.get(self.items[item]) > 0 && possible {
                let mut healed = sheet.clone();
                self.use_up(&mut healed, item, i64::from(points));
                used.push(healed);
            }
        }
        used
    }

    /// On entering a section, and after a fight.
    fn use_healing(&self, after_combat: bool, then: &Rest<'b>, sheet: &Sheet) -> Turn<'b> {
        // After a fight he is asked again before the next node, where less may be used.
        let on = if after_combat { Place::At(then.clone()) } else { Place::Now(then.clone()) };
        let mut answers = vec![Situation { place: on, sheet: sheet.clone() }];
        let used = self.used(|when| after_combat || when != When::AfterCombat, sheet);
        let again = Place::Use { after_combat, then: then.clone() };
        answers.extend(used.into_iter().map(|sheet| Situation { place: again.clone(), sheet }));
        Turn::Asks(answers)
    }

    /// Before a node.
    fn between(&self, block: &Rc<Block<'b>>, sheet: Sheet) -> Turn<'b> {
        let used = self.used(|when| matches!(when, When::AnyTime | When::SinceCombat), &sheet);
        // Before a loop he is asked in it.
        let loops = block.nodes.first().is_none_or(|node| matches!(node.kind, NodeKind::Repeat(_)));
        if used.is_empty() || loops {
            return self.next(block, sheet);
        }
        let again = used.into_iter().map(|sheet| Situation { place: Place::At(Some(block.clone())), sheet });
        let now = Situation { place: Place::Now(Some(block.clone())), sheet };
        Turn::Asks(std::iter::once(now).chain(again).collect())
    }
}

/// Whether a node is a fight, or one stands in it.
fn fights(node: &Node) -> bool {
    let any = |body: &Vec<Node>| body.iter().any(fights);
    match &node.kind {
        NodeKind::Fight(_) | NodeKind::OneRound { .. } => true,
        NodeKind::If(branches, otherwise) => branches.iter().any(|(_, body, _)| any(body)) || any(otherwise),
        NodeKind::Choices(choices) => choices.iter().any(|choice| any(&choice.body)),
        NodeKind::Pick(pick) => pick.cases.iter().any(|(_, body, _)| any(body)),
        NodeKind::Repeat(body) => any(body),
        _ => false,
    }
}

pub fn on(place: Place<'_>, sheet: Sheet) -> Turn<'_> {
    Turn::On(Situation { place, sheet })
}

/// The beginning of the loop that stands so many loops around a block.
fn again<'b>(block: &Block<'b>, depth: usize) -> Option<Place<'b>> {
    let begin = |nodes: &'b [Node], then: &Rest<'b>| {
        Place::At(Some(Rc::new(Block { nodes, repeats: Some(nodes), then: then.clone() })))
    };
    let mut depth = depth;
    let (mut repeats, mut then) = (block.repeats, &block.then);
    loop {
        match repeats {
            Some(nodes) if depth == 0 => return Some(begin(nodes, then)),
            Some(_) => depth -= 1,
            None => {}
        }
        let outer = then.as_ref()?;
        (repeats, then) = (outer.repeats, &outer.then);
    }
}
