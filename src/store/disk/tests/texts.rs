//! Texts that are held by reference.

use super::Scene;
use crate::memory::tests::Words;
use crate::store::{Label, Store};

const PLAN: Label<'_> = Label { key: "plan", description: "a text", what: "the text" };

pub(super) fn a_text_that_is_held_by_reference(scene: &Scene) {
    let mut store = Store::open(&scene.session).unwrap().store;
    let text = "a long text\n".repeat(1_000);
    store.scratchpad_mut().save(PLAN, text.as_bytes(), &Words).unwrap();
    scene.each_left(|left| {
        assert!(left.opened.store.scratchpad().whole("plan", 1 << 20).unwrap() == text);
    });
}

/// Safe at the end like a short one; what must not be is that one sync takes as long as all of it.
pub(super) fn a_text_of_many_megabytes(scene: &Scene) {
    let mut store = Store::open(&scene.session).unwrap().store;
    let text = "a long text\n".repeat(800_000);
    store.scratchpad_mut().save(PLAN, text.as_bytes(), &Words).unwrap();
    assert!(scene.watch.largest() < text.len(), "one sync has to write all of it");
}
