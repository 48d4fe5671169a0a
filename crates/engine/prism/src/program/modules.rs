//! Modules, and their synchronisation.

use hashbrown::{HashMap, HashSet};

use super::names::{Names, Renaming, twice};
use super::{Action, Command, Update};
use crate::error::Error;
use crate::language::{CommandSyntax, Expr, ModuleSyntax, Name, VariableSyntax};

/// A module, or the one that it renames.
pub struct Module<'a> {
    /// Its name.
    pub name: &'a Name,
    /// Its variables.
    pub variables: &'a [VariableSyntax],
    /// Its commands.
    pub commands: &'a [CommandSyntax],
    /// The renaming of its names.
    pub renaming: Renaming,
}

/// The modules, with renamed ones resolved.
pub fn modules(modules: &[ModuleSyntax]) -> Result<Vec<Module<'_>>, Error> {
    let mut found: Vec<Module<'_>> = Vec::new();
    for module in modules {
        let next = match module {
            ModuleSyntax::Own { name, variables, commands } => {
                Module { name, variables, commands, renaming: Renaming::new() }
            }
            ModuleSyntax::Renamed { name, other, names } => {
                let Some(base) = found.iter().find(|module| module.name.text == other.text) else {
                    return Err(Error::new(
                        other.at,
                        format!("there is no module `{}` before", other.text),
                        "a module",
                    ));
                };
                let mut renaming = Renaming::new();
                for (old, new) in names {
                    if renaming.insert(old.text.clone(), new.text.clone()).is_some() {
                        return Err(twice(old));
                    }
                }
                // A module that is a renamed copy is renamed once more.
                let twice = base.renaming.iter().map(|(old, new)| {
                    let newer = renaming.get(new).unwrap_or(new);
                    (old.clone(), newer.clone())
                });
                let mut whole: Renaming = twice.collect();
                for (old, new) in &renaming {
                    whole.entry_ref(old.as_str()).or_insert_with(|| new.clone());
                }
                Module { name, variables: base.variables, commands: base.commands, renaming: whole }
            }
        };
        if found.iter().any(|other| other.name.text == next.name.text) {
            return Err(twice(next.name));
        }
        found.push(next);
    }
    if found.is_empty() {
        return Err(Error::whole("a model without modules", "at least one `module ... endmodule`"));
    }
    Ok(found)
}

/// The commands by action.
pub fn actions(modules: &[Module<'_>], owners: &[Option<usize>], names: &mut Names) -> Result<Vec<Action>, Error> {
    let mut actions: Vec<Action> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (number, module) in modules.iter().enumerate() {
        let mut known: HashSet<String> = HashSet::new();
        for command in module.commands {
            let action =
                command.action.as_ref().map(|action| module.renaming.get(&action.text).unwrap_or(&action.text));
            let resolved = self::command(command, module, number, owners, names)?;
            let Some(action) = action else {
                actions.push(Action { name: None, modules: vec![vec![resolved]] });
                continue;
            };
            let place = *places.entry_ref(action.as_str()).or_insert_with(|| {
                actions.push(Action { name: Some(action.clone()), modules: Vec::new() });
                actions.len() - 1
            });
            let commands = &mut actions[place].modules;
            if known.insert(action.clone()) {
                commands.push(Vec::new());
            }
            if let Some(last) = commands.last_mut() {
                last.push(resolved);
            }
        }
    }
    Ok(actions)
}

fn command(
    command: &CommandSyntax,
    module: &Module<'_>,
    number: usize,
    owners: &[Option<usize>],
    names: &mut Names,
) -> Result<Command, Error> {
    let guard = names.resolve(&command.guard, &module.renaming)?;
    let mut updates = Vec::new();
    for (probability, changes) in &command.updates {
        let probability = names.resolve(probability, &module.renaming)?;
        let mut resolved: Vec<(usize, Expr)> = Vec::new();
        for (name, value) in changes {
            let renamed = module.renaming.get(&name.text).unwrap_or(&name.text);
            let Some((place, _)) = names.variables.get(renamed).copied() else {
                return Err(Error::new(name.at, format!("there is no variable `{renamed}`"), "a variable"));
            };
            match owners[place] {
                Some(owner) if owner != number => {
                    let problem = format!("`{renamed}` belongs to another module");
                    return Err(Error::new(name.at, problem, "a variable of this module, or a global one"));
                }
                None if command.action.is_some() => {
                    let problem = format!("the global variable `{renamed}` changes together with other modules");
                    return Err(Error::new(name.at, problem, "global variables change in commands without an action"));
                }
                _ => {}
            }
            if resolved.iter().any(|(other, _)| *other == place) {
                return Err(twice(&Name { text: renamed.clone(), at: name.at }));
            }
            resolved.push((place, names.resolve(value, &module.renaming)?));
        }
        updates.push(Update { probability, changes: resolved });
    }
    Ok(Command { at: command.guard.at, guard, updates })
}
