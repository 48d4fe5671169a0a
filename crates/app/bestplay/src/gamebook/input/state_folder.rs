//! `--state DIR`: the folder for the finished parts of a series, one file each. Only one process uses it at a time.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gamebook::Shelf;

use crate::output::{self, Failure};

/// The file that is locked by the process that uses the folder. The system releases the lock when the process ends.
const LOCK: &str = "lock";
/// The longest process number, in digits.
const LONGEST: u64 = 20;
/// How long to wait for another process that uses the folder.
const PATIENCE: Duration = Duration::from_secs(2);
/// The interval of checks whether it has ended.
const LOOK: Duration = Duration::from_millis(50);

/// A folder of finished parts.
pub struct StateFolder {
    path: PathBuf,
    lock: File,
    /// The parts that were written or used in this run.
    parts: Mutex<BTreeSet<String>>,
    /// The reported reasons for computing parts again.
    reported: Mutex<BTreeSet<String>>,
}

impl StateFolder {
    /// Opens the folder, created if missing, for this process alone.
    ///
    /// # Errors
    /// If it cannot be opened, or another process uses it.
    pub fn at(path: &Path) -> Result<Self, Failure> {
        output::is_kept(path)?;
        let refused = |error: io::Error| unusable(path, &error);
        fs::create_dir_all(path).map_err(refused)?;
        let own = path.join(LOCK);
        let mut lock =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&own).map_err(refused)?;
        let began = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if began.elapsed() < PATIENCE => std::thread::sleep(LOOK),
                Err(TryLockError::WouldBlock) => return Err(taken(path, lock)),
                Err(TryLockError::Error(error)) => return Err(refused(error)),
            }
        }
        // For other processes that find it locked.
        let write_number = |lock: &mut File| {
            if lock.metadata()?.len() > LONGEST {
                return Err(io::Error::other("there is something else in it"));
            }
            lock.set_len(0)?;
            lock.rewind()?;
            write!(lock, "{}", std::process::id())
        };
        write_number(&mut lock).map_err(|error| output::unwritten(&own, &error))?;
        let folder = Self { path: path.into(), lock, parts: Mutex::default(), reported: Mutex::default() };
        folder.is_still_there().map_err(|message| Failure::failed(message, "run the same command again"))?;
        Ok(folder)
    }

    /// Checks at the end of a run that all parts used in it still exist.
    ///
    /// # Errors
    /// If the folder or a part has been removed in the meantime.
    pub fn is_whole(&self) -> Result<(), Failure> {
        let whole = || {
            self.is_still_there()?;
            let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
            match parts.iter().map(|name| self.path.join(name)).find(|path| !path.is_file()) {
                Some(path) => Err(format!("{} was removed while it was in use", path.display())),
                None => Ok(()),
            }
        };
        whole().map_err(|message| Failure::failed(message, "leave it where it is, and run the same command again"))
    }

    /// Checks that the folder is the one that this process has locked.
    fn is_still_there(&self) -> Result<(), String> {
        let path = self.path.join(LOCK);
        let gone = || format!("{} was removed while it was in use", self.path.display());
        let (there, own) = (fs::metadata(&path).map_err(|_| gone())?, self.lock.metadata().map_err(|_| gone())?);
        if whole_file::is_same(&there, &own) { Ok(()) } else { Err(gone()) }
    }

    fn uses(&self, name: &str) {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into());
    }
}

impl Shelf for StateFolder {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        self.is_still_there()?;
        let path = self.path.join(name);
        let read = || {
            let mut file = File::open(&path)?;
            if !file.metadata()?.is_file() {
                return Err(io::Error::other("it is no file"));
            }
            let mut part = Vec::new();
            file.read_to_end(&mut part)?;
            Ok(part)
        };
        match read() {
            Ok(part) => {
                self.uses(name);
                Ok(Some(part))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
        }
    }

    fn keep(&self, name: &str, part: &[u8]) -> Result<(), String> {
        self.is_still_there()?;
        let path = self.path.join(name);
        let written = whole_file::write(&path, |file| file.write_all(part));
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        self.uses(name);
        Ok(())
    }

    fn anew(&self, name: &str, why: &str) {
        if self.reported.lock().unwrap_or_else(PoisonError::into_inner).insert(why.into()) {
            let path = self.path.join(name);
            output::note(&format!("{} is {why}: it is made anew, and so is every other such part", path.display()));
        }
    }
}

/// The failure if another process uses the folder.
fn taken(path: &Path, mut lock: File) -> Failure {
    let mut who = String::new();
    let _ = (&mut lock).take(LONGEST).read_to_string(&mut who);
    let who = match who.parse::<u32>() {
        Ok(number) => format!(" (number {number})"),
        Err(_) => String::new(),
    };
    let right = "wait until that has ended, or name another folder";
    Failure::failed(format_args!("{} cannot be used: another process has it{who}", path.display()), right)
}

/// The failure of a folder that cannot be opened.
fn unusable(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{} cannot be used: {error}", path.display());
    let right = "name a folder that may be written to, or one that can be made";
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => {
            Failure::bad_input(message, right)
        }
        _ => Failure::failed(message, right),
    }
}
