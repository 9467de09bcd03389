//! The patterns of single parts of dates.

use crate::specifics::calendar::MONTHS;
use crate::specifics::pattern::Pattern;

/// Days of the week in English and German that are written in full: names wherever they stand.
const FULL_WEEKDAYS: &str = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|Montags?|Dienstags?|Mittwochs?|Donnerstags?|Freitags?|Samstags?|Sonnabends?|Sonntags?|(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|sonnabends|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica";

fn months() -> String {
    MONTHS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("|")
}

const DAY: &str = r"(?:3[01]|[12]\d|0?[1-9])";

/// A day of the calendar, with as much around it as there is.
pub(super) static CALENDAR: Pattern = Pattern::new(|| {
    let months = months();
    let year = r"(?:,?\x20(?:19|20)\d{2}|\x20'\d{2})";
    format!(
        r"(?x)
        \b(?:19|20)\d{{2}}-(?:0[1-9]|1[0-2])-{DAY}(?:T\d{{2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d{{1,9}})?)?(?:Z|[+-]\d{{2}}:?\d{{2}})?)?
        | \b(?:19|20)\d{{2}}-(?:0[1-9]|1[0-2])
        | \b(?i:(?:{months})\b\.?,?\x20(?:de\x20)?(?:19|20)\d{{2}})
        | \b(?:19|20)\d{{2}}/(?:0?[1-9]|1[0-2])/{DAY}
        | \b{DAY}[-/.](?:0?[1-9]|1[0-2])[-/.](?:(?:19|20)\d{{2}}|\d{{2}})
        | \b(?:0?[1-9]|1[0-2])/{DAY}/(?:(?:19|20)\d{{2}}|\d{{2}})
        | \b(?:3[01]|[12]\d|0[1-9])\.(?:0[1-9]|1[0-2])\.
        | \b(?i:(?:the\x20)?{DAY}(?:st|nd|rd|th|er|\.|º|°)?(?:\x20?(?:-|–|to|bis|and|au|al)\x20?{DAY}(?:st|nd|rd|th|\.)?)?\x20(?:of\x20|de\x20)?(?:{months})\b\.?(?:\x20(?:de|del)\x20(?:19|20)\d{{2}})?){year}?
        | \b(?i:(?:{months})\b\.?\x20(?:the\x20)?{DAY}(?:st|nd|rd|th)?(?:\x20?[-–]\x20?{DAY}(?:st|nd|rd|th)?\b)?){year}?
        | \b(?i:spring|summer|autumn|fall|winter|frühling|sommer|herbst|printemps|été|automne|hiver|primavera|verano|otoño|invierno)\x20(?:of\x20)?(?:19|20)\d{{2}}
        | \b(?:Q[1-4]|H[12])(?:[\x20/-]?(?:19|20)\d{{2}}|\x20'\d{{2}})?
        | \b(?i:KW|CW|calendar\x20week)\x20?\d{{1,2}}(?:/\d{{2,4}})?
        | \b(?:0[1-9]|1[0-2])/20\d{{2}}
        | (?:(?:19|20)\d{{2}}年)?(?:1[0-2]|0?[1-9])月{DAY}日"
    )
});

/// A time of day, with its zone.
pub(super) static CLOCK: Pattern = Pattern::new(|| {
    let half = r"(?:\x20?(?:[aApP]\.[mM]\.|[aApP][mM]\b))";
    let zone = r"(?:\x20?(?:Z|UTC|GMT|CET|CEST|EST|EDT|CST|CDT|MST|MDT|PST|PDT|ET|PT|CT|BST|IST|JST|AEST)\b(?:[+-]\d{1,2})?|[+-]\d{2}:?\d{2})";
    format!(
        r"(?x)
        \b(?:[01]?\d|2[0-4])[:.][0-5]\d{half}{zone}?
        | \b(?:1[0-2]|0?[1-9])(?:\x20?[-–]\x20?|\x20(?:to|and)\x20)(?:1[0-2]|0?[1-9])(?:[:.][0-5]\d)?{half}{zone}?
        | \b(?:1[0-2]|0?[1-9]){half}{zone}?
        | \b(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d{{1,9}})?)?(?:\x20?(?:Uhr|hrs|h|o'clock)\b)?{zone}?
        | \b(?:[01]?\d|2[0-4])(?:\x20?[-–]\x20?|\x20(?:bis|und)\x20)(?:[01]?\d|2[0-4])\x20?Uhr\b
        | \b(?:[01]?\d|2[0-4])(?:[.:][0-5]\d)?\x20?Uhr\b(?:\x20[0-5]\d)?
        | \b(?:[01]?\d|2[0-4])\x20?h\x20?[0-5]\d\b
        | \b(?i:(?:1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\x20o['’]clock)\b
        | \b(?i:half\x20past\x20|quarter\x20(?:to|past)\x20|(?:five|ten|twenty)\x20(?:to|past)\x20)(?i:\d{{1,2}}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b
        | \b(?i:halb\x20)(?i:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)\b
        | \b(?:12\x20)?(?:noon|midnight|Mitternacht)\b"
    )
});

/// A day as seen from today.
pub(super) static RELATIVE: Pattern = Pattern::new(|| {
    let days = format!("(?:{FULL_WEEKDAYS}|Mon|Tue|Wed|Thu|Fri|Sat|Sun)");
    let seasons = "spring|summer|autumn|fall|winter";
    let spans = format!(r"weekend|week|month|quarter|year|{seasons}");
    format!(
        r"\b(?:(?i:the\x20day\x20after\x20tomorrow|tomorrow|tonight|übermorgen|demain|mañana|domani)|(?i:next|last|this|this\x20coming|coming|following)\x20(?:{days}|(?i:{spans}))|(?i:last\x20night|this\x20(?:morning|afternoon|evening))|(?i:nächste[nrs]?|letzte[nrs]?|kommende[nrs]?|diese[nrs]?)\x20(?:Woche|Monat|Jahr|Wochenende|{days}))\b"
    )
});

/// A weekday by its name, or by its short form where that can be nothing else.
pub(super) static WEEKDAY: Pattern = Pattern::new(|| {
    let short = r"Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun";
    format!(
        r"\b(?:{FULL_WEEKDAYS}|(?:{short})\.?\x20?[-–]\x20?(?:{short})\b|(?:Tues|Wed|Thu(?:rs?)?|Fri)\b|({short})\b[.,]?\x20\d)"
    )
});

/// A month alone: a full name, or one that is also another word behind a preposition.
pub(super) static LOOSE_MONTH: Pattern = Pattern::new(|| {
    let sure = "January|February|April|June|July|August|September|October|November|December|Januar|Februar|Juni|Juli|Oktober|Dezember";
    let unsure = "March|May|Mai|März|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec";
    let lead = "in|by|since|until|till|from|during|early|mid|late|end of|of|last|next|this|between|to|through|before|after|im|ab|seit|and|anfang|mitte|ende".replace(' ', "\\x20");
    format!(
        r"\b(?:(?i:early|mid|late|end\x20of)[\x20-])?({sure})\b|\b(?i:{lead})[\x20-]({unsure})\b"
    )
});

/// A year that a preposition or its brackets show to be one.
pub(super) static YEAR: Pattern = Pattern::new(|| {
    r"(?:\b(?i:in|since|from|until|till|by|of|for|before|after|during|year|around|early|late|mid|through|seit|bis|im\x20jahr|en|ab|dal|to|and|tax\x20year)[\x20-]|\()((?:19|20)\d{2}(?:[-–/](?:(?:19|20)\d{2}|\d{2}))?)\b".into()
});

/// A day and a month in figures, which only the word in front shows to be a date: `on 10/10`, `am 14.03.`.
pub(super) static FIGURES: Pattern = Pattern::new(|| {
    let slashed = format!(r"{DAY}/{DAY}");
    let dotted = format!(r"{DAY}\.(?:1[0-2]|0?[1-9])\.?");
    format!(
        r"\b(?:(?i:on|by|until|till|due|since|from)\x20({slashed}(?:\x20?(?:-|–|to|until|till)\x20?{slashed})?)|(?i:am|vom|bis|zum|den|ab|seit|dem|bis\x20zum)\x20({dotted}(?:\x20?(?:-|–|bis|bis\x20zum)\x20?{dotted})?))"
    )
});

/// An hour that only the word in front shows to be a time: `avant 10h`.
pub(super) static HOUR: Pattern = Pattern::new(|| {
    // How long something takes is in hours, too: `3 à 5 heures`.
    // So is a meeting, but hardly for so long.
    r"\b(?i:créneau|séance|rendez-vous|réunion)\x20(?:de\x20)?((?:[7-9]|1\d|2[0-4])\x20?h)\b|\b(?i:avant|vers|dès)\x20((?:[01]?\d|2[0-4])\x20heures?)\b|\b(?i:à|avant|après|vers|dès|jusqu['’]à|a\x20las|las|alle)\x20((?:[01]?\d|2[0-4])\x20?h?)\b"
        .into()
});

/// A part of the day; only beside another part of a date.
pub(super) static DAYPART: Pattern = Pattern::new(|| {
    r"\b(?:in\x20the\x20)?(?:early\x20|late\x20)?(?:mornings?|afternoons?|evenings?|nights?|lunchtime|früh|morgen|vormittags?|mittags?|nachmittags?|abends?|nachts)\b".into()
});

/// A day that is a date only with its time.
pub(super) static WEAK_DAY: Pattern = Pattern::new(|| {
    r"\b(?i:today|yesterday|heute|gestern|hoy|ayer|aujourd['’]hui|hier|oggi|ieri)\b".into()
});

/// A day of the month by its ordinal, with the word behind it.
pub(super) static ORDINAL: Pattern = Pattern::new(|| {
    r"\b((?:the\x20)(?:[1-9]|[12]\d|3[01])(?:st|nd|rd|th))\b(\x20[\p{L}']+|[^\x20]?)".into()
});
