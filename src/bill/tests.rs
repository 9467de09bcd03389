use proptest::prelude::*;

use super::*;

/// A text of so many bytes that no other seed has.
fn text(seed: u64, bytes: usize) -> Vec<u8> {
    format!("{seed:016}").into_bytes().into_iter().cycle().take(bytes).collect()
}

fn prompt(parts: &[(u64, usize)]) -> Prompt {
    let mut prompt = Prompt::for_model("m");
    for &(seed, bytes) in parts {
        prompt.push(&text(seed, bytes), bytes as u64 / 4);
    }
    prompt
}

fn marked(front: &[(u64, usize)], back: &[(u64, usize)]) -> Prompt {
    let mut prompt = prompt(front);
    prompt.mark();
    for &(seed, bytes) in back {
        prompt.push(&text(seed, bytes), bytes as u64 / 4);
    }
    prompt
}

fn said(user: u64, reply: u64) -> Said {
    Said { user, reply, output: reply, fixed: 1_000, ..Said::default() }
}

fn turn(bill: &mut Bill, own: Paid, said: &Said) {
    bill.record(Purpose::Chat, own);
    bill.end_turn(said);
}

#[test]
fn what_a_server_reports_is_held_to_its_prompt() {
    let paid = Paid::reported(100, 130, 20, 5);
    assert_eq!((paid.read, paid.written, paid.uncached), (100, 0, 0));
    let paid = Paid::reported(100, 60, 70, 5);
    assert_eq!((paid.read, paid.written, paid.uncached, paid.output), (60, 40, 0, 5));
}

#[test]
fn the_longest_known_beginning_is_read() {
    let mut cache = PrefixCache::new(300);
    let kind = CacheKind::Prefix;
    let first = prompt(&[(1, 4_000), (2, 800), (3, 400)]);
    let cold = cache.send(&first, kind, 10);
    assert_eq!((cold.read, cold.uncached, cold.estimated), (0, 1_300, true));
    assert_eq!(cache.send(&first, kind, 20).read, 1_300);
    // A message that was changed in its middle still counts up to there.
    let mut changed = prompt(&[(1, 4_000)]);
    let mut long = text(2, 512);
    long.extend(text(9, 512));
    changed.push(&long, 256);
    assert_eq!(cache.send(&changed, kind, 30).read, 1_000 + 128);
    // Another model knows nothing of it, and without a cache nothing is known.
    let mut other = Prompt::for_model("n");
    other.push(&text(1, 4_000), 1_000);
    assert_eq!(cache.send(&other, kind, 30).read, 0);
    assert_eq!(cache.send(&first, CacheKind::None, 30).read, 0);
}

#[test]
fn a_beginning_turns_cold_after_its_lifetime() {
    let mut cache = PrefixCache::new(300);
    let one = prompt(&[(1, 4_000)]);
    cache.send(&one, CacheKind::Prefix, 0);
    assert_eq!(cache.send(&one, CacheKind::Prefix, 300).read, 1_000, "each use refreshes it");
    assert_eq!(cache.send(&one, CacheKind::Prefix, 600).read, 1_000);
    assert_eq!(cache.send(&one, CacheKind::Prefix, 901).read, 0);
}

#[test]
fn a_cache_with_breakpoints_reads_and_writes_up_to_marks_only() {
    let mut cache = PrefixCache::new(300);
    let kind = CacheKind::Breakpoints;
    let first = cache.send(&marked(&[(1, 4_000)], &[(2, 400)]), kind, 0);
    assert_eq!((first.read, first.written, first.uncached), (0, 1_000, 100));
    // The beginning up to the old mark is there, what followed it is not, though it was sent.
    let grown = cache.send(&marked(&[(1, 4_000), (2, 400)], &[(3, 400)]), kind, 1);
    assert_eq!((grown.read, grown.written, grown.uncached), (1_000, 100, 100));
    let unmarked = cache.send(&prompt(&[(1, 4_000), (2, 400)]), kind, 2);
    assert_eq!((unmarked.read, unmarked.written, unmarked.uncached), (0, 0, 1_100));
}

#[test]
fn a_beginning_that_is_too_short_is_neither_written_nor_read() {
    for (kind, least, read, written) in [
        (CacheKind::Prefix, 1_001, 0, 0),
        (CacheKind::Prefix, 1_000, 1_000, 0),
        (CacheKind::Breakpoints, 1_101, 0, 0),
        (CacheKind::Breakpoints, 1_100, 0, 1_100),
        (CacheKind::Breakpoints, 1_000, 1_000, 100),
    ] {
        let mut cache = PrefixCache::new(300);
        cache.set_least(least);
        let mut first = prompt(&[(1, 4_000)]);
        first.mark();
        cache.send(&first, kind, 0);
        let mut next = prompt(&[(1, 4_000), (2, 400)]);
        next.mark();
        assert_eq!(cache.sent_before(&next, kind, 9_999), 1_000, "whatever it keeps");
        let paid = cache.send(&next, kind, 1);
        assert_eq!((paid.read, paid.written), (read, written), "{kind:?} {least}");
    }
}

#[test]
fn another_run_goes_on_from_the_last_prompt() {
    let sent = prompt(&[(1, 4_000)]);
    for kind in [CacheKind::Prefix, CacheKind::Breakpoints] {
        let mut cache = PrefixCache::new(300);
        let mut sent = sent.clone();
        sent.mark();
        cache.send(&sent, kind, 10);
        let mut next = PrefixCache::new(300);
        next.restore(cache.last_sent().to_vec(), 10);
        assert_eq!(next.send(&sent, kind, 20).read, 1_000);
    }
}

#[test]
fn what_is_remembered_is_bounded_and_the_last_prompt_always_is() {
    let mut cache = PrefixCache::new(300);
    for seed in 0..40 {
        let large = prompt(&[(seed, 1_000_000)]);
        cache.send(&large, CacheKind::Prefix, 0);
        assert_eq!(cache.send(&large, CacheKind::Prefix, 0).read, 250_000);
    }
    assert_eq!(cache.send(&prompt(&[(0, 1_000_000)]), CacheKind::Prefix, 0).read, 0);
    assert!(cache.remembered() < 50_000, "{}", cache.remembered());
}

#[test]
fn where_a_part_of_a_prompt_was_counted_the_others_pay_a_part_too() {
    let (mut whole, mut part) = (Baselines::default(), Baselines::default());
    for _ in 0..3 {
        whole.turn(&said(1_000, 1_000));
        part.turn(&Said { part: Some([1, 2]), ..said(1_000, 1_000) });
    }
    let (whole, part) = (whole.with_cache, part.with_cache);
    assert_eq!(part.history, whole.history, "what was said is there all the same");
    assert_eq!(part.paid().prompt() * 2, whole.paid().prompt());
    assert_eq!((part.paid().read * 2, part.said.output), (whole.paid().read, whole.said.output));
    let mut same = Other::default();
    let paid = Paid::reported(1_000, 0, 0, 5);
    same.turn_compacted(&Said { same: Some(paid), part: Some([1, 2]), ..said(1_000, 1_000) }, []);
    assert_eq!((same.paid(), same.history), (paid, 2_000));
}

#[test]
fn full_history_reads_what_it_sent_and_pays_for_what_is_new() {
    let mut others = Baselines::default();
    others.turn(&said(100, 50));
    others.turn(&Said { looked_up: 30, ..said(10, 20) });
    let full = others.with_cache;
    assert_eq!((full.said.read, full.said.uncached, full.said.output), (100, 190, 70));
    assert_eq!((full.shared.read, full.shared.uncached), (1_000, 1_000));
    assert_eq!(full.history, 210);
    let without = others.without_cache;
    assert_eq!((without.said.read, without.said.uncached), (0, 290));
    others.turn(&Said { cold: true, ..said(1, 1) });
    assert_eq!(others.with_cache.said.read, 100, "its cache is cold at the same pause");
    assert_eq!(others.with_cache.said.uncached, 190 + 211);
    let mut marked = Baselines::default();
    marked.turn(&Said { cache: CacheKind::Breakpoints, ..said(100, 50) });
    assert_eq!((marked.with_cache.said.written, marked.with_cache.said.uncached), (100, 0));
}

#[test]
fn a_full_history_is_kept_from_the_least_on_that_a_cache_keeps() {
    for (cache, written) in [(CacheKind::Prefix, 0), (CacheKind::Breakpoints, 6_500)] {
        let mut others = Baselines::default();
        // Prompts of 2,000, 3,500, 5,000 and 6,500 tokens.
        for _ in 0..4 {
            others.turn(&Said { cache, least: 3_000, ..said(1_000, 500) });
        }
        let paid = others.with_cache.paid();
        assert_eq!((paid.read, paid.written), (3_500 + 5_000, written), "{cache:?}");
        assert_eq!(paid.prompt(), others.without_cache.paid().prompt());
    }
}

#[test]
fn what_a_server_has_of_the_first_request_the_others_would_have_had_too() {
    for cache in [CacheKind::Prefix, CacheKind::Breakpoints] {
        // System prompt and tools from another session; then the very same message, too.
        for found in [0, 700, 1_000, 1_060] {
            let said = Said { cold: true, found, cache, ..said(100, 50) };
            let written = if cache == CacheKind::Breakpoints { 1_100 } else { 0 };
            let mut bill = Bill::default();
            turn(&mut bill, Paid::reported(1_100, found, written, 50), &said);
            let prices = Prices { cached: 0.1, write: 1.25, output: 5.0, ..Prices::default() };
            let net = bill.net(&prices);
            assert!(net.abs() < 1e-6, "{cache:?}, {found}: {net}");
            assert_eq!(bill.baselines().without_cache.paid().read, 0);
        }
    }
    // What is warm in its own right is read, whatever the server says.
    let mut others = Baselines::default();
    others.turn(&said(100, 50));
    others.turn(&said(10, 20));
    assert_eq!(others.with_cache.paid().read, 1_100);
}

#[test]
fn a_program_that_compacts_pays_for_its_summary_and_goes_on_with_it() {
    let mut then = Other::default();
    then.turn_compacted(&said(1_000, 500), []);
    then.turn_compacted(&said(100, 50), [(40, 60)]);
    // The history is read from the cache for the summary of 40 tokens; what stays beside that is new to the cache.
    let paid = then.paid();
    assert_eq!(
        (then.history, then.said.read, then.said.output),
        (40 + 60 + 150, 1_000, 500 + 40 + 50)
    );
    assert_eq!(then.said.uncached, 1_000 + 500 + (100 + 100));
    assert_eq!(paid.output, then.said.output);
    then.begin_anew(0);
    assert_eq!(then.history, 0);
}

#[test]
fn requests_of_a_turn_are_told_as_one_but_where_who_compacts_does_so_between_them() {
    let one = |user, looked_up| Said { user, looked_up, fixed: 1_000, ..said(0, 0) };
    let mut requests = vec![one(1_000, 0)];
    requests.extend([one(0, 20_000); 10]);
    let mut others = Baselines::default();
    others.turn_of(&requests);
    let [full, compacting] = [others.with_cache, others.compacting].map(|one| one.paid().prompt());
    assert_eq!((full, others.with_cache.history), (202_000, 201_000));
    // Seven results fit beside the message; a request for the summary reads that again, and the other three stand behind it.
    assert_eq!((others.compactions, compacting), (1, 142_000 + 142_000 + 73_000));
    assert_eq!(others.compacting.history, 12_000 + 60_000);
    let mut alone = Baselines::default();
    alone.turn(&one(5, 6));
    let mut parted = Baselines::default();
    parted.turn_of(&[one(5, 0), one(0, 6)]);
    assert_eq!(alone, parted);
}

#[test]
fn a_stopped_turn_is_paid_by_all_and_kept_by_none() {
    let (mut others, mut without) = (Baselines::default(), Baselines::default());
    for others in [&mut others, &mut without] {
        others.turn(&said(100, 50));
    }
    others.stopped(&Said { user: 30, output: 4, fixed: 1_000, ..Said::default() });
    let full = others.with_cache;
    assert_eq!((full.history, full.said.read, full.said.output), (150, 100, 54));
    assert_eq!(full.said.uncached, 100 + 80);
    // What it sent of the history is warm.
    for others in [&mut others, &mut without] {
        others.turn(&said(10, 5));
    }
    assert_eq!(others.with_cache.said.read, 100 + 150);
    assert_eq!(others.with_cache.history, without.with_cache.history);
}

#[test]
fn the_compacting_one_never_sends_more_than_its_line() {
    let mut others = Baselines::default();
    let mut before = others.compacting.paid().prompt();
    for nth in 0..400 {
        others.turn(&said(500, 1_500));
        let paid = others.compacting.paid().prompt();
        // At a compaction it sends the old history and then the new one.
        assert!(paid - before <= COMPACTS_AT + COMPACTED_TO + 3_000, "turn {nth}");
        assert!(others.compacting.history <= COMPACTS_AT + 2_000);
        before = paid;
    }
    // A summary frees 148,000 tokens, and 800,000 were said.
    assert_eq!(others.compactions, 5);
    assert_eq!(others.compacting.said.output, 400 * 1_500 + 5 * COMPACTION_WRITES);
    // All that it goes on with is new to the cache.
    let uncached = others.compacting.said.uncached;
    assert_eq!(uncached, 800_000 - 1_500 + 5 * COMPACTED_TO);
}

#[test]
fn memory_that_has_cost_more_says_when_it_will_have_paid() {
    let prices = Prices::default();
    let mut bill = Bill::default();
    assert_eq!(bill.outlook(&prices), Outlook::Nothing);
    let own = Paid::reported(9_000, 5_000, 0, 500);
    let step = |bill: &mut Bill| turn(bill, own, &said(500, 500));
    (0..30).for_each(|_| step(&mut bill));
    let Outlook::Behind { behind, pays: Some((turn, history)) } = bill.outlook(&prices) else {
        panic!("{:?}", bill.outlook(&prices));
    };
    assert!(behind > 0.0);
    while bill.net(&prices) < 0.0 {
        step(&mut bill);
    }
    assert!(bill.turns().abs_diff(turn) <= 2, "{} and not {turn}", bill.turns());
    let grown = bill.baselines().with_cache.history;
    assert!(grown.abs_diff(history) <= 3_000, "{grown} and not {history}");
    assert!(matches!(bill.outlook(&prices), Outlook::Ahead { .. }));
}

#[test]
fn where_reading_is_free_full_history_stays_the_cheaper_one() {
    let prices = Prices { cached: 0.0, ..Prices::default() };
    let mut bill = Bill::default();
    (0..30).for_each(|_| turn(&mut bill, Paid::reported(9_000, 5_000, 0, 500), &said(500, 500)));
    assert!(matches!(bill.outlook(&prices), Outlook::Behind { pays: None, .. }));
}

#[test]
fn a_bill_goes_on_from_its_figures() {
    let mut bill = Bill::default();
    (1..14).for_each(|n| turn(&mut bill, Paid::reported(n * 100, n * 40, n, 7), &said(n, 2 * n)));
    let recent: Vec<TurnBill> = bill.recent().copied().collect();
    assert_eq!(recent.len(), RECENT_TURNS);
    let mut restored = Bill::restored(&bill.figures(), recent);
    assert_eq!(restored, bill);
    turn(&mut bill, Paid::reported(5, 1, 0, 1), &said(3, 3));
    turn(&mut restored, Paid::reported(5, 1, 0, 1), &said(3, 3));
    assert_eq!(restored, bill);
}

#[test]
fn of_the_same_request_everybody_pays_the_same_but_for_who_compacted() {
    let mut bill = Bill::default();
    let same = |paid| Said { same: Some(paid), ..said(70, 90) };
    for paid in [Paid::reported(1_500, 0, 1_400, 40), Paid::reported(1_700, 1_400, 200, 90)] {
        turn(&mut bill, paid, &same(paid));
        let [full, compacting] = [bill.baselines().with_cache, bill.baselines().compacting];
        assert_eq!((full.paid(), compacting.paid()), (bill.all().paid, bill.all().paid));
        assert_eq!(full.history, paid.prompt() - 1_000 + 90);
    }
    assert_eq!(bill.baselines().without_cache.paid(), Paid::reported(3_200, 0, 0, 130));
    // Who has compacted sends less than the rest.
    for user in [COMPACTS_AT, 70] {
        turn(&mut bill, Paid::reported(200_000, 0, 0, 9), &said(user, 9));
    }
    assert_eq!(bill.baselines().compactions, 1);
    let paid = Paid::reported(COMPACTS_AT, 0, 0, 9);
    turn(&mut bill, paid, &same(paid));
    let [full, compacting] = [bill.baselines().with_cache, bill.baselines().compacting];
    assert!(full.history > 2 * compacting.history);
}

fn kinds() -> impl Strategy<Value = CacheKind> {
    proptest::sample::select(CacheKind::ALL.to_vec())
}

fn sayings() -> impl Strategy<Value = Said> {
    let tokens = || prop_oneof![0_u64..5_000, any::<u64>()];
    let flags = (any::<bool>(), tokens(), kinds(), tokens());
    (tokens(), tokens(), tokens(), tokens(), flags).prop_map(
        |(user, looked_up, reply, fixed, (cold, found, cache, least))| Said {
            user,
            looked_up,
            reply,
            output: reply,
            fixed,
            cold,
            found,
            cache,
            least,
            same: None,
            part: None,
        },
    )
}

proptest! {
    #[test]
    fn each_token_of_a_prompt_is_paid_once(
        prompts in prop::collection::vec(
            (prop::collection::vec((0_u64..4, 0_usize..2_000), 0..6), any::<bool>(), 0_u64..400),
            1..20,
        ),
        kind in kinds(),
    ) {
        let mut cache = PrefixCache::new(300);
        let mut now = 0;
        for (parts, mark, pause) in prompts {
            now += pause;
            let mut sent = prompt(&parts);
            if mark {
                sent.mark();
            }
            let paid = cache.send(&sent, kind, now);
            prop_assert_eq!(paid.prompt(), sent.tokens());
            let again = cache.send(&sent, kind, now);
            prop_assert!(again.read >= paid.read && again.prompt() == sent.tokens());
            if kind == CacheKind::Prefix {
                prop_assert_eq!(again.read, sent.tokens());
            }
        }
    }

    #[test]
    fn a_beginning_is_read_that_was_sent_within_the_lifetime(
        prompts in prop::collection::vec((prop::collection::vec(0_u64..3, 1..5), 0_u64..3), 1..30),
    ) {
        let (mut cache, mut now) = (PrefixCache::new(2), 0);
        let mut before: Vec<(Vec<u64>, u64)> = Vec::new();
        for (seeds, pause) in prompts {
            now += pause;
            let was_sent = |upto: &usize| {
                before.iter().any(|(sent, at)| now - at <= 2 && sent.starts_with(&seeds[..*upto]))
            };
            let known = (1..=seeds.len()).take_while(was_sent).last().unwrap_or(0);
            let parts: Vec<_> = seeds.iter().map(|&seed| (seed, 40)).collect();
            let paid = cache.send(&prompt(&parts), CacheKind::Prefix, now);
            prop_assert_eq!(paid.read, 10 * known as u64);
            before.push((seeds, now));
        }
    }

    #[test]
    fn a_scaled_prompt_has_the_tokens_that_were_counted(
        prompt in any::<u64>(), cached in any::<u64>(), written in any::<u64>(), to in any::<u64>(),
    ) {
        let paid = Paid::reported(prompt / 2, cached, written, 1);
        prop_assert_eq!(paid.prompt(), prompt / 2);
        prop_assert_eq!(paid.scaled_to(to).prompt(), to);
    }

    #[test]
    fn sums_only_grow_whatever_was_said(turns in prop::collection::vec(sayings(), 1..30)) {
        let mut bill = Bill::default();
        let prices = Prices::default();
        let mut before = bill.figures();
        for said in turns {
            turn(&mut bill, Paid::reported(said.user, said.reply, said.fixed, said.reply), &said);
            let after = bill.figures();
            for (old, new) in before.sums.iter().flatten().zip(after.sums.iter().flatten()) {
                prop_assert!(new >= old);
            }
            for (old, new) in before.others.iter().zip(&after.others) {
                prop_assert!(old[..8].iter().zip(&new[..8]).all(|(old, new)| new >= old));
            }
            let others = bill.baselines();
            let [with, without] = [others.with_cache.paid(), others.without_cache.paid()];
            prop_assert!(with.output == without.output && without.read == 0);
            prop_assert!(prices.cost(&with) >= 0.0 && bill.net(&prices).is_finite());
            if let Outlook::Behind { behind, pays } = bill.outlook(&prices) {
                prop_assert!(behind > 0.0 && pays.is_none_or(|(turn, _)| turn > bill.turns()));
            }
            before = after;
        }
    }
}

#[test]
fn what_was_paid_before_a_turn_is_in_its_bill_and_not_its_own() {
    let mut bill = Bill::default();
    let paid = Paid::reported(1_000, 400, 0, 50);
    let guessed = Paid { estimated: true, ..paid };
    bill.begin_turn();
    bill.record(Purpose::Chat, guessed);
    bill.stop_turn(&said(10, 5));
    bill.record(Purpose::Compression, guessed);
    bill.begin_turn();
    bill.record(Purpose::Chat, paid);
    let turn = bill.end_turn(&said(10, 5));
    assert_eq!((turn.requests, turn.own.prompt(), turn.of_turn()), (3, 3_000, (paid, 1)));
    bill.record(Purpose::Summary, paid);
    let turn = bill.amend_turn().unwrap();
    assert_eq!((turn.requests, turn.of_turn().0.prompt(), turn.of_turn().1), (4, 2_000, 2));
    assert_eq!(bill.recent().last(), Some(&turn));
    assert_eq!(bill.all().requests, 4);
    bill.begin_turn();
    bill.record(Purpose::Chat, paid);
    let turn = bill.end_turn(&said(10, 5));
    assert_eq!((turn.alone, turn.of_turn()), (None, (paid, 1)));
    // What an earlier run left open is not its own either.
    let mut open = Sum::default();
    open.add(guessed);
    let mut bill = Bill::default().with_open(open, Paid::default());
    bill.begin_turn();
    bill.record(Purpose::Chat, paid);
    assert_eq!(bill.end_turn(&said(10, 5)).of_turn(), (paid, 1));
}
