//! Units of measure, money and time, and the one form under which their spellings are compared.

mod scale;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

pub(super) use scale::measures;

/// Units with their other spellings: the first is the form for comparing. Compared exactly.
const SIGNS: &[&[&str]] = &[
    &["%", "percent", "per cent", "Prozent", "pct", "pourcent", "por ciento", "procent"],
    &["‰"],
    &["°c", "°C", "ºC", "℃", "° C", "degrees Celsius", "degrees C", "Grad", "C"],
    &["°f", "°F", "ºF", "° F", "degrees Fahrenheit", "degrees F", "F"],
    &["°", "degrees", "degree", "deg"],
    &["ms", "msec", "millisecond", "milliseconds", "Millisekunden"],
    &["µs", "μs", "us", "microsecond", "microseconds"],
    &["ns", "nanosecond", "nanoseconds"],
    &[
        "s", "sec", "secs", "second", "seconds", "Sekunden", "Sekunde", "secondes", "seconde",
        "segundos", "segundo",
    ],
    &[
        "min", "mins", "minute", "minutes", "Minuten", "Minute", "minutos", "minuto", "Min.",
        "minuti",
    ],
    &[
        "h", "hr", "hrs", "hour", "hours", "Stunden", "Stunde", "Std.", "Std", "heures", "heure",
        "horas", "hora", "ore",
    ],
    &[
        "day", "days", "Tage", "Tagen", "Tag", "jours", "jour", "días", "día", "dias", "dia",
        "giorni", "giorno", "dagen", "d",
    ],
    &["night", "nights", "Nächte", "Nächten", "nuits", "noches", "notti"],
    &[
        "week",
        "weeks",
        "wk",
        "wks",
        "Wochen",
        "Woche",
        "semaines",
        "semaine",
        "semanas",
        "semana",
        "settimane",
        "settimana",
        "weken",
    ],
    &[
        "month", "months", "mo", "mos", "Monate", "Monaten", "Monat", "mois", "meses", "mesi",
        "mese", "maanden",
    ],
    &["quarter", "quarters"],
    &[
        "year", "years", "yr", "yrs", "Jahre", "Jahren", "Jahr", "ans", "années", "año", "años",
        "anos", "jaar", "anno", "anni",
    ],
    &["decade", "decades"],
    &["times", "Mal", "fois", "veces", "retries", "attempts", "tries"],
    &["nm"],
    &["µm", "μm"],
    &["mm", "millimetre", "millimetres", "millimeter", "millimeters", "millimètres", "milímetros"],
    &[
        "cm",
        "centimetre",
        "centimetres",
        "centimeter",
        "centimeters",
        "Zentimeter",
        "centimètres",
        "centímetros",
    ],
    &[
        "m", "metre", "metres", "meter", "meters", "Meter", "Metern", "mètre", "mètres", "metro",
        "metros", "metri",
    ],
    &[
        "km",
        "kilometre",
        "kilometres",
        "kilometer",
        "kilometers",
        "Kilometer",
        "Kilometern",
        "kms",
        "kilomètre",
        "kilomètres",
        "kilómetro",
        "kilómetros",
        "chilometri",
    ],
    &["mi", "mile", "miles", "Meilen"],
    &["ft", "foot", "feet"],
    &["in", "inch", "inches", "″", "\"", "Zoll"],
    &["yd", "yard", "yards"],
    &["nmi"],
    &["m²", "m2", "sqm", "square metres", "square meters", "qm", "Quadratmeter"],
    &["sq ft", "sqft", "square feet", "ft²"],
    &["ha", "hectare", "hectares"],
    &["acre", "acres"],
    &["m³", "m3", "cubic metres", "cubic meters"],
    &[
        "km/h",
        "kmh",
        "kph",
        "km/hour",
        "km per hour",
        "kilometres per hour",
        "kilometers per hour",
        "Kilometer pro Stunde",
        "Stundenkilometer",
        "kilomètres par heure",
        "kilomètres à l'heure",
        "kilómetros por hora",
        "chilometri all'ora",
    ],
    &["mph", "miles per hour"],
    &["mm/s", "mm/sec", "mm per second"],
    &["cm/s", "cm/sec", "cm per second"],
    &["m/s", "m/sec", "metres per second", "meters per second"],
    &["mm/s²", "mm/s^2", "mm/s2", "mm/sec^2", "mm/sec²", "mm/sec2"],
    &["m/s²", "m/s^2", "m/s2", "m/sec^2", "m/sec²"],
    &["l/min", "L/min", "litres per minute", "liters per minute"],
    &["l/h", "L/h", "litres per hour", "liters per hour"],
    &["kn", "knots"],
    &["µg", "μg", "mcg", "micrograms", "microgram"],
    &["ng", "nanograms"],
    &["mg", "milligram", "milligrams", "Milligramm"],
    &["g", "gr", "gram", "grams", "gramme", "grammes", "Gramm", "gramo", "gramos", "grammi"],
    &[
        "kg",
        "kilo",
        "kilos",
        "kilogram",
        "kilograms",
        "kgs",
        "Kilogramm",
        "Kilo",
        "kilogrammes",
        "kilogramos",
    ],
    &["t", "ton", "tons", "tonne", "tonnes", "Tonnen"],
    &["oz", "ounce", "ounces", "oz."],
    &["lb", "lbs", "lb.", "lbs.", "pound", "pounds", "Pfund"],
    &["st", "stone"],
    &["µl", "μl", "µL", "μL"],
    &[
        "ml",
        "mL",
        "millilitre",
        "millilitres",
        "milliliter",
        "milliliters",
        "Milliliter",
        "mililitros",
    ],
    &["cl", "cL", "centilitres"],
    &["dl", "dL", "decilitre", "decilitres", "deciliters"],
    &["l", "L", "litre", "litres", "liter", "liters", "Liter", "litro", "litros", "litri"],
    &["fl oz", "fl. oz.", "fluid ounces"],
    // Printers' points are short for the same.
    &["pt", "pint", "pints", "ポイント"],
    &["qt", "quart", "quarts"],
    &["gal", "gallon", "gallons"],
    &["cup", "cups", "Tasse", "Tassen", "tasses", "tazas", "c."],
    &[
        "tbsp",
        "tbsps",
        "tbsp.",
        "Tbsp",
        "tbs",
        "tablespoon",
        "tablespoons",
        "EL",
        "Esslöffel",
        "cucharadas",
        "cucharada",
        "T.",
    ],
    &[
        "tsp",
        "tsps",
        "tsp.",
        "teaspoon",
        "teaspoons",
        "TL",
        "Teelöffel",
        "cucharaditas",
        "cucharadita",
    ],
    &["càs", "c. à s.", "c. à soupe"],
    &["càc", "c. à c.", "c. à café"],
    &["clove", "cloves"],
    &["pinch", "pinches", "Prise", "Prisen"],
    &["bit", "bits"],
    &["b", "B", "byte", "bytes", "Bytes"],
    &["kb", "kB", "KB", "kilobytes", "Kb", "Ko", "ko"],
    &["mb", "MB", "megabytes", "Mb", "Mo"],
    &["gb", "GB", "gigabytes", "Gb", "gigs", "gig", "Go"],
    &["tb", "TB", "terabytes", "Tb"],
    &["pb", "PB"],
    &["kib", "KiB", "Ki"],
    &["mib", "MiB", "Mi"],
    &["gib", "GiB", "Gi"],
    &["tib", "TiB"],
    &["kbps", "kbit/s", "Kbit/s", "Kbps", "kbits per second"],
    &["mbps", "Mbps", "Mbit/s", "MBit/s", "Mb/s", "Mbits per second", "megabits per second"],
    &["gbps", "Gbps", "Gbit/s", "Gb/s", "gigabits per second"],
    &["kb/s", "kB/s", "KB/s", "KiB/s", "KB per second"],
    &["mb/s", "MB/s", "MiB/s", "MB per second", "megabytes per second"],
    &["gb/s", "GB/s", "GiB/s", "GB per second"],
    &["hz", "Hz"],
    &["khz", "kHz"],
    &["mhz", "MHz"],
    &["ghz", "GHz"],
    &["w", "W", "watt", "watts", "Watt"],
    &["kw", "kW", "kilowatts"],
    &["mw", "MW"],
    &["wh", "Wh"],
    &["wp", "Wp"],
    &["kwp", "kWp"],
    &["°dh", "°dH"],
    &["point", "points", "Punkte"],
    &["character", "characters", "chars", "Zeichen"],
    &["kwh", "kWh", "KWh"],
    &["mwh", "MWh"],
    &["hp", "HP", "PS"],
    &["v", "V", "volt", "volts", "Volt"],
    &["mv", "mV"],
    &["kv", "kV"],
    &["a", "A", "amp", "amps", "Ampere"],
    &["µa", "µA", "μA", "uA", "microamps", "microamp"],
    &["ma", "mA", "milliamps", "milliamp"],
    &["mah", "mAh"],
    &["ah", "Ah"],
    &["ω", "Ω", "ohm", "ohms"],
    &["mω", "mΩ"],
    &["kω", "kΩ"],
    &["pf", "pF"],
    &["nf", "nF"],
    &["µf", "µF", "μF", "uF"],
    &["nm.", "Nm", "N·m", "N⋅m"],
    &["n", "N"],
    &["db", "dB", "decibels", "dBA", "dB(A)"],
    &["dbm", "dBm"],
    &["lufs", "LUFS"],
    &["mmag"],
    &["pa", "Pa"],
    &["hpa", "hPa", "mbar"],
    &["kpa", "kPa"],
    &["bar", "bars"],
    &["psi", "PSI"],
    &["mmhg", "mmHg", "mm Hg"],
    &["bpm", "BPM"],
    &["rpm", "RPM", "U/min"],
    &["fps", "FPS"],
    &["qps", "QPS"],
    &[
        "rps",
        "RPS",
        "req/s",
        "req/sec",
        "reqs/s",
        "requests/s",
        "requests/sec",
        "requests/second",
        "requests per second",
    ],
    &["tps", "TPS"],
    &["ppm"],
    &["ppb"],
    &["px", "pixels", "pixel"],
    &["dpi", "DPI"],
    &["em"],
    &["rem"],
    &["mp", "MP", "megapixels", "megapixel", "Megapixel"],
    &["kcal", "Kcal", "calories", "cal", "Cal", "Kalorien"],
    &["kj", "kJ"],
    &["iu", "IU", "IE", "I.U.", "UI"],
    &["u", "units"],
    &["mmol", "mmols"],
    &["µmol", "μmol"],
    &["nmol"],
    &["pmol"],
    &["meq", "mEq"],
    &["miu", "mIU"],
    &["mol"],
    &["diopters", "dpt", "D"],
    &["vcpu", "vCPU", "vCPUs"],
    &["loc", "LOC"],
    &["bp", "bps", "basis points"],
    &["baud", "Bd"],
    &["iops", "IOPS"],
    &["x", "×"],
    &["person-day", "person days", "person day", "man-days", "Personentage", "jours-homme"],
    &["people", "person", "persons", "Personen", "personnes", "personas"],
    &["men"],
    &["women"],
    &["children", "kids", "Kinder", "enfants"],
    &["egg", "eggs", "Eier", "Ei", "œufs", "huevos"],
    &["piece", "pieces", "pcs", "pc", "Stück"],
    &["word", "words", "Wörter", "Worte", "mots", "palabras"],
    &["page", "pages", "Seiten", "Seite", "páginas"],
    &["serving", "servings", "Portionen"],
    &["€", "euro", "euros", "Euro", "EUR"],
    &["$", "dollar", "dollars", "USD", "US dollars", "US$", "Dollar", "bucks"],
    &["£", "GBP", "quid", "pounds sterling"],
    &["¥", "yen", "yens", "JPY", "Yen"],
    &["chf", "CHF", "franc", "francs", "Swiss francs", "Franken", "Fr.", "SFr."],
    &["ct", "cent", "cents", "Cent", "¢"],
    &["p", "pence"],
    &["kr", "kr.", "kronor", "kroner", "SEK", "NOK", "DKK"],
    &["zł", "PLN", "zloty"],
    &["kč", "Kč", "CZK"],
    &["₹", "INR", "rupees", "Rs", "lakh", "crore"],
    &["cad", "CAD", "Canadian dollars"],
    &["aud", "AUD", "Australian dollars"],
    &["nzd", "NZD"],
    &["cny", "CNY", "RMB", "yuan"],
    &["₩", "KRW", "won"],
    &["r$", "BRL", "reais", "R$"],
    &["mxn", "MXN", "pesos", "ARS", "CLP", "COP"],
    &["₺", "TRY", "lira"],
    &["ft.", "HUF", "Ft"],
    &["isk", "ISK"],
    &["thb", "THB", "baht"],
    &["zar", "ZAR", "rand"],
    &["idr", "IDR", "rupiah"],
    &["ron", "RON", "lei"],
    &["mad", "MAD", "dirhams", "AED"],
    &["rub", "RUB"],
    &["uah", "UAH"],
    &["vnd", "VND"],
    &["btc", "BTC", "₿"],
    &["eth", "ETH"],
];

/// Spellings that stand for a unit only when a slash or "per" does not follow them, and only as a word of
/// one or two letters: in a sentence `5 a` and `3 in` are mostly something else.
const WEAK: &[&str] = &[
    "a", "C", "in", "d", "x", "u", "D", "N", "t", "T.", "c.", "B", "p", "mo", "em", "st", "Fr.",
    "won", "Mal", "ore", "st", "\"",
];

/// Units that measure, in words: what a number word may stand before.
const WORDED: &str = "\
    seconds minutes minute hours hour days day nights night weeks week months month years year decades decade times \
    cups cup tablespoons tablespoon teaspoons teaspoon tbsp tsp litres litre liters liter pints pint gallons pounds \
    pound ounces grams kilos kilo kilograms metres meters miles mile kilometres kilometers feet inches inch degrees \
    euros dollars percent quarters cloves tablets pills attempts retries tries Versuche Wiederholungen \
    Sekunden Minuten Minute Stunden Stunde Tage Tagen Nächte Wochen Woche Monate Monaten Jahre Jahren Liter Kilo \
    Esslöffel Teelöffel Tassen \
    secondes heures heure jours semaines semaine mois ans \
    segundos minutos horas hora días semanas semana meses años \
    ore giorni settimane mesi anni uur dagen weken maanden jaar Prozent";

/// One of those that only an article stands before often: in what is told they say how often something happens.
const ONE: [&str; 8] = ["dag", "día", "dia", "giorno", "jour", "mes", "tag", "tages"];

/// Every spelling of a unit, longest first.
pub(super) fn spellings() -> Vec<&'static str> {
    let mut all: Vec<&str> = SIGNS.iter().flat_map(|unit| unit.iter().copied()).collect();
    all.sort_by_key(|spelling| std::cmp::Reverse(spelling.len()));
    all.dedup();
    all
}

/// The words that a number word may stand before, longest first.
pub(super) fn worded() -> Vec<&'static str> {
    let mut all: Vec<&str> = WORDED.split_whitespace().chain(["per cent"]).collect();
    all.sort_by_key(|word| std::cmp::Reverse(word.len()));
    all
}

/// Whether a number word may stand before a word in small letters.
pub(super) fn is_worded(word: &str) -> bool {
    static LOWER: OnceLock<BTreeSet<String>> = OnceLock::new();
    let lower = || WORDED.split_whitespace().map(str::to_lowercase).collect();
    LOWER.get_or_init(lower).contains(word) || ONE.contains(&word)
}

/// Whether a spelling counts only right behind its figure, without a space.
pub(super) fn is_weak(spelling: &str) -> bool {
    WEAK.contains(&spelling)
}

/// Whether a spelling is a French unit of data, and not another word with what follows it: `3 Go services`.
pub(super) fn is_of_data(spelling: &str, rest: &str) -> bool {
    const FOLLOWERS: [&str; 14] = [
        "au",
        "d",
        "dans",
        "de",
        "disponibles",
        "en",
        "est",
        "et",
        "libres",
        "max",
        "ou",
        "par",
        "pour",
        "sur",
    ];
    let next = rest.strip_prefix(' ').unwrap_or_default();
    let next = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    !matches!(spelling, "Go" | "Mo" | "Ko" | "ko") || next.is_empty() || FOLLOWERS.contains(&next)
}

/// The form for comparing; `None` for what is no unit. Small and capital letters count only where they tell
/// units apart.
pub(super) fn canonical(spelling: &str) -> Option<&'static str> {
    static EXACT: OnceLock<BTreeMap<String, &'static str>> = OnceLock::new();
    static LOWER: OnceLock<BTreeMap<String, &'static str>> = OnceLock::new();
    let exact = EXACT.get_or_init(|| forms(str::to_owned));
    let lower = LOWER.get_or_init(|| forms(str::to_lowercase));
    exact.get(spelling).or_else(|| lower.get(&spelling.to_lowercase())).copied()
}

/// Every spelling, in some form of its letters, with the form for comparing; the first unit of several wins.
fn forms(letters: impl Fn(&str) -> String) -> BTreeMap<String, &'static str> {
    let mut forms = BTreeMap::new();
    for unit in SIGNS {
        let Some(first) = unit.first().copied() else { continue };
        for spelling in *unit {
            forms.entry(letters(spelling)).or_insert(first);
        }
    }
    forms
}

/// Whether a spelling is a unit of time.
pub(super) fn is_of_time(spelling: &str) -> bool {
    measures(spelling).iter().any(|(dimension, _)| *dimension == "s")
}

/// Whether a spelling is a unit of length.
pub(super) fn is_of_length(spelling: &str) -> bool {
    let dimensions = measures(spelling);
    dimensions.iter().any(|(dimension, _)| matches!(*dimension, "m" | "in"))
}

/// Whether it is a currency's sign or name.
pub(super) fn is_currency(canonical: &str) -> bool {
    const CURRENCIES: &[&str] = &[
        "€", "$", "£", "¥", "chf", "kr", "zł", "kč", "₹", "cad", "aud", "nzd", "cny", "₩", "r$",
        "mxn", "₺", "ft.", "btc", "eth", "isk", "thb", "zar", "idr", "ron", "mad", "rub", "uah",
        "vnd",
    ];
    CURRENCIES.contains(&canonical)
}
