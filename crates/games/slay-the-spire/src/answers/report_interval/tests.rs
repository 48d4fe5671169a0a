use std::time::Duration;

use budget::{Limits, Reason};

use super::*;

#[test]
fn the_reported_limit_is_the_requested_one() {
    let limit = Duration::ZERO;
    let budget = Budget::new(Limits { max_time: Some(limit), ..Limits::NONE });
    let stopped = leaving_time(&budget, |budget, _| budget.check());
    assert_eq!(stopped.unwrap_err().reason, Reason::Time { limit });
}
