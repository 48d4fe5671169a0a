//! stub
use std::io::{Read, Seek, Write};
use crate::{ExplicitModel, Limits, ReadError};
/// c
pub enum Compression { /// n
None }
pub(crate) fn looks_like_umb(_start: &[u8]) -> bool { false }
/// r
pub fn read_umb(_input: impl Read + Seek, _limits: &Limits) -> Result<ExplicitModel, ReadError> { todo!() }
/// w
pub fn write_umb(_model: &ExplicitModel, _out: impl Write, _c: Compression) -> std::io::Result<()> { todo!() }
