//! The content of a folder after writing to various targets, with and without failures.

#![cfg(unix)]

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A folder with a file in it.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "old").unwrap();
    (folder, file)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    whole_file::write(path, |file| file.write_all(text.as_bytes()))
}

fn names(folder: &TempDir) -> Vec<String> {
    let names = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn permissions_stay() {
    let (folder, file) = folder();
    for bits in [0o600, 0o644, 0o755, 0o666] {
        fs::set_permissions(&file, fs::Permissions::from_mode(bits)).unwrap();
        write(&file, "new").unwrap();
        assert_eq!(mode(&file), bits);
    }
    // A new file has the permissions of any other new file.
    fs::write(folder.path().join("usual"), "").unwrap();
    write(&folder.path().join("new"), "").unwrap();
    assert_eq!(mode(&folder.path().join("new")), mode(&folder.path().join("usual")));
    assert_eq!(names(&folder), ["file", "new", "usual"]);
}

#[test]
fn links_stay_and_what_they_lead_to_is_replaced() {
    let (folder, file) = folder();
    let other = tempfile::tempdir().unwrap();
    let (link, chain, dangling) =
        (other.path().join("link"), folder.path().join("chain"), folder.path().join("dangling"));
    symlink(&file, &link).unwrap();
    symlink(&link, &chain).unwrap();
    symlink("not-there-yet", &dangling).unwrap();
    write(&chain, "new").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::read_link(&chain).unwrap(), link);
    assert_eq!(fs::read_link(&link).unwrap(), file);
    write(&dangling, "made").unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("not-there-yet")).unwrap(), "made");
    assert_eq!(names(&folder), ["chain", "dangling", "file", "not-there-yet"]);
    assert_eq!(names(&other), ["link"]);
    let circle = folder.path().join("circle");
    symlink("circle", &circle).unwrap();
    assert!(write(&circle, "").is_err());
}

#[test]
fn devices_and_pipes_are_written_to() {
    let (folder, _) = folder();
    write(Path::new("/dev/null"), "nothing").unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    if Path::new("/dev/full").exists() {
        assert_eq!(write(Path::new("/dev/full"), "x").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut text = String::new();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| write(&pipe, "through"));
        fs::File::open(&pipe).unwrap().read_to_string(&mut text).unwrap();
        writer.join().unwrap().unwrap();
    });
    assert_eq!(text, "through");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn an_open_file_is_not_replaced_under_its_number() {
    use std::os::fd::AsRawFd;

    let (_folder, path) = folder();
    let open = fs::OpenOptions::new().append(true).open(&path).unwrap();
    let inode = open.metadata().unwrap().ino();
    for number in [format!("/dev/fd/{}", open.as_raw_fd()), format!("/proc/self/fd/{}", open.as_raw_fd())] {
        write(Path::new(&number), "+").unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "old++");
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
}

#[test]
fn errors_and_panics_leave_the_old_file_alone() {
    let (folder, file) = folder();
    let failed = whole_file::write(&file, |out| {
        out.write_all(&vec![0; 1 << 20])?;
        Err(io::Error::other("no more"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "no more");
    let lost = std::panic::catch_unwind(|| {
        whole_file::write(&file, |out| -> io::Result<()> {
            out.write_all(&vec![0; 1 << 20])?;
            panic!("on purpose")
        })
    });
    assert!(lost.is_err());
    assert_eq!((fs::read_to_string(&file).unwrap(), names(&folder)), ("old".into(), vec!["file".into()]));
    assert!(write(folder.path(), "a folder").is_err());
    assert!(write(&folder.path().join("missing/file"), "nowhere").is_err());
    assert!(write(Path::new(""), "nothing").is_err());
}

#[test]
fn a_file_that_may_not_be_written_to_is_not_replaced() {
    let (folder, file) = folder();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::OpenOptions::new().write(true).open(&file).is_ok() {
        // The superuser may write to it.
        write(&file, "new").unwrap();
        assert_eq!(mode(&file), 0o444);
    } else {
        assert_eq!(write(&file, "new").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    }
    assert_eq!(names(&folder), ["file"]);
}
