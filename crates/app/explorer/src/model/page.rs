//! The pages of models: one that shows a model state by state, one that walks through it.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::look::FindQuestion;
use super::offered::OfferedModel;
use super::registry::Models;
use super::walk::WalkQuestion;
use crate::library::Library;
use crate::pages::{Addressed, Page, address};
use crate::question::{Problem, Question};

const HELP: &[&str] = &[
    "This page solves a model from a DRN, UMB or PRISM file, or a game of your own. Say the goal: labels, and in a PRISM model \
     its variables, such as counter=0. Then say whether you want the most or the least, and of what: the chance to reach the \
     goal, or the expected total of a reward until then.",
    "The question can be bounded: within so many choices, or with rewards on the way of at most so much (cost=12). What is left \
     of each bound is then a part of every state. Of a PRISM model only the states that count for this are explored: nothing \
     behind the goal.",
    "Look at any state: what it is, its choices with what each is worth, and where chance leads. The page marks the choice to \
     take; others are equal, or no worse but lead back. Each choice is a link into a walk.",
    "\u{201c}Where it leads\u{201d} draws the states one or two choices away: click one, or use the arrow keys and Enter. \
     \u{201c}Find a state\u{201d} looks for a number or a part of a description. States are listed fifty at a time, outcomes a hundred at a time.",
    "What was solved is kept (--max-solved), and solved again where it is larger than that.",
];

const WALK_HELP: &[&str] = &[
    "This page goes through a model with you: choose, and roll or say which state came. It marks the choice to take; others are \
     equal, or no worse but lead back.",
    "The line shows what the walk is worth after each step: what luck gave, and what your choices cost. Undo takes back the \
     last step, Back all steps after one. The address holds the whole walk, at most 2,000 steps; the server keeps nothing of \
     it.",
];

/// What is asked, at the bare address of a model. Which model it is, is part of the address.
fn asked(models: &Models, offered: Option<&OfferedModel>) -> Value {
    let first = models.models.first().map_or("", |model| &model.name);
    // A game has its payoffs; a model needs a goal.
    let solve = offered.is_some_and(|offered| offered.source.about().kind == "game");
    json!({"model": first, "goal": "", "until": "", "sense": "max", "reward": "", "exact": false,
        "within": null, "bounds": [], "solve": solve})
}

/// The state of the page at its bare address.
fn template(models: &Models, offered: Option<&OfferedModel>) -> Value {
    let mut state = asked(models, offered);
    // The state that is looked at, how far the drawing goes, and what states are looked through for.
    for (name, value) in [("state", Value::Null), ("steps", json!(1)), ("find", json!("")), ("from", json!(0))] {
        state[name] = value;
    }
    state
}

/// The state of the walk's page at its bare address.
fn walk_template(models: &Models, offered: Option<&OfferedModel>) -> Value {
    let mut state = asked(models, offered);
    for (name, value) in [("state", Value::Null), ("start", json!(0)), ("steps", json!("")), ("typed", json!(false))] {
        state[name] = value;
    }
    state
}

/// The question in a state. While there is no goal nothing is asked, and nothing is checked.
fn question(state: &Value) -> Value {
    let mut question = json!({});
    for name in ["model", "goal", "until", "sense", "reward", "exact", "within", "bounds"] {
        question[name] = state[name].clone();
    }
    question
}

fn check<Q: Question<Context = Models>>(state: &Value, models: &Models, question: Value) -> Result<(), Problem> {
    let question: Q = serde_json::from_value(question)
        .map_err(|error| Problem::impossible(error, "start from the page's bare address"))?;
    // A form that is not filled in yet is no mistake.
    if state["solve"] == true { question.check(models) } else { Ok(()) }
}

/// What the address of a page of a model says.
fn addressed(
    models: &Models,
    query: &str,
    template: impl FnOnce(&Models, Option<&OfferedModel>) -> Value,
    check: impl FnOnce(&Value) -> Result<(), Problem>,
) -> Addressed {
    match models.model(&address::word(query, "model")) {
        Err(problem) => Addressed::wrong(template(models, models.models.first()), problem),
        Ok(offered) => {
            let template = template(models, Some(offered));
            let mut about = template.clone();
            about["model"] = offered.name.clone().into();
            Addressed::new(template, about, query, check)
        }
    }
}

/// The page of a model.
pub fn page(library: &Library, query: &str) -> Page {
    let models = &*library.models;
    let addressed = addressed(models, query, template, |state| {
        let find = json!({"question": question(state), "find": state["find"], "from": state["from"]});
        check::<FindQuestion>(state, models, find)?;
        let number = &state["state"];
        if !number.is_null() && number.as_u64().is_none_or(|number| number > u64::from(u32::MAX)) {
            return Err(Problem::unreadable(format_args!("the address says state={number}"), "state is a number"));
        }
        if ![json!(1), json!(2)].contains(&state["steps"]) {
            let message = format_args!("the address says steps={}", state["steps"]).to_string();
            return Err(Problem::unreadable(message, "steps is 1 or 2"));
        }
        Ok(())
    });
    let lead =
        "Every state of a model or a game of your own: its choices, what they are worth, and where chance leads.";
    Page { module: "model.js", lead, help: HELP, addressed, content: content(models) }
}

/// The page of a walk.
pub fn walk_page(library: &Library, query: &str) -> Page {
    let models = &*library.models;
    let addressed = addressed(models, query, walk_template, |state| {
        let steps = state["steps"].as_str().unwrap_or_default().split(',').filter(|step| !step.is_empty());
        let walk = json!({"question": question(state), "state": state["state"], "start": state["start"],
            "steps": steps.collect::<Vec<_>>()});
        check::<WalkQuestion>(state, models, walk)
    });
    let lead = "Walk through it: choose, roll here or say what came, and see what each step is worth.";
    Page { module: "model-walk.js", lead, help: WALK_HELP, addressed, content: walk_content() }
}

fn content(models: &Models) -> Markup {
    html! {
        section.card aria-labelledby="question-title" {
            h2 #question-title { "The question" }
            div.row {
                label for="model" { "Model" }
                select #model { @for offered in &models.models { option value=(offered.name) { (offered.name) } } }
            }
            p #about .hint {}
            form #question autocomplete="off" novalidate aria-label="The question" {
                div #of-models hidden {
                    div.fields {
                        div.field { label for="goal" { "Goal" } input #goal type="text" spellcheck="false" list="labels"; }
                        div.field { label for="until" { "Only through (or empty)" } input #until type="text" spellcheck="false" list="labels"; }
                        div.field { label for="reward" { "Value" } select #reward {} }
                        div.field { label for="within" { "Within so many choices (or empty)" } input #within type="number" inputmode="numeric" min="0" max="9007199254740991" step="1"; }
                        div.field { label for="bounds" { "Rewards on the way at most (or empty)" } input #bounds type="text" spellcheck="false" placeholder="cost=12, time=5"; }
                    }
                    datalist #labels {}
                    p.hint #goal-hint { "Labels with &, |, ! and parentheses, such as finished & !agree." }
                }
                div.row {
                    label for="sense" { "Best is" }
                    select #sense { option value="max" { "the most" } option value="min" { "the least" } }
                    label.switch { input #exact type="checkbox"; " Exact fractions" }
                    button #solve .main type="submit" { "Solve" }
                }
            }
            div #progress role="status" {}
            div.problem role="alert" hidden {}
        }
        section #answer .card hidden aria-labelledby="answer-title" tabindex="-1" { h2 #answer-title { "The answer" } }
        div #solved hidden {
            section #here .card aria-labelledby="state-title" { h2 #state-title { "A state" } }
            section #around .card aria-labelledby="around-title" {
                h2 #around-title { "Where it leads" }
                div.row {
                    label for="steps" { "Choices away" }
                    select #steps { option value="1" { "1" } option value="2" { "2" } }
                }
                div #drawing {}
                p.hint { "Round: a state, with its number and what it is worth. Square: a choice; the best have a thick edge. A double \
                    ring: play is over there. With the keyboard: arrows from state to state, Enter to go there." }
                div.problem role="alert" hidden {}
            }
            section #find-card .card aria-labelledby="find-title" {
                h2 #find-title { "Find a state" }
                form #find-form .row autocomplete="off" novalidate aria-label="Find a state" {
                    label for="find" { "Number, or a part of the description" }
                    input #find type="text" spellcheck="false";
                    button type="submit" { "Find" }
                }
                div #found {}
                div.problem role="alert" hidden {}
            }
        }
    }
}

fn walk_content() -> Markup {
    html! {
        section.card aria-labelledby="walk-title" {
            h2 #walk-title { "The walk" }
            p #who .hint {}
            label.switch { input #typed type="checkbox"; " I roll at my table" }
            div.row #walks {}
            div #walk-progress role="status" {}
            div.problem role="alert" hidden {}
        }
        section #now .card aria-labelledby="now-title" { h2 #now-title tabindex="-1" { "Where you are" } }
        section #log .card aria-labelledby="log-title" { h2 #log-title { "Steps so far" } }
    }
}
