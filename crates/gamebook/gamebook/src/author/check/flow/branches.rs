//! Branches: conditions, choices and picks, with the heroes who reach them.

use super::Flow;
use crate::author::check::heroes::{Heroes, together};
use crate::book::{Case, Choice, Condition, Node, Pick};
use crate::syntax::Problem;
use crate::terms::Comparison;

impl Flow<'_, '_> {
    pub(super) fn branches(
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
                            .help("no hero who gets here can meet it: is another condition meant?")
                    } else {
                        Problem::warning(span.clone(), "this branch is never taken")
                            .help("an earlier branch always holds in its place: put it first, or leave it out")
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
                self.report(problem.help("one of the conditions before it always holds here"));
            }
            _ => {}
        }
        together(after)
    }

    pub(super) fn choices(&mut self, node: &Node, choices: &[Choice], heroes: &Heroes) -> Option<Heroes> {
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
                    self.report(problem.help("no hero who gets here meets its requirement"));
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

    pub(super) fn pick(&mut self, pick: &Pick, heroes: &Heroes) -> Option<Heroes> {
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
                        self.report(problem.help("no total and no hero who gets here can meet it"));
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
}
