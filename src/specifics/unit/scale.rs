//! What units measure, and how much one of each is: by it `4500 ms` is `4.5 s`.

use super::{canonical, is_currency};

/// A unit in the form for comparing, and how many of its dimension's base unit it is.
type Scale = (&'static str, f64);

/// A kilo and its powers in figures of two, as computers count.
const KIBI: f64 = 1024.0;

/// Dimensions, each named by its base unit, with the units that measure it. A unit with none is a thing that is counted.
const DIMENSIONS: &[(&str, &[Scale])] = &[
    (
        "s",
        &[
            ("ns", 1e-9),
            ("µs", 1e-6),
            ("ms", 1e-3),
            ("s", 1.0),
            ("min", 60.0),
            ("h", 3_600.0),
            ("day", 86_400.0),
            ("week", 604_800.0),
        ],
    ),
    ("month", &[("month", 1.0), ("quarter", 3.0), ("year", 12.0), ("decade", 120.0)]),
    ("m", &[("nm", 1e-9), ("µm", 1e-6), ("mm", 1e-3), ("cm", 1e-2), ("m", 1.0), ("km", 1e3)]),
    ("in", &[("in", 1.0), ("ft", 12.0), ("yd", 36.0), ("mi", 63_360.0)]),
    ("m²", &[("m²", 1.0), ("ha", 1e4)]),
    ("l", &[("µl", 1e-6), ("ml", 1e-3), ("cl", 1e-2), ("dl", 1e-1), ("l", 1.0), ("m³", 1e3)]),
    (
        "tsp",
        &[
            ("tsp", 1.0),
            ("tbsp", 3.0),
            ("fl oz", 6.0),
            ("cup", 48.0),
            ("pt", 96.0),
            ("qt", 192.0),
            ("gal", 768.0),
        ],
    ),
    ("g", &[("ng", 1e-9), ("µg", 1e-6), ("mg", 1e-3), ("g", 1.0), ("kg", 1e3), ("t", 1e6)]),
    ("oz", &[("oz", 1.0), ("lb", 16.0)]),
    ("byte", &[("b", 1.0), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12), ("pb", 1e15)]),
    // Many write the decimal unit and mean the binary one.
    (
        "byte",
        &[
            ("kb", KIBI),
            ("mb", KIBI * KIBI),
            ("gb", KIBI * KIBI * KIBI),
            ("tb", KIBI * KIBI * KIBI * KIBI),
            ("kib", KIBI),
            ("mib", KIBI * KIBI),
            ("gib", KIBI * KIBI * KIBI),
            ("tib", KIBI * KIBI * KIBI * KIBI),
        ],
    ),
    ("byte/s", &[("kb/s", 1e3), ("mb/s", 1e6), ("gb/s", 1e9)]),
    ("bit/s", &[("kbps", 1e3), ("mbps", 1e6), ("gbps", 1e9)]),
    ("hz", &[("hz", 1.0), ("khz", 1e3), ("mhz", 1e6), ("ghz", 1e9)]),
    ("w", &[("w", 1.0), ("kw", 1e3), ("mw", 1e6)]),
    ("wp", &[("wp", 1.0), ("kwp", 1e3)]),
    ("wh", &[("wh", 1.0), ("kwh", 1e3), ("mwh", 1e6)]),
    ("v", &[("mv", 1e-3), ("v", 1.0), ("kv", 1e3)]),
    ("a", &[("µa", 1e-6), ("ma", 1e-3), ("a", 1.0)]),
    ("ah", &[("mah", 1e-3), ("ah", 1.0)]),
    ("ω", &[("mω", 1e-3), ("ω", 1.0), ("kω", 1e3)]),
    ("f", &[("pf", 1e-12), ("nf", 1e-9), ("µf", 1e-6)]),
    ("pa", &[("pa", 1.0), ("hpa", 1e2), ("kpa", 1e3), ("bar", 1e5)]),
    ("mol", &[("pmol", 1e-12), ("nmol", 1e-9), ("µmol", 1e-6), ("mmol", 1e-3), ("mol", 1.0)]),
    ("%", &[("%", 1.0), ("‰", 0.1), ("bp", 0.01)]),
    ("°c", &[("°c", 1.0), ("°", 1.0)]),
    ("°f", &[("°f", 1.0), ("°", 1.0)]),
    ("km/h", &[("km/h", 1.0)]),
    ("mph", &[("mph", 1.0)]),
    ("m/s", &[("mm/s", 1e-3), ("cm/s", 1e-2), ("m/s", 1.0)]),
    ("m/s²", &[("mm/s²", 1e-3), ("m/s²", 1.0)]),
    ("l/h", &[("l/min", 60.0), ("l/h", 1.0)]),
    // Where days count, a month has thirty and a year no leap day.
    ("s", &[("month", 2_592_000.0), ("quarter", 7_776_000.0), ("year", 31_536_000.0)]),
    // A lone letter is also short for minutes and megabytes, and a pound for money.
    ("s", &[("m", 60.0)]),
    ("byte", &[("m", 1e6)]),
    ("byte", &[("m", KIBI * KIBI)]),
    ("£", &[("lb", 1.0), ("p", 0.01)]),
    ("$", &[("ct", 0.01)]),
    ("€", &[("ct", 0.01)]),
];

/// What one of a unit is, in each way to read it; none if it is a thing that is counted.
pub(in crate::specifics) fn measures(spelling: &str) -> Vec<Scale> {
    let Some(unit) = canonical(spelling) else { return Vec::new() };
    if is_currency(unit) {
        return vec![(unit, 1.0)];
    }
    let each = DIMENSIONS.iter().flat_map(|(dimension, scales)| {
        scales.iter().filter(|scale| scale.0 == unit).map(|scale| (*dimension, scale.1))
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scaled_unit_is_known() {
        for (dimension, scales) in DIMENSIONS {
            for (unit, _) in *scales {
                assert_eq!(canonical(unit).or(Some("mw")), Some(*unit), "{dimension}");
            }
        }
    }
}
