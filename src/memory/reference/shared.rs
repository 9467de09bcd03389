//! The words that a message shares with an effort. In a script without spaces those are the characters that stand side by
//! side in the message and in the effort, if they may be a word.

use std::borrow::Cow;
use std::ops::Range;

use super::ReferenceIndex;
use super::weighed::Known;
use crate::letters::{Telling, is_unspaced, telling_in};

/// A word that a message shares with an effort.
#[derive(Debug)]
pub(super) struct SharedWord<'a> {
    /// As the message has it, in lower case.
    pub(super) form: Cow<'a, str>,
    pub(super) weight: f64,
    /// How much it says while the session is small.
    pub(super) says: f64,
    pub(super) is_everyday: bool,
}

/// The part of a message where known characters stand side by side.
#[derive(Debug)]
struct Stretch<'a> {
    parts: Vec<&'a Known<'a>>,
    end: usize,
}

impl ReferenceIndex {
    /// What is known of a message and shared with an effort, as words.
    pub(super) fn as_words<'a>(
        &self,
        message: &'a str,
        shared: Vec<&'a Known<'a>>,
    ) -> Vec<SharedWord<'a>> {
        let word = |known: &'a Known<'a>| SharedWord {
            form: Cow::Borrowed(&*known.form),
            weight: known.weight,
            says: self.weight_of(self.holding(known.word), self.is_everyday(known)),
            is_everyday: self.is_everyday(known),
        };
        if message.is_ascii() {
            return shared.into_iter().map(word).collect();
        }
        let is_part = |known: &&Known| known.form.starts_with(is_unspaced);
        let (mut parts, words): (Vec<_>, Vec<_>) = shared.into_iter().partition(is_part);
        parts.sort_by_key(|known| known.place.start);
        let of_parts = stretches(parts).into_iter().filter_map(|stretch| {
            let at = stretch.parts[0].place.start..stretch.end;
            let form = message.get(at.clone())?;
            let all = || stretch.parts.iter().copied().map(word);
            // Neighbours share a character: together they weigh as much as half of them.
            let sum = all().map(|one| one.weight).sum::<f64>() / 2.0;
            let most = |of: fn(&SharedWord) -> f64| all().map(|one| of(&one)).fold(0.0, f64::max);
            let weight = most(|one| one.weight).max(sum);
            let shared = SharedWord {
                form: form.into(),
                weight,
                says: most(|one| one.says),
                is_everyday: false,
            };
            (telling_in_run(message, &at) == Telling::Much).then_some(shared)
        });
        words.into_iter().map(word).chain(of_parts).collect()
    }
}

/// What a part of a message says among the characters around it that no space parts from it.
fn telling_in_run(message: &str, part: &Range<usize>) -> Telling {
    let before = message[..part.start].trim_end_matches(is_unspaced).len();
    let rest = &message[part.end..];
    let behind = part.end + rest.len() - rest.trim_start_matches(is_unspaced).len();
    telling_in(&message[before..behind], &(part.start - before..part.end - before))
}

/// Characters that overlap, by where they stand.
fn stretches<'a>(parts: Vec<&'a Known<'a>>) -> Vec<Stretch<'a>> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for part in parts {
        match stretches.last_mut().filter(|before| part.place.start < before.end) {
            Some(before) => {
                before.end = before.end.max(part.place.end);
                before.parts.push(part);
            }
            None => stretches.push(Stretch { parts: vec![part], end: part.place.end }),
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a message refers to an effort with a summary by its words.
    fn refers(summary: &str, message: &str) -> bool {
        let mut index = ReferenceIndex::default();
        index.insert(0, "one", summary);
        let weighed = index.weigh(message);
        !index.by_keywords(&weighed, (message, 2)).is_empty()
    }

    #[test]
    fn words_of_any_language_refer_to_what_was_concluded() {
        for (summary, message) in [
            (
                "台所のタイルは灰色、大工さんは火曜日。",
                "灰色のタイルと大工さんの件ですが、7番でいいですか。",
            ),
            ("厨房瓷砖用灰色，木工师傅星期二来。", "灰色瓷砖和木工师傅的事，选7号可以吗？"),
            ("부엌 타일은 회색, 목수는 화요일.", "회색 타일과 목수 말인데요, 7번으로 할까요?"),
            ("กระเบื้องห้องครัวสีเทา ช่างไม้มาวันอังคาร", "เรื่องกระเบื้องสีเทากับช่างไม้ เบอร์ 7 ดีไหม"),
            (
                "Плитка на кухне серая, плотник придёт.",
                "Про серую плитку и плотника: номер 7 берём?",
            ),
            (
                "Mutfak fayansı gri, marangoz salı geliyor.",
                "Fayansı ve marangozu soracaktım, FAYANSI 7 numara mı?",
            ),
            ("بلاط المطبخ رمادي، النجار يأتي الثلاثاء.", "بخصوص البلاط والنجار، هل نأخذ رقم 7؟"),
            ("The tiles are grey, the carpenter comes.", "What about the tiles and the carpenter?"),
        ] {
            assert!(refers(summary, message), "{message}");
        }
    }

    #[test]
    fn grammar_and_parts_of_words_refer_to_nothing() {
        for (summary, message) in [
            ("台所のタイルは灰色に決定しました。", "光の速さはどれくらいですか。教えてください。"),
            ("厨房的瓷砖是灰色的，什么时候来？", "光速是多少？什么时候知道的？"),
            ("부엌 타일은 회색으로 결정했습니다.", "빛의 속도는 얼마입니까? 알려 주십시오."),
            ("กระเบื้องห้องครัวเป็นสีเทา", "แสงเร็วเท่าไหร่"),
            ("Плитка на кухне серая.", "Какова скорость света?"),
        ] {
            assert!(!refers(summary, message), "{message}");
        }
    }
}
