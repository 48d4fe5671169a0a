//! From tokens to a model.

use super::expression::Expr;
use super::other_models::{FROM_INTERVALS, INTERVALS, other_model};
use super::parser::Parser;
use super::syntax::{
    CommandSyntax, ConstantSyntax, ConstantType, Earning, ModuleSyntax, Name, RangeSyntax, RewardsSyntax, Syntax,
    VariableSyntax,
};
use super::token::Token;
use super::value::Value;
use crate::error::{At, Error, Source};

/// Reads a model.
pub fn parse(text: &str) -> Result<Syntax, Error> {
    let mut parser = Parser::new(text, Source::Model)?;
    let mut syntax = Syntax::default();
    while *parser.peek() != Token::End {
        parser.item(&mut syntax)?;
    }
    Ok(syntax)
}

impl Parser {
    /// A part of a model.
    fn item(&mut self, syntax: &mut Syntax) -> Result<(), Error> {
        let at = self.at();
        let Token::Word(word) = self.peek().clone() else { return Err(self.unexpected("a part of a model")) };
        if let Some((what, right)) = other_model(&word) {
            return Err(Error::new(at, format!("{what}, which is not supported"), right));
        }
        match word.as_str() {
            "mdp" | "nondeterministic" | "dtmc" | "probabilistic" => {
                if syntax.chain.is_some() {
                    return Err(Error::new(at, "a second type of the model", "one type"));
                }
                syntax.chain = Some(matches!(word.as_str(), "dtmc" | "probabilistic"));
                self.next();
            }
            "const" | "rate" | "prob" => {
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
        // `rate` and `prob` are older words for `const double`.
        let kind = if !self.accept_word("const") {
            self.next();
            ConstantType::Double
        } else if self.accept_word("double") {
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
                return Err(Error::new(self.at(), "an invariant of clocks, which is not supported", "guards"));
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
            // If it begins like a change, it is one; everything else is a probability.
            let at = self.at();
            let probability = if self.begins_update() {
                Expr::constant(Value::Int(1), at)
            } else if self.is("[") {
                return Err(Error::new(at, format!("{INTERVALS}, which is not supported"), FROM_INTERVALS));
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
        let sign = |places: usize, sign: &str| matches!(self.ahead(places), Some(Token::Sign(found)) if *found == sign);
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
}
