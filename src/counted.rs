//! Numbers as people read them, and what they count: `1,234,567`, `1 turn`, `2,000 turns`.

/// A number with a comma between each three digits: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The noun for so many: `turn`, `turns`.
pub fn noun(count: u64, one: &str) -> String {
    format!("{one}{}", if count == 1 { "" } else { "s" })
}

/// So many of something: `1 turn`, `2,000 turns`.
pub fn counted(count: u64, one: &str) -> String {
    format!("{} {}", grouped(count), noun(count, one))
}

/// So many bytes: `12 KB`, `3.4 MB`, `5.2 GB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// A cost in money, as far as that is known, else in tokens of plain input: `$1.2500`, `2,104`.
pub fn cost(in_money: Option<(f64, &str)>, tokens: f64) -> String {
    in_money.map_or_else(|| grouped(tokens.round() as u64), |(sum, currency)| money(sum, currency))
}

/// Places behind the point of a sum of money, and of the smallest one.
const PLACES: usize = 4;
const MOST_PLACES: usize = 15;

/// A sum of money as people read it: `$1.2500`, `EUR 1,234.5000`. One that would be nothing so has two digits: `$0.000012`.
pub fn money(sum: f64, currency: &str) -> String {
    let gap = if currency.ends_with(char::is_alphabetic) { " " } else { "" };
    let is_small = sum != 0.0 && sum.abs() < 0.000_05;
    let places = if is_small { 1 - sum.abs().log10().floor() as i32 } else { 0 };
    let places = (places as usize).clamp(PLACES, MOST_PLACES);
    let sum = format!("{sum:.places$}");
    let (whole, part) = sum.split_once('.').unwrap_or((&sum, ""));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    format!("{currency}{gap}{whole}.{part}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands_and_one_alone_is_singular() {
        for (number, text) in
            [(0, "0 turns"), (1, "1 turn"), (999, "999 turns"), (1_000, "1,000 turns")]
        {
            assert_eq!(counted(number, "turn"), text);
        }
        for (bytes, text) in [
            (0, "0 KB"),
            (1, "1 KB"),
            (999_999, "1000 KB"),
            (3_410_000, "3.4 MB"),
            (5_230_000_000, "5.2 GB"),
        ] {
            assert_eq!(size(bytes), text);
        }
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn money_is_told_in_groups_with_its_currency() {
        assert_eq!(money(3_189.988_2, "$"), "$3,189.9882");
        assert_eq!(money(1.25, "EUR"), "EUR 1.2500");
        for (sum, told) in [
            (0.0, "$0.0000"),
            (0.000_06, "$0.0001"),
            (0.000_012_3, "$0.000012"),
            (4e-9, "$0.0000000040"),
        ] {
            assert_eq!(money(sum, "$"), told);
        }
    }
}
