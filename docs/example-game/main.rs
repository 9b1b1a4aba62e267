//! A program that plays The Kettle Ford beside the games that come with musterd.

fn main() -> std::process::ExitCode {
    musterd::rulesets::play(|desk| desk.with::<musterd_ford::Ford>(&musterd_ford::SHIPPED));
    musterd::cli::main()
}
