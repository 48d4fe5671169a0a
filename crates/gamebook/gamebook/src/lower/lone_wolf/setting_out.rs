//! The empty program and the initial state.

use super::gear::Gear;
use super::registers;
use crate::book::{Book, Hero, Situation};
use crate::program::{Group, Layout, Notes, Program, Sheet, State};
use crate::terms::SectionNumber;

/// A program without steps.
pub(super) fn empty(layout: Layout, sheet: Sheet, groups: Vec<Group>) -> Program {
    Program {
        steps: Vec::new(),
        sections: Vec::new(),
        stages: Vec::new(),
        start: 0,
        labels: Vec::new(),
        natives: Vec::new(),
        groups,
        notes: Notes::default(),
        sheet,
        layout,
    }
}

/// The state in which the hero begins in a section.
pub(super) fn setting_out(
    program: &Program,
    gear: &Gear,
    book: &Book,
    hero: &Hero,
    situation: &Situation,
    start: SectionNumber,
) -> State {
    let layout = &program.layout;
    let mut state = layout.zero().at(program.start);
    for (item, count) in hero.belongings(book).into_iter().enumerate() {
        layout.set(&mut state, gear.item(item), count.into());
    }
    layout.set(&mut state, registers::GOLD, hero.gold.into());
    for flag in &situation.flags {
        layout.set(&mut state, gear.flag(*flag), 1);
    }
    let most = gear.max_endurance().number(layout, &state);
    layout.set(&mut state, registers::ENDURANCE, situation.endurance.map_or(most, |now| most.min(now.into())));
    // A hero who begins in the middle has fought before.
    layout.set(&mut state, registers::FOUGHT, (start != book.start).into());
    state
}
