//! A compiler of ink: from text to the compiled story that the runtime loads.
//!
//! `parser.rs` reads characters, `expressions.rs`, `content.rs`, `braces.rs` and `statements.rs` follow ink's grammar
//! and make what is in `syntax.rs`; `weave.rs` finds the levels of choices and gathers. `names.rs` finds what names
//! mean, `emit.rs`, `branches.rs` and `values.rs` write operations to the containers of `containers.rs`.

mod braces;
mod branches;
mod containers;
mod content;
mod emit;
mod expressions;
mod names;
mod parser;
mod statements;
mod syntax;
mod values;
mod weave;

use std::rc::Rc;
use std::sync::mpsc::channel;
use std::thread;

use serde_json::Value;

use self::names::Names;
use self::parser::Parser;
use self::statements::Level;
use self::syntax::{Declarations, Flow, Gather, Node};
use self::weave::weave;
use crate::source::SourceError;

/// The stack of the compiler in bytes, used only as far as it recurses.
const STACK: usize = 256 << 20;
/// The most files that may be included.
const MOST_FILES: usize = 1_000;

/// Compiles ink text to a compiled story. `include` is called for each file that an `INCLUDE` names, with the path as
/// written, then with the same path from the folder of the including file: no file is read otherwise.
pub(crate) fn compile(
    text: &str,
    file: &str,
    mut include: impl FnMut(&str) -> Result<String, String>,
) -> Result<Value, SourceError> {
    let (ask, asked) = channel::<String>();
    let (answer, answered) = channel();
    thread::scope(|scope| {
        let work = move || {
            let mut include = |name: &str| {
                ask.send(name.to_owned()).map_err(|error| error.to_string())?;
                answered.recv().map_err(|error| error.to_string())?
            };
            compiled(text, file, &mut include)
        };
        let compiler = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let compiler =
            compiler.map_err(|error| SourceError::new(file, None, format!("no thread to compile it: {error}")))?;
        for name in asked {
            // The compiler waits for the answer.
            answer.send(include(&name)).ok();
        }
        compiler.join().unwrap_or_else(|_| Err(SourceError::new(file, None, "it could not be compiled")))
    })
}

fn compiled(
    text: &str,
    file: &str,
    include: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Value, SourceError> {
    let mut points = 0;
    let mut declarations = Declarations::default();
    let mut parser = Parser::new(text, vec![file.into()], &mut points, &mut declarations, include);
    let (mut nodes, flows) = parser.file()?;
    // Who comes to the end of what stands before all knots is at an end, without a fault.
    let id = parser.point();
    nodes.push(Node::Gather(Gather { id, level: 1, label: None }));
    let done = syntax::Divert {
        kind: syntax::DivertKind::Plain,
        target: vec!["DONE".into()],
        arguments: Vec::new(),
        position: parser.position(),
    };
    nodes.push(Node::Divert(done));
    let story = Flow { weave: Some(weave(nodes, 1)), parts: flows, ..Flow::default() };
    let names = Names::of(&story, &declarations);
    emit::emit(&names, &declarations, points)
}

impl Parser<'_> {
    /// What stands before the knots of a file, and the knots, those of included files last. As in ink, a file ends at a
    /// brace that closes nothing.
    fn file(&mut self) -> Result<(Vec<Node>, Vec<Flow>), SourceError> {
        let nodes = self.statements(Level::Top)?;
        let (mut top, mut flows) = (Vec::new(), Vec::new());
        for node in nodes {
            match node {
                Node::Flow(flow) => flows.push(*flow),
                node => top.push(node),
            }
        }
        flows.append(&mut self.included_flows);
        Ok((top, flows))
    }

    /// `INCLUDE`: what stands before the knots of the file comes in its place, its knots after all others.
    fn included(&mut self) -> Result<Node, SourceError> {
        let name = self.rest_of_line().trim().to_owned();
        self.declarations.files += 1;
        if self.declarations.files > MOST_FILES {
            return self.error(format!("it includes more than {MOST_FILES} files"));
        }
        let folder = self.file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let joined =
            if folder.is_empty() || self.open_files.len() < 2 { None } else { Some(format!("{folder}/{name}")) };
        let found = (self.include)(&name).map(|text| (name.clone(), text)).or_else(|why| {
            let joined = joined.ok_or_else(|| why.clone())?;
            (self.include)(&joined).map(|text| (joined, text)).map_err(|_| why)
        });
        let (path, text) = match found {
            Ok(found) => found,
            Err(why) => return self.error(format!("INCLUDE {name} cannot be read: {why}")),
        };
        let path: Rc<str> = path.into();
        if self.open_files.contains(&path) {
            return self.error(format!("{name} includes itself"));
        }
        let mut files = self.open_files.clone();
        files.push(path);
        let mut parser = Parser::new(&text, files, self.points, self.declarations, self.include);
        let (top, flows) = parser.file()?;
        self.line_end();
        self.included_flows.extend(flows);
        Ok(Node::List(vec![Node::Weave(weave(top, 1)), Node::Text("\n".into())]))
    }
}
