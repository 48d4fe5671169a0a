//! The page of fights of Act 1. It has two addresses: one begins with a Jaw Worm, the other with the fight of the talk.

use maud::{Markup, html};
use serde_json::{Map, Value, json};
use slay_the_spire::{Card, ENCOUNTERS, EnemyKind, FightRequest, Hero, Potion, Relic};

use super::fight::FightWalkQuestion;
use super::position::read;
use crate::library::Library;
use crate::pages::{Addressed, Page, address, number_field, switch_field};
use crate::question::Problem;

const HELP: &[&str] = &[
    "This page computes the value of a fight of Act 1, and what to play. Enter the enemies from the left (or an encounter, or \
     a pool), your deck, relics, potions, ascension and health, and what you play for. If you know the enemies' health or Curl \
     Up, enter them as well (40..=44,- is a range for the first enemy and nothing for the second). Groups of enemies with \
     weights come from a file.",
    "\u{201c}What is it worth?\u{201d} shows the value, the chance to survive and the health at the end; with a switch also the \
     value for every health at the start. If the search does not end within the seconds that you allow, or within the limits \
     of the server, the page shows the bounds proven so far. Cancel stops the search. It may react late: with many cards \
     against several enemies a single position can take long.",
    "\u{201c}Fight it\u{201d} goes through the fight step by step. The page rolls enemies, healths, intents and draws, or you \
     click on the outcome; of many outcomes it lists the likeliest 60. It lists every play with its value, best first; of \
     equal plays the first is the one after which the fight ends soonest. The line shows what luck gave and what plays cost. \
     Undo takes back the last step; Back returns to an earlier one. The address holds the whole fight; the server keeps \
     nothing of it.",
    "\u{201c}Which card do I take?\u{201d} compares your deck with the decks that have one offered card more, one card less, or \
     one upgraded. Each row is a link to the fight with that deck. The fights share the seconds; a fight that is not solved by \
     then has bounds.",
    "\u{201c}What do I play now?\u{201d} lists every turn that is possible in a position, from a file or from a message of CommunicationMod: what is outside of \
     the model is named there, and so is what was assumed.",
];

/// The page's state at its bare address: the starting deck against a Jaw Worm.
fn template() -> Value {
    json!({
        "enemies": ["jaw-worm"], "ascension": 0, "hp": 80, "max_hp": 80,
        "deck": ["strike=5", "defend=4", "bash"], "relics": [], "potions": [], "burning_blood": true,
        "enemy_hp": "", "curl_up": "", "objective": "health", "value": "",
        // The content of a file with groups of enemies, in place of `enemies`.
        "groups": "",
        // Whether to solve the fight, also for every health at the start, and whether to walk through it.
        "solve": false, "by_health": false, "walk": false, "steps": "",
        // The offered cards (or all of them), the other changes of the deck, and whether to compare them.
        "cards": [], "each": false, "remove": false, "upgrade": false, "reward": false,
        // The content of a position file.
        "position": "",
        "seconds": 30,
    })
}

/// The page's state at the bare address of the talk's fight, which is solved at once.
fn template_of_the_talk() -> Value {
    let FightRequest { ascension, hp, deck, enemies, enemy_hp, .. } = FightRequest::of_the_talk();
    let mut state = template();
    state["enemies"] = json!(enemies);
    state["ascension"] = json!(ascension);
    state["hp"] = json!(hp);
    state["max_hp"] = json!(Hero::new(ascension).max_health);
    state["deck"] = deck.unwrap_or_default().split(',').map(Value::from).collect();
    state["enemy_hp"] = json!(enemy_hp);
    state["burning_blood"] = json!(false);
    state["solve"] = json!(true);
    state
}

/// The address of the page for the text of a position file.
pub fn address_of(text: &str) -> Result<String, String> {
    read(&serde_json::from_str(text).map_err(|error| error.to_string())?)?;
    let template = template();
    let state = json!({"position": text});
    Ok(format!("/slay-the-spire/act-1?{}", address::write(&template, &state)))
}

/// The fight of a page's state.
fn fight(state: &Value) -> Result<Value, Problem> {
    let words = |list: &Value| match list {
        Value::Array(parts) => {
            parts.iter().map(|part| part.as_str().map_or_else(|| part.to_string(), Into::into)).collect::<Vec<String>>()
        }
        other => vec![other.as_str().unwrap_or_default().into()],
    };
    let text = |part: &Value| if part == "" { Value::Null } else { part.clone() };
    let mut fight = Map::new();
    for name in ["ascension", "hp", "max_hp", "burning_blood", "objective"] {
        fight.insert(name.into(), state[name].clone());
    }
    for name in ["enemies", "relics", "potions"] {
        fight.insert(name.into(), json!(words(&state[name])));
    }
    for name in ["enemy_hp", "curl_up", "value"] {
        fight.insert(name.into(), text(&state[name]));
    }
    fight.insert("deck".into(), json!(words(&state["deck"]).join(",")));
    let groups = state["groups"].as_str().filter(|groups| !groups.is_empty()).map(serde_json::from_str::<Value>);
    let groups = groups.transpose().map_err(|error| {
        let message = format_args!("the groups in the address are not JSON: {error}").to_string();
        Problem::unreadable(message, "docs/slay-the-spire-act-1.md has an example")
    })?;
    fight.insert("groups".into(), groups.unwrap_or_default());
    Ok(Value::Object(fight))
}

/// Checks a page's state.
fn check(state: &Value) -> Result<(), Problem> {
    let steps = state["steps"].as_str().unwrap_or_default().split(',').filter(|step| !step.is_empty());
    let question = json!({"fight": fight(state)?, "steps": steps.collect::<Vec<_>>(), "seconds": state["seconds"]});
    let question: FightWalkQuestion = serde_json::from_value(question)
        .map_err(|error| Problem::impossible(error, "start from the page's bare address"))?;
    question.check_fight(state["walk"] == true)
}

/// The page.
pub fn of_act_1(_: &Library, query: &str) -> Page {
    let lead = "The Ironclad against the enemies of Act 1: the value of a fight and of every play in it, step by step.";
    let other = html! { a href="/slay-the-spire" { "The Cultist's fight of the talk" } };
    page(template(), query, lead, &other)
}

/// The page with the fight of the talk.
pub fn of_the_talk(_: &Library, query: &str) -> Page {
    let lead =
        "The Ironclad against a Cultist, or other enemies: the value of a fight and of every play in it, step by step.";
    let other = html! { a href="/slay-the-spire/act-1" { "Other enemies, cards, relics and potions of Act 1" } };
    page(template_of_the_talk(), query, lead, &other)
}

fn page(template: Value, query: &str, lead: &'static str, other: &Markup) -> Page {
    let addressed = Addressed::plain(template, query, check);
    Page { module: "slay-the-spire.js", lead, help: HELP, addressed, content: content(other) }
}

fn names(id: &str, names: impl Iterator<Item = String>) -> Markup {
    html! { datalist id=(id) { @for name in names { option value=(name) {} } } }
}

/// A list with a field that adds elements by name.
fn list_field(id: &str, label: &str, known: &str, add: &str) -> Markup {
    html! {
        fieldset {
            legend { (label) }
            div.cards id=(id) {}
            div.row {
                label for={ (id) "-add" } { (add) }
                input id={ (id) "-add" } type="text" list=(known) spellcheck="false" autocomplete="off" maxlength="60";
                button type="button" id={ (id) "-more" } { "Add" }
            }
        }
    }
}

/// A text field with a button that fills it from a file.
fn text_field(id: &str, label: &str, example: &str) -> Markup {
    html! {
        div.row {
            label for={ (id) "-file" } { "A file" }
            input id={ (id) "-file" } type="file" accept=".json,application/json";
        }
        label for=(id) { (label) }
        textarea id=(id) rows="4" spellcheck="false" placeholder=(example) {}
    }
}

fn content(other: &Markup) -> Markup {
    let groups = ENCOUNTERS.iter().map(|name| (*name).to_owned());
    html! {
        section.card aria-labelledby="fight-title" {
            h2 #fight-title { "The fight" }
            p.hint { (other) }
            div.row {
                button #ask .main type="button" { "What is it worth?" }
                button #begin type="button" { "Fight it" }
            }
            div #progress role="status" {}
            div.problem role="alert" hidden {}
            details #setup open {
                summary { strong #set-up { "Hero and enemies" } " " span.hint { "change" } }
                form #fight autocomplete="off" novalidate aria-label="The fight" {
                    (list_field("enemies", "Enemies, from the left; or an encounter; or a pool", "known-enemies", "Another enemy"))
                    div.fields {
                        (number_field("hp", "Health", 1, 250))
                        (number_field("max_hp", "Highest health", 1, 250))
                        (number_field("ascension", "Ascension", 0, 20))
                        div.field { label for="enemy_hp" { "Enemies' health" } input #enemy_hp type="text" spellcheck="false" maxlength="100" placeholder="40..=44,-" ; }
                        div.field { label for="curl_up" { "Curl Up" } input #curl_up type="text" spellcheck="false" maxlength="100" placeholder="3..=7,-"; }
                    }
                    (list_field("deck", "Deck", "known-cards", "Another card"))
                    (list_field("relics", "Relics", "known-relics", "Another relic"))
                    (list_field("potions", "Potions", "known-potions", "Another potion"))
                    details #of-groups {
                        summary { "Groups of enemies with weights, from a file" }
                        (text_field("groups", "In place of the enemies above", r#"[{"weight": "1/2", "enemies": [{"kind": "cultist", "hp": [48, 54]}]}]"#))
                    }
                    (switch_field("burning_blood", "Burning Blood: heal 6 after a won fight"))
                    div.fields {
                        div.field {
                            label for="objective" { "Play for" }
                            select #objective {
                                option value="health" { "the health left" }
                                option value="survival" { "survival" }
                                option value="loss" { "the least loss, without death" }
                            }
                        }
                        div.field { label for="value" { "Or for a sum" } input #value type="text" spellcheck="false" maxlength="200" placeholder="health + 8 * survival"; }
                        (number_field("seconds", "Seconds at most", 1, 600))
                    }
                    (switch_field("by_health", "Also the value for every health at the start"))
                }
            }
            (names("known-enemies", EnemyKind::ALL.iter().map(ToString::to_string).chain(groups)))
            (names("known-cards", Card::all().map(|card| card.to_string())))
            (names("known-relics", Relic::ALL.iter().map(|(relic, _)| relic.to_string())))
            (names("known-potions", Potion::all().map(|potion| potion.to_string())))
        }
        section #answer .card hidden tabindex="-1" aria-label="What it is worth" {}
        section.card aria-labelledby="reward-title" {
            h2 #reward-title { "Which card do I take?" }
            p.hint { "Compares the value of the fight above with the deck above, and with each of these cards added to it. \
                A pool of enemies, such as weak-pool or elites, stands for all encounters in it." }
            (list_field("cards", "Offered", "known-cards", "An offered card"))
            (switch_field("each", "Every attack, skill and power"))
            (switch_field("remove", "Or remove one card"))
            (switch_field("upgrade", "Or upgrade one card"))
            div.row { button #compare type="button" { "Which one?" } }
            div #reward-progress role="status" {}
            div.problem role="alert" hidden {}
            div #rewards hidden {}
        }
        section #now .card hidden aria-labelledby="now-title" { h2 #now-title tabindex="-1" { "The fight" } }
        section #log .card hidden aria-labelledby="log-title" { h2 #log-title { "Steps so far" } }
        section.card aria-labelledby="position-title" {
            h2 #position-title { "What do I play now?" }
            p.hint { "A position in the middle of a fight, in the format that bestplay slay-the-spire advise reads, or a message of CommunicationMod." }
            (text_field("position", "The position, or the message", r#"{"hp": 60, "hand": {"strike": 4}, "enemies": [{"kind": "cultist", "hp": 48, "intent": "incantation"}]}"#))
            div.row { button #what-now type="button" { "What do I play?" } }
            div #position-progress role="status" {}
            div.problem role="alert" hidden {}
            div #position-answer hidden {}
        }
    }
}
