//! A cyclic part, ready to be solved: its end components collapsed.
//!
//! An *end component* is a set of states with choices that keep play inside it for as long as the
//! player likes. All its states are worth the same: the best way out of it, or going round for ever
//! ("staying"), which earns nothing. Collapsed into one node each, what is left of the part has no
//! end components, so every policy leaves it with probability 1, and the equations of a policy have
//! exactly one solution (de Alfaro, *Formal Verification of Probabilistic Systems*, 1997).

use budget::{Budget, Stopped};

use crate::model::{Choice, CyclicPart, Model, StateId};
use crate::support::id;

/// The collapsed part: nodes, and the options of each.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) members: CyclicPart,
    /// The node of every member.
    nodes: Vec<u32>,
    /// Where each node's options begin; one more entry than nodes.
    starts: Vec<u32>,
    options: Vec<Opt>,
    /// Whether each node is an end component, in which play can stay.
    endless: Vec<bool>,
}

/// A choice that can lead out of its node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opt {
    pub(crate) state: StateId,
    /// Its place among the state's choices.
    pub(crate) number: u32,
    /// Where the choice stands in the state's run of words.
    place: u32,
}

/// No end component.
pub(super) const NONE: u32 = u32::MAX;

impl Part {
    /// Collapses the end components that the allowed choices form.
    ///
    /// # Errors
    /// When the budget says stop.
    pub(crate) fn new(
        model: &Model,
        members: CyclicPart,
        allowed: impl Fn(StateId, u32) -> bool,
        budget: &Budget<'_>,
    ) -> Result<Self, Stopped> {
        // What earns something is never a way of staying for nothing.
        let inside = Inside::new(model, members, &allowed, false);
        budget.check()?;
        let components = inside.end_components(budget)?;
        budget.check()?;
        let mut nodes = vec![NONE; components.len()];
        let mut node_of_component = vec![NONE; components.len()];
        let mut endless = Vec::new();
        for (member, component) in components.iter().enumerate() {
            nodes[member] = if *component == NONE {
                endless.push(false);
                id(endless.len() - 1)
            } else {
                let node = &mut node_of_component[*component as usize];
                if *node == NONE {
                    *node = id(endless.len());
                    endless.push(true);
                }
                *node
            };
        }
        // Node by node: counted, then put in place.
        let stays = |node: u32, choice: &Choice<'_>| {
            choice.reward.is_none()
                && endless[node as usize]
                && choice
                    .targets
                    .iter()
                    .all(|target| members.place_of(target).is_some_and(|place| nodes[place as usize] == node))
        };
        let (nodes_ref, allowed, stays) = (&nodes, &allowed, &stays);
        let leading_out = |(member, state): (usize, StateId)| {
            let node = nodes_ref[member];
            (0..)
                .zip(model.code.placed_choices(state))
                .filter(move |(number, _)| allowed(state, *number))
                .filter(move |(_, (_, choice))| !stays(node, choice))
                .map(move |(number, (place, _))| (node, Opt { state, number, place }))
        };
        let in_order = endless.len() == nodes.len();
        let mut starts = vec![0; endless.len() + 1];
        let mut options: Vec<(u32, Opt)> = members.iter().enumerate().flat_map(leading_out).collect();
        if !in_order {
            options.sort_by_key(|(node, _)| *node);
        }
        for (node, _) in &options {
            starts[*node as usize + 1] += 1;
        }
        for node in 0..endless.len() {
            starts[node + 1] += starts[node];
        }
        let options = options.into_iter().map(|(_, option)| option).collect();
        Ok(Self { members, nodes, starts, options, endless })
    }

    /// The same for another part of a family whose parts say the same, when the same choices are allowed there.
    pub(crate) fn moved(mut self, members: CyclicPart) -> Self {
        for option in &mut self.options {
            option.state = option.state - self.members.first() + members.first();
        }
        self.members = members;
        self
    }

    pub(crate) fn len(&self) -> usize {
        self.endless.len()
    }

    /// Whether it has an end component in which nothing is earned.
    pub(crate) fn has_end_components(&self) -> bool {
        self.endless.contains(&true)
    }

    /// The choices behind all options.
    pub(crate) fn choices<'m>(&self, model: &'m Model) -> impl Iterator<Item = Choice<'m>> + Clone {
        self.options.iter().map(move |option| Self::choice(model, *option))
    }

    /// For every node, whether going round for ever in it is a way to play.
    pub(crate) fn stays(&self, may_stay: impl Fn(StateId) -> bool) -> Vec<bool> {
        let mut stays = self.endless.clone();
        for state in self.members.iter() {
            if let Some(node) = self.node(state)
                && stays[node]
            {
                stays[node] = may_stay(state);
            }
        }
        stays
    }

    pub(crate) fn options(&self, node: usize) -> &[Opt] {
        &self.options[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The node of a state; nothing when it lies outside.
    #[inline]
    pub(crate) fn node(&self, state: StateId) -> Option<usize> {
        self.members.place_of(state).map(|place| self.nodes[place as usize] as usize)
    }

    /// The choice behind an option.
    pub(crate) fn choice(model: &Model, option: Opt) -> Choice<'_> {
        match model.code.choice_at(option.state, option.place) {
            Some(choice) => choice,
            None => unreachable!("options are choices of the model"),
        }
    }
}

/// For every node an option with which play leaves the part with probability 1: that of `start` where play
/// leaves by those alone, otherwise one found breadth first from there. `options` says how many options a node has,
/// `leads` whether one can leave, and to which nodes it leads. Nothing where no way leads out.
///
/// With rewards not every policy leaves, and policy iteration must begin with one that does.
pub(crate) fn leaving_policy<I: Iterator<Item = u32>>(
    start: &[u32],
    options: impl Fn(usize) -> u32,
    leads: impl Fn(usize, u32) -> (bool, I),
) -> Option<Vec<u32>> {
    let mut policy: Vec<Option<u32>> = vec![None; start.len()];
    let mut queue: Vec<u32> = Vec::new();
    for only_start in [true, false] {
        let mut before: Vec<Vec<(u32, u32)>> = vec![Vec::new(); start.len()];
        for (node, chosen) in (0u32..).zip(&mut policy).filter(|(_, chosen)| chosen.is_none()) {
            let own = start[node as usize];
            for option in if only_start { own..own + 1 } else { 0..options(node as usize) } {
                let (leaves, inner) = leads(node as usize, option);
                inner.for_each(|to| before[to as usize].push((node, option)));
                if leaves && chosen.is_none() {
                    *chosen = Some(option);
                    queue.push(node);
                }
            }
        }
        // What leaves already comes first: it leads the others out.
        let mut done = 0;
        while let Some(node) = queue.get(done).copied() {
            done += 1;
            for (earlier, option) in &before[node as usize] {
                if policy[*earlier as usize].is_none() {
                    policy[*earlier as usize] = Some(*option);
                    queue.push(*earlier);
                }
            }
        }
    }
    policy.into_iter().collect()
}

/// The choices that stay inside a part, in compressed rows.
pub(super) struct Inside {
    /// Where each member's choices begin.
    choices: Vec<u32>,
    /// Where each choice's targets begin.
    targets: Vec<u32>,
    members: Vec<u32>,
}

impl Inside {
    /// Of a part by the allowed choices; by those that earn something, too, if `earning` says so.
    pub(super) fn new(model: &Model, part: CyclicPart, allowed: &impl Fn(StateId, u32) -> bool, earning: bool) -> Self {
        let mut inside = Self { choices: vec![0], targets: vec![0], members: Vec::new() };
        for state in part.iter() {
            for (number, choice) in (0..).zip(model.choices(state)) {
                if (earning || choice.reward.is_none())
                    && choice.targets.iter().all(|target| part.contains(target))
                    && allowed(state, number)
                {
                    inside.members.extend(choice.targets.iter().filter_map(|target| part.place_of(target)));
                    inside.targets.push(id(inside.members.len()));
                }
            }
            inside.choices.push(id(inside.targets.len() - 1));
        }
        inside
    }

    fn targets(&self, choice: u32) -> &[u32] {
        &self.members[self.targets[choice as usize] as usize..self.targets[choice as usize + 1] as usize]
    }

    /// For every member the number of its maximal end component, or `NONE`: strongly connected
    /// components of the choices that stay within one, until nothing changes. A member that is left
    /// without a choice takes at once those choices with it that lead to it, so that a long way out
    /// of the part is not peeled off one member a round. The first round, in which all are one component, only
    /// does that: often nobody is left.
    pub(super) fn end_components(&self, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
        let count = self.choices.len() - 1;
        let mut components = vec![0; count];
        if self.targets.len() == 1 {
            components.fill(NONE);
            return Ok(components);
        }
        let mut alive: Vec<bool> = vec![true; self.targets.len() - 1];
        let mut left: Vec<u32> = self.choices.windows(2).map(|ends| ends[1] - ends[0]).collect();
        let (starts, leading) = self.leading();
        let mut dead: Vec<u32> = Vec::new();
        let mut is_first = true;
        loop {
            let mut changed = std::mem::replace(&mut is_first, false);
            if !changed {
                components = self.components(&alive, &components);
            }
            for member in 0..count {
                for choice in self.choices[member]..self.choices[member + 1] {
                    let stays = components[member] != NONE
                        && self.targets(choice).iter().all(|target| components[*target as usize] == components[member]);
                    if alive[choice as usize] && !stays {
                        alive[choice as usize] = false;
                        left[member] -= 1;
                        changed = true;
                    }
                }
                if left[member] == 0 && components[member] != NONE {
                    components[member] = NONE;
                    dead.push(id(member));
                }
            }
            while let Some(member) = dead.pop() {
                for (choice, owner) in &leading[starts[member as usize] as usize..starts[member as usize + 1] as usize]
                {
                    if std::mem::replace(&mut alive[*choice as usize], false) {
                        changed = true;
                        left[*owner as usize] -= 1;
                        if left[*owner as usize] == 0 && components[*owner as usize] != NONE {
                            components[*owner as usize] = NONE;
                            dead.push(*owner);
                        }
                    }
                }
            }
            if !changed || components.iter().all(|component| *component == NONE) {
                return Ok(components);
            }
            budget.check()?;
        }
    }

    /// For every member the choices that lead to it and whose they are, and where each member's begin.
    fn leading(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
        let count = self.choices.len() - 1;
        let mut starts = vec![0; count + 1];
        for target in &self.members {
            starts[*target as usize + 1] += 1;
        }
        for member in 0..count {
            starts[member + 1] += starts[member];
        }
        let mut next = starts.clone();
        let mut leading = vec![(0, 0); self.members.len()];
        for owner in 0..id(count) {
            for choice in self.choices[owner as usize]..self.choices[owner as usize + 1] {
                for target in self.targets(choice) {
                    leading[next[*target as usize] as usize] = (choice, owner);
                    next[*target as usize] += 1;
                }
            }
        }
        (starts, leading)
    }

    /// Strongly connected components over the living choices of members that are still in one.
    fn components(&self, alive: &[bool], before: &[u32]) -> Vec<u32> {
        let count = before.len();
        let mut result = vec![NONE; count];
        let mut visited = vec![NONE; count];
        let mut lowest = vec![0; count];
        let mut open: Vec<u32> = Vec::new();
        // Member, choice, place among the choice's targets.
        let mut frames: Vec<(u32, u32, u32)> = Vec::new();
        let (mut visits, mut found) = (0, 0);
        for root in 0..id(count) {
            if visited[root as usize] != NONE || before[root as usize] == NONE {
                continue;
            }
            frames.push((root, self.choices[root as usize], 0));
            while let Some((member, choice, place)) = frames.pop() {
                let member_at = member as usize;
                if visited[member_at] == NONE {
                    visited[member_at] = visits;
                    lowest[member_at] = visits;
                    visits += 1;
                    open.push(member);
                }
                if choice == self.choices[member_at + 1] {
                    if lowest[member_at] == visited[member_at] {
                        while let Some(other) = open.pop() {
                            result[other as usize] = found;
                            if other == member {
                                break;
                            }
                        }
                        found += 1;
                    }
                    if let Some((parent, _, _)) = frames.last() {
                        lowest[*parent as usize] = lowest[*parent as usize].min(lowest[member_at]);
                    }
                    continue;
                }
                let targets = self.targets(choice);
                if !alive[choice as usize] || place as usize == targets.len() {
                    frames.push((member, choice + 1, 0));
                    continue;
                }
                frames.push((member, choice, place + 1));
                let target = targets[place as usize];
                if visited[target as usize] == NONE {
                    frames.push((target, self.choices[target as usize], 0));
                } else if result[target as usize] == NONE {
                    lowest[member_at] = lowest[member_at].min(visited[target as usize]);
                }
            }
        }
        result
    }
}
