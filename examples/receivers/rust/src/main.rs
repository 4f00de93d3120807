//! Receives notifications with tiny_http, since Rust's standard library has no HTTP server.
//!
//!     WEBHOOK_SECRET=whsec_… cargo run

use std::{collections::HashSet, env, io::Read, sync::Mutex, thread};

use http::{HeaderMap, HeaderName, HeaderValue};
use standardwebhooks::Webhook;
use tiny_http::{Method, Request, Response, Server};

const MOST_BYTES: u64 = 32 * 1024 * 1024;

fn receive(webhook: &Webhook, request: &mut Request, handled: &Mutex<HashSet<String>>) -> u16 {
    if *request.method() != Method::Post || request.url() != "/hooks" {
        return 404;
    }
    // The signature covers the bytes as they arrived.
    let mut body = Vec::new();
    let mut reader = request.as_reader().take(MOST_BYTES + 1);
    if reader.read_to_end(&mut body).is_err() || body.len() as u64 > MOST_BYTES {
        return 413;
    }
    let headers: HeaderMap = request.headers().iter().filter_map(header).collect();
    if webhook.verify(&body, &headers).is_err() {
        return 400;
    }
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let message_id = text("webhook-id").unwrap_or_default(); // The same as in the body.
    let sequence = text("webhook-sequence").unwrap_or_default();
    let mut handled = handled.lock().expect("no thread panics");
    // Delivery is at least once.
    if !handled.contains(message_id) {
        println!("{sequence} {message_id}");
        handled.insert(message_id.to_owned()); // After the work: without a 2xx, the service retries.
    }
    204
}

fn header(header: &tiny_http::Header) -> Option<(HeaderName, HeaderValue)> {
    let name = header.field.as_str().as_str().parse().ok()?;
    Some((name, header.value.as_str().parse().ok()?))
}

fn main() {
    let secret = env::var("WEBHOOK_SECRET").unwrap_or_default();
    assert!(secret.len() > 6, "WEBHOOK_SECRET must be set");
    let webhook = Webhook::new(&secret).expect("WEBHOOK_SECRET is base64");
    let address = format!("127.0.0.1:{}", env::var("PORT").unwrap_or("4000".into()));
    let server = Server::http(&address).expect("a free port");
    println!("Listening at http://{address}/hooks");
    let handled = Mutex::new(HashSet::new()); // A real program keeps it in its database, as a unique key.
    let work = || {
        for mut request in server.incoming_requests() {
            let status = receive(&webhook, &mut request, &handled);
            let _ = request.respond(Response::empty(status)); // The service may be gone.
        }
    };
    thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(work))));
}
