"""Keeps valid requests to what the contract says in words, beyond what its schemas can.

Every request that is meant to be valid must be accepted, so what only this service knows is put in: a chain that it serves, page
tokens that it gave out, blocks that it has followed, a transaction that is in one, checksums that are right. Requests that are meant to be invalid stay as they
are, but for the notifications that are known to exist. Webhooks lead to a receiver on this machine: nobody else is called.
"""

import itertools
import json
import os
import re

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase
from schemathesis.openapi.checks import UseAfterFree

known = json.loads(os.environ["SCHEMATHESIS_KNOWN"])
given_out = set()
turns = itertools.count()


def is_valid(case, location):
    """Whether this part of a request was made to be valid, as everything is that was made by hand."""
    return case.meta is None or not case.meta.is_negative_at(location)


def is_scenario(case):
    """Whether a request follows from the answer to another one."""
    return case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL


def one_case(value):
    """An address without a checksum."""
    return value.lower() if isinstance(value, str) else value


def receiver_url(url):
    """The same url at the receiver: path, query and fragment stay."""
    return re.sub(r"^[a-zA-Z]+://[^/?#]+", lambda _: known["receiver"], url)


# Whether these are valid follows from a grammar and from one another, so the schemas cannot say it.
abi = [{"type": "event", "name": "Named", "inputs": [{"name": "id", "type": "uint256", "indexed": True}, {"type": "string"}]}]
conditions = {"all": [{"field": "transaction.status", "op": "eq", "value": "1"}, {"field": "args.id", "op": "gt", "value": "7"}]}


def mend_metadata(metadata):
    """What a webhook watches: something, and by options that fit one another."""
    # The operator does not allow it.
    metadata.pop("anyAddress", None)
    if "createdBy" in metadata:
        metadata["createdBy"]["address"] = one_case(metadata["createdBy"]["address"])
    elif "addresses" not in metadata:
        metadata["addresses"] = ["0x" + "5a" * 20]
    if "conditions" in metadata:
        metadata["conditions"] = conditions
    if "abi" in metadata or "conditions" in metadata:
        metadata["abi"] = abi


def mend_delivery(body):
    """A webhook has a url, or is only read: then nothing says how to send."""
    if body.get("delivery") == "feed":
        body.pop("url", None)
        body.pop("compatibility", None)
        body.pop("maxPerSecond", None)
        body.pop("headers", None)
        body["metadata"].pop("batch", None)
        body["metadata"].pop("ordered", None)
    else:
        body.setdefault("url", known["receiver"])


reserved = re.compile(
    "(webhook-|content-|proxy-).*|accept-encoding|baggage|connection|date|expect|host|http2-settings|keep-alive|te|traceparent"
    "|tracestate|trailer|transfer-encoding|upgrade|user-agent|x-signature|x-signature-previous",
    re.IGNORECASE,
)


def mend_headers(headers):
    """Names that are not reserved, of which none differs from another in case only, and values that are short enough together."""
    mended = {}
    for name, value in headers.items():
        if not reserved.fullmatch(name) and name.lower() not in (known_name.lower() for known_name in mended):
            mended[name] = value[:256].rstrip()
    return mended


def mend_body(body, operation_id):
    """What a valid body must be beyond its schema."""
    if body.get("headers"):
        body["headers"] = mend_headers(body["headers"])
    if operation_id in ("createWebhook", "previewWebhook"):
        body["chainId"] = known["chainId"]
        mend_metadata(body["metadata"])
        mend_delivery(body)
        # Glacier's form has transfers, and no batches.
        if "compatibility" in body:
            body["metadata"].pop("batch", None)
            body["metadata"].pop("includeTransfers", None)
        # Where they stand twice they must agree.
        for name in ("includeLogs", "includeInternalTxs"):
            if name in body and name in body["metadata"]:
                body[name] = body["metadata"][name]
    # What says how to send needs somewhere to send to.
    if operation_id == "putOperationalWebhook" and "url" not in body:
        body.pop("format", None)
        body.pop("headers", None)
    # Whose integration it is: names of headers have no case, so the schema cannot ask for it.
    if operation_id == "putOperationalWebhook" and body.get("format") == "pagerduty":
        body["headers"] = {"X-Routing-Key": "5" * 32}
    if operation_id == "previewWebhook":
        # One of the two.
        if "txHash" in body:
            body["txHash"] = known["txHash"]
            body.pop("blockNumber", None)
        else:
            body["blockNumber"] = known["blocks"][0]
    if "url" in body:
        body["url"] = receiver_url(body["url"])
    for holder in (body, body.get("metadata", {})):
        for name in ("addresses", "add", "remove"):
            if name in holder:
                holder[name] = [one_case(address) for address in holder[name]]
    # Which digest is right, and whether there is a part, depends on what was sent before.
    if operation_id == "changeWebhookAddresses":
        body.pop("commit", None)
        body.pop("addressDigest", None)
    # It needs a past, and two of the three modes signatures.
    if operation_id in ("createWebhook", "previewWebhook"):
        body.pop("historyMode", None)
    if operation_id in ("createWebhook", "addWebhookAddresses") and "fromBlock" in body:
        body["fromBlock"] = known["blocks"][0]
    if operation_id == "createReplay":
        body["fromBlock"], body["toBlock"] = known["blocks"]
        # They are from before the webhook.
        body["includeEarlier"] = True


@schemathesis.hook
def before_call(context, case, kwargs):
    operation_id = case.operation.definition.raw.get("operationId")
    if is_valid(case, ParameterLocation.BODY) and isinstance(case.body, dict):
        # What follows in a scenario may send to the webhook, or change its url.
        if is_scenario(case):
            case.body.pop("delivery", None)
        mend_body(case.body, operation_id)
    if is_valid(case, ParameterLocation.QUERY) and case.query and "pageToken" in case.query:
        if case.query["pageToken"] not in given_out:
            del case.query["pageToken"]
    if is_valid(case, ParameterLocation.QUERY) and case.query and "txHash" in case.query:
        case.query["txHash"] = known["txHash"]
    # Longer than Schemathesis waits for an answer.
    if is_valid(case, ParameterLocation.QUERY) and operation_id in ("readFeed", "readOperationalFeed") and case.query and "wait" in case.query:
        case.query["wait"] = 1
    # A feed that begins again knows nothing of later positions: they are gone.
    if operation_id == "readOperationalFeed":
        if is_valid(case, ParameterLocation.QUERY) and case.query and "after" in case.query:
            case.query["after"] = 0
        if is_valid(case, ParameterLocation.HEADER) and case.headers and "Last-Event-ID" in case.headers:
            case.headers["Last-Event-ID"] = "0"
    # What is remembered under a key can be a webhook that was deleted since; a scenario wants one that is there.
    if is_scenario(case) and is_valid(case, ParameterLocation.HEADER) and "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = f"scenario-{next(turns)}"
    # No request makes a notification, so half of those that ask for one get one that is there; not in a scenario, which goes on
    # with what it has created.
    asks_for_one = is_valid(case, ParameterLocation.PATH) and "messageId" in (case.path_parameters or {})
    if asks_for_one and not is_scenario(case) and next(turns) % 2 == 0:
        case.path_parameters.update(known["notification"])


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 200 and b'"nextPageToken"' in response.content:
        given_out.add(response.json()["nextPageToken"])


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Neither a list of which addresses are taken out nor a replay that is cancelled is gone afterwards, as use_after_free would have it.

    Whether a webhook that was created before can be sent to is not known where its id is used: one that is only read refuses that.
    """
    stays = isinstance(failure, UseAfterFree) and re.fullmatch(r"DELETE \S+/(addresses|replays/[^/]+)", failure.free)
    only_read = (b"has the delivery feed.", b"is only read by its feed.")
    is_only_read = response is not None and response.status_code == 400 and any(says in response.content for says in only_read)
    return not stays and not is_only_read
