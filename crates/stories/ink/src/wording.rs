//! What only changes words: parts of a story that write text and decide nothing.
//!
//! `{rich: You smile.|You frown.}`, `{~red|blue}` and `{gold}` read variables and counts, and draw, but whatever they
//! write, play goes on after them in the same way. For the odds these reads do not count, and nothing is drawn there. The
//! texts of choices are no such parts, since they are shown as choices; nor are tags, nor texts that become values.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Call, ContainerId, Operation, Position, Program, Target};

/// The operations that only change words.
#[derive(Debug, Default)]
pub(crate) struct Wording(FxHashSet<(ContainerId, usize)>);

impl Wording {
    pub(crate) fn of(program: &Program, functions: &FxHashSet<ContainerId>) -> Self {
        let mut finder = Finder { program, only_words: FxHashMap::default(), found: FxHashSet::default() };
        let captured = calls_within_texts(program);
        for id in 0..program.containers.len() {
            let is_captured = captured && program.around(id).any(|own| functions.contains(&own));
            if !is_label(program, id) && !is_captured {
                finder.container(id);
            }
        }
        Self(finder.found)
    }

    pub(crate) fn has(&self, container: ContainerId, place: usize) -> bool {
        self.0.contains(&(container, place))
    }
}

/// Whether a container is part of the text of a choice.
fn is_label(program: &Program, id: ContainerId) -> bool {
    program.around(id).any(|id| {
        let Some(parent) = program.containers[id].parent.map(|parent| &program.containers[parent]) else {
            return false;
        };
        let is_choice = |operation: &Operation| matches!(operation, Operation::Choice { .. });
        parent.named.get("s") == Some(&id) && parent.operations.iter().any(is_choice)
    })
}

/// Whether a function is called where a text becomes a value: then what it writes matters.
fn calls_within_texts(program: &Program) -> bool {
    program.containers.iter().enumerate().any(|(id, container)| {
        let mut depth = 0usize;
        container.operations.iter().any(|operation| match operation {
            Operation::Command(name) if name == "str" => {
                depth += 1;
                false
            }
            Operation::Command(name) if name == "/str" => {
                depth = depth.saturating_sub(1);
                false
            }
            Operation::Divert { call: Call::Function, .. } => depth > 0 || is_label(program, id),
            Operation::Container(inner) => depth > 0 && has_call(program, *inner),
            _ => false,
        })
    })
}

fn has_call(program: &Program, id: ContainerId) -> bool {
    let container = &program.containers[id];
    let named = container.named.values().copied();
    container.operations.iter().any(|operation| match operation {
        Operation::Divert { call: Call::Function, .. } => true,
        Operation::Container(inner) => has_call(program, *inner),
        _ => false,
    }) || named.filter(|id| program.containers[*id].place.is_none()).any(|id| has_call(program, id))
}

struct Finder<'p> {
    program: &'p Program,
    /// Whether a container only writes words; `false` while it is looked at.
    only_words: FxHashMap<ContainerId, bool>,
    found: FxHashSet<(ContainerId, usize)>,
}

impl Finder<'_> {
    /// Finds the parts of a container that only change words.
    fn container(&mut self, id: ContainerId) {
        let operations = &self.program.containers[id].operations;
        let mut place = 0;
        while let Some(operation) = operations.get(place) {
            match operation {
                // A text that becomes a value or a choice, and a tag, which can name an ending.
                Operation::Command(name) if name == "str" => place = self.end_of(id, place, "str", "/str"),
                Operation::Command(name) if name == "#" => place = self.end_of(id, place, "#", "/#"),
                Operation::Command(name) if name == "ev" => {
                    let end = self.end_of(id, place, "ev", "/ev");
                    let before = end.checked_sub(1).map(|last| &operations[last]);
                    if is_command(before, "out") {
                        if (place..end).all(|place| self.is_word(id, place)) {
                            self.mark(id, place..end);
                        }
                    } else if let Some(last) = self.condition(id, end)
                        && (place..=last).all(|place| self.is_word(id, place))
                    {
                        self.mark(id, place..last);
                        place = last;
                        continue;
                    }
                    place = end;
                }
                Operation::Container(inner) if self.is_sequence(*inner) && self.writes_words(*inner) => {
                    self.mark_all(*inner);
                }
                _ => {}
            }
            place += 1;
        }
    }

    /// The index of the operation that closes what begins here.
    fn end_of(&self, id: ContainerId, begin: usize, open: &str, close: &str) -> usize {
        let operations = &self.program.containers[id].operations;
        let mut depth = 0usize;
        for (place, operation) in operations.iter().enumerate().skip(begin) {
            if is_command(Some(operation), open) {
                depth += 1;
            } else if is_command(Some(operation), close) {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return place;
                }
            }
        }
        operations.len()
    }

    /// If branches follow the evaluation that ends here: the index where all of them rejoin.
    fn condition(&self, id: ContainerId, end: usize) -> Option<usize> {
        let operations = &self.program.containers[id].operations;
        let is_branch = |operation: &Operation| match operation {
            Operation::Container(inner) => self.program.containers[*inner].named.contains_key("b"),
            _ => false,
        };
        operations.get(end + 1).filter(|operation| is_branch(operation))?;
        (end + 1..operations.len()).find(|place| is_command(operations.get(*place), "nop"))
    }

    fn is_sequence(&self, id: ContainerId) -> bool {
        let operations = &self.program.containers[id].operations;
        is_command(operations.first(), "ev") && is_command(operations.get(1), "visit")
    }

    /// Whether a container only writes words.
    fn writes_words(&mut self, id: ContainerId) -> bool {
        if let Some(known) = self.only_words.get(&id) {
            return *known;
        }
        self.only_words.insert(id, false);
        let all = (0..self.program.containers[id].operations.len()).all(|place| self.is_word(id, place));
        self.only_words.insert(id, all);
        all
    }

    /// Whether an operation writes words, or evaluates without any effect.
    fn is_word(&mut self, id: ContainerId, place: usize) -> bool {
        let program = self.program;
        let operations = &program.containers[id].operations;
        match &operations[place] {
            Operation::Text | Operation::Number(_) | Operation::Constant | Operation::Get(_) | Operation::Place(_) => {
                true
            }
            Operation::Count(target) => target.is_some(),
            Operation::Container(inner) => self.writes_words(*inner),
            Operation::Divert { target: Target::To(target), call: Call::None, variable: None, .. } => {
                self.stays(id, *target)
            }
            Operation::Command(name) => match name.as_str() {
                "ev" | "/ev" | "out" | "nop" | "pop" | "du" | "void" | "visit" | "seq" | "MIN" | "==" | "!=" | "<"
                | ">" | "<=" | ">=" | "&&" | "||" | "!" | "turn" | "turns" | "readc" | "choiceCnt" => true,
                // Whatever is divided is a count or a number.
                "%" => {
                    matches!(place.checked_sub(1).map(|before| &operations[before]), Some(Operation::Number(by)) if *by > 0)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a divert leads into a branch that only writes words, or back to where branches rejoin.
    fn stays(&mut self, from: ContainerId, target: Position) -> bool {
        let program = self.program;
        let container = &program.containers[target.container];
        if container.parent == Some(from) && container.place.is_none() && target.place == 0 {
            return self.writes_words(target.container);
        }
        let rejoins = container.operations.get(target.place);
        target.place > 0 && is_command(rejoins, "nop") && program.around(from).any(|id| id == target.container)
    }

    fn mark(&mut self, id: ContainerId, places: std::ops::Range<usize>) {
        for place in places {
            self.found.insert((id, place));
            if let Operation::Container(inner) = self.program.containers[id].operations[place] {
                self.mark_all(inner);
            }
        }
    }

    fn mark_all(&mut self, id: ContainerId) {
        self.mark(id, 0..self.program.containers[id].operations.len());
        let program = self.program;
        for own in program.containers[id].named.values().filter(|own| program.containers[**own].place.is_none()) {
            self.mark_all(*own);
        }
    }
}

fn is_command(operation: Option<&Operation>, name: &str) -> bool {
    matches!(operation, Some(Operation::Command(own)) if own == name)
}
