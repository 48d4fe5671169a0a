//! Programs as text.

use super::Program;
use super::instruction::{Answer, HERE, Instruction, Label, Sets, Weight};
use super::state::Layout;
use super::value::{Test, Value};
use crate::terms::{Operator, SectionNumber};

/// The steps of a program as text, section by section: all of it, or one section.
///
/// Each step follows its place and names the places of its successors; `called` gives the names of sections.
pub(crate) fn listing(
    program: &Program,
    called: &dyn Fn(SectionNumber) -> String,
    only: Option<SectionNumber>,
) -> String {
    let of_section = |place: &Label| only.is_none_or(|only| only == program.sections[*place as usize]);
    let mut places: Vec<Label> = program.places().filter(of_section).collect();
    // Steps were compiled backwards.
    places.sort_by_key(|place| (program.sections[*place as usize], std::cmp::Reverse(*place)));
    let mut lines = Vec::new();
    let mut section = None;
    for place in places {
        let own = program.sections[place as usize];
        if section.replace(own) != Some(own) {
            lines.push(format!("section {}", called(own)));
        }
        let start = if place == program.start { "   (play begins here)" } else { "" };
        let step = step(&program.steps[place as usize], program, called).join("\n            ");
        lines.push(format!("{place:>8}  {step}{start}"));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The lines of a step.
fn step(step: &Instruction, program: &Program, called: &dyn Fn(SectionNumber) -> String) -> Vec<String> {
    let layout = &program.layout;
    let list = |values: &[Value]| values.iter().map(|own| value(own, layout)).collect::<Vec<_>>().join(", ");
    let line = match step {
        Instruction::Jump(next) => format!("-> {next}"),
        Instruction::Set { sets: own, next } => format!("{} -> {next}", sets(own, layout)),
        Instruction::Branch { test: own, yes, no } => format!("if {} -> {yes}, else -> {no}", test(own, layout)),
        Instruction::Ask(question) => {
            let about = question.about.map_or("", |about| &program.labels[about as usize]);
            let answers = question.answers.iter().map(|own| answer(own, program));
            let otherwise = question.otherwise.map(|next| format!("otherwise -> {next}"));
            return [format!("ask {about}").trim_end().to_string()]
                .into_iter()
                .chain(answers)
                .chain(otherwise)
                .collect();
        }
        Instruction::Chance { outcomes } => {
            let outcome = outcomes.iter().map(|outcome| {
                let weight = match &outcome.weight {
                    Weight::Number(number) => number.to_string(),
                    Weight::Large(number) => number.to_string(),
                    Weight::BySkill(more) => format!("for {more} points more, 1"),
                    Weight::Register(register) => layout.name(*register).to_string(),
                    Weight::Holds(own) => format!("if {}, once", test(own, layout)),
                };
                let times = if matches!(outcome.weight, Weight::Holds(_)) { "" } else { " times" };
                format!("{weight}{times}: {}-> {}", changes(&outcome.sets, layout), outcome.next)
            });
            return ["chance".to_string()].into_iter().chain(outcome).collect();
        }
        Instruction::Fold(fold) => {
            let outputs: Vec<&str> = fold.outputs.iter().map(|register| layout.name(*register)).collect();
            let inputs = list(&fold.inputs);
            let exits: Vec<String> = fold.exits.iter().map(ToString::to_string).collect();
            format!(
                "{} := the end that comes of {inputs} -> {}, or step by step -> {}",
                outputs.join(", "),
                exits.join(" or "),
                fold.steps
            )
        }
        Instruction::Enter { next } => format!("enter -> {next}"),
        Instruction::Leave { section, next } => format!("leave for {} -> {next}", called(*section)),
        Instruction::Death => "death".into(),
        Instruction::Victory => "victory".into(),
        Instruction::Stuck => "stuck".into(),
    };
    vec![line]
}

fn answer(answer: &Answer, program: &Program) -> String {
    let layout = &program.layout;
    let label = &program.labels[answer.label as usize];
    let each = answer.each.as_ref().map_or_else(String::new, |each| {
        let (from, to) = (value(&each.from, layout), value(&each.to, layout));
        format!(" for {} from {from} to {to}", layout.name(each.register))
    });
    let when = match &answer.test {
        Test::Constant(true) => String::new(),
        own => format!(" if {}", test(own, layout)),
    };
    let next = if answer.next == HERE { "here".to_string() } else { answer.next.to_string() };
    format!("{label:?}{each}{when}: {}-> {next}", changes(&answer.sets, layout))
}

/// The assignments followed by a space, if there are any.
fn changes(own: &Sets, layout: &Layout) -> String {
    if own.is_empty() { String::new() } else { sets(own, layout) + " " }
}

fn sets(sets: &Sets, layout: &Layout) -> String {
    let set = |(register, number): &_| format!("{} := {}", layout.name(*register), value(number, layout));
    sets.iter().map(set).collect::<Vec<_>>().join("; ")
}

fn value(own: &Value, layout: &Layout) -> String {
    // Compound values are parenthesised within others.
    let inner = |own: &Value| match own {
        Value::Operation(Operator::Plus | Operator::Minus | Operator::Times, ..) => format!("({})", value(own, layout)),
        own => value(own, layout),
    };
    match own {
        Value::Constant(number) => number.to_string(),
        Value::Register(register) => layout.name(*register).to_string(),
        Value::Operation(operator, left, right) => {
            let both = |sign: &str| format!("{} {sign} {}", inner(left), inner(right));
            let named = |name: &str| format!("{name}({}, {})", value(left, layout), value(right, layout));
            match operator {
                Operator::Plus => both("+"),
                Operator::Minus => both("-"),
                Operator::Times => both("*"),
                Operator::Min => named("min"),
                Operator::Max => named("max"),
                Operator::Down => named("down"),
                Operator::Up => named("up"),
            }
        }
        Value::Half(value) => format!("half of {}", inner(value)),
        Value::Holds(own) => format!("[{}]", test(own, layout)),
        Value::Lookup(table, index) => {
            let numbers: Vec<String> = table.numbers.iter().map(ToString::to_string).collect();
            format!("({})[{} from {}]", numbers.join(" "), value(index, layout), table.first)
        }
        Value::Sum(registers) => {
            let names: Vec<&str> = registers.iter().map(|register| layout.name(*register)).collect();
            format!("sum({})", names.join(", "))
        }
    }
}

fn test(own: &Test, layout: &Layout) -> String {
    match own {
        Test::Constant(holds) => if *holds { "always" } else { "never" }.into(),
        Test::Compare(comparison, left, right) => {
            let sign = comparison.sign();
            format!("{} {sign} {}", value(left, layout), value(right, layout))
        }
        Test::Not(inner) => format!("not ({})", test(inner, layout)),
        Test::And(left, right) => format!("({} and {})", test(left, layout), test(right, layout)),
        Test::Or(left, right) => format!("({} or {})", test(left, layout), test(right, layout)),
    }
}
