//! Makes the client.

use progenitor_impl::{GenerationSettings, Generator};

fn main() {
    println!("cargo::rerun-if-changed=openapi-3.0.json");
    let text = std::fs::read_to_string("openapi-3.0.json").expect("the document");
    let document = serde_json::from_str(&text).expect("an OpenAPI 3.0 document");
    let tokens = Generator::new(&GenerationSettings::default()).generate_tokens(&document).expect("a client");
    let file = syn::parse2(tokens).expect("Rust");
    std::fs::create_dir_all("client").expect("a folder");
    std::fs::write("client/client.rs", prettyplease::unparse(&file)).expect("a file");
}
