//! On which line of a YAML text a value stands: what is found wrong with a file only after it was read is told with its
//! line all the same.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A step from a value to one that it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// To the value of a field.
    Field(&'a str),
    /// To an item of a list, from 0.
    Item(usize),
}

/// The way to a value, as people write it: `turns[3].rest`.
pub(super) fn way(steps: &[Step<'_>]) -> String {
    let step = |step: &Step<'_>| match step {
        Step::Item(nth) => format!("[{nth}]"),
        Step::Field(name) => format!(".{name}"),
    };
    let way: String = steps.iter().map(step).collect();
    way.trim_start_matches('.').to_owned()
}

/// The line of the value at the end of the steps, from 1; the last one on the way that there is. The text is read
/// once more up to it, so this is for what is wrong.
pub(super) fn line_of(text: &str, steps: &[Step<'_>]) -> usize {
    match Seek(steps).deserialize(yaml_serde::Deserializer::from_str(text)) {
        Ok(()) => 1,
        Err(found) => line_of_error(&found, text),
    }
}

/// The line that an error of the parser is about, from 1: where it names none, the one at which reading stopped.
pub(super) fn line_of_error(error: &yaml_serde::Error, text: &str) -> usize {
    let second = || text.lines().skip(1).position(|line| line.starts_with("---")).map(|at| at + 2);
    let end = || text.lines().count().max(1);
    error.location().map_or_else(|| second().unwrap_or_else(end), |place| place.line())
}

/// Goes to a value and fails there, because only the parser's errors know their line.
struct Seek<'a>(&'a [Step<'a>]);

impl<'de> DeserializeSeed<'de> for Seek<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the value that is looked for")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        if let Some((Step::Item(nth), rest)) = self.0.split_first() {
            for _ in 0..*nth {
                items.next_element::<IgnoredAny>()?;
            }
            items.next_element_seed(Seek(rest))?;
        }
        Err(A::Error::custom("here"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        if let Some((Step::Field(name), rest)) = self.0.split_first() {
            while let Some(field) = fields.next_key::<String>()? {
                if field == *name {
                    fields.next_value_seed(Seek(rest))?;
                }
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Err(A::Error::custom("here"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
config:
  token_budget: 5000
turns:
  - user: a
  - {user: b,
     rest: 4}
  - user: c
    model:
      - text: d
";

    #[test]
    fn each_value_has_its_line() {
        use Step::{Field, Item};
        for (steps, line) in [
            (&[][..], 1),
            (&[Field("config"), Field("token_budget")], 2),
            (&[Field("turns")], 4),
            (&[Field("turns"), Item(0)], 4),
            (&[Field("turns"), Item(1)], 5),
            (&[Field("turns"), Item(1), Field("rest")], 6),
            (&[Field("turns"), Item(2), Field("model"), Item(0), Field("text")], 9),
            (&[Field("turns"), Item(2), Field("rest")], 7),
            (&[Field("turns"), Item(9)], 4),
        ] {
            assert_eq!(line_of(TEXT, steps), line, "{}", way(steps));
        }
        assert_eq!(way(&[Field("turns"), Item(1), Field("rest")]), "turns[1].rest");
    }
}
