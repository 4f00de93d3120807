"""The scenario with the Python client of openapi-generator."""

import json
import os
from collections.abc import Callable

from client import ApiClient, Configuration, WebhooksApi
from client.exceptions import ApiException
from client.models import (
    AddressActivityHeaders,
    AddressActivityNotification,
    ApiError,
    ConditionInput,
    EventType,
    WebhookCreate,
    WebhookMetadataInput,
    WebhookStatus,
    WebhookUpdate,
)

configuration = Configuration(host=os.environ["BASE_URL"], api_key={"apiKey": os.environ["API_KEY"]})
api = WebhooksApi(ApiClient(configuration))


def refused(act: Callable[[], object]) -> dict[str, object]:
    try:
        act()
    except ApiException as failure:
        if isinstance(failure.data, ApiError):
            told: dict[str, object] = failure.data.to_dict()
            return told
        raise
    raise RuntimeError("It was not refused.")


def body(name: str, chain_id: str = "43112") -> WebhookCreate:
    return WebhookCreate(
        url="https://example.com/hooks",
        chain_id=chain_id,
        event_type=EventType.ADDRESS_ACTIVITY,
        metadata=WebhookMetadataInput(
            addresses=["0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"],
            conditions=ConditionInput(field="transaction.value", op="in", value=["1", "2"]),
        ),
        include_logs=True,
        name=name,
        finality="finalized",
    )


created = [api.create_webhook(body(name)).id for name in ["one", "two", "three", "four", "five"]]
first = created[0]
read = api.get_webhook(first)
updated = api.update_webhook(first, WebhookUpdate(name="renamed", status=WebhookStatus.INACTIVE))

pages = []
page_token: str | None = None
while True:
    page = api.list_webhooks(page_size=2, page_token=page_token)
    pages.append([webhook.id for webhook in page.webhooks])
    page_token = page.next_page_token
    if not page_token:
        break

bad_request = refused(lambda: api.create_webhook(body("nowhere", "999999")))
deleted = api.delete_webhook(first)
gone = refused(lambda: api.get_webhook(first))

with open(os.environ["NOTIFICATION"], encoding="utf-8") as file:
    notification = AddressActivityNotification.from_dict(json.load(file)["value"])
if notification is None or not notification.event.logs:
    raise RuntimeError("The notification has no log.")
transaction = notification.event.transaction
log = notification.event.logs[0]
with open(os.environ["HEADERS"], encoding="utf-8") as file:
    headers = AddressActivityHeaders.from_json(file.read())
if headers is None:
    raise RuntimeError("The headers are missing.")
print(
    json.dumps(
        {
            "created": created,
            "read": {
                "id": read.id,
                "name": read.name,
                "createdAt": read.created_at,
                "address": read.metadata.addresses[0],
                "conditions": read.metadata.conditions,
                "finality": read.finality,
            },
            "updated": {"id": updated.id, "name": updated.name, "status": updated.status},
            "pages": pages,
            "badRequest": bad_request,
            "deleted": {"id": deleted.id, "status": deleted.status},
            "gone": gone,
            "notification": {
                "txHash": transaction.tx_hash,
                "blockTimestamp": transaction.block_timestamp,
                "topics": [log.topic0, log.topic3],
            },
            "headers": {"id": headers.webhook_id, "sequence": headers.webhook_sequence},
        }
    )
)
