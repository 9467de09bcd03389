//! Word lists for numbers: general words of language, no words of any one conversation.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::specifics::words::Words;

/// Words that explain a figure behind them: `port 5432`.
pub(super) static LABELS: Words = Words::new(
    "mark act apartment article baujahr bed bus carriage category chamber chapter chapters clause coach column day depth desk door example exit \
     figure floor form gain gate gid goroutine hall highway issue kapitel layer lektion lesson level line lines locker migración migration opset page pages paragraph parcel parcelle partition parzelle \
     pid platform port porta ports prescaler puerto question recital room route row scene seat section seite shard shelf signal size \
     cost costs deposit ext fare fee price rent statut tarea línea ligne \
     section lemma theorem proposition corollary slide spid stream table team teams terminal tier track uid unit verse vlan volume ward week zeile zone",
);

/// Words whose number is that of one of many.
pub(super) static OWNERS: Words = Words::new(
    "account bridge build case coefficient customer edition employee experiment extension footnote id invoice kunde member no nr number nummer order patient penalty probe rechnung \
     reference rule seed zimmer",
);

/// What has a figure as its value, though that has no unit.
pub(super) static SETTINGS: Words = Words::new(
    "accuracy alpha batch beta budget capacity concurrency count cutoff depth deposit dimension dropout epoch epochs factor height \
     interval length limit max maximum min minimum offset patience priority quota rate ratio reload retries score \
     seed size temperature threshold timeout tolerance total ttl weight",
);

/// Words whose figure is a name and counts nothing: `Option 2 looks better`.
pub(super) static TITLES: Words = Words::new(
    "attempt case class code draft edition episode error errors generation grade group id index \
     item job layer method model no node nr number option part phase priority problem q release \
     revision round rule series stage status step task thread ticket type v variant version worker",
);

/// Whether a word in small letters has the number of one of many behind it: `step 3`.
pub(in crate::specifics) fn is_numbering(word: &str) -> bool {
    TITLES.holds(word) || LABELS.holds(word) || OWNERS.holds(word)
}

/// Words between a figure and the noun that it counts.
pub(super) static ADJECTIVES: Words = Words::new(
    "active additional annual big black blank boiled broken business calendar chopped coarse cold \
     concurrent consecutive different double dry duplicate easy empty equal extra failed failing free fresh \
     frozen full further good green hard heaped heaping hot idle large level little long main \
     medium minor missing monthly more net new old open other paid parallel raw red remaining ripe \
     rounded separate short single small spare thick thin total unique unread unused vacation warm \
     white whole working wrong yellow",
);

/// Words that end like plurals or stand behind figures, and are counted by none.
pub(super) static NO_NOUNS: Words = Words::new(
    "a about above abs across after afterwards again ago all als also always am an and appears applies \
     are arrives as asks at aus back because becomes before begins belongs below besides bis both \
     brings but by can comes contains costs creates dans das dass departs depends des did do does \
     downwards each either else enough everywhere exists expects explains fails fits for from gets \
     gives goes had hangs happens has have he helps her here his how i if in instead into is it its \
     just keeps knows lacks later leaves les less lets lies like listens mais makes may means minus \
     more much my needs no nor not now oder of off on one onwards open opens or other others our out over \
     overseas part pays perhaps plus really remains repeats requires said saves says seems sends shows \
     serves shall she shortly should since sits so some sometimes sous still such supports takes \
     talks tells than that the their them then there these they this those though till times to \
     together too towards two und under unless until up upwards us wants was we were what when \
     where which while who will with without works would yes yet you your",
);

/// Plurals that do not end in s.
pub(super) static PLURALS: Words = Words::new(
    "Betten Dateien Eier Erwachsene Gäste Kapitel Kinder Knoblauchzehen Leute Personen Portionen \
     Punkte Scheiben Schritte Schüler Seiten Stück Tabletten Wörter Zeilen Zimmer Zwiebeln adultes \
     chambres children criteria data enfants feet fish habitaciones halves huevos indices men mice \
     noches nuits pages people personas personnes páginas sheep staff teeth women",
);

/// Number words, each with its figure behind it.
const FIGURES: &str = "\
    one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12 thirteen 13 fourteen 14 \
    fifteen 15 sixteen 16 seventeen 17 eighteen 18 nineteen 19 twenty 20 thirty 30 forty 40 forty-five 45 fifty 50 \
    sixty 60 seventy 70 eighty 80 ninety 90 \
    zwei 2 drei 3 vier 4 fünf 5 sechs 6 sieben 7 acht 8 neun 9 zehn 10 elf 11 zwölf 12 dreizehn 13 vierzehn 14 \
    fünfzehn 15 sechzehn 16 siebzehn 17 achtzehn 18 neunzehn 19 zwanzig 20 dreißig 30 vierzig 40 fünfzig 50 \
    sechzig 60 siebzig 70 achtzig 80 neunzig 90 hundert 100 \
    deux 2 trois 3 quatre 4 cinq 5 sept 7 huit 8 neuf 9 dix 10 onze 11 douze 12 treize 13 quatorze 14 quinze 15 \
    seize 16 vingt 20 trente 30 quarante 40 cinquante 50 soixante 60 cent 100 \
    dos 2 tres 3 cuatro 4 cinco 5 seis 6 siete 7 ocho 8 nueve 9 diez 10 once 11 doce 12 trece 13 catorce 14 quince 15 \
    dieciséis 16 diecisiete 17 dieciocho 18 diecinueve 19 veinte 20 treinta 30 cuarenta 40 cincuenta 50 sesenta 60 \
    setenta 70 ochenta 80 noventa 90 cien 100 \
    due 2 tre 3 quattro 4 cinque 5 sei 6 sette 7 otto 8 nove 9 dieci 10 undici 11 dodici 12 quindici 15 venti 20 \
    trenta 30 \
    twee 2 drie 3 vijf 5 zes 6 zeven 7 negen 9 tien 10 twaalf 12 vijftien 15 twintig 20 dertig 30 veertig 40 vijftig 50";

/// Number words with their figures.
pub(super) fn figure_words() -> impl Iterator<Item = (&'static str, u32)> {
    let mut parts = FIGURES.split_whitespace();
    std::iter::from_fn(move || Some((parts.next()?, parts.next()?.parse().ok()?)))
}

/// The figure of a number word in small letters.
pub(in crate::specifics) fn figure_word(word: &str) -> Option<u32> {
    static KNOWN: OnceLock<BTreeMap<&str, u32>> = OnceLock::new();
    KNOWN.get_or_init(|| figure_words().collect()).get(word).copied()
}
