//! A situation: what is still to be done, and everything that is known.

use std::hash::{Hash, Hasher};

use gamebook::{Battle, LocalId, Node, Number, SectionNumber, Taken, VariableRef};

/// Something of the book, which is itself and nothing that looks like it.
pub struct Here<'b, T: ?Sized>(pub &'b T);

impl<T: ?Sized> Clone for Here<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Here<'_, T> {}

impl<T: ?Sized> PartialEq for Here<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl<T: ?Sized> Eq for Here<'_, T> {}

impl<T: ?Sized> Hash for Here<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

/// When there is time for actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum At {
    Outside,
    InFight,
    AfterFight,
}

/// What was so before something began: how many names meant something, who was fought, which event went on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Before {
    pub names: usize,
    pub enemy: Option<usize>,
    pub event: Option<usize>,
    pub item: Option<usize>,
}

/// How far a fight has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The numbers of the fight are still to be made.
    Begins,
    /// This enemy steps forward, if there is one.
    Next(usize),
    /// A round against this one of several who come one by one.
    Duel(usize),
    /// All are there: a round, if anyone still stands.
    Melee,
}

/// What is done with the first enemy who still stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum First {
    BeforeRound,
    Allies,
    EndOfRound,
}

/// Something that is still to be done.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Task<'b> {
    /// The nodes of a block from a place on; then only so many names mean something. `ready`: there has been time for
    /// actions.
    Block {
        nodes: Here<'b, [Node]>,
        at: usize,
        outside: bool,
        names: usize,
        ready: bool,
    },
    /// The end of a loop, which can begin again.
    Loop {
        body: Here<'b, [Node]>,
        outside: bool,
        names: usize,
    },
    Names(usize),
    Enter(SectionNumber),
    Leave(SectionNumber),
    Actions(At),
    /// A test is decided.
    Decide {
        test: usize,
        yes: Here<'b, [Node]>,
        no: Here<'b, [Node]>,
        outside: bool,
        names: usize,
    },
    /// So many of a thing; whether what is taken counts for the `Take` below.
    Gain {
        item: usize,
        left: i64,
        counts: bool,
    },
    /// These things from one on, of which so many may still be taken.
    Take {
        lines: Here<'b, [(usize, Number)]>,
        at: usize,
        left: Option<u8>,
    },
    /// Something vital may have been used up by the loss of a thing.
    UsedUp,
    /// The end of dying.
    Dead(Before),
    Back(Before),
    /// The end of what follows an escape.
    Escaped(Before),
    /// These blocks are given from here on, and this item is at hand.
    Blocks(Vec<Given<'b>>, Option<usize>),
    GiveUp {
        from: Here<'b, Taken>,
        left: u8,
        by_chance: bool,
    },
    /// A fight: what was so before it, and how many names mean something in it.
    Fight {
        battle: Here<'b, Battle>,
        stage: Stage,
        before: Before,
        names: usize,
    },
    /// The end of what is done with one of several enemies. `over`: whether the fight is over if he was the last.
    Part {
        before: Before,
        over: bool,
    },
    /// What an enemy does in a round of several.
    PartOf {
        battle: Here<'b, Battle>,
        enemy: usize,
        picked: bool,
        other: bool,
    },
    First(Here<'b, Battle>, First),
    Ally {
        battle: Here<'b, Battle>,
        at: usize,
    },
}

/// A block that is given where another is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Given<'b> {
    pub block: usize,
    pub nodes: Here<'b, [Node]>,
    pub outside: bool,
    /// How many blocks are given where it stands, and which item is at hand there.
    pub around: usize,
    pub item: Option<usize>,
}

/// A situation.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct State<'b> {
    pub section: SectionNumber,
    pub variables: Vec<i64>,
    /// The names that mean something, the innermost last.
    pub names: Vec<(LocalId, i64)>,
    /// The numbers of the enemies who are there, and which of them is fought.
    pub enemies: Vec<Vec<i64>>,
    pub enemy: Option<usize>,
    pub event: Option<usize>,
    /// The blocks that are given, the innermost last.
    pub blocks: Vec<Given<'b>>,
    /// The item at hand, and the one that is wielded.
    pub item: Option<usize>,
    pub wielded: Option<usize>,
    pub dying: bool,
    /// What is to be done, the next last.
    pub tasks: Vec<Task<'b>>,
}

impl<'b> State<'b> {
    /// A block is next; its names are forgotten at its end.
    pub fn block(&mut self, nodes: &'b [Node], outside: bool) {
        self.block_with(nodes, outside, self.names.len());
    }

    /// A block is next, at whose end so many names mean something.
    pub fn block_with(&mut self, nodes: &'b [Node], outside: bool, names: usize) {
        self.tasks.push(Task::Block { nodes: Here(nodes), at: 0, outside, names, ready: false });
    }

    pub fn before(&self) -> Before {
        Before { names: self.names.len(), enemy: self.enemy, event: self.event, item: self.item }
    }

    pub fn go_back(&mut self, before: Before) {
        self.names.truncate(before.names);
        (self.enemy, self.event, self.item) = (before.enemy, before.event, before.item);
        if before.enemy.is_none() {
            self.enemies.clear();
        }
    }

    pub fn variable(&self, variable: VariableRef) -> i64 {
        match variable {
            VariableRef::Own(own) => self.variables[own],
            VariableRef::AtHand => self.item.map_or(0, |item| self.variables[item]),
            VariableRef::Enemy(stat) => self.enemy.map_or(0, |enemy| self.enemies[enemy][stat]),
        }
    }

    pub fn name(&self, local: LocalId) -> i64 {
        self.names.iter().rev().find(|(own, _)| *own == local).map_or(0, |(_, number)| *number)
    }

    pub fn set_name(&mut self, local: LocalId, number: i64) {
        if let Some(own) = self.names.iter_mut().rev().find(|(own, _)| *own == local) {
            own.1 = number;
        }
    }

    /// The hero dies, unless something brings him back.
    pub fn dies(&mut self, on_death: &'b [Node]) {
        self.tasks.push(Task::Dead(self.before()));
        self.dying = true;
        (self.enemy, self.event) = (None, None);
        self.block(on_death, false);
    }

    /// He lives on where he died.
    pub fn resume(&mut self) {
        while let Some(task) = self.tasks.pop() {
            if let Task::Dead(before) = task {
                self.dying = false;
                self.names.truncate(before.names);
                (self.enemy, self.event) = (before.enemy, before.event);
                return;
            }
        }
    }

    /// The enemy who is fought falls: what would still follow with him is not done.
    pub fn falls(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Part { .. } => {
                    self.tasks.push(task);
                    return;
                }
                Task::Fight { battle, stage: Stage::Duel(enemy), before, names } => {
                    self.names.truncate(names);
                    self.event = before.event;
                    self.tasks.push(Task::Fight { battle, stage: Stage::Next(enemy + 1), before, names });
                    return;
                }
                _ => {}
            }
        }
    }

    /// The fight that goes on.
    pub fn fight(&self) -> Option<&'b Battle> {
        self.tasks.iter().rev().find_map(|task| match task {
            Task::Fight { battle, .. } => Some(battle.0),
            _ => None,
        })
    }
}
