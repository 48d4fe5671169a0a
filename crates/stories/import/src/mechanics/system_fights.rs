//! Fights for systems of rules.

use std::collections::VecDeque;
use std::mem::take;

use super::{Moment, Runner, State, name_of};
use crate::fight::{Change, Combat, Hand, Turn, Written};
use crate::line::Line;
use crate::objects::Objects;
use crate::xml::Element;

/// What happens after rounds, as far as it is understood.
#[derive(Default)]
struct Rounds<'r> {
    changes: Vec<Change>,
    handlers: Vec<Turn<'r>>,
}

/// What a test of the weapon in hand changes in a fight, where it changes nothing else.
pub(super) fn hand(rule: &Element, objects: &mut Objects, before: Option<&Combat>) -> Option<Hand> {
    let mut attributes = rule.attributes().filter(|(name, _)| *name != "not");
    let ("currentWeapon", weapons) = attributes.next()? else { return None };
    if attributes.next().is_some() {
        return None;
    }
    let inner: Vec<&Element> = rule.elements().collect();
    let [combat] = inner[..] else { return None };
    if combat.name != "combat" {
        return None;
    }
    let (mut skill, mut hit) = (0, 1);
    for (name, value) in combat.attributes() {
        let number = value.trim_start_matches('+').parse::<i32>().ok()?;
        match name {
            "combatSkillModifierIncrement" => skill += number,
            "combatSkillModifier" => skill += number - before?.plain_skill()?,
            "damageMultiplier" if (0..=9).contains(&number) => hit = number,
            _ => return None,
        }
    }
    let marks: Vec<String> = weapons.split('|').map(|weapon| format!("wielded.{}", objects.itself(weapon))).collect();
    let is = if rule.attribute("not") == Some("true") { "= 0" } else { "> 0" };
    (-50..=50).contains(&skill).then(|| Hand { condition: format!("{} {is}", marks.join(" + ")), skill, hit })
}

impl<'r> Runner<'_, '_> {
    /// A test of the weapon in hand that changes the fight, for a system of rules.
    pub(super) fn hand_test(&mut self, rule: &Element, state: &mut State<'_>) -> bool {
        if state.combats.is_empty() || state.moment != Moment::Entered {
            return false;
        }
        let alike = state.combats.iter().all(|combat| combat.plain_skill() == state.combats[0].plain_skill());
        let before = state.combats.first().filter(|_| alike);
        let Some(hand) = hand(rule, &mut self.shared.objects, before) else { return false };
        state.hands.push(hand);
        true
    }

    pub(super) fn system_fight(&mut self, mut state: State<'r>) -> Vec<Line> {
        let rules = |handlers: &[&'r Element]| -> VecDeque<&'r Element> {
            handlers.iter().flat_map(|rule| rule.elements()).collect()
        };
        let (fought, mut evaded) = (rules(&state.fought), rules(&state.evaded));
        let rounds = self.rounds(&mut state);
        // What asks for wounds after every round asks for them after the last one, too.
        let of_wounds: Vec<&Element> =
            rounds.handlers.iter().filter(|turn| turn.any && turn.is_wound()).map(|turn| turn.rule).collect();
        let mut after = rules(&of_wounds);
        after.extend(&fought);
        if !of_wounds.is_empty() {
            evaded = rules(&of_wounds).into_iter().chain(evaded).collect();
        }
        if after.is_empty() {
            // The round that decides can be the last.
            after = rounds
                .handlers
                .iter()
                .filter(|turn| turn.after.as_deref() == Some("1"))
                .flat_map(|turn| turn.rule.elements())
                .collect();
        }
        let mut lines = Vec::new();
        let restored = take(&mut state.fake);
        let restore = restored.then(|| Line::leaf("set endurance whole"));
        if restored {
            lines.push(Line::leaf("let whole endurance"));
        }
        let groups = groups(&state.combats);
        let after_rounds = self.after_rounds(&rounds.handlers, &state);
        let left = after_rounds.iter().filter(|(_, lines)| leaves(lines)).filter_map(|(after, _)| *after).min();
        if let Some(most) = left {
            // The hero leaves the fight after this round at the latest.
            state.known.insert(format!("rounds <= {most}"), true);
        }
        if groups.len() > 1 && !(rounds.changes.is_empty() && rounds.handlers.is_empty()) {
            self.todo("enemies of one fight under different rules");
        }
        for group in groups {
            let combats = state.combats[group.clone()].to_vec();
            let escape = combats[0].evade.is_some() || combats[0].more.evade_below.is_some();
            let escape = escape.then(|| {
                let own = State { moment: Moment::Evaded, fights: false, ..state.clone() };
                let lines: Vec<Line> = restore.iter().cloned().chain(self.run(evaded.clone(), own)).collect();
                if asks_for_loss(&lines) {
                    self.todo("what is lost in the round in which one runs");
                }
                lines
            });
            let defeat = restore.clone().map(|restore| {
                let own = State { moment: Moment::Fought(false), fights: false, ..state.clone() };
                [restore].into_iter().chain(self.run(after.clone(), own)).collect()
            });
            let written = Written {
                target: self.shared.target,
                enemies: &self.page.enemies[group],
                combats: &combats,
                hands: &state.hands,
                changes: rounds.changes.clone(),
                rounds: after_rounds.clone(),
                escape,
                defeat,
            };
            let (fight, problems) = written.write();
            for problem in problems {
                self.todo(problem);
            }
            lines.push(fight);
        }
        lines.extend(restore);
        let own = State { moment: Moment::Fought(true), fights: false, ..state };
        lines.extend(self.run(after, own));
        lines
    }

    /// What happens after rounds: changes of what holds, and everything else.
    fn rounds(&mut self, state: &mut State<'r>) -> Rounds<'r> {
        let mut rounds = Rounds::default();
        let names = name_of(state);
        let mut turns: Vec<Turn<'r>> = Vec::new();
        for rule in take(&mut state.rounds) {
            match Turn::new(rule, &names) {
                Some(turn) if turn.any || turn.after.as_ref().is_some_and(|after| after.parse::<u32>().is_ok()) => {
                    turns.push(turn);
                }
                _ => self.todo("what happens after a round"),
            }
        }
        turns.sort_by_key(|turn| turn.after.as_ref().and_then(|after| after.parse::<u32>().ok()));
        let mut combat = state.combats[0].clone();
        for turn in turns {
            let only_changes = turn.rule.elements().all(|inner| {
                inner.name == "combat" || inner.name == "test" && inner.attribute("currentWeapon").is_some()
            });
            if turn.any || !only_changes {
                if state.combats.len() > 1 {
                    self.todo("what happens after a round against several enemies");
                }
                rounds.handlers.push(turn);
                continue;
            }
            let objects = &mut self.shared.objects;
            match Change::new(&turn, &combat, self.shared.target, &mut |rule| hand(rule, objects, None)) {
                Some(change) => {
                    combat = change.combat().clone();
                    rounds.changes.push(change);
                }
                None => self.todo("a combat rule after a round"),
            }
        }
        rounds
    }

    /// The lines of what happens after rounds.
    fn after_rounds(&mut self, handlers: &[Turn<'r>], state: &State<'r>) -> Vec<(Option<u32>, Vec<Line>)> {
        let mut found = Vec::new();
        for turn in handlers {
            let own = State { moment: Moment::Round, fights: true, before: state.enabled.clone(), ..state.clone() };
            let lines = self.run(turn.rule.elements().collect(), own);
            let after = turn.after.as_ref().and_then(|after| after.parse::<u32>().ok());
            if !lines.is_empty() {
                found.push((after, lines));
            }
        }
        found
    }
}

/// Enemies who follow each other and can be run from alike.
fn groups(combats: &[Combat]) -> Vec<std::ops::Range<usize>> {
    let ways = |combat: &Combat| (combat.evade, combat.more.evade_until, combat.more.evade_below);
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for (place, combat) in combats.iter().enumerate() {
        match groups.last_mut() {
            Some(last) if ways(&combats[last.start]) == ways(combat) => last.end = place + 1,
            _ => groups.push(place..place + 1),
        }
    }
    groups
}

/// Whether the code after lines is unreachable.
fn leaves(lines: &[Line]) -> bool {
    let leaves_in = |line: &Line| leaves(line.body.as_deref().unwrap_or_default());
    let word = |line: &Line| line.head.split(' ').next().unwrap_or_default().to_string();
    let Some(last) = lines.last() else { return false };
    match word(last).as_str() {
        "goto" | "death" | "victory" => true,
        "else" => {
            let first = lines.iter().rposition(|line| word(line) == "if").unwrap_or(0);
            lines[first..].iter().all(leaves_in)
        }
        "choice" => {
            let before = lines.iter().rposition(|line| word(line) != "choice");
            lines[before.map_or(0, |before| before + 1)..].iter().all(leaves_in)
        }
        _ => false,
    }
}

/// Whether lines ask for what was lost in a fight.
fn asks_for_loss(lines: &[Line]) -> bool {
    lines.iter().any(|line| {
        let own = line.head.contains("\"lost ") || line.head.contains("not lost ") || line.head.contains("dealt");
        own || asks_for_loss(line.body.as_deref().unwrap_or_default())
    })
}
