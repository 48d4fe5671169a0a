//! The heroes alive in each state, where weaker heroes are solved with the strongest ([`Weaker`]).
//!
//! A hero who began with fewer points is dead where the strongest has no more left than the difference. This is read off at the
//! next state that still keeps ENDURANCE. If play could heal the hero, or clear ENDURANCE, before such a state, it stops right
//! before the test for his death: at a *check*.

use super::Machine;
use super::living::{Living, parts};
use crate::program::{DEAD, Decides, Instruction, Label, Outcome, Program, Skills, State, Test, Value, Weight};
use crate::terms::Operator;

impl Machine {
    /// The number of heroes alive in a state, from the strongest down, if weaker ones are solved with him.
    pub(crate) fn living(&self, state: &State) -> u32 {
        let Some(Living { weaker, endurance, all_from, .. }) = &self.living else { return 1 };
        let all = u32::from(weaker.count) + 1;
        if state.place() >= DEAD {
            return all;
        }
        let left = state.above(*endurance);
        if left < all_from[state.place() as usize] { left } else { all }
    }

    /// The heroes with more COMBAT SKILL that are solved together, if any.
    pub(crate) fn skills(&self) -> Option<&Skills> {
        self.program.sheet.skills.as_deref()
    }

    /// Whether a state splits the heroes.
    pub(crate) fn splits_heroes(&self, state: &State) -> bool {
        let weaker = self.living.as_ref().map(|living| living.weaker);
        self.instruction(state).zip(weaker).is_some_and(|(step, weaker)| parts(step, weaker))
    }

    /// The state after the split of the hero who began with this many points less.
    pub(crate) fn split_hero(&self, state: &State, short: u32) -> Option<State> {
        let Instruction::Chance { outcomes } = self.instruction(state)? else { return None };
        let outcome = outcomes.get(short as usize)?;
        Some(self.advance(&self.after(state, outcome), &mut Vec::new()))
    }

    /// The program with all checks that are missing; `None` if none is.
    pub(super) fn with_checks(&self) -> Option<Program> {
        let tests = self.unchecked();
        if tests.is_empty() {
            return None;
        }
        let mut program = Program::clone(&self.program);
        for test in tests {
            let step = program.steps[test as usize].clone();
            // There are fewer places than a state can hold: each test was one already.
            let next = Label::try_from(program.steps.len()).unwrap_or(Label::MAX);
            program.steps.push(step);
            program.sections.push(program.sections[test as usize]);
            let outcome = Outcome { weight: Weight::Number(1), sets: [].into(), next };
            program.steps[test as usize] = Instruction::Chance { outcomes: [outcome].into() };
        }
        Some(program)
    }

    /// The tests for the hero's death after which he could be healed, or ENDURANCE be cleared, before a state shows that a
    /// weaker hero has died.
    fn unchecked(&self) -> Vec<Label> {
        let Some(living) = &self.living else { return Vec::new() };
        let program = &self.program;
        let asks = |step: &Instruction| {
            let mut asks = false;
            step.decides(&mut |decides| {
                asks |= matches!(decides, Decides::Test(test) if *test == living.weaker.has_fallen(program.sheet.endurance));
            });
            asks
        };
        let tests = program.places().zip(&program.steps).filter(|(_, step)| asks(step));
        tests.filter(|(place, _)| !self.is_seen(living, *place)).map(|(place, _)| place).collect()
    }

    /// Whether, on every path from a test for the hero's death, a state shows that a weaker hero has died.
    fn is_seen(&self, living: &Living, test: Label) -> bool {
        let program = &self.program;
        let all = u32::from(living.weaker.count) + 1;
        let is_shared = |place: Label| living.all_from[place as usize] >= all;
        // Reachable places, and whether a chance lies before them.
        let mut open = vec![(test, false)];
        let mut known = open.clone();
        while let Some((place, after_chance)) = open.pop() {
            let step = &program.steps[place as usize];
            let is_sure = self.surely_won[place as usize] != u32::MAX;
            // What cannot be won is worth 0 for a dead hero, too.
            if self.unwinnable[place as usize] {
                continue;
            }
            if is_sure {
                return false;
            }
            let stops = match step {
                Instruction::Chance { .. } if after_chance || living.stops[place as usize] => true,
                Instruction::Ask(question) => {
                    self.last_differs[place as usize]
                        && question.answers.last().is_some_and(|last| last.test == Test::ALWAYS)
                }
                _ => false,
            };
            let can_stop = matches!(step, Instruction::Chance { .. } | Instruction::Ask(_) | Instruction::Fold(_));
            if can_stop && !is_shared(place) {
                return false;
            }
            if stops || matches!(step, Instruction::Death | Instruction::Stuck) {
                continue;
            }
            let mut is_seen = *step != Instruction::Victory;
            step.ways(place, &mut |way| {
                // The result of a folded fight is seen after it; a fight that is not folded is played round by round.
                let folded = matches!(step, Instruction::Fold(_)) && !way.written.is_empty();
                if folded || way.next == place {
                    return;
                }
                is_seen &= way
                    .sets
                    .iter()
                    .all(|(register, value)| *register != program.sheet.endurance || self.only_falls(value));
                let next = (way.next, after_chance || matches!(step, Instruction::Chance { .. }));
                if !known.contains(&next) {
                    known.push(next);
                    open.push(next);
                }
            });
            if !is_seen {
                return false;
            }
        }
        true
    }

    /// Whether an assignment of this value never raises ENDURANCE.
    fn only_falls(&self, value: &Value) -> bool {
        let layout = &self.program.layout;
        let endurance = Value::Register(self.program.sheet.endurance);
        *value == Value::Constant(0)
            || match value {
                Value::Operation(Operator::Minus, left, right) => **left == endurance && right.range(layout).0 >= 0,
                Value::Operation(Operator::Plus, left, right) => **left == endurance && right.range(layout).1 <= 0,
                Value::Operation(Operator::Min, left, right) => **left == endurance || **right == endurance,
                value => *value == endurance,
            }
    }
}
