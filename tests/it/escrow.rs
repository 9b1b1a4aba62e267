//! The escrow of a game's dice, as an operator makes it and as whoever keeps it looks at it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use musterd::dice::SecretChain;

use super::support::*;

fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_musterd")).arg("--dir").arg(dir).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn an_escrow_opens_the_dice_and_takes_no_seat() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[], "24h");
    settle(&mut host);
    let invitation = camp.newest("red", "invitation").body.unwrap().text;
    drop(host);
    let file = camp.path().join("alpha.escrow");
    let path = file.to_str().unwrap();
    let written = musterd(camp.path(), &["escrow", "alpha", "--out", path]);
    assert!(written.status.success(), "{}", said(&written));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    let (escrow, secrets) = (SecretChain::from_escrow(&text).unwrap(), camp.secrets());
    assert_eq!(escrow.secret(7), secrets.secret(7));
    assert!(!text.contains(&secrets.secret(secrets.length()).unwrap().reveal().to_string()));
    // Who keeps it compares one line with an invitation, without any data directory.
    let nowhere = tempfile::tempdir().unwrap();
    let checked = said(&musterd(nowhere.path(), &["escrow", "--check", path]));
    let anchor = secrets.anchor().to_string();
    assert!(checked.contains(&anchor) && invitation.contains(&anchor), "{checked}");
    let piped = musterd(camp.path(), &["escrow", "alpha"]);
    assert_eq!(piped.stdout, text.into_bytes());
}

#[test]
fn what_is_wrong_with_an_escrow_is_said_without_its_secret() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[], "24h");
    drop(host);
    let path = camp.path().join("alpha.escrow");
    let file = path.to_str().unwrap();
    assert!(musterd(camp.path(), &["escrow", "alpha", "--out", file]).status.success());
    let text = fs::read_to_string(&path).unwrap();
    let again = musterd(camp.path(), &["escrow", "alpha", "--out", file]);
    assert_eq!(again.status.code(), Some(2), "{}", said(&again));
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "nothing is written over");
    let missing = musterd(camp.path(), &["escrow", "beta"]);
    assert!(
        missing.status.code() == Some(2) && said(&missing).contains("no secret of a game `beta`"),
        "{}",
        said(&missing)
    );
    for (from, to, why) in [
        ("game alpha", "game beta", "doesn't lead to the anchor"),
        ("length 9999", "length 9998", "doesn't lead to the anchor"),
        ("pbemdice/1 escrow", "pbemdice/1 secret", "this is no escrow"),
        ("anchor ", "anker ", "no line `anchor"),
    ] {
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let checked = musterd(camp.path(), &["escrow", "--check", file]);
        assert_eq!(checked.status.code(), Some(2), "{}", said(&checked));
        assert!(said(&checked).contains(why), "{}", said(&checked));
        let secret = text.lines().find_map(|line| line.strip_prefix("last ")).unwrap();
        assert!(!said(&checked).contains(secret));
    }
}
