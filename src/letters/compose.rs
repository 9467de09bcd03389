//! Letters and marks that are one character together.

/// Each mark, with the letters that it joins: before each of the joined ones stands the one that it is made of.
pub(super) const COMPOSED: &[(char, &str)] = &[
    ('\u{300}', "aàeèiìoòuùüǜnǹēḕōṑwẁâầăằêềôồơờưừyỳеѐиѝ"),
    (
        '\u{301}',
        "aáeéiíoóuúyýcćlĺnńrŕsśzźüǘgǵåǻæǽøǿçḉēḗïḯkḱmḿõṍōṓpṕũṹwẃâấăắêếôốơớưứϊΐαάεέηήιίϋΰοόυύωώгѓкќ",
    ),
    ('\u{302}', "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷzẑạậẹệọộ"),
    ('\u{303}', "aãnñoõiĩuũvṽâẫăẵeẽêễôỗơỡưữyỹ"),
    ('\u{304}', "aāeēiīoōuūüǖäǟȧǡæǣǫǭöȫõȭȯȱyȳgḡḷḹṛṝиӣуӯ"),
    ('\u{306}', "aăeĕgğiĭoŏuŭȩḝạặийуўжӂаӑеӗ"),
    ('\u{307}', "cċeėgġzżaȧoȯbḃdḋfḟhḣmṁnṅpṗrṙsṡśṥšṧṣṩtṫwẇxẋyẏſẛ"),
    ('\u{308}', "aäeëiïoöuüyÿhḧõṏūṻwẅxẍtẗιϊυϋеёіїаӓәӛжӝзӟиӥоӧөӫэӭуӱчӵыӹ"),
    ('\u{309}', "aảâẩăẳeẻêểiỉoỏôổơởuủưửyỷ"),
    ('\u{30a}', "aåuůwẘyẙ"),
    ('\u{30b}', "oőuűуӳ"),
    ('\u{30c}', "cčdďeělľnňrřsštťzžaǎiǐoǒuǔüǚgǧkǩʒǯjǰhȟ"),
    ('\u{30f}', "aȁeȅiȉoȍrȑuȕѵѷ"),
    ('\u{311}', "aȃeȇiȋoȏrȓuȗ"),
    ('\u{31b}', "oơuư"),
    ('\u{323}', "bḅdḍhḥkḳlḷmṃnṇrṛsṣtṭvṿwẉzẓaạeẹiịoọơợuụưựyỵ"),
    ('\u{324}', "uṳ"),
    ('\u{325}', "aḁ"),
    ('\u{326}', "sștț"),
    ('\u{327}', "cçgģkķlļnņrŗsştţeȩdḑhḩ"),
    ('\u{328}', "aąeęiįuųoǫ"),
    ('\u{32d}', "dḓeḙlḽnṋtṱuṷ"),
    ('\u{32e}', "hḫ"),
    ('\u{330}', "eḛiḭuṵ"),
    ('\u{331}', "bḇdḏkḵlḻnṉrṟtṯzẕhẖ"),
];

/// Syllables of Hangul are made of a first consonant, a vowel and mostly a last consonant: from where these are counted, and
/// how many vowels and last ones there are, none among them.
const FIRST: u32 = 0x1100;
const VOWEL: u32 = 0x1161;
const LAST: u32 = 0x11a7;
const SYLLABLE: u32 = 0xac00;
const FIRSTS: u32 = 19;
const VOWELS: u32 = 21;
const LASTS: u32 = 28;

/// Devanagari letters that are written as a letter and a dot in every text that is in order, from U+0958 on.
const DOTTED: [char; 8] = ['क', 'ख', 'ग', 'ज', 'ड', 'ढ', 'फ', 'य'];
const DOT: char = '\u{93c}';

/// Whether a character may be one with the one before it, or is to be taken apart.
pub(super) fn may_join(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{331}' | '\u{1161}'..='\u{11c2}' | '\u{958}'..='\u{95f}' | '\u{3099}' | '\u{309a}')
}

/// The characters with those joined that can be.
pub(super) fn joined(chars: impl Iterator<Item = char>) -> String {
    let mut joined = String::new();
    for c in chars {
        if let Some(letter) = u32::from(c).checked_sub(0x958).and_then(|at| DOTTED.get(at as usize))
        {
            joined.extend([*letter, DOT]);
            continue;
        }
        let both =
            joined.chars().next_back().filter(|_| may_join(c)).and_then(|last| one_of(last, c));
        if both.is_some() {
            joined.pop();
        }
        joined.push(both.unwrap_or(c));
    }
    joined
}

/// A letter and what stands behind it as one character.
fn one_of(letter: char, mark: char) -> Option<char> {
    match mark {
        '\u{1161}'..='\u{11c2}' => of_syllable(letter, mark),
        // What lower case makes of the Turkish `İ`.
        '\u{307}' if letter == 'i' => Some('i'),
        '\u{307}' if letter == 'I' => Some('İ'),
        '\u{3099}' if letter == 'う' => Some('ゔ'),
        '\u{3099}' if letter == 'ウ' => Some('ヴ'),
        '\u{3099}' if matches!(letter, 'か'..='と' | 'は'..='ほ' | 'カ'..='ト' | 'ハ'..='ホ') => {
            char::from_u32(u32::from(letter) + 1)
        }
        '\u{309a}' if matches!(letter, 'は'..='ほ' | 'ハ'..='ホ') => {
            char::from_u32(u32::from(letter) + 2)
        }
        _ => of_table(letter, mark),
    }
}

fn of_table(letter: char, mark: char) -> Option<char> {
    let mut lower = letter.to_lowercase();
    let (small, is_single) = (lower.next()?, lower.next().is_none());
    let (_, joins) = COMPOSED.iter().find(|(known, _)| *known == mark)?;
    let (_, both) = pairs(joins).find(|(single, _)| *single == small && is_single)?;
    let mut upper = both.to_uppercase();
    let large = upper.next().filter(|_| upper.next().is_none());
    if small == letter { Some(both) } else { large }
}

/// The letters that a mark joins, each with what it makes of them.
pub(super) fn pairs(joins: &str) -> impl Iterator<Item = (char, char)> {
    let mut rest = joins.chars();
    std::iter::from_fn(move || rest.next().zip(rest.next()))
}

fn of_syllable(letter: char, behind: char) -> Option<char> {
    let (letter, behind) = (u32::from(letter), u32::from(behind));
    let first = letter.checked_sub(FIRST).filter(|first| *first < FIRSTS);
    if let Some((first, vowel)) =
        first.zip(behind.checked_sub(VOWEL).filter(|vowel| *vowel < VOWELS))
    {
        return char::from_u32(SYLLABLE + (first * VOWELS + vowel) * LASTS);
    }
    let open = letter
        .checked_sub(SYLLABLE)
        .filter(|at| at % LASTS == 0 && *at < FIRSTS * VOWELS * LASTS)?;
    let last = behind.checked_sub(LAST).filter(|last| (1..LASTS).contains(last))?;
    char::from_u32(SYLLABLE + open + last)
}
