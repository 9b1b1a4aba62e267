//! Mails that are the same thing many times over: what takes time more than proportional to their length shows here.

/// The head of a plain mail.
const PLAIN: &str = "From: a@b.example\n\n";
const FLOWED: &str = "From: a@b.example\nContent-Type: text/plain; format=flowed; delsp=yes\n\n";
const PAGE: &str = "From: a@b.example\nContent-Type: text/html\n\n";
const PARTS: &str = "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n";
const BASE64: &str = "From: a@b.example\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n";
const QUOTED: &str =
    "From: a@b.example\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n";
const JAPANESE: &str = "From: a@b.example\nContent-Type: text/plain; charset=iso-2022-jp\n\n";
const RULE: &str = "==============================================================================\n";

/// A head, and what is repeated below it.
const BURDENS: &[(&str, &str)] = &[
    (PLAIN, ">"),
    (PLAIN, "> "),
    (PLAIN, "> \n"),
    (PLAIN, "\n"),
    (PLAIN, "\r"),
    (PLAIN, " "),
    (PLAIN, "a\n"),
    (PLAIN, "-"),
    (PLAIN, "-- \n"),
    (PLAIN, "--- message ---\n"),
    (PLAIN, "--- message --- From: x\n"),
    (PLAIN, "From: a\n"),
    (PLAIN, "From: a\n\n\n\n\n\n\n\n"),
    (PLAIN, "a@b: 9:05\n"),
    (PLAIN, "x: y\n"),
    (PLAIN, "On 1 a\n"),
    (PLAIN, "On 1 a 9:05 "),
    (PLAIN, "On 1 a@b wrote:\n"),
    (PLAIN, "On 1 a@b wrote:\n> x\ny\n"),
    (PLAIN, "9:05:\n"),
    (PLAIN, RULE),
    (PLAIN, "=\n"),
    (PLAIN, "BEGIN ORDERS\n"),
    (PLAIN, "BEGIN ORDERS\nEND ORDERS\n"),
    (PLAIN, "> BEGIN ORDERS\n> END ORDERS\n"),
    (PLAIN, "END ORDERS\n"),
    (PLAIN, "# key: alpha french k7q2mz4t9hwxp3cd\n"),
    (PLAIN, "# key: alpha french k7q2mz4t9hwxp3cd\nBEGIN ORDERS\nEND ORDERS\n"),
    (PLAIN, "MOVE 1 TO Ulm\n"),
    (PLAIN, "MOVE 1 TO "),
    (PLAIN, "STANDING\n"),
    (PLAIN, "MVOE 1\n"),
    (PLAIN, "INFO Ulm\n"),
    (PLAIN, "\"VI Ney\" "),
    (PLAIN, "Ney and Davout will march to Ulm.\n"),
    (PLAIN, "READY\n"),
    (PLAIN, "~~READY~~\n"),
    (PLAIN, "STATUS\n"),
    (PLAIN, "PRESS TO A\n"),
    (PLAIN, "PRESS TO A\nx\nEND PRESS\n"),
    (PLAIN, "press to a\n"),
    (PLAIN, "press to a\nBEGIN ORDERS\n"),
    (PLAIN, "END PRESS\n"),
    (PLAIN, "-- \nPRESS TO A\n> x\n"),
    (PLAIN, "-----BEGIN PGP SIGNED MESSAGE-----\n"),
    (PLAIN, "-----BEGIN PGP SIGNED MESSAGE-----\n\nx\n-----BEGIN PGP SIGNATURE-----\n"),
    (PLAIN, "\u{e9}"),
    (PLAIN, "\u{200b}"),
    (PLAIN, "\u{2026}"),
    (PLAIN, "essage/"),
    (PLAIN, "MOVE 1 TO 1203 AND 1204 AND 1205 AND 1206 AND 1207 AND 1208 AND 1209\n"),
    (FLOWED, "a \n"),
    (FLOWED, ">a \n"),
    (FLOWED, "> > a \n"),
    (FLOWED, "-- \n"),
    (FLOWED, ">"),
    (FLOWED, " "),
    (PAGE, "<"),
    (PAGE, "<a"),
    (PAGE, "<a \""),
    (PAGE, "<a href='"),
    (PAGE, "<a>"),
    (PAGE, "</"),
    (PAGE, "<!--"),
    (PAGE, "<!"),
    (PAGE, "<?"),
    (PAGE, "<blockquote>"),
    (PAGE, "<blockquote>a"),
    (PAGE, "</blockquote>"),
    (PAGE, "<pre>"),
    (PAGE, "<pre>\n"),
    (PAGE, "</pre>"),
    (PAGE, "<td>"),
    (PAGE, "<tr><td>a"),
    (PAGE, "<table>"),
    (PAGE, "<style>"),
    (PAGE, "<style></style>"),
    (PAGE, "<style>.a{display:none}</style>"),
    (PAGE, "<style>.a{display:none}</style><p class=\"a b\">x"),
    (PAGE, "<style>@media{"),
    (PAGE, "<style>@x{</style>"),
    (PAGE, "<s>"),
    (PAGE, "<s>a</s>"),
    (PAGE, "<style>@media x{.a{display:block}</style><p class=a>x"),
    (PAGE, "<script"),
    (PAGE, "</style"),
    (PAGE, "<title>a"),
    (PAGE, "&"),
    (PAGE, "&amp;"),
    (PAGE, "&#x41;"),
    (PAGE, "&a"),
    (PAGE, "<p style=\"white-space:pre\">"),
    (PAGE, "<br>"),
    (PAGE, "<div>a</div>"),
    (PAGE, "<p>a"),
    (PAGE, "\n"),
    (PAGE, "a "),
    (PARTS, "--b\n\n"),
    (PARTS, "--b\nContent-Type: text/plain\n\na\n"),
    (PARTS, "--b\nContent-Type: text/html\n\na\n"),
    (PARTS, "--b\nContent-Type: multipart/mixed; boundary=b\n\n"),
    (PARTS, "--b\nContent-Type: multipart/mixed; boundary=c\n\n"),
    (PARTS, "--b\nContent-Type: image/png; name=orders.png\n\na\n"),
    (PARTS, "--b\nContent-Disposition: attachment; filename=orders.txt\n\nMOVE 1 TO Ulm\n"),
    (PARTS, "--b\nContent-Disposition: attachment; filename=x.txt\n\nBEGIN ORDERS\n"),
    (PARTS, "--b\nContent-Type: message/rfc822\n\nFrom: a@b\n\nx\n"),
    (PARTS, "--b"),
    (PARTS, "--b--\n"),
    (PARTS, "--"),
    (BASE64, "A"),
    (BASE64, "AAAA\n"),
    (BASE64, "="),
    (BASE64, "TU9WRSAxCg==\n"),
    (QUOTED, "="),
    (QUOTED, "=\n"),
    (QUOTED, "=C3"),
    (QUOTED, "=20\n"),
    (JAPANESE, "\u{1b}$B"),
    (JAPANESE, "\u{1b}(B"),
    (JAPANESE, "\u{1b}$B4A\u{1b}(B"),
    ("", "From: a@b.example\n"),
    ("", "To: a@b.example\n"),
    ("", "X: y\n"),
    ("", "To: "),
    ("To: ", "a@b.example, "),
    ("To: ", "("),
    ("To: ", "\""),
    ("To: ", "<"),
    ("To: ", "a "),
    ("To: ", "g: a@b; "),
    ("Subject: ", "=?utf-8?q?a?= "),
    ("Subject: ", "=?"),
    ("Subject: ", "[a] "),
    ("Subject: a\n", " b\n"),
    ("References: ", "<a@b> "),
    ("References: ", "<"),
    ("Received: ", "from x by y; "),
    ("Content-Type: text/plain", "; a=b"),
    ("Content-Type: text/plain; ", "a*0=\"b\"; "),
    ("Content-Type: text/plain", "; "),
    ("Content-Type: multipart/mixed; boundary=\"", "b"),
    ("Content-Type: ", "a/"),
    ("Auto-Submitted: ", "a "),
    ("", "a"),
    ("", ":"),
];

/// Makes a mail of about so many bytes.
type Make = fn(usize) -> String;

/// Every burden at about `bytes` bytes, with what tells it from the others.
pub(crate) fn burdens(bytes: usize) -> impl Iterator<Item = (String, Vec<u8>)> {
    let repeated = BURDENS.iter().map(move |(head, unit)| {
        let mail = format!("{head}{}", unit.repeat(bytes / unit.len()));
        (format!("{:?} below {:?}", unit, head.lines().last().unwrap_or_default()), mail.into_bytes())
    });
    let made: [(&str, Make); 8] = [
        ("parts within parts", within),
        ("addresses of many seats", |bytes| {
            let to = (0..bytes / 50).map(|n| format!("musterd+alpha.french.{n:016}@play.example"));
            format!("From: a@b.example\nTo: {}\n\nMOVE 1\n", to.collect::<Vec<_>>().join(",\n "))
        }),
        ("two versions, one broken", broken),
        ("a rule of many selectors and declarations", |bytes| {
            let names: Vec<String> = (0..bytes / 14).map(|n| format!("a{n:x}")).collect();
            format!("{PAGE}<style>{}{{{}}}</style>", names.join(","), "left:0;".repeat(bytes / 14))
        }),
        ("a long value and many elements", |bytes| {
            let value = "f".repeat(bytes / 2);
            format!(
                "{PAGE}<style>.a{{color:#{value}}} .a{{left:{value}}}</style>{}",
                "<p class=a>x".repeat(bytes / 24)
            )
        }),
        ("an element of many classes", |bytes| {
            format!("{PAGE}<style>.a{{left:0}}</style><p class=\"{}\">x", "a ".repeat(bytes / 2))
        }),
        ("two versions of short lines", |bytes| {
            versions(&"MOVE 1\n".repeat(bytes / 20), &"MOVE 1<br>".repeat(bytes / 20))
        }),
        ("two versions that begin alike", |bytes| {
            let line = "a".repeat(50);
            versions(&format!("{line}\n").repeat(bytes / 110), &format!("{line} ").repeat(bytes / 110))
        }),
    ];
    repeated.chain(made.into_iter().map(move |(name, make)| (name.to_owned(), make(bytes).into_bytes())))
}

fn within(bytes: usize) -> String {
    (0..bytes / 60).map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n")).collect()
}

fn broken(bytes: usize) -> String {
    let words: String = (0..bytes / 20).map(|n| format!("{n} ")).collect();
    let lines: String =
        words.as_bytes().chunks(70).map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect();
    versions(&lines, &words)
}

fn versions(plain: &str, page: &str) -> String {
    format!(
        "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n{plain}\n--b\nContent-Type: text/html\n\n{page}\n--b--\n"
    )
}
