//! What may stand before what a sentence asks for: greetings and fillers.

use super::phrases::Phrases;

/// Words that may stand before what a sentence asks for.
#[rustfmt::skip]
const LEAD_INS: Phrases = Phrases::of(&[
    "thank you",
    "okay", "so", "hi", "hello", "hey", "there", "great", "now", "then", "and", "well", "alright",
    "right", "please", "actually", "also", "next", "cool", "thanks", "yes", "yeah", "yep", "sure",
    "perfect", "nice", "hmm", "today", "first", "meanwhile", "separately", "good", "but", "maybe",
    "oh", "anyway", "anyways", "excellent", "awesome", "wonderful", "fine", "morning", "evening",
    "afternoon", "wait", "just", "again", "finally", "super", "brilliant",
]);

/// The words behind greetings and fillers.
pub(super) fn skip_lead_ins<W: AsRef<str>>(words: &[W]) -> &[W] {
    let mut rest = words;
    while let Some(behind) = LEAD_INS.after(rest) {
        rest = behind;
    }
    rest
}
