//! The nodes of random books.

use super::Author;

/// Of so many kinds nodes are.
const KINDS: u64 = 30;
/// The first of them hold no others.
const PLAIN: u64 = 15;

impl Author {
    /// A node, with others in it down to this depth.
    pub(super) fn node(&mut self, depth: u32) -> String {
        let n = 1 + self.dice.below(4);
        let item = self.item();
        let kind = self.dice.below(if depth > 0 { KINDS } else { PLAIN });
        let node = if kind < PLAIN { self.plain(kind, n, &item) } else { self.nested(kind, n, depth) };
        format!("{node}\n")
    }

    /// A node that holds no others.
    fn plain(&mut self, kind: u64, n: u64, item: &str) -> String {
        match kind {
            0 => format!("endurance -{}", n + 1),
            1 => format!("endurance {n}"),
            2 => format!("endurance {}", self.dice.one_of(&["full", "half", "\"gold - 4\""])),
            3 => format!("gain {item}"),
            4 => format!("gain gold {}", n * 2),
            5 => self.dice.one_of(&["lose gold 3", "lose gold all", "lose gold 1"]).into(),
            6 => format!("lose {item} {}", self.dice.one_of(&["1", "2", "all", "gold"])),
            7 => format!(
                "lose-all {}",
                self.dice.one_of(&[
                    "weapons",
                    "backpack-items",
                    "special",
                    "gold",
                    "special except=\"key mail\"",
                    "weapons except=axe",
                ])
            ),
            8 => format!(
                "give-up {} {n}{}",
                self.dice.one_of(&["weapons", "backpack-items"]),
                self.dice.one_of(&["", " by=chance"])
            ),
            9 => self.dice.one_of(&["set one", "set two", "clear one", "clear two"]).into(),
            10 => format!("set count {}", self.dice.one_of(&["2", "\"count + 1\"", "\"count - 1\"", "gold", "meal"])),
            11 => self.dice.one_of(&["eat", "eat hunting=#false", "eat optional=#true"]).into(),
            12 => {
                let other = self.item();
                let at_most = self.dice.one_of(&["", "", " at-most=1", " at-most=2"]);
                format!("take{at_most} {{ {item}; gold {n}; {other} {}; }}", self.dice.below(3))
            }
            13 => {
                let (other, third) = (self.item(), self.item());
                format!(
                    "shop {{ buy {item} {n}; sell {other} {}{}; buy {third} 2 at-most=1; }}",
                    self.dice.below(4),
                    self.dice.one_of(&["", " at-most=1"])
                )
            }
            _ => "pick { when 0 5 { }; else { endurance -4; }; }".into(),
        }
    }

    /// A node that holds others.
    fn nested(&mut self, kind: u64, n: u64, depth: u32) -> String {
        match kind {
            15 => {
                let (condition, yes, no) = (self.condition(), self.block(depth - 1), self.block(depth - 1));
                format!("if \"{condition}\" {{\n{yes}}} \nelse {{\n{no}}}")
            }
            16 => format!(
                "pick {{\nwhen 0 {n} {{\n{}}}\nelse {{\n{}}}\n}}",
                self.leaving(depth - 1),
                self.block(depth - 1)
            ),
            17 => {
                let condition = self.condition();
                let (first, second) = (self.leaving(depth - 1), self.block(depth - 1));
                format!("choice {{ require \"{condition}\"\n{first}}}\nchoice {{\n{second}}}")
            }
            18 => self.named_number(depth),
            19 => {
                // A name can be that of a loop within this one, too.
                let name = self.dice.one_of(&["r", "r", "s"]).to_string();
                self.loops.push(name.clone());
                let body = self.block(depth - 1);
                self.loops.pop();
                format!("repeat {name} {{\n{body}pick {{ when 0 3 {{ again {name}; }}; else {{ }}; }}\n}}")
            }
            20 => {
                let condition = self.condition();
                let (low, high) = (self.block(depth - 1), self.leaving(depth - 1));
                format!(
                    "pick count=2 {{\nplus {n} if=\"{condition}\"\nplus -2\nwhen -2 9 {{\n{low}}}\nelse {{\n{high}}}\n}}"
                )
            }
            21 => self.contest(depth),
            22 => {
                let [worse, equal, better] = [(); 3].map(|()| self.block(depth - 1));
                format!(
                    "one-round \"A\" skill=15 endurance=9 {{\nworse {{\n{worse}}}\nequal {{\n{equal}}}\nbetter {{\n{better}}}\n}}"
                )
            }
            23 => self.large_contest(depth),
            24 => self.nested_choices(depth),
            25 => {
                let discipline =
                    self.dice.one_of(&["discipline healing", "skilled sword", "rank novice", "rank aspirant"]);
                let (yes, no) = (self.leaving(depth - 1), self.block(depth - 1));
                let condition = self.condition();
                format!("if \"{discipline}\" {{\n{no}}}\nelse-if \"{condition}\" {{\n{yes}}}\nelse {{\n{no}}}")
            }
            26 => format!("if \"{}\" {{ victory; }}", self.condition()),
            _ => self.fight(depth),
        }
    }

    /// A number that is picked or chosen, and asked for later.
    fn named_number(&mut self, depth: u32) -> String {
        self.names += 1;
        if self.names > 8 {
            return String::new();
        }
        let name = format!("n{}", self.names);
        let then = self.block(depth - 1);
        match self.dice.below(3) {
            0 => format!(
                "pick as={name} {{ }}\nlose gold \"min({name}, 3)\"\n{then}if \"{name} > 6\" {{ gain gold {name}; }}"
            ),
            1 => format!(
                "choice each={name} from=0 to=\"min(gold, 3)\" {{\nlose gold {name}\n{then}endurance {name}\n}}"
            ),
            _ => {
                format!("choice each={name} from=1 to=3 {{\nendurance \"-{name}\"\n{then}gain gold \"2 * {name}\"\n}}")
            }
        }
    }

    /// A pick of two numbers that are compared.
    fn contest(&mut self, depth: u32) -> String {
        self.names += 2;
        if self.names > 8 {
            return String::new();
        }
        let (mine, other) = (format!("m{}", self.names), format!("o{}", self.names));
        let (less, same) = (self.leaving(depth - 1), self.block(depth - 1));
        format!(
            "pick {mine}=1 {other}=1 {{\nwhen \"{mine} < {other}\" {{\n{less}}}\nwhen \"{mine} = {other}\" {{\n{same}}}\nelse {{ gain gold \"{mine} - {other}\"; if \"{mine} + gold > {other} + 6\" {{ endurance -2; }}; }}\n}}"
        )
    }

    /// A pick of many numbers: its weights are large.
    fn large_contest(&mut self, depth: u32) -> String {
        self.names += 2;
        if self.names > 8 {
            return String::new();
        }
        let (mine, other) = (format!("m{}", self.names), format!("o{}", self.names));
        let counts = [1 + self.dice.below(self.most_picks), 1 + self.dice.below(self.most_picks)];
        let (more, less) = (self.leaving(depth - 1), self.block(depth - 1));
        let zero = self.dice.one_of(&["", " zero-is=10"]);
        let condition = match self.dice.below(3) {
            0 => format!("{mine} > {other}"),
            1 => format!("{mine} = {other} or {other} - {mine} > 20"),
            _ => format!("2 * {mine} >= {other} + 9"),
        };
        format!(
            "pick {mine}={} {other}={}{zero} {{\nwhen \"{condition}\" {{\n{more}}}\nelse {{\n{less}}}\n}}",
            counts[0], counts[1]
        )
    }

    /// A number chosen within the choice of another, and asked for by a pick.
    fn nested_choices(&mut self, depth: u32) -> String {
        self.names += 2;
        if self.names > 8 {
            return String::new();
        }
        let (outer, inner) = (format!("a{}", self.names), format!("b{}", self.names));
        let to = self.dice.one_of(&["2", "\"min(2, gold)\"", "\"max(1, count)\""]);
        let then = self.leaving(depth - 1);
        let other = self.block(depth - 1);
        let limit = 12 + self.dice.below(6);
        format!(
            "choice each={outer} from=0 to=2 {{\nchoice each={inner} from=\"-1\" to={to} {{\n\
             pick count=2 {{\nplus {outer}\nwhen \"{outer} > 1\" {{ endurance \"{inner} - {outer}\"; }}\n\
             when {limit} 30 {{\n{then}}}\nelse {{ lose gold \"{outer} + {inner}\"; }}\n}}\n}}\n}}\n\
             choice {{\n{other}}}"
        )
    }

    fn fight(&mut self, depth: u32) -> String {
        let skill = 13 + self.dice.below(7);
        let mut text = String::new();
        let mut later = String::new();
        if self.names < 8 && self.dice.below(6) == 0 {
            self.names += 1;
            text = format!("pick as=r{} {{ plus -4; }}\n", self.names);
            later = format!("\nmindforce 2 always=#true after=r{}", self.names);
        }
        text.extend([format!("fight {{\nenemy \"A\" skill={skill} endurance={}", 1 + self.dice.below(9))]);
        text.push_str(self.dice.one_of(&["", " undead=#true", " immune-to-mindblast=#true"]));
        if self.dice.below(3) == 0 {
            text.push_str("\nenemy \"B\" skill=15 endurance=5");
        }
        if self.dice.below(2) == 0 {
            let condition = self.dice.one_of(&["has key", "one", "gold > 3", "meal >= 2", "has sword"]);
            text.extend([format!(
                "\n{}",
                self.dice.one_of(&[
                    "bonus 2 rounds=1",
                    "mindforce 2",
                    "mindforce 1 always=#true",
                    "mindforce 3 after=1",
                    "untouchable rounds=1",
                    "double-damage",
                    "bare-hands",
                    "bare-hands rounds=2",
                    "helper 2",
                    "no-potions",
                    "only-parry rounds=1"
                ])
            )]);
            text.extend([format!("\nbonus -2 if=\"{condition}\"")]);
        }
        text.push_str(&later);
        self.ways_out(&mut text, depth);
        text.push_str("\n}\n");
        match self.dice.below(4) {
            2 => text.push_str("set count \"min(rounds, 3)\""),
            0 => text.push_str("if \"rounds < 3\" { gain gold 2; }"),
            1 => text.push_str("if \"wounded\" { lose gold 2; }"),
            _ => {}
        }
        text
    }

    /// Ways out of a fight, and what else can happen in it.
    fn ways_out(&mut self, text: &mut String, depth: u32) {
        let mut ways: Vec<&str> = Vec::new();
        for _ in 0..self.dice.below(3) {
            let way = self.dice.one_of(&[
                "evade",
                "evade from-round=2",
                "mock",
                "defeat leaves=2",
                "stop after=2",
                "stop after=4",
                "first-wound",
                "only-weapon axe",
                "venom 2",
                "defeat leaves=half",
                "returns-half",
                "returns-half\ndefeat leaves=half",
                "slip 3",
            ]);
            // What is called the same here cannot stand together.
            let word = |way: &str| {
                let own = way.split(' ').next().unwrap_or_default();
                let own = if own.starts_with("returns-half") { "defeat" } else { own };
                own.replace("mock", "defeat").replace("venom", "first-wound")
            };
            if ways.iter().all(|other| word(other) != word(way)) {
                ways.push(way);
            }
        }
        for way in ways {
            text.extend([format!("\n{way}")]);
            if !["only", "venom", "returns-half"].iter().any(|word| way.starts_with(word))
                || way.ends_with("half") && way.contains("defeat")
            {
                text.extend([format!(" {{\n{}}}", self.leaving(depth - 1))]);
            }
        }
    }
}
