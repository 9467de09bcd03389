//! From a session's files to memory and search index.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::counting::{self, Sizes};
use super::past::TimeMachine;
use super::recall::{Found, PastSaid, Recallable};
use crate::config::{self, Key, Settings, Source};
use crate::counted::counted;
use crate::memory::{
    CountTokens, Effort, EffortId, Faults, Frame, Memory, Rules, RulesError, ScratchItem, Status,
    Tokens, Turn, with_instructions,
};
use crate::store::{
    self, BilledTurn, Durability, Error, Loaded, LogReader, StopFlag, Store, StoredBill,
    TranscriptEntry, TranscriptKind, Verdicts,
};
use crate::tools;

/// Entries of the transcript that are read at a time.
const ENTRIES_AT_ONCE: usize = 1_000;

/// A session that was read to be looked at.
pub struct Inspected {
    /// Its memory.
    pub memory: Memory,
    /// Everything said in it, to be searched.
    pub said: PastSaid,
    /// Its past.
    pub time_machine: TimeMachine,
    /// What was paid.
    pub bill: StoredBill,
    /// What was found broken and mended, as sentences.
    pub problems: Vec<String>,
    counted: Sizes,
    pub(super) reader: LogReader,
}

impl Inspected {
    /// What each turn took that counted, oldest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn billed_turns(&self) -> Result<Vec<BilledTurn>, Error> {
        self.reader.billed_turns(self.memory.turn())
    }

    /// What each turn missed that missed something.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn faults(&self) -> Result<BTreeMap<Turn, Faults>, Error> {
        self.reader.faults()
    }

    /// Whom the session is with, if a person chose: the provider's name and the model's.
    pub fn chosen_model(&self) -> Option<(String, String)> {
        self.reader.chosen_model()
    }

    /// How answers with the window were judged beside answers with the full history.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn verdicts(&self) -> Result<Verdicts, Error> {
        self.reader.verdicts()
    }

    /// Reads all logs; a sentence for each that does not hold all that was said, or cannot be read, and one for the texts
    /// kept by reference that are gone.
    pub fn damaged_logs(&mut self) -> Vec<String> {
        // An open log was read when the session was, and what is not logged yet stands in the window already.
        let is_known = |effort: &&Effort| {
            effort.status == Status::Concluded || self.memory.is_damaged(&effort.id)
        };
        let ids: Vec<EffortId> =
            self.memory.efforts().iter().filter(is_known).map(|effort| effort.id.clone()).collect();
        let mut check = |id: EffortId| {
            let file = self.reader.log_file(&id);
            let told = match self.reader.read_log(&id) {
                Ok(log) => self.memory.check_log(&id, log.len()).err().map(|why| why.to_string()),
                Err(why) => Some(why.to_string()),
            };
            told.map(|why| format!("{file}: {why}"))
        };
        let efforts: Vec<String> = ids.into_iter().filter_map(&mut check).collect();
        let texts = self.memory.lost_texts();
        let gone = (texts > 0).then(|| {
            let texts = counted(texts as u64, "text");
            format!("scratchpad: gone of what is kept by reference: {texts}. Restore the files from a copy")
        });
        efforts.into_iter().chain(self.damaged_ambient()).chain(gone).collect()
    }

    /// Why the ambient log does not hold all that was said.
    fn damaged_ambient(&self) -> Option<String> {
        let read = match self.reader.ambient_log() {
            Ok(log) => log.len() as u64,
            Err(why) => return Some(why.to_string()),
        };
        // Where nobody has counted the messages, the lines were.
        let (messages, tokens) = self.memory.ambient_size();
        let lost = self.memory.ambient_lost();
        let of = (read + lost.unwrap_or(0)).max(tokens.map_or(0, |_| messages));
        let what = match lost {
            _ if read < of => format!("{read} of its {of} messages can be read"),
            Some(_) => "some of its lines cannot be read".to_owned(),
            None => return None,
        };
        Some(format!("raw.jsonl: the log is damaged: {what}. Restore the file from a copy"))
    }

    /// What a query finds in everything said, best first; nothing where nothing matches better than chance.
    pub fn search(&self, query: &str, most: usize) -> Vec<Found> {
        self.said.search(&self.memory, query, most)
    }

    /// The messages without an answer that hold every word of a query, newest first. They came into no log, so that nothing
    /// is recalled of them and no search of memory finds them; whoever wrote one may look for it all the same.
    ///
    /// # Errors
    /// When the journal or a log cannot be read.
    pub fn unanswered(&self, query: &str) -> Result<Vec<TranscriptEntry>, Error> {
        let query = query.to_lowercase();
        let holds_all = |entry: &TranscriptEntry| {
            let text = entry.text.to_lowercase();
            !query.trim().is_empty() && query.split_whitespace().all(|word| text.contains(word))
        };
        let under_way = self.reader.under_way()?.map(|turn| TranscriptEntry {
            kind: TranscriptKind::Unanswered,
            text: turn.user,
            turn: Some(turn.turn),
            log: None,
            at: String::new(),
            model: None,
        });
        let mut found: Vec<TranscriptEntry> = under_way.into_iter().filter(holds_all).collect();
        let is_known = |found: &[TranscriptEntry], entry: &TranscriptEntry| {
            found.iter().any(|known| (known.turn, &known.text) == (entry.turn, &entry.text))
        };
        let mut before = None;
        loop {
            let page = self.reader.transcript_before(before.as_ref(), ENTRIES_AT_ONCE)?;
            for entry in page.entries.into_iter().rev() {
                let is_meant = entry.kind == TranscriptKind::Unanswered && holds_all(&entry);
                if is_meant && !is_known(&found, &entry) {
                    found.push(entry);
                }
            }
            if page.earlier.is_none() || page.earlier == before {
                return Ok(found);
            }
            before = page.earlier;
        }
    }

    /// What would be recalled for a message, by its words.
    pub fn recallable(&self, message: &str) -> Recallable {
        self.said.recallable(&self.memory, &message.trim().into())
    }

    /// Keeps what had to be counted of the ambient log, so that it is not counted again: the one thing that is
    /// ever written by whoever looks, and only where nobody has the session open.
    pub fn keep_sizes(&self) {
        counting::keep(&self.reader, &self.counted);
    }
}

/// Reads a session to look at it, without its lock and without writing anything. Every figure is exact:
/// logs of other programs are counted first.
///
/// # Errors
/// Fails when a file cannot be read.
pub fn inspect(
    directory: &Path,
    settings: &Settings,
    counter: Arc<dyn CountTokens>,
) -> Result<Inspected, Error> {
    inspect_with(directory, settings, counter, true)
}

/// Reads a session to search it, without its lock and without writing anything: that needs no figures.
///
/// # Errors
/// Fails when a file cannot be read.
pub fn inspect_to_search(
    directory: &Path,
    settings: &Settings,
    counter: Arc<dyn CountTokens>,
) -> Result<Inspected, Error> {
    inspect_with(directory, settings, counter, false)
}

fn inspect_with(
    directory: &Path,
    settings: &Settings,
    counter: Arc<dyn CountTokens>,
    is_exact: bool,
) -> Result<Inspected, Error> {
    let looked = store::look(directory, settings.rules().ambient_window)?;
    let loaded = Loaded { restored: looked.restored, problems: looked.problems };
    let items = looked.scratchpad.items().to_vec();
    let pad = looked.scratchpad;
    let fitted = is_exact.then(|| fitted_to_last(settings, &looked.reader, loaded.restored.turn));
    let settings = fitted.as_ref().unwrap_or(settings);
    let (mut memory, mut problems) = build(loaded, items, settings, counter);
    let sizes =
        if is_exact { counting::count_all(&looked.reader, &memory) } else { Sizes::default() };
    counting::apply(&mut memory, sizes.clone());
    let (reader, bill) = (looked.reader.clone(), looked.reader.bill(memory.turn()));
    let bill = bill.unwrap_or_else(|error| {
        problems.push(format!("{error}. What was paid is not known."));
        StoredBill::default()
    });
    problems.extend(bill.problem());
    let said = PastSaid::new(reader.clone(), pad);
    let time_machine =
        TimeMachine::new(looked.reader, memory.scratchpad().to_vec(), memory.counter());
    Ok(Inspected { memory, said, time_machine, bill, problems, counted: sizes, reader })
}

/// The settings as they suit the model that answered last, which nobody asks here, unless this run names another one.
fn fitted_to_last(settings: &Settings, reader: &LogReader, turn: Turn) -> Settings {
    let mut settings = settings.clone();
    // That the journal cannot be read is told where it is read for itself.
    let Some((model, rules)) = reader.last_rules(turn).ok().flatten() else { return settings };
    let is_flag = matches!(settings.source(Key::Model), Source::Flag(_));
    let is_other = is_flag && settings.model() != Some(&*model);
    if !is_other && !settings.offline() {
        settings.fit_to(rules.context_window.map_or(0, |takes| takes.0), Source::Server);
        settings.fit_cache(rules.cache_least.0, rules.cached_percent);
    }
    settings
}

/// What "on disk" is to be safe against.
pub(super) fn durability(settings: &Settings) -> Durability {
    if settings.survives_power_loss() { Durability::Power } else { Durability::Process }
}

/// Builds memory and index from an open store; takes long only for huge sessions, and fails soon once it is
/// asked to stop.
pub(super) fn load(
    store: &mut Store,
    settings: Settings,
    counter: Arc<dyn CountTokens>,
    stop: &StopFlag,
) -> Result<(Memory, Vec<String>), Error> {
    store.set_durability(durability(&settings));
    let loaded = store.load_unless(stop, settings.rules().ambient_window)?;
    let (items, shelf) = (store.scratchpad().items().to_vec(), store.shelf());
    let (mut memory, problems) = stop.leaving(move || build(loaded, items, &settings, counter))?;
    if let Some(shelf) = shelf {
        memory.put_away_on(shelf);
    }
    Ok((memory, problems))
}

fn build(
    loaded: Loaded,
    items: Vec<ScratchItem>,
    settings: &Settings,
    counter: Arc<dyn CountTokens>,
) -> (Memory, Vec<String>) {
    let empty = Memory::new(settings.rules(), frame(settings), Arc::clone(&counter));
    let (rules, why) = fitting(&empty, settings);
    let refused = why.map(|why| refused(why, settings));
    let mut memory = Memory::restore(rules, frame(settings), counter, loaded.restored);
    memory.set_scratchpad(items);
    let refused_limits = memory.set_note_limits(settings.note_limits()).err();
    let refused = refused.into_iter().chain(refused_limits.map(|error| error.to_string()));
    let problems = loaded.problems.into_iter().map(|problem| problem.0).chain(refused).collect();
    (memory, problems)
}

/// Whether the settings leave room for what every request needs.
///
/// # Errors
/// Names the setting that does not, and where it stands.
pub fn check_settings(
    settings: &Settings,
    counter: &Arc<dyn CountTokens>,
) -> Result<(), config::Error> {
    unfit(settings, counter).map_or(Ok(()), |why| Err(no_room(why, settings)))
}

/// Why the rules of some settings do not hold.
fn unfit(settings: &Settings, counter: &Arc<dyn CountTokens>) -> Option<RulesError> {
    let unfit_by = |counter: Arc<dyn CountTokens>| {
        fitting(&Memory::new(settings.rules(), frame(settings), counter), settings).1
    };
    // A counter may have to build its table first. Mostly there is room for as many tokens as there are bytes.
    unfit_by(Arc::new(Bytes)).and_then(|_| unfit_by(Arc::clone(counter)))
}

/// A token for each byte: no text has more.
#[derive(Debug)]
struct Bytes;

impl CountTokens for Bytes {
    fn count(&self, text: &str) -> Tokens {
        Tokens(text.len() as u64)
    }
}

fn no_room(why: RulesError, settings: &Settings) -> config::Error {
    let key = match why {
        RulesError::BudgetTooSmall { .. } => Key::TokenBudget,
        RulesError::ModelTooSmall { .. } => Key::ContextWindow,
        RulesError::SoftAboveHard { .. } => Key::SoftPercent,
        RulesError::NoSlots => Key::Slots,
    };
    config::Error::NoRoom { why, from: settings.source(key).clone() }
}

/// What the settings leave no room for, as sentences with what holds in their place.
pub fn misfit(settings: &Settings, counter: &Arc<dyn CountTokens>) -> Option<String> {
    unfit(settings, counter).map(|why| refused(why, settings))
}

/// What is said when rules do not hold, and what does in their place.
fn refused(why: RulesError, settings: &Settings) -> String {
    let instead = match (why, why.least()) {
        (RulesError::ModelTooSmall { .. }, _) => {
            "The window is as small as it can be, and the model may refuse it all the same: choose another \
             with /model, or give it more where it runs (llama.cpp: -c 16384, Ollama: \
             OLLAMA_CONTEXT_LENGTH=16384)."
                .to_owned()
        }
        (_, Some(least)) => format!("Until then it counts as {least}."),
        (_, None) => "The default holds for now.".to_owned(),
    };
    format!("{}. {instead}", no_room(why, settings))
}

/// The rules of the settings; a budget that nobody set follows what the model takes, but leaves room for every
/// request. Where they do not hold, why, and the nearest ones that do.
pub(super) fn fitting(memory: &Memory, settings: &Settings) -> (Rules, Option<RulesError>) {
    let mut rules = settings.rules();
    let follows = *settings.source(Key::TokenBudget) == Source::Default;
    let mut checked = memory.check_rules(&rules);
    if let Err(why @ RulesError::BudgetTooSmall { .. }) = checked
        && follows
    {
        rules.token_budget = why.least().unwrap_or(rules.token_budget);
        checked = memory.check_rules(&rules);
    }
    match checked {
        Ok(()) => (rules, None),
        Err(why) => (nearest(rules, why), Some(why)),
    }
}

/// Rules with room for every request, in place of ones that have none: whoever wants little gets the least that holds.
fn nearest(rules: Rules, why: RulesError) -> Rules {
    let least = why.least();
    let token_budget = least.unwrap_or(Rules::default().token_budget);
    let is_model = matches!(why, RulesError::ModelTooSmall { .. });
    let context_window = rules
        .context_window
        .filter(|&window| !is_model && least.is_some_and(|least| window >= least));
    Rules { token_budget, context_window, slots: rules.slots.filter(|&slots| slots > 0), ..rules }
}

fn frame(settings: &Settings) -> Frame {
    Frame {
        system_prompt: with_instructions(crate::prompt::system(), settings.instructions()).into(),
        tools: tool_definitions(),
    }
}

/// The tools as they are counted.
pub(super) fn tool_definitions() -> Arc<str> {
    tools::definitions().to_string().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::Cl100k;

    #[test]
    fn where_there_is_room_for_as_many_tokens_as_bytes_nothing_is_counted() {
        #[derive(Debug)]
        struct Unused;
        impl CountTokens for Unused {
            fn count(&self, _: &str) -> Tokens {
                unreachable!("the settings have room enough")
            }
        }
        let unused = Arc::new(Unused) as Arc<dyn CountTokens>;
        assert!(check_settings(&Settings::default(), &unused).is_ok());
        assert_eq!(misfit(&Settings::default(), &unused), None);
    }

    #[test]
    fn whoever_wants_too_little_gets_the_least_that_holds() {
        let counter = Arc::new(Cl100k::lazy()) as Arc<dyn CountTokens>;
        let with = |values: &[(&str, &str)]| {
            let mut settings = Settings::default();
            let own = |(key, value): &(&str, &str)| {
                ((*key).to_owned(), (*value).to_owned(), Source::Flag("--set"))
            };
            settings.set_all(values.iter().map(own)).expect("each fits its key");
            settings
        };
        let fits = |settings: &Settings| {
            let empty = Memory::new(settings.rules(), frame(settings), Arc::clone(&counter));
            let (rules, why) = fitting(&empty, settings);
            assert_eq!(empty.check_rules(&rules), Ok(()), "{rules:?}");
            (rules, why)
        };
        let small = with(&[("token_budget", "1000"), ("slots", "4"), ("context_window", "8000")]);
        let (rules, why) = fits(&small);
        let least = why.and_then(|why| why.least()).expect("1,000 is too small");
        assert_eq!((rules.token_budget, rules.slots), (least, Some(4)));
        assert_eq!(rules.context_window, small.rules().context_window);
        let told = misfit(&small, &counter).expect("it is told");
        assert!(told.ends_with(&format!("Until then it counts as {least}.")), "{told}");
        let both = with(&[("token_budget", "1000"), ("context_window", "1100")]);
        assert_eq!(fits(&both).0.token_budget, least);
        let least = with(&[("token_budget", &least.0.to_string())]);
        assert_eq!(misfit(&least, &counter), None);
        assert!(
            check_settings(&least, &counter).is_ok() && check_settings(&small, &counter).is_err()
        );
    }
}
