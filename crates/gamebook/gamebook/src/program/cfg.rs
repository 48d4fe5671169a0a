//! The control-flow graph: the edges of a program, shared by all passes.

use budget::{Budget, Stopped};

use super::Program;
use super::instruction::Label;

/// Lists of places for every place, in one array.
pub(crate) struct Edges {
    /// The start of each list, and the end of the last.
    begins: Vec<usize>,
    places: Vec<Label>,
}

impl Edges {
    /// The successors of each step, one for each edge.
    pub(crate) fn successors(program: &Program) -> Self {
        let mut begins = Vec::with_capacity(program.steps.len() + 1);
        let mut places = Vec::new();
        for (place, step) in program.places().zip(&program.steps) {
            begins.push(places.len());
            step.successors(place, &mut places);
        }
        begins.push(places.len());
        Self { begins, places }
    }

    /// The reversed edges: the predecessors of each place, without duplicates, in order.
    pub(crate) fn turned(&self, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let places = self.places();
        budget.memory(((places + 1) * 3 * size_of::<usize>() + self.places.len() * size_of::<Label>()) as u64)?;
        let mut begins = vec![0; places + 1];
        self.each_once(|_, to| begins[to as usize + 1] += 1);
        for place in 0..places {
            begins[place + 1] += begins[place];
        }
        let mut ends = begins.clone();
        let mut turned = vec![0; begins[places]];
        self.each_once(|from, to| {
            let end = &mut ends[to as usize];
            turned[*end] = from;
            *end += 1;
        });
        Ok(Self { begins, places: turned })
    }

    /// Visits the edges without duplicates.
    fn each_once(&self, mut visit: impl FnMut(Label, Label)) {
        // The last source seen for each target: edges of one source are adjacent.
        let mut last = vec![Label::MAX; self.places()];
        for (from, own) in (0..).zip(self.begins.windows(2)) {
            for to in &self.places[own[0]..own[1]] {
                if std::mem::replace(&mut last[*to as usize], from) != from {
                    visit(from, *to);
                }
            }
        }
    }

    /// The number of places.
    pub(crate) fn places(&self) -> usize {
        self.begins.len() - 1
    }

    /// The list of a place.
    pub(crate) fn of(&self, place: Label) -> &[Label] {
        &self.places[self.begins[place as usize]..self.begins[place as usize + 1]]
    }
}
