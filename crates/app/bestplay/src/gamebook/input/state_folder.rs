//! `--state DIR`: the folder in which finished parts of a series are kept, a file for each. One process has it at a time.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gamebook::Shelf;

use crate::output::{self, Failure};

/// The file that is locked by who has the folder. The system lets go of it when the process ends, however it ends.
const LOCK: &str = "lock";
/// The longest number of a process, in digits.
const LONGEST: u64 = 20;
/// So long another process that has the folder is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// So often it is asked whether it has ended.
const LOOK: Duration = Duration::from_millis(50);

/// A folder of finished parts.
pub struct StateFolder {
    path: PathBuf,
    lock: File,
    /// The parts that were written, or made use of, in this run.
    parts: Mutex<BTreeSet<String>>,
    /// Why parts are made anew, as far as that was told.
    told: Mutex<BTreeSet<String>>,
}

impl StateFolder {
    /// The folder, made if it is not there, for this process alone.
    ///
    /// # Errors
    /// When it cannot be had, or another process has it.
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
        // For who finds it taken.
        let say = |lock: &mut File| {
            if lock.metadata()?.len() > LONGEST {
                return Err(io::Error::other("there is something else in it"));
            }
            lock.set_len(0)?;
            lock.rewind()?;
            write!(lock, "{}", std::process::id())
        };
        say(&mut lock).map_err(|error| output::unwritten(&own, &error))?;
        let folder = Self { path: path.into(), lock, parts: Mutex::default(), told: Mutex::default() };
        folder.is_still_there().map_err(|message| Failure::failed(message, "say the same again"))?;
        Ok(folder)
    }

    /// Whether all is there at the end of the run that was made use of in it.
    ///
    /// # Errors
    /// When the folder or a part of it has been removed in the meantime.
    pub fn is_whole(&self) -> Result<(), Failure> {
        let whole = || {
            self.is_still_there()?;
            let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
            match parts.iter().map(|name| self.path.join(name)).find(|path| !path.is_file()) {
                Some(path) => Err(format!("{} was removed while it was in use", path.display())),
                None => Ok(()),
            }
        };
        whole().map_err(|message| Failure::failed(message, "leave it where it is, and say the same again"))
    }

    /// Whether the folder is the one of which this process has the lock.
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
        if self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(why.into()) {
            let path = self.path.join(name);
            output::note(&format!("{} is {why}: it is made anew, and so is every other such part", path.display()));
        }
    }
}

/// The failure where another process has the folder.
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

/// The failure of a folder that cannot be had.
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
