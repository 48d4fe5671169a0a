//! Items carried and wielded: what they add, raise and hold.

use super::lookup::Lookup;
use super::lowering::{Env, Lowered, Lowering, Wielded, register_of};
use crate::book::{Taken, VariableKind};
use crate::lower::decide::Draft;
use crate::lower::error::CompileError;
use crate::program::{Instruction, Label, Outcome, Register, Test, Value, Weight};

impl<'a> Lowering<'a> {
    /// The item at hand.
    pub(super) fn at_hand(&self, env: &Env<'a>) -> Result<usize, CompileError> {
        env.item.map_or_else(|| self.wrong("there is no item at hand here"), Ok)
    }

    /// An entry of a table.
    pub(super) fn looked_up(&mut self, table: usize, row: Value, column: Value) -> Value {
        let own = &self.system.tables[table];
        self.tables.entry(table).or_insert_with(|| Lookup::new(own)).at(row, column)
    }

    /// The total by which carried items raise a stat.
    pub(super) fn raised(&self, stat: usize) -> Value {
        let raises = self.system.item_stats.iter().enumerate().filter(|(_, own)| own.raises == Some(stat));
        raises.fold(Value::Constant(0), |sum, (place, _)| sum.plus(self.carried(place)))
    }

    /// The sum of a stat over all carried items.
    pub(super) fn carried(&self, stat: usize) -> Value {
        self.system.all_with(stat).fold(Value::Constant(0), |sum, item| {
            let own = &self.system.variables[item];
            let count = Value::Register(register_of(item));
            let there = if own.most == 1 { count } else { Value::holds(count.at_least(1)) };
            sum.plus(there.times(Value::Constant(own.traits.stat(stat))))
        })
    }

    /// The register for a property of the wielded item.
    pub(super) fn wielded(&mut self, what: Wielded) -> Result<Register, CompileError> {
        let system = self.system;
        let Some(wield) = &system.fights.wield else {
            return self.wrong("nothing is wielded: write `wield NAME` in the `fight-system`");
        };
        let items = system.items_with(wield.stat).map(|item| self.of_wielded(what, item));
        let numbers: Vec<Value> = items.chain([self.of_unarmed(what)]).collect();
        let range = |least: bool| {
            let ends = numbers.iter().map(|value| match value {
                Value::Constant(number) => *number,
                _ => i32::from(!least),
            });
            if least { ends.min() } else { ends.max() }
        };
        let (least, most) = (range(true).unwrap_or(0), range(false).unwrap_or(0));
        if let Some(register) = self.wielded.get(&what) {
            let (_, low, high) = &mut self.registers[usize::from(*register)];
            (*low, *high) = ((*low).min(least), (*high).max(most));
            return Ok(*register);
        }
        let name = match what {
            Wielded::Stat(stat) => &system.item_stats[stat].name,
            Wielded::Skill(skill) => &system.variables[skill].name,
        };
        let register = self.register(format!("wielded.{name}"), least, most)?;
        self.wielded.insert(what, register);
        Ok(register)
    }

    /// A property of an item that is wielded.
    fn of_wielded(&self, what: Wielded, item: usize) -> Value {
        match what {
            Wielded::Stat(stat) => Value::Constant(self.system.variables[item].traits.stat(stat)),
            Wielded::Skill(skill) => {
                let known = self.system.known_in(skill, item).map(register_of);
                let any =
                    known.fold(Test::Constant(false), |any, own| Test::either(any, Value::Register(own).at_least(1)));
                Value::holds(Test::both(Value::Register(register_of(skill)).at_least(1), any))
            }
        }
    }

    /// The same without a weapon.
    fn of_unarmed(&self, what: Wielded) -> Value {
        match what {
            Wielded::Stat(stat) => Value::Constant(self.system.item_stats[stat].unarmed),
            Wielded::Skill(_) => Value::Constant(0),
        }
    }

    /// The player chooses a weapon, whose properties are stored in registers.
    pub(super) fn wield(&mut self, env: &Env<'a>, next: Label) -> Lowered {
        let system = self.system;
        let Some(wield) = &system.fights.wield else { return Ok(next) };
        let mut wanted: Vec<(Wielded, Register)> = self.wielded.iter().map(|(what, own)| (*what, *own)).collect();
        wanted.sort_unstable();
        let unarmed: Vec<_> = wanted.iter().map(|(what, register)| (*register, self.of_unarmed(*what))).collect();
        let bare = self.set(unarmed, next)?;
        let mut answers = Vec::new();
        for item in system.items_with(wield.stat) {
            let sets: Vec<_> =
                wanted.iter().map(|(what, register)| (*register, self.of_wielded(*what, item))).collect();
            let place = self.set(sets, next)?;
            let has = Value::Register(register_of(item)).at_least(1);
            answers.push(Draft::new(format!("fight with {}", system.variables[item].name), has, place));
        }
        let asked = self.ask_for_one(answers, bare, env)?;
        let when = self.test(&wield.when, env)?;
        self.branch(when, asked, bare)
    }

    /// The number of items in a container, or of the places they take.
    pub(super) fn in_container(&self, container: usize, places: bool) -> Value {
        let held = self.system.variables.iter().enumerate().filter(|(_, own)| own.container == Some(container));
        let times = |places_of_one: i32| if places { usize::try_from(places_of_one).unwrap_or(1) } else { 1 };
        let registers = held.flat_map(|(own, it)| std::iter::repeat_n(register_of(own), times(it.traits.places())));
        Value::Sum(registers.collect())
    }

    /// The number of free places in a container.
    pub(super) fn room(&self, container: usize) -> Value {
        let own = &self.system.containers[container];
        let holds = Value::Constant(own.holds);
        let holds = match own.itself {
            Some(itself) => Value::Register(register_of(itself)).times(holds),
            None => holds,
        };
        holds.minus(self.in_container(container, true))
    }

    /// Sets the number of an item, with what it raises and holds.
    pub(super) fn with_item(&self, item: usize, count: Value) -> Vec<(Register, Value)> {
        let register = register_of(item);
        let is_last = self.system.variables[item].most == 1 && count.is_one_less_than(register);
        let count = if is_last { Value::Constant(0) } else { count };
        let is_lost = count == Value::Constant(0);
        let mut sets = Vec::new();
        for (stat, initial, points) in self.raised_by(item) {
            let points = Value::Constant(points);
            let (had, has) = (Value::Register(register).at_least(1), count.clone().at_least(1));
            let gained = Value::holds(Test::both(had.clone().negated(), has.clone())).times(points.clone());
            let lost = Value::holds(Test::both(had, has.negated())).times(points);
            let (now, most) = (Value::Register(stat), Value::Register(initial));
            sets.push((initial, most.clone().plus(gained.clone()).minus(lost)));
            sets.push((stat, now.plus(gained).min(most)));
        }
        sets.push((register, count));
        for (container, _) in self.system.containers.iter().enumerate().filter(|(_, own)| own.itself == Some(item)) {
            let held = self.system.variables.iter().enumerate();
            for (other, _) in held.filter(|(other, own)| own.container == Some(container) && *other != item) {
                let kept = Value::Register(register_of(other)).times(Value::Register(register));
                let kept = if is_lost { Value::Constant(0) } else { kept };
                sets.extend(self.with_item(other, kept));
            }
        }
        sets
    }

    /// The stats that an item raises: the stat, its initial value and the amount.
    fn raised_by(&self, item: usize) -> impl Iterator<Item = (Register, Register, i32)> {
        let traits = &self.system.variables[item].traits;
        self.system.item_stats.iter().enumerate().filter_map(move |(place, own)| {
            let stat = own.raises?;
            let initial = self.system.variables[stat].initial?;
            let points = Some(traits.stat(place)).filter(|points| *points != 0)?;
            Some((register_of(stat), register_of(initial), points))
        })
    }

    /// The vital stats that some items raise, or what is in them.
    pub(super) fn vital_by(&self, items: &[usize]) -> Vec<Register> {
        let system = self.system;
        let mut all = items.to_vec();
        let mut next = 0;
        while let Some(item) = all.get(next).copied() {
            next += 1;
            for (container, _) in system.containers.iter().enumerate().filter(|(_, own)| own.itself == Some(item)) {
                let inside = system.variables.iter().enumerate().filter(|(_, own)| own.container == Some(container));
                let inside: Vec<usize> = inside.map(|(own, _)| own).filter(|own| !all.contains(own)).collect();
                all.extend(inside);
            }
        }
        let raised = all.iter().flat_map(|item| self.raised_by(*item)).map(|(stat, ..)| stat);
        let vital = |stat: &Register| system.variables[usize::from(*stat)].vital;
        let mut stats: Vec<Register> = raised.filter(vital).collect();
        stats.sort_unstable();
        stats.dedup();
        stats
    }

    /// Raises the initial numbers by carried items, except where the initial value was given.
    pub(super) fn raise_by_what_is_carried(&self, numbers: &mut [i32], given: &[(usize, i32)]) {
        for (stat, own) in self.system.variables.iter().enumerate() {
            let Some(initial) = own.initial.filter(|initial| given.iter().all(|(other, _)| other != initial)) else {
                continue;
            };
            let points = self.system.raised(stat, numbers);
            for place in [stat, initial] {
                numbers[place] = (numbers[place] + points).min(self.system.variables[place].most);
            }
        }
    }

    /// Loses all items of some kinds.
    pub(super) fn lose_all(&mut self, taken: &Taken, env: &Env<'a>, next: Label) -> Lowered {
        let items: Vec<usize> = self.taken(taken).collect();
        let lost: Vec<_> = items.iter().flat_map(|own| self.with_number(*own, Value::Constant(0))).collect();
        let next = self.alive_without(&items, env, next)?;
        self.set(lost, next)
    }

    /// Gives up some items, one after another, as the player or chance decides.
    pub(super) fn give_up(&mut self, from: &Taken, count: u8, by_chance: bool, env: &Env<'a>, next: Label) -> Lowered {
        let items: Vec<usize> = self.taken(from).collect();
        let there = Value::Sum(items.iter().copied().map(register_of).collect()).at_least(1);
        let mut place = next;
        for _ in 0..count {
            let mut lost = Vec::with_capacity(items.len());
            for own in &items {
                lost.push((*own, self.alive_without(&[*own], env, place)?));
            }
            let given = if by_chance {
                let outcome = |(own, next): &(usize, Label)| Outcome {
                    weight: Weight::Register(register_of(*own)),
                    sets: self.one_less(*own).into(),
                    next: *next,
                };
                let outcomes = lost.iter().map(outcome).collect();
                let drawn = self.emit(Instruction::Chance { outcomes })?;
                let names = items.iter().map(|own| self.system.variables[*own].name.clone());
                self.notes.draws.insert(drawn, names.collect());
                self.note_foes(drawn, env)?;
                drawn
            } else {
                let label = |own: usize| format!("give up {}", self.system.variables[own].name);
                let answers = lost.iter().map(|(own, next)| self.takes_one(label(*own), *own, *next)).collect();
                self.ask(answers, env)?
            };
            place = self.branch(there.clone(), given, next)?;
        }
        Ok(place)
    }

    /// An answer that takes one of something that is there.
    pub(super) fn takes_one(&self, label: String, own: usize, next: Label) -> Draft {
        Draft::with(label, Value::Register(register_of(own)).at_least(1), self.one_less(own), next)
    }

    /// Assigns one less, with the consequences.
    fn one_less(&self, own: usize) -> Vec<(Register, Value)> {
        self.with_number(own, Value::Register(register_of(own)).minus(Value::Constant(1)))
    }

    /// The items that are taken, if they are carried.
    fn taken(&self, taken: &Taken) -> impl Iterator<Item = usize> {
        let taken = taken.clone();
        let own = self.system.own_variables();
        own.filter(move |(place, own)| taken.takes(*place, own)).map(|(place, _)| place)
    }

    /// Assigns a number, with the consequences if it is that of an item.
    fn with_number(&self, own: usize, number: Value) -> Vec<(Register, Value)> {
        if self.system.variables[own].kind == VariableKind::Item {
            self.with_item(own, number)
        } else {
            vec![(register_of(own), number)]
        }
    }
}
