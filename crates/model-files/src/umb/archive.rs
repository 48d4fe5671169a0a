//! An archive, part by part, to its very end.

use std::cell::Cell;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::rc::Rc;

use budget::Budget;

use super::index::{Index, VERSION};
use super::part::BUFFER;
use crate::error::{Place, ReadError};
use crate::memory::Memory;
use crate::unpack::{START, is_packed, is_tar, unpack, unreadable};

const INDEX: &str = "index.json";

/// The longest [`INDEX`], in bytes.
const LONGEST_INDEX: u64 = 16 << 20;

/// The longest name of a part, in bytes, with what an archive says of it beside.
const LONGEST_NAME: u64 = 1 << 20;

/// Names and contents of parts begin at multiples of this, in bytes.
const BLOCK: u64 = 512;

/// An archive, unpacked.
pub(super) struct Archive<'a> {
    tar: tar::Archive<Bounded<'a>>,
    allowance: Rc<Cell<u64>>,
    /// Bytes read so far, and how many of them up to the end of the last part.
    read: Rc<Cell<u64>>,
    end: u64,
    memory: &'a Memory<'a>,
}

/// A reader that fails after a number of bytes: what stands between the parts is short.
struct Bounded<'a> {
    inner: Box<dyn Read + Send + 'a>,
    allowance: Rc<Cell<u64>>,
    read: Rc<Cell<u64>>,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let left = self.allowance.get().checked_sub(read as u64);
        let left = left.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a name of more than 1 MiB"))?;
        self.allowance.set(left);
        self.read.set(self.read.get() + read as u64);
        Ok(read)
    }
}

impl<'a> Archive<'a> {
    /// The archive from its beginning.
    pub(super) fn open(input: &'a mut (impl Read + Seek + Send), memory: &'a Memory<'a>) -> Result<Self, ReadError> {
        let mut start = Vec::new();
        input.rewind().map_err(|error| unreadable(&error))?;
        input.by_ref().take(START as u64).read_to_end(&mut start).map_err(|error| unreadable(&error))?;
        input.rewind().map_err(|error| unreadable(&error))?;
        if !is_tar(&start) && !is_packed(&start) {
            let remedy = "a UMB file is a tar archive, plain or compressed with gzip or xz";
            return Err(ReadError::file("is no UMB archive", remedy));
        }
        let allowance = Rc::new(Cell::new(LONGEST_NAME));
        let read = Rc::new(Cell::new(0));
        let inner = unpack(input, &start, memory)?;
        let bounded = Bounded { inner, allowance: allowance.clone(), read: read.clone() };
        Ok(Self { tar: tar::Archive::new(bounded), allowance, read, end: 0, memory })
    }

    /// Calls `each` with the name, the size and the bytes of every regular file, until it breaks off.
    pub(super) fn entries(
        &mut self,
        mut each: impl FnMut(&str, u64, &mut dyn Read) -> Result<ControlFlow<()>, ReadError>,
    ) -> Result<(), ReadError> {
        let mut buffer = vec![0; BUFFER];
        let mut entries = self.tar.entries().map_err(|error| unreadable(&error))?;
        loop {
            self.allowance.set(LONGEST_NAME);
            let Some(entry) = entries.next() else { return Ok(()) };
            let mut entry = entry.map_err(|error| unreadable(&error))?;
            self.allowance.set(u64::MAX);
            let size = entry.size();
            if let Some(name) = part_name(&entry)
                && each(&name, size, &mut entry)?.is_break()
            {
                return Ok(());
            }
            // What nobody wanted is passed over.
            while entry.read(&mut buffer).map_err(|error| unreadable(&error))? > 0 {
                self.memory.check()?;
            }
            self.end = self.read.get().next_multiple_of(BLOCK);
        }
    }

    /// Reads what follows the last part: two blocks of zeros, more zeros that fill up, and the checksum of
    /// the compression.
    pub(super) fn finish(self) -> Result<(), ReadError> {
        let mut rest = self.tar.into_inner();
        self.allowance.set(u64::MAX);
        let mut buffer = vec![0; BUFFER];
        loop {
            let read = rest.read(&mut buffer).map_err(|error| unreadable(&error))?;
            self.memory.check()?;
            if read == 0 {
                break;
            }
            if buffer[..read].iter().any(|byte| *byte != 0) {
                return Err(ReadError::file(
                    "something follows the end of the archive",
                    "one archive, and nothing else",
                ));
            }
        }
        if self.read.get() < self.end + 2 * BLOCK {
            return Err(ReadError::file("the archive ends before its end is marked", "is the file complete?"));
        }
        Ok(())
    }
}

/// The path of a regular file in the archive, without a leading `./`.
fn part_name<R: Read>(entry: &tar::Entry<'_, R>) -> Option<String> {
    if !entry.header().entry_type().is_file() {
        return None;
    }
    let path = String::from_utf8(entry.path_bytes().into_owned()).ok()?;
    Some(path.trim_start_matches("./").trim_start_matches('/').to_string())
}

/// The index of an archive.
pub(super) fn read_index(
    input: &mut (impl Read + Seek + Send),
    size: u64,
    budget: &Budget<'_>,
) -> Result<Index, ReadError> {
    /// How many bytes the entries of an index take for each byte of its text, at most.
    const EXPANSION: u64 = 16;
    let memory = Memory::new(budget, size);
    let mut found = None;
    Archive::open(input, &memory)?.entries(|name, size, input| {
        if name != INDEX {
            return Ok(ControlFlow::Continue(()));
        }
        if size > LONGEST_INDEX {
            return Err(ReadError::part(INDEX, format!("{size} bytes"), format!("at most {LONGEST_INDEX}")));
        }
        memory.take(size * EXPANSION)?;
        let mut text = Vec::new();
        input.take(LONGEST_INDEX).read_to_end(&mut text).map_err(|error| unreadable(&error))?;
        found = Some(text);
        Ok(ControlFlow::Break(()))
    })?;
    let text = found.ok_or_else(|| ReadError::file("the archive has no index.json", "a UMB archive begins with it"))?;
    let index: Index = serde_json::from_slice(&text).map_err(|error| {
        let place = Place::Line { line: error.line() as u64, column: error.column() as u64 };
        ReadError::part(INDEX, format!("{place}: {error}"), "an index as the UMB format describes it")
    })?;
    if index.format_version != VERSION && index.format_version != 0 {
        let problem = format!("version {} of the format", index.format_version);
        return Err(ReadError::part(INDEX, problem, format!("version {VERSION} is supported")));
    }
    Ok(index)
}
