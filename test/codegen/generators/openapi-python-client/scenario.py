"""The scenario with the client of openapi-python-client."""

import json
import os
from typing import TypeVar

from client import AuthenticatedClient
from client.api.webhooks import create_webhook, delete_webhook, get_webhook, list_webhooks, update_webhook
from client.models import (
    AddressActivityHeaders,
    AddressActivityNotification,
    ApiError,
    ConditionInput,
    ConditionInputOp,
    EventType,
    WebhookCreate,
    WebhookMetadataInput,
    WebhookStatus,
    WebhookUpdate,
)
from client.types import UNSET, Unset

T = TypeVar("T")
api = AuthenticatedClient(
    base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"], prefix="", auth_header_name="x-service-api-key"
)


def expected(answer: T | ApiError | None) -> T:
    if answer is None or isinstance(answer, ApiError):
        raise RuntimeError(f"It was refused: {answer}")
    return answer


def refused(answer: object) -> dict[str, object]:
    if not isinstance(answer, ApiError):
        raise RuntimeError("It was not refused.")
    return {"statusCode": answer.status_code, "error": answer.error, "message": answer.message}


def body(name: str, chain_id: str = "43112") -> WebhookCreate:
    return WebhookCreate(
        url="https://example.com/hooks",
        chain_id=chain_id,
        event_type=EventType.ADDRESS_ACTIVITY,
        metadata=WebhookMetadataInput(
            addresses=["0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"],
            conditions=ConditionInput(field="transaction.value", op=ConditionInputOp.IN, value=["1", "2"]),
        ),
        include_logs=True,
        name=name,
        finality="finalized",
    )


created = [
    expected(create_webhook.sync(client=api, body=body(name))).id for name in ["one", "two", "three", "four", "five"]
]
first = created[0]
read = expected(get_webhook.sync(first, client=api))
if not read.metadata.conditions:
    raise RuntimeError("The webhook has no conditions.")
change = WebhookUpdate(name="renamed", status=WebhookStatus.INACTIVE)
updated = expected(update_webhook.sync(first, client=api, body=change))

pages = []
page_token: str | Unset = UNSET
while True:
    page = expected(list_webhooks.sync(client=api, page_size=2, page_token=page_token))
    pages.append([webhook.id for webhook in page.webhooks])
    page_token = page.next_page_token
    if not page_token:
        break

bad_request = refused(create_webhook.sync(client=api, body=body("nowhere", "999999")))
deleted = expected(delete_webhook.sync(first, client=api))
gone = refused(get_webhook.sync(first, client=api))

with open(os.environ["NOTIFICATION"], encoding="utf-8") as file:
    event = AddressActivityNotification.from_dict(json.load(file)["value"]).event
if not event.logs:
    raise RuntimeError("The notification has no log.")
log = event.logs[0]
with open(os.environ["HEADERS"], encoding="utf-8") as file:
    headers = AddressActivityHeaders.from_dict(json.load(file))
print(
    json.dumps(
        {
            "created": created,
            "read": {
                "id": read.id,
                "name": read.name,
                "createdAt": read.created_at,
                "address": read.metadata.addresses[0],
                "conditions": read.metadata.conditions.to_dict(),
                "finality": read.finality,
            },
            "updated": {"id": updated.id, "name": updated.name, "status": updated.status},
            "pages": pages,
            "badRequest": bad_request,
            "deleted": {"id": deleted.id, "status": deleted.status},
            "gone": gone,
            "notification": {
                "txHash": event.transaction.tx_hash,
                "blockTimestamp": event.transaction.block_timestamp,
                "topics": [log.topic0, log.topic3],
            },
            "headers": {"id": headers.webhook_id, "sequence": headers.webhook_sequence},
        }
    )
)
