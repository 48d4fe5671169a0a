//! Books that look random in which much is carried, and mostly only how much it is matters.

use crate::dice::Dice;

const THINGS: [&str; 5] = ["rope", "lamp", "coal", "meal", "chest"];
const BLADES: [&str; 3] = ["sword", "axe", "mace"];

struct Author {
    dice: Dice,
    /// Whether the pack is a thing itself.
    carried: bool,
}

impl Author {
    fn thing(&mut self) -> &'static str {
        if self.dice.below(4) == 0 { self.dice.one_of(&BLADES) } else { self.dice.one_of(&THINGS) }
    }

    /// What is asked: mostly how much is carried, seldom what.
    fn condition(&mut self) -> String {
        let n = 1 + self.dice.below(3);
        match self.dice.below(9) {
            0 => format!("has {}", self.thing()),
            1 => format!("{} >= {n}", self.thing()),
            2 => format!("pack.room < {n}"),
            3 => format!("belt.items >= {n}"),
            4 => format!("pack.items + belt.items > {n}"),
            5 => format!("({}) and ({})", self.condition(), self.condition()),
            _ => format!("pack.items {} {n}", self.dice.one_of(&["<", ">=", "=", ">"])),
        }
    }

    fn node(&mut self, depth: u64) -> String {
        let n = 1 + self.dice.below(2);
        match self.dice.below(if depth == 0 { 12 } else { 16 }) {
            0..3 => format!("take {{ {}; {} {n}; }}", self.thing(), self.dice.one_of(&THINGS)),
            3 => format!("gain {} {n}", self.dice.one_of(&THINGS)),
            4 => format!("lose {}", self.thing()),
            5 => format!("lose {} all", self.thing()),
            6 => format!("lose-all {}", self.dice.one_of(&["pack", "belt", "pack except=\"rope\"", "pack belt"])),
            7 => format!("give-up {} {n} by=chance", self.dice.one_of(&["pack", "belt", "pack belt"])),
            8 => format!("give-up {} {n}", self.dice.one_of(&["pack", "belt", "pack coins"])),
            9 => format!("set {} {}", self.thing(), self.dice.below(4)),
            10 if self.carried => self.dice.one_of(&["lose pack", "gain pack"]).into(),
            10 => "coins 1".into(),
            11 => format!("health {}", self.dice.one_of(&["-1", "1"])),
            12 => format!("if \"{}\" {{ {}; }}; else {{ {}; }}", self.condition(), self.node(0), self.node(0)),
            13 => format!("roll d3 {{ when 1 {{ {}; }}; else {{ {}; }}; }}", self.node(0), self.node(0)),
            14 => format!("fight Rat wounds={n}"),
            _ => format!(
                "choice \"eat {{item}}\" with=food {{ lose item; health 1; }}; choice no {{ {}; }}",
                self.node(0)
            ),
        }
    }

    fn section(&mut self, number: u64) -> String {
        let nodes: Vec<String> = (0..=1 + self.dice.below(2)).map(|_| format!("    {}\n", self.node(1))).collect();
        let end = match self.dice.below(4) {
            _ if number == 4 => format!("if \"{}\" {{ goto 5; }}; death", self.condition()),
            0 => format!("if \"{}\" {{ death; }}; goto {}", self.condition(), number + 1),
            1 => format!("roll d6 {{ when 1 2 {{ goto {}; }}; else {{ goto {}; }}; }}", number.max(2), number + 1),
            _ => format!("goto {}", number + 1),
        };
        // Choices that stand together would be one question.
        format!("section {number} {{\n{}    coins 0\n    {end}\n}}\n", nodes.concat())
    }
}

/// A book that is the same for the same seed, whatever the machine.
pub fn random_pack_book(seed: u64) -> String {
    let mut author = Author { dice: Dice(seed), carried: false };
    let a = &mut author;
    a.carried = a.dice.below(3) == 0;
    let mut text = format!(
        "book Packs format=1 system=none\nstart 1\ngoal 5\nstat health start=2 vital=#true max=3\ncounter coins max=2\n\
         container pack holds={}{}\ncontainer belt holds=2\nitem-stat edge max=2\nitem-stat food max=1\n\
         enemy-stat wounds vital=#true max=2\nkind blade in=belt edge=1\n\
         items {{ item rope in=pack{}; item lamp in=pack start={}; item coal in=pack start={}; item meal in=pack food=1{}; \
         item chest in=pack places={}; blade sword start={}; blade axe; blade mace edge={}; }}\n",
        2 + a.dice.below(3),
        if a.carried { " carried=#true" } else { "" },
        a.dice.one_of(&["", " max=1", " max=2"]),
        a.dice.below(2),
        a.dice.below(2),
        a.dice.one_of(&["", " max=2"]),
        1 + a.dice.below(2),
        a.dice.below(2),
        1 + a.dice.below(2),
    );
    text += "fight-system { wield edge; round { roll d3 as=r; if \"r + wielded.edge >= 3\" { enemy.wounds -1; }; \
             else { health -1; }; }; }\n";
    for number in 1..5 {
        text += &a.section(number);
    }
    text + "section 5 { victory; }\n"
}
