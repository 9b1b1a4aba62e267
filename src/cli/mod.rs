//! The command line: one file a command. It reads the environment, colours a terminal, and turns errors into exit codes.

mod audit;
mod backup;
mod calls;
mod check;
mod complete;
mod config;
mod deliver;
mod demo;
mod escrow;
mod failure;
mod global;
mod gm;
mod health;
mod history;
mod init;
mod journal;
mod key;
mod metrics;
mod new;
mod odds;
mod outfile;
mod output;
mod plain;
mod process;
mod report;
mod resolve;
mod restore;
mod scenario;
mod scenario_copy;
mod scenarios;
mod schema;
mod serve;
mod session;
mod shelf;
mod status;
mod templates;
mod terms;
mod verify;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use failure::Failure;
use global::{Global, LogFormat};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub use complete::completions;
use musterd_daemon::config::{self as settings, Config, LogLevel};
pub use outfile::{OutDir, OutFile};

/// A play-by-email adjudicator for old wargames, with dice that anybody can audit.
#[derive(Debug, Parser)]
#[command(name = "musterd", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  musterd demo                         a campaign, computer against computer
  musterd init campaign --address campaign@example.org
  musterd scenarios                    what can be played on a host of your own
  musterd help new                     how to found a game

Commands work on a data directory, made by `init`: the one that --dir names, else the working directory if it holds a musterd.yaml, \
else the user's (~/.local/share/musterd), else the machine's (/var/lib/musterd). While the daemon runs they talk to it.

Exit status: 0 done, 1 a finding, 2 usage, 3 a fault of the machine or output that got lost.

With --json a command that ends with another status than 0 tells why as one line of JSON, the last on standard error: {\"error\": {\"kind\": ..., \"exit\": ..., \"message\": ...}}. Standard output has answers alone. The operator's guide lists the kinds.";

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Demo),
    Init(init::Init),
    Serve(serve::Serve),
    Deliver(deliver::Deliver),
    Scenarios(scenarios::Scenarios),
    Scenario(scenario::Scenario),
    New(Box<new::New>),
    Status(status::Status),
    Check(check::Check),
    Config(config::Config),
    Report(report::Report),
    History(history::History),
    Resolve(resolve::Resolve),
    Gm(gm::Gm),
    Journal(journal::Journal),
    Key(key::Key),
    Audit(audit::Audit),
    Verify(verify::Verify),
    Escrow(escrow::Escrow),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Health(health::Health),
    Metrics(metrics::Metrics),
    Odds(odds::Odds),
    #[command(flatten)]
    Ruleset(calls::Asked<calls::Own>),
    Schema(schema::Schema),
    Templates(templates::Templates),
}

/// The definition of the command line, from which manual pages are made.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    process::close();
    match complete::answer(&command()) {
        Ok(false) => {}
        Ok(true) => return end(None, false),
        Err(error) => return not_parsed(&error),
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => return not_parsed(&answer),
    };
    let global = &cli.global;
    start_log(global, matches!(cli.command, Command::Serve(_)));
    let delivers = matches!(cli.command, Command::Deliver(_));
    let outcome = match &cli.command {
        Command::Demo(command) => command.run(global),
        Command::Init(command) => command.run(global),
        Command::Serve(command) => command.run(global),
        Command::Deliver(command) => command.run(global),
        Command::Scenarios(command) => command.run(global),
        Command::Scenario(command) => command.run(global),
        Command::New(command) => command.run(global),
        Command::Status(command) => command.run(global),
        Command::Check(command) => command.run(global),
        Command::Config(command) => command.run(global),
        Command::Report(command) => command.run(global),
        Command::History(command) => command.run(global),
        Command::Resolve(command) => command.run(global),
        Command::Gm(command) => command.run(global),
        Command::Journal(command) => command.run(global),
        Command::Key(command) => command.run(global),
        Command::Audit(command) => command.run(global),
        Command::Verify(command) => command.run(global),
        Command::Escrow(command) => command.run(global),
        Command::Backup(command) => command.run(global),
        Command::Restore(command) => command.run(global),
        Command::Health(command) => command.run(global),
        Command::Metrics(command) => command.run(global),
        Command::Odds(command) => command.run(global),
        Command::Ruleset(command) => command.run(global),
        Command::Schema(command) => command.run(global),
        Command::Templates(command) => command.run(global),
    };
    let failure = Failure::of(outcome);
    end(
        match delivers {
            true => failure.map(|failure| failure.with_exit(deliver::TEMPORARY_FAILURE)),
            false => failure,
        },
        global.json,
    )
}

/// Tells a failure, also that the output was lost; returns the exit status of the process.
fn end(failure: Option<Failure>, json: bool) -> ExitCode {
    let failure = Failure::of_output(failure);
    failure.iter().for_each(|failure| failure.tell(json));
    ExitCode::from(failure.map_or(0, |failure| failure.exit()))
}

/// Handles arguments that can't be parsed, or that ask for help or the version. Errors must not make a mail server send a mail back.
fn not_parsed(answer: &clap::Error) -> ExitCode {
    let has = |wanted: &str| std::env::args_os().any(|argument| argument == wanted);
    let json = has("--json");
    if !answer.use_stderr() {
        output::note(answer.print().and_then(|()| std::io::stdout().flush()));
        return end(None, json);
    }
    if !json {
        let _ = answer.print();
    }
    end(Some(Failure::usage(answer, if has("deliver") { deliver::TEMPORARY_FAILURE } else { 2 })), json)
}

/// Starts the log. The configuration sets the daemon's log, unless the command line or `MUSTERD_LOG` overrides it. A configuration that can't be read
/// is reported later.
#[expect(clippy::disallowed_methods, reason = "the command line reads the environment")]
fn start_log(global: &Global, serving: bool) {
    let configured = if serving { Config::load(&global.dir()).ok().map(|config| config.log) } else { None };
    let level = configured.map_or("info", |log| match log.level {
        LogLevel::Error => "error",
        LogLevel::Warn => "warn",
        LogLevel::Info => "info",
        LogLevel::Debug => "debug",
        LogLevel::Trace => "trace",
    });
    let usual = if serving { format!("musterd={level},warn") } else { "musterd=warn,error".to_owned() };
    let asked = std::env::var("MUSTERD_LOG").ok().filter(|asked| !asked.trim().is_empty());
    let wanted = asked.as_deref().and_then(targets);
    let unread = asked.as_deref().filter(|_| wanted.is_none());
    let filter = wanted.or_else(|| targets(&usual)).unwrap_or_default();
    let log = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(|| plain::Log);
    let as_configured = || configured.map_or(global.json, |log| log.format == settings::LogFormat::Json);
    let json = global.log.map_or_else(as_configured, |format| format == LogFormat::Json);
    if json {
        log.json().finish().with(filter).init();
    } else {
        // Colours would need a feature of the library that is disabled; without the feature the library panics on a terminal.
        log.with_target(false).with_ansi(false).finish().with(filter).init();
    }
    if let Some(asked) = unread {
        tracing::warn!(
            "MUSTERD_LOG: `{asked}` is no list of levels such as `musterd=debug,warn`; it is not heeded"
        );
    }
}

/// The filter of log lines in `MUSTERD_LOG`: `musterd=debug,warn`. `None` if it can't be read.
fn targets(asked: &str) -> Option<Targets> {
    let parts: Vec<&str> = asked.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join(",").parse().ok()
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    /// The filter is a level, a part of the program with its level, or both; of any other text it is said that it can't be read.
    #[test]
    fn the_log_is_filtered_by_part_and_level() {
        let wanted =
            |asked: &str, part: &str, level| targets(asked).map(|targets| targets.would_enable(part, &level));
        assert_eq!(wanted("musterd=debug", "musterd_post::link", Level::DEBUG), Some(true));
        assert_eq!(wanted("musterd=debug", "musterd_post::link", Level::TRACE), Some(false));
        assert_eq!(wanted("musterd=debug", "rustls", Level::ERROR), Some(false));
        assert_eq!(wanted("musterd_post=INFO, warn,", "rustls", Level::WARN), Some(true));
        assert_eq!(wanted("musterd_post=INFO, warn,", "rustls", Level::INFO), Some(false));
        assert_eq!(wanted("musterd_post=INFO, warn,", "musterd_post", Level::INFO), Some(true));
        assert_eq!(wanted("trace", "musterd", Level::TRACE), Some(true));
        assert_eq!(wanted("off", "musterd", Level::ERROR), Some(false));
        assert_eq!(wanted("", "musterd", Level::ERROR), Some(true));
        assert_eq!(wanted("", "musterd", Level::WARN), Some(false));
        assert_eq!(wanted("musterd=loud", "musterd", Level::ERROR), None);
    }

    /// The help of every command says in one line what the command does, and has an example.
    #[test]
    fn the_help_of_every_command_has_an_example() {
        fn look(command: &clap::Command, path: &str) {
            let name = format!("{path} {}", command.get_name());
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.contains("Example"), "{name} has no example");
            assert!(
                command.get_about().is_some_and(|about| about.to_string().len() <= 87),
                "{name}: a line says what it does"
            );
            let wide = after.lines().find(|line| line.starts_with(' ') && line.chars().count() > 80);
            assert_eq!(wide, None, "{name}: this example is broken at 80 columns");
            let prose: Vec<&str> = after.lines().filter(|line| !line.starts_with("Example")).collect();
            let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
            let broken = prose.windows(2).find(|two| two.iter().all(|line| is_prose(line)));
            assert_eq!(broken, None, "{name}: a paragraph is one line, which the reader's terminal breaks");
            command.get_subcommands().for_each(|inner| look(inner, &name));
        }
        let command = Cli::command();
        command.clone().debug_assert();
        look(&command, "");
    }
}
