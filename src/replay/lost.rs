//! What a program's own compaction lost: the specifics of what was in its window that neither its summary holds nor
//! what it kept beside it.

mod arguments;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use crate::read::{Compaction, Event, Speaker, is_refused};
use crate::specifics::{self, German, Kind, Report, Specific};
use arguments::Arguments;

/// Specifics of one window that are kept; beyond it a list helps nobody.
const MOST: usize = 50_000;

/// A compaction and what it lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What the program says of it.
    pub compaction: Compaction,
    /// Messages and calls that it stands for.
    pub messages: usize,
    /// The specifics by whether the window still holds them, in the order in which they were said last; `None` if the summary
    /// cannot be read.
    pub report: Option<Report>,
}

impl Loss {
    /// How many of a kind were kept, and of how many.
    pub fn kept(&self, kind: Kind) -> (usize, usize) {
        let of = |list: &[Specific]| list.iter().filter(|one| one.kind == kind).count();
        self.report.as_ref().map_or((0, 0), |report| {
            let kept = of(&report.kept);
            (kept, kept + of(&report.missing))
        })
    }

    /// The missing ones of a kind, newest first.
    pub fn missing(&self, kind: Kind) -> impl Iterator<Item = &Specific> {
        let missing = self.report.iter().flat_map(|report| report.missing.iter().rev());
        missing.filter(move |one| one.kind == kind)
    }
}

/// Specifics in the form for comparing.
type Forms = BTreeSet<(Kind, String)>;

/// When something was said: in which message, and where among its details.
type When = (usize, usize);

/// When something was said first and last.
#[derive(Debug, Clone, Copy)]
struct Said {
    first: When,
    last: When,
}

/// Calls without a result yet that are remembered: a refused one was never made.
const OPEN_CALLS: usize = 32;

/// Messages in front of an answer that it may correct: what somebody said, and what was answered to that.
const CORRECTED: usize = 2;

/// Follows a conversation from compaction to compaction.
#[derive(Debug, Default)]
pub struct Losses {
    /// Where the whole session is, if it says so.
    folder: String,
    held: Vec<Specific>,
    known: BTreeMap<(Kind, String), Said>,
    /// The details of the last messages that were said, oldest first.
    recent: Vec<(usize, Vec<Specific>)>,
    /// The newest calls without a result yet: id, message and details of each.
    calls: Vec<(String, usize, Vec<Specific>)>,
    /// Messages and calls of all windows so far, and how many of them are of windows that were compacted.
    messages: usize,
    before: usize,
    /// The share of German in what was said, in which every noun has a capital: one message may be too short to tell.
    german: German,
    /// Compactions so far.
    found: Vec<Loss>,
}

impl Losses {
    /// Takes the next event. What a tool answered does not count: a listing's thousand numbers are nobody's loss.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Begins { project, .. } => {
                self.folder.clone_from(project);
                self.forget();
            }
            Event::Compacted(compaction) => self.compact(compaction),
            Event::Returned { id, text, .. } => self.returned(id, text),
            event => {
                if let Event::Said { text, .. } = event {
                    self.german.read(text);
                }
                if let Some([mut details, taken_back]) = details(event, self.german.prevails()) {
                    if matches!(event, Event::Called { .. }) {
                        // A call that goes there says only where it works.
                        details.retain(|one| one.kind != Kind::Path || !self.is_folder(&one.text));
                    }
                    self.let_go(&taken_back);
                    self.correct(event, &details);
                    self.call(event, &details);
                    self.hold(details);
                }
            }
        }
    }

    fn is_folder(&self, path: &str) -> bool {
        !path.is_empty() && path.trim_end_matches('/') == self.folder.trim_end_matches('/')
    }

    /// The compactions that were met, oldest first.
    pub fn found(&self) -> &[Loss] {
        &self.found
    }

    /// What was lost by any of the compactions and is neither in the newest readable summary nor said since, newest
    /// first.
    pub fn lost_now(&self) -> Vec<Specific> {
        let readable = |loss: &&Loss| loss.report.is_some();
        let newest =
            self.found.iter().rfind(readable).and_then(|loss| loss.compaction.summary.as_deref());
        let missing = self
            .found
            .iter()
            .filter_map(|loss| loss.report.as_ref())
            .flat_map(|report| report.missing.clone());
        let mut seen: Forms = self.known.keys().cloned().collect();
        let mut all: Vec<Specific> = missing.collect();
        // What a summary held for a while was said before all that was said since.
        all.sort_by_key(|one| one.message);
        let newest_first = all.into_iter().rev();
        let each: Vec<Specific> = newest_first.filter(|one| seen.insert(form(one))).collect();
        let missing = Report::of(&each, newest.unwrap_or_default()).missing;
        each_path_once(missing)
    }

    /// What a message takes back was not lost where it was said first either.
    fn let_go(&mut self, taken_back: &[Specific]) {
        for one in taken_back {
            let form = form(one);
            self.held.retain(|held| held.kind != form.0 || held.key() != form.1);
            self.known.remove(&form);
        }
    }

    /// What a person puts something else for was not lost either, if it was first said in the messages right before that.
    fn correct(&mut self, event: &Event, details: &[Specific]) {
        let Event::Said { by, text, .. } = event else { return };
        let is_of_person = *by == Speaker::Person;
        let recent: Vec<(usize, Vec<Specific>)> =
            if is_of_person { self.recent.clone() } else { Vec::new() };
        for (message, before) in &recent {
            let mut back: Vec<Specific> = Vec::new();
            for one in specifics::overruled(before, text, details) {
                let first = self.known.get(&form(one)).map(|said| said.first.0);
                if first.is_some_and(|first| first >= recent[0].0 && first <= *message) {
                    back.push(one.clone());
                }
            }
            self.let_go(&back);
        }
        self.recent.push((self.messages, details.to_vec()));
        if self.recent.len() > CORRECTED {
            self.recent.remove(0);
        }
    }

    fn call(&mut self, event: &Event, details: &[Specific]) {
        let Event::Called { id, .. } = event else { return };
        if self.calls.len() == OPEN_CALLS {
            self.calls.remove(0);
        }
        self.calls.push((id.clone(), self.messages, details.to_vec()));
    }

    /// What a call said first that the person refused was not lost: it never came about.
    fn returned(&mut self, id: &str, text: &str) {
        let Some(at) = self.calls.iter().rposition(|(known, ..)| known == id) else { return };
        let (_, message, details) = self.calls.remove(at);
        if is_refused(text) {
            let is_its_own = |one: &Specific| {
                self.known.get(&form(one)).is_some_and(|said| said.first.0 == message)
            };
            let own: Vec<Specific> = details.into_iter().filter(is_its_own).collect();
            self.let_go(&own);
        }
    }

    fn hold(&mut self, details: Vec<Specific>) {
        let message = self.messages;
        self.messages += 1;
        for (nth, mut one) in details.into_iter().enumerate() {
            let when = (message, nth);
            if let Some(said) = self.known.get_mut(&form(&one)) {
                said.last = when;
            } else if self.held.len() < MOST {
                self.known.insert(form(&one), Said { first: when, last: when });
                one.message = message;
                self.held.push(one);
            }
        }
    }

    /// Puts what is held in the order in which it was said last.
    fn order(&mut self) {
        let last = |one: Specific| {
            let said = self.known.get(&form(&one));
            (said.map_or((one.message, 0), |said| said.last), one)
        };
        let mut all: Vec<(When, Specific)> =
            std::mem::take(&mut self.held).into_iter().map(last).collect();
        all.sort_by_key(|(last, _)| *last);
        let told = |((message, _), one)| Specific { message, ..one };
        self.held = all.into_iter().map(told).collect();
    }

    /// The window holds the summary from now on, and of what was there before what the summary holds or stays beside it.
    fn compact(&mut self, compaction: &Compaction) {
        self.order();
        let german = self.german.prevails();
        let beside = compaction.kept.iter().filter_map(|event| details(event, german));
        let beside = beside.flat_map(|[details, _]| details);
        let beside = beside.map(|one| form(&one)).collect();
        let summary = compaction.summary.as_deref().filter(|summary| !summary.trim().is_empty());
        let held = Report::of(&self.held, summary.unwrap_or_default());
        let mut report = self.with(held, &beside);
        report.missing = each_path_once(report.missing);
        let kept = report.kept.clone();
        let compaction = Compaction { kept: Vec::new(), ..compaction.clone() };
        let (messages, report) = (self.messages - self.before, summary.map(|_| report));
        self.found.push(Loss { compaction, messages, report });
        self.forget();
        let said = |(nth, one): (usize, &Specific)| {
            let when = (one.message, nth);
            (form(one), Said { first: when, last: when })
        };
        self.known = kept.iter().enumerate().map(said).collect();
        self.held = kept;
    }

    /// A report in which what stays in the window beside the summary is kept too.
    fn with(&self, report: Report, beside: &Forms) -> Report {
        if beside.is_empty() {
            return report;
        }
        let forms = report.missing.iter().map(form);
        let lost: Forms = forms.filter(|form| !beside.contains(form)).collect();
        let (missing, kept) = self.held.iter().cloned().partition(|one| lost.contains(&form(one)));
        Report { kept, missing }
    }

    fn forget(&mut self) {
        self.held.clear();
        self.known.clear();
        self.recent.clear();
        self.calls.clear();
        self.before = self.messages;
    }
}

/// A list without the paths that are told by a longer one of it.
fn each_path_once(list: Vec<Specific>) -> Vec<Specific> {
    let longer = parts_of_paths(&list);
    let is_told = |one: &Specific| one.kind == Kind::Path && longer.contains(one.text.as_str());
    let is_told: Vec<bool> = list.iter().map(is_told).collect();
    let mut is_told = is_told.into_iter();
    list.into_iter().filter(|_| is_told.next() != Some(true)).collect()
}

/// What some paths also stand for: the ends of each, and each without its line. A path among those is told once.
fn parts_of_paths(list: &[Specific]) -> BTreeSet<&str> {
    let paths = list.iter().filter(|one| one.kind == Kind::Path).map(|one| one.text.as_str());
    paths.flat_map(parts_of_path).collect()
}

fn parts_of_path(whole: &str) -> impl Iterator<Item = &str> {
    let ends = whole.match_indices('/').map(move |(at, sign)| &whole[at + sign.len()..]);
    ends.chain(whole.match_indices(':').map(move |(at, _)| &whole[..at]))
}

fn form(one: &Specific) -> (Kind, String) {
    (one.kind, one.key())
}

/// The specifics of an event, and those that it takes back; none if it is not one that is looked at.
fn details(event: &Event, german: bool) -> Option<[Vec<Specific>; 2]> {
    match event {
        Event::Said { text, .. } => Some(specifics::extract_both(text, german)),
        Event::Called { arguments, .. } => Some([Arguments::of(arguments).details(), Vec::new()]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Speaker;

    fn said(text: &str) -> Event {
        Event::Said { by: Speaker::Person, text: text.to_owned(), at: None }
    }

    fn called(arguments: &str) -> Event {
        let (id, name) = (String::new(), "shell".to_owned());
        Event::Called { id, name, arguments: arguments.to_owned(), at: None }
    }

    /// What a summary that says nothing loses of some events.
    fn lost(events: &[Event]) -> Vec<String> {
        let mut losses = Losses::default();
        for event in events {
            losses.take(event);
        }
        let summary = Some("Nothing.".to_owned());
        losses.take(&Event::Compacted(Compaction { summary, ..Compaction::default() }));
        let lost = losses.lost_now();
        lost.iter().map(|one| format!("{} {}", one.kind, one.text)).collect()
    }

    #[test]
    fn what_somebody_takes_back_was_not_lost_wherever_it_was_said() {
        let both = [said("The bus leaves at 8:15 am."), said("No, at 7:50 am, not 8:15 am.")];
        assert_eq!(lost(&both), ["date 7:50 am"]);
        assert_eq!(lost(&both[..1]), ["date 8:15 am"]);
        let again = [&both[..], &[said("Back to 8:15 am.")]].concat();
        assert_eq!(lost(&again), ["date 8:15 am", "date 7:50 am"]);
    }

    #[test]
    fn what_the_next_message_corrects_was_not_lost() {
        let reply =
            |text: &str| Event::Said { by: Speaker::Model, text: text.to_owned(), at: None };
        let answer = said("hmm no, 21 days");
        let asked = [said("Keep backups for 14 days."), answer.clone()];
        assert_eq!(lost(&asked), ["number 21 days"]);
        let replied =
            [said("Keep backups for 14 days."), reply("Fine, 14 days it is."), answer.clone()];
        assert_eq!(lost(&replied), ["number 21 days"]);
        // What held before is none of what is corrected, nor what a model says of it.
        let earlier = [
            said("Trials last 14 days."),
            reply("Good."),
            said("Keep backups for 14 days."),
            answer.clone(),
        ];
        assert!(lost(&earlier).contains(&"number 14 days".to_owned()));
        let model = [said("Backups last 14 days."), reply("No, 21 days.")];
        assert_eq!(lost(&model), ["number 21 days", "number 14 days"]);
    }

    #[test]
    fn what_a_refused_call_would_have_done_was_not_lost() {
        let command = "make -C build/old wipe";
        let run = called(&serde_json::json!({ "command": command }).to_string());
        let returned =
            |text: &str| Event::Returned { id: String::new(), text: text.to_owned(), at: None };
        let refused = returned("The user doesn't want to proceed with this tool use. Why not?");
        let done = lost(&[run.clone(), returned("ok")]);
        assert!(!done.is_empty());
        assert_eq!(lost(&[run.clone(), refused.clone()]), [""; 0]);
        let said_before = [said(&format!("Run `{command}`.")), run, refused];
        assert_eq!(lost(&said_before), done, "somebody else said it");
    }

    #[test]
    fn what_was_said_last_stands_first_wherever_it_was_said_before() {
        let all = [said("See src/a.rs and src/b.rs."), said("Then src/c.rs, and src/a.rs again.")];
        assert_eq!(lost(&all), ["path src/a.rs", "path src/c.rs", "path src/b.rs"]);
    }

    #[test]
    fn what_a_call_only_shows_is_no_detail() {
        let run = |command: &str| called(&serde_json::json!({ "command": command }).to_string());
        for command in [
            "docker ps -a",
            "cat notes/plan.md | head -20",
            "cd src && ls -la",
            "kubectl -n shop get pods",
            "sleep 5",
        ] {
            assert_eq!(lost(&[run(command)]), [""; 0], "{command}");
        }
        assert_eq!(lost(&[run("sed -n 1,20p src/pool.rs")]), ["path src/pool.rs"]);
        let built = "make all --out=/tmp/all.tar";
        assert_eq!(lost(&[run(built)]), [format!("command {built}")]);
        assert_eq!(lost(&[run("ls -la\nmake all")]), ["command make all"]);
    }

    #[test]
    fn what_a_call_writes_names_nobody_and_where_it_works_is_no_detail() {
        let run = r#"{"command":["bash","-lc","cargo check"],"workdir":"/project"}"#;
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n+make all\n*** End Patch";
        assert_eq!(lost(&[called(run), called(patch)]), ["path src/a.rs", "command cargo check"]);
    }

    #[test]
    fn the_folder_of_the_session_is_no_detail_of_a_call() {
        let begins = |project: &str| Event::Begins {
            id: String::new(),
            title: String::new(),
            project: project.to_owned(),
            at: None,
        };
        let goes = called(r#"{"command":"cd /srv/shop && make all"}"#);
        let command = "command cd /srv/shop && make all";
        assert_eq!(lost(&[begins("/srv/shop"), goes.clone()]), [command]);
        assert_eq!(lost(&[begins("/srv"), goes]), ["path /srv/shop", command]);
        let told = lost(&[begins("/srv/shop"), said("It is in /srv/shop now.")]);
        assert_eq!(told, ["path /srv/shop"]);
    }

    #[test]
    fn of_code_that_is_written_in_a_file_only_its_settings_and_numbers_are_told() {
        let write = |file: &str, text: &str| {
            called(&serde_json::json!({ "file_path": file, "content": text }).to_string())
        };
        let code = "let at = DateTime::from_utf8(vpc_id);\nMAX_RETRIES=5 on db-prod-02 --quiet\n#define I2C_SDA GPIO_NUM_21";
        let kept = [
            "path src/at.rs",
            "identifier MAX_RETRIES=5",
            "identifier db-prod-02",
            "identifier I2C_SDA",
            "identifier GPIO_NUM_21",
        ];
        let told = lost(&[write("src/at.rs", code)]);
        assert!(kept.iter().all(|one| told.contains(&(*one).to_owned())), "{told:?}");
        assert_eq!(told.len(), kept.len(), "{told:?}");
        let told = lost(&[write("notes.md", "Ask for vpc_id with --quiet.")]);
        assert!(told.contains(&"identifier vpc_id".to_owned()), "{told:?}");
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n+import x from './reports/Reports'\n+  points.last_one()\n*** End Patch";
        assert_eq!(lost(&[called(patch)]), ["path src/a.rs"]);
    }

    #[test]
    fn what_a_call_only_asks_for_is_no_command() {
        let run = |command: &str| called(&serde_json::json!({ "command": command }).to_string());
        assert_eq!(lost(&[run("psql hooks -c 'select count(*) from events'")]), [""; 0]);
        let changes = "psql hooks -c 'truncate events'";
        assert_eq!(lost(&[run(changes)]), [format!("command {changes}")]);
    }

    #[test]
    fn a_path_is_told_once_beside_the_whole_way_to_it() {
        let mut losses = Losses::default();
        losses.take(&said("See src/pool.rs, in full /srv/app/src/pool.rs, and src/other.rs."));
        let summary = Some("Nothing.".to_owned());
        losses.take(&Event::Compacted(Compaction { summary, ..Compaction::default() }));
        let told: Vec<&str> =
            losses.found()[0].missing(Kind::Path).map(|one| one.text.as_str()).collect();
        assert_eq!(told, ["src/other.rs", "/srv/app/src/pool.rs"]);
    }

    #[test]
    fn what_an_edit_takes_out_is_not_written() {
        let edit = serde_json::json!({
            "file_path": "plan.md", "old_string": "It takes 14 days.", "new_string": "It takes 21 days."
        });
        let told = lost(&[called(&edit.to_string())]);
        assert!(told.contains(&"number 21 days".to_owned()), "{told:?}");
        assert!(!told.contains(&"number 14 days".to_owned()), "{told:?}");
        let patch = "*** Begin Patch\n*** Update File: plan.md\n-It takes 14 days.\n+It takes 21 days.\n*** End Patch";
        assert_eq!(lost(&[called(patch)]), ["number 21 days", "path plan.md"]);
    }

    #[test]
    fn what_a_call_looks_for_and_where_is_no_detail() {
        let search =
            r#"{"pattern":"construct_event","path":"api/app","output_mode":"files_with_matches"}"#;
        assert_eq!(lost(&[called(search)]), [""; 0]);
    }

    #[test]
    fn what_a_summary_held_for_a_while_stands_behind_what_was_said_since() {
        let summed = |summary: &str| {
            let summary = Some(summary.to_owned());
            Event::Compacted(Compaction { summary, ..Compaction::default() })
        };
        let events = [
            said("See src/oldest.rs first."),
            said("Then src/middle.rs."),
            summed("src/oldest.rs was read."),
            said("And src/newest.rs."),
        ];
        let paths = ["path src/newest.rs", "path src/middle.rs", "path src/oldest.rs"];
        assert_eq!(lost(&events), paths);
    }

    #[test]
    fn each_line_of_a_shell_is_a_command_whatever_its_program() {
        let run = r#"{"command":"mytool push booted"}"#;
        assert_eq!(lost(&[called(run)]), ["command mytool push booted"]);
        let writes = r#"{"command":"cat > /etc/foo.conf <<'EOF'\na = 1\nEOF"}"#;
        assert_eq!(lost(&[called(writes)]), ["path /etc/foo.conf"]);
    }

    #[test]
    fn a_short_message_of_a_german_log_is_read_as_german() {
        let short = "Bei Regen bleibt Durchwahl und Aktenzeichen offen.";
        assert_eq!(lost(&[said(short)]).len(), 2);
        let first = said("Der Zug fährt nicht, und er kommt auch heute nicht mit.");
        assert_eq!(lost(&[first, said(short)]), [""; 0]);
    }
}
