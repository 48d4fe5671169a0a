//! A cyclic part, ready to be solved: its end components collapsed.
//!
//! An *end component* is a set of states with choices that keep play inside it for as long as the
//! player likes. All its states are worth the same: the best way out of it, or going round for ever
//! ("staying"), which earns nothing. Collapsed into one node each, what is left of the part has no
//! end components, so every policy leaves it with probability 1, and the equations of a policy have
//! exactly one solution (de Alfaro, *Formal Verification of Probabilistic Systems*, 1997).

use budget::{Budget, Stopped};
use graph::Choices;

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
        let components = end_components(model, members, &allowed, false, budget)?;
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
    pub(crate) fn moved(&self, members: CyclicPart) -> Self {
        let Self { nodes, starts, endless, .. } = self.clone();
        let moved = |option: &Opt| Opt { state: option.state - self.members.first() + members.first(), ..*option };
        Self { members, nodes, starts, options: self.options.iter().map(moved).collect(), endless }
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

/// The maximal end components that the allowed choices of a part form, those that earn something left out unless `earning` says
/// so: for every member the number of its own, or [`NONE`].
///
/// # Errors
/// When the budget says stop.
pub(super) fn end_components(
    model: &Model,
    part: CyclicPart,
    allowed: impl Fn(StateId, u32) -> bool,
    earning: bool,
    budget: &Budget<'_>,
) -> Result<Vec<u32>, Stopped> {
    let mut inside = Choices::new();
    for state in part.iter() {
        for (number, choice) in (0..).zip(model.choices(state)) {
            if (earning || choice.reward.is_none())
                && choice.targets.iter().all(|target| part.contains(target))
                && allowed(state, number)
            {
                inside.choice(choice.targets.iter().filter_map(|target| part.place_of(target)));
            }
        }
        inside.node();
    }
    budget.check()?;
    let found = inside.end_components(budget)?;
    Ok((0..id(part.size())).map(|place| found.of(place).unwrap_or(NONE)).collect())
}
