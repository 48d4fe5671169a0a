//! A component with its end components collapsed, ready to be solved.
//!
//! An *end component* is a set of states with choices that keep play inside it for as long as the player likes. All its
//! states have the same value: that of the best way out of it, or of staying for ever, which earns nothing. After each
//! of them has been collapsed into one node, the component has no end components, so every policy leaves it with
//! probability 1, and the equations of a policy have exactly one solution (de Alfaro, *Formal Verification of
//! Probabilistic Systems*, 1997).

use budget::{Budget, Stopped};
use graph::Choices;

use crate::model::{Choice, Model, Scc, StateId};
use crate::support::id;

/// The collapsed component: nodes, and the options of each.
#[derive(Clone)]
pub(crate) struct CollapsedScc {
    pub(crate) members: Scc,
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
    /// Its index among the state's choices.
    pub(crate) number: u32,
    /// The offset of the choice in the state's run of words.
    index: u32,
}

/// No end component.
pub(super) const NONE: u32 = u32::MAX;

impl CollapsedScc {
    /// Collapses the end components that the allowed choices form.
    ///
    /// # Errors
    /// When the budget stops the run.
    pub(crate) fn new(
        model: &Model,
        members: Scc,
        allowed: impl Fn(StateId, u32) -> bool,
        budget: &Budget<'_>,
    ) -> Result<Self, Stopped> {
        // Choices with a reward are no way to stay: staying earns nothing.
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
        // Node by node: counted first, then stored.
        let stays = |node: u32, choice: &Choice<'_>| {
            choice.reward.is_none()
                && endless[node as usize]
                && choice
                    .targets
                    .iter()
                    .all(|target| members.index_of(target).is_some_and(|index| nodes[index as usize] == node))
        };
        let (nodes_ref, allowed, stays) = (&nodes, &allowed, &stays);
        let leading_out = |(member, state): (usize, StateId)| {
            let node = nodes_ref[member];
            (0..)
                .zip(model.code.choices_with_offsets(state))
                .filter(move |(number, _)| allowed(state, *number))
                .filter(move |(_, (_, choice))| !stays(node, choice))
                .map(move |(number, (index, _))| (node, Opt { state, number, index }))
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

    /// The same for an isomorphic component of the family, when the same choices are allowed there.
    pub(crate) fn moved(&self, members: Scc) -> Self {
        let Self { nodes, starts, endless, .. } = self.clone();
        let moved = |option: &Opt| Opt { state: option.state - self.members.first() + members.first(), ..*option };
        Self { members, nodes, starts, options: self.options.iter().map(moved).collect(), endless }
    }

    pub(crate) fn len(&self) -> usize {
        self.endless.len()
    }

    /// Whether it has an end component without rewards.
    pub(crate) fn has_end_components(&self) -> bool {
        self.endless.contains(&true)
    }

    /// The choices behind all options.
    pub(crate) fn choices<'m>(&self, model: &'m Model) -> impl Iterator<Item = Choice<'m>> + Clone {
        self.options.iter().map(move |option| Self::choice(model, *option))
    }

    /// For every node, whether staying in it for ever is allowed.
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

    /// The node of a state; `None` when it lies outside.
    #[inline]
    pub(crate) fn node(&self, state: StateId) -> Option<usize> {
        self.members.index_of(state).map(|index| self.nodes[index as usize] as usize)
    }

    /// The choice behind an option.
    pub(crate) fn choice(model: &Model, option: Opt) -> Choice<'_> {
        match model.code.choice_at(option.state, option.index) {
            Some(choice) => choice,
            None => unreachable!("options are choices of the model"),
        }
    }
}

/// For every node an option with which play leaves the component with probability 1: that of `start` where those alone
/// make play leave, otherwise one found breadth first from there. `options` gives the number of a node's options,
/// `leads` whether one can leave, and its nodes. `None` where no path leads out.
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
        // Options that leave already come first: they lead the others out.
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

/// The maximal end components that the allowed choices of a component form, without choices that have a reward unless
/// `earning` is set: for every member the number of its end component, or [`NONE`].
///
/// # Errors
/// When the budget stops the run.
pub(super) fn end_components(
    model: &Model,
    scc: Scc,
    allowed: impl Fn(StateId, u32) -> bool,
    earning: bool,
    budget: &Budget<'_>,
) -> Result<Vec<u32>, Stopped> {
    let mut inside = Choices::new();
    for state in scc.iter() {
        for (number, choice) in (0..).zip(model.choices(state)) {
            if (earning || choice.reward.is_none())
                && choice.targets.iter().all(|target| scc.contains(target))
                && allowed(state, number)
            {
                inside.choice(choice.targets.iter().filter_map(|target| scc.index_of(target)));
            }
        }
        inside.node();
    }
    budget.check()?;
    let found = inside.end_components(budget)?;
    Ok((0..id(scc.size())).map(|index| found.of(index).unwrap_or(NONE)).collect())
}
