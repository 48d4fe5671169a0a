//! The meanings of names, and expressions with all names looked up.

use hashbrown::HashMap;

use crate::error::{At, Error};
use crate::language::{Expr, Function, Kind, Name, Value};

/// The most nodes of all expressions together, with formulas expanded.
const MOST_NODES: usize = 1 << 20;

/// The largest depth of expressions, with formulas expanded.
const DEEPEST: usize = 600;

/// The meanings of names.
#[derive(Default)]
pub struct Names {
    pub constants: HashMap<String, Value>,
    pub formulas: HashMap<String, Expr>,
    pub labels: HashMap<String, Expr>,
    /// Requested expressions, by the names of the labels that they become.
    pub asked: HashMap<String, Expr>,
    /// Labels that every model has, with their names looked up.
    pub own: HashMap<&'static str, Expr>,
    /// Whether names without another meaning are labels, as in requested expressions.
    pub bare_labels: bool,
    /// The number, and whether it is a truth value and not a number.
    pub variables: HashMap<String, (usize, bool)>,
    /// The number of nodes of expressions so far.
    parts: usize,
}

/// Old and new names of a renamed module.
pub type Renaming = HashMap<String, String>;

impl Names {
    /// The expression with all names looked up, after renaming.
    pub fn resolve(&mut self, expression: &Expr, renaming: &Renaming) -> Result<Expr, Error> {
        self.resolve_at(expression, renaming, 0)
    }

    fn resolve_at(&mut self, expression: &Expr, renaming: &Renaming, depth: usize) -> Result<Expr, Error> {
        self.parts += 1;
        let at = expression.at;
        if self.parts > MOST_NODES || depth > DEEPEST {
            return Err(Error::new(at, "an expression that is too large", "fewer formulas inside of formulas"));
        }
        let one = |names: &mut Self, inner: &Expr| names.resolve_at(inner, renaming, depth + 1);
        let kind = match &expression.kind {
            Kind::Constant(_) | Kind::Variable(..) => return Ok(expression.clone()),
            Kind::Name(name) => return self.look_up(name, at, renaming, depth),
            Kind::Label(name) => {
                let label = self.own.get(name.as_str()).or_else(|| self.labels.get(name));
                let Some(label) = label.or_else(|| self.asked.get(name)).cloned() else {
                    let problem = format!("there is no label \"{name}\"");
                    return Err(Error::new(at, problem, self.known_labels()));
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
                // Functions can be renamed, too.
                let renamed = renaming.get(function.name()).and_then(|name| Function::named(name));
                let arguments = arguments.iter().map(|inner| one(self, inner)).collect::<Result<_, _>>()?;
                Kind::Call(renamed.unwrap_or(*function), arguments)
            }
        };
        let resolved = Expr { kind, at };
        // Constant expressions are computed once; errors are reported where they are used.
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
            // Renaming applies inside formulas, unless the formula itself is renamed.
            let none = Renaming::new();
            return self.resolve_at(&formula, if renamed == name { renaming } else { &none }, depth + 1);
        }
        let problem = format!("nothing is called `{renamed}`");
        if !self.bare_labels {
            return Err(Error::new(at, problem, "constants, variables and formulas have names"));
        }
        let label = self.own.get(name).or_else(|| self.labels.get(name)).cloned();
        match label {
            Some(label) => self.resolve_at(&label, &Renaming::new(), depth + 1),
            None => {
                Err(Error::new(at, problem, format!("a variable, a constant or a formula; {}", self.known_labels())))
            }
        }
    }

    /// The labels of the model as text.
    fn known_labels(&self) -> String {
        const SHOWN: usize = 30;
        let mut labels: Vec<&str> = self.labels.keys().map(String::as_str).collect();
        labels.sort_unstable();
        let more = if labels.len() > SHOWN { ", ..." } else { "" };
        labels.truncate(SHOWN);
        match labels[..] {
            [] => "the model has no labels".into(),
            _ => format!("the model's labels are {}{more}", labels.join(", ")),
        }
    }
}

impl Expr {
    /// Whether its parts are all constants.
    pub fn is_fixed(&self) -> bool {
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

impl Names {
    /// The integer value of an expression without variables.
    pub fn fixed(&mut self, expression: &Expr, renaming: &Renaming) -> Result<i64, Error> {
        let resolved = self.resolve(expression, renaming)?;
        match resolved.as_constant() {
            Some(_) => resolved.int(&[]),
            None => Err(not_fixed(&resolved)),
        }
    }
}

/// The error for an expression that should be constant.
pub fn not_fixed(expression: &Expr) -> Error {
    // Its own error, if it is invalid everywhere.
    if expression.is_fixed()
        && let Err(error) = expression.value(&[])
    {
        return error;
    }
    Error::new(expression.at, "a value that depends on variables", "a value that is the same in all states")
}

impl Expr {
    /// Whether an expression without variables is true.
    pub fn fixed_truth(&self) -> Result<bool, Error> {
        if self.as_constant().is_some() { self.truth(&[]) } else { Err(not_fixed(self)) }
    }
}

/// The error for a name that is declared again.
pub fn twice(name: &Name) -> Error {
    Error::new(name.at, format!("a second `{}`", name.text), "different names")
}
