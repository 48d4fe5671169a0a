use mdp::rows::explore;
use mdp::{ExploreOptions, SolveOptions, ratio, solve};

use super::*;
use crate::author::read;
use crate::lower::compile;
use crate::machine::Machine;
use crate::passes::analyses::Analyses;
use crate::program::Starting;
use crate::solve::Question;

/// Six items that chance gives or not; then a way through with an odd number of them.
fn six_flags() -> String {
    let flags = ["a", "b", "c", "d", "e", "f"];
    let found = (1..).zip(flags).map(|(section, flag)| {
        let next = section + 1;
        format!("section {section} {{ pick {{ when 0 2 {{ set {flag}; }}; else {{ }}; }}; goto {next}; }}")
    });
    // Each flag becomes the parity of the flags up to it.
    let turned = (7..).zip(flags[1..].iter().zip(flags)).map(|(section, (flag, before))| {
        let (next, turn) = (section + 1, format!("if \"{flag}\" {{ clear {flag}; }}; else {{ set {flag}; }}"));
        format!("section {section} {{ if \"{before}\" {{ {turn}; }}; goto {next}; }}")
    });
    let sections: Vec<String> = found.chain(turned).collect();
    format!(
        "book \"Six\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 100\nhero {{ combat-skill 15; endurance 25; }}\n\
             flags {}\n{}\nsection 12 {{ if \"f\" {{ goto 100; }}; death \"an even number\"; }}\n\
             section 100 {{ victory; }}\n",
        flags.join(" "),
        sections.join("\n")
    )
}

#[test]
fn a_program_is_split_by_fewer_registers_where_there_is_less_room() {
    let budget = Budget::unlimited();
    let (book, _) = read(&six_flags()).unwrap();
    let question = Question::new(&book);
    let compiled = || compile(question.quest(&book), &budget).unwrap();
    let steps = compiled().program.steps.len();
    let mut sizes = Vec::new();
    for most in [steps / 2, steps, 4 * steps, 16 * steps, MOST_PLACES] {
        let Starting { program, state } = compiled();
        let split = split_within(most, &program, &state, |_, _| true, &budget).unwrap();
        assert_eq!(split.is_some(), most >= steps, "there is room for {most}");
        let (split, whole) = split.unwrap_or_else(|| (program.clone(), program.places().collect()));
        assert!(most < steps || split.steps.len() <= most);
        assert!(whole.iter().zip(&split.sections).all(|(place, own)| program.sections[*place as usize] == *own));
        sizes.push(split.steps.len());
        let state = state.at(split.start);
        let analyses = Analyses { split: false, ..Analyses::default() };
        let machine = Machine::of(Starting { program: split, state }, analyses, &budget).unwrap();
        let space = explore(&machine, &ExploreOptions::default()).unwrap();
        let solution = solve(space.model(), &SolveOptions::default().with_exact(true)).unwrap();
        // An odd number of six, each with 3/10: (1 - (1 - 6/10)^6) / 2.
        assert_eq!(solution.value_of(&space.starts()[0]).exact, Some(ratio(15561, 31250)), "{most}");
    }
    assert!(sizes[1..].is_sorted_by(|fewer, more| fewer < more), "{sizes:?}");
}
