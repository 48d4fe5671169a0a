//! Minimization: places with the same future, whatever their sections.
//!
//! At first all places whose steps differ at most in their targets are one class. Classes are then split by the classes of
//! their targets until that changes nothing (Hopcroft's partition refinement), so equivalent loops are merged, too.

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashMap;

use crate::program::{Instruction, Label, Program};

/// For every place the representative of its class: the first place of the latest stage in which the class occurs, so that no
/// stage of a series leads back to an earlier one.
pub(crate) fn canonical(program: &Program, budget: &Budget<'_>) -> Result<Vec<Label>, Stopped> {
    let stands_for = passed_on(program);
    let mut shapes: FxHashMap<Instruction, u32> = FxHashMap::default();
    let mut classes = vec![0; program.steps.len()];
    // The edges into each place: the index of the edge at its source, and the source.
    let mut ways: Vec<Vec<(u32, Label)>> = vec![Vec::new(); program.steps.len()];
    for (place, step) in program.places().zip(&program.steps) {
        budget.step(Stage::Compiling, place.into(), 0)?;
        if stands_for[place as usize] != place {
            continue;
        }
        let mut shape = step.clone().without_labels();
        let mut way = 0;
        shape.places(|next| {
            ways[stands_for[*next as usize] as usize].push((way, place));
            way += 1;
            *next = 0;
        });
        let new = u32::try_from(shapes.len()).unwrap_or(u32::MAX);
        classes[place as usize] = *shapes.entry(shape).or_insert(new);
    }
    let places = program.places().filter(|place| stands_for[*place as usize] == *place);
    let mut partition = Partition::new(places.collect(), classes, shapes.len());
    partition.refine(&ways, budget)?;
    let mut first = vec![Label::MAX; partition.bounds.len()];
    for place in &partition.places {
        let first = &mut first[partition.classes[*place as usize] as usize];
        let key = |place: Label| (std::cmp::Reverse(program.stage(place)), place);
        if *first == Label::MAX || key(*place) < key(*first) {
            *first = *place;
        }
    }
    Ok(stands_for.iter().map(|place| first[partition.classes[*place as usize] as usize]).collect())
}

/// For every place the end of its chain of unconditional jumps.
fn passed_on(program: &Program) -> Vec<Label> {
    let on = |place: Label| match program.steps[place as usize] {
        Instruction::Jump(next) | Instruction::Enter { next } | Instruction::Leave { next, .. } => Some(next),
        _ => None,
    };
    let mut ends = vec![None; program.steps.len()];
    let mut passed = Vec::new();
    for start in program.places() {
        let mut place = start;
        passed.clear();
        let end = loop {
            if let Some(end) = ends[place as usize] {
                break end;
            }
            // A chain that returns here is a loop.
            ends[place as usize] = Some(place);
            match on(place) {
                Some(next) => passed.push(std::mem::replace(&mut place, next)),
                None => break place,
            }
        };
        for place in &passed {
            ends[*place as usize] = Some(end);
        }
    }
    ends.into_iter().zip(program.places()).map(|(end, place)| end.unwrap_or(place)).collect()
}

/// Places partitioned into classes.
struct Partition {
    /// The places, grouped by class.
    places: Vec<Label>,
    /// The index of each place there.
    at: Vec<usize>,
    /// The class of each place.
    classes: Vec<u32>,
    /// The range of each class.
    bounds: Vec<(usize, usize)>,
    /// The classes by which others may have to be split.
    open: Vec<u32>,
    is_open: Vec<bool>,
}

impl Partition {
    fn new(mut places: Vec<Label>, classes: Vec<u32>, count: usize) -> Self {
        places.sort_by_key(|place| classes[*place as usize]);
        let mut at = vec![0; classes.len()];
        let mut bounds = vec![(usize::MAX, 0); count];
        for (number, place) in places.iter().enumerate() {
            at[*place as usize] = number;
            let (begin, end) = &mut bounds[classes[*place as usize] as usize];
            (*begin, *end) = ((*begin).min(number), number + 1);
        }
        let open = (0..).take(count).collect();
        Self { places, at, classes, bounds, open, is_open: vec![true; count] }
    }

    /// Splits classes whose places lead to different classes.
    fn refine(&mut self, ways: &[Vec<(u32, Label)>], budget: &Budget<'_>) -> Result<(), Stopped> {
        let mut leading: Vec<(u32, Label)> = Vec::new();
        while let Some(class) = self.open.pop() {
            self.is_open[class as usize] = false;
            budget.step(Stage::Compiling, self.bounds.len() as u64, self.open.len() as u64)?;
            let (begin, end) = self.bounds[class as usize];
            leading.clear();
            leading.extend(self.places[begin..end].iter().flat_map(|place| &ways[*place as usize]));
            leading.sort_unstable();
            leading.dedup();
            for same_way in leading.chunk_by(|left, right| left.0 == right.0) {
                self.split(same_way);
            }
        }
        Ok(())
    }

    /// Splits each class into the places that lead somewhere and the others.
    fn split(&mut self, leading: &[(u32, Label)]) {
        // Places that do are moved to the end of their class; the count of the others is kept.
        let mut left: FxHashMap<u32, usize> = FxHashMap::default();
        for (_, place) in leading {
            let class = self.classes[*place as usize];
            let end = left.entry(class).or_insert(self.bounds[class as usize].1);
            *end -= 1;
            let (from, to) = (self.at[*place as usize], *end);
            let other = self.places[to];
            self.places.swap(from, to);
            self.at[*place as usize] = to;
            self.at[other as usize] = from;
        }
        let mut left: Vec<(u32, usize)> = left.into_iter().collect();
        left.sort_unstable();
        for (class, middle) in left {
            let (begin, end) = self.bounds[class as usize];
            if middle == begin {
                continue;
            }
            // There are fewer classes than places.
            let new = u32::try_from(self.bounds.len()).unwrap_or(u32::MAX);
            self.bounds[class as usize] = (begin, middle);
            self.bounds.push((middle, end));
            for place in &self.places[middle..end] {
                self.classes[*place as usize] = new;
            }
            let smaller = if self.is_open[class as usize] || end - middle <= middle - begin { new } else { class };
            self.is_open.push(false);
            self.is_open[smaller as usize] = true;
            self.open.push(smaller);
        }
    }
}

#[cfg(test)]
mod tests;
