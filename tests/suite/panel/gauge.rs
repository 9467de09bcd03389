//! The gauge: what the window holds, what it cost, and what moves.

use super::*;

/// A last request that cost what the window costs.
fn request(view: &MemoryView, usage: Usage) -> Measured {
    Measured {
        layers: view.layers,
        least: Tokens(view.layers.total().0 * 7 / 10),
        usage: Some(usage),
        paid: None,
    }
}

pub(super) fn gauge_text(
    view: &MemoryView,
    measured: Option<Usage>,
    window: Option<u64>,
    width: u16,
) -> String {
    let theme = theme(ThemeChoice::Dark);
    text_of(&drawn(width, 4, |area, buffer| {
        let request = measured.map(|usage| request(view, usage));
        Gauge { model_window: window, ..gauge(view, request.as_ref(), &theme) }
            .render(area, buffer);
    }))
}

pub(super) fn gauge<'a>(
    view: &'a MemoryView,
    request: Option<&'a Measured>,
    theme: &'a Theme,
) -> Gauge<'a> {
    Gauge { view, request, model_window: None, peak: 0, flow: None, theme }
}

#[test]
fn the_gauge_fits_every_width() {
    for width in [30, 48, 80, 120] {
        let shown = gauge_text(&lively(), Some(MEASURED), Some(131_072), width);
        insta::assert_snapshot!(format!("gauge_{width}"), shown);
    }
}

#[test]
fn estimates_and_measurements_are_told_apart_and_layers_add_up() {
    let estimated = gauge_text(&lively(), None, None, 120);
    assert!(estimated.contains("~8,284 of 16,000 tokens (52 %)"), "{estimated}");
    let measured = gauge_text(&lively(), Some(MEASURED), None, 120);
    assert!(measured.contains("=9,000 of 16,000 tokens (56 %)"), "{measured}");
    for shown in [estimated, measured] {
        let legend =
            shown.lines().nth(3).and_then(|line| line.split('┊').next()).unwrap().to_owned();
        let numbers =
            legend.split_whitespace().filter_map(|word| word.replace(',', "").parse::<u64>().ok());
        assert_eq!(numbers.sum::<u64>(), 8_284, "the window as it is now: {legend}");
    }
}

#[test]
fn every_layer_that_memory_works_with_has_its_name_or_letter_in_the_bar() {
    let mut view = lively();
    view.layers.add(Layer::Notes, Tokens(1));
    view.layers.add(Layer::Scratchpad, Tokens(1));
    for width in 30..=200 {
        let shown = gauge_text(&view, None, Some(64_000), width);
        let bar = shown.lines().next().unwrap();
        assert_eq!(text::width(bar), usize::from(width));
        for (letter, name) in [
            ("A", "ambient"),
            ("E", "expanded"),
            ("O", "open"),
            ("M", "summaries"),
            ("N", "N"),
            ("P", "P"),
        ] {
            assert!(bar.contains(letter) || bar.contains(name), "{name}, width {width}: {bar}");
        }
        assert!(shown.contains("~8,286 of"), "{shown}");
        assert!(shown.contains("64,000"), "the model's window is the denominator: {shown}");
        assert!(shown.contains("95 % saved"), "width {width}: {shown}");
    }
}

#[test]
fn the_budget_is_an_edge_that_comes_into_view_as_it_nears() {
    let far = gauge_text(&lively(), None, None, 100);
    assert!(far.contains(" 7.7k free") && !far.contains('┃'), "{far}");
    let mut view = lively();
    view.layers.add(Layer::Open, Tokens(1_500));
    let near = gauge_text(&view, None, None, 100);
    let bar: Vec<char> = near.lines().next().unwrap().chars().collect();
    let place = |sign| bar.iter().position(|one| *one == sign);
    assert_eq!((place('┊'), place('┃')), (Some(65), Some(96)), "{near}");
    view.layers.add(Layer::Open, Tokens(90_000));
    let over = gauge_text(&view, None, None, 100);
    assert!(over.lines().next().unwrap().contains("open 93,554"), "{over}");
}

#[test]
fn what_leaves_drains_from_the_bar_and_its_number_flies() {
    let (view, theme) = (lively(), theme(ThemeChoice::Dark));
    let mut before = view.layers;
    before.add(Layer::Open, Tokens(541));
    let flow = Flow::new(&before, &view.layers, Duration::from_secs(9)).unwrap();
    let bar = |millis| {
        let flow = Some((flow, Duration::from_millis(millis)));
        let gauge = Gauge { peak: 7_500, flow, ..gauge(&view, None, &theme) };
        let shown = text_of(&drawn(80, 2, |area, buffer| drop(gauge.render(area, buffer))));
        shown.lines().next().unwrap().to_owned()
    };
    let used = |bar: &str| bar.chars().filter(|sign| *sign != '·').count();
    let (first, later, last) = (bar(9_000), bar(9_300), bar(9_900));
    assert!(first.contains("−541") && later.contains("−541"), "{first}\n{later}");
    assert!(first.find('−') < later.find('−'), "it flies:\n{first}\n{later}");
    assert!(first.contains("open 2,595") && last.contains("open 2,054"), "{first}\n{last}");
    assert!(!last.contains('−') && used(&last) < used(&first), "{last}");
    assert_eq!(bar(60_000), last);
}

#[test]
fn what_flies_writes_over_no_words() {
    let (view, theme) = (lively(), theme(ThemeChoice::Dark));
    let mut before = view.layers;
    before.add(Layer::Open, Tokens(541));
    let flow = Flow::new(&before, &view.layers, Duration::from_secs(9)).unwrap();
    for (millis, width) in
        (9_000..9_900).step_by(20).flat_map(|at| [(at, 80), (at, 120), (at, 200)])
    {
        let flow = Some((flow, Duration::from_millis(millis)));
        let view = MemoryView { budget: Tokens(32_000), ..view.clone() };
        let gauge = Gauge { flow, ..gauge(&view, None, &theme) };
        let bar = text_of(&drawn(width, 2, |area, buffer| drop(gauge.render(area, buffer))));
        let bar = bar.lines().next().unwrap();
        assert!(width < 200 || bar.contains("k free"), "{bar}");
        assert!(bar.contains("−541"), "{bar}");
        let cut = bar.replace("k free to the budget 32,000", "").replace("k free", "");
        assert!(!cut.contains("free") && !cut.contains("budget"), "nothing is written over: {bar}");
    }
}

#[test]
fn what_came_from_the_cache_is_hatched() {
    let theme = theme(ThemeChoice::Mono);
    let hatched = |height, row, read| {
        let view = lively();
        let paid = Some(Paid::reported(9_000, read, 0, 120));
        let request = Measured { paid, ..request(&view, MEASURED) };
        let gauge = gauge(&view, Some(&request), &theme);
        let shown = text_of(&drawn(80, height, |area, buffer| drop(gauge.render(area, buffer))));
        shown.lines().nth(row).unwrap().chars().take(30).filter(|sign| *sign == '╱').count()
    };
    let below = [0, 1_360, 4_360].map(|read| hatched(4, 1, read));
    assert_eq!(below, [0, 0, 30], "prompt and tools are not in the bar");
    assert_eq!(hatched(4, 0, 4_360), 0, "names are not hatched where there is room below them");
    let [none, fixed, some] = [0, 1_360, 4_360].map(|read| hatched(2, 0, read));
    assert!(none == 0 && fixed == 0 && (1..30).contains(&some), "but beside them: {some}");
}

#[test]
fn a_cut_prompt_is_an_alarm_and_what_comes_next_is_told() {
    let cut = Usage { prompt: 4_096, completion: 1, cached: None, written: 0, hour: None };
    for (width, words) in [
        (160, "! the server read less than the ~8,284 tokens sent: it cut the prompt"),
        (80, "! prompt cut: ~8,284 sent"),
        (44, "! prompt cut"),
    ] {
        let shown = gauge_text(&lively(), Some(cut), Some(131_072), width);
        assert!(shown.contains("=4,096 of") && shown.contains(words), "{width}: {shown}");
    }
    let before = request(&lively(), MEASURED);
    let mut view = lively();
    view.layers = Layers::default();
    view.layers.add(Layer::System, Tokens(1_360));
    let theme = theme(ThemeChoice::Dark);
    let shown = text_of(&drawn(120, 3, |area, buffer| {
        gauge(&view, Some(&before), &theme).render(area, buffer);
    }));
    assert!(shown.contains("=9,000 of 16,000 tokens (56 %) · next ~1,360"), "{shown}");
}

#[test]
fn a_server_that_may_count_in_another_way_is_no_alarm() {
    let counted =
        Usage { prompt: 4_096, completion: 1, cached: Some(2_000), written: 0, hour: None };
    for (width, words) in
        [(160, "the server counted 4,096 of the ~8,284 tokens sent"), (80, "counted 4,096")]
    {
        let shown = gauge_text(&lively(), Some(counted), Some(131_072), width);
        assert!(shown.contains(words) && !shown.contains('!'), "{width}: {shown}");
    }
}

#[test]
fn an_uncounted_history_is_called_a_lower_bound() {
    let view = MemoryView {
        full_history: FullHistory { tokens: Tokens(156_789), is_counted: false },
        ..lively()
    };
    assert!(
        gauge_text(&view, None, None, 120)
            .contains("full history over 155,429 beside prompt and tools (95 % saved)")
    );
    let small = MemoryView {
        full_history: FullHistory { tokens: Tokens(8_284), is_counted: true },
        ..lively()
    };
    assert!(!gauge_text(&small, None, None, 120).contains("saved"));
}

#[test]
fn what_is_saved_is_told_of_the_window_whatever_the_last_request_was() {
    let view = MemoryView {
        full_history: FullHistory { tokens: Tokens(20_000), is_counted: true },
        ..lively()
    };
    for usage in [None, Some(MEASURED)] {
        let shown = gauge_text(&view, usage, None, 120);
        assert!(
            shown.contains("full history 18,640 beside prompt and tools (62 % saved)"),
            "{shown}"
        );
    }
}

#[test]
fn what_came_from_the_cache_is_told_in_as_many_words_as_there_is_room_for() {
    let theme = theme(ThemeChoice::Dark);
    let shown = |paid: Option<Paid>, width| {
        let request = Measured { paid, ..request(&lively(), MEASURED) };
        text_of(&drawn(width, 2, |area, buffer| {
            let view = lively();
            let gauge = gauge(&view, Some(&request), &theme);
            Gauge { model_window: Some(131_072), ..gauge }.render(area, buffer);
        }))
    };
    let paid = Paid::reported(9_000, 7_920, 0, 120);
    for (width, words) in [
        (160, "(7 %) · 88 % cached · 56 % of the budget"),
        (80, "(7 %) · 88 % cached"),
        (60, "(7 %) · ≡88 %"),
        (40, "(7 %) · ≡88 %"),
    ] {
        let told = shown(Some(paid), width);
        assert!(told.contains(words) && told.contains("95 % saved"), "{width}: {told}");
        let guessed = shown(Some(Paid { estimated: true, ..paid }), width);
        assert!(guessed.contains("~88 %"), "{width}: {guessed}");
        let unknown = shown(None, width);
        assert!(!unknown.contains('≡') && !unknown.contains("cached"), "{width}: {unknown}");
    }
}

#[test]
fn the_next_tide_is_told_where_there_is_room() {
    let tide = NextTide { turns: 3, exchanges: 5, tokens: Tokens(4_123), waits: false };
    let shown = |tide, width| {
        let view = MemoryView { next_tide: tide, ..lively() };
        text_of(&panel_buffer(&view, &mut PanelState::default(), false, width, 40))
    };
    assert!(shown(Some(tide), 48).contains("│   tide in 3 turns: 5 exchanges, 4.1k\n"));
    assert!(shown(Some(tide), 26).contains("│   tide in 3 turns: 4.1k\n"));
    let next = NextTide { turns: 1, exchanges: 1, tokens: Tokens(840), waits: false };
    assert!(shown(Some(next), 48).contains("tide in 1 turn: 1 exchange, 840\n"));
    let waiting = Some(NextTide { waits: true, ..tide });
    let words = "tide after 3 turns outside efforts: 5 exchanges, 4.1k\n";
    assert!(shown(waiting, 80).contains(words) && shown(waiting, 26).contains("tide waits"));
    let cold = Some(NextTide { turns: 0, ..tide });
    let words = "tide with your next message, as the cache is cold: 5 exchanges, 4.1k\n";
    assert!(shown(cold, 120).contains(words), "{}", shown(cold, 120));
    assert!(shown(cold, 26).contains("tide with the next"), "{}", shown(cold, 26));
    let efforts = Some(NextTide { turns: 0, exchanges: 0, ..tide });
    assert!(shown(efforts, 48).contains("tide with your next message: 4.1k\n"));
    for none in [None, Some(NextTide::default())] {
        assert!(!shown(none, 80).contains("tide"));
    }
}
