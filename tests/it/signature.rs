//! Signed chain lines: what `ssh-keygen` and the program itself say of them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use mail_parser::{MessageParser, MimeHeaders as _};
use musterd::daemon::{NewGame, Reply, Request, config, make_key};
use musterd::desk::audit::audit_file;
use musterd::dice::audit::examine;
use musterd::dice::{ChainLines, HostKey};
use musterd::engine::journal::Cause;
use musterd::engine::terms::Terms;

use super::audit::{change_body, codes, lines_of, rechain};
use super::support::*;
use super::witnesses::{self, CARLA};

fn camp() -> Camp {
    let camp = Camp::new();
    sign(&camp, true);
    camp
}

pub(crate) fn sign(camp: &Camp, signs: bool) {
    let path = camp.path().join(config::FILE);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, text.replace(&format!("sign: {}", !signs), &format!("sign: {signs}"))).unwrap();
}

/// The text and the attachments, by name, of every mail to a seat's player.
fn mails(camp: &Camp, seat: &str) -> Vec<(String, Vec<(String, String)>)> {
    let raw = raw_mails(&camp.path().join("mail").join(player(seat)));
    let parts = |(_, raw): &(_, Vec<u8>)| {
        let mail = MessageParser::default().parse(raw).unwrap();
        let file = |part: &mail_parser::MessagePart<'_>| {
            (
                part.attachment_name().unwrap_or_default().to_owned(),
                String::from_utf8_lossy(part.contents()).into_owned(),
            )
        };
        (mail.body_text(0).unwrap().replace("\r\n", "\n"), mail.attachments().map(file).collect())
    };
    raw.iter().map(parts).collect()
}

fn named<'a>(files: &'a [(String, String)], name: &str) -> Option<&'a str> {
    files.iter().find(|(file, _)| file == name).map(|(_, text)| text.as_str())
}

/// What `ssh-keygen -Y verify` says of these chain lines.
fn ssh_keygen(dir: &Path, signers: &str, lines: &str, signature: &str) -> bool {
    for (name, text) in [("allowed_signers", signers), ("lines", lines), ("chain.sig", signature)] {
        fs::write(dir.join(name), text).unwrap();
    }
    let output = Command::new("ssh-keygen")
        .args(["-Y", "verify", "-f", "allowed_signers", "-I", HOST, "-n", "pbemdice", "-s", "chain.sig"])
        .current_dir(dir)
        .stdin(Stdio::from(fs::File::open(dir.join("lines")).unwrap()))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        output.status.success(),
        said.starts_with("Good \"pbemdice\" signature for host@example.org"),
        "{said}"
    );
    output.status.success()
}

/// As `grep -A1 '^Chain:'` takes them out of a mail.
fn chain_lines(text: &str) -> String {
    let at = text.rfind("Chain: ").unwrap();
    let lines: Vec<&str> = text[at..].lines().take(2).collect();
    format!("{}\n", lines.join("\n"))
}

#[test]
fn every_mail_of_a_game_is_signed_and_ssh_keygen_says_so() {
    let (camp, dir) = (camp(), tempfile::tempdir().unwrap());
    let mut host = camp.open();
    founded(&camp, &mut host);
    witnesses::write(&camp, &mut host, "ask", "WITNESS alpha");
    witnesses::write(&camp, &mut host, "yes", &witnesses::code(&camp));
    camp.post(camp.answer("red", "dispatch", "orders", &block("BID 2")));
    camp.post(camp.answer("red", "dispatch", "asks", "STATUS\r\n"));
    for seat in ["red", "blue", "umpire"] {
        camp.post(camp.answer(seat, "dispatch", &format!("ready-{seat}"), "READY"));
    }
    settle(&mut host);
    let mails = mails(&camp, "red");
    assert!(mails.len() >= 5, "an invitation, two receipts, a dispatch, an answer: {}", mails.len());
    let (invitation, signers) = mails
        .iter()
        .find_map(|(text, files)| Some((text, named(files, "allowed_signers")?.to_owned())))
        .unwrap();
    let key: HostKey = signers.trim().split_once("\" ").unwrap().1.parse().unwrap();
    assert!(
        invitation.contains(key.to_string().split(' ').next_back().unwrap()),
        "the invitation shows it too"
    );
    let shows_head = |text: &str| ChainLines::all_in(text).next().is_some();
    let signed = |files| named(files, "chain.sig").is_some();
    assert!(mails.iter().all(|(text, files)| shows_head(text) == signed(files)));
    for (text, files) in mails.iter().filter(|(text, _)| shows_head(text)) {
        let (lines, signature) = (chain_lines(text), named(files, "chain.sig").unwrap());
        let witness = ChainLines::all_in(&lines).next().unwrap();
        assert_eq!(key.verify(&witness, signature), Ok(()));
        assert!(ssh_keygen(dir.path(), &signers, &lines, signature), "{lines}{signature}");
        let forged = ChainLines::read("alpha", "77", witness.head()).unwrap();
        assert!(key.verify(&forged, signature).is_err());
        assert!(!ssh_keygen(dir.path(), &signers, &format!("{forged}\n"), signature));
    }
    // So is each other mail that shows a head: to a witness.
    let folders = fs::read_dir(camp.path().join("mail")).unwrap().map(|folder| folder.unwrap().path());
    let mut others = 0;
    for folder in folders.filter(|folder| !folder.ends_with(HOST)) {
        for (_, raw) in raw_mails(&folder) {
            let mail = MessageParser::default().parse(&raw).unwrap();
            let Some(witness) = ChainLines::all_in(&mail.body_text(0).unwrap()).last() else { continue };
            let signature = mail.attachments().find(|part| part.attachment_name() == Some("chain.sig"));
            assert_eq!(
                key.verify(&witness, signature.unwrap().text_contents().unwrap()),
                Ok(()),
                "{folder:?}"
            );
            others += usize::from(folder.ends_with(CARLA));
        }
    }
    assert!(others > 0, "the witness was written to");
    let Reply::Key { allowed_signer } = host.execute(Request::Key).unwrap() else { panic!() };
    assert_eq!(format!("{allowed_signer}\n"), signers);
    let mode = fs::metadata(camp.path().join("secrets/_host.secret")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn the_key_stands_in_the_log_and_cant_be_exchanged() {
    let camp = camp();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let file = audit_file(&journal(&mut host), &camp.secrets(), u32::MAX);
    let mut file = serde_json::to_value(file).unwrap();
    let examined = examine(&file.to_string(), &[], |_, _| {}).unwrap();
    assert_eq!(examined.findings, []);
    let key = examined.host_key.unwrap();
    assert!(
        camp.newest("red", "invitation")
            .body
            .unwrap()
            .text
            .contains(key.to_string().split(' ').nth(1).unwrap())
    );
    let mut twice = file.clone();
    let line = twice["log"][1].clone();
    lines_of(&mut twice).insert(2, line);
    rechain(&mut twice);
    assert!(codes(&twice, &[]).contains(&"out-of-place"));
    change_body(&mut file, "note", "host key ", |body| body.replace("AAAA", "AAAB"));
    assert!(codes(&file, &[]).contains(&"wrong-hash"));
    drop(host);

    // Without its key a host goes on, and signs nothing; with another one neither.
    let key_file = camp.path().join("secrets/_host.secret");
    let kept = fs::read_to_string(&key_file).unwrap();
    let another = kept.lines().next().unwrap().to_owned() + "\n" + &"7".repeat(64) + "\n";
    for (n, text) in [None, Some(another), Some(kept)].into_iter().enumerate() {
        let is_kept = n == 2;
        sign(&camp, false);
        match text {
            Some(text) => fs::write(&key_file, text).unwrap(),
            None => fs::remove_file(&key_file).unwrap(),
        }
        camp.wait(60);
        camp.post(camp.answer("red", "dispatch", &format!("asks-{n}"), &block(&format!("BID {n}"))));
        settle(&mut camp.open());
        let mails = mails(&camp, "red");
        let answer = mails.iter().rfind(|(text, _)| text.contains("their SHA-256")).unwrap();
        assert_eq!(named(&answer.1, "chain.sig").is_some(), is_kept, "{n}");
    }
    // One that is lost is not made anew behind the operator's back; where he does it, the games to come are signed.
    fs::remove_file(&key_file).unwrap();
    is_a_host_without_its_key(&camp, "it is missing, and signs the mails of alpha");
    assert!(!key_file.exists());
    let entropy = musterd::daemon::Entropy::System;
    assert_eq!(make_key(camp.path(), &entropy).unwrap(), key_file);
    let mut host = camp.open();
    let new = NewGame { id: "gamma".parse().unwrap(), ..toy_game(&[], "24h", Terms::default()) };
    host.execute(Request::found(new)).unwrap();
    assert!(host.execute(Request::Key).is_ok());
    drop(host);
    let why = make_key(camp.path(), &entropy).unwrap_err();
    assert!(why.to_string().contains("exists already") && why.exit() == 2, "{why}");
    fs::write(&key_file, "rubbish").unwrap();
    is_a_host_without_its_key(&camp, "this is no host key");
    fs::remove_file(&key_file).unwrap();
    fs::create_dir(&key_file).unwrap();
    is_a_host_without_its_key(&camp, "this is no file");
}

/// All games go on, unsigned; none is founded that would be signed, and no other key is made.
fn is_a_host_without_its_key(camp: &Camp, why: &str) {
    sign(camp, true);
    let mut host = camp.open();
    let Reply::Vitals(vitals) = host.execute(Request::Vitals).unwrap() else { panic!() };
    let told: Vec<_> = vitals.ailments(i64::MAX).into_iter().filter(|it| it.about == "key").collect();
    assert!(told.len() == 1 && told[0].text.contains(why), "{told:?}");
    camp.wait(60);
    let before = mails(camp, "red").len();
    camp.post(camp.answer("red", "dispatch", &why.replace(' ', "-"), "STATUS\r\n"));
    settle(&mut host);
    let mails = mails(camp, "red");
    assert!(mails.len() > before && named(&mails.last().unwrap().1, "chain.sig").is_none());
    let new = NewGame { id: "beta".parse().unwrap(), ..toy_game(&[], "24h", Terms::default()) };
    assert!(host.execute(Request::found(new)).unwrap_err().to_string().contains(why));
    assert!(host.execute(Request::Key).unwrap_err().to_string().contains(why));
}

#[test]
fn a_host_that_doesnt_sign_attaches_nothing_and_has_no_key() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let why = host.execute(Request::Key).unwrap_err();
    assert!(why.to_string().contains("sign: true") && why.exit() == 2, "{why}");
    assert!(mails(&camp, "red").iter().all(|(_, files)| named(files, "chain.sig").is_none()));
    assert!(!camp.path().join("secrets/_host.secret").exists());
    drop(host);
    // A game keeps to what it was founded on.
    sign(&camp, true);
    camp.post(camp.answer("red", "dispatch", "asks", "STATUS\r\n"));
    settle(&mut camp.open());
    assert!(mails(&camp, "red").iter().all(|(_, files)| named(files, "chain.sig").is_none()));
    assert!(camp.path().join("secrets/_host.secret").exists());
}

/// A new host signs from its first mail on, unless it is told not to.
#[test]
fn a_new_host_has_its_key_before_its_first_game() {
    let place = tempfile::tempdir().unwrap();
    for (name, more, signs) in [("signs", None, true), ("silent", Some("--no-sign"), false)] {
        let dir = place.path().join(name);
        let mut init = Command::new(env!("CARGO_BIN_EXE_musterd"));
        init.args(["init", dir.to_str().unwrap(), "--address", HOST]).args(more);
        let output = init.env_remove("MUSTERD_DIR").output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}");
        let key = dir.join("secrets/_host.secret");
        assert_eq!(
            (key.exists(), said.contains("keep a copy of it with your backups")),
            (signs, signs),
            "{said}"
        );
        let config = fs::read_to_string(dir.join(config::FILE)).unwrap();
        assert!(config.contains(&format!("\nsign: {signs}\n")), "{config}");
        let kept = fs::read(&key).ok();
        let options = || musterd::daemon::Options { dir: dir.clone(), ..Camp::new().options() };
        let mut host = musterd::daemon::Host::open(options()).unwrap();
        host.execute(Request::found(toy_game(&[], "24h", Terms::default()))).unwrap();
        let Cause::Founded { charter, .. } = journal(&mut host).remove(0).cause else { panic!() };
        assert_eq!(charter.host_key.is_some(), signs);
        assert_eq!(fs::read(&key).ok(), kept, "it is the key that was made first");
        if signs {
            assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
            drop(host);
            let new = Command::new(env!("CARGO_BIN_EXE_musterd"))
                .args(["key", "--new", "--dir"])
                .arg(&dir)
                .output()
                .unwrap();
            assert_eq!(new.status.code(), Some(2), "{new:?}");
            assert!(String::from_utf8_lossy(&new.stderr).contains("no other takes its place"), "{new:?}");
        }
    }
}
