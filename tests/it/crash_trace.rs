//! What `strace` has written of a process: its calls, in the order in which they ended.

/// The calls that change what a file system holds or what is certain of it. Some are here so that they are noticed if the program ever
/// makes them: whoever replays a recording refuses what it doesn't know.
pub(crate) const CALLS: &str = "open,openat,openat2,creat,write,writev,pwrite64,pwritev,pwritev2,lseek,ftruncate,truncate,fallocate,\
     rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,mknod,mknodat,rmdir,fsync,fdatasync,\
     sync_file_range,sync,syncfs,msync,copy_file_range,sendfile,splice,mmap,close,dup,dup2,dup3,fcntl,utimensat,chdir,fchdir,\
     io_uring_setup";

/// One call that has ended.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) name: &'a str,
    args: Vec<String>,
    /// What it gave back; below zero is an error.
    pub(crate) result: i64,
    /// How many calls had ended when it began.
    pub(crate) begun: usize,
    /// When it was seen, in nanoseconds since 1970.
    pub(crate) at: i64,
}

impl Call<'_> {
    /// The `n`th argument as it is written; nothing if there are fewer.
    pub(crate) fn word(&self, n: usize) -> &str {
        self.args.get(n).map_or("", String::as_str)
    }

    /// The `n`th argument as a number.
    pub(crate) fn number(&self, n: usize) -> i64 {
        self.word(n).parse().unwrap_or_else(|_| panic!("argument {n} is no number: {self:?}"))
    }

    /// The bytes in the `n`th argument: of a string, or of all strings in a list.
    pub(crate) fn bytes(&self, n: usize) -> Vec<u8> {
        let arg = self.word(n);
        assert!(!arg.contains("\"..."), "strace has cut {} short", self.name);
        arg.split('"').skip(1).step_by(2).flat_map(unescaped).collect()
    }
}

/// Every byte of a string is written as `\x` and two digits.
fn unescaped(text: &str) -> Vec<u8> {
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        other => panic!("{other} is no digit"),
    };
    text.as_bytes().chunks(4).map(|byte| digit(byte[2]) << 4 | digit(byte[3])).collect()
}

/// Reads what `strace -f -ttt -xx` has written.
pub(crate) fn read(trace: &str) -> Vec<Call<'_>> {
    let mut calls: Vec<Call<'_>> = Vec::new();
    // By thread: what stands of a call that has not ended, and when it began.
    let mut begun: std::collections::BTreeMap<&str, (&str, usize)> = std::collections::BTreeMap::new();
    for line in trace.lines() {
        let (thread, rest) = line.split_once(' ').unwrap_or_else(|| panic!("no thread in {line}"));
        let (time, rest) = rest.trim_start().split_once(' ').unwrap_or_else(|| panic!("no time in {line}"));
        if rest.starts_with("+++") || rest.starts_with("---") {
            continue;
        }
        if let Some(head) = rest.strip_suffix("<unfinished ...>") {
            begun.insert(thread, (head, calls.len()));
            continue;
        }
        let (text, since) = match rest.split_once(" resumed>").filter(|_| rest.starts_with("<... ")) {
            Some((_, tail)) => {
                let (head, since) = begun.remove(thread).unwrap_or_else(|| panic!("never begun: {line}"));
                ((head, tail), since)
            }
            None => (("", rest), calls.len()),
        };
        calls.extend(call(text, since, time));
    }
    calls
}

/// A call whose text is in two halves; none if it never told how it ended.
fn call<'a>((head, tail): (&'a str, &'a str), begun: usize, time: &str) -> Option<Call<'a>> {
    let first = if head.is_empty() { tail } else { head };
    let (name, _) = first.split_once('(').unwrap_or_else(|| panic!("no call: {head}{tail}"));
    let (_, after) = tail.rsplit_once(") = ").or_else(|| tail.rsplit_once(')')?.1.split_once("= "))?;
    let result = after.split_whitespace().next()?;
    let result = match result.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16),
        None => result.parse(),
    };
    let result = result.ok()?;
    let whole = format!("{}{}", head.trim_end(), tail);
    let end = whole.rfind(") = ").or_else(|| whole.rfind(')'))?;
    let args = arguments(&whole[name.len() + 1..end]);
    let (seconds, micros) = time.split_once('.')?;
    let at = seconds.parse::<i64>().ok()? * 1_000_000_000 + micros.parse::<i64>().ok()? * 1000;
    Some(Call { name, args, result, begun, at })
}

/// The arguments, at the commas that stand in no bracket.
fn arguments(text: &str) -> Vec<String> {
    let (mut depth, mut from, mut args) = (0, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => depth -= 1,
            b',' if depth == 0 => {
                args.push(text[from..at].trim().to_owned());
                from = at + 1;
            }
            _ => {}
        }
    }
    args.push(text[from..].trim().to_owned());
    args
}
