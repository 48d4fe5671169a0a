use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::question::jobs::{Ceilings, Jobs, Size};

/// Asks a shelf on a thread of the jobs.
async fn ask(shelf: &Arc<Shelf<usize>>, jobs: &Jobs, key: &str, bytes: u64, found: &Arc<AtomicUsize>) -> usize {
    let (shelf, found, key) = (Arc::clone(shelf), Arc::clone(found), key.to_owned());
    let work = move |run: &Run<'_>| {
        let answer = shelf.get(&key, run, || {
            std::thread::sleep(Duration::from_millis(30));
            Ok((found.fetch_add(1, Ordering::SeqCst), bytes))
        })?;
        Ok(*answer)
    };
    jobs.start(Size::Large, work).unwrap().result().await.unwrap()
}

#[tokio::test]
async fn one_finds_it_for_all_and_the_oldest_goes() {
    let shelf = Arc::new(Shelf::new(250));
    let jobs = Jobs::new(Ceilings { solves: 4, ..Ceilings::default() });
    let found = Arc::new(AtomicUsize::new(0));
    let (a, b) = tokio::join!(ask(&shelf, &jobs, "a", 99, &found), ask(&shelf, &jobs, "a", 99, &found));
    assert_eq!((a, b), (0, 0));
    assert_eq!(ask(&shelf, &jobs, "b", 99, &found).await, 1);
    // "a" is asked for again, so "b" is the oldest when there is no room for three.
    assert_eq!(shelf.kept("a").as_deref(), Some(&0));
    assert_eq!(ask(&shelf, &jobs, "c", 99, &found).await, 2);
    assert_eq!(ask(&shelf, &jobs, "a", 99, &found).await, 0);
    assert_eq!(ask(&shelf, &jobs, "b", 99, &found).await, 3);
    assert_eq!(shelf.kept("c"), None);
    // What is larger than the shelf is answered and not kept.
    assert_eq!(ask(&shelf, &jobs, "large", 1000, &found).await, 4);
    assert_eq!(ask(&shelf, &jobs, "large", 1000, &found).await, 5);
}

#[tokio::test]
async fn what_nobody_asks_for_is_given_back() {
    let shelf = Arc::new(Shelf::new(1000));
    let (jobs, found) = (Jobs::new(Ceilings::default()), Arc::default());
    ask(&shelf, &jobs, "old", 99, &found).await;
    let old = Arc::downgrade(&shelf.kept("old").unwrap());
    tokio::time::sleep(Duration::from_millis(60)).await;
    ask(&shelf, &jobs, "new", 99, &found).await;
    shelf.expire(Duration::from_millis(50));
    assert!(shelf.kept("old").is_none() && old.upgrade().is_none());
    assert_eq!(shelf.kept("new").as_deref(), Some(&1));
    shelf.expire(Duration::ZERO);
    assert!(lock(&shelf.kept).places.is_empty());
}

#[tokio::test]
async fn an_error_is_not_kept() {
    let shelf: Arc<Shelf<usize>> = Arc::new(Shelf::new(100));
    let jobs = Jobs::new(Ceilings::default());
    let again = Arc::clone(&shelf);
    let fails = move |run: &Run<'_>| again.get("x", run, || Err(Problem::internal("no"))).map(|_| ());
    assert!(jobs.start(Size::Large, fails).unwrap().result().await.is_err());
    assert_eq!(ask(&shelf, &jobs, "x", 1, &Arc::default()).await, 0);
    assert_eq!(lock(&shelf.kept).places.len(), 1);
}
