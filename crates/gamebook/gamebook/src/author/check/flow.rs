//! Which heroes can be where: sets of heroes are carried through the sections until nothing is new.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use budget::Stopped;

use super::changes::Changed;
use super::found::Found;
use super::heroes::{ALL, Heroes, Space, together};
use super::key::Key;
use super::sign_errors as slips;
use super::walks::{Far, Who};
use crate::book::{Case, Choice, Condition, Fight, Node, NodeKind, Pick, Thing, Trade, is_loss};
use crate::syntax::{MOST_PROBLEMS, Problem};
use crate::terms::{Comparison, SectionNumber};

/// From this visit of a section on, bounds that still move go as far as they can.
const PATIENCE: u32 = 6;

/// Heroes who are carried through the sections of a book.
pub(super) struct Flow<'s, 'b> {
    space: &'s Space<'b>,
    who: Who,
    /// Who sets out at the start of the book, if somebody does.
    sets_out: Option<Heroes>,
    entries: BTreeMap<SectionNumber, (Heroes, u32)>,
    open: VecDeque<SectionNumber>,
    waiting: BTreeSet<SectionNumber>,
    section: SectionNumber,
    /// Somebody may win.
    won: bool,
    /// What somebody may get.
    got: BTreeSet<Key>,
    /// Set in the last pass, when all that can be is known.
    found: Option<Found>,
}

impl<'s, 'b> Flow<'s, 'b> {
    /// These heroes set out.
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

    /// Whether any of those who enter a section may still win; what is not found out may be. `far`: how many sections it is
    /// from each to a victory, as far as is known.
    pub(super) fn may_win(&self, section: SectionNumber, far: &Far) -> Result<bool, Stopped> {
        let mut on = Self::empty(self.space, self.who);
        if section == self.space.book.start {
            on.sets_out.clone_from(&self.sets_out);
        }
        on.entries.extend(self.entries.get_key_value(&section).map(|(section, own)| (*section, own.clone())));
        on.open.push_back(section);
        // Who is nearest goes on first: mostly nobody has to go far.
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

    /// Carries everyone as far as it goes; `false` when the book is too large for that.
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

    /// The keys that somebody may get; `None` when the book is too large for it.
    pub(super) fn gets(mut self) -> Result<Option<BTreeSet<Key>>, Stopped> {
        Ok(self.spread()?.then_some(self.got))
    }

    /// Carries everyone through the book; `None` when the book is too large for it.
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
            // What happens in every section is not looked at anew in each.
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

    /// Something that is wrong for every hero.
    fn report(&mut self, problem: impl Into<Option<Problem>>) {
        if self.who == Who::Anyone {
            self.tell(problem);
        }
    }

    fn tell(&mut self, problem: impl Into<Option<Problem>>) {
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

    /// Carries heroes through nodes; who comes out behind the last.
    fn block(&mut self, nodes: &[Node], mut heroes: Option<Heroes>) -> Option<Heroes> {
        for node in nodes {
            heroes = self.node(node, heroes?);
            if let Some(heroes) = &mut heroes {
                self.space.may_use_between(heroes);
            }
        }
        heroes
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each node of the language")]
    fn node(&mut self, node: &Node, mut heroes: Heroes) -> Option<Heroes> {
        self.space.pay();
        let space = self.space;
        match &node.kind {
            // Books with a system of rules of their own are looked at by their text alone.
            NodeKind::Rule(_) => Some(heroes),
            NodeKind::Endurance(number) => {
                let change = space.value(&heroes, number);
                self.report(slips::healing(&node.span, change).filter(|_| is_loss(number)));
                let survive = space.hurt(&mut heroes, change);
                if change.0 < 0 {
                    self.ends(false);
                }
                survive.then_some(heroes)
            }
            NodeKind::Restore { .. } => {
                space.hurt(&mut heroes, (0, 0));
                Some(heroes)
            }
            NodeKind::Gain(thing, count) => {
                let count = space.value(&heroes, count);
                if count.1 > 0 {
                    self.got.extend(Key::of(*thing));
                }
                match thing {
                    Thing::Gold => {
                        self.report(slips::taking(node, count));
                        space.add_gold(&mut heroes, count);
                    }
                    Thing::Item(item) if space.book.items[*item].kind.is_single() => {
                        space.gets(&mut heroes, *item);
                    }
                    Thing::Item(item) => space.may_get(&mut heroes, *item, count.1),
                }
                Some(heroes)
            }
            NodeKind::Lose(thing, count) => {
                let all = (ALL, ALL);
                let count = count.as_ref().map_or(all, |count| space.value(&heroes, count));
                match thing {
                    Thing::Gold => {
                        self.report(slips::giving(node, count));
                        space.add_gold(&mut heroes, (count.1.saturating_neg(), count.0.saturating_neg()));
                    }
                    Thing::Item(item) => space.lose(&mut heroes, *item, count),
                }
                Some(heroes)
            }
            NodeKind::LoseAll { gold, items } => {
                if *gold {
                    space.add_gold(&mut heroes, (-ALL, -ALL));
                }
                for item in items {
                    space.lose(&mut heroes, *item, (ALL, ALL));
                }
                Some(heroes)
            }
            NodeKind::GiveUp { kind, count, .. } => {
                space.may_lose(&mut heroes, i32::from(*count), |item| item.kind == *kind);
                Some(heroes)
            }
            NodeKind::Flag(flag, on) => {
                if *on {
                    self.got.insert(Key::Flag(*flag));
                }
                space.set_flag(&mut heroes, *flag, *on);
                Some(heroes)
            }
            NodeKind::Counter(counter, number) => {
                let value = space.value(&heroes, number);
                space.set_counter(&mut heroes, *counter, value);
                Some(heroes)
            }
            NodeKind::Eat { .. } => {
                space.may_lose(&mut heroes, 1, |item| item.food);
                space.may_be_cured(&mut heroes);
                space.hurt(&mut heroes, (0, 0));
                self.ends(false);
                Some(heroes)
            }
            NodeKind::Goto(section) => {
                self.go(*section, heroes);
                None
            }
            NodeKind::Death(_) => {
                self.ends(false);
                None
            }
            NodeKind::Victory => {
                self.ends(true);
                None
            }
            NodeKind::If(branches, otherwise) => self.branches(branches, otherwise, &heroes),
            NodeKind::Choices(choices) => self.choices(node, choices, &heroes),
            NodeKind::Pick(pick) => self.pick(pick, &heroes),
            NodeKind::Take { lines, .. } => {
                for (thing, count) in lines {
                    let count = self.space.value(&heroes, count);
                    if count.1 > 0 {
                        self.got.extend(Key::of(*thing));
                    }
                    match thing {
                        Thing::Gold => self.space.add_gold(&mut heroes, (0, count.1.max(0))),
                        Thing::Item(item) => self.space.may_get(&mut heroes, *item, count.1),
                    }
                }
                Some(heroes)
            }
            NodeKind::Shop(trades) => {
                self.shop(trades, &mut heroes);
                Some(heroes)
            }
            NodeKind::Repeat(body) => {
                let mut changed = Changed::default();
                changed.add(&self.space.book.items, body);
                self.space.forget(&mut heroes, &changed);
                self.block(body, Some(heroes))
            }
            NodeKind::Again(_) => None,
            NodeKind::Fight(fight) => self.fight(fight, heroes),
            NodeKind::OneRound { worse, equal, better, .. } => {
                self.ends(false);
                self.space.fought(&mut heroes);
                let after = [worse, equal, better].map(|body| self.block(body, Some(heroes.clone())));
                together(after.into_iter().flatten().collect())
            }
        }
    }

    fn branches(
        &mut self,
        branches: &[(Condition, Vec<Node>, std::ops::Range<usize>)],
        otherwise: &[Node],
        heroes: &Heroes,
    ) -> Option<Heroes> {
        let mut rest = vec![heroes.clone()];
        let mut after = Vec::new();
        for (condition, body, span) in branches {
            let yes = self.space.assume_all(&rest, condition, true);
            match together(yes) {
                Some(yes) => after.extend(self.block(body, Some(yes))),
                None if *condition == Condition::Constant(false) => {}
                None => {
                    let alone = self.space.assume(heroes, condition, true);
                    let problem = if alone.is_empty() {
                        Problem::warning(span.clone(), "this never holds here")
                            .help("no hero who comes here can fulfil it: is another condition meant?")
                    } else {
                        Problem::warning(span.clone(), "this branch is never taken")
                            .help("whoever fulfils it is caught by a branch before it: put it first, or leave it out")
                    };
                    self.report(problem);
                }
            }
            rest = self.space.assume_all(&rest, condition, false);
        }
        match (together(rest), otherwise.first()) {
            (Some(rest), _) => after.extend(self.block(otherwise, Some(rest))),
            (None, Some(first)) if !branches.iter().any(|(condition, ..)| *condition == Condition::Constant(true)) => {
                let problem = Problem::warning(first.span.clone(), "this `else` is never reached");
                self.report(problem.help("whoever comes here fulfils one of the conditions before it"));
            }
            _ => {}
        }
        together(after)
    }

    fn choices(&mut self, node: &Node, choices: &[Choice], heroes: &Heroes) -> Option<Heroes> {
        let mut after = Vec::new();
        let mut without = vec![heroes.clone()];
        for choice in choices {
            let able = self.space.assume(heroes, &choice.require, true);
            let mut chosen = able.clone();
            if let Some((local, from, to)) = &choice.each {
                let any = Condition::Compare(Comparison::AtMost, from.clone(), to.clone());
                chosen = self.space.assume_all(&able, &any, true);
                for heroes in &mut chosen {
                    let (from, to) = (self.space.value(heroes, from), self.space.value(heroes, to));
                    self.space.set_local(heroes, *local, (from.0, to.1.max(from.0)));
                }
                let mut unable = self.space.assume_all(&without, &choice.require, false);
                let able = self.space.assume_all(&without, &choice.require, true);
                unable.extend(self.space.assume_all(&able, &any, false));
                without = unable;
            } else {
                without = self.space.assume_all(&without, &choice.require, false);
            }
            match together(chosen) {
                Some(chosen) => after.extend(self.block(&choice.body, Some(chosen))),
                None if choice.require == Condition::Constant(false) => {}
                None => {
                    let problem = Problem::warning(choice.span.clone(), "no hero can ever take this choice");
                    self.report(problem.help("whoever comes here fails what it requires"));
                }
            }
        }
        if let Some(stuck) = without.first()
            && self.found.is_some()
        {
            let conditions: Vec<&Condition> = choices.iter().map(|choice| &choice.require).collect();
            let who = self.space.described(stuck, &conditions);
            let who = if who.is_empty() { String::new() } else { format!(" ({who})") };
            let problem =
                Problem::warning(node.span.clone(), format!("a hero{who} may find none of these choices possible"));
            self.report(problem.help("he would be stuck: add a choice for him"));
            self.ends(false);
        }
        together(after)
    }

    fn pick(&mut self, pick: &Pick, heroes: &Heroes) -> Option<Heroes> {
        let mut heroes = heroes.clone();
        let (least, most) = if pick.zero_is_ten { (1, 10) } else { (0, 9) };
        let plus = pick.plus.iter().fold((0i32, 0i32), |(low, high), (number, condition)| {
            let value = self.space.value(&heroes, number);
            if *condition == Condition::Constant(true) {
                (low.saturating_add(value.0), high.saturating_add(value.1))
            } else {
                (low.saturating_add(value.0.min(0)), high.saturating_add(value.1.max(0)))
            }
        });
        let alone = pick.sums.len() == 1;
        let mut total = (0, 9);
        for (local, count) in &pick.sums {
            total = (least * i32::from(*count), most * i32::from(*count));
            if alone {
                total = (total.0.saturating_add(plus.0), total.1.saturating_add(plus.1));
            }
            if let Some(local) = local {
                self.space.set_local(&mut heroes, *local, total);
            }
        }
        if pick.cases.is_empty() {
            return Some(heroes);
        }
        let mut after = Vec::new();
        let mut uncovered = if alone { (i64::from(total.1) - i64::from(total.0) + 1).max(0) } else { i64::MAX };
        for (case, body, span) in &pick.cases {
            let chosen = match case {
                Case::Between(low, high) => {
                    let range = (total.0.max(*low), total.1.min(*high));
                    if range.0 > range.1 {
                        let problem = Problem::warning(span.clone(), "this case never comes up");
                        self.report(problem.help(format!("the total is between {} and {}", total.0, total.1)));
                        continue;
                    }
                    // Cases do not overlap.
                    uncovered -= i64::from(range.1) - i64::from(range.0) + 1;
                    let mut chosen = heroes.clone();
                    if let Some((Some(local), _)) = pick.sums.first() {
                        self.space.set_local(&mut chosen, *local, range);
                    }
                    Some(chosen)
                }
                Case::When(condition) => {
                    let chosen = together(self.space.assume(&heroes, condition, true));
                    if chosen.is_none() {
                        let problem = Problem::warning(span.clone(), "this case never comes up");
                        self.report(problem.help("no total and no hero who comes here can fulfil it"));
                    }
                    chosen
                }
                Case::Else if uncovered <= 0 => {
                    let problem = Problem::warning(span.clone(), "this `else` is never reached");
                    self.report(problem.help("the cases before it cover every total: leave it out"));
                    continue;
                }
                Case::Else => Some(heroes.clone()),
            };
            if let Some(chosen) = chosen {
                after.extend(self.block(body, Some(chosen)));
            }
        }
        together(after)
    }

    fn shop(&mut self, trades: &[Trade], heroes: &mut Heroes) {
        let space = self.space;
        let most_gold = i32::from(space.book.kai.most_gold);
        for trade in trades.iter().filter(|trade| !trade.buy) {
            if heroes.most_of(trade.item) > 0 {
                space.add_gold(heroes, (0, most_gold));
                space.lose(heroes, trade.item, (0, ALL));
            }
        }
        let purse = heroes.most_gold();
        // Twice: the container may be bought before what it holds.
        for trade in trades.iter().chain(trades).filter(|trade| trade.buy) {
            if heroes.most_gold() >= trade.price.into() {
                self.got.insert(Key::Item(trade.item));
                space.add_gold(heroes, (-most_gold, 0));
                space.may_get(heroes, trade.item, trade.at_most.map_or(ALL, i32::from));
            }
        }
        for trade in trades.iter().filter(|trade| trade.buy && i32::from(trade.price) > purse) {
            self.tell(slips::too_dear(space.book, trade, purse, self.who));
        }
    }

    fn fight(&mut self, fight: &Fight, mut heroes: Heroes) -> Option<Heroes> {
        self.ends(false);
        self.space.fought(&mut heroes);
        let mut after = vec![heroes.clone()];
        for body in fight.bodies() {
            after.extend(self.block(body, Some(heroes.clone())));
        }
        together(after)
    }
}
