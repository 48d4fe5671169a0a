//! The text of a model: tokens, expressions, declarations.

mod expression;
mod operators;
mod other_models;
mod parse;
mod parser;
mod powers;
mod syntax;
mod token;
mod value;

pub(crate) use expression::{Comparison, Expr, Function, Kind};
pub(crate) use operators::parse_expression;
pub(crate) use other_models::other_model;
pub(crate) use parse::parse;
pub(crate) use syntax::{
    CommandSyntax, ConstantSyntax, ConstantType, Earning, ModuleSyntax, Name, RangeSyntax, Syntax, VariableSyntax,
};
pub(crate) use value::Value;
