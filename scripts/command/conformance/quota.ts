/** A quota that the account reaches during a run is no fault: what needed more webhooks was not examined. */
import { apiKeyHeader } from "../../../generated/operations.ts";
import { cleanUp, type ToCleanUp } from "./clean-up.ts";
import { successOf } from "./contract.ts";
import { createExchangeRecorder, type RecordedExchange } from "./exchange.ts";
import { type Finding, summary } from "./findings.ts";
import { NotExaminable } from "./not-examinable.ts";

/** A run after its cleaning up, with all that it found. */
type Ended = ToCleanUp & { findings: readonly Finding[]; signal: AbortSignal };

/** What stays a finding, what becomes a note, and the webhooks that could not be deleted. */
type Judged = { findings: Finding[]; notes: string[]; left: string[] };

/**
 * Sends each refused creation again, now that the run's webhooks are deleted. Only a quota lets it pass now; a fault refuses it again.
 *
 * @throws NotExaminable when the key could not create a single webhook
 */
export async function withoutQuotas({ findings, signal, ...ended }: Ended): Promise<Judged> {
  const refused = findings.filter(isRefused);
  const [first] = refused;
  if (!first) return { findings: [...findings], notes: [], left: [] };
  if (!ended.exchanges.some((exchange) => isCreation(exchange, ended.apiKey) && exchange.status < 300))
    throw new NotExaminable(
      `createWebhook returned ${summary(first.exchange)}. The key given with --key needs the scope write, and its account room for webhooks.`,
    );
  const recorder = createExchangeRecorder(ended.baseUrl, signal);
  const left: string[] = [];
  const statuses = new Map<RecordedExchange, number>();
  try {
    for (const { exchange } of refused) {
      if (statuses.has(exchange)) continue;
      const again = await recorder.send(withoutKey(exchange), "quota");
      statuses.set(exchange, again.status);
      left.push(...(await cleanUp({ ...ended, exchanges: [again] })));
    }
  } finally {
    await recorder.close();
  }
  const byQuota = new Set<Finding>(refused.filter((one) => statuses.get(one.exchange) === expectedOf(one)));
  const note = `What needs more webhooks than the account's quota: createWebhook returned ${summary(first.exchange)}`;
  return { findings: findings.filter((one) => !byQuota.has(one)), notes: byQuota.size > 0 ? [note] : [], left };
}

type Refused = Finding & { exchange: RecordedExchange };

function isRefused(one: Finding): one is Refused {
  return one.exchange?.operation === "createWebhook" && one.exchange.status === 403 && expectedOf(one) !== 403;
}

const expectedOf = ({ rule, status }: Finding) => (rule === "status-expected" ? successOf("createWebhook") : status);

const isCreation = ({ operation, request }: RecordedExchange, key: string) =>
  operation === "createWebhook" && request.headers[apiKeyHeader] === key;

/** The contract does not say whether a refused request uses up its Idempotency-Key. */
function withoutKey({ request }: RecordedExchange): RecordedExchange["request"] {
  const headers = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== "idempotency-key");
  return { ...request, headers: Object.fromEntries(headers) };
}
