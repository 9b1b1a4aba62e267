//! What shells complete: the words of the command line, and the games, seats and scenarios of the data directory that the line works on.
//!
//! The scripts in `deploy/completions` run this program with [`ASKED`] in its environment and the words of the line behind `--`. Nothing here opens the
//! store, asks the daemon or writes: a word is completed at once, whatever the daemon does.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgMatches, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{Bash, EnvCompleter, Fish, Shells, Zsh};
use clap_complete::{CompleteEnv, Shell};

use super::{global, shelf};
use musterd_desk::mail::{Verb, gm_verbs};
use musterd_desk::{Desk, Listing};
use musterd_dice::GameId;
use musterd_store as store;

/// The variable by which a shell asks. Its value is the shell's name.
const ASKED: &str = "MUSTERD_COMPLETE";

/// Answers a shell that completes a line of `command`; `false` if none asked. A command that is run with the variable in its environment is carried out
/// all the same: a mail that is delivered must not be taken for a question.
///
/// # Errors
/// The shell is not known, or the answer can't be written.
pub(super) fn answer(command: &Command) -> Result<bool, clap::Error> {
    // A shell gives the words behind `--`, and whoever wants its script gives none.
    if std::env::args_os().nth(1).is_some_and(|first| first != "--") {
        return Ok(false);
    }
    let here = std::env::current_dir().ok();
    let shells: [&dyn EnvCompleter; 3] = [&Plain(&Bash), &Plain(&Zsh), &Plain(&Fish)];
    CompleteEnv::with_factory(|| offering(command))
        .var(ASKED)
        .shells(Shells(&shells))
        .try_complete(std::env::args_os(), here.as_deref())
}

/// The script that has a shell complete `musterd` by asking the program of this name.
///
/// # Errors
/// It is none of bash, zsh and fish.
pub fn completions(shell: Shell) -> io::Result<String> {
    let shell: &dyn EnvCompleter = match shell {
        Shell::Bash => &Plain(&Bash),
        Shell::Zsh => &Plain(&Zsh),
        Shell::Fish => &Plain(&Fish),
        other => return Err(io::Error::other(format!("there are no completions for {other}"))),
    };
    let mut script = Vec::new();
    shell.write_registration(ASKED, "musterd", "musterd", "musterd", &mut script)?;
    String::from_utf8(script).map_err(io::Error::other)
}

/// The command line, with what is offered for its arguments. They are known by their names, so that a new command offers what the others do.
fn offering(command: &Command) -> Command {
    let plain = Arc::new(command.clone());
    with_offers(command.clone(), &plain)
}

fn with_offers(command: Command, plain: &Arc<Command>) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|arg| match (name.as_str(), arg.get_id().as_str()) {
        (_, "game") => offer(arg, plain, games),
        (_, "seat" | "without") => offer(arg, plain, seats),
        (_, "seats") => offer(arg, plain, seatings),
        ("check" | "show", "scenario") => offer(arg, plain, scenarios_and_files),
        (_, "scenario") => offer(arg, plain, scenarios),
        ("gm", "command") => offer(arg, plain, |line, _| gm_words(line)),
        _ => arg,
    });
    command.mut_subcommands(|inner| with_offers(inner, plain))
}

/// Has an argument offer what `values` lists for the line so far and the word under the cursor, as far as it begins with that word.
fn offer(
    arg: clap::Arg,
    plain: &Arc<Command>,
    values: fn(&Line, &str) -> Vec<CompletionCandidate>,
) -> clap::Arg {
    let plain = Arc::clone(plain);
    arg.add(ArgValueCompleter::new(move |current: &OsStr| {
        let Some(current) = current.to_str() else { return Vec::new() };
        let mut values = values(&Line::read(&plain), current);
        values.retain(|value| {
            value.get_value().to_str().is_some_and(|text| text.starts_with(current) && is_plain(text))
        });
        values
    }))
}

/// Whether a shell takes a value as it is: names of files in a data directory may be anything.
fn is_plain(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:,@~+".contains(c))
}

fn named(value: impl Into<OsString>) -> CompletionCandidate {
    CompletionCandidate::new(value)
}

/// What the line says already.
struct Line {
    dir: PathBuf,
    /// The arguments of its command, as far as they can be read.
    said: Option<ArgMatches>,
}

impl Line {
    fn read(plain: &Command) -> Self {
        let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
        // The word under the cursor is the last: what stands behind it says nothing about it.
        let at = std::env::var_os("_CLAP_COMPLETE_INDEX").and_then(|at| at.to_str()?.parse::<usize>().ok());
        let words: Vec<OsString> = words.take(at.map_or(usize::MAX, |at| at.saturating_add(1))).collect();
        let mut said = plain.clone().ignore_errors(true).try_get_matches_from(words).ok();
        while let Some((_, inner)) = said.as_ref().and_then(ArgMatches::subcommand) {
            said = Some(inner.clone());
        }
        let mut line = Self { dir: PathBuf::new(), said };
        line.dir = global::data_dir(line.words("dir").last().map(|dir| home(dir)));
        line
    }

    /// The words that an argument was given.
    fn words(&self, argument: &str) -> Vec<&str> {
        let given = self.said.as_ref().and_then(|said| said.try_get_raw(argument).ok().flatten());
        given.into_iter().flatten().filter_map(OsStr::to_str).collect()
    }

    fn game(&self) -> Option<GameId> {
        self.words("game").first()?.parse().ok()
    }

    fn desk(&self) -> Desk {
        shelf::desk(&self.dir).0
    }
}

/// A path that the shell has not expanded yet, since it only completes.
fn home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(inside), Some(home)) => Path::new(&home).join(inside),
        _ => PathBuf::from(path),
    }
}

fn games(line: &Line, _current: &str) -> Vec<CompletionCandidate> {
    store::games(&line.dir).iter().map(|game| named(game.as_str())).collect()
}

fn seats(line: &Line, _current: &str) -> Vec<CompletionCandidate> {
    let charter = line.game().and_then(|game| store::charter(&line.dir, &game));
    charter.iter().flat_map(|charter| charter.players.keys()).map(|seat| named(seat.as_str())).collect()
}

/// Scenarios that can be played, each with its title: by their short names unless the word names a ruleset.
fn scenarios(line: &Line, current: &str) -> Vec<CompletionCandidate> {
    let name = |id: &str| if current.contains('/') { id.to_owned() } else { short(id).to_owned() };
    let playable = line.desk().scenarios().into_iter().filter(|listing| listing.errors.is_empty());
    playable.map(|Listing { id, title, .. }| named(name(&id)).help(Some(title.into()))).collect()
}

/// A scenario's name without its ruleset's.
fn short(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

fn scenarios_and_files(line: &Line, current: &str) -> Vec<CompletionCandidate> {
    let mut values = scenarios(line, current);
    values.extend(PathCompleter::any().complete(OsStr::new(current)));
    values
}

/// `SEAT=` for the seats of the scenario, and behind it who is no person.
fn seatings(line: &Line, current: &str) -> Vec<CompletionCandidate> {
    let desk = line.desk();
    let wanted = line.words("scenario").first().copied().unwrap_or_default().to_owned();
    let Some(listing) =
        desk.scenarios().into_iter().find(|listing| listing.id == wanted || short(&listing.id) == wanted)
    else {
        return Vec::new();
    };
    let Some((seat, _)) = current.split_once('=') else {
        return listing.seats.iter().map(|seat| named(format!("{}=", seat.as_str()))).collect();
    };
    let ruleset = listing.id.split('/').next().unwrap_or_default();
    let levels = desk.levels(ruleset).unwrap_or_default();
    let who = levels.words().chain(["open".to_owned()]);
    who.map(|who| named(format!("{seat}={who}"))).collect()
}

/// The GM's commands; behind one that names a seat, the seats of the game.
fn gm_words(line: &Line) -> Vec<CompletionCandidate> {
    let words = line.words("command");
    let Some((first, [_, ..])) = words.split_first() else {
        let help = |verb: &Verb| verb.help.first().map(|(_, does)| (*does).into());
        return gm_verbs().map(|verb| named(verb.word).help(help(verb))).collect();
    };
    let names_seats =
        |verb: &&Verb| verb.word.eq_ignore_ascii_case(first) && verb.form.to_lowercase().contains("seat");
    if gm_verbs().any(|verb| names_seats(&verb)) { seats(line, "") } else { Vec::new() }
}

/// A shell that is not told of options where there is something better, until the word begins with `-`.
struct Plain(&'static dyn EnvCompleter);

impl EnvCompleter for Plain {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn is(&self, name: &str) -> bool {
        self.0.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        to: &mut dyn io::Write,
    ) -> io::Result<()> {
        let mut script = Vec::new();
        self.0.write_registration(var, name, bin, completer, &mut script)?;
        let mut script = String::from_utf8(script).map_err(io::Error::other)?;
        if self.is("zsh") {
            script = found_in_fpath(&script, name)?;
        }
        writeln!(to, "{}", script.trim())
    }

    fn write_complete(
        &self,
        command: &mut Command,
        words: Vec<OsString>,
        here: Option<&Path>,
        to: &mut dyn io::Write,
    ) -> io::Result<()> {
        let mut all = Vec::new();
        self.0.write_complete(command, words, here, &mut all)?;
        let all = String::from_utf8_lossy(&all).into_owned();
        let between = std::env::var_os("_CLAP_IFS").and_then(|it| it.into_string().ok());
        let between = between.filter(|it| !it.is_empty()).unwrap_or_else(|| "\n".to_owned());
        let values: Vec<&str> = all.split(&between).filter(|value| !value.is_empty()).collect();
        let better: Vec<&str> = values.iter().copied().filter(|value| !value.starts_with('-')).collect();
        to.write_all(if better.is_empty() { values } else { better }.join(&between).as_bytes())
    }
}

/// The script of zsh also as a file `_musterd` that zsh finds by itself: there it is run as the function that completes, and so has to complete.
fn found_in_fpath(script: &str, name: &str) -> io::Result<String> {
    let register = format!("compdef _clap_dynamic_completer_{name} {name}");
    let Some((function, "")) = script.trim_end().rsplit_once(&register) else {
        return Err(io::Error::other("the script for zsh has another end than is known here"));
    };
    Ok(format!(
        "{function}if [ \"$funcstack[1]\" = \"_{name}\" ]; then\n    _clap_dynamic_completer_{name} \"$@\"\nelse\n    {register}\nfi\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every argument that is a game, a seat or a scenario offers those that there are, of a command that is yet to be written too.
    #[test]
    fn every_game_seat_and_scenario_is_offered() {
        fn look(command: &Command, path: &str, offers: &mut Vec<String>) {
            let path = format!("{path} {}", command.get_name());
            for arg in command.get_arguments() {
                let value =
                    arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
                // The name of a game to be founded is a new one, and `verify --mine` asks files and no host.
                let is_new = ["id", "mine"].contains(&arg.get_id().as_str());
                let is_known = !is_new && ["GAME", "SEAT", "SCENARIO", "SEAT=WHO"].contains(&value);
                let offers_any = arg.get::<ArgValueCompleter>().is_some();
                assert!(offers_any || !is_known, "{path}: {value} offers nothing");
                offers.extend(offers_any.then(|| format!("{path} {}", arg.get_id())));
            }
            command.get_subcommands().for_each(|inner| look(inner, &path, offers));
        }
        let mut command = offering(&super::super::command());
        command.build();
        let mut offers = Vec::new();
        look(&command, "", &mut offers);
        for known in ["status game", "report seat", "new scenario", "new seats", "gm command"] {
            assert!(offers.iter().any(|offer| offer.ends_with(known)), "{known} is not among {offers:?}");
        }
    }
}
