//! Mails made from the corpus by a seed: the same seed gives the same mail on every machine.

use std::fs;
use std::path::{Path, PathBuf};

/// No mutation makes a mail larger than this, in bytes.
const LARGEST: usize = 1_000_000;

/// What mail is made of: pieces to put in anywhere.
const PIECES: &[&[u8]] = &[
    b"\r\n",
    b"\n",
    b"\r",
    b"\r\r\n",
    b"\0",
    b"\x0c",
    b"\t",
    b" ",
    b"\n\n",
    b"\xc2\x85",
    b"\xe2\x80\xa8",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xff\xfe\0\0",
    b"\xc3",
    b"\xe2\x80",
    b"\xf0\x9f",
    b"\x1b$B",
    b"\x1b(B",
    b"+APw-",
    b"+",
    b"=",
    b"=\n",
    b"=C3=BC",
    b"=C3",
    b"=E2=\n=80=93",
    b">",
    b"> ",
    b">>> ",
    b"> > ",
    b"-- \n",
    b"--",
    b"\nBEGIN ORDERS\n",
    b"\nEND ORDERS\n",
    b"\nBEGIN ORDERS\n\nEND ORDERS\n",
    b"\nREADY\n",
    b"\nWAIT\n",
    b"\nSTANDING\n",
    b"\nSTATUS\n",
    b"\nEXTEND 2d\n",
    b"\nPRESS TO ALLIES\n",
    b"\nPRESS ANONYMOUS TO ALL SEALED UNTIL 9\n",
    b"\nEND PRESS\n",
    b"\nMOVE 1 TO Ulm\n",
    b"\nATTACK 1507 WITH 3 UNTIL CLEAR WHILE MORALE >= 2 THEN ENTER\n",
    b"\nsalt: five blue cats\n",
    b"\n# key: alpha french k7q2mz4t9hwxp3cd\n",
    b"\nOn 4 May 2026, at 21:00, Host <h@example.org> wrote:\n",
    b"\nFrom: Host\nSent: today 9:05\nTo: Ney\nSubject: x\n",
    b"\n-----Original Message-----\n",
    b"\nContent-Type: text/html\n",
    b"\nContent-Type: text/plain; charset=utf-16; format=flowed; delsp=yes\n",
    b"\nContent-Transfer-Encoding: base64\n",
    b"\nContent-Type: multipart/mixed; boundary=x\n\n--x\n",
    b"\nContent-Type: message/rfc822\n\n",
    b"\n--x--\n",
    b"\nContent-Disposition: attachment; filename=\"orders.txt\"\n",
    b"=?utf-8?B?TU9WRQ==?=",
    b"=?iso-2022-jp?B?GyRC?=",
    b"=?",
    b"<div>",
    b"</div>",
    b"<br>",
    b"<blockquote>",
    b"</blockquote>",
    b"<pre>",
    b"</pre>",
    b"<table><tr><td>",
    b"<td>",
    b"<style>",
    b"<style>.a,p.a,#a{display:none} @media x{.b{display:block}} @media screen{.c{font-size:0}}</style>",
    b"</style>",
    b"<style>a,b,.c,.d{left:0;left:0;font-size:0000000000000000000000}</style>",
    b"<div class=\"a b\">",
    b"<div class=\"a a a a a a a a a b\">",
    b"<p class=c style=\"text-decoration:line-through\">",
    b"<span style=\"position:absolute;left:-9999px\">",
    b"</span>",
    b"<s>",
    b"</s>",
    b"\xef\xb7\x90",
    b"\xef\xb7\x91",
    b"~~",
    b"\nContent-Type: application/pkcs7-mime; smime-type=signed-data\n",
    b"<!--",
    b"-->",
    b"<a href=\"",
    b"&nbsp;",
    b"&#x1F600;",
    b"&#0;",
    b"&",
    b"<",
    b"\xf0\x9f\x98\x80",
    b"\xe2\x80\x8b",
    b"-----BEGIN PGP SIGNED MESSAGE-----\n\n",
    b"-----BEGIN PGP SIGNATURE-----\n",
    b"-----END PGP SIGNATURE-----\n",
    b"-----BEGIN PGP MESSAGE-----\n",
    b"==============================================================================\n",
    b"\nChain: alpha 6\n",
];

/// Charsets and encodings to relabel with, some of them nobody's.
const LABELS: &[&str] = &[
    "utf-8",
    "us-ascii",
    "iso-8859-1",
    "windows-1252",
    "windows-1251",
    "utf-16",
    "utf-16le",
    "utf-16be",
    "utf-32",
    "utf-7",
    "iso-2022-jp",
    "iso-2022-kr",
    "shift_jis",
    "euc-jp",
    "gb18030",
    "big5",
    "koi8-r",
    "hz-gb-2312",
    "x-unknown",
    "",
    "base64",
    "quoted-printable",
    "8bit",
    "7bit",
    "binary",
    "x-uuencode",
    "text/html",
    "text/plain",
    "multipart/alternative",
    "multipart/signed",
    "message/rfc822",
    "message/delivery-status",
    "application/octet-stream",
    "flowed",
    "attachment",
];

/// The header fields whose values are exchanged.
const LABELLED: &[&[u8]] =
    &[b"charset=", b"ransfer-Encoding:", b"ontent-Type:", b"format=", b"ontent-Disposition:"];

/// A small generator of numbers (splitmix64): the mails must not change with the version of a library.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap()
    }

    pub(crate) fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }
}

/// Makes mails from others.
pub(crate) struct Mutator {
    mails: Vec<Vec<u8>>,
}

impl Mutator {
    /// From the mails (`*.eml`) of a folder, in the order of their names.
    pub(crate) fn of(folder: &Path) -> Self {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|kind| kind == "eml")).collect();
        paths.sort();
        Self { mails: paths.iter().map(|path| fs::read(path).unwrap()).collect() }
    }

    /// The mail of a seed: one of the folder after one to eight changes.
    pub(crate) fn mail(&self, seed: u64) -> Vec<u8> {
        let mut chance = Chance::new(seed);
        let mut mail = chance.pick(&self.mails).clone();
        for _ in 0..=chance.below(8) {
            self.change(&mut mail, &mut chance);
            mail.truncate(LARGEST);
        }
        mail
    }

    fn change(&self, mail: &mut Vec<u8>, chance: &mut Chance) {
        let other = chance.pick(&self.mails);
        match chance.below(16) {
            0 => {
                // The head of one, the body of another.
                mail.truncate(body_at(mail));
                mail.extend_from_slice(&other[body_at(other)..]);
            }
            1 => {
                let (from, to) = (chance.below(mail.len()), chance.below(other.len()));
                mail.truncate(from);
                mail.extend_from_slice(&other[to..]);
            }
            2 => (0..=chance.below(12)).for_each(|_| {
                let at = chance.below(mail.len());
                if let Some(byte) = mail.get_mut(at) {
                    *byte ^= 1 << chance.below(8);
                }
            }),
            3 => swap_lines(mail, chance),
            4 => {
                let line = chance.pick(&lines_of(&other[..body_at(other)])).to_vec();
                let at = line_start(mail, chance);
                mail.splice(at..at, line);
            }
            5 => damage_boundary(mail, chance),
            6 => relabel(mail, chance),
            7 => nest(mail, chance),
            8 => mail.truncate(chance.below(mail.len())),
            9 => lengthen(mail, chance),
            10 => encode_body(mail, chance),
            11 => {
                let at = chance.below(mail.len());
                let end = (at + chance.below(60)).min(mail.len());
                mail.drain(at..end);
            }
            12 => {
                let at = line_start(mail, chance);
                let end = (at + chance.below(400)).min(mail.len());
                let piece = mail[at..end].to_vec();
                let at = line_start(mail, chance);
                mail.splice(at..at, piece);
            }
            _ => {
                let at = if chance.below(2) == 0 {
                    line_start(mail, chance)
                } else {
                    chance.below(mail.len() + 1)
                };
                mail.splice(at..at, chance.pick(PIECES).iter().copied());
            }
        }
    }
}

fn lines_of(bytes: &[u8]) -> Vec<&[u8]> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.is_empty() { vec![b"\n"] } else { lines }
}

/// Where the body begins; the end, if there is none.
fn body_at(mail: &[u8]) -> usize {
    let find = |end: &[u8]| mail.windows(end.len()).position(|found| found == end).map(|at| at + end.len());
    find(b"\r\n\r\n").into_iter().chain(find(b"\n\n")).min().unwrap_or(mail.len())
}

fn line_start(mail: &[u8], chance: &mut Chance) -> usize {
    let from = chance.below(mail.len());
    mail[from..].iter().position(|byte| *byte == b'\n').map_or(mail.len(), |length| from + length + 1)
}

fn swap_lines(mail: &mut Vec<u8>, chance: &mut Chance) {
    let mut lines = lines_of(mail);
    for _ in 0..=chance.below(4) {
        let (a, b) = (chance.below(lines.len()), chance.below(lines.len()));
        lines.swap(a, b);
    }
    *mail = lines.concat();
}

/// Doubles, shortens, closes or removes a line that begins with `--`.
fn damage_boundary(mail: &mut Vec<u8>, chance: &mut Chance) {
    let mut lines: Vec<Vec<u8>> = lines_of(mail).into_iter().map(<[u8]>::to_vec).collect();
    let marks: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with(b"--")).collect();
    if marks.is_empty() {
        return;
    }
    let at = *chance.pick(&marks);
    match chance.below(4) {
        0 => {
            lines.remove(at);
        }
        1 => {
            let line = lines[at].clone();
            lines.insert(at, line);
        }
        2 => {
            lines[at].truncate(3);
            lines[at].push(b'\n');
        }
        _ => {
            let end = lines[at].iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(0, |last| last + 1);
            lines[at].splice(end..end, *b"--");
        }
    }
    *mail = lines.concat();
}

/// Another value behind a charset, a type or an encoding.
fn relabel(mail: &mut Vec<u8>, chance: &mut Chance) {
    let field = *chance.pick(LABELLED);
    let places: Vec<usize> = mail
        .windows(field.len())
        .enumerate()
        .filter(|(_, found)| *found == field)
        .map(|(at, _)| at)
        .collect();
    if places.is_empty() {
        return;
    }
    let from = chance.pick(&places) + field.len();
    let length = mail[from..].iter().skip(1).position(|byte| b"\r\n; ".contains(byte)).map_or(0, |at| at + 1);
    let label = chance.pick(LABELS);
    mail.splice(from..from + length, label.bytes());
}

/// The mail as a part or as an attachment of another.
fn nest(mail: &mut Vec<u8>, chance: &mut Chance) {
    let kinds = ["mixed", "alternative", "signed", "related", "digest", "report", "encrypted", "form-data"];
    let kind = chance.pick(&kinds);
    let boundary = format!("nest{}", chance.below(100));
    let head = "From: Ney <ney@example.org>\nTo: musterd+alpha.french.k7q2mz4t9hwxp3cd@play.example\n";
    let whole = chance.below(2) == 0;
    let inner = if whole { "Content-Type: message/rfc822\n\n" } else { "" };
    let mut nested =
        format!("{head}Content-Type: multipart/{kind}; boundary={boundary}\n\n--{boundary}\n{inner}")
            .into_bytes();
    nested.append(mail);
    nested.extend_from_slice(format!("\n--{boundary}--\n").as_bytes());
    *mail = nested;
}

/// A piece of the mail many times over: a giant line, a thousand parts.
fn lengthen(mail: &mut Vec<u8>, chance: &mut Chance) {
    let sizes = [1 << 10, 1 << 12, 1 << 14];
    let size = if chance.below(400) == 0 { LARGEST } else { *chance.pick(&sizes) };
    let from = chance.below(mail.len());
    let to = (from + 1 + chance.below(80)).min(mail.len());
    let piece = mail[from..to].to_vec();
    if !piece.is_empty() {
        let many = piece.repeat(size / piece.len());
        mail.splice(to..to, many);
    }
}

/// The body in another transfer encoding, which the head says.
fn encode_body(mail: &mut Vec<u8>, chance: &mut Chance) {
    let at = body_at(mail);
    let body = mail.split_off(at);
    let (name, encoded) = match chance.below(3) {
        0 => ("base64", base64(&body)),
        1 => ("quoted-printable", body.iter().flat_map(|byte| format!("={byte:02X}").into_bytes()).collect()),
        _ => ("8bit", body.iter().flat_map(|byte| [*byte, 0]).collect()),
    };
    let field = format!("Content-Transfer-Encoding: {name}\n");
    mail.splice(0..0, field.bytes());
    mail.extend(encoded);
}

pub(crate) fn base64(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::with_capacity(bytes.len() * 4 / 3 + 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte))
            << (8 * (3 - three.len()));
        for digit in 0..4 {
            text.push(if digit <= three.len() { DIGITS[bits >> (18 - 6 * digit) & 63] } else { b'=' });
        }
        if text.len() % 77 >= 72 {
            text.push(b'\n');
        }
    }
    text
}
