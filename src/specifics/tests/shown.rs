//! What a summary writes in another way, with marks, in tables and joined, and what a message only seems to say.

use super::retold::{all_kept, some_lost};
use super::*;

/// What of a kind a message holds.
fn of_kind(text: &str, kind: Kind) -> Vec<String> {
    let all = extract([text]).into_iter().filter(|one| one.kind == kind);
    all.map(|one| one.text).collect()
}

#[test]
fn marks_of_markdown_are_no_letters() {
    all_kept(&[
        ("Use port 8443, see src/cart.rs.", "Uses _port 8443_; file _src/cart.rs_."),
        ("launch on 2026-03-14, keep 25,000 rows", "_2026-03-14_; __25,000 rows__"),
        ("with MAX_RETRIES=5", "_MAX_RETRIES=5_"),
        ("see user_sessions in src/my_file.rs", "user\\_sessions in src/my\\_file.rs"),
        ("run `cargo test --workspace`", "with **cargo test --workspace**."),
        ("run `cargo test --workspace`", "_cargo test --workspace_"),
        ("run `cargo test --workspace`", "[cargo test --workspace]"),
        ("run `git rebase -i HEAD~3`", "ran <code>git rebase -i HEAD~3</code>"),
        ("see src/__init__.py and `_private_fn`", "src/__init__.py, _private_fn"),
    ]);
    some_lost(&[
        ("it has x_1", "it has my_x_1"),
        ("it has foo_bar", "_foo_bar_baz_"),
        ("it has user_sessions", "user\\_session"),
    ]);
}

#[test]
fn a_setting_has_the_value_right_behind_its_name() {
    all_kept(&[
        ("with MAX_RETRIES=5", "MAX_RETRIES is raised from 3 to 5"),
        ("with MAX_RETRIES=5", "MAX_RETRIES=6 (was 5)"),
        ("with POOL_SIZE: 20", "POOL_SIZE 10 → 20"),
        ("with POOL_SIZE=20", "POOL_SIZE: 10 in staging, 20 in production"),
        ("with MAX_RETRIES=5", "MAX_RETRIES=3, raised to 5"),
        ("with MAX_RETRIES=5", "MAX_RETRIES=3 (default), overridden to 5"),
        ("with MAX_RETRIES=5", "MAX_RETRIES is 3 by default; we use 5"),
        ("with MAX_RETRIES=5", "MAX_RETRIES=3 before, 5 after the incident"),
        ("with --jobs 4", "--jobs 8 on CI and 4 locally"),
        ("with pool_size=20", "pool_size 10 (dev) / 20 (prod)"),
        ("LOCK_TIMEOUT: 30000", "LOCK_TIMEOUT: 30 seconds"),
        ("maxPods: 110", "maxPods: 110 per node"),
        ("We keep lockDuration at 30000.", "lockDuration stays at 30 s."),
    ]);
    some_lost(&[
        ("with MAX_RETRIES=5", "MAX_RETRIES=6 in .env (5 files changed)"),
        ("with MAX_RETRIES=5", "MAX_RETRIES raised to 8. 5 tests were added."),
        ("with --concurrency 4", "--concurrency 8 on 4 hosts"),
        ("POOL_SIZE: 20", "POOL_SIZE: 30, took 20 minutes"),
        ("POOL_SIZE: 20", "POOL_SIZE: 30, see issue 20"),
        ("POOL_SIZE: 20", "POOL_SIZE: 30 and the queue takes 20"),
        ("POOL_SIZE: 20", "POOL_SIZE: 30, MAX_JOBS to 20"),
    ]);
}

#[test]
fn a_product_is_told_with_its_version_however_they_are_joined() {
    all_kept(&[
        ("We use node 20.", "Node v20"),
        ("We use node 20.", "Node.js v20"),
        ("We use TLS 1.3 and iOS 18.", "TLSv1.3, iOS18"),
        ("We use postgres 16 and Python 3.12.", "PostgreSQL v16, Python3.12"),
        ("call Cart::compute_totals", "`Cart.compute_totals`"),
        ("Issue GH-77 is open.", "GH issue #77"),
    ]);
    some_lost(&[
        ("We use node 20.", "Node v22"),
        ("We use TLS 1.3.", "TLSv1.2"),
        ("Ask Max about it.", "the Max5 sensor"),
        ("We use iOS 18.", "iOS17"),
        ("call Cart::compute_totals", "`Order.compute_totals`"),
        ("Issue GH-77 is open.", "GH issue #78"),
    ]);
}

#[test]
fn a_unit_is_told_once_for_several_figures() {
    all_kept(&[
        ("from 840 ms to 120 ms", "p95 840→120 ms"),
        ("from 840 ms to 120 ms", "from 840 down to 120 ms"),
        ("41 GB of the 64 GB", "peak 41 of 64GB"),
        ("41 GB of the 64 GB", "41 of the 64 GB RAM was used"),
        (
            "A took 840 ms, B took 120 ms",
            "| run | time (ms) |\n|---|---|\n| A | 840 |\n| B | 120 |",
        ),
        ("we allow 100 req/s", "limit: 100 requests/second"),
    ]);
    some_lost(&[
        ("it has 95 840 rows", "p95 840 ms"),
        ("it takes 3 GB", "2 of 3 TB"),
        ("it takes 3 GB", "3 of the 64 GB disks failed"),
        ("A took 840 s", "| run | File(s) |\n|---|---|\n| A | 840 |"),
        ("A took 840 ms", "| run | time (s) |\n|---|---|\n| A | 840 |"),
        ("the screen is 1920x1080", "the screen is 1080x1920"),
    ]);
}

#[test]
fn what_a_command_did_is_told_with_all_that_it_did_it_to() {
    all_kept(&[
        ("`mv src/a.rs src/b.rs`", "Renamed src/a.rs to src/b.rs."),
        ("`mv src/a.rs src/b.rs`", "- Renamed src/a.rs to src/b.rs\n- tests not run yet"),
        ("`mv src/a.rs src/b.rs`", "Renamed src/a.rs to src/b.rs, tests not run yet"),
        ("`mv src/a.rs src/b.rs`", "`src/a.rs` was renamed to `src/b.rs`."),
        (
            "`git commit -m \"Fix the totals\"`",
            "- It is not fixed yet\n- Committed as \"Fix the totals\"",
        ),
        ("`git commit -m \"Fix the totals\"`", "Commit 3f9ac21: Fix the totals"),
        ("`git commit -m \"Fix the totals\"`", "Commits:\n- Fix the totals"),
        ("`git push origin main`", "Pushed 2 commits to `origin` `main`"),
        ("`rm -rf build/old`", "## Deleted files\n\n- src/x.rs, build/old"),
        ("`rm -rf build/old`", "build/old was deleted"),
        ("`rm -rf build/old`", "**Deleted**\n- build/old"),
        ("`rm -rf build/old`", "Removed build/old so CI will build it again without errors"),
        ("`rm -rf build`", "Removed the build directory"),
        ("`rm -rf build`", "Removed `build`, which will come back"),
        ("`mkdir -p api`", "Created api/"),
        ("`git push -u origin main`", "Pushed to origin/main"),
        ("`rm -rf build/old`", "Deleted build/old/."),
        ("`mkdir -p src/new`", "created src/new"),
        ("`git add -A && git commit -m \"Fix the totals\"`", "Committed as \"Fix the totals\""),
        ("`docker compose up -d web`", "docker-compose up -d web"),
        ("`python3 -m pytest a.py 2>&1 | head -50`", "python -m pytest a.py"),
    ]);
    some_lost(&[
        ("`mv src/a.rs src/b.rs`", "Renamed src/b.rs to src/a.rs."),
        ("`mv src/a.rs src/b.rs`", "It failed: not renamed src/a.rs to src/b.rs."),
        ("`git push --force origin main`", "Pushed to origin/main"),
        (
            "`rm -rf build/old`",
            "- Deleted the stale migration\n- Documented build/old in the README",
        ),
        ("`rm -rf build/old`", "Deleted a stale test from build/old"),
        ("`rm -rf build/old`", "TODO: build/old should be deleted"),
        ("`rm -rf build/old`", "Not deleted yet:\n- build/old"),
        ("`rm -rf build/old`", "Files to be deleted: build/old"),
        ("`rm -rf build/old`", "Deleted build/old failed"),
        ("`rm -rf build`", "Removed the unused flag, so the build passes."),
        ("`rm -rf build`", "Removed build/old"),
        ("`rm -rf build`", "removed the builder"),
        ("`rm src/old.rs`", "We dropped the idea to touch src/old.rs"),
        ("`mkdir -p api`", "We made changes to the api."),
        ("`mv src/a.rs src/b.rs`", "src/a.rs could be renamed to src/b.rs later"),
        ("`git push origin main`", "- Pushed the tag v1 to origin\n- main is protected"),
        ("`git commit -m \"fix the totals\"`", "We need to fix the totals before the commit"),
        ("`git commit -m \"fix the totals\"`", "The commit has to fix the totals"),
        ("`mkdir -p api`", "created api-v2"),
        ("`git commit -m \"Fix the totals\"`", "The totals were fixed"),
    ]);
}

#[test]
fn a_figure_at_the_end_of_a_sentence_is_no_day() {
    let text = "We run Ubuntu 24.04. The image costs 12.10. Upgrade Node to 20.10.";
    assert_eq!(of_kind(text, Kind::Date), [""; 0]);
    all_kept(&[(text, "Ubuntu 24.04 LTS; it costs 12.10; Node 20.10")]);
    assert_eq!(of_kind("The deadline: 24.04. We wait.", Kind::Date), ["24.04."]);
    assert_eq!(of_kind("It is on 24.04. for us, and the 7 May.", Kind::Date).len(), 2);
    assert_eq!(of_kind("It is 7 May.", Kind::Date), ["7 May"]);
    for text in [
        "Release moved to 24.04. Nothing else changes.",
        "Termin: 24.04.",
        "Spotkanie 24.04.",
        "Spotkanie jest 24.04.",
        "Set the launch for 24.04.",
        "The release is 24.04.",
        "The upgrade is on hold until Friday, then 24.04.",
    ] {
        let dates = of_kind(text, Kind::Date);
        assert_eq!(dates.last().map(String::as_str), Some("24.04."), "{text}");
    }
    let fair = of_kind("The fair runs from 12.04. to 24.04.", Kind::Date);
    assert_eq!(fair, ["12.04. to 24.04."]);
    for text in ["Ubuntu 24.04. It runs.", "We upgraded to 24.04. It runs.", "The price is 12.10."]
    {
        assert_eq!(of_kind(text, Kind::Date), [""; 0], "{text}");
    }
    let german = "Die Messe ist nicht am Montag, und wir kommen auch erst 24.04. Das geht.";
    assert_eq!(of_kind(german, Kind::Date).last().map(String::as_str), Some("24.04."));
    all_kept(&[(german, "Die Messe ist nicht am Montag; 24.04")]);
}

#[test]
fn a_name_with_a_time_is_one() {
    for name in ["etcd-2026-03-20T18-00", "db_2026-03-20T18:00", "snap-2026-03-20T18-00-05Z"] {
        let text = format!("Restore {name} now.");
        assert_eq!(extract([&*text]).len(), 1, "{text}");
        assert_eq!(of_kind(&text, Kind::Identifier), [name]);
    }
    assert_eq!(of_kind("on 2026-03-20T18:00", Kind::Identifier), [""; 0]);
}

#[test]
fn a_command_in_a_sentence_is_whole_or_none() {
    for (text, command) in [
        ("Run pytest -k \"totals and not slow\" now.", "pytest -k \"totals and not slow\""),
        ("Then git commit -m \"fix it.\".", "git commit -m \"fix it.\""),
        ("Then run cargo test --workspace 'cause it broke.", "cargo test --workspace"),
        ("Then run cargo test --workspace 'cause it's old.", "cargo test --workspace"),
        ("Then git commit -m 'fix it' and wait.", "git commit -m 'fix it'"),
    ] {
        assert_eq!(of_kind(text, Kind::Command), [command], "{text}");
    }
    for text in [
        "Run pytest -k \"it is open now.",
        "Run psql -d shop 'select a from b' and wait.",
        "Launch date 2026/03/14",
        "date 2026/03/14",
    ] {
        assert_eq!(of_kind(text, Kind::Command), [""; 0], "{text}");
    }
    all_kept(&[("It starts on 14.03.2026.", "Launch date 2026/03/14")]);
}

#[test]
fn what_is_taken_instead_of_too_much_is_a_decision() {
    all_kept(&[
        ("20 is too many, make it 12", "the pool has 12"),
        ("20 is too many, make it 12", "pool size: 12 workers"),
        ("20 is too many, make it 12", "Pool size 12."),
        ("20 is too many, make it 12", "12 workers, no longer 20"),
        ("20 workers is too many, make it 12", "Started 12 workers, not 20 workers"),
    ]);
    some_lost(&[
        ("20 is too many, make it 12", "the pool has 13"),
        ("20 is too many, make it 12", "Fixed 12 tests."),
    ]);
}
