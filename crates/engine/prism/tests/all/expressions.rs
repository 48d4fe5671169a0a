//! Expressions have the meaning of PRISM's grammar: random ones, written with as few parentheses as that grammar
//! allows, against an evaluator of their trees that shares nothing with the reader.

use budget::Budget;
use prism::read;

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fraction(i128, i128);

fn fraction(numerator: i128, denominator: i128) -> Option<Fraction> {
    let (mut one, mut other) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    while other != 0 {
        (one, other) = (other, one % other);
    }
    let common = i128::try_from(one).ok()? * denominator.signum();
    let small = |number: i128| number.abs() < 1 << 40;
    (common != 0)
        .then(|| Fraction(numerator / common, denominator / common))
        .filter(|Fraction(numerator, denominator)| small(*numerator) && small(*denominator))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Worth {
    Number(Fraction),
    Truth(bool),
}

#[derive(Clone, Debug)]
enum Tree {
    Number(i128),
    Half(i128),
    True,
    /// `n`, which is 3.
    Variable,
    /// `b`, which is true.
    Flag,
    Not(Box<Tree>),
    Minus(Box<Tree>),
    /// An operator between two: its sign.
    Two(&'static str, Box<Tree>, Box<Tree>),
    If(Box<Tree>, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
}

/// Operators by their strength, and whether they associate from right to left.
const STRENGTHS: &[(&[&str], bool)] = &[
    (&["=>"], true),
    (&["<=>"], false),
    (&["|"], false),
    (&["&"], false),
    (&["!"], false),
    (&["=", "!="], false),
    (&["<", "<=", ">", ">="], false),
    (&["+", "-"], false),
    (&["*", "/"], false),
    (&["^"], true),
    (&["sign"], false),
];

fn strength(sign: &str) -> (usize, bool) {
    let place = STRENGTHS.iter().position(|(signs, _)| signs.contains(&sign)).unwrap();
    (place + 1, STRENGTHS[place].1)
}

impl Tree {
    fn strength(&self) -> usize {
        match self {
            Self::If(..) => 0,
            Self::Two(sign, ..) => strength(sign).0,
            Self::Not(_) => strength("!").0,
            Self::Minus(_) => strength("sign").0,
            _ => STRENGTHS.len() + 1,
        }
    }

    /// As text; in parentheses where it binds less strongly than `least`.
    fn describe(&self, least: usize) -> String {
        if self.strength() < least {
            return format!("({})", self.describe(0));
        }
        match self {
            Self::Number(number) => number.to_string(),
            Self::Half(number) => format!("{number}.5"),
            Self::True => "true".into(),
            Self::Variable => "n".into(),
            Self::Flag => "b".into(),
            Self::Not(inner) => format!("!{}", inner.describe(strength("!").0)),
            Self::Minus(inner) => format!("-{}", inner.describe(strength("sign").0)),
            Self::Two(sign, one, other) => {
                let (strength, from_right) = strength(sign);
                let (left, right) = if from_right { (strength + 1, strength) } else { (strength, strength + 1) };
                format!("{} {sign} {}", one.describe(left), other.describe(right))
            }
            Self::If(condition, yes, no) => {
                format!("{} ? {} : {}", condition.describe(1), yes.describe(1), no.describe(0))
            }
            Self::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|argument| argument.describe(0)).collect();
                if arguments.len() == 3 {
                    format!("func({name}, {})", arguments.join(", "))
                } else {
                    format!("{name}({})", arguments.join(", "))
                }
            }
        }
    }

    /// Its value; `None` where it is undefined or becomes large.
    fn worth(&self) -> Option<Worth> {
        Some(match self {
            Self::Number(number) => Worth::Number(Fraction(*number, 1)),
            Self::Half(number) => Worth::Number(Fraction(2 * number + 1, 2)),
            Self::True | Self::Flag => Worth::Truth(true),
            Self::Variable => Worth::Number(Fraction(3, 1)),
            Self::Not(inner) => Worth::Truth(!inner.truth()?),
            Self::Minus(inner) => {
                let Fraction(numerator, denominator) = inner.number()?;
                Worth::Number(Fraction(-numerator, denominator))
            }
            Self::Two(sign, one, other) => return two(sign, one, other),
            Self::If(condition, yes, no) => return if condition.truth()? { yes.worth() } else { no.worth() },
            Self::Call(name, arguments) => {
                let arguments = arguments.iter().map(Self::number).collect::<Option<Vec<_>>>()?;
                Worth::Number(call(name, &arguments)?)
            }
        })
    }

    fn number(&self) -> Option<Fraction> {
        match self.worth()? {
            Worth::Number(number) => Some(number),
            Worth::Truth(_) => None,
        }
    }

    fn truth(&self) -> Option<bool> {
        match self.worth()? {
            Worth::Truth(truth) => Some(truth),
            Worth::Number(_) => None,
        }
    }
}

fn two(sign: &str, one: &Tree, other: &Tree) -> Option<Worth> {
    let truths = || Some((one.truth()?, other.truth()?));
    let numbers = || Some((one.number()?, other.number()?));
    // The difference as an integer times something positive.
    let order = || numbers().map(|(Fraction(a, b), Fraction(c, d))| a * d - c * b);
    Some(match sign {
        "=>" => truths().map(|(one, other)| Worth::Truth(!one || other))?,
        "<=>" => truths().map(|(one, other)| Worth::Truth(one == other))?,
        "|" => truths().map(|(one, other)| Worth::Truth(one || other))?,
        "&" => truths().map(|(one, other)| Worth::Truth(one && other))?,
        "=" => Worth::Truth(one.worth()? == other.worth()?),
        "!=" => Worth::Truth(one.worth()? != other.worth()?),
        "<" => Worth::Truth(order()? < 0),
        "<=" => Worth::Truth(order()? <= 0),
        ">" => Worth::Truth(order()? > 0),
        ">=" => Worth::Truth(order()? >= 0),
        _ => {
            let (one, other) = numbers()?;
            let (Fraction(a, b), Fraction(c, d)) = (one, other);
            Worth::Number(match sign {
                "+" => fraction(a * d + c * b, b * d)?,
                "-" => fraction(a * d - c * b, b * d)?,
                "*" => fraction(a * c, b * d)?,
                "/" => fraction(a * d, b * c)?,
                "^" => call("pow", &[one, other])?,
                _ => unreachable!("{sign}"),
            })
        }
    })
}

fn call(name: &str, arguments: &[Fraction]) -> Option<Fraction> {
    let is_less = |one: &Fraction, other: &Fraction| one.0 * other.1 < other.0 * one.1;
    let [Fraction(a, b), ..] = arguments else { return None };
    match name {
        "min" => arguments.iter().copied().reduce(|one, other| if is_less(&other, &one) { other } else { one }),
        "max" => arguments.iter().copied().reduce(|one, other| if is_less(&one, &other) { other } else { one }),
        "floor" => fraction(a.div_euclid(*b), 1),
        "ceil" => fraction(-(-a).div_euclid(*b), 1),
        "round" => fraction((2 * a + b).div_euclid(2 * b), 1),
        "mod" => match arguments {
            [Fraction(a, 1), Fraction(c @ 1.., 1)] => fraction(a.rem_euclid(*c), 1),
            _ => None,
        },
        "pow" => {
            let [base, Fraction(exponent, 1)] = arguments else { return None };
            if exponent.abs() > 8 || base.0 == 0 && *exponent < 0 {
                return None;
            }
            let mut power = Fraction(1, 1);
            for _ in 0..exponent.abs() {
                power = fraction(power.0 * base.0, power.1 * base.1)?;
            }
            if *exponent < 0 { fraction(power.1, power.0) } else { Some(power) }
        }
        _ => unreachable!("{name}"),
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % most as u64).unwrap()
    }

    fn number(&mut self, depth: usize) -> Tree {
        if depth == 0 {
            let number = self.below(5) as i128;
            return [Tree::Number(number), Tree::Half(number), Tree::Variable][self.below(3)].clone();
        }
        let depth = depth - 1;
        match self.below(9) {
            0..=3 => {
                let sign = ["+", "-", "*", "/"][self.below(4)];
                Tree::Two(sign, self.number(depth).into(), self.number(depth).into())
            }
            4 | 5 => Tree::Two("^", self.number(depth).into(), self.number(depth.min(1)).into()),
            6 => Tree::Minus(self.number(depth).into()),
            7 => Tree::If(self.truth(depth).into(), self.number(depth).into(), self.number(depth).into()),
            _ => {
                let (name, count) =
                    [("min", 3), ("max", 2), ("floor", 1), ("ceil", 1), ("round", 1), ("mod", 2), ("pow", 2)]
                        [self.below(7)];
                Tree::Call(name, (0..count).map(|_| self.number(depth)).collect())
            }
        }
    }

    fn truth(&mut self, depth: usize) -> Tree {
        if depth == 0 {
            return [Tree::True, Tree::Flag][self.below(2)].clone();
        }
        let depth = depth - 1;
        match self.below(10) {
            0..=3 => {
                let sign = ["=>", "<=>", "|", "&"][self.below(4)];
                Tree::Two(sign, self.truth(depth).into(), self.truth(depth).into())
            }
            4 => Tree::Not(self.truth(depth).into()),
            5 => Tree::If(self.truth(depth).into(), self.truth(depth).into(), self.truth(depth).into()),
            6 | 7 => {
                let sign = ["=", "!="][self.below(2)];
                Tree::Two(sign, self.truth(depth).into(), self.truth(depth).into())
            }
            _ => {
                let sign = ["=", "!=", "<", "<=", ">", ">="][self.below(6)];
                Tree::Two(sign, self.number(depth).into(), self.number(depth).into())
            }
        }
    }
}

fn model(label: &str, reward: &str) -> String {
    format!(
        "mdp module m n : [0..9] init 3; b : bool init true; endmodule label \"l\" = {label};
         rewards true : {reward}; endrewards"
    )
}

#[test]
fn random_expressions() {
    let mut random = Random(1);
    let (mut truths, mut numbers) = (0, 0);
    for round in 0..6000 {
        let depth = 1 + round % 4;
        let (truth, number) = (random.truth(depth), random.number(depth));
        if let Some(right) = truth.truth() {
            let text = truth.describe(0);
            let found =
                read(&model(&text, "0"), &[], &[], &Budget::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(found.label("l").unwrap().contains(0), right, "{text}");
            truths += 1;
        }
        if let Some(Fraction(numerator, denominator)) = number.number() {
            let text = number.describe(0);
            let found = read(&model("true", &text), &[], &[], &Budget::default());
            let found = found.unwrap_or_else(|error| panic!("{text}: {error}"));
            let right = if denominator == 1 { numerator.to_string() } else { format!("{numerator}/{denominator}") };
            assert_eq!(found.reward("default").unwrap().of_state(0).to_string(), right, "{text}");
            numbers += 1;
        }
    }
    assert!(truths > 3000 && numbers > 2000, "{truths} {numbers}");
}

/// PRISM's own manual and parser on some expressions that are easily misread.
#[test]
fn precedence_of_operators() {
    for (text, right) in [
        ("-2^2", "4"),
        ("0-2^2", "-4"),
        ("2^-3", "1/8"),
        ("2^3^2", "512"),
        ("2*3^2", "18"),
        ("pow(1/4, 1/2)", "1/2"),
        ("pow(27/8, -2/3)", "4/9"),
        ("(1/4)^0.5", "1/2"),
        ("log(8, 2) + log(1/9, 3) + log(2, 4)", "3/2"),
        ("min(5, 4, 3, 2.5)", "5/2"),
        ("max(1)", "1"),
        ("func(pow, 2, 3)", "8"),
        ("mod(-1, 4) + mod(6/2, 2)", "4"),
        ("round(-2.5)", "-2"),
        ("7-2-1", "4"),
        ("8/2/2", "2"),
        ("b ? 1 : b ? 2 : 3", "1"),
        ("!b ? 1 : n = 4 ? 2 : 5", "5"),
    ] {
        let found = read(&model("true", text), &[], &[], &Budget::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(found.reward("default").unwrap().of_state(0).to_string(), right, "{text}");
    }
    for (text, right) in [
        ("b = n<4", true),
        ("b != n<4", false),
        ("n<4 = b", true),
        ("1<2 = 2<3 = true", true),
        ("!n=4", true),
        ("!b & b", false),
        ("false => false => false", true),
        ("b <=> n=3 <=> false", false),
        ("b | b & false", true),
        ("n = 6/2", true),
    ] {
        let found = read(&model(text, "0"), &[], &[], &Budget::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(found.label("l").unwrap().contains(0), right, "{text}");
    }
}

/// A fraction that is an integer can be used wherever an integer can.
#[test]
fn whole_fractions() {
    let text = "dtmc const int N; const int half = N/2; prob p = 1/2;
        module m x : [0..N/1] init N/2; [] x<N -> p : (x'=(2*x+2)/2) + 1-p : (x'=x^1); endmodule";
    let found = read(text, &[("N", "2")], &[], &Budget::default()).unwrap();
    assert_eq!((found.states(), found.choice_count()), (2, 1));
    let error = read(text, &[("N", "3")], &[], &Budget::default()).unwrap_err().to_string();
    assert!(error.starts_with("line 1, column 36: 3/2 (a whole number belongs here"), "{error}");
}

#[test]
fn functions_can_be_renamed() {
    let text = "mdp module m x : [0..9] init min(2, 5); [go] true -> (x'=min(x, 7)); endmodule
        module n = m [x=y, min=max] endmodule";
    let found = read(text, &[], &["y = 5 & x = 2", "y = 7 & x = 2"], &Budget::default()).unwrap();
    assert!(found.label("y = 5 & x = 2").unwrap().contains(0));
    assert_eq!(found.label("y = 7 & x = 2").unwrap().len(), 1);
}
