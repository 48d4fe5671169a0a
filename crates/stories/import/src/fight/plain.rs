//! A fight as the text alone tells it.

use super::system::Written;
use super::{Change, Combat, Kind};
use crate::line::{Line, quoted};
use crate::sentence::Modifier;
use crate::target::Target;

/// A fight as the text alone tells it.
pub(crate) struct Plain<'a> {
    /// Name, COMBAT SKILL and ENDURANCE.
    pub enemies: &'a [(&'a str, i32, i32)],
    pub modifiers: &'a [Modifier],
    /// The attacks of the mind to which the enemies are immune.
    pub immune: &'a [&'static str],
    pub undead: bool,
    /// How one leaves it before it is won, and what follows.
    pub exits: Vec<(Exit, Vec<Line>)>,
}

/// How a fight is left before it is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// One can run from this round on.
    Evade(u32),
    /// It stops after so many rounds.
    Stop(u32),
}

impl Plain<'_> {
    /// It in the language of Lone Wolf; a single enemy stands in the line of the fight.
    pub fn in_lone_wolf(&self) -> Line {
        let mut body = self.lines();
        if self.enemies.len() > 1 {
            return Line::block("fight", body);
        }
        let head = body.remove(0).head.replacen("enemy ", "fight ", 1);
        if body.is_empty() { Line::leaf(head) } else { Line::block(head, body) }
    }

    /// The same with a line for each enemy.
    pub fn with_enemies_apart(&self) -> Line {
        Line::block("fight", self.lines())
    }

    fn lines(&self) -> Vec<Line> {
        let mut marks = String::new();
        if self.undead {
            marks.push_str(" undead=#true");
        }
        if !self.immune.is_empty() {
            marks.push_str(" immune-to-mindblast=#true");
        }
        let enemy = |(name, skill, endurance): &(&str, i32, i32)| {
            Line::leaf(format!("enemy {} skill={skill} endurance={endurance}{marks}", quoted(name)))
        };
        let mut body: Vec<Line> = self.enemies.iter().map(enemy).collect();
        body.extend(self.modifiers.iter().map(|modifier| {
            Line::leaf(match modifier {
                Modifier::Always(points) => format!("bonus {points}"),
                Modifier::FirstRound(points) => format!("bonus {points} rounds=1"),
                Modifier::Unscreened(points) => format!("bonus {points} if=\"not discipline mindshield\""),
            })
        }));
        body.extend(self.exits.iter().map(|(exit, lines)| {
            let head = match exit {
                Exit::Evade(1) => "evade".into(),
                Exit::Evade(round) => format!("evade from-round={round}"),
                Exit::Stop(rounds) => format!("stop after={rounds}"),
            };
            Line::block(head, lines.clone())
        }));
        body
    }

    /// It for a system of rules; and what our language cannot say.
    pub fn in_system(&self, target: Target) -> (Line, Vec<&'static str>) {
        let escape = self.exits.iter().find_map(|(exit, lines)| match exit {
            Exit::Evade(round) => Some((*round, lines.clone())),
            Exit::Stop(_) => None,
        });
        let mut later = Combat {
            kind: Kind { undead: self.undead, immune: self.immune.contains(&"mindblast") },
            evade: escape.as_ref().and_then(|(round, _)| i32::try_from(*round).ok()),
            ..Combat::default()
        };
        let known = |attack: &&'static str| match *attack {
            "mindblast" => false,
            "psi-surge" => true,
            _ => target != Target::Magnakai,
        };
        later.more.immune.extend(self.immune.iter().copied().filter(known));
        let mut first_round = 0;
        for modifier in self.modifiers {
            match modifier {
                Modifier::Always(points) => later.skill = later.skill.saturating_add(*points),
                Modifier::FirstRound(points) => first_round += points,
                Modifier::Unscreened(points) => later.mindforce_skill += points,
            }
        }
        let first = Combat { skill: later.skill.saturating_add(first_round), ..later.clone() };
        let changes = if first == later { Vec::new() } else { vec![Change::to(1, later)] };
        let combats = vec![first; self.enemies.len()];
        let written = Written {
            target,
            enemies: self.enemies,
            combats: &combats,
            hands: &[],
            changes,
            rounds: self
                .exits
                .iter()
                .filter_map(|(exit, lines)| match exit {
                    Exit::Stop(rounds) => Some((Some(*rounds), lines.clone())),
                    Exit::Evade(_) => None,
                })
                .collect(),
            escape: escape.map(|(_, lines)| lines),
            defeat: None,
        };
        let (line, mut problems) = written.write();
        if self.enemies.len() > 1 && !written.rounds.is_empty() {
            problems.push("what happens after a round against several enemies");
        }
        (line, problems)
    }
}
