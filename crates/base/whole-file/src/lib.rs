//! Files that are written whole or not at all. What is in them this crate must never know. Start reading at
//! [`write()`].
//!
//! [`write()`] writes a temporary file beside the one that is meant, has the system put it on the disk, and
//! then gives it the name, which is one step: whatever happens (an error, a full disk, a lost process, a
//! power cut), under that name there is the old file or the new one, never a part. What was begun in vain
//! is removed, unless the process is killed outright.
//!
//! ```
//! use std::io::Write;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("odds.txt");
//! whole_file::write(&path, |file| writeln!(file, "1/6"))?;
//! assert_eq!(std::fs::read_to_string(&path)?, "1/6\n");
//!
//! // An error leaves the old file, and nothing else.
//! let failed = whole_file::write(&path, |file| {
//!     writeln!(file, "5/")?;
//!     Err(std::io::Error::other("no more to say"))
//! });
//! assert!(failed.is_err());
//! assert_eq!(std::fs::read_to_string(&path)?, "1/6\n");
//! assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
//! # std::io::Result::Ok(())
//! ```

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::Builder;

/// The temporary files of this process.
static UNDER_WAY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn under_way() -> MutexGuard<'static, Vec<PathBuf>> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the file at `path`; `contents` writes what shall be in it.
///
/// Symbolic links are followed: what they lead to is replaced, they stay. A file that is replaced keeps
/// its permissions (and its owner, where the system allows that); it must be one that may be written to. Other
/// hard links to it keep the old contents. Devices, pipes, and open files by their number
/// (`/dev/stdout`, `/dev/fd/3`) cannot be replaced and are written to directly.
///
/// # Errors
/// What `contents` returns, or what the system says: a full disk, a folder that does not exist or may not be
/// written to, a file that may not.
pub fn write<E: From<io::Error>>(path: &Path, contents: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E> {
    match target(path)? {
        Target::Direct => {
            let mut out = BufWriter::new(OpenOptions::new().append(true).open(path)?);
            contents(&mut out)?;
            Ok(out.flush()?)
        }
        Target::Replace { path, old } => {
            let begun = Begun::new(&path, old.as_ref())?;
            let mut out = BufWriter::new(&begun.file);
            contents(&mut out)?;
            out.flush()?;
            drop(out);
            Ok(begun.finish(&path)?)
        }
    }
}

/// Removes the temporary files of this process. From then on no file is begun or finished, so this is for a
/// process that is about to end.
pub fn abandon() {
    let under_way = under_way();
    for path in &*under_way {
        // Who cannot remove it now can do nothing else either.
        let _ = fs::remove_file(path);
    }
    // The lock stays taken.
    std::mem::forget(under_way);
}

/// Whether what is said of two files is said of one: a file that was removed and made anew is another. Where the system does
/// not tell, any two are one.
pub fn is_same(one: &Metadata, other: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;

        (one.dev(), one.ino()) == (other.dev(), other.ino())
    }
    #[cfg(not(unix))]
    {
        let _ = (one, other);
        true
    }
}

/// How a file is to be written.
enum Target {
    /// In place: it is no file that could be replaced.
    Direct,
    /// By renaming another to this path, which is no symbolic link.
    Replace { path: PathBuf, old: Option<Metadata> },
}

/// The most symbolic links that are followed, as in Linux.
const MOST_LINKS: usize = 40;

fn target(path: &Path) -> io::Result<Target> {
    let old = match fs::metadata(path) {
        Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if !old.is_file() => return Ok(Target::Direct),
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = fs::canonicalize(folder)?;
        if folder.starts_with("/proc") {
            return Ok(Target::Direct);
        }
        let here = folder.join(name);
        match fs::read_link(&here) {
            Ok(link) => path = folder.join(link),
            // It is no link, or not there.
            Err(_) => return Ok(Target::Replace { path: here, old }),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A temporary file, removed when it is dropped before it has its name.
struct Begun {
    file: File,
    temporary: PathBuf,
}

impl Begun {
    fn new(path: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        if old.is_some() {
            // A file that may not be written to may not be replaced either.
            OpenOptions::new().write(true).open(path)?;
        }
        let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        let mut builder = Builder::new();
        builder.prefix(".bestplay-").suffix(".part");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let begun = {
            let mut under_way = under_way();
            let (file, temporary) = builder.tempfile_in(folder)?.keep()?;
            under_way.push(temporary.clone());
            Self { file, temporary }
        };
        if let Some(old) = old {
            begun.resemble(old)?;
        }
        Ok(begun)
    }

    /// Takes over the owner, where that is allowed, and the permissions.
    fn resemble(&self, old: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};

            let own = self.file.metadata()?;
            if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
                // Only the superuser may give files away; a group of one's own may be kept.
                let _ = fchown(&self.file, Some(old.uid()), Some(old.gid()))
                    .or_else(|_| fchown(&self.file, None, Some(old.gid())));
            }
        }
        self.file.set_permissions(old.permissions())
    }

    /// Puts the file on the disk and gives it its name.
    fn finish(self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        {
            let mut under_way = under_way();
            fs::rename(&self.temporary, path)?;
            under_way.retain(|other| *other != self.temporary);
        }
        #[cfg(unix)]
        if let Some(folder) = path.parent() {
            // The new name is to survive a power cut too; not all file systems can promise that.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let mut under_way = under_way();
        if let Some(place) = under_way.iter().position(|other| *other == self.temporary) {
            // The error that brought us here says more than one of removing it.
            let _ = fs::remove_file(&self.temporary);
            under_way.swap_remove(place);
        }
    }
}
