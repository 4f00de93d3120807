/**
 * What each receiver goes through. The service delivers a transfer to it; then what was delivered comes again, tampered with, too late
 * and too large. At last the secret changes, and the service signs with both.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { expect } from "vitest";
import { openWallet } from "../../../scripts/local/wallet.ts";
import { testChainId, type World } from "../../support/service.ts";
import { badOnes, idOf, laterBody, mostBytes, signed, withHeaders } from "./deliveries.ts";
import { post, sendHalf, startForwarder } from "./forwarder.ts";

/** Starts a receiver. @returns where it listens, and what it has printed */
export type Start = (secret: string) => Promise<{ url: string; output(): string }>;

const isRefusal = (status: number) => status === 400 || status === 401;
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);
const isAccepted = (status: number) => status >= 200 && status < 300;

/** An empty key is one that anybody has. Without a secret, a receiver ends, or refuses what is signed with nothing. */
export async function assertNeedsSecret(start: Start, emptySecret: string): Promise<void> {
  const receiver = await start(emptySecret).catch(() => undefined);
  if (!receiver) return;
  const body = JSON.stringify({ messageId: randomUUID() });
  const status = await post(receiver.url, signed({ headers: {}, body: Buffer.alloc(0) }, "whsec_", { body }));
  expect(status, `with the secret ${JSON.stringify(emptySecret)}`).toBeGreaterThanOrEqual(400);
}

/** @param index of the account that sends, so that receivers do not wait for one another */
export async function assertReceives(world: World, index: number, start: Start): Promise<void> {
  const [wallet, forwarder] = await Promise.all([openWallet(world.node.rpcUrl, index), startForwarder()]);
  try {
    const to = `0x${randomBytes(20).toString("hex")}` as const;
    const { id } = await world.client.createWebhook({
      body: {
        url: forwarder.url,
        chainId: testChainId,
        eventType: "address_activity",
        metadata: { addresses: [to] },
      },
    });
    const { secret } = await world.client.getWebhookSecret({ path: { id } });
    const receiver = await start(secret);
    forwarder.target = receiver.url;

    await wallet.send(to, 1n);
    const good = await forwarder.waitFor(1);
    expect(good.status, "the service's delivery").toSatisfy(isAccepted);
    expect(await post(receiver.url, good), "the same again").toSatisfy(isAccepted);

    for (const [what, bad] of badOnes(good, secret)) {
      const status = await post(receiver.url, bad);
      // Some servers end the connection at a header that is not ASCII.
      if (status !== 0 || isAscii(Object.values(bad.headers).join(""))) expect(status, what).toSatisfy(isRefusal);
    }
    expect((await fetch(receiver.url)).status, "GET").toBeGreaterThanOrEqual(400);

    const half = await sendHalf(receiver.url, good);
    expect(await post(receiver.url, good), "while half a request waits").toSatisfy(isAccepted);
    half.destroy();

    const accented = signed(good, secret, { body: laterBody(good, "é€😀") });
    expect(await post(receiver.url, accented), "text beyond ASCII").toSatisfy(isAccepted);
    const large = signed(good, secret, { body: laterBody(good, "x".repeat(9 * 1024 * 1024)) });
    expect(await post(receiver.url, large), "9 MiB").toSatisfy(isAccepted);
    const tooLarge = signed(good, secret, { body: laterBody(good, "x".repeat(mostBytes)) });
    expect(await post(receiver.url, tooLarge), "more than 32 MiB").not.toSatisfy(isAccepted);

    await world.client.rotateWebhookSecret({ path: { id } });
    // A busy sender may learn of the change a moment later: then the next delivery has both signatures.
    const next = async (sequence: number) => {
      await wallet.send(to, 2n);
      const delivered = await forwarder.waitFor(sequence);
      return { delivered, signatures: delivered.headers["webhook-signature"]?.split(" ") ?? [] };
    };
    const handledSince: string[] = [];
    let last = await next(2);
    for (let sequence = 2; ; sequence += 1) {
      handledSince.push(`${sequence} ${idOf(last.delivered.body)}`);
      if (last.signatures.length === 2) break;
      expect(sequence, "deliveries until one has two signatures").toBeLessThan(8);
      last = await next(sequence + 1);
    }
    const { delivered: twice, signatures } = last;
    expect(twice.status, "two signatures").toSatisfy(isAccepted);
    const swapped = withHeaders(twice, { "webhook-signature": signatures.toReversed().join(" ") });
    expect(await post(receiver.url, swapped), "two signatures, swapped").toSatisfy(isAccepted);
    const newSecretOnly = withHeaders(twice, { "webhook-signature": signatures[0] });
    const oldSecretOnly = withHeaders(twice, { "webhook-signature": signatures[1] });
    expect(await post(receiver.url, oldSecretOnly), "its own secret's signature").toSatisfy(isAccepted);
    expect(await post(receiver.url, newSecretOnly), "the new secret's signature").toSatisfy(isRefusal);

    const handled = receiver.output().match(/^\d+ [0-9a-f-]{36}$/gm) ?? [];
    expect(handled, receiver.output()).toEqual([
      `1 ${idOf(good.body)}`,
      `1 ${idOf(accented.body)}`,
      `1 ${idOf(large.body)}`,
      ...handledSince,
    ]);
  } finally {
    await forwarder.close();
  }
}
