//! Parsing skills of a system of rules, a hero's skills, and ranks.

use kdl::KdlNode;

use crate::book::{Circle, SkillIn, Traits, VariableKind};
use crate::syntax::kdl::{arguments, children, entry_span, integer, name_span, property, shown_name, string};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The most skills that can be learned.
const MOST_SKILLS: i64 = 60;

impl Reader<'_> {
    /// `skill weaponskill of=weapon`: skills, including those tied to items.
    pub(crate) fn skills(&mut self, nodes: &[KdlNode]) {
        for node in nodes.iter().filter(|node| node.name().value() == "skill") {
            self.shape(
                node,
                1..=usize::MAX,
                &["of"],
                false,
                "`skill hunting healing` or `skill weaponskill of=weapon`",
            );
            let stat = property(node, "of").and_then(|entry| {
                self.named_item_stat(entry, "name an item-stat: the skill is known in some of its items")
            });
            for entry in arguments(node) {
                if let Some(name) = string(&mut self.problems, entry, "the name of a skill").map(String::from)
                    && self.new_name(&name, entry_span(entry))
                {
                    let skill = self.declare_number(name, VariableKind::Skill, (0, 1), 0);
                    self.own().skills_of.extend(stat.map(|stat| (skill, stat)));
                }
            }
        }
        nodes.iter().filter(|node| node.name().value() == "circle").for_each(|node| self.circle(node));
        for (skill, stat) in self.own().skills_of.clone() {
            let name = self.own().system.variables[skill].name.clone();
            let items: Vec<usize> = self.own().system.items_with(stat).collect();
            for item in items {
                let is_known = |own: &SkillIn| own.skill == skill && own.item == item;
                if self.own().system.skills_in.iter().any(is_known) {
                    continue;
                }
                let own = format!("{name}.{}", self.own().system.variables[item].name);
                let known = self.declare_number(own, VariableKind::SkillIn, (0, 1), 0);
                self.own().system.skills_in.push(SkillIn { skill, item, known });
            }
        }
    }

    /// `circle fire combat-skill=1 { weaponmastery; huntmastery; }`
    fn circle(&mut self, node: &KdlNode) {
        const USAGE: &str = "`circle fire { tracking; hunting; }`";
        let stats = self.item_stat_names();
        let properties: Vec<&str> = stats.iter().map(String::as_str).collect();
        self.shape(node, 1..=1, &properties, true, USAGE);
        let Some(name) = self.declares(node, "the name of a circle") else { return };
        let mut skills = Vec::new();
        for child in children(node) {
            let skill = child.name().value();
            self.shape(child, 0..=0, &[], false, USAGE);
            match self.own().skill(skill) {
                Some(skill) => skills.push(skill),
                None => {
                    let system = &self.own().system;
                    let known: Vec<String> = system.skills().map(|own| system.variables[own].name.clone()).collect();
                    let help = did_you_mean(skill, known.iter().map(String::as_str))
                        .unwrap_or_else(|| "name skills that are declared".into());
                    self.error(name_span(child), format!("`{}` is not a skill", shown_name(skill)), help);
                }
            }
        }
        if children(node).is_empty() {
            self.error(name_span(node), "a circle of no skills", format!("write {USAGE}"));
        }
        let traits = self.traits(node, &Traits::default());
        let circle = self.declare_number(name, VariableKind::Circle, (0, 1), 0);
        self.own().system.variables[circle].traits = traits;
        self.own().system.circles.push(Circle { circle, skills });
    }

    /// `learns 5`
    pub(crate) fn own_learns(&mut self, node: &KdlNode) {
        self.shape(node, 1..=1, &[], false, "`learns 5`");
        let Some(entry) = arguments(node).next() else { return };
        let most = integer::<u8>(&mut self.problems, entry, 0..=MOST_SKILLS, "how many skills a hero knows");
        self.own().system.learns = most.map(usize::from);
    }

    /// `ranks novice intuite doan`
    pub(crate) fn own_ranks(&mut self, node: &KdlNode) {
        self.shape(node, 1..=usize::MAX, &[], false, "`ranks novice intuite doan`");
        let mut ranks = Vec::new();
        for entry in arguments(node) {
            if let Some(name) = string(&mut self.problems, entry, "a rank")
                && self.well_formed(name, &entry_span(entry))
            {
                ranks.push(name.into());
            }
        }
        self.own().system.ranks = ranks;
    }

    /// A skill of a hero: `hunting`, `weaponskill sword axe`.
    pub(crate) fn known_skill(&mut self, skill: usize, node: &KdlNode) {
        let own = self.own();
        let name = own.system.variables[skill].name.clone();
        let is_in_items = own.skills_of.iter().any(|(own, _)| *own == skill);
        let count = if is_in_items { 0..=usize::MAX } else { 0..=0 };
        self.shape(node, count, &[], false, &format!("`{name}`"));
        self.own().system.variables[skill].start = 1;
        for entry in arguments(node) {
            let Some(item) = string(&mut self.problems, entry, "the name of an item") else { continue };
            let system = &self.own().system;
            let of_skill = system.skills_in.iter().filter(|own| own.skill == skill);
            let known: Vec<(String, usize)> =
                of_skill.map(|own| (system.variables[own.item].name.clone(), own.known)).collect();
            match known.iter().find(|(own, _)| own == item) {
                Some((_, flag)) => self.own().system.variables[*flag].start = 1,
                None => {
                    let help = did_you_mean(item, known.iter().map(|(own, _)| own.as_str()))
                        .unwrap_or_else(|| "name an item in which the skill can be known".into());
                    let message = format!("`{name}` is not known in `{}`", shown_name(item));
                    self.error(entry_span(entry), message, help);
                }
            }
        }
    }

    /// Checks that a hero does not know too many skills.
    pub(crate) fn not_too_many_skills(&mut self, node: &KdlNode) {
        let system = &self.own().system;
        let known = system.skills().filter(|own| system.variables[*own].start > 0).count();
        let Some(most) = system.learns.filter(|most| known > *most) else { return };
        let mut names = children(node).iter().map(|child| child.name().value());
        if names.any(|name| system.variables.iter().any(|own| own.name == name)) {
            let message = format!("this hero knows {known} skills, and learns {most}");
            self.error(name_span(node), message, format!("leave some out, or write `learns {known}`"));
        }
    }
}
