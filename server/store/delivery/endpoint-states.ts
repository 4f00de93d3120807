/** What delivery needs to know of a webhook's endpoint: where and how to send, its backlog, and whether it fails. */
import { isServiceError, type ServiceError } from "../../base/errors.ts";
import type { WebhookOptions } from "../../matching/new-webhook.ts";
import type { KeptSecret, Keyring } from "../../settings/keyring.ts";
import type { Queryable } from "../pool.ts";

export type EndpointRecord = {
  webhookId: string;
  accountId: number;
  shard: number;
  chainId: string;
  url: string;
  /** Whether notifications may be sent. They may not while the current secret cannot be decrypted. */
  active: boolean;
  /** Every secret that signs, the newest first; `expiresAt` in ms, null for the current one. */
  secrets: { secret: Buffer; expiresAt: number | null }[];
  /** Why a secret cannot be decrypted: the error of the newest such secret. */
  unreadable?: ServiceError;
  /** First attempts from this sequence on wait in the backlog. */
  backlogFrom: number | null;
  /** Every recent attempt failed. */
  failing: boolean;
  /** The events by which its logs are decoded. */
  abi?: NonNullable<WebhookOptions["abi"]>;
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
  secrets: (Buffer | null)[] | null;
  key_ids: (string | null)[];
  sealed: (Buffer | null)[];
  expiries: (Date | null)[];
  backlog_from: number | null;
  failing: boolean;
  options: WebhookOptions | null;
  waiting: number[] | null;
};

/** The sequences of an ordered webhook `w` that hold up the others, as JSON, since pg leaves a bigint[] as text. */
const waiting = `CASE WHEN w.options->>'ordered' = 'true' THEN (
  SELECT COALESCE(json_agg(sequence), '[]') FROM retries
  WHERE shard = w.shard AND account_id = w.account_id AND webhook_id = w.id AND due_at IS NOT NULL
    AND NOT delivered AND (extra IS NULL OR resume_at IS NOT NULL)) END AS waiting`;

/** @returns the endpoints of the webhooks that still exist */
export async function readEndpoints(
  db: Queryable,
  webhookIds: readonly string[],
  keyring: Keyring,
): Promise<EndpointRecord[]> {
  const { rows } = await db.query<Row>({
    name: "read-endpoints",
    text: `SELECT w.id, w.account_id, w.shard, w.chain_id, w.url, w.status = 'active' AS active, s.*, e.backlog_from,
             e.failing_since IS NOT NULL AS failing, w.options, ${waiting}
           FROM webhooks w
           CROSS JOIN LATERAL (
             SELECT array_agg(secret ORDER BY created_at DESC) AS secrets, array_agg(key_id ORDER BY created_at DESC) AS key_ids,
               array_agg(sealed ORDER BY created_at DESC) AS sealed, array_agg(expires_at ORDER BY created_at DESC) AS expiries
             FROM webhook_secrets WHERE webhook_id = w.id AND (expires_at IS NULL OR expires_at > clock_timestamp())) s
           LEFT JOIN endpoint_states e ON e.webhook_id = w.id
           WHERE w.id = ANY($1::uuid[])`,
    values: [webhookIds],
  });
  return rows.map((row) => {
    const { secrets, unreadable } = openSecrets(row, keyring);
    return {
      webhookId: row.id,
      accountId: row.account_id,
      shard: row.shard,
      chainId: row.chain_id,
      url: row.url,
      active: row.active && canSign({ secrets }),
      secrets,
      ...(unreadable && { unreadable }),
      backlogFrom: row.backlog_from,
      failing: row.failing,
      ...(row.options?.abi && { abi: row.options.abi }),
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

/** Whether the current secret could be decrypted. */
export function canSign({ secrets }: Pick<EndpointRecord, "secrets">): boolean {
  return secrets.some(({ expiresAt }) => expiresAt === null);
}

function openSecrets(row: Row, keyring: Keyring): Pick<EndpointRecord, "secrets" | "unreadable"> {
  const secrets: EndpointRecord["secrets"] = [];
  let unreadable: ServiceError | undefined;
  for (const [index, secret] of (row.secrets ?? []).entries()) {
    const kept: KeptSecret = { secret, keyId: row.key_ids[index] ?? null, sealed: row.sealed[index] ?? null };
    try {
      secrets.push({ secret: keyring.open(row.id, kept), expiresAt: row.expiries[index]?.getTime() ?? null });
    } catch (error) {
      if (!isServiceError(error, "secret_unreadable")) throw error;
      unreadable ??= error;
    }
  }
  return { secrets, ...(unreadable && { unreadable }) };
}
