//! Whether an amount that one text says is what another one means: in other units, for other nouns, rounded.

mod alike;
mod asked;

use super::Amount;
use super::lead::{self, About, Pace};
use crate::memory::stem;
use crate::specifics::unit::is_currency;
use crate::specifics::words::Words;
use alike::are_alike;

/// From this value on a figure that stands for itself is hardly the same as another one by chance.
const TELLING: f64 = 20.0;

/// From this value on it hardly is, whatever the two are said to count; and its digits, zeros at the end aside.
const TELLING_OF_OTHERS: f64 = 1_000.0;
const FEWEST_DIGITS: i32 = 3;

/// From this value on fewer digits do: `6.1M rows` are `6.1 million orders`.
const MANY: f64 = 1e6;
const FEWEST_OF_MANY: i32 = 2;

/// A figure of fewer digits, as one number, is told by a single one.
const FEWEST: f64 = 10.0;

/// The same where the unit is left out too: `timeout: 30000`.
const TELLING_WITHOUT_UNIT: f64 = 1_000.0;

/// So many digits, as one number, are hardly the same by chance where one of two leaves the unit out, or rounds a sum of money.
const SURE: f64 = 100.0;

/// Settings of how long something takes or waits, in the form for comparing.
static LASTING: Words =
    Words::new("backoff delay expiri interval keepaliv lifetim period sleep timeout ttl wait");

/// What is counted in years, in the same form.
static OF_AGE: Words = Words::new("ag age aged alter edad âge âgé");

/// What is heated to so many degrees, in the same form.
static HEATED: Words = Words::new("bed chamber nozzl oven temperatur");

/// What has an amount of money or a share, in the same form.
static HAVE_AMOUNTS: Words = Words::new(
    "budget cap cost coverag deposit discount fee limit max maximum min minimum pct percent pric rat rent shar target threshold",
);

/// What has a figure that says how much it is, in the same form, and is none of many.
static AMOUNTS: Words = Words::new(
    "cap cost deposit depth fare fee floor gain level limit max mark pric rent siz tier volum",
);

/// What says that an amount is a bound, in the same form.
static BOUNDS: Words =
    Words::new("cap limit max maximum höchsten maximal plafonné limité limitado");

/// What says that an amount is one less, in the same form.
static LESS: Words = Words::new(
    "decreas down drop fell few fewer fre freed less lost minus neg reclaim reduc remov sav shrank shrunk",
);

impl Amount {
    /// Whether it is the figure of another one, with the label of that in front of it.
    pub(in crate::specifics) fn is_led_as(&self, meant: &Self) -> bool {
        let label = meant.leads.first().is_some_and(|label| self.leads.contains(label));
        label
            && self.measures.is_empty()
            && self.figures.iter().any(|figure| meant.figures.contains(figure))
    }

    /// Whether it has a unit.
    pub(in crate::specifics) fn is_measured(&self) -> bool {
        !self.measures.is_empty()
    }

    /// Whether it is said by itself, and not as a part of a larger one.
    pub(in crate::specifics) fn is_whole(&self) -> bool {
        !self.part
    }

    /// Whether one that a text says is what another one means.
    pub(in crate::specifics) fn tells(&self, meant: &Self) -> bool {
        // What happens weekly lasts no week.
        if self.often == Pace::Adverb && meant.often == Pace::None {
            return false;
        }
        let rounds = self.may_round(meant);
        // `-884.20 GB` are freed: what is negative is told by a word.
        let says_less = self.leads.iter().chain(self.behind.first()).any(|lead| LESS.holds(lead));
        let is_less = |meant: &(&str, f64)| meant.1 < 0.0 && says_less;
        // What a unit may measure in several ways is rounded in each for itself.
        let are_alike = self.measures.len() == meant.measures.len();
        let of = |(nth, meant): (usize, &(&'static str, f64))| {
            let values = [meant.1, if is_less(meant) { -meant.1 } else { meant.1 }];
            let is_it = |said: &(&str, f64)| {
                said.0 == meant.0 && values.iter().any(|value| is_same(said.1, *value))
            };
            let about = |(way, said): (usize, &(&'static str, f64))| {
                let is_it = |value: &f64| {
                    self.rounds(said.0, said.1, *value) && self.may_round_to(*said, *value)
                };
                let is_way = !are_alike || way == nth;
                is_way && said.0 == meant.0 && values.iter().any(is_it)
            };
            self.measures.iter().any(is_it)
                || self.carried.iter().any(is_it)
                || rounds && self.measures.iter().enumerate().any(about)
        };
        if meant.measures.iter().enumerate().any(of) || self.lasts_as(meant) {
            return true;
        }
        if self.is_share(meant) || meant.is_share(self) {
            return true;
        }
        if self.is_sized_as(meant) || meant.is_sized_as(self) {
            return true;
        }
        let is_about = self.grain.about != About::Exact;
        let is_bare_decimal =
            meant.figures.iter().all(|figure| *figure < 10.0) && self.grain.digits < 100.0;
        let rounds = rounds && (self.grain.sized || is_about || !is_bare_decimal);
        let figure = |meant: &f64| {
            let is_it =
                |said: &f64| is_same(*said, *meant) || rounds && self.rounds("", *said, *meant);
            self.figures.iter().any(is_it)
        };
        if !meant.figures.iter().any(figure) {
            return false;
        }
        // What is rounded is no figure of another noun, nor a number of one of many: `17.2` is not `17 tables`.
        let is_exact = || meant.figures.iter().any(|meant| self.has_figure(*meant));
        let is_bare = meant.is_alone() && meant.leads.iter().all(|lead| !self.leads.contains(lead));
        if is_bare && (self.labelled || !self.things.is_empty()) && !is_exact() {
            return false;
        }
        // `74 a month` is nothing a year.
        let is_paced = meant.per.is_some() && meant.measures.is_empty();
        if is_paced && self.per != meant.per && (self.per.is_some() || meant.things.is_empty()) {
            return false;
        }
        // What is counted may be left out beside the time per which it is: `6/min`.
        let same_time = self.per.is_some() && (meant.per.is_none() || meant.per == self.per);
        let is_counted =
            self.things.is_empty() && (self.measures.is_empty() || meant.things.is_empty());
        if same_time && is_counted && meant.measures.is_empty() {
            return true;
        }
        if !self.measures.is_empty() || !meant.measures.is_empty() {
            return self.tells_without_unit(meant);
        }
        self.counts_as(meant)
    }

    /// Whether it counts or names what another one does, where both have the same figure and no unit.
    fn counts_as(&self, meant: &Self) -> bool {
        let is_bare = self.is_bare();
        let is_telling =
            is_bare && self.figures.iter().any(|said| *said >= TELLING || said.fract() > 0.0);
        match (meant.things.last(), meant.leads.first().filter(|_| meant.labelled)) {
            (Some(_), _) if !self.things.is_empty() => {
                // What is only rounded may be another thing of about as many.
                let exact = |meant: &&f64| self.figures.iter().any(|said| is_same(*said, **meant));
                let mut figures = meant.figures.iter().filter(exact);
                self.counts_what(meant)
                    || self.is_as_often(meant)
                    || figures.any(|figure| {
                        is_unlikely(*figure) || *figure >= TELLING && self.counts_some(meant)
                    })
            }
            (Some(thing), _) => {
                is_telling
                    || self.is_bound()
                    || !self.labelled && self.leads.contains(thing)
                    || self.behind.first() == Some(thing)
                    || self.is_for_people(thing)
            }
            (None, Some(label)) => {
                self.leads.contains(label) || is_telling || is_bare && self.glued
            }
            (None, None) => !self.is_one_of_others(meant),
        }
    }

    /// Whether it is the number of one of many, and not that of which another one is the value: `step 7` tells no `retries to 7`.
    fn is_one_of_others(&self, meant: &Self) -> bool {
        let is_same = |label: &String| meant.leads.contains(label) || AMOUNTS.holds(label);
        let is_likely = |figure: &f64| !is_unlikely(*figure);
        (self.labelled && meant.figures.iter().all(is_likely) || self.is_status())
            && !meant.leads.is_empty()
            && !self.leads.iter().any(is_same)
    }

    /// Whether it is what a server answered, and no value of anything: `HTTP 500`.
    fn is_status(&self) -> bool {
        self.leads.first().is_some_and(|lead| lead == "http")
    }

    /// Whether it counts nothing, and nothing in front of it says what it is.
    fn is_bare(&self) -> bool {
        self.things.is_empty() && !self.labelled && !self.is_status()
    }

    /// The same where only one of the two says its unit, and their figures agree: `612k` and `$612,000`, `1.8` and `1.8 V`.
    fn tells_without_unit(&self, meant: &Self) -> bool {
        // To the last digit, or rounded to some, or as somebody who says that it is no exact one.
        let is_exact = || meant.figures.iter().any(|meant| self.has_figure(*meant));
        let is_about = self.grain.about != About::Exact;
        let is_sure = || is_exact() || self.grain.digits >= SURE || is_about;
        if !self.measures.is_empty() {
            // Whoever says `max 200` leaves out the unit that everybody knows: `at most €200`.
            let is_known = || self.measures.iter().any(|one| is_currency(one.0) || one.0 == "%");
            let has_label = || meant.leads.first().is_some_and(|label| HAVE_AMOUNTS.holds(label));
            let is_bound = meant.measures.is_empty() && meant.things.is_empty() && has_label();
            // The label may stand behind it, too: `10 MiB limit` for `limit is 10`.
            let is_labelled = || {
                let label = meant.leads.first().filter(|_| has_label());
                label.is_some() && self.behind.first() == label
            };
            if is_bound && is_exact() && (is_known() || is_labelled()) {
                return true;
            }
            let is_large = |figure: &f64| *figure >= TELLING_WITHOUT_UNIT || figure.fract() > 0.0;
            return meant.is_alone() && meant.figures.iter().any(is_large) && is_sure();
        }
        // A version of Python is no time in seconds, but prices are told without their currency.
        let is_price = || meant.measures.iter().any(|one| is_currency(one.0) || one.0 == "ct");
        let is_fine = || self.grain.digits >= SURE && is_exact() && is_price();
        let is_large =
            |said: &f64| *said >= TELLING_WITHOUT_UNIT || said.fract() > 0.0 && is_fine();
        // `median age 67` leaves out the years.
        let in_years = || meant.measures.iter().any(|one| one.0 == "month");
        if self.leads.first().is_some_and(|lead| OF_AGE.holds(lead)) && in_years() && is_exact() {
            return true;
        }
        self.is_bare() && self.figures.iter().any(is_large) && is_sure()
    }

    /// Whether it may tell another one without its last digits: `72 s` of `72109.339 ms`, `1.28 million` of `1284411`.
    fn may_round(&self, meant: &Self) -> bool {
        const LONG: f64 = 1e5;
        if self.grain.about != About::Exact && self.grain.digits > 0.0 {
            return true;
        }
        let has_point = meant.figures.iter().any(|figure| figure.fract() != 0.0);
        let is_finer = has_point || self.grain.sized || meant.grain.digits >= LONG;
        // `5,020` is no five.
        let is_part = meant.figures.iter().all(|figure| figure.fract() != 0.0);
        let is_single = self.grain.digits > 0.0 && is_part && !self.measures.is_empty();
        let is_told = self.grain.digits >= FEWEST || is_single;
        is_told && meant.grain.digits > self.grain.digits && is_finer
    }

    /// Whether it may be a rounded one in a unit: nobody rounds a price without saying so, nor nearly all to all. A price in
    /// thousands that is told by two digits is hardly another one than that which is next to it.
    fn may_round_to(&self, (unit, value): (&'static str, f64), meant: f64) -> bool {
        const NEXT: f64 = 0.02;
        let is_exact = is_currency(unit) || unit == "%" && is_same(value, 100.0);
        let is_next = || (value - meant).abs() <= NEXT * value.abs();
        let is_sure = || self.grain.digits >= SURE || !is_currency(unit) || is_next();
        // Without the cents, a long sum is hardly another one.
        let is_whole = || value.fract() == 0.0 && value >= SURE && (value - meant).abs() < 0.5;
        let is_sum = || is_currency(unit) && is_whole();
        self.grain.about.is_close() || self.grain.sized && is_sure() || !is_exact || is_sum()
    }

    /// Whether it has such a figure, in whatever unit.
    pub(in crate::specifics) fn has_figure(&self, figure: f64) -> bool {
        self.figures.iter().any(|said| is_same(*said, figure))
    }

    /// Whether it is a figure by itself with a magnitude, which another one tells in its unit: `2.7k` for `2.7 kΩ`.
    fn is_sized_as(&self, other: &Self) -> bool {
        const KIB: f64 = 1.024;
        // `128K` is 128 KiB, too.
        let is_binary = |value: f64| {
            [KIB, KIB * KIB, KIB * KIB * KIB].iter().any(|size| self.has_figure(value / size))
        };
        self.grain.sized
            && self.is_alone()
            && other.measures.iter().any(|(unit, value)| {
                *unit != "s" && self.has_figure(*value)
                    || *unit == "byte" && is_binary(*value)
                    || is_currency(unit) && self.rounds_sum(*value)
            })
    }

    /// Whether it tells a sum of thousands by two digits at least: `7.5k`.
    fn rounds_sum(&self, sum: f64) -> bool {
        // Of millions two digits leave too much open.
        const THOUSANDS: std::ops::Range<f64> = 1_000.0..100_000.0;
        let is_about = |said: &f64| THOUSANDS.contains(said) && self.rounds("", *said, sum);
        self.grain.digits >= FEWEST && self.figures.iter().any(is_about)
    }

    /// Whether it is a fraction by itself that is another one to the last digit, whatever its sign.
    pub(in crate::specifics) fn is_fraction(&self, meant: f64) -> bool {
        meant.fract() != 0.0 && self.has_figure(meant.abs())
    }

    /// Whether it says in a unit what another one tells by its figure alone.
    pub(in crate::specifics) fn is_of_unit(&self, meant: &Self) -> bool {
        let is_it = |said: &f64| meant.figures.iter().any(|meant| is_same(*said, *meant));
        !self.measures.is_empty() && meant.is_alone() && self.figures.iter().any(is_it)
    }

    /// Whether one value of it in a unit is another one, as finely as it is told.
    fn rounds(&self, unit: &str, said: f64, meant: f64) -> bool {
        const HALF: f64 = 0.5 - 1e-9;
        // Half of a single digit would be half of it all.
        const MOST: f64 = 0.1;
        const HARDLY: f64 = 0.005;
        if !self.grain.about.allows(said, meant) {
            return false;
        }
        let apart = (said - meant).abs();
        // A single digit tells what is hardly another one: `6 ms` for `6.02 ms`.
        let is_single = self.grain.about == About::Exact && self.grain.digits < FEWEST;
        let most = if is_single { HARDLY } else { MOST };
        apart * self.grain.digits <= HALF * said.abs() && apart <= most * said.abs()
            || self.grain.about.is_near(self.grain.round, unit, (said, meant))
    }

    /// Whether it tells what is meant with its label, and in which unit: `TTL of five minutes` for `TTL 300`, `bed at 80 °C`
    /// for `bed 80`.
    fn lasts_as(&self, meant: &Self) -> bool {
        const THOUSAND: f64 = 1_000.0;
        let Some(label) = meant.leads.first() else { return false };
        let is_led = self.leads.first() == Some(label) || self.behind.first() == Some(label);
        if !is_led || self.measures.is_empty() || !meant.measures.is_empty() {
            return false;
        }
        let is_it = |said: f64| meant.figures.iter().any(|meant| is_same(said, *meant));
        let in_seconds =
            |(of, said): &(&str, f64)| *of == "s" && (is_it(*said) || is_it(said * THOUSAND));
        let in_degrees = |(of, said): &(&str, f64)| of.starts_with('°') && is_it(*said);
        LASTING.holds(label) && self.measures.iter().any(in_seconds)
            || HEATED.holds(label) && self.measures.iter().any(in_degrees)
    }

    /// The same where what is meant has the unit of the figure before it: `75 seconds, not 65`.
    pub(in crate::specifics) fn tells_carried(&self, meant: &Self) -> bool {
        let is_it =
            |said: &(&str, f64), meant: &(&str, f64)| said.0 == meant.0 && is_same(said.1, meant.1);
        self.measures.iter().any(|said| meant.carried.iter().any(|meant| is_it(said, meant)))
    }

    /// Whether it is the share that another one tells in per cent: `0.934` and `93.4 %`.
    fn is_share(&self, percent: &Self) -> bool {
        let mut shares = self.figures.iter().filter(|figure| **figure < 1.0 && self.is_alone());
        shares.any(|share| {
            percent.measures.iter().any(|one| one.0 == "%" && is_same(one.1, share * 100.0))
        })
    }

    /// Whether it is a figure and nothing else.
    fn is_alone(&self) -> bool {
        self.measures.is_empty() && self.things.is_empty() && !self.labelled
    }

    /// Whether it counts what another one does, where one of the two may say more of which sort: `5 workers` and `5 worker
    /// nodes`.
    fn counts_what(&self, meant: &Self) -> bool {
        let (Some(own), Some(thing)) = (self.things.last(), meant.things.last()) else {
            return false;
        };
        self.things.contains(thing)
            || meant.things.contains(own)
            || self.is_how_often(thing)
            || are_alike(own, thing)
    }

    /// Whether it is the bound of what its clause is about, by itself: `lights capped to a dozen`.
    fn is_bound(&self) -> bool {
        const FEWEST: f64 = 10.0;
        self.is_bare()
            && self.behind.is_empty()
            && self.figures.iter().all(|figure| *figure >= FEWEST)
            && self.leads.iter().any(|lead| BOUNDS.holds(lead))
    }

    /// Whether it says how many there are of what was named before: `seventeen are missing`.
    pub(in crate::specifics) fn tells_how_many(&self, meant: &Self) -> bool {
        const ARE: [&str; 20] = [
            "are", "were", "remain", "remained", "left", "missing", "fehlen", "fehlten", "sind",
            "waren", "blieben", "sont", "étaient", "manquent", "restent", "faltan", "quedan",
            "son", "mancano", "zijn",
        ];
        let exact = || meant.figures.iter().any(|meant| self.has_figure(*meant));
        self.is_bare()
            && self.measures.is_empty()
            && self
                .behind
                .first()
                .is_some_and(|next| ARE.iter().any(|are| lead::label(are) == *next))
            && exact()
    }

    /// What it counts, in the form for comparing.
    pub(in crate::specifics) fn thing(&self) -> Option<&str> {
        self.things.last().map(String::as_str)
    }

    /// Whether one of two says no more of what it counts than that there are some: `40 cases` and `40 double charges`.
    fn counts_some(&self, meant: &Self) -> bool {
        const SOME: [&str; 5] = ["cases", "entries", "items", "pairs", "pieces"];
        let is_any = |one: &Self| {
            one.things.last().is_some_and(|thing| SOME.iter().any(|some| stem(some) == *thing))
        };
        is_any(self) || is_any(meant)
    }

    /// Whether it says for how many something is that are people: `dinner for 12`.
    fn is_for_people(&self, thing: &str) -> bool {
        const FOR: [&str; 4] = ["for", "für", "pour", "para"];
        let is_for = self.leads.first().is_some_and(|lead| FOR.contains(&lead.as_str()));
        is_for && self.behind.is_empty() && are_alike(thing, &stem("people"))
    }

    /// Whether it says how often in some time there is what another one counts in that: `96 times a day`, `96 wakeups a day`.
    fn is_as_often(&self, meant: &Self) -> bool {
        self.things.last().is_some_and(|own| *own == stem("times"))
            && self.per.is_some()
            && (meant.per.is_none() || self.per == meant.per)
            && meant.figures.iter().any(|meant| *meant >= TELLING && self.has_figure(*meant))
    }

    /// Whether it says how often something happened whose verb is in front of it: `timed out 17 times`.
    fn is_how_often(&self, thing: &str) -> bool {
        let often = self.things.last().is_some_and(|own| *own == stem("times"));
        often && self.leads.iter().any(|lead| lead.len() > 2 && thing.starts_with(lead.as_str()))
    }
}

/// Whether a figure is so long that another one is hardly the same by chance: `1387`, but not `5,000`.
fn is_unlikely(figure: f64) -> bool {
    // Nothing at all has no digits.
    if figure < TELLING_OF_OTHERS {
        return false;
    }
    let digits = figure.log10() as i32;
    let fewest = if figure < MANY { FEWEST_DIGITS } else { FEWEST_OF_MANY };
    figure % 10_f64.powi(digits - fewest + 2) != 0.0
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_in_the_form_for_comparing() {
        for (list, words) in [
            (
                &LASTING,
                "backoff delay expiry interval keepalive lifetime period sleep timeout ttl wait",
            ),
            (&HEATED, "bed chamber nozzle oven temperature"),
            (
                &HAVE_AMOUNTS,
                "budget cap cost costs coverage deposit discount fee limit max maximum min minimum pct percent price rate rent share target threshold",
            ),
            (
                &LESS,
                "decreased down dropped fell few fewer free freed less lost minus negative reclaimed reduced removed saved",
            ),
        ] {
            let mut stems = words.split(' ').map(stem);
            assert_eq!(stems.find(|stem| !list.holds(stem)), None);
        }
    }
}
