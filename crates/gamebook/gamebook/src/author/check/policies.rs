//! Rules of policies that can never be followed.

use std::collections::{BTreeMap, BTreeSet};

use budget::{Budget, Stopped};

use crate::book::{Book, Choice, NodeKind, Policy, PolicyKind, Situation, every_node};
use crate::lower::{CompileError, compile, default_label};
use crate::program::Instruction;
use crate::solve::Question;
use crate::syntax::{Problem, did_you_mean};
use crate::terms::SectionNumber;

/// What answers are called, section by section.
type Labels = BTreeMap<SectionNumber, BTreeSet<String>>;

/// Warnings about rules of a policy that no answer of the book has anything to do with: nobody is ever asked what they answer.
///
/// What the book itself asks (what is taken, bought, used) is looked up for its own hero, what the author asks for all heroes.
///
/// ```
/// use gamebook::{check_policy, read, read_policy};
///
/// let (book, _) = read(r#"
///     book "Shop" format=1 rules="lone-wolf"
///     start 1
///     goal 2
///     hero { combat-skill 15; endurance 25; gold 3; }
///     items { backpack-item meal food=#true; }
///     section 1 { shop { buy meal 2; }; goto 2; }
///     section 2 { victory; }
/// "#)?;
/// let policy = read_policy(&book, r#"policy "hungry" { always "buy meal"; }"#)?;
/// let warnings = check_policy(&book, &policy, &budget::Budget::unlimited())?;
/// assert_eq!(warnings[0].message, "no answer is called `buy meal`");
/// assert_eq!(warnings[0].help.as_deref(), Some("did you mean `buy meal for 2`?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the budget says stop.
pub fn check_policy(book: &Book, policy: &Policy, budget: &Budget<'_>) -> Result<Vec<Problem>, Stopped> {
    policies(book, std::slice::from_ref(policy), budget)
}

/// The same of several policies.
pub(super) fn policies(book: &Book, policies: &[Policy], budget: &Budget<'_>) -> Result<Vec<Problem>, Stopped> {
    if policies.is_empty() {
        return Ok(Vec::new());
    }
    let Some(labels) = labels(book, budget)? else { return Ok(Vec::new()) };
    Ok(policies.iter().flat_map(|policy| unanswered(book, policy, &labels)).collect())
}

fn unanswered(book: &Book, policy: &Policy, labels: &Labels) -> Vec<Problem> {
    let mut problems = Vec::new();
    for rule in &policy.rules {
        let here = rule.section.map_or(String::new(), |section| format!(" in section {}", book.section_text(section)));
        let (message, help) = match (&rule.kind, rule.section) {
            (PolicyKind::Always(label) | PolicyKind::Never(label), section) => {
                let own = labels.iter().filter(|(number, _)| section.is_none_or(|section| section == **number));
                let own: BTreeSet<&str> = own.flat_map(|(_, labels)| labels).map(String::as_str).collect();
                if own.contains(label.as_str()) {
                    continue;
                }
                let begins = own.iter().filter(|other| other.starts_with(label.as_str()));
                let longer = begins.min_by_key(|other| other.len()).map(|own| format!("did you mean `{own}`?"));
                let near = longer.or_else(|| did_you_mean(label, own.iter().copied()));
                (format!("no answer{here} is called `{label}`"), near)
            }
            (PolicyKind::Goto(to), Some(section)) if !book.outline(section).targets.contains(to) => {
                (format!("nothing{here} leads to {}", book.section_text(*to)), None)
            }
            _ => continue,
        };
        let help = help.unwrap_or_else(|| "`bestplay gamebook play` shows what answers are called".into());
        problems.push(Problem::warning(rule.span.clone(), message).help(help));
    }
    problems
}

/// What is answered; `None` where the book is too large to say.
fn labels(book: &Book, budget: &Budget<'_>) -> Result<Option<Labels>, Stopped> {
    // Who follows a policy is asked wherever he may.
    let nothing = Policy { name: String::new(), is_default: false, rules: Vec::new() };
    let situation = Situation { policy: Some(nothing), ..Situation::default() };
    let question = Question { situation, ..Question::new(book) };
    let program = match compile(question.quest(book), budget) {
        Ok(compiled) => compiled.program,
        Err(CompileError::Stopped(stopped)) => return Err(stopped),
        Err(_) => return Ok(None),
    };
    let mut labels = Labels::new();
    for (step, section) in program.steps.iter().zip(&program.sections) {
        if let Instruction::Ask(question) = step {
            let own = labels.entry(*section).or_default();
            own.extend(question.labels().iter().map(|label| program.labels[*label as usize].clone()));
        }
    }
    for (number, section) in &book.sections {
        let own = labels.entry(*number).or_default();
        every_node(&section.body, &mut |node| {
            if let NodeKind::Choices(choices) = &node.kind {
                let label =
                    |own: &Choice| if own.label.is_empty() { default_label(&own.body) } else { own.label.clone() };
                own.extend(choices.iter().map(label));
            }
        });
    }
    Ok(Some(labels))
}
