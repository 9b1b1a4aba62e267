//! The paths that a source file names.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Adds every path of two segments or more, and every imported one, with `self` and `super` resolved to `crate::…`.
pub(crate) fn collect(tokens: TokenStream, module: &[String], paths: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            // Whom something is public to is not what it uses.
            TokenTree::Ident(word)
                if word == "pub"
                    && matches!(tokens.get(at + 1), Some(TokenTree::Group(to)) if to.delimiter() == Delimiter::Parenthesis) =>
            {
                at += 1;
            }
            TokenTree::Group(group) => collect(group.stream(), module, paths),
            TokenTree::Ident(word) if word == "mod" => {
                if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                    (tokens.get(at + 1), tokens.get(at + 2))
                {
                    collect(body.stream(), &[module, &[name.to_string()]].concat(), paths);
                    at += 2;
                }
            }
            TokenTree::Ident(word) if word == "use" && !is_punct(tokens.get(at + 1), '<') => {
                let end =
                    tokens[at..].iter().position(|t| is_punct(Some(t), ';')).map_or(tokens.len(), |n| at + n);
                imports(&tokens[at + 1..end], &[], &mut |path, _| paths.push(resolve(path, module)));
                at = end;
            }
            TokenTree::Ident(word) => {
                let mut path = vec![name(word)];
                while is_colons(&tokens, at + 1)
                    && let Some(TokenTree::Ident(word)) = tokens.get(at + 3)
                {
                    path.push(name(word));
                    at += 3;
                }
                if path.len() > 1 {
                    paths.push(resolve(path, module));
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        at += 1;
    }
}

/// Every path that a `use` tree imports, after `prefix`, and the name that it is given, if another.
pub(crate) fn imports(
    tree: &[TokenTree],
    prefix: &[String],
    found: &mut impl FnMut(Vec<String>, Option<String>),
) {
    let mut path = prefix.to_vec();
    for (at, token) in tree.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "as" => {
                let alias = match tree.get(at + 1) {
                    Some(TokenTree::Ident(alias)) => Some(name(alias)),
                    _ => None,
                };
                return found(path, alias);
            }
            TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
            TokenTree::Ident(word) => path.push(name(word)),
            TokenTree::Punct(punct) if punct.as_char() == '*' => path.push("*".to_owned()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                for branch in inside.split(|t| is_punct(Some(t), ',')).filter(|branch| !branch.is_empty()) {
                    imports(branch, &path, found);
                }
                return;
            }
            TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => {}
        }
    }
    found(path, None);
}

/// The path from the crate's root where it begins with `crate`, `self` or `super`; else as written.
pub(crate) fn resolve(path: Vec<String>, module: &[String]) -> Vec<String> {
    let ups = path.iter().take_while(|segment| *segment == "super" || *segment == "self").count();
    if ups == 0 {
        return path;
    }
    let supers = path[..ups].iter().filter(|segment| *segment == "super").count();
    let base = &module[..module.len().saturating_sub(supers)];
    [&["crate".to_owned()], base, &path[ups..]].concat()
}

fn name(word: &proc_macro2::Ident) -> String {
    word.to_string().trim_start_matches("r#").to_owned()
}

pub(crate) fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}
