//! A log that does not fit: its end and its beginning stay, a pointer stands for the middle. The raw
//! log itself is whole, in memory and on disk.
//!
//! [`stand_in`] is the only place that words what stands for left-out messages: a finished compression
//! takes the place of its excerpt there.

use std::ops::Range;
use std::sync::Arc;

use super::preview;
use crate::counted::grouped;
use crate::memory::{CountTokens, Message, Role, Tokens};

/// Kept free for the pointer line.
const POINTER: u64 = 48;

/// A message is not previewed in fewer tokens.
pub(super) const LEAST_PREVIEW: u64 = 48;

/// Tokens of the excerpt behind the pointer.
const EXCERPT: u64 = 40;

/// Counts the tokens of messages.
pub(super) fn cost(messages: &[Message]) -> Tokens {
    messages.iter().map(|message| message.tokens).sum()
}

/// A log within `target` tokens, or with just its last `protected` user messages if these cost more.
/// `place` names the log: `the log of effort auth-bug`.
pub(super) fn squeeze(
    log: &[Message],
    target: Tokens,
    protected: usize,
    place: &str,
    counter: &dyn CountTokens,
) -> Vec<Message> {
    let mut room = target.0.saturating_sub(POINTER);
    let from = protected_from(log, protected);
    let mut tail = protected_end(&log[from..], from, &mut room, place, counter);
    let mut end = from;
    let mut for_tail = room * 2 / 3;
    while end > 0 && log[end - 1].tokens.0 <= for_tail {
        end -= 1;
        for_tail -= log[end].tokens.0;
        room -= log[end].tokens.0;
        tail.insert(0, log[end].clone());
    }
    let mut start = 0;
    while start < end && log[start].tokens.0 <= room {
        room -= log[start].tokens.0;
        start += 1;
    }
    let mut shown = log[..start].to_vec();
    if start < end && room >= 2 * LEAST_PREVIEW {
        let place = format!("{place}, message {}", start + 1);
        if let Some(short) = shorten(&log[start], Tokens(room - LEAST_PREVIEW), &place, counter) {
            room -= short.tokens.0;
            start += 1;
            shown.push(short);
        }
    }
    if start < end {
        shown.push(stand_in(&log[start..end], start..end, Tokens(room), place, counter));
    }
    shown.extend(tail);
    shown
}

/// The message that stands for left-out ones: a pointer line and, where there is room, an excerpt. They are all in
/// these places of the log, which may hold others that are shown.
pub(super) fn stand_in(
    left_out: &[Message],
    places: Range<usize>,
    room: Tokens,
    place: &str,
    counter: &dyn CountTokens,
) -> Message {
    let (first, last) = (places.start + 1, places.end);
    let numbers =
        if first == last { format!("message {first}") } else { format!("messages {first}-{last}") };
    let tokens = grouped(cost(left_out).0);
    let pointer = format!("[… {tokens} tokens left out; full text in {place}, {numbers}]");
    let middle = &left_out[left_out.len() / 2];
    let ratio = middle.content.len() as u64 / middle.tokens.0.max(1);
    let excerpt = preview::head_of(&middle.content, (ratio * EXCERPT).min(400) as usize).trim();
    let with_excerpt = format!("{pointer}\nFrom the middle: {excerpt}");
    let wanted = counter.count(&with_excerpt);
    if !excerpt.is_empty() && wanted.0 <= room.0.min(EXCERPT * 3) {
        return Message { role: Role::User, content: with_excerpt.into(), tokens: wanted };
    }
    let tokens = counter.count(&pointer);
    Message { role: Role::User, content: pointer.into(), tokens }
}

/// A message within `target` tokens; `None` if there is no room for anything of it.
pub(super) fn shorten(
    message: &Message,
    target: Tokens,
    place: &str,
    counter: &dyn CountTokens,
) -> Option<Message> {
    let pointer =
        |left: Tokens| format!("[… {} tokens left out; full text in {place}]", grouped(left.0));
    let text = (&*message.content, message.tokens);
    let content: Arc<str> = preview::preview(text, target, counter, &pointer)?.into();
    let tokens = counter.count(&content);
    (tokens <= target).then_some(Message { role: message.role, content, tokens })
}

/// Where the last `protected` user messages begin.
fn protected_from(log: &[Message], protected: usize) -> usize {
    let users = log.iter().enumerate().rev().filter(|(_, message)| message.role == Role::User);
    users.take(protected).last().map_or(log.len(), |(at, _)| at)
}

/// The protected end: user messages whole, replies as far as there is room.
fn protected_end(
    end: &[Message],
    offset: usize,
    room: &mut u64,
    place: &str,
    counter: &dyn CountTokens,
) -> Vec<Message> {
    let users = end.iter().filter(|message| message.role == Role::User);
    *room = room.saturating_sub(users.map(|message| message.tokens.0).sum());
    let mut kept = Vec::with_capacity(end.len());
    for (nth, message) in end.iter().enumerate().rev() {
        if message.role == Role::User {
            kept.push(message.clone());
        } else if message.tokens.0 <= *room {
            *room -= message.tokens.0;
            kept.push(message.clone());
        } else if *room >= LEAST_PREVIEW {
            let place = format!("{place}, message {}", offset + nth + 1);
            if let Some(short) = shorten(message, Tokens(*room), &place, counter) {
                *room -= short.tokens.0;
                kept.push(short);
            }
        }
    }
    kept.reverse();
    kept
}
