//! What a rule does: things and numbers given and taken.

use super::{Runner, State, as_number, change, name_of};
use crate::formula::formula;
use crate::hunting::{self, NO_HUNTING};
use crate::line::{Line, quoted};
use crate::sentence::slug;
use crate::xml::Element;

impl Runner<'_, '_> {
    /// What a rule does, once.
    pub(super) fn effect(&mut self, rule: &Element, state: &State<'_>) -> Vec<Line> {
        let names = name_of(state);
        let leaf = |text: String| vec![Line::leaf(text)];
        match rule.name.as_str() {
            "pick" => self.pick(rule, &names),
            "drop" => self.drop(rule),
            "endurance" => match rule.attribute("count") {
                Some("[MAXENDURANCE]") => leaf("endurance full".into()),
                Some(count) => match formula(count, &names) {
                    Some(points) if points == "0" => Vec::new(),
                    Some(points) => leaf(format!("endurance {}", as_number(&points))),
                    None => {
                        self.todo("how much ENDURANCE");
                        Vec::new()
                    }
                },
                None => Vec::new(),
            },
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
                    return vec![hunting::eat(false)];
                }
                if self.shared.flags.contains(NO_HUNTING) { hunting::meal().into() } else { vec![hunting::eat(true)] }
            }
            "huntStatus" => vec![hunting::change(rule.attribute("enabled") != Some("false"))],
            "tag" => match rule.attribute("id").map(|id| format!("tag-{}", slug(id))) {
                // Where nobody asks, nobody has to remember.
                Some(flag) if self.shared.flags.contains(&flag) => leaf(format!("set {flag}")),
                _ => Vec::new(),
            },
            "currentWeapon" => Vec::new(),
            other => {
                self.todo(format!("the rule `{}`", other.chars().take(40).collect::<String>()));
                Vec::new()
            }
        }
    }

    pub(super) fn pick(&mut self, rule: &Element, names: &str) -> Vec<Line> {
        if let Some(id) = rule.attribute("objectId") {
            return vec![Line::leaf(format!("gain {}", self.shared.objects.name(id)))];
        }
        let thing = match rule.attribute("class") {
            Some("money") if rule.attribute("currency").is_none_or(|currency| currency == "crown") => {
                "gold".to_string()
            }
            Some("meal") => self.shared.objects.name("meal"),
            _ => {
                self.todo("what is picked up");
                return Vec::new();
            }
        };
        let count = rule.attribute("count").unwrap_or("1").trim();
        if count == "-[MONEY]" {
            return vec![Line::leaf("lose gold all")];
        }
        match formula(count.trim_start_matches('-'), names) {
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
        let line = match ids {
            "allweapons" => "lose-all weapons".to_string(),
            "backpackcontent" => "lose-all backpack-items".into(),
            "backpack" => "lose-all container".into(),
            "allspecial" => "lose-all special".into(),
            "all" => "lose-all weapons container special gold".into(),
            "allobjects" => "lose-all weapons backpack-items special".into(),
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
            let price = rule.attribute("price").and_then(|price| price.parse::<u32>().ok());
            match (rule.name.as_str(), price) {
                ("sell", Some(price)) => trades.push(Line::leaf(format!("sell {name} {price}"))),
                (_, Some(price)) => {
                    let once = if rule.attribute("unlimited") == Some("true") { "" } else { " at-most=1" };
                    trades.push(Line::leaf(format!("buy {name} {price}{once}")));
                }
                _ => match free.iter_mut().find(|(own, _)| *own == name) {
                    Some((_, count)) => *count += 1,
                    None => free.push((name, 1)),
                },
            }
        }
        if !free.is_empty() {
            // What other things are carried in comes first.
            free.sort_by_key(|(name, _)| *name != "backpack");
            let body = free.into_iter().map(|(name, count)| match count {
                count if count > 1 && name != "backpack" => Line::leaf(format!("{name} {count}")),
                _ => Line::leaf(name),
            });
            lines.push(Line::block("take", body.collect()));
        }
        if !trades.is_empty() {
            trades.sort_by_key(|trade| !trade.head.starts_with("sell"));
            lines.push(Line::block("shop", trades));
        }
    }

    pub(super) fn death(&self) -> Line {
        Line::leaf(format!("death {}", quoted(&format!("the end in {}", self.page.number))))
    }
}
