//! The scenario with the client of progenitor.

use client::{Client, Error, ResponseValue, types};
use serde::Deserialize;
use serde_json::json;

mod client {
    include!("../client/client.rs");
}

type Failure = Box<dyn std::error::Error>;

fn body(name: &str, chain_id: &str) -> Result<types::WebhookCreate, Failure> {
    Ok(types::WebhookCreate {
        url: Some("https://example.com/hooks".parse()?),
        delivery: None,
        max_per_second: None,
        headers: None,
        chain_id: chain_id.parse()?,
        event_type: types::EventType::AddressActivity,
        from_block: None,
        history_mode: None,
        metadata: types::WebhookMetadataInput {
            addresses: vec!["0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85".parse()?],
            conditions: Some(Box::new(types::ConditionInput {
                field: Some("transaction.value".parse()?),
                op: Some(types::ConditionInputOp::In),
                value: Some(json!(["1", "2"])),
                ..Default::default()
            })),
            ..Default::default()
        },
        finality: Some(json!("finalized")),
        compatibility: None,
        include_logs: Some(types::IncludeLogs(true)),
        include_internal_txs: None,
        name: Some(name.parse()?),
        description: None,
    })
}

fn refused<T>(answer: Result<ResponseValue<T>, Error<types::ApiError>>) -> Result<types::ApiError, Failure> {
    match answer {
        Err(Error::ErrorResponse(told)) => Ok(told.into_inner()),
        Err(failure) => Err(failure.into()),
        Ok(_) => Err("it was not refused".into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("x-service-api-key", std::env::var("API_KEY")?.parse()?);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    let api = Client::new_with_client(&std::env::var("BASE_URL")?, http);

    let mut created = Vec::new();
    for name in ["one", "two", "three", "four", "five"] {
        created.push(api.create_webhook(None, &body(name, "43112")?).await?.into_inner().id);
    }
    let first: &types::UuidInput = &created[0].parse()?;
    let read = api.get_webhook(first).await?.into_inner();
    let change = types::WebhookUpdate {
        name: Some("renamed".parse()?),
        status: Some(types::WebhookStatus::Inactive),
        ..Default::default()
    };
    let updated = api.update_webhook(first, &change).await?.into_inner();

    let mut pages = Vec::new();
    let mut page_token: Option<types::ListWebhooksPageToken> = None;
    loop {
        let page = api.list_webhooks(std::num::NonZeroU64::new(2), page_token.as_ref(), None).await?.into_inner();
        pages.push(page.webhooks.iter().map(|webhook| webhook.id.to_string()).collect::<Vec<_>>());
        match page.next_page_token {
            Some(token) if !token.is_empty() => page_token = Some(token.parse()?),
            _ => break,
        }
    }

    let bad_request = refused(api.create_webhook(None, &body("nowhere", "999999")?).await)?;
    let deleted = api.delete_webhook(first).await?.into_inner();
    let gone = refused(api.get_webhook(first).await)?;

    let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(std::env::var("NOTIFICATION")?)?)?;
    let event = types::AddressActivityNotification::deserialize(&file["value"])?.event;
    let log = &event.logs[0];
    let headers: types::AddressActivityHeaders =
        serde_json::from_str(&std::fs::read_to_string(std::env::var("HEADERS")?)?)?;
    let report = json!({
        "created": created,
        "read": {
            "id": read.id,
            "name": read.name,
            "createdAt": read.created_at,
            "address": read.metadata.addresses[0],
            "conditions": read.metadata.conditions,
            "finality": read.finality,
        },
        "updated": { "id": updated.id, "name": updated.name, "status": updated.status },
        "pages": pages,
        "badRequest": bad_request,
        "deleted": { "id": deleted.id, "status": deleted.status },
        "gone": gone,
        "notification": {
            "txHash": event.transaction.tx_hash,
            "blockTimestamp": event.transaction.block_timestamp,
            "topics": [json!(log.topic0), json!(log.topic3)],
        },
        "headers": { "id": headers.webhook_id, "sequence": headers.webhook_sequence },
    });
    println!("{report}");
    Ok(())
}
