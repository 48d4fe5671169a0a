//! Questions to the player, and what a policy answers.

use dashu_int::UBig;
use gamebook::{ActionTime, PolicyKind, SectionNumber};

use super::rules::{Rules, Turn};
use super::task::{At, State, Task};

/// An answer that can be given.
pub struct Answer<'b> {
    pub label: String,
    /// The section to which it leads at once.
    pub section: Option<SectionNumber>,
    pub state: State<'b>,
}

impl<'b> Rules<'b> {
    /// A question where play is in `state`.
    pub fn ask(&self, mut answers: Vec<Answer<'b>>, state: &State<'b>) -> Turn<'b> {
        if answers.is_empty() {
            return Turn::Lost;
        }
        for rule in self.policy {
            let here = rule.section.is_none_or(|section| section == state.section)
                && rule.event.is_none_or(|event| state.event == Some(event));
            if !here || !self.holds(state, &rule.when) {
                continue;
            }
            let wanted = |answer: &Answer<'b>| match &rule.kind {
                PolicyKind::Always(label) => answer.label == *label,
                PolicyKind::Never(label) => answer.label != *label,
                PolicyKind::Goto(section) => answer.section == Some(*section),
                PolicyKind::Random | PolicyKind::First | PolicyKind::Last => true,
            };
            if answers.iter().any(wanted) {
                answers.retain(wanted);
            }
            match rule.kind {
                PolicyKind::Random => {
                    return Turn::Chance(answers.into_iter().map(|answer| (UBig::ONE, answer.state)).collect());
                }
                PolicyKind::First => answers.truncate(1),
                PolicyKind::Last => drop(answers.drain(..answers.len() - 1)),
                PolicyKind::Always(_) | PolicyKind::Never(_) | PolicyKind::Goto(_) => {}
            }
        }
        Turn::Asks(answers.into_iter().map(|answer| answer.state).collect())
    }

    /// What the player may do beside what he is asked.
    pub fn actions(&self, at: At, mut state: State<'b>) -> Turn<'b> {
        let possible = |when: ActionTime| match at {
            At::Outside => matches!(when, ActionTime::OutsideFight | ActionTime::AnyTime),
            At::InFight => matches!(when, ActionTime::InFight | ActionTime::AnyTime),
            At::AfterFight => when == ActionTime::AfterFight,
        };
        let actions: Vec<_> = self.system.actions.iter().filter(|action| possible(action.when)).collect();
        if actions.is_empty() {
            return Turn::On(state);
        }
        let go_on = Answer { label: "go on".into(), section: None, state: state.clone() };
        state.tasks.push(Task::Actions(at));
        let mut answers = Vec::new();
        for action in actions {
            for item in self.about(&state, action.with) {
                let mut own = State { item: item.or(state.item), ..state.clone() };
                if self.holds(&own, &action.require) {
                    if item.is_some() {
                        own.tasks.push(Task::Back(state.before()));
                    }
                    own.block(&action.body, false);
                    answers.push(Answer { label: self.named(&action.name, item), section: None, state: own });
                }
            }
        }
        answers.push(go_on);
        self.ask(answers, &state)
    }
}
