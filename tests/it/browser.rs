//! `docs/verify.html` in a real browser: an honest file is found to be so, and every forgery is caught. The page is the one that
//! people open, with one more script behind its own that hands it the files, as somebody does who drops them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use musterd::dice::ChainLines;
use serde::Deserialize;
use serde_json::{Value, json};

use super::audit::{change_body, lines_of, place_of, played, rechain, relink, reopen};
use super::audit_forgeries::{FORGERIES, whole};
use super::audit_mutations::{changed_files, own_status};
use super::example_campaign;
use super::proofs::begun;
use super::reroll::files as reroll_files;
use super::skips::has;
use super::told_mails::forged_files;
use super::verify_status::states;

const CHROMIUM: &str = "/usr/bin/chromium";
/// A browser that takes longer than this over all files has hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the page showed for one set of files.
#[derive(Debug, Deserialize)]
struct Shown {
    /// The title of the window.
    title: String,
    /// The verdict, with its looks.
    verdict: String,
    class: String,
    /// What the other verifiers would have for an exit status.
    status: String,
    /// Everything else.
    page: String,
}

/// Hands the page each set of files in turn, and leaves what it showed in an element of its own.
const HANDOVER: &str = "
(async () => {
  const shown = [];
  for (const files of CASES) {
    document.title = \"\";
    await examine(files);
    const verdict = document.querySelector('.verdict');
    const page = document.getElementById('result').textContent;
    // Half a surrogate pair, which a forger may have the page show, is no text that can be handed back.
    shown.push({ title: document.title, verdict: (verdict?.textContent ?? '').toWellFormed(), class: verdict?.className ?? '', status: document.documentElement.dataset.status, page: page.toWellFormed() });
  }
  const outcome = document.createElement('pre');
  outcome.id = 'outcome';
  outcome.textContent = JSON.stringify(shown);
  document.body.replaceChildren(outcome);
})();
";

/// What the page shows for each set of files: name and text.
fn shown(cases: &[Vec<(&str, String)>]) -> Vec<Shown> {
    let dir = tempfile::tempdir().unwrap();
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/verify.html")).unwrap();
    let files = |case: &Vec<(&str, String)>| {
        case.iter().map(|(name, text)| json!({"name": name, "text": text})).collect()
    };
    let cases_json: Vec<Value> = cases.iter().map(files).collect();
    // `</script>` in a file must not end ours.
    let data = Value::from(cases_json).to_string().replace("</", "<\\/");
    let script = format!("<script>\nconst CASES = {data};{HANDOVER}</script>\n</body>");
    let harness = page.replacen("</body>", &script, 1);
    assert_ne!(harness, page);
    let path = dir.path().join("verify.html");
    fs::write(&path, harness).unwrap();
    let dom = dumped(&path, &dir.path().join("profile"));
    let from = dom.find("<pre id=\"outcome\">").unwrap_or_else(|| panic!("the page gave no outcome:\n{dom}"));
    let outcome = &dom[from + 18..];
    let outcome = &outcome[..outcome.find("</pre>").unwrap()];
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{a0}"), ("&amp;", "&")];
    let text = names.iter().fold(outcome.to_owned(), |text, (name, sign)| text.replace(name, sign));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The page as the browser has it once its scripts have run.
fn dumped(page: &Path, profile: &Path) -> String {
    let mut browser = Command::new(CHROMIUM)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=1000000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = browser.stdout.take().unwrap();
    let read = thread::spawn(move || {
        let mut dom = String::new();
        std::io::Read::read_to_string(&mut out, &mut dom).map(|_| dom)
    });
    for _ in 0..PATIENCE.as_millis() / 20 {
        if read.is_finished() {
            browser.wait().unwrap();
            return read.join().unwrap().unwrap();
        }
        thread::sleep(Duration::from_millis(20));
    }
    browser.kill().unwrap();
    browser.wait().unwrap();
    panic!("the browser did not end within {PATIENCE:?}");
}

/// Whether there is a browser. Without one the tests fail, unless whoever runs them said that there is none.
fn has_browser() -> bool {
    has("chromium", "chromium")
}

impl Shown {
    fn status(&self) -> i32 {
        self.status.parse().unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// That the page calls a game's file right, where there is a browser.
pub(crate) fn finds_nothing_wrong(file: &Value) {
    if has_browser() {
        let pages = shown(&[vec![("audit.json", file.to_string())]]);
        assert_eq!(pages[0].title, "Nothing is wrong", "{pages:?}");
    }
}

/// Of the changes that the other two verifiers agree on, one in so many is shown to the page too.
const SAMPLE: usize = 7;

#[test]
fn the_page_says_what_the_other_verifiers_say() {
    if !has_browser() {
        return;
    }
    let (honest, forged) = whole();
    let (_, mutants) = changed_files();
    let mut cases = vec![("nothing".to_owned(), honest.to_string())];
    cases.extend(forged.into_iter().map(|(what, _, file)| (what.to_owned(), file.to_string())));
    cases.extend(forged_files().into_iter().map(|(what, text)| (what.to_owned(), text)));
    cases.extend(mutants.into_iter().step_by(SAMPLE).map(|mutant| (mutant.what, mutant.text)));
    let pages = shown(&cases.iter().map(|(_, text)| vec![("audit.json", text.clone())]).collect::<Vec<_>>());
    assert!(pages[0].page.contains("Compare by hand: test-beacon published its round"), "{:?}", pages[0]);
    assert_eq!(pages.len(), cases.len());
    let differ = cases.iter().zip(&pages).filter(|((_, text), page)| own_status(text) != page.status());
    let differ: Vec<String> =
        differ.map(|((what, _), page)| format!("{what}: {} {}", page.title, page.verdict)).collect();
    assert!(differ.is_empty(), "{} of {}:\n{}", differ.len(), cases.len(), differ.join("\n"));
}

#[test]
fn the_page_examines_every_file_and_names_those_it_can_make_nothing_of() {
    if !has_browser() {
        return;
    }
    let (honest, _) = whole();
    let (mut earlier, mut other) = (honest.clone(), honest.clone());
    let at = place_of(&honest, "rolls", "2 ") + 1;
    lines_of(&mut earlier).truncate(at);
    earlier["turns"].as_array_mut().unwrap().truncate(2);
    reopen(&mut earlier);
    change_body(&mut other, "open", "1 ", |body| format!("{body}x"));
    rechain(&mut other);
    let [honest, earlier, other] = [honest, earlier, other].map(|file| file.to_string());
    let pages = shown(&[
        vec![("late.json", honest.clone()), ("early.json", earlier), ("holiday.txt", "a letter".to_owned())],
        vec![("one.json", honest.clone()), ("two.json", other)],
        reroll_files().into_iter().map(|text| ("reroll.json", text)).take(1).collect(),
    ]);
    let [grown, split, reroll] = &pages[..] else { panic!("{pages:?}") };
    assert_eq!(grown.title, "Nothing is wrong", "one log goes on where the other ends: {grown:?}");
    assert!(grown.page.contains("late.json") && grown.page.contains("early.json"), "{grown:?}");
    assert!(grown.page.contains("Not used: holiday.txt"), "{grown:?}");
    assert!(grown.page.contains("ot witnessed"), "the host made both: {grown:?}");
    assert_eq!(split.title, "Something is wrong", "{split:?}");
    assert!(
        split.page.contains("one.json was shown") && split.page.contains("two.json was shown"),
        "{split:?}"
    );
    assert_eq!(reroll.title, "Nothing is wrong", "{reroll:?}");
}

#[test]
fn the_page_finds_consents_that_are_none() {
    if !has_browser() {
        return;
    }
    for page in
        shown(&reroll_files().into_iter().skip(1).map(|text| vec![("reroll.json", text)]).collect::<Vec<_>>())
    {
        assert_eq!(page.title, "Something is wrong", "{page:?}");
    }
}

#[test]
fn the_page_catches_every_forgery_and_nothing_else() {
    if !has_browser() {
        return;
    }
    let (honest, heads) = played();
    let mail = heads.iter().map(|head| format!("Some words\n{head}\n\n")).collect::<String>();
    let other = mail.replacen(&heads[2].head().to_string(), &"1".repeat(64), 1);
    let mut hidden = honest.clone();
    hidden["turns"][4] = json!({"t": 5, "secret": null});
    let behind = ChainLines::read("alpha", "9999", heads[2].head()).unwrap();
    let newer = format!("{mail}Some words\r\n{}\r\n", behind.to_string().replace('\n', "\r\n"));
    let mut cut = honest.clone();
    let end = place_of(&cut, "rolls", "2 ") + 1;
    lines_of(&mut cut).truncate(end);
    cut["turns"].as_array_mut().unwrap().truncate(2);
    reopen(&mut cut);
    let file = |value: &Value| ("alpha.json", value.to_string());
    let example = |paths: [&'static str; 2]| paths.map(|path| (path, example_campaign::file(path))).to_vec();
    let mut cases = vec![
        vec![file(&honest)],
        vec![file(&honest), ("red.mbox", mail.clone())],
        vec![file(&honest), ("red.mbox", other)],
        vec![file(&hidden)],
        vec![("holiday.txt", "no audit file".to_owned())],
        example(["audit.json", "french.mbox"]),
        example(["cheated/audit.json", "cheated/french.mbox"]),
        vec![file(&honest), ("red.mbox", newer)],
        vec![file(&cut), ("red.mbox", mail.clone())],
    ];
    cases.extend(FORGERIES.iter().map(|(_, _, forge)| {
        let mut forged = honest.clone();
        forge(&mut forged);
        vec![file(&forged)]
    }));
    let shown = shown(&cases);
    let (firsts, forged) = shown.split_at(9);
    let [alone, witnessed, other, hidden, none, example, cheated, newer, cut] = firsts else {
        panic!("{shown:?}")
    };
    assert!(
        alone.verdict.contains("Nothing is wrong") && alone.verdict.contains("ot witnessed"),
        "{alone:?}"
    );
    assert!(alone.class.contains("warn"), "what nobody witnessed is not fine: {alone:?}");
    assert!(witnessed.verdict.contains("Nothing is wrong") && witnessed.class == "verdict", "{witnessed:?}");
    assert!(
        witnessed.page.contains("all dice as they fell") && witnessed.page.contains("L2"),
        "{witnessed:?}"
    );
    assert!(other.title == "Something is wrong" && other.page.contains("was shown 1111"), "{other:?}");
    assert!(
        hidden.verdict.contains("1 adjudication is not revealed") && hidden.class.contains("warn"),
        "{hidden:?}"
    );
    assert!(none.verdict.contains("None of these files"), "{none:?}");
    assert!(example.verdict.contains("Nothing is wrong") && example.class == "verdict", "{example:?}");
    assert!(cheated.page.contains("die 1 shows 6, and the seed gives "), "{cheated:?}");
    assert!(cheated.page.contains("was shown"), "and the mailbox shows the other log: {cheated:?}");
    for older in [newer, cut] {
        assert!(
            older.title == "Nothing is wrong as far as the file reaches" && older.class.contains("warn"),
            "{older:?}"
        );
        assert!(older.verdict.contains("Nothing is wrong, as far as this file reaches"), "{older:?}");
        assert!(older.verdict.contains("This file is older than the mails"), "{older:?}");
    }
    assert_eq!(forged.len(), FORGERIES.len());
    for ((what, ..), shown) in FORGERIES.iter().zip(forged) {
        assert_eq!(shown.title, "Something is wrong", "{what}: {shown:?}");
        assert!(shown.class.contains("bad"), "{what}: {shown:?}");
    }
}

#[test]
fn the_page_ends_with_the_status_that_the_other_verifiers_have() {
    if !has_browser() {
        return;
    }
    let states = states();
    let files =
        states.iter().map(|state| vec![("alpha.json", state.file.clone()), ("red.mbox", state.mail())]);
    for (state, page) in states.iter().zip(shown(&files.collect::<Vec<_>>())) {
        assert_eq!(page.status(), state.status, "{}: {page:?}", state.what);
    }
}

/// What somebody could make of the proofs of his own dice: the chain is made whole, as whoever forges a file does.
#[test]
fn the_page_finds_proofs_that_no_log_can_have() {
    if !has_browser() {
        return;
    }
    let honest: Value = serde_json::from_str(&begun().1).unwrap();
    type Forge = fn(&mut Vec<Value>);
    let forgeries: [(&str, Forge); 5] = [
        ("nothing", |_| {}),
        ("a second commitment", |entries| {
            let rolls = entries.iter().find(|entry| entry["kind"] == "rolls").unwrap().clone();
            entries.push(rolls);
        }),
        ("no close", |entries| (entries[0]["kind"], entries[0]["body"]) = (json!("note"), json!("x"))),
        ("a rerun by nobody", |entries| {
            let root = entries[1]["body"].as_str().unwrap().replacen("1 ", "1 1 ", 1);
            entries.push(json!({"kind": "rerun", "body": root, "hash": ""}));
        }),
        ("a body that its kind can't have", |entries| {
            let body = format!("{} more", entries[1]["body"].as_str().unwrap());
            entries[1]["body"] = json!(body);
        }),
    ];
    let forged = forgeries.iter().map(|(_, forge)| {
        let mut file = honest.clone();
        forge(file["entries"].as_array_mut().unwrap());
        let (from, before) =
            (file["from"].as_u64().unwrap(), file["before"].as_str().unwrap().parse().unwrap());
        relink(file["entries"].as_array_mut().unwrap(), from, before);
        vec![("proofs.json", file.to_string())]
    });
    let pages = shown(&forged.collect::<Vec<_>>());
    for ((what, _), page) in forgeries.iter().zip(&pages) {
        assert_eq!(page.class.contains("bad"), *what != "nothing", "{what}: {page:?}");
    }
}
