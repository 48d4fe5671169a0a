//! Diverts to a place that is a value: to where a variable says, and by `->-> elsewhere`.
//!
//! ink counts such a divert as a new visit of the knot, stitch or label that it leads to, also from within it, and as none of
//! what is around that. The runtime counts it like a divert by name: none where a knot or stitch is not left, and one of
//! all that is entered. So from within, such a divert first goes to a container of our own beside the knot or stitch,
//! and from there on. Where it would count a visit too many, of what is around, and somebody reads that count, the
//! step is not followed.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};

use crate::counts::{Count, Use};
use crate::program::{Call, ContainerId, Operation, Position, Program, Target, joined};

/// The function that refuses a step.
pub(crate) const UNCOUNTED: &str = "bestplay uncounted";

/// Changes the diverts of a compiled story, given by its root, which is this program with these knots and stitches.
pub(crate) fn count_leaps(
    root: &mut Value,
    program: &Program,
    knots: &[(String, ContainerId)],
    uses: &FxHashMap<Count, Use>,
) {
    let calls =
        program.operations().filter(|(_, operation)| matches!(operation, Operation::Divert { call: Call::Tunnel, .. }));
    let mut leaps = Leaps {
        program,
        uses,
        knots: knots.iter().map(|(_, id)| *id).collect(),
        values: values(program),
        callers: calls.map(|(position, _)| position.container).collect(),
        used: BTreeSet::new(),
    };
    leaps.container(root, "");
    for target in leaps.used {
        let path = &program.containers[target].path;
        let around = match path.rsplit_once('.') {
            Some((knot, _)) => root.as_array_mut().and_then(|array| array.last_mut()?.get_mut(knot)),
            None => Some(&mut *root),
        };
        let named = around.and_then(|around| around.as_array_mut()?.last_mut()?.as_object_mut());
        let Some(named) = named else { continue };
        named.insert(own_name(path), json!([{ "->": path }, null]));
    }
}

/// All places that a variable may hold: those that are only asked for their counts are not among them.
fn values(program: &Program) -> BTreeSet<ContainerId> {
    let kept = program.operations().filter_map(|(from, operation)| {
        let next = program.containers[from.container].operations.get(from.place + 1);
        let is_asked = matches!(next, Some(Operation::Command(name)) if name == "turns" || name == "readc");
        match operation {
            Operation::Place(Some(target)) if !is_asked => Some(target.container),
            _ => None,
        }
    });
    kept.collect()
}

/// The name of our container that leads to a knot or stitch with this path.
fn own_name(path: &str) -> String {
    format!("bestplay leap {}", path.rsplit_once('.').map_or(path, |(_, stitch)| stitch))
}

/// What a divert to a value becomes.
enum Leap {
    /// It goes through a container of our own.
    Through(ContainerId),
    /// It is not followed.
    Refused,
}

struct Leaps<'p> {
    program: &'p Program,
    uses: &'p FxHashMap<Count, Use>,
    knots: FxHashSet<ContainerId>,
    values: BTreeSet<ContainerId>,
    /// The containers that call a tunnel.
    callers: BTreeSet<ContainerId>,
    /// The knots and stitches that need a container of ours.
    used: BTreeSet<ContainerId>,
}

impl Leaps<'_> {
    fn container(&mut self, token: &mut Value, path: &str) {
        let Some(id) = self.program.find(path) else { return };
        let Some((last, ordered)) = token.as_array_mut().and_then(|array| array.split_last_mut()) else { return };
        for place in 0..ordered.len() {
            match &self.program.containers[id].operations[place] {
                Operation::Container(inner) => {
                    let path = self.program.containers[*inner].path.clone();
                    self.container(&mut ordered[place], &path);
                }
                Operation::Divert { target: Target::Variable, conditional: false, call, variable: Some(name) }
                    if !name.starts_with('$') =>
                {
                    let key = if *call == Call::Tunnel { "->t->" } else { "->" };
                    let test = |test: Vec<Value>| [vec![json!("ev")], test, vec![json!("/ev")]].concat();
                    let leaps = self.leaps(id, &BTreeSet::from([id]), true);
                    ordered[place] = self.by_value(name, leaps, &ordered[place], &test, &|path| json!({ key: path }));
                }
                Operation::Command(name) if name == "->->" => {
                    // What it leads to, the end of the evaluation, and the return.
                    if let Some(place) = place.checked_sub(2) {
                        self.return_to(&mut ordered[place], Position { container: id, place });
                    }
                }
                _ => {}
            }
        }
        for (name, token) in last.as_object_mut().into_iter().flatten() {
            if token.is_array() {
                self.container(token, &joined(path, name));
            }
        }
    }

    /// What `->-> elsewhere` leads to: who comes back is anywhere.
    fn return_to(&mut self, token: &mut Value, at: Position) {
        let value = |path: String| json!({ "^->": path });
        let callers = self.callers.clone();
        match &self.program.containers[at.container].operations[at.place] {
            Operation::Get(name) => {
                let leaps = self.leaps(at.container, &callers, false);
                *token = self.by_value(name, leaps, token, &|test| test, &value);
            }
            Operation::Place(Some(target)) => {
                let target = target.container;
                *token = match self.leap(target, at.container, &callers, false) {
                    Some(Leap::Through(target)) => value(self.way(target)),
                    Some(Leap::Refused) => json!([refusal(), null]),
                    None => return,
                };
            }
            _ => {}
        }
    }

    /// All values that need a leap from a container, to which play comes from others.
    fn leaps(&self, at: ContainerId, from: &BTreeSet<ContainerId>, inside: bool) -> Vec<(ContainerId, Leap)> {
        let all = self.values.iter();
        all.filter_map(|target| Some((*target, self.leap(*target, at, from, inside)?))).collect()
    }

    /// What a divert to this value becomes. From elsewhere it needs a leap only where play may be `inside` without it.
    fn leap(&self, target: ContainerId, at: ContainerId, from: &BTreeSet<ContainerId>, inside: bool) -> Option<Leap> {
        let is_read =
            |id: ContainerId| self.uses.contains_key(&Count::Visits(id)) || self.uses.contains_key(&Count::Since(id));
        if from.iter().any(|from| entered(self.program, *from, target).any(is_read)) {
            return Some(Leap::Refused);
        }
        let may_stay = !inside || self.program.around(at).any(|around| around == target);
        (self.knots.contains(&target) && may_stay).then_some(Leap::Through(target))
    }

    /// The path of our container that leads to a knot or stitch.
    fn way(&mut self, target: ContainerId) -> String {
        self.used.insert(target);
        let path = &self.program.containers[target].path;
        joined(path.rsplit_once('.').map_or("", |(knot, _)| knot), &own_name(path))
    }

    /// A container that executes another operation for some values of a variable, and this one for all others. `test`
    /// makes operations that compare a part of what is executed there.
    fn by_value(
        &mut self,
        variable: &str,
        leaps: Vec<(ContainerId, Leap)>,
        other: &Value,
        test: &dyn Fn(Vec<Value>) -> Vec<Value>,
        operation: &dyn Fn(String) -> Value,
    ) -> Value {
        if leaps.is_empty() {
            return other.clone();
        }
        let (mut operations, mut branches) = (Vec::new(), Vec::new());
        for (number, (target, leap)) in leaps.into_iter().enumerate() {
            let path = &self.program.containers[target].path;
            operations.extend(test(vec![json!({ "VAR?": variable }), json!({ "^->": path }), json!("==")]));
            operations.push(json!({ "->": format!(".^.{}", branch(number)), "c": true }));
            branches.push(match leap {
                Leap::Through(target) => operation(self.way(target)),
                Leap::Refused => refusal(),
            });
        }
        operations.extend([other.clone(), json!("nop")]);
        let end = json!({ "->": format!(".^.^.{}", operations.len() - 1) });
        let branches = branches.into_iter().enumerate();
        let named: Map<String, Value> =
            branches.map(|(number, first)| (branch(number), json!([first, end.clone(), null]))).collect();
        operations.push(Value::Object(named));
        Value::Array(operations)
    }
}

fn branch(number: usize) -> String {
    format!("bestplay {number}")
}

fn refusal() -> Value {
    json!({ "x()": UNCOUNTED, "exArgs": 0 })
}

/// The containers around a target of which the runtime counts a visit when it is entered from another container.
fn entered(program: &Program, from: ContainerId, target: ContainerId) -> impl Iterator<Item = ContainerId> {
    let here: Vec<ContainerId> = program.around(from).collect();
    let pairs = program.around(target).zip(program.around(target).skip(1));
    let entered = pairs.take_while(move |(_, around)| !here.contains(around));
    let mut at_start = true;
    let counted = entered.filter(move |(inner, around)| {
        at_start &= program.containers[*inner].place == Some(0);
        program.containers[*around].flags & 4 == 0 || at_start
    });
    counted.map(|(_, around)| around)
}
