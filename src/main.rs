//! The `musterd` binary: arguments in, exit code out.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    musterd::cli::main()
}
