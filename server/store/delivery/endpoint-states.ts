/** What delivery needs to know of a webhook's endpoint: where and how to send, its backlog, and whether it fails. */

import type { components } from "../../../generated/types.ts";
import { isServiceError, type ServiceError } from "../../base/errors.ts";
import { decodingAbi, type WebhookHeader, type WebhookOptions } from "../../matching/new-webhook.ts";
import type { KeptSecret, Keyring } from "../../settings/keyring.ts";
import type { Queryable } from "../pool.ts";
import { accountOwner, openHeaders } from "../webhooks/secrets.ts";

type EndpointSecret = { secret: Buffer; expiresAt: number | null };

export type EndpointRecord = {
  webhookId: string;
  accountId: number;
  shard: number;
  chainId: string;
  url: string;
  /** Whether notifications may be sent. They may not while the current secret, or the headers, cannot be decrypted. */
  active: boolean;
  /** Every secret that signs, the newest first; `expiresAt` in ms, null for the current one. */
  secrets: EndpointSecret[];
  /** Headers of its own; undefined if they cannot be decrypted. */
  headers: readonly WebhookHeader[] | undefined;
  /** Why a secret, or what the headers contain, cannot be decrypted: the error of the newest such secret. */
  unreadable?: ServiceError;
  /** First attempts from this sequence on wait in the backlog. */
  backlogFrom: number | null;
  /** Every recent attempt failed. */
  failing: boolean;
  /** The events by which its logs are decoded. */
  abi?: NonNullable<WebhookOptions["abi"]>;
  /** Whose form its notifications have; undefined for the usual one. Only other forms are signed with the account's shared secrets, too. */
  compatibility?: NonNullable<WebhookOptions["compatibility"]>;
  /** The form of an operational webhook's events; undefined for other webhooks. */
  operational?: components["schemas"]["OperationalFormat"];
  /** Like `secrets`. */
  sharedSecrets?: EndpointSecret[];
  /** How many POSTs begin in a second at most; undefined for no such limit. */
  maxPerSecond?: number;
  /** How many notifications share a POST; undefined for one each. */
  batch?: NonNullable<WebhookOptions["batch"]>;
  /** Of an ordered webhook, the sequences that wait for a retry of the schedule. */
  waiting?: readonly number[];
};

type Row = {
  id: string;
  account_id: number;
  shard: number;
  chain_id: string;
  url: string;
  active: boolean;
  tag: string;
  own: SecretRows;
  shared: SecretRows;
  backlog_from: number | null;
  failing: boolean;
  options: (WebhookOptions & { operational?: components["schemas"]["OperationalFormat"] }) | null;
  max_per_second: number | null;
  has_headers: boolean;
  headers: SecretRow | null;
  waiting: number[] | null;
};

/** As JSON: bytes in hex, times in ms since the epoch. */
type SecretRows = (SecretRow & { expires: number | null })[] | null;
type SecretRow = { secret: string | null; key_id: string | null; sealed: string | null };

const asJson = "'secret', encode(secret, 'hex'), 'key_id', key_id, 'sealed', encode(sealed, 'hex')";

/** Those that sign, the current one first. Where the clock was set back, it may be the older one. @param of a condition on the table */
const secretRows = (table: "webhook_secrets" | "shared_secrets", of: string) => `
  (SELECT json_agg(json_build_object(${asJson}, 'expires', floor(extract(epoch FROM expires_at) * 1000)::bigint) ORDER BY expires_at DESC NULLS FIRST, created_at DESC)
   FROM ${table} WHERE ${of} AND (expires_at IS NULL OR expires_at > clock_timestamp()))`;

/** The sequences of an ordered webhook `w` that hold up the others, as JSON, since pg leaves a bigint[] as text. */
const waiting = `CASE WHEN w.options->>'ordered' = 'true' THEN (
  SELECT COALESCE(json_agg(sequence), '[]') FROM retries
  WHERE shard = w.shard AND account_id = w.account_id AND webhook_id = w.id AND due_at IS NOT NULL
    AND NOT delivered AND (extra IS NULL OR resume_at IS NOT NULL)) END AS waiting`;

/** @returns the endpoints of the webhooks that still exist and have one: to those that are only read by their feeds nothing is ever sent */
export async function readEndpoints(
  db: Queryable,
  webhookIds: readonly string[],
  keyring: Keyring,
): Promise<EndpointRecord[]> {
  const { rows } = await db.query<Row>({
    name: "read-endpoints",
    text: `SELECT w.id, w.account_id, w.shard, w.chain_id, w.url, w.status = 'active' AS active, e.backlog_from,
             e.failing_since IS NOT NULL AS failing, w.options, w.max_per_second, ${waiting},
             w.header_names IS NOT NULL AS has_headers,
             CASE WHEN w.header_names IS NOT NULL THEN (
               SELECT json_build_object(${asJson}) FROM webhook_headers WHERE webhook_id = w.id) END AS headers,
             (SELECT tag FROM accounts WHERE id = w.account_id) AS tag, ${secretRows("webhook_secrets", "webhook_id = w.id")} AS own,
             CASE WHEN w.options ->> 'compatibility' IS NOT NULL THEN ${secretRows("shared_secrets", "account_id = w.account_id")} END AS shared
           FROM webhooks w
           LEFT JOIN endpoint_states e ON e.webhook_id = w.id
           WHERE w.id = ANY($1::uuid[]) AND w.url IS NOT NULL`,
    values: [webhookIds],
  });
  return rows.map((row) => {
    const own = openSecrets(row.id, row.own, keyring);
    const { secrets } = own;
    const { compatibility, operational } = row.options ?? {};
    const shared = compatibility && openSecrets(accountOwner(row.tag), row.shared, keyring);
    const { headers, ...unread } = row.has_headers ? openOwnHeaders(row.id, row.headers, keyring) : { headers: [] };
    const unreadable = own.unreadable ?? shared?.unreadable ?? unread.unreadable;
    const abi = decodingAbi(row.options ?? {});
    const sending = { secrets, headers, ...(shared && { compatibility, sharedSecrets: shared.secrets }) };
    return {
      webhookId: row.id,
      accountId: row.account_id,
      shard: row.shard,
      chainId: row.chain_id,
      url: row.url,
      active: row.active && canSend(sending),
      ...sending,
      ...(unreadable && { unreadable }),
      backlogFrom: row.backlog_from,
      failing: row.failing,
      ...(abi && { abi }),
      ...(operational && { operational }),
      ...(row.max_per_second !== null && { maxPerSecond: row.max_per_second }),
      ...(row.options?.batch && { batch: row.options.batch }),
      ...(row.waiting && { waiting: row.waiting }),
    };
  });
}

/** @returns what holds up these ordered webhooks, as far as they still exist */
export async function readWaiting(
  db: Queryable,
  webhookIds: readonly string[],
): Promise<{ webhookId: string; waiting: number[] }[]> {
  const { rows } = await db.query<{ webhookId: string; waiting: number[] | null }>({
    name: "read-waiting",
    text: `SELECT w.id AS "webhookId", ${waiting} FROM webhooks w WHERE w.id = ANY($1::uuid[])`,
    values: [webhookIds],
  });
  return rows.map((row) => ({ ...row, waiting: row.waiting ?? [] }));
}

/** Whether the current secrets and the headers could be decrypted. */
export function canSend({
  secrets,
  sharedSecrets,
  headers,
}: Pick<EndpointRecord, "secrets" | "sharedSecrets" | "headers">): boolean {
  const isCurrent = ({ expiresAt }: EndpointSecret) => expiresAt === null;
  return (
    headers !== undefined && secrets.some(isCurrent) && (sharedSecrets === undefined || sharedSecrets.some(isCurrent))
  );
}

const bytesOf = (hex: string | null) => (hex === null ? null : Buffer.from(hex, "hex"));
const keptOf = ({ secret, key_id, sealed }: SecretRow): KeptSecret => ({
  ...{ secret: bytesOf(secret), keyId: key_id, sealed: bytesOf(sealed) },
});

/** @returns the error in place of headers that cannot be decrypted */
function openOwnHeaders(
  webhookId: string,
  row: SecretRow | null,
  keyring: Keyring,
): Pick<EndpointRecord, "headers" | "unreadable"> {
  try {
    return { headers: openHeaders(webhookId, row ? keptOf(row) : undefined, keyring) };
  } catch (error) {
    if (!isServiceError(error, "secret_unreadable")) throw error;
    return { headers: undefined, unreadable: error };
  }
}

function openSecrets(
  owner: string,
  rows: SecretRows,
  keyring: Keyring,
): { secrets: EndpointSecret[]; unreadable: ServiceError | undefined } {
  const secrets: EndpointSecret[] = [];
  let unreadable: ServiceError | undefined;
  for (const { expires, ...row } of rows ?? []) {
    try {
      secrets.push({ secret: keyring.open(owner, keptOf(row)), expiresAt: expires });
    } catch (error) {
      if (!isServiceError(error, "secret_unreadable")) throw error;
      unreadable ??= error;
    }
  }
  return { secrets, unreadable };
}
