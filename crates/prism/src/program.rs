//! A model with all names looked up: what is explored.

use hashbrown::{HashMap, HashSet};

use crate::error::{At, Error};
use crate::expression::{Expr, Kind};
use crate::parse::parse_expression;
use crate::syntax::{
    CommandSyntax, ConstantSyntax, ConstantType, Earning, ModuleSyntax, Name, RangeSyntax, Syntax, VariableSyntax,
};
use crate::value::Value;

/// How many parts all expressions may have together, with formulas put in their places.
const MOST_PARTS: usize = 1 << 20;

/// How deep expressions may be nested, with formulas put in their places.
const DEEPEST: usize = 600;

/// A variable and its values.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The smallest value.
    pub low: i64,
    /// The largest.
    pub high: i64,
    /// True or false rather than a number.
    pub truth: bool,
    /// The value with which it begins.
    pub init: i64,
}

/// What a command does with some probability.
#[derive(Clone, Debug)]
pub struct Update {
    /// The probability.
    pub probability: Expr,
    /// Variables and their new values.
    pub changes: Vec<(usize, Expr)>,
}

/// A command.
#[derive(Clone, Debug)]
pub struct Command {
    /// Where it stands.
    pub at: At,
    /// Where it may happen.
    pub guard: Expr,
    /// What it does.
    pub updates: Vec<Update>,
}

/// What happens together: for every module that knows the action its commands of this action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name; `None` for commands that happen for themselves.
    pub name: Option<String>,
    /// One list for each module.
    pub modules: Vec<Vec<Command>>,
}

/// A reward model.
#[derive(Clone, Debug)]
pub struct Rewards {
    /// Its name.
    pub name: String,
    /// What states earn, and where.
    pub of_states: Vec<(Expr, Expr)>,
    /// What choices of an action (its number) earn, and where.
    pub of_actions: Vec<(usize, Expr, Expr)>,
}

/// A model.
#[derive(Clone, Debug)]
pub struct Program {
    /// All states have one choice only.
    pub chain: bool,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The actions; commands without one come first, each for itself.
    pub actions: Vec<Action>,
    /// The labels.
    pub labels: Vec<(String, Expr)>,
    /// The reward models.
    pub rewards: Vec<Rewards>,
    /// The states where play begins, if they are described.
    pub init: Option<Expr>,
}

/// What names mean.
#[derive(Default)]
struct Names {
    constants: HashMap<String, Value>,
    formulas: HashMap<String, Expr>,
    labels: HashMap<String, Expr>,
    /// The number, and whether it is true or false.
    variables: HashMap<String, (usize, bool)>,
    /// How many parts expressions have so far.
    parts: usize,
}

/// Old and new names of a renamed module.
type Renaming = HashMap<String, String>;

impl Names {
    /// The expression with all names looked up, after renaming.
    fn resolve(&mut self, expression: &Expr, renaming: &Renaming) -> Result<Expr, Error> {
        self.resolve_at(expression, renaming, 0)
    }

    fn resolve_at(&mut self, expression: &Expr, renaming: &Renaming, depth: usize) -> Result<Expr, Error> {
        self.parts += 1;
        let at = expression.at;
        if self.parts > MOST_PARTS || depth > DEEPEST {
            return Err(Error::new(at, "an expression that is too large", "fewer formulas inside of formulas"));
        }
        let one = |names: &mut Self, inner: &Expr| names.resolve_at(inner, renaming, depth + 1);
        let kind = match &expression.kind {
            Kind::Constant(_) | Kind::Variable(..) => return Ok(expression.clone()),
            Kind::Name(name) => return self.look_up(name, at, renaming, depth),
            Kind::Label(name) => {
                let Some(label) = self.labels.get(name).cloned() else {
                    return Err(Error::new(
                        at,
                        format!("there is no label \"{name}\""),
                        "labels are declared with `label`",
                    ));
                };
                return self.resolve_at(&label, &Renaming::new(), depth + 1);
            }
            Kind::Minus(inner) => Kind::Minus(Box::new(one(self, inner)?)),
            Kind::Not(inner) => Kind::Not(Box::new(one(self, inner)?)),
            Kind::And(all) => Kind::And(all.iter().map(|inner| one(self, inner)).collect::<Result<_, _>>()?),
            Kind::Or(all) => Kind::Or(all.iter().map(|inner| one(self, inner)).collect::<Result<_, _>>()?),
            Kind::Sum(all) => {
                Kind::Sum(all.iter().map(|(mark, inner)| Ok((*mark, one(self, inner)?))).collect::<Result<_, Error>>()?)
            }
            Kind::Product(all) => Kind::Product(
                all.iter().map(|(mark, inner)| Ok((*mark, one(self, inner)?))).collect::<Result<_, Error>>()?,
            ),
            Kind::Compare(comparison, pair) => {
                Kind::Compare(*comparison, Box::new([one(self, &pair[0])?, one(self, &pair[1])?]))
            }
            Kind::Implies(pair) => Kind::Implies(Box::new([one(self, &pair[0])?, one(self, &pair[1])?])),
            Kind::If(three) => {
                Kind::If(Box::new([one(self, &three[0])?, one(self, &three[1])?, one(self, &three[2])?]))
            }
            Kind::Call(function, arguments) => {
                Kind::Call(*function, arguments.iter().map(|inner| one(self, inner)).collect::<Result<_, _>>()?)
            }
        };
        let resolved = Expr { kind, at };
        // What has the same value everywhere is computed once; what is wrong is told where it is used.
        Ok(match resolved.is_fixed().then(|| resolved.value(&[])) {
            Some(Ok(value)) => Expr::constant(value, at),
            _ => resolved,
        })
    }

    fn look_up(&mut self, name: &str, at: At, renaming: &Renaming, depth: usize) -> Result<Expr, Error> {
        let renamed = renaming.get(name).map_or(name, String::as_str);
        if let Some(value) = self.constants.get(renamed) {
            return Ok(Expr::constant(value.clone(), at));
        }
        if let Some((place, truth)) = self.variables.get(renamed) {
            return Ok(Expr { kind: Kind::Variable(*place, *truth), at });
        }
        if let Some(formula) = self.formulas.get(renamed).cloned() {
            // Renaming goes into formulas, unless the formula itself has another name now.
            let none = Renaming::new();
            return self.resolve_at(&formula, if renamed == name { renaming } else { &none }, depth + 1);
        }
        let remedy = "constants, variables and formulas have names";
        Err(Error::new(at, format!("nothing is called `{renamed}`"), remedy))
    }
}

impl Expr {
    /// Whether its parts are all constants.
    fn is_fixed(&self) -> bool {
        let fixed = |inner: &Self| matches!(inner.kind, Kind::Constant(_));
        match &self.kind {
            Kind::Constant(_) => true,
            Kind::Name(_) | Kind::Label(_) | Kind::Variable(..) => false,
            Kind::Minus(inner) | Kind::Not(inner) => fixed(inner),
            Kind::And(all) | Kind::Or(all) | Kind::Call(_, all) => all.iter().all(fixed),
            Kind::Sum(all) | Kind::Product(all) => all.iter().all(|(_, inner)| fixed(inner)),
            Kind::Compare(_, pair) | Kind::Implies(pair) => pair.iter().all(fixed),
            Kind::If(three) => three.iter().all(fixed),
        }
    }
}

impl Program {
    /// Looks up all names.
    pub fn new(syntax: &Syntax, given: &[(&str, &str)], extra_labels: &[&str]) -> Result<Self, Error> {
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
        // Where they begin may ask for other names, but not for variables.
        let inits = syntax.globals.iter().map(|variable| (variable, &none));
        let inits = inits.chain(modules.iter().flat_map(|m| m.variables.iter().map(move |v| (v, &m.renaming))));
        for (place, (variable, renaming)) in inits.enumerate() {
            names.begin(&mut variables[place], variable, renaming)?;
        }

        let actions = actions(&modules, &owners, &mut names)?;
        let mut labels = Vec::new();
        for (name, label) in &syntax.labels {
            labels.push((name.text.clone(), names.resolve(label, &none)?));
        }
        for text in extra_labels {
            // Single quotes stand for double ones, so that the text can be a label itself.
            let expression = parse_expression(&text.replace('\'', "\""))?;
            labels.push(((*text).to_string(), names.resolve(&expression, &none)?));
        }
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
        let init = syntax.init.as_ref().map(|init| names.resolve(init, &none)).transpose()?;
        Ok(Self { chain, variables, actions, labels, rewards, init })
    }
}

fn twice(name: &Name) -> Error {
    Error::new(name.at, format!("a second `{}`", name.text), "different names")
}

impl Names {
    /// A variable with its range; it begins at its smallest value.
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

    /// The whole number of an expression without variables.
    fn fixed(&mut self, expression: &Expr, renaming: &Renaming) -> Result<i64, Error> {
        let resolved = self.resolve(expression, renaming)?;
        match resolved.as_constant() {
            Some(_) => resolved.int(&[]),
            None => Err(not_fixed(&resolved)),
        }
    }
}

fn not_fixed(expression: &Expr) -> Error {
    // What is wrong with it, when it is wrong everywhere.
    if expression.is_fixed()
        && let Err(error) = expression.value(&[])
    {
        return error;
    }
    Error::new(expression.at, "a value that depends on variables", "a value that is the same in all states")
}

impl Expr {
    fn fixed_truth(&self) -> Result<bool, Error> {
        if self.as_constant().is_some() { self.truth(&[]) } else { Err(not_fixed(self)) }
    }
}

/// Gives every constant its value: that of the caller, or that of the text.
fn constants(constants: &[ConstantSyntax], given: &[(&str, &str)], names: &mut Names) -> Result<(), Error> {
    let mut open: HashMap<&str, &ConstantSyntax> = HashMap::new();
    for constant in constants {
        if names.formulas.contains_key(&constant.name.text) || open.insert(&constant.name.text, constant).is_some() {
            return Err(twice(&constant.name));
        }
    }
    let mut values: HashMap<&str, Expr> = HashMap::new();
    for (name, text) in given {
        if !open.contains_key(name) {
            let known: Vec<&str> = constants.iter().map(|constant| constant.name.text.as_str()).collect();
            return Err(Error::whole(
                format!("the model has no constant `{name}`"),
                format!("it has: {}", known.join(", ")),
            ));
        }
        let value = parse_expression(text).map_err(|error| {
            Error::whole(format!("the constant `{name}` is given the value `{text}`"), error.to_string())
        })?;
        if values.insert(*name, value).is_some() {
            return Err(Error::whole(format!("the constant `{name}` is given twice"), "one value"));
        }
    }
    for constant in constants {
        if let Some(value) = &constant.value {
            values.entry(&constant.name.text).or_insert_with(|| value.clone());
        }
    }
    // A constant may stand before those it is computed from: each round finds at least one more.
    let mut left: Vec<&ConstantSyntax> = constants.iter().collect();
    while !left.is_empty() {
        let before = left.len();
        let mut first_error = None;
        let mut still = Vec::new();
        for constant in left {
            let name = constant.name.text.as_str();
            let Some(value) = values.get(name) else {
                let problem = format!("the constant `{name}` has no value");
                return Err(Error::new(constant.name.at, problem, format!("give it one: {name}=...")));
            };
            match names.resolve(value, &Renaming::new()) {
                Ok(resolved) => {
                    let value = constant_value(constant, &resolved)?;
                    names.constants.insert(name.to_string(), value);
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                    still.push(constant);
                }
            }
        }
        if still.len() == before {
            return Err(first_error.unwrap_or_else(|| Error::whole("constants without values", "one value each")));
        }
        left = still;
    }
    Ok(())
}

fn constant_value(constant: &ConstantSyntax, resolved: &Expr) -> Result<Value, Error> {
    if resolved.as_constant().is_none() {
        return Err(not_fixed(resolved));
    }
    match constant.kind {
        ConstantType::Int => resolved.int(&[]).map(Value::Int),
        ConstantType::Double => resolved.number(&[]).map(Value::Real),
        ConstantType::Bool => resolved.truth(&[]).map(Value::Bool),
    }
}

/// A module, or the one that it renames.
struct Module<'a> {
    name: &'a Name,
    variables: &'a [VariableSyntax],
    commands: &'a [CommandSyntax],
    renaming: Renaming,
}

fn modules(modules: &[ModuleSyntax]) -> Result<Vec<Module<'_>>, Error> {
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
                // A module that was renamed already is renamed once more.
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

/// The commands by what happens together.
fn actions(modules: &[Module<'_>], owners: &[Option<usize>], names: &mut Names) -> Result<Vec<Action>, Error> {
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
