//! The scenario with the Rust client of openapi-generator.

use client::apis::configuration::{ApiKey, Configuration};
use client::apis::Error;
use client::apis::webhooks_api::{create_webhook, delete_webhook, get_webhook, list_webhooks, update_webhook};
use client::models;
use serde_json::json;

type Failure = Box<dyn std::error::Error>;

fn body(name: &str, chain_id: &str) -> models::WebhookCreate {
    let addresses = vec!["0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85".to_owned()];
    let conditions = models::ConditionInput {
        field: Some("transaction.value".to_owned()),
        op: Some(models::condition_input::Op::In),
        value: Some(Some(json!(["1", "2"]))),
        ..models::ConditionInput::new()
    };
    models::WebhookCreate {
        url: Some("https://example.com/hooks".to_owned()),
        name: Some(name.to_owned()),
        include_logs: Some(true),
        finality: Some(Some(json!("finalized"))),
        ..models::WebhookCreate::new(
            chain_id.to_owned(),
            models::EventType::AddressActivity,
            models::WebhookMetadataInput {
                addresses: Some(addresses),
                conditions: Some(Box::new(conditions)),
                ..models::WebhookMetadataInput::new()
            },
        )
    }
}

fn refused<T, E>(answer: Result<T, Error<E>>) -> Result<models::ApiError, Failure> {
    match answer {
        // Its `entity` is of the first variant whatever the status was.
        Err(Error::ResponseError(told)) => Ok(serde_json::from_str(&told.content)?),
        Err(_) => Err("it failed otherwise".into()),
        Ok(_) => Err("it was not refused".into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let api = Configuration {
        base_path: std::env::var("BASE_URL")?,
        api_key: Some(ApiKey { prefix: None, key: std::env::var("API_KEY")? }),
        ..Configuration::default()
    };

    let mut created = Vec::new();
    for name in ["one", "two", "three", "four", "five"] {
        created.push(create_webhook(&api, body(name, "43112"), None).await?.id);
    }
    let first = &created[0];
    let read = get_webhook(&api, first).await?;
    let change = models::WebhookUpdate {
        name: Some("renamed".to_owned()),
        status: Some(models::WebhookStatus::Inactive),
        ..models::WebhookUpdate::new()
    };
    let updated = update_webhook(&api, first, change).await?;

    let mut pages = Vec::new();
    let mut page_token = None;
    loop {
        let page = list_webhooks(&api, None, page_token.as_deref(), Some(2)).await?;
        pages.push(page.webhooks.into_iter().map(|webhook| webhook.id).collect::<Vec<_>>());
        page_token = page.next_page_token.filter(|token| !token.is_empty());
        if page_token.is_none() {
            break;
        }
    }

    let bad_request = refused(create_webhook(&api, body("nowhere", "999999"), None).await)?;
    let deleted = delete_webhook(&api, first).await?;
    let gone = refused(get_webhook(&api, first).await)?;

    let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(std::env::var("NOTIFICATION")?)?)?;
    let notification: models::AddressActivityNotification = serde_json::from_value(file["value"].clone())?;
    let event = notification.event;
    let log = &event.logs.as_ref().ok_or("the notification has no logs")?[0];
    let headers: models::AddressActivityHeaders =
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
            "topics": [&log.topic0, &log.topic3],
        },
        "headers": { "id": headers.webhook_id, "sequence": headers.webhook_sequence },
    });
    println!("{report}");
    Ok(())
}
