//! What a summary tells in other words, and what only looks like that.

use super::*;

/// What of a log a summary loses.
fn lost(log: &str, summary: &str) -> Vec<String> {
    let report = Report::of(&extract([log]), summary);
    assert!(report.total() > 0, "{log}");
    report.missing.into_iter().map(|one| one.text).collect()
}

/// Checks that each summary keeps all of its log.
pub(super) fn all_kept(pairs: &[(&str, &str)]) {
    for (log, summary) in pairs {
        assert_eq!(lost(log, summary), [""; 0], "{log} / {summary}");
    }
}

/// Checks that each summary loses something of its log.
pub(super) fn some_lost(pairs: &[(&str, &str)]) {
    for (log, summary) in pairs {
        assert_ne!(lost(log, summary), [""; 0], "{log} / {summary}");
    }
}

#[test]
fn a_time_is_told_in_words_and_in_figures() {
    all_kept(&[
        ("the window is 06:00 to 09:00", "the window is from 6 to 9 in the morning"),
        ("on 26 April, 06:00 to 09:00", "on 2026-04-26 from 6 to 9 in the morning"),
        ("entre las 23:00 y las 7:00", "de noche (23-7 h)"),
        ("closes at 17:00", "closes at five"),
        ("closes at 17:00", "five o'clock is the end"),
        ("at the 23rd at 9:30", "June 23, 9.30"),
        ("starts at 9:30", "starts 9.30"),
        ("jeden Sonntag um 13 Uhr", "sonntags um 13:00"),
        ("es läuft um 17:00:00", "von 17 bis 20 Uhr"),
        ("antes de las 12 del jueves", "antes del mediodía del jueves"),
    ]);
    some_lost(&[
        ("closes at 17:00", "closes at five in the morning"),
        ("closes at 17:00", "it takes 17 to 20 h"),
        ("jeden Sonntag um 13 Uhr", "samstags um 13:00"),
    ]);
}

#[test]
fn a_day_of_a_month_in_figures_keeps_its_time() {
    all_kept(&[
        ("el 2 de mayo a las 21:00", "2/5 a las 21:00"),
        ("el 2 de mayo", "pagan el 2/5"),
        ("on Sunday the 17th, then", "on 17 May"),
    ]);
    some_lost(&[
        ("on June 16 at 7:30", "on 16/6"),
        ("el 2 de mayo a las 21:00", "2/5 a las 22:00"),
        ("el 2 de mayo", "2/5 pasadas"),
        ("on Sunday the 17th, then", "on 18 May"),
    ]);
}

#[test]
fn whoever_has_a_last_name_may_be_told_by_what_they_do() {
    all_kept(&[
        ("Frau Dr. Wiebke Carstensen will alles haben", "Steuerberaterin Carstensen bekommt alles"),
        ("The auditor is Mr. Achterberg.", "Auditor Achterberg knows"),
        ("Familie Petersen zahlt nicht.", "Rücklastschrift (Petersen)"),
    ]);
    some_lost(&[
        ("Ask Ana Ruiz for it.", "Pedro Ruiz knows"),
        ("Ask Susan Morgan for it.", "buy Captain Morgan"),
        ("We eat with Ada Lovell.", "Hotel Lovell is full"),
        ("We walk down Station Road.", "we walk down Mill Road"),
    ]);
}

#[test]
fn a_firm_is_told_by_its_first_word() {
    all_kept(&[
        ("the auditor is Ravenhill & Co, a big firm", "Auditor: Ravenhill."),
        ("Talk to Quarrel Data Inc. today.", "Quarrel is out"),
    ]);
    some_lost(&[
        ("Talk to Martin Data Inc. today.", "Martin is out"),
        ("Talk to General Data Inc. today.", "General terms"),
        ("We hired Brandt Wilk LLP for it.", "the surveyor is Mr Wilk"),
        ("We hired Brandt & Wilk for it.", "the surveyor is Mr Wilk"),
    ]);
    let told = lost("Surveyor is Tomasz Wilk of Brandt Wilk LLP, he came.", "the surveyor Mr Wilk");
    assert_eq!(told, ["Brandt Wilk LLP"]);
}

#[test]
fn a_sum_may_be_told_without_its_cents() {
    all_kept(&[
        ("it costs $1,612.44 a month", "it costs 1612 USD monthly"),
        ("you have €7,519.80 in bonds", "bonds 7.5k"),
    ]);
    some_lost(&[
        ("it costs $1,612.44 a month", "it costs 1613 USD monthly"),
        ("it costs $84.31 a month", "it costs 84 USD monthly"),
        ("you have €7,519.80 in bonds", "there are 7.5k rows"),
        ("you have €7,519.80 in bonds", "bonds 7.6k"),
    ]);
}

#[test]
fn units_are_told_in_several_languages() {
    all_kept(&[
        ("add 10 µF there", "with 10 uF"),
        ("avisa si pasa de 90 km/h", "si supera 90 kilómetros por hora"),
        ("con menos de 24 horas", "con menos de un día"),
        ("délai de 24 heures", "délai d'un jour"),
        ("reintenta hasta 5 veces", "con hasta cinco reintentos"),
    ]);
    some_lost(&[("con menos de 24 horas", "una vez al día")]);
}

#[test]
fn a_count_is_told_with_another_noun_of_the_same_kind() {
    all_kept(&[
        ("the team calls 600 people", "the team calls 600 customers"),
        ("that makes 47 devices", "forty-seven field units need it"),
        ("es sind 171 kWh", "171 statt 268 kWh"),
        ("limit it to 12 shadow casters", "lights capped to a dozen"),
        ("17 receipts are there", "of the receipts, seventeen are missing"),
        ("it has 96 wakeups a day", "awake ninety-six times a day"),
    ]);
    some_lost(&[
        ("the team has 600 customers", "the team has 600 suppliers"),
        ("limit it to 12 shadow casters", "they moved to a dozen"),
        ("17 receipts are there", "seventeen are missing"),
        ("it has 96 wakeups a day", "it has ninety-six files"),
    ]);
}

#[test]
fn what_is_rounded_keeps_its_noun() {
    some_lost(&[
        ("the target runs 17.2 now", "it has 17 tables"),
        ("the target runs 17.2 now", "see page 17"),
        ("the reading is 84.31 at best", "there are 84 files"),
    ]);
}

#[test]
fn a_setting_is_told_by_how_long_it_lasts() {
    all_kept(&[
        ("BLOQUEO_CENA = 135", "se bloquean 2 h 15 min en cena"),
        ("BLOQUEO_CENA = 105", "se bloquean 1 h 45 en cena"),
        ("TRAMO_DIAS = 15", "de quince días"),
        ("MaxConns: 120", "with 120 connections"),
        ("the period is 120_000 there", "lowered to two minutes"),
        ("POOL_SIZE = 20", "with a pool of 20"),
    ]);
    some_lost(&[
        ("BLOQUEO_CENA = 135", "se tarda 2 h 15 min en todo"),
        ("TRAMO_DIAS = 15", "de quince horas"),
        ("MaxConns: 120", "with 120 tables"),
        ("the period is 120_000 there", "lowered to three minutes"),
        ("POOL_SIZE = 20", "with 20 tables"),
    ]);
}

#[test]
fn a_file_with_another_ending_is_told_by_that() {
    all_kept(&[("see out/plan_v1.docx", "in out/plan_v1.md and .docx.")]);
    some_lost(&[("see out/plan_v1.docx", "in out/plan_v1.md and the .docx")]);
}

#[test]
fn a_decision_is_told_as_a_noun() {
    all_kept(&[
        ("make it 80 ms", "it waits 0.08 s"),
        (
            "Wir haben beschlossen, dass der Beitrag erst 2027 erhöht wird.",
            "Beitragserhöhung erst 2027",
        ),
    ]);
    some_lost(&[
        ("make it 80 ms", "it waits 0.09 s"),
        (
            "Wir haben beschlossen, dass der Beitrag erst 2027 erhöht wird.",
            "Beitragserhöhung erst 2028",
        ),
    ]);
}

#[test]
fn what_something_else_is_chosen_for_is_no_decision_that_was_kept() {
    all_kept(&[
        ("We decided to use Redis for the cache.", "Redis is used for the cache, not Memcached."),
        (
            "We decided to use Redis for the cache.",
            "Redis, not for sessions but for the cache: use it",
        ),
        ("We decided to move from Redis to Valkey.", "Moved to Valkey, not Redis"),
        ("We decided to replace Redis with Valkey.", "Use Valkey to replace Redis, no Redis"),
    ]);
    some_lost(&[
        (
            "We decided to use Redis for the cache.",
            "We decided to use Memcached for the cache, not Redis.",
        ),
        (
            "Decision: we use Redis for the cache.",
            "Memcached is used for the cache instead of Redis.",
        ),
        (
            "We agreed to use Terraform for staging.",
            "Pulumi is used for staging rather than Terraform.",
        ),
    ]);
}

#[test]
fn a_figure_of_something_else_tells_none() {
    all_kept(&[
        ("The batch size is 500.", "batch size 500"),
        ("We have 2027 items.", "2027 items since 2025"),
        ("We have 2027 items.", "items: 2027"),
        ("Increase from 5 to 8 workers.", "from 5 workers to 8 workers"),
        ("Increase from 5 to 8 workers.", "workers increased from 5 to 8"),
    ]);
    some_lost(&[
        ("The batch size is 500.", "HTTP 500 error seen; batch size unknown"),
        ("We have 2027 items.", "in 2027 we have items"),
        ("Increase from 5 to 8 workers.", "8 workers decreased to 5"),
        ("Increase from 5 to 8 workers.", "from 8 workers to 5"),
        ("Increase from 5 to 8 workers.", "queues increased from 5 to 8"),
    ]);
}

#[test]
fn the_length_of_a_type_belongs_to_it() {
    all_kept(&[
        ("Use varchar(64) for names.", "name `VARCHAR(64)`, indexed"),
        ("a NUMERIC(10, 2) and CHAR(30)", "char(30), numeric(10,2)"),
    ]);
    some_lost(&[
        ("amounts numeric(14,4)", "amounts `numeric(12,4)`"),
        ("Use varchar(64).", "All names are varchar."),
        ("The code is a VARCHAR(64).", "It has a code."),
    ]);
}

#[test]
fn short_forms_of_days_and_versions_are_told() {
    all_kept(&[
        ("We ship on Monday.", "Ship: Mon"),
        ("The office is open on Tuesdays.", "open on Tue until 6:30 pm"),
        ("Validate with October and test with December.", "validation Oct–Nov; test Dec"),
        ("Redis is at 7.2 and we go to 7.4.", "Redis v7.2 → v7.4"),
        ("There are 0 errors now.", "errors from 0.4% to none"),
    ]);
    some_lost(&[
        ("We ship on Monday.", "Ship: Tue"),
        ("We ship on Sunday.", "The sun was out."),
        ("Redis is at 7.2.", "Redis v7.21"),
    ]);
}
