//! Names by which each of several things can be called.

/// Gives names numbers where the same came before.
pub fn make_distinct<'a>(names: impl Iterator<Item = &'a mut String>) {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        if taken.contains(name) {
            let mut numbered = (2..=taken.len() + 2).map(|number| format!("{name}-{number}"));
            let free = numbered.find(|numbered| !taken.contains(numbered));
            *name = free.expect("one of more names than are taken is free");
        }
        taken.push(name.clone());
    }
}
