//! A person's own colours: what `[theme]` in the config file gives to roles.

use ratatui::style::{Color, Modifier, Style};

use super::Theme;
use crate::config::Custom;
use crate::memory::Layer;
use crate::nearest::nearest;

/// The roles with names of their own; the layers of the window follow as `layer_system` and so on.
const ROLES: &[&str] = &[
    "text",
    "dim",
    "strong",
    "accent",
    "user",
    "assistant",
    "banner",
    "error",
    "warning",
    "border",
    "border_focused",
    "selection",
];

const LAYER: &str = "layer_";

impl Theme {
    /// The names of all roles, as in the config file.
    pub fn roles() -> Vec<String> {
        let layers = Layer::ALL.into_iter().map(|layer| format!("{LAYER}{}", layer.as_str()));
        ROLES.iter().map(|&role| role.to_owned()).chain(layers).collect()
    }

    /// The theme with a person's own colours. What makes no sense keeps its default and is told in a
    /// sentence with file, line and key. Without `coloured` (mono, `NO_COLOR`) only bold and the like
    /// are taken over.
    #[must_use]
    pub fn with(mut self, own: &[Custom], coloured: bool) -> (Self, Vec<String>) {
        let mut faults = Vec::new();
        for custom in own {
            let Some(role) = self.role_mut(&custom.name.replace('-', "_")) else {
                faults.push(unknown(custom));
                continue;
            };
            match parse(&custom.text()) {
                Ok(style) if coloured => *role = style,
                Ok(style) => *role = Style { fg: None, bg: None, ..style },
                Err(why) => faults.push(format!(
                    "theme.{}: {why} (from: {}). The default holds.",
                    custom.name, custom.source
                )),
            }
        }
        (self, faults)
    }

    fn role_mut(&mut self, name: &str) -> Option<&mut Style> {
        if let Some(layer) = name.strip_prefix(LAYER) {
            let layer = Layer::ALL.into_iter().find(|known| known.as_str() == layer)?;
            return Some(&mut self.layers[layer as usize]);
        }
        Some(match name {
            "text" => &mut self.text,
            "dim" => &mut self.dim,
            "strong" => &mut self.strong,
            "accent" => &mut self.accent,
            "user" => &mut self.user,
            "assistant" => &mut self.assistant,
            "banner" => &mut self.banner,
            "error" => &mut self.error,
            "warning" => &mut self.warning,
            "border" => &mut self.border,
            "border_focused" => &mut self.border_focused,
            "selection" => &mut self.selection,
            _ => return None,
        })
    }
}

fn unknown(custom: &Custom) -> String {
    let roles = Theme::roles();
    let hint = match nearest(&custom.name, roles.iter().map(String::as_str)) {
        Some(name) => format!("Did you mean theme.{name}?"),
        None => "`ebbtide config roles` lists them all.".to_owned(),
    };
    format!(
        "there is no role \"theme.{}\" (from: {}). {hint} The line has no effect.",
        custom.name, custom.source
    )
}

/// Reads `bold light-blue`, `#b48ead`, `214 on black`, `default`.
fn parse(text: &str) -> Result<Style, String> {
    let mut style = Style::new();
    let (mut ground, mut named) = (false, false);
    for word in text.split_whitespace() {
        let word = word.to_lowercase();
        match word.as_str() {
            "on" => {
                ground = true;
                continue;
            }
            "bold" => style = style.add_modifier(Modifier::BOLD),
            "dim" => style = style.add_modifier(Modifier::DIM),
            "italic" => style = style.add_modifier(Modifier::ITALIC),
            "underlined" | "underline" => style = style.add_modifier(Modifier::UNDERLINED),
            "reversed" | "reverse" => style = style.add_modifier(Modifier::REVERSED),
            colour if ground => style = style.bg(colour_of(colour)?),
            colour => style = style.fg(colour_of(colour)?),
        }
        named = true;
    }
    if named { Ok(style) } else { Err(format!("{text:?} names no colour")) }
}

fn colour_of(word: &str) -> Result<Color, String> {
    if word == "default" {
        return Ok(Color::Reset);
    }
    word.parse().map_err(|_| {
        format!(
            "{word:?} is no colour: write black, red, green, yellow, blue, magenta, cyan, gray, white, \
             dark-gray, light-red and so on, default, a number up to 255, or #rrggbb"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Source;
    use crate::tui::theme::ThemeChoice;

    fn custom(name: &str, value: &str) -> Custom {
        let source = Source::File { path: "config.toml".into(), line: 7 };
        Custom { name: name.into(), values: vec![value.into()], is_words: true, source }
    }

    fn dark() -> Theme {
        Theme::detect(false, ThemeChoice::Dark, None)
    }

    #[test]
    fn every_role_can_be_given_a_colour() {
        for role in Theme::roles() {
            let (mut theme, faults) = dark().with(&[custom(&role, "bold #010203 on 7")], true);
            assert_eq!(faults, Vec::<String>::new());
            let style = *theme.role_mut(&role).unwrap();
            let expected = Style::new().fg(Color::Rgb(1, 2, 3)).bg(Color::Indexed(7));
            assert_eq!(style, expected.add_modifier(Modifier::BOLD), "{role}");
        }
    }

    #[test]
    fn names_and_the_terminals_own_colour_are_understood() {
        assert_eq!(parse("Light-Blue"), Ok(Style::new().fg(Color::LightBlue)));
        assert_eq!(parse("default"), Ok(Style::new().fg(Color::Reset)));
        assert_eq!(parse("reversed"), Ok(Style::new().add_modifier(Modifier::REVERSED)));
    }

    #[test]
    fn without_colours_only_the_rest_is_taken_over() {
        let mono = Theme::detect(true, ThemeChoice::Dark, None);
        let (theme, _) = mono.with(&[custom("banner", "underlined red on blue")], false);
        assert_eq!(theme.banner, Style::new().add_modifier(Modifier::UNDERLINED));
    }

    #[test]
    fn a_bad_colour_or_role_is_told_with_its_place_and_keeps_its_default() {
        let own = [
            custom("accnt", "red"),
            custom("banner", "pinkish"),
            custom("user", ""),
            custom("dim", "on"),
        ];
        let (theme, faults) = dark().with(&own, true);
        assert_eq!(theme, dark());
        assert_eq!(faults.len(), 4);
        assert_eq!(
            faults[0],
            "there is no role \"theme.accnt\" (from: config.toml:7). Did you mean theme.accent? The line \
             has no effect."
        );
        assert!(faults[1].starts_with("theme.banner: \"pinkish\" is no colour: "), "{}", faults[1]);
        assert!(faults[1].ends_with("(from: config.toml:7). The default holds."), "{}", faults[1]);
    }
}
