"""The scenario with the models of datamodel-code-generator; the program sends the requests itself."""

import json
import os
from typing import TypeVar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from client.models import (
    AddressActivityHeaders,
    AddressActivityNotification,
    ApiError,
    Webhook,
    WebhookCreate,
    WebhookPage,
    WebhookUpdate,
)
from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)


def send(method: str, path: str, sent: BaseModel | None = None) -> bytes:
    body = None if sent is None else sent.model_dump_json(by_alias=True, exclude_none=True).encode()
    headers = {"x-service-api-key": os.environ["API_KEY"], "content-type": "application/json"}
    with urlopen(Request(os.environ["BASE_URL"] + path, body, headers, method=method)) as answer:
        received: bytes = answer.read()
        return received


def ask(model: type[Model], method: str, path: str, sent: BaseModel | None = None) -> Model:
    return model.model_validate_json(send(method, path, sent))


def refused(method: str, path: str, sent: BaseModel | None = None) -> dict[str, object]:
    try:
        send(method, path, sent)
    except HTTPError as failure:
        return ApiError.model_validate_json(failure.read()).model_dump()
    raise RuntimeError("It was not refused.")


def body(name: str, chain_id: str) -> WebhookCreate:
    return WebhookCreate.model_validate(
        {
            "url": "https://example.com/hooks",
            "chainId": chain_id,
            "eventType": "address_activity",
            "metadata": {
                "addresses": ["0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"],
                "includeLogs": True,
                "conditions": {"field": "transaction.value", "op": "in", "value": ["1", "2"]},
            },
            "name": name,
            "finality": "finalized",
        }
    )


names = ["one", "two", "three", "four", "five"]
created = [ask(Webhook, "POST", "/v1/webhooks", body(name, "43112")).id for name in names]
one = f"/v1/webhooks/{created[0]}"
read = ask(Webhook, "GET", one)
change = WebhookUpdate.model_validate({"name": "renamed", "status": "inactive"})
updated = ask(Webhook, "PATCH", one, change)

pages: list[list[str]] = []
page_token: str | None = None
while True:
    query = {"pageSize": "2"} | ({"pageToken": page_token} if page_token else {})
    page = ask(WebhookPage, "GET", f"/v1/webhooks?{urlencode(query)}")
    pages.append([webhook.id for webhook in page.webhooks])
    page_token = page.nextPageToken
    if not page_token:
        break

bad_request = refused("POST", "/v1/webhooks", body("nowhere", "999999"))
deleted = ask(Webhook, "DELETE", one)
gone = refused("GET", one)

with open(os.environ["NOTIFICATION"], encoding="utf-8") as file:
    event = AddressActivityNotification.model_validate(json.load(file)["value"]).event
if not event.logs:
    raise RuntimeError("The notification has no log.")
log = event.logs[0]
with open(os.environ["HEADERS"], encoding="utf-8") as file:
    headers = AddressActivityHeaders.model_validate_json(file.read())
print(
    json.dumps(
        {
            "created": created,
            "read": {
                "id": read.id,
                "name": read.name,
                "createdAt": read.createdAt,
                "address": read.metadata.addresses[0].root,
                "conditions": read.metadata.conditions,
                "finality": read.finality,
            },
            "updated": {"id": updated.id, "name": updated.name, "status": updated.status},
            "pages": pages,
            "badRequest": bad_request,
            "deleted": {"id": deleted.id, "status": deleted.status},
            "gone": gone,
            "notification": {
                "txHash": event.transaction.txHash,
                "blockTimestamp": event.transaction.blockTimestamp,
                "topics": [log.topic0, log.topic3],
            },
            "headers": {"id": headers.webhook_id, "sequence": headers.webhook_sequence},
        }
    )
)
