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
