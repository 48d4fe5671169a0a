//! Fights: what the rules say of them, written as a fight of ours.

use std::collections::VecDeque;

use super::{Moment, Runner, State, name_of};
use crate::fight::{Combat, Turn};
use crate::line::Line;
use crate::xml::Element;

impl<'r> Runner<'_, '_> {
    pub(super) fn combat(&mut self, rule: &Element, state: &mut State<'_>) {
        if rule.attribute("fake") == Some("true") {
            state.fake = true;
        }
        let (target, names) = (self.shared.target, name_of(state));
        if target.is_system() {
            if state.moment == Moment::Round {
                self.todo("a combat rule after a round");
            }
            if rule.attribute("combatSkillModifier").is_some() {
                // What was added before is added no more.
                state.hands.iter_mut().for_each(|hand| hand.skill = 0);
            }
        }
        let index = rule.attribute("index").and_then(|index| index.parse::<usize>().ok());
        let whole = index.is_none();
        let range = match index {
            Some(index) => index..index.saturating_add(1).min(state.combats.len()),
            None => 0..state.combats.len(),
        };
        for combat in state.combats.get_mut(range).into_iter().flatten() {
            for (name, value) in rule.attributes() {
                if name == "index" || name == "fake" {
                    continue;
                }
                if !combat.set((name, value), target, &names) {
                    self.todos.insert(format!("the combat rule `{name}`"));
                }
            }
        }
        if whole && state.combats.len() > 1 {
            // The first alone is meant by the letter; the text means all.
            self.todo("a combat rule that names none of several enemies");
        }
    }

    /// Tests of the weapon in hand mean something in fights only: those that our language says otherwise.
    pub(super) fn combat_test(&mut self, rule: &Element, state: &mut State<'_>) -> bool {
        let Some(weapon) = rule.attribute("currentWeapon") else { return false };
        if self.shared.target.is_system() {
            return self.hand_test(rule, state);
        }
        let inner: Vec<&Element> = rule.elements().collect();
        let [combat] = inner[..] else { return false };
        let is_not = rule.attribute("not") == Some("true");
        let multiplier = combat.attribute("damageMultiplier");
        match (is_not, multiplier) {
            (false, Some("2")) => state.combats.iter_mut().for_each(|combat| combat.kind.undead = true),
            (false, Some("1")) => {}
            (true, Some("0")) => {
                let name = self.shared.objects.name(weapon);
                state.combats.iter_mut().for_each(|combat| combat.only_weapon = Some(name.clone()));
            }
            _ => return false,
        }
        true
    }

    pub(super) fn fight(&mut self, mut state: State<'r>) -> Vec<Line> {
        if self.shared.target.is_system() {
            return self.system_fight(state);
        }
        let handlers = |rules: &[&'r Element]| -> VecDeque<&'r Element> {
            rules.iter().flat_map(|rule| rule.elements()).collect()
        };
        // What asks for wounds after every round asks for them after the last one, too.
        let wounds: Vec<&Element> = state
            .rounds
            .iter()
            .copied()
            .filter(|rule| Turn::new(rule, "").is_some_and(|turn| turn.any && turn.is_wound()))
            .collect();
        let fought = handlers(&[&wounds[..], &state.fought].concat());
        let evaded = handlers(&[&wounds[..], &state.evaded].concat());
        let mut body = Vec::new();
        let mut rounds = Vec::new();
        for rule in std::mem::take(&mut state.rounds) {
            match Turn::new(rule, &name_of(&state)) {
                Some(turn) => rounds.push(turn),
                None => self.todo("what happens after a round"),
            }
        }
        let mut compared = false;
        let changes: Vec<&Turn<'_>> = rounds.iter().filter(|turn| turn.changes_only()).collect();
        // From enemies who are run from in different ways come fights after one another.
        let mut lines = Vec::new();
        let mut first = 0;
        for next in 1..state.combats.len() {
            if state.combats[next].evade == state.combats[first].evade {
                continue;
            }
            if !rounds.is_empty() || state.fake {
                self.todo("enemies of one fight under different rules");
            }
            let mut body = Vec::new();
            let (enemies, combats) = (&self.page.enemies[first..next], &state.combats[first..next]);
            for problem in Combat::write(enemies, combats, &[], &mut body) {
                self.todo(problem);
            }
            body.extend(self.evade(combats[0].evade, &evaded, &state));
            lines.push(write_fight("fight", body, enemies.len()));
            first = next;
        }
        let enemies = &self.page.enemies[first..];
        let wrote = Combat::write(enemies, &state.combats[first..], &changes, &mut body);
        for problem in wrote {
            self.todo(problem);
        }
        for turn in rounds.iter().filter(|turn| !turn.changes_only()) {
            let own = State { moment: Moment::Round, fights: true, ..state.clone() };
            let rules = || turn.rule.elements().collect::<VecDeque<&Element>>();
            if let Some(cases) = turn.compared() {
                compared = true;
                for (name, inner) in cases {
                    let lines = self.run(inner.elements().collect(), own.clone());
                    body.push(Line::block(name, lines));
                }
            } else if turn.any && turn.is_wound() {
                let inner = turn.rule.elements().next().into_iter().flat_map(Element::elements).collect();
                body.push(Line::block("first-wound", self.run(inner, own)));
            } else if let Some(after) = turn.after.as_ref().filter(|after| after.parse::<u32>().is_ok()) {
                body.push(Line::block(format!("stop after={after}"), self.run(rules(), own)));
            } else {
                self.todo("what happens after every round");
            }
        }
        body.extend(self.evade(state.combats[first].evade, &evaded, &state));
        if state.fake {
            let own = State { moment: Moment::Fought(false), fights: false, ..state.clone() };
            body.push(Line::block("mock", self.run(fought.clone(), own)));
        }
        if compared {
            return vec![write_fight("one-round", body, enemies.len())];
        }
        let own = State { moment: Moment::Fought(true), fights: false, ..state };
        lines.push(write_fight("fight", body, enemies.len()));
        lines.extend(self.run(fought, own));
        lines
    }

    /// Where the hero may run from a round on.
    pub(super) fn evade(
        &mut self,
        round: Option<i32>,
        evaded: &VecDeque<&'r Element>,
        state: &State<'r>,
    ) -> Option<Line> {
        let round = round?;
        let own = State { moment: Moment::Evaded, fights: false, ..state.clone() };
        let head = if round <= 1 { "evade".into() } else { format!("evade from-round={round}") };
        Some(Line::block(head, self.run(evaded.clone(), own)))
    }
}

/// A fight with its enemies; a single one stands in the line of the fight.
pub(super) fn write_fight(word: &str, mut body: Vec<Line>, enemies: usize) -> Line {
    if enemies == 1 && !body.is_empty() {
        let head = body.remove(0).head.replacen("enemy ", &format!("{word} "), 1);
        return if body.is_empty() { Line::leaf(head) } else { Line::block(head, body) };
    }
    Line::block(word, body)
}
