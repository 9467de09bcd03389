//! Whether a summary holds a decision: in other words, but not the other way round.

mod clause;
mod phrase;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use crate::specifics::number::Amount;
use crate::specifics::words::Words;
use crate::specifics::{Kind, Specific, extract};
use clause::{Taken, bounds, caps_at, denies, polarity};
use words::{
    ALLOWING, BINDING, BUT, CHANGE, FREEZING, HOW_IT_IS, JOINTS, KEEP, NO, ONLY, REMARKS, SCALES,
    SETTLING,
};

/// Percentage of a decision's words that a summary must hold close together to have kept it: it may use other words.
const PERCENT: usize = 50;

/// The same where the word is not among them that says what is to be done.
const PERCENT_WITHOUT_VERB: usize = 75;

/// The same of so few words that one of them may be another one.
const FEW: usize = 3;
const PERCENT_OF_FEW: usize = 66;

/// The same where its figures are told, and what is to be done; and where only those are.
const PERCENT_WITH_FIGURES: usize = 25;
const PERCENT_WITH_FIGURES_ALONE: usize = 33;

/// Letters that two long words share at least, and by how many more their endings may differ; the same for the word that
/// says what is to be done, which has more forms.
const LONG: usize = 6;
const ENDING: usize = 3;
const LONG_VERB: usize = 4;
const ENDING_OF_VERB: usize = 2;

/// Words in front of "that" with which something is settled.
const MOST_LEADING: usize = 6;

/// Words that a decision has at least in front of what is remarked on it.
const LEAST: usize = 3;

/// Sentences that stand close together.
const CLOSE: usize = 3;

/// The sentences of a summary.
pub(super) struct Sentences(Vec<Sentence>);

/// The words of a sentence, and of each whether it is what is wanted or what is not.
#[derive(Debug, Default)]
struct Sentence {
    wanted: BTreeMap<String, bool>,
    /// Those that stand side by side, as one.
    joined: BTreeMap<String, bool>,
    /// The first of them.
    verb: String,
    amounts: Vec<Amount>,
    /// What a decision names, in the words of it: who refuses that decides otherwise.
    names: BTreeSet<String>,
    /// Words that say where or to whom: they are neither wanted nor not.
    beside: BTreeSet<String>,
    /// It says how much at most.
    bound: Bound,
    /// It says that something is settled.
    settles: bool,
    /// It says that nothing else is.
    is_only: bool,
}

/// Whether a sentence says how much at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Bound {
    /// It does not.
    #[default]
    None,
    /// In a word that does so only where a bound is meant: `cap half a minute`.
    Perhaps,
    /// It does.
    Sure,
}

impl Sentences {
    /// Those of a text.
    pub(super) fn of(text: &str) -> Self {
        let ends = text.split_inclusive(['\n', '!', '?', ';']).flat_map(|part| part.split(". "));
        Self(ends.filter(|part| !part.trim().is_empty()).map(Sentence::of).collect())
    }

    /// Whether they hold a decision, or each of those that one sentence makes.
    pub(super) fn hold(&self, decision: &str) -> bool {
        let parts = apart(decision);
        let is_one = parts.len() < 2;
        self.hold_one(decision, is_one)
            || !is_one && parts.iter().all(|part| self.hold_one(part, true))
    }

    /// Whether some that are close together hold a decision by most of its words and each of its figures, and do not say
    /// the opposite. Of one that is told `alone` its figures may stand for most of its words.
    fn hold_one(&self, decision: &str, alone: bool) -> bool {
        // Its dates and places are specifics of their own.
        let own = |one: &Specific| matches!(one.kind, Kind::Date | Kind::Path | Kind::Url);
        let all = extract([decision]);
        let others = all.iter().filter(|one| own(one));
        let rest = others.fold(decision.to_owned(), |text, one| text.replace(&one.text, " "));
        // Which of several it is counts nothing: `over the green one`.
        let rest = rest.trim_end_matches(['.', '!', ' ']).trim_end_matches(" one");
        let mut decision =
            Sentence { amounts: Amount::all_of(settled(rest)), ..Sentence::of(settled(decision)) };
        decision.name(&all);
        let near = |at: usize| &self.0[at..self.0.len().min(at + CLOSE)];
        let is_same = rest.contains(" the same") || rest.ends_with(" must stay");
        let frozen = decision.frozen();
        let stays = |at: usize| {
            let keeps = |one: &Sentence| one.does(KEEP) == Some(true);
            // Something remains in many a sentence.
            let names = |frozen: &Sentence| {
                let mut others = frozen.wanted.keys().filter(|word| *word != KEEP);
                others.any(|word| near(at).iter().any(|one| one.says(word).is_some()))
            };
            is_same && decision.is_unchanged_by(&self.0[at])
                || frozen.as_ref().is_some_and(|frozen| {
                    keeps(&self.0[at]) && names(frozen) && frozen.is_in(near(at), alone)
                })
        };
        (0..self.0.len()).any(|at| decision.is_in(near(at), alone) || stays(at))
            || self.allow_only(rest)
    }

    /// Whether one of them bans what a short decision begins to ban, whatever else that says of it: `no Oban` for `Don't use
    /// Oban for the cleanup, overkill`.
    pub(super) fn ban(&self, decision: &str) -> bool {
        const BANS: [&str; 7] =
            ["don't use ", "don’t use ", "do not use ", "never use ", "no more ", "no ", "kein "];
        let lower = decision.to_lowercase();
        let Some(ban) = BANS.iter().find(|ban| lower.starts_with(**ban)) else { return false };
        let Some(rest) = decision.get(ban.len()..) else { return false };
        let banned = rest.split([',', ':', ';', '(']).next().unwrap_or_default();
        let first = banned.split(' ').next().unwrap_or_default();
        // Only a name is telling enough to stand for all of it.
        let is_name = first.len() > 2
            && (first.starts_with(char::is_uppercase) || first.contains(['_', '.', '-']));
        let words = polarity(first).into_iter().map(|taken| taken.word);
        let words: Vec<String> = words.collect();
        let is_banned = |one: &Sentence| words.iter().all(|word| one.says(word) == Some(false));
        is_name && !words.is_empty() && self.0.iter().any(is_banned)
    }

    /// Whether one of them says that what a ban does not ban is all that may be: `only flate2 may be added as a dependency`
    /// for `no new dependencies besides flate2`.
    fn allow_only(&self, ban: &str) -> bool {
        let Some((banned, but)) = BUT.iter().find_map(|but| ban.split_once(but)) else {
            return false;
        };
        let words = |text| polarity(text).into_iter().map(|taken| taken.word);
        let banned = words(banned).rfind(|word| word != "new");
        let is_ban = banned.is_some() && banned_from_start(ban);
        let names = |one: &Sentence, word: &String| one.says(word) == Some(true);
        is_ban
            && self.0.iter().any(|one| {
                one.is_only
                    && banned.iter().all(|word| names(one, word))
                    && words(but).all(|word| names(one, &word))
            })
    }
}

/// Whether a decision names something, and wants it.
pub(super) fn wants(decision: &str, name: &str) -> bool {
    let sentence = Sentence::of(settled(decision));
    let words = polarity(name).into_iter().map(|taken| taken.word);
    let mut words = words.filter(|word| sentence.wanted.contains_key(word)).peekable();
    words.peek().is_some() && words.all(|word| sentence.wanted.get(&word) == Some(&true))
}

/// Whether a sentence begins with what it does not want.
fn banned_from_start(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default().to_lowercase();
    denies(&first)
}

/// What one sentence decides apart from each other: `No new crates, and the tests stay`.
fn apart(decision: &str) -> Vec<&str> {
    let mut parts = vec![decision];
    for joint in JOINTS {
        parts = parts.into_iter().flat_map(|part| part.split(joint)).collect();
    }
    parts.retain(|part| part.split_whitespace().count() > 1);
    parts
}

/// Whether what stands behind a comma says how something is, and settles nothing: `Play review would take weeks`.
fn tells_why(rest: &str) -> bool {
    let mut words = rest.split([' ', ',']);
    let begins = words.next().is_some_and(|word| !SETTLING.hold_lower(word) && !denies(word));
    let is_told = || rest.split(' ').skip(1).take(3).any(|word| HOW_IT_IS.contains(&word));
    begins && is_told() && !rest.split(' ').any(denies)
}

/// Whether what stands behind a comma tells what somebody did or has, and settles nothing: `I've thrown it out`.
fn tells_of_somebody(rest: &str) -> bool {
    static SOMEBODY: Words = Words::new(
        "customers he's her his i i'd i'll i've it's my people our she's somebody someone their there's they're users",
    );
    const WISHES: [&str; 7] = ["keep", "must", "only", "prefer", "should", "want", "wants"];
    let mut words = rest.split([' ', ',']);
    let settles = |word: &str| {
        let lower = word.to_lowercase();
        SETTLING.holds(&lower) || denies(&lower) || WISHES.contains(&&*lower)
    };
    words.next().is_some_and(|first| SOMEBODY.hold_lower(first)) && !words.any(settles)
}

/// What is settled behind the reason for it: `thirty people use it so the layout must stay`. Where the reason's clause
/// decides something itself, the other one is what comes of that.
fn behind_reason(decision: &str) -> Option<&str> {
    let (reason, rest) = decision.split_once(" so ")?;
    let binds = !rest.starts_with("that ") && rest.split(' ').any(|word| word.starts_with("must"));
    let decides = |word| BINDING.hold_lower(word) || denies(&word.to_lowercase());
    let is_reason = !reason.starts_with("Use ") && !reason.split([' ', ':']).any(decides);
    (binds && is_reason).then_some(rest)
}

/// What is settled behind the words that say so: `we agreed with ops that nothing is restarted`.
fn behind_settling(decision: &str) -> &str {
    // What somebody says: `Ahmet says the ids must stay`.
    let said = [" says ", " said ", " insists "].iter().find_map(|says| decision.split_once(says));
    if let Some((_, rest)) = said.filter(|(who, _)| who.split(' ').count() < LEAST) {
        return rest.strip_prefix("that ").unwrap_or(rest);
    }
    let that = [" that ", " dass ", " que "].iter().find_map(|that| decision.split_once(*that));
    let Some((lead, rest)) = that else { return decision };
    // In German a comma stands in front of it.
    let lead = if decision.contains(", dass ") { lead.trim_end_matches(',') } else { lead };
    let is_short = lead.split(' ').count() <= MOST_LEADING && !lead.contains(',');
    let settles = || lead.split(' ').any(|word| SETTLING.hold_lower(word));
    if is_short && settles() { rest } else { decision }
}

/// What is settled behind a word for what that is: `Rule for all of us: never touch it`.
fn behind_label(decision: &str) -> &str {
    let Some((label, rest)) = decision.split_once(": ") else { return decision };
    let first = rest.split(' ').next().unwrap_or_default().to_lowercase();
    let is_order = denies(&first) || matches!(&*first, "always" | "do" | "keep");
    if is_order && label.split(' ').count() <= MOST_LEADING { rest } else { decision }
}

/// A decision without the reason for it, and without what is remarked on it.
fn settled(decision: &str) -> &str {
    const REASONS: [&str; 6] =
        [" because ", " since ", " so that ", ", weil ", ", denn ", " porque "];
    let decision = behind_label(decision);
    let decision = behind_reason(decision).unwrap_or_else(|| behind_settling(decision));
    let reasons = REASONS.iter().filter_map(|reason| decision.find(reason));
    let remarks = decision.match_indices(", ").map(|(at, _)| at).filter(|at| {
        let rest = &decision[at + 2..];
        let first = rest.split(' ').next().unwrap_or_default();
        REMARKS.hold_lower(first) || tells_why(rest) || tells_of_somebody(rest)
    });
    let ends = reasons.chain(remarks);
    let end = ends.filter(|&at| decision[..at].split_whitespace().count() >= LEAST).min();
    end.map_or(decision, |at| &decision[..at])
}

impl Sentence {
    fn of(text: &str) -> Self {
        let mut wanted = BTreeMap::new();
        let (mut verb, mut bound, mut beside) = (String::new(), Bound::None, BTreeSet::new());
        let (mut joined, mut before) = (BTreeMap::new(), String::new());
        let mut clauses = text.split([',', ':', '(', ')', '—', '–']).peekable();
        while let Some(clause) = clauses.next() {
            let is_denied = clauses.peek().is_some_and(|next| {
                NO.contains(&&*next.trim_matches(['.', ' ', '*']).to_lowercase())
            });
            bound = bound.max(match (bounds(clause), caps_at(clause)) {
                (true, _) => Bound::Sure,
                (false, true) => Bound::Perhaps,
                (false, false) => Bound::None,
            });
            for Taken { word, is_wanted, is_beside } in polarity(clause) {
                if verb.is_empty() {
                    verb.clone_from(&word);
                }
                if is_beside {
                    beside.insert(word.clone());
                }
                if !before.is_empty() {
                    joined.insert(format!("{before}{word}"), is_wanted && !is_denied);
                }
                before.clone_from(&word);
                wanted.entry(word).or_insert(is_wanted && !is_denied);
            }
        }
        let says = |among: &dyn Fn(&str) -> bool| text.split([' ', ',', ':']).any(among);
        let settles = says(&|word| SETTLING.hold_lower(word));
        let allows = says(&|word| ALLOWING.contains(&&*word.to_lowercase()));
        let is_only = allows && says(&|word| ONLY.contains(&&*word.to_lowercase()));
        Self {
            wanted,
            joined,
            verb,
            amounts: Amount::all_of(text),
            names: BTreeSet::new(),
            beside,
            bound,
            settles,
            is_only,
        }
    }

    /// Takes the names among some details. Of what is replaced a decision says itself that it is not to be.
    fn name(&mut self, details: &[Specific]) {
        const REPLACES: [&str; 2] = ["replac", "ersetz"];
        if REPLACES.iter().any(|verb| self.wanted.keys().any(|word| word.starts_with(verb))) {
            return;
        }
        let is_name = |one: &&Specific| matches!(one.kind, Kind::Identifier | Kind::Name);
        let words = details.iter().filter(is_name).flat_map(|one| polarity(&one.text));
        let is_wanted =
            |word: &String| self.wanted.get(word) == Some(&true) && !self.beside.contains(word);
        self.names = words.map(|taken| taken.word).filter(is_wanted).collect();
    }

    /// Whether a word is wanted, if it says it: a long one perhaps in another form, as languages beyond English have.
    fn says(&self, word: &str) -> Option<bool> {
        let known = self.wanted.get(word).copied();
        let inflected = known.or_else(|| self.inflects(word, LONG, ENDING));
        let other = inflected.or_else(|| self.does_what(word)).or_else(|| self.says_in_two(word));
        other.or_else(|| self.says_within(word))
    }

    /// The same of one that it writes as two: `hardcode` and `hard-coded`.
    fn says_in_two(&self, word: &str) -> Option<bool> {
        self.joined.get(word).copied()
    }

    /// The same of what does what a verb says: `linter` and `lint`.
    fn does_what(&self, word: &str) -> Option<bool> {
        const SHORTEST: usize = 4;
        let verb = word.strip_suffix("er").filter(|verb| verb.len() >= SHORTEST);
        let found = verb.and_then(|verb| self.wanted.get(verb));
        found
            .or_else(|| self.wanted.get(&format!("{word}er")).filter(|_| word.len() >= SHORTEST))
            .copied()
    }

    /// The same for a verb.
    fn does(&self, verb: &str) -> Option<bool> {
        self.says(verb).or_else(|| self.inflects(verb, LONG_VERB, ENDING_OF_VERB))
    }

    /// Whether a word is wanted that differs in its ending, or is the participle, with or without its `ge`.
    fn inflects(&self, word: &str, long: usize, ending: usize) -> Option<bool> {
        let bare = word.strip_prefix("ge").filter(|bare| bare.len() >= long).unwrap_or(word);
        let head = bare.get(..long.max(bare.len().saturating_sub(ending)))?;
        [head.to_owned(), format!("ge{head}")].into_iter().find_map(|head| {
            let longest = head.len().max(word.len()) + ending;
            let (said, wanted) = self.wanted.range(head.clone()..).next()?;
            (said.starts_with(&head) && said.len() <= longest).then_some(*wanted)
        })
    }

    /// Whether one sentence holds it, or several together with the word that says what is to be done.
    fn is_in(&self, near: &[Self], alone: bool) -> bool {
        let Some(first) = near.first() else { return false };
        let is_named = first.does(&self.verb).is_some()
            || self.is_ban() && first.denies(self)
            || self.bound == Bound::Sure && first.bound != Bound::None;
        let mut figures = self.amounts.iter().filter(|one| one.is_whole());
        let percent = match is_named {
            true if alone && figures.next().is_some() => PERCENT_WITH_FIGURES,
            true => PERCENT,
            false if alone && figures.any(Amount::is_measured) => PERCENT_WITH_FIGURES_ALONE,
            false if self.wanted.len() <= FEW => PERCENT_OF_FEW,
            false => PERCENT_WITHOUT_VERB,
        };
        let has_verb = near.iter().any(|one| one.does(&self.verb).is_some());
        self.is_told(&near[..1], percent) || has_verb && self.is_told(near, PERCENT)
    }

    /// The same as what stays, if it says that something is not to be changed: `don't upgrade React`.
    fn frozen(&self) -> Option<Self> {
        let is_frozen =
            self.wanted.get(&self.verb) == Some(&false) && FREEZING.contains(&self.verb.as_str());
        let others = self.wanted.keys().filter(|word| **word != self.verb).cloned();
        let wanted = others.chain([KEEP.to_owned()]).map(|word| (word, true));
        is_frozen.then(|| Self {
            wanted: wanted.collect(),
            verb: KEEP.to_owned(),
            amounts: self.amounts.clone(),
            ..Self::default()
        })
    }

    /// Whether of what it says to stay the same a sentence says that just this is not changed: `the column order must stay
    /// the same`. Nearly everything is not changed in some sentence: all of few words are told, or most of many.
    fn is_unchanged_by(&self, said: &Self) -> bool {
        let stays = self.wanted.get(KEEP) == Some(&true);
        let others = || self.wanted.keys().filter(|word| !matches!(word.as_str(), KEEP | "same"));
        let (all, told) =
            (others().count(), others().filter(|word| said.says(word).is_some()).count());
        let is_told = told == all || all > FEW && told * 100 >= all * PERCENT_WITHOUT_VERB;
        stays && all > 0 && is_told && said.wanted.get(CHANGE) == Some(&false)
    }

    /// Whether it says of what is on a scale where, and others say only another place on that: `medium` and `high`.
    fn is_rated_otherwise(&self, near: &[Self]) -> bool {
        let says = |word: &&&str| near.iter().any(|one| one.wanted.contains_key(**word));
        SCALES.iter().any(|scale| {
            let mut meant =
                scale.iter().filter(|word| self.wanted.get(**word) == Some(&true)).peekable();
            meant.peek().is_some()
                && !meant.any(|word| says(&word))
                && scale.iter().any(|word| says(&word))
        })
    }

    /// Whether it only says what is not to be.
    fn is_ban(&self) -> bool {
        self.wanted.values().all(|wanted| !wanted)
    }

    /// Whether it says of something that is banned that it is not wanted.
    fn denies(&self, ban: &Self) -> bool {
        ban.wanted.keys().any(|word| self.says(word) == Some(false))
    }

    /// Whether sentences hold so many of its words and each of its amounts, and do not say the opposite.
    fn is_told(&self, near: &[Self], percent: usize) -> bool {
        let amounts = || near.iter().flat_map(|one| &one.amounts);
        let meant: Vec<&Amount> = self.amounts.iter().filter(|one| one.is_whole()).collect();
        let is_told = |said: &Amount, meant| {
            let tells = said.tells(meant) || said.tells_carried(meant) || said.is_of_unit(meant);
            tells && !said.opposes(meant)
        };
        if self.bound == Bound::Sure && near.iter().all(|one| one.bound == Bound::None) {
            return false;
        }
        if !meant.iter().all(|meant| amounts().any(|said| is_told(said, meant))) {
            return false;
        }
        // One word stands for a choice only where something is chosen: `I'll go with the Gazelle`.
        let is_choice = |one: &Self| {
            let is_said = self.wanted.keys().any(|word| one.says(word).is_some());
            is_said && (one.settles || one.wanted.len() <= FEW)
        };
        let is_one_word = self.wanted.len() == 1 && meant.is_empty() && !self.is_ban();
        if is_one_word && !near.iter().any(is_choice) {
            return false;
        }
        // It is about figures alone: `use 75 seconds, not 65`.
        if self.wanted.is_empty() {
            return !meant.is_empty() && near.len() == 1;
        }
        if self.is_rated_otherwise(near) {
            return false;
        }
        let of = |one: &Self, word: &str| {
            if word == self.verb { one.does(word) } else { one.says(word) }
        };
        let said = |word: &str| near.iter().find_map(|one| of(one, word));
        // It tells that something else is chosen: `Memcached, not Redis`.
        if self.names.iter().any(|name| said(name) == Some(false)) {
            return false;
        }
        // It tells that something is done which is not to be done.
        if self.wanted.get(&self.verb) == Some(&false) && said(&self.verb) == Some(true) {
            return false;
        }
        // Or that something changed which is to stay.
        let stays = self.wanted.get(KEEP) == Some(&true);
        if stays && said(KEEP).is_none() && said(CHANGE) == Some(true) {
            return false;
        }
        // Held and opposed: of all words, and of those that do not say where or to whom.
        let (mut all, mut decisive) = ((0, 0), (0, 0));
        for (word, wanted) in &self.wanted {
            let Some(said) = said(word) else { continue };
            let opposed = usize::from(said != *wanted);
            all = (all.0 + 1, all.1 + opposed);
            if !self.beside.contains(word) {
                decisive = (decisive.0 + 1, decisive.1 + opposed);
            }
        }
        let (held, opposed) = if decisive.0 > 0 { decisive } else { all };
        all.0 * 100 >= self.wanted.len() * percent && opposed * 2 <= held
    }
}
