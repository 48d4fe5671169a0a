//! What the pages of gamebooks say about themselves.

pub const BOOK: &[&str] = &[
    "This page says how likely a hero wins a book, which choices are best, and where heroes die. Choose a book and a hero, \
     or roll one, and solve. A book with rules of its own has the stats, counters and items of those rules, and is not \
     rolled here. Under the hero you choose disputed passages and policies, where the book has them, and a part of the \
     book, from one section to others.",
    "A whole book takes some seconds. The page shows the progress, and Cancel stops it. What was solved before is there \
     at once.",
    "The chance to win is that of best play: nobody who knows the book by heart wins more often. It lies between the \
     bounds that the page shows.",
    "On the map a disc is a section. White: heroes there win as often as at the start. Blue: more often. Orange: less \
     often. Equal steps of colour are equal factors. Thick discs and lines are where best play often comes.",
    "Click a section, find it, or go to it with the arrow keys and press Enter. Below the map stands what is asked there, \
     how often best play gives each answer, with which items, and where those who die there came from. Compare puts a hero \
     beside yours who always makes that choice. To zoom, press Ctrl and turn the wheel; on a phone use two fingers.",
    "Find looks for a number or a name, an enemy, the words of a choice, an item or discipline that is gained, lost or asked \
     for, a note of the book, or a death. All words must be found together; dashes count as blanks. Each result is a link. \
     Arrow keys go through the results, Enter opens a section of that name, Escape clears the field.",
    "I am here gives the advice for a reader with the book open: name the section and what is on your Action Chart. What \
     you leave out is as with the hero above.",
    "The page says what is wrong in a form beside its field, and solves nothing until it is right. It marks an answer as old \
     when the form says something else.",
    "A book can be too large for the server (--max-states, --max-memory). Then the page offers the walk without odds, and \
     the odds of two halves, where every way leads through one section in the middle. The bounds for Shadow on the Sand come with \
     the program.",
];

pub const WALK: &[&str] = &[
    "This page goes through the book with you. It asks what the book asks, shows what each answer is worth, and marks the \
     one to give. Others can be equal, or no worse but lead back. Where there is a text, it stands beside the answers.",
    "Click what you do. The page rolls dice, or you roll at your table and type what you picked, what each die shows, or \
     their sum. Fights go round by round, or to their end with best play.",
    "The Action Chart follows. Correct changes any number on it where you are, also in the middle of a fight; the book is \
     then solved again from there. What he could have done with it before is not asked again: Undo a step first.",
    "The line shows the odds after each step: what luck gave, and what your answers cost. Undo takes back the last step, \
     Back all steps after one. Without \u{201c}Show the odds\u{201d} nothing is solved, and nothing is shown before it is asked for.",
    "The address holds the whole walk, at most 2,000 steps, and a mark of the book: the page says so if the book was edited \
     since. The server keeps nothing. The browser keeps one walk through each book. A walk that goes another way, in a second \
     window or after Undo, replaces it only when it is as long, or when you say so. Begin again asks first.",
];

pub const SERIES: &[&str] = &[
    "This page is about books in a row: what a hero carries out of one he has in the next. Say who sets out. \u{201c}What are the \
     odds?\u{201d} says how likely he wins all books, how likely he begins and wins each, which first choices matter (each answer \
     is a link into the walk), and where he dies.",
    "The walk goes from the first section of the first book to the end of the last, through what he learns, loses and chooses \
     between two books. The Action Chart is that of the book at hand. At every section it links to the odds of this book \
     alone, if the server has it.",
    "The odds need the whole series in memory, within --max-states and --max-memory. The five Kai books are far too large: \
     they are walked through without odds.",
    "I am here is for a hero on the way: say in which book and section you are, and what you have and know. The walk goes \
     from there to the end of the last book, with the odds of the rest alone. The last book is often small enough for odds \
     where the series is not.",
];
