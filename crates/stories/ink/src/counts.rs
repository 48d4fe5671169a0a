//! How the counts of a story are used: how often a knot was visited, how many turns ago, how many turns there were.

use rustc_hash::FxHashMap;

use crate::program::{ContainerId, Operation, Program, Target};

/// The use of one count. If it is only compared with constants, or taken modulo some, larger counts can be replaced by
/// equivalent smaller ones, so that loops become finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Counts from `threshold` on differ only modulo `period`.
    Compared { threshold: i64, period: i64 },
    /// Arbitrary.
    Exact,
}

/// Beyond this, counts are not reduced.
const LARGEST: i64 = 1_000_000;

impl Use {
    const NONE: Self = Self::Compared { threshold: 0, period: 1 };

    fn and(self, other: Self) -> Self {
        let (Self::Compared { threshold: a, period: m }, Self::Compared { threshold: b, period: n }) = (self, other)
        else {
            return Self::Exact;
        };
        let (threshold, period) = (a.max(b), m / gcd(m, n) * n);
        if threshold > LARGEST || period > LARGEST { Self::Exact } else { Self::Compared { threshold, period } }
    }

    /// The smallest equivalent count.
    pub(crate) fn standing_for(self, count: i64) -> i64 {
        match self {
            Self::Compared { threshold, period } if count > threshold => threshold + (count - threshold) % period,
            _ => count,
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Count {
    /// How often play has reached a container.
    Visits(ContainerId),
    /// How many turns ago play reached a container.
    Since(ContainerId),
    /// How many turns there were.
    Turns,
}

/// The uses of every count that the story ever reads.
pub(crate) fn uses(program: &Program) -> FxHashMap<Count, Use> {
    let mut uses = Uses { program, places: places(program), found: FxHashMap::default(), stack: Vec::new() };
    for (id, container) in program.containers.iter().enumerate() {
        // The others are processed as part of their parents.
        if container.place.is_none() {
            uses.container(id);
            uses.flush();
        }
    }
    uses.found
}

/// All containers that a value may refer to.
pub(crate) fn places(program: &Program) -> Vec<ContainerId> {
    let mut places: Vec<ContainerId> = program
        .operations()
        .filter_map(|(_, operation)| match operation {
            Operation::Place(target) => target.map(|position| position.container),
            _ => None,
        })
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// An item on the evaluation stack.
#[derive(Clone, Debug)]
enum Item {
    /// A count less `offset`.
    Count {
        of: Vec<Count>,
        offset: i64,
    },
    Place(ContainerId),
    Number(i64),
    Other,
}

struct Uses<'a> {
    program: &'a Program,
    /// The containers that a variable may refer to.
    places: Vec<ContainerId>,
    found: FxHashMap<Count, Use>,
    stack: Vec<Item>,
}

impl<'a> Uses<'a> {
    fn container(&mut self, id: ContainerId) {
        let program: &'a Program = self.program;
        for operation in &program.containers[id].operations {
            self.operation(id, operation);
        }
    }

    fn operation(&mut self, container: ContainerId, operation: &Operation) {
        match operation {
            Operation::Number(number) => self.stack.push(Item::Number(*number)),
            Operation::Place(Some(position)) => self.stack.push(Item::Place(position.container)),
            Operation::Place(None) | Operation::Pointer(_) | Operation::Constant | Operation::Get(_) => {
                self.stack.push(Item::Other);
            }
            Operation::Count(Some(of)) => self.push_count(Count::Visits(*of), 0),
            Operation::Count(None) => self.stack.push(Item::Other),
            Operation::Text => {}
            Operation::Set { .. } => {
                let value = self.pop();
                self.ask(&value, Use::Exact);
            }
            Operation::Container(inner) => self.container(*inner),
            Operation::Divert { conditional, target, .. } => {
                if *conditional {
                    let condition = self.pop();
                    self.ask_truth(&condition);
                }
                self.leave(*target, *conditional);
            }
            Operation::Choice { target, flags } => {
                if flags & 1 != 0 {
                    let condition = self.pop();
                    self.ask_truth(&condition);
                }
                if let (true, Some(target)) = (flags & 16 != 0, target) {
                    let once = Item::Count { of: vec![Count::Visits(target.container)], offset: 0 };
                    self.ask_truth(&once);
                }
                self.flush();
            }
            Operation::Command(name) => self.command(container, name),
        }
    }

    fn command(&mut self, container: ContainerId, name: &str) {
        match name {
            "ev" | "/ev" | "str" | "nop" | "#" | "/#" => {}
            "/str" | "choiceCnt" | "void" => self.stack.push(Item::Other),
            "turn" => self.push_count(Count::Turns, 0),
            "visit" => self.push_count(Count::Visits(container), 1),
            "readc" | "turns" => {
                let kind = if name == "turns" { Count::Since } else { Count::Visits };
                let of = match self.pop() {
                    Item::Place(place) => vec![kind(place)],
                    _ => self.places.iter().map(|place| kind(*place)).collect(),
                };
                for count in &of {
                    self.found.entry(*count).or_insert(Use::NONE);
                }
                self.stack.push(Item::Count { of, offset: 0 });
            }
            "du" => {
                let top = self.pop();
                self.stack.extend([top.clone(), top]);
            }
            "pop" => {
                self.pop();
            }
            // Which one is drawn does not depend on the count: the drawn elements are remembered.
            "seq" => {
                self.pop();
                self.pop();
                self.stack.push(Item::Other);
            }
            "!" => {
                let value = self.pop();
                self.ask_truth(&value);
                self.stack.push(Item::Other);
            }
            "&&" | "||" => {
                for value in [self.pop(), self.pop()] {
                    self.ask_truth(&value);
                }
                self.stack.push(Item::Other);
            }
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "MIN" | "MAX" | "%" => self.compare(name),
            _ => self.flush(),
        }
    }

    fn compare(&mut self, name: &str) {
        let (right, left) = (self.pop(), self.pop());
        match (&left, &right) {
            (Item::Count { .. }, Item::Number(number)) if name == "%" && *number > 0 => {
                self.ask(&left, Use::Compared { threshold: 0, period: (*number).min(LARGEST + 1) });
            }
            (Item::Count { .. }, Item::Number(number)) if name != "%" => {
                self.ask_up_to(&left, *number, !matches!(name, "<" | ">=" | "MIN"));
            }
            (Item::Number(number), Item::Count { .. }) if name != "%" => {
                self.ask_up_to(&right, *number, !matches!(name, ">" | "<=" | "MIN"));
            }
            _ => {
                self.ask(&left, Use::Exact);
                self.ask(&right, Use::Exact);
            }
        }
        // The maximum of a count and a constant distinguishes as much as the count.
        if name == "MAX" {
            self.ask(&left, Use::Exact);
            self.ask(&right, Use::Exact);
        }
        self.stack.push(Item::Other);
    }

    fn push_count(&mut self, count: Count, offset: i64) {
        self.found.entry(count).or_insert(Use::NONE);
        self.stack.push(Item::Count { of: vec![count], offset });
    }

    fn pop(&mut self) -> Item {
        self.stack.pop().unwrap_or(Item::Other)
    }

    fn ask_truth(&mut self, item: &Item) {
        self.ask_up_to(item, 0, true);
    }

    /// The count is distinguished up to this number, which itself is distinguished from larger ones or not.
    fn ask_up_to(&mut self, item: &Item, number: i64, itself: bool) {
        if let Item::Count { offset, .. } = item {
            let threshold = number.saturating_add(offset + i64::from(itself)).max(0);
            self.ask(item, Use::Compared { threshold, period: 1 });
        }
    }

    fn ask(&mut self, item: &Item, usage: Use) {
        if let Item::Count { of, .. } = item {
            for count in of {
                let known = self.found.entry(*count).or_insert(Use::NONE);
                *known = known.and(usage);
            }
        }
    }

    /// The items left on the stack go along to the target of a divert: the value of a switch is dropped there.
    fn leave(&mut self, target: Target, goes_on: bool) {
        let first = match target {
            Target::To(position) => self.program.containers[position.container].operations.get(position.place),
            Target::Variable | Target::Host => None,
        };
        let thrown = matches!(first, Some(Operation::Command(name)) if name == "pop");
        let kept = if thrown { self.stack.pop() } else { None };
        let below = self.stack.clone();
        self.flush();
        if goes_on {
            self.stack = below;
            self.stack.extend(kept);
        }
    }

    /// The items left on the stack are never read.
    fn flush(&mut self) {
        for item in std::mem::take(&mut self.stack) {
            self.ask(&item, Use::Exact);
        }
    }
}
