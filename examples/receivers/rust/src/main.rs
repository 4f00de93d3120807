//! Receives notifications with tiny_http, since Rust's standard library has no HTTP server.
//!
//!     WEBHOOK_SECRET=whsec_… cargo run

use std::{collections::HashSet, env, io::Read};

use http::{HeaderMap, HeaderName, HeaderValue};
use standardwebhooks::Webhook;
use tiny_http::{Method, Request, Response, Server};

const MOST_BYTES: u64 = 32 * 1024 * 1024;

fn receive(webhook: &Webhook, request: &mut Request, handled: &mut HashSet<String>) -> u16 {
    if *request.method() != Method::Post || request.url() != "/hooks" {
        return 404;
    }
    // The signature covers the bytes as they arrived.
    let mut body = Vec::new();
    if request.as_reader().take(MOST_BYTES + 1).read_to_end(&mut body).is_err() {
        return 400;
    }
    if body.len() as u64 > MOST_BYTES {
        return 413;
    }
    let headers: HeaderMap = request.headers().iter().filter_map(header).collect();
    if webhook.verify(&body, &headers).is_err() {
        return 400;
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let message_id = text("webhook-id"); // The same as in the body.
    if !handled.contains(&message_id) {
        println!("{} {message_id}", text("webhook-sequence"));
        handled.insert(message_id); // Delivery is at least once.
    }
    204
}

fn header(header: &tiny_http::Header) -> Option<(HeaderName, HeaderValue)> {
    Some((header.field.as_str().as_str().parse().ok()?, header.value.as_str().parse().ok()?))
}

fn main() {
    let webhook = Webhook::new(&env::var("WEBHOOK_SECRET").expect("WEBHOOK_SECRET")).expect("a secret");
    let address = format!("127.0.0.1:{}", env::var("PORT").unwrap_or("4000".into()));
    let server = Server::http(&address).expect("a free port");
    println!("Listening at http://{address}/hooks");
    let mut handled = HashSet::new(); // A real program keeps it in its database, as a unique key.
    for mut request in server.incoming_requests() {
        let status = receive(&webhook, &mut request, &mut handled);
        let _ = request.respond(Response::empty(status)); // The service may be gone.
    }
}
