//! The structure inside each crate: no circle of files, and none of folders.
//!
//! Within a folder every file and every folder is one room; a file `x.rs` and the folder `x/` are one. A room that uses another may not be used by
//! it, directly or over others. Modules for tests are left out, and so is what a file only passes on (`pub use`): who imports it from there
//! imports it from the file that has it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::paths::{collect, imports, is_punct, resolve};
use crate::root;

/// The path of a module below its crate's root.
type Module = Vec<String>;

/// One crate's modules, and what each file says.
struct Crate {
    files: BTreeMap<Module, File>,
}

struct File {
    /// Where it is, below the crate's folder.
    path: String,
    /// Every path that it names outside its tests.
    paths: Vec<Vec<String>>,
    /// What it imports: the name it has here, and the path.
    imported: BTreeMap<String, Vec<String>>,
    /// The modules that it imports all of.
    globs: Vec<Vec<String>>,
}

impl Crate {
    fn of(folder: &Path, roots: &[&str]) -> Self {
        let mut files = BTreeMap::new();
        for name in roots {
            read(folder, &folder.join(name), &[], &mut files);
        }
        Self { files }
    }

    /// The module in which `path`, as `module` writes it, ends; none outside this crate.
    fn home(&self, module: &Module, path: &[String], depth: u32) -> Option<Module> {
        let (mut at, mut rest) = self.begin(module, path, depth)?;
        while let Some((name, behind)) = rest.split_first() {
            let child = [at.as_slice(), std::slice::from_ref(name)].concat();
            if self.files.contains_key(&child) {
                (at, rest) = (child, behind);
                continue;
            }
            let file = self.files.get(&at)?;
            if let Some(passed_on) = file.imported.get(name).filter(|_| depth < 20) {
                let whole = [passed_on.as_slice(), behind].concat();
                // What comes from another crate is that crate's.
                return self.home(&at, &whole, depth + 1);
            }
            let by_glob = |glob: &Vec<String>| {
                let home = self.home(&at, glob, depth + 1)?;
                let known = self.files.get(&home)?.imported.contains_key(name)
                    || self.files.contains_key(&[home.as_slice(), std::slice::from_ref(name)].concat());
                (known && home != at).then_some(home)
            };
            if depth < 20
                && let Some(home) = file.globs.iter().find_map(by_glob)
            {
                at = home;
                continue;
            }
            return Some(at);
        }
        Some(at)
    }

    /// Where a path begins, and what is left of it.
    fn begin<'a>(&self, module: &Module, path: &'a [String], depth: u32) -> Option<(Module, &'a [String])> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some((Vec::new(), rest)),
            name => {
                let child = [module.as_slice(), &[name.to_owned()]].concat();
                if self.files.contains_key(&child) {
                    return Some((child, rest));
                }
                let import = self.files.get(module)?.imported.get(name)?;
                (depth < 20 && import.first() != Some(first))
                    .then(|| Some((self.home(module, import, depth + 1)?, rest)))
                    .flatten()
            }
        }
    }

    /// Which file uses which, by module.
    fn uses(&self) -> BTreeSet<(Module, Module)> {
        let mut uses = BTreeSet::new();
        for (module, file) in &self.files {
            for path in &file.paths {
                if let Some(home) = self.home(module, path, 0).filter(|home| home != module) {
                    uses.insert((module.clone(), home));
                }
            }
        }
        uses
    }
}

/// Reads a file, and those of the modules that it declares.
fn read(crate_folder: &Path, path: &Path, module: &[String], files: &mut BTreeMap<Module, File>) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (tokens, children) = without_tests(tokens);
    let mut file = File {
        path: path.strip_prefix(crate_folder).unwrap().display().to_string(),
        paths: Vec::new(),
        imported: BTreeMap::new(),
        globs: Vec::new(),
    };
    let (mut passed_on, mut used) = (Vec::new(), Vec::new());
    split_uses(tokens, &mut passed_on, &mut used);
    for (path, alias) in passed_on.iter().chain(&used) {
        let path = resolve(path.clone(), module);
        match (path.last().map(String::as_str), alias) {
            (Some("*"), _) => file.globs.push(path[..path.len() - 1].to_vec()),
            (Some(name), alias) => {
                _ = file.imported.insert(alias.clone().unwrap_or_else(|| name.to_owned()), path.clone());
            }
            (None, _) => {}
        }
    }
    let whole: TokenStream = text.parse().unwrap();
    let (kept, _) = without_tests(whole);
    collect(without_passing_on(kept), module, &mut file.paths);
    match files.get_mut(module) {
        // The program's two roots.
        Some(before) => before.paths.append(&mut file.paths),
        None => _ = files.insert(module.to_vec(), file),
    }
    let beside = match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("lib" | "main" | "mod") => path.parent().unwrap().to_owned(),
        Some(stem) => path.parent().unwrap().join(stem),
        None => return,
    };
    for child in children {
        let ways = [beside.join(format!("{child}.rs")), beside.join(&child).join("mod.rs")];
        let found: Option<&PathBuf> = ways.iter().find(|path| path.exists());
        let found = found.unwrap_or_else(|| panic!("{}: no file for `mod {child}`", path.display()));
        read(crate_folder, found, &[module, &[child]].concat(), files);
    }
}

/// Adds a source file, and those of all modules that it declares, tests too.
fn reach(path: &Path, reached: &mut BTreeSet<PathBuf>) {
    reached.insert(path.to_owned());
    let text = fs::read_to_string(path).unwrap();
    let tokens: Vec<TokenTree> = text.parse::<TokenStream>().unwrap().into_iter().collect();
    let beside = match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("lib" | "main" | "mod") => path.parent().unwrap().to_owned(),
        _ => path.with_extension(""),
    };
    for window in tokens.windows(3) {
        if let [TokenTree::Ident(word), TokenTree::Ident(name), end] = window
            && word == "mod"
            && is_punct(Some(end), ';')
        {
            let ways = [beside.join(format!("{name}.rs")), beside.join(name.to_string()).join("mod.rs")];
            ways.iter().filter(|way| way.exists()).for_each(|way| reach(way, reached));
        }
    }
}

#[test]
fn every_source_file_is_a_module() {
    let mut reached = BTreeSet::new();
    let all = crate::files(&root().join("src"), "rs");
    let is_root = |file: &&PathBuf| {
        file.ends_with("lib.rs") || file.ends_with("main.rs") || file.parent().unwrap().ends_with("examples")
    };
    all.iter().filter(is_root).for_each(|file| reach(file, &mut reached));
    let left: Vec<&PathBuf> = all.difference(&reached).collect();
    assert!(left.is_empty(), "no module declares {left:?}");
}

/// The tokens without what is built for tests alone, and the modules in files of their own.
fn without_tests(tokens: TokenStream) -> (TokenStream, Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut kept, mut children, mut at, mut is_for_tests) = (Vec::new(), Vec::new(), 0, false);
    while let Some(token) = tokens.get(at) {
        if is_punct(Some(token), '#')
            && let Some(TokenTree::Group(group)) = tokens.get(at + 1)
            && group.delimiter() == Delimiter::Bracket
        {
            is_for_tests |= group.stream().to_string().replace(' ', "") == "cfg(test)";
            at += 2;
            continue;
        }
        if is_for_tests {
            // Up to the end of the item.
            let end = |token: &TokenTree| {
                is_punct(Some(token), ';')
                    || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
            };
            at += tokens[at..].iter().position(end).map_or(tokens.len(), |n| n + 1);
            is_for_tests = false;
            continue;
        }
        if let (TokenTree::Ident(word), Some(TokenTree::Ident(name)), true) =
            (token, tokens.get(at + 1), is_punct(tokens.get(at + 2), ';'))
            && word == "mod"
        {
            children.push(name.to_string());
        }
        kept.push(token.clone());
        at += 1;
    }
    (kept.into_iter().collect(), children)
}

/// The imports of a file, those that it passes on and the others, each with the name that it has there, if another.
fn split_uses(
    tokens: TokenStream,
    passed_on: &mut Vec<(Vec<String>, Option<String>)>,
    used: &mut Vec<(Vec<String>, Option<String>)>,
) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if matches!(token, TokenTree::Ident(word) if word == "use") && !is_punct(tokens.get(at + 1), '<') {
            let end =
                tokens[at..].iter().position(|t| is_punct(Some(t), ';')).map_or(tokens.len(), |n| at + n);
            let list = if is_public(&tokens[..at]) { &mut *passed_on } else { &mut *used };
            imports(&tokens[at + 1..end], &[], &mut |path, alias| list.push((path, alias)));
            at = end;
        }
        at += 1;
    }
}

/// The tokens without `pub use`.
fn without_passing_on(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut kept, mut at): (Vec<TokenTree>, usize) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        if matches!(token, TokenTree::Ident(word) if word == "use") && is_public(&tokens[..at]) {
            at += tokens[at..].iter().position(|t| is_punct(Some(t), ';')).map_or(tokens.len(), |n| n + 1);
            continue;
        }
        kept.push(token.clone());
        at += 1;
    }
    kept.into_iter().collect()
}

/// Whether what comes behind these tokens is `pub`, to whomever.
fn is_public(before: &[TokenTree]) -> bool {
    let is_pub = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Ident(word)) if word == "pub");
    match before {
        [.., token, TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            is_pub(Some(token))
        }
        [.., token] => is_pub(Some(token)),
        [] => false,
    }
}

/// The circles of rooms in one crate: for each its rooms, and which file uses which.
fn circles(of: &Crate) -> Vec<String> {
    let uses = of.uses();
    let mut rooms: BTreeMap<Module, BTreeMap<(String, String), Vec<String>>> = BTreeMap::new();
    for (from, to) in &uses {
        let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        let room =
            |module: &Module| module.get(shared).cloned().unwrap_or_else(|| "(its own file)".to_owned());
        let shown = format!("{} -> {}", of.files[from].path, of.files[to].path);
        rooms
            .entry(from[..shared].to_vec())
            .or_default()
            .entry((room(from), room(to)))
            .or_default()
            .push(shown);
    }
    let mut found = Vec::new();
    for (folder, arrows) in rooms {
        let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (from, to) in arrows.keys() {
            reached.entry(from).or_default().insert(to);
        }
        while {
            let before: usize = reached.values().map(BTreeSet::len).sum();
            let further = reached.clone();
            for rooms in reached.values_mut() {
                let behind: Vec<&str> =
                    rooms.iter().filter_map(|room| further.get(room)).flatten().copied().collect();
                rooms.extend(behind);
            }
            before != reached.values().map(BTreeSet::len).sum::<usize>()
        } {}
        let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|rooms| rooms.contains(to));
        let circle: BTreeSet<&str> = reached.keys().filter(|room| reaches(room, room)).copied().collect();
        if circle.is_empty() {
            continue;
        }
        let within = arrows.iter().filter(|((from, to), _)| reaches(to, from));
        let shown: Vec<String> =
            within.flat_map(|(_, shown)| shown.iter().map(|line| format!("    {line}"))).collect();
        let place = if folder.is_empty() { "the crate".to_owned() } else { folder.join("::") };
        let rooms = circle.into_iter().collect::<Vec<_>>().join(", ");
        found.push(format!("  in {place}: {rooms}\n{}", shown.join("\n")));
    }
    found
}

#[test]
fn no_room_of_a_crate_uses_one_that_uses_it() {
    let source = root().join("src");
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in [source.clone(), source.join("rules")] {
        let inside = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        folders.extend(inside.filter(|path| path.join("lib.rs").exists()));
    }
    folders.sort();
    let mut faults = circles(&Crate::of(&source, &["lib.rs", "main.rs"]));
    for folder in folders {
        let found = circles(&Crate::of(&folder, &["lib.rs"]));
        if !found.is_empty() {
            faults.push(format!("{}:\n{}", folder.display(), found.join("\n")));
        }
    }
    assert!(faults.is_empty(), "circles:\n{}", faults.join("\n"));
}

#[test]
fn the_checker_of_circles_sees_what_it_must() {
    let dir = std::env::temp_dir().join(format!("musterd-tidy-{}", std::process::id()));
    let write = |files: &[(&str, &str)]| {
        drop(fs::remove_dir_all(&dir));
        for (path, text) in files {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        circles(&Crate::of(&dir, &["lib.rs"]))
    };
    let lib = ("lib.rs", "mod a; mod b; mod c;");
    // Directly, over a third, over what another passes on, by an alias, from inside a folder, in a path without an import.
    for files in [
        vec![
            lib,
            ("a.rs", "use super::b::B; pub struct A;"),
            ("b.rs", "use crate::a::A; pub struct B;"),
            ("c.rs", ""),
        ],
        vec![lib, ("a.rs", "use super::b;"), ("b.rs", "use super::c;"), ("c.rs", "use super::a;")],
        vec![
            ("lib.rs", "mod a; mod b; mod c; pub use b::B;"),
            ("a.rs", "use super::B; pub struct A;"),
            ("b.rs", "use super::a::A; pub struct B;"),
            ("c.rs", ""),
        ],
        vec![
            lib,
            ("a.rs", "use super::b as other; fn f() { other::g() }"),
            ("b.rs", "fn g() { crate::a::f() }"),
            ("c.rs", ""),
        ],
        vec![
            lib,
            ("a/mod.rs", "mod x; pub struct A;"),
            ("a/x.rs", "use crate::b::B;"),
            ("b.rs", "use crate::a::A;"),
            ("c.rs", ""),
        ],
        vec![
            lib,
            ("a/mod.rs", "mod x; use x::X; pub struct A;"),
            ("a/x.rs", "use super::A; pub struct X;"),
            ("b.rs", ""),
            ("c.rs", ""),
        ],
    ] {
        assert_eq!(write(&files).len(), 1, "{files:?}");
    }
    // Tests, what is merely passed on, and whom something is public to, are no use.
    for files in [
        vec![
            lib,
            ("a.rs", "use super::b::B; pub struct A;"),
            ("b.rs", "#[cfg(test)] mod tests { use crate::a::A; }"),
            ("c.rs", ""),
        ],
        vec![
            lib,
            ("a/mod.rs", "mod x; pub use x::X; pub struct A;"),
            ("a/x.rs", "use super::A; pub struct X;"),
            ("b.rs", ""),
            ("c.rs", ""),
        ],
        vec![lib, ("a.rs", "use super::b::B;"), ("b.rs", "pub(in crate::a) struct B;"), ("c.rs", "")],
    ] {
        assert_eq!(write(&files), Vec::<String>::new(), "{files:?}");
    }
    fs::remove_dir_all(&dir).unwrap();
}
