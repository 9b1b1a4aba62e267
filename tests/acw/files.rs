//! The files.

use musterd_acw::{Acw, SHIPPED, shipped};
use musterd_engine::Ruleset;

#[test]
fn probe() {
    for (path, _) in SHIPPED {
        let Some(name) = path.strip_prefix("scenarios/").and_then(|p| p.strip_suffix(".yaml")) else {
            continue;
        };
        let found = Acw::examine(&shipped(name).unwrap(), path);
        eprintln!("== {name}");
        for one in &found.errors {
            eprintln!("  E {one}");
        }
        for one in &found.warnings {
            eprintln!("  w {one}");
        }
    }
}
