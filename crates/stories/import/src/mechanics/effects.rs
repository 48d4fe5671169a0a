//! What a rule does: things and numbers given and taken.

use super::{Moment, Runner, State, as_number, change, name_of};
use crate::formula::formula;
use crate::hunting::{self, NO_HUNTING};
use crate::line::{Line, quoted};
use crate::sentence::slug;
use crate::trade::{Trade, shop};
use crate::xml::Element;

impl Runner<'_, '_> {
    /// What a rule does, once.
    pub(super) fn effect(&mut self, rule: &Element, state: &State<'_>) -> Vec<Line> {
        let (names, target) = (name_of(state), self.shared.target);
        let leaf = |text: String| vec![Line::leaf(text)];
        match rule.name.as_str() {
            "pick" => self.pick(rule, &names),
            "drop" => self.drop(rule),
            "endurance" if target.is_system() && rule.attribute("enemy") == Some("true") => {
                self.todo("ENDURANCE of an enemy");
                Vec::new()
            }
            "endurance" => match rule.attribute("count") {
                Some("+[MAXENDURANCE]") if target.is_system() => leaf("endurance full".into()),
                Some("[MAXENDURANCE]") => leaf("endurance full".into()),
                Some(count) => match formula(count, &names, target) {
                    Some(points) if points == "0" => Vec::new(),
                    Some(points) if target.is_system() && rule.attribute("permanent") == Some("true") => {
                        lasting(&points)
                    }
                    Some(points) => leaf(format!("endurance {}", as_number(&points))),
                    None => {
                        self.todo("how much ENDURANCE");
                        Vec::new()
                    }
                },
                None => Vec::new(),
            },
            "combatSkill" if target.is_system() => {
                match rule.attribute("count").map(|count| count.trim_start_matches('+')) {
                    Some(count) if count.parse::<i32>().is_ok() => leaf(format!("combat-skill {count}")),
                    _ => {
                        self.todo("a lasting change of COMBAT SKILL");
                        Vec::new()
                    }
                }
            }
            "combatSkill" => match rule.attribute("count").and_then(|count| count.parse::<i32>().ok()) {
                Some(points @ -20..=-1) => {
                    self.shared.changes.insert(points);
                    leaf(format!("gain {}", change(points)))
                }
                Some(points @ 1..=20) if self.shared.changes.contains(&-points) => {
                    leaf(format!("lose {}", change(-points)))
                }
                _ => {
                    self.todo("a lasting change of COMBAT SKILL");
                    Vec::new()
                }
            },
            "meal" => {
                if rule.attribute("price").is_some() {
                    self.todo("a meal that can be bought");
                }
                if rule.attribute("huntDisabled") == Some("true") {
                    return vec![target.eat(false)];
                }
                if self.shared.flags.contains(NO_HUNTING) {
                    hunting::meal(target).into()
                } else {
                    vec![target.eat(true)]
                }
            }
            "huntStatus" => vec![hunting::change(rule.attribute("enabled") != Some("false"))],
            "tag" => match rule.attribute("id").map(|id| format!("tag-{}", slug(id))) {
                // A flag that no rule reads need not be set.
                Some(flag) if self.shared.flags.contains(&flag) => leaf(format!("set {flag}")),
                _ => Vec::new(),
            },
            "currentWeapon" => {
                if target.is_system() && state.moment == Moment::Round {
                    self.todo("a weapon that is taken up in a fight");
                }
                Vec::new()
            }
            other => {
                self.todo(format!("the rule `{}`", other.chars().take(40).collect::<String>()));
                Vec::new()
            }
        }
    }

    pub(super) fn pick(&mut self, rule: &Element, names: &str) -> Vec<Line> {
        if let Some(id) = rule.attribute("objectId") {
            let name = self.shared.objects.name(id);
            self.todo_peculiar(id);
            if self.shared.target.is_system() && !matches!(rule.attribute("count"), None | Some("1")) {
                self.todo(format!("how many {name}"));
            }
            return vec![Line::leaf(format!("gain {name}"))];
        }
        let thing = match rule.attribute("class") {
            Some("money") if rule.attribute("currency").is_none_or(|currency| currency == "crown") => {
                "gold".to_string()
            }
            Some("meal") => self.shared.objects.name("meal"),
            Some("arrow") if self.shared.target.is_system() => "arrow".into(),
            _ => {
                self.todo("what is picked up");
                return Vec::new();
            }
        };
        let count = rule.attribute("count").unwrap_or("1").trim();
        if count == "-[MONEY]" {
            return vec![Line::leaf("lose gold all")];
        }
        let in_container = thing != "gold" && self.shared.target.is_system();
        match formula(count.trim_start_matches('-'), names, self.shared.target) {
            // The player may leave some of them: so many must be known.
            Some(amount) if in_container && !count.starts_with('-') && amount.parse::<u32>().is_err() => {
                self.todo(format!("how many {thing}"));
                Vec::new()
            }
            Some(amount) if count.starts_with('-') => vec![Line::leaf(format!("lose {thing} {}", as_number(&amount)))],
            Some(amount) => vec![Line::leaf(format!("gain {thing} {}", as_number(&amount)))],
            None => {
                self.todo(format!("how many {thing}"));
                Vec::new()
            }
        }
    }

    pub(super) fn drop(&mut self, rule: &Element) -> Vec<Line> {
        let Some(ids) = rule.attribute("objectId") else {
            self.todo("things lost by their place");
            return Vec::new();
        };
        if let Some(lines) = self.shared.target.lost(ids) {
            return lines.iter().map(|line| Line::leaf(*line)).collect();
        }
        let line = match ids {
            "allmeals" => format!("lose {} all", self.shared.objects.name("meal")),
            id if self.shared.objects.is_known(id) => format!("lose {}", self.shared.objects.name(id)),
            ids if ids.contains('|') => {
                let mut lines: Vec<Line> = Vec::new();
                for id in ids.split('|') {
                    let name = self.shared.objects.name(id);
                    let word = if lines.is_empty() { "if" } else { "else-if" };
                    let lose = vec![Line::leaf(format!("lose {name}"))];
                    lines.push(Line::block(format!("{word} {}", quoted(&format!("has {name}"))), lose));
                }
                return lines;
            }
            other => {
                self.todo(format!("the loss of `{}`", other.chars().take(40).collect::<String>()));
                return Vec::new();
            }
        };
        vec![Line::leaf(line)]
    }

    /// What lies there and what is bought and sold.
    pub(super) fn goods(&mut self, goods: &[&Element], lines: &mut Vec<Line>) {
        let mut free: Vec<(String, usize)> = Vec::new();
        let mut trades = Vec::new();
        for rule in goods {
            let Some(id) = rule.attribute("objectId") else {
                self.todo("a trade in a class of things");
                continue;
            };
            let name = self.shared.objects.name(id);
            self.todo_peculiar(id);
            let count = rule.attribute("count").and_then(|count| count.parse::<usize>().ok());
            let count = count.filter(|_| self.shared.target.is_system()).unwrap_or(1);
            let price = rule.attribute("price").and_then(|price| price.parse::<u32>().ok());
            match (rule.name.as_str(), price) {
                ("sell", Some(price)) => trades.push(Trade { name, price, sells: true, once: false, count }),
                (_, Some(price)) => {
                    let once = rule.attribute("unlimited") != Some("true");
                    trades.push(Trade { name, price, sells: false, once, count });
                }
                _ if name == "quiver" && rule.attribute("count").is_some() => {
                    // A quiver is found with its arrows.
                    free.extend([(name, 1), ("arrow".into(), count)]);
                }
                _ => match free.iter_mut().find(|(own, _)| *own == name) {
                    Some((_, own)) => *own += count,
                    None => free.push((name, count)),
                },
            }
        }
        if !free.is_empty() {
            // Containers come first, since other things are carried in them.
            free.sort_by_key(|(name, _)| !matches!(name.as_str(), "backpack" | "quiver"));
            // No more arrows than a quiver holds.
            let most = |name: &str, count: usize| if name == "arrow" { count.min(6) } else { count };
            let body = free.into_iter().map(|(name, count)| match most(&name, count) {
                count if count > 1 && name != "backpack" => Line::leaf(format!("{name} {count}")),
                _ => Line::leaf(name),
            });
            lines.push(Line::block("take", body.collect()));
        }
        if !trades.is_empty() {
            trades.sort_by_key(|trade| !trade.sells);
            lines.extend(shop(&trades, self.shared.target));
        }
    }

    /// A person has to look at what is found here.
    fn todo_peculiar(&mut self, id: &str) {
        if let Some(what) = self.shared.objects.peculiar(id) {
            self.todo(what);
        }
    }

    pub(super) fn death(&self) -> Line {
        Line::leaf(format!("death {}", quoted(&format!("the end in {}", self.page.number))))
    }
}

/// A loss or gain of ENDURANCE for good: of what the hero has, and of the most that he can have.
fn lasting(points: &str) -> Vec<Line> {
    let line = |name: &str| Line::leaf(format!("{name} {}", as_number(points)));
    let (now, most) = (line("endurance"), line("endurance.initial"));
    // The most is raised first and lowered last, so that both change by as much.
    if points.starts_with(['-', '0']) { vec![now, most] } else { vec![most, now] }
}
