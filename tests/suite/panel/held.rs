//! Exchanges that stay because the model's cache keeps nothing that is smaller.

use ebbtide::memory::Tokens;
use ebbtide::tui::answer;
use ebbtide::tui::panel::PanelState;

use super::{lively, panel_buffer, text_of};

#[test]
fn why_more_exchanges_stay_than_usual_is_told() {
    let mut view = lively();
    let ambient = |view: &_, width| {
        let shown = text_of(&panel_buffer(view, &mut PanelState::default(), false, width, 24));
        let line = shown.lines().find(|line| line.contains("ambient")).expect("it is there");
        line.to_owned()
    };
    let usual = [80, 48, 30].map(|width| ambient(&view, width));
    assert!(usual.iter().all(|line| !line.contains("cache")), "{usual:?}");
    assert!(!answer::stats(&view, None, None, None).contains("keeps nothing below"));
    view.kept_for_cache = Some(Tokens(4_096));
    for (width, told) in
        [(80, " exchanges, kept for the cache (4,096 tokens)"), (48, ", for the cache")]
    {
        let line = ambient(&view, width);
        assert!(line.contains(told), "{line}");
    }
    assert_eq!(ambient(&view, 30), usual[2], "there is no room for it");
    let stats = answer::stats(&view, None, None, None);
    assert!(stats.contains("the model's cache keeps nothing below 4,096 tokens"), "{stats}");
}
