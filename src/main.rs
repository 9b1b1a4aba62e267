//! The `musterd` binary: arguments in, exit code out.

fn main() -> std::process::ExitCode {
    musterd::cli::main()
}
