//! The system calls that the program makes, against those that its unit allows.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::skips::skipped;

/// The names in a set of systemd's, such as `@system-service`, with those of the sets within.
fn calls_of(set: &str) -> Option<BTreeSet<String>> {
    let output = Command::new("systemd-analyze").args(["syscall-filter", set]).output().ok()?;
    let text = String::from_utf8(output.stdout).unwrap();
    let mut calls = BTreeSet::new();
    for name in text.lines().skip(1).map(str::trim).filter(|name| !name.is_empty() && !name.starts_with('#'))
    {
        match name.starts_with('@') {
            true => calls.extend(calls_of(name)?),
            false => _ = calls.insert(name.to_owned()),
        }
    }
    assert!(!calls.is_empty(), "{set}: {}", String::from_utf8_lossy(&output.stderr));
    Some(calls)
}

/// What the unit's `SystemCallFilter=` lines leave.
fn allowed() -> Option<BTreeSet<String>> {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/musterd.service");
    let unit = fs::read_to_string(unit).unwrap();
    let mut allowed = BTreeSet::new();
    for line in unit.lines().filter_map(|line| line.strip_prefix("SystemCallFilter=")) {
        let (taken_away, sets) = line.strip_prefix('~').map_or((false, line), |sets| (true, sets));
        for set in sets.split_whitespace() {
            let calls = calls_of(set)?;
            match taken_away {
                true => allowed.retain(|call| !calls.contains(call)),
                false => allowed.extend(calls),
            }
        }
    }
    Some(allowed)
}

/// Checks a trace by `strace -f` of the daemon: each of its calls is allowed by the unit, and no memory is both written
/// and executed. The trace begins with the programs that start it, which run outside the sandbox.
pub(crate) fn fits_the_unit(trace: &str) {
    let lines: Vec<(&str, &str)> =
        trace.lines().filter_map(|line| line.split_once(char::is_whitespace)).collect();
    let is_daemon = |line: &str| {
        let program = line.trim_start().strip_prefix("execve(\"").and_then(|line| line.split_once('"'));
        program.is_some_and(|(program, _)| program.ends_with("/musterd")) && line.ends_with("= 0")
    };
    let begun = lines.iter().position(|(_, line)| is_daemon(line)).expect("a trace of the daemon");
    let Some(allowed) = allowed() else {
        skipped("system calls are not compared with the unit's: systemd-analyze is not installed");
        return;
    };
    let mut used = BTreeSet::new();
    for (_, line) in &lines[begun + 1..] {
        let Some((call, arguments)) = line.trim_start().split_once('(') else { continue };
        if call.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') {
            used.insert(call.to_owned());
        }
        let executes = arguments.contains("PROT_EXEC");
        assert!(!(executes && arguments.contains("PROT_WRITE")), "MemoryDenyWriteExecute= forbids {line}");
        assert!(!(executes && call.ends_with("mprotect")), "MemoryDenyWriteExecute= forbids {line}");
        if call == "socket" {
            let family = ["AF_UNIX", "AF_INET", "AF_INET6"];
            let fits = family.iter().any(|family| arguments.starts_with(&format!("{family},")));
            // glibc asks for the machine's addresses, and goes on without them.
            assert!(fits || arguments.starts_with("AF_NETLINK,"), "RestrictAddressFamilies= forbids {line}");
        }
    }
    for expected in ["recvfrom", "connect", "fdatasync", "rename"] {
        assert!(used.contains(expected), "a trace of the daemon at work has {expected}: {used:?}");
    }
    let refused: Vec<&String> = used.difference(&allowed).collect();
    assert!(refused.is_empty(), "SystemCallFilter= forbids {refused:?}");
}
