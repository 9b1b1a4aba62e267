//! What a host tells is bound by its log: whatever is told otherwise is found, by which verifier the table in docs/audit-guide.md says.
//! The log and the mails here are made by hand, from the protocol alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use musterd::audit::{Contradiction, Questions, Reader, inquire};
use musterd::dice::told::{Contents, Opening, TellingId, TellingKind, ToldNote, page_words, text_words};
use musterd::dice::{
    Chain, Digest, GameId, LogEntry, LogKind, Secret, SecretChain, leaf, orders_root, result_commit,
    rolls_root,
};
use serde_json::{Value, json};

use super::audit::{Forgery, codes, independent, lines_of, place_of, rechain};
use super::support::desk;

/// A telling, and the mail that brought it.
#[derive(Clone)]
pub(crate) struct Told {
    id: TellingId,
    kind: TellingKind,
    /// The index of its entry.
    entry: usize,
    head: String,
    text: String,
    page: String,
    data: Option<String>,
}

/// A game whose log binds what its two seats were told, and their mails.
pub(crate) struct Bound {
    pub(crate) file: Value,
    pub(crate) told: Vec<Told>,
}

fn game() -> GameId {
    "alpha".parse().unwrap()
}

fn secrets() -> SecretChain {
    SecretChain::new(&game(), Secret::new([7; 32]), 3)
}

fn id(t: u32, seat: &str, n: u32) -> TellingId {
    TellingId { t, seat: seat.parse().unwrap(), n }
}

/// What is told, in its three forms.
fn forms(id: &TellingId, score: u32) -> [String; 3] {
    let (begins, ends) = (id.begins(&game()), id.ends(&game()));
    let text = format!(
        "To the {seat} commander.\n\n{begins}\n\nThe GM: snow fell on both armies.\n\nScore    {score}\n\nWHAT HAPPENED ------\n\n  \
         1  Mack 1 was destroyed.\n  2  From Ulm came IV Soult;\n     it lost 1 morale.\n\n{ends}\n\nAnswer soon.\n",
        seat = id.seat
    );
    let page = format!(
        "<html><head><title>A</title></head><body><p>To you.</p><p>{begins}</p><p>The GM: snow fell on both armies.</p><table><tr>\
         <th>Score</th><td>{score}</td></tr></table><h2>What happened</h2>\n<ol><li>Mack 1 was <b>destroyed</b>.</li>\n<li>From Ulm \
         came IV Soult; it lost 1 morale.</li></ol><p>{ends}</p><p>Answer soon.</p></body></html>\n"
    );
    let data = json!({
        "notices": ["The GM: snow fell on both armies."],
        "standing": [{"label": "Score", "text": score.to_string()}],
        "sections": [{"title": "What happened", "parts": [{"kind": "items", "numbered": true, "items": [
            {"text": "Mack 1 was destroyed.", "details": []},
            {"text": "From Ulm came IV Soult; it lost 1 morale.", "details": []},
        ]}]}],
        "view": {"hexes": 3},
    });
    [text, page, data.to_string()]
}

/// The words between the marks.
fn between(words: &str, id: &TellingId) -> String {
    let (begins, ends) = (id.begins(&game()), id.ends(&game()));
    let (_, rest) = words.split_once(&begins).unwrap();
    rest.rsplit_once(&ends).unwrap().0.trim().to_owned()
}

/// The same, in which the last turn is not revealed yet.
fn bound() -> Bound {
    revealed_up_to(2)
}

pub(crate) fn revealed_up_to(last: u32) -> Bound {
    let (mut chain, mut log, mut turns, mut told) = (Chain::new(&game()), Vec::new(), Vec::new(), Vec::new());
    let mut push = |kind: &str, body: String| {
        let entry = LogEntry::read(serde_json::from_value::<LogKind>(json!(kind)).unwrap(), &body).unwrap();
        let hash = chain.push(&entry).to_string();
        log.push(json!({"kind": kind, "body": body, "hash": hash}));
        (log.len() - 1, hash)
    };
    push("game", format!("alpha {} blue,red - - {}", secrets().anchor(), Digest::of(b"rules")));
    for t in 1..=3 {
        push("open", format!("{t} - turn-{t}"));
        let secret = secrets().secret(t).unwrap();
        let mut openings = Vec::new();
        let mut tell = |push: &mut dyn FnMut(&str, String) -> (usize, String), kind, seat: &str, n| {
            let id = id(t, seat, n);
            let [text, page, data] = forms(&id, t * 10 + n);
            let digest = |words: &str| Some(Digest::of(words.as_bytes()));
            let data = (kind != TellingKind::Receipt).then_some(data);
            let contents = Contents {
                kind,
                text: digest(&between(&text_words(&text), &id)),
                html: digest(&between(&page_words(&page), &id)).filter(|_| data.is_some()),
                data: data.as_deref().and_then(digest),
                facts: data.as_deref().and_then(|_| digest("facts")),
                said: vec!["The GM: snow fell on both armies.".to_owned()],
            };
            let commit = contents.commit(&secret, &game(), &id, 1);
            let (entry, head) =
                push("note", ToldNote { id: id.clone(), kind, wording: 1, commit }.to_string());
            openings.push(Opening { entry: entry as u64, contents });
            let page = if data.is_some() { page } else { String::new() };
            told.push(Told { id, kind, entry, head, text, page, data });
        };
        let red = "red".parse().unwrap();
        let silence = leaf(&secret, &game(), t, &red, None);
        push("recv", format!("{t} red {silence} accepted withdrawn"));
        tell(&mut push, TellingKind::Receipt, "red", 1);
        let leaves: BTreeMap<_, _> = ["blue", "red"]
            .map(|seat| (seat.parse().unwrap(), leaf(&secret, &game(), t, &seat.parse().unwrap(), None)))
            .into();
        push("close", format!("{t} {}", orders_root(&game(), t, &leaves)));
        let result = Digest::of(b"result");
        let (root, commit) =
            (rolls_root(&secret, &game(), t, &[]), result_commit(&secret, &game(), t, &result));
        push("rolls", format!("{t} {root} {commit}"));
        tell(&mut push, TellingKind::Dispatch, "red", 2);
        tell(&mut push, TellingKind::Dispatch, "blue", 1);
        turns.push(match t {
            t if t > last => json!({"t": t, "secret": null}),
            _ => json!({
                "t": t, "secret": secret.reveal().to_string(), "orders": {"blue": null, "red": null}, "rolls": [],
                "result": result.to_string(), "told": openings,
            }),
        });
    }
    Bound { file: json!({"protocol": "pbemdice/1", "witness": [], "log": log, "turns": turns}), told }
}

impl Told {
    /// The mail, as it came.
    pub(crate) fn mail(&self) -> String {
        let TellingId { t, seat, n } = &self.id;
        let kind = if self.kind == TellingKind::Receipt { "receipt" } else { "dispatch" };
        let text = format!("{}\nChain: alpha {}\n  {}\n", self.text, self.entry, self.head);
        let part = |kind: &str, body: &str| format!("--x\nContent-Type: {kind}\n\n{body}\n");
        let html = if self.page.is_empty() { String::new() } else { part("text/html", &self.page) };
        let data = self.data.as_ref().map(|data| {
            part(
                &format!(
                    "application/json\nContent-Disposition: attachment; filename=\"alpha-t{}-{seat}.json\"",
                    t + 1
                ),
                data,
            )
        });
        let mail = format!(
            "From: host@example.org\nTo: {seat}@players.example\nSubject: t {t}, {n}\nMessage-ID: <{t}.{n}.{seat}@example.org>\nX-Musterd: {kind} \
             alpha {seat}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n{}{html}{}--x--\n",
            part("text/plain; charset=utf-8", &text),
            data.unwrap_or_default(),
        );
        mail.replace('\n', "\r\n")
    }

    fn change(&mut self, form: Option<usize>, from: &str, to: &str) {
        let mut data = self.data.take().unwrap_or_default();
        for (at, text) in [&mut self.text, &mut self.page, &mut data].into_iter().enumerate() {
            if form.is_none_or(|form| form == at) {
                assert!(text.contains(from) || at == 2, "{from} in {text}");
                *text = text.replace(from, to);
            }
        }
        self.data = (!data.is_empty()).then_some(data);
    }
}

/// What the program finds wrong with what was told, of these files and mails.
fn program(paths: &[&Path]) -> Vec<Contradiction> {
    let mut silent = |_| {};
    let mut reader = Reader::new(&mut silent);
    paths.iter().for_each(|path| reader.read(path).unwrap());
    let Reader { evidence, sources, .. } = reader;
    let questions = Questions { desk: &desk(), replay: false, mine: None, secrets: None };
    let inquiry = inquire(evidence, sources, &questions, |_, _, _| {});
    let found = inquiry.cases.into_iter().flat_map(|case| case.contradictions);
    // These mails have nothing else in them that mails of their kind have.
    found.filter(|found| !matches!(found, Contradiction::Unreadable { .. })).collect()
}

/// Whether `docs/verify.py` finds something wrong, and what it says.
pub(crate) fn script(dir: &Path, file: &Value, mails: &[PathBuf]) -> (bool, String) {
    let mut arguments: Vec<String> = mails.iter().map(|mail| mail.display().to_string()).collect();
    arguments.push("--allow-unrevealed".to_owned());
    let (status, said) = independent(dir, file, &arguments);
    assert!(matches!(status, 0 | 1 | 4), "{said}");
    (status == 1, said)
}

fn keep(dir: &Path, told: &[Told]) -> Vec<PathBuf> {
    let path = |at: usize| dir.join(format!("{at}.eml"));
    told.iter().enumerate().for_each(|(at, told)| fs::write(path(at), told.mail()).unwrap());
    (0..told.len()).map(path).collect()
}

/// Forgeries of the file; all verifiers find each in the file alone.
pub(crate) const OF_FILE: &[Forgery] = &[
    ("another commitment in the note", "told-other", |f| {
        let at = told_at(f);
        let body = f["log"][at]["body"].as_str().unwrap().to_owned();
        f["log"][at]["body"] = json!(format!("{} {}", body.rsplit_once(' ').unwrap().0, "1".repeat(64)));
        rechain(f);
    }),
    ("another number of the wording in the note", "told-other", |f| {
        renote(f, " dispatch 1 ", " dispatch 2 ");
    }),
    ("a report of another kind in the note", "told-other", |f| renote(f, " dispatch ", " final ")),
    ("a dispatch that the note calls a receipt", "out-of-place", |f| renote(f, " dispatch ", " receipt ")),
    ("a dispatch that is bound as a receipt", "told-other", |f| {
        opening(f)["kind"] = json!("receipt");
    }),
    ("a narration changed in the opening", "told-other", |f| opening(f)["said"] = json!(["The GM: rain."])),
    ("a narration split in two", "told-other", |f| {
        opening(f)["said"] = json!(["The GM:", " snow fell on both armies."]);
    }),
    ("another text in the opening", "told-other", |f| opening(f)["text"] = json!("1".repeat(64))),
    ("other facts in the opening", "told-other", |f| opening(f)["facts"] = json!("1".repeat(64))),
    ("a dispatch opened as the last report", "told-other", |f| opening(f)["kind"] = json!("final")),
    ("an opening left out", "told-missing", |f| _ = openings(f).remove(1)),
    ("an opening of an entry that binds nothing", "told-never", |f| {
        let mut more = openings(f)[1].clone();
        more["entry"] = json!(1);
        openings(f).push(more);
    }),
    ("an opening of another turn's entry", "told-never", |f| {
        let more = f["turns"][0]["told"][1].clone();
        openings(f).push(more);
    }),
    ("an opening twice", "told-twice", |f| {
        let more = openings(f)[1].clone();
        openings(f).push(more);
    }),
    ("an entry cut from the log", "told-never", |f| {
        let at = told_at(f);
        lines_of(f).remove(at);
        rechain(f);
    }),
    ("an entry twice", "out-of-place", |f| {
        let at = told_at(f);
        let line = f["log"][at].clone();
        lines_of(f).insert(at, line);
        rechain(f);
    }),
    ("a number left out", "out-of-place", |f| renote(f, "told 2 blue 1", "told 2 blue 2")),
    ("a seat that the game has not", "out-of-place", |f| renote(f, "told 2 blue", "told 2 green")),
    ("a turn that is not open yet", "out-of-place", |f| renote(f, "told 2 blue", "told 9 blue")),
    ("a note in another spelling", "malformed", |f| renote(f, "told 2 blue 1", "told 2 blue 01")),
    ("an opening of no kind", "malformed", |f| opening(f)["kind"] = json!({"dispatch": null})),
    ("an opening without its words", "malformed", |f| _ = opening(f).as_object_mut().unwrap().remove("said")),
    ("an opening that is a list", "malformed", |f| {
        let listed = opening(f).as_object().unwrap().values().cloned().collect::<Vec<_>>();
        *opening(f) = Value::from(listed);
    }),
    ("a digest in capitals", "malformed", |f| {
        let digest = opening(f)["text"].as_str().unwrap().to_uppercase();
        opening(f)["text"] = json!(digest);
    }),
];

fn told_at(file: &Value) -> usize {
    place_of(file, "note", "told 2 blue")
}

fn renote(file: &mut Value, from: &str, to: &str) {
    let at = told_at(file);
    file["log"][at]["body"] = json!(file["log"][at]["body"].as_str().unwrap().replace(from, to));
    rechain(file);
}

fn openings(file: &mut Value) -> &mut Vec<Value> {
    file["turns"][1]["told"].as_array_mut().unwrap()
}

/// The opening of the second dispatch to blue.
fn opening(file: &mut Value) -> &mut Value {
    openings(file).last_mut().unwrap()
}

/// The file with each of these forgeries.
pub(crate) fn forged_files() -> Vec<(&'static str, String)> {
    let honest = revealed_up_to(3).file;
    let forged = OF_FILE.iter().map(|(what, _, forge)| {
        let mut file = honest.clone();
        forge(&mut file);
        (*what, file.to_string())
    });
    std::iter::once(("nothing", honest.to_string())).chain(forged).collect()
}

#[test]
fn what_was_told_and_is_opened_otherwise_is_found_by_both_verifiers() {
    let dir = tempfile::tempdir().unwrap();
    let honest = bound().file;
    assert_eq!(codes(&honest, &[]), ["unrevealed"]);
    assert!(!script(dir.path(), &honest, &[]).0, "{}", script(dir.path(), &honest, &[]).1);
    for (what, code, forge) in OF_FILE {
        let mut file = honest.clone();
        forge(&mut file);
        let found = codes(&file, &[]);
        assert!(found.contains(code), "{what}: {found:?}");
        let (found, said) = script(dir.path(), &file, &[]);
        assert!(found, "{what}: {said}");
    }
}

/// A forgery of what is told: what it is, how the program calls it without a file and with one, where it does.
struct OfMails {
    what: &'static str,
    alone: Option<&'static str>,
    with_file: Option<&'static str>,
    forge: fn(&mut Bound),
}

/// The second dispatch to blue; before it stands one to red.
fn dispatch(bound: &mut Bound) -> &mut Told {
    bound.told.iter_mut().find(|told| told.id == id(2, "blue", 1)).unwrap()
}

fn again(bound: &mut Bound) -> &mut Told {
    let told = dispatch(bound).clone();
    bound.told.push(told);
    bound.told.last_mut().unwrap()
}

const OF_MAILS: &[OfMails] = &[
    OfMails {
        what: "a number changed in one player's text",
        alone: Some("forms-differ"),
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).change(Some(0), "lost 1 morale", "lost 2 morale"),
    },
    OfMails {
        what: "a number changed in text, page and data",
        alone: None,
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).change(None, "lost 1 morale", "lost 2 morale"),
    },
    OfMails {
        what: "another event told to one player",
        alone: None,
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).change(None, "Mack 1 was ", "IV Soult lost 1 morale and was "),
    },
    OfMails {
        what: "a line left out of the text",
        alone: Some("forms-differ"),
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).change(Some(0), "The GM: snow fell on both armies.", ""),
    },
    OfMails {
        what: "a line added inside the marks",
        alone: Some("forms-differ"),
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).change(Some(0), "WHAT HAPPENED", "Surrender!\n\nWHAT HAPPENED"),
    },
    OfMails {
        what: "a page unlike the text",
        alone: Some("forms-differ"),
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).change(Some(1), "<td>21</td>", "<td>20</td>"),
    },
    OfMails {
        what: "a page that says nothing",
        alone: Some("forms-differ"),
        with_file: Some("told-otherwise"),
        forge: |b| {
            let told = dispatch(b);
            told.page = format!("<p>{}</p>\n<p>{}</p>", told.id.begins(&game()), told.id.ends(&game()));
        },
    },
    OfMails {
        what: "data unlike text and page",
        alone: Some("forms-differ"),
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).change(Some(2), "lost 1 morale", "lost 3 morale"),
    },
    OfMails {
        what: "data of another position",
        alone: None,
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).change(Some(2), "\"hexes\":3", "\"hexes\":4"),
    },
    OfMails {
        what: "data that can't be read",
        alone: Some("broken-marks"),
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).data = Some("[]".to_owned()),
    },
    OfMails {
        what: "another narration",
        alone: None,
        with_file: Some("told-otherwise"),
        forge: |b| dispatch(b).change(None, "snow fell", "rain fell"),
    },
    OfMails {
        what: "two mails of one telling",
        alone: Some("two-tellings"),
        with_file: Some("two-tellings"),
        forge: |b| again(b).change(None, "lost 1 morale", "lost 2 morale"),
    },
    OfMails {
        what: "two copies of one mail, with two pages",
        alone: Some("two-tellings"),
        with_file: Some("two-tellings"),
        forge: |b| again(b).change(Some(1), "<b>destroyed</b>", "<b>saved</b>"),
    },
    OfMails {
        what: "the report of another seat",
        alone: Some("broken-marks"),
        with_file: Some("broken-marks"),
        forge: |b| dispatch(b).change(None, "alpha 2 blue 1", "alpha 2 red 2"),
    },
    OfMails {
        what: "a report that no entry binds",
        alone: None,
        with_file: Some("told-unbound"),
        forge: |b| dispatch(b).change(None, "alpha 2 blue 1", "alpha 2 blue 2"),
    },
    OfMails {
        what: "the last entry of a turn left out, with its opening",
        alone: None,
        with_file: Some("told-unbound"),
        forge: |b| {
            let at = told_at(&b.file);
            lines_of(&mut b.file).remove(at);
            rechain(&mut b.file);
            openings(&mut b.file).pop();
        },
    },
    OfMails {
        what: "the marks taken off",
        alone: None,
        with_file: Some("no-marks"),
        forge: |b| dispatch(b).change(None, "Told: alpha 2 blue 1", "As it was"),
    },
    OfMails {
        what: "the marks taken off the page",
        alone: Some("broken-marks"),
        with_file: Some("broken-marks"),
        forge: |b| dispatch(b).change(Some(1), "Told: alpha 2 blue 1", "As it was"),
    },
    OfMails {
        what: "the mark at the end taken off",
        alone: Some("broken-marks"),
        with_file: Some("broken-marks"),
        forge: |b| dispatch(b).change(None, "End told: alpha 2 blue 1", "The end"),
    },
];

/// What the program calls it.
fn code(found: &Contradiction) -> String {
    serde_json::to_value(found).unwrap()["contradiction"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_told_otherwise_than_it_was_bound_is_found() {
    for OfMails { what, alone, with_file, forge } in OF_MAILS {
        let dir = tempfile::tempdir().unwrap();
        let mut bound = bound();
        forge(&mut bound);
        let mails = keep(dir.path(), &bound.told);
        let mut paths: Vec<&Path> = mails.iter().map(PathBuf::as_path).collect();
        let of = |found: &[Contradiction]| found.iter().map(code).collect::<BTreeSet<String>>();
        let found = of(&program(&paths));
        match alone {
            Some(code) => assert!(found.contains(*code), "{what}, mails alone: {found:?}"),
            None => assert!(found.is_empty(), "{what}, mails alone: {found:?}"),
        }
        let (found, said) = script(dir.path(), &bound.file, &mails);
        assert_eq!(found, with_file.is_some(), "{what}: {said}");
        let file = dir.path().join("audit.json");
        paths.push(&file);
        let found = of(&program(&paths));
        match with_file {
            Some(code) => assert!(found.contains(*code), "{what}, with the file: {found:?}"),
            None => assert!(found.is_empty(), "{what}, with the file: {found:?}"),
        }
    }
}

#[test]
fn honest_mails_fit_however_they_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let Bound { file, told } = bound();
    let one = dir.path().join("one");
    fs::create_dir(&one).unwrap();
    let mails = keep(&one, &told);
    let mbox: String = told
        .iter()
        .map(|told| {
            let mail = told.mail().replace("\r\n", "\n").replace("\nFrom ", "\n>From ");
            format!("From x@players.example Sat Nov 21 12:00:00 2026\n{mail}\n")
        })
        .collect();
    fs::write(dir.path().join("kept.mbox"), mbox).unwrap();
    let all = [vec![one.clone()], vec![dir.path().join("kept.mbox")], mails];
    for mails in all {
        let (found, said) = script(dir.path(), &file, &mails);
        assert!(!found, "{said}");
        let counts = "6 texts, 4 pages and 4 data of 9 mails are compared with what the log binds; 3 mails tell of what is not revealed, \
                      0 of what the file doesn't reach, 0 were cut";
        assert!(said.contains(counts), "{said}");
        let file = dir.path().join("audit.json");
        let paths: Vec<&Path> = mails.iter().map(PathBuf::as_path).chain([file.as_path()]).collect();
        assert_eq!(program(&paths), []);
    }
}

#[test]
fn a_mail_that_was_cut_or_is_newer_than_the_file_accuses_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let mut all = bound();
    let told = dispatch(&mut all);
    let (front, back) = told.text.split_once("WHAT HAPPENED").unwrap();
    let cut = "[ This mail was too long: its middle is left out. ]";
    told.text = format!("{front}\n\n{cut}\n\n{}", back.split_once("morale").unwrap().1);
    (told.page, told.data) = (String::new(), None);
    let end = told.entry;
    lines_of(&mut all.file).truncate(end);
    all.file["turns"].as_array_mut().unwrap().truncate(2);
    openings(&mut all.file).pop();
    let mails = keep(dir.path(), &all.told);
    let (found, said) = script(dir.path(), &all.file, &mails);
    assert!(!found && said.contains("4 of what the file doesn't reach, 1 were cut"), "{said}");
    let file = dir.path().join("audit.json");
    let paths: Vec<&Path> = mails.iter().map(PathBuf::as_path).chain([file.as_path()]).collect();
    assert_eq!(program(&paths), []);
}

/// Whoever reads the page of the protocol in another language must come to the same words.
#[test]
fn both_verifiers_read_the_same_words() {
    let pieces = [
        "<",
        ">",
        "/",
        "<!--",
        "-->",
        "<style>",
        "</style >",
        "<SCRIPT",
        "</script>",
        "<head/>",
        "<title",
        "<svg>",
        "</svg>",
        "<summary/>",
        "<ol>",
        "</ol>",
        "<li>",
        "<li ",
        "&lt;",
        "&amp;lt;",
        "&nbsp;",
        "&#39;",
        "&",
        ";",
        " ",
        "\t",
        "\r\n",
        "\u{a0}",
        "Told: alpha 2 blue 1",
        "End told: alpha 2 blue 1",
        " Told:",
        "12",
        "lost",
        ">From ",
        "\u{e9}",
        "\u{212a}",
        "-",
        "End",
        " told: ",
    ];
    let mut chance = super::sim::Chance(21);
    let pages: Vec<String> = (0..400)
        .map(|_| {
            (0..=chance.below(24))
                .map(|_| pieces[usize::try_from(chance.below(pieces.len() as u64)).unwrap()])
                .collect()
        })
        .collect();
    let ours: Vec<Value> = pages
        .iter()
        .map(|page| {
            use musterd::dice::told::Marked;
            let marked = |found: Option<Marked>| {
                found.map(|found| {
                    json!([found.digest.to_string(), found.is_whole, format!("{:?}", found.id.n)])
                })
            };
            json!([
                text_words(page),
                page_words(page),
                marked(Marked::in_text(page)),
                marked(Marked::in_page(page))
            ])
        })
        .collect();
    let script = "import json, sys\nsys.path.insert(0, sys.argv[1])\nimport verify as v\ndef marked(words):\n    found = v.marked(words)\n    return found and \
                  [found['digest'], found['ends'] and not found['cut'], found['of'][3]]\ndef words(all): return ' '.join(word.text for word in all if \
                  word.written)\nprint(json.dumps([[words(v.text_words(page)), words(v.page_words(page)), marked(v.text_words(page)), \
                  marked(v.page_words(page))] for page in json.load(open(sys.argv[2], encoding='utf-8'))]))\n";
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("pages.json");
    fs::write(&list, Value::from(pages.clone()).to_string()).unwrap();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let output = Command::new("python3").args(["-B", "-c", script]).arg(docs).arg(&list).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let theirs: Vec<Value> =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    assert!(ours.iter().any(|page| !page[2].is_null()) && ours.iter().any(|page| !page[3].is_null()));
    for ((page, ours), theirs) in pages.iter().zip(ours).zip(theirs) {
        assert_eq!(ours, theirs, "{page:?}");
    }
}

/// However a mail was damaged or made up, both verifiers come to an end, and say something.
#[test]
fn no_mail_makes_a_verifier_stumble() {
    let dir = tempfile::tempdir().unwrap();
    let Bound { file, mut told } = bound();
    let pieces = [
        "<",
        "</",
        "<!--",
        "-->",
        "<ol><li>",
        "<style>",
        "</style",
        "&",
        "Told: ",
        "End told: ",
        "\r\n--x\r\n",
        "\r\n\r\n",
        "\u{0}",
        "9",
    ];
    let mails: Vec<String> = told.iter().map(Told::mail).collect();
    let mut chance = super::sim::Chance(7);
    for number in 0..150 {
        let mut mail = mails[number % mails.len()].clone();
        for _ in 0..=chance.below(4) {
            let [from, to] = [0; 2].map(|_| usize::try_from(chance.below(mail.len() as u64)).unwrap());
            let piece = pieces[usize::try_from(chance.below(pieces.len() as u64)).unwrap()];
            let [from, to] = [from.min(to), from.max(to).min(from.min(to) + 40)];
            match chance.below(3) {
                0 => mail.replace_range(from..to, ""),
                1 => mail.replace_range(from..to, piece),
                _ => mail.insert_str(from, piece),
            }
        }
        fs::write(dir.path().join(format!("{number}.eml")), mail).unwrap();
    }
    // The same thing, very often.
    for (number, piece) in
        pieces.iter().chain(&["Told: alpha 2 blue 1 ", "End told: alpha 2 blue 1 "]).enumerate()
    {
        let told = told.last_mut().unwrap();
        let begins = told.id.begins(&game());
        told.text = format!("{begins} {}", piece.repeat(4_000));
        told.page = format!("<p>{begins}</p><style>{}</style>{}", piece.repeat(4_000), piece.repeat(4_000));
        told.data = Some(format!("{{\"notices\":{}", "[".repeat(4_000)));
        fs::write(dir.path().join(format!("often-{number}.eml")), told.mail()).unwrap();
    }
    let (_, said) = script(dir.path(), &file, &[dir.path().to_owned()]);
    assert!(said.contains("alpha: "), "{said}");
    program(&[dir.path()]);
}

/// The table of docs/audit-guide.md: which verifier finds which forgery.
#[test]
fn the_guide_says_which_verifier_finds_what() {
    let mut table = String::from(
        "| what is changed | found in the file by all three | found in mails alone by `musterd verify` | found in file and mails by `musterd verify` and \
         verify.py |\n|---|---|---|---|\n",
    );
    for (what, ..) in OF_FILE {
        writeln!(table, "| {what} | yes | | yes |").unwrap();
    }
    for OfMails { what, alone, with_file, .. } in OF_MAILS {
        let yes = |found: &Option<&str>| if found.is_some() { "yes" } else { "" };
        writeln!(table, "| {what} | | {} | {} |", yes(alone), yes(with_file)).unwrap();
    }
    let table = table.replace("|  |", "| |");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/audit-guide.md");
    let page = fs::read_to_string(&path).unwrap();
    #[expect(clippy::disallowed_methods, reason = "asked for by whoever runs the tests")]
    if std::env::var("MUSTERD_REWRITE_DOCS").is_ok() && !page.contains(&table) {
        let at = page.find("| what is changed |").unwrap();
        let end = at + page[at..].find("\n\n").unwrap() + 1;
        fs::write(&path, format!("{}{table}{}", &page[..at], &page[end..])).unwrap();
        return;
    }
    assert!(
        page.contains(&table),
        "MUSTERD_REWRITE_DOCS=1 cargo test --test it told_mails:: writes it anew:\n{table}"
    );
}
