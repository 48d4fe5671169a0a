//! Things that are alike: those of a container of which only the number matters are counted together
//! (see [liveness](crate::passes::liveness)).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::lowering::{Alike, Lowering, register_of};
use crate::book::{Made, Making, Situation, VariableKind};
use crate::lower::error::CompileError;
use crate::program::Register;

/// What an item is to a hero who wields it: its numbers, and the skills that he knows for it.
type Wieldable = (Vec<i32>, Vec<usize>);

impl Lowering<'_> {
    /// Finds the things that are alike for a hero. What he knows does not change during play.
    pub(super) fn count_alike(&mut self, situation: &Situation) -> Result<(), CompileError> {
        let system = self.system;
        let is_skill = |kind| matches!(kind, VariableKind::Skill | VariableKind::SkillIn);
        let skills = system.variables.iter().enumerate().filter(|(_, own)| is_skill(own.kind));
        let known = skills.map(|(own, it)| {
            let given = situation.values.iter().rev().find(|(other, _)| *other == own);
            (register_of(own), given.map_or(it.start, |(_, number)| *number))
        });
        // What is chosen before play begins is open.
        let open = situation.making.iter().flat_map(Making::all).filter_map(|made| match made {
            Made::Variable(own) => Some(register_of(own)),
            _ => None,
        });
        let open: Vec<Register> = open.collect();
        self.skills = known.filter(|(register, _)| !open.contains(register)).collect();
        let wield = system.fights.wield.as_ref().map(|own| own.stat);
        for (container, own) in system.containers.iter().enumerate() {
            let mut groups: BTreeMap<Option<Wieldable>, Vec<usize>> = BTreeMap::new();
            for (item, it) in system.variables.iter().enumerate() {
                let holds_things = system.containers.iter().any(|own| own.itself == Some(item));
                let counts = it.kind == VariableKind::Item && it.traits.places() == 1 && !holds_things;
                if !counts || it.container != Some(container) {
                    continue;
                }
                let is_wielded = wield.is_some_and(|stat| it.traits.stat(stat) != 0);
                let wieldable = if is_wielded { self.wieldable(item).map(Some) } else { Some(None) };
                if let Some(kind) = wieldable {
                    groups.entry(kind).or_default().push(item);
                }
            }
            let others = groups.remove(&None);
            // Of what is wielded only the largest group: a counter costs room in every state.
            let weapons = groups.into_values().max_by_key(|members| (members.len(), Reverse(members[0])));
            for members in others.into_iter().chain(weapons).filter(|members| members.len() > 1) {
                let counter = self.register(format!("more in {}", own.name), 0, own.holds)?;
                self.alike.push(Alike { container, counter, members });
            }
        }
        Ok(())
    }

    /// What an item is to the hero if he wields it; `None` if it is open what he knows.
    fn wieldable(&self, item: usize) -> Option<Wieldable> {
        let system = self.system;
        let numbers = (0..system.item_stats.len()).map(|stat| system.variables[item].traits.stat(stat)).collect();
        let mut skills = Vec::new();
        for skill in system.skills() {
            let mut known_in = false;
            for own in system.known_in(skill, item) {
                known_in |= self.known_skill(register_of(own))? > 0;
            }
            if self.known_skill(register_of(skill))? > 0 && known_in {
                skills.push(skill);
            }
        }
        Some((numbers, skills))
    }

    /// What the hero knows, if a register holds that and it is not open.
    pub(super) fn known_skill(&self, register: Register) -> Option<i32> {
        self.skills.get(&register).copied()
    }
}
