//! The tar archive around the parts, plain or compressed.

use std::io::{self, Read, Seek, SeekFrom};

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

use crate::error::ReadError;

const GZIP: &[u8] = &[0x1f, 0x8b];
const XZ: &[u8] = &[0xfd, b'7', b'z', b'X', b'Z', 0];
const TAR_MAGIC: &[u8] = b"ustar";
const TAR_MAGIC_AT: usize = 257;

/// The memory that an xz stream may ask for, in KiB.
const XZ_MEMORY: u32 = 1 << 18;

/// Whether a file that begins like this can be an archive.
pub(crate) fn looks_like_umb(start: &[u8]) -> bool {
    start.starts_with(GZIP)
        || start.starts_with(XZ)
        || start.get(TAR_MAGIC_AT..).is_some_and(|at| at.starts_with(TAR_MAGIC))
}

/// A reader that fails after a number of bytes.
struct Limited<R> {
    inner: R,
    left: u64,
    limit: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            io::Error::other(format!("it unpacks to more than {} bytes, the limit for unpacked files", self.limit))
        })?;
        Ok(read)
    }
}

/// The archive from its beginning, unpacked, at most `limit` bytes of it.
pub(super) fn open<'a, R: Read + Seek>(
    input: &'a mut R,
    limit: u64,
) -> Result<tar::Archive<Box<dyn Read + 'a>>, ReadError> {
    let unreadable = |error: io::Error| ReadError::file(format!("cannot be read: {error}"), "is the disk in order?");
    let mut start = Vec::new();
    input.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    input.by_ref().take(512).read_to_end(&mut start).map_err(unreadable)?;
    input.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let plain: Box<dyn Read + 'a> = if start.starts_with(GZIP) {
        Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(1 << 16, input)))
    } else if start.starts_with(XZ) {
        Box::new(XzReader::new_mem_limit(io::BufReader::with_capacity(1 << 16, input), true, XZ_MEMORY))
    } else if looks_like_umb(&start) {
        Box::new(input)
    } else {
        let remedy = "a UMB file is a tar archive, plain or compressed with gzip or xz";
        return Err(ReadError::file("is no UMB archive", remedy));
    };
    let limited = Limited { inner: plain, left: limit, limit };
    Ok(tar::Archive::new(Box::new(io::BufReader::with_capacity(1 << 18, limited))))
}
