//! Where the steps of a program lead, and from where they are reached: the same graph for all that looks through it.

use budget::{Budget, Stopped};

use super::Program;
use super::instruction::Place;

/// For every place others, all of them in one array.
pub(crate) struct Edges {
    /// Where those of each place begin, and where the last ones end.
    begins: Vec<usize>,
    places: Vec<Place>,
}

impl Edges {
    /// Where each step leads: each place as often as there are ways to it.
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

    /// The other way round: from where each place is reached, each place once, in order.
    pub(crate) fn turned(&self, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let places = self.places();
        budget.memory(((places + 1) * 3 * size_of::<usize>() + self.places.len() * size_of::<Place>()) as u64)?;
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

    /// Visits from where to where there is an edge, each pair once.
    fn each_once(&self, mut visit: impl FnMut(Place, Place)) {
        // From where each was reached last: what a place leads to lies together.
        let mut last = vec![Place::MAX; self.places()];
        for (from, own) in (0..).zip(self.begins.windows(2)) {
            for to in &self.places[own[0]..own[1]] {
                if std::mem::replace(&mut last[*to as usize], from) != from {
                    visit(from, *to);
                }
            }
        }
    }

    /// How many places there are.
    pub(crate) fn places(&self) -> usize {
        self.begins.len() - 1
    }

    /// Those of a place.
    pub(crate) fn of(&self, place: Place) -> &[Place] {
        &self.places[self.begins[place as usize]..self.begins[place as usize + 1]]
    }
}
