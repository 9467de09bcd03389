//! Figures and dates that a message takes back itself: `14 chairs, no wait, 16`, `at 7:50 instead of 8:00`.

pub(super) mod later;
mod undone;

use std::ops::Range;

use super::Kind;
use super::scan::near;
use super::words::Words;
pub(super) use undone::only_undoes;

/// Words that take back what stands in front of them.
static TAKES_BACK: Words = Words::new(
    "actually anzi besser correction digo eher lieber mejor moment nee nein no non nope pardon perdona perdón plutôt quatsch \
     rather scratch scusa scusi sorry vielmehr wait",
);

/// Those that may mean much else, and do so only in front of a sign or of another one: `no 16 A fuse` takes nothing back.
static ALONE: Words = Words::new("moment nee nein no non wait");

/// Words between those and what holds instead.
static BETWEEN: Words = Words::new(
    "a ab ach al alle am an at auf aux bis bueno by das dem den der die doch een el en enfin es für from het hasta i i'd it \
     it's las le les los mach machen make mean of on oder om op or pour que s'il sag sagen say soit sono that that's the think \
     tot um until up van vom von was zu à às è",
);

/// Words behind one of [`ALONE`] with which it takes back, too.
static MORE: Words = Words::new(
    "actually correction doch i it make moment pardon quatsch rather say scratch sorry than that wait",
);

/// What stands between what holds and what does not, in small letters and without the signs around it.
static INSTEAD: [&str; 19] = [
    "instead of",
    "rather than",
    "in place of",
    "no longer",
    "not",
    "and not",
    "anstatt",
    "statt",
    "anstelle von",
    "nicht",
    "und nicht",
    "au lieu de",
    "plutôt que",
    "et non",
    "en vez de",
    "en lugar de",
    "invece di",
    "e non",
    "in plaats van",
];

/// The first words of those.
static BEGINS_INSTEAD: Words = Words::new(
    "and anstatt anstelle au e en et in instead invece nicht no not plutôt rather statt und",
);

/// Words that may stand behind that.
static BEHIND: Words = Words::new(
    "a at am auf das de dem den der die el für het la las le les los of on the um until à às",
);

/// Bytes within which what holds follows what does not.
const NEAR: usize = 60;

/// Other words that may stand between a find and the sign behind it.
const MOST_OTHERS: usize = 2;

/// Finds with their places.
pub(super) type Finds = Vec<(Range<usize>, Kind)>;

/// Which finds of a message that takes back itself.
pub(super) fn are_back(text: &str, finds: &Finds) -> Vec<bool> {
    let is_any = |nth| is_back(text, finds, nth) || is_undone(text, finds, nth);
    (0..finds.len()).map(is_any).collect()
}

fn is_back(text: &str, finds: &Finds, nth: usize) -> bool {
    let (range, kind) = &finds[nth];
    if !is_figure(*kind) {
        return false;
    }
    let alike = |other: &&(Range<usize>, Kind)| other.1 == *kind;
    let next = finds[nth + 1..].iter().filter(alike).find(|other| other.0.start >= range.end);
    let before = finds[..nth].iter().rev().filter(alike).find(|other| other.0.end <= range.start);
    is_taken_back(text, range.end, next.map(|next| next.0.start))
        || before.is_some_and(|before| is_instead(text, before.0.end..range.start))
}

/// Whether a decision does not hold any longer: its figure is taken back behind it, or it is. Nor does what is said to be
/// forgotten.
fn is_undone(text: &str, finds: &Finds, nth: usize) -> bool {
    let (range, kind) = &finds[nth];
    if matches!(kind, Kind::Identifier | Kind::Name) {
        return undone::is_refused(text, range);
    }
    if *kind != Kind::Decision {
        return false;
    }
    let first = finds.partition_point(|other| other.0.start < range.start);
    let others = || finds[first..].iter().filter(|other| is_figure(other.1));
    let mut within = others().take_while(|other| other.0.start < range.end);
    let is_back = within.any(|other| {
        let next = others().find(|next| next.1 == other.1 && next.0.start >= other.0.end);
        next.is_some_and(|next| {
            next.0.start >= range.end && is_taken_back(text, other.0.end, Some(next.0.start))
        })
    });
    let behind = near(text, range.end);
    let is_refused = |refused: undone::Refused| refused.is_named_in(&text[range.clone()]);
    is_back || undone::is_undone(behind) || undone::refused(behind).is_some_and(is_refused)
}

fn is_figure(kind: Kind) -> bool {
    matches!(kind, Kind::Number | Kind::Date)
}

/// Whether the words behind a find take it back, and something else follows: a figure, or the next find of its kind.
fn is_taken_back(text: &str, end: usize, next: Option<usize>) -> bool {
    let behind = near(text, end);
    let (mut at, mut is_back, mut is_parted, mut others) = (0, false, false, 0);
    while at < behind.len().min(NEAR) {
        let rest = &behind[at..];
        let signs = &rest[..rest.find(char::is_alphanumeric).unwrap_or(rest.len())];
        if signs.contains(['\n', '?', '/']) {
            return false;
        }
        is_parted |= signs.contains([',', ';', ':', '.', '—', '–', '-', '…', '(']);
        at += signs.len();
        let rest = &behind[at..];
        if rest.starts_with(|c: char| c.is_ascii_digit()) || next == Some(end + at) {
            return is_back;
        }
        let is_other = |c: char| !c.is_alphanumeric() && c != '\'' && c != '’';
        let (word, after) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
        if TAKES_BACK.hold_lower(word) {
            is_back |= is_parted && (!ALONE.hold_lower(word) || goes_on(after));
        } else if !BETWEEN.hold_lower(word) {
            // A few words may say more of what is taken back, in front of the sign: `2 nights in June, no, 3`.
            others += 1;
            if is_parted || others > MOST_OTHERS {
                return false;
            }
        }
        at += word.len();
    }
    false
}

/// Whether what stands behind a word shows that it stands for itself: a sign, or another word that takes back.
fn goes_on(after: &str) -> bool {
    let Some(next) = after.strip_prefix(' ') else {
        return after.starts_with([',', ';', ':', '—', '–', '…']);
    };
    MORE.hold_lower(next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
}

/// Whether what stands between two finds says that the first one holds instead of the second.
fn is_instead(text: &str, between: Range<usize>) -> bool {
    let between = &text[between];
    if between.len() > NEAR || between.contains(['\n', '.', ';']) {
        return false;
    }
    let first = between.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    // Between most finds stands something else, and that is told without a copy.
    if !first.is_some_and(|first| BEGINS_INSTEAD.hold_lower(first)) {
        return false;
    }
    let between = between.to_lowercase();
    let apart = between.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = apart.filter(|word| !word.is_empty()).collect();
    let behind = words.iter().rev().take_while(|word| BEHIND.holds(word)).count();
    (0..=behind).any(|left| INSTEAD.contains(&words[..words.len() - left].join(" ").as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::extract_both;
    use super::super::scan::German;
    use super::*;

    /// What a message says and what it takes back.
    fn both(text: &str) -> [Vec<String>; 2] {
        let german = German::of(text).prevails();
        extract_both(text, german).map(|all| all.into_iter().map(|one| one.text).collect())
    }

    #[test]
    fn a_figure_that_is_taken_back_is_told_apart() {
        for (text, back) in [
            ("We need 14 chairs, no wait, 16 chairs.", "14 chairs"),
            ("We need 14 chairs, no, make that 16.", "14 chairs"),
            ("We need 14 chairs for guests, no wait, 16 chairs.", "14 chairs"),
            ("We need 14 chairs - sorry, 16 chairs.", "14 chairs"),
            ("It takes 14 days, or rather 16 days.", "14 days"),
            ("The electrician comes on the 14th of May, no sorry, 16th of May.", "the 14th of May"),
            ("so we start earlier: 7:50 instead of 8:00", "8:00"),
            ("The vet is on 16 May, not on 14 May.", "14 May"),
            ("Wir brauchen auch für die alle noch 14 Stühle, nein, 16 Stühle.", "14 Stühle"),
            ("Das dauert auch für die noch 16 Tage statt 14 Tage.", "14 Tage"),
            ("Il faut 14 chaises, non, 16 chaises.", "14 chaises"),
            ("DJ hasta las 4:00, bueno no, hasta las 3:30", "4:00"),
        ] {
            let [said, told_back] = both(text);
            assert_eq!(told_back, [back], "{text}: {said:?}");
            assert!(!said.contains(&back.to_owned()), "{text}: {said:?}");
        }
    }

    #[test]
    fn a_decision_that_is_overruled_is_told_apart() {
        for (text, left) in [
            ("We chose 8 shards. Actually, make it 16 shards.", &[][..]),
            (
                "We decided on blue. Actually, no: we go with green instead.",
                &["Actually, no: we go with green instead"],
            ),
            (
                "We decided on blue. Scratch that, let's use green.",
                &["Scratch that, let's use green"],
            ),
            (
                "We decided to take 14 chairs, no wait, 16 chairs.",
                &["We decided to take 14 chairs, no wait, 16 chairs"],
            ),
            ("We decided on Redis. Scrap that, we use Valkey.", &[][..]),
            ("We decided on Redis. Forget Redis, we use Valkey.", &[]),
            ("We decided on Redis. Forget Mongo, we use Valkey.", &["We decided on Redis"]),
            ("We decided on Redis. We changed our mind: Valkey.", &[]),
            ("We decided on Redis. Scrap that.", &[]),
            ("We decided on gRPC. Drop gRPC. REST everywhere.", &[]),
            ("We decided on Redis. On second thought, no Redis. Plain files.", &[]),
            ("We decided on Redis. Drop Redis on staging.", &["We decided on Redis"]),
            ("We decided on Redis. We changed our mind about the logo.", &["We decided on Redis"]),
            ("We decided on blue. Actually, that went well.", &["We decided on blue"]),
            ("We decided on blue. No red, please!", &["We decided on blue", "No red, please"]),
        ] {
            let all = extract_both(text, false)[0].clone();
            let all = all.into_iter().filter(|one| one.kind == Kind::Decision);
            assert_eq!(all.map(|one| one.text).collect::<Vec<_>>(), left, "{text}");
        }
    }

    #[test]
    fn what_says_instead_is_known_by_its_first_word() {
        let unknown = |said: &&&str| !BEGINS_INSTEAD.holds(said.split(' ').next().unwrap());
        assert_eq!(INSTEAD.iter().find(unknown), None);
    }

    #[test]
    fn what_only_looks_like_it_takes_nothing_back() {
        for text in [
            "We have 14 chairs, no 16 A fuse, and 3 tables.",
            "Take 2 tablets, wait 30 minutes.",
            "We have 14 chairs and 16 tables, not the old ones.",
            "Does it take 14 days? No, 16 days.",
            "Bed 4 is free for 14 days, sorry for the noise.",
            "Room 14, no. 16, for 3 days.",
        ] {
            assert_eq!(both(text)[1], [""; 0], "{text}");
        }
    }
}
