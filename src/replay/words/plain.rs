//! Words that name no topic: those that hold sentences together, that everybody uses every day, and that stand beside
//! figures.

use std::sync::OnceLock;

use super::{Table, hash};
use crate::memory::{EVERYDAY, stem};
use crate::recall::{EVERYDAYS, GRAMMARS};

/// The languages in which a word is plain, a bit for each.
pub(super) type Languages = u8;

/// The bit of words that are plain in any talk: those of every day in English, and what stands beside figures.
pub(super) const ANY: Languages = 1;

/// How many languages have plain words of their own, those of [`GRAMMARS`] and Italian; their bits follow on [`ANY`].
pub(super) const OWN: usize = GRAMMARS.len() + 1;

/// In talk in a language so many percent of the words at least are plain in it.
const SPOKEN: usize = 8;

/// What stands beside figures: units, and words of time and money.
const UNITS: &str = "euro euros dollar dollars pound pounds cent cents francs franken pesos percent prozent ciento cento minute \
     minutes minuten minuto minutos minuti hour hours stunde stunden hora horas heure heures ora ore second seconds \
     sekunde sekunden segundos secondes secondi day days tag tage tagen día días dia dias jour jours giorno giorni \
     week weeks woche wochen semana semanas semaine semaines settimana settimane month months monat monate monaten \
     mes meses mois mese mesi year years jahr jahre jahren año años année années ans anno anni grad grados degrés \
     gradi degree degrees gram grams gramm gramo gramos grammes grammi kilo kilos kilogram litre litres liter liters \
     litro litros litri metre metres meter meters metro metros metri mètre mètres centimetre centimetres zentimeter \
     centímetros kilometre kilometres kilometer kilometers kilometern kilómetros kilomètres chilometri mile miles \
     inch inches foot feet watt watts volt volts mbit gbit times mal veces fois volte piece pieces stück number \
     numbers nummer zahl número numéro numero customer third quarter dozen hundred thousand million hundert tausend \
     mille cien mil mila januar februar märz mai juni juli oktober dezember enero febrero marzo abril mayo junio \
     julio agosto septiembre octubre noviembre diciembre janvier février mars avril juin juillet août septembre \
     octobre novembre décembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre montag \
     dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes sábado domingo lundi \
     mardi mercredi jeudi vendredi samedi dimanche lunedì martedì mercoledì giovedì venerdì sabato domenica";

/// Words of every day in English beyond those that recall knows.
const ENGLISH: &str = "above across against ahead allowed already ask asked available based begin beginning better bigger both bring \
     brings called cannot case changed cheaper check clear close closed contact correct cost costs count counts \
     current done earlier early easier else empty enough etc exact exactly except extra fair fewer final finally fine \
     first four full gives goes going gone got great half hello help higher however include included instead its \
     itself kept large larger later latest least left less longer look looks lower made main matter means met miss \
     mix must myself needed needs neither none nor normal nothing numbered okay older once ones open order others \
     ours own per plus prefer quite rather remaining right sent set several shall short shorter shown side similar \
     simply since single small smaller soon special start started starts stay still stop sure take taken takes \
     telling thank thanks themselves think too total tried tries turned under until upper used useful uses using \
     usual very via wait walk want wanted wants way went whether within without won works worse worth yet yourself \
     advantage anybody anyone apart";

/// Words of grammar and of every day in Italian, which recall does not know.
const ITALIAN: &str = "il lo la gli le un uno una del dello della dei degli delle dal dallo dalla dai dalle nel nello nella nei negli \
     nelle sul sullo sulla sui sulle al allo alla ai agli alle col con per tra fra di da in su ma anche non più meno \
     che chi cui quale quali quanto quanta quanti quante come quando dove perché se sono sei è siamo siete era erano \
     stato stata essere ho hai ha abbiamo avete hanno aveva avere mi ti ci vi si lui lei noi voi loro mio mia miei \
     mie tuo tua tuoi tue suo sua suoi sue nostro nostra questo questa questi queste quello quella quelli quelle ogni \
     tutto tutta tutti tutte molto molta molti molte poco tanto troppo già ancora poi ora adesso qui qua sempre mai \
     solo così quindi però posso puoi può possiamo possono devi deve devono dovrebbe potrebbe fare fa faccio fai \
     fanno fatto vado vai vanno andare circa fino dopo prima senza sotto sopra verso due tre quattro cinque sette \
     otto nove dieci venti trenta bene male meglio buono buona grande piccolo nuovo nuova vecchio primo secondo terzo \
     ultimo oggi ieri domani mattina sera notte grazie ciao vorrei voglio vuoi vuole servono serve costa costano \
     chiedi chiedere chiama chiamo chiamare prendi prendere metti mettere lascia lasciare porta portare trova trovare \
     cosa cose parte modo tipo gente persona persone volta sbaglia passa supera copre viene comincia aumenta chiede \
     mille";

/// The languages in which the word of a stem is plain.
pub(super) fn plain_in(stem_hash: u64) -> Languages {
    static PLAIN: OnceLock<Table<u64, Languages>> = OnceLock::new();
    let read = || {
        let mut all: Table<u64, Languages> = Table::default();
        let mut add = |words: &str, bit: Languages| {
            for word in words.split_whitespace() {
                *all.entry(hash(&stem(word))).or_default() |= bit;
            }
        };
        add(&[EVERYDAY, ENGLISH, UNITS].join(" "), ANY);
        let own = |nth: usize| ANY << (nth + 1);
        for of_each in [GRAMMARS, EVERYDAYS] {
            of_each.iter().enumerate().for_each(|(nth, words)| add(words, own(nth)));
        }
        add(ITALIAN, own(GRAMMARS.len()));
        all
    };
    PLAIN.get_or_init(read).get(&stem_hash).copied().unwrap_or(0)
}

/// In which languages words are plain in talk of so many words, so many of which are plain in each language.
pub(super) fn spoken(words: usize, plain: [usize; OWN]) -> Languages {
    let most = plain.iter().copied().max().unwrap_or(0);
    let is_spoken = |count: usize| count == most && 100 * count >= SPOKEN * words.max(1);
    let bits = plain.iter().enumerate().filter(|(_, count)| is_spoken(**count));
    bits.fold(ANY, |all, (nth, _)| all | ANY << (nth + 1))
}
