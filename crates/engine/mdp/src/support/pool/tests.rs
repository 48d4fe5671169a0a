use rayon::prelude::*;

use super::*;

/// A sum that is split recursively.
fn sum(numbers: &[u64]) -> u64 {
    match numbers {
        [one] => *one,
        several => {
            let (left, right) = several.split_at(several.len() / 2);
            let (left, right) = rayon::join(|| sum(left), || sum(right));
            left + right
        }
    }
}

/// Also with fewer cores than threads.
fn with_awake_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| with_others_awake(work))
}

#[test]
fn what_is_shared_is_done_by_any_number_of_threads() {
    let numbers: Vec<u64> = (0..1000).collect();
    for threads in [1, 2, 3, 8] {
        with_awake_pool(threads, || {
            for pause in [Duration::ZERO, AWAKE, 20 * AWAKE] {
                thread::sleep(pause);
                assert_eq!(sum(&numbers), 499_500);
                let inner = (0..50u64).into_par_iter().map(|_| in_own_pool(Some(threads), |_| sum(&numbers)));
                assert_eq!(inner.sum::<u64>(), 50 * 499_500);
            }
        });
    }
}

#[test]
fn more_threads_than_cores_do_the_same() {
    assert_eq!(in_own_pool(Some(100), |threads| threads as u64 + sum(&[1, 2, 3])), 106);
}

#[test]
fn a_panic_ends_the_work_of_all_threads() {
    let panicked = std::panic::catch_unwind(|| with_awake_pool(3, || panic!("of one")));
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"of one"));
}
