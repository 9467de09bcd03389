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

/// A sum of money as people read it: `$1.2500`, `EUR 1,234.5000`.
pub fn money(sum: f64, currency: &str) -> String {
    let gap = if currency.ends_with(char::is_alphabetic) { " " } else { "" };
    let sum = format!("{sum:.4}");
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
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn money_is_told_in_groups_with_its_currency() {
        assert_eq!(money(3_189.988_2, "$"), "$3,189.9882");
        assert_eq!(money(1.25, "EUR"), "EUR 1.2500");
    }
}
