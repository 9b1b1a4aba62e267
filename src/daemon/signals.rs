//! The signals to stop.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use crate::HostError;
use crate::notify;

/// A flag that is set as soon as the process is to stop; a second signal kills the process.
///
/// # Errors
/// When the signals can't be caught.
pub fn stop_flag() -> Result<Arc<AtomicBool>, HostError> {
    let stopping = Arc::<AtomicBool>::default();
    for signal in [SIGTERM, SIGINT] {
        flag::register_conditional_default(signal, Arc::clone(&stopping))
            .and_then(|_| flag::register(signal, Arc::clone(&stopping)))
            .map_err(|e| HostError::io(Path::new("signals"), e))?;
    }
    Ok(stopping)
}

/// Sets the flag as soon as the process is to stop, says so to whoever waits for that, and wakes the loop, until that has ended.
pub(crate) fn stop_on_them(
    stopping: &Arc<AtomicBool>,
    wake: impl Fn() -> bool + Send + 'static,
) -> Result<(), HostError> {
    let fault = |e| HostError::io(Path::new("signals"), e);
    let mut signals = Signals::new([SIGTERM, SIGINT]).map_err(fault)?;
    let stopping = Arc::clone(stopping);
    let listen = move || {
        for _ in signals.forever() {
            let first = !stopping.swap(true, Ordering::Relaxed);
            if first {
                // The step in hand may take minutes: who hears nothing meanwhile may kill the process.
                notify::stopping();
                tracing::info!("stopping: the step in hand is finished");
            }
            if !wake() {
                return;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(listen).map_err(fault)?;
    Ok(())
}
