//! From words and signs to a model.

use dashu_ratio::RBig;
use model_files::parse_number;

use crate::error::{At, Error};
use crate::expression::{Comparison, Expr, Function, Kind};
use crate::syntax::{
    CommandSyntax, ConstantSyntax, ConstantType, Earning, ModuleSyntax, Name, RangeSyntax, RewardsSyntax, Syntax,
    VariableSyntax,
};
use crate::token::{Token, tokens};
use crate::value::Value;

/// How deep expressions may be nested.
const DEEPEST: usize = 200;

const KEYWORDS: &[&str] = &[
    "bool",
    "clock",
    "const",
    "ctmc",
    "double",
    "dtmc",
    "endinit",
    "endinvariant",
    "endmodule",
    "endrewards",
    "endsystem",
    "false",
    "formula",
    "global",
    "init",
    "int",
    "invariant",
    "label",
    "mdp",
    "module",
    "nondeterministic",
    "probabilistic",
    "rewards",
    "stochastic",
    "system",
    "true",
];

/// Reads a model.
pub fn parse(text: &str) -> Result<Syntax, Error> {
    let mut parser = Parser { tokens: tokens(text)?, place: 0, depth: 0 };
    let mut syntax = Syntax::default();
    while *parser.peek() != Token::End {
        parser.item(&mut syntax)?;
    }
    Ok(syntax)
}

/// Reads an expression that stands alone.
pub fn parse_expression(text: &str) -> Result<Expr, Error> {
    let mut parser = Parser { tokens: tokens(text)?, place: 0, depth: 0 };
    let expression = parser.expression()?;
    if *parser.peek() == Token::End { Ok(expression) } else { Err(parser.unexpected("the end of the expression")) }
}

struct Parser {
    tokens: Vec<(Token, At)>,
    place: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.place].0
    }

    fn at(&self) -> At {
        self.tokens[self.place].1
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if self.place + 1 < self.tokens.len() {
            self.place += 1;
        }
        token
    }

    fn unexpected(&self, expected: &str) -> Error {
        let found = match self.peek() {
            Token::Word(text) | Token::Number(text) => format!("`{text}`"),
            Token::Text(text) => format!("\"{text}\""),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the text ends".into(),
        };
        Error::new(self.at(), found, format!("expected {expected}"))
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        if is {
            self.next();
        }
        is
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.next();
        }
        is
    }

    fn need(&mut self, sign: &str) -> Result<(), Error> {
        if self.accept(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn need_word(&mut self, word: &str) -> Result<(), Error> {
        if self.accept_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn name(&mut self) -> Result<Name, Error> {
        let at = self.at();
        match self.peek() {
            Token::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
                let text = word.clone();
                self.next();
                Ok(Name { text, at })
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn item(&mut self, syntax: &mut Syntax) -> Result<(), Error> {
        let at = self.at();
        let Token::Word(word) = self.peek().clone() else { return Err(self.unexpected("a part of a model")) };
        let unsupported = |what: &str| Error::new(at, format!("{what}, which is not supported"), "an MDP or a DTMC");
        match word.as_str() {
            "mdp" | "nondeterministic" | "dtmc" | "probabilistic" => {
                if syntax.chain.is_some() {
                    return Err(Error::new(at, "a second type of the model", "one type"));
                }
                syntax.chain = Some(matches!(word.as_str(), "dtmc" | "probabilistic"));
                self.next();
            }
            "ctmc" | "stochastic" => return Err(unsupported("a model with time")),
            "pta" | "popta" => return Err(unsupported("a model with clocks")),
            "pomdp" | "observables" | "observable" => return Err(unsupported("a model with observations")),
            "smg" | "csg" | "player" => return Err(unsupported("a model with several players")),
            "system" => return Err(unsupported("a composition of modules by hand (`system`)")),
            "const" => {
                self.next();
                let constant = self.constant()?;
                syntax.constants.push(constant);
            }
            "formula" => {
                self.next();
                let name = self.name()?;
                self.need("=")?;
                syntax.formulas.push((name, self.expression()?));
                self.need(";")?;
            }
            "label" => {
                self.next();
                let at = self.at();
                let Token::Text(text) = self.next() else {
                    return Err(Error::new(at, "a label without a name", "a name in quotation marks"));
                };
                self.need("=")?;
                syntax.labels.push((Name { text, at }, self.expression()?));
                self.need(";")?;
            }
            "global" => {
                self.next();
                let variable = self.variable()?;
                syntax.globals.push(variable);
            }
            "module" => {
                self.next();
                let module = self.module()?;
                syntax.modules.push(module);
            }
            "rewards" => {
                self.next();
                let rewards = self.rewards(at)?;
                syntax.rewards.push(rewards);
            }
            "init" => {
                self.next();
                if syntax.init.is_some() {
                    return Err(Error::new(at, "a second `init ... endinit`", "one"));
                }
                syntax.init = Some(self.expression()?);
                self.need_word("endinit")?;
            }
            _ => return Err(self.unexpected("mdp, dtmc, const, formula, label, global, module, rewards or init")),
        }
        Ok(())
    }

    fn constant(&mut self) -> Result<ConstantSyntax, Error> {
        let kind = if self.accept_word("double") {
            ConstantType::Double
        } else if self.accept_word("bool") {
            ConstantType::Bool
        } else {
            self.accept_word("int");
            ConstantType::Int
        };
        let name = self.name()?;
        let value = if self.accept("=") { Some(self.expression()?) } else { None };
        self.need(";")?;
        Ok(ConstantSyntax { name, kind, value })
    }

    fn variable(&mut self) -> Result<VariableSyntax, Error> {
        let name = self.name()?;
        self.need(":")?;
        let range = if self.accept_word("bool") {
            RangeSyntax::Bool
        } else if self.accept_word("int") {
            RangeSyntax::Int
        } else if self.is_word("clock") {
            return Err(Error::new(self.at(), "a clock, which is not supported", "a range, bool or int"));
        } else {
            self.need("[")?;
            let low = self.expression()?;
            self.need("..")?;
            let high = self.expression()?;
            self.need("]")?;
            RangeSyntax::From(low, high)
        };
        let init = if self.accept_word("init") { Some(self.expression()?) } else { None };
        self.need(";")?;
        Ok(VariableSyntax { name, range, init })
    }

    fn module(&mut self) -> Result<ModuleSyntax, Error> {
        let name = self.name()?;
        if self.accept("=") {
            let other = self.name()?;
            self.need("[")?;
            let mut names = Vec::new();
            loop {
                let old = self.name()?;
                self.need("=")?;
                names.push((old, self.name()?));
                if !self.accept(",") {
                    break;
                }
            }
            self.need("]")?;
            self.need_word("endmodule")?;
            return Ok(ModuleSyntax::Renamed { name, other, names });
        }
        let (mut variables, mut commands) = (Vec::new(), Vec::new());
        while !self.accept_word("endmodule") {
            if self.is("[") {
                commands.push(self.command()?);
            } else if self.is_word("invariant") {
                return Err(Error::new(self.at(), "an invariant, which is not supported", "guards"));
            } else {
                variables.push(self.variable()?);
            }
        }
        Ok(ModuleSyntax::Own { name, variables, commands })
    }

    fn action(&mut self) -> Result<Option<Name>, Error> {
        self.need("[")?;
        let action = if self.is("]") { None } else { Some(self.name()?) };
        self.need("]")?;
        Ok(action)
    }

    fn command(&mut self) -> Result<CommandSyntax, Error> {
        let action = self.action()?;
        let guard = self.expression()?;
        self.need("->")?;
        let mut updates = Vec::new();
        loop {
            // What begins like a change is one; everything else is a probability.
            let at = self.at();
            let probability = if self.begins_update() {
                Expr::constant(Value::Int(1), at)
            } else {
                let probability = self.expression()?;
                self.need(":")?;
                probability
            };
            updates.push((probability, self.update()?));
            if !self.accept("+") {
                break;
            }
        }
        self.need(";")?;
        Ok(CommandSyntax { action, guard, updates })
    }

    fn begins_update(&self) -> bool {
        let sign = |place: usize, sign: &str| matches!(self.tokens.get(self.place + place), Some((Token::Sign(found), _)) if *found == sign);
        (self.is_word("true") && !sign(1, ":")) || (self.is("(") && sign(2, "'"))
    }

    fn update(&mut self) -> Result<Vec<(Name, Expr)>, Error> {
        let mut changes = Vec::new();
        if self.accept_word("true") {
            return Ok(changes);
        }
        loop {
            self.need("(")?;
            let name = self.name()?;
            self.need("'")?;
            self.need("=")?;
            changes.push((name, self.expression()?));
            self.need(")")?;
            if !self.accept("&") {
                return Ok(changes);
            }
        }
    }

    fn rewards(&mut self, at: At) -> Result<RewardsSyntax, Error> {
        let mut name = String::new();
        if let Token::Text(text) = self.peek() {
            name.clone_from(text);
            self.next();
        }
        let mut items = Vec::new();
        while !self.accept_word("endrewards") {
            let earning = if self.is("[") { Earning::Choice(self.action()?) } else { Earning::State };
            let guard = self.expression()?;
            self.need(":")?;
            items.push((earning, guard, self.expression()?));
            self.need(";")?;
        }
        Ok(RewardsSyntax { name, at, items })
    }

    // Expressions, from what binds loosest to what binds strongest.

    fn expression(&mut self) -> Result<Expr, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::new(self.at(), format!("an expression nested more than {DEEPEST} deep"), "formulas"));
        }
        let at = self.at();
        let condition = self.implication()?;
        let expression = if self.accept("?") {
            let yes = self.expression()?;
            self.need(":")?;
            let no = self.expression()?;
            Expr { kind: Kind::If(Box::new([condition, yes, no])), at }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(expression)
    }

    fn implication(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        let mut left = self.equivalence()?;
        let mut count = 0;
        while self.accept("=>") {
            count += 1;
            if count > DEEPEST {
                return Err(Error::new(at, "a chain of implications that is too long", "parentheses, or `|`"));
            }
            let right = self.equivalence()?;
            left = Expr { kind: Kind::Implies(Box::new([left, right])), at };
        }
        Ok(left)
    }

    fn equivalence(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        let left = self.disjunction()?;
        if !self.accept("<=>") {
            return Ok(left);
        }
        let right = self.disjunction()?;
        Ok(Expr { kind: Kind::Compare(Comparison::Equal, Box::new([left, right])), at })
    }

    fn chain(
        &mut self,
        sign: &str,
        operand: fn(&mut Self) -> Result<Expr, Error>,
        combine: fn(Vec<Expr>) -> Kind,
    ) -> Result<Expr, Error> {
        let at = self.at();
        let first = operand(self)?;
        if !self.is(sign) {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.accept(sign) {
            all.push(operand(self)?);
        }
        Ok(Expr { kind: combine(all), at })
    }

    fn disjunction(&mut self) -> Result<Expr, Error> {
        self.chain("|", Self::conjunction, Kind::Or)
    }

    fn conjunction(&mut self) -> Result<Expr, Error> {
        self.chain("&", Self::negation, Kind::And)
    }

    fn negation(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        if !self.accept("!") {
            return self.comparison();
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::new(at, format!("an expression nested more than {DEEPEST} deep"), "fewer `!`"));
        }
        let inner = self.negation()?;
        self.depth -= 1;
        Ok(Expr { kind: Kind::Not(Box::new(inner)), at })
    }

    fn comparison(&mut self) -> Result<Expr, Error> {
        const SIGNS: [(&str, Comparison); 6] = [
            ("=", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<", Comparison::Less),
            ("<=", Comparison::AtMost),
            (">", Comparison::More),
            (">=", Comparison::AtLeast),
        ];
        let at = self.at();
        let left = self.sum()?;
        let Some((_, comparison)) = SIGNS.into_iter().find(|(sign, _)| self.is(sign)) else { return Ok(left) };
        self.next();
        let right = self.sum()?;
        Ok(Expr { kind: Kind::Compare(comparison, Box::new([left, right])), at })
    }

    fn marked(
        &mut self,
        signs: [&str; 2],
        operand: fn(&mut Self) -> Result<Expr, Error>,
        combine: fn(Vec<(bool, Expr)>) -> Kind,
    ) -> Result<Expr, Error> {
        let at = self.at();
        let first = operand(self)?;
        let mut all = vec![(false, first)];
        while signs.iter().any(|sign| self.is(sign)) {
            let mark = self.is(signs[1]);
            self.next();
            all.push((mark, operand(self)?));
        }
        if all.len() == 1 { Ok(all.remove(0).1) } else { Ok(Expr { kind: combine(all), at }) }
    }

    fn sum(&mut self) -> Result<Expr, Error> {
        self.marked(["+", "-"], Self::product, Kind::Sum)
    }

    fn product(&mut self) -> Result<Expr, Error> {
        self.marked(["*", "/"], Self::unary, Kind::Product)
    }

    fn unary(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        if !self.accept("-") {
            return self.primary();
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::new(at, format!("an expression nested more than {DEEPEST} deep"), "fewer `-`"));
        }
        let inner = self.unary()?;
        self.depth -= 1;
        Ok(Expr { kind: Kind::Minus(Box::new(inner)), at })
    }

    fn primary(&mut self) -> Result<Expr, Error> {
        let at = self.at();
        if self.accept("(") {
            let inner = self.expression()?;
            self.need(")")?;
            return Ok(inner);
        }
        // A negation inside of a comparison or a sum: `x = !y`.
        if self.is("!") {
            return self.negation();
        }
        let kind = match self.peek().clone() {
            Token::Number(text) => {
                self.next();
                Kind::Constant(number(&text, at)?)
            }
            Token::Text(text) => {
                self.next();
                Kind::Label(text)
            }
            Token::Word(word) if word == "true" || word == "false" => {
                self.next();
                Kind::Constant(Value::Bool(word == "true"))
            }
            Token::Word(word) if word == "func" => {
                self.next();
                self.need("(")?;
                let name = self.name()?;
                self.need(",")?;
                self.call(&name)?
            }
            Token::Word(_) => {
                let name = self.name()?;
                if self.accept("(") { self.call(&name)? } else { Kind::Name(name.text) }
            }
            _ => return Err(self.unexpected("a number, a name or `(`")),
        };
        Ok(Expr { kind, at })
    }

    fn call(&mut self, name: &Name) -> Result<Kind, Error> {
        let Some(function) = Function::named(&name.text) else {
            let remedy = "min, max, floor, ceil, round, pow and mod are";
            return Err(Error::new(name.at, format!("the function `{}` is not supported", name.text), remedy));
        };
        let mut arguments = vec![self.expression()?];
        while self.accept(",") {
            arguments.push(self.expression()?);
        }
        self.need(")")?;
        Ok(Kind::Call(function, arguments))
    }
}

/// The exact value of a number: whole, or a decimal.
pub fn number(text: &str, at: At) -> Result<Value, Error> {
    if let Ok(value) = text.parse::<i64>() {
        return Ok(Value::Int(value));
    }
    let value: Result<RBig, String> = parse_number(text.as_bytes());
    value.map(Value::Real).map_err(|problem| Error::new(at, problem, "a number such as 7 or 0.25"))
}
