//! Lays the window out: what stands where, and what it costs.
//!
//! Every piece of the system message ends with a line end and the next begins with a visible
//! character. `cl100k_base` never joins tokens across such a border, so the cost of the message is
//! exactly the sum of its pieces, and each piece is counted once, not once a turn.

use std::sync::Arc;

use super::{Effort, Layer, Layers, Memory, Message, Role, Source, Tokens, Window, WindowItem};

/// Open efforts that are listed by name; `effort_status` pages through the rest.
const OPEN_LISTED: usize = 10;

pub(super) const SUMMARIES_HEADING: &str = "## Concluded efforts\n";
const OPEN_HEADING: &str = "## Open efforts\n";
const EXPANDED_HEADING: &str = "## Expanded efforts (full log below)\n";

/// A text that ends with exactly one line end.
pub(super) fn terminated(text: &str) -> String {
    format!("{}\n", text.trim_end())
}

/// The line that stands for a concluded effort.
pub(super) fn summary_line(effort: &Effort) -> String {
    let summary = effort.summary.as_deref().unwrap_or_default();
    format!("- {}: {summary}\n", effort.id)
}

impl Memory {
    /// The window as the next turn would start from it, before its user message.
    pub fn window(&self) -> Window {
        let mut window = Window::default();
        self.push_system(&mut window);
        self.push_manifest(&mut window);
        self.push_notes(&mut window);
        for message in self.ambient.tail() {
            window.push(item(Layer::Ambient, Source::Ambient, message));
        }
        for effort in self.expanded_efforts() {
            for message in &effort.raw {
                window.push(item(Layer::Expanded, Source::Expanded(effort.id.clone()), message));
            }
        }
        for effort in self.open_efforts() {
            for message in &effort.raw {
                window.push(item(Layer::Open, Source::Open(effort.id.clone()), message));
            }
        }
        window
    }

    /// The window of a request that carries a new user message. The message counts for the layer of
    /// the log that it will go to if nothing is opened or closed.
    pub fn window_with(&self, user_message: &str) -> Window {
        let mut window = self.window();
        let layer = if self.open.is_empty() { Layer::Ambient } else { Layer::Open };
        let message = Message {
            role: Role::User,
            content: user_message.into(),
            tokens: self.counter.count(user_message),
        };
        window.push(item(layer, Source::NewMessage, &message));
        window
    }

    /// Tokens of the window by layer, without laying it out.
    pub fn layers(&self) -> Layers {
        let mut layers = self.frame_layers;
        layers.add(Layer::Summaries, self.warm_tokens);
        for line in self.manifest_lines() {
            layers.add(Layer::Summaries, self.counter.count(&line));
        }
        layers.add(Layer::Notes, self.note_tokens());
        layers.add(Layer::Ambient, self.ambient.tail_tokens());
        for effort in self.expanded_efforts() {
            layers.add(Layer::Expanded, effort.raw_tokens.unwrap_or_default());
        }
        for effort in self.open_efforts() {
            layers.add(Layer::Open, effort.raw_tokens.unwrap_or_default());
        }
        layers
    }

    /// Messages in the ambient layer.
    pub fn ambient_messages(&self) -> usize {
        self.ambient.tail_len()
    }

    fn push_system(&self, window: &mut Window) {
        window.push(WindowItem {
            layer: Layer::System,
            role: Role::System,
            source: Source::SystemPrompt,
            content: terminated(&self.frame.system_prompt).into(),
            tokens: self.frame_layers.of(Layer::System),
        });
        window.push(WindowItem {
            layer: Layer::Tools,
            role: Role::System,
            source: Source::ToolDefinitions,
            content: Arc::from(""),
            tokens: self.frame_layers.of(Layer::Tools),
        });
    }

    fn push_manifest(&self, window: &mut Window) {
        let piece = |source: Source, content: String, tokens: Tokens| WindowItem {
            layer: Layer::Summaries,
            role: Role::System,
            source,
            content: content.into(),
            tokens,
        };
        if !self.warm.is_empty() {
            let heading = SUMMARIES_HEADING.to_owned();
            let tokens = self.counter.count(&heading);
            window.push(piece(Source::Manifest, heading, tokens));
        }
        for effort in self.warm_efforts() {
            let tokens = effort.line_tokens.unwrap_or_default();
            window.push(piece(Source::Summary(effort.id.clone()), summary_line(effort), tokens));
        }
        for line in self.listing_lines() {
            let tokens = self.counter.count(&line);
            window.push(piece(Source::Manifest, line, tokens));
        }
    }

    /// All lines of the summaries layer but the summaries.
    fn manifest_lines(&self) -> Vec<String> {
        let heading = (!self.warm.is_empty()).then(|| SUMMARIES_HEADING.to_owned());
        heading.into_iter().chain(self.listing_lines()).collect()
    }

    /// The lists of expanded and open efforts.
    fn listing_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.expanded.is_empty() {
            lines.push(EXPANDED_HEADING.to_owned());
            lines.extend(self.expanded_efforts().map(|effort| format!("- {}\n", effort.id)));
        }
        if !self.open.is_empty() {
            lines.push(OPEN_HEADING.to_owned());
            for (nth, effort) in self.open_efforts().rev().take(OPEN_LISTED).enumerate() {
                let mark = if nth == 0 { " (active)" } else { "" };
                lines.push(format!("- {}{mark}\n", effort.id));
            }
            if self.open.len() > OPEN_LISTED {
                lines.push(format!("- and {} more\n", self.open.len() - OPEN_LISTED));
            }
        }
        lines
    }
}

fn item(layer: Layer, source: Source, message: &Message) -> WindowItem {
    WindowItem {
        layer,
        role: message.role,
        source,
        content: Arc::clone(&message.content),
        tokens: message.tokens,
    }
}
