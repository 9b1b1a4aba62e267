//! What a mail server says of where players' mails came from, where the operator asks for it.

use std::fs;

use musterd::daemon::{Host, config};

use super::support::*;

/// A founded game on a host that asks for the word of `mx.example.org`.
fn camp(accept: &str) -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    let file = camp.path().join(config::FILE);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}authentication: {{host: mx.example.org{accept}}}\n")).unwrap();
    let host = camp.open();
    (camp, host)
}

/// What became of mails with these headers on top, each with red's secret and from red's address.
fn judged(camp: &Camp, host: &mut Host, heads: &[&str]) -> Vec<String> {
    for (n, head) in heads.iter().enumerate() {
        let mail = camp.answer("red", "dispatch", &format!("m{n}"), &block(&format!("BID {n}")));
        camp.post(format!("{head}{mail}"));
        camp.wait(1);
        settle(host);
    }
    verdicts(host).split_off(3)
}

#[test]
fn a_players_mail_counts_only_where_the_border_server_vouches_for_it() {
    let (camp, mut host) = camp("");
    let refusals = camp.count("red", "refusal");
    let judged = judged(
        &camp,
        &mut host,
        &[
            "Received: by mx.example.org\r\nAuthentication-Results: mx.example.org;\r\n dmarc=pass (p=none)\r\n header.from=players.example\r\n",
            "Authentication-Results: mx.example.org; dkim=pass header.d=players.example\r\nReceived: by mx.example.org\r\n",
            "Authentication-Results: mx.example.org; dkim=fail header.d=players.example\r\nReceived: by mx.example.org\r\n",
            // What the sender brought along stands further down.
            "Authentication-Results: mx.example.org; dmarc=fail\r\nReceived: by mx.example.org\r\nAuthentication-Results: mx.example.org; dmarc=pass header.from=players.example\r\n",
            "Authentication-Results: mx.elsewhere.example; dmarc=pass header.from=players.example\r\n",
            "",
        ],
    );
    let no = "not-authenticated";
    assert_eq!(judged, ["accepted", "accepted", no, no, no, no]);
    assert_eq!(camp.count("red", "refusal"), refusals + 4, "the registered address is told");
}

#[test]
fn the_gms_mail_has_to_be_vouched_for_too() {
    let (camp, mut host) = camp(", accept: [dmarc]");
    let address = camp.mails(GM).into_iter().find_map(|mail| mail.reply_to.first().cloned()).unwrap();
    let mail = |id: &str| Mail { from: GM, to: &address, id, in_reply_to: None, text: "PAUSE\r\n" }.raw();
    let is_paused = |camp: &Camp| {
        camp.mails(GM)
            .iter()
            .any(|mail| mail.body.as_ref().is_ok_and(|body| body.text.contains("The game stands still")))
    };
    camp.post(format!(
        "Authentication-Results: mx.example.org; spf=pass smtp.mailfrom={GM}\r\n{}",
        mail("spf")
    ));
    settle(&mut host);
    assert!(!is_paused(&camp));
    camp.post(format!(
        "Authentication-Results: mx.example.org; dmarc=pass header.from={}\r\n{}",
        GM.split_once('@').unwrap().1,
        mail("dmarc")
    ));
    settle(&mut host);
    assert!(is_paused(&camp));
}

#[test]
fn a_configuration_that_no_mail_could_meet_is_refused() {
    let text = |rest: &str| format!("{}authentication: {{{rest}}}\n", config::example("a@b.org"));
    for (rest, word) in [
        ("host: 'a b'", "server's name"),
        ("host: 'mx; dmarc=pass'", "server's name"),
        ("host: mx, accept: []", "at least one"),
        ("accept: [dmarc]", "host"),
        ("host: mx, accept: [arc]", "arc"),
    ] {
        let wrong = config::Config::read("musterd.yaml", &text(rest)).unwrap_err().to_string();
        assert!(wrong.contains(word), "{wrong}");
    }
    assert!(config::Config::read("musterd.yaml", &text("host: mx.b.org, accept: [dmarc, dkim]")).is_ok());
}
