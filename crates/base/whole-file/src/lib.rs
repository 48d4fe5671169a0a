//! Writes files completely or not at all. This crate knows nothing about their content. Start reading at [`write()`].
//!
//! [`write()`] writes a temporary file in the same folder, syncs it to the disk, and then renames it, which is atomic:
//! whatever happens (an error, a full disk, a killed process, a power cut), the name refers to the old file or to the
//! new one, never to a part. Unfinished temporary files are removed, unless the process is killed.
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

/// Writes the file at `path`; `contents` writes its content.
///
/// Symbolic links are followed: their target is replaced, and they stay. A file that is replaced keeps its permissions
/// (and its owner, where the system allows that); it must be writable. Other hard links to it keep the old contents.
/// Devices, pipes, and open files by their number (`/dev/stdout`, `/dev/fd/3`) cannot be replaced and are written to
/// directly.
///
/// # Errors
/// The error of `contents`, or an error of the system: a full disk, a folder that does not exist or is not writable, a
/// file that is not.
pub fn write<E: From<io::Error>>(path: &Path, contents: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E> {
    match target(path)? {
        Target::Direct => {
            let mut out = BufWriter::new(OpenOptions::new().append(true).open(path)?);
            contents(&mut out)?;
            Ok(out.flush()?)
        }
        Target::Replace { path, old } => {
            let temporary = TemporaryFile::new(&path, old.as_ref())?;
            let mut out = BufWriter::new(&temporary.file);
            contents(&mut out)?;
            out.flush()?;
            drop(out);
            Ok(temporary.finish(&path)?)
        }
    }
}

/// Removes the temporary files of this process. Afterwards no file is begun or finished, so this is for a process that
/// is about to end.
pub fn abandon() {
    let under_way = under_way();
    for path in &*under_way {
        // If it cannot be removed now, nothing else can be done.
        let _ = fs::remove_file(path);
    }
    // The lock is never released.
    std::mem::forget(under_way);
}

/// Whether two metadata belong to the same file: a file that was removed and created again is another. Where the system
/// does not tell, any two are the same.
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

/// The way to write a file.
enum Target {
    /// In place: it is not a file that could be replaced.
    Direct,
    /// By renaming another to this path, which is no symbolic link.
    Replace { path: PathBuf, old: Option<Metadata> },
}

/// The most symbolic links that are followed, as on Linux.
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
            // It is not a link, or does not exist.
            Err(_) => return Ok(Target::Replace { path: here, old }),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A temporary file, which is removed if it is dropped before it is renamed.
struct TemporaryFile {
    file: File,
    temporary: PathBuf,
}

impl TemporaryFile {
    fn new(path: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        if old.is_some() {
            // A file that is not writable may not be replaced either.
            OpenOptions::new().write(true).open(path)?;
        }
        let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        let mut builder = Builder::new();
        builder.prefix(".bestplay-").suffix(".part");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = {
            let mut under_way = under_way();
            let (file, temporary) = builder.tempfile_in(folder)?.keep()?;
            under_way.push(temporary.clone());
            Self { file, temporary }
        };
        if let Some(old) = old {
            temporary.resemble(old)?;
        }
        Ok(temporary)
    }

    /// Copies the owner, where that is allowed, and the permissions.
    fn resemble(&self, old: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};

            let own = self.file.metadata()?;
            if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
                // Only the superuser may change the owner; one of the user's own groups may be kept.
                let _ = fchown(&self.file, Some(old.uid()), Some(old.gid()))
                    .or_else(|_| fchown(&self.file, None, Some(old.gid())));
            }
        }
        self.file.set_permissions(old.permissions())
    }

    /// Syncs the file to the disk and renames it.
    fn finish(self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        {
            let mut under_way = under_way();
            fs::rename(&self.temporary, path)?;
            under_way.retain(|other| *other != self.temporary);
        }
        #[cfg(unix)]
        if let Some(folder) = path.parent() {
            // The new name should survive a power cut, too; not all file systems guarantee that.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let mut under_way = under_way();
        if let Some(place) = under_way.iter().position(|other| *other == self.temporary) {
            // The original error is more informative than one of removing the file.
            let _ = fs::remove_file(&self.temporary);
            under_way.swap_remove(place);
        }
    }
}
