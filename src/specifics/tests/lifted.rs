//! What is lifted of a message, and what is not.

use super::*;

/// What a message holds of a kind.
fn lifted(kind: Kind, text: &str) -> Vec<String> {
    let all = extract([text]).into_iter().filter(|one| one.kind == kind);
    all.map(|one| one.text).collect()
}

#[test]
fn a_figure_is_lifted_with_its_decimals() {
    for (text, figure) in [
        ("the rest is 3,397.46.", "3,397.46"),
        ("there were 1'234.56 left", "1'234.56"),
        ("le total est 8 412,77 maintenant", "8 412,77"),
        ("la correlación es de 0,94, así", "0,94"),
        ("0,64 seulement", "0,64"),
        ("l'AIC vaut 1502,6 ici", "1502,6"),
        ("un AIC 1502,6 ici", "1502,6"),
    ] {
        assert_eq!(lifted(Kind::Number, text), [figure], "{text}");
    }
    assert_eq!(lifted(Kind::Number, "see rows 12,5 there"), [""; 0]);
    assert_eq!(lifted(Kind::Identifier, "un AIC 1502,6 ici"), [""; 0]);
}

#[test]
fn a_find_is_lifted_whole() {
    for (kind, text, all) in [
        (
            Kind::Identifier,
            "IBAN ES91 2100 0418 4502 0005 1332 is it",
            &["ES91 2100 0418 4502 0005 1332"][..],
        ),
        (
            Kind::Identifier,
            "use churn-api:1.9.2 as of arXiv:1011.0107",
            &["churn-api:1.9.2", "arXiv:1011.0107"],
        ),
        (Kind::Identifier, "by IEC 61000-4-4 or ISO 9001", &["IEC 61000-4-4", "ISO 9001"]),
        (Kind::Identifier, "OR 0.84 and Python 0.9", &["Python 0.9"]),
        (Kind::Error, "it says -EAGAIN, no ENOENT", &["-EAGAIN", "ENOENT"]),
        (
            Kind::Error,
            "\"Error: Route /a used `b.c`. `b` should be awaited\"",
            &["Error: Route /a used `b.c`"],
        ),
        (
            Kind::Number,
            "0.5 mΩ, then 0.8 N·m, and 100 x10^9/L",
            &["0.5 mΩ", "0.8 N·m", "100 x10^9/L"],
        ),
        (Kind::Number, "the modulus 2^31 - 1 is it", &["2^31 - 1"]),
        (
            Kind::Number,
            "22 × 430 Wp fit, and 20 dead letters per hour",
            &["22 × 430 Wp", "20 dead letters"],
        ),
        (Kind::Number, "there were 17 dead in the fire", &["17 dead"]),
        (
            Kind::Number,
            "set `readTimeoutMs: 25000` and `size_of`: 80",
            &["readTimeoutMs: 25000", "`size_of`: 80"],
        ),
        (Kind::Number, "that Lemma 4.1 needs more", &["Lemma 4.1"]),
        (Kind::Number, "OR 0.84 (CI 0.72-0.98)", &["0.84", "0.72-0.98"]),
        (Kind::Number, "Node must be >= 20.9 there", &["Node must be >= 20.9"]),
        (Kind::Number, "with at most 5 MB, but about 7 MB", &["at most 5 MB", "7 MB"]),
        (Kind::Date, "hypothesis H2, then by H1 2026", &["H1 2026"]),
        (Kind::Date, "Abgabe am 7.12. um neun", &["7.12."]),
        (Kind::Name, "as in Wells v Devani here", &["Wells v Devani"]),
        (
            Kind::Name,
            "Et Hugo est là. El de Kutxabank. Without Leeds it fails.",
            &["Hugo", "Kutxabank", "Leeds"],
        ),
        (Kind::Name, "Las Vegas is hot. El Paso is hotter.", &["Las Vegas", "El Paso"]),
        (Kind::Name, "then Lemma and Theorem and the Example", &[]),
        (Kind::Command, "voyage du 4/4/2027 au 19/4/2027", &[]),
    ] {
        assert_eq!(lifted(kind, text), all, "{text}");
    }
}

#[test]
fn a_number_of_a_phone_is_lifted_behind_its_word() {
    for (text, number) in [
        ("su teléfono es 956 21 04 88", "956 21 04 88"),
        ("son numéro : 06 12 34 56 78", "06 12 34 56 78"),
    ] {
        assert_eq!(lifted(Kind::Identifier, text), [number], "{text}");
    }
}

#[test]
fn two_hours_are_one_date() {
    let told = "Er kommt zwischen 8 und 10 Uhr.";
    assert_eq!(lifted(Kind::Date, told), ["8 und 10 Uhr"]);
    let report = |summary| Report::of(&extract([told]), summary).missing.len();
    assert_eq!([report("von 8:00 bis 10:00"), report("um 10 Uhr")], [0, 1]);
    assert_eq!(lifted(Kind::Date, "Ventile (Kreis 4 am Verteiler)"), [""; 0]);
    assert_eq!(lifted(Kind::Date, "at 4 am Berlin time"), ["4 am"]);
}

#[test]
fn a_share_is_no_status_and_a_replacement_no_path() {
    assert_eq!(lifted(Kind::Error, "280 of 400 are possible"), [""; 0]);
    assert_eq!(lifted(Kind::Error, "most of 400 and of 404"), ["400", "404"]);
    let told = lifted(Kind::Path, "run sed -i '203s/-164.00/-1640.00/' books/jan.csv");
    assert_eq!(told, ["books/jan.csv"]);
}

#[test]
fn names_in_a_row_are_lifted_and_headlines_are_none() {
    for (text, all) in [
        (
            "Tell Tomás Ibarra about it. I spoke with Anna Schmidt and John O'Neill yesterday.",
            &["Tomás Ibarra", "Anna Schmidt", "John O'Neill"][..],
        ),
        (
            "Ask Priya Raman or Tomás Ibarra in Lisbon before touching prod-eu-1",
            &["Priya Raman", "Tomás Ibarra", "Lisbon"],
        ),
        (
            "We spoke with Anna Schmidt, John O'Neill and Dr. Lee. Ms. Okafor from Acme Corp agreed.",
            &["Anna Schmidt", "John O'Neill", "Dr. Lee", "Ms. Okafor", "Acme Corp"],
        ),
        ("How We Built Our New Data Platform With Apache Kafka And Postgres", &[]),
        ("How Anna Schmidt Built Our New Data Platform and Why It Was Slow", &[]),
        ("Ten Things That Every Good Engineer Should Know Before Going Live", &[]),
        ("Getting Started With Your First Data Pipeline: The Complete Guide for Teams", &[]),
    ] {
        assert_eq!(lifted(Kind::Name, text), all, "{text}");
    }
}
