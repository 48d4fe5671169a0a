use super::*;

#[test]
fn the_guard_looks_often_only_near_a_limit() {
    let limits = Limits { max_memory: 1 << 30, max_time: Some(Duration::from_secs(9)), ..Limits::default() };
    let next = |seconds: u64, used| next_look(&limits, 1, Duration::from_millis(1000 * seconds), used);
    assert_eq!(next(0, Some(0)), SELDOM);
    assert_eq!(next(0, None), SELDOM);
    assert_eq!(next(0, Some((1 << 30) - 10 * MOST_IN_A_MILLISECOND)), Duration::from_millis(10));
    assert_eq!(next_look(&limits, 4, Duration::ZERO, Some(0)), Duration::from_millis(16));
    assert_eq!(next(0, Some(1 << 30)), LOOK);
    assert_eq!(next(0, Some(2 << 30)), LOOK);
    assert_eq!(next(10, Some(0)), LOOK);
    let last = Duration::from_secs(9) + GRACE;
    let before =
        |milliseconds: u64| next_look(&limits, 1, last.saturating_sub(Duration::from_millis(milliseconds)), Some(0));
    assert_eq!([before(60), before(20), before(1)], [SELDOM, Duration::from_millis(20), LOOK]);
    assert_eq!(exceeded(&limits, last, Some(1 << 30)), None);
    assert_eq!(
        exceeded(&limits, last + Duration::from_millis(1), Some(0)),
        Some(Reason::Time { limit: Duration::from_secs(9) })
    );
    let needed = 2 << 30;
    assert_eq!(exceeded(&limits, last, Some(needed)), Some(Reason::Memory { limit: 1 << 30, needed }));
}

#[test]
fn a_panic_is_a_failure_like_any_other() {
    let failure = caught(|| -> Result<(), Failure> { panic!("on purpose") }).unwrap_err();
    assert_eq!(failure.exit_code(), 1);
    let Failure::Failed(wrong) = failure else { panic!("another kind") };
    assert!(wrong.help().expect("advice").contains("please report this"));
    let in_a_thread = caught(|| -> Result<(), Failure> {
        rayon::join(|| panic!("on purpose"), || ());
        Ok(())
    });
    assert_eq!(in_a_thread.unwrap_err().exit_code(), 1);
}
