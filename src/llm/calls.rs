//! Puts tool calls together from the fragments of a stream.
//!
//! Servers disagree on everything but the order of the arguments' text. A fragment belongs to the
//! call with its id, else to the call with its index, else to the latest call.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::ids::Ids;
use super::json_end::JsonEnd;
use super::limits::{ARGUMENTS, CALLS, Excess, FRAGMENTS, NAME, weight};
use super::{Event, ToolCall};

/// The calls of one answer while they arrive.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    made: Vec<Partial>,
    /// A call in the protocol's old form, used only when no other came.
    old_form: Option<Partial>,
    /// The pieces that came, and their bytes.
    fragments: usize,
    bytes: usize,
}

/// One call while it arrives.
#[derive(Debug, Default)]
struct Partial {
    id: String,
    index: Option<i64>,
    name: String,
    arguments: String,
    end: JsonEnd,
    extra: Map<String, Value>,
    announced: bool,
}

/// What one entry of `tool_calls` says, with null taken for absent.
struct Fragment<'a> {
    id: &'a str,
    index: Option<i64>,
    name: &'a str,
    arguments: String,
    extra: Vec<(&'a String, &'a Value)>,
}

impl Calls {
    /// Takes the call fragments of a delta or a whole message.
    ///
    /// # Errors
    /// Fails at the fragment that passes a bound, and takes no more.
    pub(crate) fn push(
        &mut self,
        delta: &Map<String, Value>,
        out: &mut Vec<Event>,
    ) -> Result<(), Excess> {
        let entries = delta.get("tool_calls").and_then(Value::as_array);
        let entries = entries.map_or(&[][..], Vec::as_slice);
        for (position, entry) in entries.iter().enumerate() {
            let Some(mut fragment) = Fragment::read(entry) else { continue };
            if entries.len() > 1 && fragment.id.is_empty() {
                // Side by side without index: different calls, told apart by their position.
                fragment.index = fragment.index.or(i64::try_from(position).ok());
            }
            self.measure(&fragment)?;
            self.take(&fragment, out)?;
        }
        if entries.is_empty()
            && let Some(Value::Object(function)) = delta.get("function_call")
        {
            let fragment = Fragment::of_function(Some(function));
            self.measure(&fragment)?;
            let call = self.old_form.get_or_insert_default();
            call.merge(&fragment)?;
            if self.made.is_empty() {
                call.announce_when_named(false, out);
            }
        }
        Ok(())
    }

    /// How much came, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether no call began.
    pub(crate) fn is_empty(&self) -> bool {
        self.made.is_empty() && self.old_form.is_none()
    }

    /// Announces the calls that wait for arguments which will not come any more.
    pub(crate) fn close(&mut self, out: &mut Vec<Event>) {
        let alone = self.made.is_empty();
        let old_form = self.old_form.iter_mut().filter(|_| alone);
        for call in self.made.iter_mut().chain(old_form) {
            call.announce_when_named(true, out);
        }
    }

    /// The complete calls, each with an id of its own.
    pub(crate) fn complete(self, ids: &mut Ids) -> Vec<ToolCall> {
        let mut calls = self.made;
        if calls.is_empty() {
            calls.extend(self.old_form);
        }
        let mut taken = BTreeSet::new();
        calls
            .into_iter()
            .filter(|call| !(call.name.is_empty() && call.arguments.trim().is_empty()))
            .map(|call| {
                let mut id = call.id;
                while id.is_empty() || !taken.insert(id.clone()) {
                    id = ids.next();
                }
                ToolCall {
                    id,
                    name: clean_name(&call.name).to_owned(),
                    arguments: whole_arguments(call.arguments),
                    extra: call.extra,
                }
            })
            .collect()
    }

    fn measure(&mut self, fragment: &Fragment<'_>) -> Result<(), Excess> {
        self.fragments += 1;
        self.bytes += fragment.bytes();
        if self.fragments > FRAGMENTS {
            return Err(Excess::Fragments);
        }
        if self.bytes > ARGUMENTS { Err(Excess::Arguments) } else { Ok(()) }
    }

    fn take(&mut self, fragment: &Fragment<'_>, out: &mut Vec<Event>) -> Result<(), Excess> {
        let found = self.find(fragment).filter(|&at| !self.made[at].is_followed_by(fragment));
        if found.is_none() && self.made.len() == CALLS {
            return Err(Excess::Calls);
        }
        let at = found.unwrap_or_else(|| {
            self.close(out);
            self.made.push(Partial { index: fragment.index, ..Partial::default() });
            self.made.len() - 1
        });
        let call = &mut self.made[at];
        if !call.is_repeated_by(fragment) {
            call.merge(fragment)?;
        }
        call.announce_when_named(false, out);
        Ok(())
    }

    fn find(&self, fragment: &Fragment<'_>) -> Option<usize> {
        // The latest of several with one index, because servers reuse it.
        let by_index = fragment
            .index
            .and_then(|index| self.made.iter().rposition(|call| call.index == Some(index)));
        if !fragment.id.is_empty() {
            let has_id = |call: &Partial| call.id == fragment.id;
            let by_both = by_index.filter(|&at| has_id(&self.made[at]));
            let by_id = by_both.or_else(|| self.made.iter().rposition(has_id));
            if by_index.is_none() && by_id.is_some_and(|at| self.made[at].is_beside(fragment)) {
                return None;
            }
            // A new id starts a new call, unless it comes late, or changes with every fragment:
            // then the fragments after the first bring no name.
            return by_id.or_else(|| {
                by_index.filter(|&at| self.made[at].id.is_empty() || fragment.name.is_empty())
            });
        }
        if fragment.index.is_some() {
            let latest_unnumbered =
                self.made.last().filter(|call| call.index.is_none() && fragment.name.is_empty());
            return by_index.or(latest_unnumbered.map(|_| self.made.len() - 1));
        }
        self.made.len().checked_sub(1)
    }
}

impl Partial {
    fn merge(&mut self, fragment: &Fragment<'_>) -> Result<(), Excess> {
        if self.id.is_empty() {
            fragment.id.clone_into(&mut self.id);
        }
        if fragment.name.starts_with(&self.name) {
            fragment.name.clone_into(&mut self.name);
        } else {
            self.name.push_str(fragment.name);
        }
        if self.name.len() > NAME {
            self.name.clear();
            return Err(Excess::Name);
        }
        self.arguments.push_str(&fragment.arguments);
        self.end.push(&fragment.arguments);
        for (key, value) in &fragment.extra {
            self.extra.insert((*key).clone(), (*value).clone());
        }
        Ok(())
    }

    /// Whether the fragment begins another call although its id or index is this one's.
    fn is_followed_by(&self, fragment: &Fragment<'_>) -> bool {
        let begins = fragment.arguments.trim_start().starts_with('{');
        // With neither id nor index, another name is all that tells two calls apart.
        let unmarked = fragment.id.is_empty() && fragment.index.is_none();
        let renamed = unmarked && !self.name.is_empty() && fragment.name != self.name;
        !fragment.name.is_empty()
            && (begins || renamed)
            && self.end.has_ended()
            && !self.is_repeated_by(fragment)
    }

    /// Whether the fragment, whose index is no other call's, begins one of its own with this one's id.
    fn is_beside(&self, fragment: &Fragment<'_>) -> bool {
        let numbered = self.index.is_some() && fragment.index.is_some();
        let goes_on = !self.end.has_ended() && self.name == fragment.name;
        let begins =
            fragment.arguments.is_empty() || fragment.arguments.trim_start().starts_with('{');
        numbered
            && !fragment.name.is_empty()
            && (begins || !goes_on)
            && !self.is_repeated_by(fragment)
    }

    /// Whether the fragment says the whole call once more.
    fn is_repeated_by(&self, fragment: &Fragment<'_>) -> bool {
        !self.id.is_empty()
            && self.id == fragment.id
            && self.name == fragment.name
            && self.arguments == fragment.arguments
            && self.end.has_ended()
    }

    /// Reports the call once its name cannot grow any more: when arguments follow it, or at the end.
    fn announce_when_named(&mut self, at_end: bool, out: &mut Vec<Event>) {
        let certain = at_end || !self.arguments.is_empty();
        if certain && !self.announced && !self.name.is_empty() {
            self.announced = true;
            out.push(Event::ToolCallStarted { name: clean_name(&self.name).to_owned() });
        }
    }
}

impl<'a> Fragment<'a> {
    fn read(entry: &'a Value) -> Option<Self> {
        let entry = entry.as_object()?;
        let known = ["id", "index", "type", "function"];
        let extra = entry
            .iter()
            .filter(|(key, value)| !known.contains(&key.as_str()) && !value.is_null())
            .collect();
        let id = entry.get("id").and_then(Value::as_str).unwrap_or_default();
        let index = entry.get("index").and_then(Value::as_i64);
        let function = entry.get("function").and_then(Value::as_object);
        Some(Self { id, index, extra, ..Self::of_function(function) })
    }

    /// Reads the function's name and arguments; a call without function has neither.
    fn of_function(function: Option<&'a Map<String, Value>>) -> Self {
        let field = |key| function.and_then(|function| function.get(key));
        let name = field("name").and_then(Value::as_str).unwrap_or_default();
        let arguments = match field("arguments") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        Self { id: "", index: None, name, arguments, extra: Vec::new() }
    }

    fn bytes(&self) -> usize {
        let extra = self.extra.iter().map(|(key, value)| key.len() + weight(value));
        self.id.len() + self.name.len() + self.arguments.len() + extra.sum::<usize>()
    }
}

/// A name without control tokens that leaked into it and without the namespace of some models.
fn clean_name(name: &str) -> &str {
    let name = name.split("<|").next().unwrap_or_default().trim();
    let name = name.strip_prefix("functions.").unwrap_or(name);
    // A name there must be, or no server takes the conversation back.
    if name.is_empty() { "unnamed" } else { name }
}

/// The arguments as they are, but for the forms that mean "none".
fn whole_arguments(arguments: String) -> String {
    match arguments.trim() {
        "" | "null" => "{}".to_owned(),
        trimmed if trimmed.len() == arguments.len() => arguments,
        trimmed => trimmed.to_owned(),
    }
}

#[cfg(test)]
mod tests;
