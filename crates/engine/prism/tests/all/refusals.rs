//! Errors are reported with their position.

use budget::Budget;
use prism::read;

fn error(text: &str) -> String {
    read(text, &[], &[], &Budget::default()).expect_err(text).to_string()
}

/// Each of these models is refused with a message that contains this text.
fn assert_refused(models: &[(&str, &str)]) {
    for (text, expected) in models {
        let found = error(text);
        assert!(found.contains(expected), "{text}\n   found {found}\nexpected {expected}");
    }
}

#[test]
fn unsupported_constructs_are_reported() {
    assert_refused(&[
        ("", "a model without modules"),
        (
            "ctmc",
            "line 1, column 1: a continuous-time Markov chain (`ctmc`), which is not supported (an `mdp` or a `dtmc`",
        ),
        // The model's own text is read by the model's rules, whatever is requested.
        (
            "mdp module m x : [0..1]; endmodule label \"end\" = x=1; rewards end : 1; endrewards",
            "nothing is called `end`",
        ),
        ("stochastic", "a continuous-time Markov chain (`ctmc`)"),
        ("ma", "a Markov automaton (`ma`)"),
        ("pta", "a probabilistic timed automaton (`pta`)"),
        ("pomdp", "line 1, column 1: a partially observable model (`pomdp`)"),
        ("mdp observables x endobservables", "line 1, column 5: a partially observable model (`pomdp`)"),
        ("smg", "a stochastic game of several players (`smg`)"),
        ("csg player p endplayer", "a concurrent stochastic game (`csg`)"),
        (
            "mdp module m x : [0..1]; [] x=0 -> [0.1,0.2]:(x'=1) + [0.8,0.9]:(x'=0); endmodule",
            "line 1, column 36: an interval model, whose probabilities",
        ),
        ("mdp #for i=1:2# module m#i# endmodule #end#", "line 1, column 5: a part for PRISM's preprocessor"),
        ("mdp\n  system a || b endsystem", "line 2, column 3: a composition of modules by hand"),
        ("mdp module m x : clock; endmodule", "line 1, column 18: a clock, which is not supported"),
    ]);
}

#[test]
fn errors_have_positions() {
    assert_refused(&[
        ("mdp module m x : [0..1]; [] true -> (y'=1); endmodule", "line 1, column 38: there is no variable `y`"),
        ("mdp module m x : [0..1]; [] z -> true; endmodule", "line 1, column 29: nothing is called `z`"),
        ("mdp module m x : [0..1]; [] x -> true; endmodule", "line 1, column 29: the number 0 (true or false belongs"),
        (
            "mdp module m x : [0..1]; [] true -> (x'=x+2); endmodule",
            "line 1, column 41: `x` becomes 2 where x = 0 (its values go from 0 to 1)",
        ),
        (
            "mdp module m x : [0..1]; [] true -> 0.5 : (x'=1) + 0.4 : true; endmodule",
            "line 1, column 29: the probabilities sum to 9/10 where x = 0 (they must sum to 1)",
        ),
        (
            "mdp module m x : [0..1]; [] true -> -1 : true + 2 : true; endmodule",
            "line 1, column 37: a probability of -1",
        ),
        ("mdp module m x : [2..1]; endmodule", "line 1, column 14: the range of `x` is empty"),
        ("mdp module m x : [0..1] init 2; endmodule", "line 1, column 30: `x` begins at 2"),
        ("mdp const N; module m endmodule", "line 1, column 11: the constant `N` has no value (give it one: N=...)"),
        ("mdp const a = b; const b = a; module m endmodule", "line 1, column 15: nothing is called `b`"),
        ("mdp formula f = f; module m x : [0..1]; [] f=1 -> true; endmodule", "an expression that is too large"),
        (
            "mdp module m x : [0..1]; [] log(x, 2) = 1 -> true; endmodule",
            "column 29: a logarithm of what is not above 0",
        ),
        (
            "mdp module m x : [3..4]; [] log(x, 2) = 1 -> true; endmodule",
            "column 29: an irrational number, which is not exact",
        ),
        ("dtmc const double p = pow(1/2,1/2); module m endmodule", "line 1, column 23: an irrational number"),
        ("dtmc const double p = 2^(1/3); module m endmodule", "line 1, column 23: an irrational number"),
        (
            "mdp module m x : [0..3] init 3/2; endmodule",
            "line 1, column 30: 3/2 (a whole number belongs here: floor(...)",
        ),
        ("mdp module m x : [0..1]; [] sin(x) = 1 -> true; endmodule", "`sin` is no function of the language"),
        ("mdp module m x : [0..1]; [] 1/x = 1 -> true; endmodule", "line 1, column 31: a division by zero"),
        ("mdp module m endmodule module m endmodule", "line 1, column 31: a second `m`"),
        ("mdp module n = m [a=b] endmodule", "line 1, column 16: there is no module `m` before"),
        (
            "mdp global g : bool; module m [a] true -> (g'=true); endmodule",
            "line 1, column 44: the global variable `g` changes together with other modules",
        ),
        (
            "mdp module a x : bool; endmodule module b [] true -> (x'=true); endmodule",
            "line 1, column 55: `x` belongs to another module",
        ),
        (
            "mdp module m x : [0..9223372036854775807]; [] x+x+9223372036854775807>x -> (x'=9223372036854775807); endmodule",
            "a number that is too large",
        ),
        ("mdp label \"a = true;", "a quotation mark without its partner"),
        ("mdp module m [] true -> true endmodule", "line 1, column 30: `endmodule` (expected `;`)"),
    ]);
}

#[test]
fn deep_nesting_is_refused() {
    assert!(
        error(&format!("mdp formula f = {}1; module m endmodule", "(".repeat(100_000))).contains("nested more than")
    );
    assert!(
        error(&format!("mdp formula f = {}true; module m endmodule", "!".repeat(100_000))).contains("nested more than")
    );
}
