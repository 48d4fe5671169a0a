//! The state of the server, and its answers.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use budget::Limits;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit,
    Notification as _, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{GotoDefinition, HoverRequest, Initialize, Request as _, Shutdown};
use lsp_types::{
    Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, GotoDefinitionParams, Hover, HoverContents, HoverParams, HoverProviderCapability,
    InitializeResult, Location, MarkupContent, MarkupKind, MessageType, OneOf, PublishDiagnosticsParams,
    ServerCapabilities, ServerInfo, ShowMessageParams, TextDocumentPositionParams, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::document::{Document, Text, path};
use super::look;
use super::wire::Incoming;
use crate::output::Failure;
use crate::shown::{Escapes, shown};

/// The pause after a change before the text is analysed.
const PAUSE: Duration = Duration::from_millis(150);
/// The most open texts.
const MOST_TEXTS: usize = 200;
/// The most requests for odds at once.
const MOST_ASKED: usize = 4;

/// An event.
pub enum Event {
    Incoming(Incoming),
    /// The input has ended; with the reason if that is an error.
    Ended(Option<String>),
    /// The problems of a version of a text.
    Checked {
        uri: Uri,
        version: i32,
        found: Result<Vec<Diagnostic>, String>,
    },
    /// The answer to a request.
    Answered {
        id: RequestId,
        answer: Result<Option<Hover>, String>,
    },
}

/// The stage of the session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begins,
    Serves,
    Ends,
}

/// A request whose answer is being computed.
struct Asked {
    id: RequestId,
    uri: Uri,
    outdated: Arc<AtomicBool>,
}

pub struct Server {
    events: Sender<Event>,
    check: Limits,
    odds: Limits,
    odds_time: Duration,
    stage: Stage,
    documents: HashMap<Uri, Document>,
    asked: Vec<Asked>,
    /// Whether the editor no longer listens.
    is_alone: bool,
}

impl Server {
    pub fn new(events: Sender<Event>, check: Limits, odds: Limits, odds_time: Duration) -> Self {
        let (documents, asked) = (HashMap::new(), Vec::new());
        Self { events, check, odds, odds_time, stage: Stage::Begins, documents, asked, is_alone: false }
    }

    /// Handles an event; returns the result of the session if it ends.
    pub fn handle(&mut self, event: Event) -> Option<Result<(), Failure>> {
        // An editor that disappears is not our error, but not a success either.
        let end = if self.stage == Stage::Ends { Ok(()) } else { Err(Failure::Reported(1)) };
        match event {
            Event::Ended(None) => return Some(end),
            Event::Ended(Some(why)) => return Some(Err(Failure::bad_input(why, "an editor starts this command"))),
            Event::Incoming(Incoming::Message(Message::Notification(own))) if own.method == Exit::METHOD => {
                return Some(end);
            }
            Event::Incoming(Incoming::Message(Message::Notification(own))) => self.hear(own),
            Event::Incoming(Incoming::Message(Message::Request(request))) => self.request(request),
            // Nothing was requested.
            Event::Incoming(Incoming::Message(Message::Response(_))) => {}
            Event::Incoming(Incoming::Nonsense(what)) => self.refuse_nonsense(&what),
            Event::Checked { uri, version, found } => self.checked(uri, version, found),
            Event::Answered { id, answer } => self.answered(&id, answer),
        }
        self.is_alone.then_some(Err(Failure::Reported(1)))
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match (self.stage, method.as_str()) {
            (Stage::Begins, Initialize::METHOD) => {
                self.stage = Stage::Serves;
                self.answer(id, capabilities());
            }
            (Stage::Begins, _) => self.refuse(id, ErrorCode::ServerNotInitialized, "begin with `initialize`"),
            (Stage::Ends, _) => self.refuse(id, ErrorCode::InvalidRequest, "after `shutdown` only `exit` follows"),
            (Stage::Serves, Initialize::METHOD) => self.refuse(id, ErrorCode::InvalidRequest, "it has begun already"),
            (Stage::Serves, Shutdown::METHOD) => {
                self.stage = Stage::Ends;
                for document in self.documents.values() {
                    document.outdated.store(true, Ordering::Relaxed);
                }
                for asked in std::mem::take(&mut self.asked) {
                    self.give_up(asked, ErrorCode::ServerCancelled, "the server ends");
                }
                self.answer(id, ());
            }
            (Stage::Serves, GotoDefinition::METHOD) => match parameters::<GotoDefinitionParams>(params) {
                Ok(params) => self.definition(id, &params.text_document_position_params),
                Err(error) => self.refuse(id, ErrorCode::InvalidParams, &error),
            },
            (Stage::Serves, HoverRequest::METHOD) => match parameters::<HoverParams>(params) {
                Ok(params) => self.hover(id, params.text_document_position_params),
                Err(error) => self.refuse(id, ErrorCode::InvalidParams, &error),
            },
            (Stage::Serves, other) => {
                self.refuse(id, ErrorCode::MethodNotFound, &format!("`{other}` is not known here"));
            }
        }
    }

    fn hear(&mut self, own: Notification) {
        if self.stage != Stage::Serves {
            return;
        }
        let Notification { method, params } = own;
        let heard = match method.as_str() {
            DidOpenTextDocument::METHOD => parameters(params).map(|params| self.open(params)),
            DidChangeTextDocument::METHOD => parameters(params).map(|params| self.change(params)),
            // Files beside the book may have changed, too.
            DidSaveTextDocument::METHOD => parameters(params).map(|params: DidSaveTextDocumentParams| {
                self.look(&params.text_document.uri, Duration::ZERO);
            }),
            DidCloseTextDocument::METHOD => parameters(params).map(|params| self.close(&params)),
            Cancel::METHOD => {
                let id = params.get("id").cloned().and_then(|id| serde_json::from_value::<RequestId>(id).ok());
                if let Some(place) = self.asked.iter().position(|asked| Some(&asked.id) == id.as_ref()) {
                    let asked = self.asked.remove(place);
                    self.give_up(asked, ErrorCode::RequestCanceled, "the request was cancelled");
                }
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(error) = heard {
            self.complain(&format!("`{method}`: {error}"));
        }
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let own = params.text_document;
        if self.documents.len() >= MOST_TEXTS && !self.documents.contains_key(&own.uri) {
            return self.complain(&format!("more than {MOST_TEXTS} books are open: this one is ignored"));
        }
        self.keep(&own.uri, Text::new(own.text), own.version, Duration::ZERO);
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let own = params.text_document;
        let Some(document) = self.documents.get(&own.uri) else { return };
        let text = document.text.changed(params.content_changes);
        self.keep(&own.uri, text, own.version, PAUSE);
    }

    /// Keeps a text, and analyses it after a pause.
    fn keep(&mut self, uri: &Uri, text: Option<Text>, version: i32, pause: Duration) {
        self.forget(uri);
        let Some(text) = text else {
            return self.complain("a text that is too long for a book: it is ignored");
        };
        let document = Document { text: Arc::new(text), version, outdated: Arc::default() };
        self.documents.insert(uri.clone(), document);
        self.look(uri, pause);
    }

    fn close(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = params.text_document.uri.clone();
        self.forget(&uri);
        self.publish(uri, Vec::new(), None);
    }

    /// Stops computations about a text.
    fn forget(&mut self, uri: &Uri) {
        if let Some(document) = self.documents.remove(uri) {
            document.outdated.store(true, Ordering::Relaxed);
        }
        let (outdated, left) = std::mem::take(&mut self.asked).into_iter().partition(|asked| asked.uri == *uri);
        self.asked = left;
        for asked in outdated {
            self.give_up(asked, ErrorCode::ContentModified, "the text has changed");
        }
    }

    /// Starts a search for problems in a text.
    fn look(&mut self, uri: &Uri, pause: Duration) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.outdated.store(true, Ordering::Relaxed);
        document.outdated = Arc::default();
        let (text, version, outdated) = (document.text.clone(), document.version, document.outdated.clone());
        let (uri, limits) = (uri.clone(), self.check);
        self.work(move || {
            std::thread::sleep(pause);
            if outdated.load(Ordering::Relaxed) {
                return None;
            }
            let found = look::within(limits, &outdated, |budget| look::problems(&name(&uri), &text, budget));
            (!outdated.load(Ordering::Relaxed)).then_some(Event::Checked { uri, version, found })
        });
    }

    fn checked(&mut self, uri: Uri, version: i32, found: Result<Vec<Diagnostic>, String>) {
        if self.stage != Stage::Serves || self.documents.get(&uri).is_none_or(|own| own.version != version) {
            return;
        }
        match found {
            Ok(found) => self.publish(uri, found, Some(version)),
            Err(error) => self.complain(&format!("what is wrong with the book was not found out: {error}")),
        }
    }

    fn definition(&mut self, id: RequestId, asked: &TextDocumentPositionParams) {
        let uri = &asked.text_document.uri;
        let Some(document) = self.documents.get(uri) else {
            return self.refuse(id, ErrorCode::InvalidParams, "this text is not open");
        };
        let text = document.text.clone();
        let at = text.byte(asked.position);
        match look::within(self.check, &AtomicBool::new(false), |budget| look::definition(&text, at, budget)) {
            Ok(link) => {
                let place = link.map(|link| Location { uri: uri.clone(), range: text.range(&link.span) });
                self.answer(id, place);
            }
            Err(error) => self.refuse(id, ErrorCode::RequestFailed, &error),
        }
    }

    fn hover(&mut self, id: RequestId, asked: TextDocumentPositionParams) {
        let uri = asked.text_document.uri;
        let Some(document) = self.documents.get(&uri) else {
            return self.refuse(id, ErrorCode::InvalidParams, "this text is not open");
        };
        let text = document.text.clone();
        if self.asked.len() >= MOST_ASKED {
            let oldest = self.asked.remove(0);
            self.give_up(oldest, ErrorCode::ServerCancelled, "too much is asked at once");
        }
        let outdated: Arc<AtomicBool> = Arc::default();
        self.asked.push(Asked { id: id.clone(), uri: uri.clone(), outdated: outdated.clone() });
        let (limits, time, at) = (self.odds, self.odds_time, text.byte(asked.position));
        self.work(move || {
            let found = look::within(limits, &outdated, |budget| look::odds(&name(&uri), &text, at, time, budget));
            let hover = |(value, span): (String, std::ops::Range<usize>)| Hover {
                contents: HoverContents::Markup(MarkupContent {
                    kind: MarkupKind::Markdown,
                    value: shown(&value, Escapes::Text),
                }),
                range: Some(text.range(&span)),
            };
            Some(Event::Answered { id, answer: found.map(|found| found.map(hover)) })
        });
    }

    fn answered(&mut self, id: &RequestId, answer: Result<Option<Hover>, String>) {
        // A request without an entry has been answered.
        let Some(place) = self.asked.iter().position(|asked| asked.id == *id) else { return };
        let Asked { id, .. } = self.asked.remove(place);
        match answer {
            Ok(hover) => self.answer(id, hover),
            Err(error) => self.refuse(id, ErrorCode::RequestFailed, &error),
        }
    }

    /// Runs a computation on a thread of its own.
    fn work(&mut self, work: impl FnOnce() -> Option<Event> + Send + 'static) {
        let events = self.events.clone();
        let begun = std::thread::Builder::new().name("look".into()).spawn(move || {
            if let Some(event) = work() {
                // If nothing receives the event, the server has ended.
                let _ = events.send(event);
            }
        });
        if let Err(error) = begun {
            self.complain(&error.to_string());
        }
    }

    fn give_up(&mut self, asked: Asked, code: ErrorCode, why: &str) {
        asked.outdated.store(true, Ordering::Relaxed);
        self.refuse(asked.id, code, why);
    }

    fn publish(&mut self, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        self.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
    }

    /// Shows the user a message that has no place in a text.
    fn complain(&mut self, message: &str) {
        let message = shown(message, Escapes::Text);
        self.notify::<ShowMessage>(ShowMessageParams { typ: MessageType::WARNING, message });
    }

    fn refuse_nonsense(&mut self, what: &str) {
        // It may have had an id, which is unknown.
        self.complain(what);
    }

    fn notify<N: lsp_types::notification::Notification>(&mut self, params: N::Params) {
        self.send(&Notification::new(N::METHOD.into(), params).into());
    }

    fn answer(&mut self, id: RequestId, result: impl Serialize) {
        self.send(&Response::new_ok(id, result).into());
    }

    fn refuse(&mut self, id: RequestId, code: ErrorCode, why: &str) {
        self.send(&Response::new_err(id, code as i32, why.into()).into());
    }

    fn send(&mut self, message: &Message) {
        self.is_alone |= message.write(&mut std::io::stdout().lock()).is_err();
    }
}

/// The parameters of a message, or the error in them.
fn parameters<P: DeserializeOwned>(params: serde_json::Value) -> Result<P, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

/// The name of a text: its file, or else its address.
fn name(uri: &Uri) -> String {
    path(uri).map_or_else(|| uri.as_str().to_string(), |path| path.display().to_string())
}

fn capabilities() -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(lsp_types::TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    InitializeResult {
        capabilities: ServerCapabilities {
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo { name: "bestplay".into(), version: Some(env!("CARGO_PKG_VERSION").into()) }),
    }
}
