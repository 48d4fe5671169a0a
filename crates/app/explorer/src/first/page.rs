//! The first page as HTML. Its numbers come from the answers; `first.js` moves the sliders and rolls heroes.

use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::answers::{ENEMY, Found, LUCK, POSITION, SKILL, STAMINA};
use super::map;
use super::solved_book::SolvedBook;
use crate::files::File;
use crate::gamebook::own_hero;
use crate::library::Library;
use crate::pages::data;
use crate::site::Site;
use crate::slay_the_spire;

/// The page: the answers, the files that the server was started with, and all other pages.
pub fn page(found: &Found, library: &Library, given: &[File], listed: &[&Site]) -> Markup {
    html! {
        h1 { "What are my odds, and what is best now?" }
        @if !given.is_empty() {
            nav.given aria-label="Your files" {
                span { "Your files" }
                @for file in given { a href=(file.address) { (file.name) } }
            }
        }
        p #go-on.given hidden { a { "Go on with your walk" } }
        noscript { p.problem-note { "Sliders and rolls need JavaScript; everything else on this page does not." } }
        div #problem .problem role="alert" hidden {}
        div.shown {
            @if found.is_at_work { section #at-work.card { p { "The solver is still at work. Open this page again in a moment." } } }
            @if let Some(solved) = &found.book { (book(solved)) }
            @if let Some(answer) = &found.fight { (fight(answer)) }
            @if let Some(answer) = &found.hand { (hand(answer)) }
        }
        h2.all { "Everything that can be asked" }
        ul.games {
            @for site in listed {
                li { a href=(site.address()) { h3 { (site.name) } p { (site.about) } } }
            }
        }
        (data("books", &titles(library)))
    }
}

/// The titles of the books and series by their names in addresses: for walks that the browser has kept.
fn titles(library: &Library) -> Value {
    let gamebooks = library.gamebooks.books.iter().chain(&library.gamebooks.series);
    gamebooks.map(|book| (book.name.clone(), json!(book.book.title))).collect::<Map<_, _>>().into()
}

/// A chance as so many of a hundred.
fn of_100(chance: f64) -> String {
    let rounded = (chance * 100.0).round();
    match chance {
        0.0 | 1.0 => format!("{rounded} of 100"),
        _ if rounded < 1.0 => "Fewer than 1 of 100".into(),
        _ if rounded > 99.0 => "More than 99 of 100".into(),
        _ => format!("{rounded} of 100"),
    }
}

fn percent(chance: f64) -> String {
    format!("{:.2} %", chance * 100.0)
}

/// The own hero of a book, in a few words.
fn hero_of(solved: &SolvedBook) -> String {
    let hero = json!(own_hero(&solved.offered.book));
    if let Some(values) = hero["values"].as_array() {
        let first = values.iter().filter_map(Value::as_str).filter(|value| !value.contains('.')).take(3);
        return first.map(|value| value.replace('=', " ")).collect::<Vec<_>>().join(", ");
    }
    format!("combat skill {}, endurance {}", hero["combat_skill"], hero["endurance"])
}

fn book(solved: &SolvedBook) -> Markup {
    let SolvedBook { offered, win, deaths, .. } = solved;
    let title = &offered.book.title;
    let address = offered.address();
    let walk = address.replacen("/gamebook?", "/gamebook/walk?", 1);
    let picture_name =
        format!("A map of the {} sections of {title}, coloured by the odds", offered.book.sections.len());
    html! {
        section #book-card.card aria-labelledby="book-title" data-book=(offered.name) {
            div.headline {
                div {
                    h2 #book-title {
                        @match deaths.first() {
                            Some((section, chance)) => {
                                strong { (of_100(*chance)) } " die in section " (offered.book.section_text(*section))
                            },
                            None => { strong { (of_100(*win)) } " win" },
                        }
                    }
                    p #book-words { (of_100(*win)) " win " cite { (title) } " by best play: " (hero_of(solved)) "." }
                    @if let Some(unfinished) = offered.book.draft.warning() { p.draft { (unfinished) } }
                }
                div.row {
                    @if offered.book.system.is_none() { button #roll.main type="button" disabled { "Roll me a hero" } }
                    a #to-map href={ (address) "&solve=true" } { "Open the map" }
                    a #to-walk href=(walk) { "Walk through the book" }
                }
            }
            div #roll-progress.hint role="status" {}
            (map::picture(solved, &picture_name))
            div.ramp {}
            div.ends { span { "0 % to win from there" } span { "as at the start" } span { "100 %" } }
            p.hint { "The line is the likeliest way to win. Larger discs: more heroes visit. Rings: they die there." }
        }
    }
}

fn slider(id: &str, label: &str, least: u32, (most, now): (u32, u32)) -> Markup {
    html! {
        div {
            label for=(id) { (label) " " output #{ (id) "-now" } for=(id) { (now) } }
            input id=(id) type="range" min=(least) max=(most) value=(now) disabled;
        }
    }
}

fn number(of: &Value) -> f64 {
    of["decimal"].as_f64().unwrap_or_default()
}

/// A chance as a bar, beside its number.
fn bar(id: &str, chance: f64) -> Markup {
    html! {
        svg.bar viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" {
            rect.all width="100" height="6" {}
            rect id=(id) width=(format!("{:.2}", chance * 100.0)) height="6" {}
        }
    }
}

fn fight(answer: &Value) -> Markup {
    let (enemy_skill, enemy_stamina) = ENEMY.split_once('/').unwrap_or_default();
    let (win, without) = (number(&answer["win"]), number(&answer["win_without_luck"]));
    html! {
        section #fight-card.card aria-labelledby="fight-title" data-enemy=(ENEMY) data-stamina=(STAMINA) {
            h2 #fight-title { "A fight" }
            p.hint { "Fighting Fantasy: a Hell Demon with skill " (enemy_skill) " and stamina " (enemy_stamina) ". Your stamina is " (STAMINA) "." }
            div.two {
                (slider("skill", "Your skill", 7, (12, SKILL)))
                (slider("luck", "Your luck", 1, (12, LUCK)))
            }
            dl #fight-odds {
                dt { "You win, with luck used best" } dd #win-luck { (percent(win)) }
                dd.bar-of { (bar("bar-luck", win)) }
                dt { "You win without luck" } dd #win-plain { (percent(without)) }
                dd.bar-of { (bar("bar-plain", without)) }
            }
            p { a #to-fight href={ "/fighting-fantasy?skill=" (SKILL) "&luck=" (LUCK) } { "When to use luck" } }
        }
    }
}

/// A card's name as on the card.
fn card_name(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The cards of a hand, each with its place in the best play.
fn dealt(position: &Value, best: &[String]) -> Vec<(String, Option<usize>)> {
    let mut places: Vec<(usize, &String)> = best.iter().enumerate().collect();
    let counts = position["hand"].as_object().into_iter().flatten();
    let cards = counts.flat_map(|(card, count)| (0..count.as_u64().unwrap_or(0)).map(move |_| card));
    let dealt = cards.map(|card| {
        let found = places.iter().position(|(_, own)| *own == card).map(|found| places.remove(found).0 + 1);
        (card_name(card), found)
    });
    dealt.collect()
}

/// What is played in a turn, in words.
fn turn(play: &Value) -> String {
    let cards: Vec<String> = cards_of(play).iter().map(|card| card_name(card)).collect();
    if cards.is_empty() { "End the turn".into() } else { cards.join(", ") }
}

fn cards_of(play: &Value) -> Vec<String> {
    let cards = play["cards"].as_array().into_iter().flatten();
    cards.filter_map(|card| card.as_str().map(String::from)).collect()
}

fn hand(answer: &Value) -> Markup {
    let position: Value = serde_json::from_str(POSITION).unwrap_or_default();
    let plays: Vec<&Value> = answer["plays"].as_array().into_iter().flatten().collect();
    let Some((best, others)) = plays.split_first() else { return html! {} };
    let enemy = &position["enemies"][0];
    let nothing = others.iter().filter(|play| cards_of(play).is_empty());
    html! {
        section #hand-card.card aria-labelledby="hand-title" {
            h2 #hand-title { "A hand" }
            p.hint { "Slay the Spire: a Jaw Worm with " (enemy["hp"]) " health intends to chomp. You have " (position["hp"]) " health and 3 energy." }
            ol.hand {
                @for (card, place) in dealt(&position, &cards_of(best)) {
                    li class=[place.map(|_| "played")] {
                        (card) @if let Some(place) = place { " " b { span.unseen { "played as number " } (place) } }
                    }
                }
            }
            table {
                thead { tr { th scope="col" { "Play" } th.number scope="col" { "Health left" } } }
                tbody {
                    tr.best { td { (turn(best)) } td.number { (format!("{:.2}", number(&best["expected_health"]))) } }
                    @for play in others.iter().take(2).chain(nothing) {
                        tr { td { (turn(play)) } td.number { (format!("{:.2}", number(&play["expected_health"]))) } }
                    }
                }
            }
            p { @if let Ok(address) = slay_the_spire::address_of(POSITION) { a href=(address) { "Every play of this hand" } } }
        }
    }
}
