use std::time::Duration;

use budget::{Limits, Reason};

use super::*;

#[test]
fn the_limit_that_is_told_is_the_one_that_was_asked_for() {
    let limit = Duration::ZERO;
    let budget = Budget::new(Limits { max_time: Some(limit), ..Limits::NONE });
    let stopped = leaving_time(&budget, |budget, _| budget.check());
    assert_eq!(stopped.unwrap_err().reason, Reason::Time { limit });
}
