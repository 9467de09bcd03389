//! Names of people, products and places: capitalised words inside of sentences. Conservative: a name that is
//! missed can be found in the log, a list full of ordinary words helps nobody.

mod german;
mod given;
mod headline;
mod label;

use std::collections::BTreeSet;
use std::ops::Range;

pub(super) use given::is_given;
use headline::Headlines;

use super::Kind;
use super::calendar::{MONTHS, WEEKDAYS};
use super::code::{self, Code};
use super::scan::{Scan, word_before};
use super::token::Place;
use super::words::Words;
use crate::memory::is_stop_word;

/// Small words inside of names.
static LINKS: Words = Words::new("al da de del della den der di do du el la le of und v van von y");

/// Words before a name, which may begin a sentence.
static TITLES: Words = Words::new(
    "Amtsgericht Anwalt Anwältin Aunt Autohaus Bahnhof Brauerei Bruder Buchhandlung Burg Bäckerei Chef Chefin \
     Cousin Cousine Dachdecker Dr Elektriker Elektrikerin Eventverleih Familie Finanzamt Firma Fleischerei Frau Freund Freundin \
     Gasthaus Gasthof Genossenschaft Grundschule Gymnasium Gärtnerei Hausarzt Hausmeister Herr Kanzlei Klinik \
     Kollege Kollegin Konditorei Lady Landgericht Landkreis Lehrer Lehrerin Makler Maklerin Metzgerei Mme Mr Mrs Ms Mutter Nachbar \
     Nachbarin Neffe Nichte Notar Notarin Onkel Pfarrer Pfarrerin Prof Reisebüro Saint Schloss Schreiner Schwester \
     Sektion Señor Señora Sir Sparkasse St Steuerberater Steuerberaterin Tante Tierarzt Tierärztin Tischler Tischlerei Trainer \
     Trainerin Uncle Vater Verlag Vermieter Vermieterin Volksbank Weingut Wirt Wirtin Zahnarzt Zahnärztin",
);

/// Capitalised words that name nothing.
static NO_NAMES: Words = Words::new(
    "abs arabic array boolean chinese cyrillic czech danish dictionary dutch finnish greek hebrew hindi hungarian integer japanese klausel \
     korean latin norwegian polish portuguese russian standard string swedish tuple turkish \
     code corollary errors example exit failed passed skipped total warnings gate terminal platform seat room floor austrian chapter convention dr draft english error figure french german god i i'd i'll i'm \
     i've internet italian lemma line mr mrs ms no note ok okay option page part proposition section spanish step steps \
     table thanks theorem todo warning yes",
);

/// Last words of what tools print in front of a figure.
static LABELS: Words = Words::new(
    "Batches Blocks Buckets Buffers Cost Count Disk Errors Fetches Filter Hits Index Latency Loops Memory Method Passed \
     Rate Ratio Rows Score Size State Status Time Total Usage Version Workers",
);

/// How people greet, thank and exclaim: what follows may be a name, the word itself is none.
static GREETINGS: Words = Words::new(
    "ah aw aww bye cheers congrats congratulations dear goodbye goodnight haha hello hey hi hiya hooray lol \
     oh ok sorry thanks thx welcome wow yay yeah yep yo yup",
);

/// What makes a part of a program of the words before it.
static PARTS: Words = Words::new(
    "class component controller endpoint function handler manager method middleware module package plugin \
     service struct table tool view",
);

/// What says behind a name that it is one of a firm.
const FIRMS: [&str; 8] = ["AG", "BV", "GmbH", "Inc", "LLC", "LLP", "Ltd", "PLC"];

/// The most words of a name.
const MOST_WORDS: usize = 5;

/// One word with what stands around it.
struct Word {
    place: Place,
    /// It begins with a capital and is no acronym.
    capital: bool,
    /// It begins a sentence.
    first: bool,
    /// A sign behind it ends a name.
    closed: bool,
}

/// Takes the names of a message.
pub(super) fn find(scan: &mut Scan<'_>, code: &[Code]) {
    let words = words(scan, code);
    let headlines = Headlines::of(scan.text, &words);
    let paths = scan.places(Kind::Path);
    let files: BTreeSet<&str> =
        paths.into_iter().filter_map(|path| scan.text[path].rsplit('/').next()).collect();
    let mut nth = 0;
    while nth < words.len() {
        let end = run(scan.text, &words, nth, scan.german);
        if end == nth {
            nth += 1;
            continue;
        }
        let some = &words[nth..end];
        let found = if scan.german {
            german::find(scan.text, some)
        } else {
            name(scan.text, some, headlines.hold(nth))
        };
        if let Some(place) = found
            && !is_part(scan.text, &words[nth..], &place)
            && !is_label(scan.text, &place)
            && !label::is_label(scan.text, &place)
            && !is_other(scan.text, &place)
            && !files.contains(&scan.text[place.clone()])
        {
            let place = with_firm(scan.text, with_initial(scan.text, place));
            for place in of_firm(scan.text, place) {
                scan.claim_free(place, Kind::Name);
            }
        }
        nth = end;
    }
}

/// Whether a name is the label of a figure, as tools print it, or of what stands behind it, in bold: `Execution Time: 3.114 ms`,
/// `**Root Cause**: it fails`.
fn is_label(text: &str, place: &Range<usize>) -> bool {
    let value = text[place.end..].strip_prefix(':').map(|rest| rest.trim_start_matches(' '));
    let has_figure = value.is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()));
    let said = &text[place.clone()];
    let is_bold = || {
        let behind = &text[place.end..];
        let closes = behind.starts_with("**:") || behind.starts_with(":**");
        let lead = || text[..place.start].trim_end_matches(|c: char| c.is_alphabetic() || c == ' ');
        closes && lead().ends_with("**") && !said.split(' ').any(is_given)
    };
    has_figure && said.rsplit(' ').next().is_some_and(|last| LABELS.holds(last)) || is_bold()
}

/// Whether a word is several of what is called by its first letters, the zone of a time, or somebody after whom a law is
/// called: `Ohm's law`.
fn is_other(text: &str, place: &Range<usize>) -> bool {
    static CALLED: Words = Words::new(
        "alpha constant criterion disease effect equation kappa law laws paradox principle razor rule syndrome test theorem",
    );
    const ZONES: [&str; 4] = ["Central", "Eastern", "Mountain", "Pacific"];
    let said = &text[place.clone()];
    let rest = &text[place.end..];
    let called = rest
        .strip_prefix("'s ")
        .or_else(|| rest.strip_prefix("’s "))
        .and_then(|rest| rest.split(|c: char| !c.is_alphabetic()).next());
    let is_acronyms = || {
        const SEVERAL: [&str; 14] = [
            "APIs", "CEOs", "CPUs", "CSVs", "DOIs", "DVDs", "FAQs", "GPUs", "IDs", "PDFs", "TVs",
            "URIs", "URLs", "VMs",
        ];
        SEVERAL.contains(&said)
    };
    let is_zone = || {
        let before = word_before(text, place.start);
        let figure = before.trim_end_matches(['a', 'p', 'm', 'h', '.']);
        ZONES.contains(&said) && figure.ends_with(|c: char| c.is_ascii_digit())
            || matches!(before, "am" | "pm") && ZONES.contains(&said)
    };
    called.is_some_and(|behind| CALLED.holds(behind)) || is_acronyms() || is_zone()
}

/// A name with the letter behind it that stands for the last one: `Tom M.`
fn with_initial(text: &str, place: Range<usize>) -> Range<usize> {
    let mut rest = text[place.end..].chars();
    let [space, letter, stop] = [rest.next(), rest.next(), rest.next()];
    let is_initial = space == Some(' ')
        && letter.is_some_and(|letter| letter.is_ascii_uppercase() && letter != 'I')
        && stop == Some('.')
        && !text[place.clone()].contains(' ');
    if is_initial { place.start..place.end + 3 } else { place }
}

/// A name with what says behind it that it is one of a firm: `Nimbelo Analytics BV`.
fn with_firm(text: &str, place: Range<usize>) -> Range<usize> {
    let rest = text[place.end..].strip_prefix(' ').unwrap_or_default();
    let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if FIRMS.contains(&word) { place.start..place.end + 1 + word.len() } else { place }
}

/// Somebody and the firm of that apart: `Ada Lovell of Quarrel Data Inc`. Anything else is one name.
fn of_firm(text: &str, place: Range<usize>) -> Vec<Range<usize>> {
    const OF: &str = " of ";
    let said = &text[place.clone()];
    let is_firm = said.rsplit(' ').next().is_some_and(|last| FIRMS.contains(&last));
    match said.find(OF).filter(|_| is_firm) {
        Some(at) => {
            let firm = place.start + at + OF.len();
            vec![place.start..place.start + at, firm..place.end]
        }
        None => vec![place],
    }
}

/// Whether a word is the first letter of a name that stands in front of the last one: `from J. Whitcombe`.
fn is_initial(text: &str, word: &Range<usize>) -> bool {
    static LEADS: Words = Words::new("and ask by from mit of to und van von with");
    let letter = text[word.clone()].strip_suffix('.');
    letter.is_some_and(|letter| letter.len() == 1 && letter.bytes().all(|b| b.is_ascii_uppercase()))
        && LEADS.hold_lower(word_before(text, word.start))
}

/// Whether the word that stands behind others is the sign for "and" in the name of a firm.
fn is_ampersand(text: &str, word: &Word) -> bool {
    let place = word.place.range();
    place.is_empty() && text[..place.start].ends_with(" &") && text[place.end..].starts_with(' ')
}

fn words(scan: &Scan<'_>, code: &[Code]) -> Vec<Word> {
    let text = scan.text;
    let (mut first, mut heads) = (true, is_heading(text.trim_start()));
    let mut found = Vec::with_capacity(scan.tokens.len());
    for token in scan.tokens {
        if token.begins_line {
            (first, heads) = (true, is_heading(&text[token.place.start()..]));
        }
        let (plain, token) = (token.is_plain(), token.place.range());
        let whole = &text[token.clone()];
        if plain && whole.starts_with(|c: char| c.is_ascii_lowercase()) {
            // Small letters, and at most a full stop or a colon behind them.
            let closed = whole.ends_with(['.', ':']);
            let place = token.start..token.end - usize::from(closed);
            let word = |place| Word { place, capital: false, first, closed };
            found.extend(Place::of(&place).map(word));
            first = closed;
            continue;
        }
        let body = whole.trim_start_matches(|c: char| !c.is_alphanumeric());
        let start = token.end - body.len();
        let bare = body.trim_end_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
        let place = start..start + bare.len();
        let title = TITLES.holds(bare);
        let tail = &whole[place.end - token.start..];
        let opened = start > token.start && !whole.starts_with(['\'', '’']);
        let capital = !heads
            && is_capital(bare)
            && scan.is_free(&place)
            && code::at(code, place.start).is_none();
        let closed = !(tail.is_empty() || title && tail == ".");
        // No name goes on behind a bracket.
        if whole.starts_with(['(', '['])
            && let Some(last) = found.last_mut()
        {
            last.closed = true;
        }
        let first_word = first || opened && whole.starts_with(['"', '“']);
        let word = |place| Word { place, capital, first: first_word, closed };
        found.extend(Place::of(&place).map(word));
        // `[INFO] Changes were made`
        let level = whole.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
        let is_capital = |level: &str| level.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_sort = first && level.is_some_and(is_capital);
        first = is_sort
            || !title
                && !is_initial(text, &token)
                && whole.ends_with(['.', '!', '?', ':', ';', '…', '*', '-'])
            || whole.ends_with(".\"")
            || whole.ends_with("?\"");
    }
    found
}

/// Whether a text begins with a line that is a heading or the head of a table, where capitals say nothing.
fn is_heading(text: &str) -> bool {
    let bare = text.trim_start_matches('#');
    let rules = |line: &str| line.contains('-') && line.bytes().all(|b| b"|-: \r".contains(&b));
    bare.len() < text.len() && bare.starts_with(' ')
        || text.starts_with('|') && text.split('\n').nth(1).is_some_and(rules)
}

/// A capital and then mostly small letters; `PDF` and `GPS` are none.
fn is_capital(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.clone().any(char::is_lowercase)
        && letters.all(|c| c.is_alphabetic() || "'’-–.".contains(c))
}

/// The end of the run of capitalised words that begins here. In German two names stand beside most of the links.
fn run(text: &str, words: &[Word], from: usize, german: bool) -> usize {
    static LINKS_THERE: Words = Words::new("de van von zu zur");
    let links = if german { &LINKS_THERE } else { &LINKS };
    let mut end = from;
    let mut sure = from;
    while end < words.len() && end - from < MOST_WORDS {
        let word = &words[end];
        let linked =
            end > from && (links.holds(&text[word.place.range()]) || is_ampersand(text, word));
        if word.capital && (end == from || !word.first) {
            sure = end + 1;
        } else if !linked {
            break;
        }
        if word.closed {
            break;
        }
        end += 1;
    }
    sure
}

/// The name in a run: without the ordinary word that begins a sentence.
fn name(text: &str, run: &[Word], shouting: bool) -> Option<Range<usize>> {
    let said = |word: &Word| &text[word.place.range()];
    let titled = run.first().is_some_and(|word| TITLES.holds(said(word)));
    let mut run = without_tail(text, run);
    while let Some((word, rest)) = run.split_first() {
        let lower = said(word).to_lowercase();
        let title = TITLES.holds(said(word)) && !rest.is_empty();
        if matches!(&*lower, "may" | "will") && !rest.is_empty() && !asks(text, word) {
            break;
        }
        // `Jan` is a month and a first name.
        if rest.first().is_some_and(|next| begins(said(next)))
            && MONTHS.iter().any(|(name, _)| *name == lower)
            && !tells_when(text, word.place.start())
        {
            break;
        }
        let ordinary = !title && is_ordinary(&lower)
            || word.first
                && !titled
                && (rest.is_empty()
                    && !is_given(said(word))
                    && !((owns(text, word) || acts(text, word)) && is_owner(&lower))
                    || is_stop_word(&lower)
                    || is_opener(&lower)
                    || rest.first().is_some_and(|next| !next.capital) && is_article(&lower));
        if !ordinary {
            break;
        }
        run = rest;
    }
    // What only links names begins none: `de Kutxabank` without the word in front.
    while let Some((_, rest)) = run.split_first().filter(|(word, _)| !word.capital) {
        run = rest;
    }
    let (start, end) = (run.first()?, run.last()?);
    // Values of programs: `atomic = False`.
    if run.len() == 1 && matches!(said(start), "False" | "None" | "Null" | "True") {
        return None;
    }
    let capitals = run.iter().filter(|word| word.capital).count();
    let long_enough = end.place.end() - start.place.start() > 1;
    (long_enough && (!shouting || capitals > 1 && titled))
        .then_some(start.place.start()..end.place.end())
}

/// A run without the ordinary words at its end.
fn without_tail<'w>(text: &str, run: &'w [Word]) -> &'w [Word] {
    let mut run = run;
    while let Some((word, rest)) = run.split_last() {
        let said = &text[word.place.range()];
        if !is_ordinary(&said.to_lowercase()) && !LINKS.holds(said) {
            break;
        }
        run = rest;
    }
    run
}

/// Whether what stands at a place is when something is: the word before says so.
pub(super) fn tells_when(text: &str, at: usize) -> bool {
    static WHEN: Words = Words::new(
        "ab before between by during early end from in im last late mid next of since this through till until",
    );
    let before = word_before(text, at);
    WHEN.hold_lower(before) || before.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether a text begins with a word that may be a last name.
pub(super) fn begins(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphabetic() && c != '-').unwrap_or(text.len());
    let word = &text[..end];
    is_capital(word) && word.len() > 2 && !is_ordinary(&word.to_lowercase())
}

/// Whether a word is the first of a question: `Will Anna come?` asks, but `Will Smith comes.` tells.
fn asks(text: &str, word: &Word) -> bool {
    let rest = &text[word.place.end()..];
    word.first && rest.find(['.', '!', '?', '\n']).is_some_and(|at| rest[at..].starts_with('?'))
}

/// Whether a name is that of a part of a program: its last word, or the one behind it, says so.
fn is_part(text: &str, words: &[Word], place: &Range<usize>) -> bool {
    let last = words.iter().position(|word| word.place.end() >= place.end);
    let behind = last.filter(|&nth| !words[nth].closed).map(|nth| nth + 1);
    let said = |nth: usize| words.get(nth).map(|word| &text[word.place.range()]);
    let names = |nth: usize| said(nth).is_some_and(|word| PARTS.hold_lower(word));
    last.is_some_and(names) || behind.is_some_and(names)
}

/// Verbs and adverbs with which sentences begin. None that is a first name or begins places, such as `mark` or `mount`.
pub(super) fn is_opener(word: &str) -> bool {
    static OPENERS: Words = Words::new(
        "accept activate adapt add adjust again allow also always answer apply approve archive are arrange ask assign \
         attach avoid besides book both bring build bump buy call can cancel change check choose cite click clone close combine \
         commit compare confirm connect consider consult contact convert copy could create dear debug delete deploy \
         describe disable discuss ditch does double-check download draft earlier edit either email enable ensure enter execute \
         expect explain export extend fetch find fine finish fix follow forget forward generate get give good great have hello help \
         hi hire however import improve include inform insert inspect install instead investigate invite is join keep later \
         leave let list load locate look mail make maybe meanwhile meet mention merge message migrate modify move never next nice \
         notify offer once open otherwise pay perhaps phone pick ping please prefer prepare print put query raise reach read \
         rebase rebuild recall refactor refer register reject release reload remember remind remove rename repeat replace \
         reply report request require research reset resolve restart restore retry return revert review rewrite run save say \
         schedule scrap search see select sell send set should show since soon start stop submit subscribe suggest support sure \
         switch sync take tell test thank therefore thus today tomorrow tonight track transfer translate trigger try turn \
         uninstall unlock update upgrade upload use verify visit wait want warn watch what which will wipe would write \
         with within without yesterday",
    );
    static FIRST_NAMES: Words = Words::new(
        "ally beverly billy carly cecily emily holly kelly kimberly lily molly polly reilly sally shelly sterling wally willy",
    );
    static FOREIGN: Words = Words::new(
        "alors avec con cómo deshalb doch donc dort elle ensuite et finalement für hier il ils ist jetzt kein keine keinen mais mit \
         ohne ou para pas pero pour puis quand que reste restent sans si sin und vielleicht wir y",
    );
    let adverb = word.ends_with("ing") || word.ends_with("ly");
    OPENERS.holds(word) || FOREIGN.holds(word) || adverb && !FIRST_NAMES.holds(word)
}

/// Whether a word is an article with which names of places begin as well: `El de Kutxabank`, but `El Paso`.
fn is_article(word: &str) -> bool {
    matches!(word, "das" | "der" | "die" | "el" | "la" | "las" | "le" | "les" | "los")
}

/// Whether something belongs to what a word names: `Ada's`.
fn owns(text: &str, word: &Word) -> bool {
    ["'s", "’s"].iter().any(|mark| text[word.place.end()..].starts_with(mark))
}

/// Whether a word is that of somebody who agrees, thinks or wants something, or is away: `Priya agreed`.
fn acts(text: &str, word: &Word) -> bool {
    static ACTS: Words = Words::new(
        "agreed agrees believes complained decided disagrees hates insisted insists likes objected prefers promised proposed \
         reckons suspects thinks wants wishes",
    );
    const BETWEEN: [&str; 5] = ["also", "already", "always", "just", "still"];
    const AWAY: [&str; 4] = ["away", "on call", "on leave", "on vacation"];
    // Who or what does something: `Linter`, `Vendor`, `Tests`, `Leadership`.
    const KINDS: [&str; 5] = ["s", "er", "or", "ship", "ing"];
    let said = &text[word.place.range()];
    if KINDS.iter().any(|kind| said.ends_with(kind)) {
        return false;
    }
    let Some(rest) = text[word.place.end()..].strip_prefix(' ') else { return false };
    if let Some(rest) = rest.strip_prefix("is ") {
        return AWAY.iter().any(|away| rest.starts_with(away));
    }
    let mut words =
        rest.split(|c: char| !c.is_alphabetic()).skip_while(|one| BETWEEN.contains(one));
    words.next().is_some_and(|verb| ACTS.holds(verb))
}

/// Whether a word that something belongs to is a name, at the beginning of a sentence as well: `Ada's desk`, and not
/// `What's new`.
fn is_owner(word: &str) -> bool {
    static NONE: Words = Words::new(
        "accounting already anybody anyone backend boss client clients colleague colleagues compiler customer customers \
         dad design doc docs documentation error everybody everyone everything few finance frontend grandma grandpa \
         hardware here how husband infra it kid landlord legal log logs management manager many marketing message mom \
         most mum neither nobody nothing one operations ops others people product qa readme reviewer reviewers sales \
         security several somebody someone something spec staff support team that there they today tomorrow tonight \
         upstream user users when where who whoever why wife year yesterday",
    );
    !NONE.holds(word)
}

/// Whether a capitalised word names nothing.
pub(super) fn is_ordinary(word: &str) -> bool {
    let bare = word.trim_end_matches("'s").trim_end_matches('s');
    NO_NAMES.holds(word)
        || GREETINGS.holds(word)
        || is_stop_word(word)
        || MONTHS.iter().any(|(name, _)| *name == word)
        || WEEKDAYS.iter().any(|(name, _)| *name == word || *name == bare)
}
