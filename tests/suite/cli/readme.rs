//! What the README shows of the config file is what the program takes.

use super::Home;

const README: &str = include_str!("../../../README.md");

/// The blocks of a language, without their fences.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("\n```{language}\n");
    let behind = README.split(fence.as_str()).skip(1);
    behind.map(|rest| rest.split("\n```").next().unwrap()).collect()
}

#[test]
fn each_config_block_of_the_readme_passes_the_check() {
    let blocks = blocks("toml");
    assert!(!blocks.is_empty());
    for block in blocks {
        let home = Home::new();
        home.write_config(block);
        let (_, err, code) = home.run(&["config", "check"], &[]);
        assert_eq!((err.as_str(), code), ("", 0), "{block}");
    }
}
