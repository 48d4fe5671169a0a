//! A self-contained page that plays a book.

use budget::Budget;
use markup::escaped;

use crate::book::Book;
use crate::solve::{Question, SolveBookError};

impl Question {
    /// A page that plays the book for this question, as a file for any browser: it makes no network requests.
    ///
    /// ```
    /// # use gamebook::{Question, read};
    /// # let text = r#"
    /// #     book "Doors & Pits" format=1 rules="lone-wolf"
    /// #     start 1
    /// #     goal 2
    /// #     hero { combat-skill 15; endurance 25; }
    /// #     section 1 { text "</script>"; choice "left" { goto 2; }; choice "right" { death "a pit"; }; }
    /// #     section 2 { victory; }
    /// # "#;
    /// let (book, _) = read(text)?;
    /// let page = Question::new(&book).page(&book, &budget::Budget::unlimited())?;
    /// assert!(page.contains("<title>Doors &amp; Pits</title>"));
    /// # assert_eq!(page.matches("</script>").count(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`machine`](Self::machine).
    pub fn page(&self, book: &Book, budget: &Budget<'_>) -> Result<String, SolveBookError> {
        // `</script>` must not occur within the script.
        let script = self.script(book, budget)?.replace('<', "\\u003c");
        let title = escaped(&book.title);
        let sheet = if book.system.is_none() { "Action Chart" } else { "Adventure Sheet" };
        let (style, interpreter, page) =
            (include_str!("page.css"), include_str!("interpreter.js"), include_str!("page.js"));
        Ok(format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n\
             <header><h1>{title}</h1></header>\n\
             <article>\n<h2 id=\"where\" tabindex=\"-1\"></h2>\n<div id=\"log\" role=\"log\" aria-live=\"polite\"></div>\n\
             <div id=\"enemies\" aria-live=\"polite\"></div>\n<p id=\"about\"></p>\n<ol id=\"answers\"></ol>\n\
             <p id=\"end\" role=\"status\"></p>\n</article>\n\
             <aside aria-label=\"{sheet}\">\n<h2>{sheet}</h2>\n<table><tbody id=\"stats\"></tbody></table>\n\
             <ul id=\"items\"></ul>\n<p><button type=\"button\" id=\"undo\">Undo</button> \
             <button type=\"button\" id=\"restart\">Restart</button></p>\n</aside>\n</main>\n\
             <noscript><p>This page plays a book: it needs JavaScript.</p></noscript>\n\
             <script type=\"application/json\" id=\"script\">{script}</script>\n\
             <script>\n{interpreter}</script>\n<script>\n{page}</script>\n</body>\n</html>\n"
        ))
    }
}
