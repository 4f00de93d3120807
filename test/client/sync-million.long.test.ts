/** A million addresses of which a hundred differ: the bytes are bounded, and the time is printed, since the machine may be busy. */
import { expect, test } from "vitest";
import { addressDigest } from "../../client/address-digest.ts";
import { createWebhooksClient } from "../../client/index.ts";
import { address, startApi } from "../support/api.ts";

test.each([
  ["spread", "encode(substr(sha256(n::text::bytea), 1, 20), 'hex')"],
  ["that begin alike", "lpad(to_hex(n), 40, '0')"],
])(
  "a hundred differences in a million addresses %s take a few requests, and less than a megabyte",
  async (_, hex) => {
    const api = await startApi();
    let bytes = 0;
    const counting: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      bytes += String(init?.body ?? "").length + (await answer.clone().arrayBuffer()).byteLength;
      return answer;
    };
    const client = createWebhooksClient({ baseUrl: api.url, apiKey: api.keys.both, fetch: counting });
    const metadata = { addresses: [address(0)] };
    const { id } = await client.createWebhook({
      body: { url: "https://example.com/hook", chainId: "43114", eventType: "address_activity", metadata },
    });
    await client.removeWebhookAddresses({ path: { id }, body: metadata });
    const ours: string[] = [];
    for (let from = 0; from < 1_000_000; from += 20_000) {
      const values = [from + 1, from + 20_000];
      const { rows } = await api.pool.query(
        `SELECT array_agg('0x' || ${hex}) AS addresses FROM generate_series($1::int, $2::int) n`,
        values,
      );
      ours.push(...rows[0].addresses);
      await api.pool.query(
        `INSERT INTO webhook_addresses (chain_id, address, webhook_id, addition)
       SELECT '43114', decode(${hex}, 'hex'), $3, 0 FROM generate_series($1::int, $2::int) n`,
        [...values, id],
      );
    }
    await api.pool.query("UPDATE webhooks SET address_count = 1000000 WHERE id = $1", [id]);
    await api.pool.query("ANALYZE webhook_addresses");
    for (let n = 0; n < 50; n++) ours[n * 20_000] = `0x${String(n).padStart(2, "0")}${"ab".repeat(19)}`;
    for (const run of ["first", "again"]) {
      bytes = 0;
      const started = performance.now();
      const report = await client.syncAddresses(id, ours);
      const seconds = ((performance.now() - started) / 1_000).toFixed(2);
      console.log(`${run}: ${seconds} s, ${bytes} bytes, ${report.requests} requests`);
      expect(report).toMatchObject(run === "first" ? { added: 50, removed: 50, unchanged: 999_950 } : { added: 0 });
      expect(report.requests).toBeLessThan(run === "first" ? 12 : 2);
      expect(bytes).toBeLessThan(1_000_000);
    }
    expect((await client.getWebhook({ path: { id } })).addressDigest).toBe(addressDigest(ours));
    await api.close();
  },
  300_000,
);
