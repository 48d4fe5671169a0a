//! A book compiled for one hero: small steps over registers.

use std::sync::Arc;

use budget::{Budget, Stage, Stopped};
use dashu_int::UBig;
use rustc_hash::FxHashMap;

use crate::book::{Book, Comparison, Enemy, ItemId, Kind, Operator, SectionNumber, Thing};
use crate::discipline::Discipline;
use crate::hero::Hero;
use crate::state::{Layout, Register};

/// A place in a program.
pub(crate) type Place = u32;

/// A number that depends on the registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Constant(i32),
    Register(Register),
    /// A register that holds a name bound in a section (shifted, so that it can be negative), and
    /// the largest number that it can stand for.
    Local(Register, i32),
    MaxEndurance,
    OfKind(Kind),
    BackpackRoom,
    Operation(Operator, Box<Value>, Box<Value>),
}

impl Value {
    /// How many numbers it is made of, itself included.
    pub(crate) fn nodes(&self) -> usize {
        match self {
            Self::Operation(_, left, right) => 1 + left.nodes() + right.nodes(),
            _ => 1,
        }
    }

    /// An upper bound of the number; `None` where none is known.
    pub(crate) fn most(&self, layout: &Layout) -> Option<i32> {
        match self {
            Self::Constant(number) => Some(*number),
            Self::Register(register) => Some(i32::from(layout.max(*register))),
            Self::Local(_, most) => Some(*most),
            Self::Operation(Operator::Plus, left, right) => {
                Some(left.most(layout)?.saturating_add(right.most(layout)?))
            }
            Self::Operation(Operator::Minus, left, right) => {
                Some(left.most(layout)?.saturating_sub(right.least(layout)?))
            }
            Self::Operation(Operator::Min, left, right) => {
                left.most(layout).into_iter().chain(right.most(layout)).min()
            }
            Self::Operation(Operator::Max, left, right) => Some(left.most(layout)?.max(right.most(layout)?)),
            Self::Operation(Operator::Times, ..) | Self::MaxEndurance | Self::OfKind(_) | Self::BackpackRoom => None,
        }
    }

    /// A lower bound of the number; `None` where none is known.
    pub(crate) fn least(&self, layout: &Layout) -> Option<i32> {
        match self {
            Self::Constant(number) => Some(*number),
            Self::Register(_) | Self::MaxEndurance | Self::OfKind(_) | Self::BackpackRoom => Some(0),
            Self::Local(..) | Self::Operation(Operator::Times, ..) => None,
            Self::Operation(Operator::Plus, left, right) => {
                Some(left.least(layout)?.saturating_add(right.least(layout)?))
            }
            Self::Operation(Operator::Minus, left, right) => {
                Some(left.least(layout)?.saturating_sub(right.most(layout)?))
            }
            Self::Operation(Operator::Min, left, right) => Some(left.least(layout)?.min(right.least(layout)?)),
            Self::Operation(Operator::Max, left, right) => {
                left.least(layout).into_iter().chain(right.least(layout)).max()
            }
        }
    }
}

/// A condition on the registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    Constant(bool),
    Compare(Comparison, Value, Value),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

impl Test {
    /// How many tests and numbers it is made of, itself included.
    pub(crate) fn nodes(&self) -> usize {
        match self {
            Self::Constant(_) => 1,
            Self::Compare(_, left, right) => 1 + left.nodes() + right.nodes(),
            Self::Not(inner) => 1 + inner.nodes(),
            Self::And(left, right) | Self::Or(left, right) => 1 + left.nodes() + right.nodes(),
        }
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Constant(holds) => Self::Constant(!holds),
            other => Self::Not(Box::new(other)),
        }
    }

    pub(crate) fn both(left: Self, right: Self) -> Self {
        match (left, right) {
            (Self::Constant(false), _) | (_, Self::Constant(false)) => Self::Constant(false),
            (Self::Constant(true), other) | (other, Self::Constant(true)) => other,
            (left, right) => Self::And(Box::new(left), Box::new(right)),
        }
    }

    pub(crate) fn either(left: Self, right: Self) -> Self {
        match (left, right) {
            (Self::Constant(true), _) | (_, Self::Constant(true)) => Self::Constant(true),
            (Self::Constant(false), other) | (other, Self::Constant(false)) => other,
            (left, right) => Self::Or(Box::new(left), Box::new(right)),
        }
    }
}

/// One answer of a question that an author wrote.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Alternative {
    pub label: u32,
    pub test: Test,
    /// A number that is chosen with it.
    pub each: Option<(Register, Value, Value)>,
    pub body: Place,
}

/// One line of a shop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub item: ItemId,
    pub price: u8,
    pub buy: bool,
    /// The register that counts what has changed hands, and how often that may be.
    pub stock: Option<(Register, u8)>,
    /// Where the shop is when this has changed hands.
    pub again: Place,
}

/// What can come up in a pick.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    pub weight: UBig,
    pub set: Option<(Register, u16)>,
    pub next: Place,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Jump(Place),
    /// ENDURANCE lost or got back.
    Endurance {
        change: Value,
        next: Place,
    },
    Restore {
        half: bool,
        next: Place,
    },
    /// Added to a register, within 0 and its maximum.
    Add {
        register: Register,
        change: Value,
        next: Place,
    },
    Set {
        register: Register,
        value: Value,
        next: Place,
    },
    /// A special item or container is got.
    Wear {
        item: ItemId,
        next: Place,
    },
    /// Items are lost; `None`: all of them.
    Lose {
        item: ItemId,
        count: Option<Value>,
        next: Place,
    },
    LoseAll {
        items: Box<[ItemId]>,
        next: Place,
    },
    Branch {
        test: Test,
        yes: Place,
        no: Place,
    },
    Choose {
        alternatives: Box<[Alternative]>,
    },
    Pick {
        outcomes: Box<[Outcome]>,
    },
    /// The player takes up to so many, dropping others of the kind where there is no room.
    /// Who takes something goes on at `with`.
    Take {
        thing: Thing,
        count: Value,
        limited: bool,
        with: Place,
        next: Place,
    },
    /// The player gives up LEFT items of a kind.
    GiveUp {
        kind: Kind,
        next: Place,
    },
    /// Chance takes LEFT items of a kind.
    Scatter {
        kind: Kind,
        next: Place,
    },
    /// The player eats, or goes hungry.
    Eat {
        next: Place,
    },
    Shop {
        lines: Box<[Line]>,
        next: Place,
    },
    /// The player may use what heals.
    Use {
        after_combat: bool,
        next: Place,
    },
    /// The player chooses a weapon.
    Begin {
        fight: u32,
        next: Place,
    },
    /// The next enemy steps forward.
    Foe {
        fight: u32,
        enemy: u8,
        next: Place,
    },
    /// A fight to the end, as one chance.
    Bout {
        fight: u32,
        enemy: u8,
        rounds: Place,
    },
    /// Before a round: fight on or leave.
    Round {
        fight: u32,
        clash: Place,
        flee: Place,
    },
    /// A round.
    Clash {
        fight: u32,
        enemy: u8,
        round: Place,
    },
    /// A round in which the hero leaves.
    Flee {
        fight: u32,
        enemy: u8,
    },
    /// A lone round.
    Compare {
        fight: u32,
        worse: Place,
        equal: Place,
        better: Place,
    },
    /// On to a section.
    Leave {
        heals: bool,
        section: SectionNumber,
        next: Place,
    },
    /// A section begins.
    Enter {
        next: Place,
    },
    Death,
    Victory,
    /// No choice can be taken, or the author's text ends.
    Stuck,
}

impl Op {
    /// The same step with other places and fights; labels and sections are left out.
    pub(crate) fn map_places(&self, of: impl Fn(Place) -> Place, fight_of: &mut impl FnMut(u32) -> u32) -> Self {
        let mut op = self.clone();
        match &mut op {
            Self::Jump(place)
            | Self::Enter { next: place }
            | Self::Endurance { next: place, .. }
            | Self::Restore { next: place, .. }
            | Self::Add { next: place, .. }
            | Self::Set { next: place, .. }
            | Self::Wear { next: place, .. }
            | Self::Lose { next: place, .. }
            | Self::LoseAll { next: place, .. }
            | Self::GiveUp { next: place, .. }
            | Self::Scatter { next: place, .. }
            | Self::Eat { next: place }
            | Self::Use { next: place, .. } => *place = of(*place),
            Self::Leave { next: place, section, .. } => {
                *section = 0;
                *place = of(*place);
            }
            Self::Branch { yes, no, .. } => (*yes, *no) = (of(*yes), of(*no)),
            Self::Choose { alternatives } => {
                for alternative in alternatives.iter_mut() {
                    alternative.label = 0;
                    alternative.body = of(alternative.body);
                }
            }
            Self::Pick { outcomes } => outcomes.iter_mut().for_each(|outcome| outcome.next = of(outcome.next)),
            Self::Take { with, next, .. } => (*with, *next) = (of(*with), of(*next)),
            Self::Shop { lines, next } => {
                lines.iter_mut().for_each(|line| line.again = of(line.again));
                *next = of(*next);
            }
            Self::Begin { fight, next } => (*fight, *next) = (fight_of(*fight), of(*next)),
            Self::Foe { fight, .. }
            | Self::Bout { fight, .. }
            | Self::Round { fight, .. }
            | Self::Clash { fight, .. }
            | Self::Flee { fight, .. } => *fight = fight_of(*fight),
            Self::Compare { fight, worse, equal, better } => {
                *fight = fight_of(*fight);
                (*worse, *equal, *better) = (of(*worse), of(*equal), of(*better));
            }
            Self::Death | Self::Victory | Self::Stuck => {}
        }
        op
    }
}

/// What the hero fights with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arm {
    pub bonus: i32,
    pub doubles_undead: bool,
}

/// Empty hands.
pub(crate) const BARE_HANDS: Arm = Arm { bonus: -4, doubles_undead: false };
/// A weapon without powers.
pub(crate) const PLAIN_WEAPON: Arm = Arm { bonus: 0, doubles_undead: false };

/// A fight, ready to be fought.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FightPlan {
    pub enemies: Vec<Enemy>,
    /// Where each enemy steps forward.
    pub foes: Vec<Place>,
    pub bonuses: Vec<(i32, Option<u32>, Test)>,
    pub bare_hands: bool,
    pub only_weapon: Option<ItemId>,
    pub mindforce: u8,
    pub untouchable: u32,
    pub double_damage: bool,
    pub won: Place,
    pub evade: Option<(u32, Place)>,
    pub mock: Option<Place>,
    pub defeat: Option<(u8, Place)>,
    pub stop: Option<(u32, Place)>,
    pub first_wound: Option<Place>,
    /// Rounds beyond this many are alike.
    pub round_cap: u16,
    /// Whether wounds are remembered.
    pub wounds: bool,
}

impl FightPlan {
    /// The same fight as far as what comes of it is concerned, with other places for that. Names are left out.
    pub(crate) fn map_places(&self, of: impl Fn(Place) -> Place) -> Self {
        Self {
            enemies: self.enemies.iter().map(|enemy| Enemy { name: String::new(), ..enemy.clone() }).collect(),
            foes: Vec::new(),
            won: of(self.won),
            evade: self.evade.map(|(from, place)| (from, of(place))),
            mock: self.mock.map(&of),
            defeat: self.defeat.map(|(leaves, place)| (leaves, of(place))),
            stop: self.stop.map(|(after, place)| (after, of(place))),
            first_wound: self.first_wound.map(of),
            ..self.clone()
        }
    }

    /// Whether rounds must be looked at one by one.
    pub(crate) fn by_rounds(&self) -> bool {
        // A fold does not say after how many rounds the hero was beaten.
        let beaten_asks = (self.mock.is_some() || self.defeat.is_some()) && (self.round_cap > 0 || self.wounds);
        self.evade.is_some() || self.stop.is_some() || self.first_wound.is_some() || beaten_asks
    }
}

/// What does not change while the hero plays.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub endurance: u8,
    pub combat_skill: i32,
    pub mindblast: bool,
    /// For each item the arm that it is; `None` for what is no weapon.
    pub arms: Vec<Option<u8>>,
    /// All different arms; the first is bare hands, the second a plain weapon.
    pub arm_table: Vec<Arm>,
    /// The names of the items and flags, as the book has them.
    pub items: Vec<String>,
    pub flags: Vec<String>,
    pub kinds: Vec<Kind>,
    pub room: u8,
    pub container: Option<ItemId>,
    /// Items that raise the maximum of ENDURANCE, and by how much.
    pub armour: Vec<(ItemId, u8)>,
    /// Items that raise COMBAT SKILL, and by how much.
    pub shields: Vec<(ItemId, i8)>,
    /// Food, and what it heals.
    pub food: Vec<(ItemId, u8)>,
    /// What heals after a fight, and what at any time.
    pub healing: [Vec<(ItemId, u8)>; 2],
}

impl Facts {
    pub(crate) fn new(book: &Book, hero: &Hero) -> Self {
        let mut arm_table = vec![BARE_HANDS, PLAIN_WEAPON];
        let mut arm_of = |arm: Arm| -> u8 {
            let place = arm_table.iter().position(|other| *other == arm).unwrap_or_else(|| {
                arm_table.push(arm);
                arm_table.len() - 1
            });
            place as u8
        };
        let arms = book
            .items
            .iter()
            .map(|item| {
                let weapon = item.weapon.as_ref()?;
                let skilled = hero.knows(Discipline::Weaponskill)
                    && hero.weaponskill.as_ref().is_some_and(|own| *own == item.name || weapon.counts_as.contains(own));
                let bonus = i32::from(weapon.bonus) + if skilled { 2 } else { 0 };
                Some(arm_of(Arm { bonus, doubles_undead: weapon.doubles_undead }))
            })
            .collect();
        let listed = |pick: &dyn Fn(&crate::book::Item) -> Option<u8>| -> Vec<(ItemId, u8)> {
            book.items.iter().enumerate().filter_map(|(id, item)| pick(item).map(|value| (id, value))).collect()
        };
        let heals = |when| listed(&|item| item.heals.filter(|(_, own)| *own == when).map(|(points, _)| points));
        let any_time = heals(crate::book::When::AnyTime);
        let mut after_combat = heals(crate::book::When::AfterCombat);
        after_combat.extend(&any_time);
        Self {
            endurance: hero.endurance,
            combat_skill: hero.combat_skill,
            mindblast: hero.knows(Discipline::Mindblast),
            arms,
            arm_table,
            items: book.items.iter().map(|item| item.name.clone()).collect(),
            flags: book.flags.clone(),
            kinds: book.items.iter().map(|item| item.kind).collect(),
            room: book.room(),
            container: book.items.iter().position(|item| item.kind == Kind::Container),
            armour: listed(&|item| (item.endurance > 0).then_some(item.endurance)),
            shields: book
                .items
                .iter()
                .enumerate()
                .filter(|(_, item)| item.combat_skill != 0)
                .map(|(id, item)| (id, item.combat_skill))
                .collect(),
            food: listed(&|item| item.food.then(|| item.heals.map_or(0, |(points, _)| points))),
            healing: [after_combat, any_time],
        }
    }

    /// Whether an item is a weapon without powers.
    pub(crate) fn is_plain(&self, item: ItemId) -> bool {
        self.kinds[item] == Kind::Weapon && self.arms[item] == Some(1)
    }
}

/// How picked numbers become an outcome of a [`Op::Pick`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Roll {
    /// The sums that are picked: a name, if there is one, and of how many picks.
    pub sums: Vec<(Option<String>, u8)>,
    pub zero_is_ten: bool,
    /// The outcome for every combination of totals, smallest totals first; the first sum changes fastest.
    pub outcomes: Vec<u32>,
}

impl Roll {
    /// How many numbers are picked.
    pub(crate) fn picks(&self) -> usize {
        self.sums.iter().map(|(_, picks)| usize::from(*picks)).sum()
    }

    /// The outcome for these picked numbers, each from 0 to 9, in the order of the sums.
    pub(crate) fn outcome(&self, picked: &[u8]) -> Option<usize> {
        let mut picked = picked.iter();
        let (mut place, mut stride) = (0, 1);
        for (_, picks) in &self.sums {
            for number in picked.by_ref().take(usize::from(*picks)) {
                // Above the least that a pick can bring.
                let above = if self.zero_is_ten { (usize::from(*number) + 9) % 10 } else { usize::from(*number) };
                place += stride * above;
            }
            stride *= 9 * usize::from(*picks) + 1;
        }
        self.outcomes.get(place).and_then(|outcome| usize::try_from(*outcome).ok())
    }
}

/// A compiled book.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub ops: Vec<Op>,
    /// The section of each op.
    pub sections: Vec<SectionNumber>,
    /// Where each section begins; by number.
    pub entries: Vec<Place>,
    /// Where play begins.
    pub start: Place,
    pub labels: Vec<String>,
    /// How the picks are made, by place; `None` where picks that differ only in that share a place.
    pub rolls: FxHashMap<Place, Option<Arc<Roll>>>,
    pub fights: Vec<FightPlan>,
    pub facts: Facts,
    pub layout: Layout,
}

impl Program {
    /// Fills in where sections and shops are, which is known only when all are compiled.
    pub(crate) fn link(&mut self) {
        for (place, op) in (0..).zip(&mut self.ops) {
            match op {
                Op::Leave { section, next, .. } => {
                    *next = self.entries.get(usize::from(*section)).copied().unwrap_or(NOWHERE);
                }
                Op::Shop { lines, .. } => lines.iter_mut().for_each(|line| line.again = place),
                _ => {}
            }
        }
    }

    /// Every place to which a step can lead.
    pub(crate) fn successors(&self, op: &Op, next: &mut Vec<Place>) {
        match op {
            Op::Jump(place)
            | Op::Enter { next: place }
            | Op::Endurance { next: place, .. }
            | Op::Restore { next: place, .. }
            | Op::Add { next: place, .. }
            | Op::Set { next: place, .. }
            | Op::Wear { next: place, .. }
            | Op::Lose { next: place, .. }
            | Op::LoseAll { next: place, .. }
            | Op::GiveUp { next: place, .. }
            | Op::Scatter { next: place, .. }
            | Op::Eat { next: place }
            | Op::Use { next: place, .. }
            | Op::Begin { next: place, .. }
            | Op::Foe { next: place, .. }
            | Op::Leave { next: place, .. } => next.push(*place),
            Op::Branch { yes, no, .. } => next.extend([yes, no]),
            Op::Choose { alternatives } => next.extend(alternatives.iter().map(|alternative| alternative.body)),
            Op::Pick { outcomes } => next.extend(outcomes.iter().map(|outcome| outcome.next)),
            Op::Take { with, next: place, .. } => next.extend([with, place]),
            Op::Shop { lines, next: place } => {
                next.push(*place);
                next.extend(lines.iter().map(|line| line.again));
            }
            Op::Bout { fight, enemy, rounds: place } | Op::Clash { fight, enemy, round: place } => {
                next.push(*place);
                fight_successors(&self.fights[*fight as usize], (*enemy).into(), next);
            }
            Op::Flee { fight, enemy } => fight_successors(&self.fights[*fight as usize], (*enemy).into(), next),
            Op::Round { clash, flee, .. } => next.extend([clash, flee]),
            Op::Compare { worse, equal, better, .. } => next.extend([worse, equal, better]),
            Op::Death | Op::Victory | Op::Stuck => {}
        }
    }

    /// For every place the places from which a step can lead to it.
    pub(crate) fn predecessors(&self, budget: &Budget<'_>) -> Result<Vec<Vec<Place>>, Stopped> {
        budget.memory((self.ops.len() * (size_of::<Vec<Place>>() + 4 * size_of::<Place>())) as u64)?;
        let mut before: Vec<Vec<Place>> = vec![Vec::new(); self.ops.len()];
        let mut next = Vec::new();
        for (place, op) in (0..).zip(&self.ops) {
            budget.step(Stage::Compiling, u64::from(place), self.ops.len() as u64)?;
            next.clear();
            self.successors(op, &mut next);
            for next in next.iter().filter(|next| **next != NOWHERE) {
                before[*next as usize].push(place);
            }
        }
        Ok(before)
    }

    /// Every place to which a step can lead in the end: of a fight only the ways out of it.
    pub(crate) fn ways_out(&self, op: &Op, next: &mut Vec<Place>) {
        match op {
            Op::Foe { fight, .. }
            | Op::Bout { fight, .. }
            | Op::Round { fight, .. }
            | Op::Clash { fight, .. }
            | Op::Flee { fight, .. } => {
                let plan = &self.fights[*fight as usize];
                fight_successors(plan, plan.enemies.len(), next);
            }
            op => self.successors(op, next),
        }
    }
}

/// Every way out of a fight with this enemy.
fn fight_successors(fight: &FightPlan, enemy: usize, next: &mut Vec<Place>) {
    next.push(fight.foes.get(enemy + 1).copied().unwrap_or(fight.won));
    next.extend(fight.evade.map(|(_, place)| place));
    next.extend(fight.mock);
    next.extend(fight.defeat.map(|(_, place)| place));
    next.extend(fight.stop.map(|(_, place)| place));
    next.extend(fight.first_wound);
}

/// No such section.
pub(crate) const NOWHERE: Place = Place::MAX;
