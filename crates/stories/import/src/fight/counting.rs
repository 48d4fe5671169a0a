//! What is counted in the fights of a section, for conditions that ask for it.

use crate::line::Line;

/// Declares what conditions after fights ask for, and lets the fights count it: how many rounds there were, what the hero
/// lost in them and what the enemies lost.
pub(crate) fn count_fights(lines: &mut Vec<Line>) {
    let mut asked = Vec::new();
    note_asked(lines, &mut asked);
    let word = |name: &'static str| asked.iter().any(|own: &Asked| own.name == name).then_some(name);
    let names: Vec<&'static str> = ["rounds", "lost", "dealt"].into_iter().filter_map(word).collect();
    if names.is_empty() || !has_fight(lines) {
        return;
    }
    let most = asked.iter().filter(|own| own.name == "rounds").map(|own| own.most).max().unwrap_or(0);
    let only_whether = asked.iter().filter(|own| own.name == "lost").all(|own| own.only_whether);
    let mut counting: Vec<(&str, Line)> = Vec::new();
    for name in &names {
        let (when, line) = match *name {
            "rounds" => ("before-round", Line::block(format!("if \"rounds <= {most}\""), vec![Line::leaf("rounds 1")])),
            "lost" if only_whether => ("on blows", Line::block("if \"hurt > 0\"", vec![Line::leaf("set lost 1")])),
            "lost" => ("on blows", Line::leaf("lost hurt")),
            _ => ("on blows", Line::leaf("dealt \"min(hit, enemy.endurance)\"")),
        };
        counting.push((when, line));
    }
    count_in(lines, &counting);
    for name in names.iter().rev() {
        lines.insert(0, Line::leaf(format!("let {name} 0")));
    }
}

/// A number that is asked for after fights: up to which number, and only whether there is any of it.
struct Asked {
    name: &'static str,
    most: u32,
    only_whether: bool,
}

fn note_asked(lines: &[Line], asked: &mut Vec<Asked>) {
    for line in lines {
        let words: Vec<&str> =
            line.head.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.')).collect();
        for name in ["rounds", "lost", "dealt"] {
            if words.contains(&name) {
                let most = words.iter().filter_map(|word| word.parse().ok()).max().unwrap_or(0);
                let quick = ["\"lost > 0\"", "\"lost = 0\"", "\"not lost > 0\"", "\"not lost = 0\""];
                let only_whether = quick.iter().any(|quick| line.head.contains(quick));
                asked.push(Asked { name, most, only_whether });
            }
        }
        note_asked(line.body.as_deref().unwrap_or_default(), asked);
    }
}

fn has_fight(lines: &[Line]) -> bool {
    lines.iter().any(|line| is_fight(line) || has_fight(line.body.as_deref().unwrap_or_default()))
}

fn is_fight(line: &Line) -> bool {
    line.head == "fight" || line.head.starts_with("fight ")
}

fn count_in(lines: &mut [Line], counting: &[(&str, Line)]) {
    for line in lines {
        if !is_fight(line) {
            count_in(line.body.as_deref_mut().unwrap_or_default(), counting);
            continue;
        }
        let body = line.body.get_or_insert_default();
        for (when, what) in counting {
            match body.iter_mut().find(|own| own.head == *when) {
                Some(own) => own.body.get_or_insert_default().push(what.clone()),
                None => {
                    // Enemies and numbers of the fight stand before what happens in it.
                    let at = body.iter().position(|own| own.body.is_some()).unwrap_or(body.len());
                    body.insert(at, Line::block(*when, vec![what.clone()]));
                }
            }
        }
    }
}
