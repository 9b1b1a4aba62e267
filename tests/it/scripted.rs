//! Servers that do their duty by the letter of the protocol, except where a script has other ideas.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use musterd::post::{Password, Security, Server};

/// What a scripted server does instead of its duty.
pub(crate) enum Mischief {
    /// Says this, and goes on.
    Say(String),
    /// Says this and closes the connection.
    Cut(String),
    /// Says this and then nothing, with the connection open.
    Stall(String),
    /// Says this byte by byte, slowly, and goes on.
    Slow(String),
    /// Says this byte by byte, slowly and for ever.
    Drip(u8),
    /// Says this again and again, as fast as it is heard.
    Flood(String),
}
use Mischief::{Cut, Drip, Flood, Say, Slow, Stall};

/// Decides on mischief from the number of the connection and the line received (`greeting` at first); `None` is duty.
pub(crate) trait Script: Fn(usize, &str) -> Option<Mischief> + Send + Sync + 'static {}
impl<F: Fn(usize, &str) -> Option<Mischief> + Send + Sync + 'static> Script for F {}

/// Serves every connection by `duty`, except where the script has other ideas; the port. Ends with the test process.
pub(crate) fn serve(script: impl Script, duty: fn(&str) -> String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let script = Arc::new(script);
        for (number, stream) in listener.incoming().enumerate() {
            let script = Arc::clone(&script);
            thread::spawn(move || converse(&stream.unwrap(), number, &*script, duty));
        }
    });
    port
}

/// One connection; ends when the client is gone, so its errors say nothing.
fn converse(
    mut stream: &TcpStream,
    number: usize,
    script: &dyn Fn(usize, &str) -> Option<Mischief>,
    duty: fn(&str) -> String,
) {
    let mut lines = BufReader::new(stream).lines();
    let mut line = "greeting".to_owned();
    loop {
        let tag = line.split(' ').next().unwrap_or_default().to_owned();
        let written = match script(number, &line) {
            None => stream.write_all(duty(&line).as_bytes()),
            Some(Say(text)) => stream.write_all(text.replace("TAG", &tag).as_bytes()),
            Some(Cut(text)) => {
                let _ = stream.write_all(text.replace("TAG", &tag).as_bytes());
                let _ = stream.shutdown(std::net::Shutdown::Both);
                return;
            }
            Some(Stall(text)) => {
                let _ = stream.write_all(text.replace("TAG", &tag).as_bytes());
                let _ = stream.read_to_end(&mut Vec::new());
                return;
            }
            Some(Slow(text)) => text.replace("TAG", &tag).bytes().try_for_each(|byte| {
                thread::sleep(Duration::from_millis(20));
                stream.write_all(&[byte])
            }),
            Some(Flood(text)) => {
                let many = text.repeat(1 + 60_000 / text.len());
                while stream.write_all(many.as_bytes()).is_ok() {}
                return;
            }
            Some(Drip(byte)) => {
                while stream.write_all(&[byte]).is_ok() {
                    thread::sleep(Duration::from_millis(20));
                }
                return;
            }
        };
        let Some(Ok(next)) = written.ok().and_then(|()| lines.next()) else { return };
        line = next;
    }
}

/// A scripted server, and the patience to wait for it on a busy machine.
pub(crate) fn at(port: u16) -> Server {
    Server {
        host: "127.0.0.1".to_owned(),
        port,
        security: Security::PlainOnLoopback,
        tls_ca: None,
        login: Some(("gm".to_owned(), Password::new("sesame".to_owned()))),
        timeout: Duration::from_secs(30),
    }
}

/// The same with little patience, for servers that stall.
pub(crate) fn hastily(port: u16) -> Server {
    Server { timeout: Duration::from_millis(400), ..at(port) }
}
