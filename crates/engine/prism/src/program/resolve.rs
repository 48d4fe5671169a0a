//! Looks up all names of a model.

use model_files::INIT;

use super::constants::constants;
use super::modules::{actions, modules};
use super::names::{Names, Renaming, twice};
use super::parsed_request::{DEADLOCK, ParsedRequest};
use super::{Action, Command, Program, Rewards, Variable};
use crate::error::{At, Error};
use crate::language::{Comparison, Earning, Expr, Kind, Name, RangeSyntax, Syntax, Value, VariableSyntax};

impl Program {
    /// Looks up all names.
    pub fn new(syntax: &Syntax, given: &[(&str, &str)], parsed: &ParsedRequest) -> Result<Self, Error> {
        let mut names = Names::default();
        for (name, formula) in &syntax.formulas {
            if names.formulas.insert(name.text.clone(), formula.clone()).is_some() {
                return Err(twice(name));
            }
        }
        for (name, label) in &syntax.labels {
            if names.labels.insert(name.text.clone(), label.clone()).is_some() {
                return Err(twice(name));
            }
        }
        constants(&syntax.constants, given, &mut names)?;
        let chain = syntax.chain.unwrap_or(false);
        let modules = modules(&syntax.modules)?;

        let mut variables = Vec::new();
        let none = Renaming::new();
        let mut owners = Vec::new();
        for variable in &syntax.globals {
            variables.push(names.variable(variable, &none)?);
            owners.push(None);
        }
        for (number, module) in modules.iter().enumerate() {
            for variable in module.variables {
                variables.push(names.variable(variable, &module.renaming)?);
                owners.push(Some(number));
            }
        }
        // Initial values may use other names, but not variables.
        let inits = syntax.globals.iter().map(|variable| (variable, &none));
        let inits = inits.chain(modules.iter().flat_map(|m| m.variables.iter().map(move |v| (v, &m.renaming))));
        for (place, (variable, renaming)) in inits.enumerate() {
            names.begin(&mut variables[place], variable, renaming)?;
        }

        let actions = actions(&modules, &owners, &mut names)?;
        let init = syntax.init.as_ref().map(|init| names.resolve(init, &none)).transpose()?;
        let initial = init.clone().unwrap_or_else(|| begins(&variables));
        names.own.insert(INIT, initial.clone());
        names.own.insert(DEADLOCK, deadlock(&actions));
        let rewards = rewards(syntax, &actions, &mut names)?;
        // From here on names are looked up as in requested expressions.
        let labels = labels(syntax, parsed, &mut names)?;
        let over = parsed.over.as_ref().map(|over| names.resolve(over, &none)).transpose()?;
        Ok(Self {
            chain,
            variables,
            actions,
            labels,
            rewards,
            init,
            initial,
            over,
            steps: parsed.steps,
            bounds: parsed.bounds.clone(),
        })
    }
}

/// The declared labels, and the requested ones.
fn labels(syntax: &Syntax, parsed: &ParsedRequest, names: &mut Names) -> Result<Vec<(String, Expr)>, Error> {
    let none = Renaming::new();
    let mut labels = Vec::new();
    for (name, label) in &syntax.labels {
        let label = names.resolve(label, &none)?;
        // PRISM has these of its own.
        if name.text != INIT && name.text != DEADLOCK {
            labels.push((name.text.clone(), label));
        }
    }
    names.bare_labels = true;
    for (name, expression) in &parsed.wanted {
        let label = names.resolve(expression, &none)?;
        // If all states are explored the model itself shows which have no choices.
        if name != DEADLOCK || parsed.over.is_some() {
            labels.push((name.clone(), label));
        }
        names.asked.insert(name.clone(), expression.clone());
    }
    Ok(labels)
}

fn rewards(syntax: &Syntax, actions: &[Action], names: &mut Names) -> Result<Vec<Rewards>, Error> {
    let none = Renaming::new();
    let mut rewards: Vec<Rewards> = Vec::new();
    for item in &syntax.rewards {
        let name = if item.name.is_empty() { "default".to_string() } else { item.name.clone() };
        if rewards.iter().any(|other| other.name == name) {
            return Err(Error::new(item.at, format!("two reward models `{name}`"), "different names"));
        }
        let (mut of_states, mut of_actions) = (Vec::new(), Vec::new());
        for (action, guard, value) in &item.items {
            let (guard, value) = (names.resolve(guard, &none)?, names.resolve(value, &none)?);
            match action {
                Earning::State => of_states.push((guard, value)),
                Earning::Choice(action) => {
                    let action = action.as_ref().map(|name| name.text.as_str());
                    for (place, _) in actions.iter().enumerate().filter(|(_, a)| a.name.as_deref() == action) {
                        of_actions.push((place, guard.clone(), value.clone()));
                    }
                }
            }
        }
        rewards.push(Rewards { name, of_states, of_actions });
    }
    Ok(rewards)
}

/// The condition that all variables have their initial values.
fn begins(variables: &[Variable]) -> Expr {
    let at = At::default();
    let equal = |(place, variable): (usize, &Variable)| {
        let value = if variable.truth { Value::Bool(variable.init != 0) } else { Value::Int(variable.init) };
        let pair = [Expr { kind: Kind::Variable(place, variable.truth), at }, Expr::constant(value, at)];
        Expr { kind: Kind::Compare(Comparison::Equal, Box::new(pair)), at }
    };
    Expr { kind: Kind::And(variables.iter().enumerate().map(equal).collect()), at }
}

/// The condition that nothing is enabled: each action lacks a command in one of its modules.
fn deadlock(actions: &[Action]) -> Expr {
    let at = At::default();
    let any = |commands: &Vec<Command>| {
        let guards = commands.iter().map(|command| command.guard.clone());
        Expr { kind: Kind::Or(guards.collect()), at }
    };
    let may_happen = |action: &Action| Expr { kind: Kind::And(action.modules.iter().map(any).collect()), at };
    let some = Expr { kind: Kind::Or(actions.iter().map(may_happen).collect()), at };
    Expr { kind: Kind::Not(Box::new(some)), at }
}

impl Names {
    /// A variable with its range; its default initial value is the smallest.
    fn variable(&mut self, variable: &VariableSyntax, renaming: &Renaming) -> Result<Variable, Error> {
        let name = renaming.get(&variable.name.text).unwrap_or(&variable.name.text).clone();
        let known = self.constants.contains_key(&name) || self.formulas.contains_key(&name);
        if known || self.variables.contains_key(&name) {
            return Err(twice(&Name { text: name, at: variable.name.at }));
        }
        let truth = matches!(variable.range, RangeSyntax::Bool);
        let (low, high) = match &variable.range {
            RangeSyntax::Bool => (0, 1),
            RangeSyntax::Int => (i64::MIN, i64::MAX),
            RangeSyntax::From(low, high) => (self.fixed(low, renaming)?, self.fixed(high, renaming)?),
        };
        if low > high {
            let problem = format!("the range of `{name}` is empty: {low} to {high}");
            return Err(Error::new(variable.name.at, problem, "the smaller number first"));
        }
        self.variables.insert(name.clone(), (self.variables.len(), truth));
        let init = if matches!(variable.range, RangeSyntax::Int) { 0 } else { low };
        Ok(Variable { name, low, high, truth, init })
    }

    fn begin(&mut self, variable: &mut Variable, syntax: &VariableSyntax, renaming: &Renaming) -> Result<(), Error> {
        let Some(init) = &syntax.init else { return Ok(()) };
        let resolved = self.resolve(init, renaming)?;
        variable.init = if variable.truth { i64::from(resolved.fixed_truth()?) } else { self.fixed(init, renaming)? };
        if variable.init < variable.low || variable.init > variable.high {
            let problem = format!("`{}` begins at {}", variable.name, variable.init);
            return Err(Error::new(init.at, problem, format!("from {} to {}", variable.low, variable.high)));
        }
        Ok(())
    }
}
