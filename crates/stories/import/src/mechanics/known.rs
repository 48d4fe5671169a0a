//! Decides conditions by known facts about the same numbers: if `rounds <= 3` is known not to hold, `rounds >= 4` does.

use std::collections::BTreeMap;

use super::state::positive;

/// The largest number that is tried.
const LARGEST: i64 = 60;

/// Whether a condition holds; `None` if the known facts about its numbers do not decide it.
pub(super) fn decided(condition: &str, known: &BTreeMap<String, bool>) -> Option<bool> {
    let (base, is) = positive(condition);
    let asked = Expression::new(base)?;
    let names = asked.names();
    if names.is_empty() || names.len() > 2 {
        return None;
    }
    let facts: Vec<(Expression<'_>, bool)> = known
        .iter()
        .filter_map(|(fact, holds)| Some((Expression::new(fact)?, *holds)))
        .filter(|(fact, _)| fact.names().iter().all(|name| names.contains(name)))
        .collect();
    let largest = facts.iter().map(|(fact, _)| fact.largest()).chain([asked.largest()]).max().unwrap_or(0) + 2;
    if largest > LARGEST || facts.is_empty() {
        return None;
    }
    // Only picked numbers can be negative.
    let least = |name: &str| if name.starts_with('r') && name != "rounds" { -largest } else { 0 };
    let (first, second) = (names[0], names.get(1).copied());
    let mut found = None;
    for one in least(first)..=largest {
        for other in second.map_or(0..=0, |name| least(name)..=largest) {
            let value = |name: &str| if name == first { one } else { other };
            if facts.iter().any(|(fact, holds)| fact.holds(&value) != Some(*holds)) {
                continue;
            }
            let holds = asked.holds(&value)? == is;
            if found.is_some_and(|found| found != holds) {
                return None;
            }
            found = Some(holds);
        }
    }
    found
}

/// A condition on numbers, split into words.
struct Expression<'t> {
    words: Vec<&'t str>,
}

impl<'t> Expression<'t> {
    fn new(text: &'t str) -> Option<Self> {
        let mut words = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
            let is_sign = |c: char| matches!(c, '<' | '>' | '=' | '!');
            let length = if first.is_ascii_alphanumeric() {
                rest.find(|c: char| !is_name(c)).unwrap_or(rest.len())
            } else if is_sign(first) {
                rest.find(|c: char| !is_sign(c)).unwrap_or(rest.len())
            } else if "()+-*/,".contains(first) {
                1
            } else {
                return None;
            };
            words.push(&rest[..length]);
            rest = rest[length..].trim_start();
        }
        let compares = words.iter().any(|word| word.starts_with(['<', '>', '=', '!']));
        // A name without a comparison is a flag.
        (compares && !words.contains(&"has") && !words.contains(&"reading")).then_some(Self { words })
    }

    /// The names of the numbers in it.
    fn names(&self) -> Vec<&'t str> {
        let mut names: Vec<&str> = Vec::new();
        for word in &self.words {
            let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic());
            if is_name && !matches!(*word, "and" | "or" | "not" | "down") && !names.contains(word) {
                names.push(word);
            }
        }
        names
    }

    fn largest(&self) -> i64 {
        self.words.iter().filter_map(|word| word.parse().ok()).max().unwrap_or(0)
    }

    fn holds(&self, value: &dyn Fn(&str) -> i64) -> Option<bool> {
        let mut evaluator = Evaluator { words: &self.words, at: 0, value };
        let holds = evaluator.either()?;
        (evaluator.at == self.words.len()).then_some(holds)
    }
}

/// Evaluates a condition for given numbers.
struct Evaluator<'r> {
    words: &'r [&'r str],
    at: usize,
    value: &'r dyn Fn(&str) -> i64,
}

impl Evaluator<'_> {
    fn next_is(&mut self, word: &str) -> bool {
        let is = self.words.get(self.at) == Some(&word);
        self.at += usize::from(is);
        is
    }

    fn either(&mut self) -> Option<bool> {
        let mut holds = self.both()?;
        while self.next_is("or") {
            holds |= self.both()?;
        }
        Some(holds)
    }

    fn both(&mut self) -> Option<bool> {
        let mut holds = self.one()?;
        while self.next_is("and") {
            holds &= self.one()?;
        }
        Some(holds)
    }

    fn one(&mut self) -> Option<bool> {
        if self.next_is("not") {
            return self.one().map(|holds| !holds);
        }
        let start = self.at;
        if let Some(holds) = self.comparison() {
            return Some(holds);
        }
        self.at = start;
        let holds = if self.next_is("(") { self.either() } else { None };
        holds.filter(|_| self.next_is(")"))
    }

    fn comparison(&mut self) -> Option<bool> {
        let left = self.sum()?;
        let sign = *self.words.get(self.at)?;
        self.at += 1;
        let right = self.sum()?;
        Some(match sign {
            "<" => left < right,
            "<=" => left <= right,
            ">" => left > right,
            ">=" => left >= right,
            "=" => left == right,
            "!=" => left != right,
            _ => return None,
        })
    }

    fn sum(&mut self) -> Option<i64> {
        let mut sum = self.product()?;
        loop {
            if self.next_is("+") {
                sum = sum.checked_add(self.product()?)?;
            } else if self.next_is("-") {
                sum = sum.checked_sub(self.product()?)?;
            } else {
                return Some(sum);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut product = self.atom()?;
        loop {
            if self.next_is("*") {
                product = product.checked_mul(self.atom()?)?;
            } else if self.next_is("/") {
                let divisor = self.atom()?;
                product = if divisor == 0 { return None } else { product.div_euclid(divisor) };
            } else {
                return Some(product);
            }
        }
    }

    fn atom(&mut self) -> Option<i64> {
        // `down` before a division changes nothing: all divisions round down.
        self.next_is("down");
        if self.next_is("(") {
            let inner = self.sum()?;
            return self.next_is(")").then_some(inner);
        }
        let word = *self.words.get(self.at)?;
        self.at += 1;
        match word.parse() {
            Ok(number) => Some(number),
            Err(_) if word.starts_with(|c: char| c.is_ascii_alphabetic()) => Some((self.value)(word)),
            Err(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
